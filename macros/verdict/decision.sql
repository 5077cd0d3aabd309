{# Which groups fail, what is measured, and which thresholds hold, or why a test has no verdict. #}


{# Whether each group is significantly worse, and whether it fails. #}
{% macro decided(test) %}
    {%- set below = 'ratio < ' ~ fairsql.double(test.min_ratio) ~ ' and not ' ~ fairsql.near('ratio', fairsql.double(test.min_ratio)) -%}
    {%- set limits = ['(' ~ below ~ ')'] -%}
    {%- if test.max_difference is not none -%}
        {%- set excess = 'difference - ' ~ fairsql.double(test.max_difference) -%}
        {#- Rounding is judged by the size of what the gap is between; a standardized gap is in other units than its means. -#}
        {%- set sizes = ['difference'] if test.metric.standardized else ['abs(value)', 'abs(comparison_value)'] -%}
        {%- do limits.append(
            '(' ~ excess ~ ' > 1e-12 * ' ~ sizes | join(' and ' ~ excess ~ ' > 1e-12 * ') ~ ' and ' ~ excess ~ ' > 1e-15)'
        ) -%}
    {%- endif -%}
    {%- set worse = 'is_compared = 1 and is_worse = 1' -%}
    {%- set significant = 'p_value_adjusted < ' ~ fairsql.double(test.alpha) ~ ' * (1e0 - 1e-9)' -%}
    select
        *,
        case when {{ worse }} and {{ significant }} then 1 else 0 end as is_significant,
        case
            when {{ worse }} and ({{ limits | join(' or ') }})
                {%- if test.require_significance %} and {{ significant }}{% endif %} then 1
            else 0
        end as is_failed
    from adjusted_p_values
{%- endmacro %}


{# The measurements, and what the reasons read of the test as a whole: the same in every row; null is undefined. #}
{% macro measurements(test) -%}
    {%- set is_standardized = test.metric.standardized -%}
    {%- set unmeasured = 'sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end) over ()' -%}
    select
        *,
        {%- for name in fairsql.reasons_read(test) %}
        {{ fairsql.of_test(name) }} as whole_{{ name }},
        {%- endfor %}
        {{ fairsql.double(fairsql.of_test('missing_attribute')) }}
        / nullif({{ fairsql.of_test('missing_attribute') }} + {{ fairsql.of_test('evaluated') }}, 0) as missing_attribute_rate,
        sum(1 - is_test) over () as group_count,
        sum(is_sufficient) over () as sufficient_count,
        sum(case when is_sufficient = 1 and value is not null then 1 else 0 end) over () as valued_count,
        sum(is_reference) over () as reference_count,
        sum(is_compared) over () as compared_count,
        {{ unmeasured }} as unmeasured_count,
        {%- if is_standardized %}
        sum(case when is_compared = 1 and is_worse = 1 and difference is null then 1 else 0 end) over () as without_gap_count,
        {%- endif %}
        {{ fairsql.bigint('sum(is_failed) over ()') }} as failing_group_count,
        {{ fairsql.double('sum(is_failed) over ()') }} / nullif(sum(is_sufficient) over (), 0) as failing_group_percentage,
        {%- if is_standardized %}
        {{ fairsql.double('null') }} as min_metric_ratio,
        {%- else %}
        case
            when {{ unmeasured }} > 0 then null
            else coalesce(min(case when is_compared = 1 then ratio end) over (), 1e0)
        end as min_metric_ratio,
        {%- endif %}
        max(case when is_compared = 1 then difference end) over () as max_metric_difference,
        {%- if is_standardized %}
        {{ fairsql.double('null') }} as worst_group_value,
        {%- else %}
        {{ 'min' if test.higher_is_better else 'max' }}(case when is_sufficient = 1 then value end) over () as worst_group_value,
        {%- endif %}
        {{ fairsql.bigint('sum(is_significant) over ()') }} as significant_disparity_count,
        {{ fairsql.bigint('sum(1 - is_test - is_sufficient) over ()') }} as insufficient_group_count,
        min(share) over () as min_group_share,
        {{ fairsql.bigint('sum(case when is_sufficient = 1 and value is null then 1 else 0 end) over ()') }} as undefined_group_count
    from decided
{%- endmacro %}


{# The statistics of the test as a whole that its reasons read. #}
{% macro reasons_read(test) %}
    {%- set metric = test.metric -%}
    {%- set names = ['rows_total', 'missing_metric_inputs', 'missing_attribute'] -%}
    {%- for role in metric.inputs -%}{%- do names.append('input_' ~ loop.index ~ '_rows') -%}{%- endfor -%}
    {%- for attribute in test.protected_attribute_columns -%}{%- do names.append('attribute_' ~ loop.index ~ '_rows') -%}{%- endfor -%}
    {%- if metric.label_input -%}
        {%- do names.extend(['tp', 'fn'] if metric.family == 'cells' else ['positives']) -%}
        {%- do names.append('pair_rows') if test.pair -%}
        {%- do names.extend(['label_minimum', 'label_maximum']) -%}
    {%- endif -%}
    {{- return(names) -}}
{% endmacro %}


{# The first reason that applies, in the contract's order, with a sentence that names what is at fault; whether each
   threshold holds: 1, 0, or null on a null measurement; and whether the group would have broken it: because it is
   counted there, or because the measurement is attained there. #}
{% macro judged(test) %}
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
        {%- for threshold in test.thresholds %}
        {%- set limit = fairsql.double(threshold.value) -%}
        {%- set near = fairsql.near(threshold.measurement, limit) -%}
        {%- set sign = {'is': '=', '!=': '<>'}.get(threshold.operator, threshold.operator) %},
        case
            when {{ threshold.measurement }} is null then null
            when {{ near }} then {{ 1 if threshold.operator in ['>=', '<=', 'is'] else 0 }}
            when {{ threshold.measurement }} {{ sign }} {{ limit }} then 1
            else 0
        end as holds_{{ loop.index }},
        case when {{ fairsql.breaks(threshold.measurement) }} then 1 else 0 end as breaks_{{ loop.index }}
        {%- endfor %}
    from measurements
{%- endmacro %}


{# Which groups break a threshold on a measurement: those that it counts, or at which it is attained. #}
{% macro breaks(measurement) %}
    {{- return({
        'failing_group_count': 'is_failed = 1',
        'failing_group_percentage': 'is_failed = 1',
        'significant_disparity_count': 'is_significant = 1',
        'insufficient_group_count': 'is_test = 0 and is_sufficient = 0',
        'undefined_group_count': 'is_sufficient = 1 and value is null',
        'min_metric_ratio': 'is_compared = 1 and ratio = min_metric_ratio',
        'max_metric_difference': 'is_compared = 1 and difference = max_metric_difference',
        'worst_group_value': 'is_sufficient = 1 and value = worst_group_value',
        'min_group_share': 'share = min_group_share',
        'missing_attribute_rate': '1 = 0',
    }[measurement]) -}}
{% endmacro %}


{# [condition, reason, message parts] in order. #}
{% macro skip_branches(test) %}
    {%- set metric = test.metric -%}
    {%- set branches = [['coalesce(whole_rows_total, 0) = 0', 'no_rows', [fairsql.literal('the relation has no rows after where')]]] -%}
    {%- for role, kind in metric.inputs.items() -%}
        {%- do branches.append([
            'whole_input_' ~ loop.index ~ '_rows = 0', 'column_all_missing',
            [fairsql.literal('every value of column ' ~ test[role] ~ ' is missing' ~ (' or 0' if kind == 'nonzero' else ''))],
        ]) -%}
    {%- endfor -%}
    {%- for attribute in test.protected_attribute_columns -%}
        {%- do branches.append([
            'whole_attribute_' ~ loop.index ~ '_rows = 0', 'column_all_missing',
            [fairsql.literal('every value of column ' ~ attribute ~ ' is missing')],
        ]) -%}
    {%- endfor -%}
    {%- if fairsql.has_numbers(metric) -%}
        {%- do branches.append([
            'whole_infinite_rows > 0', 'infinite_values',
            [fairsql.text('whole_infinite_rows'), fairsql.literal(' rows hold an infinite value, or one whose square no number can hold, in ' ~ fairsql.number_columns(test))],
        ]) -%}
    {%- endif -%}
    {%- if metric.probability -%}
        {%- do branches.append([
            'whole_out_of_range_rows > 0', 'probability_out_of_range',
            [fairsql.text('whole_out_of_range_rows'), fairsql.literal(' rows hold a probability below 0 or above 1 in column ' ~ test.probability_column)],
        ]) -%}
    {%- endif -%}
    {%- if metric.is_weighted -%}
        {%- do branches.append([
            'whole_bad_weight_rows > 0', 'bad_weights',
            [fairsql.text('whole_bad_weight_rows'), fairsql.literal(' rows hold no usable weight in column ' ~ test.weight_column ~ ': a weight is 0, or a number from 1e-50 to 1e+50')],
        ]) -%}
    {%- endif -%}
    {%- do branches.append([
        'whole_evaluated = 0', 'no_evaluated_rows',
        [fairsql.literal('none of '), fairsql.text('whole_rows_total'), fairsql.literal(' rows has every metric input and every attribute')],
    ]) -%}
    {%- do branches.append([
        'groups_total > 1000', 'too_many_groups',
        [fairsql.literal('the attributes form '), fairsql.text('groups_total'), fairsql.literal(' groups; at most 1000 are compared')],
    ]) -%}
    {%- if metric.label_input -%}
        {%- set column = test[metric.label_input] -%}
        {%- set positives = 'whole_tp + whole_fn' if metric.family == 'cells' else 'whole_positives' -%}
        {%- set absent = positives ~ ' = 0' ~ (' and whole_pair_rows < whole_evaluated' if test.pair else '') -%}
        {%- set held = [fairsql.literal('; it holds values from '), "coalesce(whole_label_minimum, '')", fairsql.literal(' to '), "coalesce(whole_label_maximum, '')"] -%}
        {%- do branches.append([
            absent, 'positive_class_absent',
            [fairsql.literal('column ' ~ column ~ ' never holds ' ~ test.positive_texts | join(' or ') ~ ' in an evaluated row')] + held,
        ]) -%}
        {%- if metric.name == 'auc' -%}
            {%- do branches.append([
                'whole_positives = whole_evaluated', 'negative_class_absent',
                [fairsql.literal('column ' ~ column ~ ' holds nothing but positives in the evaluated rows')] + held,
            ]) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do branches.append([
        'sufficient_count < 2', 'fewer_than_two_sufficient_groups',
        [
            fairsql.text('sufficient_count'), fairsql.literal(' of '), fairsql.text('group_count'),
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
    {%- if metric.standardized -%}
        {%- do branches.append([
            'without_gap_count > 0', 'metric_undefined',
            [fairsql.literal('a group with a worse mean than the reference has no ' ~ test.parity_metric ~ ': one of the two has fewer than two rows, or neither varies')],
        ]) -%}
    {%- endif -%}
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
        {%- do names.append(test[role]) if kind in ['number', 'nonzero', 'probability'] -%}
    {%- endfor -%}
    {{- return(names | join(' or ')) -}}
{% endmacro %}
