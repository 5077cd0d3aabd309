with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" as attribute_1,
        "race" as attribute_2,
        "approved" as attribute_3,
        "predicted" as attribute_4,
        nullif(regexp_replace(regexp_replace(case when typeof("predicted") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("predicted" as varchar) as double), cast('nan' as double)) as varchar) when typeof("predicted") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("predicted" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("predicted" as varchar)) when typeof("predicted") like 'TIMESTAMP%' then replace(cast("predicted" as varchar), ' ', 'T') else cast("predicted" as varchar) end, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g'), '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as input_1,
        nullif(regexp_replace(regexp_replace(case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g'), '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as input_2
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when input_1 = input_2 then 1 when input_1 is not null and input_2 is not null then 0 end as quantity_1
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        attribute_2,
        attribute_3,
        attribute_4,
        count(*) as rows_total,
        coalesce(count_if(input_1 is not null and input_2 is not null), 0) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        coalesce(count_if(quantity_1 = 1), 0) as positives_1
    from measured
    group by attribute_1, attribute_2, attribute_3, attribute_4
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_1,
        nullif(regexp_replace(trimmed_2, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_2,
        nullif(regexp_replace(trimmed_3, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_3,
        nullif(regexp_replace(trimmed_4, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_4
    from (
        select
            *,
            regexp_replace(case when typeof(attribute_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(attribute_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(attribute_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(attribute_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(attribute_1 as varchar)) when typeof(attribute_1) like 'TIMESTAMP%' then replace(cast(attribute_1 as varchar), ' ', 'T') else cast(attribute_1 as varchar) end, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_1,
            regexp_replace(case when typeof(attribute_2) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(attribute_2 as varchar) as double), cast('nan' as double)) as varchar) when typeof(attribute_2) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(attribute_2 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(attribute_2 as varchar)) when typeof(attribute_2) like 'TIMESTAMP%' then replace(cast(attribute_2 as varchar), ' ', 'T') else cast(attribute_2 as varchar) end, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_2,
            regexp_replace(case when typeof(attribute_3) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(attribute_3 as varchar) as double), cast('nan' as double)) as varchar) when typeof(attribute_3) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(attribute_3 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(attribute_3 as varchar)) when typeof(attribute_3) like 'TIMESTAMP%' then replace(cast(attribute_3 as varchar), ' ', 'T') else cast(attribute_3 as varchar) end, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_3,
            regexp_replace(case when typeof(attribute_4) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(attribute_4 as varchar) as double), cast('nan' as double)) as varchar) when typeof(attribute_4) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(attribute_4 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(attribute_4 as varchar)) when typeof(attribute_4) like 'TIMESTAMP%' then replace(cast(attribute_4 as varchar), ' ', 'T') else cast(attribute_4 as varchar) end, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_4
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        text_1 as key_1,
        text_2 as key_2,
        case when cut = 2 then text_3 when cut = 3 then text_4 end as key_3,
        case
            when cut = 1 and (text_1 is null or text_2 is null) then 1
            when cut = 2 and (text_1 is null or text_2 is null or text_3 is null) then 1
            when cut = 3 and (text_1 is null or text_2 is null or text_4 is null) then 1
            else 0
        end as is_missing,
        rows_total,
        evaluated_1 as evaluated,
        input_1_rows_1 as input_1_rows,
        input_2_rows_1 as input_2_rows,
        positives_1 as positives
    from cleaned
    cross join (values (1), (2), (3)) as cuts (cut)
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
    -- One row for each group, and one for each cut as a whole (is_whole = 1): rows that share a key are merged.
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
        sum(input_2_rows) as input_2_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
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
        cast(input_2_rows as bigint) as input_2_rows,
        cast(positives as bigint) as positives,
        cast(attribute_1_rows as bigint) as attribute_1_rows,
        cast(attribute_2_rows as bigint) as attribute_2_rows,
        cast(attribute_3_rows as bigint) as attribute_3_rows
    from by_group
),

numbered_classes as (
    select
        *,
        key_3 as class_key,
        dense_rank() over (order by cut asc) as question,
        dense_rank() over (partition by is_whole order by case when key_3 is null then 1 else 0 end asc, key_3 asc) as class_place,
        max(groups_total) over () as most_groups
    from statistics
),

counted_classes as (
    select
        is_whole,
        key_1, key_2,
        numbers.number as class_number,
        max(class_key) as class_key,
        sum(case when question = 2 then evaluated else 0 end) as actual,
        sum(case when question = 3 then evaluated else 0 end) as chosen,
        sum(case when question = 2 then positives else 0 end) as tp_of_class,
        max(case when question = 1 then rows_total end) as rows_total,
        max(case when question = 1 then missing_metric_inputs end) as missing_metric_inputs,
        max(case when question = 1 then missing_attribute end) as missing_attribute,
        max(case when question = 1 then input_1_rows end) as input_1_rows,
        max(case when question = 1 then input_2_rows end) as input_2_rows,
        max(case when question = 1 then attribute_1_rows end) as attribute_1_rows,
        max(case when question = 1 then attribute_2_rows end) as attribute_2_rows,
        max(case when question = 1 then evaluated end) as evaluated,
        max(case when question = 1 then group_number end) as group_number,
        max(case when question = 1 or most_groups > 1000 then groups_total end) as groups_total
    from numbered_classes
    inner join (
        select row_number() over (order by ones.one asc) as number
        from (select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one) as ones
        cross join (select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one) as twos
        cross join (select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one union all select 1 as one) as threes
    ) as numbers
        on (is_whole = 1 and numbers.number = 1)
        or (is_whole = 0 and most_groups <= 1000 and question > 1 and numbers.number = class_place)
        or (is_whole = 0 and most_groups <= 1000 and question = 1 and numbers.number < class_place)
    group by is_whole, key_1, key_2, numbers.number
),

parts as (
    select *
    from (
        select *, avg(class_value) over (partition by part, is_whole, group_number) as average, count(class_value) over (partition by part, is_whole, group_number) as classes
        from (
            select
                *,
                case
            when part = 1 then cast(tp + tp as double) / nullif(cast(tp + tp + fp + fn as double), 0)
            when part = 2 then cast(tp as double) / nullif(cast(tp + fp as double), 0)
        end as class_value
            from (
                select
                    *,
                    part as cut,
                    max(class_key) over (partition by is_whole, class_number) as positive_class,
                    cast(tp_of_class as bigint) as tp,
                    cast(chosen - tp_of_class as bigint) as fp,
                    cast(actual - tp_of_class as bigint) as fn,
                    cast(evaluated - actual - chosen + tp_of_class as bigint) as tn
                from counted_classes
                cross join (
                    select row_number() over (order by one asc) as part
                    from (select 1 as one union all select 1 as one) as ones
                ) as metrics
            ) as of_metrics
        ) as valued
    ) as beside_average
    where class_number = 1
),

assessed as (
    select
        sorts.is_test,
        parts.*,
        cast(evaluated as double) as n,
        max(case when is_test = 1 then cast(evaluated as double) end) over () as whole_evaluated,
        case when is_test = 0 then cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) end as share,
        evaluated as denominator,
        case when is_test = 0 and evaluated >= 30 and cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) >= 0.02 then 1 else 0 end as is_sufficient,
        case when is_test = 0 then average end as value
    from (
        select row_number() over (order by half asc) - 1 as is_test
        from (select 0 as half union all select 1 as half) as halves
    ) as sorts
    left join parts on sorts.is_test = parts.is_whole
    where sorts.is_test = 1 or parts.is_whole is not null
),

referenced as (
    select
        *,
        case when is_candidate = 1 and row_number() over (partition by cut order by is_candidate desc, n desc, key_1 asc, key_2 asc) = 1 then 1 else 0 end as is_reference
    from (
        select
            *,
            case when is_sufficient = 1 and value is not null and (abs(value - best_value) <= 1e-12 * greatest(abs(value), abs(best_value), 1e-290) or abs(value - best_value) <= 1e-15) then 1 else 0 end as is_candidate
        from (
            select *, max(case when is_sufficient = 1 then value end) over (partition by cut) as best_value
            from assessed
        ) as beside_best
    ) as candidates
),

paired as (
    select
        *,
        max(case when is_reference = 1 then value end) over (partition by cut) as comparison_value
    from referenced
),

compared as (
    select
        *,
        case when is_sufficient = 1 and value is not null and comparison_value is not null and is_reference = 0 then 1 else 0 end as is_compared,
        case
            when value is null or comparison_value is null then 0
            when (abs(value - comparison_value) <= 1e-12 * greatest(abs(value), abs(comparison_value), 1e-290) or abs(value - comparison_value) <= 1e-15) then 0
            when value < comparison_value then 1
            else 0
        end as is_worse,
        case when comparison_value > 0 then value / comparison_value end as ratio,
        case
            when value is null or comparison_value is null then null
            when (abs(value - comparison_value) <= 1e-12 * greatest(abs(value), abs(comparison_value), 1e-290) or abs(value - comparison_value) <= 1e-15) then 0e0
            when value < comparison_value then abs(value - comparison_value)
            else 0e0
        end as difference
    from paired
),

adjusted_p_values as (
    select *, cast(null as double) as p_value, cast(null as double) as p_value_adjusted
    from compared
),

decided as (
    select
        *,
        case when is_compared = 1 and is_worse = 1 and p_value_adjusted < cast(0.05 as double) * (1e0 - 1e-9) then 1 else 0 end as is_significant,
        case
            when is_compared = 1 and is_worse = 1 and ((ratio < cast(0.8 as double) and not (abs(ratio - cast(0.8 as double)) <= 1e-12 * greatest(abs(ratio), abs(cast(0.8 as double)), 1e-290) or abs(ratio - cast(0.8 as double)) <= 1e-15))) then 1
            else 0
        end as is_failed
    from adjusted_p_values
),

panels as (
    select
        *,
        max(case when is_sufficient = 1 then value end) over (partition by cut) as panel_highest,
        min(case when is_sufficient = 1 then value end) over (partition by cut) as panel_lowest,
        sum(case when is_sufficient = 1 and value is not null then 1 else 0 end) over (partition by cut) as panel_valued,
        case
            when is_test = 1 then null
            when sum(is_sufficient) over (partition by cut) < 2 then 1
            when sum(case when is_sufficient = 1 and value is not null then 1 else 0 end) over (partition by cut) = 0 then 2
            when sum(is_compared) over (partition by cut) = 0 then 3
            when sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end) over (partition by cut) > 0 then 4
        end as gap
    from decided
),

grouped as (
    
    select
        *,
        max(case when gap is null then is_failed else 0 end) over (partition by is_test, group_number) as group_failed,
        max(case when gap is null then is_significant else 0 end) over (partition by is_test, group_number) as group_significant,
        max(case when is_sufficient = 1 and value is null then 1 else 0 end) over (partition by is_test, group_number) as group_undefined
    from panels
),

measurements as (
    select
        *,
        max(case when is_test = 1 then rows_total end) over () as whole_rows_total,
        max(case when is_test = 1 then missing_metric_inputs end) over () as whole_missing_metric_inputs,
        max(case when is_test = 1 then missing_attribute end) over () as whole_missing_attribute,
        max(case when is_test = 1 then input_1_rows end) over () as whole_input_1_rows,
        max(case when is_test = 1 then input_2_rows end) over () as whole_input_2_rows,
        max(case when is_test = 1 then attribute_1_rows end) over () as whole_attribute_1_rows,
        max(case when is_test = 1 then attribute_2_rows end) over () as whole_attribute_2_rows,
        cast(max(case when is_test = 1 then missing_attribute end) over () as double)
        / nullif(max(case when is_test = 1 then missing_attribute end) over () + max(case when is_test = 1 then evaluated end) over (), 0) as missing_attribute_rate,
        sum(case when part = 1 then 1 - is_test else 0 end) over () as group_count,
        sum(case when part = 1 then is_sufficient else 0 end) over () as sufficient_count,
        sum(case when is_test = 0 and gap is null then 1 else 0 end) over () as judged_count,
        min(part * 10 + gap) over () as first_gap,
        case when sum(case when is_test = 0 and gap is null then 1 else 0 end) over () > 0 then cast(sum(case when part = 1 then group_failed else 0 end) over () as bigint) end as failing_group_count,
        case when sum(case when is_test = 0 and gap is null then 1 else 0 end) over () > 0 then cast(sum(case when part = 1 then group_failed else 0 end) over () as double) / nullif(sum(case when part = 1 then is_sufficient else 0 end) over (), 0) end as failing_group_percentage,
        case when sum(case when is_test = 0 and gap is null then 1 else 0 end) over () > 0 then case
            when sum(case when is_compared = 1 and is_worse = 1 and ratio is null and gap is null then 1 else 0 end) over () > 0 then null
            else coalesce(min(case when is_compared = 1 and gap is null then ratio end) over (), 1e0)
        end end as min_metric_ratio,
        max(case when is_compared = 1 and gap is null then difference end) over () as max_metric_difference,
        cast(null as double) as worst_group_value,
        case when sum(case when is_test = 0 and gap is null then 1 else 0 end) over () > 0 then cast(sum(case when part = 1 then group_significant else 0 end) over () as bigint) end as significant_disparity_count,
        cast(sum(case when part = 1 then 1 - is_test - is_sufficient else 0 end) over () as bigint) as insufficient_group_count,
        min(share) over () as min_group_share,
        cast(sum(case when part = 1 then group_undefined else 0 end) over () as bigint) as undefined_group_count,
        max(case when part = 1 then case when panel_valued < 2 then null when (abs(panel_highest - panel_lowest) <= 1e-12 * greatest(abs(panel_highest), abs(panel_lowest), 1e-290) or abs(panel_highest - panel_lowest) <= 1e-15) then 0e0 else panel_highest - panel_lowest end end) over () as f1_difference,
        max(case when part = 1 then case when panel_valued > 1 and panel_highest > 0 then panel_lowest / panel_highest end end) over () as f1_ratio,
        max(case when part = 2 then case when panel_valued < 2 then null when (abs(panel_highest - panel_lowest) <= 1e-12 * greatest(abs(panel_highest), abs(panel_lowest), 1e-290) or abs(panel_highest - panel_lowest) <= 1e-15) then 0e0 else panel_highest - panel_lowest end end) over () as precision_difference,
        max(case when part = 2 then case when panel_valued > 1 and panel_highest > 0 then panel_lowest / panel_highest end end) over () as precision_ratio
    from grouped
),

judged as (
    select
        *,
        case
            when coalesce(whole_rows_total, 0) = 0 then 'no_rows'
            when whole_input_1_rows = 0 then 'column_all_missing'
            when whole_input_2_rows = 0 then 'column_all_missing'
            when whole_attribute_1_rows = 0 then 'column_all_missing'
            when whole_attribute_2_rows = 0 then 'column_all_missing'
            when whole_evaluated = 0 then 'no_evaluated_rows'
            when groups_total > 1000 then 'too_many_groups'
            when first_gap = 11 then 'fewer_than_two_sufficient_groups'
        end as skip_reason,
        case
            when coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when whole_input_1_rows = 0 then 'every value of column predicted is missing'
            when whole_input_2_rows = 0 then 'every value of column approved is missing'
            when whole_attribute_1_rows = 0 then 'every value of column gender is missing'
            when whole_attribute_2_rows = 0 then 'every value of column race is missing'
            when whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as varchar) || ' rows has every metric input and every attribute'
            when groups_total > 1000 then 'the attributes form ' || cast(groups_total as varchar) || ' groups; at most 1000 are compared'
            when first_gap = 11 then cast(sufficient_count as varchar) || ' of ' || cast(group_count as varchar) || ' groups of gender, race have at least 30 rows and 0.02 of all evaluated rows; two are needed'
        end as skip_message,
        case
            when first_gap = 12 then 'metric_undefined'
            when first_gap = 13 then 'nothing_to_compare'
            when first_gap = 14 then 'ratio_undefined_set_max_difference'
            when first_gap = 22 then 'metric_undefined'
            when first_gap = 23 then 'nothing_to_compare'
            when first_gap = 24 then 'ratio_undefined_set_max_difference'
        end as part_reason,
        case
            when first_gap = 12 then 'f1 is undefined for every sufficient group'
            when first_gap = 13 then 'no sufficient group besides the reference has a value of f1'
            when first_gap = 14 then 'a worse group has no ratio since a value is not above 0: set max_difference to judge the gap instead'
            when first_gap = 22 then 'precision is undefined for every sufficient group'
            when first_gap = 23 then 'no sufficient group besides the reference has a value of precision'
            when first_gap = 24 then 'a worse group has no ratio since a value is not above 0: set max_difference to judge the gap instead'
        end as part_message,
        case
            when failing_group_count is null then null
            when (abs(failing_group_count - cast(0 as double)) <= 1e-12 * greatest(abs(failing_group_count), abs(cast(0 as double)), 1e-290) or abs(failing_group_count - cast(0 as double)) <= 1e-15) then 1
            when failing_group_count <= cast(0 as double) then 1
            else 0
        end as holds_1,
        case when is_failed = 1 and gap is null then 1 else 0 end as breaks_1
    from measurements
),

verdict as (
    select
        *,
        case
            when skip_reason is not null then 'skipped'
            when judged_count = 0 and part_reason is not null then 'skipped'
            when holds_1 = 0 then 'failed'
            when part_reason is not null then 'skipped'
            when holds_1 is null then 'skipped'
            else 'passed'
        end as status,
        case
            when skip_reason is not null then skip_reason
            when judged_count = 0 and part_reason is not null then part_reason
            when holds_1 = 0 then null
            when part_reason is not null then part_reason
            when holds_1 is null then 'measurement_undefined'
        end as reason,
        case
            when skip_reason is not null then skip_message
            when judged_count = 0 and part_reason is not null then part_message
            when holds_1 = 0 then null
            when part_reason is not null then part_message
            when holds_1 is null then 'failing_group_count is undefined, so its threshold cannot be judged'
        end as message,
        sum(breaks_1) over () as broken_by_1
    from judged
)

select
    'group_performance_parity' as test_name,
    status,
    reason,
    message,
    nullif(substr(case when holds_1 = 0 and case when is_test = 0 then breaks_1 = 1 else broken_by_1 = 0 end and (is_test = 0 or is_test = 1 and coalesce(part, 1) = 1) and status = 'failed' then '; failing_group_count <= 0' else '' end, 3), '') as broken_thresholds,
    'gender, race' as protected_attribute_columns,
    case when is_test = 0 then case when part = 1 then 'f1' when part = 2 then 'precision' end else 'f1, precision' end as parity_metric,
    case when is_test = 0 then key_1 end as key_1,
    case when is_test = 0 then key_2 end as key_2,
    cast(null as varchar) as key_3,
    cast(case when is_test = 0 then evaluated end as bigint) as group_rows,
    cast(case when is_test = 0 then missing_metric_inputs end as bigint) as missing_metric_inputs,
    cast(case when is_test = 0 then share end as double) as share,
    cast(case when is_test = 0 then value end as double) as value,
    cast(case when is_test = 0 then denominator end as double) as denominator,
    cast(case when is_test = 0 then case when (gap is null or gap > 2) then comparison_value end end as double) as comparison_value,
    cast(case when is_test = 0 then case when (gap is null or gap > 2) then ratio end end as double) as ratio,
    cast(case when is_test = 0 then case when (gap is null or gap > 2) then difference end end as double) as difference,
    cast(case when is_test = 0 then case when (gap is null or gap > 2) then p_value end end as double) as p_value,
    cast(case when is_test = 0 then case when (gap is null or gap > 2) then p_value_adjusted end end as double) as p_value_adjusted,
    cast(case when is_test = 0 then average end as double) as statistic_average,
    cast(case when is_test = 0 then classes end as double) as statistic_classes,
    case when is_test = 0 then is_sufficient = 1 end as sufficient,
    case when is_test = 0 then is_reference = 1 and (gap is null or gap > 2) end as is_reference,
    case when is_test = 0 then is_worse = 1 and (gap is null or gap > 2) end as worse,
    case when is_test = 0 then is_significant = 1 and (gap is null or gap > 2) end as significant,
    case when is_test = 0 then is_failed = 1 and (gap is null or gap > 2) end as failed,
    case when is_test = 0 then evaluated < 1 end as suppressed,
    cast(coalesce(whole_rows_total, 0) as bigint) as rows_total,
    cast(whole_missing_metric_inputs as bigint) as rows_missing_metric_inputs,
    cast(whole_missing_attribute as bigint) as rows_missing_attribute,
    cast(coalesce(whole_evaluated, 0) as bigint) as rows_evaluated,
    cast(groups_total as bigint) as groups_total,
    case when skip_reason is null then cast(failing_group_count as double) end as failing_group_count,
    case when skip_reason is null then cast(failing_group_percentage as double) end as failing_group_percentage,
    case when skip_reason is null then cast(min_metric_ratio as double) end as min_metric_ratio,
    case when skip_reason is null then cast(max_metric_difference as double) end as max_metric_difference,
    case when skip_reason is null then cast(worst_group_value as double) end as worst_group_value,
    case when skip_reason is null then cast(significant_disparity_count as double) end as significant_disparity_count,
    case when skip_reason is null then cast(insufficient_group_count as double) end as insufficient_group_count,
    case when skip_reason is null then cast(missing_attribute_rate as double) end as missing_attribute_rate,
    case when skip_reason is null then cast(min_group_share as double) end as min_group_share,
    case when skip_reason is null then cast(undefined_group_count as double) end as undefined_group_count,
    case when skip_reason is null then cast(f1_difference as double) end as f1_difference,
    case when skip_reason is null then cast(f1_ratio as double) end as f1_ratio,
    case when skip_reason is null then cast(precision_difference as double) end as precision_difference,
    case when skip_reason is null then cast(precision_ratio as double) end as precision_ratio
from verdict
where (status = 'skipped' and is_test = 1 and coalesce(part, 1) = 1)
    or (status = 'failed' and ((holds_1 = 0 and case when is_test = 0 then breaks_1 = 1 else broken_by_1 = 0 end and (is_test = 0 or is_test = 1 and coalesce(part, 1) = 1))))
