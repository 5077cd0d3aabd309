{# Who is compared with whom: the comparison point, and each group's ratio, gap and direction. #}


{# The reference group, at most one row: the best sufficient group (as good as the best: the largest, then the smallest
   key by code point), or the named one if it suffices and has a value. #}
{% macro reference(test) %}
    {%- set best = 'max' if test.higher_is_better else 'min' -%}
    {%- set order = ['n desc'] -%}
    {%- for number in range(1, test.protected_attribute_columns | length + 1) -%}
        {%- do order.append(fairsql.code_points('key_' ~ number) ~ ' asc') -%}
    {%- endfor -%}
    {%- if test.reference_strategy == 'named' -%}
    select *
    from assessed
    where is_sufficient = 1 and value is not null and key_1 in ({{ fairsql.literals(test.reference_texts) }})
    {%- else -%}
    select *
    from (
        select
            *,
            row_number() over (order by {{ order | join(', ') }}) as place
        from (
            select *, {{ best }}(value) over () as best
            from assessed
            where is_sufficient = 1 and value is not null
        ) as candidates
        where {{ fairsql.near('value', 'best') }}
    ) as placed
    where place = 1
    {%- endif -%}
{% endmacro %}


{# Every group beside the comparison point. A group without a value is not compared. #}
{% macro compared(test) %}
    {%- set against_reference = test.comparison == 'reference' -%}
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
        case when {{ positive }} then {{ worse }} / {{ better }} end as ratio,
        case
            when value is null or comparison_value is null then null
            when {{ fairsql.near('value', 'comparison_value') }} then 0e0
            when value {{ sign }} comparison_value then abs(value - comparison_value)
            else 0e0
        end as difference
    from (
        select
            assessed.*,
            {%- if against_reference %}
            reference.value as comparison_value,
            case when assessed.group_number = reference.group_number then 1 else 0 end as is_reference
            {%- else %}
            overall.value as comparison_value,
            0 as is_reference
            {%- endif %}
        from assessed
        {{ 'left join reference on 1 = 1' if against_reference else 'cross join overall' }}
    ) as beside
{%- endmacro %}
