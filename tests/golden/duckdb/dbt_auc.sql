with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" as attribute_1,
        nullif(cast("score" * 1 as double), cast('nan' as double)) as input_1,
        case
            when case when typeof("approved") in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT') then try_cast("approved" as bigint) in (1) else (case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end in ('1') or (case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end like '%.%' and regexp_replace(case when typeof("approved") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("approved" as varchar) as double), cast('nan' as double)) as varchar) when typeof("approved") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("approved" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("approved" as varchar)) when typeof("approved") like 'TIMESTAMP%' then replace(cast("approved" as varchar), ' ', 'T') else cast("approved" as varchar) end, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('1'))) end then 1
            when case when typeof("approved") in ('DOUBLE', 'FLOAT') then nullif(try_cast("approved" as double), cast('nan' as double)) is not null else "approved" is not null end then 0
        end as input_2,
        "approved" as label_2
    from "loans"
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when input_1 is not null then input_2 end as quantity_1
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        count(*) as rows_total,
        coalesce(count_if(input_1 is not null and input_2 is not null), 0) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        coalesce(count_if(input_2 is not null and abs(input_1) > 1.7976931348623157e308), 0) as infinite_rows_1,
        coalesce(count_if(quantity_1 = 1), 0) as positives_1,
        coalesce(count_if(quantity_1 = 0), 0) as negatives_1,
        case when typeof(min(label_2)) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(min(label_2) as varchar) as double), cast('nan' as double)) as varchar) when typeof(min(label_2)) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(min(label_2) as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(min(label_2) as varchar)) when typeof(min(label_2)) like 'TIMESTAMP%' then replace(cast(min(label_2) as varchar), ' ', 'T') else cast(min(label_2) as varchar) end as label_minimum_1,
        case when typeof(max(label_2)) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(max(label_2) as varchar) as double), cast('nan' as double)) as varchar) when typeof(max(label_2)) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(max(label_2) as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(max(label_2) as varchar)) when typeof(max(label_2)) like 'TIMESTAMP%' then replace(cast(max(label_2) as varchar), ' ', 'T') else cast(max(label_2) as varchar) end as label_maximum_1,
        coalesce(count_if(input_1 is not null and input_2 is not null and typeof(label_2) not in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'BOOLEAN', 'DOUBLE', 'FLOAT') and (cast(label_2 as varchar) < '!' or cast(label_2 as varchar) > '~') and regexp_replace(cast(label_2 as varchar), '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') = ''), 0) as blank_2_1
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
        attribute_1,
        text_1 as key_1,
        case when text_1 is null then 1 else 0 end as is_missing,
        rows_total,
        evaluated_1 as evaluated,
        input_1_rows_1 as input_1_rows,
        input_2_rows_1 as input_2_rows,
        infinite_rows_1 as infinite_rows,
        positives_1 as positives,
        negatives_1 as negatives,
        label_minimum_1 as label_minimum,
        label_maximum_1 as label_maximum,
        blank_2_1 as blank_2
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
        sum(input_2_rows) as input_2_rows,
        sum(infinite_rows) as infinite_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        sum(case when is_missing = 0 then negatives else 0 end) as negatives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then blank_2 else 0 end) as blank_2,
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

scored_1 as (
    -- The rows of the relation that belong to a group of cut 1.
    select
        1 as cut,
        keys.group_number,
        source.input_1 as score,
        cast(source.input_2 as smallint) as positive
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
    where source.input_1 is not null and source.input_2 is not null
),

tied_scores as (
    -- One row for each cut: whether a score has four rows on average.
    select
        1 as cut,
        case when 2048 * (select count(distinct input_1) from source where hash(input_1) % 512 = 0) <= sum(evaluated) then 1 else 0 end as is_tied
    from by_group
    where cut = 1 and is_whole = 1
),

ranked_scores as (
    -- Rows of scores that differ, in their groups and in the whole (group_number 0): the rank of the score, the first among equals, and the share of rows up to it.
    select
        1 as cut, group_number, positive,
        rank() over (partition by group_number order by score asc) as first_rank,
        cume_dist() over (partition by group_number order by score asc) as share
    from scored_1
    where (select is_tied from tied_scores where cut = 1) = 0
    union all
    select
        1 as cut, 0 as group_number, positive,
        rank() over (order by score asc) as first_rank,
        cume_dist() over (order by score asc) as share
    from scored_1
    where (select is_tied from tied_scores where cut = 1) = 0
),

ranked_concordance as (
    -- One row for each group, and one for the whole (group_number 0): pairs in the right order, a tie counting half.
    select
        ranked_scores.cut,
        ranked_scores.group_number,
        sum(first_rank + round(share * of_group.n)) / 2e0 - cast(count(*) as double) * (count(*) + 1) / 2 as concordant
    from ranked_scores
    inner join (
            select unnest(few, recursive := true)
            from (select list(struct_pack(cut := cut, group_number := group_number, n := n)) as few from (
            select cut, group_number, cast(evaluated as double) as n from by_group
            ) as rows_of_few) as one_list
        ) as of_group
        on ranked_scores.cut = of_group.cut and ranked_scores.group_number = of_group.group_number
    where positive = 1
    group by ranked_scores.cut, ranked_scores.group_number
),

counted_scores as (
    -- One row for each group and score that others share: positives and negatives.
    select
        cut,
        group_number,
        score,
        coalesce(count_if(positive = 1), 0) as positives,
        coalesce(count_if(positive = 0), 0) as negatives
    from scored_1
    where (select is_tied from tied_scores where cut = 1) = 1
    group by cut, group_number, score
),

placed_scores as (
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
        from counted_scores
    ) as cumulated
),

counted_concordance as (
    -- One row for each group, and one for the whole (group_number 0): pairs in the right order, a tie counting half.
    select
        cut,
        coalesce(placed_scores.group_number, 0) as group_number,
        case when grouping(placed_scores.group_number) = 1 then sum(positives * below_in_whole) else sum(positives * below) end as concordant
    from placed_scores
    group by grouping sets ((cut, placed_scores.group_number), (cut))
),

concordance as (
    -- All of these rows.
    select * from ranked_concordance
    union all
    select * from counted_concordance
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
        cast(by_group.blank_2 as bigint) as blank_2,
        cast(by_group.attribute_1_rows as bigint) as attribute_1_rows,
        cast(concordance.concordant as double) as concordant
    from by_group
    left join concordance
        on by_group.cut = concordance.cut and by_group.group_number = concordance.group_number
),

assessed as (
    select
        sorts.is_test,
        statistics.*,
        cast(evaluated as double) as n,
        max(case when is_test = 1 then cast(evaluated as double) end) over () as whole_evaluated,
        max(case when is_test = 1 then infinite_rows end) over () as whole_infinite_rows,
        case when is_test = 0 then cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) end as share,
        cast(positives as double) * negatives as denominator,
        case when is_test = 0 and evaluated >= 30 and cast(evaluated as double) / nullif(max(case when is_test = 1 then cast(evaluated as double) end) over (), 0) >= 0.02 then 1 else 0 end as is_sufficient,
        case when is_test = 0 and coalesce(max(case when is_test = 1 then infinite_rows end) over (), 0) = 0 then concordant / nullif(cast(positives as double) * negatives, 0) end as value
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
        max(case when is_reference = 1 then positives end) over () as second_positives,
        max(case when is_reference = 1 then negatives end) over () as second_negatives,
        max(case when is_reference = 1 then value end) over () as second_value,
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
        case when is_compared = 1 then value end as auc_1,
        positives as positives_1,
        negatives as negatives_1,
        second_value as auc_2,
        second_positives as positives_2,
        second_negatives as negatives_2
    from compared
),

hanley_mcneil_margins as (
    select
        *,
        cast(positives_1 as double) as positive_rows_1,
        cast(negatives_1 as double) as negative_rows_1,
        case
            when positives_1 >= 2 and negatives_1 >= 2
                then 5e-1 / (cast(positives_1 as double) * cast(negatives_1 as double))
        end as margin_1,
        cast(positives_2 as double) as positive_rows_2,
        cast(negatives_2 as double) as negative_rows_2,
        case
            when positives_2 >= 2 and negatives_2 >= 2
                then 5e-1 / (cast(positives_2 as double) * cast(negatives_2 as double))
        end as margin_2
    from samples
),

hanley_mcneil_areas as (
    select
        *,
        greatest(least(auc_1, 1e0 - margin_1), margin_1) as area_1,
        greatest(least(1e0 - auc_1, 1e0 - margin_1), margin_1) as complement_1,
        greatest(least(auc_2, 1e0 - margin_2), margin_2) as area_2,
        greatest(least(1e0 - auc_2, 1e0 - margin_2), margin_2) as complement_2
    from hanley_mcneil_margins
),

hanley_mcneil_squares as (
    select
        *,
        area_1 * complement_1 * 2e0 * margin_1 * (
            1e0
            + (positive_rows_1 - 1e0) * complement_1 / (1e0 + complement_1)
            + (negative_rows_1 - 1e0) * area_1 / (1e0 + area_1)
        ) as squared_error_1,
        area_2 * complement_2 * 2e0 * margin_2 * (
            1e0
            + (positive_rows_2 - 1e0) * complement_2 / (1e0 + complement_2)
            + (negative_rows_2 - 1e0) * area_2 / (1e0 + area_2)
        ) as squared_error_2
    from hanley_mcneil_areas
),

hanley_mcneil_scores as (
    select
        *,
        abs(auc_1 - auc_2) / sqrt(squared_error_1 + squared_error_2) as z
    from hanley_mcneil_squares
),

hanley_mcneil_p_values as (
    select
        *,
        case when z > 38e0 then 0e0 else exp(- z * z / 4e0) * (z * (0.4228844540310463e0 / (z * z + 0.125e0) + 0.25649238688566733e0 / (z * z + 1.125e0) + 0.09435827595222866e0 / (z * z + 3.125e0) + 0.021054177224550517e0 / (z * z + 6.125e0) + 0.002849373037998385e0 / (z * z + 10.125e0) + 0.00023389078190307172e0 / (z * z + 15.125e0) + 1.1644736349221387e-05 / (z * z + 21.125e0) + 3.5164056838924757e-07 / (z * z + 28.125e0) + 6.440521669246694e-09 / (z * z + 36.125e0) + 7.154773292813609e-11 / (z * z + 45.125e0) + 4.82084832374503e-13 / (z * z + 55.125e0) + 1.970170523864856e-15 / (z * z + 66.125e0))) * exp(- z * z / 4e0) + case when z < 8e0 then 2e0 / (1e0 + exp(8.885765876316732e0 * z)) else 0e0 end end as p_value
    from hanley_mcneil_scores
),

adjusted_p_values as (
    select *, p_value as p_value_adjusted
    from hanley_mcneil_p_values
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
        max(case when is_test = 1 then input_2_rows end) over () as whole_input_2_rows,
        max(case when is_test = 1 then attribute_1_rows end) over () as whole_attribute_1_rows,
        max(case when is_test = 1 then positives end) over () as whole_positives,
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
            when whole_input_2_rows = 0 then 'column_all_missing'
            when whole_attribute_1_rows = 0 then 'column_all_missing'
            when whole_infinite_rows > 0 then 'infinite_values'
            when whole_evaluated = 0 then 'no_evaluated_rows'
            when groups_total > 1000 then 'too_many_groups'
            when whole_positives = 0 then 'positive_class_absent'
            when whole_positives = whole_evaluated then 'negative_class_absent'
            when sufficient_count < 2 then 'fewer_than_two_sufficient_groups'
            when valued_count = 0 then 'metric_undefined'
            when compared_count = 0 then 'nothing_to_compare'
            when unmeasured_count > 0 then 'ratio_undefined_set_max_difference'
        end as skip_reason,
        case
            when coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
            when whole_input_1_rows = 0 then 'every value of column score is missing'
            when whole_input_2_rows = 0 then 'every value of column approved is missing'
            when whole_attribute_1_rows = 0 then 'every value of column gender is missing'
            when whole_infinite_rows > 0 then cast(whole_infinite_rows as varchar) || ' rows hold an infinite value, or one whose square no number can hold, in score'
            when whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as varchar) || ' rows has every metric input and every attribute'
            when groups_total > 1000 then 'the attributes form ' || cast(groups_total as varchar) || ' groups; at most 1000 are compared'
            when whole_positives = 0 then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when whole_positives = whole_evaluated then 'column approved holds nothing but positives in the evaluated rows' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when sufficient_count < 2 then cast(sufficient_count as varchar) || ' of ' || cast(group_count as varchar) || ' groups of gender have at least 30 rows and 0.02 of all evaluated rows; two are needed'
            when valued_count = 0 then 'auc is undefined for every sufficient group'
            when compared_count = 0 then 'no sufficient group besides the reference has a value of auc'
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
    'auc' as parity_metric,
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
    cast(case when is_test = 0 then negatives end as double) as statistic_negatives,
    cast(case when is_test = 0 then concordant end as double) as statistic_concordant,
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
