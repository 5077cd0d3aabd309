{# The verdict of one test as a relation, for a model of one's own: the same as the dbt test's, a row a group.
   `relation` is a Relation, or text for a FROM clause; `name` fills the column test_name. #}
{% macro toxicity_sentiment_disparity_results(
    relation, protected_attribute_columns=none, output_column=none, lexicon=none, scorer_column=none, score_threshold=none,
    toxic_phrases=none, max_difference=none, alpha=none, allow_small_samples=none, min_group_size=none, min_group_share=none,
    missing_attribute_values=none, min_reported_rows=none, filters=none, weight_column=none, timestamp_column=none, evaluation_window=none,
    delay_window=none, thresholds=none, name=none, statistics_of=none, as_of=none
) %}
    {{- return(adapter.dispatch('fairsql_toxicity_sentiment_disparity_results', 'fairsql')(relation, {
        'protected_attribute_columns': protected_attribute_columns, 'output_column': output_column, 'lexicon': lexicon,
        'scorer_column': scorer_column, 'score_threshold': score_threshold, 'toxic_phrases': toxic_phrases,
        'max_difference': max_difference, 'alpha': alpha, 'allow_small_samples': allow_small_samples, 'min_group_size': min_group_size,
        'min_group_share': min_group_share, 'missing_attribute_values': missing_attribute_values, 'min_reported_rows': min_reported_rows,
        'filters': filters, 'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}


{% macro default__fairsql_toxicity_sentiment_disparity_results(relation, given, thresholds, name, statistics_of, as_of=none) %}
    {{- return(fairsql.results_of('toxicity_sentiment_disparity', relation, given, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}
