{# Pairs of answers with what a judge said of both orders: one row a pair. #}


{# What a test of pairwise divergence reads: `divergence` of a pair is the mean of its two orders, `position_difference` the
   first less the second, `control_divergence` that of a control pair. A pair of which an order is not judged has neither.
   `judge` is a mapping as with_judgements takes it, `equivalent_up_to` the divergence that counts as none. #}
{% macro judged_pairs(relation, pairing, judge, equivalent_up_to) %}
    with {{ fairsql.computed_once('answers_of_variants', fairsql.answers_of_variants(relation, pairing), true) | indent(4) }},
    pairs_of_answers as (
        {{ fairsql.unordered_pairs(fairsql.are_paired(pairing), fairsql.are_controlled(pairing)) | indent(4) }}
    ),
    {{ fairsql.computed_once('judgements_of_pairs', fairsql.judgements_of(judge) | indent(4), true) | indent(4) }},
    scores_of_pairs as (
        select
            pairs.group_id,
            pairs.dimension,
            pairs.is_control,
            {{ fairsql.double('first_order.score') }} as score_1,
            {{ fairsql.double('second_order.score') }} as score_2
        from pairs_of_answers as pairs
        left join judgements_of_pairs as first_order
            on first_order.input_hash = {{ fairsql.input_hash(['pairs.input', 'pairs.output_1', 'pairs.output_2']) }}
        left join judgements_of_pairs as second_order
            on second_order.input_hash = {{ fairsql.input_hash(['pairs.input', 'pairs.output_2', 'pairs.output_1']) }}
    ),
    values_of_pairs as (
        select
            group_id,
            dimension,
            is_control,
            case when is_control = 0 then (score_1 + score_2) / 2e0 end as divergence,
            case when is_control = 0 then score_1 - score_2 end as position_difference,
            case when is_control = 1 then (score_1 + score_2) / 2e0 end as control_divergence,
            case when is_control = 0 and (score_1 + score_2) / 2e0 <= {{ equivalent_up_to }} then 1e0 when is_control = 0 and score_1 + score_2 is not null then 0e0 end as equivalent,
            case when is_control = 0 and (score_1 + score_2) / 2e0 <= {{ equivalent_up_to }} then 0e0 when is_control = 0 and score_1 + score_2 is not null then 1e0 end as divergent
        from scores_of_pairs
    ),
    {{ fairsql.clustered_ctes(['divergence', 'equivalent', 'position_difference', 'control_divergence']) | indent(4) }}
    select
        {{ fairsql.clustered_columns(
            ['divergence', 'equivalent', 'divergent', 'position_difference', 'control_divergence'],
            ['divergence', 'equivalent', 'position_difference']
        ) | indent(8) }}
    from clusters_of_pairs
{%- endmacro %}


{# CTEs from `values_of_pairs` to `clusters_of_pairs`: for each value its share of the sum of a cluster's residuals over the
   number of rows, of all rows and of the dimension's. Their squares add up to the variance of the mean, up to C / (C - 1);
   see fairsql/inference/clusters.py. #}
{% macro clustered_ctes(values) %}
    {%- set centred = [] -%}
    {%- set summed = [] -%}
    {%- for value in values -%}
        {%- for name, within in [[value, ''], [value ~ '_in_dimension', 'partition by dimension']] -%}
            {%- do centred.append(
                '(' ~ value ~ ' - avg(' ~ value ~ ') over (' ~ within ~ ')) / nullif(' ~ fairsql.double('count(' ~ value ~ ') over (' ~ within ~ ')') ~ ', 0) as ' ~ name ~ '_residual'
            ) -%}
            {%- do summed.append(
                'sum(' ~ name ~ '_residual) over (partition by ' ~ ('dimension, ' if within else '') ~ 'group_id) as ' ~ name ~ '_cluster'
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(
        'residuals_of_pairs as (\n    select\n        *,\n        ' ~ centred | join(',\n        ') ~ '\n    from values_of_pairs\n),\nclusters_of_pairs as (\n    select\n        *,\n        row_number() over (partition by group_id order by dimension, is_control) as place_in_group,'
        ~ '\n        row_number() over (partition by dimension, group_id order by is_control) as place_in_dimension,\n        '
        ~ summed | join(',\n        ') ~ '\n    from residuals_of_pairs\n)'
    ) -}}
{% endmacro %}


{# The values themselves, and on the first row of each cluster the squares: of `squared`, and of divergence less control. #}
{% macro clustered_columns(values, squared) %}
    {%- set columns = ['group_id', 'dimension'] -%}
    {%- do columns.extend(values) -%}
    {%- for end, place in [['', 'place_in_group'], ['_in_dimension', 'place_in_dimension']] -%}
        {%- for value in squared -%}
            {%- set cluster = value ~ end ~ '_cluster' -%}
            {%- do columns.append('case when ' ~ place ~ ' = 1 then ' ~ cluster ~ ' * ' ~ cluster ~ ' end as ' ~ value ~ '_square' ~ end) -%}
        {%- endfor -%}
        {%- set own = 'divergence' ~ end ~ '_cluster' -%}
        {%- set control = 'control_divergence' ~ end ~ '_cluster' -%}
        {%- set gap = '(coalesce(' ~ own ~ ', 0e0) - coalesce(' ~ control ~ ', 0e0))' -%}
        {%- do columns.append(
            'case when ' ~ place ~ ' = 1 and coalesce(' ~ own ~ ', ' ~ control ~ ') is not null then ' ~ gap ~ ' * ' ~ gap ~ ' end as gap_square' ~ end
        ) -%}
    {%- endfor -%}
    {{- return(columns | join(',\n')) -}}
{% endmacro %}
