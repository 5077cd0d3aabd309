{# Elementary functions that keep their digits near zero, in operations every warehouse has.
   Arguments are SQL expressions of doubles; each is written out several times, so pass columns. #}


{# ln(1 + x) for x >= 0: the series of artanh(x / (2 + x)) below 0.1. PostgreSQL's numbers may not underflow: x = 0 or
   x >= 1e-150, which has a square. #}
{% macro log1p(x) %}
    {%- set ratio = '(' ~ x ~ ' / (2e0 + ' ~ x ~ '))' -%}
    {%- set square = ratio ~ ' * ' ~ ratio -%}
    {{- return(
        'case when ' ~ x ~ ' < 1e-1 then 2e0 * ' ~ ratio ~ ' * ' ~ fairsql.odd_series(square, [1, 3, 5, 7, 9, 11, 13])
        ~ ' else ln(1e0 + ' ~ x ~ ') end'
    ) -}}
{% endmacro %}


{# 1 - exp(-x) for x >= 0: the exponential series below 0.1. #}
{% macro one_minus_exp(x) %}
    {%- set series = namespace(text='1e0') -%}
    {%- for order in [10, 9, 8, 7, 6, 5, 4, 3, 2] -%}
        {%- set series.text = '(1e0 - ' ~ x ~ ' / ' ~ order ~ 'e0 * ' ~ series.text ~ ')' -%}
    {%- endfor -%}
    {{- return('case when ' ~ x ~ ' < 1e-1 then ' ~ x ~ ' * ' ~ series.text ~ ' when ' ~ x ~ ' < 7e2 then 1e0 - exp(- ' ~ x ~ ') else 1e0 end') -}}
{% endmacro %}


{# A quotient of two numbers, worked out here: a warehouse may take both for decimals, and keep six places. #}
{% macro quotient(numerator, denominator) %}{{ return((numerator / denominator) ~ 'e0') }}{% endmacro %}


{# 1 / 1 + v / 3 + v² / 5 + …, or the same from another odd number on, by Horner's rule. #}
{% macro odd_series(v, odds) %}
    {%- set series = namespace(text='') -%}
    {%- for odd in odds | reverse -%}
        {%- set term = fairsql.quotient(1, odd) -%}
        {%- set series.text = term if not series.text else '(' ~ term ~ ' + ' ~ v ~ ' * ' ~ series.text ~ ')' -%}
    {%- endfor -%}
    {{- return(series.text) -}}
{% endmacro %}


{# S(n) = ln n! - (n ln n - n): exact below 10, Stirling's series above (Loader 2000). #}
{% macro stirling(n) %}
    {%- set exact = [
        '0e0', '1e0', '1.3068528194400546e0', '1.4959226032237255e0', '1.6328769391018556e0', '1.7403021806115441e0',
        '1.8286944060445893e0', '1.9037903624763184e0', '1.9690708851160487e0', '2.0268063384376127e0'
    ] -%}
    {%- set branches = [] -%}
    {%- for value in exact -%}{%- do branches.append('when ' ~ loop.index0 ~ ' then ' ~ value) -%}{%- endfor -%}
    {%- set inverse = '1e0 / (' ~ n ~ ' * ' ~ n ~ ')' -%}
    {{- return(
        'case when ' ~ n ~ ' < 1e1 then case ' ~ n ~ ' ' ~ branches | join(' ') ~ ' end else ln(6.283185307179586e0 * ' ~ n ~ ') / 2e0 + (' ~ fairsql.quotient(1, 12) ~ ' - '
        ~ inverse ~ ' * (' ~ fairsql.quotient(1, 360) ~ ' - ' ~ inverse ~ ' * (' ~ fairsql.quotient(1, 1260) ~ ' - ' ~ inverse ~ ' * (' ~ fairsql.quotient(1, 1680) ~ ' - ' ~ inverse ~ ' / 1188e0)))) / ' ~ n ~ ' end'
    ) -}}
{% endmacro %}


{# D(o, e) = o ln(o / e) + e - o, the deviance of an observed from an expected count (Loader 2000). #}
{% macro deviance(observed, expected, difference) %}
    {%- set ratio = '(' ~ difference ~ ' / (' ~ observed ~ ' + ' ~ expected ~ '))' -%}
    {{- return(
        'case when ' ~ observed ~ ' < 1e-3 then ' ~ expected
        ~ ' else ' ~ fairsql.positive_deviance(observed, expected, difference, ratio) ~ ' end'
    ) -}}
{% endmacro %}


{# The same for o > 0, given ratio = (o - e) / (o + e): ln(o / e) is 2 artanh(ratio). #}
{% macro positive_deviance(observed, expected, difference, ratio) %}
    {%- set v = ratio ~ ' * ' ~ ratio -%}
    {{- return(
        'case when abs(' ~ ratio ~ ') < 1e-1 then ' ~ difference ~ ' * ' ~ ratio ~ ' + 2e0 * ' ~ observed ~ ' * ' ~ ratio ~ ' * ' ~ v
        ~ ' * ' ~ fairsql.odd_series(v, [3, 5, 7, 9, 11, 13, 15, 17])
        ~ ' else ' ~ observed ~ ' * ln(' ~ observed ~ ' / ' ~ expected ~ ') - ' ~ difference ~ ' end'
    ) -}}
{% endmacro %}


{# What Stirling's formula leaves over, for the three shapes it takes here: x * sum(weight / (x² + pole)), as Binet's
   integrals of that kind sum it. Four poles each, from the rational functions of x² (multi-point Padé) that agree
   with the leftover at the points named and with its first terms at infinity. #}
{% macro pole_sum(x, terms) %}
    {%- set sum = [] -%}
    {%- for weight, pole in terms -%}
        {%- do sum.append(weight ~ ' / (' ~ x ~ ' * ' ~ x ~ ' + ' ~ pole ~ ')') -%}
    {%- endfor -%}
    {{- return(x ~ ' * (' ~ sum | join(' + ') ~ ')') -}}
{% endmacro %}


{# ln gamma(x) - ((x - 1/2) ln x - x + ln(2 pi) / 2) for whole x >= 2, to 1e-16; agrees at 2, 3, …, 7. #}
{% macro stirling_shortfall(x) %}
    {{- return(fairsql.pole_sum(x, [
        ['7.843570207466512e-2', '1.324023300539614e-2'],
        ['4.768538382218574e-3', '3.2575902873245716e-1'],
        ['1.2835263702382687e-4', '1.4231804579076142e0'],
        ['7.402394258120789e-7', '4.332935611575313e0'],
    ])) -}}
{% endmacro %}


{# (x ln x - x + ln(2 pi) / 2) - ln gamma(x + 1/2) for x = 1/2, 3/2, … and any x >= 20, to 2e-14; agrees at
   1/2, 3/2, …, 11/2. With n = x - 1/2 the logarithm is that of n!. #}
{% macro half_stirling_excess(x) %}
    {{- return(fairsql.pole_sum(x, [
        ['3.472717368984143e-2', '1.5703998396029886e-2'],
        ['6.545484522708009e-3', '2.2727535881984495e-1'],
        ['3.8958312890222997e-4', '9.844336058654476e-1'],
        ['4.425325215000769e-6', '3.1758135348391696e0'],
    ])) -}}
{% endmacro %}


{# ln gamma(x) + ln(x) / 2 - ln gamma(x + 1/2) for x >= 5/2, to 6e-15; agrees where 5 / (2 x) is the cosine of
   pi / 28, 3 pi / 28, …, 13 pi / 28. #}
{% macro gamma_ratio_excess(x) %}
    {{- return(fairsql.pole_sum(x, [
        ['1.1558296333771796e-1', '1.5921111193621135e-2'],
        ['9.136282257985255e-3', '3.256500341022297e-1'],
        ['2.78843315680564e-4', '1.3806103602441557e0'],
        ['1.911088616221685e-6', '4.143984630570968e0'],
    ])) -}}
{% endmacro %}


{# Nodes and weights of the exp-sinh rule on (0, infinity): 81 points from two digits (Takahasi and Mori 1974).
   The integral of f is scale * sum(weight * f(scale * node)). #}
{% macro exp_sinh_nodes() -%}
    select
        exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as node,
        9e-2 * 1.5707963267948966e0 * (exp(tau) + exp(- tau)) / 2e0 * exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as weight
    from (
        select {{ fairsql.double('9 * high.digit + low.digit - 40') }} * 9e-2 as tau
        from ({{ fairsql.digits() }}) as high
        cross join ({{ fairsql.digits() }}) as low
    ) as steps
{%- endmacro %}


{# The whole numbers 0 to 8. #}
{% macro digits() %}
    {{- return('select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8') -}}
{% endmacro %}


{# Stages of [name, body], each kept from being merged into the next where the warehouse would do that: a column
   that the next stage names ten times would be computed ten times, and from stage to stage ten times more. #}
{% macro fenced(ctes) %}
    {%- set fenced = [] -%}
    {%- for name, body in ctes -%}
        {%- do fenced.append([name, body ~ ('\n    ' ~ fairsql.fence() if fairsql.fence() else '')]) -%}
    {%- endfor -%}
    {{- return(fenced) -}}
{% endmacro %}
