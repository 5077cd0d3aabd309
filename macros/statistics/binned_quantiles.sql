{# Quantiles from counts of rows by bin (histogram.sql): the bins that hold the order statistics, what those can be at least and
   at most, and the counts of the pooled-quantile test on the values' bins. #}
{% macro binned_quantile_ctes(scan) %}
    {%- set numbers = fairsql.cuts_of(scan, 'binned_quantile') -%}
    {%- set comparisons = fairsql.pooled_comparisons(scan, numbers) -%}
    {%- set join = fairsql.binned_quantile_join() -%}
    {%- set ctes = [
        fairsql.described('value_bins', 'One row for each group and bin, and one for the whole (group_number 0) and bin: rows and extremes.', fairsql.group_bins(scan, 'binned_quantile', ['bin_rows'])),
        fairsql.described('placed_value_bins', 'The same rows, with how many of the group lie up to the bin.', fairsql.placed_value_bins()),
        fairsql.described('binned_sizes', 'One row for each group, and one for the whole: how many values, which quantile, at which alpha.', fairsql.quantile_sizes(scan, numbers, 'binned_quantile')),
    ] -%}
    {%- do ctes.extend(fairsql.order_ranks_ctes('binned_sizes', 'binned_')) -%}
    {%- do ctes.extend([
        fairsql.described('binned_positions', 'The same rows: the quantile lies between the low and the high position, its interval between the lower and the upper rank.', fairsql.quantile_positions('binned_sizes', 'binned_order_ranks')),
        fairsql.described('bounded_values', 'The same rows: what the values at those positions can be at least and at most, and where they are taken to be.', fairsql.bounded_values()),
        fairsql.described('binned_quantiles', 'The same rows: the quantile, its bounds and those of its interval.', fairsql.binned_quantile_values()),
    ]) -%}
    {%- if 'reference' in comparisons -%}
        {%- do ctes.extend([
            fairsql.described('binned_references', 'One row for each cut: the reference group.', fairsql.quantile_references(scan, numbers, 'binned_quantiles', 'approximate_quantile')),
            fairsql.described('bins_beside_reference', 'The bins of each group and of the reference group together, with the rows of both up to the bin.', fairsql.bins_beside_reference()),
            fairsql.described('bins_with_reference', 'One row for each group: the rows of both samples above the bin of the pooled quantile, and in it or above.', fairsql.bins_with_reference()),
        ]) -%}
    {%- endif -%}
    {%- do ctes.append(
        fairsql.described('bins_with_others', 'One row for each group: the rows of the group and all other rows above the bin of the quantile of the whole, and in it or above.', fairsql.bins_with_others(scan))
    ) if 'overall' in comparisons -%}
    {%- do ctes.append(fairsql.described('binned_order_statistics', 'One row for each group, and one for the whole: all of the above.', fairsql.order_statistics(
        'binned_quantiles', join.numbers, 'bins_with_reference', 'bins_with_others', join.counts, comparisons
    ))) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# What the result takes from binned_order_statistics. #}
{% macro binned_quantile_join() %}
    {{- return({
        'relation': 'binned_order_statistics',
        'counts': ['above_bin', 'from_bin', 'other_rows', 'other_above_bin', 'other_from_bin'],
        'numbers': ['approximate_quantile', 'quantile_least', 'quantile_greatest', 'interval_lower', 'interval_upper'],
    }) -}}
{% endmacro %}


{# How many rows of the group lie up to each bin. #}
{% macro placed_value_bins() -%}
    select
        *,
        sum(bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as up_to
    from value_bins
{%- endmacro %}


{# The first row of a bin holds its least value and the last one its greatest; between them values are taken to be evenly
   spread, by rank. #}
{% macro bounded_values() -%}
    {%- set items = [] -%}
    {%- for position, what in [
        ['low_position', 'least'], ['low_position', 'value'], ['low_position', 'greatest'],
        ['high_position', 'least'], ['high_position', 'value'], ['high_position', 'greatest'],
        ['lower_rank', 'least'], ['upper_rank', 'greatest'],
    ] -%}
        {%- set found = {
            'least': 'case when ' ~ position ~ ' = up_to then highest else lowest end',
            'greatest': 'case when ' ~ position ~ ' = up_to - bin_rows + 1 then lowest else highest end',
            'value': 'case when lowest < highest and ' ~ position ~ ' < up_to then ' ~ fairsql.interpolated('lowest', 'highest', '((' ~ position ~ ' - (up_to - bin_rows) - 1) / ' ~ fairsql.double('bin_rows - 1') ~ ')') ~ ' else highest end',
        }[what] -%}
        {%- do items.append('max(case when ' ~ position ~ ' > up_to - bin_rows and ' ~ position ~ ' <= up_to then ' ~ found ~ ' end) as ' ~ position[:-5 if position[-4:] == 'rank' else -9] ~ '_' ~ what) -%}
    {%- endfor -%}
    select
        cut,
        group_number,
        n,
        numerator,
        denominator,
        {{ items | join(',\n        ') }}
    from (
        select
            positions.*,
            bins.bin_rows,
            bins.lowest,
            bins.highest,
            {{ fairsql.double('bins.up_to') }} as up_to
        from binned_positions as positions
        inner join placed_value_bins as bins on positions.cut = bins.cut and positions.group_number = bins.group_number
    ) as placed
    group by cut, group_number, n, numerator, denominator
{%- endmacro %}


{# The quantile by linear interpolation between its two neighbours, and the same of what those can be. #}
{% macro binned_quantile_values() -%}
    {%- set position = 'numerator * (n - 1) / denominator' -%}
    select
        cut,
        group_number,
        n,
        numerator,
        denominator,
        lower_least as interval_lower,
        upper_greatest as interval_upper
        {%- for name, what in [['approximate_quantile', 'value'], ['quantile_least', 'least'], ['quantile_greatest', 'greatest']] %},
        {{ fairsql.interpolated('low_' ~ what, 'high_' ~ what, '(' ~ position ~ ' - floor(' ~ position ~ '))') }} as {{ name }}
        {%- endfor %}
    from bounded_values
{%- endmacro %}


{# The bins of each group and those of the reference, as one order. #}
{% macro bins_beside_reference() -%}
    select
        cut,
        group_number,
        n,
        other_rows,
        own_bin_rows,
        other_bin_rows,
        floor(numerator * (n + other_rows - 1) / denominator) + 1 as pooled_rank,
        sum(own_bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as own_up_to,
        sum(other_bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as other_up_to
    from (
        select cut, group_number, n, numerator, denominator, other_rows, bin, sum(own_bin_rows) as own_bin_rows, sum(other_bin_rows) as other_bin_rows
        from (
            {%- for own, other, number in [['bins.bin_rows', '0', 'quantiles.group_number'], ['0', 'bins.bin_rows', 'reference_groups.group_number']] %}
            select
                quantiles.cut,
                quantiles.group_number,
                quantiles.n,
                quantiles.numerator,
                quantiles.denominator,
                reference_groups.n as other_rows,
                bins.bin,
                {{ own }} as own_bin_rows,
                {{ other }} as other_bin_rows
            from binned_quantiles as quantiles
            inner join binned_references as reference_groups on quantiles.cut = reference_groups.cut
            inner join value_bins as bins on quantiles.cut = bins.cut and {{ number }} = bins.group_number
            where quantiles.group_number not in (0, reference_groups.group_number)
            {%- if not loop.last %}
            union all
            {%- endif %}
            {%- endfor %}
        ) as own_and_other
        group by cut, group_number, n, numerator, denominator, other_rows, bin
    ) as merged
{%- endmacro %}


{# The bin in which the two samples together reach the pooled rank. #}
{% macro bins_with_reference() -%}
    select
        cut,
        group_number,
        n - own_up_to as above_bin,
        n - own_up_to + own_bin_rows as from_bin,
        other_rows,
        other_rows - other_up_to as other_above_bin,
        other_rows - other_up_to + other_bin_rows as other_from_bin
    from bins_beside_reference
    where own_up_to + other_up_to >= pooled_rank and own_up_to + other_up_to - own_bin_rows - other_bin_rows < pooled_rank
{%- endmacro %}


{# Against all other rows, the two samples together are the whole: one bin for every group. #}
{% macro bins_with_others(scan) -%}
    select
        cut,
        group_number,
        above_bin,
        from_bin,
        whole_rows - n as other_rows,
        whole_above - above_bin as other_above_bin,
        whole_from - from_bin as other_from_bin
    from (
        select
            bins.cut,
            bins.group_number,
            wholes.n as whole_rows,
            wholes.n - wholes.up_to as whole_above,
            wholes.n - wholes.up_to + wholes.bin_rows as whole_from,
            sum(bins.bin_rows) as n,
            sum(case when bins.bin > wholes.bin then bins.bin_rows else 0 end) as above_bin,
            sum(case when bins.bin >= wholes.bin then bins.bin_rows else 0 end) as from_bin
        from value_bins as bins
        inner join (
            select whole_bins.cut, whole_bins.bin, whole_bins.bin_rows, whole_bins.up_to, positions.n
            from placed_value_bins as whole_bins
            inner join binned_positions as positions on whole_bins.cut = positions.cut and whole_bins.group_number = positions.group_number
            where whole_bins.group_number = 0
                and {{ fairsql.cut_number(scan, 'whole_bins.cut') }} in ({{ fairsql.overall_cuts(scan, 'binned_quantile') | join(', ') }})
                and positions.low_position <= whole_bins.up_to
                and positions.low_position > whole_bins.up_to - whole_bins.bin_rows
        ) as wholes on bins.cut = wholes.cut
        where bins.group_number > 0
        group by bins.cut, bins.group_number, wholes.n, wholes.up_to, wholes.bin_rows
    ) as split
{%- endmacro %}
