{# Why a test has no verdict, and the sentence that says so. #}


{# The statistics of the test as a whole that its reasons read. #}
{% macro reasons_read(test) %}
    {%- set metric = test.metric -%}
    {%- set names = ['rows_total', 'missing_metric_inputs', 'missing_attribute'] -%}
    {%- for role in metric.inputs -%}{%- do names.append('input_' ~ loop.index ~ '_rows') -%}{%- endfor -%}
    {%- for attribute in test.strata + test.protected_attribute_columns -%}{%- do names.append('attribute_' ~ loop.index ~ '_rows') -%}{%- endfor -%}
    {%- if metric.label_input and not fairsql.is_by_class(test) -%}
        {%- do names.extend(['tp', 'fn'] if metric.family == 'cells' else ['positives']) -%}
        {%- do names.append('pair_rows') if test.pair -%}
        {%- do names.extend(['label_minimum', 'label_maximum']) -%}
    {%- endif -%}
    {{- return(names) -}}
{% endmacro %}


{# [condition, reason, message parts] in order. #}
{% macro skip_branches(test) %}
    {{- return(fairsql.row_branches(test) + fairsql.comparison_branches(test)) -}}
{% endmacro %}


{# Those of what the rows hold. #}
{% macro row_branches(test) %}
    {%- set test = fairsql.alone(test, test.parts[0]) -%}
    {%- set metric = test.metric -%}
    {%- set branches = [] -%}
    {%- set lacking = fairsql.lacks(metric.quantity) -%}
    {%- do branches.append(['1 = 1', 'not_available', [fairsql.literal(lacking)]]) if lacking is not none -%}
    {%- do branches.append(['coalesce(whole_rows_total, 0) = 0', 'no_rows', [fairsql.literal('the relation has no rows after where')]]) -%}
    {%- for role, kind in metric.inputs.items() -%}
        {%- do branches.append([
            'whole_input_' ~ loop.index ~ '_rows = 0', 'column_all_missing',
            [fairsql.literal('every value of column ' ~ test[role] ~ ' is missing' ~ (' or 0' if kind == 'nonzero' else ''))],
        ]) -%}
    {%- endfor -%}
    {%- for attribute in test.strata + test.protected_attribute_columns -%}
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
        [fairsql.literal('none of '), fairsql.text('whole_rows_total'), fairsql.literal(' rows has every metric input' ~ (' and every attribute' if test.protected_attribute_columns else ''))],
    ]) -%}
    {%- do branches.append([
        'groups_total > 1000', 'too_many_groups',
        [fairsql.literal('the attributes form '), fairsql.text('groups_total'), fairsql.literal(' groups; at most 1000 are compared')],
    ]) if test.protected_attribute_columns -%}
    {%- if metric.label_input and not fairsql.is_by_class(test) -%}
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
    {{- return(branches) -}}
{% endmacro %}


{# The same of what is compared: of the one panel, of all strata, or where the groups are too few of all parts. #}
{% macro comparison_branches(test) %}
    {%- set sentences = fairsql.gap_sentences(test, test.parity_metric) -%}
    {%- set branches = [] -%}
    {%- if not test.comparison -%}
        {%- do branches.append(['sufficient_count = 0', 'nothing_to_compare', [
            fairsql.literal('none of '), fairsql.text('group_count'),
            fairsql.literal(' groups has ' ~ fairsql.least_size(test)),
        ]]) -%}
        {%- do branches.append(['valued_count = 0', 'metric_undefined', sentences.metric_undefined]) -%}
    {%- elif fairsql.has_parts(test) -%}
        {%- do branches.append(['first_gap = 11', 'fewer_than_two_sufficient_groups', sentences.fewer_than_two_sufficient_groups]) -%}
    {%- elif fairsql.has_panels(test) -%}
        {%- set within = [fairsql.literal('within no value of ' ~ test.strata | join(', ') ~ ' can groups be compared: ')] if test.strata else [] -%}
        {%- for reason, condition in fairsql.panel_gaps(test) -%}
            {%- do branches.append(['judged_count = 0 and first_gap = ' ~ loop.index, reason, within + sentences[reason]]) -%}
        {%- endfor -%}
    {%- else -%}
        {%- do branches.extend([
            ['sufficient_count < 2', 'fewer_than_two_sufficient_groups', sentences.fewer_than_two_sufficient_groups],
            ['valued_count = 0', 'metric_undefined', sentences.metric_undefined],
        ]) -%}
        {%- do branches.append(['reference_count = 0', 'reference_not_usable', sentences.reference_not_usable]) if test.reference_strategy == 'named' -%}
        {%- do branches.append(['compared_count = 0', 'nothing_to_compare', sentences.nothing_to_compare]) -%}
        {%- do branches.append(['without_gap_count > 0', 'metric_undefined', [fairsql.literal(
            'a group with a worse mean than the reference has no ' ~ test.parity_metric ~ ': one of the two has fewer than two rows, or neither varies'
        )]]) if test.metric.standardized -%}
        {%- do branches.append([
            'unmeasured_count > 0', 'ratio_undefined_set_max_difference', sentences.ratio_undefined_set_max_difference
        ]) if test.max_difference is none -%}
    {%- endif -%}
    {{- return(branches) -}}
{% endmacro %}


{# True where one part, or one stratum, may be without a verdict that another has. #}
{% macro has_part_reasons(test) %}
    {{- return(fairsql.has_parts(test) or (test.strata and test.max_difference is none)) -}}
{% endmacro %}


{# The same of each part: a test of which another part is broken has a verdict nevertheless. A stratum in which nobody can
   be compared is left out; one with a disparity that has no ratio, the last of the gaps, is not. #}
{% macro part_branches(test) %}
    {%- set branches = [] -%}
    {%- if not fairsql.has_parts(test) -%}
        {%- set reason = 'ratio_undefined_set_max_difference' -%}
        {%- do branches.append([
            'last_gap = ' ~ fairsql.panel_gaps(test) | length, reason, fairsql.gap_sentences(test, test.parity_metric)[reason]
        ]) -%}
    {%- endif -%}
    {%- for part in test.parts if fairsql.has_parts(test) -%}
        {%- set number = loop.index -%}
        {%- set sentences = fairsql.gap_sentences(test, part.name) -%}
        {%- for reason, condition in fairsql.panel_gaps(test) -%}
            {%- do branches.append(['first_gap = ' ~ (number * 10 + loop.index), reason, sentences[reason]]) if loop.index > 1 -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(branches) -}}
{% endmacro %}


{# How large a group must be, in words. #}
{% macro least_size(test) %}
    {%- set rows = '1 row' if test.min_group_size == 1 else test.min_group_size ~ ' rows' -%}
    {%- set share = ' and ' ~ test.min_group_share ~ ' of all evaluated rows' ~ (' of their stratum' if test.strata else '') -%}
    {{- return('at least ' ~ rows ~ (share if test.min_group_share else '')) -}}
{% endmacro %}


{# Reason -> the parts of its sentence, of what is compared by a metric. #}
{% macro gap_sentences(test, metric_name) %}
    {%- set attributes = test.protected_attribute_columns | join(', ') -%}
    {{- return({
        'fewer_than_two_sufficient_groups': [
            fairsql.text('sufficient_count'), fairsql.literal(' of '), fairsql.text('group_count'),
            fairsql.literal(' groups of ' ~ attributes ~ ' have ' ~ fairsql.least_size(test) ~ '; two are needed'),
        ],
        'metric_undefined': [fairsql.literal(metric_name ~ ' is undefined for every sufficient group')],
        'reference_not_usable': [
            fairsql.literal('the reference group ' ~ (test.reference_texts | first | default('')) ~ ' is absent, too small, or without a value')
        ],
        'nothing_to_compare': [fairsql.literal('no sufficient group besides the reference has a value of ' ~ metric_name)],
        'ratio_undefined_set_max_difference': [
            fairsql.literal('a worse group has no ratio since a value is not above 0: set max_difference to judge the gap instead')
        ],
    }) -}}
{% endmacro %}


{# The numeric inputs, as a message names them. #}
{% macro number_columns(test) %}
    {%- set names = [] -%}
    {%- for role, kind in test.metric.inputs.items() -%}
        {%- do names.append(test[role]) if kind in ['number', 'nonzero', 'probability'] -%}
    {%- endfor -%}
    {{- return(names | join(' or ')) -}}
{% endmacro %}
