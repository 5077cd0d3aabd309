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
            '(' ~ excess ~ ' > ' ~ fairsql.rounding(sizes) ~ ' and ' ~ excess ~ ' > 1e-15)'
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


{# The first reason that applies, in the contract's order, with a sentence that names what is at fault; whether each
   threshold holds: 1, 0, or null on a null measurement; and whether the group would have broken it: because it is
   counted there, or because the measurement is attained there. #}
{% macro judged(test) %}
    {%- set kinds = [['skip', fairsql.skip_branches(test)]] -%}
    {%- do kinds.append(['part', fairsql.part_branches(test)]) if fairsql.has_part_reasons(test) -%}
    select
        *
        {%- for kind, branches in kinds %},
        case
            {%- for condition, reason, message in branches %}
            when {{ condition }} then {{ fairsql.literal(reason) }}
            {%- endfor %}
        end as {{ kind }}_reason,
        case
            {%- for condition, reason, message in branches %}
            when {{ condition }} then {{ message | join(' || ') }}
            {%- endfor %}
        end as {{ kind }}_message
        {%- endfor %}
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
        case when {{ fairsql.breaks(test, threshold.measurement) }} then 1 else 0 end as breaks_{{ loop.index }}
        {%- endfor %}
    from measurements
{%- endmacro %}
