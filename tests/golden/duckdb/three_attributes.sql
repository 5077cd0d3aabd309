-- fairsql (version)
-- cut 1: Approval by gender, race and age
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" collate C as attribute_1,
        "race" collate C as attribute_2,
        "age" as attribute_3,
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
        cast(max(label_1) as varchar) as label_maximum_1,
        coalesce(count_if(input_1 is not null and label_1 in (0, 1)), 0) as pair_rows_1
    from measured
    group by attribute_1, attribute_2, attribute_3
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_1,
        nullif(regexp_replace(trimmed_2, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_2,
        cast(attribute_3 as varchar) as text_3
    from (
        select
            *,
            regexp_replace(attribute_1, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_1,
            regexp_replace(attribute_2, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_2
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- The same rows: their key, whether an attribute is missing, and the statistics.
    select
        1 as cut,
        text_1 as key_1,
        text_2 as key_2,
        text_3 as key_3,
        case when text_1 is null or text_2 is null or text_3 is null then 1 else 0 end as is_missing,
        rows_total,
        evaluated_1 as evaluated,
        input_1_rows_1 as input_1_rows,
        positives_1 as positives,
        label_minimum_1 as label_minimum,
        label_maximum_1 as label_maximum,
        pair_rows_1 as pair_rows
    from cleaned
),

numbered as (
    -- The same rows, with the number of their group.
    select
        *,
        case
            when is_missing = 0 then dense_rank() over (partition by cut, is_missing order by key_1 asc, key_2 asc, key_3 asc)
            else 0
        end as group_number
    from keyed
),

by_key as (
    -- One row for each group, and one for the whole (is_whole = 1): rows that share a key are merged.
    select
        cut,
        grouping(numbered.is_missing) as is_whole,
        coalesce(numbered.is_missing, 0) as is_missing,
        coalesce(numbered.group_number, 0) as group_number,
        key_1,
        key_2,
        key_3,
        sum(rows_total) as rows_total,
        sum(rows_total - evaluated) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        sum(case when is_missing = 0 then evaluated else 0 end) as evaluated,
        sum(input_1_rows) as input_1_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then pair_rows else 0 end) as pair_rows,
        sum(case when key_1 is not null then rows_total else 0 end) as attribute_1_rows,
        sum(case when key_2 is not null then rows_total else 0 end) as attribute_2_rows,
        sum(case when key_3 is not null then rows_total else 0 end) as attribute_3_rows
    from numbered
    group by grouping sets ((cut, numbered.is_missing, numbered.group_number, key_1, key_2, key_3), (cut))
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
    where is_whole = 1 or (is_whole = 0 and is_missing = 0 and evaluated > 0 and groups_total <= 1000)
),

statistics as (
    -- The same rows: counts as whole numbers, other statistics as doubles.
    select
        cut,
        is_whole,
        group_number,
        key_1,
        key_2,
        key_3,
        cast(groups_total as bigint) as groups_total,
        cast(rows_total as bigint) as rows_total,
        cast(missing_metric_inputs as bigint) as missing_metric_inputs,
        cast(missing_attribute as bigint) as missing_attribute,
        cast(evaluated as bigint) as evaluated,
        cast(input_1_rows as bigint) as input_1_rows,
        cast(positives as bigint) as positives,
        label_minimum,
        label_maximum,
        cast(pair_rows as bigint) as pair_rows,
        cast(attribute_1_rows as bigint) as attribute_1_rows,
        cast(attribute_2_rows as bigint) as attribute_2_rows,
        cast(attribute_3_rows as bigint) as attribute_3_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc, key_2 asc, key_3 asc;
