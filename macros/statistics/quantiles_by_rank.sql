{# Quantiles from one ranking of each cut's values: a single chain of windows, for warehouses that compute a CTE at each of
   its readers. `quantiles.sql` says what the parts are for. #}
{% macro ranked_value_ctes(scan, numbers) %}
    {%- set rows = [] -%}
    {%- for number in numbers -%}
        {%- set value = 'source.input_' ~ scan.measures[scan.cuts[number - 1].measure - 1].inputs[0] -%}
        {%- do rows.append(fairsql.grouped_rows(scan, number, [value ~ ' as value']) ~ '\n    where ' ~ value ~ ' is not null') -%}
    {%- endfor -%}
    {{- return([
        ['valued', rows | join('\n    union all\n    ')],
        fairsql.described('ranked_values', 'The same rows: how many of the group lie before and up to the value, and a position of its own in group and whole.', fairsql.ranked_values()),
    ]) -}}
{% endmacro %}


{# From the positions to the values there. #}
{% macro ranked_position_ctes() %}
    {{- return([
        fairsql.described('positions', fairsql.position_rows(), fairsql.ranked_positions()),
        fairsql.described('picked_values', 'The same rows: the values at those positions.', fairsql.picked_values()),
    ]) -}}
{% endmacro %}


{# Each group and the reference together. #}
{% macro ranked_reference_ctes() %}
    {{- return([
        fairsql.described('beside_reference', 'Every value, with how many values of the reference group lie before and up to it.', fairsql.beside_reference()),
        fairsql.described('crossings', 'One row for each group: where it and the reference group together reach the rank of the pooled quantile.', fairsql.crossings()),
        fairsql.described('pooled_with_reference', fairsql.pooled_rows(), fairsql.pooled_with_reference()),
    ]) -}}
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


{# The positions to pick, columns of each group: the two neighbours of the quantile, at rank q (n - 1) counted from 0 in
   whole-number arithmetic, and the bounds of its interval; beside them the neighbours in the whole. #}
{% macro ranked_positions() -%}
    select
        *,
        max(case when group_number = 0 then low_position end) over (partition by cut) as low_in_whole,
        max(case when group_number = 0 then high_position end) over (partition by cut) as high_in_whole
    from (
        {{ fairsql.quantile_positions() | indent(4) }}
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
