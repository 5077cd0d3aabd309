{# Elementary functions that keep their digits near zero, in operations every warehouse has.
   Arguments are SQL expressions of doubles; each is written out several times, so pass columns. #}


{# ln(1 + x) for x >= 0: the series of artanh(x / (2 + x)) below 0.1. #}
{% macro fairsql_log1p(x) %}
    {%- set ratio = '(' ~ x ~ ' / (2e0 + ' ~ x ~ '))' -%}
    {%- set square = ratio ~ ' * ' ~ ratio -%}
    {{- return(
        'case when ' ~ x ~ ' < 1e-1 then 2e0 * ' ~ ratio ~ ' * ' ~ fairsql_odd_series(square, [3, 5, 7, 9, 11, 13])
        ~ ' else ln(1e0 + ' ~ x ~ ') end'
    ) -}}
{% endmacro %}


{# 1 - exp(-x) for x >= 0: the exponential series below 0.1. #}
{% macro fairsql_one_minus_exp(x) %}
    {%- set series = namespace(text='1e0') -%}
    {%- for order in [10, 9, 8, 7, 6, 5, 4, 3, 2] -%}
        {%- set series.text = '(1e0 - ' ~ x ~ ' / ' ~ order ~ 'e0 * ' ~ series.text ~ ')' -%}
    {%- endfor -%}
    {{- return('case when ' ~ x ~ ' < 1e-1 then ' ~ x ~ ' * ' ~ series.text ~ ' when ' ~ x ~ ' < 7e2 then 1e0 - exp(- ' ~ x ~ ') else 1e0 end') -}}
{% endmacro %}


{# 1 + v / 3 + v² / 5 + …, by Horner's rule. #}
{% macro fairsql_odd_series(v, odds) %}
    {%- set series = namespace(text='') -%}
    {%- for odd in odds | reverse -%}
        {%- set term = '1e0 / ' ~ odd ~ 'e0' -%}
        {%- set series.text = term if not series.text else '(' ~ term ~ ' + ' ~ v ~ ' * ' ~ series.text ~ ')' -%}
    {%- endfor -%}
    {{- return('(1e0 + ' ~ v ~ ' * ' ~ series.text ~ ')') -}}
{% endmacro %}


{# S(n) = ln n! - (n ln n - n): exact below 10, Stirling's series above (Loader 2000). #}
{% macro fairsql_stirling(n) %}
    {%- set exact = [
        '0e0', '1e0', '1.3068528194400546e0', '1.4959226032237255e0', '1.6328769391018556e0', '1.7403021806115441e0',
        '1.8286944060445893e0', '1.9037903624763184e0', '1.9690708851160487e0', '2.0268063384376127e0'
    ] -%}
    {%- set branches = [] -%}
    {%- for value in exact -%}{%- do branches.append('when ' ~ loop.index0 ~ ' then ' ~ value) -%}{%- endfor -%}
    {%- set inverse = '1e0 / (' ~ n ~ ' * ' ~ n ~ ')' -%}
    {{- return(
        'case when ' ~ n ~ ' < 1e1 then case ' ~ n ~ ' ' ~ branches | join(' ') ~ ' end else ln(6.283185307179586e0 * ' ~ n ~ ') / 2e0 + (1e0 / 12e0 - '
        ~ inverse ~ ' * (1e0 / 360e0 - ' ~ inverse ~ ' * (1e0 / 1260e0 - ' ~ inverse ~ ' * (1e0 / 1680e0 - ' ~ inverse ~ ' / 1188e0)))) / ' ~ n ~ ' end'
    ) -}}
{% endmacro %}


{# D(o, e) = o ln(o / e) + e - o, the deviance of an observed from an expected count (Loader 2000). #}
{% macro fairsql_deviance(observed, expected, difference) %}
    {%- set sum = '(' ~ observed ~ ' + ' ~ expected ~ ')' -%}
    {%- set ratio = '(' ~ difference ~ ' / ' ~ sum ~ ')' -%}
    {%- set v = ratio ~ ' * ' ~ ratio -%}
    {{- return(
        'case when ' ~ observed ~ ' < 1e-3 then ' ~ expected
        ~ ' when abs(' ~ difference ~ ') < 1e-1 * ' ~ sum ~ ' then ' ~ difference ~ ' * ' ~ ratio ~ ' + 2e0 * ' ~ observed ~ ' * ' ~ ratio
        ~ ' * (' ~ fairsql_odd_series(v, [3, 5, 7, 9, 11, 13, 15, 17]) ~ ' - 1e0)'
        ~ ' else ' ~ observed ~ ' * ln(' ~ observed ~ ' / ' ~ expected ~ ') - ' ~ difference ~ ' end'
    ) -}}
{% endmacro %}


{# Nodes and weights of the exp-sinh rule on (0, infinity): 81 points from two digits (Takahasi and Mori 1974).
   The integral of f is scale * sum(weight * f(scale * node)). #}
{% macro fairsql_exp_sinh_nodes() -%}
    select
        exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as node,
        9e-2 * 1.5707963267948966e0 * (exp(tau) + exp(- tau)) / 2e0 * exp(1.5707963267948966e0 * (exp(tau) - exp(- tau)) / 2e0) as weight
    from (
        select 9e-2 * (9 * high.digit + low.digit - 40) as tau
        from ({{ fairsql_digits() }}) as high
        cross join ({{ fairsql_digits() }}) as low
    ) as steps
{%- endmacro %}


{# The whole numbers 0 to 8. #}
{% macro fairsql_digits() %}
    {{- return('select 0 as digit union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8') -}}
{% endmacro %}
