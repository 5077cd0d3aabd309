{# Metrics over all rows, held to thresholds: a chain of its own, a row a threshold. #}


{# Pairs of CTE name and body, each read by the next, from `statistics` to `verdict`. #}
{% macro metric_ctes(test) %}
    {{- return([
        ['parts', fairsql.numbered_parts()],
        ['beside_whole', fairsql.beside_whole(test)],
        ['assessed', fairsql.assessed_metrics(test)],
        ['limited', fairsql.limited(test)],
        ['judged', fairsql.judged_limits(test)],
        ['verdict', fairsql.verdict_of_limits()],
    ]) -}}
{% endmacro %}


{# A metric's evaluated rows, which are one group, beside what is counted of the whole. Where no row is evaluated, the
   whole stands alone. #}
{% macro beside_whole(test) %}
    {%- set names = ['evaluated'] -%}
    {%- for part in test.parts -%}
        {%- for name in fairsql.reasons_read(fairsql.alone(test, part)) + fairsql.unusable_rows(part.metric) if name not in names -%}
            {%- do names.append(name) -%}
        {%- endfor -%}
    {%- endfor -%}
    select
        *,
        {%- for name in names %}
        max(case when is_whole = 1 then {{ name }} end) over (partition by cut) as whole_{{ name }},
        {%- endfor %}
        row_number() over (partition by cut order by is_whole asc) as place
    from parts
{%- endmacro %}


{# One row a metric, with its value. #}
{% macro assessed_metrics(test) %}
    {%- set values = [] -%}
    {%- set denominators = [] -%}
    {%- for part in test.parts -%}
        {%- set usable = ['is_whole = 0'] -%}
        {%- for name in fairsql.unusable_rows(part.metric) -%}{%- do usable.append('whole_' ~ name ~ ' = 0') -%}{%- endfor -%}
        {%- do values.append('case when ' ~ usable | join(' and ') ~ ' then ' ~ fairsql.value(part.metric) ~ ' end') -%}
        {%- do denominators.append(fairsql.denominator(part.metric)) -%}
    {%- endfor -%}
    select
        *,
        {{ fairsql.by_part(denominators) }} as denominator,
        {{ fairsql.by_part(values) }} as value
    from beside_whole
    where place = 1
{%- endmacro %}


{# One row a threshold, there even when the relation has no rows, beside its metric. #}
{% macro limited(test) %}
    {%- set parts = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- for part in test.parts -%}{%- do parts.append(loop.index) if part.name == threshold.measurement -%}{%- endfor -%}
    {%- endfor -%}
    select
        numbers.threshold,
        {{ fairsql.by_cut(parts, 'numbers.threshold') }} as asked_part,
        assessed.*
    from (
        select row_number() over (order by half asc) as threshold
        from (select 0 as half{{ ' union all select 0 as half' * (parts | length - 1) }}) as halves
    ) as numbers
    left join assessed on {{ fairsql.by_cut(parts, 'numbers.threshold') }} = assessed.part
{%- endmacro %}


{# Each threshold: why it cannot be judged, or whether it holds. #}
{% macro judged_limits(test) %}
    {%- set branches = [] -%}
    {%- for part in test.parts -%}
        {%- set number = loop.index -%}
        {%- set undefined = ['value is null', 'metric_undefined', [fairsql.literal(part.name ~ ' is undefined over the evaluated rows')]] -%}
        {%- for condition, reason, message in fairsql.row_branches(fairsql.alone(test, part)) + [undefined] -%}
            {%- do branches.append(['asked_part = ' ~ number ~ ' and ' ~ condition, reason, message]) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set conditions = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- do conditions.append('case when ' ~ fairsql.holds('value', threshold.operator, threshold.value) ~ ' then 1 else 0 end') -%}
    {%- endfor -%}
    select
        *,
        case when skip_reason is null then {{ fairsql.by_cut(conditions, 'threshold') }} end as holds
    from (
        select
            *,
            case
                {%- for condition, reason, message in branches %}
                when {{ condition }} then {{ fairsql.literal(reason) }}
                {%- endfor %}
            end as skip_reason,
            case
                {%- for condition, reason, message in branches %}
                when {{ condition }} then {{ message | join(' || ') }}
                {%- endfor %}
            end as skip_message
        from limited
    ) as reasoned
{%- endmacro %}


{# The verdict, the same in every row: any broken threshold, else the first that cannot be judged, else passed. In the
   names of a group's row: the evaluated rows are the one group. #}
{% macro verdict_of_limits() -%}
    select
        *,
        0 as is_test,
        1 as is_sufficient,
        0 as is_reference,
        0 as is_worse,
        0 as is_significant,
        case when holds = 0 then 1 else 0 end as is_failed,
        case when whole_evaluated > 0 then 1e0 end as share,
        {%- for name in ['comparison_value', 'ratio', 'difference', 'p_value', 'p_value_adjusted'] %}
        {{ fairsql.double('null') }} as {{ name }},
        {%- endfor %}
        case when are_broken = 1 then 'failed' when first_unjudged is not null then 'skipped' else 'passed' end as status,
        case when are_broken = 0 then max(case when threshold = first_unjudged then skip_reason end) over () end as reason,
        case when are_broken = 0 then max(case when threshold = first_unjudged then skip_message end) over () end as message
    from (
        select
            *,
            max(case when holds = 0 then 1 else 0 end) over () as are_broken,
            min(case when holds is null then threshold end) over () as first_unjudged
        from judged
    ) as beside_first
{%- endmacro %}


{# The rows of a dbt test: the broken thresholds, or the first that cannot be judged. #}
{% macro metric_test_rows(test) -%}
{{ fairsql.metric_result_rows(test) }}
where (status = 'skipped' and threshold = first_unjudged)
    or (status = 'failed' and holds = 0)
{%- endmacro %}


{# Every threshold. #}
{% macro metric_result_rows(test) %}
    {%- set broke = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- do broke.append(['threshold = ' ~ loop.index ~ ' and holds = 0', threshold]) -%}
    {%- endfor -%}
select
    {{ fairsql.row_columns(test, fairsql.broken_thresholds(test, broke)) | join(',\n    ') }}
from verdict
{%- endmacro %}
