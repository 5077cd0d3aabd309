{# AUC as the Mann–Whitney statistic: the pairs of a positive and a negative that the score orders rightly,
   a tie counting half, from the sum of the positives' mid-ranks. #}
{% macro concordance_ctes(scan) %}
    {%- set rows = [] -%}
    {%- for number in fairsql.cuts_of(scan, 'concordance') -%}
        {%- set inputs = scan.measures[scan.cuts[number - 1].measure - 1].inputs -%}
        {%- do rows.append(
            fairsql.grouped_rows(scan, number, ['source.input_' ~ inputs[0] ~ ' as score', 'source.input_' ~ inputs[1] ~ ' as positive'])
            ~ '\n    where source.input_' ~ inputs[0] ~ ' is not null and source.input_' ~ inputs[1] ~ ' is not null'
        ) -%}
    {%- endfor -%}
    {%- set ranked -%}
    select
        cut,
        group_number,
        positive,
        {{ fairsql.midrank('cut, group_number', 'score') }} as midrank,
        {{ fairsql.midrank('cut', 'score') }} as midrank_in_whole
    from scored
    {%- endset -%}
    {%- set concordance -%}
    select
        cut,
        coalesce(group_number, 0) as group_number,
        case when grouping(group_number) = 1 then sum(midrank_in_whole) else sum(midrank) end
        - {{ fairsql.double('count(*)') }} * (count(*) + 1) / 2 as concordant
    from ranked_scores
    where positive = 1
    group by grouping sets ((cut, group_number), (cut))
    {%- endset -%}
    {{- return([
        ['scored', rows | join('\n    union all\n    ')],
        fairsql.described('ranked_scores', 'The same rows, with the mid-rank of the score in the group and in the whole.', ranked),
        fairsql.described('concordance', 'One row for each group, and one for the whole (group_number 0): pairs in the right order, a tie counting half.', concordance),
    ]) -}}
{% endmacro %}


{# The mean of the first and the last rank among equals. #}
{% macro midrank(partition, order) -%}
    (
            rank() over (partition by {{ partition }} order by {{ order }} asc)
            + count(*) over (partition by {{ partition }} order by {{ order }} asc range between unbounded preceding and current row)
        ) / 2e0
{%- endmacro %}
