{# The rows of one group, in every spelling that its key stands for; those that lack a metric input are among them.
   `columns` holds each attribute's column_key, and `key` the group's text for it. #}
{% macro group_rows(relation, where, columns, key, header) %}
    {%- set conditions = [] -%}
    {%- do conditions.append('(\n    ' ~ where ~ '\n)') if where -%}
    {%- for column in columns -%}
        {%- do conditions.append(column ~ ' = ' ~ fairsql.literal(key[loop.index0])) -%}
    {%- endfor -%}
    {{- return('-- ' ~ header ~ '\nselect *\nfrom ' ~ relation ~ '\nwhere ' ~ conditions | join('\nand ')) -}}
{% endmacro %}
