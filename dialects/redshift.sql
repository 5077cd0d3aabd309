{# Redshift: as PostgreSQL where its leader node's functions are not needed. It has no pg_typeof() for columns and no
   text of a boolean, so that the SQL for columns of unknown type (dbt, compile) takes no boolean column.
   Functions: https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html #}

{% macro redshift__fairsql_fence() %}{{ return('') }}{% endmacro %}


{% macro redshift__fairsql_text(expression) %}{{ return('cast(' ~ expression ~ ' as varchar)') }}{% endmacro %}


{% macro redshift__fairsql_column(name, kind) %}
    {%- set column = fairsql.identifier(name) -%}
    {{- return('collate(' ~ column ~ ", 'case_sensitive')" if kind == 'text' else column) -}}
{% endmacro %}


{# A backslash begins an escape, though the standard's doubled quote serves as well. #}
{% macro redshift__fairsql_literal(text) %}
    {{- return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "''") ~ "'") -}}
{% endmacro %}


{# Characters by number. #}
{% macro redshift__fairsql_trim(text) %}
    {%- set characters = [] -%}
    {%- for number in [9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288] -%}
        {%- do characters.append('chr(' ~ number ~ ')') -%}
    {%- endfor -%}
    {{- return('btrim(' ~ text ~ ', ' ~ characters | join(' || ') ~ ')') -}}
{% endmacro %}


{% macro redshift__fairsql_is_blank(column, kind) %}{{ return(fairsql.trim(fairsql.text(column)) ~ " = ''") }}{% endmacro %}


{% macro redshift__fairsql_canonical_number(text) %}
    {%- set shortened = 'rtrim(rtrim(' ~ text ~ ", '0'), '.')" -%}
    {{- return(
        'case when ' ~ text ~ " ~ '^-?[0-9]+[.][0-9]+$' then case " ~ shortened ~ " when '-0' then '0' else " ~ shortened
        ~ ' end else ' ~ text ~ ' end'
    ) -}}
{% endmacro %}


{# NaN is the only double whose text is NaN; adding 0 makes -0 a 0. #}
{% macro redshift__fairsql_value_text(column, kind) %}
    {%- set text = column if kind == 'text' else fairsql.text(column) -%}
    {%- if kind == 'float' -%}
        {{- return("nullif(cast(" ~ column ~ " + 0 as varchar), 'NaN')") -}}
    {%- elif kind == 'boolean' -%}
        {{- return("case " ~ column ~ " when true then 'true' when false then 'false' end") -}}
    {%- elif kind in ['timestamp', 'timestamptz'] -%}
        {%- set instant = column if kind == 'timestamp' else column ~ " at time zone 'UTC'" -%}
        {{- return('rtrim(rtrim(to_char(' ~ instant ~ ", 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), '0'), '.')" ~ (" || 'Z'" if kind == 'timestamptz' else '')) -}}
    {%- endif -%}
    {{- return(text) -}}
{% endmacro %}


{% macro redshift__fairsql_is_present(column, kind) %}{{ return(fairsql.default__fairsql_is_present(column, kind)) }}{% endmacro %}


{% macro redshift__fairsql_matches(column, kind, values) %}
    {%- if kind == 'boolean' -%}
        {{- return(fairsql.value_text(column, kind) ~ ' in (' ~ fairsql.literals(values | map('lower') | list) ~ ')') -}}
    {%- endif -%}
    {{- return(fairsql.default__fairsql_matches(column, kind, values)) -}}
{% endmacro %}


{# Where the type is not known, a boolean is refused by its text. #}
{% macro redshift__fairsql_is_boolean(column, kind) %}{{ return('1 = 1' if kind == 'boolean' else '1 = 0') }}{% endmacro %}


{# Text compares by its bytes in UTF-8, which is by code point. #}
{% macro redshift__fairsql_code_points(text) %}{{ return(text) }}{% endmacro %}


{% macro redshift__fairsql_counts_before_ranking() %}{{ return(true) }}{% endmacro %}


{# https://docs.aws.amazon.com/redshift/latest/dg/c_Window_functions.html #}
{% macro redshift__fairsql_has_range_frames() %}{{ return(false) }}{% endmacro %}


{% macro redshift__fairsql_lacks(quantity) %}
    {%- set needs = {
        'edit_distance': 'an edit distance',
        'normalized_edit_distance': 'an edit distance',
        'semantic_similarity': 'sums over the elements of an array within an expression',
    } -%}
    {%- set need = 'n-grams of an array within an expression' if quantity[:5] == 'bleu_' else needs.get(quantity) -%}
    {{- return('Redshift has no function for ' ~ need ~ '; compute a column of it by a function of your own and take the metric mean' if need else none) -}}
{% endmacro %}


{% macro redshift__fairsql_plain_text(column) %}{{ return('collate(' ~ fairsql.text(column) ~ ", 'case_sensitive')") }}{% endmacro %}


{% macro redshift__fairsql_lower_case(text) %}{{ return('lower(' ~ text ~ ')') }}{% endmacro %}


{% macro redshift__fairsql_replace_all(text, pattern, replacement) %}
    {{- return('regexp_replace(' ~ text ~ ", '" ~ pattern ~ "', '" ~ replacement ~ "')") -}}
{% endmacro %}


{# Characters by number. #}
{% macro redshift__fairsql_spaced(text) %}
    {%- set characters = [] -%}
    {%- for number in [9, 10, 11, 12, 13, 28, 29, 30, 31, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288] -%}
        {%- do characters.append('chr(' ~ number ~ ')') -%}
    {%- endfor -%}
    {{- return('btrim(regexp_replace(translate(' ~ text ~ ', ' ~ characters | join(' || ') ~ ", '" ~ ' ' * characters | length ~ "'), ' +', ' '))") -}}
{% endmacro %}


{# https://docs.aws.amazon.com/redshift/latest/dg/CAN_JSON_PARSE.html #}
{% macro redshift__fairsql_is_json(text) %}{{ return('can_json_parse(' ~ text ~ ')') }}{% endmacro %}


{# It counts the seconds that begin between the two. #}
{% macro redshift__fairsql_elapsed_seconds(column, kind, start, first) %}
    {%- set moment = fairsql.moment_literal(first, 'timestamptz' if kind == 'timestamptz' else 'timestamp') -%}
    {{- return('datediff(second, ' ~ moment ~ ', ' ~ ('cast(' ~ column ~ ' as timestamp)' if kind == 'date' else column) ~ ')') -}}
{% endmacro %}


{% macro redshift__fairsql_is_sampled(value) %}{{ return('mod(fnv_hash(' ~ value ~ '), 512) = 0') }}{% endmacro %}


{% macro redshift__fairsql_sha256(text) %}{{ return(fairsql.default__fairsql_sha256(text)) }}{% endmacro %}


{# Words stand in a text with one space between them; without a word both arrays are the same, of none or of one that is blank.
   https://docs.aws.amazon.com/redshift/latest/dg/array_intersection.html with `true` has each element once, as array_union()
   always has. #}
{% macro redshift__fairsql_words_jaccard(first, second) %}
    {%- set lists = 'split_to_array(' ~ first ~ ", ' '), split_to_array(" ~ second ~ ", ' ')" -%}
    {{- return(
        'coalesce(' ~ fairsql.double('get_array_length(array_intersection(' ~ lists ~ ', true))') ~ ' / nullif(get_array_length(array_union(' ~ lists ~ ')), 0), 1e0)'
    ) -}}
{% endmacro %}


{% macro redshift__fairsql_words(text) %}{{ return(fairsql.spaced(text)) }}{% endmacro %}

{% macro redshift__fairsql_word_count(words) %}{{ return('regexp_count(' ~ words ~ ", '[^ ]+')") }}{% endmacro %}


{# A field that is missing is an empty text here. #}
{% macro redshift__fairsql_json_field(text, field) %}{{ return(fairsql.default__fairsql_json_field(text, field)) }}{% endmacro %}
