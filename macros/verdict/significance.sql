{# The two samples behind each p-value, and the chain of CTEs that computes it for the metric's family. #}


{# Pairs of CTE name and body that end in `adjusted_p_values`: every group, with p_value and p_value_adjusted. #}
{% macro significance_ctes(test) %}
    {%- set metric = test.metric -%}
    {%- set ctes = [] -%}
    {%- if test.significance_test == 'none' or metric.family == 'determination' -%}
        {%- do ctes.append(['adjusted_p_values', 'select *, ' ~ fairsql.double('null') ~ ' as p_value, ' ~ fairsql.double('null') ~ ' as p_value_adjusted\n    from compared']) -%}
        {{- return(ctes) -}}
    {%- endif -%}
    {%- if metric.family == 'quantile' -%}
        {%- do ctes.append(['samples', fairsql.pooled_samples(test)]) -%}
        {%- do ctes.extend(fairsql.fisher_ctes('samples')) -%}
    {%- else -%}
        {%- do ctes.append(['second_samples', fairsql.second_samples(test)]) -%}
        {%- if metric.family == 'moments' -%}
            {%- do ctes.append(['samples', fairsql.moment_samples()]) -%}
            {%- do ctes.extend(fairsql.welch_ctes('samples')) -%}
        {%- elif metric.family == 'concordance' -%}
            {%- do ctes.append(['samples', fairsql.concordance_samples()]) -%}
            {%- do ctes.extend(fairsql.hanley_mcneil_ctes('samples')) -%}
        {%- else -%}
            {%- do ctes.append(['samples', fairsql.proportion_samples(metric)]) -%}
            {%- do ctes.extend(fairsql.fisher_ctes('samples')) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set p_values = (ctes | last)[0] -%}
    {%- do ctes.append(['tested', fairsql.tested(p_values)]) -%}
    {%- do ctes.extend(fairsql.adjustment_ctes('tested', test.p_value_adjustment)) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# Beside each compared group, the statistics of what it is compared with: the reference, or all other rows. #}
{% macro second_samples(test) %}
    {%- set metric = test.metric -%}
    {%- set names = {
        'positives': ['evaluated', 'positives'],
        'cells': ['tp', 'fp', 'fn', 'tn'],
        'concordance': ['positives', 'negatives', 'value'],
        'moments': ['n', 'mean', 'm2', 'minimum', 'maximum'],
    }[metric.family] -%}
    {%- if test.comparison == 'reference' -%}
    select *
    from (
        select
            *
            {%- for name in names %},
            max(case when is_reference = 1 then {{ name }} end) over () as second_{{ name }}
            {%- endfor %}
        from compared
    ) as beside_reference
    where is_compared = 1
    {%- elif metric.family == 'moments' -%}
    {#- Merged over the other groups as offsets from one of theirs: subtracting from the whole would cost digits. -#}
    select
        compared.*,
        others.n as second_n,
        others.mean as second_mean,
        others.m2 as second_m2,
        others.minimum as second_minimum,
        others.maximum as second_maximum
    from compared
    inner join (
        select
            own_number,
            sum(n) as n,
            {{ fairsql.merged_mean('mean') }} as mean,
            {{ fairsql.merged_m2('mean', 'm2') }} as m2,
            min(minimum) as minimum,
            max(maximum) as maximum
        from (
            select
                own.group_number as own_number,
                other.n, other.mean, other.m2, other.minimum, other.maximum,
                min(other.mean) over (partition by own.group_number) as mean_base
            from compared as own
            inner join compared as other on own.group_number <> other.group_number
        ) as pairs
        group by own_number
    ) as others on compared.group_number = others.own_number
    where compared.is_compared = 1
    {%- else -%}
    select *
    from (
        select
            *
            {%- for name in names %},
            sum({{ name }}) over () - {{ name }} as second_{{ name }}
            {%- endfor %}
        from compared
    ) as complemented
    where is_compared = 1
    {%- endif -%}
{% endmacro %}


{# Successes and failures of both samples. #}
{% macro proportion_samples(metric) %}
    {%- set whole = [] -%}
    {%- set second_whole = [] -%}
    {%- for name in metric.whole -%}
        {%- do whole.append(name) -%}
        {%- do second_whole.append('second_' ~ name) -%}
    {%- endfor -%}
    select
        cut,
        group_number,
        {{ metric.part }} as a,
        {{ whole | join(' + ') }} - {{ metric.part }} as b,
        second_{{ metric.part }} as c,
        {{ second_whole | join(' + ') }} - second_{{ metric.part }} as d
    from second_samples
{%- endmacro %}


{# Sizes, means and sample variances; a constant sample has its value as mean, and variance 0. #}
{% macro moment_samples() -%}
    select
        cut,
        group_number,
        n as n_1,
        case when minimum = maximum then minimum else mean end as mean_1,
        case when minimum = maximum then 0e0 when m2 < 0 then 0e0 else m2 / nullif(n - 1e0, 0) end as variance_1,
        second_n as n_2,
        case when second_minimum = second_maximum then second_minimum else second_mean end as mean_2,
        case when second_minimum = second_maximum then 0e0 when second_m2 < 0 then 0e0 else second_m2 / nullif(second_n - 1e0, 0) end as variance_2
    from second_samples
{%- endmacro %}


{# The AUCs of both samples, with the counts their standard errors rest on. #}
{% macro concordance_samples() -%}
    select
        cut,
        group_number,
        value as auc_1,
        positives as positives_1,
        negatives as negatives_1,
        second_value as auc_2,
        second_positives as positives_2,
        second_negatives as negatives_2
    from second_samples
{%- endmacro %}


{# The rows beyond the pooled quantile, split strictly or not: whichever leaves a number nearer to what the quantile
   promises; equally near: strictly, unless nothing is above. Whole-number arithmetic. #}
{% macro pooled_samples(test) %}
    {%- set above_share = test.metric.denominator - test.metric.numerator -%}
    {%- set promised = above_share ~ ' * (evaluated + second_rows)' -%}
    {%- set strict = 'abs(' ~ test.metric.denominator ~ ' * (above + second_above) - ' ~ promised ~ ')' -%}
    {%- set loose = 'abs(' ~ test.metric.denominator ~ ' * (at_or_above + second_at_or_above) - ' ~ promised ~ ')' -%}
    select
        cut,
        group_number,
        case when is_strict = 1 then above else at_or_above end as a,
        evaluated - case when is_strict = 1 then above else at_or_above end as b,
        case when is_strict = 1 then second_above else second_at_or_above end as c,
        second_rows - case when is_strict = 1 then second_above else second_at_or_above end as d
    from (
        select
            *,
            case
                when {{ strict }} < {{ loose }} then 1
                when {{ strict }} = {{ loose }} and above + second_above > 0 then 1
                else 0
            end as is_strict
        from compared
        where is_compared = 1 and second_rows > 0
    ) as split
{%- endmacro %}


{# Every group with its p-value, and how many pairs of groups could have been compared. #}
{% macro tested(p_values) -%}
    -- One row for each group: its p-value, and the number of pairs of sufficient groups.
    select
        *,
        family_count * (family_count - 1e0) / 2e0 as family_size
    from (
        select
            compared.*,
            {{ p_values }}.p_value,
            {{ fairsql.double('count(case when compared.is_sufficient = 1 and compared.value is not null then 1 end) over ()') }} as family_count
        from compared
        left join {{ p_values }} on compared.group_number = {{ p_values }}.group_number
    ) as counted
{%- endmacro %}
