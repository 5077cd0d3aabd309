-- fairsql (version)
-- groups counted before the scan: by race and age
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "race" collate C as attribute_1,
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
                when attribute_1 between '!' and '~' and (attribute_1)[-1] between '!' and '~' and attribute_1 not like '%.%'
                    then attribute_1
                else nullif(regexp_replace(regexp_replace(attribute_1, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g'), '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '')
            end as text_1,
            attribute_2 as text_2
        from measured
    ) as keyed
    group by text_1, text_2
)

-- Groups and evaluated rows of each cut.
select
    cast(coalesce(count_if(not (text_1 is null or text_1 in ('Unknown') or text_2 is null or text_2 in ('Unknown')) and evaluated_1 > 0), 0) as bigint) as groups_1,
    cast(coalesce(sum(case when not (text_1 is null or text_1 in ('Unknown') or text_2 is null or text_2 in ('Unknown')) then evaluated_1 end), 0) as bigint) as rows_1
from (
    select
        text_1,
        cast(text_2 as varchar) as text_2,
        evaluated_1
    from by_key
) as by_text
