{# PostgreSQL 12 and later, with the standard strings of its default settings. Text times a number is an error here, as
   are a date or a boolean times a number: `* 1` lets only numbers pass. #}

{# The planner pulls a stage up into the next unless it has an OFFSET. #}
{% macro postgres__fairsql_fence() %}{{ return('offset 0') }}{% endmacro %}


{# An unquoted name is stored in lower case, a quoted one as it is. #}
{% macro postgres__fairsql_stored_name(name) %}{{ return(fairsql.folded_name(name, name | lower)) }}{% endmacro %}


{% macro postgres__fairsql_text(expression) %}{{ return('cast(' ~ expression ~ ' as text)') }}{% endmacro %}


{# A type that is not known by name, as an enumeration's or an extension's, is its text from the start: char(n) has a collation,
   and to citext `F` and `f` are one. #}
{% macro postgres__fairsql_column(name, kind) %}
    {%- set column = fairsql.identifier(name) -%}
    {{- return(column ~ ' collate "C"' if kind == 'text' else fairsql.plain_text(column) if kind == 'other' else column) -}}
{% endmacro %}


{% macro postgres__fairsql_number(column, kind) %}
    {%- set number = column if kind in ['integer', 'decimal', 'float'] else column ~ ' * 1' -%}
    {{- return("nullif(cast(" ~ number ~ " as double precision), double precision 'NaN')") -}}
{% endmacro %}


{% macro postgres__fairsql_trim(text) %}
    {%- set space = '[\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]+' -%}
    {{- return("regexp_replace(" ~ text ~ ", '^" ~ space ~ "|" ~ space ~ "$', '', 'g')") -}}
{% endmacro %}


{# Hardly a label begins with white space: the cheap test spares the expression. #}
{% macro postgres__fairsql_is_blank(column, kind) %}
    {%- set text = column if kind == 'text' else fairsql.text(column) ~ ' collate "C"' -%}
    {{- return('(' ~ text ~ " < '!' or " ~ text ~ " > '~') and " ~ fairsql.trim(text) ~ " = ''") -}}
{% endmacro %}


{% macro postgres__fairsql_canonical_number(text) %}
    {{- return(
        "regexp_replace(" ~ text ~ ", '^(?:-(0)\\.0+|(-?[0-9]+)(?:\\.0+|(\\.[0-9]*[1-9])0+))$', '\\1\\2\\3')"
    ) -}}
{% endmacro %}


{# JSON spells a timestamp in one way, whatever DateStyle says; adding 0 makes -0 a 0. #}
{% macro postgres__fairsql_value_text(column, kind) %}
    {%- set text = 'cast(' ~ column ~ ' as text)' -%}
    {%- set json_text = "to_json(" ~ column ~ ") #>> '{}'" -%}
    {%- set float_text = "cast(nullif(cast(" ~ text ~ " as double precision) + 0, double precision 'NaN') as text)" -%}
    {%- set single_text = "cast(nullif(cast(cast(" ~ text ~ " as real) as double precision) + 0, double precision 'NaN') as text)" -%}
    {%- set utc_text = "to_json(cast(" ~ json_text ~ " as timestamptz) at time zone 'UTC') #>> '{}' || 'Z'" -%}
    {%- if kind == 'text' -%}
        {{- return(column) -}}
    {%- elif kind in ['integer', 'boolean', 'date', 'other'] -%}
        {{- return(json_text if kind == 'date' else text) -}}
    {%- endif -%}
    {#- The type is PostgreSQL's to tell: pg_typeof() is the same for every row. Beside a null, a domain is the type below it. -#}
    {%- set type_name = 'cast(pg_typeof(coalesce(' ~ column ~ ', null)) as text)' -%}
    {{- return(
        "case " ~ type_name ~ " when 'double precision' then " ~ float_text ~ " when 'real' then " ~ single_text
        ~ " when 'numeric' then nullif(" ~ text ~ ", 'NaN') when 'date' then " ~ json_text
        ~ " when 'timestamp without time zone' then " ~ json_text ~ " when 'timestamp with time zone' then " ~ utc_text
        ~ " else " ~ text ~ ' end collate "C"'
    ) -}}
{% endmacro %}


{# Without a text of each number. #}
{% macro postgres__fairsql_is_present(column, kind) %}
    {%- if kind in ['float', 'decimal'] -%}
        {{- return("nullif(" ~ column ~ ", 'NaN') is not null") -}}
    {%- elif kind is not none -%}
        {{- return(column ~ ' is not null') -}}
    {%- endif -%}
    {%- set type_name = 'cast(pg_typeof(coalesce(' ~ column ~ ', null)) as text)' -%}
    {{- return(
        "case when " ~ type_name ~ " in ('double precision', 'real', 'numeric') then nullif(cast(" ~ column ~ " as text), 'NaN') is not null else "
        ~ column ~ " is not null end"
    ) -}}
{% endmacro %}


{# A numeric may be NaN. #}
{% macro postgres__fairsql_is_told_by_value(kind) %}{{ return(kind in ['integer', 'float', 'boolean', 'date', 'timestamp', 'timestamptz']) }}{% endmacro %}


{% macro postgres__fairsql_is_boolean(column, kind) %}{{ return('cast(pg_typeof(coalesce(' ~ column ~ ", null)) as text) = 'boolean'") }}{% endmacro %}


{# One machine sorts rows sooner than it counts as many distinct scores. #}
{% macro postgres__fairsql_counts_before_ranking() %}{{ return(false) }}{% endmacro %}


{# `position(… in …)` takes no COLLATE. #}
{% macro postgres__fairsql_holds_text(text, part) %}{{ return('strpos(' ~ text ~ ', ' ~ fairsql.literal(part) ~ ') > 0') }}{% endmacro %}


{% macro postgres__fairsql_plain_text(column) %}{{ return(fairsql.text(column) ~ ' collate "C"') }}{% endmacro %}


{# From the text of an array, of JSON and of a vector of pgvector alike. #}
{% macro postgres__fairsql_embedding(column, kind) %}
    {%- set text = fairsql.text(column) -%}
    {{- return('case when ' ~ text ~ " ~ '" ~ fairsql.embedding_pattern('\\s*') ~ "' then cast(translate(" ~ text ~ ", '[]', '{}') as double precision[]) end") -}}
{% endmacro %}


{% macro postgres__fairsql_cosine(first, second) %}
    {{- return(
        'case\n            when cardinality(' ~ first ~ ') = cardinality(' ~ second ~ ') then (\n                select sum(x * y) / nullif(sqrt(sum(x * x)) * sqrt(sum(y * y)), 0)'
        ~ '\n                from unnest(' ~ first ~ ', ' ~ second ~ ') as numbers(x, y)\n            )\n        end'
    ) -}}
{% endmacro %}


{# In the collation "C" only ASCII has a lower case; in another a regular expression takes its time. #}
{% macro postgres__fairsql_lower_case(text) %}{{ return('lower(' ~ text ~ ' collate "und-x-icu") collate "C"') }}{% endmacro %}


{% macro postgres__fairsql_replace_all(text, pattern, replacement) %}
    {{- return('regexp_replace(' ~ text ~ ", '" ~ pattern ~ "', '" ~ replacement ~ "', 'g')") -}}
{% endmacro %}


{% macro postgres__fairsql_spaced(text) %}
    {%- set space = '[\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]+' -%}
    {{- return('btrim(regexp_replace(' ~ text ~ ", '" ~ space ~ "', ' ', 'g'))") -}}
{% endmacro %}


{% macro postgres__fairsql_words(text) %}{{ return('string_to_array(' ~ fairsql.spaced(text) ~ ", ' ')") }}{% endmacro %}


{% macro postgres__fairsql_word_count(words) %}{{ return('cardinality(' ~ words ~ ')') }}{% endmacro %}


{# Each n-gram of one text meets one of the other: they are numbered by their occurrences. #}
{% macro postgres__fairsql_shared_grams(first, second, size) %}
    {%- set numbered = [] -%}
    {%- for words in [first, second] -%}
        {%- do numbered.append(
            'select gram, row_number() over (partition by gram) from (\n                    select ' ~ fairsql.gram(words ~ '[place', ']', size) ~ ' as gram'
            ~ '\n                    from generate_series(1, cardinality(' ~ words ~ ') - ' ~ (size - 1) ~ ') as places(place)\n                ) as grams'
        ) -%}
    {%- endfor -%}
    {{- return('(\n            select count(*) from (\n                ' ~ numbered | join('\n                intersect\n                ') ~ '\n            ) as shared\n        )') -}}
{% endmacro %}


{# levenshtein() is of the extension fuzzystrmatch, and takes at most 255 characters. Of longer texts the costs are
   computed here, a character of the second text a step: the cost at j is the least of the steps that end there, or one
   more than at j - 1, which is j plus the running minimum of cost - j. #}
{% macro postgres__fairsql_edits(first, second) %}
    {%- set codes = 'select array_agg(ascii(letter) order by place) from unnest(string_to_array(TEXT, null)) with ordinality as letters(letter, place)' -%}
    {{- return(
        'case when greatest(length(' ~ first ~ '), length(' ~ second ~ ')) <= 255 then levenshtein(' ~ first ~ ', ' ~ second ~ ') else (
            with recursive steps as (
                select
                    0 as step,
                    (' ~ codes | replace('TEXT', first) ~ ') as codes_1,
                    (' ~ codes | replace('TEXT', second) ~ ') as codes_2,
                    (select array_agg(j order by j) from generate_series(0, length(' ~ first ~ ')) as columns(j)) as costs
                union all
                select
                    step + 1,
                    codes_1,
                    codes_2,
                    (
                        select array_agg(cost order by j)
                        from (
                            select j, cast(j + min(least_cost - j) over (order by j asc) as integer) as cost
                            from (
                                select
                                    j,
                                    case
                                        when j = 0 then step + 1
                                        else least(costs[j + 1] + 1, costs[j] + case when codes_1[j] = codes_2[step + 1] then 0 else 1 end)
                                    end as least_cost
                                from generate_series(0, length(' ~ first ~ ')) as columns(j)
                            ) as by_step
                        ) as by_column
                    )
                from steps
                where step < length(' ~ second ~ ')
            )
            select costs[length(' ~ first ~ ') + 1] from steps where step = length(' ~ second ~ ')
        ) end'
    ) -}}
{% endmacro %}


{# PostgreSQL 16 and later. #}
{% macro postgres__fairsql_is_json(text) %}{{ return(text ~ ' is json') }}{% endmacro %}


{% macro postgres__fairsql_is_sampled(value) %}{{ return('hashfloat8(' ~ value ~ ') % 512 = 0') }}{% endmacro %}


{% macro postgres__fairsql_sha256(text) %}{{ return('encode(sha256(convert_to(' ~ text ~ ', \'UTF8\')), \'hex\')') }}{% endmacro %}


{% macro postgres__fairsql_words_jaccard(first, second) %}
    {{- return(
        '(\n            select coalesce(cast(sum(case when sides = 2 then 1 else 0 end) as double precision) / nullif(count(*), 0), 1e0)\n            from (\n                select word, count(distinct side) as sides'
        ~ '\n                from (select 1 as side, unnest(' ~ first ~ ') as word union all select 2, unnest(' ~ second ~ ')) as words\n                group by word\n            ) as by_word\n        )'
    ) -}}
{% endmacro %}


{# A flat object whose texts hold nothing that a text of PostgreSQL cannot, told by its characters: before version 16 a cast of
   anything else ends the statement. #}
{% macro postgres__fairsql_json_field(text, field) %}
    {%- set pair = 'u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}' -%}
    {%- set string = '"(?:[^"\\\\\\x01-\\x1f]|\\\\(?:["\\\\/bfnrt]|' ~ pair ~ '|u(?!0000|[dD][89a-fA-F])[0-9a-fA-F]{4}))*"' -%}
    {%- set member = '\\s*' ~ string ~ '\\s*:\\s*(?:' ~ string ~ '|-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)\\s*' -%}
    {{- return(
        'case when ' ~ text ~ ' ~ ' ~ fairsql.literal('^\\s*[{]' ~ member ~ '(?:,' ~ member ~ ')*[}]\\s*$') ~ ' then cast(' ~ text ~ " as json) ->> '" ~ field ~ "' end"
    ) -}}
{% endmacro %}
