{# Windows of time. A moment is text in UTC, `2024-03-01 12:30:00`, perhaps with a fraction of a second; a window is half
   open, so that it holds its start and not its end. #}


{# A filter and a window as one predicate. `window` has column, kind, start and end, or is none. #}
{% macro windowed(where, window) %}
    {%- if window is none -%}
        {{- return(where) -}}
    {%- endif -%}
    {%- set within = fairsql.within(window) -%}
    {{- return('(\n        ' ~ where ~ '\n        )\n        and ' ~ within if where else within) -}}
{% endmacro %}


{# True for the rows of a window; a row without a time is in none. The column stands alone where its kind is known, so that
   the warehouse passes over partitions and files of other times. #}
{% macro within(window) %}
    {%- set column = fairsql.identifier(window.column) -%}
    {%- if window.kind == 'date' -%}
        {#- A day is its midnight: the first one in the window is that of its start, or the next. -#}
        {{- return(fairsql.between(column, "date '" ~ fairsql.first_midnight(window.start) ~ "'", "date '" ~ fairsql.first_midnight(window.end) ~ "'")) -}}
    {%- elif window.kind is none -%}
        {{- return(fairsql.between(fairsql.instant(column), fairsql.instant_literal(window.start), fairsql.instant_literal(window.end))) -}}
    {%- endif -%}
    {{- return(fairsql.between(column, fairsql.moment_literal(window.start, window.kind), fairsql.moment_literal(window.end, window.kind))) -}}
{% endmacro %}


{# Half open, unlike SQL's own. #}
{% macro between(expression, start, end) %}
    {{- return(expression ~ ' >= ' ~ start ~ '\n        and ' ~ expression ~ ' < ' ~ end) -}}
{% endmacro %}


{# The day of the first midnight at a moment or after it. #}
{% macro first_midnight(moment) %}
    {%- if moment[11:] == '00:00:00' -%}
        {{- return(moment[:10]) -}}
    {%- endif -%}
    {{- return(fairsql.day_text(fairsql.day_number(moment[:4] | int, moment[5:7] | int, moment[8:10] | int) + 1)) -}}
{% endmacro %}
