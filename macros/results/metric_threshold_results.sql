{# Every threshold of one test as a relation, for a model of one's own: the same verdict as the dbt test, a row a
   threshold. `relation` is a Relation, or text for a FROM clause; `name` fills the column test_name. #}
{% macro metric_threshold_results(
    relation, prediction_column=none, ground_truth_column=none, score_column=none, probability_column=none, positive_values=none,
    class_score_columns=none, value_column=none, output_column=none, reference_column=none, output_embedding_column=none,
    reference_embedding_column=none, latency_column=none, tokens_column=none, auc_method=none, quantile_method=none, alpha=none,
    filters=none, judges=none, weight_column=none,
    timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none,
    name=none, statistics_of=none, as_of=none
) %}
    {{- return(adapter.dispatch('fairsql_metric_threshold_results', 'fairsql')(relation, {
        'prediction_column': prediction_column, 'ground_truth_column': ground_truth_column, 'score_column': score_column,
        'probability_column': probability_column, 'positive_values': positive_values, 'class_score_columns': class_score_columns,
        'value_column': value_column, 'output_column': output_column, 'reference_column': reference_column,
        'output_embedding_column': output_embedding_column, 'reference_embedding_column': reference_embedding_column,
        'latency_column': latency_column, 'tokens_column': tokens_column,
        'auc_method': auc_method, 'quantile_method': quantile_method, 'alpha': alpha,
        'filters': filters, 'judges': judges, 'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}


{% macro default__fairsql_metric_threshold_results(relation, given, thresholds, name, statistics_of, as_of=none) %}
    {{- return(fairsql.results_of('metric_threshold', relation, given, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}
