{# Quantiles by group and over all, their order-statistic bounds, and the counts of the pooled-quantile test,
   from one ranking of each cut's values. #}
{% macro quantile_ctes(scan) %}
    {%- set numbers = fairsql.cuts_of(scan, 'quantile') -%}
    {%- set rows = [] -%}
    {%- set comparisons = [] -%}
    {%- for number in numbers -%}
        {%- set cut = scan.cuts[number - 1] -%}
        {%- set value = 'source.input_' ~ scan.measures[cut.measure - 1].inputs[0] -%}
        {%- do rows.append(fairsql.grouped_rows(scan, number, [value ~ ' as value']) ~ '\n    where ' ~ value ~ ' is not null') -%}
        {%- do comparisons.append(cut.comparison) if cut.significance -%}
    {%- endfor -%}
    {%- set ctes = [
        ['valued', rows | join('\n    union all\n    ')],
        fairsql.described('ranked_values', 'The same rows: how many of the group lie before and up to the value, and a position of its own in group and whole.', fairsql.ranked_values()),
        fairsql.described('sizes', 'One row for each group, and one for the whole (group_number 0): how many values, which quantile, at which alpha.', fairsql.quantile_sizes(scan, numbers)),
    ] -%}
    {%- do ctes.extend(fairsql.order_ranks_ctes('sizes')) -%}
    {%- do ctes.append(fairsql.described('positions', 'One row for each group, and one for the whole: the quantile lies between the low and the high position, its interval between the lower and the upper rank.', fairsql.quantile_positions())) -%}
    {%- do ctes.append(fairsql.described('picked_values', 'The same rows: the values at those positions.', fairsql.picked_values())) -%}
    {%- do ctes.append(fairsql.described('quantiles', 'One row for each group, and one for the whole: the quantile and the bounds of its interval.', fairsql.quantile_values())) -%}
    {%- if 'reference' in comparisons -%}
        {%- do ctes.append(fairsql.described('reference_groups', 'One row for each cut: the reference group.', fairsql.quantile_references(scan, numbers))) -%}
        {%- do ctes.append(fairsql.described('beside_reference', 'Every value, with how many values of the reference group lie before and up to it.', fairsql.beside_reference())) -%}
        {%- do ctes.append(fairsql.described('crossings', 'One row for each group: where it and the reference group together reach the rank of the pooled quantile.', fairsql.crossings())) -%}
        {%- do ctes.append(fairsql.described('pooled_with_reference', 'One row for each group: the pooled quantile, and the rows of both samples above it, and at or above it.', fairsql.pooled_with_reference())) -%}
    {%- endif -%}
    {%- if 'overall' in comparisons -%}
        {%- do ctes.append(fairsql.described('pooled_with_others', 'One row for each group: the quantile of the whole, and the rows of the group and all other rows above it, and at or above it.', fairsql.pooled_with_others(scan))) -%}
    {%- endif -%}
    {%- do ctes.append(fairsql.described('order_statistics', 'One row for each group, and one for the whole: all of the above.', fairsql.order_statistics(comparisons))) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# What the result takes from order_statistics. #}
{% macro quantile_join() %}
    {{- return({
        'relation': 'order_statistics',
        'counts': ['lower_rank', 'upper_rank', 'above', 'at_or_above', 'second_rows', 'second_above', 'second_at_or_above'],
        'numbers': ['quantile', 'lower', 'upper', 'pooled_quantile'],
    }) -}}
{% endmacro %}


{# A parameter of the quantile cuts, by cut. #}
{% macro cut_parameter(scan, name) %}
    {%- set values = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do values.append(cut[name] if scan.measures[cut.measure - 1].family == 'quantile' else none) -%}
    {%- endfor -%}
    {%- if values | reject('none') | unique | list | length == 1 -%}
        {{- return(values | reject('none') | first) -}}
    {%- endif -%}
    {{- return(fairsql.by_cut(values, fairsql.cut_number(scan))) -}}
{% endmacro %}


{# Per row: its rank (first among equals), how many values lie up to it, and one position of its own. #}
{% macro ranked_values() -%}
    {%- if fairsql.has_range_frames() -%}
    select
        *,
        rank() over (partition by cut, group_number order by value asc) - 1 as before,
        count(*) over (
            partition by cut, group_number order by value asc range between unbounded preceding and current row
        ) as up_to,
        row_number() over (partition by cut, group_number order by value asc) as position,
        row_number() over (partition by cut order by value asc) as position_in_whole
    from valued
    {%- else -%}
    select
        *,
        before + count(*) over (partition by cut, group_number, before) as up_to
    from (
        select
            *,
            rank() over (partition by cut, group_number order by value asc) - 1 as before,
            row_number() over (partition by cut, group_number order by value asc) as position,
            row_number() over (partition by cut order by value asc) as position_in_whole
        from valued
    ) as placed
    {%- endif -%}
{%- endmacro %}


{# Per group, and for the whole (group_number 0): how many values, which quantile, at which alpha. #}
{% macro quantile_sizes(scan, numbers) -%}
    select
        cut,
        group_number,
        {{ fairsql.double('evaluated') }} as n,
        {{ fairsql.double(fairsql.cut_parameter(scan, 'numerator')) }} / {{ fairsql.cut_parameter(scan, 'denominator') }} as q,
        {{ fairsql.cut_parameter(scan, 'numerator') }} as numerator,
        {{ fairsql.cut_parameter(scan, 'denominator') }} as denominator,
        {{ fairsql.double(fairsql.cut_parameter(scan, 'alpha')) }} as alpha
    from by_group
    where {{ fairsql.cut_number(scan) }} in ({{ numbers | join(', ') }}) and evaluated > 0 and groups_total <= 1000
{%- endmacro %}


{# The positions to pick, columns of each group: the two neighbours of the quantile, at rank q (n - 1) counted from 0 in
   whole-number arithmetic, and the bounds of its interval; beside them the neighbours in the whole. #}
{% macro quantile_positions() -%}
    select
        *,
        max(case when group_number = 0 then low_position end) over (partition by cut) as low_in_whole,
        max(case when group_number = 0 then high_position end) over (partition by cut) as high_in_whole
    from (
        select
            sizes.cut,
            sizes.group_number,
            sizes.n,
            sizes.numerator,
            sizes.denominator,
            {{ fairsql.bigint('floor(sizes.numerator * (sizes.n - 1) / sizes.denominator) + 1') }} as low_position,
            {{ fairsql.bigint('ceil(sizes.numerator * (sizes.n - 1) / sizes.denominator) + 1') }} as high_position,
            case when sizes.group_number > 0 then {{ fairsql.bigint('order_ranks.lower_rank') }} end as lower_rank,
            case when sizes.group_number > 0 then {{ fairsql.bigint('order_ranks.upper_rank') }} end as upper_rank
        from sizes
        left join order_ranks on sizes.cut = order_ranks.cut and sizes.group_number = order_ranks.group_number
    ) as placed
{%- endmacro %}


{# The values at the positions, of each group and of the whole. #}
{% macro picked_values() -%}
    select
        ranked_values.cut,
        coalesce(ranked_values.group_number, 0) as group_number,
        case
            when grouping(ranked_values.group_number) = 1 then max(case when position_in_whole = low_in_whole then value end)
            else max(case when position = low_position then value end)
        end as low,
        case
            when grouping(ranked_values.group_number) = 1 then max(case when position_in_whole = high_in_whole then value end)
            else max(case when position = high_position then value end)
        end as high,
        case when grouping(ranked_values.group_number) = 0 then max(case when position = lower_rank then value end) end as lower,
        case when grouping(ranked_values.group_number) = 0 then max(case when position = upper_rank then value end) end as upper
    from ranked_values
    inner join positions on ranked_values.cut = positions.cut and ranked_values.group_number = positions.group_number
    where position in (low_position, high_position, lower_rank, upper_rank) or position_in_whole in (low_in_whole, high_in_whole)
    group by grouping sets ((ranked_values.cut, ranked_values.group_number), (ranked_values.cut))
{%- endmacro %}


{# The quantile by linear interpolation between its two neighbours. #}
{% macro quantile_values() -%}
    select
        positions.cut,
        positions.group_number,
        positions.n,
        positions.numerator,
        positions.denominator,
        positions.lower_rank,
        positions.upper_rank,
        picked_values.low,
        picked_values.lower,
        picked_values.upper,
        case
            when picked_values.high > picked_values.low
                then picked_values.low + 2e0
                    * (positions.numerator * (positions.n - 1) / positions.denominator - floor(positions.numerator * (positions.n - 1) / positions.denominator))
                    * (picked_values.high / 2e0 - picked_values.low / 2e0)
            else picked_values.low
        end as quantile
    from positions
    inner join picked_values on positions.cut = picked_values.cut and positions.group_number = picked_values.group_number
{%- endmacro %}


{# The reference group of each cut: the best sufficient group (as good as the best: the largest, then the smallest
   key), or the named one. #}
{% macro quantile_references(scan, numbers) %}
    {%- set keys = [] -%}
    {%- for name in fairsql.key_names(scan, 'by_group.') -%}{%- do keys.append(fairsql.code_points(name)) -%}{%- endfor -%}
    {%- set eligible = [] -%}
    {%- set best = [] -%}
    {%- for cut in scan.cuts -%}
        {%- if loop.index not in numbers or cut.comparison != 'reference' -%}
            {%- do eligible.append(none) -%}
            {%- do best.append(none) -%}
        {%- elif cut.reference_texts -%}
            {%- do eligible.append('by_group.key_1 in (' ~ fairsql.literals(cut.reference_texts) ~ ')') -%}
            {%- do best.append('max') -%}
        {%- else -%}
            {%- do eligible.append(
                'by_group.evaluated >= ' ~ cut.min_group_size ~ ' and ' ~ fairsql.double('by_group.evaluated') ~ ' / wholes.evaluated >= ' ~ cut.min_group_share
            ) -%}
            {%- do best.append('max' if cut.higher_is_better else 'min') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set is_eligible = [] -%}
    {%- for condition in eligible -%}
        {%- do is_eligible.append(none if condition is none else 'case when ' ~ condition ~ ' then 1 else 0 end') -%}
    {%- endfor -%}
    {%- set best_of = [] -%}
    {%- for aggregate in best -%}
        {%- do best_of.append(none if aggregate is none else aggregate ~ '(case when is_eligible = 1 then quantile end) over (partition by cut)') -%}
    {%- endfor -%}
    select cut, group_number, n
    from (
        select
            *,
            row_number() over (
                partition by cut
                order by
                    case
                        when abs(quantile - best) <= 1e-12 * greatest(abs(quantile), abs(best)) or abs(quantile - best) <= 1e-15 then 0
                        else 1
                    end asc,
                    n desc, {{ fairsql.numbered('place_', keys | length) | join(' asc, ') }} asc
            ) as place
        from (
            select *, {{ fairsql.by_cut(best_of, fairsql.cut_number(scan)) }} as best
            from (
                select
                    quantiles.cut, quantiles.group_number, quantiles.n, quantiles.quantile,
                    {%- for key in keys %}
                    {{ key }} as place_{{ loop.index }},
                    {%- endfor %}
                    {{ fairsql.by_cut(is_eligible, fairsql.cut_number(scan, 'quantiles.cut')) }} as is_eligible
                from quantiles
                inner join by_group on quantiles.cut = by_group.cut and quantiles.group_number = by_group.group_number
                inner join by_group as wholes on quantiles.cut = wholes.cut and wholes.is_whole = 1
                where by_group.is_whole = 0
            ) as candidates
        ) as compared
        where is_eligible = 1
    ) as placed
    where place = 1
{%- endmacro %}


{# Every value with the number of reference values up to it, and before it. #}
{% macro beside_reference() -%}
    {%- set up_to, equal = 'partition by cut order by value asc range between unbounded preceding and current row',
        'partition by cut order by value asc range between current row and current row' -%}
    {%- set nearest = 'reference_up_to_here' -%}
    {%- if not fairsql.has_range_frames() -%}
        {%- set up_to, equal, nearest = 'partition by cut, place', 'partition by cut, place', 'reference_up_to_this' -%}
    {%- endif -%}
    select
        *,
        coalesce(max({{ nearest }}) over ({{ up_to }}), 0) as reference_up_to,
        coalesce(max(reference_before_here) over ({{ equal }}), max({{ nearest }}) over ({{ up_to }}), 0) as reference_before
    from (
    {%- if not fairsql.has_range_frames() %}
        select
            *,
            max(reference_up_to_here) over (partition by cut order by value asc rows between unbounded preceding and current row) as reference_up_to_this,
            dense_rank() over (partition by cut order by value asc) as place
        from (
    {%- endif %}
        select
            ranked_values.cut, ranked_values.group_number, ranked_values.value, ranked_values.before, ranked_values.up_to,
            ranked_values.position,
            reference_groups.group_number as reference_number,
            reference_groups.n as reference_n,
            case when ranked_values.group_number = reference_groups.group_number then ranked_values.up_to end as reference_up_to_here,
            case when ranked_values.group_number = reference_groups.group_number then ranked_values.before end as reference_before_here
        from ranked_values
        inner join reference_groups on ranked_values.cut = reference_groups.cut
    {%- if not fairsql.has_range_frames() %}
        ) as flagged
    ) as placed
    {%- else %}
    ) as flagged
    {%- endif %}
{%- endmacro %}


{# Where each group together with the reference reaches the pooled rank: its first own value there. #}
{% macro crossings() -%}
    select
        cut, group_number, n, reference_number, reference_n, pooled_rank,
        min(case when up_to + reference_up_to >= pooled_rank then value end) as own_value,
        min(case when up_to + reference_up_to >= pooled_rank then before end) as own_before,
        min(case when up_to + reference_up_to >= pooled_rank then up_to end) as own_up_to,
        min(case when up_to + reference_up_to >= pooled_rank then reference_before end) as reference_before,
        min(case when up_to + reference_up_to >= pooled_rank then reference_up_to end) as reference_up_to,
        max(case when up_to + reference_up_to < pooled_rank then up_to else 0 end) as left_behind
    from (
        select
            beside_reference.*,
            quantiles.n,
            floor(quantiles.numerator * (quantiles.n + beside_reference.reference_n - 1) / quantiles.denominator) + 1 as pooled_rank
        from beside_reference
        inner join quantiles
            on beside_reference.cut = quantiles.cut and beside_reference.group_number = quantiles.group_number
        where beside_reference.group_number <> beside_reference.reference_number
    ) as pooled
    group by cut, group_number, n, reference_number, reference_n, pooled_rank
{%- endmacro %}


{# The pooled quantile is the group's own value there, or the reference's value of the rank that remains. #}
{% macro pooled_with_reference() -%}
    select
        cut,
        group_number,
        case when is_own = 1 then own_value else reference_value end as pooled_quantile,
        n - case when is_own = 1 then own_up_to else left_behind end as above,
        n - case when is_own = 1 then own_before else left_behind end as at_or_above,
        reference_n as second_rows,
        reference_n - case when is_own = 1 then reference_up_to else reference_value_up_to end as second_above,
        reference_n - case when is_own = 1 then reference_before else reference_value_before end as second_at_or_above
    from (
        select
            crossings.*,
            ranked_values.value as reference_value,
            ranked_values.before as reference_value_before,
            ranked_values.up_to as reference_value_up_to,
            case when ranked_values.value is null or crossings.own_value <= ranked_values.value then 1 else 0 end as is_own
        from crossings
        left join ranked_values
            on crossings.cut = ranked_values.cut
            and crossings.reference_number = ranked_values.group_number
            and {{ fairsql.bigint('crossings.pooled_rank - crossings.left_behind') }} = ranked_values.position
    ) as chosen
{%- endmacro %}


{# Against all other rows, the two samples together are the whole: one pooled quantile for every group. #}
{% macro pooled_with_others(scan) -%}
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
            ranked_values.cut,
            ranked_values.group_number,
            wholes.pooled_quantile,
            wholes.whole_n,
            {{ fairsql.double('count(*)') }} as n,
            max(case when ranked_values.value < wholes.pooled_quantile then ranked_values.up_to else 0 end) as before,
            max(case when ranked_values.value <= wholes.pooled_quantile then ranked_values.up_to else 0 end) as up_to
        from ranked_values
        inner join (
            select cut, low as pooled_quantile, n as whole_n
            from quantiles
            where group_number = 0 and {{ fairsql.cut_number(scan) }} in ({{ fairsql.overall_cuts(scan) | join(', ') }})
        ) as wholes on ranked_values.cut = wholes.cut
        group by ranked_values.cut, ranked_values.group_number, wholes.pooled_quantile, wholes.whole_n
    ) as split
{%- endmacro %}


{# The quantile cuts that compare with all other rows. #}
{% macro overall_cuts(scan) %}
    {%- set numbers = [] -%}
    {%- for number in fairsql.cuts_of(scan, 'quantile') -%}
        {%- do numbers.append(number) if scan.cuts[number - 1].comparison == 'overall' -%}
    {%- endfor -%}
    {{- return(numbers) -}}
{% endmacro %}


{# Quantiles beside the counts of the pooled test, where there is one. #}
{% macro order_statistics(comparisons) %}
    {%- set pooled = [] -%}
    {%- do pooled.append('select * from pooled_with_reference') if 'reference' in comparisons -%}
    {%- do pooled.append('select * from pooled_with_others') if 'overall' in comparisons -%}
    {%- set counts = ['pooled_quantile', 'above', 'at_or_above', 'second_rows', 'second_above', 'second_at_or_above'] -%}
    select
        quantiles.cut,
        quantiles.group_number,
        quantiles.quantile,
        quantiles.lower_rank,
        quantiles.upper_rank,
        quantiles.lower,
        quantiles.upper,
        {%- for count in counts %}
        {{ 'pooled.' if pooled else 'null as ' }}{{ count }}{{ ',' if not loop.last }}
        {%- endfor %}
    from quantiles
    {%- if pooled %}
    left join (
        {{ pooled | join('\n        union all\n        ') }}
    ) as pooled on quantiles.cut = pooled.cut and quantiles.group_number = pooled.group_number
    {%- endif %}
{%- endmacro %}
