{# The primitives that differ between warehouses, each as a wrapper and its standard SQL.
   A dialect's file overrides what that warehouse spells differently, and nothing else.
   `kind` is integer, float, decimal, boolean, text, date, timestamp, timestamptz, other,
   `constant` where there is no column, or none where the column's type is not known. #}


{# A name as the warehouse stores it, from how a user writes it. #}
{% macro stored_name(name) %}{{ return(adapter.dispatch('fairsql_stored_name', 'fairsql')(name)) }}{% endmacro %}
{% macro default__fairsql_stored_name(name) %}{{ return(name) }}{% endmacro %}


{# A name as a user writes it: what stands between quotes as it is; `folded`, its one case, where it needs no quotes. #}
{% macro folded_name(name, folded) %}
    {%- if name[:1] == '"' and name[-1:] == '"' and name | length > 2 -%}
        {{- return(name[1:-1] | replace('""', '"')) -}}
    {%- endif -%}
    {%- for character in name -%}
        {%- if character not in 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$' -%}{{- return(name) -}}{%- endif -%}
    {%- endfor -%}
    {{- return(name if name[:1] in '0123456789$' else folded) -}}
{% endmacro %}


{# A name as it is stored, quoted. #}
{% macro identifier(name) %}{{ return(adapter.dispatch('fairsql_identifier', 'fairsql')(name)) }}{% endmacro %}
{% macro default__fairsql_identifier(name) %}{{ return('"' ~ name | replace('"', '""') ~ '"') }}{% endmacro %}


{# A text literal. #}
{% macro literal(text) %}{{ return(adapter.dispatch('fairsql_literal', 'fairsql')(text)) }}{% endmacro %}
{% macro default__fairsql_literal(text) %}{{ return("'" ~ text | string | replace("'", "''") ~ "'") }}{% endmacro %}


{# The 64-bit floating type, the 64-bit integer type and the text type. #}
{% macro double(expression) %}{{ return(adapter.dispatch('fairsql_double', 'fairsql')(expression)) }}{% endmacro %}
{% macro default__fairsql_double(expression) %}{{ return('cast(' ~ expression ~ ' as double precision)') }}{% endmacro %}

{% macro bigint(expression) %}{{ return(adapter.dispatch('fairsql_bigint', 'fairsql')(expression)) }}{% endmacro %}
{% macro default__fairsql_bigint(expression) %}{{ return('cast(' ~ expression ~ ' as bigint)') }}{% endmacro %}

{# An integer type that holds 1,000, as small as may be: it is sorted by. #}
{% macro smallint(expression) %}{{ return(adapter.dispatch('fairsql_smallint', 'fairsql')(expression)) }}{% endmacro %}
{% macro default__fairsql_smallint(expression) %}{{ return('cast(' ~ expression ~ ' as smallint)') }}{% endmacro %}

{% macro text(expression) %}{{ return(adapter.dispatch('fairsql_text', 'fairsql')(expression)) }}{% endmacro %}
{% macro default__fairsql_text(expression) %}{{ return('cast(' ~ expression ~ ' as varchar)') }}{% endmacro %}


{# A number that no decimal of 38 places holds, written as a double. #}
{% macro extreme(number) %}{{ return(adapter.dispatch('fairsql_extreme', 'fairsql')(number)) }}{% endmacro %}
{% macro default__fairsql_extreme(number) %}{{ return(number) }}{% endmacro %}


{# A column as it is read, whatever collation it carries: `F` and `f` stay two values. What is of the kind `constant` is no
   column: all rows are one group. #}
{% macro read_column(name, kind) %}{{ return(fairsql.text(fairsql.literal('all')) if kind == 'constant' else adapter.dispatch('fairsql_column', 'fairsql')(name, kind)) }}{% endmacro %}
{% macro default__fairsql_column(name, kind) %}{{ return(fairsql.identifier(name)) }}{% endmacro %}


{# A numeric column as a double, NaN as null. Text, booleans and dates must fail, not convert. #}
{% macro number(column, kind) %}{{ return(adapter.dispatch('fairsql_number', 'fairsql')(column, kind)) }}{% endmacro %}


{# Text without the white space around it: U+0009-000D, 0020, 0085, 00A0, 1680, 2000-200A, 2028, 2029, 202F, 205F, 3000. #}
{% macro trim(text) %}{{ return(adapter.dispatch('fairsql_trim', 'fairsql')(text)) }}{% endmacro %}


{# The characters of white space, as escapes of a string literal. #}
{% macro white_space() %}
    {{- return('\\t\\n\\u000b\\f\\r \\u0085\\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000') -}}
{% endmacro %}


{# A text literal in which a backslash begins an escape. #}
{% macro literal_with_escapes(text) %}
    {{- return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "\\'") | replace('\n', '\\n') | replace('\r', '\\r') ~ "'") -}}
{% endmacro %}


{# True for text that is white space alone. #}
{% macro is_blank(column, kind) %}{{ return(adapter.dispatch('fairsql_is_blank', 'fairsql')(column, kind)) }}{% endmacro %}
{% macro default__fairsql_is_blank(column, kind) %}{{ return(fairsql.trim(fairsql.text(column)) ~ " = ''") }}{% endmacro %}


{# Text that reads as a decimal number, without trailing zeros and bare point; other text as it is. #}
{% macro canonical_number(text) %}{{ return(adapter.dispatch('fairsql_canonical_number', 'fairsql')(text)) }}{% endmacro %}


{# The text of a value before trimming and number form; missing (null, NaN) is null. #}
{% macro value_text(column, kind) %}{{ return(column if kind == 'constant' else adapter.dispatch('fairsql_value_text', 'fairsql')(column, kind)) }}{% endmacro %}


{# True for a value that is neither null nor NaN, which a decimal is in PostgreSQL alone. #}
{% macro is_present(column, kind) %}{{ return(adapter.dispatch('fairsql_is_present', 'fairsql')(column, kind)) }}{% endmacro %}
{% macro default__fairsql_is_present(column, kind) %}{{ return((column if kind == 'decimal' else fairsql.present_value(column, kind)) ~ ' is not null') }}{% endmacro %}


{# True when the value's canonical text is one of `values`. #}
{% macro matches(column, kind, values) %}{{ return(adapter.dispatch('fairsql_matches', 'fairsql')(column, kind, values)) }}{% endmacro %}
{% macro default__fairsql_matches(column, kind, values) %}
    {%- set literals = [] -%}
    {%- set booleans = [] -%}
    {%- set integers = [] -%}
    {%- set doubles = [] -%}
    {%- set long_texts = [] -%}
    {%- for value in values -%}
        {%- set shape = fairsql.number_shape(value) -%}
        {%- do literals.append(fairsql.literal(value)) -%}
        {%- do booleans.append(fairsql.literal(value | lower)) if value | lower in ['true', 'false'] -%}
        {%- do integers.append(value) if shape == 'integer' -%}
        {%- do doubles.append(fairsql.double(fairsql.literal(value))) if shape -%}
        {#- More digits than a number of this shape: compared as text, so that none is lost. -#}
        {%- do long_texts.append(fairsql.literal(value)) if not shape and value | length > 16 -%}
    {%- endfor -%}
    {%- set among = ' in (' ~ literals | join(', ') ~ ')' -%}
    {%- if kind == 'text' and not doubles and not long_texts -%}
        {{- return(column ~ among) -}}
    {%- elif kind == 'text' -%}
        {#- Only text with a point can have a second spelling of a number. -#}
        {{- return('(' ~ column ~ among ~ ' or (' ~ column ~ " like '%.%' and " ~ fairsql.canonical_number(column) ~ among ~ '))') -}}
    {%- elif kind == 'integer' -%}
        {%- set ways = [] -%}
        {%- do ways.append(column ~ ' in (' ~ integers | join(', ') ~ ')') if integers -%}
        {%- do ways.append(fairsql.text(column) ~ ' in (' ~ long_texts | join(', ') ~ ')') if long_texts -%}
        {{- return('(' ~ ways | join(' or ') ~ ')' if ways | length > 1 else ways[0] if ways else 'false') -}}
    {%- elif kind == 'float' -%}
        {{- return(fairsql.double(column) ~ ' in (' ~ doubles | join(', ') ~ ')' if doubles else 'false') -}}
    {%- elif kind == 'boolean' -%}
        {{- return(fairsql.text(column) ~ ' in (' ~ booleans | join(', ') ~ ')' if booleans else 'false') -}}
    {%- endif -%}
    {%- set text = fairsql.value_text(column, kind) -%}
    {%- set matches = '(' ~ text ~ among ~ ' or (' ~ text ~ " like '%.%' and " ~ fairsql.canonical_number(text) ~ among ~ '))' -%}
    {%- if kind is none and booleans -%}
        {%- set boolean_matches = fairsql.text(column) ~ ' in (' ~ booleans | join(', ') ~ ')' -%}
        {{- return('(' ~ matches ~ ' or (' ~ fairsql.is_boolean(column, kind) ~ ' and ' ~ boolean_matches ~ '))') -}}
    {%- endif -%}
    {{- return(matches) -}}
{% endmacro %}


{# True when a text holds another, to the letter. #}
{% macro holds_text(text, part) %}{{ return(adapter.dispatch('fairsql_holds_text', 'fairsql')(text, part)) }}{% endmacro %}
{% macro default__fairsql_holds_text(text, part) %}{{ return('position(' ~ fairsql.literal(part) ~ ' in ' ~ text ~ ') > 0') }}{% endmacro %}


{# Whether the values of a kind differ where their texts do, and are missing where they are null or NaN. #}
{% macro is_told_by_value(kind) %}{{ return(adapter.dispatch('fairsql_is_told_by_value', 'fairsql')(kind)) }}{% endmacro %}
{% macro default__fairsql_is_told_by_value(kind) %}{{ return(kind in ['integer', 'decimal', 'boolean', 'date', 'timestamp', 'timestamptz']) }}{% endmacro %}


{# The last character of a text. #}
{% macro last_character(text) %}{{ return(adapter.dispatch('fairsql_last_character', 'fairsql')(text)) }}{% endmacro %}
{% macro default__fairsql_last_character(text) %}{{ return('right(' ~ text ~ ', 1)') }}{% endmacro %}


{# True when the column is of the boolean type. #}
{% macro is_boolean(column, kind) %}{{ return(adapter.dispatch('fairsql_is_boolean', 'fairsql')(column, kind)) }}{% endmacro %}


{# Whether values of any type have a least one, booleans too. #}
{% macro orders_all_types() %}{{ return(adapter.dispatch('fairsql_orders_all_types', 'fairsql')()) }}{% endmacro %}
{% macro default__fairsql_orders_all_types() %}{{ return(false) }}{% endmacro %}


{# Text that sorts by Unicode code point. #}
{% macro code_points(text) %}{{ return(adapter.dispatch('fairsql_code_points', 'fairsql')(text)) }}{% endmacro %}
{% macro default__fairsql_code_points(text) %}{{ return(text ~ ' collate "C"') }}{% endmacro %}


{# How many rows meet a condition. #}
{% macro count(condition) %}{{ return(adapter.dispatch('fairsql_count', 'fairsql')(condition)) }}{% endmacro %}
{% macro default__fairsql_count(condition) %}{{ return('count(case when ' ~ condition ~ ' then 1 end)') }}{% endmacro %}


{# A relation of the given rows of numbers, for a FROM clause that is indented by four. #}
{% macro table_of_numbers(name, columns, rows) %}{{ return(adapter.dispatch('fairsql_table_of_numbers', 'fairsql')(name, columns, rows)) }}{% endmacro %}
{% macro default__fairsql_table_of_numbers(name, columns, rows) %}
    {%- set selects = [] -%}
    {%- for row in rows -%}
        {%- set items = [] -%}
        {%- for column in columns -%}{%- do items.append(row[loop.index0] ~ ' as ' ~ column) -%}{%- endfor -%}
        {%- do selects.append('select ' ~ items | join(', ')) -%}
    {%- endfor -%}
    {{- return('(\n        ' ~ selects | join('\n        union all ') ~ '\n    ) as ' ~ name) -}}
{% endmacro %}


{# The population variance of a double, by an algorithm that survives large offsets. #}
{% macro variance(expression) %}{{ return(adapter.dispatch('fairsql_variance', 'fairsql')(expression)) }}{% endmacro %}
{% macro default__fairsql_variance(expression) %}{{ return('var_pop(' ~ expression ~ ')') }}{% endmacro %}


{# Whether scores are counted before they are ranked: where a sort of all rows would move them between machines. #}
{% macro counts_before_ranking() %}{{ return(adapter.dispatch('fairsql_counts_before_ranking', 'fairsql')()) }}{% endmacro %}
{% macro default__fairsql_counts_before_ranking() %}{{ return(true) }}{% endmacro %}


{# Whether values are counted in bins before a few are put in order, which reads them three times, or all are sorted: where a
   CTE is computed at each reader, three times is over and over. #}
{% macro selects_by_bins() %}{{ return(adapter.dispatch('fairsql_selects_by_bins', 'fairsql')()) }}{% endmacro %}
{% macro default__fairsql_selects_by_bins() %}{{ return(true) }}{% endmacro %}


{# True for one value in 512, and always for the same ones. #}
{% macro is_sampled(value) %}{{ return(adapter.dispatch('fairsql_is_sampled', 'fairsql')(value)) }}{% endmacro %}


{# Few rows beside those of a relation, in parentheses. #}
{% macro few_rows(select, columns) %}{{ return(adapter.dispatch('fairsql_few_rows', 'fairsql')(select, columns)) }}{% endmacro %}
{% macro default__fairsql_few_rows(select, columns) %}{{ return('(\n            ' ~ select ~ '\n        )') }}{% endmacro %}


{# Whether a window's frame may be a range of values up to the current row's, or only rows. #}
{% macro has_range_frames() %}{{ return(adapter.dispatch('fairsql_has_range_frames', 'fairsql')()) }}{% endmacro %}
{% macro default__fairsql_has_range_frames() %}{{ return(true) }}{% endmacro %}


{# How a statement begins that has CTEs. #}
{% macro with_keyword(is_nested) %}{{ return(adapter.dispatch('fairsql_with_keyword', 'fairsql')(is_nested)) }}{% endmacro %}
{% macro default__fairsql_with_keyword(is_nested) %}{{ return('with') }}{% endmacro %}


{# A CTE that others read more than once. #}
{% macro computed_once(name, body, is_nested) %}{{ return(adapter.dispatch('fairsql_computed_once', 'fairsql')(name, body, is_nested)) }}{% endmacro %}
{% macro default__fairsql_computed_once(name, body, is_nested) %}{{ return(fairsql.cte(name, body)) }}{% endmacro %}


{# The end of a stage of arithmetic that must not be merged into the next one. #}
{% macro fence() %}{{ return(adapter.dispatch('fairsql_fence', 'fairsql')()) }}{% endmacro %}
{% macro default__fairsql_fence() %}{{ return('') }}{% endmacro %}


{# --- texts: see macros/statistics/text.sql --- #}


{# Why this warehouse cannot compute a quantity of texts: the function it lacks and what would give it; none where it can. #}
{% macro lacks(quantity) %}{{ return(adapter.dispatch('fairsql_lacks', 'fairsql')(quantity)) }}{% endmacro %}
{% macro default__fairsql_lacks(quantity) %}{{ return(none) }}{% endmacro %}


{# A text that compares by its code points, from a column of any type. #}
{% macro plain_text(column) %}{{ return(adapter.dispatch('fairsql_plain_text', 'fairsql')(column)) }}{% endmacro %}
{% macro default__fairsql_plain_text(column) %}{{ return(fairsql.text(column)) }}{% endmacro %}


{# An embedding from a column of an array, or of JSON text of one; null where it is neither, or holds a null. #}
{% macro embedding(column, kind) %}{{ return(adapter.dispatch('fairsql_embedding', 'fairsql')(column, kind)) }}{% endmacro %}
{% macro default__fairsql_embedding(column, kind) %}{{ return(column) }}{% endmacro %}

{% macro text_input(column, input) %}
    {%- if input.role == 'embedding' -%}
        {{- return(fairsql.embedding(column, input.kind)) -}}
    {%- endif -%}
    {{- return(column if input.kind == 'text' else fairsql.plain_text(column)) -}}
{% endmacro %}


{# The cosine of two embeddings; null where they differ in length, or one is all zeros. #}
{% macro cosine(first, second) %}{{ return(adapter.dispatch('fairsql_cosine', 'fairsql')(first, second)) }}{% endmacro %}


{# Text in lower case, by Unicode. #}
{% macro lower_case(text) %}{{ return(adapter.dispatch('fairsql_lower_case', 'fairsql')(text)) }}{% endmacro %}
{% macro default__fairsql_lower_case(text) %}{{ return('lower(' ~ text ~ ')') }}{% endmacro %}


{# Text in which each match of a regular expression, one that is the same everywhere, is replaced. #}
{% macro replace_all(text, pattern, replacement) %}{{ return(adapter.dispatch('fairsql_replace_all', 'fairsql')(text, pattern, replacement)) }}{% endmacro %}
{% macro default__fairsql_replace_all(text, pattern, replacement) %}
    {{- return('regexp_replace(' ~ text ~ ", '" ~ pattern ~ "', '" ~ replacement ~ "')") -}}
{% endmacro %}


{# Words with one space between them. White space is as for keys, and U+001C-001F, which Python's str.split() counts in. #}
{% macro spaced(text) %}{{ return(adapter.dispatch('fairsql_spaced', 'fairsql')(text)) }}{% endmacro %}


{# The class of those characters in the regular expressions of RE2 and of Java. #}
{% macro white_space_class() %}{{ return('\\t-\\r\\x1c-\\x20\\x{85}\\p{Z}') }}{% endmacro %}


{# The words of a text, how many they are, and how many n-grams two texts share. #}
{% macro words(text) %}{{ return(adapter.dispatch('fairsql_words', 'fairsql')(text)) }}{% endmacro %}

{% macro word_count(words) %}{{ return(adapter.dispatch('fairsql_word_count', 'fairsql')(words)) }}{% endmacro %}

{% macro shared_grams(first, second, size) %}{{ return(adapter.dispatch('fairsql_shared_grams', 'fairsql')(first, second, size)) }}{% endmacro %}


{# How many characters are put in, left out or exchanged between two texts (Levenshtein), by code point. #}
{% macro edits(first, second) %}{{ return(adapter.dispatch('fairsql_edits', 'fairsql')(first, second)) }}{% endmacro %}
{% macro default__fairsql_edits(first, second) %}{{ return('levenshtein(' ~ first ~ ', ' ~ second ~ ')') }}{% endmacro %}


{# True for text that is one JSON value. #}
{% macro is_json(text) %}{{ return(adapter.dispatch('fairsql_is_json', 'fairsql')(text)) }}{% endmacro %}


{# A window beside windows of sums, without which the engine would make a join of them and read the relation twice; none
   where it would not. #}
{% macro anchor(columns) %}{{ return(adapter.dispatch('fairsql_anchor', 'fairsql')(columns)) }}{% endmacro %}
{% macro default__fairsql_anchor(columns) %}{{ return('') }}{% endmacro %}


{# A moment in UTC as a literal of a column's kind: timestamp, whose clock is taken to be UTC's, or timestamptz. #}
{% macro moment_literal(moment, kind) %}{{ return(adapter.dispatch('fairsql_moment_literal', 'fairsql')(moment, kind)) }}{% endmacro %}
{% macro default__fairsql_moment_literal(moment, kind) %}
    {{- return("timestamptz '" ~ moment ~ "+00'" if kind == 'timestamptz' else "timestamp '" ~ moment ~ "'") -}}
{% endmacro %}


{# A column of unknown type as what compares with instant_literal: a timestamp of either kind, or a date as its midnight;
   the session's time zone does not matter, and text and numbers are refused. #}
{% macro instant(column) %}{{ return(adapter.dispatch('fairsql_instant', 'fairsql')(column)) }}{% endmacro %}
{% macro default__fairsql_instant(column) %}{{ return('(' ~ column ~ " + interval '0 seconds')") }}{% endmacro %}


{# A moment in UTC beside `instant`; here a literal without a type has that of the other side, and where that has no zone
   the text's own is passed over. #}
{% macro instant_literal(moment) %}{{ return(adapter.dispatch('fairsql_instant_literal', 'fairsql')(moment)) }}{% endmacro %}
{% macro default__fairsql_instant_literal(moment) %}{{ return("'" ~ moment ~ "+00'") }}{% endmacro %}


{# Whole seconds from a moment until a column of known kind, which is not before it: `start` is the moment in seconds after
   1970, and `first` its text. #}
{% macro elapsed_seconds(column, kind, start, first) %}{{ return(adapter.dispatch('fairsql_elapsed_seconds', 'fairsql')(column, kind, start, first)) }}{% endmacro %}
{% macro default__fairsql_elapsed_seconds(column, kind, start, first) %}
    {{- return('(' ~ fairsql.bigint('floor(extract(epoch from ' ~ column ~ '))') ~ ' - ' ~ start ~ ')') -}}
{% endmacro %}
