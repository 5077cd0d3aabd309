-- fairsql (version)
-- cut 1: Ranking by gender
-- cut 2: Median amount by race
-- cut 3: Amount by gender
-- cut 4: Amount by gender, all rows alike
-- cut 5: Explained amounts by gender
-- cut 6: Approval by race
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" collate C as attribute_1,
        "race" collate C as attribute_2,
        nullif(cast("score" as double), cast('nan' as double)) as input_1,
        case when "approved" in (1) then 1 when "approved" is not null then 0 end as input_2,
        "approved" as label_2,
        cast("waiting_days" as double) as input_3,
        nullif(cast("amount" as double), cast('nan' as double)) as input_4,
        nullif(cast("estimated_amount" as double), cast('nan' as double)) as input_5,
        case when "approved" in (1) then 1 when "approved" is not null then 0 end as input_6,
        "approved" as label_6
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when input_3 between 1e-50 and 1e50 then case when input_1 is not null then input_2 end end as quantity_1,
        case
            when input_1 is not null and input_2 is not null and input_3 between 1e-50 and 1e50 then input_3
        end as weight_1,
        case when input_3 between 1e-50 and 1e50 then input_4 end as quantity_2,
        case when input_4 is not null and input_3 between 1e-50 and 1e50 then input_3 end as weight_2,
        case when input_3 between 1e-50 and 1e50 then case when abs(input_4) <= 1e150 then input_4 end end as quantity_3,
        case when input_4 is not null and input_3 between 1e-50 and 1e50 then input_3 end as weight_3,
        case when abs(input_4) <= 1e150 then input_4 end as quantity_4,
        case
            when input_3 between 1e-50 and 1e50 then case when (input_5 - input_4) * (input_5 - input_4) <= 1e150 then (input_5 - input_4) * (input_5 - input_4) end
        end as quantity_5,
        case
            when input_3 between 1e-50 and 1e50 then case when input_5 is not null and abs(input_4) <= 1e150 then input_4 end
        end as truth_5,
        case
            when input_5 is not null and input_4 is not null and input_3 between 1e-50 and 1e50 then input_3
        end as weight_5,
        case when input_3 between 1e-50 and 1e50 then input_6 end as quantity_6,
        case when input_6 is not null and input_3 between 1e-50 and 1e50 then input_3 end as weight_6
    from source
),

centred as (
    -- The same rows, with the weighted mean over the rows of the same attribute values as they are written.
    select
        *,
        sum(weight_3 * quantity_3) over (partition by attribute_1, attribute_2)
            / nullif(sum(weight_3) over (partition by attribute_1, attribute_2), 0) as quantity_centre_3,
        sum(weight_5 * quantity_5) over (partition by attribute_1, attribute_2)
            / nullif(sum(weight_5) over (partition by attribute_1, attribute_2), 0) as quantity_centre_5,
        sum(weight_5 * truth_5) over (partition by attribute_1, attribute_2)
            / nullif(sum(weight_5) over (partition by attribute_1, attribute_2), 0) as truth_centre_5,
        rank() over (partition by attribute_1, attribute_2 order by attribute_1 asc) as anchor
    from measured
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        attribute_2,
        count(*) as rows_total,
        coalesce(count_if(input_1 is not null and input_2 is not null and weight_1 is not null), 0) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        coalesce(count_if(weight_1 is not null and abs(input_1) > 1.7976931348623157e308), 0) as infinite_rows_1,
        coalesce(count_if(quantity_1 = 1), 0) as positives_1,
        coalesce(count_if(quantity_1 = 0), 0) as negatives_1,
        cast(min(label_2) as varchar) as label_minimum_1,
        cast(max(label_2) as varchar) as label_maximum_1,
        coalesce(count_if(input_1 is not null and input_2 is not null and input_3 = 0), 0) as zero_weight_rows_1,
        coalesce(count_if(input_1 is not null and input_2 is not null and (input_3 is null or (input_3 <> 0 and not input_3 between 1e-50 and 1e50))), 0) as bad_weight_rows_1,
        sum(weight_1) as weight_sum_1,
        sum(weight_1 * weight_1) as squared_weight_sum_1,
        sum(case when quantity_1 = 1 then weight_1 else 0 end) as weight_positives_1,
        sum(case when quantity_1 = 1 then weight_1 * weight_1 else 0 end) as squared_weight_positives_1,
        sum(case when quantity_1 = 0 then weight_1 else 0 end) as weight_negatives_1,
        sum(case when quantity_1 = 0 then weight_1 * weight_1 else 0 end) as squared_weight_negatives_1,
        coalesce(count_if(input_4 is not null and weight_2 is not null), 0) as evaluated_2,
        count(input_4) as input_1_rows_2,
        coalesce(count_if(weight_2 is not null and abs(input_4) > 1.7976931348623157e308), 0) as infinite_rows_2,
        coalesce(count_if(input_4 is not null and input_3 = 0), 0) as zero_weight_rows_2,
        coalesce(count_if(input_4 is not null and (input_3 is null or (input_3 <> 0 and not input_3 between 1e-50 and 1e50))), 0) as bad_weight_rows_2,
        sum(weight_2) as weight_sum_2,
        sum(weight_2 * weight_2) as squared_weight_sum_2,
        coalesce(count_if(input_4 is not null and weight_3 is not null), 0) as evaluated_3,
        count(input_4) as input_1_rows_3,
        coalesce(count_if(input_4 is not null and weight_3 is not null), 0) - count(quantity_3) as infinite_rows_3,
        max(quantity_centre_3) + sum(weight_3 * (quantity_3 - quantity_centre_3)) / nullif(sum(weight_3), 0) as mean_3,
        greatest(sum(weight_3 * (quantity_3 - quantity_centre_3) * (quantity_3 - quantity_centre_3)) - sum(weight_3 * (quantity_3 - quantity_centre_3)) * (sum(weight_3 * (quantity_3 - quantity_centre_3)) / nullif(sum(weight_3), 0)), 0e0) as m2_3,
        min(quantity_3) as minimum_3,
        max(quantity_3) as maximum_3,
        coalesce(count_if(input_4 is not null and input_3 = 0), 0) as zero_weight_rows_3,
        coalesce(count_if(input_4 is not null and (input_3 is null or (input_3 <> 0 and not input_3 between 1e-50 and 1e50))), 0) as bad_weight_rows_3,
        sum(weight_3) as weight_sum_3,
        sum(weight_3 * weight_3) as squared_weight_sum_3,
        count(input_4) as evaluated_4,
        count(input_4) as input_1_rows_4,
        count(input_4) - count(quantity_4) as infinite_rows_4,
        avg(quantity_4) as mean_4,
        var_pop(quantity_4) * count(quantity_4) as m2_4,
        min(quantity_4) as minimum_4,
        max(quantity_4) as maximum_4,
        coalesce(count_if(input_5 is not null and input_4 is not null and weight_5 is not null), 0) as evaluated_5,
        count(input_5) as input_1_rows_5,
        count(input_4) as input_2_rows_5,
        coalesce(count_if(input_5 is not null and input_4 is not null and weight_5 is not null and (quantity_5 is null or truth_5 is null)), 0) as infinite_rows_5,
        max(quantity_centre_5) + sum(weight_5 * (quantity_5 - quantity_centre_5)) / nullif(sum(weight_5), 0) as mean_5,
        max(truth_centre_5) + sum(weight_5 * (truth_5 - truth_centre_5)) / nullif(sum(weight_5), 0) as truth_mean_5,
        greatest(sum(weight_5 * (truth_5 - truth_centre_5) * (truth_5 - truth_centre_5)) - sum(weight_5 * (truth_5 - truth_centre_5)) * (sum(weight_5 * (truth_5 - truth_centre_5)) / nullif(sum(weight_5), 0)), 0e0) as truth_m2_5,
        min(truth_5) as truth_minimum_5,
        max(truth_5) as truth_maximum_5,
        coalesce(count_if(input_5 is not null and input_4 is not null and input_3 = 0), 0) as zero_weight_rows_5,
        coalesce(count_if(input_5 is not null and input_4 is not null and (input_3 is null or (input_3 <> 0 and not input_3 between 1e-50 and 1e50))), 0) as bad_weight_rows_5,
        sum(weight_5) as weight_sum_5,
        sum(weight_5 * weight_5) as squared_weight_sum_5,
        coalesce(count_if(input_6 is not null and weight_6 is not null), 0) as evaluated_6,
        count(input_6) as input_1_rows_6,
        coalesce(count_if(quantity_6 = 1), 0) as positives_6,
        cast(min(label_6) as varchar) as label_minimum_6,
        cast(max(label_6) as varchar) as label_maximum_6,
        coalesce(count_if(input_6 is not null and weight_6 is not null and label_6 in (0, 1)), 0) as pair_rows_6,
        coalesce(count_if(input_6 is not null and input_3 = 0), 0) as zero_weight_rows_6,
        coalesce(count_if(input_6 is not null and (input_3 is null or (input_3 <> 0 and not input_3 between 1e-50 and 1e50))), 0) as bad_weight_rows_6,
        sum(weight_6) as weight_sum_6,
        sum(weight_6 * weight_6) as squared_weight_sum_6,
        sum(case when quantity_6 = 1 then weight_6 else 0 end) as weight_positives_6
    from centred
    group by attribute_1, attribute_2
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_1,
        nullif(regexp_replace(trimmed_2, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3'), '') as text_2
    from (
        select
            *,
            regexp_replace(attribute_1, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_1,
            regexp_replace(attribute_2, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_2
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        attribute_1,
        attribute_2,
        case when cut in (1, 3, 4, 5) then text_1 when cut in (2, 6) then text_2 end as key_1,
        case
            when cut in (1, 3, 4, 5) and text_1 is null then 1
            when cut in (2, 6) and text_2 is null then 1
            else 0
        end as is_missing,
        rows_total,
        case
            when cut = 1 then evaluated_1
            when cut = 2 then evaluated_2
            when cut = 3 then evaluated_3
            when cut = 4 then evaluated_4
            when cut = 5 then evaluated_5
            when cut = 6 then evaluated_6
        end as evaluated,
        case
            when cut = 1 then input_1_rows_1
            when cut = 2 then input_1_rows_2
            when cut = 3 then input_1_rows_3
            when cut = 4 then input_1_rows_4
            when cut = 5 then input_1_rows_5
            when cut = 6 then input_1_rows_6
        end as input_1_rows,
        case when cut = 1 then input_2_rows_1 when cut = 5 then input_2_rows_5 end as input_2_rows,
        case
            when cut = 1 then infinite_rows_1
            when cut = 2 then infinite_rows_2
            when cut = 3 then infinite_rows_3
            when cut = 4 then infinite_rows_4
            when cut = 5 then infinite_rows_5
        end as infinite_rows,
        case when cut = 1 then positives_1 when cut = 6 then positives_6 end as positives,
        case when cut = 1 then negatives_1 end as negatives,
        case when cut = 1 then label_minimum_1 when cut = 6 then label_minimum_6 end as label_minimum,
        case when cut = 1 then label_maximum_1 when cut = 6 then label_maximum_6 end as label_maximum,
        case
            when cut = 1 then zero_weight_rows_1
            when cut = 2 then zero_weight_rows_2
            when cut = 3 then zero_weight_rows_3
            when cut = 5 then zero_weight_rows_5
            when cut = 6 then zero_weight_rows_6
        end as zero_weight_rows,
        case
            when cut = 1 then bad_weight_rows_1
            when cut = 2 then bad_weight_rows_2
            when cut = 3 then bad_weight_rows_3
            when cut = 5 then bad_weight_rows_5
            when cut = 6 then bad_weight_rows_6
        end as bad_weight_rows,
        case
            when cut = 1 then weight_sum_1
            when cut = 2 then weight_sum_2
            when cut = 3 then weight_sum_3
            when cut = 5 then weight_sum_5
            when cut = 6 then weight_sum_6
        end as weight_sum,
        case
            when cut = 1 then squared_weight_sum_1
            when cut = 2 then squared_weight_sum_2
            when cut = 3 then squared_weight_sum_3
            when cut = 5 then squared_weight_sum_5
            when cut = 6 then squared_weight_sum_6
        end as squared_weight_sum,
        case when cut = 1 then weight_positives_1 when cut = 6 then weight_positives_6 end as weight_positives,
        case when cut = 1 then squared_weight_positives_1 end as squared_weight_positives,
        case when cut = 1 then weight_negatives_1 end as weight_negatives,
        case when cut = 1 then squared_weight_negatives_1 end as squared_weight_negatives,
        case when cut = 3 then mean_3 when cut = 4 then mean_4 when cut = 5 then mean_5 end as mean,
        case when cut = 3 then m2_3 when cut = 4 then m2_4 end as m2,
        case when cut = 3 then minimum_3 when cut = 4 then minimum_4 end as minimum,
        case when cut = 3 then maximum_3 when cut = 4 then maximum_4 end as maximum,
        case when cut = 5 then truth_mean_5 end as truth_mean,
        case when cut = 5 then truth_m2_5 end as truth_m2,
        case when cut = 5 then truth_minimum_5 end as truth_minimum,
        case when cut = 5 then truth_maximum_5 end as truth_maximum,
        case when cut = 6 then pair_rows_6 end as pair_rows,
        case
            when cut = 1 then weight_sum_1
            when cut = 2 then weight_sum_2
            when cut = 3 then weight_sum_3
            when cut = 4 then evaluated_4
            when cut = 5 then weight_sum_5
            when cut = 6 then weight_sum_6
        end as mass
    from cleaned
    cross join (values (1), (2), (3), (4), (5), (6)) as cuts (cut)
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
        mean - sum(mass * mean) over (partition by cut, is_missing, key_1) / nullif(sum(mass) over (partition by cut, is_missing, key_1), 0) as mean_offset,
        sum(mass * truth_mean) over (partition by cut, is_missing, key_1) / nullif(sum(mass) over (partition by cut, is_missing, key_1), 0) as truth_mean_base,
        truth_mean - sum(mass * truth_mean) over (partition by cut, is_missing, key_1) / nullif(sum(mass) over (partition by cut, is_missing, key_1), 0) as truth_mean_offset
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
        sum(rows_total - evaluated - coalesce(zero_weight_rows, 0) - coalesce(bad_weight_rows, 0)) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        sum(case when is_missing = 0 then evaluated else 0 end) as evaluated,
        sum(input_1_rows) as input_1_rows,
        sum(input_2_rows) as input_2_rows,
        sum(infinite_rows) as infinite_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        sum(case when is_missing = 0 then negatives else 0 end) as negatives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(zero_weight_rows) as zero_weight_rows,
        sum(bad_weight_rows) as bad_weight_rows,
        sum(case when is_missing = 0 then weight_sum else 0 end) as weight_sum,
        sum(case when is_missing = 0 then squared_weight_sum else 0 end) as squared_weight_sum,
        sum(case when is_missing = 0 then weight_positives else 0 end) as weight_positives,
        sum(case when is_missing = 0 then squared_weight_positives else 0 end) as squared_weight_positives,
        sum(case when is_missing = 0 then weight_negatives else 0 end) as weight_negatives,
        sum(case when is_missing = 0 then squared_weight_negatives else 0 end) as squared_weight_negatives,
        min(case when is_missing = 0 then minimum end) as minimum,
        max(case when is_missing = 0 then maximum end) as maximum,
        min(case when is_missing = 0 then truth_minimum end) as truth_minimum,
        max(case when is_missing = 0 then truth_maximum end) as truth_maximum,
        sum(case when is_missing = 0 then pair_rows else 0 end) as pair_rows,
        min(mean_base) + sum(mass * mean_offset) / nullif(cast(sum(mass) as double), 0) as mean,
        greatest(sum(m2) + sum(mass * mean_offset * mean_offset)
            - sum(mass * mean_offset) * sum(mass * mean_offset) / nullif(cast(sum(mass) as double), 0), 0e0) as m2,
        min(truth_mean_base) + sum(mass * truth_mean_offset) / nullif(cast(sum(mass) as double), 0) as truth_mean,
        greatest(sum(truth_m2) + sum(mass * truth_mean_offset * truth_mean_offset)
            - sum(mass * truth_mean_offset) * sum(mass * truth_mean_offset) / nullif(cast(sum(mass) as double), 0), 0e0) as truth_m2,
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

weighted_scores as (
    -- The rows of the relation that belong to a group of cut 1.
    select
        1 as cut,
        keys.group_number,
        source.input_1 as score,
        source.input_2 as positive,
        source.input_3 as weight
    from source
    inner join (
            select unnest(few, recursive := true)
            from (select list(struct_pack(group_number := group_number, attribute_1 := attribute_1)) as few from (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 1 and numbered.is_missing = 0 and by_group.is_whole = 0
            ) as rows_of_few) as one_list
        ) as keys
        on source.attribute_1 = keys.attribute_1
    where source.input_1 is not null and source.input_2 is not null and source.input_3 between 1e-50 and 1e50
),

weighed_scores as (
    -- One row for each group and score: the weight of positives and of negatives.
    select
        cut,
        group_number,
        score,
        sum(case when positive = 1 then weight else 0 end) as positives,
        sum(case when positive = 0 then weight else 0 end) as negatives
    from weighted_scores
    group by cut, group_number, score
),

placed_weights as (
    -- The same rows, with the negatives below the score, a tie counting half, in the group and in the whole.
    select
        cut,
        group_number,
        cast(positives as double) as positives,
        up_to - cast(negatives as double) / 2e0 as below,
        max(up_to_in_whole) over (partition by cut, place)
        - cast(sum(negatives) over (partition by cut, place) as double) / 2e0 as below_in_whole
    from (
        select
            *,
            sum(negatives) over (partition by cut, group_number order by score asc rows between unbounded preceding and current row) as up_to,
            sum(negatives) over (partition by cut order by score asc rows between unbounded preceding and current row) as up_to_in_whole,
            dense_rank() over (partition by cut order by score asc) as place
        from weighed_scores
    ) as cumulated
),

weighted_concordance as (
    -- One row for each group, and one for the whole (group_number 0): pairs in the right order, a tie counting half.
    select
        cut,
        coalesce(placed_weights.group_number, 0) as group_number,
        case when grouping(placed_weights.group_number) = 1 then sum(positives * below_in_whole) else sum(positives * below) end as weighted_concordant
    from placed_weights
    group by grouping sets ((cut, placed_weights.group_number), (cut))
),

weighted_values as (
    -- The rows of the relation that belong to a group of cut 2.
    select
        2 as cut,
        keys.group_number,
        source.input_4 as value,
        source.input_3 as weight
    from source
    inner join (
            select unnest(few, recursive := true)
            from (select list(struct_pack(group_number := group_number, attribute_2 := attribute_2)) as few from (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_2
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 2 and numbered.is_missing = 0 and by_group.is_whole = 0
            ) as rows_of_few) as one_list
        ) as keys
        on source.attribute_2 = keys.attribute_2
    where source.input_4 is not null and source.input_3 between 1e-50 and 1e50
),

cumulated_weights as (
    -- The same rows: the weight up to the value, and how many equal rows a unit of weight is worth, in the group and in the whole.
    select
        *,
        sum(weight) over (partition by cut, group_number order by value asc rows between unbounded preceding and current row) as up_to,
        sum(weight) over (partition by cut, group_number) as group_weight,
        sum(weight) over (partition by cut, group_number) / sum(weight * weight) over (partition by cut, group_number) as rows_per_weight,
        sum(weight) over (partition by cut order by value asc rows between unbounded preceding and current row) as up_to_in_whole,
        sum(weight) over (partition by cut) as whole_weight,
        sum(weight) over (partition by cut) / sum(weight * weight) over (partition by cut) as rows_per_weight_in_whole,
        cast(1 as double) as numerator,
        cast(2 as double) as denominator
    from weighted_values
),

covered_values as (
    -- The same rows, with how much each covers of the stretch in which the quantile lies.
    select
        cut,
        group_number,
        value,
        greatest(least(up_to * rows_per_weight - numerator * (group_weight * rows_per_weight - 1e0) / denominator, 1e0), 0e0)
            - greatest(least((up_to - weight) * rows_per_weight - numerator * (group_weight * rows_per_weight - 1e0) / denominator, 1e0), 0e0) as part,
        greatest(least(up_to_in_whole * rows_per_weight_in_whole - numerator * (whole_weight * rows_per_weight_in_whole - 1e0) / denominator, 1e0), 0e0)
            - greatest(least((up_to_in_whole - weight) * rows_per_weight_in_whole - numerator * (whole_weight * rows_per_weight_in_whole - 1e0) / denominator, 1e0), 0e0) as part_in_whole
    from cumulated_weights
),

weighted_quantiles as (
    -- One row for each group, and one for the whole (group_number 0): the quantile.
    select
        cut,
        coalesce(covered_values.group_number, 0) as group_number,
        case
            when grouping(covered_values.group_number) = 1 then case when min(case when part_in_whole > 0 then value end) = max(case when part_in_whole > 0 then value end) then min(case when part_in_whole > 0 then value end) else sum(part_in_whole * value) / nullif(sum(part_in_whole), 0) end
            else case when min(case when part > 0 then value end) = max(case when part > 0 then value end) then min(case when part > 0 then value end) else sum(part * value) / nullif(sum(part), 0) end
        end as weighted_quantile
    from covered_values
    group by grouping sets ((cut, covered_values.group_number), (cut))
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
        by_group.label_minimum,
        by_group.label_maximum,
        cast(by_group.zero_weight_rows as bigint) as zero_weight_rows,
        cast(by_group.bad_weight_rows as bigint) as bad_weight_rows,
        cast(by_group.weight_sum as double) as weight_sum,
        cast(by_group.squared_weight_sum as double) as squared_weight_sum,
        cast(by_group.weight_positives as double) as weight_positives,
        cast(by_group.squared_weight_positives as double) as squared_weight_positives,
        cast(by_group.weight_negatives as double) as weight_negatives,
        cast(by_group.squared_weight_negatives as double) as squared_weight_negatives,
        case when by_group.is_whole = 0 then cast(by_group.mean as double) end as mean,
        case when by_group.is_whole = 0 then cast(by_group.m2 as double) end as m2,
        case when by_group.is_whole = 0 then cast(by_group.minimum as double) end as minimum,
        case when by_group.is_whole = 0 then cast(by_group.maximum as double) end as maximum,
        case when by_group.is_whole = 0 then cast(by_group.truth_mean as double) end as truth_mean,
        case when by_group.is_whole = 0 then cast(by_group.truth_m2 as double) end as truth_m2,
        case when by_group.is_whole = 0 then cast(by_group.truth_minimum as double) end as truth_minimum,
        case when by_group.is_whole = 0 then cast(by_group.truth_maximum as double) end as truth_maximum,
        cast(by_group.pair_rows as bigint) as pair_rows,
        cast(by_group.attribute_1_rows as bigint) as attribute_1_rows,
        cast(weighted_concordance.weighted_concordant as double) as weighted_concordant,
        cast(weighted_quantiles.weighted_quantile as double) as weighted_quantile
    from by_group
    left join weighted_concordance
        on by_group.cut = weighted_concordance.cut and by_group.group_number = weighted_concordance.group_number
    left join weighted_quantiles
        on by_group.cut = weighted_quantiles.cut and by_group.group_number = weighted_quantiles.group_number
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
