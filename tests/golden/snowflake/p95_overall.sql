-- fairsql (version)
-- cut 1: Longest waits by race
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        collate("RACE", '') as attribute_1,
        cast("WAITING_DAYS" as double) as input_1
    from "LOANS"
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
        count(case when abs(input_1) > cast('1.7976931348623157e308' as double) then 1 end) as infinite_rows_1
    from measured
    group by attribute_1
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(case when regexp_like(trimmed_1, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(trimmed_1, '0'), '.') when '-0' then '0' else rtrim(rtrim(trimmed_1, '0'), '.') end else trimmed_1 end, '') as text_1
    from (
        select
            *,
            trim(attribute_1, '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') as trimmed_1
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

value_spans as (
    -- One row for each column of values: ends, middle and spread of a sample, and how many bins lie on each side of the middle.
    select
        1 as input,
        low,
        high,
        centre,
        case when high - low > 1e-290 then greatest(third_quartile - first_quartile, (high - low) * 1e-6) else 1e0 end as spread,
        greatest(least(floor(131072e0 / (select max(groups_total) from by_group)), 1024e0), 64e0) as half
    from (
        select
            coalesce(min(value), 0e0) as low,
            coalesce(max(value), 0e0) as high,
            coalesce(max(case when 4 * place <= n + 3 then value end), 0e0) as first_quartile,
            coalesce(max(case when 2 * place <= n + 1 then value end), 0e0) as centre,
            coalesce(max(case when 4 * place <= 3 * n + 1 then value end), 0e0) as third_quartile
        from (
            select
                input_1 as value,
                row_number() over (order by input_1 asc) as place,
                count(*) over () as n
            from source
            where abs(input_1) <= cast('1e300' as double) and mod(hash(input_1), 512) = 0
        ) as sampled
    ) as measured_sample
),

valued as (
    -- The rows of the relation that belong to a group of cut 1.
    select
        1 as cut,
        keys.group_number,
        source.input_1 as value,
        cast(case
            when source.input_1 >= value_spans.centre then 2e0 * value_spans.half + 1e0 - floor(value_spans.half * (value_spans.spread / (value_spans.spread + (least(source.input_1, value_spans.high) - value_spans.centre))))
            else floor(value_spans.half * (value_spans.spread / (value_spans.spread + (value_spans.centre - greatest(source.input_1, value_spans.low)))))
        end as smallint) as bin
    from source
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 1 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    inner join value_spans
        on value_spans.input = 1
    where source.input_1 is not null
),

counted_bins as (
    -- One row for each group and bin, and for the whole (group_number 0) and bin: the values in it, and in lower bins.
    select
        *,
        up_to - bin_rows as before
    from (
        select
            *,
            sum(bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as up_to
        from (
            select
                cut,
                coalesce(cells.group_number, 0) as group_number,
                bin,
                sum(cell_rows) as bin_rows
            from (
                select cut, group_number, bin, count(*) as cell_rows
                from valued
                group by cut, group_number, bin
            ) as cells
            group by grouping sets ((cut, cells.group_number, bin), (cut, bin))
        ) as merged
    ) as cumulated
),

sizes as (
    -- One row for each group, and one for the whole (group_number 0): how many values, which quantile, at which alpha.
    select
        cut,
        group_number,
        cast(evaluated as double) as n,
        cast(19 as double) / 20 as q,
        19 as numerator,
        20 as denominator,
        cast(0.05 as double) as alpha
    from by_group
    where cut in (1) and evaluated > 0 and groups_total <= 1000
),

nodes as (
    -- The points and weights of the integral.
    select
        exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as node,
        9e-2 * 1.5707963267948966e0 * (exp(tau) + exp(- tau)) / 2e0 * exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as weight
    from (
        select cast(9 * high.digit + low.digit - 40 as double) * 9e-2 as tau
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
        sizes.cut,
        sizes.group_number,
        sizes.n,
        sizes.numerator,
        sizes.denominator,
        cast(floor(sizes.numerator * (sizes.n - 1) / sizes.denominator) + 1 as bigint) as low_position,
        cast(ceil(sizes.numerator * (sizes.n - 1) / sizes.denominator) + 1 as bigint) as high_position,
        case when sizes.group_number > 0 then cast(order_ranks.lower_rank as bigint) end as lower_rank,
        case when sizes.group_number > 0 then cast(order_ranks.upper_rank as bigint) end as upper_rank
    from sizes
    left join order_ranks on sizes.cut = order_ranks.cut and sizes.group_number = order_ranks.group_number
),

wanted_bins as (
    -- The bins that hold one of those positions.
    select counted_bins.cut, counted_bins.group_number, counted_bins.bin
    from counted_bins
    inner join positions on counted_bins.cut = positions.cut and counted_bins.group_number = positions.group_number
    where
        (counted_bins.before < positions.low_position and positions.low_position <= counted_bins.up_to)
        or (counted_bins.before < positions.high_position and positions.high_position <= counted_bins.up_to)
        or (counted_bins.before < positions.lower_rank and positions.lower_rank <= counted_bins.up_to)
        or (counted_bins.before < positions.upper_rank and positions.upper_rank <= counted_bins.up_to)
),

near_values as (
    -- One row for each group and value of those bins: how many rows.
    select
        wanted.cut,
        valued.group_number,
        valued.bin,
        valued.value,
        count(*) as value_rows
    from valued
    inner join (
            select distinct counted_bins.cut, counted_bins.group_number, counted_bins.bin
            from counted_bins
            inner join wanted_bins on counted_bins.cut = wanted_bins.cut and counted_bins.bin = wanted_bins.bin
            where counted_bins.group_number > 0 and wanted_bins.group_number in (0, counted_bins.group_number)
        ) as wanted
        on valued.cut = wanted.cut and valued.group_number = wanted.group_number and valued.bin = wanted.bin
    group by wanted.cut, valued.group_number, valued.bin, valued.value
),

ranked_values as (
    -- The same rows, and those of the whole: how many values lie before, and up to the value.
    select
        *,
        up_to - value_rows as before
    from (
        select
            placed.*,
            counted_bins.before
            + sum(placed.value_rows) over (
                partition by placed.cut, placed.group_number, placed.bin
                order by placed.value asc rows between unbounded preceding and current row
            ) as up_to
        from (
            select cut, group_number, bin, value, value_rows
            from near_values
            union all
            select near_values.cut, 0 as group_number, near_values.bin, near_values.value, sum(near_values.value_rows) as value_rows
            from near_values
            inner join wanted_bins on near_values.cut = wanted_bins.cut and near_values.bin = wanted_bins.bin
            where wanted_bins.group_number = 0
            group by near_values.cut, near_values.bin, near_values.value
        ) as placed
        inner join counted_bins
            on placed.cut = counted_bins.cut and placed.group_number = counted_bins.group_number and placed.bin = counted_bins.bin
    ) as cumulated
),

picked_values as (
    -- One row for each group, and one for the whole: the values at the positions.
    select
        positions.cut,
        positions.group_number,
        max(case when ranked_values.before < positions.low_position and positions.low_position <= ranked_values.up_to then ranked_values.value end) as low,
        max(case when ranked_values.before < positions.high_position and positions.high_position <= ranked_values.up_to then ranked_values.value end) as high,
        max(case when ranked_values.before < positions.lower_rank and positions.lower_rank <= ranked_values.up_to then ranked_values.value end) as lower,
        max(case when ranked_values.before < positions.upper_rank and positions.upper_rank <= ranked_values.up_to then ranked_values.value end) as upper,
        max(case when ranked_values.before < positions.low_position and positions.low_position <= ranked_values.up_to then ranked_values.bin end) as low_bin
    from positions
    inner join ranked_values on positions.cut = ranked_values.cut and positions.group_number = ranked_values.group_number
    group by positions.cut, positions.group_number
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
        picked_values.low_bin,
        picked_values.lower,
        picked_values.upper,
        case when picked_values.low < -1e280 and picked_values.high > 1e280 then picked_values.low + (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (picked_values.high / 2e0 - picked_values.low / 2e0) + (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (picked_values.high / 2e0 - picked_values.low / 2e0) when (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (least(picked_values.high - picked_values.low, cast('1e-200' as double)) * 1e30) >= cast('2.5e-294' as double) then picked_values.low + (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator)) * (picked_values.high - picked_values.low) else picked_values.low end as quantile
    from positions
    inner join picked_values on positions.cut = picked_values.cut and positions.group_number = picked_values.group_number
),

pooled_with_others as (
    -- One row for each group: the quantile of the whole, and the rows of the group and all other rows above it, and at or above it.
    select
        cut,
        group_number,
        pooled_quantile,
        n - up_to as above,
        n - before as at_or_above,
        whole_n - n as second_rows,
        whole_n - n - (sum(up_to) over (partition by cut) - up_to) as second_above,
        whole_n - n - (sum(before) over (partition by cut) - before) as second_at_or_above
    from (
        select
            cut,
            group_number,
            pooled_quantile,
            whole_n,
            cast(sum(all_rows) as double) as n,
            sum(before) as before,
            sum(up_to) as up_to
        from (
            select
                counted_bins.cut, counted_bins.group_number, wholes.low as pooled_quantile, wholes.n as whole_n,
                counted_bins.bin_rows as all_rows,
                case when counted_bins.bin < wholes.low_bin then counted_bins.bin_rows else 0 end as before,
                case when counted_bins.bin < wholes.low_bin then counted_bins.bin_rows else 0 end as up_to
            from counted_bins
            inner join quantiles as wholes on counted_bins.cut = wholes.cut and wholes.group_number = 0
            union all
            select
                near_values.cut, near_values.group_number, wholes.low as pooled_quantile, wholes.n as whole_n,
                0 as all_rows,
                case when near_values.value < wholes.low then near_values.value_rows else 0 end as before,
                case when near_values.value <= wholes.low then near_values.value_rows else 0 end as up_to
            from near_values
            inner join quantiles as wholes
                on near_values.cut = wholes.cut and wholes.group_number = 0 and near_values.bin = wholes.low_bin
        ) as parts
        where group_number > 0 and cut in (1)
        group by cut, group_number, pooled_quantile, whole_n
    ) as split
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
        pooled.pooled_quantile,
        pooled.above,
        pooled.at_or_above,
        pooled.second_rows,
        pooled.second_above,
        pooled.second_at_or_above
    from quantiles
    left join (
        select * from pooled_with_others
    ) as pooled on quantiles.cut = pooled.cut and quantiles.group_number = pooled.group_number
),

statistics as (
    -- The same rows: counts as whole numbers, other statistics as doubles.
    select
        by_group.cut,
        by_group.is_whole,
        by_group.group_number,
        by_group.key_1,
        cast(by_group.groups_total as bigint) as groups_total,
        cast(by_group.rows_total as bigint) as rows_total,
        cast(by_group.missing_metric_inputs as bigint) as missing_metric_inputs,
        cast(by_group.missing_attribute as bigint) as missing_attribute,
        cast(by_group.evaluated as bigint) as evaluated,
        cast(by_group.input_1_rows as bigint) as input_1_rows,
        cast(by_group.infinite_rows as bigint) as infinite_rows,
        cast(by_group.attribute_1_rows as bigint) as attribute_1_rows,
        cast(order_statistics.lower_rank as bigint) as lower_rank,
        cast(order_statistics.upper_rank as bigint) as upper_rank,
        cast(order_statistics.above as bigint) as above,
        cast(order_statistics.at_or_above as bigint) as at_or_above,
        cast(order_statistics.second_rows as bigint) as second_rows,
        cast(order_statistics.second_above as bigint) as second_above,
        cast(order_statistics.second_at_or_above as bigint) as second_at_or_above,
        cast(order_statistics.quantile as double) as quantile,
        cast(order_statistics.lower as double) as lower,
        cast(order_statistics.upper as double) as upper,
        cast(order_statistics.pooled_quantile as double) as pooled_quantile
    from by_group
    left join order_statistics
        on by_group.cut = order_statistics.cut and by_group.group_number = order_statistics.group_number
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
