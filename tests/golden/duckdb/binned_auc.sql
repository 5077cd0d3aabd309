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
        min(case when input_1 is not null and input_2 is not null and abs(input_1) <= 1.7976931348623157e308 then input_1 end) as minimum_1,
        max(case when input_1 is not null and input_2 is not null and abs(input_1) <= 1.7976931348623157e308 then input_1 end) as maximum_1,
        sum(case when input_1 is not null and input_2 is not null and abs(input_1) <= 1.7976931348623157e308 and input_1 <> 0 then ln(abs(input_1)) else 0e0 end) as log_sum_1,
        coalesce(count_if(input_1 is not null and input_2 is not null and abs(input_1) <= 1.7976931348623157e308 and input_1 <> 0), 0) as log_rows_1,
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
        minimum_1 as minimum,
        maximum_1 as maximum,
        log_sum_1 as log_sum,
        log_rows_1 as log_rows,
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
        where cut in (1) and is_whole = 1 and groups_total <= 1000
    ) as scaled
),

bins_1 as (
    -- The rows that cut 1 evaluates, by attribute values as they are written and by bin: how many, and the extremes.
    select
        attribute_1,
        bin,
        coalesce(count_if(label = 1), 0) as positives,
        coalesce(count_if(label = 0), 0) as negatives,
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
            where source.input_1 is not null and source.input_2 is not null and abs(source.input_1) <= 1.7976931348623157e308
        ) as placed
    ) as binned
    group by attribute_1, bin
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
        cast(binned_concordance.binned_concordant as double) as binned_concordant,
        cast(binned_concordance.same_bin_pairs as double) as same_bin_pairs
    from by_group
    left join binned_concordance
        on by_group.cut = binned_concordance.cut and by_group.group_number = binned_concordance.group_number
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
