{# DuckDB. Dates, text and booleans have no product with a number, so `* 1` lets only numbers pass. #}

{% macro duckdb__fairsql_double(expression) %}{{ return('cast(' ~ expression ~ ' as double)') }}{% endmacro %}


{# No branch on each row, which costs half of a CASE; it is null of no rows, or where the condition is null of all. #}
{% macro duckdb__fairsql_count(condition) %}{{ return('coalesce(count_if(' ~ condition ~ '), 0)') }}{% endmacro %}


{# Planned in less time than a union. #}
{% macro duckdb__fairsql_table_of_numbers(name, columns, rows) %}
    {%- set lists = [] -%}
    {%- for row in rows -%}{%- do lists.append('(' ~ row | join(', ') ~ ')') -%}{%- endfor -%}
    {{- return('(values ' ~ lists | join(', ') ~ ') as ' ~ name ~ ' (' ~ columns | join(', ') ~ ')') -}}
{% endmacro %}


{% macro duckdb__fairsql_column(name, kind) %}
    {{- return(fairsql.identifier(name) ~ (' collate C' if kind == 'text' else '')) -}}
{% endmacro %}


{% macro duckdb__fairsql_number(column, kind) %}
    {%- if kind in ['integer', 'decimal'] -%}
        {{- return('cast(' ~ column ~ ' as double)') -}}
    {%- elif kind == 'float' -%}
        {{- return("nullif(cast(" ~ column ~ " as double), cast('nan' as double))") -}}
    {%- endif -%}
    {{- return("nullif(cast(" ~ column ~ " * 1 as double), cast('nan' as double))") -}}
{% endmacro %}


{% macro duckdb__fairsql_trim(text) %}
    {%- set space = '[\\t-\\r\\x{85}\\p{Z}]+' -%}
    {{- return("regexp_replace(" ~ text ~ ", '^" ~ space ~ "|" ~ space ~ "$', '', 'g')") -}}
{% endmacro %}


{# Hardly a label begins with white space: the cheap test spares the expression, and a number needs no test. #}
{% macro duckdb__fairsql_is_blank(column, kind) %}
    {%- set text = column if kind == 'text' else fairsql.text(column) -%}
    {%- set blank = '(' ~ text ~ " < '!' or " ~ text ~ " > '~') and " ~ fairsql.trim(text) ~ " = ''" -%}
    {{- return(blank if kind is not none else 'typeof(' ~ column ~ ") not in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'BOOLEAN', 'DOUBLE', 'FLOAT') and " ~ blank) -}}
{% endmacro %}


{% macro duckdb__fairsql_canonical_number(text) %}
    {{- return(
        "regexp_replace(" ~ text ~ ", '^(?:-(0)\\.0+|(-?[0-9]+)(?:\\.0+|(\\.[0-9]*[1-9])0+))$', '\\1\\2\\3')"
    ) -}}
{% endmacro %}


{% macro duckdb__fairsql_value_text(column, kind) %}
    {%- set text = 'cast(' ~ column ~ ' as varchar)' -%}
    {%- set float_text = "cast(nullif(cast(" ~ column ~ " as double), cast('nan' as double)) as varchar)" -%}
    {%- set clock_text = "replace(" ~ text ~ ", ' ', 'T')" -%}
    {%- set instant = column if kind is not none else "try_cast(" ~ text ~ " as timestamptz)" -%}
    {#- An infinite instant has no microseconds; its text is the same in every zone. -#}
    {%- set utc_text = "coalesce(replace(cast(make_timestamp(epoch_us(" ~ instant ~ ")) as varchar), ' ', 'T') || 'Z', " ~ text ~ ")" -%}
    {%- if kind == 'text' -%}
        {{- return(column) -}}
    {%- elif kind == 'float' -%}
        {{- return(float_text) -}}
    {%- elif kind == 'timestamp' -%}
        {{- return(clock_text) -}}
    {%- elif kind == 'timestamptz' -%}
        {{- return(utc_text) -}}
    {%- elif kind is not none -%}
        {{- return(text) -}}
    {%- endif -%}
    {# The type is DuckDB's to tell: typeof() is folded when the statement is planned. #}
    {{- return(
        "case when typeof(" ~ column ~ ") in ('DOUBLE', 'FLOAT')"
        ~ " then cast(nullif(try_cast(" ~ text ~ " as double), cast('nan' as double)) as varchar)"
        ~ " when typeof(" ~ column ~ ") = 'TIMESTAMP WITH TIME ZONE' then " ~ utc_text
        ~ " when typeof(" ~ column ~ ") like 'TIMESTAMP%' then " ~ clock_text
        ~ " else " ~ text ~ " end"
    ) -}}
{% endmacro %}


{# An infinite instant, and one to the nanosecond, is told by its text alone. #}
{% macro duckdb__fairsql_is_told_by_value(kind) %}{{ return(kind in ['integer', 'decimal', 'float', 'boolean', 'date', 'timestamp']) }}{% endmacro %}


{# As a list of characters, which costs less than right(). #}
{% macro duckdb__fairsql_last_character(text) %}{{ return('(' ~ text ~ ')[-1]') }}{% endmacro %}


{# Without a text of each number. The type is DuckDB's to tell, and told when the statement is planned. #}
{% macro duckdb__fairsql_is_present(column, kind) %}
    {%- set number = "nullif(try_cast(" ~ column ~ " as double), cast('nan' as double)) is not null" -%}
    {%- if kind == 'float' -%}
        {{- return(number) -}}
    {%- elif kind is not none -%}
        {{- return(column ~ ' is not null') -}}
    {%- endif -%}
    {{- return("case when typeof(" ~ column ~ ") in ('DOUBLE', 'FLOAT') then " ~ number ~ " else " ~ column ~ " is not null end") -}}
{% endmacro %}


{# Whole numbers are compared as such, where values are. #}
{% macro duckdb__fairsql_matches(column, kind, values) %}
    {%- set by_text = fairsql.default__fairsql_matches(column, kind, values) -%}
    {%- set integers = [] -%}
    {%- for value in values -%}{%- do integers.append(value) if fairsql.number_shape(value) == 'integer' -%}{%- endfor -%}
    {%- if kind is not none or integers | length < values | length -%}
        {{- return(by_text) -}}
    {%- endif -%}
    {{- return(
        "case when typeof(" ~ column ~ ") in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT') then try_cast(" ~ column ~ " as bigint) in ("
        ~ integers | join(', ') ~ ') else ' ~ by_text ~ ' end'
    ) -}}
{% endmacro %}


{% macro duckdb__fairsql_orders_all_types() %}{{ return(true) }}{% endmacro %}


{% macro duckdb__fairsql_code_points(text) %}{{ return(text) }}{% endmacro %}


{% macro duckdb__fairsql_is_boolean(column, kind) %}{{ return('typeof(' ~ column ~ ") = 'BOOLEAN'") }}{% endmacro %}


{# One machine sorts rows sooner than it counts as many distinct scores. #}
{% macro duckdb__fairsql_counts_before_ranking() %}{{ return(false) }}{% endmacro %}


{% macro duckdb__fairsql_plain_text(column) %}{{ return(fairsql.text(column) ~ ' collate C') }}{% endmacro %}


{% macro duckdb__fairsql_embedding(column, kind) %}{{ return('try_cast(' ~ column ~ ' as double[])') }}{% endmacro %}


{# A null in any row's list is an error here, whether or not that row is asked for; the cosine with zeros is NaN. #}
{% macro duckdb__fairsql_cosine(first, second) %}
    {%- set conditions = ['len(' ~ first ~ ') = len(' ~ second ~ ')'] -%}
    {%- set filled = [] -%}
    {%- for list in [first, second] -%}
        {%- do conditions.append('list_aggregate(' ~ list ~ ", 'count') = len(" ~ list ~ ')') -%}
        {%- do filled.append('list_transform(' ~ list ~ ', lambda number: coalesce(number, 0e0))') -%}
    {%- endfor -%}
    {{- return(
        'case\n            when ' ~ conditions | join(' and ')
        ~ '\n                then nullif(list_cosine_similarity(' ~ filled | join(', ') ~ "), cast('nan' as double))\n        end"
    ) -}}
{% endmacro %}


{% macro duckdb__fairsql_replace_all(text, pattern, replacement) %}
    {{- return('regexp_replace(' ~ text ~ ", '" ~ pattern ~ "', '" ~ replacement ~ "', 'g')") -}}
{% endmacro %}


{% macro duckdb__fairsql_spaced(text) %}
    {{- return('trim(regexp_replace(' ~ text ~ ", '[" ~ fairsql.white_space_class() ~ "]+', ' ', 'g'))") -}}
{% endmacro %}


{% macro duckdb__fairsql_words(text) %}
    {{- return('regexp_extract_all(' ~ text ~ ", '[^" ~ fairsql.white_space_class() ~ "]+')") -}}
{% endmacro %}


{% macro duckdb__fairsql_word_count(words) %}{{ return('len(' ~ words ~ ')') }}{% endmacro %}


{# An intersection of lists counts each element once: each n-gram is numbered by its occurrences. A lambda that read the
   list of words would copy it for each of them; it reads the list beside itself, moved on by a word, by two, …. #}
{% macro duckdb__fairsql_shared_grams(first, second, size) %}
    {%- set numbered = [] -%}
    {%- for words in [first, second] -%}
        {%- set moved = [words] -%}
        {%- for place in range(2, size + 1) -%}{%- do moved.append(words ~ '[' ~ place ~ ':]') -%}{%- endfor -%}
        {%- set grams = words if size == 1 else 'list_transform(list_zip(' ~ moved | join(', ') ~ ', true), lambda gram: ' ~ fairsql.gram("gram[1", "]", size) ~ ')' -%}
        {%- do numbered.append(
            'flatten(list_transform(map_entries(list_aggregate(' ~ grams ~ ", 'histogram')), lambda found:"
            ~ " list_transform(range(cast(found.value as bigint)), lambda place: found.key || ' ' || place)))"
        ) -%}
    {%- endfor -%}
    {%- set break = '\n                ' -%}
    {{- return('coalesce(len(list_intersect(' ~ break ~ numbered | join(',' ~ break) ~ '\n            )), 0)') -}}
{% endmacro %}


{# Before DuckDB 2.0 it counts bytes: then an error, and no wrong number. #}
{% macro duckdb__fairsql_edits(first, second) %}
    {{- return(
        "case when levenshtein('é', 'e') = 1 then levenshtein(" ~ first ~ ', ' ~ second ~ ") else error('levenshtein() counts bytes in this version of DuckDB') end"
    ) -}}
{% endmacro %}


{# DuckDB's JSON takes NaN, infinities and a comma before a closing bracket: outside of strings they are looked for. #}
{% macro duckdb__fairsql_is_json(text) %}
    {{- return(
        'json_valid(' ~ text ~ ') and not regexp_matches(regexp_replace(' ~ text ~ ", '\"(?:[^\"\\\\]|\\\\.)*\"', '', 'g'), '(?i)nan|inf|,\\s*[\\]}]')"
    ) -}}
{% endmacro %}


{# Ranked windows are never made a join: DuckDB 2.0. #}
{% macro duckdb__fairsql_anchor(columns) %}
    {{- return('rank() over (partition by ' ~ columns | join(', ') ~ ' order by ' ~ columns[0] ~ ' asc)') -}}
{% endmacro %}


{# Microseconds are whole numbers, and seconds doubles. #}
{% macro duckdb__fairsql_elapsed_seconds(column, kind, start, first) %}
    {{- return('((epoch_us(' ~ column ~ ') - ' ~ start ~ '000000) // 1000000)') -}}
{% endmacro %}


{% macro duckdb__fairsql_is_sampled(value) %}{{ return('hash(' ~ value ~ ') % 512 = 0') }}{% endmacro %}


{# Where it knows nothing of their number, DuckDB may hash the many rows to look up the few: a list is one row to it. #}
{% macro duckdb__fairsql_few_rows(select, columns) %}
    {%- set fields = [] -%}
    {%- for column in columns -%}{%- do fields.append(column ~ ' := ' ~ column) -%}{%- endfor -%}
    {{- return(
        '(\n            select unnest(few, recursive := true)\n            from (select list(struct_pack(' ~ fields | join(', ') ~ ')) as few from (\n            '
        ~ select ~ '\n            ) as rows_of_few) as one_list\n        )'
    ) -}}
{% endmacro %}


{% macro duckdb__fairsql_sha256(text) %}{{ return('sha256(' ~ text ~ ')') }}{% endmacro %}


{% macro duckdb__fairsql_words_jaccard(first, second) %}
    {{- return(
        'coalesce(cast(len(list_intersect(list_distinct(' ~ first ~ '), list_distinct(' ~ second ~ '))) as double) / nullif(len(list_distinct(list_concat('
        ~ first ~ ', ' ~ second ~ '))), 0), 1e0)'
    ) -}}
{% endmacro %}


{% macro duckdb__fairsql_json_field(text, field) %}
    {{- return('case when json_valid(' ~ text ~ ') then json_extract_string(' ~ text ~ ", '$." ~ field ~ "') end") -}}
{% endmacro %}


{% macro duckdb__fairsql_number_in_text(text) %}{{ return('try_cast(' ~ text ~ ' as double)') }}{% endmacro %}
