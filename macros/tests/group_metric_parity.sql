{# One metric compared across groups: no row when the test passed. See docs for the arguments and the rows. #}
{% test group_metric_parity(
    model, column_name=none, protected_attribute_columns=none, parity_metric=none, score_column=none, probability_column=none,
    prediction_column=none, ground_truth_column=none, value_column=none, positive_values=none, higher_is_better=none, comparison=none,
    reference_strategy=none, reference_value=none, min_ratio=none, max_difference=none, significance_test=none, alpha=none,
    p_value_adjustment=none, require_significance=none, min_group_size=none, min_group_share=none, missing_attribute_values=none,
    min_reported_rows=none, timestamp_column=none, evaluation_window=none, delay_window=none, thresholds=none, on_skip=none,
    statistics_of=none, as_of=none
) %}
    {{- config(fail_calc=fairsql.fail_calc(on_skip), warn_if='!= 0', error_if='> 0') -}}
    {{- return(adapter.dispatch('fairsql_test_group_metric_parity', 'fairsql')(model, column_name, {
        'protected_attribute_columns': protected_attribute_columns, 'parity_metric': parity_metric, 'score_column': score_column,
        'probability_column': probability_column, 'prediction_column': prediction_column, 'ground_truth_column': ground_truth_column,
        'value_column': value_column, 'positive_values': positive_values, 'higher_is_better': higher_is_better, 'comparison': comparison,
        'reference_strategy': reference_strategy, 'reference_value': reference_value, 'min_ratio': min_ratio, 'max_difference': max_difference,
        'significance_test': significance_test, 'alpha': alpha, 'p_value_adjustment': p_value_adjustment,
        'require_significance': require_significance, 'min_group_size': min_group_size, 'min_group_share': min_group_share,
        'missing_attribute_values': missing_attribute_values, 'min_reported_rows': min_reported_rows, 'timestamp_column': timestamp_column,
        'evaluation_window': evaluation_window, 'delay_window': delay_window
    }, thresholds, statistics_of, as_of)) -}}
{% endtest %}


{% macro default__fairsql_test_group_metric_parity(model, column_name, given, thresholds, statistics_of, as_of=none) %}
    {%- set arguments = fairsql.with_column(given, column_name) -%}
    {%- set test = fairsql.seen_from(fairsql.checked_test(arguments, thresholds, none), as_of) -%}
    {#- While dbt parses, the arguments are checked and the SQL is not yet wanted. -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- set ctes = fairsql.statistics_of_test(test, model, statistics_of) + fairsql.verdict_ctes(test) -%}
    {{- return(fairsql.statement([], ctes, fairsql.test_rows(test), true)) -}}
{% endmacro %}


{# How a skip counts: -1 makes the warning of `warn_if: "!= 0"` without the failure of `error_if: "> 0"`. #}
{% macro fail_calc(on_skip) %}
    {%- set weights = {'warn': -1, 'error': 1, 'pass': 0} -%}
    {%- if (on_skip or 'warn') not in weights -%}
        {%- do exceptions.raise_compiler_error('fairsql.group_metric_parity: on_skip must be one of warn, error, pass, but is ' ~ on_skip ~ '.') -%}
    {%- endif -%}
    {{- return("coalesce(sum(case when status = 'skipped' then " ~ weights[on_skip or 'warn'] ~ " else 1 end), 0)") -}}
{% endmacro %}


{# Under a column, the test is about that column: it is the one metric input besides the truth, unless that is given. #}
{% macro with_column(given, column_name) %}
    {%- set metrics = fairsql.catalogue().metrics -%}
    {%- if column_name is none or given.parity_metric is not string or given.parity_metric not in metrics -%}
        {{- return(given) -}}
    {%- endif -%}
    {#- Under `quote: true` dbt passes the name in its quotes. -#}
    {%- set is_quoted = column_name | length > 2 and column_name[:1] == '"' and column_name[-1:] == '"' -%}
    {%- set column = column_name[1:-1] | replace('""', '"') if is_quoted else column_name -%}
    {%- set open = [] -%}
    {%- for role in metrics[given.parity_metric].inputs if role != 'ground_truth_column' -%}
        {%- if given[role] == column -%}{{- return(given) -}}{%- endif -%}
        {%- do open.append(role) if given[role] is none -%}
    {%- endfor -%}
    {%- if not open -%}
        {%- do exceptions.raise_compiler_error(
            'fairsql.group_metric_parity under the column ' ~ column_name ~ ': it is not clear what the column is to parity_metric '
            ~ given.parity_metric ~ '; put the test under the model and name its columns.'
        ) -%}
    {%- endif -%}
    {{- return(fairsql.changed(given, {open[0]: column})) -}}
{% endmacro %}
