{# One statement for any number of tests over one relation and filter: their statistics, a row a group.
   `scan`: relation (SQL), where (SQL or none), header (lines), attributes [{column, kind}],
   inputs [{column, kind, role, positive_texts, pair}], measures [{family, quantity, inputs, label, probability, squared}],
   cuts [{measure, attributes, missing_values, …}]; attributes, inputs, measures and cuts are numbered from 1. #}
{% macro fairsql_scan(scan) %}
    {%- set aggregates = [] -%}
    {%- for measure in scan.measures -%}{%- do aggregates.append(fairsql_aggregates(scan, loop.index)) -%}{%- endfor -%}
    {%- set families = [] -%}
    {%- for measure in scan.measures -%}{%- do families.append(measure.family) -%}{%- endfor -%}
    {%- set ctes = [
        ['source', fairsql_source(scan)],
        ['measured', fairsql_measured(scan)],
        ['by_raw_key', fairsql_by_raw_key(scan)],
        ['cleaned', fairsql_cleaned(scan, 'by_raw_key')],
        ['keyed', fairsql_keyed(scan, aggregates)],
    ] -%}
    {%- do ctes.append(['numbered', fairsql_numbered_groups(scan, aggregates)]) -%}
    {%- do ctes.append(['by_key', fairsql_by_key(scan, aggregates)]) -%}
    {%- do ctes.append(['groups', fairsql_counted(scan)]) -%}
    {%- set joins = [] -%}
    {%- if 'concordance' in families -%}
        {%- do ctes.extend(fairsql_concordance_ctes(scan)) -%}
        {%- do joins.append({'relation': 'concordance', 'counts': [], 'numbers': ['concordant']}) -%}
    {%- endif -%}
    {%- if 'quantile' in families -%}
        {%- do ctes.extend(fairsql_quantile_ctes(scan)) -%}
        {%- do joins.append(fairsql_quantile_join(scan)) -%}
    {%- endif -%}
    {%- for line in scan.header %}-- {{ line }}
{% endfor -%}
with {% for name, body in ctes -%}
    {{ name }} as (
    {{ body }}
){{ ',\n\n' if not loop.last else '\n\n' }}
    {%- endfor -%}
    {{ fairsql_result(scan, aggregates, joins) }}
{% endmacro %}
