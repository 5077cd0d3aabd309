{# Every group of one test as a relation, for a model of one's own: the same verdict as the dbt test, a row a group.
   `relation` is a Relation, or text for a FROM clause; `name` fills the column test_name. #}
{% macro group_column_statistic_results(
    relation, protected_attribute_columns=none, value_column=none, statistic=none, operator=none, value=none,
    quantile_method=none, alpha=none,
    min_group_size=none, min_group_share=none, missing_attribute_values=none, min_reported_rows=none, filters=none, weight_column=none,
    timestamp_column=none, evaluation_window=none, delay_window=none,
    thresholds=none, name=none, statistics_of=none, as_of=none
) %}
    {{- return(adapter.dispatch('fairsql_group_column_statistic_results', 'fairsql')(relation, {
        'protected_attribute_columns': protected_attribute_columns, 'value_column': value_column, 'statistic': statistic,
        'operator': operator, 'value': value,
        'quantile_method': quantile_method, 'alpha': alpha, 'min_group_size': min_group_size, 'min_group_share': min_group_share,
        'missing_attribute_values': missing_attribute_values, 'min_reported_rows': min_reported_rows, 'filters': filters,
        'weight_column': weight_column, 'timestamp_column': timestamp_column, 'evaluation_window': evaluation_window,
        'delay_window': delay_window
    }, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}


{% macro default__fairsql_group_column_statistic_results(relation, given, thresholds, name, statistics_of, as_of=none) %}
    {{- return(fairsql.results_of('group_column_statistic', relation, given, thresholds, name, statistics_of, as_of)) -}}
{% endmacro %}
