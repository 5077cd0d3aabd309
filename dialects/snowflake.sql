{# Snowflake. Text converts in arithmetic, so a column of unknown type is asked for it, a value at a time: typeof() of a
   variant. Functions: https://docs.snowflake.com/en/sql-reference/functions-all #}

{# An unquoted name is stored in upper case, a quoted one as it is. #}
{% macro snowflake__fairsql_stored_name(name) %}{{ return(fairsql.folded_name(name, name | upper)) }}{% endmacro %}


{% macro snowflake__fairsql_literal(text) %}{{ return(fairsql.literal_with_escapes(text)) }}{% endmacro %}


{% macro snowflake__fairsql_double(expression) %}{{ return('cast(' ~ expression ~ ' as double)') }}{% endmacro %}


{# A literal with an exponent is a NUMBER: system$typeof(1e10) is NUMBER(11,0). #}
{% macro snowflake__fairsql_extreme(number) %}{{ return(fairsql.double("'" ~ number ~ "'")) }}{% endmacro %}


{# A column may be declared to ignore case. #}
{% macro snowflake__fairsql_column(name, kind) %}
    {%- set column = fairsql.identifier(name) -%}
    {{- return('collate(' ~ column ~ ", '')" if kind == 'text' else column) -}}
{% endmacro %}


{# The text that is no number hangs on the row, so that it is not converted before there is one. #}
{% macro snowflake__fairsql_number(column, kind) %}
    {%- if kind in ['integer', 'decimal'] -%}
        {{- return(fairsql.double(column)) -}}
    {%- endif -%}
    {%- set number = 'nullif(' ~ fairsql.double(column) ~ ", cast('NaN' as double))" -%}
    {%- if kind == 'float' -%}
        {{- return(number) -}}
    {%- endif -%}
    {{- return(
        'case when typeof(to_variant(' ~ column ~ ")) in ('INTEGER', 'DECIMAL', 'DOUBLE') then " ~ number
        ~ ' when ' ~ column ~ ' is not null then ' ~ fairsql.double(fairsql.literal(column ~ ' is not numeric') ~ ' || left(' ~ fairsql.text(column) ~ ', 0)') ~ ' end'
    ) -}}
{% endmacro %}


{% macro snowflake__fairsql_trim(text) %}
    {{- return('trim(' ~ text ~ ", '" ~ fairsql.white_space() ~ "')") -}}
{% endmacro %}


{% macro snowflake__fairsql_canonical_number(text) %}
    {%- set shortened = 'rtrim(rtrim(' ~ text ~ ", '0'), '.')" -%}
    {{- return(
        'case when regexp_like(' ~ text ~ ", '^-?[0-9]+[.][0-9]+$') then case " ~ shortened ~ " when '-0' then '0' else " ~ shortened
        ~ ' end else ' ~ text ~ ' end'
    ) -}}
{% endmacro %}


{# With the format in hand, whatever the session's; adding 0 makes -0 a 0. #}
{% macro snowflake__fairsql_value_text(column, kind) %}
    {%- if kind == 'text' -%}
        {{- return(column) -}}
    {%- elif kind in ['integer', 'decimal', 'boolean', 'other'] -%}
        {{- return(fairsql.text(column)) -}}
    {%- endif -%}
    {%- set variant = 'to_variant(' ~ column ~ ')' -%}
    {%- set number = column if kind else 'try_to_double(' ~ fairsql.text(column) ~ ')' -%}
    {%- set float_text = 'cast(nullif(' ~ number ~ ", cast('NaN' as double)) + 0 as varchar)" -%}
    {%- set date_text = 'to_varchar(' ~ (column if kind else 'cast(' ~ variant ~ ' as date)') ~ ", 'YYYY-MM-DD')" -%}
    {%- set format = "'YYYY-MM-DD\"T\"HH24:MI:SS.FF9'), '0'), '.')" -%}
    {%- set clock_text = 'rtrim(rtrim(to_varchar(' ~ (column if kind else 'cast(' ~ variant ~ ' as timestamp_ntz)') ~ ', ' ~ format -%}
    {%- set utc_text = "rtrim(rtrim(to_varchar(convert_timezone('UTC', " ~ (column if kind else 'cast(' ~ variant ~ ' as timestamp_tz)') ~ '), ' ~ format ~ " || 'Z'" -%}
    {%- if kind -%}
        {{- return({'float': float_text, 'date': date_text, 'timestamp': clock_text, 'timestamptz': utc_text}[kind]) -}}
    {%- endif -%}
    {{- return(
        'case typeof(' ~ variant ~ ") when 'DOUBLE' then " ~ float_text ~ " when 'DATE' then " ~ date_text
        ~ " when 'TIMESTAMP_NTZ' then " ~ clock_text ~ " when 'TIMESTAMP_LTZ' then " ~ utc_text ~ " when 'TIMESTAMP_TZ' then " ~ utc_text
        ~ ' else ' ~ fairsql.text(column) ~ ' end'
    ) -}}
{% endmacro %}


{% macro snowflake__fairsql_is_boolean(column, kind) %}
    {{- return('typeof(to_variant(' ~ column ~ ")) = 'BOOLEAN'") -}}
{% endmacro %}


{# Text compares by its bytes in UTF-8, which is by code point. #}
{% macro snowflake__fairsql_code_points(text) %}{{ return(text) }}{% endmacro %}


{# A range from the current row to itself is not among its frames: https://docs.snowflake.com/en/sql-reference/functions-window-syntax #}
{% macro snowflake__fairsql_has_range_frames() %}{{ return(false) }}{% endmacro %}


{# With the format in hand, whatever the session's. #}
{% macro snowflake__fairsql_plain_text(column) %}{{ return('collate(' ~ fairsql.text(column) ~ ", '')") }}{% endmacro %}


{# Of the type VECTOR: https://docs.snowflake.com/en/sql-reference/functions/vector_cosine_similarity #}
{% macro snowflake__fairsql_cosine(first, second) %}
    {{- return(
        'case\n            when vector_inner_product(' ~ first ~ ', ' ~ first ~ ') > 0 and vector_inner_product(' ~ second ~ ', ' ~ second ~ ') > 0'
        ~ '\n                then ' ~ fairsql.double('vector_cosine_similarity(' ~ first ~ ', ' ~ second ~ ')') ~ '\n        end'
    ) -}}
{% endmacro %}


{% macro snowflake__fairsql_spaced(text) %}
    {{- return('trim(regexp_replace(' ~ text ~ ", '[" ~ fairsql.white_space() ~ "\\u001c\\u001d\\u001e\\u001f]+', ' '))") -}}
{% endmacro %}


{# Kept as text with one space between words. #}
{% macro snowflake__fairsql_words(text) %}{{ return(fairsql.spaced(text)) }}{% endmacro %}


{% macro snowflake__fairsql_word_count(words) %}{{ return('regexp_count(' ~ words ~ ", '[^ ]+')") }}{% endmacro %}


{# n-grams that do not overlap, from the first word on, from the second on, and so forth: together they are all. An
   intersection of arrays keeps as many copies of an element as the array that has fewer of it:
   https://docs.snowflake.com/en/sql-reference/functions/array_intersection #}
{% macro snowflake__fairsql_shared_grams(first, second, size) %}
    {%- set arrays = [] -%}
    {%- for words in [first, second] -%}
        {%- set all = namespace(grams='') -%}
        {%- for skipped in range(size) -%}
            {%- set rest = words if skipped == 0 else 'regexp_replace(' ~ words ~ ", '^([^ ]+ ){" ~ skipped ~ "}', '')" -%}
            {%- set grams = 'regexp_substr_all(' ~ rest ~ ", '[^ ]+" ~ ('( [^ ]+){' ~ (size - 1) ~ '}' if size > 1 else '') ~ "')" -%}
            {%- set all.grams = grams if skipped == 0 else 'array_cat(' ~ all.grams ~ ', ' ~ grams ~ ')' -%}
        {%- endfor -%}
        {%- do arrays.append(all.grams) -%}
    {%- endfor -%}
    {%- set break = '\n                ' -%}
    {{- return('array_size(array_intersection(' ~ break ~ arrays | join(',' ~ break) ~ '\n            ))') -}}
{% endmacro %}


{% macro snowflake__fairsql_edits(first, second) %}{{ return('editdistance(' ~ first ~ ', ' ~ second ~ ')') }}{% endmacro %}


{# Blank text is no error to check_json(). #}
{% macro snowflake__fairsql_is_json(text) %}{{ return('check_json(' ~ text ~ ') is null and ' ~ fairsql.trim(text) ~ " <> ''") }}{% endmacro %}


{# With the format in hand, whatever the session's; `timestamp '…'` is of the type that the session maps it to. #}
{% macro snowflake__fairsql_moment_literal(moment, kind) %}
    {%- set format = 'YYYY-MM-DD HH24:MI:SS' ~ ('.FF6' if '.' in moment else '') -%}
    {%- set moment = (moment ~ '00000')[:26] if '.' in moment else moment -%}
    {%- if kind == 'timestamptz' -%}
        {{- return("to_timestamp_tz('" ~ moment ~ " +00:00', '" ~ format ~ " TZH:TZM')") -}}
    {%- endif -%}
    {{- return("to_timestamp_ntz('" ~ moment ~ "', '" ~ format ~ "')") -}}
{% endmacro %}


{# A type is asked for a value at a time, as of numbers; what is no time of a day is not converted but fails. #}
{% macro snowflake__fairsql_instant(column) %}
    {%- set variant = 'to_variant(' ~ column ~ ')' -%}
    {{- return(
        'case when typeof(' ~ variant ~ ") in ('TIMESTAMP_LTZ', 'TIMESTAMP_TZ') then cast(convert_timezone('UTC', cast(" ~ variant
        ~ ' as timestamp_tz)) as timestamp_ntz) when typeof(' ~ variant ~ ") in ('TIMESTAMP_NTZ', 'DATE') then cast(" ~ variant
        ~ ' as timestamp_ntz) when ' ~ column ~ ' is not null then to_timestamp_ntz('
        ~ fairsql.literal(column ~ ' is no timestamp') ~ ' || left(' ~ fairsql.text(column) ~ ", 0), 'YYYY-MM-DD') end"
    ) -}}
{% endmacro %}


{% macro snowflake__fairsql_instant_literal(moment) %}{{ return(fairsql.moment_literal(moment, 'timestamp')) }}{% endmacro %}


{# The epoch is counted in UTC. #}
{% macro snowflake__fairsql_elapsed_seconds(column, kind, start, first) %}
    {{- return('(date_part(epoch_second, ' ~ ('cast(' ~ column ~ ' as timestamp_ntz)' if kind == 'date' else column) ~ ') - ' ~ start ~ ')') -}}
{% endmacro %}


{% macro snowflake__fairsql_is_sampled(value) %}{{ return('mod(hash(' ~ value ~ '), 512) = 0') }}{% endmacro %}


{# Words stand in a text with one space between them. https://docs.snowflake.com/en/sql-reference/functions/array_distinct #}
{% macro snowflake__fairsql_words_jaccard(first, second) %}
    {%- set lists = [] -%}
    {%- for words in [first, second] -%}{%- do lists.append('regexp_substr_all(' ~ words ~ ", '[^ ]+')") -%}{%- endfor -%}
    {{- return(
        'coalesce(' ~ fairsql.double('array_size(array_intersection(array_distinct(' ~ lists[0] ~ '), array_distinct(' ~ lists[1] ~ ')))')
        ~ ' / nullif(array_size(array_distinct(array_cat(' ~ lists | join(', ') ~ '))), 0), 1e0)'
    ) -}}
{% endmacro %}


{# With return_error_details, an object of value and error: https://docs.snowflake.com/en/sql-reference/functions/ai_complete #}
{% macro snowflake__fairsql_ai_reply(judge, prompt) %}
    {{- return(
        'cast(ai_complete(\n            model => ' ~ fairsql.literal(judge.model) ~ ',\n            prompt => ' ~ prompt ~ ',\n            model_parameters => ' ~ fairsql.nested(judge.parameters, true)
        ~ ",\n            response_format => {'type': 'json', 'schema': " ~ fairsql.nested(fairsql.reply_schema(judge), true) ~ '},\n            return_error_details => true\n        ) as variant)'
    ) -}}
{% endmacro %}


{% macro snowflake__fairsql_ai_error(reply) %}{{ return('cast(' ~ reply ~ ':error as varchar)') }}{% endmacro %}


{# An object, or the text of one. #}
{% macro snowflake__fairsql_ai_value(reply) %}{{ return('try_parse_json(cast(' ~ reply ~ ':value as varchar))') }}{% endmacro %}


{% macro snowflake__fairsql_ai_field(value, field) %}{{ return('cast(' ~ value ~ ':' ~ field ~ ' as varchar)') }}{% endmacro %}


{% macro snowflake__fairsql_number_in_text(text) %}{{ return('try_to_double(' ~ text ~ ')') }}{% endmacro %}
