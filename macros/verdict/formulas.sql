{# Values that are no share, mean or quantile, from statistics that are columns: those of fairsql/formulas.py. #}


{# A formula by its name. `cells` are the expressions of tp, fp, fn and tn. #}
{% macro formula(name, cells=['tp', 'fp', 'fn', 'tn']) %}
    {%- set tp, fp, fn, tn = cells -%}
    {%- if name == 'f1' -%}
        {{- return(fairsql.share([tp, tp], [tp, tp, fp, fn])) -}}
    {%- elif name == 'balanced_accuracy' -%}
        {{- return('(' ~ fairsql.share([tp], [tp, fn]) ~ ' + ' ~ fairsql.share([tn], [tn, fp]) ~ ') / 2e0') -}}
    {%- elif name == 'geometric_mean' -%}
        {{- return('sqrt(' ~ fairsql.share([tp], [tp, fp]) ~ ' * (' ~ fairsql.share([tp], [tp, fn]) ~ '))') -}}
    {%- elif name == 'total' -%}
        {{- return(fairsql.double('evaluated') ~ ' * ' ~ fairsql.exact_mean()) -}}
    {%- elif name == 'variance' -%}
        {{- return(fairsql.sample_variance()) -}}
    {%- elif name == 'standard_deviation' -%}
        {{- return('sqrt(' ~ fairsql.sample_variance() ~ ')') -}}
    {%- elif name == 'row_count' -%}
        {{- return(fairsql.double('evaluated')) -}}
    {%- endif -%}
    {{- return({'minimum': 'minimum', 'maximum': 'maximum', 'distinct_count': fairsql.double('distinct_values')}[name]) -}}
{% endmacro %}


{# The sample variance (n - 1), null for fewer than two rows; of a constant sample 0. #}
{% macro sample_variance() %}
    {{- return('case when evaluated < 2 then null when minimum = maximum or m2 < 0 then 0e0 else m2 / nullif(' ~ fairsql.double('evaluated') ~ ' - 1e0, 0) end') -}}
{% endmacro %}


{# The gap of the means of a group and the reference in pooled standard deviations; null where those are 0, or a sample has
   fewer than two rows. #}
{% macro standardized_difference() %}
    {%- set squares -%}
        (case when minimum = maximum or m2 < 0 then 0e0 else m2 end + case when second_minimum = second_maximum or second_m2 < 0 then 0e0 else second_m2 end)
    {%- endset -%}
    {{- return(
        'case when n >= 2 and second_n >= 2 then abs(value - comparison_value) / nullif(sqrt(' ~ squares ~ ' / nullif(n + second_n - 2e0, 0)), 0) end'
    ) -}}
{% endmacro %}
