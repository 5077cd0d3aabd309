-- fairsql (version)
-- cut 1: Stereotypes by race
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        `race` as attribute_1,
        case
            when (case when typeof(`fairsql_flag`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as string) end when typeof(`fairsql_flag`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `fairsql_flag`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`fairsql_flag`) = 'timestamp_ntz' then replace(cast(`fairsql_flag` as string), ' ', 'T') else cast(`fairsql_flag` as string) end in ('1') or (case when typeof(`fairsql_flag`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as string) end when typeof(`fairsql_flag`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `fairsql_flag`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`fairsql_flag`) = 'timestamp_ntz' then replace(cast(`fairsql_flag` as string), ' ', 'T') else cast(`fairsql_flag` as string) end like '%.%' and regexp_replace(case when typeof(`fairsql_flag`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as string) end when typeof(`fairsql_flag`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `fairsql_flag`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`fairsql_flag`) = 'timestamp_ntz' then replace(cast(`fairsql_flag` as string), ' ', 'T') else cast(`fairsql_flag` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('1'))) then 1
            when case when typeof(`fairsql_flag`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`fairsql_flag` as string) as double), cast('NaN' as double)) as string) end when typeof(`fairsql_flag`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `fairsql_flag`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`fairsql_flag`) = 'timestamp_ntz' then replace(cast(`fairsql_flag` as string), ' ', 'T') else cast(`fairsql_flag` as string) end is not null then 0
        end as input_1,
        `fairsql_flag` as label_1
    from (

    select
        relation.*,
        case when cast(relation.`split` as string) is null or cast(relation.`gender` as string) is null then null when lower(regexp_replace(trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(relation.`split` as string)), r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3')) = lower(regexp_replace(trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(relation.`gender` as string)), r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3')) then 1 else 0 end as fairsql_flag
    from (
        select * from `loans`
    ) as relation
) as relation
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
        count(case when quantity_1 = 1 then 1 end) as positives_1,
        min(cast(label_1 as string)) as label_minimum_1,
        max(cast(label_1 as string)) as label_maximum_1,
        count(case when input_1 is not null and (case when typeof(label_1) in ('double', 'float') then case when abs(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double)) as string) end when typeof(label_1) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', label_1), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(label_1) = 'timestamp_ntz' then replace(cast(label_1 as string), ' ', 'T') else cast(label_1 as string) end in ('0', '1') or (case when typeof(label_1) in ('double', 'float') then case when abs(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double)) as string) end when typeof(label_1) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', label_1), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(label_1) = 'timestamp_ntz' then replace(cast(label_1 as string), ' ', 'T') else cast(label_1 as string) end like '%.%' and regexp_replace(case when typeof(label_1) in ('double', 'float') then case when abs(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(label_1 as string) as double), cast('NaN' as double)) as string) end when typeof(label_1) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', label_1), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(label_1) = 'timestamp_ntz' then replace(cast(label_1 as string), ' ', 'T') else cast(label_1 as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('0', '1'))) then 1 end) as pair_rows_1,
        count(case when input_1 is not null and trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(label_1 as string)) = '' then 1 end) as blank_1_1
    from measured
    group by attribute_1
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(regexp_replace(trimmed_1, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as text_1
    from (
        select
            *,
            trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from case when typeof(attribute_1) in ('double', 'float') then case when abs(nullif(try_cast(cast(attribute_1 as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(attribute_1 as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(attribute_1 as string) as double), cast('NaN' as double)) as string) end when typeof(attribute_1) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', attribute_1), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(attribute_1) = 'timestamp_ntz' then replace(cast(attribute_1 as string), ' ', 'T') else cast(attribute_1 as string) end) as trimmed_1
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- The same rows: their key, whether an attribute is missing, and the statistics.
    select
        1 as cut,
        text_1 as key_1,
        case when text_1 is null then 1 else 0 end as is_missing,
        rows_total,
        evaluated_1 as evaluated,
        input_1_rows_1 as input_1_rows,
        positives_1 as positives,
        label_minimum_1 as label_minimum,
        label_maximum_1 as label_maximum,
        pair_rows_1 as pair_rows,
        blank_1_1 as blank_1
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
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then pair_rows else 0 end) as pair_rows,
        sum(case when is_missing = 0 then blank_1 else 0 end) as blank_1,
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
        cast(positives as bigint) as positives,
        label_minimum,
        label_maximum,
        cast(pair_rows as bigint) as pair_rows,
        cast(blank_1 as bigint) as blank_1,
        cast(attribute_1_rows as bigint) as attribute_1_rows
    from by_group
)

select *
from statistics
order by cut asc, is_whole desc, key_1 asc;
