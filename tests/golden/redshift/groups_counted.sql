-- fairsql (version)
-- groups counted before the scan: by race and age
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        collate("race", 'case_sensitive') as attribute_1,
        "age" as attribute_2,
        case when "approved" in (1) then 1 when "approved" is not null then 0 end as input_1,
        "approved" as label_1
    from "loans"
),

measured as (
    -- The same rows: nothing but rows and values are counted.
    select *
    from source
),

by_key as (
    -- One row for each combination of keys: the rows that each measure evaluates.
    select
        text_1,
        text_2,
        count(input_1) as evaluated_1
    from (
        select
            *,
            case
                when attribute_1 between '!' and '~' and right(attribute_1, 1) between '!' and '~' and attribute_1 not like '%.%'
                    then attribute_1
                else nullif(case when btrim(attribute_1, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)) ~ '^-?[0-9]+[.][0-9]+$' then case rtrim(rtrim(btrim(attribute_1, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)), '0'), '.') when '-0' then '0' else rtrim(rtrim(btrim(attribute_1, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)), '0'), '.') end else btrim(attribute_1, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)) end, '')
            end as text_1,
            attribute_2 as text_2
        from measured
    ) as keyed
    group by text_1, text_2
)

-- Groups and evaluated rows of each cut.
select
    cast(count(case when not (text_1 is null or text_1 in ('Unknown') or text_2 is null or text_2 in ('Unknown')) and evaluated_1 > 0 then 1 end) as bigint) as groups_1,
    cast(coalesce(sum(case when not (text_1 is null or text_1 in ('Unknown') or text_2 is null or text_2 in ('Unknown')) then evaluated_1 end), 0) as bigint) as rows_1
from (
    select
        text_1,
        cast(text_2 as varchar) as text_2,
        evaluated_1
    from by_key
) as by_text
