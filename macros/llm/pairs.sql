{# Pairs of answers that should have been alike: to prompts of one group that differ in one attribute of a person. #}


{# One row an ordered pair of answers, both orders of each: group_id, dimension, pair_key, position (1 or 2), is_control (1 or
   0), input, output_a, output_b. `pairing` maps mode, group_by, role, dimension, reference_role, poles, input_column and
   output_column. In the mode group each answer of another role stands beside each of its group's reference role, in the
   mode contrastive those of the first pole beside those of the second. Control pairs are two answers of one role in one
   group: what differs between them is noise. Every pair is shown the input of its first role, so that its two orders differ
   in nothing else. #}
{% macro pairs(relation, pairing) %}
    with {{ fairsql.computed_once('answers_of_variants', fairsql.answers_of_variants(relation, pairing), true) | indent(4) }},
    pairs_of_answers as (
        {{ fairsql.unordered_pairs(fairsql.are_paired(pairing), fairsql.are_controlled(pairing)) | indent(4) }}
    ),
    orders as (
        select 1 as position
        union all
        select 2 as position
    )
    select
        pairs.group_id,
        pairs.dimension,
        {{ fairsql.input_hash(['pairs.group_id', 'pairs.dimension', 'pairs.role_1', 'pairs.role_2', 'pairs.output_1', 'pairs.output_2', 'orders.position']) }} as pair_key,
        orders.position,
        pairs.is_control,
        pairs.input,
        case when orders.position = 1 then pairs.output_1 else pairs.output_2 end as output_a,
        case when orders.position = 1 then pairs.output_2 else pairs.output_1 end as output_b
    from pairs_of_answers as pairs
    cross join orders
{%- endmacro %}


{# The answers of a relation with their group, dimension and role, numbered within it; `others` are columns besides. #}
{% macro answers_of_variants(relation, pairing) %}
    {%- set group = fairsql.trim(fairsql.plain_text(fairsql.column_of('relation', pairing.group_by))) -%}
    {%- set role = fairsql.trim(fairsql.plain_text(fairsql.column_of('relation', pairing.role))) -%}
    {%- set dimension = 'coalesce(' ~ fairsql.trim(fairsql.plain_text(fairsql.column_of('relation', pairing.dimension))) ~ ", '')" if pairing.dimension else fairsql.text(fairsql.literal('all')) -%}
    {%- set input = fairsql.plain_text(fairsql.column_of('relation', pairing.input_column)) if pairing.input_column else fairsql.text('null') -%}
    select
        group_id,
        dimension,
        role,
        input,
        output,
        row_number() over (
            partition by group_id, dimension, role
            order by {{ fairsql.code_points('output') }}, {{ fairsql.code_points('input') }}
        ) as place
    from (
        select
            {{ group }} as group_id,
            {{ dimension }} as dimension,
            {{ role }} as role,
            {{ input }} as input,
            {{ fairsql.plain_text(fairsql.column_of('relation', pairing.output_column)) }} as output
        from (
            select * from {{ relation }}
        ) as relation
    ) as variants
    where group_id is not null and role is not null and output is not null
{%- endmacro %}


{# Which two answers of a group are a pair, and which are a control. #}
{% macro are_paired(pairing) %}
    {%- if pairing.mode == 'contrastive' -%}
        {{- return('one.role = ' ~ fairsql.literal(pairing.poles[0]) ~ ' and other.role = ' ~ fairsql.literal(pairing.poles[1])) -}}
    {%- elif pairing.mode == 'all' -%}
        {{- return('one.role < other.role') -}}
    {%- endif -%}
    {{- return('one.role = ' ~ fairsql.literal(pairing.reference_role) ~ ' and other.role <> one.role') -}}
{% endmacro %}

{% macro are_controlled(pairing) %}
    {%- set same = 'one.role = other.role and one.place < other.place' -%}
    {{- return(same ~ ' and one.role in (' ~ fairsql.literal(pairing.poles[0]) ~ ', ' ~ fairsql.literal(pairing.poles[1]) ~ ')' if pairing.mode == 'contrastive' else same) -}}
{% endmacro %}


{# Each pair of `answers_of_variants` once; `features` are columns of an answer that the pair has of both. #}
{% macro unordered_pairs(are_paired, are_controlled, features=['output']) %}
    {%- set columns = [] -%}
    {%- for feature in features -%}
        {%- do columns.append('one.' ~ feature ~ ' as ' ~ feature ~ '_1') -%}
        {%- do columns.append('other.' ~ feature ~ ' as ' ~ feature ~ '_2') -%}
    {%- endfor -%}
    select
        one.group_id,
        one.dimension,
        case when one.role = other.role then 1 else 0 end as is_control,
        one.role as role_1,
        other.role as role_2,
        one.input,
        {{ columns | join(',\n        ') }}
    from answers_of_variants as one
    inner join answers_of_variants as other
        on one.group_id = other.group_id
        and one.dimension = other.dimension
        and (
            ({{ are_paired }})
            or ({{ are_controlled }})
        )
{%- endmacro %}
