{# The whole chain from `statistics` to the rows a dbt test returns, or a table of every group. #}


{# Pairs of CTE name and body from `whole` to `verdict` (one row) and `breakers` (a row a group). #}
{% macro verdict_ctes(test) %}
    {%- set ctes = [
        ['whole', fairsql.whole()],
        ['assessed', fairsql.assessed(test)],
    ] -%}
    {%- do ctes.append(['referenced', fairsql.referenced(test)]) if test.comparison == 'reference' -%}
    {%- do ctes.append(['compared', fairsql.compared(test)]) -%}
    {%- do ctes.extend(fairsql.significance_ctes(test)) -%}
    {%- do ctes.append(['decided', fairsql.decided(test)]) -%}
    {%- do ctes.append(['measurements', fairsql.measurements(test)]) -%}
    {%- do ctes.append(['reasoned', fairsql.reasoned(test)]) -%}
    {%- do ctes.append(['limited', fairsql.limited(test)]) -%}
    {%- do ctes.append(['breakers', fairsql.breakers(test)]) -%}
    {%- do ctes.append(['verdict', fairsql.verdict(test)]) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# Whether each threshold holds: 1, 0, or null on a null measurement. #}
{% macro limited(test) -%}
    select
        *
        {%- for threshold in test.thresholds %}
        {%- set limit = fairsql.double(threshold.value) -%}
        {%- set near = fairsql.near(threshold.measurement, limit) -%}
        {%- set sign = {'is': '=', '!=': '<>'}.get(threshold.operator, threshold.operator) %},
        case
            when {{ threshold.measurement }} is null then null
            when {{ near }} then {{ 1 if threshold.operator in ['>=', '<=', 'is'] else 0 }}
            when {{ threshold.measurement }} {{ sign }} {{ limit }} then 1
            else 0
        end as holds_{{ loop.index }}
        {%- endfor %}
    from reasoned
{%- endmacro %}


{# Per group, 1 for each threshold that the group would have broken: that it is counted by, or at which it is attained. #}
{% macro breakers(test) -%}
    {%- set extremes = fairsql.extremes(test) -%}
    {%- set needed = [] -%}
    {%- for threshold in test.thresholds if threshold.measurement in extremes -%}
        {%- do needed.append(threshold.measurement) if threshold.measurement not in needed -%}
    {%- endfor -%}
    select
        *
        {%- for threshold in test.thresholds %},
        case when {{ fairsql.breaks(threshold.measurement) }} then 1 else 0 end as breaks_{{ loop.index }}
        {%- endfor %}
    {%- if needed %}
    from (
        select
            *
            {%- for measurement in needed %},
            {{ extremes[measurement] }} over () as {{ measurement }}
            {%- endfor %}
        from decided
    ) as beside_extremes
    {%- else %}
    from decided
    {%- endif %}
{%- endmacro %}


{# Which groups break a threshold on a measurement: those that it counts, or at which it is attained. #}
{% macro breaks(measurement) %}
    {{- return({
        'failing_group_count': 'is_failed = 1',
        'failing_group_percentage': 'is_failed = 1',
        'significant_disparity_count': 'is_significant = 1',
        'insufficient_group_count': 'is_sufficient = 0',
        'undefined_group_count': 'is_sufficient = 1 and value is null',
        'min_metric_ratio': 'is_compared = 1 and ratio = min_metric_ratio',
        'max_metric_difference': 'is_compared = 1 and difference = max_metric_difference',
        'worst_group_value': 'is_sufficient = 1 and value = worst_group_value',
        'min_group_share': 'share = min_group_share',
        'missing_attribute_rate': '1 = 0',
    }[measurement]) -}}
{% endmacro %}


{# The verdict, one row: a reason, else any broken threshold, else any null measurement, else passed. #}
{% macro verdict(test) %}
    {%- set broken = [] -%}
    {%- set unknown = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- do broken.append('holds_' ~ loop.index ~ ' = 0') -%}
        {%- do unknown.append('holds_' ~ loop.index ~ ' is null') -%}
    {%- endfor -%}
    select
        limited.*,
        case
            when skip_reason is not null then 'skipped'
            when {{ broken | join(' or ') }} then 'failed'
            when {{ unknown | join(' or ') }} then 'skipped'
            else 'passed'
        end as status,
        case
            when skip_reason is not null then skip_reason
            when {{ broken | join(' or ') }} then null
            when {{ unknown | join(' or ') }} then 'measurement_undefined'
        end as reason,
        case
            when skip_reason is not null then skip_message
            when {{ broken | join(' or ') }} then null
            {%- for threshold in test.thresholds %}
            when holds_{{ loop.index }} is null then {{ fairsql.literal(threshold.measurement ~ ' is undefined, so its threshold cannot be judged') }}
            {%- endfor %}
        end as message
        {%- for threshold in test.thresholds %},
        broken.broken_by_{{ loop.index }}
        {%- endfor %}
    from limited
    cross join (
        select
            {%- for threshold in test.thresholds %}
            coalesce(sum(breaks_{{ loop.index }}), 0) as broken_by_{{ loop.index }}{{ ',' if not loop.last }}
            {%- endfor %}
        from breakers
    ) as broken
{%- endmacro %}


{# The rows of a dbt test: none when it passed; the groups that broke a threshold; one row without a key for a skip,
   and for thresholds that no group broke. #}
{% macro test_rows(test) %}
    {%- set broke = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- set number = loop.index -%}
        {%- do broke.append([
            'verdict.holds_' ~ number ~ ' = 0 and case when sorts.is_whole = 0 then breakers.breaks_' ~ number ~ ' = 1 else verdict.broken_by_' ~ number ~ ' = 0 end',
            threshold,
        ]) -%}
    {%- endfor -%}
select
    {{ fairsql.row_columns(test, fairsql.broken_thresholds(broke)) | join(',\n    ') }}
from verdict
cross join (select 0 as is_whole union all select 1 as is_whole) as sorts
left join breakers on sorts.is_whole = breakers.is_whole
where (verdict.status = 'skipped' and sorts.is_whole = 1)
    or (verdict.status = 'failed' and ({{ fairsql.any_of(broke) }}))
{%- endmacro %}


{# Every group, and one row without a key where there is none. #}
{% macro result_rows(test) %}
    {%- set broke = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- do broke.append(['verdict.holds_' ~ loop.index ~ ' = 0 and breakers.breaks_' ~ loop.index ~ ' = 1', threshold]) -%}
    {%- endfor -%}
select
    {{ fairsql.row_columns(test, fairsql.broken_thresholds(broke)) | join(',\n    ') }}
from verdict
cross join (select 0 as is_whole) as sorts
left join breakers on sorts.is_whole = breakers.is_whole
{%- endmacro %}


{# Any of several [condition, threshold]. #}
{% macro any_of(conditions) %}
    {%- set texts = [] -%}
    {%- for condition, threshold in conditions -%}{%- do texts.append('(' ~ condition ~ ')') -%}{%- endfor -%}
    {{- return(texts | join(' or ')) -}}
{% endmacro %}


{# The broken thresholds as text, `; ` between them. #}
{% macro broken_thresholds(conditions) %}
    {%- set texts = [] -%}
    {%- for condition, threshold in conditions -%}
        {%- do texts.append(
            'case when ' ~ condition ~ ' and verdict.skip_reason is null then '
            ~ fairsql.literal('; ' ~ threshold.measurement ~ ' ' ~ threshold.operator ~ ' ' ~ threshold.value) ~ " else '' end"
        ) -%}
    {%- endfor -%}
    {{- return('nullif(substr(' ~ texts | join(' || ') ~ ", 3), '')") -}}
{% endmacro %}


{# The columns of a result row, null but for the test's own where there is no group. Below min_reported_rows a group's
   numbers are null. #}
{% macro row_columns(test, broken_thresholds) %}
    {%- set metric = test.metric -%}
    {%- set columns = [
        fairsql.literal(test.name) ~ ' as test_name',
        'verdict.status',
        'verdict.reason',
        'verdict.message',
        broken_thresholds ~ ' as broken_thresholds',
        fairsql.literal(test.protected_attribute_columns | join(', ')) ~ ' as protected_attribute_columns',
        fairsql.literal(test.parity_metric) ~ ' as parity_metric',
    ] -%}
    {%- for number in [1, 2, 3] -%}
        {%- set has_key = number <= test.protected_attribute_columns | length -%}
        {%- do columns.append(('breakers.key_' ~ number if has_key else fairsql.text('null')) ~ ' as key_' ~ number) -%}
    {%- endfor -%}
    {%- set shown = 'breakers.evaluated >= ' ~ test.min_reported_rows -%}
    {%- for name, column, cast in fairsql.number_items(metric) -%}
        {%- set value = 'case when ' ~ shown ~ ' then ' ~ column ~ ' end' if test.min_reported_rows > 1 else column -%}
        {%- do columns.append((fairsql.bigint(value) if cast == 'bigint' else fairsql.double(value)) ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {%- for flag in ['sufficient', 'is_reference', 'worse', 'significant', 'failed'] -%}
        {%- set column = {'sufficient': 'is_sufficient', 'is_reference': 'is_reference', 'worse': 'is_worse', 'significant': 'is_significant', 'failed': 'is_failed'}[flag] -%}
        {%- do columns.append('breakers.' ~ column ~ ' = 1 as ' ~ flag) -%}
    {%- endfor -%}
    {%- do columns.append('breakers.evaluated < ' ~ test.min_reported_rows ~ ' as suppressed') -%}
    {%- do columns.append(fairsql.bigint('verdict.total_rows') ~ ' as rows_total') -%}
    {%- do columns.append(fairsql.bigint('verdict.missing_metric_inputs') ~ ' as rows_missing_metric_inputs') -%}
    {%- do columns.append(fairsql.bigint('verdict.missing_attribute') ~ ' as rows_missing_attribute') -%}
    {%- do columns.append(fairsql.bigint('verdict.total_evaluated') ~ ' as rows_evaluated') -%}
    {%- do columns.append(fairsql.bigint('verdict.groups_total') ~ ' as groups_total') -%}
    {%- for measurement in fairsql.catalogue().measurements -%}
        {%- do columns.append(
            'case when verdict.skip_reason is null then ' ~ fairsql.double('verdict.' ~ measurement) ~ ' end as ' ~ measurement
        ) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# [name, column, type] of a group's numbers: what is common to all metrics, then the metric's own statistics. #}
{% macro number_items(metric) %}
    {%- set items = [
        ['group_rows', 'breakers.evaluated', 'bigint'],
        ['missing_metric_inputs', 'breakers.missing_metric_inputs', 'bigint'],
        ['share', 'breakers.share', 'double'],
        ['value', 'breakers.value', 'double'],
        ['denominator', 'breakers.denominator', 'double'],
        ['comparison_value', 'breakers.comparison_value', 'double'],
        ['ratio', 'breakers.ratio', 'double'],
        ['difference', 'breakers.difference', 'double'],
        ['p_value', 'breakers.p_value', 'double'],
        ['p_value_adjusted', 'breakers.p_value_adjusted', 'double'],
    ] -%}
    {%- for name in metric.statistics -%}
        {%- do items.append(['statistic_' ~ name, 'breakers.' ~ name, 'double']) -%}
    {%- endfor -%}
    {{- return(items) -}}
{% endmacro %}
