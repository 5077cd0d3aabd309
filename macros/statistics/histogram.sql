{# Approximate methods: rows are counted by attribute values and bin, and only those counts are put in order.

   Bins must keep the order of numbers for certain. A number x has a place, u / (scale + u) with u = |x| and the sign of x,
   written as 1 - scale / (scale + u): each step is one subtraction, division or sum that IEEE arithmetic rounds in the same
   direction for all x, so that a larger number never has a smaller place. The place is linear for small u and turns
   logarithmic for large ones: a few numbers far away take few bins from the others. The stretch from the place of the
   least number to that of the greatest is cut into bins of one width; the least number and the greatest have bins of
   their own, since many rows may hold just them. #}


{# How many bins of one width there are. #}
{% macro bin_count() %}{{ return(10000) }}{% endmacro %}


{# The cuts that count by bins. #}
{% macro binned_cuts(scan) %}
    {{- return((fairsql.cuts_of(scan, 'binned_concordance') + fairsql.cuts_of(scan, 'binned_quantile')) | sort) -}}
{% endmacro %}


{# What a binned measure aggregates, for its bins: extremes, and the sum of logarithms from which the scale comes. `number`
   is the input that is binned. Infinite numbers have no bin; they skip the test. #}
{% macro binned_aggregates(measure, complete) %}
    {%- set number = 'input_' ~ measure.inputs[0] -%}
    {%- set is_binned = complete ~ ' and ' ~ fairsql.is_finite(number) -%}
    {%- set is_logarithmic = is_binned ~ ' and ' ~ number ~ ' <> 0' -%}
    {{- return({
        'minimum': 'min(case when ' ~ is_binned ~ ' then ' ~ number ~ ' end)',
        'maximum': 'max(case when ' ~ is_binned ~ ' then ' ~ number ~ ' end)',
        'log_sum': 'sum(case when ' ~ is_logarithmic ~ ' then ln(abs(' ~ number ~ ')) else 0e0 end)',
        'log_rows': fairsql.count(is_logarithmic),
    }) -}}
{% endmacro %}


{# True for a number that is not infinite. #}
{% macro is_finite(number) %}{{ return('abs(' ~ number ~ ') <= ' ~ fairsql.extreme('1.7976931348623157e308')) }}{% endmacro %}


{# Statistics that bins are made by, and no result has. #}
{% macro inner_statistics() %}{{ return(['log_sum', 'log_rows']) }}{% endmacro %}


{# From `by_group` to `spans` and the counts of every cut by attribute values as they are written, and bin. #}
{% macro bin_ctes(scan) %}
    {%- set ctes = [fairsql.described('spans', 'One row for each cut that counts by bins: the least and the greatest number, the scale of the places between them, and the places of both.', fairsql.spans(scan))] -%}
    {%- for number in fairsql.binned_cuts(scan) -%}
        {%- do ctes.append(['bins_' ~ number, fairsql.raw_bins(scan, number)]) -%}
    {%- endfor -%}
    {{- return(ctes) -}}
{% endmacro %}


{# The scale is a power of two near the geometric mean of the numbers' sizes, which no few of them can move. It is rounded
   where no simple numbers lie (1 and 2 in equal parts would be just between two powers), so that the order in which the
   warehouse adds logarithms does not matter; and bounded, so that no step overflows. #}
{% macro spans(scan) -%}
    select
        *,
        {{ fairsql.place('lowest', 'scale') }} as first_place,
        {{ fairsql.place('highest', 'scale') }} as last_place
    from (
        select
            cut,
            minimum as lowest,
            maximum as highest,
            power(2e0, greatest(least(floor(coalesce(log_sum / nullif(log_rows, 0), 0e0) / 6.931471805599453e-1 + 3.82e-1), 9.5e2), -1e3)) as scale
        from by_group
        where {{ fairsql.cut_number(scan) }} in ({{ fairsql.binned_cuts(scan) | join(', ') }}) and is_whole = 1 and groups_total <= 1000
    ) as scaled
{%- endmacro %}


{# The place of a number, from -1 to 1. What is 1e15 times the scale is as good as infinitely far. #}
{% macro place(number, scale) %}
    {%- set rest = scale ~ ' / (' ~ scale ~ ' + least(abs(' ~ number ~ '), 1e15 * ' ~ scale ~ '))' -%}
    {{- return(fairsql.case_of(['when ' ~ number ~ ' < 0 then ' ~ rest ~ ' - 1e0', 'else 1e0 - ' ~ rest])) -}}
{% endmacro %}


{# The number of a bin, from 0 for the least number; places that no double tells apart are one bin. #}
{% macro bin_number() %}
    {{- return(fairsql.bigint(
        'case\n                when number <= lowest then 0e0'
        ~ '\n                when number >= highest then ' ~ (fairsql.bin_count() + 2) ~ 'e0'
        ~ '\n                else 1e0 + floor(coalesce((place - first_place) / nullif(last_place - first_place, 0) * ' ~ fairsql.bin_count() ~ 'e0, 0e0))'
        ~ '\n            end'
    )) -}}
{% endmacro %}


{# The rows of one cut by attribute values as they are written, and bin: counted before their groups are found. #}
{% macro raw_bins(scan, number) %}
    {%- set cut = scan.cuts[number - 1] -%}
    {%- set measure = scan.measures[cut.measure - 1] -%}
    {%- set keys = [] -%}
    {%- for attribute in cut.attributes | sort -%}{%- do keys.append('attribute_' ~ attribute) -%}{%- endfor -%}
    {%- do keys.append('window_number') if fairsql.has_windows(scan) -%}
    {%- set value = 'source.input_' ~ measure.inputs[0] -%}
    {%- set conditions = [] -%}
    {%- for index in measure.inputs -%}{%- do conditions.append('source.input_' ~ index ~ ' is not null') -%}{%- endfor -%}
    {%- do conditions.append(fairsql.is_finite(value)) -%}
    {%- set counts = ['count(*) as bin_rows'] -%}
    {%- if measure.family == 'binned_concordance' -%}
        {%- set counts = [fairsql.count('label = 1') ~ ' as positives', fairsql.count('label = 0') ~ ' as negatives'] -%}
    {%- endif -%}
    -- The rows that cut {{ number }} evaluates, by attribute values as they are written and by bin: how many, and the extremes.
    select
        {{ keys | join(',\n        ') }},
        bin,
        {{ counts | join(',\n        ') }},
        min(number) as lowest,
        max(number) as highest
    from (
        select
            {{ keys | join(',\n            ') }},
            number,
            {%- if measure.family == 'binned_concordance' %}
            label,
            {%- endif %}
            {{ fairsql.bin_number() }} as bin
        from (
            select
                source.{{ keys | join(',\n                source.') }},
                {{ value }} as number,
                {%- if measure.family == 'binned_concordance' %}
                source.input_{{ measure.inputs[1] }} as label,
                {%- endif %}
                {{ fairsql.place(value, 'spans.scale') }} as place,
                spans.lowest,
                spans.highest,
                spans.first_place,
                spans.last_place
            from source
            {%- if fairsql.has_windows(scan) %}
            inner join spans on spans.cut = source.window_number * {{ scan.cuts | length }} - {{ scan.cuts | length - number }}
            {%- else %}
            cross join (select * from spans where cut = {{ number }}) as spans
            {%- endif %}
            where {{ conditions | join(' and ') }}
        ) as placed
    ) as binned
    group by {{ keys | join(', ') }}, bin
{%- endmacro %}


{# The bins of the groups of every cut of a family, and of the whole (group_number 0). #}
{% macro group_bins(scan, family, counts) %}
    {%- set rows = [] -%}
    {%- for number in fairsql.cuts_of(scan, family) -%}
        {%- set bins = 'bins_' ~ number -%}
        {%- set columns = [] -%}
        {%- for name in ['bin'] + counts + ['lowest', 'highest'] -%}{%- do columns.append(bins ~ '.' ~ name) -%}{%- endfor -%}
        {%- do rows.append(fairsql.grouped_rows(scan, number, columns, bins)) -%}
    {%- endfor -%}
    {%- set sums = [] -%}
    {%- for count in counts -%}{%- do sums.append('sum(' ~ count ~ ') as ' ~ count) -%}{%- endfor -%}
    {{- return(
        'select\n        cut,\n        coalesce(every_bin.group_number, 0) as group_number,\n        bin,\n        ' ~ sums | join(',\n        ')
        ~ ',\n        min(lowest) as lowest,\n        max(highest) as highest\n    from (\n    ' ~ rows | join('\n    union all\n    ')
        ~ '\n    ) as every_bin\n    group by grouping sets ((cut, every_bin.group_number, bin), (cut, bin))'
    ) -}}
{% endmacro %}


{# Pairs of different bins are in a known order. Of those of one bin half are taken to be in the right one, as ties count;
   where the bin holds more than one score, they are what the bounds leave open. #}
{% macro binned_concordance_ctes(scan) %}
    {%- set placed -%}
    select
        *,
        coalesce(sum(negatives) over (partition by cut, group_number order by bin asc rows between unbounded preceding and 1 preceding), 0) as negatives_below
    from score_bins
    {%- endset -%}
    {%- set same = fairsql.double('positives') ~ ' * ' ~ fairsql.double('negatives') -%}
    {%- set concordance -%}
    select
        cut,
        group_number,
        sum({{ fairsql.double('positives') }} * ({{ fairsql.double('negatives_below') }} + {{ fairsql.double('negatives') }} / 2e0)) as binned_concordant,
        sum(case when lowest < highest then {{ same }} else 0e0 end) as same_bin_pairs
    from placed_score_bins
    group by cut, group_number
    {%- endset -%}
    {{- return([
        fairsql.described('score_bins', 'One row for each group and bin, and one for the whole (group_number 0) and bin: positives, negatives and extremes.', fairsql.group_bins(scan, 'binned_concordance', ['positives', 'negatives'])),
        fairsql.described('placed_score_bins', 'The same rows, with the negatives in the bins below.', placed),
        fairsql.described('binned_concordance', 'One row for each group, and one for the whole: pairs in the right order, of those in one bin a half, and pairs of two scores in one bin.', concordance),
    ]) -}}
{% endmacro %}
