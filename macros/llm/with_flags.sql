{# The rows of a relation with `fairsql_flag`: 1 where an answer has the feature, 0 where it has not, null where there is no
   answer. `feature` is refusal, toxicity, negative_sentiment, score or stereotype; `given` maps what the feature reads. #}
{% macro with_flags(relation, feature, given) %}
    select
        relation.*,
        {{ fairsql.flag_by(feature, given) }} as fairsql_flag
    from (
        select * from {{ relation }}
    ) as relation
{%- endmacro %}


{# The flag as an expression. #}
{% macro flag_by(feature, given) %}
    {%- if feature == 'score' -%}
        {%- set score = fairsql.number(fairsql.column_of('relation', given.scorer_column), none) -%}
        {{- return('case when ' ~ score ~ ' is null then null when ' ~ score ~ ' >= ' ~ given.score_threshold ~ ' then 1 else 0 end') -}}
    {%- elif feature == 'stereotype' -%}
        {#- A place is 2 in one column and 2.0 in the other where that one has gaps. -#}
        {%- set answer = fairsql.plain_text(fairsql.column_of('relation', given.answer_column)) -%}
        {%- set stereotype = fairsql.plain_text(fairsql.column_of('relation', given.stereotyped_answer_column)) -%}
        {{- return(
            'case when ' ~ answer ~ ' is null or ' ~ stereotype ~ ' is null then null when '
            ~ fairsql.lower_case(fairsql.canonical_number(fairsql.trim(answer))) ~ ' = '
            ~ fairsql.lower_case(fairsql.canonical_number(fairsql.trim(stereotype))) ~ ' then 1 else 0 end'
        ) -}}
    {%- endif -%}
    {%- set text = fairsql.plain_text(fairsql.column_of('relation', given.output_column)) -%}
    {%- if feature == 'refusal' -%}
        {{- return(fairsql.refusal_flag(text, given.phrases)) -}}
    {%- elif feature == 'toxicity' -%}
        {{- return(fairsql.toxicity_flag(text, given.phrases)) -}}
    {%- endif -%}
    {{- return(fairsql.negativity_flag(text)) -}}
{% endmacro %}


{# A user's column of a relation. #}
{% macro column_of(relation, name) %}{{ return(relation ~ '.' ~ fairsql.identifier(fairsql.stored_name(name))) }}{% endmacro %}
