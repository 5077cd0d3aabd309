{# Bins of values: whole numbers that never fall as the value rises, so that what lies in a lower bin is lower. Which bins
   there are is a guess from a sample of the values and matters to speed alone. #}


{# For each input, from a sample of its values (the same whenever it is asked for): the middle, the distance between the
   quartiles, and the ends; and how many bins there are on each side of the middle, fewer where there are many groups. #}
{% macro value_spans(inputs) %}
    {%- set selects = [] -%}
    {%- for input in inputs -%}
        {%- set value = 'input_' ~ input -%}
        {%- set select -%}
    select
        {{ input }} as input,
        low,
        high,
        centre,
        case when high - low > 1e-290 then greatest(third_quartile - first_quartile, (high - low) * 1e-6) else 1e0 end as spread,
        greatest(least(floor(131072e0 / (select max(groups_total) from by_group)), 1024e0), 64e0) as half
    from (
        select
            coalesce(min(value), 0e0) as low,
            coalesce(max(value), 0e0) as high,
            coalesce(max(case when 4 * place <= n + 3 then value end), 0e0) as first_quartile,
            coalesce(max(case when 2 * place <= n + 1 then value end), 0e0) as centre,
            coalesce(max(case when 4 * place <= 3 * n + 1 then value end), 0e0) as third_quartile
        from (
            select
                {{ value }} as value,
                row_number() over (order by {{ value }} asc) as place,
                count(*) over () as n
            from source
            where abs({{ value }}) <= {{ fairsql.extreme('1e300') }} and {{ fairsql.is_sampled(value) }}
        ) as sampled
    ) as measured_sample
        {%- endset -%}
        {%- do selects.append(select | trim) -%}
    {%- endfor -%}
    {{- return(selects | join('\n    union all\n    ')) -}}
{% endmacro %}


{# What the rows of `value_spans` are. #}
{% macro value_span_rows() %}
    {{- return('One row for each column of values: ends, middle and spread of a sample, and how many bins lie on each side of the middle.') -}}
{% endmacro %}


{# The bin of a value: near the middle bins are as wide as spread / half, and ever wider with the distance from it, so that
   a long tail takes few. Subtraction, division and rounding never turn the order of two numbers round. #}
{% macro value_bin(value) %}
    {%- set share = 'floor(value_spans.half * (value_spans.spread / (value_spans.spread + (' -%}
    {{- return(fairsql.smallint(
        'case\n            when ' ~ value ~ ' >= value_spans.centre then 2e0 * value_spans.half + 1e0 - ' ~ share ~ 'least(' ~ value ~ ', value_spans.high) - value_spans.centre))))'
        ~ '\n            else ' ~ share ~ 'value_spans.centre - greatest(' ~ value ~ ', value_spans.low)))))\n        end'
    )) -}}
{% endmacro %}
