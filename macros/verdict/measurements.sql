{# What is measured of a test, and which groups a broken threshold is put down to. #}


{# The measurements, and what the reasons read of the test as a whole: the same in every row; null is undefined. #}
{% macro measurements(test) -%}
    {%- set relation = fairsql.measured_relation(test) -%}
    select
        *,
        {%- for name in fairsql.reasons_read(test) %}
        {{ fairsql.of_test(name) }} as whole_{{ name }},
        {%- endfor %}
        {{ fairsql.double(fairsql.of_test('missing_attribute')) }}
        / nullif({{ fairsql.of_test('missing_attribute') }} + {{ fairsql.of_test('evaluated') }}, 0) as missing_attribute_rate,
        {{ fairsql.count_once(test, '1 - is_test') }} as group_count,
        {{ fairsql.count_once(test, 'is_sufficient') }} as sufficient_count,
        {%- for name, expression in fairsql.counts_of_reasons(test) + fairsql.measurement_items(test) %}
        {{ expression }} as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ relation }}
{%- endmacro %}


{# The stage that the measurements read. #}
{% macro measured_relation(test) %}
    {{- return('grouped' if fairsql.has_parts(test) else 'pooled' if test.strata else 'panels' if fairsql.has_panels(test) else 'decided') -}}
{% endmacro %}


{# Every group beside whether it fails, is significantly worse or has no value in any of the parts, to be counted once; and
   of classes, in how many of them groups of its metric are compared. #}
{% macro grouped(test) %}
    select
        *
        {%- for name, flag in [
            ['failed', 'case when gap is null then is_failed else 0 end'],
            ['significant', 'case when gap is null then is_significant else 0 end'],
            ['undefined', 'case when is_sufficient = 1 and value is null then 1 else 0 end'],
        ] %},
        max({{ flag }}) over (partition by is_test, group_number) as group_{{ name }}
        {%- endfor %}
        {%- if test.per_class %},
        sum(case when is_test = 0 and gap is null then 1 else 0 end) over (partition by part) as judged_in_part
        {%- endif %}
    from panels
{%- endmacro %}


{# The sum of a group's flag over all groups: of several parts, which have the same groups, over the first. #}
{% macro count_once(test, flag) %}
    {{- return('sum(' ~ ('case when ' ~ fairsql.is_first_panel(test) ~ ' then ' ~ flag ~ ' else 0 end' if fairsql.has_parts(test) else flag) ~ ') over ()') -}}
{% endmacro %}


{# A condition that holds in a panel that has a verdict. #}
{% macro judged_if(test, condition) %}
    {{- return(condition ~ (' and gap is null' if fairsql.has_panels(test) else '')) -}}
{% endmacro %}


{# The flag of a group as it is counted: in a panel that has a verdict. #}
{% macro counted_flag(test, name) %}
    {%- if fairsql.has_parts(test) -%}
        {{- return(fairsql.count_once(test, 'group_' ~ name)) -}}
    {%- endif -%}
    {{- return('sum(' ~ ('case when gap is null then is_' ~ name ~ ' else 0 end' if fairsql.has_panels(test) else 'is_' ~ name) ~ ') over ()') -}}
{% endmacro %}


{# How many rows of groups stand in a panel that has a verdict. #}
{% macro judged_groups() %}{{ return('sum(case when is_test = 0 and gap is null then 1 else 0 end) over ()') }}{% endmacro %}


{# [name, expression] of the counts that only reasons read. #}
{% macro counts_of_reasons(test) %}
    {%- set items = [] -%}
    {%- if fairsql.has_panels(test) -%}
        {%- set place = 'part * 10 + gap' if fairsql.has_parts(test) else 'gap' -%}
        {%- if test.per_class -%}
            {#- The other classes of its metric make up for a class in which nobody is compared. -#}
            {%- set place = 'case when judged_in_part = 0' ~ (' or gap = ' ~ fairsql.panel_gaps(test) | length if test.max_difference is none else '')
                ~ ' then part * 10 + gap end' -%}
        {%- endif -%}
        {%- do items.append(['judged_count', fairsql.judged_groups()]) -%}
        {%- do items.append(['first_gap', 'min(' ~ place ~ ') over ()']) -%}
        {%- do items.append(['last_gap', 'max(gap) over ()']) if fairsql.has_part_reasons(test) and not fairsql.has_parts(test) -%}
        {{- return(items) -}}
    {%- endif -%}
    {%- do items.append(['valued_count', 'sum(case when is_sufficient = 1 and value is not null then 1 else 0 end) over ()']) -%}
    {%- if test.comparison -%}
        {%- do items.extend([
            ['reference_count', 'sum(is_reference) over ()'],
            ['compared_count', 'sum(is_compared) over ()'],
            ['unmeasured_count', fairsql.unmeasured(test)],
        ]) -%}
        {%- do items.append([
            'without_gap_count', 'sum(case when is_compared = 1 and is_worse = 1 and difference is null then 1 else 0 end) over ()'
        ]) if test.metric.standardized -%}
    {%- endif -%}
    {{- return(items) -}}
{% endmacro %}


{# How many worse groups have no ratio. #}
{% macro unmeasured(test) %}
    {{- return('sum(case when ' ~ fairsql.judged_if(test, 'is_compared = 1 and is_worse = 1 and ratio is null') ~ ' then 1 else 0 end) over ()') -}}
{% endmacro %}


{# [name, expression] of the measurements that a test has, but for missing_attribute_rate. #}
{% macro measurement_items(test) %}
    {%- set compared = fairsql.judged_if(test, 'is_compared = 1') -%}
    {%- set failing = fairsql.counted_flag(test, 'failed') -%}
    {%- set undefined = fairsql.count_once(test, 'group_undefined') if fairsql.has_parts(test)
        else 'sum(case when is_sufficient = 1 and value is null then 1 else 0 end) over ()' -%}
    {%- set sufficient_groups = 'sum(case when gap is null then is_sufficient else 0 end) over ()' if fairsql.has_panels(test) and not fairsql.has_parts(test) else fairsql.count_once(test, 'is_sufficient') -%}
    {#- A standardized gap is between means, which are no values of the metric, and has no ratio. -#}
    {%- set undefined_here = fairsql.double('null') -%}
    {%- set ratio = undefined_here if test.metric.standardized else 'case\n            when ' ~ fairsql.unmeasured(test) ~ ' > 0 then null\n            else coalesce(min(case when ' ~ compared ~ ' then ratio end) over (), 1e0)\n        end' -%}
    {%- set known = [
        ['failing_group_count', fairsql.bigint(failing)],
        ['failing_group_percentage', fairsql.double(failing) ~ ' / nullif(' ~ sufficient_groups ~ ', 0)'],
        ['min_metric_ratio', ratio],
        ['impact_ratio', ratio],
        ['max_metric_difference', 'max(case when ' ~ compared ~ ' then difference end) over ()'],
        ['worst_group_value', ('min' if test.higher_is_better else 'max') ~ '(case when is_sufficient = 1 then value end) over ()' if test.parts | length == 1 and not test.metric.standardized else undefined_here],
        ['significant_disparity_count', fairsql.bigint(fairsql.counted_flag(test, 'significant'))],
        ['insufficient_group_count', fairsql.bigint(fairsql.count_once(test, '1 - is_test - is_sufficient'))],
        ['min_group_share', 'min(share) over ()'],
        ['undefined_group_count', fairsql.bigint(undefined)],
        ['lowest_group_value', 'min(case when is_sufficient = 1 then value end) over ()'],
        ['highest_group_value', 'max(case when is_sufficient = 1 then value end) over ()'],
    ] -%}
    {%- set items = [] -%}
    {%- set compared_names = ['failing_group_count', 'failing_group_percentage', 'min_metric_ratio', 'significant_disparity_count'] -%}
    {%- for name, expression in known if name in test.measurements -%}
        {#- Where no part has a verdict, another limit may be broken: what is compared is then undefined. -#}
        {%- set is_open = fairsql.has_parts(test) and name in compared_names -%}
        {%- do items.append([name, 'case when ' ~ fairsql.judged_groups() ~ ' > 0 then ' ~ expression ~ ' end' if is_open else expression]) -%}
    {%- endfor -%}
    {%- do items.extend(fairsql.spread_items(test)) -%}
    {%- do items.extend(fairsql.pooled_measurements(test)) if test.strata -%}
    {{- return(items) -}}
{% endmacro %}


{# [name, expression] of how far the extremes of a metric are apart over the sufficient groups: as a difference, and as
   the ratio of the least to the greatest (fairlearn's difference and ratio, but undefined where they would be 0/0). #}
{% macro spread_items(test) %}
    {%- set items = [] -%}
    {%- if test.type == 'group_outcome_disparity' -%}
        {%- do items.append(['statistical_parity_difference', 'max(' ~ fairsql.panel_difference() ~ ') over ()']) -%}
    {%- elif fairsql.has_parts(test) -%}
        {#- A criterion repeats its metrics' expressions: a stage more would be beyond what Spark's analyzer has passes for. -#}
        {%- set asked = [] -%}
        {%- for part in test.parts -%}{%- do asked.append(part.name) -%}{%- endfor -%}
        {%- for name in asked + fairsql.criteria_of(test) -%}
            {%- do items.append([name ~ '_difference', fairsql.worst_of_parts(test, name, 'greatest', fairsql.panel_difference())]) -%}
            {%- do items.append([name ~ '_ratio', fairsql.worst_of_parts(test, name, 'least', fairsql.panel_quotient())]) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(items) -}}
{% endmacro %}


{# How far the extremes of a panel are apart; equal but for rounding is equal. #}
{% macro panel_difference() %}
    {{- return('case when panel_valued < 2 then null when ' ~ fairsql.near('panel_highest', 'panel_lowest') ~ ' then 0e0 else panel_highest - panel_lowest end') -}}
{% endmacro %}


{# The same as a ratio, undefined where both are 0. #}
{% macro panel_quotient() %}{{ return('case when panel_valued > 1 and panel_highest > 0 then panel_lowest / panel_highest end') }}{% endmacro %}


{# An expression of the panel of a metric, or the worst of those of a criterion's metrics; undefined where one of them is. #}
{% macro worst_of_parts(test, name, worst, expression) %}
    {%- set metrics = fairsql.catalogue().criteria.get(name, [name]) -%}
    {%- set values = [] -%}
    {%- set defined = [] -%}
    {%- for part in test.parts -%}
        {%- set value = ('min' if test.per_class and worst == 'least' else 'max') ~ '(case when part = ' ~ loop.index ~ ' then ' ~ expression ~ ' end) over ()' -%}
        {%- if part.name in metrics -%}
            {%- do values.append(value) -%}
            {%- do defined.append(value ~ ' is not null') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if values | length == 1 -%}{{- return(values[0]) -}}{%- endif -%}
    {{- return('case when ' ~ defined | join(' and ') ~ ' then ' ~ worst ~ '(' ~ values | join(', ') ~ ') end') -}}
{% endmacro %}


{# The criteria that a test measures. #}
{% macro criteria_of(test) %}
    {%- set names = [] -%}
    {%- if fairsql.has_parts(test) -%}
        {%- for name in fairsql.catalogue().criteria if name ~ '_ratio' in test.measurements -%}{%- do names.append(name) -%}{%- endfor -%}
    {%- endif -%}
    {{- return(names) -}}
{% endmacro %}


{# Which groups break a threshold on a measurement: those that it counts, or at which it is attained. #}
{% macro breaks(test, measurement) %}
    {%- set known = {
        'failing_group_count': fairsql.judged_if(test, 'is_failed = 1'),
        'failing_group_percentage': fairsql.judged_if(test, 'is_failed = 1'),
        'significant_disparity_count': fairsql.judged_if(test, 'is_significant = 1'),
        'insufficient_group_count': 'is_test = 0 and is_sufficient = 0' ~ (' and ' ~ fairsql.is_first_panel(test) if fairsql.has_parts(test) else ''),
        'undefined_group_count': 'is_sufficient = 1 and value is null',
        'min_metric_ratio': fairsql.judged_if(test, 'is_compared = 1 and ratio = min_metric_ratio'),
        'impact_ratio': fairsql.judged_if(test, 'is_compared = 1 and ratio = impact_ratio'),
        'max_metric_difference': fairsql.judged_if(test, 'is_compared = 1 and difference = max_metric_difference'),
        'worst_group_value': 'is_sufficient = 1 and value = worst_group_value',
        'min_group_share': 'share = min_group_share' ~ (' and ' ~ fairsql.is_first_panel(test) if fairsql.has_parts(test) else ''),
        'missing_attribute_rate': '1 = 0',
        'mantel_haenszel_odds_ratio': 'pooled_place = 1 and pooled_odds_ratio = mantel_haenszel_odds_ratio',
        'mantel_haenszel_p_value': 'pooled_place = 1 and pooled_p_value = least_pooled_p_value',
        'lowest_group_value': 'is_sufficient = 1 and value = lowest_group_value',
        'highest_group_value': 'is_sufficient = 1 and value = highest_group_value',
        'statistical_parity_difference': (
            'is_sufficient = 1 and value in (panel_highest, panel_lowest) and ' ~ fairsql.panel_difference() ~ ' = statistical_parity_difference'
        ),
    } -%}
    {%- if measurement in known -%}{{- return(known[measurement]) -}}{%- endif -%}
    {#- A metric's or a criterion's: the groups at the metric's two extremes, of the metric that is the worst. -#}
    {%- set end = '_difference' if measurement[-11:] == '_difference' else '_ratio' -%}
    {%- set name = measurement[:0 - end | length] -%}
    {%- set attained = [] -%}
    {%- set metrics = fairsql.catalogue().criteria.get(name, [name]) -%}
    {%- for part in test.parts -%}
        {%- set here = (fairsql.panel_difference() if end == '_difference' else fairsql.panel_quotient()) if test.per_class else part.name ~ end -%}
        {%- do attained.append('(part = ' ~ loop.index ~ ' and ' ~ here ~ ' = ' ~ measurement ~ ')') if part.name in metrics -%}
    {%- endfor -%}
    {{- return('is_sufficient = 1 and value in (panel_highest, panel_lowest) and (' ~ attained | join(' or ') ~ ')') -}}
{% endmacro %}
