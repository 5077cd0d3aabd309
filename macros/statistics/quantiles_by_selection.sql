{# Quantiles without a sort of the rows: they are counted in bins of values (`bins.sql`), which say in which few bins the
   wanted positions lie; only the values of those are told apart, counted and put in order. The pooled quantile of a group
   and the reference is found likewise. `quantiles.sql` says what the parts are for. #}
{% macro selected_value_ctes(scan, numbers) %}
    {%- set rows = [] -%}
    {%- set inputs = [] -%}
    {%- set first_alike = fairsql.first_alike(scan, numbers) -%}
    {%- for number in numbers if first_alike[number - 1] == number -%}
        {%- set input = scan.measures[scan.cuts[number - 1].measure - 1].inputs[0] -%}
        {%- set value = 'source.input_' ~ input -%}
        {%- do inputs.append(input) if input not in inputs -%}
        {%- do rows.append(
            fairsql.grouped_rows(scan, number, [value ~ ' as value', fairsql.value_bin(value) ~ ' as bin'])
            ~ '\n    inner join value_spans\n        on value_spans.input = ' ~ input ~ '\n    where ' ~ value ~ ' is not null'
        ) -%}
    {%- endfor -%}
    {{- return([
        fairsql.described('value_spans', fairsql.value_span_rows(), fairsql.value_spans(inputs)),
        ['valued', rows | join('\n    union all\n    ')],
        fairsql.described('counted_bins', 'One row for each group and bin, and for the whole (group_number 0) and bin: the values in it, and in lower bins.', fairsql.counted_bins(scan, first_alike)),
    ]) -}}
{% endmacro %}


{# For each cut, the first that takes the same values in the same groups: that one's are counted for all of them. Two
   quantiles of a column are such cuts. #}
{% macro first_alike(scan, numbers) %}
    {%- set first = [] -%}
    {%- for cut in scan.cuts -%}
        {%- set found = namespace(first=loop.index) -%}
        {%- for number in numbers if number < loop.index and loop.index in numbers -%}
            {%- set other = scan.cuts[number - 1] -%}
            {%- set takes_the_same_values = scan.measures[other.measure - 1].inputs == scan.measures[cut.measure - 1].inputs -%}
            {%- set has_the_same_groups = other.attributes == cut.attributes and other.missing_values == cut.missing_values and other.ends_in_class == cut.ends_in_class -%}
            {%- if number < found.first and takes_the_same_values and has_the_same_groups -%}{%- set found.first = number -%}{%- endif -%}
        {%- endfor -%}
        {%- do first.append(found.first) -%}
    {%- endfor -%}
    {{- return(first) -}}
{% endmacro %}


{# The number under which the values of a cut are counted, from a column with the cut's own. #}
{% macro valued_cut(scan, first_alike, column) %}
    {%- set offsets = [] -%}
    {%- for first in first_alike -%}{%- do offsets.append(loop.index - first) -%}{%- endfor -%}
    {%- set offset = fairsql.by_cut(offsets, fairsql.cut_number(scan, column)) -%}
    {{- return(column if offsets | unique | list == [0] else column ~ ' - ' ~ offset) -}}
{% endmacro %}


{# From the positions to the values there. #}
{% macro selected_position_ctes(scan, numbers) %}
    {%- set first_alike = fairsql.first_alike(scan, numbers) -%}
    {{- return([
        fairsql.described('positions', fairsql.position_rows(), fairsql.quantile_positions()),
        fairsql.described('wanted_bins', 'The bins that hold one of those positions.', fairsql.wanted_bins()),
        fairsql.described('near_values', 'One row for each group and value of those bins: how many rows.', fairsql.values_in(scan, first_alike, fairsql.wanted_cells())),
        fairsql.described('ranked_values', 'The same rows, and those of the whole: how many values lie before, and up to the value.', fairsql.selected_ranks()),
        fairsql.described('picked_values', 'One row for each group, and one for the whole: the values at the positions.', fairsql.selected_values()),
    ]) -}}
{% endmacro %}


{# Each group and the reference together. #}
{% macro selected_reference_ctes(scan, numbers) %}
    {%- set first_alike = fairsql.first_alike(scan, numbers) -%}
    {{- return([
        fairsql.described('pooled_bins', 'One row for each group and bin: values of the group and of the reference group up to the bin.', fairsql.pooled_bins()),
        fairsql.described('crossings', 'One row for each group: the rank of the pooled quantile, the bin it lies in, and how many values of both lie in lower bins.', fairsql.selected_crossings()),
        fairsql.described('pooled_values', 'One row for each group and value of that bin, and for the reference group and value: how many rows.', fairsql.values_in(scan, first_alike, fairsql.crossed_cells())),
        fairsql.described('beside_reference', 'The same rows: how many values of the bin lie up to the value, in the group, in the reference group, and how many of the reference group are equal.', fairsql.selected_beside_reference()),
        fairsql.described('own_values', 'One row for each group: its own first value at the pooled rank or above.', fairsql.own_values()),
        fairsql.described('pooled_with_reference', fairsql.pooled_rows(), fairsql.selected_pooled_with_reference()),
    ]) -}}
{% endmacro %}


{# Rows are counted once, also for cuts alike; the whole's bins are sums of its groups'. #}
{% macro counted_bins(scan, first_alike) -%}
    select
        *,
        up_to - bin_rows as before
    from (
        select
            *,
            sum(bin_rows) over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row) as up_to
        from (
            select
                cut,
                coalesce(cells.group_number, 0) as group_number,
                bin,
                sum(cell_rows) as bin_rows
            from (
                {{ fairsql.counted_cells(scan, first_alike) }}
            ) as cells
            group by grouping sets ((cut, cells.group_number, bin), (cut, bin))
        ) as merged
    ) as cumulated
{%- endmacro %}


{# Values by group and bin, of every cut. #}
{% macro counted_cells(scan, first_alike) -%}
    {%- set cuts = [] -%}
    {%- for first in first_alike -%}{%- do cuts.append([loop.index, first]) -%}{%- endfor -%}
    {%- set counted -%}
    select cut, group_number, bin, count(*) as cell_rows
                from valued
                group by cut, group_number, bin
    {%- endset -%}
    {%- if first_alike | unique | list | length == first_alike | length -%}
        {{- counted | trim -}}
    {%- else -%}
    select {{ 'counted.cut + alike.cut - alike.first_cut as cut' if fairsql.has_windows(scan) else 'alike.cut' }}, counted.group_number, counted.bin, counted.cell_rows
                from ({{ counted | trim }}) as counted
                inner join {{ fairsql.table_of_numbers('alike', ['cut', 'first_cut'], cuts) }} on alike.first_cut = {{ fairsql.cut_number(scan, 'counted.cut') }}
    {%- endif -%}
{%- endmacro %}


{# That a position is one of a bin's, or one of the rows of equal value. #}
{% macro holds_position(rows, position) -%}
    {{ rows }}.before < {{ position }} and {{ position }} <= {{ rows }}.up_to
{%- endmacro %}


{# Few bins hold the positions that are wanted. #}
{% macro wanted_bins() -%}
    select counted_bins.cut, counted_bins.group_number, counted_bins.bin
    from counted_bins
    inner join positions on counted_bins.cut = positions.cut and counted_bins.group_number = positions.group_number
    where
        {%- for position in ['low_position', 'high_position', 'lower_rank', 'upper_rank'] %}
        {{ 'or ' if not loop.first }}({{ fairsql.holds_position('counted_bins', 'positions.' ~ position) }})
        {%- endfor %}
{%- endmacro %}


{# A bin that the whole wants is wanted of each group. #}
{% macro wanted_cells() %}
    {{- return(
        'select distinct counted_bins.cut, counted_bins.group_number, counted_bins.bin'
        ~ '\n            from counted_bins'
        ~ '\n            inner join wanted_bins on counted_bins.cut = wanted_bins.cut and counted_bins.bin = wanted_bins.bin'
        ~ '\n            where counted_bins.group_number > 0 and wanted_bins.group_number in (0, counted_bins.group_number)'
    ) -}}
{% endmacro %}


{# The rows that lie in some bins of some groups, counted by value. #}
{% macro values_in(scan, first_alike, cells) -%}
    select
        wanted.cut,
        valued.group_number,
        valued.bin,
        valued.value,
        count(*) as value_rows
    from valued
    inner join {{ fairsql.few_rows(cells, ['cut', 'group_number', 'bin']) }} as wanted
        on valued.cut = {{ fairsql.valued_cut(scan, first_alike, 'wanted.cut') }} and valued.group_number = wanted.group_number and valued.bin = wanted.bin
    group by wanted.cut, valued.group_number, valued.bin, valued.value
{%- endmacro %}


{# The whole has values in the bins that it wants, where all groups' are counted. #}
{% macro selected_ranks() -%}
    select
        *,
        up_to - value_rows as before
    from (
        select
            placed.*,
            counted_bins.before
            + sum(placed.value_rows) over (
                partition by placed.cut, placed.group_number, placed.bin
                order by placed.value asc rows between unbounded preceding and current row
            ) as up_to
        from (
            select cut, group_number, bin, value, value_rows
            from near_values
            union all
            select near_values.cut, 0 as group_number, near_values.bin, near_values.value, sum(near_values.value_rows) as value_rows
            from near_values
            inner join wanted_bins on near_values.cut = wanted_bins.cut and near_values.bin = wanted_bins.bin
            where wanted_bins.group_number = 0
            group by near_values.cut, near_values.bin, near_values.value
        ) as placed
        inner join counted_bins
            on placed.cut = counted_bins.cut and placed.group_number = counted_bins.group_number and placed.bin = counted_bins.bin
    ) as cumulated
{%- endmacro %}


{# The values at the positions, and the bin of the quantile. #}
{% macro selected_values() -%}
    {%- set picked = [['low', 'low_position', 'value'], ['high', 'high_position', 'value'], ['lower', 'lower_rank', 'value'], ['upper', 'upper_rank', 'value'], ['low_bin', 'low_position', 'bin']] -%}
    select
        positions.cut,
        positions.group_number,
        {%- for name, position, column in picked %}
        max(case when {{ fairsql.holds_position('ranked_values', 'positions.' ~ position) }} then ranked_values.{{ column }} end) as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from positions
    inner join ranked_values on positions.cut = ranked_values.cut and positions.group_number = ranked_values.group_number
    group by positions.cut, positions.group_number
{%- endmacro %}


{# Bins of each group and of its reference together; a group may lack values where the reference has some. #}
{% macro pooled_bins() -%}
    {%- set up_to_here = ' over (partition by cut, group_number order by bin asc rows between unbounded preceding and current row)' -%}
    select
        *,
        sum(own_rows){{ up_to_here }} as own_up_to,
        sum(reference_rows){{ up_to_here }} as reference_up_to
    from (
        select cut, group_number, bin, sum(own_rows) as own_rows, sum(reference_rows) as reference_rows
        from (
            select counted_bins.cut, counted_bins.group_number, counted_bins.bin, counted_bins.bin_rows as own_rows, 0 as reference_rows
            from counted_bins
            inner join reference_groups on counted_bins.cut = reference_groups.cut
            where counted_bins.group_number not in (0, reference_groups.group_number)
            union all
            select quantiles.cut, quantiles.group_number, counted_bins.bin, 0 as own_rows, counted_bins.bin_rows as reference_rows
            from quantiles
            inner join reference_groups on quantiles.cut = reference_groups.cut
            inner join counted_bins on counted_bins.cut = reference_groups.cut and counted_bins.group_number = reference_groups.group_number
            where quantiles.group_number not in (0, reference_groups.group_number)
        ) as samples
        group by cut, group_number, bin
    ) as merged
{%- endmacro %}


{# Where the values of both first reach the pooled rank. #}
{% macro selected_crossings() -%}
    select
        *,
        own_up_to - own_rows as own_before,
        reference_up_to - reference_rows as reference_before
    from (
        select
            pooled_bins.*,
            quantiles.n,
            reference_groups.group_number as reference_number,
            reference_groups.n as reference_n,
            floor(quantiles.numerator * (quantiles.n + reference_groups.n - 1) / quantiles.denominator) + 1 as pooled_rank
        from pooled_bins
        inner join reference_groups on pooled_bins.cut = reference_groups.cut
        inner join quantiles on pooled_bins.cut = quantiles.cut and pooled_bins.group_number = quantiles.group_number
    ) as ranked
    where own_up_to + reference_up_to >= pooled_rank
        and own_up_to - own_rows + reference_up_to - reference_rows < pooled_rank
{%- endmacro %}


{# Each group's values in the bin of its crossing, and the reference group's in the bins of all. #}
{% macro crossed_cells() %}
    {{- return(
        'select distinct cut, group_number, bin'
        ~ '\n            from ('
        ~ '\n                select cut, group_number, bin from crossings'
        ~ '\n                union all'
        ~ '\n                select cut, reference_number as group_number, bin from crossings'
        ~ '\n            ) as both_samples'
    ) -}}
{% endmacro %}


{# No value is repeated: the values of the reference group stand among those of all groups. #}
{% macro selected_beside_reference() -%}
    {%- set up_to_here = ' rows between unbounded preceding and current row' -%}
    select
        *,
        sum(value_rows) over (partition by cut, group_number, bin order by value asc{{ up_to_here }}) as up_to,
        sum(reference_rows) over (partition by cut, bin order by value asc, is_reference desc{{ up_to_here }}) as reference_up_to,
        sum(reference_rows) over (partition by cut, bin, value) as reference_equal
    from (
        select
            pooled_values.*,
            case when pooled_values.group_number = reference_groups.group_number then 1 else 0 end as is_reference,
            case when pooled_values.group_number = reference_groups.group_number then pooled_values.value_rows else 0 end as reference_rows
        from pooled_values
        inner join reference_groups on pooled_values.cut = reference_groups.cut
    ) as flagged
{%- endmacro %}


{# The first value of the group itself by which both samples reach the pooled rank, if its bin has one, and how many of the
   group's values lie before that. #}
{% macro own_values() -%}
    {%- set reaches = 'own_before + up_to + reference_before_bin + reference_up_to_value >= pooled_rank' -%}
    select
        cut, group_number, bin, n, reference_number, reference_n, pooled_rank, reference_before_bin,
        min(case when {{ reaches }} then value end) as own_value,
        min(case when {{ reaches }} then own_before + up_to - value_rows end) as own_value_before,
        min(case when {{ reaches }} then own_before + up_to end) as own_value_up_to,
        min(case when {{ reaches }} then reference_before_bin + reference_up_to_value - reference_equal end) as reference_before,
        min(case when {{ reaches }} then reference_before_bin + reference_up_to_value end) as reference_up_to,
        max(case when {{ reaches }} or up_to is null then own_before else own_before + up_to end) as left_behind
    from (
        select
            crossings.cut, crossings.group_number, crossings.bin, crossings.n, crossings.reference_number,
            crossings.reference_n, crossings.pooled_rank, crossings.own_before, crossings.reference_before as reference_before_bin,
            beside_reference.value, beside_reference.value_rows, beside_reference.up_to, beside_reference.reference_up_to as reference_up_to_value,
            beside_reference.reference_equal
        from crossings
        left join beside_reference
            on crossings.cut = beside_reference.cut
            and crossings.group_number = beside_reference.group_number
            and crossings.bin = beside_reference.bin
    ) as candidates
    group by cut, group_number, bin, n, reference_number, reference_n, pooled_rank, reference_before_bin
{%- endmacro %}


{# The pooled quantile is the group's own value there, or the reference's value of the rank that remains. #}
{% macro selected_pooled_with_reference() -%}
    select
        cut,
        group_number,
        case when is_own = 1 then own_value else reference_value end as pooled_quantile,
        n - case when is_own = 1 then own_value_up_to else left_behind end as above,
        n - case when is_own = 1 then own_value_before else left_behind end as at_or_above,
        reference_n as second_rows,
        reference_n - case when is_own = 1 then reference_up_to else reference_value_up_to end as second_above,
        reference_n - case when is_own = 1 then reference_before else reference_value_before end as second_at_or_above
    from (
        select
            own_values.*,
            beside_reference.value as reference_value,
            own_values.reference_before_bin + beside_reference.up_to - beside_reference.value_rows as reference_value_before,
            own_values.reference_before_bin + beside_reference.up_to as reference_value_up_to,
            case when beside_reference.value is null or own_values.own_value <= beside_reference.value then 1 else 0 end as is_own
        from own_values
        left join beside_reference
            on own_values.cut = beside_reference.cut
            and own_values.reference_number = beside_reference.group_number
            and own_values.bin = beside_reference.bin
            and own_values.reference_before_bin + beside_reference.up_to - beside_reference.value_rows < own_values.pooled_rank - own_values.left_behind
            and own_values.pooled_rank - own_values.left_behind <= own_values.reference_before_bin + beside_reference.up_to
    ) as chosen
{%- endmacro %}


{# Against all other rows, the two samples together are the whole: one pooled quantile for every group. #}
{% macro selected_pooled_with_others(scan) -%}
    select
        cut,
        group_number,
        pooled_quantile,
        n - up_to as above,
        n - before as at_or_above,
        whole_n - n as second_rows,
        whole_n - n - (sum(up_to) over (partition by cut) - up_to) as second_above,
        whole_n - n - (sum(before) over (partition by cut) - before) as second_at_or_above
    from (
        select
            cut,
            group_number,
            pooled_quantile,
            whole_n,
            {{ fairsql.double('sum(all_rows)') }} as n,
            sum(before) as before,
            sum(up_to) as up_to
        from (
            select
                counted_bins.cut, counted_bins.group_number, wholes.low as pooled_quantile, wholes.n as whole_n,
                counted_bins.bin_rows as all_rows,
                case when counted_bins.bin < wholes.low_bin then counted_bins.bin_rows else 0 end as before,
                case when counted_bins.bin < wholes.low_bin then counted_bins.bin_rows else 0 end as up_to
            from counted_bins
            inner join quantiles as wholes on counted_bins.cut = wholes.cut and wholes.group_number = 0
            union all
            select
                near_values.cut, near_values.group_number, wholes.low as pooled_quantile, wholes.n as whole_n,
                0 as all_rows,
                case when near_values.value < wholes.low then near_values.value_rows else 0 end as before,
                case when near_values.value <= wholes.low then near_values.value_rows else 0 end as up_to
            from near_values
            inner join quantiles as wholes
                on near_values.cut = wholes.cut and wholes.group_number = 0 and near_values.bin = wholes.low_bin
        ) as parts
        where group_number > 0 and {{ fairsql.cut_number(scan) }} in ({{ fairsql.overall_cuts(scan) | join(', ') }})
        group by cut, group_number, pooled_quantile, whole_n
    ) as split
{%- endmacro %}
