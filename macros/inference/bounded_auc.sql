{# Two-sided p-values of equal areas under two ROC curves, each of which is known to lie between two bounds: no two areas
   between them have a larger one.

   `samples` holds cut, group_number, least_auc_1, greatest_auc_1, positives_1, negatives_1 and the same of 2; the last stage
   is bounded_auc_p_values, the same rows with p_value: null with fewer than two positives or negatives on a side, 1 where the
   bounds meet. The gap is that of the nearest ends. Hanley and McNeil's SE² n⁺n⁻ (hanley_mcneil.sql) is the sum of
       A (1 - A),  (n⁺ - 1) A (1 - A)² / (2 - A)  and  (n⁻ - 1) A² (1 - A) / (1 + A),
   which rise to one peak each and fall after it, at 1/2, (3 - √5)/2 and (√5 - 1)/2: between bounds each is largest at the
   place that is nearest to its peak. #}
{% macro bounded_auc_ctes(samples) %}
    {%- set peaks = [['half', '5e-1', '5e-1'], ['low', '3.819660112501051e-1', '6.180339887498949e-1'], ['high', '6.180339887498949e-1', '3.819660112501051e-1']] -%}
    {%- set margins -%}
    select
        *
        {%- for side in [1, 2] %},
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
        {%- for side in [1, 2] %}
        {%- for peak, area, complement in peaks %},
        greatest(least(greatest(least({{ area }}, greatest_auc_{{ side }}), least_auc_{{ side }}), 1e0 - margin_{{ side }}), margin_{{ side }}) as {{ peak }}_area_{{ side }},
        greatest(least(greatest(least({{ complement }}, 1e0 - least_auc_{{ side }}), 1e0 - greatest_auc_{{ side }}), 1e0 - margin_{{ side }}), margin_{{ side }}) as {{ peak }}_complement_{{ side }}
        {%- endfor %}
        {%- endfor %}
    from bounded_auc_margins
    {%- endset -%}
    {%- set squares -%}
    select
        *
        {%- for side in [1, 2] %},
        2e0 * margin_{{ side }} * (
            half_area_{{ side }} * half_complement_{{ side }}
            + ({{ fairsql.double('positives_' ~ side) }} - 1e0) * low_area_{{ side }} * low_complement_{{ side }} * low_complement_{{ side }} / (1e0 + low_complement_{{ side }})
            + ({{ fairsql.double('negatives_' ~ side) }} - 1e0) * high_area_{{ side }} * high_complement_{{ side }} * high_area_{{ side }} / (1e0 + high_area_{{ side }})
        ) as squared_error_{{ side }}
        {%- endfor %}
    from bounded_auc_areas
    {%- endset -%}
    {%- set scores -%}
    select
        *,
        {#- Not every engine's greatest() is null where one of its numbers is. #}
        case
            when least_auc_1 is not null and least_auc_2 is not null
                then greatest(least_auc_1 - greatest_auc_2, least_auc_2 - greatest_auc_1, 0e0) / sqrt(squared_error_1 + squared_error_2)
        end as z
    from bounded_auc_squares
    {%- endset -%}
    {%- set p_values -%}
    select
        *,
        case when z > 38e0 then 0e0 else {{ fairsql.normal_two_sided('z') }} end as p_value
    from bounded_auc_scores
    {%- endset -%}
    {{- return(fairsql.fenced([
        ['bounded_auc_margins', margins],
        ['bounded_auc_areas', areas],
        ['bounded_auc_squares', squares],
        ['bounded_auc_scores', scores],
        ['bounded_auc_p_values', p_values],
    ])) -}}
{% endmacro %}
