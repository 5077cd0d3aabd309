{# Who is compared with whom: the comparison point, and each group's ratio, gap and direction. #}


{# Every group, and whether it is the reference, at most one: the best sufficient group (as good as the best: the largest,
   then the smallest key by code point), or the named one if it suffices and has a value. #}
{% macro referenced(test) %}
    {%- set best = 'max' if test.higher_is_better else 'min' -%}
    {%- set order = ['is_candidate desc'] -%}
    {%- if test.reference_strategy == 'named' -%}
        {%- do order.append('case when key_1 = ' ~ fairsql.literal(test.reference_texts[0]) ~ ' then 0 else 1 end asc') -%}
    {%- else -%}
        {%- do order.append('n desc') -%}
        {%- for number in range(1, test.protected_attribute_columns | length + 1) -%}
            {%- do order.append(fairsql.code_points('key_' ~ number) ~ ' asc') -%}
        {%- endfor -%}
    {%- endif -%}
    select
        *,
        case when is_candidate = 1 and row_number() over (order by {{ order | join(', ') }}) = 1 then 1 else 0 end as is_reference
    from (
        {%- if test.reference_strategy == 'named' %}
        select
            *,
            case when is_sufficient = 1 and value is not null and key_1 in ({{ fairsql.literals(test.reference_texts) }}) then 1 else 0 end as is_candidate
        from assessed
        {%- else %}
        select
            *,
            case when is_sufficient = 1 and value is not null and {{ fairsql.near('value', 'best_value') }} then 1 else 0 end as is_candidate
        from (
            select *, {{ best }}(case when is_sufficient = 1 then value end) over () as best_value
            from assessed
        ) as beside_best
        {%- endif %}
    ) as candidates
{%- endmacro %}


{# Every group beside the comparison point and the statistics of the second sample: of the reference, or of all other groups. #}
{% macro paired(test) %}
    {%- set against_reference = test.comparison == 'reference' -%}
    select
        *,
        {%- for name, expression in fairsql.second_statistics(test).items() %}
        {{ expression }} as second_{{ name }},
        {%- endfor %}
        {%- if test.p_value_adjustment == 'holm_all_pairs' %}
        {{ fairsql.pairs_of('count(case when is_sufficient = 1 and value is not null then 1 end) over ()') }} as family_size,
        {%- endif %}
        {%- if against_reference %}
        max(case when is_reference = 1 then value end) over () as comparison_value
    from referenced
        {%- else %}
        {{ fairsql.overall_value(test) }} as comparison_value,
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
    {%- set better, worse = ('comparison_value', 'value') if test.higher_is_better else ('value', 'comparison_value') -%}
    {%- set sign = '<' if test.higher_is_better else '>' -%}
    {%- set positive = 'comparison_value > 0' if test.higher_is_better else 'comparison_value > 0 and value > 0' -%}
    select
        *,
        case when is_sufficient = 1 and value is not null and comparison_value is not null and is_reference = 0 then 1 else 0 end as is_compared,
        case
            when value is null or comparison_value is null then 0
            when {{ fairsql.near('value', 'comparison_value') }} then 0
            when value {{ sign }} comparison_value then 1
            else 0
        end as is_worse,
        {%- if test.metric.standardized %}
        {{ fairsql.double('null') }} as ratio,
        {%- else %}
        case when {{ positive }} then {{ worse }} / {{ better }} end as ratio,
        {%- endif %}
        case
            when value is null or comparison_value is null then null
            when {{ fairsql.near('value', 'comparison_value') }} then 0e0
            when value {{ sign }} comparison_value then {{ (fairsql.weighted_standardized_difference() if test.metric.is_weighted else fairsql.standardized_difference()) if test.metric.standardized else 'abs(value - comparison_value)' }}
            else 0e0
        end as difference
    from paired
{%- endmacro %}
