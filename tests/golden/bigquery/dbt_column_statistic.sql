with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        `race` as attribute_1,
        if(is_nan(cast(`amount` * 1 as float64)), null, cast(`amount` * 1 as float64)) as input_1
    from `loans`
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
        count(case when abs(input_1) > 1.7976931348623157e308 then 1 end) as infinite_rows_1
    from measured
    group by attribute_1
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))$', r'\1\2\3'), '') as text_1
    from (
        select
            *,
            trim(case when typeof(attribute_1) = 'FLOAT64' then case cast(attribute_1 as string) when 'nan' then null when '-0' then '0' else cast(attribute_1 as string) end when typeof(attribute_1) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(attribute_1), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(attribute_1 as string) end, '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') as trimmed_1
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- The same rows: their key, whether an attribute is missing, and the statistics.
    select
        1 as cut,
        attribute_1,
        text_1 as key_1,
        case when text_1 is null then 1 else 0 end as is_missing,
        rows_total,
        evaluated_1 as evaluated,
        input_1_rows_1 as input_1_rows,
        infinite_rows_1 as infinite_rows
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
        sum(infinite_rows) as infinite_rows,
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

valued as (
    -- The rows of the relation that belong to a group of cut 1.
    select
        1 as cut,
        keys.group_number,
        source.input_1 as value
    from source
    inner join (
            select distinct
                numbered.group_number as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 1 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    where source.input_1 is not null
),

ranked_values as (
    -- The same rows: how many of the group lie before and up to the value, and a position of its own in group and whole.
    select
        *,
        rank() over (partition by cut, group_number order by value asc) - 1 as before,
        count(*) over (
            partition by cut, group_number order by value asc range between unbounded preceding and current row
        ) as up_to,
        row_number() over (partition by cut, group_number order by value asc) as position,
        row_number() over (partition by cut order by value asc) as position_in_whole
    from valued
),

sizes as (
    -- One row for each group, and one for the whole (group_number 0): how many values, which quantile, at which alpha.
    select
        cut,
        group_number,
        cast(evaluated as float64) as n,
        cast(19 as float64) / 20 as q,
        19 as numerator,
        20 as denominator,
        cast(0.05 as float64) as alpha
    from by_group
    where cut in (1) and evaluated > 0 and groups_total <= 1000
),

nodes as (
    -- The points and weights of the integral.
    select
        exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as node,
        9e-2 * 1.5707963267948966e0 * (exp(tau) + exp(- tau)) / 2e0 * exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as weight
    from (
        select cast(9 * high.digit + low.digit - 40 as float64) * 9e-2 as tau
        from (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as high
        cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as low
    ) as steps
),

tails as (
    -- Two rows for each size: the lower tail of Binomial(n, q), and the upper one as the lower tail of Binomial(n, 1 - q).
    select cut, group_number, 0 as is_upper, n, q, alpha, q as p, alpha / 2e0 * (1e0 - 1e-11) as tail from sizes
    union all
    select cut, group_number, 1 as is_upper, n, q, alpha, 1e0 - q as p, alpha / 2e0 * (1e0 + 1e-11) as tail from sizes
),

starts as (
    -- The same rows, with a first guess at the rank.
    select
        *,
        least(greatest(floor(n * p - z * sqrt(n * p * (1e0 - p)) + (z * z - 1e0) * (1e0 - 2e0 * p) / 6e0), 0e0), n - 1e0) as guess
    from (
        select
            *,
            first_z + ((exp(- first_z * first_z / 4e0) * (first_z * (0.4228844540310463e0 / (first_z * first_z + 0.125e0) + 0.25649238688566733e0 / (first_z * first_z + 1.125e0) + 0.09435827595222866e0 / (first_z * first_z + 3.125e0) + 0.021054177224550517e0 / (first_z * first_z + 6.125e0) + 0.002849373037998385e0 / (first_z * first_z + 10.125e0) + 0.00023389078190307172e0 / (first_z * first_z + 15.125e0) + 1.1644736349221387e-05 / (first_z * first_z + 21.125e0) + 3.5164056838924757e-07 / (first_z * first_z + 28.125e0) + 6.440521669246694e-09 / (first_z * first_z + 36.125e0) + 7.154773292813609e-11 / (first_z * first_z + 45.125e0) + 4.82084832374503e-13 / (first_z * first_z + 55.125e0) + 1.970170523864856e-15 / (first_z * first_z + 66.125e0))) * exp(- first_z * first_z / 4e0) + case when first_z < 8e0 then 2e0 / (1e0 + exp(8.885765876316732e0 * first_z)) else 0e0 end) / 2e0 - tail) / (3.989422804014327e-1 * exp(- first_z * first_z / 2e0)) as z
        from (
            select
                *,
                t - (2.515517e0 + 8.02853e-1 * t + 1.0328e-2 * t * t)
                / (1e0 + 1.432788e0 * t + 1.89269e-1 * t * t + 1.308e-3 * t * t * t) as first_z
            from (select *, sqrt(- 2e0 * ln(tail)) as t from tails) as rational
        ) as newton
    ) as cornish_fisher
),

candidates as (
    -- The ranks around the guess.
    select
        starts.*,
        starts.guess + 9 * (high.digit - 4) + low.digit - 4 as y
    from starts
    cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as high
    cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as low
    where (high.digit = 4 or starts.n < 100)
        and starts.guess + 9 * (high.digit - 4) + low.digit - 4 between 0 and starts.n - 1
),

shaped as (
    -- The same rows: distance from the mean, and the scale on which the integrand falls.
    select
        *,
        n - y as rest,
        n * p as expected,
        n * (1e0 - p) as expected_rest,
        y - n * p as excess,
        6e0 / (n - y / p + sqrt((n - y / p) * (n - y / p) + 6e0 * y * (1e0 - p) / (p * p))) as scale
    from candidates
),

dense as (
    -- The same rows, with the probability of just that rank.
    select
        *,
        exp(
            case when n < 1e1 then case n when 0 then 0e0 when 1 then 1e0 when 2 then 1.3068528194400546e0 when 3 then 1.4959226032237255e0 when 4 then 1.6328769391018556e0 when 5 then 1.7403021806115441e0 when 6 then 1.8286944060445893e0 when 7 then 1.9037903624763184e0 when 8 then 1.9690708851160487e0 when 9 then 2.0268063384376127e0 end else ln(6.283185307179586e0 * n) / 2e0 + (0.08333333333333333e0 - 1e0 / (n * n) * (0.002777777777777778e0 - 1e0 / (n * n) * (0.0007936507936507937e0 - 1e0 / (n * n) * (0.0005952380952380953e0 - 1e0 / (n * n) / 1188e0)))) / n end
            - (case when y < 1e1 then case y when 0 then 0e0 when 1 then 1e0 when 2 then 1.3068528194400546e0 when 3 then 1.4959226032237255e0 when 4 then 1.6328769391018556e0 when 5 then 1.7403021806115441e0 when 6 then 1.8286944060445893e0 when 7 then 1.9037903624763184e0 when 8 then 1.9690708851160487e0 when 9 then 2.0268063384376127e0 end else ln(6.283185307179586e0 * y) / 2e0 + (0.08333333333333333e0 - 1e0 / (y * y) * (0.002777777777777778e0 - 1e0 / (y * y) * (0.0007936507936507937e0 - 1e0 / (y * y) * (0.0005952380952380953e0 - 1e0 / (y * y) / 1188e0)))) / y end)
            - (case when rest < 1e1 then case rest when 0 then 0e0 when 1 then 1e0 when 2 then 1.3068528194400546e0 when 3 then 1.4959226032237255e0 when 4 then 1.6328769391018556e0 when 5 then 1.7403021806115441e0 when 6 then 1.8286944060445893e0 when 7 then 1.9037903624763184e0 when 8 then 1.9690708851160487e0 when 9 then 2.0268063384376127e0 end else ln(6.283185307179586e0 * rest) / 2e0 + (0.08333333333333333e0 - 1e0 / (rest * rest) * (0.002777777777777778e0 - 1e0 / (rest * rest) * (0.0007936507936507937e0 - 1e0 / (rest * rest) * (0.0005952380952380953e0 - 1e0 / (rest * rest) / 1188e0)))) / rest end)
            - (case when y < 1e-3 then expected else case when abs((excess / (y + expected))) < 1e-1 then excess * (excess / (y + expected)) + 2e0 * y * (excess / (y + expected)) * (excess / (y + expected)) * (excess / (y + expected)) * (0.3333333333333333e0 + (excess / (y + expected)) * (excess / (y + expected)) * (0.2e0 + (excess / (y + expected)) * (excess / (y + expected)) * (0.14285714285714285e0 + (excess / (y + expected)) * (excess / (y + expected)) * (0.1111111111111111e0 + (excess / (y + expected)) * (excess / (y + expected)) * (0.09090909090909091e0 + (excess / (y + expected)) * (excess / (y + expected)) * (0.07692307692307693e0 + (excess / (y + expected)) * (excess / (y + expected)) * (0.06666666666666667e0 + (excess / (y + expected)) * (excess / (y + expected)) * 0.058823529411764705e0))))))) else y * ln(y / expected) - excess end end)
            - (case when rest < 1e-3 then expected_rest else case when abs(((- excess) / (rest + expected_rest))) < 1e-1 then (- excess) * ((- excess) / (rest + expected_rest)) + 2e0 * rest * ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * (0.3333333333333333e0 + ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * (0.2e0 + ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * (0.14285714285714285e0 + ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * (0.1111111111111111e0 + ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * (0.09090909090909091e0 + ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * (0.07692307692307693e0 + ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * (0.06666666666666667e0 + ((- excess) / (rest + expected_rest)) * ((- excess) / (rest + expected_rest)) * 0.058823529411764705e0))))))) else rest * ln(rest / expected_rest) - (- excess) end end)
        ) as density
    from shaped
),

spread as (
    -- Each rank at each point of its integral.
    select
        dense.*,
        nodes.weight,
        dense.scale * nodes.node as u
    from dense
    cross join nodes
),

grown as (
    -- The same rows, with what the integrand is a power of.
    select
        *,
        (1e0 - p) / p * (case when u < 1e-1 then u * (1e0 - u / 2e0 * (1e0 - u / 3e0 * (1e0 - u / 4e0 * (1e0 - u / 5e0 * (1e0 - u / 6e0 * (1e0 - u / 7e0 * (1e0 - u / 8e0 * (1e0 - u / 9e0 * (1e0 - u / 10e0 * 1e0))))))))) when u < 7e2 then 1e0 - exp(- u) else 1e0 end) as growth
    from spread
),

powers as (
    -- The same rows, with the logarithm of the integrand.
    select
        *,
        y * (case when growth < 1e-1 then 2e0 * (growth / (2e0 + growth)) * (1.0e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.3333333333333333e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.2e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.14285714285714285e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.1111111111111111e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.09090909090909091e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * 0.07692307692307693e0)))))) else ln(1e0 + growth) end) - (n - y) * u as exponent
    from grown
),

masses as (
    -- One row for each rank: the probability of that rank or a lower one.
    select
        cut, group_number, is_upper, n, q, tail, y,
        density * (n - y) * scale * sum(weight * case when exponent > -2e2 then exp(exponent) else 0e0 end) as mass
    from powers
    group by cut, group_number, is_upper, n, q, tail, y, density, scale
),

order_ranks as (
    -- One row for each size: the ranks that bound the quantile.
    select
        cut,
        group_number,
        min(case when is_upper = 0 then least(below + 1, floor(q * (n - 1e0) + 1e-9) + 1) end) as lower_rank,
        max(case when is_upper = 1 then greatest(n - below, ceil(q * (n - 1e0) - 1e-9) + 1) end) as upper_rank
    from (
        select
            cut, group_number, is_upper, n, q,
            max(case when (is_upper = 0 and mass < tail) or (is_upper = 1 and mass <= tail) then y else -1 end) as below
        from masses
        group by cut, group_number, is_upper, n, q
    ) as found
    group by cut, group_number
),

positions as (
    -- One row for each group, and one for the whole: the quantile lies between the low and the high position, its interval between the lower and the upper rank.
    select
        *,
        max(case when group_number = 0 then low_position end) over (partition by cut) as low_in_whole,
        max(case when group_number = 0 then high_position end) over (partition by cut) as high_in_whole
    from (
        select
            sizes.cut,
            sizes.group_number,
            sizes.n,
            sizes.numerator,
            sizes.denominator,
            cast(floor(sizes.numerator * (sizes.n - 1) / sizes.denominator) + 1 as int64) as low_position,
            cast(ceil(sizes.numerator * (sizes.n - 1) / sizes.denominator) + 1 as int64) as high_position,
            case when sizes.group_number > 0 then cast(order_ranks.lower_rank as int64) end as lower_rank,
            case when sizes.group_number > 0 then cast(order_ranks.upper_rank as int64) end as upper_rank
        from sizes
        left join order_ranks on sizes.cut = order_ranks.cut and sizes.group_number = order_ranks.group_number
    ) as placed
),

picked_values as (
    -- The same rows: the values at those positions.
    select
        ranked_values.cut,
        coalesce(ranked_values.group_number, 0) as group_number,
        case
            when grouping(ranked_values.group_number) = 1 then max(case when position_in_whole = low_in_whole then value end)
            else max(case when position = low_position then value end)
        end as low,
        case
            when grouping(ranked_values.group_number) = 1 then max(case when position_in_whole = high_in_whole then value end)
            else max(case when position = high_position then value end)
        end as high,
        case when grouping(ranked_values.group_number) = 0 then max(case when position = lower_rank then value end) end as lower,
        case when grouping(ranked_values.group_number) = 0 then max(case when position = upper_rank then value end) end as upper
    from ranked_values
    inner join positions on ranked_values.cut = positions.cut and ranked_values.group_number = positions.group_number
    where position in (low_position, high_position, lower_rank, upper_rank) or position_in_whole in (low_in_whole, high_in_whole)
    group by grouping sets ((ranked_values.cut, ranked_values.group_number), (ranked_values.cut))
),

quantiles as (
    -- One row for each group, and one for the whole: the quantile and the bounds of its interval.
    select
        positions.cut,
        positions.group_number,
        positions.n,
        positions.numerator,
        positions.denominator,
        positions.lower_rank,
        positions.upper_rank,
        picked_values.low,
        picked_values.lower,
        picked_values.upper,
        case when picked_values.low < -1e280 and picked_values.high > 1e280 then picked_values.low + (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (picked_values.high / 2e0 - picked_values.low / 2e0) + (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (picked_values.high / 2e0 - picked_values.low / 2e0) when (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (least(picked_values.high - picked_values.low, 1e-200) * 1e30) >= 2.5e-294 then picked_values.low + (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (picked_values.high - picked_values.low) else picked_values.low end as quantile
    from positions
    inner join picked_values on positions.cut = picked_values.cut and positions.group_number = picked_values.group_number
),

order_statistics as (
    -- One row for each group, and one for the whole: all of the above.
    select
        quantiles.cut,
        quantiles.group_number,
        quantiles.quantile,
        quantiles.lower_rank,
        quantiles.upper_rank,
        quantiles.lower,
        quantiles.upper,
        null as pooled_quantile,
        null as above,
        null as at_or_above,
        null as second_rows,
        null as second_above,
        null as second_at_or_above
    from quantiles
),

statistics as (
    -- The same rows: counts as whole numbers, other statistics as doubles.
    select
        by_group.cut,
        by_group.is_whole,
        by_group.group_number,
        by_group.key_1,
        cast(by_group.groups_total as int64) as groups_total,
        cast(by_group.rows_total as int64) as rows_total,
        cast(by_group.missing_metric_inputs as int64) as missing_metric_inputs,
        cast(by_group.missing_attribute as int64) as missing_attribute,
        cast(by_group.evaluated as int64) as evaluated,
        cast(by_group.input_1_rows as int64) as input_1_rows,
        cast(by_group.infinite_rows as int64) as infinite_rows,
        cast(by_group.attribute_1_rows as int64) as attribute_1_rows,
        cast(order_statistics.lower_rank as int64) as lower_rank,
        cast(order_statistics.upper_rank as int64) as upper_rank,
        cast(order_statistics.above as int64) as above,
        cast(order_statistics.at_or_above as int64) as at_or_above,
        cast(order_statistics.second_rows as int64) as second_rows,
        cast(order_statistics.second_above as int64) as second_above,
        cast(order_statistics.second_at_or_above as int64) as second_at_or_above,
        cast(order_statistics.quantile as float64) as quantile,
        cast(order_statistics.lower as float64) as lower,
        cast(order_statistics.upper as float64) as upper,
        cast(order_statistics.pooled_quantile as float64) as pooled_quantile
    from by_group
    left join order_statistics
        on by_group.cut = order_statistics.cut and by_group.group_number = order_statistics.group_number
),

assessed as (
    select
        sorts.is_test,
        statistics.*,
        cast(evaluated as float64) as n,
        max(case when is_test = 1 then cast(evaluated as float64) end) over () as whole_evaluated,
        max(case when is_test = 1 then infinite_rows end) over () as whole_infinite_rows,
        case when is_test = 0 then cast(evaluated as float64) / nullif(max(case when is_test = 1 then cast(evaluated as float64) end) over (), 0) end as share,
        evaluated as denominator,
        case when is_test = 0 and evaluated >= 1 and cast(evaluated as float64) / nullif(max(case when is_test = 1 then cast(evaluated as float64) end) over (), 0) >= 0.0 then 1 else 0 end as is_sufficient,
        case when is_test = 0 and coalesce(max(case when is_test = 1 then infinite_rows end) over (), 0) = 0 then quantile end as value
    from (
        select row_number() over (order by half asc) - 1 as is_test
        from (select 0 as half union all select 1 as half) as halves
    ) as sorts
    left join statistics on sorts.is_test = statistics.is_whole
    where sorts.is_test = 1 or statistics.is_whole is not null
),

decided as (
    select
        *,
        0 as is_reference,
        0 as is_worse,
        0 as is_significant,
        cast(null as float64) as comparison_value,
        cast(null as float64) as ratio,
        cast(null as float64) as difference,
        cast(null as float64) as p_value,
        cast(null as float64) as p_value_adjusted,
        case when is_sufficient = 1 and value is not null and not (value < cast(1400 as float64) or (abs(value - cast(1400 as float64)) <= 1e-12 * greatest(abs(value), abs(cast(1400 as float64)), 1e-290) or abs(value - cast(1400 as float64)) <= 1e-15)) then 1 else 0 end as is_failed
    from assessed
),

measurements as (
    select
        *,
        max(case when is_test = 1 then rows_total end) over () as whole_rows_total,
        max(case when is_test = 1 then missing_metric_inputs end) over () as whole_missing_metric_inputs,
        max(case when is_test = 1 then missing_attribute end) over () as whole_missing_attribute,
        max(case when is_test = 1 then input_1_rows end) over () as whole_input_1_rows,
        max(case when is_test = 1 then attribute_1_rows end) over () as whole_attribute_1_rows,
        cast(max(case when is_test = 1 then missing_attribute end) over () as float64)
        / nullif(max(case when is_test = 1 then missing_attribute end) over () + max(case when is_test = 1 then evaluated end) over (), 0) as missing_attribute_rate,
        sum(1 - is_test) over () as group_count,
        sum(is_sufficient) over () as sufficient_count,
        sum(case when is_sufficient = 1 and value is not null then 1 else 0 end) over () as valued_count,
        cast(sum(is_failed) over () as int64) as failing_group_count,
        cast(sum(is_failed) over () as float64) / nullif(sum(is_sufficient) over (), 0) as failing_group_percentage,
        cast(sum(1 - is_test - is_sufficient) over () as int64) as insufficient_group_count,
        min(share) over () as min_group_share,
        cast(sum(case when is_sufficient = 1 and value is null then 1 else 0 end) over () as int64) as undefined_group_count,
        min(case when is_sufficient = 1 then value end) over () as lowest_group_value,
        max(case when is_sufficient = 1 then value end) over () as highest_group_value
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
            when whole_evaluated = 0 then 'no_evaluated_rows'
            when groups_total > 1000 then 'too_many_groups'
            when sufficient_count = 0 then 'nothing_to_compare'
            when valued_count = 0 then 'metric_undefined'
        end as skip_reason,
        case
            when coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when whole_input_1_rows = 0 then 'every value of column amount is missing'
            when whole_attribute_1_rows = 0 then 'every value of column race is missing'
            when whole_infinite_rows > 0 then cast(whole_infinite_rows as string) || ' rows hold an infinite value, or one whose square no number can hold, in amount'
            when whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input and every attribute'
            when groups_total > 1000 then 'the attributes form ' || cast(groups_total as string) || ' groups; at most 1000 are compared'
            when sufficient_count = 0 then 'none of ' || cast(group_count as string) || ' groups has at least 1 row'
            when valued_count = 0 then 'p95 is undefined for every sufficient group'
        end as skip_message,
        case
            when failing_group_count is null then null
            when (abs(failing_group_count - cast(0 as float64)) <= 1e-12 * greatest(abs(failing_group_count), abs(cast(0 as float64)), 1e-290) or abs(failing_group_count - cast(0 as float64)) <= 1e-15) then 1
            when failing_group_count <= cast(0 as float64) then 1
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
    'group_column_statistic' as test_name,
    status,
    reason,
    message,
    nullif(substr(case when holds_1 = 0 and case when is_test = 0 then breaks_1 = 1 else broken_by_1 = 0 end and skip_reason is null then '; failing_group_count <= 0' else '' end, 3), '') as broken_thresholds,
    'race' as protected_attribute_columns,
    'p95' as parity_metric,
    case when is_test = 0 then key_1 end as key_1,
    cast(null as string) as key_2,
    cast(null as string) as key_3,
    cast(case when is_test = 0 then evaluated end as int64) as group_rows,
    cast(case when is_test = 0 then missing_metric_inputs end as int64) as missing_metric_inputs,
    cast(case when is_test = 0 then share end as float64) as share,
    cast(case when is_test = 0 then value end as float64) as value,
    cast(case when is_test = 0 then denominator end as float64) as denominator,
    cast(case when is_test = 0 then comparison_value end as float64) as comparison_value,
    cast(case when is_test = 0 then ratio end as float64) as ratio,
    cast(case when is_test = 0 then difference end as float64) as difference,
    cast(case when is_test = 0 then p_value end as float64) as p_value,
    cast(case when is_test = 0 then p_value_adjusted end as float64) as p_value_adjusted,
    cast(case when is_test = 0 then quantile end as float64) as statistic_quantile,
    cast(case when is_test = 0 then lower end as float64) as statistic_lower,
    cast(case when is_test = 0 then upper end as float64) as statistic_upper,
    cast(case when is_test = 0 then pooled_quantile end as float64) as statistic_pooled_quantile,
    cast(case when is_test = 0 then above end as float64) as statistic_above,
    cast(case when is_test = 0 then at_or_above end as float64) as statistic_at_or_above,
    cast(case when is_test = 0 then second_rows end as float64) as statistic_second_rows,
    cast(case when is_test = 0 then second_above end as float64) as statistic_second_above,
    cast(case when is_test = 0 then second_at_or_above end as float64) as statistic_second_at_or_above,
    case when is_test = 0 then is_sufficient = 1 end as sufficient,
    case when is_test = 0 then is_reference = 1 end as is_reference,
    case when is_test = 0 then is_worse = 1 end as worse,
    case when is_test = 0 then is_significant = 1 end as significant,
    case when is_test = 0 then is_failed = 1 end as failed,
    case when is_test = 0 then evaluated < 1 end as suppressed,
    cast(coalesce(whole_rows_total, 0) as int64) as rows_total,
    cast(whole_missing_metric_inputs as int64) as rows_missing_metric_inputs,
    cast(whole_missing_attribute as int64) as rows_missing_attribute,
    cast(coalesce(whole_evaluated, 0) as int64) as rows_evaluated,
    cast(groups_total as int64) as groups_total,
    case when skip_reason is null then cast(failing_group_count as float64) end as failing_group_count,
    case when skip_reason is null then cast(failing_group_percentage as float64) end as failing_group_percentage,
    case when skip_reason is null then cast(insufficient_group_count as float64) end as insufficient_group_count,
    case when skip_reason is null then cast(missing_attribute_rate as float64) end as missing_attribute_rate,
    case when skip_reason is null then cast(min_group_share as float64) end as min_group_share,
    case when skip_reason is null then cast(undefined_group_count as float64) end as undefined_group_count,
    case when skip_reason is null then cast(lowest_group_value as float64) end as lowest_group_value,
    case when skip_reason is null then cast(highest_group_value as float64) end as highest_group_value
from verdict
where (status = 'skipped' and is_test = 1)
    or (status = 'failed' and ((holds_1 = 0 and case when is_test = 0 then breaks_1 = 1 else broken_by_1 = 0 end)))
