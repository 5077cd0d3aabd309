with source as (
    select *
    from (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        cast('all' as string) as attribute_1,
        `approved` as attribute_2,
        `predicted` as attribute_3,
        nullif(regexp_replace(trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from case when typeof(`predicted`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`predicted` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`predicted` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`predicted` as string) as double), cast('NaN' as double)) as string) end when typeof(`predicted`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `predicted`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`predicted`) = 'timestamp_ntz' then replace(cast(`predicted` as string), ' ', 'T') else cast(`predicted` as string) end), r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as input_1,
        nullif(regexp_replace(trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end), r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as input_2,
        case when typeof(`score`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`score` as double), cast('NaN' as double)) else cast(raise_error('column `score` is not numeric') as double) end as input_3,
        case
            when (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end in ('0') or (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end like '%.%' and regexp_replace(case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('0'))) then 1
            when (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end in ('1') or (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end like '%.%' and regexp_replace(case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('1'))) then 0
        end as input_4,
        `approved` as label_4,
        case when typeof(`probability`) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then nullif(cast(`probability` as double), cast('NaN' as double)) else cast(raise_error('column `probability` is not numeric') as double) end as input_5,
        case
            when (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end in ('1') or (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end like '%.%' and regexp_replace(case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('1'))) then 1
            when (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end in ('0') or (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end like '%.%' and regexp_replace(case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('0'))) then 0
        end as input_6,
        `approved` as label_6,
        case
            when (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end in ('0') or (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end like '%.%' and regexp_replace(case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('0'))) then 1
        end as input_7,
        `approved` as label_7,
        case
            when (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end in ('1') or (case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end like '%.%' and regexp_replace(case when typeof(`approved`) in ('double', 'float') then case when abs(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(`approved` as string) as double), cast('NaN' as double)) as string) end when typeof(`approved`) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', `approved`), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(`approved`) = 'timestamp_ntz' then replace(cast(`approved` as string), ' ', 'T') else cast(`approved` as string) end, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3') in ('1'))) then 1
        end as input_8,
        `approved` as label_8
    from `loans`
    ) as once
    -- Always true: Spark computes a part once that may not be the same twice.
    where rand() >= 0
),

measured as (
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        case when input_1 = input_2 then 1 when input_1 is not null and input_2 is not null then 0 end as quantity_1,
        case when input_3 is not null then input_4 end as quantity_2,
        case when input_5 is not null then input_6 end as quantity_3,
        case
            when input_3 between 0 and 1 and input_7 is not null
                then 0e0 - ln(greatest(case when input_7 = 1 then input_3 else 1e0 - input_3 end, 1e-15))
        end as quantity_4,
        case
            when input_5 between 0 and 1 and input_8 is not null
                then 0e0 - ln(greatest(case when input_8 = 1 then input_5 else 1e0 - input_5 end, 1e-15))
        end as quantity_5
    from source
),

by_raw_key as (
    -- One row for each combination of attribute values as they are written: the statistics of each measure over its rows.
    select
        attribute_2,
        attribute_3,
        cast('all' as string) as attribute_1,
        count(*) as rows_total,
        count(case when input_1 is not null and input_2 is not null then 1 end) as evaluated_1,
        count(input_1) as input_1_rows_1,
        count(input_2) as input_2_rows_1,
        count(case when quantity_1 = 1 then 1 end) as positives_1,
        count(case when input_3 is not null and input_4 is not null then 1 end) as evaluated_2,
        count(input_3) as input_1_rows_2,
        count(input_4) as input_2_rows_2,
        count(case when input_4 is not null and abs(input_3) > 1.7976931348623157e308 then 1 end) as infinite_rows_2,
        count(case when quantity_2 = 1 then 1 end) as positives_2,
        count(case when quantity_2 = 0 then 1 end) as negatives_2,
        min(cast(label_4 as string)) as label_minimum_2,
        max(cast(label_4 as string)) as label_maximum_2,
        count(case when input_3 is not null and input_4 is not null and trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(label_4 as string)) = '' then 1 end) as blank_2_2,
        count(case when input_5 is not null and input_6 is not null then 1 end) as evaluated_3,
        count(input_5) as input_1_rows_3,
        count(input_6) as input_2_rows_3,
        count(case when input_6 is not null and abs(input_5) > 1.7976931348623157e308 then 1 end) as infinite_rows_3,
        count(case when quantity_3 = 1 then 1 end) as positives_3,
        count(case when quantity_3 = 0 then 1 end) as negatives_3,
        min(cast(label_6 as string)) as label_minimum_3,
        max(cast(label_6 as string)) as label_maximum_3,
        count(case when input_5 is not null and input_6 is not null and trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(label_6 as string)) = '' then 1 end) as blank_2_3,
        count(case when input_3 is not null and input_7 is not null then 1 end) as evaluated_4,
        count(input_3) as input_1_rows_4,
        count(input_7) as input_2_rows_4,
        count(case when input_7 is not null and abs(input_3) > 1.7976931348623157e308 then 1 end) as infinite_rows_4,
        count(case when input_3 is not null and input_7 is not null then 1 end) - count(quantity_4) as out_of_range_rows_4,
        count(case when input_3 is not null and input_7 = 1 then 1 end) as positives_4,
        avg(quantity_4) as mean_4,
        var_pop(quantity_4) * count(quantity_4) as m2_4,
        min(quantity_4) as minimum_4,
        max(quantity_4) as maximum_4,
        min(cast(label_7 as string)) as label_minimum_4,
        max(cast(label_7 as string)) as label_maximum_4,
        count(case when input_3 is not null and input_7 is not null and trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(label_7 as string)) = '' then 1 end) as blank_2_4,
        count(case when input_5 is not null and input_8 is not null then 1 end) as evaluated_5,
        count(input_5) as input_1_rows_5,
        count(input_8) as input_2_rows_5,
        count(case when input_8 is not null and abs(input_5) > 1.7976931348623157e308 then 1 end) as infinite_rows_5,
        count(case when input_5 is not null and input_8 is not null then 1 end) - count(quantity_5) as out_of_range_rows_5,
        count(case when input_5 is not null and input_8 = 1 then 1 end) as positives_5,
        avg(quantity_5) as mean_5,
        var_pop(quantity_5) * count(quantity_5) as m2_5,
        min(quantity_5) as minimum_5,
        max(quantity_5) as maximum_5,
        min(cast(label_8 as string)) as label_minimum_5,
        max(cast(label_8 as string)) as label_maximum_5,
        count(case when input_5 is not null and input_8 is not null and trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from cast(label_8 as string)) = '' then 1 end) as blank_2_5
    from measured
    group by attribute_2, attribute_3
),

cleaned as (
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        attribute_1 as text_1,
        nullif(regexp_replace(trimmed_2, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as text_2,
        nullif(regexp_replace(trimmed_3, r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\z', '$1$2$3'), '') as text_3
    from (
        select
            *,
            trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from case when typeof(attribute_2) in ('double', 'float') then case when abs(nullif(try_cast(cast(attribute_2 as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(attribute_2 as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(attribute_2 as string) as double), cast('NaN' as double)) as string) end when typeof(attribute_2) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', attribute_2), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(attribute_2) = 'timestamp_ntz' then replace(cast(attribute_2 as string), ' ', 'T') else cast(attribute_2 as string) end) as trimmed_2,
            trim(both '\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from case when typeof(attribute_3) in ('double', 'float') then case when abs(nullif(try_cast(cast(attribute_3 as string) as double), cast('NaN' as double))) < 1e15 then cast(try_cast(nullif(try_cast(cast(attribute_3 as string) as double), cast('NaN' as double)) as decimal(38, 20)) as string) else cast(nullif(try_cast(cast(attribute_3 as string) as double), cast('NaN' as double)) as string) end when typeof(attribute_3) = 'timestamp' then regexp_replace(get_json_object(to_json(named_struct('at', attribute_3), map('timeZone', 'UTC', 'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")), '$.at'), '[.]?0*$', '') || 'Z' when typeof(attribute_3) = 'timestamp_ntz' then replace(cast(attribute_3 as string), ' ', 'T') else cast(attribute_3 as string) end) as trimmed_3
        from by_raw_key
    ) as trimmed
),

keyed as (
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    select
        cut,
        attribute_1,
        attribute_2,
        attribute_3,
        case when cut in (1, 4, 5, 6, 7) then text_1 when cut = 2 then text_2 when cut = 3 then text_3 end as key_1,
        case
            when cut in (1, 4, 5, 6, 7) and text_1 is null then 1
            when cut = 2 and text_2 is null then 1
            when cut = 3 and text_3 is null then 1
            else 0
        end as is_missing,
        rows_total,
        case
            when measure = 1 then evaluated_1
            when measure = 2 then evaluated_2
            when measure = 3 then evaluated_3
            when measure = 4 then evaluated_4
            when measure = 5 then evaluated_5
        end as evaluated,
        case
            when measure = 1 then input_1_rows_1
            when measure = 2 then input_1_rows_2
            when measure = 3 then input_1_rows_3
            when measure = 4 then input_1_rows_4
            when measure = 5 then input_1_rows_5
        end as input_1_rows,
        case
            when measure = 1 then input_2_rows_1
            when measure = 2 then input_2_rows_2
            when measure = 3 then input_2_rows_3
            when measure = 4 then input_2_rows_4
            when measure = 5 then input_2_rows_5
        end as input_2_rows,
        case
            when measure = 1 then positives_1
            when measure = 2 then positives_2
            when measure = 3 then positives_3
            when measure = 4 then positives_4
            when measure = 5 then positives_5
        end as positives,
        case
            when measure = 2 then infinite_rows_2
            when measure = 3 then infinite_rows_3
            when measure = 4 then infinite_rows_4
            when measure = 5 then infinite_rows_5
        end as infinite_rows,
        case when measure = 2 then negatives_2 when measure = 3 then negatives_3 end as negatives,
        case
            when measure = 2 then label_minimum_2
            when measure = 3 then label_minimum_3
            when measure = 4 then label_minimum_4
            when measure = 5 then label_minimum_5
        end as label_minimum,
        case
            when measure = 2 then label_maximum_2
            when measure = 3 then label_maximum_3
            when measure = 4 then label_maximum_4
            when measure = 5 then label_maximum_5
        end as label_maximum,
        case
            when measure = 2 then blank_2_2
            when measure = 3 then blank_2_3
            when measure = 4 then blank_2_4
            when measure = 5 then blank_2_5
        end as blank_2,
        case when measure = 4 then out_of_range_rows_4 when measure = 5 then out_of_range_rows_5 end as out_of_range_rows,
        case when measure = 4 then mean_4 when measure = 5 then mean_5 end as mean,
        case when measure = 4 then m2_4 when measure = 5 then m2_5 end as m2,
        case when measure = 4 then minimum_4 when measure = 5 then minimum_5 end as minimum,
        case when measure = 4 then maximum_4 when measure = 5 then maximum_5 end as maximum
    from cleaned
    cross join (
        select 1 as cut, 1 as measure
        union all select 2 as cut, 1 as measure
        union all select 3 as cut, 1 as measure
        union all select 4 as cut, 2 as measure
        union all select 5 as cut, 3 as measure
        union all select 6 as cut, 4 as measure
        union all select 7 as cut, 5 as measure
    ) as cuts
),

numbered as (
    select *
    from (
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
    ) as once
    -- Always true: Spark computes a part once that may not be the same twice.
    where rand() >= 0
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
        sum(input_2_rows) as input_2_rows,
        sum(case when is_missing = 0 then positives else 0 end) as positives,
        sum(infinite_rows) as infinite_rows,
        sum(case when is_missing = 0 then negatives else 0 end) as negatives,
        min(case when is_missing = 0 then label_minimum end) as label_minimum,
        max(case when is_missing = 0 then label_maximum end) as label_maximum,
        sum(case when is_missing = 0 then blank_2 else 0 end) as blank_2,
        sum(out_of_range_rows) as out_of_range_rows,
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
    select *
    from (
    -- The whole, and each group that has evaluated rows (none where there are more than 1,000).
    select *
    from (
        select
            *,
            count(case when is_whole = 0 and is_missing = 0 and evaluated > 0 then 1 end) over (partition by cut) as groups_total
        from by_key
    ) as counted
    where is_whole = 1 or (is_whole = 0 and is_missing = 0 and evaluated > 0 and groups_total <= 1000)
    ) as once
    -- Always true: Spark computes a part once that may not be the same twice.
    where rand() >= 0
),

scored as (
    -- The rows of the relation that belong to a group of cut 4.
    select
        4 as cut,
        keys.group_number,
        source.input_3 as score,
        cast(source.input_4 as smallint) as positive
    from source
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 4 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    where source.input_3 is not null and source.input_4 is not null
    union all
    -- The rows of the relation that belong to a group of cut 5.
    select
        5 as cut,
        keys.group_number,
        source.input_5 as score,
        cast(source.input_6 as smallint) as positive
    from source
    inner join (
            select distinct
                cast(numbered.group_number as smallint) as group_number,
                numbered.attribute_1
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where numbered.cut = 5 and numbered.is_missing = 0 and by_group.is_whole = 0
        ) as keys
        on source.attribute_1 = keys.attribute_1
    where source.input_5 is not null and source.input_6 is not null
),

counted_scores as (
    -- One row for each group and score: positives and negatives.
    select
        cut,
        group_number,
        score,
        count(case when positive = 1 then 1 end) as positives,
        count(case when positive = 0 then 1 end) as negatives
    from scored
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

concordance as (
    -- One row for each group, and one for the whole (group_number 0): pairs in the right order, a tie counting half.
    select
        cut,
        coalesce(placed_scores.group_number, 0) as group_number,
        case when grouping(placed_scores.group_number) = 1 then sum(positives * below_in_whole) else sum(positives * below) end as concordant
    from placed_scores
    group by grouping sets ((cut, placed_scores.group_number), (cut))
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
        cast(by_group.positives as bigint) as positives,
        cast(by_group.infinite_rows as bigint) as infinite_rows,
        cast(by_group.negatives as bigint) as negatives,
        by_group.label_minimum,
        by_group.label_maximum,
        cast(by_group.blank_2 as bigint) as blank_2,
        cast(by_group.out_of_range_rows as bigint) as out_of_range_rows,
        case when by_group.is_whole = 0 then cast(by_group.mean as double) end as mean,
        case when by_group.is_whole = 0 then cast(by_group.m2 as double) end as m2,
        case when by_group.is_whole = 0 then cast(by_group.minimum as double) end as minimum,
        case when by_group.is_whole = 0 then cast(by_group.maximum as double) end as maximum,
        cast(by_group.attribute_1_rows as bigint) as attribute_1_rows,
        cast(concordance.concordant as double) as concordant
    from by_group
    left join concordance
        on by_group.cut = concordance.cut and by_group.group_number = concordance.group_number
),

questions as (
    select
        *,
        cut - min(cut) over () + 1 as question
    from statistics
),

valued_classes as (
    select
        *,
        case when place_in_class = 1 then cast(tp_of_class + tp_of_class as double) / nullif(cast(tp_of_class + tp_of_class + chosen - tp_of_class + actual - tp_of_class as double), 0) end as f1_of_class,
        case when place_in_class = 1 then cast(tp_of_class as double) / nullif(cast(tp_of_class + actual - tp_of_class as double), 0) end as recall_of_class
    from (
        select
            *,
            case when class_key is not null then row_number() over (partition by class_key order by question asc) end as place_in_class,
            coalesce(sum(case when question = 2 then positives end) over (partition by class_key), 0) as tp_of_class,
            coalesce(sum(case when question = 2 then evaluated end) over (partition by class_key), 0) as actual,
            coalesce(sum(case when question = 3 then evaluated end) over (partition by class_key), 0) as chosen,
            sum(case when class_key is not null and question = 2 then evaluated end) over () as in_all
        from (
            select *, case when is_whole = 0 and question in (2, 3) then key_1 end as class_key
            from questions
        ) as keyed_by_class
    ) as counted
),

beside_whole as (
    select
        *,
        max(case when is_whole = 1 then evaluated end) over (partition by cut) as whole_evaluated,
        max(case when is_whole = 1 then rows_total end) over (partition by cut) as whole_rows_total,
        max(case when is_whole = 1 then missing_metric_inputs end) over (partition by cut) as whole_missing_metric_inputs,
        max(case when is_whole = 1 then missing_attribute end) over (partition by cut) as whole_missing_attribute,
        max(case when is_whole = 1 then input_1_rows end) over (partition by cut) as whole_input_1_rows,
        max(case when is_whole = 1 then input_2_rows end) over (partition by cut) as whole_input_2_rows,
        max(case when is_whole = 1 then positives end) over (partition by cut) as whole_positives,
        max(case when is_whole = 1 then label_minimum end) over (partition by cut) as whole_label_minimum,
        max(case when is_whole = 1 then label_maximum end) over (partition by cut) as whole_label_maximum,
        max(case when is_whole = 1 then infinite_rows end) over (partition by cut) as whole_infinite_rows,
        max(case when is_whole = 1 then out_of_range_rows end) over (partition by cut) as whole_out_of_range_rows,
        avg(f1_of_class) over () as average_f1,
        min(f1_of_class) over () as least_f1,
        count(f1_of_class) over () as classes_f1,
        avg(recall_of_class) over () as average_recall,
        min(recall_of_class) over () as least_recall,
        count(recall_of_class) over () as classes_recall,
        count(case when place_in_class = 1 then 1 end) over () as class_count,
        row_number() over (partition by cut order by is_whole asc) as place
    from valued_classes
),

limited as (
    select
        numbers.threshold,
        case
            when numbers.threshold = 1 then 1
            when numbers.threshold = 2 then 2
            when numbers.threshold = 3 then 3
            when numbers.threshold = 4 then 4
            when numbers.threshold = 5 then 5
        end as asked_part,
        beside_whole.*,
        case
            when numbers.threshold = 1 then evaluated
            when numbers.threshold in (2, 3) then whole_evaluated
            when numbers.threshold = 4 then sum(whole_evaluated) over (partition by numbers.threshold) / 2
            when numbers.threshold = 5 then sum(whole_evaluated) over (partition by numbers.threshold)
        end as denominator,
        case
            when numbers.threshold = 1 then case when is_whole = 0 then cast(positives as double) / nullif(cast(evaluated as double), 0) end
            when numbers.threshold = 2 then average_f1
            when numbers.threshold = 3 then least_recall
            when numbers.threshold = 4 then case when count(concordant / nullif(cast(positives as double) * negatives, 0)) over (partition by numbers.threshold) = 2 then avg(concordant / nullif(cast(positives as double) * negatives, 0)) over (partition by numbers.threshold) end
            when numbers.threshold = 5 then case when min(minimum) over (partition by numbers.threshold) = max(maximum) over (partition by numbers.threshold) then min(minimum) over (partition by numbers.threshold) else sum(cast(evaluated as double) * mean) over (partition by numbers.threshold) / nullif(sum(cast(evaluated as double)) over (partition by numbers.threshold), 0) end
        end as value,
        case
            when numbers.threshold in (1, 2, 3) then whole_evaluated
            when numbers.threshold = 4 then sum(whole_evaluated) over (partition by numbers.threshold) / 2
            when numbers.threshold = 5 then sum(whole_evaluated) over (partition by numbers.threshold)
        end as combined_rows,
        case
            when numbers.threshold in (1, 2, 3) then whole_missing_metric_inputs
            when numbers.threshold = 4 then whole_rows_total - sum(whole_evaluated) over (partition by numbers.threshold) / 2
            when numbers.threshold = 5 then whole_rows_total - sum(whole_evaluated) over (partition by numbers.threshold)
        end as lacking_rows,
        case
            when numbers.threshold = 2 then average_f1
            when numbers.threshold = 3 then least_recall
            when numbers.threshold = 4 then case when count(concordant / nullif(cast(positives as double) * negatives, 0)) over (partition by numbers.threshold) = 2 then avg(concordant / nullif(cast(positives as double) * negatives, 0)) over (partition by numbers.threshold) end
        end as average,
        case
            when numbers.threshold = 2 then classes_f1
            when numbers.threshold = 3 then classes_recall
            when numbers.threshold = 4 then count(concordant / nullif(cast(positives as double) * negatives, 0)) over (partition by numbers.threshold)
        end as classes
    from (
        select row_number() over (order by half asc) as threshold
        from (select 0 as half union all select 0 as half union all select 0 as half union all select 0 as half union all select 0 as half) as halves
    ) as numbers
    left join beside_whole
        on beside_whole.place = 1 and beside_whole.question between case
            when numbers.threshold = 1 then 1
            when numbers.threshold in (2, 3) then 2
            when numbers.threshold = 4 then 4
            when numbers.threshold = 5 then 6
        end and case
            when numbers.threshold = 1 then 1
            when numbers.threshold in (2, 3) then 3
            when numbers.threshold = 4 then 5
            when numbers.threshold = 5 then 7
        end
),

reasoned as (
    select
        *,
        -- That a class is absent comes before what any question finds, and that the value is undefined after all.
        case when reason_found = 'positive_class_absent' and is_absent = 1 then question - 100000 when reason_found = 'metric_undefined' then 100000 + question else coalesce(question, 0) end as reason_place
    from (
        select
            *,
            case
                when asked_part = 1 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
                when asked_part = 1 and whole_input_1_rows = 0 then 'column_all_missing'
                when asked_part = 1 and whole_input_2_rows = 0 then 'column_all_missing'
                when asked_part = 1 and whole_evaluated = 0 then 'no_evaluated_rows'
                when asked_part = 1 and value is null then 'metric_undefined'
                when asked_part = 2 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
                when asked_part = 2 and whole_input_1_rows = 0 then 'column_all_missing'
                when asked_part = 2 and whole_input_2_rows = 0 then 'column_all_missing'
                when asked_part = 2 and whole_evaluated = 0 then 'no_evaluated_rows'
                when asked_part = 2 and value is null then 'metric_undefined'
                when asked_part = 3 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
                when asked_part = 3 and whole_input_1_rows = 0 then 'column_all_missing'
                when asked_part = 3 and whole_input_2_rows = 0 then 'column_all_missing'
                when asked_part = 3 and whole_evaluated = 0 then 'no_evaluated_rows'
                when asked_part = 3 and value is null then 'metric_undefined'
                when asked_part = 4 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
                when asked_part = 4 and whole_input_1_rows = 0 then 'column_all_missing'
                when asked_part = 4 and whole_input_2_rows = 0 then 'column_all_missing'
                when asked_part = 4 and whole_infinite_rows > 0 then 'infinite_values'
                when asked_part = 4 and whole_evaluated = 0 then 'no_evaluated_rows'
                when asked_part = 4 and whole_positives = 0 then 'positive_class_absent'
                when asked_part = 4 and whole_positives = whole_evaluated then 'negative_class_absent'
                when asked_part = 4 and value is null then 'metric_undefined'
                when asked_part = 5 and is_absent = 1 then 'positive_class_absent'
                when asked_part = 5 and coalesce(whole_rows_total, 0) = 0 then 'no_rows'
                when asked_part = 5 and whole_input_1_rows = 0 then 'column_all_missing'
                when asked_part = 5 and whole_input_2_rows = 0 then 'column_all_missing'
                when asked_part = 5 and whole_infinite_rows > 0 then 'infinite_values'
                when asked_part = 5 and whole_out_of_range_rows > 0 then 'probability_out_of_range'
                when asked_part = 5 and whole_evaluated = 0 then 'no_evaluated_rows'
                when asked_part = 5 and whole_positives = 0 then 'positive_class_absent'
                when asked_part = 5 and value is null then 'metric_undefined'
            end as reason_found,
            case
                when asked_part = 1 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
                when asked_part = 1 and whole_input_1_rows = 0 then 'every value of column predicted is missing'
                when asked_part = 1 and whole_input_2_rows = 0 then 'every value of column approved is missing'
                when asked_part = 1 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
                when asked_part = 1 and value is null then 'accuracy is undefined over the evaluated rows'
                when asked_part = 2 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
                when asked_part = 2 and whole_input_1_rows = 0 then 'every value of column predicted is missing'
                when asked_part = 2 and whole_input_2_rows = 0 then 'every value of column approved is missing'
                when asked_part = 2 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
                when asked_part = 2 and value is null then 'f1 is undefined over the evaluated rows'
                when asked_part = 3 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
                when asked_part = 3 and whole_input_1_rows = 0 then 'every value of column predicted is missing'
                when asked_part = 3 and whole_input_2_rows = 0 then 'every value of column approved is missing'
                when asked_part = 3 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
                when asked_part = 3 and value is null then 'recall_per_class is undefined over the evaluated rows'
                when asked_part = 4 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
                when asked_part = 4 and whole_input_1_rows = 0 then case
            when question - 3 = 1 then 'every value of column score is missing'
            when question - 3 = 2 then 'every value of column probability is missing'
        end
                when asked_part = 4 and whole_input_2_rows = 0 then 'every value of column approved is missing'
                when asked_part = 4 and whole_infinite_rows > 0 then case
            when question - 3 = 1 then cast(whole_infinite_rows as string) || ' rows hold an infinite value, or one whose square no number can hold, in score'
            when question - 3 = 2 then cast(whole_infinite_rows as string) || ' rows hold an infinite value, or one whose square no number can hold, in probability'
        end
                when asked_part = 4 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
                when asked_part = 4 and whole_positives = 0 then case
            when question - 3 = 1 then 'column approved never holds 0 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when question - 3 = 2 then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
        end
                when asked_part = 4 and whole_positives = whole_evaluated then 'column approved holds nothing but positives in the evaluated rows' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
                when asked_part = 4 and value is null then 'auc is undefined over the evaluated rows'
                when asked_part = 5 and is_absent = 1 then case
            when question - 5 = 1 then 'column approved never holds 0'
            when question - 5 = 2 then 'column approved never holds 1'
        end
                when asked_part = 5 and coalesce(whole_rows_total, 0) = 0 then 'the relation has no rows after where'
                when asked_part = 5 and whole_input_1_rows = 0 then case
            when question - 5 = 1 then 'every value of column score is missing'
            when question - 5 = 2 then 'every value of column probability is missing'
        end
                when asked_part = 5 and whole_input_2_rows = 0 then 'every value of column approved is missing'
                when asked_part = 5 and whole_infinite_rows > 0 then case
            when question - 5 = 1 then cast(whole_infinite_rows as string) || ' rows hold an infinite value, or one whose square no number can hold, in score'
            when question - 5 = 2 then cast(whole_infinite_rows as string) || ' rows hold an infinite value, or one whose square no number can hold, in probability'
        end
                when asked_part = 5 and whole_out_of_range_rows > 0 then case
            when question - 5 = 1 then cast(whole_out_of_range_rows as string) || ' rows hold a probability below 0 or above 1 in column score'
            when question - 5 = 2 then cast(whole_out_of_range_rows as string) || ' rows hold a probability below 0 or above 1 in column probability'
        end
                when asked_part = 5 and whole_evaluated = 0 then 'none of ' || cast(whole_rows_total as string) || ' rows has every metric input'
                when asked_part = 5 and whole_positives = 0 then case
            when question - 5 = 1 then 'column approved never holds 0 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
            when question - 5 = 2 then 'column approved never holds 1 in an evaluated row' || '; it holds values from ' || coalesce(whole_label_minimum, '') || ' to ' || coalesce(whole_label_maximum, '')
        end
                when asked_part = 5 and value is null then 'log_loss is undefined over the evaluated rows'
            end as message_found
        from (
            select *, case when asked_part = 5 and whole_input_2_rows = 0 and max(whole_input_2_rows) over (partition by threshold) > 0 then 1 else 0 end as is_absent
            from limited
        ) as beside_classes
    ) as found
),

first_reasons as (
    select *
    from (
        select
            *,
            max(case when reason_place = first_reason then reason_found end) over (partition by threshold) as skip_reason,
            max(case when reason_place = first_reason then message_found end) over (partition by threshold) as skip_message
        from (
            select *, min(case when reason_found is not null then reason_place end) over (partition by threshold) as first_reason
            from reasoned
        ) as beside_first
    ) as with_reason
    where question is null or question = case
            when threshold = 1 then 1
            when threshold in (2, 3) then 2
            when threshold = 4 then 4
            when threshold = 5 then 6
        end
),

judged as (
    select
        *,
        case when skip_reason is null then case
            when threshold in (1, 2, 4) then case when value > cast(0.5 as double) or (abs(value - cast(0.5 as double)) <= 1e-12 * greatest(abs(value), abs(cast(0.5 as double)), 1e-290) or abs(value - cast(0.5 as double)) <= 1e-15) then 1 else 0 end
            when threshold = 3 then case when value > cast(0.2 as double) or (abs(value - cast(0.2 as double)) <= 1e-12 * greatest(abs(value), abs(cast(0.2 as double)), 1e-290) or abs(value - cast(0.2 as double)) <= 1e-15) then 1 else 0 end
            when threshold = 5 then case when value < cast(5 as double) or (abs(value - cast(5 as double)) <= 1e-12 * greatest(abs(value), abs(cast(5 as double)), 1e-290) or abs(value - cast(5 as double)) <= 1e-15) then 1 else 0 end
        end end as holds
    from first_reasons
),

verdict as (
    select
        *,
        0 as is_test,
        1 as is_sufficient,
        0 as is_reference,
        0 as is_worse,
        0 as is_significant,
        case when holds = 0 then 1 else 0 end as is_failed,
        case when whole_evaluated > 0 then 1e0 end as share,
        cast(null as double) as comparison_value,
        cast(null as double) as ratio,
        cast(null as double) as difference,
        cast(null as double) as p_value,
        cast(null as double) as p_value_adjusted,
        case when are_broken = 1 then 'failed' when first_unjudged is not null then 'skipped' else 'passed' end as status,
        case when are_broken = 0 then max(case when threshold = first_unjudged then skip_reason end) over () end as reason,
        case when are_broken = 0 then max(case when threshold = first_unjudged then skip_message end) over () end as message
    from (
        select
            *,
            max(case when holds = 0 then 1 else 0 end) over () as are_broken,
            min(case when holds is null then threshold end) over () as first_unjudged
        from judged
    ) as beside_first
)

select
    'metric_threshold' as test_name,
    status,
    reason,
    message,
    nullif(substr(case when threshold = 1 and holds = 0 and skip_reason is null then '; accuracy >= 0.5' else '' end || case when threshold = 2 and holds = 0 and skip_reason is null then '; f1 >= 0.5' else '' end || case when threshold = 3 and holds = 0 and skip_reason is null then '; recall_per_class >= 0.2' else '' end || case when threshold = 4 and holds = 0 and skip_reason is null then '; auc >= 0.5' else '' end || case when threshold = 5 and holds = 0 and skip_reason is null then '; log_loss <= 5' else '' end, 3), '') as broken_thresholds,
    cast(null as string) as protected_attribute_columns,
    case
            when asked_part = 1 then 'accuracy'
            when asked_part = 2 then 'f1'
            when asked_part = 3 then 'recall_per_class'
            when asked_part = 4 then 'auc'
            when asked_part = 5 then 'log_loss'
        end as parity_metric,
    cast(null as string) as key_1,
    cast(null as string) as key_2,
    cast(null as string) as key_3,
    cast(case when is_test = 0 then combined_rows end as bigint) as group_rows,
    cast(case when is_test = 0 then missing_metric_inputs end as bigint) as missing_metric_inputs,
    cast(case when is_test = 0 then share end as double) as share,
    cast(case when is_test = 0 then case when skip_reason is null then value end end as double) as value,
    cast(case when is_test = 0 then denominator end as double) as denominator,
    cast(case when is_test = 0 then comparison_value end as double) as comparison_value,
    cast(case when is_test = 0 then ratio end as double) as ratio,
    cast(case when is_test = 0 then difference end as double) as difference,
    cast(case when is_test = 0 then p_value end as double) as p_value,
    cast(case when is_test = 0 then p_value_adjusted end as double) as p_value_adjusted,
    cast(case when is_test = 0 then case when asked_part = 1 then positives end end as double) as statistic_positives,
    cast(case when is_test = 0 then case when asked_part in (2, 3, 4) then average end end as double) as statistic_average,
    cast(case when is_test = 0 then case when asked_part in (2, 3, 4) then classes end end as double) as statistic_classes,
    cast(case when is_test = 0 then null end as double) as statistic_mean,
    cast(case when is_test = 0 then null end as double) as statistic_m2,
    cast(case when is_test = 0 then null end as double) as statistic_minimum,
    cast(case when is_test = 0 then null end as double) as statistic_maximum,
    case when is_test = 0 then is_sufficient = 1 end as sufficient,
    case when is_test = 0 then is_reference = 1 end as is_reference,
    case when is_test = 0 then is_worse = 1 end as worse,
    case when is_test = 0 then is_significant = 1 end as significant,
    case when is_test = 0 then is_failed = 1 end as failed,
    case when is_test = 0 then evaluated < 1 end as suppressed,
    cast(coalesce(whole_rows_total, 0) as bigint) as rows_total,
    cast(lacking_rows as bigint) as rows_missing_metric_inputs,
    cast(whole_missing_attribute as bigint) as rows_missing_attribute,
    cast(coalesce(combined_rows, 0) as bigint) as rows_evaluated,
    cast(groups_total as bigint) as groups_total
from verdict
where (status = 'skipped' and threshold = first_unjudged)
    or (status = 'failed' and holds = 0)
