{# Every group of one test as a relation, for a model of one's own: the same verdict, a row a group. `relation` is a
   Relation or text; the other arguments are those of the test. #}
{% macro group_metric_parity_results(relation, name=none, thresholds=none) %}
    {%- set given = {} -%}
    {%- for parameter in fairsql.catalogue().parameters -%}{%- do given.update({parameter: kwargs.get(parameter)}) -%}{%- endfor -%}
    {%- for parameter in kwargs if parameter not in given -%}
        {%- do exceptions.raise_compiler_error('fairsql.group_metric_parity_results has no argument ' ~ parameter ~ '.') -%}
    {%- endfor -%}
    {{- return(fairsql.results_statement(relation, given, thresholds, name)) -}}
{% endmacro %}


{% macro results_statement(relation, given, thresholds, name) %}
    {%- set test = fairsql.checked_test(given, thresholds, name) -%}
    {%- set ctes = fairsql.statistics_ctes(fairsql.scan_of(test, relation)) + fairsql.verdict_ctes(test) -%}
    {{- return(fairsql.statement([], ctes, fairsql.result_rows(test))) -}}
{% endmacro %}
