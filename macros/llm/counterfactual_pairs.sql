{# Pairs of answers to prompts that differ in one attribute of a person, and how far apart the two are, by their words alone. #}


{# One row a pair: the answers of two roles of one group, or as a control of one role. `divergence` is the mean of four parts:
   the differences of sentiment (words of praise less words of blame, over words), of refusal (0 or 1) and of length (over the
   longer), and 1 less the share of distinct words that both have. `given` maps group_by, role, dimension, output_column,
   phrases, and min_group_size, the fewest answers of a role in a dimension. #}
{% macro counterfactual_pairs(relation, given) %}
    with texts_of_variants as (
        {{ fairsql.answers_of_variants(relation, {'group_by': given.group_by, 'role': given.role, 'dimension': given.dimension, 'output_column': given.output_column, 'input_column': none}) | indent(4) }}
    ),
    words_of_variants as (
        select
            *,
            count(*) over (partition by dimension, role) as answers_of_role,
            {{ fairsql.words(fairsql.lower_case('output')) }} as words,
            {{ fairsql.refusal_flag('output', given.phrases) }} as refusal,
            {{ fairsql.marked_sentiment('output') }} as sentiments
        from texts_of_variants
        {{ fairsql.fence() }}
    ),
    {{ fairsql.computed_once('answers_of_variants', fairsql.counted_words(given.min_group_size), true) | indent(4) }},
    pairs_of_answers as (
        {{ fairsql.unordered_pairs(
            fairsql.are_paired({'mode': 'all'}), fairsql.are_controlled({'mode': 'all'}), ['words', 'word_count', 'refusal', 'praise']
        ) | indent(4) }}
    ),
    parts_of_pairs as (
        select
            group_id,
            dimension,
            is_control,
            abs(praise_1 / greatest(word_count_1, 1e0) - praise_2 / greatest(word_count_2, 1e0)) as sentiment_part,
            {{ fairsql.double('abs(refusal_1 - refusal_2)') }} as refusal_part,
            abs(word_count_1 - word_count_2) / greatest(word_count_1, word_count_2, 1e0) as length_part,
            1e0 - {{ fairsql.words_jaccard('words_1', 'words_2') }} as words_part
        from pairs_of_answers
        {{ fairsql.fence() }}
    ),
    values_of_pairs as (
        select
            group_id,
            dimension,
            is_control,
            case when is_control = 0 then (sentiment_part + refusal_part + length_part + words_part) / 4e0 end as divergence,
            case when is_control = 1 then (sentiment_part + refusal_part + length_part + words_part) / 4e0 end as control_divergence,
            case when is_control = 0 then words_part / 4e0 end as words_divergence
        from parts_of_pairs
    ),
    {{ fairsql.clustered_ctes(['divergence', 'control_divergence']) | indent(4) }}
    select
        {{ fairsql.clustered_columns(['divergence', 'control_divergence', 'words_divergence'], ['divergence']) | indent(8) }}
    from clusters_of_pairs
{%- endmacro %}


{# The answers of variants of which there are enough, with how many words they have and by how many praise outdoes blame. #}
{% macro counted_words(least) %}
    {{- return(
        'select\n        *,\n        ' ~ fairsql.double(fairsql.word_count('words')) ~ ' as word_count,\n        '
        ~ fairsql.double(fairsql.occurrences('sentiments', '+') ~ ' - ' ~ fairsql.occurrences('sentiments', '<')) ~ ' as praise'
        ~ '\n    from words_of_variants\n    where answers_of_role >= ' ~ least ~ '\n    ' ~ fairsql.fence()
    ) -}}
{% endmacro %}
