{# The two-sided tail of the normal distribution at z >= 0, a column of doubles: erfc(z / sqrt 2) by the midpoint
   rule with step 1/2, twelve positive terms and the pole's correction (Chiarella and Reichel 1968).
   The factor exp(-z² / 2) is taken in two halves, so that neither underflows before their product does. #}
{% macro normal_two_sided(z) %}
    {%- set terms = [
        ['0.4228844540310463e0', '0.125e0'],
        ['0.25649238688566733e0', '1.125e0'],
        ['0.09435827595222866e0', '3.125e0'],
        ['0.021054177224550517e0', '6.125e0'],
        ['0.002849373037998385e0', '10.125e0'],
        ['0.00023389078190307172e0', '15.125e0'],
        ['1.1644736349221387e-05', '21.125e0'],
        ['3.5164056838924757e-07', '28.125e0'],
        ['6.440521669246694e-09', '36.125e0'],
        ['7.154773292813609e-11', '45.125e0'],
        ['4.82084832374503e-13', '55.125e0'],
        ['1.970170523864856e-15', '66.125e0'],
    ] -%}
    {%- set sum = [] -%}
    {%- for weight, pole in terms -%}
        {%- do sum.append(weight ~ ' / (' ~ z ~ ' * ' ~ z ~ ' + ' ~ pole ~ ')') -%}
    {%- endfor -%}
    {%- set half = 'exp(- ' ~ z ~ ' * ' ~ z ~ ' / 4e0)' -%}
    {{- return(
        half ~ ' * (' ~ z ~ ' * (' ~ sum | join(' + ') ~ ')) * ' ~ half
        ~ ' + case when ' ~ z ~ ' < 8e0 then 2e0 / (1e0 + exp(8.885765876316732e0 * ' ~ z ~ ')) else 0e0 end'
    ) -}}
{% endmacro %}
