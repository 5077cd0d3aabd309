{# From statistics to one row a group with its value, and the metric over all evaluated rows.
   `test` is a checked configuration: see checked_test. #}


{# True when two numbers are equal but for rounding; null when one is. #}
{% macro near(first, second) %}
    {%- set gap = 'abs(' ~ first ~ ' - ' ~ second ~ ')' -%}
    {{- return('(' ~ gap ~ ' <= ' ~ fairsql.rounding(['abs(' ~ first ~ ')', 'abs(' ~ second ~ ')']) ~ ' or ' ~ gap ~ ' <= 1e-15)') -}}
{% endmacro %}


{# What rounding may make of numbers of these sizes; a product too small for a double is an error on some engines. #}
{% macro rounding(sizes) %}{{ return('1e-12 * greatest(' ~ sizes | join(', ') ~ ', ' ~ fairsql.extreme('1e-290') ~ ')') }}{% endmacro %}


{# The share of some counts in a sum of counts, null where there is nothing to divide by. #}
{% macro share(part, whole) %}
    {{- return(fairsql.double(part | join(' + ')) ~ ' / nullif(' ~ fairsql.double(whole | join(' + ')) ~ ', 0)') -}}
{% endmacro %}


{# The metric's value from statistics that are columns. #}
{% macro value(metric) %}
    {%- if metric.is_weighted and (metric.family != 'moments' or metric.formula) -%}
        {{- return(fairsql.weighted_value(metric)) -}}
    {%- elif metric.part -%}
        {{- return(fairsql.share(metric.part, metric.whole)) -}}
    {%- elif metric.formula -%}
        {{- return(fairsql.formula(metric.formula)) -}}
    {%- elif metric.family == 'moments' -%}
        {%- set mean = fairsql.exact_mean() -%}
        {{- return('sqrt(' ~ mean ~ ')' if metric.root else mean) -}}
    {%- elif metric.family == 'determination' -%}
        {{- return(
            'case when truth_minimum < truth_maximum and truth_m2 > 0 then 1e0 - ' ~ fairsql.double('evaluated') ~ ' * mean / truth_m2 end'
        ) -}}
    {%- elif metric.family == 'macro' -%}
        {{- return('average') -}}
    {%- elif metric.family == 'concordance' -%}
        {{- return('concordant / nullif(' ~ fairsql.double('positives') ~ ' * negatives, 0)') -}}
    {%- elif metric.is_binned -%}
        {{- return(fairsql.binned_value(metric)) -}}
    {%- endif -%}
    {{- return('quantile') -}}
{% endmacro %}


{# The mean of a sample; of a constant one it is the value, exactly. #}
{% macro exact_mean() %}{{ return('case when minimum = maximum then minimum else mean end') }}{% endmacro %}


{# A row a group, and one for the test as a whole (is_test = 1), there even when the relation has no rows: how large each
   group's part is, whether it suffices, its value. From here on each stage reads the one before it and nothing else, and
   what a row takes from others it finds by windows: however an engine reads a CTE, the statistics are computed once. #}
{% macro assessed(test) %}
    {%- set metric = test.metric -%}
    {%- set relation = 'parts' if fairsql.has_parts(test) else 'statistics' -%}
    {%- set rows = fairsql.double('evaluated') -%}
    {%- set whole_rows = fairsql.of_test(rows) -%}
    {#- Within a stratum, its rows are all there are. -#}
    {%- set panel_rows = 'sum(' ~ rows ~ ')' ~ fairsql.over_panel(test, ['is_test']) if test.strata else whole_rows -%}
    {%- set share = rows ~ ' / nullif(' ~ panel_rows ~ ', 0)' -%}
    {%- set values = [] -%}
    {%- set denominators = [] -%}
    {%- for part in test.parts -%}
        {%- do values.append(fairsql.value(part.metric)) -%}
        {%- do denominators.append(fairsql.denominator(part.metric)) -%}
    {%- endfor -%}
    {%- set usable = ['is_test = 0'] -%}
    {%- for name in fairsql.unusable_rows(metric) -%}{%- do usable.append('coalesce(' ~ fairsql.of_test(name) ~ ', 0) = 0') -%}{%- endfor -%}
    select
        sorts.is_test,
        {{ relation }}.*,
        {{ rows }} as n,
        {{ whole_rows }} as whole_evaluated,
        {%- for name in fairsql.unusable_rows(metric) %}
        {{ fairsql.of_test(name) }} as whole_{{ name }},
        {%- endfor %}
        {%- if fairsql.is_valued_as_a_whole(test) %}
        {{ fairsql.of_test(fairsql.value(metric)) }} as whole_value,
        {%- endif %}
        {%- for base in {'moments': ['mean'], 'determination': ['mean', 'truth_mean']}.get(metric.family, []) %}
        min({{ base }}){{ fairsql.over_groups() }} as {{ base }}_base,
        {%- endfor %}
        {%- for name, expression in fairsql.pooled_totals(test) if test.strata %}
        {{ expression }} as {{ name }},
        {%- endfor %}
        case when is_test = 0 then {{ share }} end as share,
        {{ fairsql.by_part(denominators) }} as denominator,
        case when is_test = 0 and evaluated >= {{ test.min_group_size }} and {{ share }} >= {{ test.min_group_share }} then 1 else 0 end as is_sufficient,
        case when {{ usable | join(' and ') }} then {{ fairsql.by_part(values) }} end as value
    from (
        {#- Counted and not written out: Spark 4 loses a column of a join with constants. #}
        select row_number() over (order by half asc) - 1 as is_test
        from (select 0 as half union all select 1 as half) as halves
    ) as sorts
    left join {{ relation }} on sorts.is_test = {{ relation }}.is_whole
    where sorts.is_test = 1 or {{ relation }}.is_whole is not null
{%- endmacro %}


{# What an expression is in the row of the test as a whole, beside every row. #}
{% macro of_test(expression) %}{{ return('max(case when is_test = 1 then ' ~ expression ~ ' end) over ()') }}{% endmacro %}


{# The counts of rows that leave no group a value. #}
{% macro unusable_rows(metric) %}
    {%- set names = [] -%}
    {%- do names.append('infinite_rows') if fairsql.has_numbers(metric) -%}
    {%- do names.append('out_of_range_rows') if metric.probability -%}
    {%- do names.append('bad_weight_rows') if metric.is_weighted -%}
    {{- return(names) -}}
{% endmacro %}


{# True where the metric over all evaluated rows is a statistic of the whole, and not merged from the groups'. #}
{% macro is_valued_as_a_whole(test) %}
    {{- return(test.comparison == 'overall' and test.metric.family in ['concordance', 'quantile', 'binned_concordance', 'binned_quantile']) -}}
{% endmacro %}


{# The count that a metric's value rests on. #}
{% macro denominator(metric) %}
    {%- if metric.part -%}
        {{- return(metric.whole | join(' + ')) -}}
    {%- elif metric.formula in ['f1', 'geometric_mean'] -%}
        {{- return('tp + fp + fn') -}}
    {%- elif metric.family in ['concordance', 'binned_concordance'] -%}
        {{- return(fairsql.double('positives') ~ ' * negatives') -}}
    {%- endif -%}
    {{- return('evaluated') -}}
{% endmacro %}


{# True when a metric reads a number, which may be infinite. #}
{% macro has_numbers(metric) %}
    {{- return(metric.has_numbers) -}}
{% endmacro %}


{# The metric over all evaluated rows, insufficient groups' rows included, beside every group. #}
{% macro overall_value(test, metric) %}
    {%- set all = fairsql.over_groups(test) -%}
    {%- if fairsql.is_valued_as_a_whole(test) -%}
        {{- return('whole_value') -}}
    {%- elif metric.is_weighted -%}
        {{- return(fairsql.weighted_overall_value(test, metric)) -}}
    {%- elif metric.part -%}
        {{- return(fairsql.share(fairsql.sums_over_groups(test, metric.part), fairsql.sums_over_groups(test, metric.whole))) -}}
    {%- elif metric.family == 'cells' -%}
        {{- return(fairsql.formula(metric.formula, fairsql.sums_over_groups(test, ['tp', 'fp', 'fn', 'tn']))) -}}
    {%- elif metric.family == 'moments' -%}
        {%- set mean = 'case when min(minimum)' ~ all ~ ' = max(maximum)' ~ all ~ ' then min(minimum)' ~ all ~ ' else ' ~ fairsql.merged_mean() ~ ' end' -%}
        {{- return('sqrt(' ~ mean ~ ')' if metric.root else mean) -}}
    {%- endif -%}
    {{- return(
        'case when min(truth_minimum)' ~ all ~ ' < max(truth_maximum)' ~ all ~ ' then 1e0 - sum(n)' ~ all ~ ' * (' ~ fairsql.merged_mean() ~ ') / nullif('
        ~ fairsql.merged_m2('truth_mean', 'truth_m2') ~ ', 0) end'
    ) -}}
{% endmacro %}


{# All groups, or all of a panel: the row of the test as a whole has a window of its own. #}
{% macro over_groups(test=none) %}
    {{- return(' over (partition by is_test)' if test is none else fairsql.over_panel(test, ['is_test'])) -}}
{% endmacro %}


{# Counts of all groups together. #}
{% macro sums_over_groups(test, names) %}
    {%- set sums = [] -%}
    {%- for name in names -%}{%- do sums.append('sum(' ~ name ~ ')' ~ fairsql.over_groups(test)) -%}{%- endfor -%}
    {{- return(sums) -}}
{% endmacro %}


{# Mean and sum of squares of the union of all groups, as offsets from the base that each row carries. #}
{% macro merged_mean() %}
    {%- set all = fairsql.over_groups() -%}
    {{- return('mean_base + sum(n * (mean - mean_base))' ~ all ~ ' / nullif(sum(n)' ~ all ~ ', 0)') -}}
{% endmacro %}

{% macro merged_m2(mean, m2) %}
    {%- set all = fairsql.over_groups() -%}
    {%- set offset = '(' ~ mean ~ ' - ' ~ mean ~ '_base)' -%}
    {%- set first = 'sum(n * ' ~ offset ~ ')' ~ all -%}
    {{- return(
        'sum(' ~ m2 ~ ')' ~ all ~ ' + sum(n * ' ~ offset ~ ' * ' ~ offset ~ ')' ~ all ~ ' - ' ~ first ~ ' * ' ~ first ~ ' / nullif(sum(n)' ~ all ~ ', 0)'
    ) -}}
{% endmacro %}
