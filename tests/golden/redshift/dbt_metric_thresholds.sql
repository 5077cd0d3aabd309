with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        cast('all' as varchar) as attribute_1,
        case
            when (cast("predicted" as varchar) in ('1') or (cast("predicted" as varchar) like '%.%' and case when cast("predicted" as varchar) ~ '^-?[0-9]+[.][0-9]+$' then case rtrim(rtrim(cast("predicted" as varchar), '0'), '.') when '-0' then '0' else rtrim(rtrim(cast("predicted" as varchar), '0'), '.') end else cast("predicted" as varchar) end in ('1'))) then 1
            when cast("predicted" as varchar) is not null then 0
        end as input_1,
        "predicted" as label_1,
        case
            when (cast("approved" as varchar) in ('1') or (cast("approved" as varchar) like '%.%' and case when cast("approved" as varchar) ~ '^-?[0-9]+[.][0-9]+$' then case rtrim(rtrim(cast("approved" as varchar), '0'), '.') when '-0' then '0' else rtrim(rtrim(cast("approved" as varchar), '0'), '.') end else cast("approved" as varchar) end in ('1'))) then 1
            when cast("approved" as varchar) is not null then 0
        end as input_2,
        "approved" as label_2,
        nullif(cast("score" * 1 as double precision), double precision 'NaN') as input_3,
        nullif(cast("waiting_days" * 1 as double precision), double precision 'NaN') as input_4
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        -- 3 true positive, 2 false positive, 1 false negative, 0 true negative
        2 * input_1 + input_2 as quantity_1,
        case when input_3 is not null then input_2 end as quantity_2,
        input_4 as quantity_3
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        count(*) as rows_total,
        count(case when input_1 is not null and input_2 is not null then 1 end) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        count(case when quantity_1 = 3 then 1 end) as tp_1,
        count(case when quantity_1 = 2 then 1 end) as fp_1,
        count(case when quantity_1 = 1 then 1 end) as fn_1,
        count(case when quantity_1 = 0 then 1 end) as tn_1,
        min(cast(label_2 as varchar)) as label_minimum_1,
        max(cast(label_2 as varchar)) as label_maximum_1,
        count(case when input_1 is not null and input_2 is not null and btrim(cast(label_1 as varchar), chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)) = '' then 1 end) as blank_1_1,
        count(case when input_1 is not null and input_2 is not null and btrim(cast(label_2 as varchar), chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)) = '' then 1 end) as blank_2_1,
        count(case when input_3 is not null and input_2 is not null then 1 end) as evaluated_2,
        count(input_3) as input_1_rows_2,
        count(input_2) as input_2_rows_2,
        count(case when input_2 is not null and abs(input_3) > 1.7976931348623157e308 then 1 end) as infinite_rows_2,
        count(case when quantity_2 = 1 then 1 end) as positives_2,
        count(case when quantity_2 = 0 then 1 end) as negatives_2,
        min(cast(label_2 as varchar)) as label_minimum_2,
        max(cast(label_2 as varchar)) as label_maximum_2,
        count(case when input_3 is not null and input_2 is not null and btrim(cast(label_2 as varchar), chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)) = '' then 1 end) as blank_2_2,
        count(input_4) as evaluated_3,
        count(input_4) as input_1_rows_3,
        count(case when abs(input_4) > 1.7976931348623157e308 then 1 end) as infinite_rows_3
    from measured
    group by attribute_1
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        attribute_1 as text_1
    from by_raw_key
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        attribute_1,
        text_1 as key_1,
        case when text_1 is null then 1 else 0 end as is_missing,
        rows_total,
        case when cut = 1 then evaluated_1 when cut = 2 then evaluated_2 when cut = 3 then evaluated_3 end as evaluated,
        case
            when cut = 1 then input_1_rows_1
            when cut = 2 then input_1_rows_2
            when cut = 3 then input_1_rows_3
        end as input_1_rows,
        case when cut = 1 then input_2_rows_1 when cut = 2 then input_2_rows_2 end as input_2_rows,
        case when cut = 1 then tp_1 end as tp,
        case when cut = 1 then fp_1 end as fp,
        case when cut = 1 then fn_1 end as fn,
        case when cut = 1 then tn_1 end as tn,
        case when cut = 1 then label_minimum_1 when cut = 2 then label_minimum_2 end as label_minimum,
        case when cut = 1 then label_maximum_1 when cut = 2 then label_maximum_2 end as label_maximum,
        case when cut = 1 then blank_1_1 end as blank_1,
        case when cut = 1 then blank_2_1 when cut = 2 then blank_2_2 end as blank_2,
        case when cut = 2 then infinite_rows_2 when cut = 3 then infinite_rows_3 end as infinite_rows,
        case when cut = 2 then positives_2 end as positives,
        case when cut = 2 then negatives_2 end as negatives
    from cleaned
    cross join (
        select 1 as cut
        union all select 2 as cut
        union all select 3 as cut
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
        sum(case when is_missing = 0 then tp else 0 end) as tp,
        sum(case when is_missing = 0 then fp else 0 end) as fp,
        sum(case when is_missing = 0 then fn else 0 end) as fn,
        sum(case when is_missing = 0 then tn else 0 end) as tn,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then blank_1 else 0 end) as blank_1,
        sum(case when is_missing = 0 then blank_2 else 0 end) as blank_2,
        sum(infinite_rows) as infinite_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        sum(case when is_missing = 0 then negatives else 0 end) as negatives,
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

scored as (
    -- The rows of the relation that belong to a group of cut 2.
    select
        2 as cut,
        keys.group_number,
        source.input_3 as score,
        cast(source.input_2 as smallint) as positive
    from source
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 2 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    where source.input_3 is not null and source.input_2 is not null
),

counted_scores as (
    -- One row for each group and score: positives and negatives.
    select
        cut,
        group_number,
        score,
        count(case when positive = 1 then 1 end) as positives,
        count(case when positive = 0 then 1 end) as negatives
    from scored
    group by cut, group_number, score
),

placed_scores as (
    -- The same rows, with the negatives below the score, a tie counting half, in the group and in the whole.
    select
        cut,
        group_number,
        cast(positives as double precision) as positives,
        up_to - cast(negatives as double precision) / 2e0 as below,
        max(up_to_in_whole) over (partition by cut, place)
        - cast(sum(negatives) over (partition by cut, place) as double precision) / 2e0 as below_in_whole
    from (
        select
            *,
            sum(negatives) over (partition by cut, group_number order by score asc rows between unbounded preceding and current row) as up_to,
            sum(negatives) over (partition by cut order by score asc rows between unbounded preceding and current row) as up_to_in_whole,
            dense_rank() over (partition by cut order by score asc) as place
        from counted_scores
    ) as cumulated
),

concordance as (
    -- One row for each group, and one for the whole (group_number 0): pairs in the right order, a tie counting half.
    select
        cut,
        coalesce(placed_scores.group_number, 0) as group_number,
        case when grouping(placed_scores.group_number) = 1 then sum(positives * below_in_whole) else sum(positives * below) end as concordant
    from placed_scores
    group by grouping sets ((cut, placed_scores.group_number), (cut))
),

value_spans as (
    -- One row for each column of values: ends, middle and spread of a sample, and how many bins lie on each side of the middle.
    select
        4 as input,
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
                input_4 as value,
                row_number() over (order by input_4 asc) as place,
                count(*) over () as n
            from source
            where abs(input_4) <= 1e300 and mod(fnv_hash(input_4), 512) = 0
        ) as sampled
    ) as measured_sample
),

valued as (
    -- The rows of the relation that belong to a group of cut 3.
    select
        3 as cut,
        keys.group_number,
        source.input_4 as value,
        cast(case
            when source.input_4 >= value_spans.centre then 2e0 * value_spans.half + 1e0 - floor(value_spans.half * (value_spans.spread / (value_spans.spread + (least(source.input_4, value_spans.high) - value_spans.centre))))
            else floor(value_spans.half * (value_spans.spread / (value_spans.spread + (value_spans.centre - greatest(source.input_4, value_spans.low)))))
        end as smallint) as bin
    from source
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 3 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    inner join value_spans
        on value_spans.input = 4
    where source.input_4 is not null
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
        cast(evaluated as double precision) as n,
        cast(9 as double precision) / 10 as q,
        9 as numerator,
        10 as denominator,
        cast(0.05 as double precision) as alpha
    from by_group
    where cut in (3) and evaluated > 0 and groups_total <= 1000
),

nodes as (
    -- The points and weights of the integral.
    select
        exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as node,
        9e-2 * 1.5707963267948966e0 * (exp(tau) + exp(- tau)) / 2e0 * exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as weight
    from (
        select cast(9 * high.digit + low.digit - 40 as double precision) * 9e-2 as tau
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
        cast(by_group.groups_total as bigint) as groups_total,
        cast(by_group.rows_total as bigint) as rows_total,
        cast(by_group.missing_metric_inputs as bigint) as missing_metric_inputs,
        cast(by_group.missing_attribute as bigint) as missing_attribute,
        cast(by_group.evaluated as bigint) as evaluated,
        cast(by_group.input_1_rows as bigint) as input_1_rows,
        cast(by_group.input_2_rows as bigint) as input_2_rows,
        cast(by_group.tp as bigint) as tp,
        cast(by_group.fp as bigint) as fp,
        cast(by_group.fn as bigint) as fn,
        cast(by_group.tn as bigint) as tn,
        by_group.label_minimum,
        by_group.label_maximum,
        cast(by_group.blank_1 as bigint) as blank_1,
        cast(by_group.blank_2 as bigint) as blank_2,
        cast(by_group.infinite_rows as bigint) as infinite_rows,
        cast(by_group.positives as bigint) as positives,
        cast(by_group.negatives as bigint) as negatives,
        cast(by_group.attribute_1_rows as bigint) as attribute_1_rows,
        cast(concordance.concordant as double precision) as concordant,
        cast(order_statistics.lower_rank as bigint) as lower_rank,
        cast(order_statistics.upper_rank as bigint) as upper_rank,
        cast(order_statistics.above as bigint) as above,
        cast(order_statistics.at_or_above as bigint) as at_or_above,
        cast(order_statistics.second_rows as bigint) as second_rows,
        cast(order_statistics.second_above as bigint) as second_above,
        cast(order_statistics.second_at_or_above as bigint) as second_at_or_above,
        cast(order_statistics.quantile as double precision) as quantile,
        cast(order_statistics.lower as double precision) as lower,
        cast(order_statistics.upper as double precision) as upper,
        cast(order_statistics.pooled_quantile as double precision) as pooled_quantile
    from by_group
    left join concordance
        on by_group.cut = concordance.cut and by_group.group_number = concordance.group_number
    left join order_statistics
        on by_group.cut = order_statistics.cut and by_group.group_number = order_statistics.group_number
),

questions as (
    select
        *,
        cut - min(cut) over () + 1 as question
    from statistics
),

beside_whole as (
    select
        *,
        max(case when is_whole = 1 then evaluated end) over (partition by cut) as whole_evaluated,
        max(case when is_whole = 1 then rows_total end) over (partition by cut) as whole_rows_total,
        max(case when is_whole = 1 then missing_metric_inputs end) over (partition by cut) as whole_missing_metric_inputs,
        max(case when is_whole = 1 then missing_attribute end) over (partition by cut) as whole_missing_attribute,
        max(case when is_whole = 1 then input_1_rows end) over (partition by cut) as whole_input_1_rows,
        max(case when is_whole = 1 then input_2_rows end) over (partition by cut) as whole_input_2_rows,
        max(case when is_whole = 1 then tp end) over (partition by cut) as whole_tp,
        max(case when is_whole = 1 then fn end) over (partition by cut) as whole_fn,
        max(case when is_whole = 1 then label_minimum end) over (partition by cut) as whole_label_minimum,
        max(case when is_whole = 1 then label_maximum end) over (partition by cut) as whole_label_maximum,
        max(case when is_whole = 1 then positives end) over (partition by cut) as whole_positives,
        max(case when is_whole = 1 then infinite_rows end) over (partition by cut) as whole_infinite_rows,
        row_number() over (partition by cut order by is_whole asc) as place
    from questions
),

limited as (
    select
        numbers.threshold,
        case
            when numbers.threshold in (1, 4) then 1
            when numbers.threshold = 2 then 2
            when numbers.threshold = 3 then 3
        end as asked_part,
        beside_whole.*,
        case
            when numbers.threshold in (1, 4) then tp + fp + fn + tn
            when numbers.threshold = 2 then cast(positives as double precision) * negatives
            when numbers.threshold = 3 then evaluated
        end as denominator,
        case
            when numbers.threshold in (1, 4) then case when is_whole = 0 then cast(tp + tn as double precision) / nullif(cast(tp + fp + fn + tn as double precision), 0) end
            when numbers.threshold = 2 then case when is_whole = 0 and whole_infinite_rows = 0 then concordant / nullif(cast(positives as double precision) * negatives, 0) end
            when numbers.threshold = 3 then case when is_whole = 0 and whole_infinite_rows = 0 then quantile end
        end as value
    from (
        select row_number() over (order by half asc) as threshold
        from (select 0 as half union all select 0 as half union all select 0 as half union all select 0 as half) as halves
    ) as numbers
    left join beside_whole
        on beside_whole.place = 1 and beside_whole.question = case
            when numbers.threshold in (1, 4) then 1
            when numbers.threshold = 2 then 2
            when numbers.threshold = 3 then 3
        end
),

reasoned as (
    select
        *,
        case
            when asked_part = 1 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
            when asked_part = 1 and whole_input_1_rows = 0 then 'column_all_missing'
            when asked_part = 1 and whole_input_2_rows = 0 then 'column_all_missing'
            when asked_part = 1 and whole_evaluated = 0 then 'no_evaluated_rows'
            when asked_part = 1 and whole_tp + whole_fn = 0 then 'positive_class_absent'
            when asked_part = 1 and value is null then 'metric_undefined'
            when asked_part = 2 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
            when asked_part = 2 and whole_input_1_rows = 0 then 'column_all_missing'
            when asked_part = 2 and whole_input_2_rows = 0 then 'column_all_missing'
            when asked_part = 2 and whole_infinite_rows > 0 then 'infinite_values'
            when asked_part = 2 and whole_evaluated = 0 then 'no_evaluated_rows'
            when asked_part = 2 and whole_positives = 0 then 'positive_class_absent'
            when asked_part = 2 and whole_positives = whole_evaluated then 'negative_class_absent'
            when asked_part = 2 and value is null then 'metric_undefined'
            when asked_part = 3 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
            when asked_part = 3 and whole_input_1_rows = 0 then 'column_all_missing'
            when asked_part = 3 and whole_infinite_rows > 0 then 'infinite_values'
            when asked_part = 3 and whole_evaluated = 0 then 'no_evaluated_rows'
            when asked_part = 3 and value is null then 'metric_undefined'
        end as skip_reason,
        case
            when asked_part = 1 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when asked_part = 1 and whole_input_1_rows = 0 then 'every value of column predicted is missing'
            when asked_part = 1 and whole_input_2_rows = 0 then 'every value of column approved is missing'
            when asked_part = 1 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as varchar) || ' rows has every metric input'
            when asked_part = 1 and whole_tp + whole_fn = 0 then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when asked_part = 1 and value is null then 'accuracy is undefined over the evaluated rows'
            when asked_part = 2 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when asked_part = 2 and whole_input_1_rows = 0 then 'every value of column score is missing'
            when asked_part = 2 and whole_input_2_rows = 0 then 'every value of column approved is missing'
            when asked_part = 2 and whole_infinite_rows > 0 then cast(whole_infinite_rows as varchar) || ' rows hold an infinite value, or one whose square no number can hold, in score'
            when asked_part = 2 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as varchar) || ' rows has every metric input'
            when asked_part = 2 and whole_positives = 0 then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when asked_part = 2 and whole_positives = whole_evaluated then 'column approved holds nothing but positives in the evaluated rows' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when asked_part = 2 and value is null then 'auc is undefined over the evaluated rows'
            when asked_part = 3 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when asked_part = 3 and whole_input_1_rows = 0 then 'every value of column waiting_days is missing'
            when asked_part = 3 and whole_infinite_rows > 0 then cast(whole_infinite_rows as varchar) || ' rows hold an infinite value, or one whose square no number can hold, in waiting_days'
            when asked_part = 3 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as varchar) || ' rows has every metric input'
            when asked_part = 3 and value is null then 'p90 is undefined over the evaluated rows'
        end as skip_message
    from limited
),

judged as (
    select
        *,
        case when skip_reason is null then case
            when threshold in (1, 2) then case when value > cast(0.5 as double precision) or (abs(value - cast(0.5 as double precision)) <= 1e-12 * greatest(abs(value), abs(cast(0.5 as double precision)), 1e-290) or abs(value - cast(0.5 as double precision)) <= 1e-15) then 1 else 0 end
            when threshold = 3 then case when value < cast(30 as double precision) and not (abs(value - cast(30 as double precision)) <= 1e-12 * greatest(abs(value), abs(cast(30 as double precision)), 1e-290) or abs(value - cast(30 as double precision)) <= 1e-15) then 1 else 0 end
            when threshold = 4 then case when value < cast(1 as double precision) and not (abs(value - cast(1 as double precision)) <= 1e-12 * greatest(abs(value), abs(cast(1 as double precision)), 1e-290) or abs(value - cast(1 as double precision)) <= 1e-15) then 1 else 0 end
        end end as holds
    from reasoned
),

verdict as (
    select
        *,
        0 as is_test,
        1 as is_sufficient,
        0 as is_reference,
        0 as is_worse,
        0 as is_significant,
        case when holds = 0 then 1 else 0 end as is_failed,
        case when whole_evaluated > 0 then 1e0 end as share,
        cast(null as double precision) as comparison_value,
        cast(null as double precision) as ratio,
        cast(null as double precision) as difference,
        cast(null as double precision) as p_value,
        cast(null as double precision) as p_value_adjusted,
        case when are_broken = 1 then 'failed' when first_unjudged is not null then 'skipped' else 'passed' end as status,
        case when are_broken = 0 then max(case when threshold = first_unjudged then skip_reason end) over () end as reason,
        case when are_broken = 0 then max(case when threshold = first_unjudged then skip_message end) over () end as message
    from (
        select
            *,
            max(case when holds = 0 then 1 else 0 end) over () as are_broken,
            min(case when holds is null then threshold end) over () as first_unjudged
        from judged
    ) as beside_first
)

select
    'metric_threshold' as test_name,
    status,
    reason,
    message,
    nullif(substr(case when threshold = 1 and holds = 0 and skip_reason is null then '; accuracy >= 0.5' else '' end || case when threshold = 2 and holds = 0 and skip_reason is null then '; auc >= 0.5' else '' end || case when threshold = 3 and holds = 0 and skip_reason is null then '; p90 < 30' else '' end || case when threshold = 4 and holds = 0 and skip_reason is null then '; accuracy < 1' else '' end, 3), '') as broken_thresholds,
    cast(null as varchar) as protected_attribute_columns,
    case
            when asked_part = 1 then 'accuracy'
            when asked_part = 2 then 'auc'
            when asked_part = 3 then 'p90'
        end as parity_metric,
    cast(null as varchar) as key_1,
    cast(null as varchar) as key_2,
    cast(null as varchar) as key_3,
    cast(case when is_test = 0 then evaluated end as bigint) as group_rows,
    cast(case when is_test = 0 then missing_metric_inputs end as bigint) as missing_metric_inputs,
    cast(case when is_test = 0 then share end as double precision) as share,
    cast(case when is_test = 0 then case when skip_reason is null then value end end as double precision) as value,
    cast(case when is_test = 0 then denominator end as double precision) as denominator,
    cast(case when is_test = 0 then comparison_value end as double precision) as comparison_value,
    cast(case when is_test = 0 then ratio end as double precision) as ratio,
    cast(case when is_test = 0 then difference end as double precision) as difference,
    cast(case when is_test = 0 then p_value end as double precision) as p_value,
    cast(case when is_test = 0 then p_value_adjusted end as double precision) as p_value_adjusted,
    cast(case when is_test = 0 then tp end as double precision) as statistic_tp,
    cast(case when is_test = 0 then fp end as double precision) as statistic_fp,
    cast(case when is_test = 0 then fn end as double precision) as statistic_fn,
    cast(case when is_test = 0 then tn end as double precision) as statistic_tn,
    cast(case when is_test = 0 then positives end as double precision) as statistic_positives,
    cast(case when is_test = 0 then negatives end as double precision) as statistic_negatives,
    cast(case when is_test = 0 then concordant end as double precision) as statistic_concordant,
    cast(case when is_test = 0 then quantile end as double precision) as statistic_quantile,
    cast(case when is_test = 0 then lower end as double precision) as statistic_lower,
    cast(case when is_test = 0 then upper end as double precision) as statistic_upper,
    cast(case when is_test = 0 then pooled_quantile end as double precision) as statistic_pooled_quantile,
    cast(case when is_test = 0 then above end as double precision) as statistic_above,
    cast(case when is_test = 0 then at_or_above end as double precision) as statistic_at_or_above,
    cast(case when is_test = 0 then second_rows end as double precision) as statistic_second_rows,
    cast(case when is_test = 0 then second_above end as double precision) as statistic_second_above,
    cast(case when is_test = 0 then second_at_or_above end as double precision) as statistic_second_at_or_above,
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
    cast(groups_total as bigint) as groups_total
from verdict
where (status = 'skipped' and threshold = first_unjudged)
    or (status = 'failed' and holds = 0)
