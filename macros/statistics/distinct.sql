{# How many values each group has that differ as canonical text: exact, whatever spellings of its key were merged. #}
{% macro distinct_ctes(scan) %}
    {%- set rows = [] -%}
    {%- for number in fairsql.cuts_of(scan, 'distinct') -%}
        {%- do rows.append(fairsql.grouped_texts(scan, number)) -%}
    {%- endfor -%}
    {%- set counts -%}
    select
        cut,
        coalesce(distinct_texts.group_number, 0) as group_number,
        count(distinct value_text) as distinct_values
    from distinct_texts
    group by grouping sets ((cut, distinct_texts.group_number), (cut))
    {%- endset -%}
    {{- return([
        ['distinct_texts', rows | join('\n    union all\n    ')],
        fairsql.described('distinct_counts', 'One row for each group, and one for the whole (group_number 0): how many texts.', counts),
    ]) -}}
{% endmacro %}


{# Each value of a group once, as it stands in the column; then as canonical text, in which two values may be one. #}
{% macro grouped_texts(scan, number) %}
    {%- set index = scan.measures[scan.cuts[number - 1].measure - 1].inputs[0] -%}
    {%- set kind = scan.inputs[index - 1].kind -%}
    {%- set value = 'source.input_' ~ index -%}
    {%- set text = 'value' if fairsql.may_be_nan(kind) else fairsql.value_text('value', kind) -%}
    {%- set text = fairsql.canonical_number(text) if kind in ['text', 'float', 'decimal', 'other', none] else text -%}
    {%- set rows = fairsql.grouped_rows(scan, number, [value ~ ' as value']) ~ '\n    where ' ~ value ~ ' is not null' -%}
    {{- return(
        '-- The values of each group of cut ' ~ number ~ ', as canonical text.\n    select distinct\n        cut,\n        group_number,\n        '
        ~ fairsql.code_points('(' ~ text ~ ')') ~ ' as value_text\n    from (\n    select distinct *\n    from (\n    ' ~ rows ~ '\n    ) as every_row\n    ) as raw_values'
    ) -}}
{% endmacro %}
