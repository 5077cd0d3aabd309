{# The argument `filters`: conditions on columns, without SQL. #}


{# A list of mappings of column, operator and value, as a suite file has them: see fairsql/config/filters.py. #}
{% macro check_filters(place, filters) %}
    {%- if filters is string or filters is mapping or filters is not iterable -%}
        {%- do fairsql.refuse(place, 'filters', 'must be a list, but is ' ~ filters) -%}
    {%- endif -%}
    {%- for filter in filters -%}
        {%- if filter is not mapping or 'column' not in filter or 'operator' not in filter or 'value' not in filter or filter | length > 3 -%}
            {%- do fairsql.refuse(place, 'filters', 'holds ' ~ filter ~ '; each has column, operator and value') -%}
        {%- endif -%}
        {%- if filter.column is not string -%}
            {%- do fairsql.refuse(place, 'filters', 'names the column ' ~ filter.column ~ ', which is no name') -%}
        {%- endif -%}
        {%- do fairsql.check_scalar(place, 'filters', filter.column) -%}
        {%- set operators = fairsql.catalogue().filter_operators -%}
        {%- if filter.operator not in operators -%}
            {%- do fairsql.refuse(place, 'filters', 'use the operator ' ~ filter.operator ~ '; operators are ' ~ operators.keys() | join(', ')) -%}
        {%- endif -%}
        {%- set takes = operators[filter.operator] -%}
        {%- set is_list = filter.value is iterable and filter.value is not string and filter.value is not mapping -%}
        {%- if takes == 'list' and (not is_list or not filter.value) -%}
            {%- do fairsql.refuse(place, 'filters', 'must give ' ~ filter.operator ~ ' a list of at least one value') -%}
        {%- elif takes != 'list' and is_list -%}
            {%- do fairsql.refuse(place, 'filters', 'must give ' ~ filter.operator ~ ' one value; one_of and none_of take several') -%}
        {%- endif -%}
        {%- for value in (filter.value if is_list else [filter.value]) -%}{%- do fairsql.check_scalar(place, 'filters', value) -%}{%- endfor -%}
        {%- if takes == 'order' and not fairsql.is_plain_number(filter.value) and fairsql.moment_in_utc(filter.value) is none -%}
            {%- do fairsql.refuse(
                place, 'filters', 'must give ' ~ filter.operator
                ~ " a number, a date, or a timestamp in UTC such as '2024-03-01T12:00:00Z', but the value is " ~ filter.value
            ) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# The predicate of a test's filters; none where it has none. #}
{% macro filtered(test) %}
    {%- set terms = [] -%}
    {%- for filter in test.filters or [] -%}
        {%- set is_list = filter.value is iterable and filter.value is not string -%}
        {%- set texts = [] -%}
        {%- for value in (filter.value if is_list else [filter.value]) -%}
            {%- set text = fairsql.canonical_value(value) -%}
            {%- do texts.append(text) if text not in texts -%}
        {%- endfor -%}
        {%- set is_order = fairsql.catalogue().filter_operators[filter.operator] == 'order' -%}
        {%- set is_number = fairsql.is_plain_number(filter.value) -%}
        {%- do terms.append({
            'column': fairsql.stored_name(filter.column),
            'kind': none,
            'operator': filter.operator,
            'texts': texts,
            'number': texts[0] if is_order and is_number else none,
            'moment': fairsql.moment_in_utc(filter.value) if is_order and not is_number else none,
        }) -%}
    {%- endfor -%}
    {{- return(fairsql.filters(terms) if terms else none) -}}
{% endmacro %}


{# True for a number that is no boolean. #}
{% macro is_plain_number(value) %}{{ return(true if value is number and value is not boolean else false) }}{% endmacro %}


{# A date or a time in UTC as 2024-03-01T12:00:00.000000; none for what is neither. A time without a zone is taken as UTC. #}
{% macro moment_in_utc(value) %}
    {%- if value is boolean or value is number -%}{{- return(none) -}}{%- endif -%}
    {%- set text = value | string | replace(' ', 'T') -%}
    {%- for zone in ['Z', '+00:00', '-00:00'] if text[10:11] == 'T' and text[0 - zone | length:] == zone -%}
        {{- return(fairsql.moment_in_utc(text[:0 - zone | length])) -}}
    {%- endfor -%}
    {%- set whole = text ~ {10: 'T00:00:00.000000', 13: ':00:00.000000', 16: ':00.000000', 19: '.000000', 23: '000'}.get(text | length, '') -%}
    {%- set shape = namespace(others='') -%}
    {%- for character in whole -%}
        {%- if character in '0123456789' -%}
            {%- set shape.others = shape.others ~ '0' -%}
        {%- else -%}
            {%- set shape.others = shape.others ~ character -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if shape.others != '0000-00-00T00:00:00.000000' -%}{{- return(none) -}}{%- endif -%}
    {%- set month, day = whole[5:7] | int, whole[8:10] | int -%}
    {%- set year = whole[:4] | int -%}
    {%- set is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) -%}
    {%- set days = [31, 29 if is_leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] -%}
    {%- set is_time = year > 0 and 0 < month <= 12 and whole[11:13] | int < 24 and whole[14:16] | int < 60 and whole[17:19] | int < 60 -%}
    {%- if not is_time or not 0 < day <= days[month - 1] -%}{{- return(none) -}}{%- endif -%}
    {%- set fraction = whole[20:].rstrip('0') -%}
    {{- return(whole[:10] ~ ' ' ~ whole[11:19] ~ ('.' ~ fraction if fraction else '')) -}}
{% endmacro %}
