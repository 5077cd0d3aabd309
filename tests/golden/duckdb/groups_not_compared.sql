-- fairsql (version)
-- cut 1: by gender
-- cut 2: by race and age
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" collate C as attribute_1,
        case case
                when "race" collate C between '!' and '~' and ("race" collate C)[-1] between '!' and '~' and "race" collate C not like '%.%'
                    then "race" collate C
                else nullif(regexp_replace(regexp_replace("race" collate C, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g'), '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '')
            end
            when 'Unknown' then 'Unknown'
            else case
            when case
                when "race" collate C between '!' and '~' and ("race" collate C)[-1] between '!' and '~' and "race" collate C not like '%.%'
                    then "race" collate C
                else nullif(regexp_replace(regexp_replace("race" collate C, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g'), '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '')
            end is not null then ' several'
        end
        end as attribute_2,
        case cast("age" as varchar)
            when 'Unknown' then 'Unknown'
            else case when "age" is not null then ' several' end
        end as attribute_3,
        case when "approved" in (1) then 1 when "approved" is not null then 0 end as input_1,
        "approved" as label_1
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        input_1 as quantity_1
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        attribute_2,
        attribute_3,
        count(*) as rows_total,
        count(input_1) as evaluated_1,
        count(input_1) as input_1_rows_1,
        coalesce(count_if(quantity_1 = 1), 0) as positives_1,
        cast(min(label_1) as varchar) as label_minimum_1,
        cast(max(label_1) as varchar) as label_maximum_1
    from measured
    group by attribute_1, attribute_2, attribute_3
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_1,
        attribute_2 as text_2,
        attribute_3 as text_3
    from (
        select
            *,
            regexp_replace(attribute_1, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_1
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        case
            when cut = 1 then text_1
            when cut = 2 then case when text_2 not in ('Unknown') then text_2 end
        end as key_1,
        case when cut = 2 then case when text_3 not in ('Unknown') then text_3 end end as key_2,
        case
            when cut = 1 and text_1 is null then 1
            when cut = 2 and (text_2 is null or text_2 in ('Unknown') or text_3 is null or text_3 in ('Unknown')) then 1
            else 0
        end as is_missing,
        rows_total,
        evaluated_1 as evaluated,
        input_1_rows_1 as input_1_rows,
        positives_1 as positives,
        label_minimum_1 as label_minimum,
        label_maximum_1 as label_maximum,
        case when cut = 2 then case when 'Unknown' in (text_2, text_3) then evaluated_1 else 0 end end as listed_1_rows
    from cleaned
    cross join (values (1), (2)) as cuts (cut)
),

numbered as (
    -- The same rows, with the number of their group.
    select
        *,
        case
            when is_missing = 0 then dense_rank() over (partition by cut, is_missing order by key_1 asc, key_2 asc)
            else 0
        end as group_number
    from keyed
),

by_key as (
    -- One row for each group, and one for each cut as a whole (is_whole = 1): rows that share a key are merged.
    select
        cut,
        grouping(numbered.is_missing) as is_whole,
        coalesce(numbered.is_missing, 0) as is_missing,
        coalesce(numbered.group_number, 0) as group_number,
        key_1,
        key_2,
        sum(rows_total) as rows_total,
        sum(rows_total - evaluated) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        sum(case when is_missing = 0 then evaluated else 0 end) as evaluated,
        sum(input_1_rows) as input_1_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when key_1 is not null then rows_total else 0 end) as attribute_1_rows,
        sum(case when key_2 is not null then rows_total else 0 end) as attribute_2_rows,
        sum(listed_1_rows) as listed_1_rows
    from numbered
    group by grouping sets ((cut, numbered.is_missing, numbered.group_number, key_1, key_2), (cut))
),

by_group as (
    -- The whole, and each group that has evaluated rows (none where there are more than 1,000).
    select *
    from (
        select
            *,
            count(case when is_whole = 0 and is_missing = 0 and evaluated > 0 then 1 end) over (partition by cut) as groups_total
        from by_key
    ) as counted
    where is_whole = 1 or (is_whole = 0 and is_missing = 0 and evaluated > 0 and groups_total <= 1000 and not cut = 2)
),

statistics as (
    -- The same rows: counts as whole numbers, other statistics as doubles.
    select
        cut,
        is_whole,
        group_number,
        key_1,
        key_2,
        cast(groups_total as bigint) as groups_total,
        cast(rows_total as bigint) as rows_total,
        cast(missing_metric_inputs as bigint) as missing_metric_inputs,
        cast(missing_attribute as bigint) as missing_attribute,
        cast(evaluated as bigint) as evaluated,
        cast(input_1_rows as bigint) as input_1_rows,
        cast(positives as bigint) as positives,
        label_minimum,
        label_maximum,
        cast(attribute_1_rows as bigint) as attribute_1_rows,
        cast(attribute_2_rows as bigint) as attribute_2_rows,
        cast(listed_1_rows as bigint) as listed_1_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc, key_2 asc
