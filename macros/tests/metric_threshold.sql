{# Metrics over all rows held to thresholds: no row when the test passed. #}
{% test metric_threshold(
    model, column_name=none, prediction_column=none, ground_truth_column=none, score_column=none, probability_column=none,
    positive_values=none, class_score_columns=none, value_column=none, output_column=none, reference_column=none,
    output_embedding_column=none, reference_embedding_column=none, latency_column=none, tokens_column=none,
    auc_method=none, quantile_method=none, alpha=none, filters=none, judges=none,
    weight_column=none,
    timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, on_skip=none, statistics_of=none, as_of=none
) %}
    {{- config(fail_calc=fairsql.fail_calc(on_skip), warn_if='!= 0', error_if='> 0') -}}
    {{- return(adapter.dispatch('fairsql_test_metric_threshold', 'fairsql')(model, column_name, {
        'prediction_column': prediction_column, 'ground_truth_column': ground_truth_column, 'score_column': score_column,
        'probability_column': probability_column, 'positive_values': positive_values, 'class_score_columns': class_score_columns,
        'value_column': value_column, 'output_column': output_column, 'reference_column': reference_column,
        'output_embedding_column': output_embedding_column, 'reference_embedding_column': reference_embedding_column,
        'latency_column': latency_column, 'tokens_column': tokens_column,
        'auc_method': auc_method, 'quantile_method': quantile_method, 'alpha': alpha,
        'filters': filters, 'judges': judges, 'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, statistics_of, as_of)) -}}
{% endtest %}


{% macro default__fairsql_test_metric_threshold(model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {{- return(fairsql.test_of('metric_threshold', model, column_name, given, thresholds, statistics_of, as_of)) -}}
{% endmacro %}
