{# Groups that are held to a limit, each on its own, and compared with none. #}


{# Every group: it fails when it suffices, has a value, and the value does not hold to the limit. What comparisons would
   say is null. #}
{% macro held_to_limit(test) -%}
    select
        *,
        0 as is_reference,
        0 as is_worse,
        0 as is_significant,
        {%- for name in ['comparison_value', 'ratio', 'difference', 'p_value', 'p_value_adjusted'] %}
        {{ fairsql.double('null') }} as {{ name }},
        {%- endfor %}
        case when is_sufficient = 1 and value is not null and not ({{ fairsql.holds('value', test.operator, test.value) }}) then 1 else 0 end as is_failed
    from assessed
{%- endmacro %}


{# Whether a number relates to a limit as the operator says; equal but for rounding is equal. #}
{% macro holds(number, operator, value) %}
    {%- set limit = fairsql.double(value) -%}
    {%- set near = fairsql.near(number, limit) -%}
    {{- return({
        '>=': number ~ ' > ' ~ limit ~ ' or ' ~ near,
        '<=': number ~ ' < ' ~ limit ~ ' or ' ~ near,
        '>': number ~ ' > ' ~ limit ~ ' and not ' ~ near,
        '<': number ~ ' < ' ~ limit ~ ' and not ' ~ near,
        'is': near,
        '!=': 'not ' ~ near,
    }[operator]) -}}
{% endmacro %}
