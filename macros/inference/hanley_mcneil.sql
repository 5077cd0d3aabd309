{# Two-sided p-values of equal areas under two ROC curves of independent samples (Hanley and McNeil 1982).

   `samples` holds cut, group_number, auc_1, positives_1, negatives_1, auc_2, positives_2, negatives_2; the last stage is
   hanley_mcneil_p_values, the same rows with p_value: null with fewer than two positives or negatives on a side.
       SE² = A (1 - A) (1 + (n⁺ - 1) (1 - A) / (2 - A) + (n⁻ - 1) A / (1 + A)) / (n⁺ n⁻)
   with A first moved half a pair of rows (the margin) away from 0 and 1; z is the difference of the areas as they are
   over √(SE₁² + SE₂²). 1 - A is moved on its own: with 1e16 pairs, 1 less the margin would round to 1. #}
{% macro hanley_mcneil_ctes(samples) %}
    {%- set margins -%}
    select
        *
        {%- for side in [1, 2] %},
        {{ fairsql.double('positives_' ~ side) }} as positive_rows_{{ side }},
        {{ fairsql.double('negatives_' ~ side) }} as negative_rows_{{ side }},
        case
            when positives_{{ side }} >= 2 and negatives_{{ side }} >= 2
                then 5e-1 / ({{ fairsql.double('positives_' ~ side) }} * {{ fairsql.double('negatives_' ~ side) }})
        end as margin_{{ side }}
        {%- endfor %}
    from {{ samples }}
    {%- endset -%}
    {%- set areas -%}
    select
        *
        {%- for side in [1, 2] %},
        greatest(least(auc_{{ side }}, 1e0 - margin_{{ side }}), margin_{{ side }}) as area_{{ side }},
        greatest(least(1e0 - auc_{{ side }}, 1e0 - margin_{{ side }}), margin_{{ side }}) as complement_{{ side }}
        {%- endfor %}
    from hanley_mcneil_margins
    {%- endset -%}
    {%- set squares -%}
    select
        *
        {%- for side in [1, 2] %},
        area_{{ side }} * complement_{{ side }} * 2e0 * margin_{{ side }} * (
            1e0
            + (positive_rows_{{ side }} - 1e0) * complement_{{ side }} / (1e0 + complement_{{ side }})
            + (negative_rows_{{ side }} - 1e0) * area_{{ side }} / (1e0 + area_{{ side }})
        ) as squared_error_{{ side }}
        {%- endfor %}
    from hanley_mcneil_areas
    {%- endset -%}
    {%- set scores -%}
    select
        *,
        abs(auc_1 - auc_2) / sqrt(squared_error_1 + squared_error_2) as z
    from hanley_mcneil_squares
    {%- endset -%}
    {%- set p_values -%}
    select
        *,
        case when z > 38e0 then 0e0 else {{ fairsql.normal_two_sided('z') }} end as p_value
    from hanley_mcneil_scores
    {%- endset -%}
    {{- return(fairsql.fenced([
        ['hanley_mcneil_margins', margins],
        ['hanley_mcneil_areas', areas],
        ['hanley_mcneil_squares', squares],
        ['hanley_mcneil_scores', scores],
        ['hanley_mcneil_p_values', p_values],
    ])) -}}
{% endmacro %}
