-- fairsql (version)
-- cut 1: Stereotypes by race
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "race" as attribute_1,
        case
            when (case cast(pg_typeof(coalesce("fairsql_flag", null)) as text) when 'double precision' then cast(nullif(cast(cast("fairsql_flag" as text) as double precision) + 0, double precision 'NaN') as text) when 'real' then cast(nullif(cast(cast(cast("fairsql_flag" as text) as real) as double precision) + 0, double precision 'NaN') as text) when 'numeric' then nullif(cast("fairsql_flag" as text), 'NaN') when 'date' then to_json("fairsql_flag") #>> '{}' when 'timestamp without time zone' then to_json("fairsql_flag") #>> '{}' when 'timestamp with time zone' then to_json(cast(to_json("fairsql_flag") #>> '{}' as timestamptz) at time zone 'UTC') #>> '{}' || 'Z' else cast("fairsql_flag" as text) end collate "C" in ('1') or (case cast(pg_typeof(coalesce("fairsql_flag", null)) as text) when 'double precision' then cast(nullif(cast(cast("fairsql_flag" as text) as double precision) + 0, double precision 'NaN') as text) when 'real' then cast(nullif(cast(cast(cast("fairsql_flag" as text) as real) as double precision) + 0, double precision 'NaN') as text) when 'numeric' then nullif(cast("fairsql_flag" as text), 'NaN') when 'date' then to_json("fairsql_flag") #>> '{}' when 'timestamp without time zone' then to_json("fairsql_flag") #>> '{}' when 'timestamp with time zone' then to_json(cast(to_json("fairsql_flag") #>> '{}' as timestamptz) at time zone 'UTC') #>> '{}' || 'Z' else cast("fairsql_flag" as text) end collate "C" like '%.%' and regexp_replace(case cast(pg_typeof(coalesce("fairsql_flag", null)) as text) when 'double precision' then cast(nullif(cast(cast("fairsql_flag" as text) as double precision) + 0, double precision 'NaN') as text) when 'real' then cast(nullif(cast(cast(cast("fairsql_flag" as text) as real) as double precision) + 0, double precision 'NaN') as text) when 'numeric' then nullif(cast("fairsql_flag" as text), 'NaN') when 'date' then to_json("fairsql_flag") #>> '{}' when 'timestamp without time zone' then to_json("fairsql_flag") #>> '{}' when 'timestamp with time zone' then to_json(cast(to_json("fairsql_flag") #>> '{}' as timestamptz) at time zone 'UTC') #>> '{}' || 'Z' else cast("fairsql_flag" as text) end collate "C", '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('1'))) then 1
            when case when cast(pg_typeof(coalesce("fairsql_flag", null)) as text) in ('double precision', 'real', 'numeric') then nullif(cast("fairsql_flag" as text), 'NaN') is not null else "fairsql_flag" is not null end then 0
        end as input_1,
        "fairsql_flag" as label_1
    from (

    select
        relation.*,
        case when cast(relation."split" as text) collate "C" is null or cast(relation."gender" as text) collate "C" is null then null when lower(regexp_replace(regexp_replace(cast(relation."split" as text) collate "C", '^[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+|[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+$', '', 'g'), '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') collate "und-x-icu") collate "C" = lower(regexp_replace(regexp_replace(cast(relation."gender" as text) collate "C", '^[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+|[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+$', '', 'g'), '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') collate "und-x-icu") collate "C" then 1 else 0 end as fairsql_flag
    from (
        select * from "loans"
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
        min(cast(label_1 as text)) as label_minimum_1,
        max(cast(label_1 as text)) as label_maximum_1,
        count(case when input_1 is not null and (case cast(pg_typeof(coalesce(label_1, null)) as text) when 'double precision' then cast(nullif(cast(cast(label_1 as text) as double precision) + 0, double precision 'NaN') as text) when 'real' then cast(nullif(cast(cast(cast(label_1 as text) as real) as double precision) + 0, double precision 'NaN') as text) when 'numeric' then nullif(cast(label_1 as text), 'NaN') when 'date' then to_json(label_1) #>> '{}' when 'timestamp without time zone' then to_json(label_1) #>> '{}' when 'timestamp with time zone' then to_json(cast(to_json(label_1) #>> '{}' as timestamptz) at time zone 'UTC') #>> '{}' || 'Z' else cast(label_1 as text) end collate "C" in ('0', '1') or (case cast(pg_typeof(coalesce(label_1, null)) as text) when 'double precision' then cast(nullif(cast(cast(label_1 as text) as double precision) + 0, double precision 'NaN') as text) when 'real' then cast(nullif(cast(cast(cast(label_1 as text) as real) as double precision) + 0, double precision 'NaN') as text) when 'numeric' then nullif(cast(label_1 as text), 'NaN') when 'date' then to_json(label_1) #>> '{}' when 'timestamp without time zone' then to_json(label_1) #>> '{}' when 'timestamp with time zone' then to_json(cast(to_json(label_1) #>> '{}' as timestamptz) at time zone 'UTC') #>> '{}' || 'Z' else cast(label_1 as text) end collate "C" like '%.%' and regexp_replace(case cast(pg_typeof(coalesce(label_1, null)) as text) when 'double precision' then cast(nullif(cast(cast(label_1 as text) as double precision) + 0, double precision 'NaN') as text) when 'real' then cast(nullif(cast(cast(cast(label_1 as text) as real) as double precision) + 0, double precision 'NaN') as text) when 'numeric' then nullif(cast(label_1 as text), 'NaN') when 'date' then to_json(label_1) #>> '{}' when 'timestamp without time zone' then to_json(label_1) #>> '{}' when 'timestamp with time zone' then to_json(cast(to_json(label_1) #>> '{}' as timestamptz) at time zone 'UTC') #>> '{}' || 'Z' else cast(label_1 as text) end collate "C", '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('0', '1'))) then 1 end) as pair_rows_1,
        count(case when input_1 is not null and (cast(label_1 as text) collate "C" < '!' or cast(label_1 as text) collate "C" > '~') and regexp_replace(cast(label_1 as text) collate "C", '^[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+|[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+$', '', 'g') = '' then 1 end) as blank_1_1
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
            regexp_replace(case cast(pg_typeof(coalesce(attribute_1, null)) as text) when 'double precision' then cast(nullif(cast(cast(attribute_1 as text) as double precision) + 0, double precision 'NaN') as text) when 'real' then cast(nullif(cast(cast(cast(attribute_1 as text) as real) as double precision) + 0, double precision 'NaN') as text) when 'numeric' then nullif(cast(attribute_1 as text), 'NaN') when 'date' then to_json(attribute_1) #>> '{}' when 'timestamp without time zone' then to_json(attribute_1) #>> '{}' when 'timestamp with time zone' then to_json(cast(to_json(attribute_1) #>> '{}' as timestamptz) at time zone 'UTC') #>> '{}' || 'Z' else cast(attribute_1 as text) end collate "C", '^[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+|[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+$', '', 'g') as trimmed_1
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
