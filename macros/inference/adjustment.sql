{# p-values adjusted for the number of comparisons: R's p.adjust, operation by operation, so that the bits agree.

   `p_values` holds cut, group_number, p_value (null where there is none), and for holm_all_pairs family_size; each cut
   is a family, and within it what the columns of `panel` tell apart. The last stage is adjusted_p_values: the same rows, with p_value_adjusted. A missing p-value stays
   missing and is not counted. Holm (1979) steps down, Benjamini and Hochberg (1995) step up; holm_all_pairs is
   Holm over a family in which p-values are missing, p.adjust(p, "holm", n = family_size). #}
{% macro adjustment_ctes(p_values, method, panel=[]) %}
    {%- if method == 'none' -%}
        {{- return([['adjusted_p_values', 'select *, p_value as p_value_adjusted\n    from ' ~ p_values]]) -}}
    {%- endif -%}
    {%- set family = (['cut'] + panel) | unique | join(', ') -%}
    {%- set up_to_here = 'over (partition by ' ~ family ~ ' order by place asc rows between unbounded preceding and current row)' -%}
    {%- set from_here = 'over (partition by ' ~ family ~ ' order by place asc rows between current row and unbounded following)' -%}
    {%- set stepped = {
        'holm': 'max((tests + 1e0 - place) * p_value) ' ~ up_to_here,
        'holm_all_pairs': 'max((' ~ fairsql.double('family_size') ~ ' + 1e0 - place) * p_value) ' ~ up_to_here,
        'benjamini_hochberg': 'min(tests / place * p_value) ' ~ from_here,
    }[method] -%}
    {%- set places -%}
    select
        *,
        {{ fairsql.double('count(p_value) over (partition by ' ~ family ~ ')') }} as tests,
        {{ fairsql.double('row_number() over (partition by ' ~ family ~ ' order by case when p_value is null then 1 else 0 end asc, p_value asc, group_number asc)') }} as place
    from {{ p_values }}
    {%- endset -%}
    {%- set adjusted -%}
    select
        *,
        case when p_value is not null then least({{ stepped }}, 1e0) end as p_value_adjusted
    from adjustment_places
    {%- endset -%}
    {{- return([
        ['adjustment_places', places],
        ['adjusted_p_values', adjusted],
    ]) -}}
{% endmacro %}
