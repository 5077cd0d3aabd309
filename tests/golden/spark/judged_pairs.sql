-- fairsql (version)
-- cuts 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14: Pairs of answers
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        cast('all' as string) as attribute_1,
        `dimension` as attribute_2,
        case when typeof(`divergence`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`divergence` as double), cast('NaN' as double)) else cast(raise_error('column `divergence` is not numeric') as double) end as input_1,
        case when typeof(`equivalent`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`equivalent` as double), cast('NaN' as double)) else cast(raise_error('column `equivalent` is not numeric') as double) end as input_2,
        case when typeof(`position_difference`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`position_difference` as double), cast('NaN' as double)) else cast(raise_error('column `position_difference` is not numeric') as double) end as input_3,
        case when typeof(`control_divergence`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`control_divergence` as double), cast('NaN' as double)) else cast(raise_error('column `control_divergence` is not numeric') as double) end as input_4,
        case when typeof(`divergence_square`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`divergence_square` as double), cast('NaN' as double)) else cast(raise_error('column `divergence_square` is not numeric') as double) end as input_5,
        case when typeof(`equivalent_square`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`equivalent_square` as double), cast('NaN' as double)) else cast(raise_error('column `equivalent_square` is not numeric') as double) end as input_6,
        case when typeof(`position_difference_square`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`position_difference_square` as double), cast('NaN' as double)) else cast(raise_error('column `position_difference_square` is not numeric') as double) end as input_7,
        case when typeof(`gap_square`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`gap_square` as double), cast('NaN' as double)) else cast(raise_error('column `gap_square` is not numeric') as double) end as input_8,
        case when typeof(`divergence_square_in_dimension`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`divergence_square_in_dimension` as double), cast('NaN' as double)) else cast(raise_error('column `divergence_square_in_dimension` is not numeric') as double) end as input_9,
        case when typeof(`equivalent_square_in_dimension`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`equivalent_square_in_dimension` as double), cast('NaN' as double)) else cast(raise_error('column `equivalent_square_in_dimension` is not numeric') as double) end as input_10,
        case when typeof(`gap_square_in_dimension`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`gap_square_in_dimension` as double), cast('NaN' as double)) else cast(raise_error('column `gap_square_in_dimension` is not numeric') as double) end as input_11
    from (

    with answers_of_variants as (
        select *
        from (
        select
            group_id,
            dimension,
            role,
            input,
            output,
            row_number() over (
                partition by group_id, dimension, role
                order by output, input
            ) as place
        from (
            select
                trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(relation.`group_id` as string)) as group_id,
                coalesce(trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(relation.`dimension` as string)), '') as dimension,
                trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(relation.`role` as string)) as role,
                cast(relation.`prompt` as string) as input,
                cast(relation.`answer` as string) as output
            from (
                select * from `variants`
            ) as relation
        ) as variants
        where group_id is not null and role is not null and output is not null
        ) as once
        -- Always true: Spark computes a part once that may not be the same twice.
        where rand() >= 0
    ),
    pairs_of_answers as (
        select
            one.group_id,
            one.dimension,
            case when one.role = other.role then 1 else 0 end as is_control,
            one.role as role_1,
            other.role as role_2,
            one.input,
            one.output as output_1,
            other.output as output_2
        from answers_of_variants as one
        inner join answers_of_variants as other
            on one.group_id = other.group_id
            and one.dimension = other.dimension
            and (
                (one.role = 'reference' and other.role <> one.role)
                or (one.role = other.role and one.place < other.place)
            )
    ),
    judgements_of_pairs as (
        select *
        from (
        select input_hash, score, label
        from (
            select
                input_hash,
                score,
                label,
                row_number() over (
                    partition by input_hash
                    order by case when score is null then 1 else 0 end, judged_at desc, score
                ) as place
            from `fairsql_judgements`
            where judge = 'pairwise_bias' and prompt_version = 'v1' and model = 'm1'
        ) as numbered
        where place = 1
        ) as once
        -- Always true: Spark computes a part once that may not be the same twice.
        where rand() >= 0
    ),
    scores_of_pairs as (
        select
            pairs.group_id,
            pairs.dimension,
            pairs.is_control,
            cast(first_order.score as double) as score_1,
            cast(second_order.score as double) as score_2
        from pairs_of_answers as pairs
        left join judgements_of_pairs as first_order
            on first_order.input_hash = sha2(case when pairs.input is null then '-' else cast(length(cast(pairs.input as string)) as string) || ':' || cast(pairs.input as string) end || case when pairs.output_1 is null then '-' else cast(length(cast(pairs.output_1 as string)) as string) || ':' || cast(pairs.output_1 as string) end || case when pairs.output_2 is null then '-' else cast(length(cast(pairs.output_2 as string)) as string) || ':' || cast(pairs.output_2 as string) end, 256)
        left join judgements_of_pairs as second_order
            on second_order.input_hash = sha2(case when pairs.input is null then '-' else cast(length(cast(pairs.input as string)) as string) || ':' || cast(pairs.input as string) end || case when pairs.output_2 is null then '-' else cast(length(cast(pairs.output_2 as string)) as string) || ':' || cast(pairs.output_2 as string) end || case when pairs.output_1 is null then '-' else cast(length(cast(pairs.output_1 as string)) as string) || ':' || cast(pairs.output_1 as string) end, 256)
    ),
    values_of_pairs as (
        select
            group_id,
            dimension,
            is_control,
            case when is_control = 0 then (score_1 + score_2) / 2e0 end as divergence,
            case when is_control = 0 then score_1 - score_2 end as position_difference,
            case when is_control = 1 then (score_1 + score_2) / 2e0 end as control_divergence,
            case when is_control = 0 and (score_1 + score_2) / 2e0 <= 0.0 then 1e0 when is_control = 0 and score_1 + score_2 is not null then 0e0 end as equivalent,
            case when is_control = 0 and (score_1 + score_2) / 2e0 <= 0.0 then 0e0 when is_control = 0 and score_1 + score_2 is not null then 1e0 end as divergent
        from scores_of_pairs
    ),
    residuals_of_pairs as (
        select
            *,
            (divergence - avg(divergence) over ()) / nullif(cast(count(divergence) over () as double), 0) as divergence_residual,
            (divergence - avg(divergence) over (partition by dimension)) / nullif(cast(count(divergence) over (partition by dimension) as double), 0) as divergence_in_dimension_residual,
            (equivalent - avg(equivalent) over ()) / nullif(cast(count(equivalent) over () as double), 0) as equivalent_residual,
            (equivalent - avg(equivalent) over (partition by dimension)) / nullif(cast(count(equivalent) over (partition by dimension) as double), 0) as equivalent_in_dimension_residual,
            (position_difference - avg(position_difference) over ()) / nullif(cast(count(position_difference) over () as double), 0) as position_difference_residual,
            (position_difference - avg(position_difference) over (partition by dimension)) / nullif(cast(count(position_difference) over (partition by dimension) as double), 0) as position_difference_in_dimension_residual,
            (control_divergence - avg(control_divergence) over ()) / nullif(cast(count(control_divergence) over () as double), 0) as control_divergence_residual,
            (control_divergence - avg(control_divergence) over (partition by dimension)) / nullif(cast(count(control_divergence) over (partition by dimension) as double), 0) as control_divergence_in_dimension_residual
        from values_of_pairs
    ),
    clusters_of_pairs as (
        select
            *,
            row_number() over (partition by group_id order by dimension, is_control) as place_in_group,
            row_number() over (partition by dimension, group_id order by is_control) as place_in_dimension,
            sum(divergence_residual) over (partition by group_id) as divergence_cluster,
            sum(divergence_in_dimension_residual) over (partition by dimension, group_id) as divergence_in_dimension_cluster,
            sum(equivalent_residual) over (partition by group_id) as equivalent_cluster,
            sum(equivalent_in_dimension_residual) over (partition by dimension, group_id) as equivalent_in_dimension_cluster,
            sum(position_difference_residual) over (partition by group_id) as position_difference_cluster,
            sum(position_difference_in_dimension_residual) over (partition by dimension, group_id) as position_difference_in_dimension_cluster,
            sum(control_divergence_residual) over (partition by group_id) as control_divergence_cluster,
            sum(control_divergence_in_dimension_residual) over (partition by dimension, group_id) as control_divergence_in_dimension_cluster
        from residuals_of_pairs
    )
    select
        group_id,
        dimension,
        divergence,
        equivalent,
        divergent,
        position_difference,
        control_divergence,
        case when place_in_group = 1 then divergence_cluster * divergence_cluster end as divergence_square,
        case when place_in_group = 1 then equivalent_cluster * equivalent_cluster end as equivalent_square,
        case when place_in_group = 1 then position_difference_cluster * position_difference_cluster end as position_difference_square,
        case when place_in_group = 1 and coalesce(divergence_cluster, control_divergence_cluster) is not null then (coalesce(divergence_cluster, 0e0) - coalesce(control_divergence_cluster, 0e0)) * (coalesce(divergence_cluster, 0e0) - coalesce(control_divergence_cluster, 0e0)) end as gap_square,
        case when place_in_dimension = 1 then divergence_in_dimension_cluster * divergence_in_dimension_cluster end as divergence_square_in_dimension,
        case when place_in_dimension = 1 then equivalent_in_dimension_cluster * equivalent_in_dimension_cluster end as equivalent_square_in_dimension,
        case when place_in_dimension = 1 then position_difference_in_dimension_cluster * position_difference_in_dimension_cluster end as position_difference_square_in_dimension,
        case when place_in_dimension = 1 and coalesce(divergence_in_dimension_cluster, control_divergence_in_dimension_cluster) is not null then (coalesce(divergence_in_dimension_cluster, 0e0) - coalesce(control_divergence_in_dimension_cluster, 0e0)) * (coalesce(divergence_in_dimension_cluster, 0e0) - coalesce(control_divergence_in_dimension_cluster, 0e0)) end as gap_square_in_dimension
    from clusters_of_pairs
) as relation
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when abs(input_1) <= 1e150 then input_1 end as quantity_1,
        case when abs(input_2) <= 1e150 then input_2 end as quantity_2,
        case when abs(input_3) <= 1e150 then input_3 end as quantity_3,
        case when abs(input_4) <= 1e150 then input_4 end as quantity_4,
        case when abs(input_5) <= 1e150 then input_5 end as quantity_5,
        case when abs(input_6) <= 1e150 then input_6 end as quantity_6,
        case when abs(input_7) <= 1e150 then input_7 end as quantity_7,
        case when abs(input_8) <= 1e150 then input_8 end as quantity_8,
        case when abs(input_9) <= 1e150 then input_9 end as quantity_9,
        case when abs(input_10) <= 1e150 then input_10 end as quantity_10,
        case when abs(input_11) <= 1e150 then input_11 end as quantity_11
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_2,
        cast('all' as string) as attribute_1,
        count(*) as rows_total,
        count(input_1) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_1) - count(quantity_1) as infinite_rows_1,
        avg(quantity_1) as mean_1,
        var_pop(quantity_1) * count(quantity_1) as m2_1,
        min(quantity_1) as minimum_1,
        max(quantity_1) as maximum_1,
        count(input_2) as evaluated_2,
        count(input_2) as input_1_rows_2,
        count(input_2) - count(quantity_2) as infinite_rows_2,
        avg(quantity_2) as mean_2,
        var_pop(quantity_2) * count(quantity_2) as m2_2,
        min(quantity_2) as minimum_2,
        max(quantity_2) as maximum_2,
        count(input_3) as evaluated_3,
        count(input_3) as input_1_rows_3,
        count(input_3) - count(quantity_3) as infinite_rows_3,
        avg(quantity_3) as mean_3,
        var_pop(quantity_3) * count(quantity_3) as m2_3,
        min(quantity_3) as minimum_3,
        max(quantity_3) as maximum_3,
        count(input_4) as evaluated_4,
        count(input_4) as input_1_rows_4,
        count(input_4) - count(quantity_4) as infinite_rows_4,
        avg(quantity_4) as mean_4,
        var_pop(quantity_4) * count(quantity_4) as m2_4,
        min(quantity_4) as minimum_4,
        max(quantity_4) as maximum_4,
        count(input_5) as evaluated_5,
        count(input_5) as input_1_rows_5,
        count(input_5) - count(quantity_5) as infinite_rows_5,
        avg(quantity_5) as mean_5,
        var_pop(quantity_5) * count(quantity_5) as m2_5,
        min(quantity_5) as minimum_5,
        max(quantity_5) as maximum_5,
        count(input_6) as evaluated_6,
        count(input_6) as input_1_rows_6,
        count(input_6) - count(quantity_6) as infinite_rows_6,
        avg(quantity_6) as mean_6,
        var_pop(quantity_6) * count(quantity_6) as m2_6,
        min(quantity_6) as minimum_6,
        max(quantity_6) as maximum_6,
        count(input_7) as evaluated_7,
        count(input_7) as input_1_rows_7,
        count(input_7) - count(quantity_7) as infinite_rows_7,
        avg(quantity_7) as mean_7,
        var_pop(quantity_7) * count(quantity_7) as m2_7,
        min(quantity_7) as minimum_7,
        max(quantity_7) as maximum_7,
        count(input_8) as evaluated_8,
        count(input_8) as input_1_rows_8,
        count(input_8) - count(quantity_8) as infinite_rows_8,
        avg(quantity_8) as mean_8,
        var_pop(quantity_8) * count(quantity_8) as m2_8,
        min(quantity_8) as minimum_8,
        max(quantity_8) as maximum_8,
        count(input_9) as evaluated_9,
        count(input_9) as input_1_rows_9,
        count(input_9) - count(quantity_9) as infinite_rows_9,
        avg(quantity_9) as mean_9,
        var_pop(quantity_9) * count(quantity_9) as m2_9,
        min(quantity_9) as minimum_9,
        max(quantity_9) as maximum_9,
        count(input_10) as evaluated_10,
        count(input_10) as input_1_rows_10,
        count(input_10) - count(quantity_10) as infinite_rows_10,
        avg(quantity_10) as mean_10,
        var_pop(quantity_10) * count(quantity_10) as m2_10,
        min(quantity_10) as minimum_10,
        max(quantity_10) as maximum_10,
        count(input_11) as evaluated_11,
        count(input_11) as input_1_rows_11,
        count(input_11) - count(quantity_11) as infinite_rows_11,
        avg(quantity_11) as mean_11,
        var_pop(quantity_11) * count(quantity_11) as m2_11,
        min(quantity_11) as minimum_11,
        max(quantity_11) as maximum_11
    from measured
    group by attribute_2
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        attribute_1 as text_1,
        nullif(regexp_replace(trimmed_2, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as text_2
    from (
        select
            *,
            trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from case when typeof(attribute_2) in ('double', 'float') then case when abs(nullif(try_cast(cast(attribute_2 as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(attribute_2 as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(attribute_2 as string) as double), cast('NaN' as double)) as string) end when typeof(attribute_2) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', attribute_2), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(attribute_2) = 'timestamp_ntz' then replace(cast(attribute_2 as string), ' ', 'T') else cast(attribute_2 as string) end) as trimmed_2
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        case
            when cut in (1, 2, 3, 4, 5, 6, 7, 8) then text_1
            when cut in (9, 10, 11, 12, 13, 14) then text_2
        end as key_1,
        case
            when cut in (1, 2, 3, 4, 5, 6, 7, 8) and text_1 is null then 1
            when cut in (9, 10, 11, 12, 13, 14) and text_2 is null then 1
            else 0
        end as is_missing,
        rows_total,
        case
            when measure = 1 then evaluated_1
            when measure = 2 then evaluated_2
            when measure = 3 then evaluated_3
            when measure = 4 then evaluated_4
            when measure = 5 then evaluated_5
            when measure = 6 then evaluated_6
            when measure = 7 then evaluated_7
            when measure = 8 then evaluated_8
            when measure = 9 then evaluated_9
            when measure = 10 then evaluated_10
            when measure = 11 then evaluated_11
        end as evaluated,
        case
            when measure = 1 then input_1_rows_1
            when measure = 2 then input_1_rows_2
            when measure = 3 then input_1_rows_3
            when measure = 4 then input_1_rows_4
            when measure = 5 then input_1_rows_5
            when measure = 6 then input_1_rows_6
            when measure = 7 then input_1_rows_7
            when measure = 8 then input_1_rows_8
            when measure = 9 then input_1_rows_9
            when measure = 10 then input_1_rows_10
            when measure = 11 then input_1_rows_11
        end as input_1_rows,
        case
            when measure = 1 then infinite_rows_1
            when measure = 2 then infinite_rows_2
            when measure = 3 then infinite_rows_3
            when measure = 4 then infinite_rows_4
            when measure = 5 then infinite_rows_5
            when measure = 6 then infinite_rows_6
            when measure = 7 then infinite_rows_7
            when measure = 8 then infinite_rows_8
            when measure = 9 then infinite_rows_9
            when measure = 10 then infinite_rows_10
            when measure = 11 then infinite_rows_11
        end as infinite_rows,
        case
            when measure = 1 then mean_1
            when measure = 2 then mean_2
            when measure = 3 then mean_3
            when measure = 4 then mean_4
            when measure = 5 then mean_5
            when measure = 6 then mean_6
            when measure = 7 then mean_7
            when measure = 8 then mean_8
            when measure = 9 then mean_9
            when measure = 10 then mean_10
            when measure = 11 then mean_11
        end as mean,
        case
            when measure = 1 then m2_1
            when measure = 2 then m2_2
            when measure = 3 then m2_3
            when measure = 4 then m2_4
            when measure = 5 then m2_5
            when measure = 6 then m2_6
            when measure = 7 then m2_7
            when measure = 8 then m2_8
            when measure = 9 then m2_9
            when measure = 10 then m2_10
            when measure = 11 then m2_11
        end as m2,
        case
            when measure = 1 then minimum_1
            when measure = 2 then minimum_2
            when measure = 3 then minimum_3
            when measure = 4 then minimum_4
            when measure = 5 then minimum_5
            when measure = 6 then minimum_6
            when measure = 7 then minimum_7
            when measure = 8 then minimum_8
            when measure = 9 then minimum_9
            when measure = 10 then minimum_10
            when measure = 11 then minimum_11
        end as minimum,
        case
            when measure = 1 then maximum_1
            when measure = 2 then maximum_2
            when measure = 3 then maximum_3
            when measure = 4 then maximum_4
            when measure = 5 then maximum_5
            when measure = 6 then maximum_6
            when measure = 7 then maximum_7
            when measure = 8 then maximum_8
            when measure = 9 then maximum_9
            when measure = 10 then maximum_10
            when measure = 11 then maximum_11
        end as maximum
    from cleaned
    cross join (
        select 1 as cut, 1 as measure
        union all select 2 as cut, 2 as measure
        union all select 3 as cut, 3 as measure
        union all select 4 as cut, 4 as measure
        union all select 5 as cut, 5 as measure
        union all select 6 as cut, 6 as measure
        union all select 7 as cut, 7 as measure
        union all select 8 as cut, 8 as measure
        union all select 9 as cut, 1 as measure
        union all select 10 as cut, 2 as measure
        union all select 11 as cut, 4 as measure
        union all select 12 as cut, 9 as measure
        union all select 13 as cut, 10 as measure
        union all select 14 as cut, 11 as measure
    ) as cuts
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
        sum(infinite_rows) as infinite_rows,
        min(case when is_missing = 0 then minimum end) as minimum,
        max(case when is_missing = 0 then maximum end) as maximum,
        min(mean_base) + sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as mean,
        sum(m2) + sum(evaluated * mean_offset * mean_offset)
            - sum(evaluated * mean_offset) * sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as m2,
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
        cast(attribute_1_rows as bigint) as attribute_1_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
