{# From raw attributes to group keys. A *cut* is one choice of attributes, missing values and measure;
   each chain of CTEs cleans the raw attributes first, then fans out to the cuts that use its rows. #}


{# The canonical text of every attribute, without the white space around it; blank or missing is null. #}
{% macro cleaned(scan, relation) %}
    {%- set texts = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- set text = fairsql.value_text('attribute_' ~ loop.index, attribute.kind) -%}
        {%- if attribute.kind in ['text', 'other', none] -%}
            {%- set text = fairsql.trim(text) -%}
        {%- endif -%}
        {%- if attribute.kind in ['text', 'other', 'float', 'decimal', none] -%}
            {%- set text = fairsql.canonical_number(text) -%}
        {%- endif -%}
        {%- do texts.append('nullif(' ~ text ~ ", '') as text_" ~ loop.index) -%}
    {%- endfor -%}
    select
        *,
        {{ texts | join(',\n        ') }}
    from {{ relation }}
{%- endmacro %}


{# The keys of every cut, as select items: text that the cut counts as missing is null. #}
{% macro group_keys(scan) %}
    {%- set items = [] -%}
    {%- for position in range(1, fairsql.key_width(scan) + 1) -%}
        {%- set expressions = [] -%}
        {%- for cut in scan.cuts -%}
            {%- if position > cut.attributes | length -%}
                {%- do expressions.append(none) -%}
            {%- else -%}
                {%- set text = 'text_' ~ cut.attributes[position - 1] -%}
                {%- if cut.missing_values -%}
                    {%- set text = 'case when ' ~ text ~ ' not in (' ~ fairsql.literals(cut.missing_values) ~ ') then ' ~ text ~ ' end' -%}
                {%- endif -%}
                {%- do expressions.append(text) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set key = fairsql.by_cut(expressions) -%}
        {%- do items.append((fairsql.text('null') if key == 'null' else key) ~ ' as key_' ~ position) -%}
    {%- endfor -%}
    {%- set attributes = [] -%}
    {%- for cut in scan.cuts -%}
        {%- set missing = [] -%}
        {%- for attribute in cut.attributes -%}
            {%- do missing.append('text_' ~ attribute ~ ' is null') -%}
            {%- do missing.append('text_' ~ attribute ~ ' in (' ~ fairsql.literals(cut.missing_values) ~ ')') if cut.missing_values -%}
        {%- endfor -%}
        {%- do attributes.append('case when ' ~ missing | join(' or ') ~ ' then 1 else 0 end') -%}
    {%- endfor -%}
    {%- do items.append(fairsql.by_cut(attributes) ~ ' as is_missing') -%}
    {{- return(items) -}}
{% endmacro %}


{% macro literals(values) %}
    {%- set literals = [] -%}
    {%- for value in values -%}{%- do literals.append(fairsql.literal(value)) -%}{%- endfor -%}
    {{- return(literals | join(', ')) -}}
{% endmacro %}


{# `relation` once per cut: a cross join with the cut numbers, or the one number. #}
{% macro per_cut(relation, cuts) %}
    {%- if cuts | length == 1 -%}
        {{- return('(select *, ' ~ cuts[0] ~ ' as cut from ' ~ relation ~ ') as ' ~ relation ~ '_per_cut') -}}
    {%- endif -%}
    {{- return(relation ~ ' cross join (select ' ~ cuts | join(' as cut union all select ') ~ ' as cut) as cuts') -}}
{% endmacro %}


{# The rows of `source` that belong to a group of one cut, with the group's number. Rows that miss an attribute
   have no group, so plain equality of the raw attributes finds them all. #}
{% macro grouped_rows(scan, number, columns) %}
    {%- set attributes = [] -%}
    {%- set matches = [] -%}
    {%- for attribute in scan.cuts[number - 1].attributes | sort -%}
        {%- do attributes.append('attribute_' ~ attribute) -%}
        {%- do matches.append('source.attribute_' ~ attribute ~ ' = keys.attribute_' ~ attribute) -%}
    {%- endfor -%}
    select
        {{ number }} as cut,
        keys.group_number,
        {{ columns | join(',\n        ') }}
    from source
    inner join (
        select distinct cast(numbered.group_number as smallint) as group_number, numbered.{{ attributes | join(', numbered.') }}
        from numbered
        inner join groups on numbered.cut = groups.cut and numbered.group_number = groups.group_number
        where numbered.cut = {{ number }} and numbered.is_missing = 0 and groups.is_whole = 0
    ) as keys
        on {{ matches | join(' and ') }}
{%- endmacro %}


{# The numbers of the cuts whose measure is of one family. #}
{% macro cuts_of(scan, family) %}
    {%- set numbers = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do numbers.append(loop.index) if scan.measures[cut.measure - 1].family == family -%}
    {%- endfor -%}
    {{- return(numbers) -}}
{% endmacro %}
