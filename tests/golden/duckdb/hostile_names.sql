-- fairsql (version)
-- cut 1: */ ; -- and {{ braces }}
-- cut 2: Mean of a hostile column
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "quo""te" collate C as attribute_1,
        case
            when ("label, or '1'" collate C in ('select', 'x''); drop table loans; --') or ("label, or '1'" collate C like '%.%' and regexp_replace("label, or '1'" collate C, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('select', 'x''); drop table loans; --'))) then 1
            when "label, or '1'" collate C is not null then 0
        end as input_1,
        "label, or '1'" collate C as label_1,
        nullif(cast("{{ value }} -- ; " as double), cast('nan' as double)) as input_2
    from "odd ""table"" -- {{ name }}"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        input_1 as quantity_1,
        case when abs(input_2) <= 1e150 then input_2 end as quantity_2
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        count(*) as rows_total,
        count(input_1) as evaluated_1,
        count(input_1) as input_1_rows_1,
        coalesce(count_if(quantity_1 = 1), 0) as positives_1,
        min(label_1) as label_minimum_1,
        max(label_1) as label_maximum_1,
        max(case when input_1 is not null and label_1 in ('select') then 1 else 0 end) as found_1_1,
        max(case when input_1 is not null and (label_1 in ('x''); drop table loans; --') or (label_1 like '%.%' and regexp_replace(label_1, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('x''); drop table loans; --'))) then 1 else 0 end) as found_2_1,
        coalesce(count_if(input_1 is not null and (label_1 < '!' or label_1 > '~') and regexp_replace(label_1, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') = ''), 0) as blank_1_1,
        count(input_2) as evaluated_2,
        count(input_2) as input_1_rows_2,
        count(input_2) - count(quantity_2) as infinite_rows_2,
        avg(quantity_2) as mean_2,
        var_pop(quantity_2) * count(quantity_2) as m2_2,
        min(quantity_2) as minimum_2,
        max(quantity_2) as maximum_2
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
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        case
            when cut = 1 then case when text_1 not in ('it''s', '\''); --') then text_1 end
            when cut = 2 then text_1
        end as key_1,
        case
            when cut = 1 and (text_1 is null or text_1 in ('it''s', '\''); --')) then 1
            when cut = 2 and text_1 is null then 1
            else 0
        end as is_missing,
        rows_total,
        case when cut = 1 then evaluated_1 when cut = 2 then evaluated_2 end as evaluated,
        case when cut = 1 then input_1_rows_1 when cut = 2 then input_1_rows_2 end as input_1_rows,
        case when cut = 1 then positives_1 end as positives,
        case when cut = 1 then label_minimum_1 end as label_minimum,
        case when cut = 1 then label_maximum_1 end as label_maximum,
        case when cut = 1 then found_1_1 end as found_1,
        case when cut = 1 then found_2_1 end as found_2,
        case when cut = 1 then blank_1_1 end as blank_1,
        case when cut = 2 then infinite_rows_2 end as infinite_rows,
        case when cut = 2 then mean_2 end as mean,
        case when cut = 2 then m2_2 end as m2,
        case when cut = 2 then minimum_2 end as minimum,
        case when cut = 2 then maximum_2 end as maximum,
        case when cut = 1 then case when text_1 = 'it''s' then evaluated_1 else 0 end end as listed_1_rows,
        case when cut = 1 then case when text_1 = '\''); --' then evaluated_1 else 0 end end as listed_2_rows
    from cleaned
    cross join (values (1), (2)) as cuts (cut)
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
    -- One row for each group, and one for each cut as a whole (is_whole = 1): rows that share a key are merged.
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
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        max(case when is_missing = 0 then found_1 end) as found_1,
        max(case when is_missing = 0 then found_2 end) as found_2,
        sum(case when is_missing = 0 then blank_1 else 0 end) as blank_1,
        sum(infinite_rows) as infinite_rows,
        min(case when is_missing = 0 then minimum end) as minimum,
        max(case when is_missing = 0 then maximum end) as maximum,
        min(mean_base) + sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as mean,
        sum(m2) + sum(evaluated * mean_offset * mean_offset)
            - sum(evaluated * mean_offset) * sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as m2,
        sum(case when key_1 is not null then rows_total else 0 end) as attribute_1_rows,
        sum(listed_1_rows) as listed_1_rows,
        sum(listed_2_rows) as listed_2_rows
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
        cast(positives as bigint) as positives,
        label_minimum,
        label_maximum,
        cast(found_1 as bigint) as found_1,
        cast(found_2 as bigint) as found_2,
        cast(blank_1 as bigint) as blank_1,
        cast(infinite_rows as bigint) as infinite_rows,
        case when is_whole = 0 then cast(mean as double) end as mean,
        case when is_whole = 0 then cast(m2 as double) end as m2,
        case when is_whole = 0 then cast(minimum as double) end as minimum,
        case when is_whole = 0 then cast(maximum as double) end as maximum,
        cast(attribute_1_rows as bigint) as attribute_1_rows,
        cast(listed_1_rows as bigint) as listed_1_rows,
        cast(listed_2_rows as bigint) as listed_2_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
