-- fairsql (version)
-- cut 1: Meaning of a refusal by gender
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" collate C as attribute_1,
        case when "predicted" in (1) then 1 when "predicted" is not null then 0 end as input_1,
        "predicted" as label_1,
        case when "approved" in (1) then 1 when "approved" is not null then 0 end as input_2,
        "approved" as label_2,
        cast("waiting_days" as double) as input_3
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        -- 3 true positive, 2 false positive, 1 false negative, 0 true negative
        case when input_3 between 1e-50 and 1e50 then 2 * input_1 + input_2 end as quantity_1,
        case
            when input_1 is not null and input_2 is not null and input_3 between 1e-50 and 1e50 then input_3
        end as weight_1
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        count(*) as rows_total,
        coalesce(count_if(input_1 is not null and input_2 is not null and weight_1 is not null), 0) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        coalesce(count_if(quantity_1 = 3), 0) as tp_1,
        coalesce(count_if(quantity_1 = 2), 0) as fp_1,
        coalesce(count_if(quantity_1 = 1), 0) as fn_1,
        coalesce(count_if(quantity_1 = 0), 0) as tn_1,
        cast(min(label_2) as varchar) as label_minimum_1,
        cast(max(label_2) as varchar) as label_maximum_1,
        coalesce(count_if(input_1 is not null and input_2 is not null and input_3 = 0), 0) as zero_weight_rows_1,
        coalesce(count_if(input_1 is not null and input_2 is not null and (input_3 is null or (input_3 <> 0 and not input_3 between 1e-50 and 1e50))), 0) as bad_weight_rows_1,
        sum(weight_1) as weight_sum_1,
        sum(weight_1 * weight_1) as squared_weight_sum_1,
        sum(case when quantity_1 = 3 then weight_1 else 0 end) as weight_tp_1,
        sum(case when quantity_1 = 3 then weight_1 * weight_1 else 0 end) as squared_weight_tp_1,
        sum(case when quantity_1 = 2 then weight_1 else 0 end) as weight_fp_1,
        sum(case when quantity_1 = 2 then weight_1 * weight_1 else 0 end) as squared_weight_fp_1,
        sum(case when quantity_1 = 1 then weight_1 else 0 end) as weight_fn_1,
        sum(case when quantity_1 = 1 then weight_1 * weight_1 else 0 end) as squared_weight_fn_1,
        sum(case when quantity_1 = 0 then weight_1 else 0 end) as weight_tn_1,
        sum(case when quantity_1 = 0 then weight_1 * weight_1 else 0 end) as squared_weight_tn_1
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
        tp_1 as tp,
        fp_1 as fp,
        fn_1 as fn,
        tn_1 as tn,
        label_minimum_1 as label_minimum,
        label_maximum_1 as label_maximum,
        zero_weight_rows_1 as zero_weight_rows,
        bad_weight_rows_1 as bad_weight_rows,
        weight_sum_1 as weight_sum,
        squared_weight_sum_1 as squared_weight_sum,
        weight_tp_1 as weight_tp,
        squared_weight_tp_1 as squared_weight_tp,
        weight_fp_1 as weight_fp,
        squared_weight_fp_1 as squared_weight_fp,
        weight_fn_1 as weight_fn,
        squared_weight_fn_1 as squared_weight_fn,
        weight_tn_1 as weight_tn,
        squared_weight_tn_1 as squared_weight_tn
    from cleaned
),

numbered as (
    -- The same rows, with the number of their group.
    select
        *,
        case
            when is_missing = 0 then dense_rank() over (partition by cut, is_missing order by key_1 asc)
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
        sum(rows_total) as rows_total,
        sum(rows_total - evaluated - coalesce(zero_weight_rows, 0) - coalesce(bad_weight_rows, 0)) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        sum(case when is_missing = 0 then evaluated else 0 end) as evaluated,
        sum(input_1_rows) as input_1_rows,
        sum(input_2_rows) as input_2_rows,
        sum(case when is_missing = 0 then tp else 0 end) as tp,
        sum(case when is_missing = 0 then fp else 0 end) as fp,
        sum(case when is_missing = 0 then fn else 0 end) as fn,
        sum(case when is_missing = 0 then tn else 0 end) as tn,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(zero_weight_rows) as zero_weight_rows,
        sum(bad_weight_rows) as bad_weight_rows,
        sum(case when is_missing = 0 then weight_sum else 0 end) as weight_sum,
        sum(case when is_missing = 0 then squared_weight_sum else 0 end) as squared_weight_sum,
        sum(case when is_missing = 0 then weight_tp else 0 end) as weight_tp,
        sum(case when is_missing = 0 then squared_weight_tp else 0 end) as squared_weight_tp,
        sum(case when is_missing = 0 then weight_fp else 0 end) as weight_fp,
        sum(case when is_missing = 0 then squared_weight_fp else 0 end) as squared_weight_fp,
        sum(case when is_missing = 0 then weight_fn else 0 end) as weight_fn,
        sum(case when is_missing = 0 then squared_weight_fn else 0 end) as squared_weight_fn,
        sum(case when is_missing = 0 then weight_tn else 0 end) as weight_tn,
        sum(case when is_missing = 0 then squared_weight_tn else 0 end) as squared_weight_tn,
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
        cast(tp as bigint) as tp,
        cast(fp as bigint) as fp,
        cast(fn as bigint) as fn,
        cast(tn as bigint) as tn,
        label_minimum,
        label_maximum,
        cast(zero_weight_rows as bigint) as zero_weight_rows,
        cast(bad_weight_rows as bigint) as bad_weight_rows,
        cast(weight_sum as double) as weight_sum,
        cast(squared_weight_sum as double) as squared_weight_sum,
        cast(weight_tp as double) as weight_tp,
        cast(squared_weight_tp as double) as squared_weight_tp,
        cast(weight_fp as double) as weight_fp,
        cast(squared_weight_fp as double) as squared_weight_fp,
        cast(weight_fn as double) as weight_fn,
        cast(squared_weight_fn as double) as squared_weight_fn,
        cast(weight_tn as double) as weight_tn,
        cast(squared_weight_tn as double) as squared_weight_tn,
        cast(attribute_1_rows as bigint) as attribute_1_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
