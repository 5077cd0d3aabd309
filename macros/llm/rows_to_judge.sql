{# Which texts of a relation are still to be judged: those that have every text that the judge needs, a sample of them where one
   is asked for, each text once, and none that has a judgement. `job` holds relation, where, text_columns, needed, key_columns
   (name and kind), sample_size, seed, judge, prompt_version, model, table (none where there is none yet) and retries_errors. #}


{# A page of them in the order of their hashes, which does not change as judgements come in. #}
{% macro rows_to_judge(job, header, after, limit) %}
    {{- fairsql.judging_comment(header) }}
    {{- fairsql.unjudged_texts(job) }}
select
    row_key,
    input_hash
    {%- for name in job.text_columns %},
    text_{{ name }}
    {%- endfor %}
from unjudged
{%- if after is not none %}
where input_hash > {{ fairsql.literal(after) }}
{%- endif %}
order by input_hash
limit {{ limit }}
{% endmacro %}


{# How many there are, and how many characters they have; of the relation, the rows and those that lack a text. #}
{% macro count_to_judge(job, header) %}
    {%- set lengths = [] -%}
    {%- for name in job.text_columns -%}{%- do lengths.append('coalesce(length(text_' ~ name ~ '), 0)') -%}{%- endfor -%}
    {{- fairsql.judging_comment(header) }}
    {{- fairsql.unjudged_texts(job) }},

counted as (
    select
        {{ fairsql.bigint('count(*)') }} as relation_rows,
        {{ fairsql.bigint('coalesce(sum(case when ' ~ fairsql.has_texts(job) ~ ' then 0 else 1 end), 0)') }} as rows_without_texts
    from {{ job.relation }}
    {%- if job.where is not none %}
    where ({{ job.where }})
    {%- endif %}
),

chosen as (
    select {{ fairsql.bigint('count(*)') }} as texts from numbered where copy = 1
),

waiting as (
    select
        {{ fairsql.bigint('count(*)') }} as unjudged_texts,
        {{ fairsql.bigint('coalesce(sum(' ~ lengths | join(' + ') ~ '), 0)') }} as characters
    from unjudged
)

select relation_rows, rows_without_texts, texts, unjudged_texts, characters
from counted
cross join chosen
cross join waiting
{% endmacro %}


{# Lines of a comment that a statement begins with. #}
{% macro judging_comment(header) %}{% for line in header %}-- {{ line }}
{% endfor %}{% endmacro %}


{# The parts that both statements begin with. #}
{% macro unjudged_texts(job) %}
with texts as (
    select
        {{ fairsql.judged_key(job.key_columns) }} as row_key,
        {{ fairsql.input_hash(fairsql.judged_columns(job)) }} as input_hash
        {%- for name, column in job.text_columns.items() %},
        {{ fairsql.text(fairsql.judged_column(column)) }} as text_{{ name }}
        {%- endfor %}
    from {{ job.relation }}
    where
        {{ fairsql.has_texts(job) }}
        {%- if job.where is not none %}
        and ({{ job.where }})
        {%- endif %}
),

{%- if job.sample_size is not none %}

-- the same rows each time: those whose key and seed have the least hashes
sampled as (
    select *
    from texts
    order by {{ fairsql.sha256(fairsql.literal(job.seed ~ ':') ~ ' || ' ~ ('row_key' if job.key_columns else 'input_hash')) }}, input_hash
    limit {{ job.sample_size }}
),
{%- endif %}

-- equal texts are judged once
numbered as (
    select
        *,
        row_number() over (partition by input_hash order by row_key) as copy
    from {{ 'texts' if job.sample_size is none else 'sampled' }}
),
{%- if job.table is not none %}

judged as (
    select distinct input_hash as judged_hash
    from {{ job.table }}
    where {{ fairsql.is_by_judge(job) }}{{ ' and score is not null' if job.retries_errors else '' }}
),
{%- endif %}

unjudged as (
    select *
    from numbered
    {%- if job.table is not none %}
    left join judged on judged.judged_hash = numbered.input_hash
    {%- endif %}
    where copy = 1{{ '' if job.table is none else ' and judged_hash is null' }}
)
{%- endmacro %}


{# A row's key: the canonical texts of its columns. #}
{% macro judged_key(columns) %}
    {%- set parts = [] -%}
    {%- for column in columns -%}
        {%- set text = fairsql.value_text(fairsql.judged_column(column.name), column.kind) -%}
        {%- do parts.append('coalesce(' ~ fairsql.text(text) ~ ", '')") -%}
    {%- endfor -%}
    {{- return(parts | join(" || '|' || ") if parts else fairsql.text('null')) -}}
{% endmacro %}


{# The columns that are judged, in the order in which they are hashed. #}
{% macro judged_columns(job) %}
    {%- set columns = [] -%}
    {%- for column in job.text_columns.values() -%}{%- do columns.append(fairsql.judged_column(column)) -%}{%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# A column by the name that a specification has for it. #}
{% macro judged_column(name) %}{{ return(fairsql.identifier(fairsql.stored_name(name))) }}{% endmacro %}


{# The condition under which a row has every text that its judge needs. #}
{% macro has_texts(job) %}
    {%- set conditions = [] -%}
    {%- for name in job.needed -%}{%- do conditions.append(fairsql.judged_column(job.text_columns[name]) ~ ' is not null') -%}{%- endfor -%}
    {{- return(conditions | join(' and ')) -}}
{% endmacro %}
