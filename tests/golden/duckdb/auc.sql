-- fairsql (version)
-- cut 1: Ranking by gender
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "gender" collate C as attribute_1,
        nullif(cast("score" as double), cast('nan' as double)) as input_1,
        case when "approved" in (1) then 1 when "approved" is not null then 0 end as input_2,
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
        cast(min(label_2) as varchar) as label_minimum_1,
        cast(max(label_2) as varchar) as label_maximum_1
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
            regexp_replace(attribute_1, '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') as trimmed_1
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
        label_maximum_1 as label_maximum
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
        cast(by_group.attribute_1_rows as bigint) as attribute_1_rows,
        cast(concordance.concordant as double) as concordant
    from by_group
    left join concordance
        on by_group.cut = concordance.cut and by_group.group_number = concordance.group_number
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
