-- fairsql (version)
-- cut 1: Explained amounts by gender
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" collate C as attribute_1,
        nullif(cast("estimated_amount" as double), cast('nan' as double)) as input_1,
        nullif(cast("amount" as double), cast('nan' as double)) as input_2
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when (input_1 - input_2) * (input_1 - input_2) <= 1e150 then (input_1 - input_2) * (input_1 - input_2) end as quantity_1,
        case when input_1 is not null and abs(input_2) <= 1e150 then input_2 end as truth_1
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        count(*) as rows_total,
        coalesce(count_if(input_1 is not null and input_2 is not null), 0) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        coalesce(count_if(input_1 is not null and input_2 is not null and (quantity_1 is null or truth_1 is null)), 0) as infinite_rows_1,
        avg(quantity_1) as mean_1,
        avg(truth_1) as truth_mean_1,
        var_pop(truth_1) * count(truth_1) as truth_m2_1,
        min(truth_1) as truth_minimum_1,
        max(truth_1) as truth_maximum_1
    from measured
    group by attribute_1
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_1
    from (
        select
            *,
            regexp_replace(attribute_1, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_1
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- The same rows: their key, whether an attribute is missing, and the statistics.
    select
        1 as cut,
        text_1 as key_1,
        case when text_1 is null then 1 else 0 end as is_missing,
        rows_total,
        evaluated_1 as evaluated,
        input_1_rows_1 as input_1_rows,
        input_2_rows_1 as input_2_rows,
        infinite_rows_1 as infinite_rows,
        mean_1 as mean,
        truth_mean_1 as truth_mean,
        truth_m2_1 as truth_m2,
        truth_minimum_1 as truth_minimum,
        truth_maximum_1 as truth_maximum
    from cleaned
),

numbered as (
    -- The same rows, with the number of their group and means as offsets from one mean of the group, to merge without loss.
    select
        *,
        case
            when is_missing = 0 then dense_rank() over (partition by cut, is_missing order by key_1 asc)
            else 0
        end as group_number,
        min(mean) over (partition by cut, is_missing, key_1) as mean_base,
        mean - min(mean) over (partition by cut, is_missing, key_1) as mean_offset,
        min(truth_mean) over (partition by cut, is_missing, key_1) as truth_mean_base,
        truth_mean - min(truth_mean) over (partition by cut, is_missing, key_1) as truth_mean_offset
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
        sum(rows_total) as rows_total,
        sum(rows_total - evaluated) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        sum(case when is_missing = 0 then evaluated else 0 end) as evaluated,
        sum(input_1_rows) as input_1_rows,
        sum(input_2_rows) as input_2_rows,
        sum(infinite_rows) as infinite_rows,
        min(case when is_missing = 0 then truth_minimum end) as truth_minimum,
        max(case when is_missing = 0 then truth_maximum end) as truth_maximum,
        min(mean_base) + sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as mean,
        min(truth_mean_base) + sum(evaluated * truth_mean_offset) / nullif(cast(sum(evaluated) as double), 0) as truth_mean,
        sum(truth_m2) + sum(evaluated * truth_mean_offset * truth_mean_offset)
            - sum(evaluated * truth_mean_offset) * sum(evaluated * truth_mean_offset) / nullif(cast(sum(evaluated) as double), 0) as truth_m2,
        sum(case when key_1 is not null then rows_total else 0 end) as attribute_1_rows
    from numbered
    group by grouping sets ((cut, numbered.is_missing, numbered.group_number, key_1), (cut))
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
        cast(groups_total as bigint) as groups_total,
        cast(rows_total as bigint) as rows_total,
        cast(missing_metric_inputs as bigint) as missing_metric_inputs,
        cast(missing_attribute as bigint) as missing_attribute,
        cast(evaluated as bigint) as evaluated,
        cast(input_1_rows as bigint) as input_1_rows,
        cast(input_2_rows as bigint) as input_2_rows,
        cast(infinite_rows as bigint) as infinite_rows,
        case when is_whole = 0 then cast(mean as double) end as mean,
        case when is_whole = 0 then cast(truth_mean as double) end as truth_mean,
        case when is_whole = 0 then cast(truth_m2 as double) end as truth_m2,
        case when is_whole = 0 then cast(truth_minimum as double) end as truth_minimum,
        case when is_whole = 0 then cast(truth_maximum as double) end as truth_maximum,
        cast(attribute_1_rows as bigint) as attribute_1_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
