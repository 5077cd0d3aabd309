{# Rows that count by a weight: sums of weights beside the counts, weighted moments, AUC and quantiles.
   A measure's `weight` is the number of the input that weighs its rows, none where all count alike. #}


{# What a weight may be besides 0. Beyond it a square, or the product with a square, is no number. #}
{% macro usable_weight(column) %}
    {{- return(column ~ ' between ' ~ fairsql.extreme('1e-50') ~ ' and ' ~ fairsql.extreme('1e50')) -}}
{% endmacro %}


{# A quantity of a weighted measure: null where the row counts for nothing. #}
{% macro weighed(measure, expression) %}
    {%- set parts = expression.split('\n        ') if expression[:2] == '--' else ['', expression] -%}
    {%- set comment = parts[0] ~ '\n        ' if parts[0] else '' -%}
    {{- return(comment ~ fairsql.case_of(['when ' ~ fairsql.usable_weight('input_' ~ measure.weight) ~ ' then ' ~ parts[1:] | join('\n        ')])) -}}
{% endmacro %}


{# The weight of a row in a measure: null where the row lacks an input, or counts for nothing. #}
{% macro row_weight(measure) %}
    {%- set conditions = [] -%}
    {%- for index in measure.inputs -%}{%- do conditions.append('input_' ~ index ~ ' is not null') -%}{%- endfor -%}
    {%- do conditions.append(fairsql.usable_weight('input_' ~ measure.weight)) -%}
    {{- return(fairsql.case_of(['when ' ~ conditions | join(' and ') ~ ' then input_' ~ measure.weight])) -}}
{% endmacro %}


{# Every statistic that is a sum of weights, or of their squares. #}
{% macro weight_sums() %}
    {%- set names = [] -%}
    {%- for count in ['_sum', '_positives', '_negatives', '_tp', '_fp', '_fn', '_tn'] -%}
        {%- do names.extend(['weight' ~ count, 'squared_weight' ~ count]) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# What a weighted measure aggregates besides, or in the place of, what it would without weights. #}
{% macro weighted_aggregates(scan, number) %}
    {%- set measure = scan.measures[number - 1] -%}
    {%- set weight, quantity, truth = 'weight_' ~ number, 'quantity_' ~ number, 'truth_' ~ number -%}
    {%- set column = 'input_' ~ measure.weight -%}
    {%- set present = [] -%}
    {%- for index in measure.inputs -%}{%- do present.append('input_' ~ index ~ ' is not null') -%}{%- endfor -%}
    {%- set complete = present | join(' and ') -%}
    {%- set aggregates = {
        'zero_weight_rows': fairsql.count(complete ~ ' and ' ~ column ~ ' = 0'),
        'bad_weight_rows': fairsql.count(complete ~ ' and (' ~ column ~ ' is null or (' ~ column ~ ' <> 0 and not ' ~ fairsql.usable_weight(column) ~ '))'),
        'weight_sum': 'sum(' ~ weight ~ ')',
        'squared_weight_sum': 'sum(' ~ weight ~ ' * ' ~ weight ~ ')',
    } -%}
    {%- set counts = {
        'positives': [['positives', 1]],
        'cells': [['tp', 3], ['fp', 2], ['fn', 1], ['tn', 0]],
        'concordance': [['positives', 1], ['negatives', 0]],
    }.get(measure.family, []) -%}
    {%- for name, code in counts -%}
        {%- set own = 'case when ' ~ quantity ~ ' = ' ~ code ~ ' then ' ~ weight -%}
        {%- do aggregates.update({'weight_' ~ name: 'sum(' ~ own ~ ' else 0 end)'}) -%}
        {%- do aggregates.update({'squared_weight_' ~ name: 'sum(' ~ own ~ ' * ' ~ weight ~ ' else 0 end)'}) if measure.family != 'positives' -%}
    {%- endfor -%}
    {%- if measure.probability or measure.family in ['concordance', 'quantile'] -%}
        {%- do aggregates.update({
            'infinite_rows': fairsql.count(weight ~ ' is not null and abs(input_' ~ measure.inputs[0] ~ ') > ' ~ fairsql.extreme('1.7976931348623157e308')),
        }) -%}
    {%- endif -%}
    {%- if measure.probability -%}
        {%- do aggregates.update({
            'positives': fairsql.count(weight ~ ' is not null and input_' ~ measure.inputs[1] ~ ' = 1'),
        }) -%}
    {%- endif -%}
    {%- if measure.family == 'moments' -%}
        {%- do aggregates.update(fairsql.weighted_moments(number, 'quantity_', '')) -%}
    {%- elif measure.family == 'determination' -%}
        {%- do aggregates.update({'mean': fairsql.weighted_moments(number, 'quantity_', '').mean}) -%}
        {%- do aggregates.update(fairsql.weighted_moments(number, 'truth_', 'truth_')) -%}
    {%- endif -%}
    {{- return(aggregates) -}}
{% endmacro %}


{# The weighted mean and sum of squared deviations of a raw key, from deviations from a mean that is right but for
   rounding: what rounding left of it is taken out of both. #}
{% macro weighted_moments(number, column, prefix) %}
    {%- set weight = 'weight_' ~ number -%}
    {%- set centre = column ~ 'centre_' ~ number -%}
    {%- set deviation = '(' ~ column ~ number ~ ' - ' ~ centre ~ ')' -%}
    {%- set left = 'sum(' ~ weight ~ ' * ' ~ deviation ~ ')' -%}
    {%- set whole = 'nullif(sum(' ~ weight ~ '), 0)' -%}
    {{- return({
        prefix ~ 'mean': 'max(' ~ centre ~ ') + ' ~ left ~ ' / ' ~ whole,
        prefix ~ 'm2': 'greatest(sum(' ~ weight ~ ' * ' ~ deviation ~ ' * ' ~ deviation ~ ') - ' ~ left ~ ' * (' ~ left ~ ' / ' ~ whole ~ '), 0e0)',
    }) -}}
{% endmacro %}


{# The numbers of the measures that have weighted moments. #}
{% macro with_weighted_moments(scan) %}
    {%- set numbers = [] -%}
    {%- for measure in scan.measures -%}
        {%- do numbers.append(loop.index) if measure.weight and measure.family in ['moments', 'determination'] -%}
    {%- endfor -%}
    {{- return(numbers) -}}
{% endmacro %}


{# The same rows beside the weighted mean of their raw key: deviations from it survive any offset, and any weights. #}
{% macro centred(scan) %}
    {%- set keys = fairsql.numbered('attribute_', scan.attributes | length) -%}
    {%- do keys.append('window_number') if fairsql.has_windows(scan) -%}
    {%- set partition = ' over (partition by ' ~ keys | join(', ') ~ ')' -%}
    {%- set columns = [] -%}
    {%- for number in fairsql.with_weighted_moments(scan) -%}
        {%- set is_determined = scan.measures[number - 1].family == 'determination' -%}
        {%- for column in ['quantity_', 'truth_'] if column == 'quantity_' or is_determined -%}
            {%- do columns.append(
                'sum(weight_' ~ number ~ ' * ' ~ column ~ number ~ ')' ~ partition
                ~ '\n            / nullif(sum(weight_' ~ number ~ ')' ~ partition ~ ', 0) as ' ~ column ~ 'centre_' ~ number
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do columns.append(fairsql.anchor(keys) ~ ' as anchor') if fairsql.anchor(keys) -%}
    -- The same rows, with the weighted mean over the rows of the same attribute values as they are written.
    select
        *,
        {{ columns | join(',\n        ') }}
    from measured
{%- endmacro %}


{# What a raw key weighs when moments are merged: its rows, or the sum of their weights, by cut. #}
{% macro mass(scan) %}
    {%- set columns = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do columns.append(('weight_sum_' if scan.measures[cut.measure - 1].weight else 'evaluated_') ~ cut.measure) -%}
    {%- endfor -%}
    {{- return(fairsql.by_cut(columns)) -}}
{% endmacro %}


{# The rows of `source` that count in the weighted cuts of a family, with their columns and their weight. #}
{% macro weighted_rows(scan, family, names) %}
    {%- set rows = [] -%}
    {%- for number in fairsql.cuts_of(scan, family, true) -%}
        {%- set measure = scan.measures[scan.cuts[number - 1].measure - 1] -%}
        {%- set columns = [] -%}
        {%- set conditions = [] -%}
        {%- for index in measure.inputs -%}
            {%- do columns.append('source.input_' ~ index ~ ' as ' ~ names[loop.index0]) -%}
            {%- do conditions.append('source.input_' ~ index ~ ' is not null') -%}
        {%- endfor -%}
        {%- do columns.append('source.input_' ~ measure.weight ~ ' as weight') -%}
        {%- do conditions.append(fairsql.usable_weight('source.input_' ~ measure.weight)) -%}
        {%- do rows.append(fairsql.grouped_rows(scan, number, columns) ~ '\n    where ' ~ conditions | join(' and ')) -%}
    {%- endfor -%}
    {{- return(rows | join('\n    union all\n    ')) -}}
{% endmacro %}


{# AUC of weighted rows: a pair of a positive and a negative counts the product of their weights. Everywhere by distinct
   score, since weights have no ranks. #}
{% macro weighted_concordance_ctes(scan) %}
    {%- set weighed -%}
    select
        cut,
        group_number,
        score,
        sum(case when positive = 1 then weight else 0 end) as positives,
        sum(case when positive = 0 then weight else 0 end) as negatives
    from weighted_scores
    group by cut, group_number, score
    {%- endset -%}
    {%- set ctes = [
        ['weighted_scores', fairsql.weighted_rows(scan, 'concordance', ['score', 'positive'])],
        fairsql.described('weighed_scores', 'One row for each group and score: the weight of positives and of negatives.', weighed),
    ] -%}
    {%- do ctes.extend(fairsql.placed_scores('weighed_scores', 'placed_weights', 'weighted_concordance', 'weighted_concordant')) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# Quantiles of weighted rows (Akinshin 2023, arXiv:2304.07265): of n = (Σw)² / Σw² equal rows in the place of all, the
   quantile lies between the ranks q (n - 1) and q (n - 1) + 1, a rank being n times the share of the weight up to
   a row; each row counts as much as it covers of that stretch. With equal weights that is the linear interpolation
   of quantiles without weights. #}
{% macro weighted_quantile_ctes(scan) %}
    {%- set cumulated -%}
    select
        *,
        sum(weight) over (partition by cut, group_number order by value asc rows between unbounded preceding and current row) as up_to,
        sum(weight) over (partition by cut, group_number) as group_weight,
        sum(weight) over (partition by cut, group_number) / sum(weight * weight) over (partition by cut, group_number) as rows_per_weight,
        sum(weight) over (partition by cut order by value asc rows between unbounded preceding and current row) as up_to_in_whole,
        sum(weight) over (partition by cut) as whole_weight,
        sum(weight) over (partition by cut) / sum(weight * weight) over (partition by cut) as rows_per_weight_in_whole,
        {{ fairsql.double(fairsql.cut_parameter(scan, 'numerator')) }} as numerator,
        {{ fairsql.double(fairsql.cut_parameter(scan, 'denominator')) }} as denominator
    from weighted_values
    {%- endset -%}
    {%- set covered -%}
    select
        cut,
        group_number,
        value,
        {{ fairsql.covered('up_to', 'group_weight', 'rows_per_weight') }} as part,
        {{ fairsql.covered('up_to_in_whole', 'whole_weight', 'rows_per_weight_in_whole') }} as part_in_whole
    from cumulated_weights
    {%- endset -%}
    {%- set quantiles -%}
    select
        cut,
        coalesce(covered_values.group_number, 0) as group_number,
        case
            when grouping(covered_values.group_number) = 1 then {{ fairsql.covered_mean('part_in_whole') }}
            else {{ fairsql.covered_mean('part') }}
        end as weighted_quantile
    from covered_values
    group by grouping sets ((cut, covered_values.group_number), (cut))
    {%- endset -%}
    {{- return([
        ['weighted_values', fairsql.weighted_rows(scan, 'quantile', ['value'])],
        fairsql.described('cumulated_weights', 'The same rows: the weight up to the value, and how many equal rows a unit of weight is worth, in the group and in the whole.', cumulated),
        fairsql.described('covered_values', 'The same rows, with how much each covers of the stretch in which the quantile lies.', covered),
        fairsql.described('weighted_quantiles', 'One row for each group, and one for the whole (group_number 0): the quantile.', quantiles),
    ]) -}}
{% endmacro %}


{# How much of the stretch from rank q (n - 1) to the next lies between the row's own ranks. #}
{% macro covered(up_to, weight, rows_per_weight) %}
    {%- set start = 'numerator * (' ~ weight ~ ' * ' ~ rows_per_weight ~ ' - 1e0) / denominator' -%}
    {%- set ends = [] -%}
    {%- for place in [up_to, '(' ~ up_to ~ ' - weight)'] -%}
        {%- do ends.append('greatest(least(' ~ place ~ ' * ' ~ rows_per_weight ~ ' - ' ~ start ~ ', 1e0), 0e0)') -%}
    {%- endfor -%}
    {{- return(ends | join('\n            - ')) -}}
{% endmacro %}


{# The mean of the values by what they cover; where they are all one value, just that. #}
{% macro covered_mean(part) %}
    {%- set covering = 'case when ' ~ part ~ ' > 0 then value end' -%}
    {{- return(
        'case when min(' ~ covering ~ ') = max(' ~ covering ~ ') then min(' ~ covering ~ ') else sum(' ~ part ~ ' * value) / nullif(sum(' ~ part ~ '), 0) end'
    ) -}}
{% endmacro %}
