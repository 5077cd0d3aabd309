{# The verdict on approximate values: those that rows counted by bin leave open between two bounds (fairsql/binned.py). #}


{# A metric of the catalogue as it is computed by bins. #}
{% macro binned_metric(metric) %}
    {{- return(fairsql.changed(metric, {'is_binned': true, 'family': metric.binned_family, 'statistics': metric.binned_statistics})) -}}
{% endmacro %}


{# The metric's value from statistics that are columns. #}
{% macro binned_value(metric) %}
    {{- return('approximate_quantile' if metric.family == 'binned_quantile' else 'binned_concordant / nullif(' ~ fairsql.double('positives') ~ ' * negatives, 0)') -}}
{% endmacro %}


{# The stages that end in a p-value: of quantiles the pooled test on bins, of AUC one that no values between the bounds exceed. #}
{% macro binned_significance_ctes(test) %}
    {%- if test.metric.family == 'binned_quantile' -%}
        {{- return(
            [['samples', fairsql.pooled_samples(test, ['above_bin', 'from_bin', 'other_rows', 'other_above_bin', 'other_from_bin'])]]
            + fairsql.fisher_ctes('samples')
        ) -}}
    {%- endif -%}
    {{- return([['samples', fairsql.bounded_samples()]] + fairsql.bounded_auc_ctes('samples')) -}}
{% endmacro %}


{# Both samples' counts, and the least and the greatest that their AUCs can be. #}
{% macro bounded_samples() -%}
    select
        *
        {%- for side, before in [['1', ''], ['2', 'second_']] %}
        {%- set half = before ~ 'same_bin_pairs / 2e0' -%}
        {%- set pairs = 'nullif(' ~ fairsql.double(before ~ 'positives') ~ ' * ' ~ before ~ 'negatives, 0)' %},
        {{ before }}positives as positives_{{ side }},
        {{ before }}negatives as negatives_{{ side }},
        case when is_compared = 1 then greatest(({{ before }}binned_concordant - {{ half }}) / {{ pairs }}, 0e0) end as least_auc_{{ side }},
        case when is_compared = 1 then least(({{ before }}binned_concordant + {{ half }}) / {{ pairs }}, 1e0) end as greatest_auc_{{ side }}
        {%- endfor %}
    from compared
{%- endmacro %}
