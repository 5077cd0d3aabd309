{# BigQuery. Text, booleans and dates times a number are errors: `* 1` lets only numbers pass.
   Functions: https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all #}

{# Names in backticks take the escapes of string literals. #}
{% macro bigquery__fairsql_identifier(name) %}
    {{- return('`' ~ name | replace('\\', '\\\\') | replace('`', '\\`') ~ '`') -}}
{% endmacro %}


{% macro bigquery__fairsql_literal(text) %}{{ return(fairsql.literal_with_escapes(text)) }}{% endmacro %}


{% macro bigquery__fairsql_double(expression) %}{{ return('cast(' ~ expression ~ ' as float64)') }}{% endmacro %}


{% macro bigquery__fairsql_bigint(expression) %}{{ return('cast(' ~ expression ~ ' as int64)') }}{% endmacro %}


{# Integers have one type. #}
{% macro bigquery__fairsql_smallint(expression) %}{{ return(expression) }}{% endmacro %}


{% macro bigquery__fairsql_text(expression) %}{{ return('cast(' ~ expression ~ ' as string)') }}{% endmacro %}


{# A column may be declared to ignore case. #}
{% macro bigquery__fairsql_column(name, kind) %}
    {%- set column = fairsql.identifier(name) -%}
    {{- return('collate(' ~ column ~ ", '')" if kind == 'text' else column) -}}
{% endmacro %}


{# NaN equals nothing here, itself included. #}
{% macro bigquery__fairsql_number(column, kind) %}
    {%- set number = fairsql.double(column if kind in ['integer', 'decimal', 'float'] else column ~ ' * 1') -%}
    {{- return(number if kind in ['integer', 'decimal'] else 'if(is_nan(' ~ number ~ '), null, ' ~ number ~ ')') -}}
{% endmacro %}


{% macro bigquery__fairsql_trim(text) %}
    {{- return('trim(' ~ text ~ ", '" ~ fairsql.white_space() ~ "')") -}}
{% endmacro %}


{% macro bigquery__fairsql_canonical_number(text) %}
    {{- return(
        'regexp_replace(' ~ text ~ ", r'^(?:-(0)[.]0+|(-?[0-9]+)(?:[.]0+|([.][0-9]*[1-9])0+))$', r'\\1\\2\\3')"
    ) -}}
{% endmacro %}


{# JSON spells a timestamp in one way, in UTC, with three, six or nine decimals. #}
{% macro bigquery__fairsql_value_text(column, kind) %}
    {%- set text = column if kind == 'text' else fairsql.text(column) -%}
    {%- set float_text = "case " ~ text ~ " when 'nan' then null when '-0' then '0' else " ~ text ~ " end" -%}
    {%- set clock_text = "regexp_replace(nullif(trim(to_json_string(" ~ column ~ "), '\"'), 'null'), r'([.][0-9]*[1-9])0+(Z?)$', r'\\1\\2')" -%}
    {%- if kind == 'float' -%}
        {{- return(float_text) -}}
    {%- elif kind in ['timestamp', 'timestamptz'] -%}
        {{- return(clock_text) -}}
    {%- elif kind is not none -%}
        {{- return(text) -}}
    {%- endif -%}
    {{- return(
        "case when typeof(" ~ column ~ ") = 'FLOAT64' then " ~ float_text
        ~ " when typeof(" ~ column ~ ") in ('DATETIME', 'TIMESTAMP') then " ~ clock_text
        ~ " else " ~ text ~ " end"
    ) -}}
{% endmacro %}


{% macro bigquery__fairsql_is_told_by_value(kind) %}
    {{- return(kind in ['integer', 'decimal', 'float', 'boolean', 'date', 'timestamp', 'timestamptz']) -}}
{% endmacro %}


{% macro bigquery__fairsql_is_boolean(column, kind) %}{{ return('typeof(' ~ column ~ ") = 'BOOL'") }}{% endmacro %}


{# Text compares by code point. #}
{% macro bigquery__fairsql_code_points(text) %}{{ return(text) }}{% endmacro %}


{# A CTE is computed at each place that reads it, unless it is recursive, which only the outermost WITH may be:
   https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#with_clause #}
{% macro bigquery__fairsql_with_keyword(is_nested) %}{{ return('with' if is_nested else 'with recursive') }}{% endmacro %}


{% macro bigquery__fairsql_computed_once(name, body, is_nested) %}
    {%- if is_nested -%}
        {{- return(fairsql.cte(name, body)) -}}
    {%- endif -%}
    {{- return(name ~ ' as (\n    (\n    ' ~ body ~ '\n    )\n    -- No row more: BigQuery keeps what a recursive part holds, and computes it once.\n    union all\n    select *\n    from ' ~ name ~ '\n    where false\n)') -}}
{% endmacro %}


{% macro bigquery__fairsql_holds_text(text, part) %}{{ return('strpos(' ~ text ~ ', ' ~ fairsql.literal(part) ~ ') > 0') }}{% endmacro %}


{% macro bigquery__fairsql_plain_text(column) %}{{ return('collate(' ~ fairsql.text(column) ~ ", '')") }}{% endmacro %}


{# Kept as text, without white space: an array that is null might come back as an empty one. #}
{% macro bigquery__fairsql_embedding(column, kind) %}
    {%- set text = "regexp_replace(trim(to_json_string(" ~ column ~ "), '\"'), r'\\s', '')" -%}
    {{- return('case when regexp_contains(' ~ text ~ ", r'" ~ fairsql.embedding_pattern() ~ "') then trim(" ~ text ~ ", '[]{}') end") -}}
{% endmacro %}


{% macro bigquery__fairsql_cosine(first, second) %}
    {{- return(
        'case\n            when array_length(split(' ~ first ~ ", ',')) = array_length(split(" ~ second ~ ", ',')) then (\n                select sum(x * y) / nullif(sqrt(sum(x * x)) * sqrt(sum(y * y)), 0)"
        ~ '\n                from (\n                    select safe_cast(first_number as float64) as x, safe_cast(second_number as float64) as y'
        ~ '\n                    from unnest(split(' ~ first ~ ", ',')) as first_number with offset as first_place"
        ~ '\n                    join unnest(split(' ~ second ~ ", ',')) as second_number with offset as second_place on first_place = second_place"
        ~ '\n                ) as numbers\n            )\n        end'
    ) -}}
{% endmacro %}


{% macro bigquery__fairsql_spaced(text) %}
    {{- return('trim(regexp_replace(' ~ text ~ ", r'[" ~ fairsql.white_space_class() ~ "]+', ' '))") -}}
{% endmacro %}


{% macro bigquery__fairsql_words(text) %}
    {{- return('regexp_extract_all(' ~ text ~ ", r'[^" ~ fairsql.white_space_class() ~ "]+')") -}}
{% endmacro %}


{% macro bigquery__fairsql_word_count(words) %}{{ return('array_length(' ~ words ~ ')') }}{% endmacro %}


{% macro bigquery__fairsql_shared_grams(first, second, size) %}
    {%- set grams = [] -%}
    {%- for words in [first, second] -%}
        {%- do grams.append(
            'select ' ~ loop.index0 ~ ' as side, ' ~ fairsql.gram(words ~ '[offset(place', ')]', size) ~ ' as gram'
            ~ '\n                    from unnest(generate_array(0, array_length(' ~ words ~ ') - ' ~ size ~ ')) as place'
        ) -%}
    {%- endfor -%}
    {{- return(
        '(\n            select coalesce(sum(least(first_times, second_times)), 0)\n            from (\n                select gram, countif(side = 0) as first_times, countif(side = 1) as second_times'
        ~ '\n                from (\n                    ' ~ grams | join('\n                    union all\n                    ') ~ '\n                ) as grams\n                group by gram\n            ) as counted\n        )'
    ) -}}
{% endmacro %}


{% macro bigquery__fairsql_edits(first, second) %}{{ return('edit_distance(' ~ first ~ ', ' ~ second ~ ')') }}{% endmacro %}


{# A number of more digits than a double holds is rounded, and no error; a byte order mark would be passed over. #}
{% macro bigquery__fairsql_is_json(text) %}
    {{- return('safe.parse_json(' ~ text ~ ", wide_number_mode => 'round') is not null and not starts_with(" ~ text ~ ", '\\ufeff')") -}}
{% endmacro %}


{% macro bigquery__fairsql_moment_literal(moment, kind) %}
    {{- return("timestamp '" ~ moment ~ "+00'" if kind == 'timestamptz' else "datetime '" ~ moment ~ "'") -}}
{% endmacro %}


{# No part of a date is taken from text. A DATETIME would be cast by the project's default time zone. #}
{% macro bigquery__fairsql_instant(column) %}
    {{- return(
        'case when extract(year from ' ~ column ~ ') is null then null when typeof(' ~ column ~ ") = 'TIMESTAMP' then cast(" ~ column
        ~ ' as timestamp) else timestamp(cast(' ~ column ~ " as datetime), 'UTC') end"
    ) -}}
{% endmacro %}


{% macro bigquery__fairsql_instant_literal(moment) %}{{ return(fairsql.moment_literal(moment, 'timestamptz')) }}{% endmacro %}


{% macro bigquery__fairsql_elapsed_seconds(column, kind, start, first) %}
    {{- return('(unix_seconds(' ~ (column if kind == 'timestamptz' else 'timestamp(' ~ column ~ ", 'UTC')") ~ ') - ' ~ start ~ ')') -}}
{% endmacro %}


{% macro bigquery__fairsql_selects_by_bins() %}{{ return(false) }}{% endmacro %}


{% macro bigquery__fairsql_is_sampled(value) %}{{ return('mod(farm_fingerprint(cast(' ~ value ~ ' as string)), 512) = 0') }}{% endmacro %}


{% macro bigquery__fairsql_sha256(text) %}{{ return('to_hex(sha256(' ~ text ~ '))') }}{% endmacro %}


{% macro bigquery__fairsql_words_jaccard(first, second) %}
    {{- return(
        '(\n            select coalesce(safe_divide(countif(sides = 2), count(*)), 1e0)\n            from (\n                select word, count(distinct side) as sides'
        ~ '\n                from (\n                    select 1 as side, word from unnest(' ~ first ~ ') as word\n                    union all\n                    select 2 as side, word from unnest(' ~ second
        ~ ') as word\n                ) as words\n                group by word\n            ) as by_word\n        )'
    ) -}}
{% endmacro %}


{# A struct of the fields of output_schema, full_response and status, which is empty where all went well:
   https://cloud.google.com/bigquery/docs/reference/standard-sql/bigqueryml-syntax-ai-generate #}
{% macro bigquery__fairsql_ai_reply(judge, prompt) %}
    {%- set fields = [] -%}
    {%- for field in judge.fields -%}{%- do fields.append(field ~ (' FLOAT64' if field == 'score' else ' STRING')) -%}{%- endfor -%}
    {%- set parameters = {} -%}
    {%- for name, value in judge.parameters.items() -%}
        {%- do parameters.update({'maxOutputTokens' if name == 'max_tokens' else 'topP' if name == 'top_p' else name: value}) -%}
    {%- endfor -%}
    {{- return(
        'ai.generate(\n            ' ~ prompt ~ ',\n            endpoint => ' ~ fairsql.literal(judge.model) ~ ',\n            model_params => json ' ~ fairsql.literal(fairsql.nested({'generationConfig': parameters}))
        ~ ',\n            output_schema => ' ~ fairsql.literal(fields | join(', ')) ~ '\n        )'
    ) -}}
{% endmacro %}


{% macro bigquery__fairsql_ai_error(reply) %}{{ return('nullif(' ~ reply ~ ".status, '')") }}{% endmacro %}


{% macro bigquery__fairsql_ai_value(reply) %}{{ return(reply) }}{% endmacro %}


{% macro bigquery__fairsql_ai_field(value, field) %}{{ return(fairsql.text(value ~ '.' ~ field)) }}{% endmacro %}


{% macro bigquery__fairsql_ai_tokens(reply, side) %}
    {{- return('lax_int64(' ~ reply ~ '.full_response.usageMetadata.' ~ ('promptTokenCount' if side == 'input' else 'candidatesTokenCount') ~ ')') -}}
{% endmacro %}


{% macro bigquery__fairsql_number_in_text(text) %}{{ return('safe_cast(' ~ text ~ ' as float64)') }}{% endmacro %}
