-- fairsql (version)
-- cut 1: Ranking by gender
-- cut 2: Median wait by race
-- cut 3: Longest waits
-- cut 4: Median wait by gender, exactly
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        collate("GENDER", '') as attribute_1,
        collate("RACE", '') as attribute_2,
        nullif(cast("SCORE" as double), cast('NaN' as double)) as input_1,
        case when "APPROVED" in (1) then 1 when "APPROVED" is not null then 0 end as input_2,
        "APPROVED" as label_2,
        cast("WAITING_DAYS" as double) as input_3
    from "LOANS"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when input_1 is not null then input_2 end as quantity_1,
        input_3 as quantity_2,
        input_3 as quantity_3
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        attribute_2,
        count(*) as rows_total,
        count(case when input_1 is not null and input_2 is not null then 1 end) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        count(case when input_2 is not null and abs(input_1) > cast('1.7976931348623157e308' as double) then 1 end) as infinite_rows_1,
        count(case when quantity_1 = 1 then 1 end) as positives_1,
        count(case when quantity_1 = 0 then 1 end) as negatives_1,
        min(case when input_1 is not null and input_2 is not null and abs(input_1) <= cast('1.7976931348623157e308' as double) then input_1 end) as minimum_1,
        max(case when input_1 is not null and input_2 is not null and abs(input_1) <= cast('1.7976931348623157e308' as double) then input_1 end) as maximum_1,
        sum(case when input_1 is not null and input_2 is not null and abs(input_1) <= cast('1.7976931348623157e308' as double) and input_1 <> 0 then ln(abs(input_1)) else 0e0 end) as log_sum_1,
        count(case when input_1 is not null and input_2 is not null and abs(input_1) <= cast('1.7976931348623157e308' as double) and input_1 <> 0 then 1 end) as log_rows_1,
        cast(min(label_2) as varchar) as label_minimum_1,
        cast(max(label_2) as varchar) as label_maximum_1,
        count(input_3) as evaluated_2,
        count(input_3) as input_1_rows_2,
        count(case when abs(input_3) > cast('1.7976931348623157e308' as double) then 1 end) as infinite_rows_2,
        min(case when input_3 is not null and abs(input_3) <= cast('1.7976931348623157e308' as double) then input_3 end) as minimum_2,
        max(case when input_3 is not null and abs(input_3) <= cast('1.7976931348623157e308' as double) then input_3 end) as maximum_2,
        sum(case when input_3 is not null and abs(input_3) <= cast('1.7976931348623157e308' as double) and input_3 <> 0 then ln(abs(input_3)) else 0e0 end) as log_sum_2,
        count(case when input_3 is not null and abs(input_3) <= cast('1.7976931348623157e308' as double) and input_3 <> 0 then 1 end) as log_rows_2,
        count(input_3) as evaluated_3,
        count(input_3) as input_1_rows_3,
        count(case when abs(input_3) > cast('1.7976931348623157e308' as double) then 1 end) as infinite_rows_3
    from measured
    group by attribute_1, attribute_2
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(case when regexp_like(trimmed_1, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(trimmed_1, '0'), '.') when '-0' then '0' else rtrim(rtrim(trimmed_1, '0'), '.') end else trimmed_1 end, '') as text_1,
        nullif(case when regexp_like(trimmed_2, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(trimmed_2, '0'), '.') when '-0' then '0' else rtrim(rtrim(trimmed_2, '0'), '.') end else trimmed_2 end, '') as text_2
    from (
        select
            *,
            trim(attribute_1, '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') as trimmed_1,
            trim(attribute_2, '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') as trimmed_2
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        attribute_1,
        attribute_2,
        case when cut in (1, 4) then text_1 when cut in (2, 3) then text_2 end as key_1,
        case
            when cut in (1, 4) and text_1 is null then 1
            when cut in (2, 3) and text_2 is null then 1
            else 0
        end as is_missing,
        rows_total,
        case
            when measure = 1 then evaluated_1
            when measure = 2 then evaluated_2
            when measure = 3 then evaluated_3
        end as evaluated,
        case
            when measure = 1 then input_1_rows_1
            when measure = 2 then input_1_rows_2
            when measure = 3 then input_1_rows_3
        end as input_1_rows,
        case when measure = 1 then input_2_rows_1 end as input_2_rows,
        case
            when measure = 1 then infinite_rows_1
            when measure = 2 then infinite_rows_2
            when measure = 3 then infinite_rows_3
        end as infinite_rows,
        case when measure = 1 then positives_1 end as positives,
        case when measure = 1 then negatives_1 end as negatives,
        case when measure = 1 then minimum_1 when measure = 2 then minimum_2 end as minimum,
        case when measure = 1 then maximum_1 when measure = 2 then maximum_2 end as maximum,
        case when measure = 1 then log_sum_1 when measure = 2 then log_sum_2 end as log_sum,
        case when measure = 1 then log_rows_1 when measure = 2 then log_rows_2 end as log_rows,
        case when measure = 1 then label_minimum_1 end as label_minimum,
        case when measure = 1 then label_maximum_1 end as label_maximum
    from cleaned
    cross join (
        select 1 as cut, 1 as measure
        union all select 2 as cut, 2 as measure
        union all select 3 as cut, 2 as measure
        union all select 4 as cut, 3 as measure
    ) as cuts
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
        sum(input_2_rows) as input_2_rows,
        sum(infinite_rows) as infinite_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        sum(case when is_missing = 0 then negatives else 0 end) as negatives,
        min(case when is_missing = 0 then minimum end) as minimum,
        max(case when is_missing = 0 then maximum end) as maximum,
        sum(case when is_missing = 0 then log_sum else 0 end) as log_sum,
        sum(case when is_missing = 0 then log_rows else 0 end) as log_rows,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
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
        3 as input,
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
                input_3 as value,
                row_number() over (order by input_3 asc) as place,
                count(*) over () as n
            from source
            where abs(input_3) <= cast('1e300' as double) and mod(hash(input_3), 512) = 0
        ) as sampled
    ) as measured_sample
),

valued as (
    -- The rows of the relation that belong to a group of cut 4.
    select
        4 as cut,
        keys.group_number,
        source.input_3 as value,
        cast(case
            when source.input_3 >= value_spans.centre then 2e0 * value_spans.half + 1e0 - floor(value_spans.half * (value_spans.spread / (value_spans.spread + (least(source.input_3, value_spans.high) - value_spans.centre))))
            else floor(value_spans.half * (value_spans.spread / (value_spans.spread + (value_spans.centre - greatest(source.input_3, value_spans.low)))))
        end as smallint) as bin
    from source
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 4 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    inner join value_spans
        on value_spans.input = 3
    where source.input_3 is not null
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
        cast(1 as double) / 2 as q,
        1 as numerator,
        2 as denominator,
        cast(0.05 as double) as alpha
    from by_group
    where cut in (4) and evaluated > 0 and groups_total <= 1000
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

reference_groups as (
    -- One row for each cut: the reference group.
    select cut, group_number, n
    from (
        select
            *,
            row_number() over (
                partition by cut
                order by case when (abs(quantile - best) <= 1e-12 * greatest(abs(quantile), abs(best), cast('1e-290' as double)) or abs(quantile - best) <= 1e-15) then 0 else 1 end asc, n desc, place_1 asc
            ) as place
        from (
            select *, case when cut = 4 then min(case when is_eligible = 1 then quantile end) over (partition by cut) end as best
            from (
                select
                    quantiles.cut, quantiles.group_number, quantiles.n, quantiles.quantile,
                    by_group.key_1 as place_1,
                    case
            when quantiles.cut = 4 then case when by_group.evaluated >= 30 and cast(by_group.evaluated as double) / wholes.evaluated >= 0.02 then 1 else 0 end
        end as is_eligible
                from quantiles
                inner join by_group on quantiles.cut = by_group.cut and quantiles.group_number = by_group.group_number
                inner join by_group as wholes on quantiles.cut = wholes.cut and wholes.is_whole = 1
                where by_group.is_whole = 0
            ) as candidates
        ) as compared
        where is_eligible = 1
    ) as placed
    where place = 1
),

pooled_bins as (
    -- One row for each group and bin: values of the group and of the reference group up to the bin.
    select
        *,
        sum(own_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as own_up_to,
        sum(reference_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as reference_up_to
    from (
        select cut, group_number, bin, sum(own_rows) as own_rows, sum(reference_rows) as reference_rows
        from (
            select counted_bins.cut, counted_bins.group_number, counted_bins.bin, counted_bins.bin_rows as own_rows, 0 as reference_rows
            from counted_bins
            inner join reference_groups on counted_bins.cut = reference_groups.cut
            where counted_bins.group_number not in (0, reference_groups.group_number)
            union all
            select quantiles.cut, quantiles.group_number, counted_bins.bin, 0 as own_rows, counted_bins.bin_rows as reference_rows
            from quantiles
            inner join reference_groups on quantiles.cut = reference_groups.cut
            inner join counted_bins on counted_bins.cut = reference_groups.cut and counted_bins.group_number = reference_groups.group_number
            where quantiles.group_number not in (0, reference_groups.group_number)
        ) as samples
        group by cut, group_number, bin
    ) as merged
),

crossings as (
    -- One row for each group: the rank of the pooled quantile, the bin it lies in, and how many values of both lie in lower bins.
    select
        *,
        own_up_to - own_rows as own_before,
        reference_up_to - reference_rows as reference_before
    from (
        select
            pooled_bins.*,
            quantiles.n,
            reference_groups.group_number as reference_number,
            reference_groups.n as reference_n,
            floor(quantiles.numerator * (quantiles.n + reference_groups.n - 1) / quantiles.denominator) + 1 as pooled_rank
        from pooled_bins
        inner join reference_groups on pooled_bins.cut = reference_groups.cut
        inner join quantiles on pooled_bins.cut = quantiles.cut and pooled_bins.group_number = quantiles.group_number
    ) as ranked
    where own_up_to + reference_up_to >= pooled_rank
        and own_up_to - own_rows + reference_up_to - reference_rows < pooled_rank
),

pooled_values as (
    -- One row for each group and value of that bin, and for the reference group and value: how many rows.
    select
        wanted.cut,
        valued.group_number,
        valued.bin,
        valued.value,
        count(*) as value_rows
    from valued
    inner join (
            select distinct cut, group_number, bin
            from (
                select cut, group_number, bin from crossings
                union all
                select cut, reference_number as group_number, bin from crossings
            ) as both_samples
        ) as wanted
        on valued.cut = wanted.cut and valued.group_number = wanted.group_number and valued.bin = wanted.bin
    group by wanted.cut, valued.group_number, valued.bin, valued.value
),

beside_reference as (
    -- The same rows: how many values of the bin lie up to the value, in the group, in the reference group, and how many of the reference group are equal.
    select
        *,
        sum(value_rows) over (partition by cut, group_number, bin order by value asc rows between unbounded preceding and current row) as up_to,
        sum(reference_rows) over (partition by cut, bin order by value asc, is_reference desc rows between unbounded preceding and current row) as reference_up_to,
        sum(reference_rows) over (partition by cut, bin, value) as reference_equal
    from (
        select
            pooled_values.*,
            case when pooled_values.group_number = reference_groups.group_number then 1 else 0 end as is_reference,
            case when pooled_values.group_number = reference_groups.group_number then pooled_values.value_rows else 0 end as reference_rows
        from pooled_values
        inner join reference_groups on pooled_values.cut = reference_groups.cut
    ) as flagged
),

own_values as (
    -- One row for each group: its own first value at the pooled rank or above.
    select
        cut, group_number, bin, n, reference_number, reference_n, pooled_rank, reference_before_bin,
        min(case when own_before + up_to + reference_before_bin + reference_up_to_value >= pooled_rank then value end) as own_value,
        min(case when own_before + up_to + reference_before_bin + reference_up_to_value >= pooled_rank then own_before + up_to - value_rows end) as own_value_before,
        min(case when own_before + up_to + reference_before_bin + reference_up_to_value >= pooled_rank then own_before + up_to end) as own_value_up_to,
        min(case when own_before + up_to + reference_before_bin + reference_up_to_value >= pooled_rank then reference_before_bin + reference_up_to_value - reference_equal end) as reference_before,
        min(case when own_before + up_to + reference_before_bin + reference_up_to_value >= pooled_rank then reference_before_bin + reference_up_to_value end) as reference_up_to,
        max(case when own_before + up_to + reference_before_bin + reference_up_to_value >= pooled_rank or up_to is null then own_before else own_before + up_to end) as left_behind
    from (
        select
            crossings.cut, crossings.group_number, crossings.bin, crossings.n, crossings.reference_number,
            crossings.reference_n, crossings.pooled_rank, crossings.own_before, crossings.reference_before as reference_before_bin,
            beside_reference.value, beside_reference.value_rows, beside_reference.up_to, beside_reference.reference_up_to as reference_up_to_value,
            beside_reference.reference_equal
        from crossings
        left join beside_reference
            on crossings.cut = beside_reference.cut
            and crossings.group_number = beside_reference.group_number
            and crossings.bin = beside_reference.bin
    ) as candidates
    group by cut, group_number, bin, n, reference_number, reference_n, pooled_rank, reference_before_bin
),

pooled_with_reference as (
    -- One row for each group: the pooled quantile, and the rows of both samples above it, and at or above it.
    select
        cut,
        group_number,
        case when is_own = 1 then own_value else reference_value end as pooled_quantile,
        n - case when is_own = 1 then own_value_up_to else left_behind end as above,
        n - case when is_own = 1 then own_value_before else left_behind end as at_or_above,
        reference_n as second_rows,
        reference_n - case when is_own = 1 then reference_up_to else reference_value_up_to end as second_above,
        reference_n - case when is_own = 1 then reference_before else reference_value_before end as second_at_or_above
    from (
        select
            own_values.*,
            beside_reference.value as reference_value,
            own_values.reference_before_bin + beside_reference.up_to - beside_reference.value_rows as reference_value_before,
            own_values.reference_before_bin + beside_reference.up_to as reference_value_up_to,
            case when beside_reference.value is null or own_values.own_value <= beside_reference.value then 1 else 0 end as is_own
        from own_values
        left join beside_reference
            on own_values.cut = beside_reference.cut
            and own_values.reference_number = beside_reference.group_number
            and own_values.bin = beside_reference.bin
            and own_values.reference_before_bin + beside_reference.up_to - beside_reference.value_rows < own_values.pooled_rank - own_values.left_behind
            and own_values.pooled_rank - own_values.left_behind <= own_values.reference_before_bin + beside_reference.up_to
    ) as chosen
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
        select * from pooled_with_reference
    ) as pooled on quantiles.cut = pooled.cut and quantiles.group_number = pooled.group_number
),

spans as (
    -- One row for each cut that counts by bins: the least and the greatest number, the scale of the places between them, and the places of both.
    select
        *,
        case
            when lowest < 0 then scale / (scale + least(abs(lowest), 1e15 * scale)) - 1e0
            else 1e0 - scale / (scale + least(abs(lowest), 1e15 * scale))
        end as first_place,
        case
            when highest < 0 then scale / (scale + least(abs(highest), 1e15 * scale)) - 1e0
            else 1e0 - scale / (scale + least(abs(highest), 1e15 * scale))
        end as last_place
    from (
        select
            cut,
            minimum as lowest,
            maximum as highest,
            power(2e0, greatest(least(floor(coalesce(log_sum / nullif(log_rows, 0), 0e0) / 6.931471805599453e-1 + 3.82e-1), 9.5e2), -1e3)) as scale
        from by_group
        where cut in (1, 2, 3) and is_whole = 1 and groups_total <= 1000
    ) as scaled
),

bins_1 as (
    -- The rows that cut 1 evaluates, by attribute values as they are written and by bin: how many, and the extremes.
    select
        attribute_1,
        bin,
        count(case when label = 1 then 1 end) as positives,
        count(case when label = 0 then 1 end) as negatives,
        min(number) as lowest,
        max(number) as highest
    from (
        select
            attribute_1,
            number,
            label,
            cast(case
                when number <= lowest then 0e0
                when number >= highest then 10002e0
                else 1e0 + floor(coalesce((place - first_place) / nullif(last_place - first_place, 0) * 10000e0, 0e0))
            end as bigint) as bin
        from (
            select
                source.attribute_1,
                source.input_1 as number,
                source.input_2 as label,
                case
            when source.input_1 < 0 then spans.scale / (spans.scale + least(abs(source.input_1), 1e15 * spans.scale)) - 1e0
            else 1e0 - spans.scale / (spans.scale + least(abs(source.input_1), 1e15 * spans.scale))
        end as place,
                spans.lowest,
                spans.highest,
                spans.first_place,
                spans.last_place
            from source
            cross join (select * from spans where cut = 1) as spans
            where source.input_1 is not null and source.input_2 is not null and abs(source.input_1) <= cast('1.7976931348623157e308' as double)
        ) as placed
    ) as binned
    group by attribute_1, bin
),

bins_2 as (
    -- The rows that cut 2 evaluates, by attribute values as they are written and by bin: how many, and the extremes.
    select
        attribute_2,
        bin,
        count(*) as bin_rows,
        min(number) as lowest,
        max(number) as highest
    from (
        select
            attribute_2,
            number,
            cast(case
                when number <= lowest then 0e0
                when number >= highest then 10002e0
                else 1e0 + floor(coalesce((place - first_place) / nullif(last_place - first_place, 0) * 10000e0, 0e0))
            end as bigint) as bin
        from (
            select
                source.attribute_2,
                source.input_3 as number,
                case
            when source.input_3 < 0 then spans.scale / (spans.scale + least(abs(source.input_3), 1e15 * spans.scale)) - 1e0
            else 1e0 - spans.scale / (spans.scale + least(abs(source.input_3), 1e15 * spans.scale))
        end as place,
                spans.lowest,
                spans.highest,
                spans.first_place,
                spans.last_place
            from source
            cross join (select * from spans where cut = 2) as spans
            where source.input_3 is not null and abs(source.input_3) <= cast('1.7976931348623157e308' as double)
        ) as placed
    ) as binned
    group by attribute_2, bin
),

bins_3 as (
    -- The rows that cut 3 evaluates, by attribute values as they are written and by bin: how many, and the extremes.
    select
        attribute_2,
        bin,
        count(*) as bin_rows,
        min(number) as lowest,
        max(number) as highest
    from (
        select
            attribute_2,
            number,
            cast(case
                when number <= lowest then 0e0
                when number >= highest then 10002e0
                else 1e0 + floor(coalesce((place - first_place) / nullif(last_place - first_place, 0) * 10000e0, 0e0))
            end as bigint) as bin
        from (
            select
                source.attribute_2,
                source.input_3 as number,
                case
            when source.input_3 < 0 then spans.scale / (spans.scale + least(abs(source.input_3), 1e15 * spans.scale)) - 1e0
            else 1e0 - spans.scale / (spans.scale + least(abs(source.input_3), 1e15 * spans.scale))
        end as place,
                spans.lowest,
                spans.highest,
                spans.first_place,
                spans.last_place
            from source
            cross join (select * from spans where cut = 3) as spans
            where source.input_3 is not null and abs(source.input_3) <= cast('1.7976931348623157e308' as double)
        ) as placed
    ) as binned
    group by attribute_2, bin
),

score_bins as (
    -- One row for each group and bin, and one for the whole (group_number 0) and bin: positives, negatives and extremes.
    select
        cut,
        coalesce(every_bin.group_number, 0) as group_number,
        bin,
        sum(positives) as positives,
        sum(negatives) as negatives,
        min(lowest) as lowest,
        max(highest) as highest
    from (
    -- The rows of bins_1 that belong to a group of cut 1.
    select
        1 as cut,
        keys.group_number,
        bins_1.bin,
        bins_1.positives,
        bins_1.negatives,
        bins_1.lowest,
        bins_1.highest
    from bins_1
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 1 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on bins_1.attribute_1 = keys.attribute_1
    ) as every_bin
    group by grouping sets ((cut, every_bin.group_number, bin), (cut, bin))
),

placed_score_bins as (
    -- The same rows, with the negatives in the bins below.
    select
        *,
        coalesce(sum(negatives) over (partition by cut, group_number order by bin asc rows between unbounded preceding and 1 preceding), 0) as negatives_below
    from score_bins
),

binned_concordance as (
    -- One row for each group, and one for the whole: pairs in the right order, of those in one bin a half, and pairs of two scores in one bin.
    select
        cut,
        group_number,
        sum(cast(positives as double) * (cast(negatives_below as double) + cast(negatives as double) / 2e0)) as binned_concordant,
        sum(case when lowest < highest then cast(positives as double) * cast(negatives as double) else 0e0 end) as same_bin_pairs
    from placed_score_bins
    group by cut, group_number
),

value_bins as (
    -- One row for each group and bin, and one for the whole (group_number 0) and bin: rows and extremes.
    select
        cut,
        coalesce(every_bin.group_number, 0) as group_number,
        bin,
        sum(bin_rows) as bin_rows,
        min(lowest) as lowest,
        max(highest) as highest
    from (
    -- The rows of bins_2 that belong to a group of cut 2.
    select
        2 as cut,
        keys.group_number,
        bins_2.bin,
        bins_2.bin_rows,
        bins_2.lowest,
        bins_2.highest
    from bins_2
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_2
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 2 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on bins_2.attribute_2 = keys.attribute_2
    union all
    -- The rows of bins_3 that belong to a group of cut 3.
    select
        3 as cut,
        keys.group_number,
        bins_3.bin,
        bins_3.bin_rows,
        bins_3.lowest,
        bins_3.highest
    from bins_3
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_2
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 3 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on bins_3.attribute_2 = keys.attribute_2
    ) as every_bin
    group by grouping sets ((cut, every_bin.group_number, bin), (cut, bin))
),

placed_value_bins as (
    -- The same rows, with how many of the group lie up to the bin.
    select
        *,
        sum(bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as up_to
    from value_bins
),

binned_sizes as (
    -- One row for each group, and one for the whole: how many values, which quantile, at which alpha.
    select
        cut,
        group_number,
        cast(evaluated as double) as n,
        cast(case when cut = 2 then 1 when cut = 3 then 19 end as double) / case when cut = 2 then 2 when cut = 3 then 20 end as q,
        case when cut = 2 then 1 when cut = 3 then 19 end as numerator,
        case when cut = 2 then 2 when cut = 3 then 20 end as denominator,
        cast(0.05 as double) as alpha
    from by_group
    where cut in (2, 3) and evaluated > 0 and groups_total <= 1000
),

binned_nodes as (
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

binned_tails as (
    -- Two rows for each size: the lower tail of Binomial(n, q), and the upper one as the lower tail of Binomial(n, 1 - q).
    select cut, group_number, 0 as is_upper, n, q, alpha, q as p, alpha / 2e0 * (1e0 - 1e-11) as tail from binned_sizes
    union all
    select cut, group_number, 1 as is_upper, n, q, alpha, 1e0 - q as p, alpha / 2e0 * (1e0 + 1e-11) as tail from binned_sizes
),

binned_starts as (
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
            from (select *, sqrt(- 2e0 * ln(tail)) as t from binned_tails) as rational
        ) as newton
    ) as cornish_fisher
),

binned_candidates as (
    -- The ranks around the guess.
    select
        starts.*,
        starts.guess + 9 * (high.digit - 4) + low.digit - 4 as y
    from binned_starts as starts
    cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as high
    cross join (select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8) as low
    where (high.digit = 4 or starts.n < 100)
        and starts.guess + 9 * (high.digit - 4) + low.digit - 4 between 0 and starts.n - 1
),

binned_shaped as (
    -- The same rows: distance from the mean, and the scale on which the integrand falls.
    select
        *,
        n - y as rest,
        n * p as expected,
        n * (1e0 - p) as expected_rest,
        y - n * p as excess,
        6e0 / (n - y / p + sqrt((n - y / p) * (n - y / p) + 6e0 * y * (1e0 - p) / (p * p))) as scale
    from binned_candidates
),

binned_dense as (
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
    from binned_shaped
),

binned_spread as (
    -- Each rank at each point of its integral.
    select
        dense.*,
        nodes.weight,
        dense.scale * nodes.node as u
    from binned_dense as dense
    cross join binned_nodes as nodes
),

binned_grown as (
    -- The same rows, with what the integrand is a power of.
    select
        *,
        (1e0 - p) / p * (case when u < 1e-1 then u * (1e0 - u / 2e0 * (1e0 - u / 3e0 * (1e0 - u / 4e0 * (1e0 - u / 5e0 * (1e0 - u / 6e0 * (1e0 - u / 7e0 * (1e0 - u / 8e0 * (1e0 - u / 9e0 * (1e0 - u / 10e0 * 1e0))))))))) when u < 7e2 then 1e0 - exp(- u) else 1e0 end) as growth
    from binned_spread
),

binned_powers as (
    -- The same rows, with the logarithm of the integrand.
    select
        *,
        y * (case when growth < 1e-1 then 2e0 * (growth / (2e0 + growth)) * (1.0e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.3333333333333333e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.2e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.14285714285714285e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.1111111111111111e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * (0.09090909090909091e0 + (growth / (2e0 + growth)) * (growth / (2e0 + growth)) * 0.07692307692307693e0)))))) else ln(1e0 + growth) end) - (n - y) * u as exponent
    from binned_grown
),

binned_masses as (
    -- One row for each rank: the probability of that rank or a lower one.
    select
        cut, group_number, is_upper, n, q, tail, y,
        density * (n - y) * scale * sum(weight * case when exponent > -2e2 then exp(exponent) else 0e0 end) as mass
    from binned_powers
    group by cut, group_number, is_upper, n, q, tail, y, density, scale
),

binned_order_ranks as (
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
        from binned_masses
        group by cut, group_number, is_upper, n, q
    ) as found
    group by cut, group_number
),

binned_positions as (
    -- The same rows: the quantile lies between the low and the high position, its interval between the lower and the upper rank.
    select
        binned_sizes.cut,
        binned_sizes.group_number,
        binned_sizes.n,
        binned_sizes.numerator,
        binned_sizes.denominator,
        cast(floor(binned_sizes.numerator * (binned_sizes.n - 1) / binned_sizes.denominator) + 1 as bigint) as low_position,
        cast(ceil(binned_sizes.numerator * (binned_sizes.n - 1) / binned_sizes.denominator) + 1 as bigint) as high_position,
        case when binned_sizes.group_number > 0 then cast(binned_order_ranks.lower_rank as bigint) end as lower_rank,
        case when binned_sizes.group_number > 0 then cast(binned_order_ranks.upper_rank as bigint) end as upper_rank
    from binned_sizes
    left join binned_order_ranks on binned_sizes.cut = binned_order_ranks.cut and binned_sizes.group_number = binned_order_ranks.group_number
),

bounded_values as (
    -- The same rows: what the values at those positions can be at least and at most, and where they are taken to be.
    select
        cut,
        group_number,
        n,
        numerator,
        denominator,
        max(case when low_position > up_to - bin_rows and low_position <= up_to then case when low_position = up_to then highest else lowest end end) as low_least,
        max(case when low_position > up_to - bin_rows and low_position <= up_to then case when lowest < highest and low_position < up_to then case when lowest < -1e280 and highest > 1e280 then lowest + ((low_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (highest / 2e0 - lowest / 2e0) + ((low_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (highest / 2e0 - lowest / 2e0) when ((low_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (least(highest - lowest, cast('1e-200' as double)) * 1e30) >= cast('2.5e-294' as double) then lowest + ((low_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (highest - lowest) else lowest end else highest end end) as low_value,
        max(case when low_position > up_to - bin_rows and low_position <= up_to then case when low_position = up_to - bin_rows + 1 then lowest else highest end end) as low_greatest,
        max(case when high_position > up_to - bin_rows and high_position <= up_to then case when high_position = up_to then highest else lowest end end) as high_least,
        max(case when high_position > up_to - bin_rows and high_position <= up_to then case when lowest < highest and high_position < up_to then case when lowest < -1e280 and highest > 1e280 then lowest + ((high_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (highest / 2e0 - lowest / 2e0) + ((high_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (highest / 2e0 - lowest / 2e0) when ((high_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (least(highest - lowest, cast('1e-200' as double)) * 1e30) >= cast('2.5e-294' as double) then lowest + ((high_position - (up_to - bin_rows) - 1) / cast(bin_rows - 1 as double)) * (highest - lowest) else lowest end else highest end end) as high_value,
        max(case when high_position > up_to - bin_rows and high_position <= up_to then case when high_position = up_to - bin_rows + 1 then lowest else highest end end) as high_greatest,
        max(case when lower_rank > up_to - bin_rows and lower_rank <= up_to then case when lower_rank = up_to then highest else lowest end end) as lower_least,
        max(case when upper_rank > up_to - bin_rows and upper_rank <= up_to then case when upper_rank = up_to - bin_rows + 1 then lowest else highest end end) as upper_greatest
    from (
        select
            positions.*,
            bins.bin_rows,
            bins.lowest,
            bins.highest,
            cast(bins.up_to as double) as up_to
        from binned_positions as positions
        inner join placed_value_bins as bins on positions.cut = bins.cut and positions.group_number = bins.group_number
    ) as placed
    group by cut, group_number, n, numerator, denominator
),

binned_quantiles as (
    -- The same rows: the quantile, its bounds and those of its interval.
    select
        cut,
        group_number,
        n,
        numerator,
        denominator,
        lower_least as interval_lower,
        upper_greatest as interval_upper,
        case when low_value < -1e280 and high_value > 1e280 then low_value + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_value / 2e0 - low_value / 2e0) + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_value / 2e0 - low_value / 2e0) when (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (least(high_value - low_value, cast('1e-200' as double)) * 1e30) >= cast('2.5e-294' as double) then low_value + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_value - low_value) else low_value end as approximate_quantile,
        case when low_least < -1e280 and high_least > 1e280 then low_least + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_least / 2e0 - low_least / 2e0) + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_least / 2e0 - low_least / 2e0) when (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (least(high_least - low_least, cast('1e-200' as double)) * 1e30) >= cast('2.5e-294' as double) then low_least + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_least - low_least) else low_least end as quantile_least,
        case when low_greatest < -1e280 and high_greatest > 1e280 then low_greatest + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_greatest / 2e0 - low_greatest / 2e0) + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_greatest / 2e0 - low_greatest / 2e0) when (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (least(high_greatest - low_greatest, cast('1e-200' as double)) * 1e30) >= cast('2.5e-294' as double) then low_greatest + (numerator * (n - 1) / denominator - floor(numerator * (n - 1) / denominator)) * (high_greatest - low_greatest) else low_greatest end as quantile_greatest
    from bounded_values
),

binned_references as (
    -- One row for each cut: the reference group.
    select cut, group_number, n
    from (
        select
            *,
            row_number() over (
                partition by cut
                order by case when (abs(approximate_quantile - best) <= 1e-12 * greatest(abs(approximate_quantile), abs(best), cast('1e-290' as double)) or abs(approximate_quantile - best) <= 1e-15) then 0 else 1 end asc, n desc, place_1 asc
            ) as place
        from (
            select *, case
            when cut = 2 then min(case when is_eligible = 1 then approximate_quantile end) over (partition by cut)
        end as best
            from (
                select
                    binned_quantiles.cut, binned_quantiles.group_number, binned_quantiles.n, binned_quantiles.approximate_quantile,
                    by_group.key_1 as place_1,
                    case
            when binned_quantiles.cut = 2 then case when by_group.evaluated >= 30 and cast(by_group.evaluated as double) / wholes.evaluated >= 0.02 then 1 else 0 end
        end as is_eligible
                from binned_quantiles
                inner join by_group on binned_quantiles.cut = by_group.cut and binned_quantiles.group_number = by_group.group_number
                inner join by_group as wholes on binned_quantiles.cut = wholes.cut and wholes.is_whole = 1
                where by_group.is_whole = 0
            ) as candidates
        ) as compared
        where is_eligible = 1
    ) as placed
    where place = 1
),

bins_beside_reference as (
    -- The bins of each group and of the reference group together, with the rows of both up to the bin.
    select
        cut,
        group_number,
        n,
        other_rows,
        own_bin_rows,
        other_bin_rows,
        floor(numerator * (n + other_rows - 1) / denominator) + 1 as pooled_rank,
        sum(own_bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as own_up_to,
        sum(other_bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as other_up_to
    from (
        select cut, group_number, n, numerator, denominator, other_rows, bin, sum(own_bin_rows) as own_bin_rows, sum(other_bin_rows) as other_bin_rows
        from (
            select
                quantiles.cut,
                quantiles.group_number,
                quantiles.n,
                quantiles.numerator,
                quantiles.denominator,
                reference_groups.n as other_rows,
                bins.bin,
                bins.bin_rows as own_bin_rows,
                0 as other_bin_rows
            from binned_quantiles as quantiles
            inner join binned_references as reference_groups on quantiles.cut = reference_groups.cut
            inner join value_bins as bins on quantiles.cut = bins.cut and quantiles.group_number = bins.group_number
            where quantiles.group_number not in (0, reference_groups.group_number)
            union all
            select
                quantiles.cut,
                quantiles.group_number,
                quantiles.n,
                quantiles.numerator,
                quantiles.denominator,
                reference_groups.n as other_rows,
                bins.bin,
                0 as own_bin_rows,
                bins.bin_rows as other_bin_rows
            from binned_quantiles as quantiles
            inner join binned_references as reference_groups on quantiles.cut = reference_groups.cut
            inner join value_bins as bins on quantiles.cut = bins.cut and reference_groups.group_number = bins.group_number
            where quantiles.group_number not in (0, reference_groups.group_number)
        ) as own_and_other
        group by cut, group_number, n, numerator, denominator, other_rows, bin
    ) as merged
),

bins_with_reference as (
    -- One row for each group: the rows of both samples above the bin of the pooled quantile, and in it or above.
    select
        cut,
        group_number,
        n - own_up_to as above_bin,
        n - own_up_to + own_bin_rows as from_bin,
        other_rows,
        other_rows - other_up_to as other_above_bin,
        other_rows - other_up_to + other_bin_rows as other_from_bin
    from bins_beside_reference
    where own_up_to + other_up_to >= pooled_rank and own_up_to + other_up_to - own_bin_rows - other_bin_rows < pooled_rank
),

bins_with_others as (
    -- One row for each group: the rows of the group and all other rows above the bin of the quantile of the whole, and in it or above.
    select
        cut,
        group_number,
        above_bin,
        from_bin,
        whole_rows - n as other_rows,
        whole_above - above_bin as other_above_bin,
        whole_from - from_bin as other_from_bin
    from (
        select
            bins.cut,
            bins.group_number,
            wholes.n as whole_rows,
            wholes.n - wholes.up_to as whole_above,
            wholes.n - wholes.up_to + wholes.bin_rows as whole_from,
            sum(bins.bin_rows) as n,
            sum(case when bins.bin > wholes.bin then bins.bin_rows else 0 end) as above_bin,
            sum(case when bins.bin >= wholes.bin then bins.bin_rows else 0 end) as from_bin
        from value_bins as bins
        inner join (
            select whole_bins.cut, whole_bins.bin, whole_bins.bin_rows, whole_bins.up_to, positions.n
            from placed_value_bins as whole_bins
            inner join binned_positions as positions on whole_bins.cut = positions.cut and whole_bins.group_number = positions.group_number
            where whole_bins.group_number = 0
                and whole_bins.cut in (3)
                and positions.low_position <= whole_bins.up_to
                and positions.low_position > whole_bins.up_to - whole_bins.bin_rows
        ) as wholes on bins.cut = wholes.cut
        where bins.group_number > 0
        group by bins.cut, bins.group_number, wholes.n, wholes.up_to, wholes.bin_rows
    ) as split
),

binned_order_statistics as (
    -- One row for each group, and one for the whole: all of the above.
    select
        binned_quantiles.cut,
        binned_quantiles.group_number,
        binned_quantiles.approximate_quantile,
        binned_quantiles.quantile_least,
        binned_quantiles.quantile_greatest,
        binned_quantiles.interval_lower,
        binned_quantiles.interval_upper,
        pooled.above_bin,
        pooled.from_bin,
        pooled.other_rows,
        pooled.other_above_bin,
        pooled.other_from_bin
    from binned_quantiles
    left join (
        select * from bins_with_reference
        union all
        select * from bins_with_others
    ) as pooled on binned_quantiles.cut = pooled.cut and binned_quantiles.group_number = pooled.group_number
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
        cast(by_group.input_2_rows as bigint) as input_2_rows,
        cast(by_group.infinite_rows as bigint) as infinite_rows,
        cast(by_group.positives as bigint) as positives,
        cast(by_group.negatives as bigint) as negatives,
        case when by_group.is_whole = 0 then cast(by_group.minimum as double) end as minimum,
        case when by_group.is_whole = 0 then cast(by_group.maximum as double) end as maximum,
        by_group.label_minimum,
        by_group.label_maximum,
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
        cast(order_statistics.pooled_quantile as double) as pooled_quantile,
        cast(binned_concordance.binned_concordant as double) as binned_concordant,
        cast(binned_concordance.same_bin_pairs as double) as same_bin_pairs,
        cast(binned_order_statistics.above_bin as bigint) as above_bin,
        cast(binned_order_statistics.from_bin as bigint) as from_bin,
        cast(binned_order_statistics.other_rows as bigint) as other_rows,
        cast(binned_order_statistics.other_above_bin as bigint) as other_above_bin,
        cast(binned_order_statistics.other_from_bin as bigint) as other_from_bin,
        cast(binned_order_statistics.approximate_quantile as double) as approximate_quantile,
        cast(binned_order_statistics.quantile_least as double) as quantile_least,
        cast(binned_order_statistics.quantile_greatest as double) as quantile_greatest,
        cast(binned_order_statistics.interval_lower as double) as interval_lower,
        cast(binned_order_statistics.interval_upper as double) as interval_upper
    from by_group
    left join order_statistics
        on by_group.cut = order_statistics.cut and by_group.group_number = order_statistics.group_number
    left join binned_concordance
        on by_group.cut = binned_concordance.cut and by_group.group_number = binned_concordance.group_number
    left join binned_order_statistics
        on by_group.cut = binned_order_statistics.cut and by_group.group_number = binned_order_statistics.group_number
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
