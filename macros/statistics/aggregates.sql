{# What is aggregated over the rows of a raw key: the only aggregation over rows. #}


{# One row a raw key, or a raw key and score. Keys are cleaned after it, once a raw key and not once a row. #}
{% macro by_raw_key(scan, aggregates) %}
    {#- One value for all rows tells none apart; where there is no other attribute, it makes no group of no rows. -#}
    {%- set constants = scan.attributes | selectattr('kind', 'equalto', 'constant') | list | length -%}
    {%- set attributes = [] -%}
    {%- set all_rows = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- if attribute.kind == 'constant' and constants < scan.attributes | length -%}
            {%- do all_rows.append(fairsql.text(fairsql.literal('all')) ~ ' as attribute_' ~ loop.index) -%}
        {%- else -%}
            {%- do attributes.append('attribute_' ~ loop.index) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do attributes.append('window_number') if fairsql.has_windows(scan) -%}
    {%- do attributes.append('input_' ~ scan.measures[0].inputs[0]) if fairsql.ranks_in_line(scan) -%}
    {%- set columns = [] -%}
    {%- for measure in aggregates -%}
        {%- set number = loop.index -%}
        {%- for statistic, aggregate in measure.items() -%}
            {%- do columns.append(aggregate ~ ' as ' ~ statistic ~ '_' ~ number) -%}
        {%- endfor -%}
    {%- endfor -%}
    -- One row for each combination of attribute values as they are written{{ ", and window" if fairsql.has_windows(scan) }}{{ ", and score" if fairsql.ranks_in_line(scan) }}: the statistics of each measure over its rows.
    select
        {{ (attributes + all_rows) | join(',\n        ') }},
        count(*) as rows_total,
        {{ columns | join(',\n        ') }}
    from {{ 'centred' if fairsql.with_weighted_moments(scan) else 'measured' }}
    group by {{ attributes | join(', ') }}
{%- endmacro %}


{# Of one measure: statistic -> the SQL aggregate that computes it. #}
{% macro aggregates(scan, number) %}
    {%- set measure = scan.measures[number - 1] -%}
    {%- set quantity = 'quantity_' ~ number -%}
    {%- if not measure.inputs -%}{{- return({'evaluated': 'count(*)'}) -}}{%- endif -%}
    {%- set first = 'input_' ~ measure.inputs[0] -%}
    {%- set present = [] -%}
    {%- for index in measure.inputs -%}{%- do present.append('input_' ~ index ~ ' is not null') -%}{%- endfor -%}
    {%- do present.append('weight_' ~ number ~ ' is not null') if measure.weight -%}
    {#- Two embeddings that have no cosine are no input of it. -#}
    {%- do present.append(quantity ~ ' is not null') if measure.quantity == 'semantic_similarity' -%}
    {%- set complete = present | join(' and ') -%}
    {%- set aggregates = {'evaluated': fairsql.count(complete) if present | length > 1 else 'count(' ~ first ~ ')'} -%}
    {%- for index in measure.inputs -%}
        {%- do aggregates.update({'input_' ~ loop.index ~ '_rows': 'count(input_' ~ index ~ ')'}) -%}
    {%- endfor -%}
    {%- set infinite = 'abs(' ~ first ~ ') > ' ~ fairsql.extreme('1.7976931348623157e308') -%}
    {%- if measure.family == 'moments' or measure.family == 'determination' -%}
        {%- if measure.probability -%}
            {%- do aggregates.update({
                'infinite_rows': fairsql.count(present[1] ~ ' and ' ~ infinite),
                'out_of_range_rows': aggregates.evaluated ~ ' - count(' ~ quantity ~ ')',
                'positives': fairsql.count(present[0] ~ ' and input_' ~ measure.inputs[1] ~ ' = 1'),
            }) -%}
        {%- elif measure.family == 'moments' -%}
            {%- do aggregates.update({'infinite_rows': aggregates.evaluated ~ ' - count(' ~ quantity ~ ')'}) -%}
        {%- else -%}
            {%- do aggregates.update({
                'infinite_rows': fairsql.count(complete ~ ' and (' ~ quantity ~ ' is null or truth_' ~ number ~ ' is null)')
            }) -%}
        {%- endif -%}
        {%- do aggregates.update({'mean': 'avg(' ~ quantity ~ ')'}) -%}
    {%- endif -%}
    {%- if measure.family == 'moments' -%}
        {%- do aggregates.update({
            'm2': fairsql.variance(quantity) ~ ' * count(' ~ quantity ~ ')',
            'minimum': 'min(' ~ quantity ~ ')',
            'maximum': 'max(' ~ quantity ~ ')',
        }) -%}
    {%- elif measure.family == 'determination' -%}
        {%- set truth = 'truth_' ~ number -%}
        {%- do aggregates.update({
            'truth_mean': 'avg(' ~ truth ~ ')',
            'truth_m2': fairsql.variance(truth) ~ ' * count(' ~ truth ~ ')',
            'truth_minimum': 'min(' ~ truth ~ ')',
            'truth_maximum': 'max(' ~ truth ~ ')',
        }) -%}
    {%- elif measure.family == 'positives' -%}
        {%- do aggregates.update({'positives': fairsql.count(quantity ~ ' = 1')}) -%}
    {%- elif measure.family == 'cells' -%}
        {%- do aggregates.update({
            'tp': fairsql.count(quantity ~ ' = 3'),
            'fp': fairsql.count(quantity ~ ' = 2'),
            'fn': fairsql.count(quantity ~ ' = 1'),
            'tn': fairsql.count(quantity ~ ' = 0'),
        }) -%}
    {%- elif measure.family in ['concordance', 'binned_concordance'] -%}
        {%- do aggregates.update({
            'infinite_rows': fairsql.count(present[1] ~ ' and ' ~ infinite),
            'positives': fairsql.count(quantity ~ ' = 1'),
            'negatives': fairsql.count(quantity ~ ' = 0'),
        }) -%}
    {%- elif measure.family in ['quantile', 'scoring', 'binned_quantile'] -%}
        {%- do aggregates.update({'infinite_rows': fairsql.count(infinite)}) -%}
    {%- endif -%}
    {%- do aggregates.update(fairsql.binned_aggregates(measure, complete)) if measure.family[:7] == 'binned_' -%}
    {%- if measure.label -%}
        {%- do aggregates.update(fairsql.label_aggregates(scan.inputs[measure.label - 1], 'label_' ~ measure.label, complete)) -%}
    {%- endif -%}
    {%- for index in measure.inputs -%}
        {%- set input = scan.inputs[index - 1] -%}
        {%- if input.role == 'label' and input.kind in ['text', none] -%}
            {%- do aggregates.update({'blank_' ~ loop.index: fairsql.count(complete ~ ' and ' ~ fairsql.is_blank('label_' ~ index, input.kind))}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do aggregates.update(fairsql.weighted_aggregates(scan, number)) if measure.weight -%}
    {{- return(aggregates) -}}
{% endmacro %}


{# What a label column holds, for the messages: its extremes, and which configured values occur. #}
{% macro label_aggregates(input, label, complete) %}
    {#- Over all rows, which costs less than over the complete ones and tells a reader as much. -#}
    {#- Not every engine orders booleans, or whatever a column of unknown type holds: those are compared as text. -#}
    {%- set is_ordered = input.kind in ['integer', 'float', 'decimal', 'text', 'date', 'timestamp', 'timestamptz'] or (input.kind is none and fairsql.orders_all_types()) -%}
    {%- set seen = label if is_ordered else fairsql.text(label) -%}
    {%- set kind = input.kind if is_ordered else 'text' -%}
    {%- set aggregates = {
        'label_minimum': fairsql.value_text('min(' ~ seen ~ ')', kind),
        'label_maximum': fairsql.value_text('max(' ~ seen ~ ')', kind),
    } -%}
    {%- if input.pair -%}
        {%- do aggregates.update({'pair_rows': fairsql.count(complete ~ ' and ' ~ (fairsql.is_boolean(label, input.kind) if input.pair_is_boolean else fairsql.matches(label, input.kind, input.pair)))}) -%}
    {%- endif -%}
    {%- if input.positive_texts | length > 1 -%}
        {%- for value in input.positive_texts -%}
            {%- do aggregates.update({
                'found_' ~ loop.index: 'max(case when ' ~ complete ~ ' and ' ~ fairsql.matches(label, input.kind, [value]) ~ ' then 1 else 0 end)'
            }) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(aggregates) -}}
{% endmacro %}
