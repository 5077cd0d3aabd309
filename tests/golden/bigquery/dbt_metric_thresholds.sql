with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        cast('all' as string) as attribute_1,
        case
            when (case when typeof(`predicted`) = 'FLOAT64' then case cast(`predicted` as string) when 'nan' then null when '-0' then '0' else cast(`predicted` as string) end when typeof(`predicted`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`predicted`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`predicted` as string) end in ('1') or (case when typeof(`predicted`) = 'FLOAT64' then case cast(`predicted` as string) when 'nan' then null when '-0' then '0' else cast(`predicted` as string) end when typeof(`predicted`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`predicted`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`predicted` as string) end like '%.%' and regexp_replace(case when typeof(`predicted`) = 'FLOAT64' then case cast(`predicted` as string) when 'nan' then null when '-0' then '0' else cast(`predicted` as string) end when typeof(`predicted`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`predicted`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`predicted` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))$', r'\1\2\3') in ('1'))) then 1
            when case when typeof(`predicted`) = 'FLOAT64' then case cast(`predicted` as string) when 'nan' then null when '-0' then '0' else cast(`predicted` as string) end when typeof(`predicted`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`predicted`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`predicted` as string) end is not null then 0
        end as input_1,
        `predicted` as label_1,
        case
            when (case when typeof(`approved`) = 'FLOAT64' then case cast(`approved` as string) when 'nan' then null when '-0' then '0' else cast(`approved` as string) end when typeof(`approved`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`approved`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`approved` as string) end in ('1') or (case when typeof(`approved`) = 'FLOAT64' then case cast(`approved` as string) when 'nan' then null when '-0' then '0' else cast(`approved` as string) end when typeof(`approved`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`approved`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`approved` as string) end like '%.%' and regexp_replace(case when typeof(`approved`) = 'FLOAT64' then case cast(`approved` as string) when 'nan' then null when '-0' then '0' else cast(`approved` as string) end when typeof(`approved`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`approved`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`approved` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))$', r'\1\2\3') in ('1'))) then 1
            when case when typeof(`approved`) = 'FLOAT64' then case cast(`approved` as string) when 'nan' then null when '-0' then '0' else cast(`approved` as string) end when typeof(`approved`) in ('DATETIME', 'TIMESTAMP') then regexp_replace(nullif(trim(to_json_string(`approved`), '"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\1\2') else cast(`approved` as string) end is not null then 0
        end as input_2,
        `approved` as label_2,
        if(is_nan(cast(`score` * 1 as float64)), null, cast(`score` * 1 as float64)) as input_3,
        if(is_nan(cast(`waiting_days` * 1 as float64)), null, cast(`waiting_days` * 1 as float64)) as input_4
    from `loans`
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
        min(cast(label_2 as string)) as label_minimum_1,
        max(cast(label_2 as string)) as label_maximum_1,
        count(case when input_1 is not null and input_2 is not null and trim(cast(label_1 as string), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') = '' then 1 end) as blank_1_1,
        count(case when input_1 is not null and input_2 is not null and trim(cast(label_2 as string), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') = '' then 1 end) as blank_2_1,
        count(case when input_3 is not null and input_2 is not null then 1 end) as evaluated_2,
        count(input_3) as input_1_rows_2,
        count(input_2) as input_2_rows_2,
        count(case when input_2 is not null and abs(input_3) > 1.7976931348623157e308 then 1 end) as infinite_rows_2,
        count(case when quantity_2 = 1 then 1 end) as positives_2,
        count(case when quantity_2 = 0 then 1 end) as negatives_2,
        min(cast(label_2 as string)) as label_minimum_2,
        max(cast(label_2 as string)) as label_maximum_2,
        count(case when input_3 is not null and input_2 is not null and trim(cast(label_2 as string), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') = '' then 1 end) as blank_2_2,
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
        source.input_2 as positive
    from source
    inner join (
            select distinct
                numbered.group_number as group_number,
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
        cast(positives as float64) as positives,
        up_to - cast(negatives as float64) / 2e0 as below,
        max(up_to_in_whole) over (partition by cut, place)
        - cast(sum(negatives) over (partition by cut, place) as float64) / 2e0 as below_in_whole
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

valued as (
    -- The rows of the relation that belong to a group of cut 3.
    select
        3 as cut,
        keys.group_number,
        source.input_4 as value
    from source
    inner join (
            select distinct
                numbered.group_number as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 3 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    where source.input_4 is not null
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
        cast(9 as float64) / 10 as q,
        9 as numerator,
        10 as denominator,
        cast(0.05 as float64) as alpha
    from by_group
    where cut in (3) and evaluated > 0 and groups_total <= 1000
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
        cast(by_group.input_2_rows as int64) as input_2_rows,
        cast(by_group.tp as int64) as tp,
        cast(by_group.fp as int64) as fp,
        cast(by_group.fn as int64) as fn,
        cast(by_group.tn as int64) as tn,
        by_group.label_minimum,
        by_group.label_maximum,
        cast(by_group.blank_1 as int64) as blank_1,
        cast(by_group.blank_2 as int64) as blank_2,
        cast(by_group.infinite_rows as int64) as infinite_rows,
        cast(by_group.positives as int64) as positives,
        cast(by_group.negatives as int64) as negatives,
        cast(by_group.attribute_1_rows as int64) as attribute_1_rows,
        cast(concordance.concordant as float64) as concordant,
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
            when numbers.threshold = 2 then cast(positives as float64) * negatives
            when numbers.threshold = 3 then evaluated
        end as denominator,
        case
            when numbers.threshold in (1, 4) then case when is_whole = 0 then cast(tp + tn as float64) / nullif(cast(tp + fp + fn + tn as float64), 0) end
            when numbers.threshold = 2 then case when is_whole = 0 and whole_infinite_rows = 0 then concordant / nullif(cast(positives as float64) * negatives, 0) end
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
            when asked_part = 1 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
            when asked_part = 1 and whole_tp + whole_fn = 0 then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when asked_part = 1 and value is null then 'accuracy is undefined over the evaluated rows'
            when asked_part = 2 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when asked_part = 2 and whole_input_1_rows = 0 then 'every value of column score is missing'
            when asked_part = 2 and whole_input_2_rows = 0 then 'every value of column approved is missing'
            when asked_part = 2 and whole_infinite_rows > 0 then cast(whole_infinite_rows as string) || ' rows hold an infinite value, or one whose square no number can hold, in score'
            when asked_part = 2 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
            when asked_part = 2 and whole_positives = 0 then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when asked_part = 2 and whole_positives = whole_evaluated then 'column approved holds nothing but positives in the evaluated rows' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when asked_part = 2 and value is null then 'auc is undefined over the evaluated rows'
            when asked_part = 3 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when asked_part = 3 and whole_input_1_rows = 0 then 'every value of column waiting_days is missing'
            when asked_part = 3 and whole_infinite_rows > 0 then cast(whole_infinite_rows as string) || ' rows hold an infinite value, or one whose square no number can hold, in waiting_days'
            when asked_part = 3 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
            when asked_part = 3 and value is null then 'p90 is undefined over the evaluated rows'
        end as skip_message
    from limited
),

judged as (
    select
        *,
        case when skip_reason is null then case
            when threshold in (1, 2) then case when value > cast(0.5 as float64) or (abs(value - cast(0.5 as float64)) <= 1e-12 * greatest(abs(value), abs(cast(0.5 as float64)), 1e-290) or abs(value - cast(0.5 as float64)) <= 1e-15) then 1 else 0 end
            when threshold = 3 then case when value < cast(30 as float64) and not (abs(value - cast(30 as float64)) <= 1e-12 * greatest(abs(value), abs(cast(30 as float64)), 1e-290) or abs(value - cast(30 as float64)) <= 1e-15) then 1 else 0 end
            when threshold = 4 then case when value < cast(1 as float64) and not (abs(value - cast(1 as float64)) <= 1e-12 * greatest(abs(value), abs(cast(1 as float64)), 1e-290) or abs(value - cast(1 as float64)) <= 1e-15) then 1 else 0 end
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
        cast(null as float64) as comparison_value,
        cast(null as float64) as ratio,
        cast(null as float64) as difference,
        cast(null as float64) as p_value,
        cast(null as float64) as p_value_adjusted,
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
    cast(null as string) as protected_attribute_columns,
    case
            when asked_part = 1 then 'accuracy'
            when asked_part = 2 then 'auc'
            when asked_part = 3 then 'p90'
        end as parity_metric,
    cast(null as string) as key_1,
    cast(null as string) as key_2,
    cast(null as string) as key_3,
    cast(case when is_test = 0 then evaluated end as int64) as group_rows,
    cast(case when is_test = 0 then missing_metric_inputs end as int64) as missing_metric_inputs,
    cast(case when is_test = 0 then share end as float64) as share,
    cast(case when is_test = 0 then case when skip_reason is null then value end end as float64) as value,
    cast(case when is_test = 0 then denominator end as float64) as denominator,
    cast(case when is_test = 0 then comparison_value end as float64) as comparison_value,
    cast(case when is_test = 0 then ratio end as float64) as ratio,
    cast(case when is_test = 0 then difference end as float64) as difference,
    cast(case when is_test = 0 then p_value end as float64) as p_value,
    cast(case when is_test = 0 then p_value_adjusted end as float64) as p_value_adjusted,
    cast(case when is_test = 0 then tp end as float64) as statistic_tp,
    cast(case when is_test = 0 then fp end as float64) as statistic_fp,
    cast(case when is_test = 0 then fn end as float64) as statistic_fn,
    cast(case when is_test = 0 then tn end as float64) as statistic_tn,
    cast(case when is_test = 0 then positives end as float64) as statistic_positives,
    cast(case when is_test = 0 then negatives end as float64) as statistic_negatives,
    cast(case when is_test = 0 then concordant end as float64) as statistic_concordant,
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
    cast(groups_total as int64) as groups_total
from verdict
where (status = 'skipped' and threshold = first_unjudged)
    or (status = 'failed' and holds = 0)
