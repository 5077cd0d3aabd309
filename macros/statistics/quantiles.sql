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
    {%- do ctes.append(fairsql.described('positions', 'The positions to pick: the quantile lies between low and high, its interval between lower and upper.', fairsql.quantile_positions())) -%}
    {%- do ctes.append(fairsql.described('picked_values', 'The values at those positions.', fairsql.picked_values())) -%}
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
    {{- return(fairsql.by_cut(values)) -}}
{% endmacro %}


{# Per row: its rank (first among equals), how many values lie up to it, and one position of its own. #}
{% macro ranked_values() -%}
    select
        *,
        rank() over (partition by cut, group_number order by value asc) - 1 as before,
        count(*) over (
            partition by cut, group_number order by value asc range between unbounded preceding and current row
        ) as up_to,
        row_number() over (partition by cut, group_number order by value asc) as position,
        row_number() over (partition by cut order by value asc) as position_in_whole
    from valued
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
        {{ fairsql.cut_parameter(scan, 'alpha') }} as alpha
    from by_group
    where cut in ({{ numbers | join(', ') }}) and evaluated > 0 and groups_total <= 1000
{%- endmacro %}


{# The positions to pick, a row each: the two neighbours of the quantile, at rank q (n - 1) counted from 0 in
   whole-number arithmetic, and the bounds of its interval. #}
{% macro quantile_positions() -%}
    select cut, group_number, 'low' as pick, {{ fairsql.bigint('floor(numerator * (n - 1) / denominator) + 1') }} as position from sizes
    union all
    select cut, group_number, 'high' as pick, {{ fairsql.bigint('ceil(numerator * (n - 1) / denominator) + 1') }} as position from sizes
    union all
    select cut, group_number, 'lower' as pick, {{ fairsql.bigint('lower_rank') }} as position from order_ranks where group_number > 0
    union all
    select cut, group_number, 'upper' as pick, {{ fairsql.bigint('upper_rank') }} as position from order_ranks where group_number > 0
{%- endmacro %}


{# The values at the picked positions, of each group and of the whole. #}
{% macro picked_values() -%}
    select ranked_values.cut, ranked_values.group_number, positions.pick, positions.position, ranked_values.value
    from ranked_values
    inner join positions
        on ranked_values.cut = positions.cut
        and ranked_values.group_number = positions.group_number
        and ranked_values.position = positions.position
    union all
    select ranked_values.cut, positions.group_number, positions.pick, positions.position, ranked_values.value
    from ranked_values
    inner join positions
        on ranked_values.cut = positions.cut
        and ranked_values.position_in_whole = positions.position
    where positions.group_number = 0
{%- endmacro %}


{# The quantile by linear interpolation between its two neighbours. #}
{% macro quantile_values() -%}
    select
        sizes.cut,
        sizes.group_number,
        sizes.n,
        sizes.numerator,
        sizes.denominator,
        picked.lower_rank,
        picked.upper_rank,
        picked.lower,
        picked.upper,
        case
            when picked.high > picked.low
                then picked.low + 2e0 * (sizes.numerator * (sizes.n - 1) / sizes.denominator - floor(sizes.numerator * (sizes.n - 1) / sizes.denominator)) * (picked.high / 2e0 - picked.low / 2e0)
            else picked.low
        end as quantile
    from sizes
    inner join (
        select
            cut,
            group_number,
            max(case when pick = 'low' then value end) as low,
            max(case when pick = 'high' then value end) as high,
            max(case when pick = 'lower' then value end) as lower,
            max(case when pick = 'upper' then value end) as upper,
            max(case when pick = 'lower' then position end) as lower_rank,
            max(case when pick = 'upper' then position end) as upper_rank
        from picked_values
        group by cut, group_number
    ) as picked on sizes.cut = picked.cut and sizes.group_number = picked.group_number
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
            select *, {{ fairsql.by_cut(best_of) }} as best
            from (
                select
                    quantiles.cut, quantiles.group_number, quantiles.n, quantiles.quantile,
                    {%- for key in keys %}
                    {{ key }} as place_{{ loop.index }},
                    {%- endfor %}
                    {{ fairsql.by_cut(is_eligible, 'quantiles.cut') }} as is_eligible
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
    select
        *,
        coalesce(max(reference_up_to_here) over (
            partition by cut order by value asc range between unbounded preceding and current row
        ), 0) as reference_up_to,
        coalesce(
            max(reference_before_here) over (partition by cut order by value asc range between current row and current row),
            max(reference_up_to_here) over (partition by cut order by value asc range between unbounded preceding and current row),
            0
        ) as reference_before
    from (
        select
            ranked_values.cut, ranked_values.group_number, ranked_values.value, ranked_values.before, ranked_values.up_to,
            ranked_values.position,
            reference_groups.group_number as reference_number,
            reference_groups.n as reference_n,
            case when ranked_values.group_number = reference_groups.group_number then ranked_values.up_to end as reference_up_to_here,
            case when ranked_values.group_number = reference_groups.group_number then ranked_values.before end as reference_before_here
        from ranked_values
        inner join reference_groups on ranked_values.cut = reference_groups.cut
    ) as flagged
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
            select picked_values.cut, picked_values.value as pooled_quantile, sizes.n as whole_n
            from picked_values
            inner join sizes on picked_values.cut = sizes.cut and picked_values.group_number = sizes.group_number
            where picked_values.group_number = 0
                and picked_values.pick = 'low'
                and picked_values.cut in ({{ fairsql.overall_cuts(scan) | join(', ') }})
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
