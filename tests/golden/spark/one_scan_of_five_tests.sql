-- fairsql (version)
-- cut 1: Approval by gender; Approval by gender, nine tenths
-- cut 2: Approval by race
-- cut 3: Missed approvals by race
-- cut 4: Amount by gender and race
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        `gender` as attribute_1,
        `race` as attribute_2,
        case when `approved` in (1) then 1 when `approved` is not null then 0 end as input_1,
        `approved` as label_1,
        case when `predicted` in (1) then 1 when `predicted` is not null then 0 end as input_2,
        `predicted` as label_2,
        case when `approved` in (1) then 1 when `approved` is not null then 0 end as input_3,
        `approved` as label_3,
        nullif(cast(`amount` as double), cast('NaN' as double)) as input_4
    from `loans`
    where (
        split = 'validation' and amount > 1000
    )
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        input_1 as quantity_1,
        -- 3 true positive, 2 false positive, 1 false negative, 0 true negative
        2 * input_2 + input_3 as quantity_2,
        case when abs(input_4) <= 1e150 then input_4 end as quantity_3
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        attribute_2,
        count(*) as rows_total,
        count(input_1) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(case when quantity_1 = 1 then 1 end) as positives_1,
        cast(min(label_1) as string) as label_minimum_1,
        cast(max(label_1) as string) as label_maximum_1,
        count(case when input_1 is not null and label_1 in (0, 1) then 1 end) as pair_rows_1,
        count(case when input_2 is not null and input_3 is not null then 1 end) as evaluated_2,
        count(input_2) as input_1_rows_2,
        count(input_3) as input_2_rows_2,
        count(case when quantity_2 = 3 then 1 end) as tp_2,
        count(case when quantity_2 = 2 then 1 end) as fp_2,
        count(case when quantity_2 = 1 then 1 end) as fn_2,
        count(case when quantity_2 = 0 then 1 end) as tn_2,
        cast(min(label_3) as string) as label_minimum_2,
        cast(max(label_3) as string) as label_maximum_2,
        count(input_4) as evaluated_3,
        count(input_4) as input_1_rows_3,
        count(input_4) - count(quantity_3) as infinite_rows_3,
        avg(quantity_3) as mean_3,
        var_pop(quantity_3) * count(quantity_3) as m2_3,
        min(quantity_3) as minimum_3,
        max(quantity_3) as maximum_3
    from measured
    group by attribute_1, attribute_2
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as text_1,
        nullif(regexp_replace(trimmed_2, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as text_2
    from (
        select
            *,
            trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from attribute_1) as trimmed_1,
            trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from attribute_2) as trimmed_2
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        case
            when cut in (1, 4) then text_1
            when cut = 2 then case when text_2 not in ('Unknown') then text_2 end
            when cut = 3 then text_2
        end as key_1,
        case when cut = 4 then text_2 end as key_2,
        case
            when cut = 1 and text_1 is null then 1
            when cut = 2 and (text_2 is null or text_2 in ('Unknown')) then 1
            when cut = 3 and text_2 is null then 1
            when cut = 4 and (text_1 is null or text_2 is null) then 1
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
        case when measure = 1 then positives_1 end as positives,
        case when measure = 1 then label_minimum_1 when measure = 2 then label_minimum_2 end as label_minimum,
        case when measure = 1 then label_maximum_1 when measure = 2 then label_maximum_2 end as label_maximum,
        case when measure = 1 then pair_rows_1 end as pair_rows,
        case when measure = 2 then input_2_rows_2 end as input_2_rows,
        case when measure = 2 then tp_2 end as tp,
        case when measure = 2 then fp_2 end as fp,
        case when measure = 2 then fn_2 end as fn,
        case when measure = 2 then tn_2 end as tn,
        case when measure = 3 then infinite_rows_3 end as infinite_rows,
        case when measure = 3 then mean_3 end as mean,
        case when measure = 3 then m2_3 end as m2,
        case when measure = 3 then minimum_3 end as minimum,
        case when measure = 3 then maximum_3 end as maximum,
        case when cut = 2 then case when text_2 = 'Unknown' then evaluated_1 else 0 end end as listed_1_rows
    from cleaned
    cross join (
        select 1 as cut, 1 as measure
        union all select 2 as cut, 1 as measure
        union all select 3 as cut, 2 as measure
        union all select 4 as cut, 3 as measure
    ) as cuts
),

numbered as (
    -- The same rows, with the number of their group and means as offsets from one mean of the group, to merge without loss.
    select
        *,
        case
            when is_missing = 0 then dense_rank() over (partition by cut, is_missing order by key_1 asc, key_2 asc)
            else 0
        end as group_number,
        min(mean) over (partition by cut, is_missing, key_1, key_2) as mean_base,
        mean - min(mean) over (partition by cut, is_missing, key_1, key_2) as mean_offset
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
        key_2,
        sum(rows_total) as rows_total,
        sum(rows_total - evaluated) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        sum(case when is_missing = 0 then evaluated else 0 end) as evaluated,
        sum(input_1_rows) as input_1_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then pair_rows else 0 end) as pair_rows,
        sum(input_2_rows) as input_2_rows,
        sum(case when is_missing = 0 then tp else 0 end) as tp,
        sum(case when is_missing = 0 then fp else 0 end) as fp,
        sum(case when is_missing = 0 then fn else 0 end) as fn,
        sum(case when is_missing = 0 then tn else 0 end) as tn,
        sum(infinite_rows) as infinite_rows,
        min(case when is_missing = 0 then minimum end) as minimum,
        max(case when is_missing = 0 then maximum end) as maximum,
        min(mean_base) + sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as mean,
        sum(m2) + sum(evaluated * mean_offset * mean_offset)
            - sum(evaluated * mean_offset) * sum(evaluated * mean_offset) / nullif(cast(sum(evaluated) as double), 0) as m2,
        sum(case when key_1 is not null then rows_total else 0 end) as attribute_1_rows,
        sum(case when key_2 is not null then rows_total else 0 end) as attribute_2_rows,
        sum(listed_1_rows) as listed_1_rows
    from numbered
    group by grouping sets ((cut, numbered.is_missing, numbered.group_number, key_1, key_2), (cut))
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
        key_2,
        cast(groups_total as bigint) as groups_total,
        cast(rows_total as bigint) as rows_total,
        cast(missing_metric_inputs as bigint) as missing_metric_inputs,
        cast(missing_attribute as bigint) as missing_attribute,
        cast(evaluated as bigint) as evaluated,
        cast(input_1_rows as bigint) as input_1_rows,
        cast(positives as bigint) as positives,
        label_minimum,
        label_maximum,
        cast(pair_rows as bigint) as pair_rows,
        cast(input_2_rows as bigint) as input_2_rows,
        cast(tp as bigint) as tp,
        cast(fp as bigint) as fp,
        cast(fn as bigint) as fn,
        cast(tn as bigint) as tn,
        cast(infinite_rows as bigint) as infinite_rows,
        case when is_whole = 0 then cast(mean as double) end as mean,
        case when is_whole = 0 then cast(m2 as double) end as m2,
        case when is_whole = 0 then cast(minimum as double) end as minimum,
        case when is_whole = 0 then cast(maximum as double) end as maximum,
        cast(attribute_1_rows as bigint) as attribute_1_rows,
        cast(attribute_2_rows as bigint) as attribute_2_rows,
        cast(listed_1_rows as bigint) as listed_1_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc, key_2 asc;
