{# From raw keys to groups: fan out to the cuts, merge the raw keys of each group, count the whole. #}


{# How each statistic of two raw keys becomes that of their union. #}
{% macro merges() %}
    {{- return({
        'counted': ['evaluated', 'tp', 'fp', 'fn', 'tn', 'positives', 'negatives', 'pair_rows', 'blank_labels'],
        'whole': ['infinite_rows', 'out_of_range_rows', 'input_1_rows', 'input_2_rows'],
        'moments': [['mean', 'm2'], ['truth_mean', 'truth_m2']],
        'least': ['minimum', 'truth_minimum', 'label_minimum'],
        'greatest': ['maximum', 'truth_maximum', 'label_maximum'],
    }) -}}
{% endmacro %}


{# Per cut, the measure's column of a statistic; none where no cut has it. #}
{% macro statistic_of(scan, aggregates, statistic) %}
    {%- set columns = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do columns.append(statistic ~ '_' ~ cut.measure if statistic in aggregates[cut.measure - 1] else none) -%}
    {%- endfor -%}
    {%- set column = fairsql.by_cut(columns) -%}
    {{- return(none if column == 'null' else column) -}}
{% endmacro %}


{# The statistics that any measure of the scan has, in the order of the result. #}
{% macro scan_statistics(scan, aggregates) %}
    {%- set names = [] -%}
    {%- for measure in aggregates -%}
        {%- for name in measure if name not in names -%}{%- do names.append(name) -%}{%- endfor -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{% macro keyed(scan, aggregates) %}
    {%- set items = fairsql.numbered('attribute_', scan.attributes | length) -%}
    {%- do items.extend(fairsql.group_keys(scan)) -%}
    {%- do items.append('rows_total') -%}
    {%- for statistic in fairsql.scan_statistics(scan, aggregates) -%}
        {%- do items.append(fairsql.statistic_of(scan, aggregates, statistic) ~ ' as ' ~ statistic) -%}
    {%- endfor -%}
    {%- for number in range(1, fairsql.listed_width(scan) + 1) -%}
        {%- set listed = [] -%}
        {%- for cut in scan.cuts -%}
            {%- if number > cut.missing_values | length -%}
                {%- do listed.append(none) -%}
            {%- else -%}
                {%- set texts = [] -%}
                {%- for attribute in cut.attributes -%}{%- do texts.append('text_' ~ attribute) -%}{%- endfor -%}
                {%- do listed.append(
                    'case when ' ~ fairsql.literal(cut.missing_values[number - 1]) ~ ' in (' ~ texts | join(', ') ~ ') then evaluated_' ~ cut.measure ~ ' else 0 end'
                ) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do items.append(fairsql.by_cut(listed) ~ ' as listed_' ~ number ~ '_rows') -%}
    {%- endfor -%}
    select
        cut,
        {{ items | join(',\n        ') }}
    from {{ fairsql.per_cut('cleaned', range(1, scan.cuts | length + 1) | list) }}
{%- endmacro %}


{% macro listed_width(scan) %}
    {%- set widths = [] -%}
    {%- for cut in scan.cuts -%}{%- do widths.append(cut.missing_values | length) -%}{%- endfor -%}
    {{- return(widths | max) -}}
{% endmacro %}


{# A number for each group of a cut, short to sort by. Means are merged as offsets from one of their own,
   so that a common offset of 1e9 costs no digits. #}
{% macro numbered_groups(scan, aggregates) %}
    {%- set names = fairsql.scan_statistics(scan, aggregates) -%}
    {%- set keys = fairsql.key_names(scan) | join(', ') -%}
    {%- set items = [
        'case when is_missing = 0 then dense_rank() over (partition by cut, is_missing order by ' ~ keys ~ ') else 0 end as group_number'
    ] -%}
    {%- for mean, m2 in fairsql.merges().moments if mean in names -%}
        {%- do items.append('min(' ~ mean ~ ') over (partition by cut, is_missing, ' ~ keys ~ ') as ' ~ mean ~ '_base') -%}
    {%- endfor -%}
    select
        *,
        {{ items | join(',\n        ') }}
    from keyed
{%- endmacro %}


{# One row a group, and one a cut for the whole (is_whole = 1). #}
{% macro by_key(scan, aggregates) %}
    {%- set names = fairsql.scan_statistics(scan, aggregates) -%}
    {%- set merges = fairsql.merges() -%}
    {%- set keys = fairsql.key_names(scan) -%}
    {%- set items = [] -%}
    {%- for name in names -%}
        {%- set present = 'case when is_missing = 0 then ' ~ name ~ ' end' -%}
        {%- if name in merges.counted -%}
            {%- do items.append('sum(case when is_missing = 0 then ' ~ name ~ ' else 0 end) as ' ~ name) -%}
        {%- elif name in merges.whole -%}
            {%- do items.append('sum(' ~ name ~ ') as ' ~ name) -%}
        {%- elif name in merges.least -%}
            {%- do items.append('min(' ~ present ~ ') as ' ~ name) -%}
        {%- elif name in merges.greatest or name[:6] == 'found_' -%}
            {%- do items.append('max(' ~ present ~ ') as ' ~ name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for mean, m2 in merges.moments if mean in names -%}
        {%- set shifted = '(' ~ mean ~ ' - ' ~ mean ~ '_base)' -%}
        {%- set rows = fairsql.double('sum(evaluated)') -%}
        {%- set offset = 'sum(evaluated * ' ~ shifted ~ ')' -%}
        {%- do items.append('min(' ~ mean ~ '_base) + ' ~ offset ~ ' / nullif(' ~ rows ~ ', 0) as ' ~ mean) -%}
        {%- if m2 in names -%}
            {%- do items.append(
                'sum(' ~ m2 ~ ') + sum(evaluated * ' ~ shifted ~ ' * ' ~ shifted ~ ') - ' ~ offset ~ ' * ' ~ offset ~ ' / nullif(' ~ rows ~ ', 0) as ' ~ m2
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for position in range(1, keys | length + 1) -%}
        {%- do items.append('sum(case when key_' ~ position ~ ' is not null then rows_total else 0 end) as attribute_' ~ position ~ '_rows') -%}
    {%- endfor -%}
    {%- for number in range(1, fairsql.listed_width(scan) + 1) -%}
        {%- do items.append('sum(listed_' ~ number ~ '_rows) as listed_' ~ number ~ '_rows') -%}
    {%- endfor -%}
    select
        cut,
        grouping(is_missing) as is_whole,
        coalesce(is_missing, 0) as is_missing,
        coalesce(group_number, 0) as group_number,
        {{ keys | join(', ') }},
        sum(rows_total) as rows_total,
        sum(rows_total - evaluated) as missing_metric_inputs,
        sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute,
        {{ items | join(',\n        ') }}
    from numbered
    group by grouping sets ((cut, is_missing, group_number, {{ keys | join(', ') }}), (cut))
{%- endmacro %}


{# Groups are counted over evaluated rows; past 1,000 only the whole is returned. #}
{% macro counted(scan) %}
    {%- set is_group = 'is_whole = 0 and is_missing = 0 and evaluated > 0' -%}
    select *
    from (
        select
            *,
            count(case when {{ is_group }} then 1 end) over (partition by cut) as groups_total
        from by_key
    ) as counted
    where is_whole = 1 or ({{ is_group }} and groups_total <= 1000)
{%- endmacro %}


{# The result: every count a bigint, every number a double, a statistic no cut has is left out. #}
{% macro result(scan, aggregates, joins) %}
    {%- set items = ['groups.cut', 'groups.is_whole', 'groups.group_number'] -%}
    {%- do items.extend(fairsql.key_names(scan, 'groups.')) -%}
    {%- set merges = fairsql.merges() -%}
    {%- set numbers = ['mean', 'm2', 'minimum', 'maximum', 'truth_mean', 'truth_m2', 'truth_minimum', 'truth_maximum'] -%}
    {%- for count in ['groups_total', 'rows_total', 'missing_metric_inputs', 'missing_attribute'] -%}
        {%- do items.append(fairsql.bigint('groups.' ~ count) ~ ' as ' ~ count) -%}
    {%- endfor -%}
    {%- for name in fairsql.scan_statistics(scan, aggregates) -%}
        {%- if name in numbers -%}
            {%- do items.append('case when groups.is_whole = 0 then ' ~ fairsql.double('groups.' ~ name) ~ ' end as ' ~ name) -%}
        {%- elif name in ['label_minimum', 'label_maximum'] -%}
            {%- do items.append('groups.' ~ name) -%}
        {%- else -%}
            {%- do items.append(fairsql.bigint('groups.' ~ name) ~ ' as ' ~ name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for position in range(1, fairsql.key_width(scan) + 1) -%}
        {%- do items.append(fairsql.bigint('groups.attribute_' ~ position ~ '_rows') ~ ' as attribute_' ~ position ~ '_rows') -%}
    {%- endfor -%}
    {%- for number in range(1, fairsql.listed_width(scan) + 1) -%}
        {%- do items.append(fairsql.bigint('groups.listed_' ~ number ~ '_rows') ~ ' as listed_' ~ number ~ '_rows') -%}
    {%- endfor -%}
    {%- for join in joins -%}
        {%- for count in join.counts -%}{%- do items.append(fairsql.bigint(join.relation ~ '.' ~ count) ~ ' as ' ~ count) -%}{%- endfor -%}
        {%- for number in join.numbers -%}{%- do items.append(fairsql.double(join.relation ~ '.' ~ number) ~ ' as ' ~ number) -%}{%- endfor -%}
    {%- endfor -%}
    select
        {{ items | join(',\n        ') }}
    from groups
    {%- for join in joins %}
    left join {{ join.relation }}
        on groups.cut = {{ join.relation }}.cut and groups.group_number = {{ join.relation }}.group_number
    {%- endfor %}
{%- endmacro %}
