{# Panels: groups that are compared with one another. A test has one, unless it asks for several metrics, which are its
   *parts* and each a cut of the scan, or compares within strata, whose values begin the keys. #}


{# The columns that tell the panels of a test apart. #}
{% macro panel(test) %}
    {{- return(['cut'] if fairsql.has_parts(test) else fairsql.numbered('key_', test.strata | length)) -}}
{% endmacro %}


{# The window of a panel, or of what further columns tell apart within it. #}
{% macro over_panel(test, columns=[]) %}
    {%- set names = fairsql.panel(test) + columns -%}
    {{- return(' over (' ~ ('partition by ' ~ names | join(', ') if names else '') ~ ')') -}}
{% endmacro %}


{# The same, ordered. #}
{% macro over_ordered_panel(test, order) %}
    {%- set names = fairsql.panel(test) -%}
    {{- return(' over (' ~ ('partition by ' ~ names | join(', ') ~ ' ' if names else '') ~ 'order by ' ~ order | join(', ') ~ ')') -}}
{% endmacro %}


{# An expression that depends on the part. #}
{% macro by_part(expressions) %}{{ return(fairsql.by_cut(expressions, 'part')) }}{% endmacro %}


{# A condition that depends on the part: plain where all parts agree. `conditions` holds one for each part. #}
{% macro in_part(conditions) %}
    {%- set distinct = conditions | unique(case_sensitive=true) | list -%}
    {%- if distinct | length == 1 -%}{{- return(distinct[0]) -}}{%- endif -%}
    {%- set branches = [] -%}
    {%- for choice in distinct -%}
        {%- set parts = [] -%}
        {%- for condition in conditions -%}{%- do parts.append(loop.index) if condition == choice -%}{%- endfor -%}
        {%- do branches.append('(part ' ~ fairsql.among(parts) ~ ' and ' ~ choice ~ ')') -%}
    {%- endfor -%}
    {{- return('(' ~ branches | join(' or ') ~ ')') -}}
{% endmacro %}


{# True where a test may have several metrics. #}
{% macro has_parts(test) %}{{ return(test.type == 'group_performance_parity') }}{% endmacro %}


{# The rows of one panel of a test of several parts: its first metric, of its first class. #}
{% macro is_first_panel(test) %}{{ return('part = 1' ~ (' and class_number = 1' if test.per_class else '')) }}{% endmacro %}


{# True where a test may have several panels. #}
{% macro has_panels(test) %}{{ return(fairsql.has_parts(test) or test.type == 'group_outcome_disparity') }}{% endmacro %}


{# The statistics of several parts, numbered in the order of the test: of a shared scan they are some cuts of many. #}
{% macro numbered_parts() -%}
    select
        *,
        cut - min(cut) over () + 1 as part
    from statistics
{%- endmacro %}


{# Every group beside the extremes of its panel, and the panel's gap: the place, among panel_gaps, of the first reason for
   which it has no verdict. #}
{% macro panels(test) -%}
    {%- set over = fairsql.over_panel(test) -%}
    select
        *,
        max(case when is_sufficient = 1 then value end){{ over }} as panel_highest,
        min(case when is_sufficient = 1 then value end){{ over }} as panel_lowest,
        {{ fairsql.valued_groups(over) }} as panel_valued,
        {%- for name, expression in fairsql.pooled_statistics(test) if test.strata %}
        {{ expression }} as {{ name }},
        {%- endfor %}
        case
            when is_test = 1 then null
            {%- for reason, condition in fairsql.panel_gaps(test) %}
            when {{ condition }} then {{ loop.index }}
            {%- endfor %}
        end as gap
    from decided
{%- endmacro %}


{# [reason, condition] in the contract's order. #}
{% macro panel_gaps(test) %}
    {%- set over = fairsql.over_panel(test) -%}
    {%- set gaps = [
        ['fewer_than_two_sufficient_groups', 'sum(is_sufficient)' ~ over ~ ' < 2'],
        ['metric_undefined', fairsql.valued_groups(over) ~ ' = 0'],
    ] -%}
    {%- do gaps.append(['reference_not_usable', 'sum(is_reference)' ~ over ~ ' = 0']) if test.reference_strategy == 'named' -%}
    {%- do gaps.append(['nothing_to_compare', 'sum(is_compared)' ~ over ~ ' = 0']) -%}
    {%- do gaps.append([
        'ratio_undefined_set_max_difference',
        'sum(case when is_compared = 1 and is_worse = 1 and ratio is null then 1 else 0 end)' ~ over ~ ' > 0',
    ]) if test.max_difference is none -%}
    {{- return(gaps) -}}
{% endmacro %}


{# True of a panel that has a comparison point, be there a verdict or none. #}
{% macro is_compared_panel(test) %}
    {{- return('(gap is null or gap > ' ~ (3 if test.reference_strategy == 'named' else 2) ~ ')') -}}
{% endmacro %}


{# How many sufficient groups of a window have a value. #}
{% macro valued_groups(over) %}{{ return('sum(case when is_sufficient = 1 and value is not null then 1 else 0 end)' ~ over) }}{% endmacro %}
