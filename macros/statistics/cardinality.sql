{# Attributes of very many values, such as an identifier taken by mistake: how many there are is looked at in the first rows,
   and counted where they seem to be more than 1,000, before anything is computed for each of them. #}


{# How many combinations of attribute values, as they are written, the first rows hold: a row for each cut of `scan`, of
   whose cuts nothing but the attributes is asked. #}
{% macro look(scan, rows) %}
    {%- set columns = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- do columns.append(fairsql.read_column(attribute.column, attribute.kind) ~ ' as attribute_' ~ loop.index) -%}
    {%- endfor -%}
    {%- set source -%}
    select
        {{ columns | join(',\n        ') }}
    from {{ scan.relation }}
    {%- if scan.where %}
    where (
        {{ scan.where }}
    )
    {%- endif %}
    limit {{ rows }}
    {%- endset -%}
    {%- set counts = [] -%}
    {%- for cut in scan.cuts -%}
        {%- set names = [] -%}
        {%- for number in cut.attributes -%}{%- do names.append('attribute_' ~ number) -%}{%- endfor -%}
        {%- do counts.append(
            'select\n        ' ~ loop.index ~ ' as cut,\n        ' ~ fairsql.bigint('count(*)') ~ ' as combinations\n    from (\n        select distinct '
            ~ names | join(', ') ~ '\n        from source\n    ) as combinations_' ~ loop.index
        ) -%}
    {%- endfor -%}
    {{- return(fairsql.statement(
        scan.header,
        [
            fairsql.described('source', 'The first rows of the relation, up to ' ~ rows ~ ': attributes as they are.', source),
            fairsql.described('looked_at', 'One row for each choice of attributes: how many combinations of values there are.', counts | join('\n    union all\n    ')),
        ],
        'select *\nfrom looked_at\norder by cut asc'
    )) -}}
{% endmacro %}


{# The number of groups of each cut of a scan whose cuts have the same attributes, and of evaluated rows: one row, or one
   for each window. Unlike in `scan`, keys are cleaned before they are counted: that costs less than counting twice. #}
{% macro count_groups(scan) %}
    {%- set attributes = fairsql.numbered('attribute_', scan.attributes | length) -%}
    {%- set texts = fairsql.numbered('text_', scan.attributes | length) -%}
    {%- set window = ['window_number'] if fairsql.has_windows(scan) else [] -%}
    {%- set keys = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- do keys.append(fairsql.distinct_key(attributes[loop.index0], attribute.kind) ~ ' as ' ~ texts[loop.index0]) -%}
    {%- endfor -%}
    {%- set evaluated = [] -%}
    {%- for measure in scan.measures -%}
        {%- do evaluated.append(fairsql.aggregates(scan, loop.index).evaluated ~ ' as evaluated_' ~ loop.index) -%}
    {%- endfor -%}
    {%- set by_key -%}
    select
        {{ (texts + window + evaluated) | join(',\n        ') }}
    from (
        select
            *,
            {{ keys | join(',\n            ') }}
        from measured
    ) as keyed
    group by {{ (texts + window) | join(', ') }}
    {%- endset -%}
    {%- set listed = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- if fairsql.listed_width(scan) and fairsql.is_told_by_value(attribute.kind) -%}
            {%- set text = fairsql.value_text(texts[loop.index0], attribute.kind) -%}
            {%- do listed.append(fairsql.trimmed_key(text, attribute.kind) ~ ' as ' ~ texts[loop.index0]) -%}
        {%- else -%}
            {%- do listed.append(texts[loop.index0]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set counted = fairsql.numbered('evaluated_', scan.measures | length) -%}
    {%- set rows = 'by_key' -%}
    {%- if listed != texts -%}
        {#- Values to be counted as missing are compared as text. -#}
        {%- set rows = '(\n    select\n        ' ~ (listed + window + counted) | join(',\n        ') ~ '\n    from by_key\n) as by_text' -%}
    {%- endif -%}
    {%- set items = window | list -%}
    {%- for cut in scan.cuts -%}
        {%- set missing = fairsql.is_missing(cut) -%}
        {%- set own = counted[cut.measure - 1] -%}
        {%- do items.append(fairsql.bigint(fairsql.count('not (' ~ missing ~ ') and ' ~ own ~ ' > 0')) ~ ' as groups_' ~ loop.index) -%}
        {%- do items.append(fairsql.bigint('coalesce(sum(case when not (' ~ missing ~ ') then ' ~ own ~ ' end), 0)') ~ ' as rows_' ~ loop.index) -%}
    {%- endfor -%}
    {{- return(fairsql.statement(
        scan.header,
        [
            ['source', fairsql.source_rows(scan)],
            ['measured', fairsql.measured(scan)],
            fairsql.described('by_key', 'One row for each combination of keys' ~ (' and window' if window else '') ~ ': the rows that each measure evaluates.', by_key),
        ],
        '-- Groups and evaluated rows of each cut.\nselect\n    ' ~ items | join(',\n    ') ~ '\nfrom ' ~ rows
        ~ ('\ngroup by window_number\norder by window_number asc' if window else '')
    )) -}}
{% endmacro %}


{# What differs between two values where their keys do, and is null where they are missing: as cheap as may be, since it is
   computed for each row. It is the key itself for a kind that is not told by value. #}
{% macro distinct_key(column, kind) %}
    {%- if kind == 'constant' -%}
        {{- return(column) -}}
    {%- elif fairsql.is_told_by_value(kind) -%}
        {{- return(fairsql.number(column, kind) if kind == 'float' else column) -}}
    {%- endif -%}
    {%- set text = fairsql.value_text(column, kind) -%}
    {%- if not fairsql.may_hold_space(kind) -%}
        {{- return(fairsql.trimmed_key(text, kind)) -}}
    {%- endif -%}
    {%- set text = text if kind == 'text' else fairsql.code_points(text) -%}
    {#- Text that begins and ends with a letter, a digit or a sign, and has no point, is its own key. -#}
    {{- return(
        'case\n                when ' ~ text ~ " between '!' and '~' and " ~ fairsql.last_character(text) ~ " between '!' and '~' and " ~ text ~ " not like '%.%'"
        ~ '\n                    then ' ~ text
        ~ '\n                else ' ~ fairsql.trimmed_key(fairsql.trim(text), kind) ~ '\n            end'
    ) -}}
{% endmacro %}


{# An attribute as the scan reads it. Where all its cuts have too many groups, rows are told apart by no more than whether
   the value is missing, and which of the values it is that count as missing. No key begins with a space. #}
{% macro attribute_column(attribute) %}
    {%- set column = fairsql.read_column(attribute.column, attribute.kind) -%}
    {%- if not fairsql.is_narrowed(attribute) -%}
        {{- return(column) -}}
    {%- endif -%}
    {%- set key = fairsql.distinct_key(column, attribute.kind) -%}
    {%- set present = fairsql.case_of(['when ' ~ key ~ " is not null then ' several'"]) -%}
    {%- if not attribute.told_apart -%}
        {{- return(present) -}}
    {%- endif -%}
    {%- if fairsql.is_told_by_value(attribute.kind) -%}
        {%- set key = fairsql.trimmed_key(fairsql.value_text(column, attribute.kind), attribute.kind) -%}
    {%- endif -%}
    {%- set branches = [] -%}
    {%- for value in attribute.told_apart -%}
        {%- do branches.append('when ' ~ fairsql.literal(value) ~ ' then ' ~ fairsql.literal(value)) -%}
    {%- endfor -%}
    {{- return('case ' ~ key ~ '\n            ' ~ branches | join('\n            ') ~ '\n            else ' ~ present ~ '\n        end') -}}
{% endmacro %}


{# True for an attribute of which the scan reads no more than that. #}
{% macro is_narrowed(attribute) %}{{ return('told_apart' in attribute and attribute.told_apart is not none) }}{% endmacro %}


{# True for a cut that was counted to have too many groups: its whole is asked for, and no group. #}
{% macro has_too_many_groups(cut) %}{{ return('too_many_groups' in cut and cut.too_many_groups) }}{% endmacro %}
