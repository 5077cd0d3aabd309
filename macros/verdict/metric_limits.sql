{# Metrics over all rows, held to thresholds: a chain of its own, a row a threshold. #}


{# Pairs of CTE name and body, each read by the next, from `statistics` to `verdict`. #}
{% macro metric_ctes(test) %}
    {%- set ctes = [['questions', fairsql.numbered_questions()]] -%}
    {%- do ctes.append(['valued_classes', fairsql.valued_classes(test)]) if fairsql.metrics_of_classes(test) -%}
    {%- do ctes.extend([
        ['beside_whole', fairsql.beside_whole(test)],
        ['limited', fairsql.limited(test)],
        ['reasoned', fairsql.reasoned(test)],
    ]) -%}
    {%- do ctes.append(['first_reasons', fairsql.first_reasons(test)]) if fairsql.combines(test) -%}
    {%- do ctes.extend([
        ['judged', fairsql.judged_limits(test)],
        ['verdict', fairsql.verdict_of_limits()],
    ]) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# The statistics, numbered in the order in which the test asks: of a shared scan they are some cuts of many. #}
{% macro numbered_questions() -%}
    select
        *,
        cut - min(cut) over () + 1 as question
    from statistics
{%- endmacro %}


{# The evaluated rows of a question, which are one group, beside what is counted of the whole. Where no row is evaluated, the
   whole stands alone. #}
{% macro beside_whole(test) %}
    {%- set names = ['evaluated'] -%}
    {%- for question in test.questions -%}
        {%- for name in fairsql.reasons_read(fairsql.alone(test, question)) + fairsql.unusable_rows(question.metric) if name not in names -%}
            {%- do names.append(name) -%}
        {%- endfor -%}
    {%- endfor -%}
    select
        *,
        {%- for name in names %}
        max(case when is_whole = 1 then {{ name }} end) over (partition by cut) as whole_{{ name }},
        {%- endfor %}
        {%- for name, expression in fairsql.class_averages(test) %}
        {{ expression }} as {{ name }},
        {%- endfor %}
        row_number() over (partition by cut order by is_whole asc) as place
    from {{ 'valued_classes' if fairsql.metrics_of_classes(test) else 'questions' }}
{%- endmacro %}


{# The part that a threshold limits. #}
{% macro part_of(test, threshold) %}{{ return(test.parts | selectattr('name', 'equalto', threshold.measurement) | first) }}{% endmacro %}


{# One row a threshold and question of its metric, there even when the relation has no rows, with the metric's value. #}
{% macro limited(test) %}
    {%- set firsts = [] -%}
    {%- set lasts = [] -%}
    {%- set items = {'denominator': [], 'value': []} -%}
    {%- do items.update({'combined_rows': [], 'lacking_rows': [], 'average': [], 'classes': []}) if fairsql.combines(test) -%}
    {%- for threshold in test.thresholds -%}
        {%- for part in test.parts if part.name == threshold.measurement -%}
            {%- set value = fairsql.combined_value(part) -%}
            {%- set is_whole = part.combination not in ['pairs', 'losses'] -%}
            {%- do firsts.append(part.first) -%}
            {%- do lasts.append(part.last) -%}
            {%- do items.denominator.append(fairsql.denominator(part.metric) if part.combination == 'alone' else fairsql.combined_rows(part)) -%}
            {%- do items.value.append(value) -%}
            {%- if fairsql.combines(test) -%}
                {%- do items.combined_rows.append(fairsql.combined_rows(part)) -%}
                {%- do items.lacking_rows.append('whole_missing_metric_inputs' if is_whole else 'whole_rows_total - ' ~ fairsql.combined_rows(part)) -%}
                {%- do items.average.append(value if part.metric.family == 'macro' else none) -%}
                {%- do items.classes.append(fairsql.combined_classes(part)) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set asked = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- for part in test.parts -%}{%- do asked.append(loop.index) if part.name == threshold.measurement -%}{%- endfor -%}
    {%- endfor -%}
    select
        numbers.threshold,
        {{ fairsql.by_cut(asked, 'numbers.threshold') }} as asked_part,
        beside_whole.*
        {%- for name, expressions in items.items() %},
        {{ fairsql.by_cut(expressions, 'numbers.threshold') }} as {{ name }}
        {%- endfor %}
    from (
        select row_number() over (order by half asc) as threshold
        from (select 0 as half{{ ' union all select 0 as half' * (asked | length - 1) }}) as halves
    ) as numbers
    left join beside_whole
        on beside_whole.place = 1 and
        {%- if fairsql.combines(test) %} beside_whole.question between {{ fairsql.by_cut(firsts, 'numbers.threshold') }} and {{ fairsql.by_cut(lasts, 'numbers.threshold') }}
        {%- else %} beside_whole.question = {{ fairsql.by_cut(firsts, 'numbers.threshold') }}
        {%- endif %}
{%- endmacro %}


{# Why a threshold cannot be judged by a question of its metric; of several, which reason comes first. #}
{% macro reasoned(test) %}
    {%- set branches = [] -%}
    {%- for part in test.parts -%}
        {%- set number = loop.index -%}
        {%- set asked = test.questions[part.first - 1:part.last] -%}
        {%- set found = [] -%}
        {%- do found.append(fairsql.absent_class(test, part)) if part.combination == 'losses' -%}
        {%- for condition, reason, message in fairsql.row_branches(fairsql.alone(test, asked[0])) -%}
            {%- set place = loop.index0 -%}
            {%- set messages = [] -%}
            {%- for question in asked -%}{%- do messages.append(fairsql.row_branches(fairsql.alone(test, question))[place][2] | join(' || ')) -%}{%- endfor -%}
            {%- do found.append([condition, reason, [fairsql.by_cut(messages, 'question' if part.first == 1 else 'question - ' ~ (part.first - 1))]]) -%}
        {%- endfor -%}
        {%- do found.append(['value is null', 'metric_undefined', [fairsql.literal(part.name ~ ' is undefined over the evaluated rows')]]) -%}
        {%- for condition, reason, message in found -%}
            {%- do branches.append(['asked_part = ' ~ number ~ ' and ' ~ condition, reason, message]) -%}
        {%- endfor -%}
    {%- endfor -%}
    select
        *,
        {%- if fairsql.combines(test) %}
        -- That a class is absent comes before what any question finds, and that the value is undefined after all.
        case when reason_found = 'positive_class_absent' and is_absent = 1 then question - 100000 when reason_found = 'metric_undefined' then 100000 + question else coalesce(question, 0) end as reason_place
    from (
        select
            *,
            case
                {%- for condition, reason, message in branches %}
                when {{ condition }} then {{ fairsql.literal(reason) }}
                {%- endfor %}
            end as reason_found,
            case
                {%- for condition, reason, message in branches %}
                when {{ condition }} then {{ message | join(' || ') }}
                {%- endfor %}
            end as message_found
        from (
            select *, {{ fairsql.is_absent_class(test) }} as is_absent
            from limited
        ) as beside_classes
    ) as found
        {%- else %}
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
        {%- endif %}
{%- endmacro %}


{# Each threshold, and whether it holds. #}
{% macro judged_limits(test) %}
    {%- set conditions = [] -%}
    {%- for threshold in test.thresholds -%}
        {%- do conditions.append('case when ' ~ fairsql.holds('value', threshold.operator, threshold.value) ~ ' then 1 else 0 end') -%}
    {%- endfor -%}
    select
        *,
        case when skip_reason is null then {{ fairsql.by_cut(conditions, 'threshold') }} end as holds
    from {{ 'first_reasons' if fairsql.combines(test) else 'reasoned' }}
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
