{# The verdict on weighted rows: values from sums of weights, p-values from effective sizes. Counts stay counts of rows. #}


{# A metric of the catalogue as it is over weighted rows. #}
{% macro weighted_metric(metric) %}
    {{- return(fairsql.changed(metric, {
        'is_weighted': true,
        'statistics': metric.weighted_statistics,
        'has_p_value': metric.has_weighted_p_value,
    })) -}}
{% endmacro %}


{# The sum of weights that stands for a count. #}
{% macro weight_of(count) %}{{ return('weight_sum' if count == 'evaluated' else 'weight_' ~ count) }}{% endmacro %}


{# The same for the counts whose sum a proportion is a share of, each name with what comes before it. #}
{% macro weights_of(counts, before='') %}
    {%- set names = [] -%}
    {%- for count in counts -%}{%- do names.append(before ~ fairsql.weight_of(count)) -%}{%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# The metric's value from statistics that are columns. #}
{% macro weighted_value(metric) %}
    {%- if metric.part -%}
        {{- return(fairsql.share(fairsql.weights_of(metric.part), fairsql.weights_of(metric.whole))) -}}
    {%- elif metric.family == 'cells' -%}
        {{- return(fairsql.formula(metric.formula, fairsql.weights_of(['tp', 'fp', 'fn', 'tn']))) -}}
    {%- elif metric.formula == 'total' -%}
        {{- return('weight_sum * ' ~ fairsql.exact_mean()) -}}
    {%- elif metric.formula in ['variance', 'standard_deviation'] -%}
        {%- set size = fairsql.effective_size('weight_sum', 'squared_weight_sum') -%}
        {%- set variance = 'case when ' ~ size ~ ' >= 2 then ' ~ fairsql.weighted_variance(size) ~ ' end' -%}
        {{- return('sqrt(' ~ variance ~ ')' if metric.formula == 'standard_deviation' else variance) -}}
    {%- elif metric.family == 'moments' -%}
        {{- return(fairsql.formula(metric.formula)) -}}
    {%- elif metric.family == 'determination' -%}
        {{- return('case when truth_minimum < truth_maximum and truth_m2 > 0 then 1e0 - weight_sum * mean / truth_m2 end') -}}
    {%- elif metric.family == 'concordance' -%}
        {#- Rounding may take a sum of pairs past their weight. -#}
        {%- set pairs = 'weight_positives * weight_negatives' -%}
        {{- return('case when weighted_concordant > ' ~ pairs ~ ' then 1e0 else weighted_concordant / nullif(' ~ pairs ~ ', 0) end') -}}
    {%- endif -%}
    {{- return('weighted_quantile') -}}
{% endmacro %}


{# The metric over all evaluated rows, beside every group. #}
{% macro weighted_overall_value(test, metric) %}
    {%- set all = fairsql.over_groups() -%}
    {%- if metric.part -%}
        {{- return(fairsql.share(fairsql.sums_over_groups(test, fairsql.weights_of(metric.part)), fairsql.sums_over_groups(test, fairsql.weights_of(metric.whole)))) -}}
    {%- elif metric.family == 'cells' -%}
        {{- return(fairsql.formula(metric.formula, fairsql.sums_over_groups(test, fairsql.weights_of(['tp', 'fp', 'fn', 'tn'])))) -}}
    {%- endif -%}
    {%- set merged = 'mean_base + sum(weight_sum * (mean - mean_base))' ~ all ~ ' / nullif(sum(weight_sum)' ~ all ~ ', 0)' -%}
    {%- set mean = 'case when min(minimum)' ~ all ~ ' = max(maximum)' ~ all ~ ' then min(minimum)' ~ all ~ ' else ' ~ merged ~ ' end' -%}
    {{- return('sqrt(' ~ mean ~ ')' if metric.root else mean) -}}
{% endmacro %}


{# The statistics that a p-value reads of both samples. #}
{% macro weighted_sample_statistics(test) %}
    {%- set metric = test.metric -%}
    {%- if metric.family in ['positives', 'cells'] -%}
        {%- set names = [] -%}
        {%- for part in test.parts if part.metric.has_p_value -%}
            {%- do names.extend(fairsql.weights_of(part.metric.part) + fairsql.weights_of(part.metric.whole) + fairsql.weights_of(part.metric.whole, 'squared_')) -%}
        {%- endfor -%}
        {{- return(names | unique(case_sensitive=true) | list) -}}
    {%- elif metric.family == 'concordance' -%}
        {{- return(['value', 'weight_positives', 'squared_weight_positives', 'weight_negatives', 'squared_weight_negatives']) -}}
    {%- endif -%}
    {{- return(['weight_sum', 'squared_weight_sum', 'mean', 'm2', 'minimum', 'maximum']) -}}
{% endmacro %}


{# What a statistic is in all other groups: summed before and after the group, since the whole less a group that outweighs
   all others is rounding alone. #}
{% macro sum_of_others(test, name) %}
    {%- set partition = (['is_test'] + fairsql.panel(test)) | join(', ') -%}
    {%- set sides = [] -%}
    {%- for side in ['unbounded preceding and 1 preceding', '1 following and unbounded following'] -%}
        {%- do sides.append('coalesce(sum(' ~ name ~ ') over (partition by ' ~ partition ~ ' order by group_number asc rows between ' ~ side ~ '), 0)') -%}
    {%- endfor -%}
    {{- return(sides | join(' + ')) -}}
{% endmacro %}


{# The chain of CTEs that ends in p-values. #}
{% macro weighted_significance_ctes(test) %}
    {%- set metric = test.metric -%}
    {%- set ctes = [] -%}
    {%- if metric.family in ['positives', 'cells'] -%}
        {%- do ctes.append(['samples', fairsql.weighted_proportion_samples(test)]) -%}
        {%- do ctes.extend(fairsql.two_proportion_ctes('samples')) -%}
    {%- elif metric.family == 'concordance' -%}
        {%- do ctes.append(['samples', fairsql.weighted_concordance_samples()]) -%}
        {%- do ctes.extend(fairsql.hanley_mcneil_ctes('samples')) -%}
    {%- else -%}
        {%- do ctes.extend(fairsql.weighted_others_ctes()) if test.comparison == 'overall' -%}
        {%- do ctes.append(['samples', fairsql.weighted_moment_samples('others' if test.comparison == 'overall' else 'compared')]) -%}
        {%- do ctes.extend(fairsql.welch_ctes('samples')) -%}
    {%- endif -%}
    {{- return(ctes) -}}
{% endmacro %}


{# How many rows of equal weight a sample is worth (Kish): at least 1, and what is 2 but for rounding is 2. #}
{% macro effective_size(weight, squared_weight) %}
    {%- set size = weight ~ ' * (' ~ weight ~ ' / nullif(' ~ squared_weight ~ ', 0))' -%}
    {{- return('case when abs(' ~ size ~ ' - 2e0) <= 2e-9 then 2e0 when ' ~ size ~ ' < 1e0 then 1e0 else ' ~ size ~ ' end') -}}
{% endmacro %}


{# Shares and effective sizes of both samples; null where a group is not compared, here and below. #}
{% macro weighted_proportion_samples(test) %}
    {%- set columns = {} -%}
    {%- for side, before in [['1', ''], ['2', 'second_']] -%}
        {%- set shares = [] -%}
        {%- set sizes = [] -%}
        {%- for part in test.parts -%}
            {%- set own = fairsql.weights_of(part.metric.part, before) | join(' + ') -%}
            {%- set weight = fairsql.weights_of(part.metric.whole, before) | join(' + ') -%}
            {%- set squared_weight = fairsql.weights_of(part.metric.whole, before ~ 'squared_') | join(' + ') -%}
            {%- set has_p_value = part.metric.has_p_value -%}
            {%- do shares.append('(' ~ own ~ ') / nullif(' ~ weight ~ ', 0)' if has_p_value else none) -%}
            {%- do sizes.append(fairsql.effective_size('(' ~ weight ~ ')', '(' ~ squared_weight ~ ')') if has_p_value else none) -%}
        {%- endfor -%}
        {%- do columns.update({
            'share_' ~ side: 'case when is_compared = 1 then ' ~ fairsql.by_part(shares) ~ ' end', 'n_' ~ side: fairsql.by_part(sizes)
        }) -%}
    {%- endfor -%}
    select
        *
        {%- for name, expression in columns.items() %},
        {{ expression }} as {{ name }}
        {%- endfor %}
    from compared
{%- endmacro %}


{# The AUCs of both samples, with the effective sizes of their classes. #}
{% macro weighted_concordance_samples() -%}
    select
        *,
        case when is_compared = 1 then value end as auc_1,
        second_value as auc_2
        {%- for side, before in [[1, ''], [2, 'second_']] %}
        {%- for name in ['positives', 'negatives'] %},
        {{ fairsql.effective_size(before ~ 'weight_' ~ name, before ~ 'squared_weight_' ~ name) }} as {{ name }}_{{ side }}
        {%- endfor %}
        {%- endfor %}
    from compared
{%- endmacro %}


{# Effective sizes, means and variances of reliability weights, m2 / (Σw - Σw² / Σw): with n the effective size, that is
   m2 / Σw times n / (n - 1). #}
{% macro weighted_moment_samples(relation) -%}
    select
        *
        {%- for side, before in [[1, ''], [2, 'second_']] %},
        {%- set constant = before ~ 'minimum = ' ~ before ~ 'maximum' %}
        case when is_compared = 1 then size_{{ side }} end as n_{{ side }},
        case when {{ constant }} then {{ before }}minimum else {{ before }}mean end as mean_{{ side }},
        {{ fairsql.weighted_variance('size_' ~ side, before) }} as variance_{{ side }}
        {%- endfor %}
    from (
        select
            *,
            {{ fairsql.effective_size('weight_sum', 'squared_weight_sum') }} as size_1,
            {{ fairsql.effective_size('second_weight_sum', 'second_squared_weight_sum') }} as size_2
        from {{ relation }}
    ) as sized
{%- endmacro %}


{# The variance of a sample that is worth so many rows: 0 where it is constant. #}
{% macro weighted_variance(size, before='') %}
    {{- return(
        'case when ' ~ before ~ 'minimum = ' ~ before ~ 'maximum or ' ~ before ~ 'm2 < 0 then 0e0 else ' ~ before ~ 'm2 / ' ~ before
        ~ 'weight_sum * (' ~ size ~ ' / nullif(' ~ size ~ ' - 1e0, 0)) end'
    ) -}}
{% endmacro %}


{# The gap of the means of a group and the reference in pooled standard deviations, each sample as the rows it is worth. #}
{% macro weighted_standardized_difference() %}
    {%- set first = fairsql.effective_size('weight_sum', 'squared_weight_sum') -%}
    {%- set second = fairsql.effective_size('second_weight_sum', 'second_squared_weight_sum') -%}
    {%- set squares = [] -%}
    {%- for size, before in [[first, ''], [second, 'second_']] -%}
        {%- do squares.append('(' ~ size ~ ' - 1e0) * ' ~ fairsql.weighted_variance('(' ~ size ~ ')', before)) -%}
    {%- endfor -%}
    {{- return(
        'case when ' ~ first ~ ' >= 2 and ' ~ second ~ ' >= 2 then abs(value - comparison_value) / nullif(sqrt((' ~ squares | join(' + ')
        ~ ') / nullif(' ~ first ~ ' + ' ~ second ~ ' - 2e0, 0)), 0) end'
    ) -}}
{% endmacro %}


{# Every group with the moments of all other groups. In the order of their means, the groups before a group are merged one
   by one, the groups after it likewise, and the two at last with each other: nothing is subtracted, since weights may
   differ by any factor. A step adds what two parts' means are apart, as in the pairwise rule. #}
{% macro weighted_others_ctes() %}
    {%- set sides = [['before', 'asc'], ['after', 'desc']] -%}
    {%- set but_one = ' rows between unbounded preceding and 1 preceding)' -%}
    {%- set summed -%}
    select
        *
        {%- for side, direction in sides %}
        {%- set order = ' over (partition by is_test order by mean_place ' ~ direction %},
        sum(weight_sum){{ order }}{{ but_one }} as weight_{{ side }},
        sum(squared_weight_sum){{ order }}{{ but_one }} as squared_weight_{{ side }},
        sum(weight_sum * (mean - mean_base)){{ order }}{{ but_one }} / nullif(sum(weight_sum){{ order }}{{ but_one }}, 0) as offset_{{ side }},
        min(minimum){{ order }}{{ but_one }} as minimum_{{ side }},
        max(maximum){{ order }}{{ but_one }} as maximum_{{ side }}
        {%- endfor %}
    from (
        select *, row_number() over (partition by is_test order by mean asc, group_number asc) as mean_place
        from compared
    ) as placed
    {%- endset -%}
    {%- set stepped -%}
    select
        *
        {%- for side, direction in sides %},
        m2 + coalesce(weight_sum * (weight_{{ side }} / (weight_{{ side }} + weight_sum)) * {{ fairsql.apart('mean - mean_base', 'offset_' ~ side) }}, 0e0) as step_{{ side }}
        {%- endfor %}
    from sums_of_others
    {%- endset -%}
    {%- set merged -%}
    select
        *,
        coalesce(weight_before, 0e0) + coalesce(weight_after, 0e0) as second_weight_sum,
        coalesce(squared_weight_before, 0e0) + coalesce(squared_weight_after, 0e0) as second_squared_weight_sum,
        case
            when weight_before is null then offset_after
            when weight_after is null then offset_before
            else offset_before * (weight_before / (weight_before + weight_after)) + offset_after * (weight_after / (weight_before + weight_after))
        end + mean_base as second_mean,
        coalesce(m2_before, 0e0) + coalesce(m2_after, 0e0)
        + coalesce(weight_before * (weight_after / (weight_before + weight_after)) * {{ fairsql.apart('offset_after', 'offset_before') }}, 0e0) as second_m2,
        least(coalesce(minimum_before, minimum_after), coalesce(minimum_after, minimum_before)) as second_minimum,
        greatest(coalesce(maximum_before, maximum_after), coalesce(maximum_after, maximum_before)) as second_maximum
    from (
        select
            *
            {%- for side, direction in sides %},
            sum(step_{{ side }}) over (partition by is_test order by mean_place {{ direction }}{{ but_one }} as m2_{{ side }}
            {%- endfor %}
        from steps_of_others
    ) as both_sides
    {%- endset -%}
    {{- return([['sums_of_others', summed], ['steps_of_others', stepped], ['others', merged]]) -}}
{% endmacro %}


{# The square of what two numbers are apart. #}
{% macro apart(first, second) %}
    {%- set gap = '(' ~ first ~ ' - ' ~ second ~ ')' -%}
    {{- return(gap ~ ' * ' ~ gap) -}}
{% endmacro %}
