{# How much more often answers about one group are the stereotyped ones than about another: no row when the test passed. #}
{% test stereotype_association_score(
    model, column_name=none, protected_attribute_columns=none, answer_column=none, stereotyped_answer_column=none, max_difference=none,
    alpha=none, allow_small_samples=none, min_group_size=none, min_group_share=none, missing_attribute_values=none, min_reported_rows=none,
    filters=none, weight_column=none, timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, on_skip=none,
    statistics_of=none, as_of=none
) %}
    {{- config(fail_calc=fairsql.fail_calc(on_skip), warn_if='!= 0', error_if='> 0') -}}
    {{- return(adapter.dispatch('fairsql_test_stereotype_association_score', 'fairsql')(model, column_name, {
        'protected_attribute_columns': protected_attribute_columns, 'answer_column': answer_column,
        'stereotyped_answer_column': stereotyped_answer_column, 'max_difference': max_difference, 'alpha': alpha,
        'allow_small_samples': allow_small_samples, 'min_group_size': min_group_size, 'min_group_share': min_group_share,
        'missing_attribute_values': missing_attribute_values, 'min_reported_rows': min_reported_rows, 'filters': filters,
        'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, statistics_of, as_of)) -}}
{% endtest %}


{% macro default__fairsql_test_stereotype_association_score(model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {{- return(fairsql.test_of('stereotype_association_score', model, column_name, given, thresholds, statistics_of, as_of)) -}}
{% endmacro %}
