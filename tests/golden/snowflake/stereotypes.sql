-- fairsql (version)
-- cut 1: Stereotypes by race
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "RACE" as attribute_1,
        case
            when (case typeof(to_variant("FAIRSQL_FLAG")) when 'DOUBLE' then cast(nullif(try_to_double(cast("FAIRSQL_FLAG" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("FAIRSQL_FLAG") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("FAIRSQL_FLAG") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("FAIRSQL_FLAG" as varchar) end in ('1') or (case typeof(to_variant("FAIRSQL_FLAG")) when 'DOUBLE' then cast(nullif(try_to_double(cast("FAIRSQL_FLAG" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("FAIRSQL_FLAG") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("FAIRSQL_FLAG") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("FAIRSQL_FLAG" as varchar) end like '%.%' and case when regexp_like(case typeof(to_variant("FAIRSQL_FLAG")) when 'DOUBLE' then cast(nullif(try_to_double(cast("FAIRSQL_FLAG" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("FAIRSQL_FLAG") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("FAIRSQL_FLAG") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("FAIRSQL_FLAG" as varchar) end, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(case typeof(to_variant("FAIRSQL_FLAG")) when 'DOUBLE' then cast(nullif(try_to_double(cast("FAIRSQL_FLAG" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("FAIRSQL_FLAG") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("FAIRSQL_FLAG") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("FAIRSQL_FLAG" as varchar) end, '0'), '.') when '-0' then '0' else rtrim(rtrim(case typeof(to_variant("FAIRSQL_FLAG")) when 'DOUBLE' then cast(nullif(try_to_double(cast("FAIRSQL_FLAG" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("FAIRSQL_FLAG") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("FAIRSQL_FLAG") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("FAIRSQL_FLAG" as varchar) end, '0'), '.') end else case typeof(to_variant("FAIRSQL_FLAG")) when 'DOUBLE' then cast(nullif(try_to_double(cast("FAIRSQL_FLAG" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("FAIRSQL_FLAG") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("FAIRSQL_FLAG") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("FAIRSQL_FLAG" as varchar) end end in ('1'))) then 1
            when case typeof(to_variant("FAIRSQL_FLAG")) when 'DOUBLE' then cast(nullif(try_to_double(cast("FAIRSQL_FLAG" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("FAIRSQL_FLAG") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("FAIRSQL_FLAG") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("FAIRSQL_FLAG") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("FAIRSQL_FLAG" as varchar) end is not null then 0
        end as input_1,
        "FAIRSQL_FLAG" as label_1
    from (

    select
        relation.*,
        case when collate(cast(relation."SPLIT" as varchar), '') is null or collate(cast(relation."GENDER" as varchar), '') is null then null when lower(case when regexp_like(trim(collate(cast(relation."SPLIT" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'), '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(trim(collate(cast(relation."SPLIT" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'), '0'), '.') when '-0' then '0' else rtrim(rtrim(trim(collate(cast(relation."SPLIT" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'), '0'), '.') end else trim(collate(cast(relation."SPLIT" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') end) = lower(case when regexp_like(trim(collate(cast(relation."GENDER" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'), '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(trim(collate(cast(relation."GENDER" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'), '0'), '.') when '-0' then '0' else rtrim(rtrim(trim(collate(cast(relation."GENDER" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'), '0'), '.') end else trim(collate(cast(relation."GENDER" as varchar), ''), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') end) then 1 else 0 end as fairsql_flag
    from (
        select * from "LOANS"
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
        min(cast(label_1 as varchar)) as label_minimum_1,
        max(cast(label_1 as varchar)) as label_maximum_1,
        count(case when input_1 is not null and (case typeof(to_variant(label_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_1 as varchar) end in ('0', '1') or (case typeof(to_variant(label_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_1 as varchar) end like '%.%' and case when regexp_like(case typeof(to_variant(label_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_1 as varchar) end, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(case typeof(to_variant(label_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_1 as varchar) end, '0'), '.') when '-0' then '0' else rtrim(rtrim(case typeof(to_variant(label_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_1 as varchar) end, '0'), '.') end else case typeof(to_variant(label_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_1 as varchar) end end in ('0', '1'))) then 1 end) as pair_rows_1,
        count(case when input_1 is not null and trim(cast(label_1 as varchar), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') = '' then 1 end) as blank_1_1
    from measured
    group by attribute_1
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(case when regexp_like(trimmed_1, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(trimmed_1, '0'), '.') when '-0' then '0' else rtrim(rtrim(trimmed_1, '0'), '.') end else trimmed_1 end, '') as text_1
    from (
        select
            *,
            trim(case typeof(to_variant(attribute_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(attribute_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(attribute_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(attribute_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(attribute_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(attribute_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(attribute_1 as varchar) end, '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') as trimmed_1
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
