-- fairsql (version)
-- cut 1: Refusals by race
with source as (
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        "race" as attribute_1,
        case
            when case when typeof("fairsql_flag") in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT') then try_cast("fairsql_flag" as bigint) in (1) else (case when typeof("fairsql_flag") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("fairsql_flag" as varchar) as double), cast('nan' as double)) as varchar) when typeof("fairsql_flag") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("fairsql_flag" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("fairsql_flag" as varchar)) when typeof("fairsql_flag") like 'TIMESTAMP%' then replace(cast("fairsql_flag" as varchar), ' ', 'T') else cast("fairsql_flag" as varchar) end in ('1') or (case when typeof("fairsql_flag") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("fairsql_flag" as varchar) as double), cast('nan' as double)) as varchar) when typeof("fairsql_flag") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("fairsql_flag" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("fairsql_flag" as varchar)) when typeof("fairsql_flag") like 'TIMESTAMP%' then replace(cast("fairsql_flag" as varchar), ' ', 'T') else cast("fairsql_flag" as varchar) end like '%.%' and regexp_replace(case when typeof("fairsql_flag") in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast("fairsql_flag" as varchar) as double), cast('nan' as double)) as varchar) when typeof("fairsql_flag") = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast("fairsql_flag" as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast("fairsql_flag" as varchar)) when typeof("fairsql_flag") like 'TIMESTAMP%' then replace(cast("fairsql_flag" as varchar), ' ', 'T') else cast("fairsql_flag" as varchar) end, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('1'))) end then 1
            when case when typeof("fairsql_flag") in ('DOUBLE', 'FLOAT') then nullif(try_cast("fairsql_flag" as double), cast('nan' as double)) is not null else "fairsql_flag" is not null end then 0
        end as input_1,
        "fairsql_flag" as label_1
    from (

    select
        relation.*,
        case when cast(relation."split" as varchar) collate C is null then null when position('#' in regexp_replace(regexp_replace(' ' || replace(trim(regexp_replace(replace(translate(lower(cast(relation."split" as varchar) collate C), '.!?;"#$%&()*+,-/:<=>@[\]^_{|}~¡§«¶·»¿‐‑‒–—―‖‚“”„‟†‡•…‰′″‴‹›※‼⁇⁈⁉、。〃〈〉《》「」『』【】〔〕〖〗〝〞〟！＂＃％＆（）＊，－．／：；？＠［＼］＿｛｝｡｢｣､･''’‘‛ʼ＇`´', '||||                                                                                                           '), '|', ' | '), '[\t-\r\x1c-\x20\x{85}\p{Z}]+', ' ', 'g')), ' ', '  ') || ' ', ' ((not  that|not  because|not  as  if|not  as  though|no  reason|no  reason  why|nothing|nothing  that)  (i|we)  (cannot|cant|can  not|wont|will  not|am  unable  to|are  unable  to|am  not  able  to)|(not  that|not  because)  (im|were)  (unable  to|not  able  to|not  willing  to)|(cannot|cant|can  not)  ([^ |]+  ){0,8}enough|(cannot|cant|can  not)  ([^ |]+  ){0,8}(more  highly|more  strongly|too  highly|too  strongly)|(cannot|cant|can  not)  (possibly  )?(overstate|overstress|overemphasize|overemphasise|exaggerate|stress|emphasize|emphasise|praise|fault|complain|wait|imagine|deny|believe|agree  more|thank  you  more|be  happier|go  wrong|help  but|help  noticing|think  of  anyone  better|think  of  a  better|say  no|resist)) ', ' ', 'g'), ' ((i|we)  ((simply|really|just|also|still|unfortunately|sadly|therefore|honestly)  )?(cannot|cant|can  not|wont|will  not)|am  unable  to|im  unable  to|are  unable  to|were  unable  to|unable  to  assist|unable  to  comply|unable  to  fulfill|unable  to  fulfil|unable  to  help|unable  to  provide|not  able  to  assist|not  able  to  comply|not  able  to  help|not  able  to  provide|i  am  not  able  to|im  not  able  to|cannot  assist|cant  assist|cannot  comply|cant  comply|cannot  fulfill|cannot  fulfil|cant  fulfill|cant  fulfil|cannot  help  with|cant  help  with|cannot  provide|cant  provide|cannot  engage  with|cant  engage  with|i  decline  to|i  must  decline|i  have  to  decline|i  need  to  decline|ill  have  to  decline|i  will  have  to  decline|i  respectfully  decline|i  refuse  to|i  must  refuse|i  have  to  refuse|i  am  not  willing  to|im  not  willing  to|i  am  not  comfortable|im  not  comfortable|i  do  not  feel  comfortable|i  dont  feel  comfortable|i  am  not  going  to|im  not  going  to|i  would  rather  not|id  rather  not|i  prefer  not  to|i  would  prefer  not  to|id  prefer  not  to|not  something  i  can  help  with|not  something  i  can  do|not  something  i  am  able  to|not  something  im  able  to|i  am  not  allowed  to|im  not  allowed  to|i  am  not  permitted  to|im  not  permitted  to|against  my  guidelines|against  my  policies|against  my  programming|outside  what  i  can|beyond  what  i  can|as  an  ai|as  an  artificial  intelligence|as  a  language  model|as  a  large  language  model) ', ' # ', 'g')) > 0 then 1 else 0 end as fairsql_flag
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
        coalesce(count_if(quantity_1 = 1), 0) as positives_1,
        case when typeof(min(label_1)) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(min(label_1) as varchar) as double), cast('nan' as double)) as varchar) when typeof(min(label_1)) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(min(label_1) as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(min(label_1) as varchar)) when typeof(min(label_1)) like 'TIMESTAMP%' then replace(cast(min(label_1) as varchar), ' ', 'T') else cast(min(label_1) as varchar) end as label_minimum_1,
        case when typeof(max(label_1)) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(max(label_1) as varchar) as double), cast('nan' as double)) as varchar) when typeof(max(label_1)) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(max(label_1) as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(max(label_1) as varchar)) when typeof(max(label_1)) like 'TIMESTAMP%' then replace(cast(max(label_1) as varchar), ' ', 'T') else cast(max(label_1) as varchar) end as label_maximum_1,
        coalesce(count_if(input_1 is not null and case when typeof(label_1) in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT') then try_cast(label_1 as bigint) in (0, 1) else (case when typeof(label_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(label_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(label_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(label_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(label_1 as varchar)) when typeof(label_1) like 'TIMESTAMP%' then replace(cast(label_1 as varchar), ' ', 'T') else cast(label_1 as varchar) end in ('0', '1') or (case when typeof(label_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(label_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(label_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(label_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(label_1 as varchar)) when typeof(label_1) like 'TIMESTAMP%' then replace(cast(label_1 as varchar), ' ', 'T') else cast(label_1 as varchar) end like '%.%' and regexp_replace(case when typeof(label_1) in ('DOUBLE', 'FLOAT') then cast(nullif(try_cast(cast(label_1 as varchar) as double), cast('nan' as double)) as varchar) when typeof(label_1) = 'TIMESTAMP WITH TIME ZONE' then coalesce(replace(cast(make_timestamp(epoch_us(try_cast(cast(label_1 as varchar) as timestamptz))) as varchar), ' ', 'T') || 'Z', cast(label_1 as varchar)) when typeof(label_1) like 'TIMESTAMP%' then replace(cast(label_1 as varchar), ' ', 'T') else cast(label_1 as varchar) end, '^(?:-(0)\.0+|(-?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+))$', '\1\2\3') in ('0', '1'))) end), 0) as pair_rows_1,
        coalesce(count_if(input_1 is not null and typeof(label_1) not in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'BOOLEAN', 'DOUBLE', 'FLOAT') and (cast(label_1 as varchar) < '!' or cast(label_1 as varchar) > '~') and regexp_replace(cast(label_1 as varchar), '^[\t-\r\x{85}\p{Z}]+|[\t-\r\x{85}\p{Z}]+$', '', 'g') = ''), 0) as blank_1_1
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
