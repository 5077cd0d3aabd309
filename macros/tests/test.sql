{# What the dbt tests of every type share: from arguments to the statement, and how a skip counts. #}


{# The statement of a dbt test: its rows are what broke a threshold. #}
{% macro test_of(type, model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {%- set test = fairsql.seen_from(fairsql.checked_test(fairsql.with_column(type, given, column_name), thresholds, none, type), as_of) -%}
    {#- While dbt parses, the arguments are checked and the SQL is not yet wanted. -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- set ctes = fairsql.statistics_of_test(test, model, statistics_of) + fairsql.verdict_ctes(test) -%}
    {{- return(fairsql.statement([], ctes, fairsql.test_rows(test), true)) -}}
{% endmacro %}


{# The statement of a table of results: a row for everything that is judged. #}
{% macro results_of(type, relation, given, thresholds, name, statistics_of, as_of=none) %}
    {%- set test = fairsql.seen_from(fairsql.checked_test(given, thresholds, name, type), as_of) -%}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- set ctes = fairsql.statistics_of_test(test, relation, statistics_of) + fairsql.verdict_ctes(test) -%}
    {{- return(fairsql.statement([], ctes, fairsql.result_rows(test))) -}}
{% endmacro %}


{# How a skip counts: -1 makes the warning of `warn_if: "!= 0"` without the failure of `error_if: "> 0"`. #}
{% macro fail_calc(on_skip) %}
    {%- set weights = {'warn': -1, 'error': 1, 'pass': 0} -%}
    {%- if (on_skip or 'warn') not in weights -%}
        {%- do exceptions.raise_compiler_error('fairsql: on_skip must be one of warn, error, pass, but is ' ~ on_skip ~ '.') -%}
    {%- endif -%}
    {{- return("coalesce(sum(case when status = 'skipped' then " ~ weights[on_skip or 'warn'] ~ " else 1 end), 0)") -}}
{% endmacro %}


{# Under a column, the test is about that column: it is the one input besides the truth, unless that is given. #}
{% macro with_column(type, given, column_name) %}
    {%- if column_name is none or (type == 'group_metric_parity' and (given.parity_metric is not string or given.parity_metric not in fairsql.catalogue().metrics)) -%}
        {{- return(given) -}}
    {%- endif -%}
    {#- Under `quote: true` dbt passes the name in its quotes. -#}
    {%- set is_quoted = column_name | length > 2 and column_name[:1] == '"' and column_name[-1:] == '"' -%}
    {%- set column = column_name[1:-1] | replace('""', '"') if is_quoted else column_name -%}
    {%- set open = [] -%}
    {%- for argument in fairsql.column_arguments(type, given) -%}
        {%- if given[argument] == column -%}{{- return(given) -}}{%- endif -%}
        {%- do open.append(argument) if given[argument] is none -%}
    {%- endfor -%}
    {%- if not open -%}
        {%- do exceptions.raise_compiler_error(
            'fairsql.' ~ type ~ ' under the column ' ~ column_name ~ ': it is not clear what the column is to '
            ~ ('parity_metric ' ~ given.parity_metric if type == 'group_metric_parity' else 'the test')
            ~ '; put the test under the model and name its columns.'
        ) -%}
    {%- endif -%}
    {{- return(fairsql.changed(given, {open[0]: column})) -}}
{% endmacro %}
