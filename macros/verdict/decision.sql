{# Which groups fail, what is measured, and why a test may have no verdict. #}


{# Every group with its p-values and whether it is significantly worse, and fails. #}
{% macro decided(test) %}
    {%- set below = 'ratio < ' ~ fairsql.double(test.min_ratio) ~ ' and not ' ~ fairsql.near('ratio', fairsql.double(test.min_ratio)) -%}
    {%- set limits = ['(' ~ below ~ ')'] -%}
    {%- if test.max_difference is not none -%}
        {%- set excess = 'difference - ' ~ fairsql.double(test.max_difference) -%}
        {%- do limits.append(
            '(' ~ excess ~ ' > 1e-12 * abs(value) and ' ~ excess ~ ' > 1e-12 * abs(comparison_value) and ' ~ excess ~ ' > 1e-15)'
        ) -%}
    {%- endif -%}
    select
        *,
        case
            when is_compared = 1 and is_worse = 1 and ({{ limits | join(' or ') }})
                {%- if test.require_significance %} and is_significant = 1{% endif %} then 1
            else 0
        end as is_failed
    from (
        select
            *,
            case
                when is_compared = 1 and is_worse = 1 and p_value_adjusted < {{ fairsql.double(test.alpha) }} * (1e0 - 1e-9) then 1
                else 0
            end as is_significant
        from adjusted_p_values
    ) as weighed
{%- endmacro %}


{# Of the measurements that a group attains, the aggregate over the groups. #}
{% macro extremes(test) %}
    {{- return({
        'min_metric_ratio': 'min(case when is_compared = 1 then ratio end)',
        'max_metric_difference': 'max(case when is_compared = 1 then difference end)',
        'worst_group_value': ('min' if test.higher_is_better else 'max') ~ '(case when is_sufficient = 1 then value end)',
        'min_group_share': 'min(share)',
    }) -}}
{% endmacro %}


{# The measurements, one row; null is undefined. #}
{% macro measurements(test) -%}
    {%- set extremes = fairsql.extremes(test) -%}
    select
        {{ fairsql.double('count(*)') }} as group_count,
        coalesce(sum(is_sufficient), 0) as sufficient_count,
        coalesce(sum(case when is_sufficient = 1 and value is not null then 1 else 0 end), 0) as valued_count,
        coalesce(sum(is_reference), 0) as reference_count,
        coalesce(sum(is_compared), 0) as compared_count,
        coalesce(sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end), 0) as unmeasured_count,
        {{ fairsql.bigint('sum(is_failed)') }} as failing_group_count,
        {{ fairsql.double('sum(is_failed)') }} / nullif(sum(is_sufficient), 0) as failing_group_percentage,
        case
            when sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end) > 0 then null
            else coalesce({{ extremes.min_metric_ratio }}, 1e0)
        end as min_metric_ratio,
        {{ extremes.max_metric_difference }} as max_metric_difference,
        {{ extremes.worst_group_value }} as worst_group_value,
        {{ fairsql.bigint('sum(is_significant)') }} as significant_disparity_count,
        {{ fairsql.bigint('count(*) - sum(is_sufficient)') }} as insufficient_group_count,
        {{ extremes.min_group_share }} as min_group_share,
        {{ fairsql.bigint('sum(case when is_sufficient = 1 and value is null then 1 else 0 end)') }} as undefined_group_count
    from decided
{%- endmacro %}


{# The first reason that applies, in the contract's order, with a sentence that names what is at fault: one row. #}
{% macro reasoned(test) %}
    {%- set branches = fairsql.skip_branches(test) -%}
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
    from (
        select
            whole.*,
            measurements.*,
            {{ fairsql.double('whole.missing_attribute') }} / nullif(whole.missing_attribute + whole.total_evaluated, 0) as missing_attribute_rate
        from whole
        cross join measurements
    ) as facts
{%- endmacro %}


{# [condition, reason, message parts] in order. #}
{% macro skip_branches(test) %}
    {%- set metric = test.metric -%}
    {%- set branches = [['total_rows = 0', 'no_rows', [fairsql.literal('the relation has no rows after where')]]] -%}
    {%- for role in metric.inputs -%}
        {%- do branches.append([
            'input_' ~ loop.index ~ '_rows = 0', 'column_all_missing',
            [fairsql.literal('every value of column ' ~ test[role] ~ ' is missing')],
        ]) -%}
    {%- endfor -%}
    {%- for attribute in test.protected_attribute_columns -%}
        {%- do branches.append([
            'attribute_' ~ loop.index ~ '_rows = 0', 'column_all_missing',
            [fairsql.literal('every value of column ' ~ attribute ~ ' is missing')],
        ]) -%}
    {%- endfor -%}
    {%- if fairsql.has_numbers(metric) -%}
        {%- do branches.append([
            'infinite_rows > 0', 'infinite_values',
            [fairsql.text('infinite_rows'), fairsql.literal(' rows hold an infinite value, or one whose square no number can hold, in ' ~ fairsql.number_columns(test))],
        ]) -%}
    {%- endif -%}
    {%- if metric.probability -%}
        {%- do branches.append([
            'out_of_range_rows > 0', 'probability_out_of_range',
            [fairsql.text('out_of_range_rows'), fairsql.literal(' rows hold a probability below 0 or above 1 in column ' ~ test.probability_column)],
        ]) -%}
    {%- endif -%}
    {%- do branches.append([
        'total_evaluated = 0', 'no_evaluated_rows',
        [fairsql.literal('none of '), fairsql.text('total_rows'), fairsql.literal(' rows has every metric input and every attribute')],
    ]) -%}
    {%- do branches.append([
        'groups_total > 1000', 'too_many_groups',
        [fairsql.literal('the attributes form '), fairsql.text('groups_total'), fairsql.literal(' groups; at most 1000 are compared')],
    ]) -%}
    {%- if metric.label_input -%}
        {%- set column = test[metric.label_input] -%}
        {%- set positives = 'tp + fn' if metric.family == 'cells' else 'positives' -%}
        {%- set absent = positives ~ ' = 0' ~ (' and pair_rows < total_evaluated' if test.pair else '') -%}
        {%- set held = [fairsql.literal('; it holds values from '), "coalesce(label_minimum, '')", fairsql.literal(' to '), "coalesce(label_maximum, '')"] -%}
        {%- do branches.append([
            absent, 'positive_class_absent',
            [fairsql.literal('column ' ~ column ~ ' never holds ' ~ test.positive_texts | join(' or ') ~ ' in an evaluated row')] + held,
        ]) -%}
        {%- if metric.name == 'auc' -%}
            {%- do branches.append([
                'positives = total_evaluated', 'negative_class_absent',
                [fairsql.literal('column ' ~ column ~ ' holds nothing but positives in the evaluated rows')] + held,
            ]) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do branches.append([
        'sufficient_count < 2', 'fewer_than_two_sufficient_groups',
        [
            fairsql.text('sufficient_count'), fairsql.literal(' of '), fairsql.text(fairsql.bigint('group_count')),
            fairsql.literal(' groups of ' ~ test.protected_attribute_columns | join(', ') ~ ' have at least ' ~ test.min_group_size
            ~ ' rows and ' ~ test.min_group_share ~ ' of all evaluated rows; two are needed'),
        ],
    ]) -%}
    {%- do branches.append([
        'valued_count = 0', 'metric_undefined',
        [fairsql.literal(test.parity_metric ~ ' is undefined for every sufficient group')],
    ]) -%}
    {%- if test.reference_strategy == 'named' -%}
        {%- do branches.append([
            'reference_count = 0', 'reference_not_usable',
            [fairsql.literal('the reference group ' ~ test.reference_texts[0] ~ ' is absent, too small, or without a value')],
        ]) -%}
    {%- endif -%}
    {%- do branches.append([
        'compared_count = 0', 'nothing_to_compare',
        [fairsql.literal('no sufficient group besides the reference has a value of ' ~ test.parity_metric)],
    ]) -%}
    {%- if test.max_difference is none -%}
        {%- do branches.append([
            'unmeasured_count > 0', 'ratio_undefined_set_max_difference',
            [fairsql.literal('a worse group has no ratio since a value is not above 0: set max_difference to judge the gap instead')],
        ]) -%}
    {%- endif -%}
    {{- return(branches) -}}
{% endmacro %}


{# The numeric inputs, as a message names them. #}
{% macro number_columns(test) %}
    {%- set names = [] -%}
    {%- for role, kind in test.metric.inputs.items() -%}
        {%- do names.append(test[role]) if kind != 'label' -%}
    {%- endfor -%}
    {{- return(names | join(' or ')) -}}
{% endmacro %}
