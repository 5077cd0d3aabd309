-- fairsql (version)
-- groups counted before the scan: by race and age
with recursive source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        collate(`race`, '') as attribute_1,
        `age` as attribute_2,
        case when `approved` in (1) then 1 when `approved` is not null then 0 end as input_1,
        `approved` as label_1
    from `loans`
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
                else nullif(regexp_replace(trim(attribute_1, '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'), r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))$', r'\1\2\3'), '')
            end as text_1,
            attribute_2 as text_2
        from measured
    ) as keyed
    group by text_1, text_2
)

-- Groups and evaluated rows of each cut.
select
    cast(count(case when not (text_1 is null or text_1 in ('Unknown') or text_2 is null or text_2 in ('Unknown')) and evaluated_1 > 0 then 1 end) as int64) as groups_1,
    cast(coalesce(sum(case when not (text_1 is null or text_1 in ('Unknown') or text_2 is null or text_2 in ('Unknown')) then evaluated_1 end), 0) as int64) as rows_1
from (
    select
        text_1,
        cast(text_2 as string) as text_2,
        evaluated_1
    from by_key
) as by_text
