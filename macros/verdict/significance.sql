{# The two samples behind each p-value, and the chain of CTEs that computes it for the metric's family. #}


{# Pairs of CTE name and body that end in `adjusted_p_values`: every row of `compared`, with p_value and p_value_adjusted. #}
{% macro significance_ctes(test) %}
    {%- set metric = test.metric -%}
    {%- if not fairsql.is_significance_tested(test) -%}
        {{- return([['adjusted_p_values', 'select *, ' ~ fairsql.double('null') ~ ' as p_value, ' ~ fairsql.double('null') ~ ' as p_value_adjusted\n    from compared']]) -}}
    {%- endif -%}
    {%- set ctes = [] -%}
    {%- if metric.is_weighted -%}
        {%- do ctes.extend(fairsql.weighted_significance_ctes(test)) -%}
    {%- elif metric.family == 'quantile' -%}
        {%- do ctes.append(['samples', fairsql.pooled_samples(test)]) -%}
        {%- do ctes.extend(fairsql.fisher_ctes('samples')) -%}
    {%- elif metric.is_binned -%}
        {%- do ctes.extend(fairsql.binned_significance_ctes(test)) -%}
    {%- elif metric.family == 'concordance' -%}
        {%- do ctes.append(['samples', fairsql.concordance_samples()]) -%}
        {%- do ctes.extend(fairsql.hanley_mcneil_ctes('samples')) -%}
    {%- elif metric.family == 'moments' -%}
        {%- do ctes.append(['others', fairsql.others()]) if test.comparison == 'overall' -%}
        {%- do ctes.append(['samples', fairsql.moment_samples('others' if test.comparison == 'overall' else 'compared')]) -%}
        {%- do ctes.extend(fairsql.welch_ctes('samples')) -%}
    {%- else -%}
        {%- do ctes.append(['samples', fairsql.proportion_samples(test)]) -%}
        {%- do ctes.extend(fairsql.fisher_ctes('samples')) -%}
    {%- endif -%}
    {%- do ctes.extend(fairsql.adjustment_ctes((ctes | last)[0], test.p_value_adjustment, fairsql.panel(test))) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# True where groups have p-values. #}
{% macro is_significance_tested(test) %}
    {%- set tested = [] -%}
    {%- for part in test.parts if part.metric.has_p_value -%}{%- do tested.append(part.name) -%}{%- endfor -%}
    {{- return(test.significance_test != 'none' and tested | length > 0) -}}
{% endmacro %}


{# Of each statistic that the p-value reads, what it is in the sample that a group is compared with. Of moments, the other
   groups' are merged in stages of their own: see others. #}
{% macro second_statistics(test) %}
    {%- set names = {
        'positives': ['evaluated', 'positives'],
        'scoring': ['evaluated', 'positives'],
        'cells': ['tp', 'fp', 'fn', 'tn'],
        'concordance': ['positives', 'negatives', 'value'],
        'binned_concordance': ['positives', 'negatives', 'binned_concordant', 'same_bin_pairs'],
        'moments': ['n', 'mean', 'm2', 'minimum', 'maximum'] if test.comparison == 'reference' else [],
    }.get(test.metric.family, []) -%}
    {%- if test.metric.is_weighted -%}
        {%- set names = [] if test.metric.family == 'moments' and test.comparison == 'overall' else fairsql.weighted_sample_statistics(test) -%}
    {%- endif -%}
    {%- set expressions = {} -%}
    {%- for name in names if fairsql.is_significance_tested(test) or test.metric.standardized -%}
        {%- do expressions.update({
            name: 'max(case when is_reference = 1 then ' ~ name ~ ' end)' ~ fairsql.over_panel(test) if test.comparison == 'reference'
            else fairsql.sum_of_others(test, name) if test.metric.is_weighted
            else 'sum(' ~ name ~ ')' ~ fairsql.over_groups(test) ~ ' - ' ~ name
        }) -%}
    {%- endfor -%}
    {{- return(expressions) -}}
{% endmacro %}


{# Every group with the moments of all other groups, as offsets from the least of the others' means: subtracting a group
   from the whole would cost digits. That mean is the second one for the first group, else the first. #}
{% macro others() -%}
    {%- set other = {} -%}
    {%- for name, expression in [['offsets', 'n * (mean - mean_base)'], ['squares', 'n * (mean - mean_base) * (mean - mean_base)'], ['m2s', 'm2']] -%}
        {%- do other.update({name: 'coalesce(sum(' ~ expression ~ ')' ~ fairsql.over_places('before') ~ ', 0e0) + coalesce(sum(' ~ expression ~ ')' ~ fairsql.over_places('after') ~ ', 0e0)'}) -%}
    {%- endfor -%}
    select
        *,
        second_base + second_offsets / nullif(second_n, 0) as second_mean,
        second_m2s + second_squares - second_offsets * second_offsets / nullif(second_n, 0) as second_m2
    from (
        select
            *,
            sum(n){{ fairsql.over_groups() }} - n as second_n,
            case when mean_place = 1 then next_mean else mean_base end as second_base,
            case
                when mean_place = 1 then sum(case when mean_place > 1 then n * (mean - next_mean) end){{ fairsql.over_groups() }}
                else {{ other.offsets }}
            end as second_offsets,
            case
                when mean_place = 1 then sum(case when mean_place > 1 then n * (mean - next_mean) * (mean - next_mean) end){{ fairsql.over_groups() }}
                else {{ other.squares }}
            end as second_squares,
            {{ other.m2s }} as second_m2s,
            least(
                coalesce(min(minimum){{ fairsql.over_places('before') }}, min(minimum){{ fairsql.over_places('after') }}),
                coalesce(min(minimum){{ fairsql.over_places('after') }}, min(minimum){{ fairsql.over_places('before') }})
            ) as second_minimum,
            greatest(
                coalesce(max(maximum){{ fairsql.over_places('before') }}, max(maximum){{ fairsql.over_places('after') }}),
                coalesce(max(maximum){{ fairsql.over_places('after') }}, max(maximum){{ fairsql.over_places('before') }})
            ) as second_maximum
        from (
            select *, min(case when mean_place > 1 then mean end){{ fairsql.over_groups() }} as next_mean
            from (
                select *, row_number() over (partition by is_test order by mean asc, group_number asc) as mean_place
                from compared
            ) as placed
        ) as based
    ) as summed
{%- endmacro %}


{# The groups before a group, or after it, in the order of their means. #}
{% macro over_places(side) %}
    {{- return(' over (partition by is_test order by mean_place asc rows between ' ~ {
        'before': 'unbounded preceding and 1 preceding',
        'after': '1 following and unbounded following',
    }[side] ~ ')') -}}
{% endmacro %}


{# Successes and failures of both samples; null where a group is not compared, or the metric is no proportion, here and
   below. #}
{% macro proportion_samples(test) %}
    {%- set counts = {'a': [], 'b': [], 'c': [], 'd': []} -%}
    {%- for part in test.parts -%}
        {%- set metric = part.metric -%}
        {%- set first = metric.part | join(' + ') -%}
        {%- set second = 'second_' ~ metric.part | join(' + second_') -%}
        {%- set is_sum = metric.part | length > 1 -%}
        {%- do counts.a.append(first if metric.has_p_value else none) -%}
        {%- do counts.b.append(metric.whole | join(' + ') ~ ' - ' ~ ('(' ~ first ~ ')' if is_sum else first) if metric.has_p_value else none) -%}
        {%- do counts.c.append(second if metric.has_p_value else none) -%}
        {%- do counts.d.append(
            'second_' ~ metric.whole | join(' + second_') ~ ' - ' ~ ('(' ~ second ~ ')' if is_sum else second) if metric.has_p_value else none
        ) -%}
    {%- endfor -%}
    select
        *
        {%- for cell, expressions in counts.items() %},
        case when is_compared = 1 then {{ fairsql.by_part(expressions) }} end as {{ cell }}
        {%- endfor %}
    from compared
{%- endmacro %}


{# Sizes, means and sample variances; a constant sample has its value as mean, and variance 0. #}
{% macro moment_samples(relation) -%}
    select
        *,
        case when is_compared = 1 then n end as n_1,
        case when is_compared = 0 then null when minimum = maximum then minimum else mean end as mean_1,
        case when minimum = maximum then 0e0 when m2 < 0 then 0e0 else m2 / nullif(n - 1e0, 0) end as variance_1,
        second_n as n_2,
        case when second_minimum = second_maximum then second_minimum else second_mean end as mean_2,
        case when second_minimum = second_maximum then 0e0 when second_m2 < 0 then 0e0 else second_m2 / nullif(second_n - 1e0, 0) end as variance_2
    from {{ relation }}
{%- endmacro %}


{# The AUCs of both samples, with the counts their standard errors rest on. #}
{% macro concordance_samples() -%}
    select
        *,
        case when is_compared = 1 then value end as auc_1,
        positives as positives_1,
        negatives as negatives_1,
        second_value as auc_2,
        second_positives as positives_2,
        second_negatives as negatives_2
    from compared
{%- endmacro %}


{# The rows beyond the pooled quantile, split strictly or not: whichever leaves a number nearer to what the quantile
   promises; equally near: strictly, unless nothing is above. Whole-number arithmetic. `names` are those of the counts. #}
{% macro pooled_samples(test, names=['above', 'at_or_above', 'second_rows', 'second_above', 'second_at_or_above']) %}
    {%- set above, at_or_above, second_rows, second_above, second_at_or_above = names -%}
    {%- set above_share = test.metric.denominator - test.metric.numerator -%}
    {%- set promised = above_share ~ ' * (evaluated + ' ~ second_rows ~ ')' -%}
    {%- set strict = 'abs(' ~ test.metric.denominator ~ ' * (' ~ above ~ ' + ' ~ second_above ~ ') - ' ~ promised ~ ')' -%}
    {%- set loose = 'abs(' ~ test.metric.denominator ~ ' * (' ~ at_or_above ~ ' + ' ~ second_at_or_above ~ ') - ' ~ promised ~ ')' -%}
    {%- set first = 'case when is_strict = 1 then ' ~ above ~ ' when is_strict = 0 then ' ~ at_or_above ~ ' end' -%}
    {%- set second = 'case when is_strict = 1 then ' ~ second_above ~ ' when is_strict = 0 then ' ~ second_at_or_above ~ ' end' -%}
    select
        *,
        {{ first }} as a,
        evaluated - {{ first }} as b,
        {{ second }} as c,
        {{ second_rows }} - {{ second }} as d
    from (
        select
            *,
            case
                when is_compared = 0 or coalesce({{ second_rows }}, 0) = 0 then null
                when {{ strict }} < {{ loose }} then 1
                when {{ strict }} = {{ loose }} and {{ above }} + {{ second_above }} > 0 then 1
                else 0
            end as is_strict
        from compared
    ) as split
{%- endmacro %}
