{# Quantiles by group and over all, their order-statistic bounds, and the counts of the pooled-quantile test: the values at
   some positions of each group, picked from rows that are counted in bins or, where that would read the relation over and
   over, ranked. #}
{% macro quantile_ctes(scan) %}
    {%- set numbers = fairsql.cuts_of(scan, 'quantile') -%}
    {%- set in_bins = fairsql.selects_by_bins() -%}
    {%- set comparisons = [] -%}
    {%- for number in numbers -%}
        {%- do comparisons.append(scan.cuts[number - 1].comparison) if scan.cuts[number - 1].significance -%}
    {%- endfor -%}
    {%- set ctes = fairsql.selected_value_ctes(scan, numbers) if in_bins else fairsql.ranked_value_ctes(scan, numbers) -%}
    {%- do ctes.append(fairsql.described('sizes', 'One row for each group, and one for the whole (group_number 0): how many values, which quantile, at which alpha.', fairsql.quantile_sizes(scan, numbers))) -%}
    {%- do ctes.extend(fairsql.order_ranks_ctes('sizes')) -%}
    {%- do ctes.extend(fairsql.selected_position_ctes() if in_bins else fairsql.ranked_position_ctes()) -%}
    {%- do ctes.append(fairsql.described('quantiles', 'One row for each group, and one for the whole: the quantile and the bounds of its interval.', fairsql.quantile_values(in_bins))) -%}
    {%- if 'reference' in comparisons -%}
        {%- do ctes.append(fairsql.described('reference_groups', 'One row for each cut: the reference group.', fairsql.quantile_references(scan, numbers))) -%}
        {%- do ctes.extend(fairsql.selected_reference_ctes() if in_bins else fairsql.ranked_reference_ctes()) -%}
    {%- endif -%}
    {%- if 'overall' in comparisons -%}
        {%- do ctes.append(fairsql.described('pooled_with_others', 'One row for each group: the quantile of the whole, and the rows of the group and all other rows above it, and at or above it.', fairsql.selected_pooled_with_others(scan) if in_bins else fairsql.pooled_with_others(scan))) -%}
    {%- endif -%}
    {%- do ctes.append(fairsql.described('order_statistics', 'One row for each group, and one for the whole: all of the above.', fairsql.order_statistics(comparisons))) -%}
    {{- return(ctes) -}}
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


{# The quantile by linear interpolation between its two neighbours. #}
{% macro quantile_values(in_bins) -%}
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
