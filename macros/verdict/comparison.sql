{# Who is compared with whom: the comparison point, and each group's ratio, gap and direction. #}


{# Every group, and whether it is the reference, at most one: the best sufficient group (as good as the best: the largest,
   then the smallest key by code point), or the named one if it suffices and has a value. #}
{% macro referenced(test) %}
    {%- set bests = [] -%}
    {%- for part in test.parts -%}
        {%- do bests.append(('max' if part.higher_is_better else 'min') ~ '(case when is_sufficient = 1 then value end)' ~ fairsql.over_panel(test)) -%}
    {%- endfor -%}
    {%- set order = ['is_candidate desc'] -%}
    {%- if test.reference_strategy == 'named' -%}
        {%- do order.append('case when ' ~ fairsql.reference_key(test) ~ ' = ' ~ fairsql.literal(test.reference_texts[0]) ~ ' then 0 else 1 end asc') -%}
    {%- else -%}
        {%- do order.append('n desc') -%}
        {%- for key in fairsql.protected_keys(test) -%}
            {%- do order.append(fairsql.code_points(key) ~ ' asc') -%}
        {%- endfor -%}
    {%- endif -%}
    select
        *,
        case when is_candidate = 1 and row_number(){{ fairsql.over_ordered_panel(test, order) }} = 1 then 1 else 0 end as is_reference
        {%- if test.strata %},
        {{ fairsql.is_pooled_reference(test) }} as is_pooled_reference
        {%- endif %}
    from (
        {%- if test.reference_strategy == 'named' %}
        select
            *,
            case when is_sufficient = 1 and value is not null and {{ fairsql.reference_key(test) }} in ({{ fairsql.literals(test.reference_texts) }}) then 1 else 0 end as is_candidate
            {%- if test.strata %},
            {{ fairsql.is_pooled_candidate(test) }} as is_pooled_candidate
            {%- endif %}
        from assessed
        {%- else %}
        select
            *,
            case when is_sufficient = 1 and value is not null and {{ fairsql.near('value', 'best_value') }} then 1 else 0 end as is_candidate
            {%- if test.strata %},
            {{ fairsql.is_pooled_candidate(test) }} as is_pooled_candidate
            {%- endif %}
        from (
            select *, {{ fairsql.by_part(bests) }} as best_value{{ ', ' ~ fairsql.best_pooled_rate(test) ~ ' as best_pooled_rate' if test.strata }}
            from assessed
        ) as beside_best
        {%- endif %}
    ) as candidates
{%- endmacro %}


{# The columns that hold a group's own key, after those of its stratum. #}
{% macro protected_keys(test) %}
    {%- set names = [] -%}
    {%- for column in test.protected_attribute_columns -%}{%- do names.append('key_' ~ (test.strata | length + loop.index)) -%}{%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# The one attribute of a test that names its reference. #}
{% macro reference_key(test) %}{{ return(fairsql.protected_keys(test)[0]) }}{% endmacro %}


{# Every group beside the comparison point and the statistics of the second sample: of the reference, or of all other groups. #}
{% macro paired(test) %}
    {%- set against_reference = test.comparison == 'reference' -%}
    {%- set overall_values = [] -%}
    {%- for part in test.parts if not against_reference -%}
        {%- do overall_values.append(fairsql.overall_value(test, part.metric)) -%}
    {%- endfor -%}
    select
        *,
        {%- for name, expression in fairsql.second_statistics(test).items() %}
        {{ expression }} as second_{{ name }},
        {%- endfor %}
        {%- for name, expression in fairsql.pooled_seconds(test) if test.strata %}
        {{ expression }} as {{ name }},
        {%- endfor %}
        {%- if test.p_value_adjustment == 'holm_all_pairs' %}
        {{ fairsql.pairs_of('count(case when is_sufficient = 1 and value is not null then 1 end)' ~ fairsql.over_panel(test)) }} as family_size,
        {%- endif %}
        {%- if against_reference %}
        max(case when is_reference = 1 then value end){{ fairsql.over_panel(test) }} as comparison_value
    from referenced
        {%- else %}
        {{ fairsql.by_part(overall_values) }} as comparison_value,
        0 as is_reference
    from assessed
        {%- endif %}
{%- endmacro %}


{# How many pairs a number of groups can form. #}
{% macro pairs_of(count) %}
    {{- return(fairsql.double(count) ~ ' * (' ~ fairsql.double(count) ~ ' - 1e0) / 2e0') -}}
{% endmacro %}


{# Every group, and how it compares. A group without a value is not compared. #}
{% macro compared(test) %}
    {%- set ratios = [] -%}
    {%- set is_worse = [] -%}
    {%- for part in test.parts -%}
        {%- do is_worse.append('value ' ~ ('<' if part.higher_is_better else '>') ~ ' comparison_value') -%}
        {%- do ratios.append(
            'case when comparison_value > 0 then value / comparison_value end' if part.higher_is_better
            else 'case when comparison_value > 0 and value > 0 then comparison_value / value end'
        ) -%}
    {%- endfor -%}
    select
        *,
        case when is_sufficient = 1 and value is not null and comparison_value is not null and is_reference = 0 then 1 else 0 end as is_compared,
        case
            when value is null or comparison_value is null then 0
            when {{ fairsql.near('value', 'comparison_value') }} then 0
            when {{ fairsql.in_part(is_worse) }} then 1
            else 0
        end as is_worse,
        {%- if test.metric.standardized %}
        {{ fairsql.double('null') }} as ratio,
        {%- else %}
        {{ fairsql.by_part(ratios) }} as ratio,
        {%- endif %}
        case
            when value is null or comparison_value is null then null
            when {{ fairsql.near('value', 'comparison_value') }} then 0e0
            when {{ fairsql.in_part(is_worse) }} then {{ (fairsql.weighted_standardized_difference() if test.metric.is_weighted else fairsql.standardized_difference()) if test.metric.standardized else 'abs(value - comparison_value)' }}
            else 0e0
        end as difference
        {%- for name, expression in fairsql.pooled_terms(test) if test.strata %},
        {{ expression }} as {{ name }}
        {%- endfor %}
    from paired
{%- endmacro %}
