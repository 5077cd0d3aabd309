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


{% macro duckdb__fairsql_matches(column, kind, values) %}
    {%- set literals = [] -%}
    {%- set booleans = [] -%}
    {%- set integers = [] -%}
    {%- set doubles = [] -%}
    {%- set long_texts = [] -%}
    {%- for value in values -%}
        {%- set shape = fairsql.number_shape(value) -%}
        {%- do literals.append(fairsql.literal(value)) -%}
        {%- do booleans.append(fairsql.literal(value | lower)) if value | lower in ['true', 'false'] -%}
        {%- do integers.append(value) if shape == 'integer' -%}
        {%- do doubles.append('cast(' ~ fairsql.literal(value) ~ ' as double)') if shape -%}
        {#- More digits than a number of this shape: compared as text, so that none is lost. -#}
        {%- do long_texts.append(fairsql.literal(value)) if not shape and value | length > 16 -%}
    {%- endfor -%}
    {%- set among = ' in (' ~ literals | join(', ') ~ ')' -%}
    {%- if kind == 'text' and not doubles and not long_texts -%}
        {{- return(column ~ among) -}}
    {%- elif kind == 'text' -%}
        {#- Only text with a point can have a second spelling of a number. -#}
        {{- return('(' ~ column ~ among ~ ' or (' ~ column ~ " like '%.%' and " ~ fairsql.canonical_number(column) ~ among ~ '))') -}}
    {%- elif kind == 'integer' -%}
        {%- set ways = [] -%}
        {%- do ways.append(column ~ ' in (' ~ integers | join(', ') ~ ')') if integers -%}
        {%- do ways.append('cast(' ~ column ~ ' as varchar) in (' ~ long_texts | join(', ') ~ ')') if long_texts -%}
        {{- return('(' ~ ways | join(' or ') ~ ')' if ways | length > 1 else ways[0] if ways else 'false') -}}
    {%- elif kind == 'float' -%}
        {{- return('cast(' ~ column ~ ' as double) in (' ~ doubles | join(', ') ~ ')' if doubles else 'false') -}}
    {%- elif kind == 'boolean' -%}
        {{- return('cast(' ~ column ~ ' as varchar) in (' ~ booleans | join(', ') ~ ')' if booleans else 'false') -}}
    {%- endif -%}
    {%- set matches = fairsql.canonical_number(fairsql.value_text(column, kind)) ~ among -%}
    {%- if kind is none and booleans -%}
        {%- set boolean_matches = 'cast(' ~ column ~ ' as varchar) in (' ~ booleans | join(', ') ~ ')' -%}
        {{- return('(' ~ matches ~ " or (typeof(" ~ column ~ ") = 'BOOLEAN' and " ~ boolean_matches ~ '))') -}}
    {%- endif -%}
    {{- return(matches) -}}
{% endmacro %}


{% macro duckdb__fairsql_code_points(text) %}{{ return(text) }}{% endmacro %}


{% macro duckdb__fairsql_is_boolean(column, kind) %}{{ return('typeof(' ~ column ~ ") = 'BOOLEAN'") }}{% endmacro %}
