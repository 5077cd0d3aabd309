-- fairsql (version)
-- cut 1: Log loss by gender
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" collate C as attribute_1,
        nullif(cast("probability" as double), cast('nan' as double)) as input_1,
        case when "approved" in (1) then 1 when "approved" is not null then 0 end as input_2,
        "approved" as label_2
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case
            when input_1 between 0 and 1 and input_2 is not null
                then 0e0 - ln(greatest(case when input_2 = 1 then input_1 else 1e0 - input_1 end, 1e-15))
        end as quantity_1
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
        coalesce(count_if(input_2 is not null and abs(input_1) > 1.7976931348623157e308), 0) as infinite_rows_1,
        coalesce(count_if(input_1 is not null and input_2 is not null), 0) - count(quantity_1) as out_of_range_rows_1,
        coalesce(count_if(input_1 is not null and input_2 = 1), 0) as positives_1,
        avg(quantity_1) as mean_1,
        var_pop(quantity_1) * count(quantity_1) as m2_1,
        min(quantity_1) as minimum_1,
        max(quantity_1) as maximum_1,
        cast(min(label_2) as varchar) as label_minimum_1,
        cast(max(label_2) as varchar) as label_maximum_1
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
        out_of_range_rows_1 as out_of_range_rows,
        positives_1 as positives,
        mean_1 as mean,
        m2_1 as m2,
        minimum_1 as minimum,
        maximum_1 as maximum,
        label_minimum_1 as label_minimum,
        label_maximum_1 as label_maximum
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
        mean - min(mean) over (partition by cut, is_missing, key_1) as mean_offset
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
        sum(out_of_range_rows) as out_of_range_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then minimum end) as minimum,
        max(case when is_missing = 0 then maximum end) as maximum,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        min(mean_base) + sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as mean,
        sum(m2) + sum(evaluated * mean_offset * mean_offset)
            - sum(evaluated * mean_offset) * sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as m2,
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
        cast(out_of_range_rows as bigint) as out_of_range_rows,
        cast(positives as bigint) as positives,
        case when is_whole = 0 then cast(mean as double) end as mean,
        case when is_whole = 0 then cast(m2 as double) end as m2,
        case when is_whole = 0 then cast(minimum as double) end as minimum,
        case when is_whole = 0 then cast(maximum as double) end as maximum,
        label_minimum,
        label_maximum,
        cast(attribute_1_rows as bigint) as attribute_1_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
