{# Spark 3.5 and later, its ANSI mode on or off. Text converts in arithmetic, so a column of unknown type is asked for
   it: typeof() is folded when the statement is planned.
   Functions: https://spark.apache.org/docs/latest/api/sql/ #}

{% macro spark__fairsql_identifier(name) %}{{ return('`' ~ name | replace('`', '``') ~ '`') }}{% endmacro %}


{# `${…}` would be taken for a variable. #}
{% macro spark__fairsql_literal(text) %}
    {{- return(fairsql.literal_with_escapes(text) | replace('${', '\\u0024{')) -}}
{% endmacro %}


{% macro spark__fairsql_double(expression) %}{{ return('cast(' ~ expression ~ ' as double)') }}{% endmacro %}


{% macro spark__fairsql_text(expression) %}{{ return('cast(' ~ expression ~ ' as string)') }}{% endmacro %}


{% macro spark__fairsql_number(column, kind) %}
    {%- set number = "nullif(cast(" ~ column ~ " as double), cast('NaN' as double))" -%}
    {%- if kind in ['integer', 'decimal', 'float'] -%}
        {{- return(number if kind == 'float' else 'cast(' ~ column ~ ' as double)') -}}
    {%- endif -%}
    {{- return(
        "case when typeof(" ~ column ~ ") rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*)$' then " ~ number
        ~ " else cast(raise_error(" ~ fairsql.literal('column ' ~ column ~ ' is not numeric') ~ ") as double) end"
    ) -}}
{% endmacro %}


{% macro spark__fairsql_trim(text) %}
    {{- return("trim(both '" ~ fairsql.white_space() | replace('\\f', '\\u000c') ~ "' from " ~ text ~ ')') -}}
{% endmacro %}


{% macro spark__fairsql_canonical_number(text) %}
    {{- return(
        'regexp_replace(' ~ text ~ ", r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))\\z', '$1$2$3')"
    ) -}}
{% endmacro %}


{# A double is written with an exponent from 1e7 on, and below 1e-3: as a decimal it is not. #}
{% macro spark__fairsql_value_text(column, kind) %}
    {%- set text = column if kind == 'text' else fairsql.text(column) -%}
    {%- set number = "nullif(cast(" ~ column ~ " as double), cast('NaN' as double))" if kind == 'float' else "nullif(try_cast(" ~ text ~ " as double), cast('NaN' as double))" -%}
    {%- set float_text = 'case when abs(' ~ number ~ ') < 1e15 then cast(try_cast(' ~ number ~ ' as decimal(38, 20)) as string) else cast(' ~ number ~ ' as string) end' -%}
    {%- set clock_text = "replace(" ~ text ~ ", ' ', 'T')" -%}
    {%- set utc_text = "regexp_replace(get_json_object(to_json(named_struct('at', " ~ column ~ "), map('timeZone', 'UTC', 'timestampFormat', \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS\")), '$.at'), '[.]?0*$', '') || 'Z'" -%}
    {%- if kind == 'float' -%}
        {{- return(float_text) -}}
    {%- elif kind == 'timestamp' -%}
        {{- return(clock_text) -}}
    {%- elif kind == 'timestamptz' -%}
        {{- return(utc_text) -}}
    {%- elif kind is not none -%}
        {{- return(text) -}}
    {%- endif -%}
    {{- return(
        "case when typeof(" ~ column ~ ") in ('double', 'float') then " ~ float_text
        ~ " when typeof(" ~ column ~ ") = 'timestamp' then " ~ utc_text
        ~ " when typeof(" ~ column ~ ") = 'timestamp_ntz' then " ~ clock_text
        ~ " else " ~ text ~ " end"
    ) -}}
{% endmacro %}


{% macro spark__fairsql_is_boolean(column, kind) %}{{ return('typeof(' ~ column ~ ") = 'boolean'") }}{% endmacro %}


{# Text compares by its bytes in UTF-8, which is by code point. #}
{% macro spark__fairsql_code_points(text) %}{{ return(text) }}{% endmacro %}


{# A CTE is computed at each place that reads it, unless it is not deterministic; rand() is never below 0. #}
{% macro spark__fairsql_computed_once(name, body, is_nested) %}
    {{- return(name ~ ' as (\n    select *\n    from (\n    ' ~ body ~ '\n    ) as once\n    -- Always true: Spark computes a part once that may not be the same twice.\n    where rand() >= 0\n)') -}}
{% endmacro %}


{# As an array, of the text of an array or of JSON: the same of a column whose type is not known. #}
{% macro spark__fairsql_embedding(column, kind) %}
    {%- set text = "regexp_replace(" ~ fairsql.text(column) ~ ", r'\\s', '')" -%}
    {{- return(
        'case when ' ~ text ~ " rlike r'" ~ fairsql.embedding_pattern() | replace('[[{]', '[\\[{]') | replace('[]}]', '[\\]}]') ~ "' then cast(split(regexp_replace(" ~ text ~ ", r'[\\[\\]{}]', ''), ',') as array<double>) end"
    ) -}}
{% endmacro %}


{% macro spark__fairsql_cosine(first, second) %}
    {%- set sums = [] -%}
    {%- for pair in [[first, second], [first, first], [second, second]] -%}
        {%- do sums.append('aggregate(zip_with(' ~ pair | join(', ') ~ ', (x, y) -> x * y), 0d, (total, product) -> total + product)') -%}
    {%- endfor -%}
    {{- return(
        'case\n            when size(' ~ first ~ ') = size(' ~ second ~ ')\n                then ' ~ sums[0]
        ~ '\n                    / nullif(sqrt(' ~ sums[1] ~ ')\n                    * sqrt(' ~ sums[2] ~ '), 0)\n        end'
    ) -}}
{% endmacro %}


{% macro spark__fairsql_spaced(text) %}
    {{- return('trim(regexp_replace(' ~ text ~ ", r'[" ~ fairsql.white_space_class() ~ "]+', ' '))") -}}
{% endmacro %}


{% macro spark__fairsql_words(text) %}
    {{- return('regexp_extract_all(' ~ text ~ ", r'[^" ~ fairsql.white_space_class() ~ "]+', 0)") -}}
{% endmacro %}


{% macro spark__fairsql_word_count(words) %}{{ return('size(' ~ words ~ ')') }}{% endmacro %}


{# An intersection of arrays counts each element once: each n-gram is numbered by its occurrences. #}
{% macro spark__fairsql_shared_grams(first, second, size) %}
    {%- set numbered = [] -%}
    {%- for words in [first, second] -%}
        {%- set grams = words if size == 1 else 'case when size(' ~ words ~ ') >= ' ~ size ~ ' then transform(sequence(0, size(' ~ words ~ ') - ' ~ size ~ '), place -> '
            ~ fairsql.gram(words ~ '[place', ']', size) ~ ') else cast(array() as array<string>) end' -%}
        {%- do numbered.append(
            'transform(array(array_sort(' ~ grams ~ ")), grams -> transform(grams, (gram, place) -> gram || ' ' || cast(place + 2 - array_position(grams, gram) as string)))[0]"
        ) -%}
    {%- endfor -%}
    {%- set break = '\n                ' -%}
    {{- return('size(array_intersect(' ~ break ~ numbered | join(',' ~ break) ~ '\n            ))') -}}
{% endmacro %}


{# Spark 4 and Databricks. What follows a value is not read: as an element of an array and as a member of an object, both,
   only one value with nothing after it is left. #}
{% macro spark__fairsql_is_json(text) %}
    {{- return("try_parse_json('[' || " ~ text ~ " || ']') is not null and try_parse_json('{\"value\":' || " ~ text ~ " || '}') is not null") -}}
{% endmacro %}


{# With a zone in its text, a literal is of the type that has one. #}
{% macro spark__fairsql_moment_literal(moment, kind) %}
    {{- return("timestamp '" ~ moment ~ "Z'" if kind == 'timestamptz' else "timestamp_ntz '" ~ moment ~ "'") -}}
{% endmacro %}


{# A clock without a zone is read as UTC's, by its text: a cast would read it as the session's. #}
{% macro spark__fairsql_instant(column) %}
    {%- set type = 'typeof(' ~ column ~ ')' -%}
    {{- return(
        'case when ' ~ type ~ " = 'timestamp' then cast(" ~ column ~ ' as timestamp) when ' ~ type ~ " in ('timestamp_ntz', 'date') then cast(concat(cast(cast("
        ~ column ~ ' as timestamp_ntz) as string), ' ~ "'Z') as timestamp) when " ~ column ~ ' is not null then cast(raise_error('
        ~ fairsql.literal(column ~ ' is no timestamp') ~ ') as timestamp) end'
    ) -}}
{% endmacro %}


{% macro spark__fairsql_instant_literal(moment) %}{{ return(fairsql.moment_literal(moment, 'timestamptz')) }}{% endmacro %}


{% macro spark__fairsql_elapsed_seconds(column, kind, start, first) %}
    {%- set in_utc = 'cast(concat(cast(cast(' ~ column ~ " as timestamp_ntz) as string), 'Z') as timestamp)" -%}
    {{- return('(unix_seconds(' ~ (column if kind == 'timestamptz' else in_utc) ~ ') - ' ~ start ~ ')') -}}
{% endmacro %}


{% macro spark__fairsql_selects_by_bins() %}{{ return(false) }}{% endmacro %}


{% macro spark__fairsql_is_sampled(value) %}{{ return('mod(xxhash64(' ~ value ~ '), 512) = 0') }}{% endmacro %}


{# An intersection and a union of arrays have each element once. #}
{% macro spark__fairsql_words_jaccard(first, second) %}
    {{- return(
        'coalesce(cast(size(array_intersect(' ~ first ~ ', ' ~ second ~ ')) as double) / nullif(size(array_union(' ~ first ~ ', ' ~ second ~ ')), 0), 1e0)'
    ) -}}
{% endmacro %}


{% macro spark__fairsql_json_field(text, field) %}
    {{- return('case when ' ~ fairsql.is_json(text) ~ ' then get_json_object(' ~ text ~ ", '$." ~ field ~ "') end") -}}
{% endmacro %}


{% macro spark__fairsql_number_in_text(text) %}{{ return('try_cast(' ~ text ~ ' as double)') }}{% endmacro %}
