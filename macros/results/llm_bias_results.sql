{# Every threshold of one test as a relation, for a model of one's own: the same verdict as the dbt test, a row a
   threshold. `relation` is a Relation, or text for a FROM clause; `name` fills the column test_name. #}
{% macro llm_bias_results(
    relation, alpha=none, filters=none, judges=none, weight_column=none,
    timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none,
    name=none, statistics_of=none, as_of=none
) %}
    {{- return(adapter.dispatch('fairsql_llm_bias_results', 'fairsql')(relation, {
        'alpha': alpha, 'filters': filters, 'judges': judges, 'weight_column': weight_column, 'timestamp_column': timestamp_column,
        'evaluation_window': evaluation_window, 'delay_window': delay_window
    }, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}


{% macro default__fairsql_llm_bias_results(relation, given, thresholds, name, statistics_of, as_of=none) %}
    {{- return(fairsql.results_of('llm_bias', relation, given, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}
