{# Every group of one test as a relation, for a model of one's own: the same verdict as the dbt test, a row a group.
   `relation` is a Relation, or text for a FROM clause; `name` fills the column test_name. #}
{% macro group_score_disparity_results(
    relation, protected_attribute_columns=none, score_column=none, statistic=none, higher_is_better=none,
    quantile_method=none, comparison=none,
    reference_strategy=none, reference_value=none, min_ratio=none, max_difference=none, significance_test=none, alpha=none,
    p_value_adjustment=none, require_significance=none, min_group_size=none, min_group_share=none, missing_attribute_values=none,
    min_reported_rows=none, filters=none, weight_column=none,
    timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, name=none, statistics_of=none, as_of=none
) %}
    {{- return(adapter.dispatch('fairsql_group_score_disparity_results', 'fairsql')(relation, {
        'protected_attribute_columns': protected_attribute_columns, 'score_column': score_column, 'statistic': statistic,
        'higher_is_better': higher_is_better,
        'quantile_method': quantile_method, 'comparison': comparison, 'reference_strategy': reference_strategy,
        'reference_value': reference_value, 'min_ratio': min_ratio, 'max_difference': max_difference,
        'significance_test': significance_test, 'alpha': alpha, 'p_value_adjustment': p_value_adjustment,
        'require_significance': require_significance, 'min_group_size': min_group_size, 'min_group_share': min_group_share,
        'missing_attribute_values': missing_attribute_values, 'min_reported_rows': min_reported_rows, 'filters': filters,
        'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}


{% macro default__fairsql_group_score_disparity_results(relation, given, thresholds, name, statistics_of, as_of=none) %}
    {{- return(fairsql.results_of('group_score_disparity', relation, given, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}
