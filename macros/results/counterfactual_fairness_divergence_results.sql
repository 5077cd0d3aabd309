{# The verdict of one test as a relation, for a model of one's own: the same as the dbt test's, a row a dimension.
   `relation` is a Relation, or text for a FROM clause; `name` fills the column test_name. #}
{% macro counterfactual_fairness_divergence_results(
    relation, output_column=none, group_by=none, role=none, dimension=none, refusal_phrases=none, max_divergence=none,
    allow_small_samples=none, min_group_size=none, alpha=none, filters=none, weight_column=none, timestamp_column=none,
    evaluation_window=none, delay_window=none, thresholds=none, name=none, statistics_of=none, as_of=none
) %}
    {{- return(adapter.dispatch('fairsql_counterfactual_fairness_divergence_results', 'fairsql')(relation, {
        'output_column': output_column, 'group_by': group_by, 'role': role, 'dimension': dimension, 'refusal_phrases': refusal_phrases,
        'max_divergence': max_divergence, 'allow_small_samples': allow_small_samples, 'min_group_size': min_group_size, 'alpha': alpha,
        'filters': filters, 'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}


{% macro default__fairsql_counterfactual_fairness_divergence_results(relation, given, thresholds, name, statistics_of, as_of=none) %}
    {{- return(fairsql.results_of('counterfactual_fairness_divergence', relation, given, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}
