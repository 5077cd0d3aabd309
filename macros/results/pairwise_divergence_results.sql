{# The verdict of one test as a relation, for a model of one's own: the same as the dbt test's, a row a threshold.
   `relation` is a Relation, or text for a FROM clause; `name` fills the column test_name. #}
{% macro pairwise_divergence_results(
    relation, mode=none, group_by=none, role=none, reference_role=none, poles=none, dimension=none, equivalent_up_to=none,
    min_equivalence_rate=none, max_divergence_rate=none, max_mean_divergence=none, alpha=none, filters=none, judges=none,
    weight_column=none, timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, name=none, statistics_of=none,
    as_of=none
) %}
    {{- return(adapter.dispatch('fairsql_pairwise_divergence_results', 'fairsql')(relation, {
        'mode': mode, 'group_by': group_by, 'role': role, 'reference_role': reference_role, 'poles': poles, 'dimension': dimension,
        'equivalent_up_to': equivalent_up_to, 'min_equivalence_rate': min_equivalence_rate, 'max_divergence_rate': max_divergence_rate,
        'max_mean_divergence': max_mean_divergence, 'alpha': alpha, 'filters': filters, 'judges': judges, 'weight_column': weight_column,
        'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window, 'delay_window': delay_window
    }, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}


{% macro default__fairsql_pairwise_divergence_results(relation, given, thresholds, name, statistics_of, as_of=none) %}
    {{- return(fairsql.results_of('pairwise_divergence', relation, given, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}
