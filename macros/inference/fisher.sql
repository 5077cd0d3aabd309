{# Two-sided p-values of Fisher's exact test by the rule of R's fisher.test: the probabilities of all tables with the
   same margins that are at most (1 + 1e-7) times as probable as the observed one.

   `tables` holds cut, group_number and the counts a, b, c, d of [[a, b], [c, d]]; the last stage is fisher_p_values,
   the same rows with p_value: null where a count is, 1 where a margin is 0. Counts to 1e9 keep 1e-9 (measured:
   2e-12); a p-value below 1e-304 is 0.

   Tables with the same margins differ by a shift: a + shift, b - shift, c - shift, d + shift. Every count carries 1/2
   from the start, since Stirling's formula then needs no exception at 0:
       ln n! = x ln x - x + ln(2 pi) / 2 - excess(x),  x = n + 1/2,
   so that a table's log probability is a constant of the margins, less four deviances D(x, expected) (Loader 2000),
   plus four excesses. It peaks at shift = - surplus, where all counts are as expected, and columns are exchanged where
   that makes the surplus positive. As extreme as the observed table are those from it on, and those from its mirror
   on: the shift beyond the peak where the deviance is the same. #}
{% macro fisher_ctes(tables) %}
    {{- return(fairsql.fenced([
        ['fisher_counts', fairsql.fisher_counts(tables)],
        ['fisher_cells', fairsql.fisher_cells()],
        ['fisher_expectations', fairsql.fisher_expectations()],
        ['fisher_guesses', fairsql.fisher_guesses()],
        ['fisher_mirrors', fairsql.fisher_mirrors()],
        ['fisher_tails', fairsql.fisher_tails()],
        ['fisher_scales', fairsql.fisher_scales()],
        ['fisher_nodes', fairsql.fisher_nodes()],
        ['fisher_points', fairsql.fisher_points()],
        ['fisher_densities', fairsql.fisher_densities()],
        ['fisher_comparisons', fairsql.fisher_comparisons()],
        ['fisher_sums', fairsql.fisher_sums()],
        ['fisher_p_values', fairsql.fisher_p_values()],
    ])) -}}
{% endmacro %}


{# A table with an empty margin is the only one with its margins; [[1, 1], [1, 1]], whose p-value is 1 too, stands in. #}
{% macro fisher_counts(tables) -%}
    select
        *,
        case when a + b + c + d is null then 0 else 1 end as is_known
        {%- for cell in ['a', 'b', 'c', 'd'] %},
        case when a + b > 0 and c + d > 0 and a + c > 0 and b + d > 0 then {{ fairsql.double(cell) }} + 5e-1 else 1.5e0 end as half_{{ cell }}
        {%- endfor %}
    from {{ tables }}
{%- endmacro %}


{# The columns are swapped where that makes the first cell larger than expected. Beside the cells their margins, and by
   how much the first exceeds what these lead one to expect. #}
{% macro fisher_cells() -%}
    {%- set is_swapped = 'half_a * half_d < half_b * half_c' -%}
    select
        *,
        {%- for cell, other in [['a', 'b'], ['b', 'a'], ['c', 'd'], ['d', 'c']] %}
        case when {{ is_swapped }} then half_{{ other }} else half_{{ cell }} end as cell_{{ cell }},
        {%- endfor %}
        half_a + half_b as row_1,
        half_c + half_d as row_2,
        case when {{ is_swapped }} then half_b + half_d else half_a + half_c end as column_1,
        case when {{ is_swapped }} then half_a + half_c else half_b + half_d end as column_2,
        half_a + half_b + half_c + half_d as total,
        abs(half_a * half_d - half_b * half_c) / (half_a + half_b + half_c + half_d) as surplus
    from fisher_counts
{%- endmacro %}


{# The constant: ln gamma(row_1) + … - ln gamma(total - 1), less what the deviances have already. #}
{% macro fisher_expectations() -%}
    select
        *,
        row_1 * (column_1 / total) as expected_a,
        row_1 * (column_2 / total) as expected_b,
        row_2 * (column_1 / total) as expected_c,
        row_2 * (column_2 / total) as expected_d,
        ln(total - 1e0)
        + ln(total / row_1 / row_2 / column_1 / column_2 / 6.283185307179586e0) / 2e0
        {%- for margin in ['row_1', 'row_2', 'column_1', 'column_2'] %}
        + {{ fairsql.stirling_shortfall(margin) }}
        {%- endfor %}
        - {{ fairsql.stirling_shortfall('total') }} as log_constant
    from fisher_cells
{%- endmacro %}


{# The mirror, as a distance from the observed table, were the deviance a cubic; clear of the peak and of the last
   table. The deviance is computed plainly, since here it only has to be near. #}
{% macro fisher_guesses() -%}
    select
        *,
        least(
            surplus + greatest(surplus * greatest(1e0 + skew * surplus, 1e-3) / greatest(1e0 - skew * surplus, 1e-3), 5e-2),
            least(cell_a, cell_d) - 1e-2
        ) as guess
    from (
        select
            *,
            cell_a * ln(cell_a / expected_a) + cell_b * ln(cell_b / expected_b) + cell_c * ln(cell_c / expected_c) + cell_d * ln(cell_d / expected_d) as deviance,
            (
                1e0 / (expected_b * expected_b) + 1e0 / (expected_c * expected_c)
                - 1e0 / (expected_a * expected_a) - 1e0 / (expected_d * expected_d)
            ) / (1e0 / expected_a + 1e0 / expected_b + 1e0 / expected_c + 1e0 / expected_d) / 6e0 as skew
        from fisher_expectations
    ) as skewed
{%- endmacro %}


{# One step of Newton's on the root of the deviance, which is nearly linear in the shift, comes within 15 tables. Near
   the peak the guess is exact enough, and the deviance too small to tell. #}
{% macro fisher_mirrors() -%}
    select
        *,
        case
            when deviance < 1e-3 or guess < surplus + 4e-2 then guess
            else least(
                greatest(
                    guess - 2e0 * sqrt(guess_deviance) * (sqrt(guess_deviance) - sqrt(deviance))
                    / ln((cell_b + guess) / (cell_a - guess) * (cell_c + guess) / (cell_d - guess)),
                    surplus + 5e-2
                ),
                least(cell_a, cell_d) - 1e-2
            )
        end as mirror
    from (
        select
            *,
            greatest(
                (cell_a - guess) * ln((cell_a - guess) / expected_a) + (cell_b + guess) * ln((cell_b + guess) / expected_b)
                + (cell_c + guess) * ln((cell_c + guess) / expected_c) + (cell_d - guess) * ln((cell_d - guess) / expected_d),
                0e0
            ) as guess_deviance
        from fisher_guesses
    ) as guessed
{%- endmacro %}


{# Two sums, from 40 tables before the observed one and before its mirror, but never across the peak: tables within
   1e-7 of the observed probability lie nearer to the peak, 7 of them with counts of 1e9. `room` is how many follow, and
   after 96 of them, which are summed one by one, is the joint: see fisher_scales. #}
{% macro fisher_tails() -%}
    {%- set room_up = 'least(cell_b, cell_c) - 5e-1 - first_shift' -%}
    {%- set room_down = 'least(cell_a, cell_d) - 5e-1 + first_shift' -%}
    select
        *,
        case when direction = 1 then {{ room_up }} else {{ room_down }} end as room,
        case
            when direction = 1 then first_shift + least({{ room_up }}, 955e-1)
            else first_shift - least({{ room_down }}, 955e-1)
        end as joint
    from (
        select
            fisher_mirrors.*,
            direction,
            case
                when direction = 1 then greatest(floor(5e-1 - surplus), -40e0)
                else least(40e0 - floor(mirror), floor(5e-1 - surplus) - 1e0)
            end as first_shift
        from fisher_mirrors
        cross join (select 1 as direction union all select -1 as direction) as directions
    ) as started
{%- endmacro %}


{# What follows the joint, if anything that counts does, is smooth enough to be integrated; the unit of length is where it
   has fallen by e⁻³, after its slope and curvature. #}
{% macro fisher_scales() -%}
    select
        *,
        6e0 / (slope + sqrt(slope * slope + 6e0 * curvature)) as scale
    from (
        select
            *,
            abs(ln((cell_a + joint) / (cell_b - joint) * (cell_d + joint) / (cell_c - joint))) as slope,
            1e0 / (cell_a + joint) + 1e0 / (cell_b - joint) + 1e0 / (cell_c - joint) + 1e0 / (cell_d + joint) as curvature
        from fisher_tails
    ) as sloping
{%- endmacro %}


{# Places outward from the start and what counts there: the tables, and the integral from half a table after the 96th,
   with Euler's and Maclaurin's correction f' / 24 - 7 f⁽³⁾ / 5760 + 31 f⁽⁵⁾ / 967680 as differences of six tables. #}
{% macro fisher_nodes() -%}
    select
        place,
        0e0 as node,
        case
            when place < 93e0 then 1e0
            when place = 93e0 then 9.996207423941799e-1
            when place = 94e0 then 1.0048476769179895e0
            when place = 95e0 then 9.456865906084656e-1
            when place = 96e0 then 5.431340939153439e-2
            when place = 97e0 then -4.847676917989418e-3
            else 3.792576058201058e-4
        end as weight
    from (
        select {{ fairsql.double('81 * high.digit + 9 * middle.digit + low.digit') }} as place
        from ({{ fairsql.digits() }}) as high
        cross join ({{ fairsql.digits() }}) as middle
        cross join ({{ fairsql.digits() }}) as low
    ) as places
    where place < 99e0
    union all
    select 955e-1 as place, node, weight
    from (
    {{ fairsql.exp_sinh_nodes() }}
    ) as integral
{%- endmacro %}


{# The counts of the shifted tables, each beside what is expected of it as the ratio that the deviance reads. #}
{% macro fisher_points() -%}
    select
        *,
        surplus + shift as excess
        {%- for cell, sign in [['a', '+'], ['b', '-'], ['c', '-'], ['d', '+']] %},
        cell_{{ cell }} {{ sign }} shift as shifted_{{ cell }},
        {{ '- ' if sign == '-' }}(surplus + shift) / (cell_{{ cell }} {{ sign }} shift + expected_{{ cell }}) as ratio_{{ cell }}
        {%- endfor %}
    from (
        select
            fisher_scales.*,
            first_shift + direction * (place + scale * node) as shift,
            case when node = 0e0 then weight else weight * scale end as weight
        from fisher_scales
        cross join fisher_nodes
        where place + scale * node <= room
    ) as placed
{%- endmacro %}


{# The logarithm of each table's probability, but for the constant of the margins. #}
{% macro fisher_densities() -%}
    select
        *,
        {%- for cell, excess in [['a', 'excess'], ['b', '(- excess)'], ['c', '(- excess)'], ['d', 'excess']] %}
        {{ fairsql.half_stirling_excess('shifted_' ~ cell) }}
        - ({{ fairsql.positive_deviance('shifted_' ~ cell, 'expected_' ~ cell, excess, 'ratio_' ~ cell) }}){{ ' +' if not loop.last }}
        {%- endfor %} as log_density
    from fisher_points
{%- endmacro %}


{# The table with shift 0 is the observed one. #}
{% macro fisher_comparisons() -%}
    select
        *,
        max(case when shift = 0e0 then log_density end) over (partition by cut, group_number) as log_observed
    from fisher_densities
{%- endmacro %}


{# What counts, summed over the places of both tails. ln(1 + 1e-7) is 9.9999995e-8. #}
{% macro fisher_sums() -%}
    {%- set is_as_extreme = 'log_density - log_observed <= 9.999999500000033e-8' -%}
    select
        *,
        min(case when {{ is_as_extreme }} then 1 else 0 end) over (partition by cut, group_number) as are_all_as_extreme,
        sum(
            case when {{ is_as_extreme }} and log_density > log_observed - 2e2 then weight * exp(log_density - log_observed) else 0e0 end
        ) over (partition by cut, group_number) as relative_sum
    from fisher_comparisons
{%- endmacro %}


{# Of each table the observed row stays, so that the rows are those of the beginning. Where no other is more probable, the
   sum is that of all. #}
{% macro fisher_p_values() -%}
    {%- set log_p_value = 'log_constant + log_observed + ln(relative_sum)' -%}
    select
        *,
        case
            when is_known = 0 then null
            when are_all_as_extreme = 1 then 1e0
            when {{ log_p_value }} < -7e2 then 0e0
            else exp({{ log_p_value }})
        end as p_value
    from fisher_sums
    where shift = 0e0
{%- endmacro %}
