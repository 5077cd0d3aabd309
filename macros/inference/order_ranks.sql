{# The ranks of the order statistics that bound a quantile: Q(alpha/2) and Q(1 - alpha/2) + 1 of Binomial(n, q).

   `sizes` holds cut, group_number, n, q, alpha (doubles). Both ends are lower tails: the upper one is that of
   Binomial(n, 1 - q) counted from the other end. A normal start with skewness (Cornish–Fisher) gives nine candidates
   y (all within 40 for n < 100, where the tail is too skew for it); each one's mass
       F(y) = f(y) (n - y) ∫ exp(-(n - y) u) (1 + (1 - p) / p (1 - exp(-u)))^y du over u from 0,
   is compared with the tail, with a slack of 1e-11. The integrand falls from 1 without a turn below the mean, so the
   exp-sinh rule sums it; f(y) is Loader's saddle-point form. `prefix` begins the name of every stage, where a statement has
   these stages twice. #}
{% macro order_ranks_ctes(sizes, prefix='') %}
    {%- set tails -%}
    select cut, group_number, 0 as is_upper, n, q, alpha, q as p, alpha / 2e0 * (1e0 - 1e-11) as tail from {{ sizes }}
    union all
    select cut, group_number, 1 as is_upper, n, q, alpha, 1e0 - q as p, alpha / 2e0 * (1e0 + 1e-11) as tail from {{ sizes }}
    {%- endset -%}
    {%- set starts -%}
    select
        *,
        least(greatest(floor(n * p - z * sqrt(n * p * (1e0 - p)) + (z * z - 1e0) * (1e0 - 2e0 * p) / 6e0), 0e0), n - 1e0) as guess
    from (
        select
            *,
            first_z + (({{ fairsql.normal_two_sided('first_z') }}) / 2e0 - tail) / (3.989422804014327e-1 * exp(- first_z * first_z / 2e0)) as z
        from (
            select
                *,
                t - (2.515517e0 + 8.02853e-1 * t + 1.0328e-2 * t * t)
                / (1e0 + 1.432788e0 * t + 1.89269e-1 * t * t + 1.308e-3 * t * t * t) as first_z
            from (select *, sqrt(- 2e0 * ln(tail)) as t from {{ prefix }}tails) as rational
        ) as newton
    ) as cornish_fisher
    {%- endset -%}
    {%- set candidates -%}
    select
        starts.*,
        starts.guess + 9 * (high.digit - 4) + low.digit - 4 as y
    from {{ prefix ~ 'starts as ' if prefix }}starts
    cross join ({{ fairsql.digits() }}) as high
    cross join ({{ fairsql.digits() }}) as low
    where (high.digit = 4 or starts.n < 100)
        and starts.guess + 9 * (high.digit - 4) + low.digit - 4 between 0 and starts.n - 1
    {%- endset -%}
    {%- set shaped -%}
    select
        *,
        n - y as rest,
        n * p as expected,
        n * (1e0 - p) as expected_rest,
        y - n * p as excess,
        6e0 / (n - y / p + sqrt((n - y / p) * (n - y / p) + 6e0 * y * (1e0 - p) / (p * p))) as scale
    from {{ prefix }}candidates
    {%- endset -%}
    {%- set dense -%}
    select
        *,
        exp(
            {{ fairsql.stirling('n') }}
            - ({{ fairsql.stirling('y') }})
            - ({{ fairsql.stirling('rest') }})
            - ({{ fairsql.deviance('y', 'expected', 'excess') }})
            - ({{ fairsql.deviance('rest', 'expected_rest', '(- excess)') }})
        ) as density
    from {{ prefix }}shaped
    {%- endset -%}
    {%- set spread -%}
    select
        dense.*,
        nodes.weight,
        dense.scale * nodes.node as u
    from {{ prefix ~ 'dense as ' if prefix }}dense
    cross join {{ prefix ~ 'nodes as ' if prefix }}nodes
    {%- endset -%}
    {%- set grown -%}
    select
        *,
        (1e0 - p) / p * ({{ fairsql.one_minus_exp('u') }}) as growth
    from {{ prefix }}spread
    {%- endset -%}
    {%- set powers -%}
    select
        *,
        y * ({{ fairsql.log1p('growth') }}) - (n - y) * u as exponent
    from {{ prefix }}grown
    {%- endset -%}
    {%- set masses -%}
    select
        cut, group_number, is_upper, n, q, tail, y,
        density * (n - y) * scale * sum(weight * case when exponent > -2e2 then exp(exponent) else 0e0 end) as mass
    from {{ prefix }}powers
    group by cut, group_number, is_upper, n, q, tail, y, density, scale
    {%- endset -%}
    {%- set order_ranks -%}
    select
        cut,
        group_number,
        min(case when is_upper = 0 then least(below + 1, floor(q * (n - 1e0) + 1e-9) + 1) end) as lower_rank,
        max(case when is_upper = 1 then greatest(n - below, ceil(q * (n - 1e0) - 1e-9) + 1) end) as upper_rank
    from (
        select
            cut, group_number, is_upper, n, q,
            max(case when (is_upper = 0 and mass < tail) or (is_upper = 1 and mass <= tail) then y else -1 end) as below
        from {{ prefix }}masses
        group by cut, group_number, is_upper, n, q
    ) as found
    group by cut, group_number
    {%- endset -%}
    {{- return(fairsql.fenced([
        fairsql.described(prefix ~ 'nodes', 'The points and weights of the integral.', fairsql.exp_sinh_nodes()),
        fairsql.described(prefix ~ 'tails', 'Two rows for each size: the lower tail of Binomial(n, q), and the upper one as the lower tail of Binomial(n, 1 - q).', tails),
        fairsql.described(prefix ~ 'starts', 'The same rows, with a first guess at the rank.', starts),
        fairsql.described(prefix ~ 'candidates', 'The ranks around the guess.', candidates),
        fairsql.described(prefix ~ 'shaped', 'The same rows: distance from the mean, and the scale on which the integrand falls.', shaped),
        fairsql.described(prefix ~ 'dense', 'The same rows, with the probability of just that rank.', dense),
        fairsql.described(prefix ~ 'spread', 'Each rank at each point of its integral.', spread),
        fairsql.described(prefix ~ 'grown', 'The same rows, with what the integrand is a power of.', grown),
        fairsql.described(prefix ~ 'powers', 'The same rows, with the logarithm of the integrand.', powers),
        fairsql.described(prefix ~ 'masses', 'One row for each rank: the probability of that rank or a lower one.', masses),
        fairsql.described(prefix ~ 'order_ranks', 'One row for each size: the ranks that bound the quantile.', order_ranks),
    ])) -}}
{% endmacro %}
