{# How values become text: canonical spellings that are equal in every warehouse. #}


{# 'integer' or 'decimal' for canonical text that names a number of at most 15 digits, else none. #}
{% macro number_shape(text) %}
    {%- set digits = text[1:] if text[:1] == '-' else text -%}
    {%- set parts = digits.split('.') -%}
    {%- if parts | length > 2 or digits | length > 16 or '' in parts or (parts[0][:1] == '0' and parts[0] != '0') -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- for character in parts | join -%}
        {%- if character not in '0123456789' -%}{{- return(none) -}}{%- endif -%}
    {%- endfor -%}
    {{- return('integer' if parts | length == 1 else 'decimal') -}}
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
        {%- do branches.append('when ' ~ cut ~ ' in (' ~ cuts | join(', ') ~ ') then ' ~ choice) -%}
    {%- endfor -%}
    {{- return('case ' ~ branches | join(' ') ~ ' end') -}}
{% endmacro %}


{# The names key_1, key_2, … of a scan's widest key, each with a prefix or wrapped. #}
{% macro key_names(scan, prefix='') %}
    {%- set names = [] -%}
    {%- for number in range(1, fairsql.key_width(scan) + 1) -%}
        {%- do names.append(prefix ~ 'key_' ~ number) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{% macro key_width(scan) %}
    {%- set widths = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do widths.append(cut.attributes | length) -%}
    {%- endfor -%}
    {{- return(widths | max) -}}
{% endmacro %}
