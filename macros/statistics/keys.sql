{# From raw attributes to group keys. A *cut* is one choice of attributes, missing values and measure. #}


{# The canonical text of every attribute, without the white space around it; blank or missing is null. #}
{% macro cleaned(scan) %}
    {%- set trimmed = [] -%}
    {%- set texts = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- set column = 'attribute_' ~ loop.index -%}
        {%- set kind = 'constant' if fairsql.is_narrowed(attribute) else attribute.kind -%}
        {%- set text = column if kind == 'constant' else fairsql.value_text(column, kind) -%}
        {%- if fairsql.may_hold_space(kind) -%}
            {%- do trimmed.append(fairsql.trim(text) ~ ' as trimmed_' ~ loop.index) -%}
            {%- set text = 'trimmed_' ~ loop.index -%}
        {%- endif -%}
        {%- do texts.append(fairsql.trimmed_key(text, kind) ~ ' as text_' ~ loop.index) -%}
    {%- endfor -%}
    -- The same rows, with attributes as canonical text: trimmed, numbers in their shortest form, blank text null.
    select
        *,
        {{ texts | join(',\n        ') }}
    {%- if trimmed %}
    from (
        select
            *,
            {{ trimmed | join(',\n            ') }}
        from by_raw_key
    ) as trimmed
    {%- else %}
    from by_raw_key
    {%- endif %}
{%- endmacro %}


{# True for a kind whose text may have white space around it. #}
{% macro may_hold_space(kind) %}{{ return(kind in ['text', 'other', none]) }}{% endmacro %}


{# From the text of an attribute, trimmed where it may hold space, to its part of a key: canonical, blank is null. #}
{% macro trimmed_key(text, kind) %}
    {%- if fairsql.may_hold_space(kind) -%}
        {{- return("nullif(" ~ fairsql.canonical_number(text) ~ ", '')") -}}
    {%- endif -%}
    {{- return(fairsql.canonical_number(text) if kind in ['float', 'decimal'] else text) -}}
{% endmacro %}


{# The part of a key that a column of the relation gives: the expressions of `source` and `cleaned` as one. #}
{% macro column_key(attribute) %}
    {%- set text = fairsql.value_text(fairsql.read_column(attribute.column, attribute.kind), attribute.kind) -%}
    {{- return(fairsql.trimmed_key(fairsql.trim(text) if fairsql.may_hold_space(attribute.kind) else text, attribute.kind)) -}}
{% endmacro %}


{# The keys of every cut and whether an attribute of it is missing, as select items. #}
{% macro group_keys(scan) %}
    {%- set items = [] -%}
    {%- for position in range(1, fairsql.key_width(scan) + 1) -%}
        {%- set expressions = [] -%}
        {%- for cut in scan.cuts -%}
            {%- do expressions.append(fairsql.key_part(cut, position)) -%}
        {%- endfor -%}
        {%- set key = fairsql.by_cut(expressions) -%}
        {%- do items.append((fairsql.text('null') if key == 'null' else key) ~ ' as key_' ~ position) -%}
    {%- endfor -%}
    {%- set missing = [] -%}
    {%- for cut in scan.cuts -%}{%- do missing.append(fairsql.is_missing(cut)) -%}{%- endfor -%}
    {%- set branches = [] -%}
    {%- for condition in missing | unique(case_sensitive=true) -%}
        {%- set cuts = [] -%}
        {%- for other in missing -%}{%- do cuts.append(loop.index) if other == condition -%}{%- endfor -%}
        {%- if cuts | length == missing | length -%}
            {%- do branches.append('when ' ~ condition ~ ' then 1') -%}
        {%- else -%}
            {%- set part = '(' ~ condition ~ ')' if ' or ' in condition else condition -%}
            {%- do branches.append('when cut ' ~ fairsql.among(cuts) ~ ' and ' ~ part ~ ' then 1') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do branches.append('else 0') -%}
    {%- do items.append(fairsql.case_of(branches) ~ ' as is_missing') -%}
    {{- return(items) -}}
{% endmacro %}


{# One part of a cut's key: text that the cut counts as missing is null, and so is a part it does not have (none). #}
{% macro key_part(cut, position) %}
    {%- if position > cut.attributes | length -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set text = 'text_' ~ cut.attributes[position - 1] -%}
    {%- if not cut.missing_values or cut.attributes[position - 1] not in fairsql.listed_attributes(cut) -%}
        {{- return(text) -}}
    {%- endif -%}
    {{- return('case when ' ~ text ~ ' not in (' ~ fairsql.literals(cut.missing_values) ~ ') then ' ~ text ~ ' end') -}}
{% endmacro %}


{# The attributes whose values a cut may count as missing: all but the class of a label, which is the last. #}
{% macro listed_attributes(cut) %}
    {{- return(cut.attributes[:-1] if cut.ends_in_class else cut.attributes) -}}
{% endmacro %}


{# True where a cut's attribute is null, or a value that the cut counts as missing. #}
{% macro is_missing(cut) %}
    {%- set conditions = [] -%}
    {%- for attribute in cut.attributes -%}
        {%- do conditions.append('text_' ~ attribute ~ ' is null') -%}
        {%- do conditions.append('text_' ~ attribute ~ ' in (' ~ fairsql.literals(cut.missing_values) ~ ')') if cut.missing_values and attribute in fairsql.listed_attributes(cut) -%}
    {%- endfor -%}
    {{- return(conditions | join(' or ')) -}}
{% endmacro %}


{# The rows of `source`, or of another relation with its attributes, that belong to a group of one cut, with the group's
   number. Rows that miss an attribute have no group, so plain equality of the raw attributes finds them all. #}
{% macro grouped_rows(scan, number, columns, relation='source') %}
    {%- set attributes = [] -%}
    {%- set matches = [] -%}
    {%- for attribute in scan.cuts[number - 1].attributes | sort -%}
        {%- do attributes.append('attribute_' ~ attribute) -%}
        {%- do matches.append(relation ~ '.attribute_' ~ attribute ~ ' = keys.attribute_' ~ attribute) -%}
    {%- endfor -%}
    {%- if fairsql.has_windows(scan) -%}
        {%- do attributes.append('cut') -%}
        {%- do attributes.append('window_number') -%}
        {%- do matches.append(relation ~ '.window_number = keys.window_number') -%}
    {%- endif -%}
    {%- set keys -%}
    select distinct
                {{ fairsql.smallint('numbered.group_number') }} as group_number,
                numbered.{{ attributes | join(',\n                numbered.') }}
            from numbered
            inner join by_group on numbered.cut = by_group.cut and numbered.group_number = by_group.group_number
            where {{ fairsql.cut_number(scan, 'numbered.cut') }} = {{ number }} and numbered.is_missing = 0 and by_group.is_whole = 0
    {%- endset -%}
    -- The rows of {{ 'the relation' if relation == 'source' else relation }} that belong to a group of cut {{ number }}.
    select
        {{ 'keys.cut' if fairsql.has_windows(scan) else number ~ ' as cut' }},
        keys.group_number,
        {{ columns | join(',\n        ') }}
    from {{ relation }}
    inner join {{ fairsql.few_rows(keys | trim, ['group_number'] + attributes) }} as keys
        on {{ matches | join(' and ') }}
{%- endmacro %}
