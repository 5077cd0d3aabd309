{# The ranks of the order statistics that bound a quantile: Q(alpha/2) and Q(1 - alpha/2) + 1 of Binomial(n, q).

   `sizes` holds cut, group_number, n, q, alpha (doubles). Both ends are lower tails: the upper one is that of
   Binomial(n, 1 - q) counted from the other end. A lower tail is the mass at y times an integral,
       F(y) = f(y) (n - y) ∫ exp(-(n - y) u) (1 + (1 - p) / p (1 - exp(-u)))^y du over u from 0,
   whose integrand falls from 1 without a turn below the mean; f(y) is Loader's saddle-point form.
   A normal start with skewness (Cornish–Fisher) and one Newton step lead to nine candidates (all within 40 for n < 100, where
   the tail is too skew for the step), compared exactly but for a slack of 1e-11. #}
{% macro fairsql_order_ranks_ctes(sizes) %}
    {%- set tails -%}
    select cut, group_number, 0 as is_upper, n, q, alpha, q as p, alpha / 2e0 * (1e0 - 1e-11) as tail from {{ sizes }}
    union all
    select cut, group_number, 1 as is_upper, n, q, alpha, 1e0 - q as p, alpha / 2e0 * (1e0 + 1e-11) as tail from {{ sizes }}
    {%- endset -%}
    {%- set starts -%}
    select
        cut, group_number, is_upper, n, q, alpha, p, tail,
        least(greatest(floor(n * p - z * sqrt(n * p * (1e0 - p)) + (z * z - 1e0) * (1e0 - 2e0 * p) / 6e0), 0e0), n - 1e0) as y
    from (
        select
            *,
            t - (2.515517e0 + 8.02853e-1 * t + 1.0328e-2 * t * t)
            / (1e0 + 1.432788e0 * t + 1.89269e-1 * t * t + 1.308e-3 * t * t * t) as z
        from (select *, sqrt(- 2e0 * ln(tail)) as t from tails) as normal_start
    ) as normal_quantile
    {%- endset -%}
    {%- set refined -%}
    select
        cut, group_number, is_upper, n, q, alpha, p, tail,
        floor(least(greatest(y - greatest(least((ln(mass) - ln(tail)) * mass / density, 1e2), - 1e2), 0e0), n - 1e0)) as y
    from ({{ fairsql_binomial_tail('starts') }}) as at_start
    {%- endset -%}
    {%- set candidates -%}
    select
        refined.cut, refined.group_number, refined.is_upper, refined.n, refined.q, refined.alpha, refined.p, refined.tail,
        refined.y + 9 * (high.digit - 4) + low.digit - 4 as y
    from refined
    cross join ({{ fairsql_digits() }}) as high
    cross join ({{ fairsql_digits() }}) as low
    where (high.digit = 4 or refined.n < 100)
        and refined.y + 9 * (high.digit - 4) + low.digit - 4 between 0 and refined.n - 1
    {%- endset -%}
    {%- set order_ranks -%}
    select
        cut,
        group_number,
        min(case when is_upper = 0 then least(below + 1, floor(q * (n - 1e0) + 1e-9) + 1) end) as lower_rank,
        max(case when is_upper = 1 then greatest(n - below, ceil(q * (n - 1e0) - 1e-9) + 1) end) as upper_rank
    from (
        select
            cut, group_number, is_upper, n, q, alpha,
            max(case when (is_upper = 0 and mass < tail) or (is_upper = 1 and mass <= tail) then y else -1 end) as below
        from ({{ fairsql_binomial_tail('candidates') }}) as at_candidates
        group by cut, group_number, is_upper, n, q, alpha
    ) as found
    group by cut, group_number
    {%- endset -%}
    {{- return([
        ['nodes', fairsql_exp_sinh_nodes()],
        ['tails', tails],
        ['starts', starts],
        ['refined', refined],
        ['candidates', candidates],
        ['order_ranks', order_ranks],
    ]) -}}
{% endmacro %}


{# Per row of `points` (n, p, y with 0 <= y < n): density f(y) and mass F(y) of Binomial(n, p). #}
{% macro fairsql_binomial_tail(points) -%}
        select
            cut, group_number, is_upper, n, q, alpha, p, tail, y, density,
            density * (n - y) * scale * sum(weight * case when exponent > -2e2 then exp(exponent) else 0e0 end) as mass
        from (
            select
                *,
                - (n - y) * u + y * ({{ fairsql_log1p('growth') }}) as exponent
            from (
                select *, (1e0 - p) / p * ({{ fairsql_one_minus_exp('u') }}) as growth
                from (select shaped.*, nodes.weight, shaped.scale * nodes.node as u from (
                    select
                        *,
                        exp(
                            {{ fairsql_stirling('n') }}
                            - ({{ fairsql_stirling('y') }})
                            - ({{ fairsql_stirling('rest') }})
                            - ({{ fairsql_deviance('y', 'expected', 'difference') }})
                            - ({{ fairsql_deviance('rest', 'expected_rest', '(- difference)') }})
                        ) as density,
                        6e0 / (slope + sqrt(slope * slope + 6e0 * curvature)) as scale
                    from (
                        select
                            *,
                            n - y as rest,
                            n * p as expected,
                            n * (1e0 - p) as expected_rest,
                            y - n * p as difference,
                            n - y / p as slope,
                            y * (1e0 - p) / (p * p) as curvature
                        from {{ points }}
                    ) as prepared
                ) as shaped cross join nodes) as spread
            ) as grown
        ) as powers
        group by cut, group_number, is_upper, n, q, alpha, p, tail, y, density, scale
{%- endmacro %}
