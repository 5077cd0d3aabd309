with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" as attribute_1,
        case
            when regexp_replace(case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('1') then 1
            when case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end is not null then 0
        end as input_1,
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
        count(*) as rows_total,
        count(input_1) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(case when quantity_1 = 1 then 1 end) as positives_1,
        min(cast(label_1 as varchar)) as label_minimum_1,
        max(cast(label_1 as varchar)) as label_maximum_1,
        count(case when input_1 is not null and regexp_replace(case when typeof(label_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(label_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(label_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(label_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(label_1 as varchar)) when typeof(label_1) like 'TIMESTAMP%' then replace(cast(label_1 as varchar), ' ', 'T') else cast(label_1 as varchar) end, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('0', '1') then 1 end) as pair_rows_1,
        count(case when input_1 is not null and (cast(label_1 as varchar) < '!' or cast(label_1 as varchar) > '~') and regexp_replace(cast(label_1 as varchar), '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') = '' then 1 end) as blank_1_1
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
        positives_1 as positives,
        label_minimum_1 as label_minimum,
        label_maximum_1 as label_maximum,
        pair_rows_1 as pair_rows,
        blank_1_1 as blank_1
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
        sum(rows_total - evaluated) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        sum(case when is_missing = 0 then evaluated else 0 end) as evaluated,
        sum(input_1_rows) as input_1_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then pair_rows else 0 end) as pair_rows,
        sum(case when is_missing = 0 then blank_1 else 0 end) as blank_1,
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
        cast(positives as bigint) as positives,
        label_minimum,
        label_maximum,
        cast(pair_rows as bigint) as pair_rows,
        cast(blank_1 as bigint) as blank_1,
        cast(attribute_1_rows as bigint) as attribute_1_rows
    from by_group
),

whole as (
    select
        statistics.*,
        coalesce(statistics.rows_total, 0) as total_rows,
        coalesce(statistics.evaluated, 0) as total_evaluated
    from (select 1 as one) as always
    left join statistics on always.one = statistics.is_whole
),

assessed as (
    select
        *,
        n / whole_evaluated as share,
        evaluated as denominator,
        case when evaluated >= 30 and n / whole_evaluated >= 0.02 then 1 else 0 end as is_sufficient,
        cast(positives as double) / nullif(cast(evaluated as double), 0) as value
    from (
        select
            *,
            max(case when is_whole = 1 then cast(evaluated as double) end) over () as whole_evaluated,
            cast(evaluated as double) as n
        from statistics
    ) as beside_whole
    where is_whole = 0
),

referenced as (
    select
        *,
        case when is_candidate = 1 and candidate_place = 1 then 1 else 0 end as is_reference
    from (
        select
            *,
            row_number() over (order by is_candidate desc, n desc, key_1 asc) as candidate_place
        from (
            select
                *,
                case when is_sufficient = 1 and value is not null and (abs(value - best_value) <= 1e-12 * abs(value) or abs(value - best_value) <= 1e-12 * abs(best_value) or abs(value - best_value) <= 1e-15) then 1 else 0 end as is_candidate
            from (
                select *, max(case when is_sufficient = 1 then value end) over () as best_value
                from assessed
            ) as beside_best
        ) as candidates
    ) as placed
),

compared as (
    select
        *,
        case when is_sufficient = 1 and value is not null and comparison_value is not null and is_reference = 0 then 1 else 0 end as is_compared,
        case
            when value is null or comparison_value is null then 0
            when (abs(value - comparison_value) <= 1e-12 * abs(value) or abs(value - comparison_value) <= 1e-12 * abs(comparison_value) or abs(value - comparison_value) <= 1e-15) then 0
            when value < comparison_value then 1
            else 0
        end as is_worse,
        case when comparison_value > 0 then value / comparison_value end as ratio,
        case
            when value is null or comparison_value is null then null
            when (abs(value - comparison_value) <= 1e-12 * abs(value) or abs(value - comparison_value) <= 1e-12 * abs(comparison_value) or abs(value - comparison_value) <= 1e-15) then 0e0
            when value < comparison_value then abs(value - comparison_value)
            else 0e0
        end as difference
    from (
        select
            *,
            max(case when is_reference = 1 then value end) over () as comparison_value
        from referenced
    ) as beside
),

second_samples as (
    select *
    from (
        select
            *,
            max(case when is_reference = 1 then evaluated end) over () as second_evaluated,
            max(case when is_reference = 1 then positives end) over () as second_positives
        from compared
    ) as beside_reference
    where is_compared = 1
),

samples as (
    select
        cut,
        group_number,
        positives as a,
        evaluated - positives as b,
        second_positives as c,
        second_evaluated - second_positives as d
    from second_samples
),

fisher_counts as (
    select
        cut,
        group_number,
        is_known,
        case when is_open = 1 then cast(a as double) + 5e-1 else 1.5e0 end as a,
        case when is_open = 1 then cast(b as double) + 5e-1 else 1.5e0 end as b,
        case when is_open = 1 then cast(c as double) + 5e-1 else 1.5e0 end as c,
        case when is_open = 1 then cast(d as double) + 5e-1 else 1.5e0 end as d
    from (
        select
            *,
            case when a + b + c + d is null then 0 else 1 end as is_known,
            case when a + b > 0 and c + d > 0 and a + c > 0 and b + d > 0 then 1 else 0 end as is_open
        from samples
    ) as opened
),

fisher_cells as (
    select
        cut,
        group_number,
        is_known,
        case when a * d >= b * c then a else b end as a,
        case when a * d >= b * c then b else a end as b,
        case when a * d >= b * c then c else d end as c,
        case when a * d >= b * c then d else c end as d
    from fisher_counts
),

fisher_margins as (
    select
        *,
        a + b as row_1,
        c + d as row_2,
        a + c as column_1,
        b + d as column_2,
        a + b + c + d as total,
        (a * d - b * c) / (a + b + c + d) as surplus
    from fisher_cells
),

fisher_expectations as (
    select
        *,
        row_1 * (column_1 / total) as expected_a,
        row_1 * (column_2 / total) as expected_b,
        row_2 * (column_1 / total) as expected_c,
        row_2 * (column_2 / total) as expected_d,
        ln(total - 1e0)
        + ln(total / row_1 / row_2 / column_1 / column_2 / 6.283185307179586e0) / 2e0
        + row_1 * (7.843570207466512e-2 / (row_1 * row_1 + 1.324023300539614e-2) + 4.768538382218574e-3 / (row_1 * row_1 + 3.2575902873245716e-1) + 1.2835263702382687e-4 / (row_1 * row_1 + 1.4231804579076142e0) + 7.402394258120789e-7 / (row_1 * row_1 + 4.332935611575313e0))
        + row_2 * (7.843570207466512e-2 / (row_2 * row_2 + 1.324023300539614e-2) + 4.768538382218574e-3 / (row_2 * row_2 + 3.2575902873245716e-1) + 1.2835263702382687e-4 / (row_2 * row_2 + 1.4231804579076142e0) + 7.402394258120789e-7 / (row_2 * row_2 + 4.332935611575313e0))
        + column_1 * (7.843570207466512e-2 / (column_1 * column_1 + 1.324023300539614e-2) + 4.768538382218574e-3 / (column_1 * column_1 + 3.2575902873245716e-1) + 1.2835263702382687e-4 / (column_1 * column_1 + 1.4231804579076142e0) + 7.402394258120789e-7 / (column_1 * column_1 + 4.332935611575313e0))
        + column_2 * (7.843570207466512e-2 / (column_2 * column_2 + 1.324023300539614e-2) + 4.768538382218574e-3 / (column_2 * column_2 + 3.2575902873245716e-1) + 1.2835263702382687e-4 / (column_2 * column_2 + 1.4231804579076142e0) + 7.402394258120789e-7 / (column_2 * column_2 + 4.332935611575313e0))
        - total * (7.843570207466512e-2 / (total * total + 1.324023300539614e-2) + 4.768538382218574e-3 / (total * total + 3.2575902873245716e-1) + 1.2835263702382687e-4 / (total * total + 1.4231804579076142e0) + 7.402394258120789e-7 / (total * total + 4.332935611575313e0)) as log_constant
    from fisher_margins
),

fisher_guesses as (
    select
        *,
        least(
            surplus + greatest(surplus * greatest(1e0 + skew * surplus, 1e-3) / greatest(1e0 - skew * surplus, 1e-3), 5e-2),
            least(a, d) - 1e-2
        ) as guess
    from (
        select
            *,
            a * ln(a / expected_a) + b * ln(b / expected_b) + c * ln(c / expected_c) + d * ln(d / expected_d) as deviance,
            (
                1e0 / (expected_b * expected_b) + 1e0 / (expected_c * expected_c)
                - 1e0 / (expected_a * expected_a) - 1e0 / (expected_d * expected_d)
            ) / (1e0 / expected_a + 1e0 / expected_b + 1e0 / expected_c + 1e0 / expected_d) / 6e0 as skew
        from fisher_expectations
    ) as skewed
),

fisher_mirrors as (
    select
        *,
        case
            when deviance < 1e-3 or guess < surplus + 4e-2 then guess
            else least(
                greatest(
                    guess - 2e0 * sqrt(guess_deviance) * (sqrt(guess_deviance) - sqrt(deviance))
                    / ln((b + guess) / (a - guess) * (c + guess) / (d - guess)),
                    surplus + 5e-2
                ),
                least(a, d) - 1e-2
            )
        end as mirror
    from (
        select
            *,
            greatest(
                (a - guess) * ln((a - guess) / expected_a) + (b + guess) * ln((b + guess) / expected_b)
                + (c + guess) * ln((c + guess) / expected_c) + (d - guess) * ln((d - guess) / expected_d),
                0e0
            ) as guess_deviance
        from fisher_guesses
    ) as guessed
),

fisher_tails as (
    select
        *,
        case when direction = 1 then least(b, c) - 5e-1 - first_shift else least(a, d) - 5e-1 + first_shift end as room
    from (
        select
            fisher_mirrors.*,
            direction,
            case
                when direction = 1 then greatest(floor(5e-1 - surplus), -40e0)
                else least(40e0 - floor(mirror), floor(5e-1 - surplus) - 1e0)
            end as first_shift
        from fisher_mirrors
        cross join (select 1 as direction union all select -1 as direction) as directions
    ) as started
),

fisher_scales as (
    select
        *,
        6e0 / (slope + sqrt(slope * slope + 6e0 * curvature)) as scale
    from (
        select
            *,
            abs(ln((a + joint) / (b - joint) * (d + joint) / (c - joint))) as slope,
            1e0 / (a + joint) + 1e0 / (b - joint) + 1e0 / (c - joint) + 1e0 / (d + joint) as curvature
        from (select *, first_shift + direction * least(room, 955e-1) as joint from fisher_tails) as joined
    ) as sloping
),

fisher_nodes as (
    select
        place,
        0e0 as node,
        case
            when place < 93e0 then 1e0
            when place = 93e0 then 9.996207423941799e-1
            when place = 94e0 then 1.0048476769179895e0
            when place = 95e0 then 9.456865906084656e-1
            when place = 96e0 then 5.431340939153439e-2
            when place = 97e0 then -4.847676917989418e-3
            else 3.792576058201058e-4
        end as weight
    from (
        select cast(81 * high.digit + 9 * middle.digit + low.digit as double) as place
        from (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as high
        cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as middle
        cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as low
    ) as places
    where place < 99e0
    union all
    select 955e-1 as place, node, weight
    from (
    select
        exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as node,
        9e-2 * 1.5707963267948966e0 * (exp(tau) + exp(- tau)) / 2e0 * exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as weight
    from (
        select cast(9 * high.digit + low.digit - 40 as double) * 9e-2 as tau
        from (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as high
        cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as low
    ) as steps
    ) as integral
),

fisher_points as (
    select
        cut,
        group_number,
        is_known,
        shift,
        weight,
        surplus + shift as difference,
        a + shift as a,
        b - shift as b,
        c - shift as c,
        d + shift as d,
        expected_a,
        expected_b,
        expected_c,
        expected_d,
        log_constant
    from (
        select
            fisher_scales.*,
            first_shift + direction * (place + scale * node) as shift,
            case when node = 0e0 then weight else weight * scale end as weight
        from fisher_scales
        cross join fisher_nodes
        where place + scale * node <= room
    ) as placed
),

fisher_ratios as (
    select
        *,
        difference / (a + expected_a) as ratio_a,
        - difference / (b + expected_b) as ratio_b,
        - difference / (c + expected_c) as ratio_c,
        difference / (d + expected_d) as ratio_d
    from fisher_points
),

fisher_densities as (
    select
        cut,
        group_number,
        is_known,
        log_constant,
        shift,
        weight,
        a * (3.472717368984143e-2 / (a * a + 1.5703998396029886e-2) + 6.545484522708009e-3 / (a * a + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (a * a + 9.844336058654476e-1) + 4.425325215000769e-6 / (a * a + 3.1758135348391696e0))
        - (case when abs(ratio_a) < 1e-1 then difference * ratio_a + 2e0 * a * ratio_a * ratio_a * ratio_a * (0.3333333333333333e0 + ratio_a * ratio_a * (0.2e0 + ratio_a * ratio_a * (0.14285714285714285e0 + ratio_a * ratio_a * (0.1111111111111111e0 + ratio_a * ratio_a * (0.09090909090909091e0 + ratio_a * ratio_a * (0.07692307692307693e0 + ratio_a * ratio_a * (0.06666666666666667e0 + ratio_a * ratio_a * 0.058823529411764705e0))))))) else a * ln(a / expected_a) - difference end) +
        b * (3.472717368984143e-2 / (b * b + 1.5703998396029886e-2) + 6.545484522708009e-3 / (b * b + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (b * b + 9.844336058654476e-1) + 4.425325215000769e-6 / (b * b + 3.1758135348391696e0))
        - (case when abs(ratio_b) < 1e-1 then (- difference) * ratio_b + 2e0 * b * ratio_b * ratio_b * ratio_b * (0.3333333333333333e0 + ratio_b * ratio_b * (0.2e0 + ratio_b * ratio_b * (0.14285714285714285e0 + ratio_b * ratio_b * (0.1111111111111111e0 + ratio_b * ratio_b * (0.09090909090909091e0 + ratio_b * ratio_b * (0.07692307692307693e0 + ratio_b * ratio_b * (0.06666666666666667e0 + ratio_b * ratio_b * 0.058823529411764705e0))))))) else b * ln(b / expected_b) - (- difference) end) +
        c * (3.472717368984143e-2 / (c * c + 1.5703998396029886e-2) + 6.545484522708009e-3 / (c * c + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (c * c + 9.844336058654476e-1) + 4.425325215000769e-6 / (c * c + 3.1758135348391696e0))
        - (case when abs(ratio_c) < 1e-1 then (- difference) * ratio_c + 2e0 * c * ratio_c * ratio_c * ratio_c * (0.3333333333333333e0 + ratio_c * ratio_c * (0.2e0 + ratio_c * ratio_c * (0.14285714285714285e0 + ratio_c * ratio_c * (0.1111111111111111e0 + ratio_c * ratio_c * (0.09090909090909091e0 + ratio_c * ratio_c * (0.07692307692307693e0 + ratio_c * ratio_c * (0.06666666666666667e0 + ratio_c * ratio_c * 0.058823529411764705e0))))))) else c * ln(c / expected_c) - (- difference) end) +
        d * (3.472717368984143e-2 / (d * d + 1.5703998396029886e-2) + 6.545484522708009e-3 / (d * d + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (d * d + 9.844336058654476e-1) + 4.425325215000769e-6 / (d * d + 3.1758135348391696e0))
        - (case when abs(ratio_d) < 1e-1 then difference * ratio_d + 2e0 * d * ratio_d * ratio_d * ratio_d * (0.3333333333333333e0 + ratio_d * ratio_d * (0.2e0 + ratio_d * ratio_d * (0.14285714285714285e0 + ratio_d * ratio_d * (0.1111111111111111e0 + ratio_d * ratio_d * (0.09090909090909091e0 + ratio_d * ratio_d * (0.07692307692307693e0 + ratio_d * ratio_d * (0.06666666666666667e0 + ratio_d * ratio_d * 0.058823529411764705e0))))))) else d * ln(d / expected_d) - difference end) as log_density
    from fisher_ratios
),

fisher_comparisons as (
    select
        *,
        case when log_density - log_observed <= 9.999999500000033e-8 then 1 else 0 end as is_as_extreme
    from (
        select
            *,
            max(case when shift = 0e0 then log_density end) over (partition by cut, group_number) as log_observed
        from fisher_densities
    ) as observed
),

fisher_sums as (
    select
        cut,
        group_number,
        is_known,
        min(is_as_extreme) as are_all_as_extreme,
        log_constant + log_observed + ln(sum(
            case when is_as_extreme = 1 and log_density > log_observed - 2e2 then weight * exp(log_density - log_observed) else 0e0 end
        )) as log_p_value
    from fisher_comparisons
    group by cut, group_number, is_known, log_constant, log_observed
),

fisher_p_values as (
    select
        cut,
        group_number,
        case
            when is_known = 0 then null
            when are_all_as_extreme = 1 then 1e0
            when log_p_value < -7e2 then 0e0
            else exp(log_p_value)
        end as p_value
    from fisher_sums
),

tested as (
    -- One row for each group: its p-value, and the number of pairs of sufficient groups.
    select
        *,
        family_count * (family_count - 1e0) / 2e0 as family_size
    from (
        select
            compared.*,
            fisher_p_values.p_value,
            cast(count(case when compared.is_sufficient = 1 and compared.value is not null then 1 end) over () as double) as family_count
        from compared
        left join fisher_p_values on compared.group_number = fisher_p_values.group_number
    ) as counted
),

adjustment_places as (
    select
        *,
        cast(count(p_value) over (partition by cut) as double) as tests,
        cast(row_number() over (partition by cut order by case when p_value is null then 1 else 0 end asc, p_value asc, group_number asc) as double) as place
    from tested
),

adjustment_steps as (
    select
        *,
        p_value as stepped
    from adjustment_places
),

adjusted_p_values as (
    select
        *,
        case when p_value is null then null when stepped > 1e0 then 1e0 else stepped end as p_value_adjusted
    from adjustment_steps
),

decided as (
    select
        *,
        case
            when is_compared = 1 and is_worse = 1 and ((ratio < cast(0.8 as double) and not (abs(ratio - cast(0.8 as double)) <= 1e-12 * abs(ratio) or abs(ratio - cast(0.8 as double)) <= 1e-12 * abs(cast(0.8 as double)) or abs(ratio - cast(0.8 as double)) <= 1e-15))) then 1
            else 0
        end as is_failed
    from (
        select
            *,
            case
                when is_compared = 1 and is_worse = 1 and p_value_adjusted < cast(0.05 as double) * (1e0 - 1e-9) then 1
                else 0
            end as is_significant
        from adjusted_p_values
    ) as weighed
),

measurements as (
    select
        cast(count(*) as double) as group_count,
        coalesce(sum(is_sufficient), 0) as sufficient_count,
        coalesce(sum(case when is_sufficient = 1 and value is not null then 1 else 0 end), 0) as valued_count,
        coalesce(sum(is_reference), 0) as reference_count,
        coalesce(sum(is_compared), 0) as compared_count,
        coalesce(sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end), 0) as unmeasured_count,
        cast(sum(is_failed) as bigint) as failing_group_count,
        cast(sum(is_failed) as double) / nullif(sum(is_sufficient), 0) as failing_group_percentage,
        case
            when sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end) > 0 then null
            else coalesce(min(case when is_compared = 1 then ratio end), 1e0)
        end as min_metric_ratio,
        max(case when is_compared = 1 then difference end) as max_metric_difference,
        min(case when is_sufficient = 1 then value end) as worst_group_value,
        cast(sum(is_significant) as bigint) as significant_disparity_count,
        cast(count(*) - sum(is_sufficient) as bigint) as insufficient_group_count,
        min(share) as min_group_share,
        cast(sum(case when is_sufficient = 1 and value is null then 1 else 0 end) as bigint) as undefined_group_count
    from decided
),

reasoned as (
    select
        *,
        case
            when total_rows = 0 then 'no_rows'
            when input_1_rows = 0 then 'column_all_missing'
            when attribute_1_rows = 0 then 'column_all_missing'
            when total_evaluated = 0 then 'no_evaluated_rows'
            when groups_total > 1000 then 'too_many_groups'
            when positives = 0 and pair_rows < total_evaluated then 'positive_class_absent'
            when sufficient_count < 2 then 'fewer_than_two_sufficient_groups'
            when valued_count = 0 then 'metric_undefined'
            when compared_count = 0 then 'nothing_to_compare'
            when unmeasured_count > 0 then 'ratio_undefined_set_max_difference'
        end as skip_reason,
        case
            when total_rows = 0 then 'the relation has no rows after where'
            when input_1_rows = 0 then 'every value of column approved is missing'
            when attribute_1_rows = 0 then 'every value of column gender is missing'
            when total_evaluated = 0 then 'none of ' || cast(total_rows as varchar) || ' rows has every metric input and every attribute'
            when groups_total > 1000 then 'the attributes form ' || cast(groups_total as varchar) || ' groups; at most 1000 are compared'
            when positives = 0 and pair_rows < total_evaluated then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(label_minimum, '') || ' to ' || coalesce(label_maximum, '')
            when sufficient_count < 2 then cast(sufficient_count as varchar) || ' of ' || cast(cast(group_count as bigint) as varchar) || ' groups of gender have at least 30 rows and 0.02 of all evaluated rows; two are needed'
            when valued_count = 0 then 'rate is undefined for every sufficient group'
            when compared_count = 0 then 'no sufficient group besides the reference has a value of rate'
            when unmeasured_count > 0 then 'a worse group has no ratio since a value is not above 0: set max_difference to judge the gap instead'
        end as skip_message
    from (
        select
            whole.*,
            measurements.*,
            cast(whole.missing_attribute as double) / nullif(whole.missing_attribute + whole.total_evaluated, 0) as missing_attribute_rate
        from whole
        cross join measurements
    ) as facts
),

limited as (
    select
        *,
        case
            when failing_group_count is null then null
            when (abs(failing_group_count - cast(0 as double)) <= 1e-12 * abs(failing_group_count) or abs(failing_group_count - cast(0 as double)) <= 1e-12 * abs(cast(0 as double)) or abs(failing_group_count - cast(0 as double)) <= 1e-15) then 1
            when failing_group_count <= cast(0 as double) then 1
            else 0
        end as holds_1
    from reasoned
),

breakers as (
    select
        *,
        case when is_failed = 1 then 1 else 0 end as breaks_1
    from decided
),

verdict as (
    select
        limited.*,
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
        broken.broken_by_1
    from limited
    cross join (
        select
            coalesce(sum(breaks_1), 0) as broken_by_1
        from breakers
    ) as broken
)

select
    'group_metric_parity' as test_name,
    verdict.status,
    verdict.reason,
    verdict.message,
    nullif(substr(case when verdict.holds_1 = 0 and case when sorts.is_whole = 0 then breakers.breaks_1 = 1 else verdict.broken_by_1 = 0 end and verdict.skip_reason is null then '; failing_group_count <= 0' else '' end, 3), '') as broken_thresholds,
    'gender' as protected_attribute_columns,
    'rate' as parity_metric,
    breakers.key_1 as key_1,
    cast(null as varchar) as key_2,
    cast(null as varchar) as key_3,
    cast(breakers.evaluated as bigint) as group_rows,
    cast(breakers.missing_metric_inputs as bigint) as missing_metric_inputs,
    cast(breakers.share as double) as share,
    cast(breakers.value as double) as value,
    cast(breakers.denominator as double) as denominator,
    cast(breakers.comparison_value as double) as comparison_value,
    cast(breakers.ratio as double) as ratio,
    cast(breakers.difference as double) as difference,
    cast(breakers.p_value as double) as p_value,
    cast(breakers.p_value_adjusted as double) as p_value_adjusted,
    cast(breakers.positives as double) as statistic_positives,
    breakers.is_sufficient = 1 as sufficient,
    breakers.is_reference = 1 as is_reference,
    breakers.is_worse = 1 as worse,
    breakers.is_significant = 1 as significant,
    breakers.is_failed = 1 as failed,
    breakers.evaluated < 1 as suppressed,
    cast(verdict.total_rows as bigint) as rows_total,
    cast(verdict.missing_metric_inputs as bigint) as rows_missing_metric_inputs,
    cast(verdict.missing_attribute as bigint) as rows_missing_attribute,
    cast(verdict.total_evaluated as bigint) as rows_evaluated,
    cast(verdict.groups_total as bigint) as groups_total,
    case when verdict.skip_reason is null then cast(verdict.failing_group_count as double) end as failing_group_count,
    case when verdict.skip_reason is null then cast(verdict.failing_group_percentage as double) end as failing_group_percentage,
    case when verdict.skip_reason is null then cast(verdict.min_metric_ratio as double) end as min_metric_ratio,
    case when verdict.skip_reason is null then cast(verdict.max_metric_difference as double) end as max_metric_difference,
    case when verdict.skip_reason is null then cast(verdict.worst_group_value as double) end as worst_group_value,
    case when verdict.skip_reason is null then cast(verdict.significant_disparity_count as double) end as significant_disparity_count,
    case when verdict.skip_reason is null then cast(verdict.insufficient_group_count as double) end as insufficient_group_count,
    case when verdict.skip_reason is null then cast(verdict.missing_attribute_rate as double) end as missing_attribute_rate,
    case when verdict.skip_reason is null then cast(verdict.min_group_share as double) end as min_group_share,
    case when verdict.skip_reason is null then cast(verdict.undefined_group_count as double) end as undefined_group_count
from verdict
cross join (select 0 as is_whole union all select 1 as is_whole) as sorts
left join breakers on sorts.is_whole = breakers.is_whole
where (verdict.status = 'skipped' and sorts.is_whole = 1)
    or (verdict.status = 'failed' and ((verdict.holds_1 = 0 and case when sorts.is_whole = 0 then breakers.breaks_1 = 1 else verdict.broken_by_1 = 0 end)))
