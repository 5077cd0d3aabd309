{# The whole chain from `statistics` to the rows a dbt test returns, or a table of every group. #}


{# Pairs of CTE name and body, each read by the next: from `assessed` to `verdict`, a row a group and one for the test
   as a whole. #}
{% macro verdict_ctes(test) %}
    {%- if fairsql.limits_metrics(test) -%}{{- return(fairsql.metric_ctes(test)) -}}{%- endif -%}
    {%- set ctes = [] -%}
    {%- if fairsql.is_by_class(test) -%}
        {%- do ctes.extend(fairsql.class_ctes(test)) -%}
    {%- elif fairsql.has_parts(test) -%}
        {%- do ctes.append(['parts', fairsql.numbered_parts()]) -%}
    {%- endif -%}
    {%- do ctes.append(['assessed', fairsql.assessed(test)]) -%}
    {%- if test.comparison -%}
        {%- do ctes.append(['referenced', fairsql.referenced(test)]) if test.comparison == 'reference' -%}
        {%- do ctes.append(['paired', fairsql.paired(test)]) -%}
        {%- do ctes.append(['compared', fairsql.compared(test)]) -%}
        {%- do ctes.extend(fairsql.significance_ctes(test)) -%}
        {%- do ctes.append(['decided', fairsql.decided(test)]) -%}
    {%- else -%}
        {%- do ctes.append(['decided', fairsql.held_to_limit(test)]) -%}
    {%- endif -%}
    {%- do ctes.append(['panels', fairsql.panels(test)]) if fairsql.has_panels(test) -%}
    {%- do ctes.append(['pooled', fairsql.pooled(test)]) if test.strata -%}
    {%- do ctes.append(['grouped', fairsql.grouped(test)]) if fairsql.has_parts(test) -%}
    {%- do ctes.append(['measurements', fairsql.measurements(test)]) -%}
    {%- do ctes.append(['judged', fairsql.judged(test)]) -%}
    {%- do ctes.append(['verdict', fairsql.verdict(test)]) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# The verdict, the same in every row: a reason, else any broken threshold, else any null measurement, else passed; and
   how many groups broke each threshold. #}
{% macro verdict(test) %}
    {%- set broken = [] -%}
    {%- set unknown = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- do broken.append('holds_' ~ loop.index ~ ' = 0') -%}
        {%- do unknown.append('holds_' ~ loop.index ~ ' is null') -%}
    {%- endfor -%}
    select
        *,
        case
            when skip_reason is not null then 'skipped'
            {%- if fairsql.has_parts(test) %}
            when judged_count = 0 and part_reason is not null then 'skipped'
            {%- endif %}
            when {{ broken | join(' or ') }} then 'failed'
            {%- if fairsql.has_part_reasons(test) %}
            when part_reason is not null then 'skipped'
            {%- endif %}
            when {{ unknown | join(' or ') }} then 'skipped'
            else 'passed'
        end as status,
        case
            when skip_reason is not null then skip_reason
            {%- if fairsql.has_parts(test) %}
            when judged_count = 0 and part_reason is not null then part_reason
            {%- endif %}
            when {{ broken | join(' or ') }} then null
            {%- if fairsql.has_part_reasons(test) %}
            when part_reason is not null then part_reason
            {%- endif %}
            when {{ unknown | join(' or ') }} then 'measurement_undefined'
        end as reason,
        case
            when skip_reason is not null then skip_message
            {%- if fairsql.has_parts(test) %}
            when judged_count = 0 and part_reason is not null then part_message
            {%- endif %}
            when {{ broken | join(' or ') }} then null
            {%- if fairsql.has_part_reasons(test) %}
            when part_reason is not null then part_message
            {%- endif %}
            {%- for threshold in test.thresholds %}
            when holds_{{ loop.index }} is null then {{ fairsql.literal(fairsql.shown_name(threshold) ~ ' is undefined, so its threshold cannot be judged') }}
            {%- endfor %}
        end as message
        {%- for threshold in test.thresholds %},
        sum(breaks_{{ loop.index }}) over () as broken_by_{{ loop.index }}
        {%- endfor %}
    from judged
{%- endmacro %}


{# The rows of a dbt test: none when it passed; the groups that broke a threshold; one row without a key for a skip,
   and for thresholds that no group broke. #}
{% macro test_rows(test) %}
    {%- if fairsql.limits_metrics(test) -%}{{- return(fairsql.metric_test_rows(test)) -}}{%- endif -%}
    {%- set broke = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- set number = loop.index -%}
        {%- do broke.append([
            'holds_' ~ number ~ ' = 0 and case when is_test = 0 then breaks_' ~ number ~ ' = 1 else broken_by_' ~ number ~ ' = 0 end'
            ~ (' and (is_test = 0 or ' ~ fairsql.is_row_of_test(test) ~ ')' if fairsql.has_parts(test) else ''),
            threshold,
        ]) -%}
    {%- endfor -%}
select
    {{ fairsql.row_columns(test, fairsql.broken_thresholds(test, broke)) | join(',\n    ') }}
from verdict
where (status = 'skipped' and {{ fairsql.is_row_of_test(test) }})
    or (status = 'failed' and ({{ fairsql.any_of(broke) }}))
{%- endmacro %}


{# Every group, and one row without a key where there is none. #}
{% macro result_rows(test) %}
    {%- if fairsql.limits_metrics(test) -%}{{- return(fairsql.metric_result_rows(test)) -}}{%- endif -%}
    {%- set broke = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- do broke.append(['holds_' ~ loop.index ~ ' = 0 and breaks_' ~ loop.index ~ ' = 1', threshold]) -%}
    {%- endfor -%}
select
    {{ fairsql.row_columns(test, fairsql.broken_thresholds(test, broke)) | join(',\n    ') }}
from verdict
where is_test = 0 or {{ 'group_count = 0' if not fairsql.has_parts(test) else '(group_count = 0 and ' ~ fairsql.is_row_of_test(test) ~ ')' }}
{%- endmacro %}


{# The row of the test as a whole: of several parts, whose every cut has one, the first. #}
{% macro is_row_of_test(test) %}{{ return('is_test = 1' ~ (' and coalesce(part, 1) = 1' if fairsql.has_parts(test) else '')) }}{% endmacro %}


{# Any of several [condition, threshold]. #}
{% macro any_of(conditions) %}
    {%- set texts = [] -%}
    {%- for condition, threshold in conditions -%}{%- do texts.append('(' ~ condition ~ ')') -%}{%- endfor -%}
    {{- return(texts | join(' or ')) -}}
{% endmacro %}


{# What a user calls the measurement of a threshold. #}
{% macro shown_name(threshold) %}{{ return(threshold.label if threshold.label is defined else threshold.measurement) }}{% endmacro %}


{# The broken thresholds as text, `; ` between them. #}
{% macro broken_thresholds(test, conditions) %}
    {%- set texts = [] -%}
    {%- for condition, threshold in conditions -%}
        {%- do texts.append(
            'case when ' ~ condition ~ (" and status = 'failed' then " if fairsql.has_parts(test) else ' and skip_reason is null then ')
            ~ fairsql.literal('; ' ~ fairsql.shown_name(threshold) ~ ' ' ~ threshold.operator ~ ' ' ~ threshold.value) ~ " else '' end"
        ) -%}
    {%- endfor -%}
    {{- return('nullif(substr(' ~ texts | join(' || ') ~ ", 3), '')") -}}
{% endmacro %}


{# The columns of a result row, null but for the test's own where there is no group. Below min_reported_rows a group's
   numbers are null. #}
{% macro row_columns(test, broken_thresholds) %}
    {%- set columns = [
        fairsql.literal(test.name) ~ ' as test_name',
        'status',
        'reason',
        'message',
        broken_thresholds ~ ' as broken_thresholds',
        (fairsql.literal(test.protected_attribute_columns | join(', ')) if test.protected_attribute_columns else fairsql.text('null')) ~ ' as protected_attribute_columns',
        fairsql.metric_name(test) ~ ' as parity_metric',
    ] -%}
    {%- set combines = fairsql.limits_metrics(test) and fairsql.combines(test) -%}
    {%- set keys = fairsql.protected_keys(test) -%}
    {%- for number in [1, 2, 3] -%}
        {%- do columns.append((fairsql.of_group(keys[number - 1]) if number <= keys | length else fairsql.text('null')) ~ ' as key_' ~ number) -%}
    {%- endfor -%}
    {%- for number in [1, 2, 3] if test.strata -%}
        {%- do columns.append((fairsql.of_group('key_' ~ number) if number <= test.strata | length else fairsql.text('null')) ~ ' as stratum_' ~ number) -%}
    {%- endfor -%}
    {%- do columns.append(fairsql.of_group('positive_class') ~ ' as positive_class') if test.per_class -%}
    {%- for name, column, cast in fairsql.number_items(test) -%}
        {#- Of a standardized metric those are means, which are no values of it. -#}
        {%- set column = 'null' if test.metric.standardized and name in ['value', 'comparison_value'] else column -%}
        {#- Where groups are too few, or none has a value, nobody was compared. -#}
        {%- set is_compared = fairsql.has_panels(test) and name in ['comparison_value', 'ratio', 'difference', 'p_value', 'p_value_adjusted'] -%}
        {%- set value = fairsql.of_group('case when ' ~ fairsql.is_compared_panel(test) ~ ' then ' ~ column ~ ' end' if is_compared else column, test.min_reported_rows) -%}
        {%- do columns.append((fairsql.bigint(value) if cast == 'bigint' else fairsql.double(value)) ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {%- for name, flag in [
        ['sufficient', 'is_sufficient'], ['is_reference', 'is_reference'], ['worse', 'is_worse'], ['significant', 'is_significant'],
        ['failed', 'is_failed'],
    ] -%}
        {%- set condition = flag ~ ' = 1' -%}
        {%- do columns.append(fairsql.of_group(condition ~ ' and ' ~ fairsql.is_compared_panel(test) if name != 'sufficient' and fairsql.has_panels(test) else condition) ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {%- do columns.append(fairsql.of_group('evaluated < ' ~ test.min_reported_rows) ~ ' as suppressed') -%}
    {%- for name, column in [
        ['rows_total', 'coalesce(whole_rows_total, 0)'], ['rows_missing_metric_inputs', 'lacking_rows' if combines else 'whole_missing_metric_inputs'],
        ['rows_missing_attribute', 'whole_missing_attribute'], ['rows_evaluated', 'coalesce(' ~ ('combined_rows' if combines else 'whole_evaluated') ~ ', 0)'],
        ['groups_total', 'groups_total'],
    ] -%}
        {%- do columns.append(fairsql.bigint(column) ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {#- Where metrics are what is measured, each is the value of a row. -#}
    {%- for measurement in test.measurements if not fairsql.limits_metrics(test) -%}
        {%- do columns.append('case when skip_reason is null then ' ~ fairsql.double(measurement) ~ ' end as ' ~ measurement) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# The name of a row's metric; of a row without a group, the names of all. #}
{% macro metric_name(test) %}
    {%- if test.parts | length == 1 -%}{{- return(fairsql.literal(test.parity_metric)) -}}{%- endif -%}
    {%- set names = [] -%}
    {%- for part in test.parts -%}{%- do names.append(fairsql.literal(part.name)) -%}{%- endfor -%}
    {%- if fairsql.limits_metrics(test) -%}{{- return(fairsql.by_cut(names, 'asked_part')) -}}{%- endif -%}
    {{- return('case when is_test = 0 then ' ~ fairsql.by_part(names) ~ ' else ' ~ fairsql.literal(test.parity_metric) ~ ' end') -}}
{% endmacro %}


{# A column of the groups that have at least so many rows. #}
{% macro of_group(column, min_rows=1) %}
    {%- set condition = 'is_test = 0' ~ (' and evaluated >= ' ~ min_rows if min_rows > 1 else '') -%}
    {{- return('case when ' ~ condition ~ ' then ' ~ column ~ ' end') -}}
{% endmacro %}


{# [name, column, type] of a group's numbers: what is common to all metrics, then the metrics' own statistics. #}
{% macro number_items(test) %}
    {%- set combines = fairsql.limits_metrics(test) and fairsql.combines(test) -%}
    {%- set items = [
        ['group_rows', 'combined_rows' if combines else 'evaluated', 'bigint'],
        ['missing_metric_inputs', 'missing_metric_inputs', 'bigint'],
        ['share', 'share', 'double'],
        ['value', 'case when skip_reason is null then value end' if fairsql.limits_metrics(test) else 'value', 'double'],
        ['denominator', 'denominator', 'double'],
        ['comparison_value', 'comparison_value', 'double'],
        ['ratio', 'ratio', 'double'],
        ['difference', 'difference', 'double'],
        ['p_value', 'p_value', 'double'],
        ['p_value_adjusted', 'p_value_adjusted', 'double'],
    ] -%}
    {%- do items.extend([
        ['pooled_odds_ratio', 'pooled_odds_ratio', 'double'], ['pooled_p_value', 'pooled_p_value', 'double']
    ]) if test.strata -%}
    {%- set names = [] -%}
    {%- for part in test.parts -%}
        {%- for name in part.metric.statistics if name not in names -%}{%- do names.append(name) -%}{%- endfor -%}
    {%- endfor -%}
    {%- for name in names -%}
        {%- set column = fairsql.statistic_of_part(test, name) if fairsql.limits_metrics(test) and fairsql.combines(test) else name -%}
        {%- do items.append(['statistic_' ~ name, column, 'double']) -%}
    {%- endfor -%}
    {{- return(items) -}}
{% endmacro %}
