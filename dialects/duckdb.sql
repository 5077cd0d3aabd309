{# DuckDB. Dates, text and booleans have no product with a number, so `* 1` lets only numbers pass. #}

{% macro duckdb__fairsql_double(expression) %}{{ return('cast(' ~ expression ~ ' as double)') }}{% endmacro %}


{% macro duckdb__fairsql_column(name, kind) %}
    {{- return(fairsql.identifier(name) ~ (' collate C' if kind == 'text' else '')) -}}
{% endmacro %}


{% macro duckdb__fairsql_number(column, kind) %}
    {%- if kind in ['integer', 'decimal'] -%}
        {{- return('cast(' ~ column ~ ' as double)') -}}
    {%- elif kind == 'float' -%}
        {{- return("nullif(cast(" ~ column ~ " as double), cast('nan' as double))") -}}
    {%- endif -%}
    {{- return("nullif(cast(" ~ column ~ " * 1 as double), cast('nan' as double))") -}}
{% endmacro %}


{% macro duckdb__fairsql_trim(text) %}
    {%- set space = '[\\t-\\r\\x{85}\\p{Z}]+' -%}
    {{- return("regexp_replace(" ~ text ~ ", '^" ~ space ~ "|" ~ space ~ "$', '', 'g')") -}}
{% endmacro %}


{# Hardly a label begins with white space: the cheap test spares the expression. #}
{% macro duckdb__fairsql_is_blank(column, kind) %}
    {%- set text = column if kind == 'text' else fairsql.text(column) -%}
    {{- return('(' ~ text ~ " < '!' or " ~ text ~ " > '~') and " ~ fairsql.trim(text) ~ " = ''") -}}
{% endmacro %}


{% macro duckdb__fairsql_canonical_number(text) %}
    {{- return(
        "regexp_replace(" ~ text ~ ", '^(?:-(0)\\.0+|(-?[0-9]+)(?:\\.0+|(\\.[0-9]*[1-9])0+))$', '\\1\\2\\3')"
    ) -}}
{% endmacro %}


{% macro duckdb__fairsql_value_text(column, kind) %}
    {%- set text = 'cast(' ~ column ~ ' as varchar)' -%}
    {%- set float_text = "cast(nullif(cast(" ~ column ~ " as double), cast('nan' as double)) as varchar)" -%}
    {%- set clock_text = "replace(" ~ text ~ ", ' ', 'T')" -%}
    {%- set instant = column if kind is not none else "try_cast(" ~ text ~ " as timestamptz)" -%}
    {#- An infinite instant has no microseconds; its text is the same in every zone. -#}
    {%- set utc_text = "coalesce(replace(cast(make_timestamp(epoch_us(" ~ instant ~ ")) as varchar), ' ', 'T') || 'Z', " ~ text ~ ")" -%}
    {%- if kind == 'text' -%}
        {{- return(column) -}}
    {%- elif kind == 'float' -%}
        {{- return(float_text) -}}
    {%- elif kind == 'timestamp' -%}
        {{- return(clock_text) -}}
    {%- elif kind == 'timestamptz' -%}
        {{- return(utc_text) -}}
    {%- elif kind is not none -%}
        {{- return(text) -}}
    {%- endif -%}
    {# The type is DuckDB's to tell: typeof() is folded when the statement is planned. #}
    {{- return(
        "case when typeof(" ~ column ~ ") in ('DOUBLE', 'FLOAT')"
        ~ " then cast(nullif(try_cast(" ~ text ~ " as double), cast('nan' as double)) as varchar)"
        ~ " when typeof(" ~ column ~ ") = 'TIMESTAMP WITH TIME ZONE' then " ~ utc_text
        ~ " when typeof(" ~ column ~ ") like 'TIMESTAMP%' then " ~ clock_text
        ~ " else " ~ text ~ " end"
    ) -}}
{% endmacro %}


{% macro duckdb__fairsql_code_points(text) %}{{ return(text) }}{% endmacro %}


{% macro duckdb__fairsql_is_boolean(column, kind) %}{{ return('typeof(' ~ column ~ ") = 'BOOLEAN'") }}{% endmacro %}


{# One machine sorts rows sooner than it counts as many distinct scores. #}
{% macro duckdb__fairsql_counts_before_ranking() %}{{ return(false) }}{% endmacro %}


{# Microseconds are whole numbers, and seconds doubles. #}
{% macro duckdb__fairsql_elapsed_seconds(column, kind, start, first) %}
    {{- return('((epoch_us(' ~ column ~ ') - ' ~ start ~ '000000) // 1000000)') -}}
{% endmacro %}
