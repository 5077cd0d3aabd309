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


{# True for a scan of many windows at once: each cut is then one a window, numbered on by as many as there are cuts. #}
{% macro has_windows(scan) %}{{ return('windows' in scan and scan.windows is not none) }}{% endmacro %}


{# Which of the windows a row is in, from 1: whole seconds since the first, by the length of one. #}
{% macro window_number(windows) %}
    {%- set elapsed = fairsql.elapsed_seconds(fairsql.identifier(windows.column), windows.kind, windows.start, windows.first) -%}
    {{- return(fairsql.bigint('(' ~ elapsed ~ ' - mod(' ~ elapsed ~ ', ' ~ windows.seconds ~ ')) / ' ~ windows.seconds) ~ ' + 1') -}}
{% endmacro %}


{# The number of a raw key's cut, as a select item: that of the window is counted in. #}
{% macro numbered_cut(scan) %}
    {%- set several = scan.cuts | length > 1 -%}
    {%- if not fairsql.has_windows(scan) -%}
        {{- return('cut' if several else '1 as cut') -}}
    {%- endif -%}
    {{- return(('cut + ' ~ scan.cuts | length ~ ' * (window_number - 1)' if several else 'window_number') ~ ' as cut') -}}
{% endmacro %}


{# The number that a cut has whatever its window, from a column of numbers that count the window in. #}
{% macro cut_number(scan, column='cut') %}
    {%- if not fairsql.has_windows(scan) -%}
        {{- return(column) -}}
    {%- endif -%}
    {{- return('mod(' ~ column ~ ' - 1, ' ~ scan.cuts | length ~ ') + 1') -}}
{% endmacro %}
