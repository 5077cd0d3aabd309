{# Outcomes pooled over strata, after Mantel and Haenszel (1959): each group against one reference for all strata, whatever
   mix of strata it has, or against all other rows. What each stage of the comparison adds for it. A group counts that has
   min_group_size rows over all strata. #}


{# What a group is over all strata, beside each of its rows. #}
{% macro pooled_totals(test) %}
    {%- set over = fairsql.over_group(test) -%}
    {{- return([
        ['pooled_rows', fairsql.double('sum(evaluated)' ~ over)],
        ['pooled_positives', fairsql.double('sum(positives)' ~ over)],
    ]) -}}
{% endmacro %}


{# The rows of one group in all strata; the row of the test as a whole has a window of its own. #}
{% macro over_group(test) %}{{ return(' over (partition by is_test, ' ~ fairsql.protected_keys(test) | join(', ') ~ ')') }}{% endmacro %}


{# True of a row whose group is large enough over all strata. #}
{% macro is_pooled(test) %}{{ return('is_test = 0 and pooled_rows >= ' ~ test.min_group_size) }}{% endmacro %}


{# The best rate over all rows of a group. #}
{% macro best_pooled_rate(test) %}
    {{- return('max(case when ' ~ fairsql.is_pooled(test) ~ ' then pooled_positives / nullif(pooled_rows, 0) end) over ()') -}}
{% endmacro %}


{# Whether a row's group may be the reference: it is named, or as good as the best. #}
{% macro is_pooled_candidate(test) %}
    {%- set condition = fairsql.reference_key(test) ~ ' in (' ~ fairsql.literals(test.reference_texts) ~ ')' if test.reference_strategy == 'named'
        else fairsql.near('pooled_positives / nullif(pooled_rows, 0)', 'best_pooled_rate') -%}
    {{- return('case when ' ~ fairsql.is_pooled(test) ~ ' and ' ~ condition ~ ' then 1 else 0 end') -}}
{% endmacro %}


{# Whether a row's group is the reference: of those as good as the best the largest, then the smallest key. #}
{% macro is_pooled_reference(test) %}
    {%- set order = ['is_pooled_candidate desc', 'pooled_rows desc'] -%}
    {%- for key in fairsql.protected_keys(test) -%}{%- do order.append(fairsql.code_points(key) ~ ' asc') -%}{%- endfor -%}
    {{- return('case when is_pooled_candidate = 1 and dense_rank() over (order by ' ~ order | join(', ') ~ ') = 1 then 1 else 0 end') -}}
{% endmacro %}


{# The second sample within the stratum: the reference, or all other rows. #}
{% macro pooled_seconds(test) %}
    {%- set items = [] -%}
    {%- for name, count in [['pooled_second_rows', 'evaluated'], ['pooled_second_positives', 'positives']] -%}
        {%- do items.append([name, fairsql.double(
            'coalesce(max(case when is_pooled_reference = 1 then ' ~ count ~ ' end)' ~ fairsql.over_panel(test) ~ ', 0)' if test.comparison == 'reference'
            else 'sum(' ~ count ~ ')' ~ fairsql.over_groups(test) ~ ' - ' ~ count
        )]) -%}
    {%- endfor -%}
    {{- return(items) -}}
{% endmacro %}


{# What a stratum adds to each sum: of [[a, b], [c, d]] with n rows ad/n and bc/n, a less what is expected of it as one
   fraction, and its variance. Null where the group is not compared; a stratum without either sample adds 0. #}
{% macro pooled_terms(test) %}
    {%- set counted = fairsql.is_pooled(test) ~ (' and is_pooled_reference = 0' if test.comparison == 'reference' else '') ~ ' and n + pooled_second_rows > 1' -%}
    {%- set first, second = fairsql.double('positives'), 'pooled_second_positives' -%}
    {%- set both = '(n + pooled_second_rows)' -%}
    {%- set hits, misses = first ~ ' * (pooled_second_rows - ' ~ second ~ ')', '(n - ' ~ first ~ ') * ' ~ second -%}
    {%- set items = [] -%}
    {%- for name, expression in [
        ['pooled_above', hits ~ ' / ' ~ both],
        ['pooled_below', misses ~ ' / ' ~ both],
        ['pooled_excess', '(' ~ hits ~ ' - ' ~ misses ~ ') / ' ~ both],
        ['pooled_variance', 'n / ' ~ both ~ ' * (pooled_second_rows / ' ~ both ~ ') * (' ~ first ~ ' + ' ~ second ~ ') * (' ~ both ~ ' - ' ~ first ~ ' - ' ~ second ~ ') / (' ~ both ~ ' - 1e0)'],
    ] -%}
        {%- do items.append([name, 'case when ' ~ counted ~ ' then ' ~ expression ~ ' end']) -%}
    {%- endfor -%}
    {{- return(items) -}}
{% endmacro %}


{# The pooled odds ratio and |z| of each group, undefined where the divisor is 0; which of its rows is the first. #}
{% macro pooled_statistics(test) %}
    {%- set over = fairsql.over_group(test) -%}
    {{- return([
        ['pooled_odds_ratio', 'sum(pooled_above)' ~ over ~ ' / nullif(sum(pooled_below)' ~ over ~ ', 0)'],
        ['pooled_z', 'abs(sum(pooled_excess)' ~ over ~ ') / nullif(sqrt(sum(pooled_variance)' ~ over ~ '), 0)'],
        ['pooled_place', 'row_number() over (partition by is_test, ' ~ fairsql.protected_keys(test) | join(', ') ~ ' order by group_number asc)'],
    ]) -}}
{% endmacro %}


{# Every group with its pooled p-value: chi-squared with one degree of freedom, without a correction for continuity. Over
   the groups' first rows, its rank among the p-values. #}
{% macro pooled(test) -%}
    {%- set is_counted = 'is_test = 0 and pooled_place = 1 and pooled_z is not null' -%}
    select
        *,
        {%- if test.significance_test == 'none' %}
        {{ fairsql.double('null') }} as pooled_p_value,
        {%- else %}
        case when pooled_z > 38e0 then 0e0 else {{ fairsql.normal_two_sided('pooled_z') }} end as pooled_p_value,
        {%- endif %}
        {{ fairsql.double('row_number() over (order by case when ' ~ is_counted ~ ' then 0 else 1 end asc, pooled_z desc)') }} as pooled_rank,
        {{ fairsql.double('sum(case when ' ~ is_counted ~ ' then 1 else 0 end) over ()') }} as pooled_tests,
        {{ fairsql.double('sum(case when ' ~ fairsql.is_pooled(test) ~ ' and pooled_place = 1 then 1 else 0 end) over ()') }} as pooled_candidates
    from panels
{%- endmacro %}


{# The least odds ratio of any group, and the least adjusted p-value: the first step of Holm's, and the last of Benjamini's
   and Hochberg's. #}
{% macro pooled_measurements(test) %}
    {#- LEAST leaves null out in some engines: where there is no p-value, none is adjusted. -#}
    {%- set has_any = 'case when min(pooled_p_value) over () is not null then least(' -%}
    {%- set p_value = {
        'none': 'min(pooled_p_value) over ()',
        'holm': has_any ~ 'min(pooled_tests * pooled_p_value) over (), 1e0) end',
        'holm_all_pairs': has_any ~ 'min(pooled_candidates * (pooled_candidates - 1e0) / 2e0 * pooled_p_value) over (), 1e0) end',
        'benjamini_hochberg': 'min(case when pooled_place = 1 and pooled_p_value is not null then least(pooled_tests / pooled_rank * pooled_p_value, 1e0) end) over ()',
    }[test.p_value_adjustment] -%}
    {{- return([
        ['least_pooled_p_value', 'min(pooled_p_value) over ()'],
        ['mantel_haenszel_odds_ratio', 'min(pooled_odds_ratio) over ()'],
        ['mantel_haenszel_p_value', p_value],
    ]) -}}
{% endmacro %}
