{# The window of time that a dbt test looks at: its arguments, and from when it looks back. #}


{# What the arguments of a window need of one another. #}
{% macro check_window(place, test, given) %}
    {%- if test.timestamp_column is not none -%}
        {%- do fairsql.refuse(place, 'evaluation_window', 'is required by timestamp_column') if test.evaluation_window is none -%}
    {%- else -%}
        {%- for parameter in ['evaluation_window', 'delay_window'] if given[parameter] is not none -%}
            {%- do fairsql.refuse(place, parameter, 'needs timestamp_column, the column that says when a row happened') -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}


{# The test with its window, or none: the last `evaluation_window` seconds, `delay_window` seconds before the moment that
   `as_of` names, or else the variable fairsql_as_of, or else the start of dbt's run. #}
{% macro seen_from(test, as_of) %}
    {%- if test.timestamp_column is none -%}
        {{- return(fairsql.changed(test, {'window': none})) -}}
    {%- endif -%}
    {%- set place = 'fairsql.group_metric_parity' -%}
    {%- set value = as_of if as_of is not none else var('fairsql_as_of', none) -%}
    {%- set moment = fairsql.moment_of(value if value is not none else run_started_at.strftime('%Y-%m-%d %H:%M:%S')) -%}
    {%- if moment is none -%}
        {%- do fairsql.refuse(place, 'as_of', 'must be a time in ISO 8601, such as 2024-03-01 or 2024-03-01T12:30:00Z, but is ' ~ value) -%}
    {%- endif -%}
    {%- set end = fairsql.moment_before(moment, test.delay_window | int) -%}
    {%- set start = fairsql.moment_before(end, test.evaluation_window | int) if end is not none -%}
    {%- if start is not defined or start is none -%}
        {%- do fairsql.refuse(place, 'evaluation_window', 'begins before the year 1, as of ' ~ moment) -%}
    {%- endif -%}
    {{- return(fairsql.changed(test, {
        'window': {'column': fairsql.stored_name(test.timestamp_column), 'kind': none, 'start': start, 'end': end}
    })) -}}
{% endmacro %}
