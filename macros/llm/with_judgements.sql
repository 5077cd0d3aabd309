{# Judgements beside the rows that were judged. A judgement is found by what was judged: the judge, the version of its prompt,
   the model, and a hash of the texts; so a text that has changed has no judgement yet, and equal texts share one. #}


{# The rows of a relation with, for each judge NAME, NAME_score, NAME_label, NAME_scored (1 where there is a score, 0 where the
   judge failed), NAME_errored (the reverse) and NAME_judged (1 where there is a judgement). `relation` is a Relation, or text for
   a FROM clause; `judges` is what `judges_of` reads. #}
{% macro with_judgements(relation, judges) %}
    {%- set columns = ['relation.*'] -%}
    {%- set joins = [] -%}
    {%- for judge in fairsql.judges_of('fairsql.with_judgements', judges) -%}
        {%- set place = 'judgement_' ~ loop.index -%}
        {%- set is_judged = place ~ '.input_hash is not null' -%}
        {%- do columns.append(fairsql.double(place ~ '.score') ~ ' as ' ~ judge.name ~ '_score') -%}
        {%- do columns.append(place ~ '.label as ' ~ judge.name ~ '_label') -%}
        {%- do columns.append('case when ' ~ place ~ '.score is not null then 1 when ' ~ is_judged ~ ' then 0 end as ' ~ judge.name ~ '_scored') -%}
        {%- do columns.append('case when ' ~ place ~ '.score is not null then 0 when ' ~ is_judged ~ ' then 1 end as ' ~ judge.name ~ '_errored') -%}
        {%- do columns.append('case when ' ~ is_judged ~ ' then 1 else 0 end as ' ~ judge.name ~ '_judged') -%}
        {%- do joins.append(
            'left join (\n    ' ~ fairsql.judgements_of(judge) | indent(4) ~ '\n) as ' ~ place
            ~ '\n    on ' ~ place ~ '.input_hash = ' ~ fairsql.input_hash(fairsql.text_columns_of('relation', judge))
        ) -%}
    {%- endfor -%}
    select
        {{ columns | join(',\n        ') }}
    from (
        select * from {{ relation }}
    ) as relation
    {{ joins | join('\n') | indent(4) }}
{%- endmacro %}


{# One judgement a text: a score before a failure, then the latest. #}
{% macro judgements_of(judge) %}
    {{- return(
        'select input_hash, score, label\nfrom (\n    select\n        input_hash,\n        score,\n        label,\n        row_number() over (\n            partition by input_hash'
        ~ '\n            order by case when score is null then 1 else 0 end, judged_at desc, score\n        ) as place\n    from ' ~ judge.table
        ~ '\n    where ' ~ fairsql.is_by_judge(judge) ~ '\n) as numbered\nwhere place = 1'
    ) -}}
{% endmacro %}


{# The condition under which a judgement is by this judge: other prompts and models are others. #}
{% macro is_by_judge(judge) %}
    {{- return(
        'judge = ' ~ fairsql.literal(judge.judge) ~ ' and prompt_version = ' ~ fairsql.literal(judge.prompt_version)
        ~ ' and model = ' ~ fairsql.literal(judge.model)
    ) -}}
{% endmacro %}


{# The columns of a relation that a judge has judged, in the order in which they are hashed. #}
{% macro text_columns_of(relation, judge) %}
    {%- set columns = [] -%}
    {%- for column in judge.stored_columns.values() -%}
        {%- do columns.append(relation ~ '.' ~ fairsql.identifier(column)) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# The hash of the texts in columns of a relation; `text_columns` maps what each is to the judge -> its name. #}
{% macro input_hash_of(relation, text_columns) %}
    {%- set columns = [] -%}
    {%- for column in text_columns.values() -%}
        {%- do columns.append(relation ~ '.' ~ fairsql.identifier(fairsql.stored_name(column))) -%}
    {%- endfor -%}
    {{- return(fairsql.input_hash(columns)) -}}
{% endmacro %}


{# SHA-256 of texts, in hexadecimal. Each stands behind its length, so that no two lists of texts are written alike, and a
   missing one is `-`. #}
{% macro input_hash(columns) %}
    {%- set parts = [] -%}
    {%- for column in columns -%}
        {%- set text = fairsql.text(column) -%}
        {%- do parts.append("case when " ~ column ~ " is null then '-' else " ~ fairsql.text('length(' ~ text ~ ')') ~ " || ':' || " ~ text ~ ' end') -%}
    {%- endfor -%}
    {{- return(fairsql.sha256(parts | join(' || '))) -}}
{% endmacro %}


{# SHA-256 of a text in UTF-8, as 64 hexadecimal digits in small letters. #}
{% macro sha256(text) %}{{ return(adapter.dispatch('fairsql_sha256', 'fairsql')(text)) }}{% endmacro %}
{% macro default__fairsql_sha256(text) %}{{ return('sha2(' ~ text ~ ', 256)') }}{% endmacro %}
