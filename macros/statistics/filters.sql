{# Filters: conditions on columns as one predicate. Each is a mapping of column, kind, operator, `texts` (its values in
   canonical form) and, of an order operator, `number` or `moment`: digits, or a moment in UTC such as
   2024-03-01 12:30:00, perhaps with a fraction of a second; the other is none. #}


{# The conditions joined by AND, one a line. #}
{% macro filters(filters) %}
    {%- set conditions = [] -%}
    {%- for filter in filters -%}{%- do conditions.append(fairsql.filter_condition(filter)) -%}{%- endfor -%}
    {{- return(conditions | join('\n        and ')) -}}
{% endmacro %}


{# One condition. A missing value (null, NaN) meets what it is not: `!=`, none_of and contains_none keep it. #}
{% macro filter_condition(filter) %}
    {%- set column = fairsql.read_column(filter.column, filter.kind) -%}
    {%- if filter.operator in ['is', 'one_of'] -%}
        {{- return(fairsql.matches(column, filter.kind, filter.texts)) -}}
    {%- elif filter.operator in ['!=', 'none_of'] -%}
        {{- return('not coalesce(' ~ fairsql.matches(column, filter.kind, filter.texts) ~ ', false)') -}}
    {%- elif filter.operator == 'contains_all' -%}
        {{- return(fairsql.contained(column, filter.kind, filter.texts) | join(' and ')) -}}
    {%- elif filter.operator == 'contains_any' -%}
        {{- return('(' ~ fairsql.contained(column, filter.kind, filter.texts) | join(' or ') ~ ')') -}}
    {%- elif filter.operator == 'contains_none' -%}
        {{- return('not coalesce(' ~ fairsql.contained(column, filter.kind, filter.texts) | join(' or ') ~ ', false)') -}}
    {%- elif filter.moment is not none -%}
        {{- return(fairsql.time_condition(column, filter.kind, filter.operator, filter.moment)) -}}
    {%- endif -%}
    {{- return(fairsql.number_condition(column, filter.kind, filter.operator, filter.number)) -}}
{% endmacro %}


{# For each fragment, whether the value's text holds it. Only a fragment of digits, points and signs can tell a number's
   canonical text from its other spellings. #}
{% macro contained(column, kind, fragments) %}
    {%- set conditions = [] -%}
    {%- for fragment in fragments -%}
        {%- set others = fragment | replace('.', '') | replace('-', '') -%}
        {%- set shape = namespace(is_number=true) -%}
        {%- for character in others -%}
            {%- if character not in '0123456789' -%}{%- set shape.is_number = false -%}{%- endif -%}
        {%- endfor -%}
        {%- set text = fairsql.value_text(column, kind) -%}
        {%- do conditions.append(fairsql.holds_text(fairsql.canonical_number(text) if shape.is_number else text, fragment)) -%}
    {%- endfor -%}
    {{- return(conditions) -}}
{% endmacro %}


{# An order among numbers. A whole column meets a whole number as it is, so that no digit is lost; of an unknown type, a
   column is seen to hold a number first, and no NaN. #}
{% macro number_condition(column, kind, operator, number) %}
    {%- if fairsql.number_shape(number) == 'integer' -%}
        {%- if kind == 'integer' -%}
            {{- return(column ~ ' ' ~ operator ~ ' ' ~ number) -}}
        {%- elif kind is none -%}
            {{- return(fairsql.number(column, kind) ~ ' is not null and ' ~ column ~ ' * 1 ' ~ operator ~ ' ' ~ number) -}}
        {%- endif -%}
    {%- endif -%}
    {{- return(fairsql.number(column, kind) ~ ' ' ~ operator ~ ' ' ~ fairsql.double(fairsql.literal(number))) -}}
{% endmacro %}


{# An order among times; a date is its first moment. The column stands alone where its kind is known, so that the
   warehouse passes over partitions and files of other times. #}
{% macro time_condition(column, kind, operator, moment) %}
    {%- if kind == 'date' -%}
        {%- set is_midnight = moment[11:] == '00:00:00' -%}
        {%- set among_dates = operator if is_midnight else {'<': '<=', '<=': '<=', '>': '>', '>=': '>'}[operator] -%}
        {{- return(column ~ ' ' ~ among_dates ~ " date '" ~ moment[:10] ~ "'") -}}
    {%- elif kind is none -%}
        {{- return(fairsql.instant(column) ~ ' ' ~ operator ~ ' ' ~ fairsql.instant_literal(moment)) -}}
    {%- endif -%}
    {{- return(column ~ ' ' ~ operator ~ ' ' ~ fairsql.moment_literal(moment, kind)) -}}
{% endmacro %}
