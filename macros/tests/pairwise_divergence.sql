{# How differently a judge finds two people treated by answers that should be equivalent: no row when the test passed. #}
{% test pairwise_divergence(
    model, column_name=none, mode=none, group_by=none, role=none, reference_role=none, poles=none, dimension=none, equivalent_up_to=none,
    min_equivalence_rate=none, max_divergence_rate=none, max_mean_divergence=none, alpha=none, filters=none, judges=none,
    weight_column=none, timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, on_skip=none, statistics_of=none,
    as_of=none
) %}
    {{- config(fail_calc=fairsql.fail_calc(on_skip), warn_if='!= 0', error_if='> 0') -}}
    {{- return(adapter.dispatch('fairsql_test_pairwise_divergence', 'fairsql')(model, column_name, {
        'mode': mode, 'group_by': group_by, 'role': role, 'reference_role': reference_role, 'poles': poles, 'dimension': dimension,
        'equivalent_up_to': equivalent_up_to, 'min_equivalence_rate': min_equivalence_rate, 'max_divergence_rate': max_divergence_rate,
        'max_mean_divergence': max_mean_divergence, 'alpha': alpha, 'filters': filters, 'judges': judges, 'weight_column': weight_column,
        'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window, 'delay_window': delay_window
    }, thresholds, statistics_of, as_of)) -}}
{% endtest %}


{% macro default__fairsql_test_pairwise_divergence(model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {{- return(fairsql.test_of('pairwise_divergence', model, column_name, given, thresholds, statistics_of, as_of)) -}}
{% endmacro %}
