{# One statement for any number of tests over one relation and filter: their statistics, a row a group.
   `scan`: relation (SQL), where (SQL or none), header (lines), attributes [{column, kind}],
   inputs [{column, kind, role, positive_texts, pair, pair_is_boolean}], measures [{family, quantity, inputs, label, probability, squared, weight}],
   cuts [{measure, attributes, missing_values, …}]; attributes, inputs, measures and cuts are numbered from 1. #}
{% macro scan(scan) %}
    {{- return(fairsql.statement(
        scan.header,
        fairsql.statistics_ctes(scan),
        'select *\nfrom statistics\norder by cut asc, is_whole desc, ' ~ fairsql.key_names(scan) | join(' asc, ') ~ ' asc'
    )) -}}
{% endmacro %}


{# The chain from `source` to `statistics`, as pairs of name and body; a body begins with a comment on what its rows are. #}
{% macro statistics_ctes(scan) %}
    {%- set aggregates = [] -%}
    {%- for measure in scan.measures -%}{%- do aggregates.append(fairsql.aggregates(scan, loop.index)) -%}{%- endfor -%}
    {%- set ctes = [
        ['source', fairsql.source_rows(scan)],
        ['measured', fairsql.measured(scan)],
    ] -%}
    {%- do ctes.append(['centred', fairsql.centred(scan)]) if fairsql.with_weighted_moments(scan) -%}
    {%- do ctes.extend([
        ['by_raw_key', fairsql.by_raw_key(scan, aggregates)],
        ['cleaned', fairsql.cleaned(scan)],
        ['keyed', fairsql.keyed(scan, aggregates)],
        ['numbered', fairsql.numbered_groups(scan, aggregates)],
    ]) -%}
    {%- do ctes.extend(fairsql.placed_scores_in_line()) if fairsql.ranks_in_line(scan) -%}
    {%- do ctes.append(['by_key', fairsql.by_key(scan, aggregates)]) -%}
    {%- do ctes.append(['by_group', fairsql.counted(scan)]) -%}
    {%- set joins = [] -%}
    {%- if fairsql.cuts_of(scan, 'concordance') and not fairsql.ranks_in_line(scan) -%}
        {%- do ctes.extend(fairsql.concordance_ctes(scan)) -%}
        {%- do joins.append({'relation': 'concordance', 'counts': [], 'numbers': ['concordant']}) -%}
    {%- endif -%}
    {%- if fairsql.cuts_of(scan, 'quantile') -%}
        {%- do ctes.extend(fairsql.quantile_ctes(scan)) -%}
        {%- do joins.append(fairsql.quantile_join()) -%}
    {%- endif -%}
    {%- if fairsql.cuts_of(scan, 'concordance', true) -%}
        {%- do ctes.extend(fairsql.weighted_concordance_ctes(scan)) -%}
        {%- do joins.append({'relation': 'weighted_concordance', 'counts': [], 'numbers': ['weighted_concordant']}) -%}
    {%- endif -%}
    {%- if fairsql.cuts_of(scan, 'quantile', true) -%}
        {%- do ctes.extend(fairsql.weighted_quantile_ctes(scan)) -%}
        {%- do joins.append({'relation': 'weighted_quantiles', 'counts': [], 'numbers': ['weighted_quantile']}) -%}
    {%- endif -%}
    {%- if fairsql.cuts_of(scan, 'scoring') -%}
        {%- do ctes.extend(fairsql.scoring_ctes(scan)) -%}
        {%- do joins.append({'relation': 'above_median', 'counts': ['positives'], 'numbers': []}) -%}
    {%- endif -%}
    {%- do ctes.extend(fairsql.bin_ctes(scan)) if fairsql.binned_cuts(scan) -%}
    {%- if fairsql.cuts_of(scan, 'binned_concordance') -%}
        {%- do ctes.extend(fairsql.binned_concordance_ctes(scan)) -%}
        {%- do joins.append({'relation': 'binned_concordance', 'counts': [], 'numbers': ['binned_concordant', 'same_bin_pairs']}) -%}
    {%- endif -%}
    {%- if fairsql.cuts_of(scan, 'binned_quantile') -%}
        {%- do ctes.extend(fairsql.binned_quantile_ctes(scan)) -%}
        {%- do joins.append(fairsql.binned_quantile_join()) -%}
    {%- endif -%}
    {%- if fairsql.cuts_of(scan, 'distinct') -%}
        {%- do ctes.extend(fairsql.distinct_ctes(scan)) -%}
        {%- do joins.append({'relation': 'distinct_counts', 'counts': ['distinct_values'], 'numbers': []}) -%}
    {%- endif -%}
    {%- do ctes.append(['statistics', fairsql.result(scan, aggregates, joins)]) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# A CTE whose first line says what its rows are. #}
{% macro described(name, comment, body) %}
    {{- return([name, '-- ' ~ comment ~ '\n    ' ~ body]) -}}
{% endmacro %}


{# A statement from comment lines, CTEs and a last SELECT. A CTE that is read more than once is written so that the
   warehouse computes it once, and the relation is read once; `is_nested` where the statement will stand in another, as
   dbt puts a test's. #}
{% macro statement(header, ctes, final, is_nested=false) %}
    {%- set lines = [] -%}
    {%- for line in header -%}{%- do lines.append('-- ' ~ line ~ '\n') -%}{%- endfor -%}
    {%- set parts = [] -%}
    {%- for name, body in ctes -%}
        {%- set readers = namespace(count=fairsql.reads(final, name)) -%}
        {%- for other, text in ctes -%}{%- set readers.count = readers.count + fairsql.reads(text, name) -%}{%- endfor -%}
        {%- do parts.append(fairsql.computed_once(name, body, is_nested) if readers.count > 1 else fairsql.cte(name, body)) -%}
    {%- endfor -%}
    {{- return(lines | join ~ fairsql.with_keyword(is_nested) ~ ' ' ~ parts | join(',\n\n') ~ '\n\n' ~ final) -}}
{% endmacro %}


{# A CTE as it stands in a WITH. #}
{% macro cte(name, body) %}{{ return(name ~ ' as (\n    ' ~ body ~ '\n)') }}{% endmacro %}


{# How often a text of these macros reads a CTE. #}
{% macro reads(text, name) %}
    {%- set found = namespace(count=0) -%}
    {%- for word in ['from ', 'join '] -%}
        {%- for rest in text.split(word ~ name)[1:] -%}
            {%- set found.count = found.count + (1 if rest[:1] in ['', ' ', '\n', ')'] else 0) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(found.count) -}}
{% endmacro %}
