{# How many rows of each group score above the median of all evaluated rows. #}
{% macro scoring_ctes(scan) %}
    {%- set rows = [] -%}
    {%- for number in fairsql.cuts_of(scan, 'scoring') -%}
        {%- set value = 'source.input_' ~ scan.measures[scan.cuts[number - 1].measure - 1].inputs[0] -%}
        {%- do rows.append(fairsql.grouped_rows(scan, number, [value ~ ' as value']) ~ '\n    where ' ~ value ~ ' is not null') -%}
    {%- endfor -%}
    {{- return([
        ['scored_rows', rows | join('\n    union all\n    ')],
        fairsql.described('counted_values', 'One row for each group and value: how many rows.', fairsql.counted_values()),
        fairsql.described('cumulated_values', 'The same rows: how many rows of the whole lie up to the value, and how many there are.', fairsql.cumulated_values()),
        fairsql.described('beside_middle', 'The same rows, beside the two middle values of the whole, which may be one.', fairsql.beside_middle()),
        fairsql.described('above_median', 'One row for each group, and one for the whole (group_number 0): rows above the median.', fairsql.above_median()),
    ]) -}}
{% endmacro %}


{# Counted before they are sorted: fewer rows are sorted, and equal values of several groups may stand in any order. #}
{% macro counted_values() -%}
    select
        cut,
        group_number,
        value,
        count(*) as value_rows
    from scored_rows
    group by cut, group_number, value
{%- endmacro %}


{# Of the whole, not of each group: the median is that of all rows. #}
{% macro cumulated_values() -%}
    select
        *,
        sum(value_rows) over (partition by cut order by value asc, group_number asc rows between unbounded preceding and current row) as up_to,
        sum(value_rows) over (partition by cut) as whole_rows
    from counted_values
{%- endmacro %}


{# The middle values have the ranks ⌊(n + 1) / 2⌋ and ⌊n / 2⌋ + 1: twice a rank is compared, in whole numbers. #}
{% macro beside_middle() -%}
    select
        *,
        max(case when 2 * (up_to - value_rows) < whole_rows then value end) over (partition by cut) as low,
        min(case when 2 * up_to > whole_rows then value end) over (partition by cut) as high
    from cumulated_values
{%- endmacro %}


{# Strictly above the median, which halves the way between the two middle values. #}
{% macro above_median() -%}
    select
        cut,
        coalesce(beside_middle.group_number, 0) as group_number,
        sum(case when value > case when high > low then low + (high / 2e0 - low / 2e0) else low end then value_rows else 0 end) as positives
    from beside_middle
    group by grouping sets ((cut, beside_middle.group_number), (cut))
{%- endmacro %}
