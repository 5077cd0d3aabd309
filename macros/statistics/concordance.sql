{# AUC as the Mann–Whitney statistic: the pairs of a positive and a negative that the score orders rightly,
   a tie counting half, from the sum of the positives' mid-ranks. #}
{% macro concordance_ctes(scan) %}
    {%- if fairsql.counts_before_ranking() -%}
        {%- set rows = [] -%}
        {%- for number in fairsql.cuts_of(scan, 'concordance') -%}{%- do rows.append(fairsql.scored_rows(scan, number)) -%}{%- endfor -%}
        {{- return([['scored', rows | join('\n    union all\n    ')]] + fairsql.counted_scores()) -}}
    {%- endif -%}
    {{- return(fairsql.ranked_scores(scan)) -}}
{% endmacro %}


{# The rows of one cut that have a score and a label. #}
{% macro scored_rows(scan, number) %}
    {%- set inputs = scan.measures[scan.cuts[number - 1].measure - 1].inputs -%}
    {%- set score, label = 'source.input_' ~ inputs[0], 'source.input_' ~ inputs[1] -%}
    {{- return(
        fairsql.grouped_rows(scan, number, [score ~ ' as score', fairsql.smallint(label) ~ ' as positive'])
        ~ '\n    where ' ~ score ~ ' is not null and ' ~ label ~ ' is not null'
    ) -}}
{% endmacro %}


{# By row where scores are distinct, and by score where many are equal: the other of the two has no rows to look at. #}
{% macro ranked_scores(scan) %}
    {%- set ctes = [] -%}
    {%- set tied = [] -%}
    {%- set ranked = [] -%}
    {%- set counted = [] -%}
    {%- for number in fairsql.cuts_of(scan, 'concordance') -%}
        {%- set rows, is_tied = 'scored_' ~ number, '(select is_tied from tied_scores where cut = ' ~ number ~ ')' -%}
        {%- do tied.append(fairsql.tied_scores(scan, number)) -%}
        {%- do ctes.append([rows, fairsql.scored_rows(scan, number)]) -%}
        {%- do ranked.extend(fairsql.ranks_of_rows(scan, number, rows ~ '\n    where ' ~ is_tied ~ ' = 0')) -%}
        {%- do counted.append(fairsql.counts_of_scores(rows ~ '\n    where ' ~ is_tied ~ ' = 1')) -%}
    {%- endfor -%}
    {%- set by_row -%}
    select
        ranked_scores.cut,
        ranked_scores.group_number,
        sum(first_rank + round(share * of_group.n)) / 2e0 - {{ fairsql.double('count(*)') }} * (count(*) + 1) / 2 as concordant
    from ranked_scores
    inner join {{ fairsql.few_rows('select cut, group_number, ' ~ fairsql.double('evaluated') ~ ' as n from by_group', ['cut', 'group_number', 'n']) }} as of_group
        on ranked_scores.cut = of_group.cut and ranked_scores.group_number = of_group.group_number
    where positive = 1
    group by ranked_scores.cut, ranked_scores.group_number
    {%- endset -%}
    {%- do ctes.append(fairsql.described('tied_scores', 'One row for each cut: whether a score has four rows on average.', tied | join('\n    union all\n    '))) -%}
    {%- do ctes.append(fairsql.described('ranked_scores', 'Rows of scores that differ, in their groups and in the whole (group_number 0): the rank of the score, the first among equals, and the share of rows up to it.', ranked | join('\n    union all\n    '))) -%}
    {%- do ctes.append(fairsql.described('ranked_concordance', fairsql.concordance_rows(), by_row)) -%}
    {%- do ctes.append(fairsql.described('counted_scores', 'One row for each group and score that others share: positives and negatives.', counted | join('\n    union all\n    '))) -%}
    {%- do ctes.extend(fairsql.placed_scores('counted_scores', 'placed_scores', 'counted_concordance', 'concordant')) -%}
    {%- do ctes.append(fairsql.described('concordance', 'All of these rows.', 'select * from ranked_concordance\n    union all\n    select * from counted_concordance')) -%}
    {{- return(ctes) -}}
{% endmacro %}


{# Of distinct scores one in 512 is in the sample, with all its rows. #}
{% macro tied_scores(scan, number) %}
    {%- set score = 'input_' ~ scan.measures[scan.cuts[number - 1].measure - 1].inputs[0] -%}
    {%- set select -%}
    select
        {{ number }} as cut,
        case when 2048 * (select count(distinct {{ score }}) from source where {{ fairsql.is_sampled(score) }}) <= sum(evaluated) then 1 else 0 end as is_tied
    from by_group
    where {{ fairsql.cut_number(scan) }} = {{ number }} and is_whole = 1
    {%- endset -%}
    {{- return(select | trim) -}}
{% endmacro %}


{# One sort of the rows in their groups, and one in the whole. A cut is sorted alone, with nothing beside score, label and
   group: each further column costs. Of n rows, share * n are up to the score. #}
{% macro ranks_of_rows(scan, number, rows) %}
    {%- set cut = 'cut' if fairsql.has_windows(scan) else none -%}
    {%- set selects = [] -%}
    {%- for group in ['group_number', none] -%}
        {%- set within = [cut, group] | reject('none') | join(', ') -%}
        {%- set window = '(' ~ ('partition by ' ~ within ~ ' ' if within else '') ~ 'order by score asc)' -%}
        {%- do selects.append(
            'select\n        ' ~ (cut or number ~ ' as cut') ~ ', ' ~ (group or '0 as group_number') ~ ', positive,\n        rank() over ' ~ window
            ~ ' as first_rank,\n        cume_dist() over ' ~ window ~ ' as share\n    from ' ~ rows
        ) -%}
    {%- endfor -%}
    {{- return(selects) -}}
{% endmacro %}


{# Positives and negatives by group and score. #}
{% macro counts_of_scores(rows) %}
    {%- set select -%}
    select
        cut,
        group_number,
        score,
        {{ fairsql.count('positive = 1') }} as positives,
        {{ fairsql.count('positive = 0') }} as negatives
    from {{ rows }}
    group by cut, group_number, score
    {%- endset -%}
    {{- return(select | trim) -}}
{% endmacro %}


{# By distinct score: rows are counted first, so that fewer are sorted. #}
{% macro counted_scores() %}
    {{- return(
        [fairsql.described('counted_scores', 'One row for each group and score: positives and negatives.', fairsql.counts_of_scores('scored'))]
        + fairsql.placed_scores('counted_scores', 'placed_scores', 'concordance', 'concordant')
    ) -}}
{% endmacro %}


{# From positives and negatives by group and score, in numbers or in weight, to the pairs in the right order. Groups that
   share a score share its place; no frame is by range, which not every warehouse has. #}
{% macro placed_scores(counted, placed, concordance, concordant) %}
    {%- set below -%}
    select
        cut,
        group_number,
        {{ fairsql.double('positives') }} as positives,
        up_to - {{ fairsql.double('negatives') }} / 2e0 as below,
        max(up_to_in_whole) over (partition by cut, place)
        - {{ fairsql.double('sum(negatives) over (partition by cut, place)') }} / 2e0 as below_in_whole
    from (
        select
            *,
            sum(negatives) over (partition by cut, group_number order by score asc rows between unbounded preceding and current row) as up_to,
            sum(negatives) over (partition by cut order by score asc rows between unbounded preceding and current row) as up_to_in_whole,
            dense_rank() over (partition by cut order by score asc) as place
        from {{ counted }}
    ) as cumulated
    {%- endset -%}
    {%- set pairs -%}
    select
        cut,
        coalesce({{ placed }}.group_number, 0) as group_number,
        case when grouping({{ placed }}.group_number) = 1 then sum(positives * below_in_whole) else sum(positives * below) end as {{ concordant }}
    from {{ placed }}
    group by grouping sets ((cut, {{ placed }}.group_number), (cut))
    {%- endset -%}
    {{- return([
        fairsql.described(placed, 'The same rows, with the negatives below the score, a tie counting half, in the group and in the whole.', below),
        fairsql.described(concordance, fairsql.concordance_rows(), pairs),
    ]) -}}
{% endmacro %}


{# True where a test of AUC is alone in its scan, and rows are counted before they are ranked: then they are counted by raw
   key and score at once, and no stage is read twice. #}
{% macro ranks_in_line(scan) %}
    {{- return(fairsql.counts_before_ranking() and scan.cuts | length == 1 and fairsql.cuts_of(scan, 'concordance') | length == 1) -}}
{% endmacro %}


{# The same counts as in counted_scores, as further columns of `numbered`. Rows of one group and score may be several,
   one for each spelling of the key. #}
{% macro placed_scores_in_line() %}
    {%- set whole, group = 'partition by cut, is_missing', 'partition by cut, is_missing, group_number' -%}
    {%- set up_to_here = ' order by score asc rows between unbounded preceding and current row' -%}
    {%- set cumulated -%}
    select
        *,
        sum(negatives) over ({{ group }}{{ up_to_here }}) as up_to,
        sum(negatives) over ({{ whole }}{{ up_to_here }}) as up_to_in_whole,
        dense_rank() over ({{ whole }} order by score asc) as place
    from numbered
    {%- endset -%}
    {%- set below -%}
    select
        *
        {%- for name, partition in [['', group], ['_in_whole', whole]] %},
        max(up_to{{ name }}) over ({{ partition }}, place) - {{ fairsql.double('sum(negatives) over (' ~ partition ~ ', place)') }} / 2e0 as below{{ name }}
        {%- endfor %}
    from cumulated_scores
    {%- endset -%}
    {{- return([
        fairsql.described('cumulated_scores', 'The same rows, with the negatives up to the score.', cumulated),
        fairsql.described('placed_scores', 'The same rows, with the negatives below the score, a tie counting half, in the group and in the whole.', below),
    ]) -}}
{% endmacro %}


{# What the rows of either form's last stage are. #}
{% macro concordance_rows() %}
    {{- return('One row for each group, and one for the whole (group_number 0): pairs in the right order, a tie counting half.') -}}
{% endmacro %}
