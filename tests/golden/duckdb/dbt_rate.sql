with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" as attribute_1,
        case
            when case when typeof("approved") in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT') then try_cast("approved" as bigint) in (1) else (case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end in ('1') or (case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end like '%.%' and regexp_replace(case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('1'))) end then 1
            when case when typeof("approved") in ('DOUBLE', 'FLOAT') then nullif(try_cast("approved" as double), cast('nan' as double)) is not null else "approved" is not null end then 0
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
        coalesce(count_if(quantity_1 = 1), 0) as positives_1,
        case when typeof(min(label_1)) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(min(label_1) as varchar) as double), cast('nan' as double)) as varchar) when typeof(min(label_1)) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(min(label_1) as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(min(label_1) as varchar)) when typeof(min(label_1)) like 'TIMESTAMP%' then replace(cast(min(label_1) as varchar), ' ', 'T') else cast(min(label_1) as varchar) end as label_minimum_1,
        case when typeof(max(label_1)) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(max(label_1) as varchar) as double), cast('nan' as double)) as varchar) when typeof(max(label_1)) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(max(label_1) as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(max(label_1) as varchar)) when typeof(max(label_1)) like 'TIMESTAMP%' then replace(cast(max(label_1) as varchar), ' ', 'T') else cast(max(label_1) as varchar) end as label_maximum_1,
        coalesce(count_if(input_1 is not null and case when typeof(label_1) in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT') then try_cast(label_1 as bigint) in (0, 1) else (case when typeof(label_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(label_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(label_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(label_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(label_1 as varchar)) when typeof(label_1) like 'TIMESTAMP%' then replace(cast(label_1 as varchar), ' ', 'T') else cast(label_1 as varchar) end in ('0', '1') or (case when typeof(label_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(label_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(label_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(label_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(label_1 as varchar)) when typeof(label_1) like 'TIMESTAMP%' then replace(cast(label_1 as varchar), ' ', 'T') else cast(label_1 as varchar) end like '%.%' and regexp_replace(case when typeof(label_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(label_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(label_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(label_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(label_1 as varchar)) when typeof(label_1) like 'TIMESTAMP%' then replace(cast(label_1 as varchar), ' ', 'T') else cast(label_1 as varchar) end, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('0', '1'))) end), 0) as pair_rows_1,
        coalesce(count_if(input_1 is not null and typeof(label_1) not in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'BOOLEAN', 'DOUBLE', 'FLOAT') and (cast(label_1 as varchar) < '!' or cast(label_1 as varchar) > '~') and regexp_replace(cast(label_1 as varchar), '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') = ''), 0) as blank_1_1
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

assessed as (
    select
        sorts.is_test,
        statistics.*,
        cast(evaluated as double) as n,
        max(case when is_test = 1 then cast(evaluated as double) end) over () as whole_evaluated,
        case when is_test = 0 then cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) end as share,
        evaluated as denominator,
        case when is_test = 0 and evaluated >= 30 and cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) >= 0.02 then 1 else 0 end as is_sufficient,
        case when is_test = 0 then cast(positives as double) / nullif(cast(evaluated as double), 0) end as value
    from (
        select row_number() over (order by half asc) - 1 as is_test
        from (select 0 as half union all select 1 as half) as halves
    ) as sorts
    left join statistics on sorts.is_test = statistics.is_whole
    where sorts.is_test = 1 or statistics.is_whole is not null
),

referenced as (
    select
        *,
        case when is_candidate = 1 and row_number() over (order by is_candidate desc, n desc, key_1 asc) = 1 then 1 else 0 end as is_reference
    from (
        select
            *,
            case when is_sufficient = 1 and value is not null and (abs(value - best_value) <= 1e-12 * greatest(abs(value), abs(best_value), 1e-290) or abs(value - best_value) <= 1e-15) then 1 else 0 end as is_candidate
        from (
            select *, max(case when is_sufficient = 1 then value end) over () as best_value
            from assessed
        ) as beside_best
    ) as candidates
),

paired as (
    select
        *,
        max(case when is_reference = 1 then evaluated end) over () as second_evaluated,
        max(case when is_reference = 1 then positives end) over () as second_positives,
        max(case when is_reference = 1 then value end) over () as comparison_value
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

samples as (
    select
        *,
        case when is_compared = 1 then positives end as a,
        case when is_compared = 1 then evaluated - positives end as b,
        case when is_compared = 1 then second_positives end as c,
        case when is_compared = 1 then second_evaluated - second_positives end as d
    from compared
),

fisher_counts as (
    select
        *,
        case when a + b + c + d is null then 0 else 1 end as is_known,
        case when a + b > 0 and c + d > 0 and a + c > 0 and b + d > 0 then cast(a as double) + 5e-1 else 1.5e0 end as half_a,
        case when a + b > 0 and c + d > 0 and a + c > 0 and b + d > 0 then cast(b as double) + 5e-1 else 1.5e0 end as half_b,
        case when a + b > 0 and c + d > 0 and a + c > 0 and b + d > 0 then cast(c as double) + 5e-1 else 1.5e0 end as half_c,
        case when a + b > 0 and c + d > 0 and a + c > 0 and b + d > 0 then cast(d as double) + 5e-1 else 1.5e0 end as half_d
    from samples
),

fisher_cells as (
    select
        *,
        case when half_a * half_d < half_b * half_c then half_b else half_a end as cell_a,
        case when half_a * half_d < half_b * half_c then half_a else half_b end as cell_b,
        case when half_a * half_d < half_b * half_c then half_d else half_c end as cell_c,
        case when half_a * half_d < half_b * half_c then half_c else half_d end as cell_d,
        half_a + half_b as row_1,
        half_c + half_d as row_2,
        case when half_a * half_d < half_b * half_c then half_b + half_d else half_a + half_c end as column_1,
        case when half_a * half_d < half_b * half_c then half_a + half_c else half_b + half_d end as column_2,
        half_a + half_b + half_c + half_d as total,
        abs(half_a * half_d - half_b * half_c) / (half_a + half_b + half_c + half_d) as surplus
    from fisher_counts
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
    from fisher_cells
),

fisher_guesses as (
    select
        *,
        least(
            surplus + greatest(surplus * greatest(1e0 + skew * surplus, 1e-3) / greatest(1e0 - skew * surplus, 1e-3), 5e-2),
            least(cell_a, cell_d) - 1e-2
        ) as guess
    from (
        select
            *,
            cell_a * ln(cell_a / expected_a) + cell_b * ln(cell_b / expected_b) + cell_c * ln(cell_c / expected_c) + cell_d * ln(cell_d / expected_d) as deviance,
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
                    / ln((cell_b + guess) / (cell_a - guess) * (cell_c + guess) / (cell_d - guess)),
                    surplus + 5e-2
                ),
                least(cell_a, cell_d) - 1e-2
            )
        end as mirror
    from (
        select
            *,
            greatest(
                (cell_a - guess) * ln((cell_a - guess) / expected_a) + (cell_b + guess) * ln((cell_b + guess) / expected_b)
                + (cell_c + guess) * ln((cell_c + guess) / expected_c) + (cell_d - guess) * ln((cell_d - guess) / expected_d),
                0e0
            ) as guess_deviance
        from fisher_guesses
    ) as guessed
),

fisher_tails as (
    select
        *,
        case when direction = 1 then least(cell_b, cell_c) - 5e-1 - first_shift else least(cell_a, cell_d) - 5e-1 + first_shift end as room,
        case
            when direction = 1 then first_shift + least(least(cell_b, cell_c) - 5e-1 - first_shift, 955e-1)
            else first_shift - least(least(cell_a, cell_d) - 5e-1 + first_shift, 955e-1)
        end as joint
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
            abs(ln((cell_a + joint) / (cell_b - joint) * (cell_d + joint) / (cell_c - joint))) as slope,
            1e0 / (cell_a + joint) + 1e0 / (cell_b - joint) + 1e0 / (cell_c - joint) + 1e0 / (cell_d + joint) as curvature
        from fisher_tails
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
        *,
        surplus + shift as excess,
        cell_a + shift as shifted_a,
        (surplus + shift) / (cell_a + shift + expected_a) as ratio_a,
        cell_b - shift as shifted_b,
        - (surplus + shift) / (cell_b - shift + expected_b) as ratio_b,
        cell_c - shift as shifted_c,
        - (surplus + shift) / (cell_c - shift + expected_c) as ratio_c,
        cell_d + shift as shifted_d,
        (surplus + shift) / (cell_d + shift + expected_d) as ratio_d
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

fisher_densities as (
    select
        *,
        shifted_a * (3.472717368984143e-2 / (shifted_a * shifted_a + 1.5703998396029886e-2) + 6.545484522708009e-3 / (shifted_a * shifted_a + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (shifted_a * shifted_a + 9.844336058654476e-1) + 4.425325215000769e-6 / (shifted_a * shifted_a + 3.1758135348391696e0))
        - (case when abs(ratio_a) < 1e-1 then excess * ratio_a + 2e0 * shifted_a * ratio_a * ratio_a * ratio_a * (0.3333333333333333e0 + ratio_a * ratio_a * (0.2e0 + ratio_a * ratio_a * (0.14285714285714285e0 + ratio_a * ratio_a * (0.1111111111111111e0 + ratio_a * ratio_a * (0.09090909090909091e0 + ratio_a * ratio_a * (0.07692307692307693e0 + ratio_a * ratio_a * (0.06666666666666667e0 + ratio_a * ratio_a * 0.058823529411764705e0))))))) else shifted_a * ln(shifted_a / expected_a) - excess end) +
        shifted_b * (3.472717368984143e-2 / (shifted_b * shifted_b + 1.5703998396029886e-2) + 6.545484522708009e-3 / (shifted_b * shifted_b + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (shifted_b * shifted_b + 9.844336058654476e-1) + 4.425325215000769e-6 / (shifted_b * shifted_b + 3.1758135348391696e0))
        - (case when abs(ratio_b) < 1e-1 then (- excess) * ratio_b + 2e0 * shifted_b * ratio_b * ratio_b * ratio_b * (0.3333333333333333e0 + ratio_b * ratio_b * (0.2e0 + ratio_b * ratio_b * (0.14285714285714285e0 + ratio_b * ratio_b * (0.1111111111111111e0 + ratio_b * ratio_b * (0.09090909090909091e0 + ratio_b * ratio_b * (0.07692307692307693e0 + ratio_b * ratio_b * (0.06666666666666667e0 + ratio_b * ratio_b * 0.058823529411764705e0))))))) else shifted_b * ln(shifted_b / expected_b) - (- excess) end) +
        shifted_c * (3.472717368984143e-2 / (shifted_c * shifted_c + 1.5703998396029886e-2) + 6.545484522708009e-3 / (shifted_c * shifted_c + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (shifted_c * shifted_c + 9.844336058654476e-1) + 4.425325215000769e-6 / (shifted_c * shifted_c + 3.1758135348391696e0))
        - (case when abs(ratio_c) < 1e-1 then (- excess) * ratio_c + 2e0 * shifted_c * ratio_c * ratio_c * ratio_c * (0.3333333333333333e0 + ratio_c * ratio_c * (0.2e0 + ratio_c * ratio_c * (0.14285714285714285e0 + ratio_c * ratio_c * (0.1111111111111111e0 + ratio_c * ratio_c * (0.09090909090909091e0 + ratio_c * ratio_c * (0.07692307692307693e0 + ratio_c * ratio_c * (0.06666666666666667e0 + ratio_c * ratio_c * 0.058823529411764705e0))))))) else shifted_c * ln(shifted_c / expected_c) - (- excess) end) +
        shifted_d * (3.472717368984143e-2 / (shifted_d * shifted_d + 1.5703998396029886e-2) + 6.545484522708009e-3 / (shifted_d * shifted_d + 2.2727535881984495e-1) + 3.8958312890222997e-4 / (shifted_d * shifted_d + 9.844336058654476e-1) + 4.425325215000769e-6 / (shifted_d * shifted_d + 3.1758135348391696e0))
        - (case when abs(ratio_d) < 1e-1 then excess * ratio_d + 2e0 * shifted_d * ratio_d * ratio_d * ratio_d * (0.3333333333333333e0 + ratio_d * ratio_d * (0.2e0 + ratio_d * ratio_d * (0.14285714285714285e0 + ratio_d * ratio_d * (0.1111111111111111e0 + ratio_d * ratio_d * (0.09090909090909091e0 + ratio_d * ratio_d * (0.07692307692307693e0 + ratio_d * ratio_d * (0.06666666666666667e0 + ratio_d * ratio_d * 0.058823529411764705e0))))))) else shifted_d * ln(shifted_d / expected_d) - excess end) as log_density
    from fisher_points
),

fisher_comparisons as (
    select
        *,
        max(case when shift = 0e0 then log_density end) over (partition by cut, group_number) as log_observed
    from fisher_densities
),

fisher_sums as (
    select
        *,
        min(case when log_density - log_observed <= 9.999999500000033e-8 then 1 else 0 end) over (partition by cut, group_number) as are_all_as_extreme,
        sum(
            case when log_density - log_observed <= 9.999999500000033e-8 and log_density > log_observed - 2e2 then weight * exp(log_density - log_observed) else 0e0 end
        ) over (partition by cut, group_number) as relative_sum
    from fisher_comparisons
),

fisher_p_values as (
    select
        *,
        case
            when is_known = 0 then null
            when are_all_as_extreme = 1 then 1e0
            when log_constant + log_observed + ln(relative_sum) < -7e2 then 0e0
            else exp(log_constant + log_observed + ln(relative_sum))
        end as p_value
    from fisher_sums
    where shift = 0e0
),

adjusted_p_values as (
    select *, p_value as p_value_adjusted
    from fisher_p_values
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
        max(case when is_test = 1 then positives end) over () as whole_positives,
        max(case when is_test = 1 then pair_rows end) over () as whole_pair_rows,
        max(case when is_test = 1 then label_minimum end) over () as whole_label_minimum,
        max(case when is_test = 1 then label_maximum end) over () as whole_label_maximum,
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
            when whole_evaluated = 0 then 'no_evaluated_rows'
            when groups_total > 1000 then 'too_many_groups'
            when whole_positives = 0 and whole_pair_rows < whole_evaluated then 'positive_class_absent'
            when sufficient_count < 2 then 'fewer_than_two_sufficient_groups'
            when valued_count = 0 then 'metric_undefined'
            when compared_count = 0 then 'nothing_to_compare'
            when unmeasured_count > 0 then 'ratio_undefined_set_max_difference'
        end as skip_reason,
        case
            when coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when whole_input_1_rows = 0 then 'every value of column approved is missing'
            when whole_attribute_1_rows = 0 then 'every value of column gender is missing'
            when whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as varchar) || ' rows has every metric input and every attribute'
            when groups_total > 1000 then 'the attributes form ' || cast(groups_total as varchar) || ' groups; at most 1000 are compared'
            when whole_positives = 0 and whole_pair_rows < whole_evaluated then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when sufficient_count < 2 then cast(sufficient_count as varchar) || ' of ' || cast(group_count as varchar) || ' groups of gender have at least 30 rows and 0.02 of all evaluated rows; two are needed'
            when valued_count = 0 then 'rate is undefined for every sufficient group'
            when compared_count = 0 then 'no sufficient group besides the reference has a value of rate'
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
    'gender' as protected_attribute_columns,
    'rate' as parity_metric,
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
    cast(case when is_test = 0 then positives end as double) as statistic_positives,
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
