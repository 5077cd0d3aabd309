{# Two-sided p-values of Student's t, for any degrees of freedom from 1 on.

   `tests` holds cut, group_number, t, degrees_of_freedom (doubles; a null makes the p-value null); the last stage is
   student_p_values, the same rows with p_value. With tan(phi) = t / √nu the tail of the density is
       p = 2 Γ((nu + 1) / 2) / (√pi Γ(nu / 2)) · cos(phi)^nu · ∫ (1 + u (2 sin(phi) + u))^(-(nu + 1) / 2) du over u from 0:
   positive terms only, which the exp-sinh rule sums with u scaled to about where the integrand has fallen to e⁻³.
   A p-value below 1e-304 is 0. #}
{% macro student_ctes(tests) %}
    {%- set angles -%}
    select
        *,
        tangent * tangent as tangent_square,
        tangent / sqrt(1e0 + tangent * tangent) as sine,
        6e0 / (nu + 1e0) as curvature
    from (
        select
            *,
            coalesce(degrees_of_freedom, 1e0) as nu,
            greatest(least(abs(coalesce(t, 1e0)), {{ fairsql.extreme('1e150') }}), {{ fairsql.extreme('1e-50') }}) / sqrt(coalesce(degrees_of_freedom, 1e0)) as tangent
        from {{ tests }}
    ) as tangents
    {%- endset -%}
    {# Γ((nu + 1) / 2) / Γ(nu / 2), from what it is at nu + 4. #}
    {%- set densities -%}
    select
        *,
        curvature / (sine + sqrt(sine * sine + curvature)) as scale,
        ln(1.1283791670955126e0 * nu * (nu + 2e0) / ((nu + 1e0) * (nu + 3e0)) * sqrt(lifted))
        - {{ fairsql.gamma_ratio_excess('lifted') }}
        - nu / 2e0 * ({{ fairsql.log1p('tangent_square') }}) as log_factor
    from (select *, nu / 2e0 + 2e0 as lifted from student_angles) as lifted_angles
    {%- endset -%}
    {%- set points -%}
    select
        student_densities.*,
        student_nodes.node,
        student_nodes.weight,
        scale * node * (2e0 * sine + scale * node) as growth
    from student_densities
    cross join student_nodes
    {%- endset -%}
    {%- set heights -%}
    select
        *,
        - (nu + 1e0) / 2e0 * ({{ fairsql.log1p('growth') }}) as log_height
    from student_points
    {%- endset -%}
    {%- set tails -%}
    select
        *,
        sum(case when log_height > -2e2 then weight * exp(log_height) else 0e0 end) over (partition by cut, group_number) as relative_tail
    from student_heights
    {%- endset -%}
    {# One node of each row is exactly 1; that row stays. #}
    {%- set log_p_value = 'log_factor + ln(scale * relative_tail)' -%}
    {%- set p_values -%}
    select
        *,
        case
            when t is null or degrees_of_freedom is null then null
            when t = 0e0 then 1e0
            when {{ log_p_value }} < -7e2 then 0e0
            else exp({{ log_p_value }})
        end as p_value
    from student_tails
    where node = 1e0
    {%- endset -%}
    {{- return(fairsql.fenced([
        ['student_nodes', fairsql.exp_sinh_nodes()],
        ['student_angles', angles],
        ['student_densities', densities],
        ['student_points', points],
        ['student_heights', heights],
        ['student_tails', tails],
        ['student_p_values', p_values],
    ])) -}}
{% endmacro %}
