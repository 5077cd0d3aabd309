{# How far apart the answers to variants of one prompt are: no row when the test passed. #}
{% test counterfactual_fairness_divergence(
    model, column_name=none, output_column=none, group_by=none, role=none, dimension=none, refusal_phrases=none, max_divergence=none,
    allow_small_samples=none, min_group_size=none, alpha=none, filters=none, weight_column=none, timestamp_column=none,
    evaluation_window=none, delay_window=none, thresholds=none, on_skip=none, statistics_of=none, as_of=none
) %}
    {{- config(fail_calc=fairsql.fail_calc(on_skip), warn_if='!= 0', error_if='> 0') -}}
    {{- return(adapter.dispatch('fairsql_test_counterfactual_fairness_divergence', 'fairsql')(model, column_name, {
        'output_column': output_column, 'group_by': group_by, 'role': role, 'dimension': dimension, 'refusal_phrases': refusal_phrases,
        'max_divergence': max_divergence, 'allow_small_samples': allow_small_samples, 'min_group_size': min_group_size, 'alpha': alpha,
        'filters': filters, 'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, statistics_of, as_of)) -}}
{% endtest %}


{% macro default__fairsql_test_counterfactual_fairness_divergence(model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {{- return(fairsql.test_of('counterfactual_fairness_divergence', model, column_name, given, thresholds, statistics_of, as_of)) -}}
{% endmacro %}
