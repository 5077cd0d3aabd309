{# Quantiles by group and over all, their order-statistic bounds, and the counts of the pooled-quantile test: the values at
   some positions of each group, picked from rows that are counted in bins or, where that would read the relation over and
   over, ranked. #}
{% macro quantile_ctes(scan) %}
    {%- set numbers = fairsql.cuts_of(scan, 'quantile') -%}
    {%- set in_bins = fairsql.selects_by_bins() -%}
    {%- set comparisons = fairsql.pooled_comparisons(scan, numbers) -%}
    {%- set ctes = fairsql.selected_value_ctes(scan, numbers) if in_bins else fairsql.ranked_value_ctes(scan, numbers) -%}
    {%- do ctes.append(fairsql.described('sizes', 'One row for each group, and one for the whole (group_number 0): how many values, which quantile, at which alpha.', fairsql.quantile_sizes(scan, numbers))) -%}
    {%- do ctes.extend(fairsql.order_ranks_ctes('sizes')) -%}
    {%- do ctes.extend(fairsql.selected_position_ctes(scan, numbers) if in_bins else fairsql.ranked_position_ctes()) -%}
    {%- do ctes.append(fairsql.described('quantiles', 'One row for each group, and one for the whole: the quantile and the bounds of its interval.', fairsql.quantile_values(in_bins))) -%}
    {%- if 'reference' in comparisons -%}
        {%- do ctes.append(fairsql.described('reference_groups', 'One row for each cut: the reference group.', fairsql.quantile_references(scan, numbers))) -%}
        {%- do ctes.extend(fairsql.selected_reference_ctes(scan, numbers) if in_bins else fairsql.ranked_reference_ctes()) -%}
    {%- endif -%}
    {%- if 'overall' in comparisons -%}
        {%- do ctes.append(fairsql.described('pooled_with_others', 'One row for each group: the quantile of the whole, and the rows of the group and all other rows above it, and at or above it.', fairsql.selected_pooled_with_others(scan) if in_bins else fairsql.pooled_with_others(scan))) -%}
    {%- endif -%}
    {%- do ctes.append(fairsql.described('order_statistics', 'One row for each group, and one for the whole: all of the above.', fairsql.order_statistics(
        'quantiles', ['quantile', 'lower_rank', 'upper_rank', 'lower', 'upper'], 'pooled_with_reference', 'pooled_with_others',
        ['pooled_quantile', 'above', 'at_or_above', 'second_rows', 'second_above', 'second_at_or_above'], comparisons
    ))) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# What cuts with a p-value are compared with. #}
{% macro pooled_comparisons(scan, numbers) %}
    {%- set comparisons = [] -%}
    {%- for number in numbers -%}
        {%- do comparisons.append(scan.cuts[number - 1].comparison) if scan.cuts[number - 1].significance -%}
    {%- endfor -%}
    {{- return(comparisons) -}}
{% endmacro %}


{# What the rows of `positions` are, in either form. #}
{% macro position_rows() %}
    {{- return('One row for each group, and one for the whole: the quantile lies between the low and the high position, its interval between the lower and the upper rank.') -}}
{% endmacro %}


{# What the rows of `pooled_with_reference` are, in either form. #}
{% macro pooled_rows() %}
    {{- return('One row for each group: the pooled quantile, and the rows of both samples above it, and at or above it.') -}}
{% endmacro %}


{# What the result takes from order_statistics. #}
{% macro quantile_join() %}
    {{- return({
        'relation': 'order_statistics',
        'counts': ['lower_rank', 'upper_rank', 'above', 'at_or_above', 'second_rows', 'second_above', 'second_at_or_above'],
        'numbers': ['quantile', 'lower', 'upper', 'pooled_quantile'],
    }) -}}
{% endmacro %}


{# A parameter of the cuts of a family of quantiles, by cut. #}
{% macro cut_parameter(scan, name, family='quantile') %}
    {%- set values = [] -%}
    {%- for cut in scan.cuts -%}
        {%- do values.append(cut[name] if scan.measures[cut.measure - 1].family == family else none) -%}
    {%- endfor -%}
    {%- if values | reject('none') | unique | list | length == 1 -%}
        {{- return(values | reject('none') | first) -}}
    {%- endif -%}
    {{- return(fairsql.by_cut(values, fairsql.cut_number(scan))) -}}
{% endmacro %}


{# Per group, and for the whole (group_number 0): how many values, which quantile, at which alpha. #}
{% macro quantile_sizes(scan, numbers, family='quantile') -%}
    select
        cut,
        group_number,
        {{ fairsql.double('evaluated') }} as n,
        {{ fairsql.double(fairsql.cut_parameter(scan, 'numerator', family)) }} / {{ fairsql.cut_parameter(scan, 'denominator', family) }} as q,
        {{ fairsql.cut_parameter(scan, 'numerator', family) }} as numerator,
        {{ fairsql.cut_parameter(scan, 'denominator', family) }} as denominator,
        {{ fairsql.double(fairsql.cut_parameter(scan, 'alpha', family)) }} as alpha
    from by_group
    where {{ fairsql.cut_number(scan) }} in ({{ numbers | join(', ') }}) and evaluated > 0 and groups_total <= 1000
{%- endmacro %}


{# The positions to pick, columns of each group: the two neighbours of the quantile, at rank q (n - 1) counted from 0 in
   whole-number arithmetic, and the bounds of its interval. #}
{% macro quantile_positions(sizes='sizes', order_ranks='order_ranks') -%}
    {%- set rank = sizes ~ '.numerator * (' ~ sizes ~ '.n - 1) / ' ~ sizes ~ '.denominator' -%}
    select
        {{ sizes }}.cut,
        {{ sizes }}.group_number,
        {{ sizes }}.n,
        {{ sizes }}.numerator,
        {{ sizes }}.denominator,
        {{ fairsql.bigint('floor(' ~ rank ~ ') + 1') }} as low_position,
        {{ fairsql.bigint('ceil(' ~ rank ~ ') + 1') }} as high_position,
        case when {{ sizes }}.group_number > 0 then {{ fairsql.bigint(order_ranks ~ '.lower_rank') }} end as lower_rank,
        case when {{ sizes }}.group_number > 0 then {{ fairsql.bigint(order_ranks ~ '.upper_rank') }} end as upper_rank
    from {{ sizes }}
    left join {{ order_ranks }} on {{ sizes }}.cut = {{ order_ranks }}.cut and {{ sizes }}.group_number = {{ order_ranks }}.group_number
{%- endmacro %}


{# Between two numbers, a share below 1 of the way. Some engines end in an error where a sum is beyond all doubles, or a product
   too small for one that is not 0. So of two numbers that are far from 0 on either side the halves of the way are added one by
   one, and a part of the way that rounds to 0 is not computed: it is seen to do so at 1e30 times its size. #}
{% macro interpolated(low, high, share) %}
    {%- set way = high ~ ' - ' ~ low -%}
    {%- set half_way = share ~ ' * (' ~ high ~ ' / 2e0 - ' ~ low ~ ' / 2e0)' -%}
    {{- return(
        'case when ' ~ low ~ ' < -1e280 and ' ~ high ~ ' > 1e280 then ' ~ low ~ ' + ' ~ half_way ~ ' + ' ~ half_way
        ~ ' when ' ~ share ~ ' * (least(' ~ way ~ ', ' ~ fairsql.extreme('1e-200') ~ ') * 1e30) >= ' ~ fairsql.extreme('2.5e-294')
        ~ ' then ' ~ low ~ ' + ' ~ share ~ ' * (' ~ way ~ ') else ' ~ low ~ ' end'
    ) -}}
{% endmacro %}


{# The quantile by linear interpolation between its two neighbours. #}
{% macro quantile_values(in_bins) -%}
    {%- set rank = 'positions.numerator * (positions.n - 1) / positions.denominator' -%}
    select
        positions.cut,
        positions.group_number,
        positions.n,
        positions.numerator,
        positions.denominator,
        positions.lower_rank,
        positions.upper_rank,
        picked_values.low,
        {%- if in_bins %}
        picked_values.low_bin,
        {%- endif %}
        picked_values.lower,
        picked_values.upper,
        {{ fairsql.interpolated('picked_values.low', 'picked_values.high', '(' ~ rank ~ ' - floor(' ~ rank ~ '))') }} as quantile
    from positions
    inner join picked_values on positions.cut = picked_values.cut and positions.group_number = picked_values.group_number
{%- endmacro %}


{# The reference group of each cut: the best sufficient group (as good as the best: the largest, then the smallest
   key), or the named one. #}
{% macro quantile_references(scan, numbers, quantiles='quantiles', value='quantile') %}
    {%- set keys = [] -%}
    {%- for name in fairsql.key_names(scan, 'by_group.') -%}{%- do keys.append(fairsql.code_points(name)) -%}{%- endfor -%}
    {%- set eligible = [] -%}
    {%- set best = [] -%}
    {%- for cut in scan.cuts -%}
        {%- if loop.index not in numbers or cut.comparison != 'reference' or not cut.significance -%}
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
        {%- do best_of.append(none if aggregate is none else aggregate ~ '(case when is_eligible = 1 then ' ~ value ~ ' end) over (partition by cut)') -%}
    {%- endfor -%}
    select cut, group_number, n
    from (
        select
            *,
            row_number() over (
                partition by cut
                order by case when {{ fairsql.near(value, 'best') }} then 0 else 1 end asc, n desc, {{ fairsql.numbered('place_', keys | length) | join(' asc, ') }} asc
            ) as place
        from (
            select *, {{ fairsql.by_cut(best_of, fairsql.cut_number(scan)) }} as best
            from (
                select
                    {{ quantiles }}.cut, {{ quantiles }}.group_number, {{ quantiles }}.n, {{ quantiles }}.{{ value }},
                    {%- for key in keys %}
                    {{ key }} as place_{{ loop.index }},
                    {%- endfor %}
                    {{ fairsql.by_cut(is_eligible, fairsql.cut_number(scan, quantiles ~ '.cut')) }} as is_eligible
                from {{ quantiles }}
                inner join by_group on {{ quantiles }}.cut = by_group.cut and {{ quantiles }}.group_number = by_group.group_number
                inner join by_group as wholes on {{ quantiles }}.cut = wholes.cut and wholes.is_whole = 1
                where by_group.is_whole = 0
            ) as candidates
        ) as compared
        where is_eligible = 1
    ) as placed
    where place = 1
{%- endmacro %}


{# The cuts of a family of quantiles that compare with all other rows. #}
{% macro overall_cuts(scan, family='quantile') %}
    {%- set numbers = [] -%}
    {%- for number in fairsql.cuts_of(scan, family) -%}
        {%- do numbers.append(number) if scan.cuts[number - 1].comparison == 'overall' -%}
    {%- endfor -%}
    {{- return(numbers) -}}
{% endmacro %}


{# Quantiles beside the counts of the pooled test, where there is one. #}
{% macro order_statistics(quantiles, own, with_reference, with_others, counts, comparisons) %}
    {%- set pooled = [] -%}
    {%- do pooled.append('select * from ' ~ with_reference) if 'reference' in comparisons -%}
    {%- do pooled.append('select * from ' ~ with_others) if 'overall' in comparisons -%}
    select
        {{ quantiles }}.cut,
        {{ quantiles }}.group_number,
        {%- for column in own %}
        {{ quantiles }}.{{ column }},
        {%- endfor %}
        {%- for count in counts %}
        {{ 'pooled.' if pooled else 'null as ' }}{{ count }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ quantiles }}
    {%- if pooled %}
    left join (
        {{ pooled | join('\n        union all\n        ') }}
    ) as pooled on {{ quantiles }}.cut = pooled.cut and {{ quantiles }}.group_number = pooled.group_number
    {%- endif %}
{%- endmacro %}
