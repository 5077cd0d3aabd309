{# The primitives that differ between warehouses, each as a wrapper and its standard SQL.
   A dialect's file overrides what that warehouse spells differently, and nothing else.
   `kind` is integer, float, decimal, boolean, text, date, timestamp, timestamptz, other,
   or none where the column's type is not known. #}


{# A name, quoted. #}
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

{% macro text(expression) %}{{ return(adapter.dispatch('fairsql_text', 'fairsql')(expression)) }}{% endmacro %}
{% macro default__fairsql_text(expression) %}{{ return('cast(' ~ expression ~ ' as varchar)') }}{% endmacro %}


{# A column as it is read, whatever collation it carries: `F` and `f` stay two values. #}
{% macro read_column(name, kind) %}{{ return(adapter.dispatch('fairsql_column', 'fairsql')(name, kind)) }}{% endmacro %}
{% macro default__fairsql_column(name, kind) %}{{ return(fairsql.identifier(name)) }}{% endmacro %}


{# A numeric column as a double, NaN as null. Text, booleans and dates must fail, not convert. #}
{% macro number(column, kind) %}{{ return(adapter.dispatch('fairsql_number', 'fairsql')(column, kind)) }}{% endmacro %}


{# Text without the white space around it: U+0009-000D, 0020, 0085, 00A0, 1680, 2000-200A, 2028, 2029, 202F, 205F, 3000. #}
{% macro trim(text) %}{{ return(adapter.dispatch('fairsql_trim', 'fairsql')(text)) }}{% endmacro %}


{# True for text that is white space alone. #}
{% macro is_blank(column, kind) %}{{ return(adapter.dispatch('fairsql_is_blank', 'fairsql')(column, kind)) }}{% endmacro %}
{% macro default__fairsql_is_blank(column, kind) %}{{ return(fairsql.trim(fairsql.text(column)) ~ " = ''") }}{% endmacro %}


{# Text that reads as a decimal number, without trailing zeros and bare point; other text as it is. #}
{% macro canonical_number(text) %}{{ return(adapter.dispatch('fairsql_canonical_number', 'fairsql')(text)) }}{% endmacro %}


{# The text of a value before trimming and number form; missing (null, NaN) is null. #}
{% macro value_text(column, kind) %}{{ return(adapter.dispatch('fairsql_value_text', 'fairsql')(column, kind)) }}{% endmacro %}


{# True when the value's canonical text is one of `values`. #}
{% macro matches(column, kind, values) %}{{ return(adapter.dispatch('fairsql_matches', 'fairsql')(column, kind, values)) }}{% endmacro %}


{# True when the column is of the boolean type. #}
{% macro is_boolean(column, kind) %}{{ return(adapter.dispatch('fairsql_is_boolean', 'fairsql')(column, kind)) }}{% endmacro %}


{# Text that sorts by Unicode code point. #}
{% macro code_points(text) %}{{ return(adapter.dispatch('fairsql_code_points', 'fairsql')(text)) }}{% endmacro %}
{% macro default__fairsql_code_points(text) %}{{ return(text ~ ' collate "C"') }}{% endmacro %}


{# The population variance of a double, by an algorithm that survives large offsets. #}
{% macro variance(expression) %}{{ return(adapter.dispatch('fairsql_variance', 'fairsql')(expression)) }}{% endmacro %}
{% macro default__fairsql_variance(expression) %}{{ return('var_pop(' ~ expression ~ ')') }}{% endmacro %}


{# The end of a stage of arithmetic that must not be merged into the next one. #}
{% macro fence() %}{{ return(adapter.dispatch('fairsql_fence', 'fairsql')()) }}{% endmacro %}
{% macro default__fairsql_fence() %}{{ return('') }}{% endmacro %}
