{# Texts that the other macros put together: number shapes, CASE expressions, names by number. #}


{# 'integer' or 'decimal' for canonical text that names a number of at most 15 digits, else none: no number is written -0. #}
{% macro number_shape(text) %}
    {%- set digits = text[1:] if text[:1] == '-' else text -%}
    {%- set parts = digits.split('.') -%}
    {%- if parts | length > 2 or digits | length > 16 or '' in parts or (parts[0][:1] == '0' and parts[0] != '0') or text == '-0' -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- for character in parts | join -%}
        {%- if character not in '0123456789' -%}{{- return(none) -}}{%- endif -%}
    {%- endfor -%}
    {{- return('integer' if parts | length == 1 else 'decimal') -}}
{% endmacro %}


{# The literals of a list of texts, for IN. #}
{% macro literals(values) %}
    {%- set literals = [] -%}
    {%- for value in values -%}{%- do literals.append(fairsql.literal(value)) -%}{%- endfor -%}
    {{- return(literals | join(', ')) -}}
{% endmacro %}


{# A CASE from its branches, `when … then …` or `else …`: on one line where it is short, else a branch a line. #}
{% macro case_of(branches) %}
    {%- set line = 'case ' ~ branches | join(' ') ~ ' end' -%}
    {{- return(line if line | length <= 100 else 'case\n            ' ~ branches | join('\n            ') ~ '\n        end') -}}
{% endmacro %}


{# `= 1` or `in (1, 2)`. #}
{% macro among(numbers) %}
    {{- return('= ' ~ numbers[0] if numbers | length == 1 else 'in (' ~ numbers | join(', ') ~ ')') -}}
{% endmacro %}


{# An expression that depends on the cut: plain where all cuts agree, else a CASE; none is null. `cut` names the column. #}
{% macro by_cut(expressions, cut='cut') %}
    {%- set distinct = expressions | unique(case_sensitive=true) | list -%}
    {%- if distinct | length == 1 -%}
        {{- return('null' if distinct[0] is none else distinct[0]) -}}
    {%- endif -%}
    {%- set branches = [] -%}
    {%- for choice in distinct if choice is not none -%}
        {%- set cuts = [] -%}
        {%- for expression in expressions -%}
            {%- do cuts.append(loop.index) if expression == choice -%}
        {%- endfor -%}
        {%- do branches.append('when ' ~ cut ~ ' ' ~ fairsql.among(cuts) ~ ' then ' ~ choice) -%}
    {%- endfor -%}
    {{- return(fairsql.case_of(branches)) -}}
{% endmacro %}


{# The names prefix_1, prefix_2, … #}
{% macro numbered(prefix, count) %}
    {%- set names = [] -%}
    {%- for number in range(1, count + 1) -%}{%- do names.append(prefix ~ number) -%}{%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# The names key_1, key_2, … of a scan's widest key, each with a prefix. #}
{% macro key_names(scan, prefix='') %}
    {{- return(fairsql.numbered(prefix ~ 'key_', fairsql.key_width(scan))) -}}
{% endmacro %}


{# How many attributes the widest key of a scan has. #}
{% macro key_width(scan) %}
    {%- set widths = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do widths.append(cut.attributes | length) -%}
    {%- endfor -%}
    {{- return(widths | max) -}}
{% endmacro %}


{# How many values count as missing, in the cut that lists most of them. #}
{% macro listed_width(scan) %}
    {%- set widths = [] -%}
    {%- for cut in scan.cuts -%}{%- do widths.append(cut.missing_values | length) -%}{%- endfor -%}
    {{- return(widths | max) -}}
{% endmacro %}


{# The numbers of the cuts whose measure is of one family, those of weighted rows apart. Nothing is ranked for a cut that has
   too many groups. #}
{% macro cuts_of(scan, family, is_weighted=false) %}
    {%- set numbers = [] -%}
    {%- for cut in scan.cuts -%}
        {%- set measure = scan.measures[cut.measure - 1] -%}
        {%- do numbers.append(loop.index) if measure.family == family and (measure.weight is not none) == is_weighted and not fairsql.has_too_many_groups(cut) -%}
    {%- endfor -%}
    {{- return(numbers) -}}
{% endmacro %}
