{# From raw keys to groups: fan out to the cuts, merge the raw keys of each group, count the whole. #}


{# How each statistic of two raw keys becomes that of their union. `whole` is counted whether or not an attribute is missing. #}
{% macro merges() %}
    {{- return({
        'counted': ['evaluated', 'tp', 'fp', 'fn', 'tn', 'positives', 'negatives', 'pair_rows', 'blank_1', 'blank_2'] + fairsql.weight_sums() + fairsql.inner_statistics(),
        'whole': ['infinite_rows', 'out_of_range_rows', 'input_1_rows', 'input_2_rows', 'zero_weight_rows', 'bad_weight_rows'],
        'moments': [['mean', 'm2'], ['truth_mean', 'truth_m2']],
        'least': ['minimum', 'truth_minimum', 'label_minimum'],
        'greatest': ['maximum', 'truth_maximum', 'label_maximum'],
    }) -}}
{% endmacro %}


{# Per cut, the measure's column of a statistic; null where the cut has none. #}
{% macro statistic_of(scan, aggregates, statistic) %}
    {%- set measures = range(1, aggregates | length + 1) | list if fairsql.shares_measures(scan) else scan.cuts | map(attribute='measure') | list -%}
    {%- set columns = [] -%}
    {%- for measure in measures -%}
        {%- do columns.append(statistic ~ '_' ~ measure if statistic in aggregates[measure - 1] else none) -%}
    {%- endfor -%}
    {{- return(fairsql.by_cut(columns, 'measure' if fairsql.shares_measures(scan) else 'cut')) -}}
{% endmacro %}


{# True where cuts have measures in common: a statistic is told by the measure then, in fewer words than by the cut. #}
{% macro shares_measures(scan) %}{{ return(1 < scan.measures | length < scan.cuts | length) }}{% endmacro %}


{# The statistics that any measure of the scan has, in the order of the result. #}
{% macro scan_statistics(aggregates) %}
    {%- set names = [] -%}
    {%- for measure in aggregates -%}
        {%- for name in measure if name not in names -%}{%- do names.append(name) -%}{%- endfor -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# True when a cut ranks rows of `source`, or tells their values apart, which needs to know the group of each and not only of each raw key. #}
{% macro ranks_rows(scan) %}
    {%- set ranked = namespace(cuts=0) -%}
    {%- for family in ['concordance', 'quantile', 'scoring', 'distinct', 'binned_concordance', 'binned_quantile'] -%}
        {%- set ranked.cuts = ranked.cuts + (fairsql.cuts_of(scan, family) + fairsql.cuts_of(scan, family, true)) | length -%}
    {%- endfor -%}
    {{- return(ranked.cuts > 0 and not fairsql.ranks_in_line(scan)) -}}
{% endmacro %}


{# Every raw key in every cut, with the cut's key and the statistics of its measure. #}
{% macro keyed(scan, aggregates) %}
    {%- set items = fairsql.numbered('attribute_', scan.attributes | length) if fairsql.ranks_rows(scan) else [] -%}
    {%- do items.append('window_number') if fairsql.ranks_rows(scan) and fairsql.has_windows(scan) -%}
    {%- do items.extend(fairsql.group_keys(scan)) -%}
    {%- do items.append('rows_total') -%}
    {%- do items.append('input_' ~ scan.measures[0].inputs[0] ~ ' as score') if fairsql.ranks_in_line(scan) -%}
    {%- for statistic in fairsql.scan_statistics(aggregates) -%}
        {%- do items.append(fairsql.statistic_of(scan, aggregates, statistic) ~ ' as ' ~ statistic) -%}
    {%- endfor -%}
    {%- do items.append(fairsql.mass(scan) ~ ' as mass') if fairsql.with_weighted_moments(scan) -%}
    {%- for number in range(1, fairsql.listed_width(scan) + 1) -%}
        {%- do items.append(fairsql.listed_rows(scan, number) ~ ' as listed_' ~ number ~ '_rows') -%}
    {%- endfor -%}
    {%- set cuts = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do cuts.append([loop.index, cut.measure] if fairsql.shares_measures(scan) else [loop.index]) -%}
    {%- endfor -%}
    {%- if cuts | length == 1 -%}
    -- The same rows: their key, whether an attribute is missing, and the statistics.
    {%- else -%}
    -- Each of these rows in each cut: its key, whether an attribute is missing, and the statistics of its measure.
    {%- endif %}
    select
        {{ fairsql.numbered_cut(scan) }},
        {{ items | join(',\n        ') }}
    from cleaned
    {%- if cuts | length > 1 %}
    cross join {{ fairsql.table_of_numbers('cuts', ['cut', 'measure'] if fairsql.shares_measures(scan) else ['cut'], cuts) }}
    {%- endif %}
{%- endmacro %}


{# Evaluated rows that hold the value which stands at a place in a cut's list of missing values. #}
{% macro listed_rows(scan, number) %}
    {%- set expressions = [] -%}
    {%- for cut in scan.cuts -%}
        {%- if number > cut.missing_values | length -%}
            {%- do expressions.append(none) -%}
        {%- else -%}
            {%- set texts = [] -%}
            {%- for attribute in fairsql.listed_attributes(cut) -%}{%- do texts.append('text_' ~ attribute) -%}{%- endfor -%}
            {%- set value = fairsql.literal(cut.missing_values[number - 1]) -%}
            {%- set holds = texts[0] ~ ' = ' ~ value if texts | length == 1 else value ~ ' in (' ~ texts | join(', ') ~ ')' -%}
            {%- do expressions.append('case when ' ~ holds ~ ' then evaluated_' ~ cut.measure ~ ' else 0 end') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(fairsql.by_cut(expressions)) -}}
{% endmacro %}


{# Of raw keys: the number of their group, short to sort by, and their means as offsets from one of their group's own, so
   that a common offset of 1e9 costs no digits. (With the windows of min() alone, DuckDB 2.0 would make a join of them and
   read the relation twice; beside dense_rank() they stay windows.) #}
{% macro numbered_groups(scan, aggregates) %}
    {%- set names = fairsql.scan_statistics(aggregates) -%}
    {%- set keys = fairsql.key_names(scan) | join(', ') -%}
    {%- set items = [fairsql.case_of([
        'when is_missing = 0 then dense_rank() over (partition by cut, is_missing order by ' ~ fairsql.key_names(scan) | join(' asc, ') ~ ' asc)',
        'else 0',
    ]) ~ ' as group_number'] -%}
    {%- for mean, m2 in fairsql.merges().moments if mean in names -%}
        {%- set group = ' over (partition by cut, is_missing, ' ~ keys ~ ')' -%}
        {%- set base = 'min(' ~ mean ~ ')' ~ group -%}
        {#- Weights may differ by any factor: a base far from where the weight lies would cost digits. -#}
        {%- set base = 'sum(mass * ' ~ mean ~ ')' ~ group ~ ' / nullif(sum(mass)' ~ group ~ ', 0)' if fairsql.with_weighted_moments(scan) else base -%}
        {%- do items.append(base ~ ' as ' ~ mean ~ '_base') -%}
        {%- do items.append(mean ~ ' - ' ~ base ~ ' as ' ~ mean ~ '_offset') -%}
    {%- endfor -%}
    -- The same rows, with the number of their group{{ " and means as offsets from one mean of the group, to merge without loss" if items | length > 1 }}.
    select
        *,
        {{ items | join(',\n        ') }}
    from keyed
{%- endmacro %}


{# One row a group, and one a cut for the whole (is_whole = 1). #}
{% macro by_key(scan, aggregates) %}
    {%- set names = fairsql.scan_statistics(aggregates) -%}
    {%- set merges = fairsql.merges() -%}
    {%- set keys = fairsql.key_names(scan) -%}
    {%- set rows = 'placed_scores' if fairsql.ranks_in_line(scan) else 'numbered' -%}
    {%- set items = [] -%}
    {%- do items.extend(keys) -%}
    {%- do items.extend([
        'sum(rows_total) as rows_total',
        'sum(rows_total - evaluated' ~ (' - coalesce(zero_weight_rows, 0) - coalesce(bad_weight_rows, 0)' if 'bad_weight_rows' in names else '') ~ ') as missing_metric_inputs',
        'sum(case when is_missing = 1 then evaluated else 0 end) as missing_attribute',
    ]) -%}
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
        {%- do items.extend(fairsql.merged_moments(mean, m2 if m2 in names else none, 'mass' if fairsql.with_weighted_moments(scan) else 'evaluated')) -%}
    {%- endfor -%}
    {%- do items.append(
        'case when grouping(' ~ rows ~ '.is_missing) = 1 then sum(case when is_missing = 0 then positives * below_in_whole end) else sum(case when is_missing = 0 then positives * below end) end as concordant'
    ) if fairsql.ranks_in_line(scan) -%}
    {%- for key in keys -%}
        {%- do items.append('sum(case when ' ~ key ~ ' is not null then rows_total else 0 end) as attribute_' ~ loop.index ~ '_rows') -%}
    {%- endfor -%}
    {%- for number in range(1, fairsql.listed_width(scan) + 1) -%}
        {%- do items.append('sum(listed_' ~ number ~ '_rows) as listed_' ~ number ~ '_rows') -%}
    {%- endfor -%}
    -- One row for each group, and one for {{ 'each cut as a' if scan.cuts | length > 1 else 'the' }} whole (is_whole = 1): rows that share a key are merged.
    select
        cut,
        grouping({{ rows }}.is_missing) as is_whole,
        coalesce({{ rows }}.is_missing, 0) as is_missing,
        coalesce({{ rows }}.group_number, 0) as group_number,
        {{ items | join(',\n        ') }}
    from {{ rows }}
    group by grouping sets ((cut, {{ rows }}.is_missing, {{ rows }}.group_number, {{ keys | join(', ') }}), (cut))
{%- endmacro %}


{# The mean of the rows of several raw keys, and the sum of squared deviations from it, by the parallel-axis rule. #}
{% macro merged_moments(mean, m2, mass) %}
    {%- set offset = 'sum(' ~ mass ~ ' * ' ~ mean ~ '_offset)' -%}
    {%- set rows = 'nullif(' ~ fairsql.double('sum(' ~ mass ~ ')') ~ ', 0)' -%}
    {%- set items = ['min(' ~ mean ~ '_base) + ' ~ offset ~ ' / ' ~ rows ~ ' as ' ~ mean] -%}
    {%- set squares = 'sum(' ~ m2 ~ ') + sum(' ~ mass ~ ' * ' ~ mean ~ '_offset * ' ~ mean ~ '_offset)\n            - ' ~ offset ~ ' * ' ~ offset ~ ' / ' ~ rows -%}
    {#- Of weights that outweigh all others, rounding may leave less than nothing. -#}
    {%- do items.append(('greatest(' ~ squares ~ ', 0e0)' if mass == 'mass' else squares) ~ ' as ' ~ m2) if m2 -%}
    {{- return(items) -}}
{% endmacro %}


{# Groups are counted over evaluated rows; past 1,000 only the whole is returned. #}
{% macro counted(scan) %}
    {%- set is_group = 'is_whole = 0 and is_missing = 0 and evaluated > 0' -%}
    {%- set too_many = [] -%}
    {%- for cut in scan.cuts -%}{%- do too_many.append(loop.index) if fairsql.has_too_many_groups(cut) -%}{%- endfor -%}
    -- The whole, and each group that has evaluated rows (none where there are more than 1,000).
    select *
    from (
        select
            *,
            count(case when {{ is_group }} then 1 end) over (partition by cut) as groups_total
        from by_key
    ) as counted
    where is_whole = 1 or ({{ is_group }} and groups_total <= 1000{{ ' and not ' ~ fairsql.cut_number(scan) ~ ' ' ~ fairsql.among(too_many) if too_many }})
{%- endmacro %}


{# The statistics: every count a bigint, every number a double, a statistic no cut has is left out. #}
{% macro result(scan, aggregates, joins) %}
    {%- set prefix = 'by_group.' if joins else '' -%}
    {%- set numbers = ['mean', 'm2', 'minimum', 'maximum', 'truth_mean', 'truth_m2', 'truth_minimum', 'truth_maximum'] -%}
    {%- set names = ['groups_total', 'rows_total', 'missing_metric_inputs', 'missing_attribute'] -%}
    {%- set joined = [] -%}
    {%- for join in joins -%}{%- do joined.extend(join.counts) -%}{%- endfor -%}
    {%- do joined.extend(fairsql.inner_statistics()) -%}
    {%- for name in fairsql.scan_statistics(aggregates) if name not in joined -%}{%- do names.append(name) -%}{%- endfor -%}
    {%- for position in range(1, fairsql.key_width(scan) + 1) -%}{%- do names.append('attribute_' ~ position ~ '_rows') -%}{%- endfor -%}
    {%- for number in range(1, fairsql.listed_width(scan) + 1) -%}{%- do names.append('listed_' ~ number ~ '_rows') -%}{%- endfor -%}
    {%- set items = [prefix ~ 'cut', prefix ~ 'is_whole', prefix ~ 'group_number'] -%}
    {%- do items.extend(fairsql.key_names(scan, prefix)) -%}
    {%- for name in names -%}
        {%- if name in numbers -%}
            {#- Of the whole, they mix the bases of several groups; readers merge the groups instead. -#}
            {%- do items.append('case when ' ~ prefix ~ 'is_whole = 0 then ' ~ fairsql.double(prefix ~ name) ~ ' end as ' ~ name) -%}
        {%- elif name in fairsql.weight_sums() -%}
            {%- do items.append(fairsql.double(prefix ~ name) ~ ' as ' ~ name) -%}
        {%- elif name in ['label_minimum', 'label_maximum'] -%}
            {%- do items.append(prefix ~ name) -%}
        {%- else -%}
            {%- do items.append(fairsql.bigint(prefix ~ name) ~ ' as ' ~ name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do items.append(fairsql.double('concordant') ~ ' as concordant') if fairsql.ranks_in_line(scan) -%}
    {%- for join in joins -%}
        {%- for count in join.counts -%}
            {#- What the joined rows count for some cuts, other cuts may have counted by raw key. -#}
            {%- set is_counted_twice = count in fairsql.scan_statistics(aggregates) -%}
            {%- set column = join.relation ~ '.' ~ count -%}
            {%- do items.append(fairsql.bigint('coalesce(' ~ column ~ ', by_group.' ~ count ~ ')' if is_counted_twice else column) ~ ' as ' ~ count) -%}
        {%- endfor -%}
        {%- for number in join.numbers -%}{%- do items.append(fairsql.double(join.relation ~ '.' ~ number) ~ ' as ' ~ number) -%}{%- endfor -%}
    {%- endfor -%}
    -- The same rows: counts as whole numbers, other statistics as doubles.
    select
        {{ items | join(',\n        ') }}
    from by_group
    {%- for join in joins %}
    left join {{ join.relation }}
        on by_group.cut = {{ join.relation }}.cut and by_group.group_number = {{ join.relation }}.group_number
    {%- endfor %}
{%- endmacro %}
