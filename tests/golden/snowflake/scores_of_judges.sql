-- fairsql (version)
-- cuts 1, 2: Bias by language; Bias
-- cuts 3, 4, 5: Bias
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "LANGUAGE" as attribute_1,
        cast('all' as varchar) as attribute_2,
        case when typeof(to_variant("TONE_SCORE")) in ('INTEGER', 'DECIMAL', 'DOUBLE') then nullif(cast("TONE_SCORE" as double), cast('NaN' as double)) when "TONE_SCORE" is not null then cast('"TONE_SCORE" is not numeric' || left(cast("TONE_SCORE" as varchar), 0) as double) end as input_1,
        case when typeof(to_variant("TONE_ERRORED")) in ('INTEGER', 'DECIMAL', 'DOUBLE') then nullif(cast("TONE_ERRORED" as double), cast('NaN' as double)) when "TONE_ERRORED" is not null then cast('"TONE_ERRORED" is not numeric' || left(cast("TONE_ERRORED" as varchar), 0) as double) end as input_2,
        case when typeof(to_variant("TONE_SCORED")) in ('INTEGER', 'DECIMAL', 'DOUBLE') then nullif(cast("TONE_SCORED" as double), cast('NaN' as double)) when "TONE_SCORED" is not null then cast('"TONE_SCORED" is not numeric' || left(cast("TONE_SCORED" as varchar), 0) as double) end as input_3,
        case
            when (case typeof(to_variant("TONE_ERRORED")) when 'DOUBLE' then cast(nullif(try_to_double(cast("TONE_ERRORED" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("TONE_ERRORED") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("TONE_ERRORED") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("TONE_ERRORED" as varchar) end in ('1') or (case typeof(to_variant("TONE_ERRORED")) when 'DOUBLE' then cast(nullif(try_to_double(cast("TONE_ERRORED" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("TONE_ERRORED") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("TONE_ERRORED") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("TONE_ERRORED" as varchar) end like '%.%' and case when regexp_like(case typeof(to_variant("TONE_ERRORED")) when 'DOUBLE' then cast(nullif(try_to_double(cast("TONE_ERRORED" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("TONE_ERRORED") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("TONE_ERRORED") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("TONE_ERRORED" as varchar) end, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(case typeof(to_variant("TONE_ERRORED")) when 'DOUBLE' then cast(nullif(try_to_double(cast("TONE_ERRORED" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("TONE_ERRORED") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("TONE_ERRORED") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("TONE_ERRORED" as varchar) end, '0'), '.') when '-0' then '0' else rtrim(rtrim(case typeof(to_variant("TONE_ERRORED")) when 'DOUBLE' then cast(nullif(try_to_double(cast("TONE_ERRORED" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("TONE_ERRORED") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("TONE_ERRORED") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("TONE_ERRORED" as varchar) end, '0'), '.') end else case typeof(to_variant("TONE_ERRORED")) when 'DOUBLE' then cast(nullif(try_to_double(cast("TONE_ERRORED" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("TONE_ERRORED") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("TONE_ERRORED") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("TONE_ERRORED" as varchar) end end in ('1'))) then 1
            when case typeof(to_variant("TONE_ERRORED")) when 'DOUBLE' then cast(nullif(try_to_double(cast("TONE_ERRORED" as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant("TONE_ERRORED") as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant("TONE_ERRORED") as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant("TONE_ERRORED") as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast("TONE_ERRORED" as varchar) end is not null then 0
        end as input_4,
        "TONE_ERRORED" as label_4
    from (
select
        relation.*,
        cast(judgement_1.score as double) as tone_score,
        judgement_1.label as tone_label,
        case when judgement_1.score is not null then 1 when judgement_1.input_hash is not null then 0 end as tone_scored,
        case when judgement_1.score is not null then 0 when judgement_1.input_hash is not null then 1 end as tone_errored,
        case when judgement_1.input_hash is not null then 1 else 0 end as tone_judged
    from (
        select * from "ANSWERS"
    ) as relation
    left join (
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
            from "FAIRSQL_JUDGEMENTS"
            where judge = 'bias' and prompt_version = 'v1' and model = 'm1'
        ) as numbered
        where place = 1
    ) as judgement_1
        on judgement_1.input_hash = sha2(case when relation."LANGUAGE" is null then '-' else cast(length(cast(relation."LANGUAGE" as varchar)) as varchar) || ':' || cast(relation."LANGUAGE" as varchar) end, 256)
) as relation
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when abs(input_1) <= cast('1e150' as double) then input_1 end as quantity_1,
        case when abs(input_2) <= cast('1e150' as double) then input_2 end as quantity_2,
        case when abs(input_3) <= cast('1e150' as double) then input_3 end as quantity_3,
        input_4 as quantity_4
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_1,
        cast('all' as varchar) as attribute_2,
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
        count(case when quantity_4 = 1 then 1 end) as positives_4,
        min(cast(label_4 as varchar)) as label_minimum_4,
        max(cast(label_4 as varchar)) as label_maximum_4,
        count(case when input_4 is not null and (case typeof(to_variant(label_4)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_4 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_4) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_4) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_4 as varchar) end in ('0', '1') or (case typeof(to_variant(label_4)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_4 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_4) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_4) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_4 as varchar) end like '%.%' and case when regexp_like(case typeof(to_variant(label_4)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_4 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_4) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_4) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_4 as varchar) end, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(case typeof(to_variant(label_4)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_4 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_4) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_4) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_4 as varchar) end, '0'), '.') when '-0' then '0' else rtrim(rtrim(case typeof(to_variant(label_4)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_4 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_4) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_4) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_4 as varchar) end, '0'), '.') end else case typeof(to_variant(label_4)) when 'DOUBLE' then cast(nullif(try_to_double(cast(label_4 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(label_4) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(label_4) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(label_4) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(label_4 as varchar) end end in ('0', '1'))) then 1 end) as pair_rows_4,
        count(case when input_4 is not null and trim(cast(label_4 as varchar), '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') = '' then 1 end) as blank_1_4
    from measured
    group by attribute_1
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        nullif(case when regexp_like(trimmed_1, '^-?[0-9]+[.][0-9]+$') then case rtrim(rtrim(trimmed_1, '0'), '.') when '-0' then '0' else rtrim(rtrim(trimmed_1, '0'), '.') end else trimmed_1 end, '') as text_1,
        attribute_2 as text_2
    from (
        select
            *,
            trim(case typeof(to_variant(attribute_1)) when 'DOUBLE' then cast(nullif(try_to_double(cast(attribute_1 as varchar)), cast('NaN' as double)) + 0 as varchar) when 'DATE' then to_varchar(cast(to_variant(attribute_1) as date), 'YYYY-MM-DD') when 'TIMESTAMP_NTZ' then rtrim(rtrim(to_varchar(cast(to_variant(attribute_1) as timestamp_ntz), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') when 'TIMESTAMP_LTZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(attribute_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' when 'TIMESTAMP_TZ' then rtrim(rtrim(to_varchar(convert_timezone('UTC', cast(to_variant(attribute_1) as timestamp_tz)), 'YYYY-MM-DD"T"HH24:MI:SS.FF9'), '0'), '.') || 'Z' else cast(attribute_1 as varchar) end, '\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') as trimmed_1
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        case when cut in (1, 5) then text_1 when cut in (2, 3, 4) then text_2 end as key_1,
        case
            when cut in (1, 5) and text_1 is null then 1
            when cut in (2, 3, 4) and text_2 is null then 1
            else 0
        end as is_missing,
        rows_total,
        case
            when measure = 1 then evaluated_1
            when measure = 2 then evaluated_2
            when measure = 3 then evaluated_3
            when measure = 4 then evaluated_4
        end as evaluated,
        case
            when measure = 1 then input_1_rows_1
            when measure = 2 then input_1_rows_2
            when measure = 3 then input_1_rows_3
            when measure = 4 then input_1_rows_4
        end as input_1_rows,
        case
            when measure = 1 then infinite_rows_1
            when measure = 2 then infinite_rows_2
            when measure = 3 then infinite_rows_3
        end as infinite_rows,
        case when measure = 1 then mean_1 when measure = 2 then mean_2 when measure = 3 then mean_3 end as mean,
        case when measure = 1 then m2_1 when measure = 2 then m2_2 when measure = 3 then m2_3 end as m2,
        case
            when measure = 1 then minimum_1
            when measure = 2 then minimum_2
            when measure = 3 then minimum_3
        end as minimum,
        case
            when measure = 1 then maximum_1
            when measure = 2 then maximum_2
            when measure = 3 then maximum_3
        end as maximum,
        case when measure = 4 then positives_4 end as positives,
        case when measure = 4 then label_minimum_4 end as label_minimum,
        case when measure = 4 then label_maximum_4 end as label_maximum,
        case when measure = 4 then pair_rows_4 end as pair_rows,
        case when measure = 4 then blank_1_4 end as blank_1
    from cleaned
    cross join (
        select 1 as cut, 1 as measure
        union all select 2 as cut, 2 as measure
        union all select 3 as cut, 1 as measure
        union all select 4 as cut, 3 as measure
        union all select 5 as cut, 4 as measure
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
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then pair_rows else 0 end) as pair_rows,
        sum(case when is_missing = 0 then blank_1 else 0 end) as blank_1,
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
