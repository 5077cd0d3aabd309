{# From statistics to one row a group with its value, and the metric over all evaluated rows.
   `test` is a checked configuration: see checked_test. #}


{# True when two numbers are equal but for rounding; null when one is. #}
{% macro near(first, second) %}
    {%- set gap = 'abs(' ~ first ~ ' - ' ~ second ~ ')' -%}
    {{- return(
        '(' ~ gap ~ ' <= 1e-12 * abs(' ~ first ~ ') or ' ~ gap ~ ' <= 1e-12 * abs(' ~ second ~ ') or ' ~ gap ~ ' <= 1e-15)'
    ) -}}
{% endmacro %}


{# The share of one count in a sum of counts, null where there is nothing to divide by. #}
{% macro share(part, whole) %}
    {{- return(fairsql.double(part) ~ ' / nullif(' ~ fairsql.double(whole | join(' + ')) ~ ', 0)') -}}
{% endmacro %}


{# The metric's value from statistics that are columns; `prefix` goes before each. #}
{% macro value(metric, prefix='') %}
    {%- if metric.part -%}
        {%- set whole = [] -%}
        {%- for name in metric.whole -%}{%- do whole.append(prefix ~ name) -%}{%- endfor -%}
        {{- return(fairsql.share(prefix ~ metric.part, whole)) -}}
    {%- elif metric.family == 'moments' -%}
        {%- set mean = 'case when ' ~ prefix ~ 'minimum = ' ~ prefix ~ 'maximum then ' ~ prefix ~ 'minimum else ' ~ prefix ~ 'mean end' -%}
        {{- return('sqrt(' ~ mean ~ ')' if metric.root else mean) -}}
    {%- elif metric.family == 'determination' -%}
        {{- return(
            'case when ' ~ prefix ~ 'truth_minimum < ' ~ prefix ~ 'truth_maximum and ' ~ prefix ~ 'truth_m2 > 0 then 1e0 - '
            ~ fairsql.double(prefix ~ 'evaluated') ~ ' * ' ~ prefix ~ 'mean / ' ~ prefix ~ 'truth_m2 end'
        ) -}}
    {%- elif metric.family == 'concordance' -%}
        {{- return(
            prefix ~ 'concordant / nullif(' ~ fairsql.double(prefix ~ 'positives') ~ ' * ' ~ prefix ~ 'negatives, 0)'
        ) -}}
    {%- endif -%}
    {{- return(prefix ~ 'quantile') -}}
{% endmacro %}


{# The one row for the whole, there even when the relation has no rows. #}
{% macro whole() -%}
    select
        statistics.*,
        coalesce(statistics.rows_total, 0) as total_rows,
        coalesce(statistics.evaluated, 0) as total_evaluated
    from (select 1 as one) as always
    left join statistics on statistics.is_whole = 1
{%- endmacro %}


{# A row a group: how large its part is, whether it suffices, its value. #}
{% macro assessed(test) %}
    {%- set metric = test.metric -%}
    {%- set bases = {'moments': ['mean'], 'determination': ['mean', 'truth_mean']}.get(metric.family, []) -%}
    {%- set bad = ['coalesce(whole.infinite_rows, 0) > 0'] if fairsql.has_numbers(metric) else [] -%}
    {%- do bad.append('coalesce(whole.out_of_range_rows, 0) > 0') if metric.probability -%}
    {%- set value = fairsql.value(metric, 'statistics.') -%}
    select
        statistics.*,
        {{ fairsql.double('statistics.evaluated') }} as n,
        {{ fairsql.double('statistics.evaluated') }} / whole.evaluated as share,
        {{ fairsql.denominator(metric) }} as denominator,
        {%- for base in bases %}
        min(statistics.{{ base }}) over () as {{ base }}_base,
        {%- endfor %}
        case
            when statistics.evaluated >= {{ test.min_group_size }}
                and {{ fairsql.double('statistics.evaluated') }} / whole.evaluated >= {{ test.min_group_share }} then 1
            else 0
        end as is_sufficient,
        {{ 'case when ' ~ bad | join(' or ') ~ ' then null else ' ~ value ~ ' end' if bad else value }} as value
    from statistics
    cross join whole
    where statistics.is_whole = 0
{%- endmacro %}


{# The count that a metric's value rests on. #}
{% macro denominator(metric) %}
    {%- set names = [] -%}
    {%- if metric.part -%}
        {%- for name in metric.whole -%}{%- do names.append('statistics.' ~ name) -%}{%- endfor -%}
        {{- return(names | join(' + ')) -}}
    {%- elif metric.family == 'concordance' -%}
        {{- return(fairsql.double('statistics.positives') ~ ' * statistics.negatives') -}}
    {%- endif -%}
    {{- return('statistics.evaluated') -}}
{% endmacro %}


{# True when a metric reads a number, which may be infinite. #}
{% macro has_numbers(metric) %}
    {{- return(metric.family not in ['positives', 'cells']) -}}
{% endmacro %}


{# The metric over all evaluated rows, insufficient groups' rows included: one row. #}
{% macro overall(test) %}
    {%- set metric = test.metric -%}
    {%- if metric.family in ['positives', 'cells'] -%}
        {%- set sums = [] -%}
        {%- for name in metric.whole -%}{%- do sums.append('sum(' ~ name ~ ')') -%}{%- endfor -%}
        {%- set value = fairsql.share('sum(' ~ metric.part ~ ')', sums) -%}
    {%- elif metric.family == 'moments' -%}
        {%- set mean = 'case when min(minimum) = max(maximum) then min(minimum) else ' ~ fairsql.merged_mean('mean') ~ ' end' -%}
        {%- set value = 'sqrt(' ~ mean ~ ')' if metric.root else mean -%}
    {%- elif metric.family == 'determination' -%}
        {%- set value = 'case when min(truth_minimum) < max(truth_maximum) then 1e0 - sum(n) * (' ~ fairsql.merged_mean('mean') ~ ') / nullif('
            ~ fairsql.merged_m2('truth_mean', 'truth_m2') ~ ', 0) end' -%}
    {%- else -%}
        {%- set value = 'max(' ~ fairsql.value(metric, 'whole.') ~ ')' -%}
        {{- return('    select ' ~ value ~ ' as value\n    from whole' | trim) -}}
    {%- endif -%}
    select {{ value }} as value
    from assessed
{%- endmacro %}


{# Mean and sum of squares of a union, as offsets from the base that each row carries. #}
{% macro merged_mean(mean) %}
    {{- return('min(' ~ mean ~ '_base) + sum(n * (' ~ mean ~ ' - ' ~ mean ~ '_base)) / nullif(sum(n), 0)') -}}
{% endmacro %}

{% macro merged_m2(mean, m2) %}
    {%- set offset = '(' ~ mean ~ ' - ' ~ mean ~ '_base)' -%}
    {{- return(
        'sum(' ~ m2 ~ ') + sum(n * ' ~ offset ~ ' * ' ~ offset ~ ') - sum(n * ' ~ offset ~ ') * sum(n * ' ~ offset ~ ') / nullif(sum(n), 0)'
    ) -}}
{% endmacro %}
