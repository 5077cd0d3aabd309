with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "race" as attribute_1,
        nullif(cast("amount" * 1 as double), cast('nan' as double)) as input_1,
        nullif(cast("waiting_days" * 1 as double), cast('nan' as double)) as input_2
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when input_2 between 1e-50 and 1e50 then case when abs(input_1) <= 1e150 then input_1 end end as quantity_1,
        case when input_1 is not null and input_2 between 1e-50 and 1e50 then input_2 end as weight_1
    from source
),

centred as (
    -- The same rows, with the weighted mean over the rows of the same attribute values as they are written.
    select
        *,
        sum(weight_1 * quantity_1) over (partition by attribute_1)
            / nullif(sum(weight_1) over (partition by attribute_1), 0) as quantity_centre_1,
        rank() over (partition by attribute_1 order by attribute_1 asc) as anchor
    from measured
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        count(*) as rows_total,
        coalesce(count_if(input_1 is not null and weight_1 is not null), 0) as evaluated_1,
        count(input_1) as input_1_rows_1,
        coalesce(count_if(input_1 is not null and weight_1 is not null), 0) - count(quantity_1) as infinite_rows_1,
        max(quantity_centre_1) + sum(weight_1 * (quantity_1 - quantity_centre_1)) / nullif(sum(weight_1), 0) as mean_1,
        greatest(sum(weight_1 * (quantity_1 - quantity_centre_1) * (quantity_1 - quantity_centre_1)) - sum(weight_1 * (quantity_1 - quantity_centre_1)) * (sum(weight_1 * (quantity_1 - quantity_centre_1)) / nullif(sum(weight_1), 0)), 0e0) as m2_1,
        min(quantity_1) as minimum_1,
        max(quantity_1) as maximum_1,
        coalesce(count_if(input_1 is not null and input_2 = 0), 0) as zero_weight_rows_1,
        coalesce(count_if(input_1 is not null and (input_2 is null or (input_2 <> 0 and not input_2 between 1e-50 and 1e50))), 0) as bad_weight_rows_1,
        sum(weight_1) as weight_sum_1,
        sum(weight_1 * weight_1) as squared_weight_sum_1
    from centred
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
            regexp_replace(case when typeof(attribute_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(attribute_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(attribute_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(attribute_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(attribute_1 as varchar)) when typeof(attribute_1) like 'TIMESTAMP%' then replace(cast(attribute_1 as varchar), ' ', 'T') else cast(attribute_1 as varchar) end, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_1
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
        infinite_rows_1 as infinite_rows,
        mean_1 as mean,
        m2_1 as m2,
        minimum_1 as minimum,
        maximum_1 as maximum,
        zero_weight_rows_1 as zero_weight_rows,
        bad_weight_rows_1 as bad_weight_rows,
        weight_sum_1 as weight_sum,
        squared_weight_sum_1 as squared_weight_sum,
        weight_sum_1 as mass
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
        sum(mass * mean) over (partition by cut, is_missing, key_1) / nullif(sum(mass) over (partition by cut, is_missing, key_1), 0) as mean_base,
        mean - sum(mass * mean) over (partition by cut, is_missing, key_1) / nullif(sum(mass) over (partition by cut, is_missing, key_1), 0) as mean_offset
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
        sum(infinite_rows) as infinite_rows,
        min(case when is_missing = 0 then minimum end) as minimum,
        max(case when is_missing = 0 then maximum end) as maximum,
        sum(zero_weight_rows) as zero_weight_rows,
        sum(bad_weight_rows) as bad_weight_rows,
        sum(case when is_missing = 0 then weight_sum else 0 end) as weight_sum,
        sum(case when is_missing = 0 then squared_weight_sum else 0 end) as squared_weight_sum,
        min(mean_base) + sum(mass * mean_offset) / nullif(cast(sum(mass) as double), 0) as mean,
        greatest(sum(m2) + sum(mass * mean_offset * mean_offset)
            - sum(mass * mean_offset) * sum(mass * mean_offset) / nullif(cast(sum(mass) as double), 0), 0e0) as m2,
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
        cast(infinite_rows as bigint) as infinite_rows,
        case when is_whole = 0 then cast(mean as double) end as mean,
        case when is_whole = 0 then cast(m2 as double) end as m2,
        case when is_whole = 0 then cast(minimum as double) end as minimum,
        case when is_whole = 0 then cast(maximum as double) end as maximum,
        cast(zero_weight_rows as bigint) as zero_weight_rows,
        cast(bad_weight_rows as bigint) as bad_weight_rows,
        cast(weight_sum as double) as weight_sum,
        cast(squared_weight_sum as double) as squared_weight_sum,
        cast(attribute_1_rows as bigint) as attribute_1_rows
    from by_group
),

assessed as (
    select
        sorts.is_test,
        statistics.*,
        cast(evaluated as double) as n,
        max(case when is_test = 1 then cast(evaluated as double) end) over () as whole_evaluated,
        max(case when is_test = 1 then infinite_rows end) over () as whole_infinite_rows,
        max(case when is_test = 1 then bad_weight_rows end) over () as whole_bad_weight_rows,
        min(mean) over (partition by is_test) as mean_base,
        case when is_test = 0 then cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) end as share,
        evaluated as denominator,
        case when is_test = 0 and evaluated >= 30 and cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) >= 0.02 then 1 else 0 end as is_sufficient,
        case when is_test = 0 and coalesce(max(case when is_test = 1 then infinite_rows end) over (), 0) = 0 and coalesce(max(case when is_test = 1 then bad_weight_rows end) over (), 0) = 0 then case when minimum = maximum then minimum else mean end end as value
    from (
        select row_number() over (order by half asc) - 1 as is_test
        from (select 0 as half union all select 1 as half) as halves
    ) as sorts
    left join statistics on sorts.is_test = statistics.is_whole
    where sorts.is_test = 1 or statistics.is_whole is not null
),

paired as (
    select
        *,
        case when min(minimum) over (partition by is_test) = max(maximum) over (partition by is_test) then min(minimum) over (partition by is_test) else mean_base + sum(weight_sum * (mean - mean_base)) over (partition by is_test) / nullif(sum(weight_sum) over (partition by is_test), 0) end as comparison_value,
        0 as is_reference
    from assessed
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

sums_of_others as (
    select
        *,
        sum(weight_sum) over (partition by is_test order by mean_place asc rows between unbounded preceding and 1 preceding) as weight_before,
        sum(squared_weight_sum) over (partition by is_test order by mean_place asc rows between unbounded preceding and 1 preceding) as squared_weight_before,
        sum(weight_sum * (mean - mean_base)) over (partition by is_test order by mean_place asc rows between unbounded preceding and 1 preceding) / nullif(sum(weight_sum) over (partition by is_test order by mean_place asc rows between unbounded preceding and 1 preceding), 0) as offset_before,
        min(minimum) over (partition by is_test order by mean_place asc rows between unbounded preceding and 1 preceding) as minimum_before,
        max(maximum) over (partition by is_test order by mean_place asc rows between unbounded preceding and 1 preceding) as maximum_before,
        sum(weight_sum) over (partition by is_test order by mean_place desc rows between unbounded preceding and 1 preceding) as weight_after,
        sum(squared_weight_sum) over (partition by is_test order by mean_place desc rows between unbounded preceding and 1 preceding) as squared_weight_after,
        sum(weight_sum * (mean - mean_base)) over (partition by is_test order by mean_place desc rows between unbounded preceding and 1 preceding) / nullif(sum(weight_sum) over (partition by is_test order by mean_place desc rows between unbounded preceding and 1 preceding), 0) as offset_after,
        min(minimum) over (partition by is_test order by mean_place desc rows between unbounded preceding and 1 preceding) as minimum_after,
        max(maximum) over (partition by is_test order by mean_place desc rows between unbounded preceding and 1 preceding) as maximum_after
    from (
        select *, row_number() over (partition by is_test order by mean asc, group_number asc) as mean_place
        from compared
    ) as placed
),

steps_of_others as (
    select
        *,
        m2 + coalesce(weight_sum * (weight_before / (weight_before + weight_sum)) * (mean - mean_base - offset_before) * (mean - mean_base - offset_before), 0e0) as step_before,
        m2 + coalesce(weight_sum * (weight_after / (weight_after + weight_sum)) * (mean - mean_base - offset_after) * (mean - mean_base - offset_after), 0e0) as step_after
    from sums_of_others
),

others as (
    select
        *,
        coalesce(weight_before, 0e0) + coalesce(weight_after, 0e0) as second_weight_sum,
        coalesce(squared_weight_before, 0e0) + coalesce(squared_weight_after, 0e0) as second_squared_weight_sum,
        case
            when weight_before is null then offset_after
            when weight_after is null then offset_before
            else offset_before * (weight_before / (weight_before + weight_after)) + offset_after * (weight_after / (weight_before + weight_after))
        end + mean_base as second_mean,
        coalesce(m2_before, 0e0) + coalesce(m2_after, 0e0)
        + coalesce(weight_before * (weight_after / (weight_before + weight_after)) * (offset_after - offset_before) * (offset_after - offset_before), 0e0) as second_m2,
        least(coalesce(minimum_before, minimum_after), coalesce(minimum_after, minimum_before)) as second_minimum,
        greatest(coalesce(maximum_before, maximum_after), coalesce(maximum_after, maximum_before)) as second_maximum
    from (
        select
            *,
            sum(step_before) over (partition by is_test order by mean_place asc rows between unbounded preceding and 1 preceding) as m2_before,
            sum(step_after) over (partition by is_test order by mean_place desc rows between unbounded preceding and 1 preceding) as m2_after
        from steps_of_others
    ) as both_sides
),

samples as (
    select
        *,
        case when is_compared = 1 then size_1 end as n_1,
        case when minimum = maximum then minimum else mean end as mean_1,
        case when minimum = maximum or m2 < 0 then 0e0 else m2 / weight_sum * (size_1 / nullif(size_1 - 1e0, 0)) end as variance_1,
        case when is_compared = 1 then size_2 end as n_2,
        case when second_minimum = second_maximum then second_minimum else second_mean end as mean_2,
        case when second_minimum = second_maximum or second_m2 < 0 then 0e0 else second_m2 / second_weight_sum * (size_2 / nullif(size_2 - 1e0, 0)) end as variance_2
    from (
        select
            *,
            case when abs(weight_sum * (weight_sum / nullif(squared_weight_sum, 0)) - 2e0) <= 2e-9 then 2e0 when weight_sum * (weight_sum / nullif(squared_weight_sum, 0)) < 1e0 then 1e0 else weight_sum * (weight_sum / nullif(squared_weight_sum, 0)) end as size_1,
            case when abs(second_weight_sum * (second_weight_sum / nullif(second_squared_weight_sum, 0)) - 2e0) <= 2e-9 then 2e0 when second_weight_sum * (second_weight_sum / nullif(second_squared_weight_sum, 0)) < 1e0 then 1e0 else second_weight_sum * (second_weight_sum / nullif(second_squared_weight_sum, 0)) end as size_2
        from others
    ) as sized
),

welch_errors as (
    select
        *,
        mean_1 - mean_2 as mean_difference,
        case when n_1 >= 2 and n_2 >= 2 then variance_1 / cast(n_1 as double) end as squared_error_1,
        case when n_1 >= 2 and n_2 >= 2 then variance_2 / cast(n_2 as double) end as squared_error_2
    from samples
),

welch_shares as (
    select
        *,
        case when squared_error > 0e0 then greatest(squared_error_1 / squared_error, 1e-100) end as error_share_1,
        case when squared_error > 0e0 then greatest(squared_error_2 / squared_error, 1e-100) end as error_share_2
    from (
        select *, case when squared_error_1 + squared_error_2 <= 1.7976931348623157e308 then squared_error_1 + squared_error_2 end as squared_error
        from welch_errors
    ) as errors
),

welch_tests as (
    select
        *,
        case
            when squared_error > 0e0 then mean_difference / sqrt(squared_error)
            when squared_error = 0e0 and mean_difference = 0e0 then 0e0
            when squared_error = 0e0 then 1e50
        end as t,
        case
            when squared_error > 0e0
                then 1e0 / (error_share_1 * error_share_1 / (n_1 - 1e0) + error_share_2 * error_share_2 / (n_2 - 1e0))
            when squared_error = 0e0 then 1e9
        end as degrees_of_freedom
    from welch_shares
),

student_nodes as (
    select
        exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as node,
        9e-2 * 1.5707963267948966e0 * (exp(tau) + exp(- tau)) / 2e0 * exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as weight
    from (
        select cast(9 * high.digit + low.digit - 40 as double) * 9e-2 as tau
        from (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as high
        cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as low
    ) as steps
),

student_angles as (
    select
        *,
        tangent * tangent as tangent_square,
        tangent / sqrt(1e0 + tangent * tangent) as sine,
        6e0 / (nu + 1e0) as curvature
    from (
        select
            *,
            coalesce(degrees_of_freedom, 1e0) as nu,
            greatest(least(abs(coalesce(t, 1e0)), 1e150), 1e-50) / sqrt(coalesce(degrees_of_freedom, 1e0)) as tangent
        from welch_tests
    ) as tangents
),

student_densities as (
    select
        *,
        curvature / (sine + sqrt(sine * sine + curvature)) as scale,
        ln(1.1283791670955126e0 * nu * (nu + 2e0) / ((nu + 1e0) * (nu + 3e0)) * sqrt(lifted))
        - lifted * (1.1558296333771796e-1 / (lifted * lifted + 1.5921111193621135e-2) + 9.136282257985255e-3 / (lifted * lifted + 3.256500341022297e-1) + 2.78843315680564e-4 / (lifted * lifted + 1.3806103602441557e0) + 1.911088616221685e-6 / (lifted * lifted + 4.143984630570968e0))
        - nu / 2e0 * (case when tangent_square < 1e-1 then 2e0 * (tangent_square / (2e0 + tangent_square)) * (1.0e0 + (tangent_square / (2e0 + tangent_square)) * (tangent_square / (2e0 + tangent_square)) * (0.3333333333333333e0 + (tangent_square / (2e0 + tangent_square)) * (tangent_square / (2e0 + tangent_square)) * (0.2e0 + (tangent_square / (2e0 + tangent_square)) * (tangent_square / (2e0 + tangent_square)) * (0.14285714285714285e0 + (tangent_square / (2e0 + tangent_square)) * (tangent_square / (2e0 + tangent_square)) * (0.1111111111111111e0 + (tangent_square / (2e0 + tangent_square)) * (tangent_square / (2e0 + tangent_square)) * (0.09090909090909091e0 + (tangent_square / (2e0 + tangent_square)) * (tangent_square / (2e0 + tangent_square)) * 0.07692307692307693e0)))))) else ln(1e0 + tangent_square) end) as log_factor
    from (select *, nu / 2e0 + 2e0 as lifted from student_angles) as lifted_angles
),

student_points as (
    select
        student_densities.*,
        student_nodes.node,
        student_nodes.weight,
        scale * node * (2e0 * sine + scale * node) as growth
    from student_densities
    cross join student_nodes
),

student_heights as (
    select
        *,
        - (nu + 1e0) / 2e0 * (case when growth < 1e-1 then 2e0 * (growth / (2e0 + growth)) * (1.0e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.3333333333333333e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.2e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.14285714285714285e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.1111111111111111e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.09090909090909091e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * 0.07692307692307693e0)))))) else ln(1e0 + growth) end) as log_height
    from student_points
),

student_tails as (
    select
        *,
        sum(case when log_height > -2e2 then weight * exp(log_height) else 0e0 end) over (partition by cut, group_number) as relative_tail
    from student_heights
),

student_p_values as (
    select
        *,
        case
            when t is null or degrees_of_freedom is null then null
            when t = 0e0 then 1e0
            when log_factor + ln(scale * relative_tail) < -7e2 then 0e0
            else exp(log_factor + ln(scale * relative_tail))
        end as p_value
    from student_tails
    where node = 1e0
),

adjusted_p_values as (
    select *, p_value as p_value_adjusted
    from student_p_values
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

measurements as (
    select
        *,
        max(case when is_test = 1 then rows_total end) over () as whole_rows_total,
        max(case when is_test = 1 then missing_metric_inputs end) over () as whole_missing_metric_inputs,
        max(case when is_test = 1 then missing_attribute end) over () as whole_missing_attribute,
        max(case when is_test = 1 then input_1_rows end) over () as whole_input_1_rows,
        max(case when is_test = 1 then attribute_1_rows end) over () as whole_attribute_1_rows,
        cast(max(case when is_test = 1 then missing_attribute end) over () as double)
        / nullif(max(case when is_test = 1 then missing_attribute end) over () + max(case when is_test = 1 then evaluated end) over (), 0) as missing_attribute_rate,
        sum(1 - is_test) over () as group_count,
        sum(is_sufficient) over () as sufficient_count,
        sum(case when is_sufficient = 1 and value is not null then 1 else 0 end) over () as valued_count,
        sum(is_reference) over () as reference_count,
        sum(is_compared) over () as compared_count,
        sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end) over () as unmeasured_count,
        cast(sum(is_failed) over () as bigint) as failing_group_count,
        cast(sum(is_failed) over () as double) / nullif(sum(is_sufficient) over (), 0) as failing_group_percentage,
        case
            when sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end) over () > 0 then null
            else coalesce(min(case when is_compared = 1 then ratio end) over (), 1e0)
        end as min_metric_ratio,
        max(case when is_compared = 1 then difference end) over () as max_metric_difference,
        min(case when is_sufficient = 1 then value end) over () as worst_group_value,
        cast(sum(is_significant) over () as bigint) as significant_disparity_count,
        cast(sum(1 - is_test - is_sufficient) over () as bigint) as insufficient_group_count,
        min(share) over () as min_group_share,
        cast(sum(case when is_sufficient = 1 and value is null then 1 else 0 end) over () as bigint) as undefined_group_count
    from decided
),

judged as (
    select
        *,
        case
            when coalesce(whole_rows_total, 0) = 0 then 'no_rows'
            when whole_input_1_rows = 0 then 'column_all_missing'
            when whole_attribute_1_rows = 0 then 'column_all_missing'
            when whole_infinite_rows > 0 then 'infinite_values'
            when whole_bad_weight_rows > 0 then 'bad_weights'
            when whole_evaluated = 0 then 'no_evaluated_rows'
            when groups_total > 1000 then 'too_many_groups'
            when sufficient_count < 2 then 'fewer_than_two_sufficient_groups'
            when valued_count = 0 then 'metric_undefined'
            when compared_count = 0 then 'nothing_to_compare'
            when unmeasured_count > 0 then 'ratio_undefined_set_max_difference'
        end as skip_reason,
        case
            when coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when whole_input_1_rows = 0 then 'every value of column amount is missing'
            when whole_attribute_1_rows = 0 then 'every value of column race is missing'
            when whole_infinite_rows > 0 then cast(whole_infinite_rows as varchar) || ' rows hold an infinite value, or one whose square no number can hold, in amount'
            when whole_bad_weight_rows > 0 then cast(whole_bad_weight_rows as varchar) || ' rows hold no usable weight in column waiting_days: a weight is 0, or a number from 1e-50 to 1e+50'
            when whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as varchar) || ' rows has every metric input and every attribute'
            when groups_total > 1000 then 'the attributes form ' || cast(groups_total as varchar) || ' groups; at most 1000 are compared'
            when sufficient_count < 2 then cast(sufficient_count as varchar) || ' of ' || cast(group_count as varchar) || ' groups of race have at least 30 rows and 0.02 of all evaluated rows; two are needed'
            when valued_count = 0 then 'mean is undefined for every sufficient group'
            when compared_count = 0 then 'no sufficient group besides the reference has a value of mean'
            when unmeasured_count > 0 then 'a worse group has no ratio since a value is not above 0: set max_difference to judge the gap instead'
        end as skip_message,
        case
            when failing_group_count is null then null
            when (abs(failing_group_count - cast(0 as double)) <= 1e-12 * greatest(abs(failing_group_count), abs(cast(0 as double)), 1e-290) or abs(failing_group_count - cast(0 as double)) <= 1e-15) then 1
            when failing_group_count <= cast(0 as double) then 1
            else 0
        end as holds_1,
        case when is_failed = 1 then 1 else 0 end as breaks_1
    from measurements
),

verdict as (
    select
        *,
        case
            when skip_reason is not null then 'skipped'
            when holds_1 = 0 then 'failed'
            when holds_1 is null then 'skipped'
            else 'passed'
        end as status,
        case
            when skip_reason is not null then skip_reason
            when holds_1 = 0 then null
            when holds_1 is null then 'measurement_undefined'
        end as reason,
        case
            when skip_reason is not null then skip_message
            when holds_1 = 0 then null
            when holds_1 is null then 'failing_group_count is undefined, so its threshold cannot be judged'
        end as message,
        sum(breaks_1) over () as broken_by_1
    from judged
)

select
    'group_metric_parity' as test_name,
    status,
    reason,
    message,
    nullif(substr(case when holds_1 = 0 and case when is_test = 0 then breaks_1 = 1 else broken_by_1 = 0 end and skip_reason is null then '; failing_group_count <= 0' else '' end, 3), '') as broken_thresholds,
    'race' as protected_attribute_columns,
    'mean' as parity_metric,
    case when is_test = 0 then key_1 end as key_1,
    cast(null as varchar) as key_2,
    cast(null as varchar) as key_3,
    cast(case when is_test = 0 then evaluated end as bigint) as group_rows,
    cast(case when is_test = 0 then missing_metric_inputs end as bigint) as missing_metric_inputs,
    cast(case when is_test = 0 then share end as double) as share,
    cast(case when is_test = 0 then value end as double) as value,
    cast(case when is_test = 0 then denominator end as double) as denominator,
    cast(case when is_test = 0 then comparison_value end as double) as comparison_value,
    cast(case when is_test = 0 then ratio end as double) as ratio,
    cast(case when is_test = 0 then difference end as double) as difference,
    cast(case when is_test = 0 then p_value end as double) as p_value,
    cast(case when is_test = 0 then p_value_adjusted end as double) as p_value_adjusted,
    cast(case when is_test = 0 then mean end as double) as statistic_mean,
    cast(case when is_test = 0 then m2 end as double) as statistic_m2,
    cast(case when is_test = 0 then minimum end as double) as statistic_minimum,
    cast(case when is_test = 0 then maximum end as double) as statistic_maximum,
    cast(case when is_test = 0 then weight_sum end as double) as statistic_weight_sum,
    cast(case when is_test = 0 then squared_weight_sum end as double) as statistic_squared_weight_sum,
    case when is_test = 0 then is_sufficient = 1 end as sufficient,
    case when is_test = 0 then is_reference = 1 end as is_reference,
    case when is_test = 0 then is_worse = 1 end as worse,
    case when is_test = 0 then is_significant = 1 end as significant,
    case when is_test = 0 then is_failed = 1 end as failed,
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
    case when skip_reason is null then cast(undefined_group_count as double) end as undefined_group_count
from verdict
where (status = 'skipped' and is_test = 1)
    or (status = 'failed' and ((holds_1 = 0 and case when is_test = 0 then breaks_1 = 1 else broken_by_1 = 0 end)))
