{# What a judge says of bias, held to thresholds; a higher score is more bias. No row when the test passed. #}
{% test llm_bias(
    model, column_name=none, alpha=none, filters=none, judges=none, weight_column=none,
    timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, on_skip=none, statistics_of=none, as_of=none
) %}
    {{- config(fail_calc=fairsql.fail_calc(on_skip), warn_if='!= 0', error_if='> 0') -}}
    {{- return(adapter.dispatch('fairsql_test_llm_bias', 'fairsql')(model, column_name, {
        'alpha': alpha, 'filters': filters, 'judges': judges, 'weight_column': weight_column, 'timestamp_column': timestamp_column,
        'evaluation_window': evaluation_window, 'delay_window': delay_window
    }, thresholds, statistics_of, as_of)) -}}
{% endtest %}


{% macro default__fairsql_test_llm_bias(model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {{- return(fairsql.test_of('llm_bias', model, column_name, given, thresholds, statistics_of, as_of)) -}}
{% endmacro %}
