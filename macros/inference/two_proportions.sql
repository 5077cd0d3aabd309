{# Two-sided p-values of the z test that two proportions are equal, pooled and without a correction for continuity.

   `samples` holds cut, group_number, share_1, n_1, share_2, n_2 (doubles): sizes are at least 1 and need not be whole. The
   last stage is two_proportion_p_values, the same rows with p_value: null where a share is, 1 where neither sample, or
   all of both, counts.
       z = (p₁ - p₂) / √(p (1 - p) (1 / n₁ + 1 / n₂)),  p = (n₁ p₁ + n₂ p₂) / (n₁ + n₂)
   1 - p is pooled on its own: where shares are near 1, subtracting would lose what is left of it. #}
{% macro two_proportion_ctes(samples) %}
    {%- set pools -%}
    select
        *,
        share_1 * (n_1 / (n_1 + n_2)) + share_2 * (n_2 / (n_1 + n_2)) as pooled_share,
        (1e0 - share_1) * (n_1 / (n_1 + n_2)) + (1e0 - share_2) * (n_2 / (n_1 + n_2)) as pooled_rest
    from {{ samples }}
    {%- endset -%}
    {%- set scores -%}
    select
        *,
        case
            when share_1 is null or share_2 is null then null
            when pooled_share <= 0 or pooled_rest <= 0 then 0e0
            else abs(share_1 - share_2) / sqrt(pooled_share * pooled_rest * (1e0 / n_1 + 1e0 / n_2))
        end as z
    from two_proportion_pools
    {%- endset -%}
    {%- set p_values -%}
    select
        *,
        case when z > 38e0 then 0e0 when z = 0e0 then 1e0 else {{ fairsql.normal_two_sided('z') }} end as p_value
    from two_proportion_scores
    {%- endset -%}
    {{- return(fairsql.fenced([
        ['two_proportion_pools', pools],
        ['two_proportion_scores', scores],
        ['two_proportion_p_values', p_values],
    ])) -}}
{% endmacro %}
