{# One metric compared across groups: no row when the test passed. See docs for the arguments and the rows. #}
{% test group_metric_parity(
    model, column_name=none, protected_attribute_columns=none, parity_metric=none, score_column=none, probability_column=none,
    prediction_column=none, ground_truth_column=none, value_column=none, positive_values=none, higher_is_better=none,
    auc_method=none, quantile_method=none, comparison=none,
    reference_strategy=none, reference_value=none, min_ratio=none, max_difference=none, significance_test=none, alpha=none,
    p_value_adjustment=none, require_significance=none, min_group_size=none, min_group_share=none, missing_attribute_values=none,
    min_reported_rows=none, filters=none, weight_column=none,
    timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, on_skip=none, statistics_of=none, as_of=none
) %}
    {{- config(fail_calc=fairsql.fail_calc(on_skip), warn_if='!= 0', error_if='> 0') -}}
    {{- return(adapter.dispatch('fairsql_test_group_metric_parity', 'fairsql')(model, column_name, {
        'protected_attribute_columns': protected_attribute_columns, 'parity_metric': parity_metric, 'score_column': score_column,
        'probability_column': probability_column, 'prediction_column': prediction_column, 'ground_truth_column': ground_truth_column,
        'value_column': value_column, 'positive_values': positive_values, 'higher_is_better': higher_is_better,
        'auc_method': auc_method, 'quantile_method': quantile_method, 'comparison': comparison,
        'reference_strategy': reference_strategy, 'reference_value': reference_value, 'min_ratio': min_ratio,
        'max_difference': max_difference, 'significance_test': significance_test, 'alpha': alpha, 'p_value_adjustment': p_value_adjustment,
        'require_significance': require_significance, 'min_group_size': min_group_size, 'min_group_share': min_group_share,
        'missing_attribute_values': missing_attribute_values, 'min_reported_rows': min_reported_rows, 'filters': filters,
        'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, statistics_of, as_of)) -}}
{% endtest %}


{% macro default__fairsql_test_group_metric_parity(model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {{- return(fairsql.test_of('group_metric_parity', model, column_name, given, thresholds, statistics_of, as_of)) -}}
{% endmacro %}
