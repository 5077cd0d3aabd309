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


{# The metric's value from statistics that are columns. #}
{% macro value(metric) %}
    {%- if metric.part -%}
        {{- return(fairsql.share(metric.part, metric.whole)) -}}
    {%- elif metric.family == 'moments' -%}
        {%- set mean = 'case when minimum = maximum then minimum else mean end' -%}
        {{- return('sqrt(' ~ mean ~ ')' if metric.root else mean) -}}
    {%- elif metric.family == 'determination' -%}
        {{- return(
            'case when truth_minimum < truth_maximum and truth_m2 > 0 then 1e0 - ' ~ fairsql.double('evaluated') ~ ' * mean / truth_m2 end'
        ) -}}
    {%- elif metric.family == 'concordance' -%}
        {{- return('concordant / nullif(' ~ fairsql.double('positives') ~ ' * negatives, 0)') -}}
    {%- endif -%}
    {{- return('quantile') -}}
{% endmacro %}


{# The one row for the whole, there even when the relation has no rows. #}
{% macro whole() -%}
    select
        statistics.*,
        coalesce(statistics.rows_total, 0) as total_rows,
        coalesce(statistics.evaluated, 0) as total_evaluated
    from (select 1 as one) as always
    left join statistics on always.one = statistics.is_whole
{%- endmacro %}


{# A row a group: how large its part is, whether it suffices, its value. What it takes from the whole it finds by windows,
   so that the statistics are read once. #}
{% macro assessed(test) %}
    {%- set metric = test.metric -%}
    {%- set bases = {'moments': ['mean'], 'determination': ['mean', 'truth_mean']}.get(metric.family, []) -%}
    {%- set of_whole = {'evaluated': fairsql.double('evaluated')} -%}
    {%- do of_whole.update({'infinite_rows': 'infinite_rows'}) if fairsql.has_numbers(metric) -%}
    {%- do of_whole.update({'out_of_range_rows': 'out_of_range_rows'}) if metric.probability -%}
    {%- do of_whole.update({'value': fairsql.value(metric)}) if fairsql.is_valued_as_a_whole(test) -%}
    {%- set bad = [] -%}
    {%- for name in ['infinite_rows', 'out_of_range_rows'] if name in of_whole -%}{%- do bad.append('coalesce(whole_' ~ name ~ ', 0) > 0') -%}{%- endfor -%}
    {%- set value = fairsql.value(metric) -%}
    select
        *,
        n / whole_evaluated as share,
        {{ fairsql.denominator(metric) }} as denominator,
        {%- for base in bases %}
        min({{ base }}) over () as {{ base }}_base,
        {%- endfor %}
        case when evaluated >= {{ test.min_group_size }} and n / whole_evaluated >= {{ test.min_group_share }} then 1 else 0 end as is_sufficient,
        {{ 'case when ' ~ bad | join(' or ') ~ ' then null else ' ~ value ~ ' end' if bad else value }} as value
    from (
        select
            *,
            {%- for name, expression in of_whole.items() %}
            max(case when is_whole = 1 then {{ expression }} end) over () as whole_{{ name }},
            {%- endfor %}
            {{ fairsql.double('evaluated') }} as n
        from statistics
    ) as beside_whole
    where is_whole = 0
{%- endmacro %}


{# True where the metric over all evaluated rows is a statistic of the whole, and not merged from the groups'. #}
{% macro is_valued_as_a_whole(test) %}
    {{- return(test.comparison == 'overall' and test.metric.family in ['concordance', 'quantile']) -}}
{% endmacro %}


{# The count that a metric's value rests on. #}
{% macro denominator(metric) %}
    {%- set names = [] -%}
    {%- if metric.part -%}
        {%- do names.extend(metric.whole) -%}
        {{- return(names | join(' + ')) -}}
    {%- elif metric.family == 'concordance' -%}
        {{- return(fairsql.double('positives') ~ ' * negatives') -}}
    {%- endif -%}
    {{- return('evaluated') -}}
{% endmacro %}


{# True when a metric reads a number, which may be infinite. #}
{% macro has_numbers(metric) %}
    {{- return(metric.family not in ['positives', 'cells']) -}}
{% endmacro %}


{# The metric over all evaluated rows, insufficient groups' rows included, beside every group. #}
{% macro overall_value(test) %}
    {%- set metric = test.metric -%}
    {%- if fairsql.is_valued_as_a_whole(test) -%}
        {{- return('whole_value') -}}
    {%- elif metric.family in ['positives', 'cells'] -%}
        {%- set sums = [] -%}
        {%- for name in metric.whole -%}{%- do sums.append('sum(' ~ name ~ ') over ()') -%}{%- endfor -%}
        {{- return(fairsql.share('sum(' ~ metric.part ~ ') over ()', sums)) -}}
    {%- elif metric.family == 'moments' -%}
        {%- set mean = 'case when min(minimum) over () = max(maximum) over () then min(minimum) over () else ' ~ fairsql.merged_mean('mean', ' over ()') ~ ' end' -%}
        {{- return('sqrt(' ~ mean ~ ')' if metric.root else mean) -}}
    {%- endif -%}
    {{- return(
        'case when min(truth_minimum) over () < max(truth_maximum) over () then 1e0 - sum(n) over () * (' ~ fairsql.merged_mean('mean', ' over ()') ~ ') / nullif('
        ~ fairsql.merged_m2('truth_mean', 'truth_m2', ' over ()') ~ ', 0) end'
    ) -}}
{% endmacro %}


{# Mean and sum of squares of a union, as offsets from the base that each row carries; `over` makes windows of the sums. #}
{% macro merged_mean(mean, over='') %}
    {{- return(
        'min(' ~ mean ~ '_base)' ~ over ~ ' + sum(n * (' ~ mean ~ ' - ' ~ mean ~ '_base))' ~ over ~ ' / nullif(sum(n)' ~ over ~ ', 0)'
    ) -}}
{% endmacro %}

{% macro merged_m2(mean, m2, over='') %}
    {%- set offset = '(' ~ mean ~ ' - ' ~ mean ~ '_base)' -%}
    {%- set first = 'sum(n * ' ~ offset ~ ')' ~ over -%}
    {{- return(
        'sum(' ~ m2 ~ ')' ~ over ~ ' + sum(n * ' ~ offset ~ ' * ' ~ offset ~ ')' ~ over ~ ' - ' ~ first ~ ' * ' ~ first ~ ' / nullif(sum(n)' ~ over ~ ', 0)'
    ) -}}
{% endmacro %}
