{# Each class in turn the positive one. Two cuts are asked, agreement of prediction and truth by true class and by predicted
   class, the class last in the key; from both follow the confusion cells of every class. #}


{# True where the classes that occur are the positive one in turn. #}
{% macro is_by_class(test) %}{{ return(true if test.per_class or test.average else false) }}{% endmacro %}


{# Pairs of CTE name and body, from `statistics` to `parts`: a row a metric, class and group, or of averages a row a metric
   and group; and one a metric for the whole. #}
{% macro class_ctes(test) %}
    {{- return([
        ['numbered_classes', fairsql.numbered_classes(test)],
        ['counted_classes', fairsql.counted_classes(test)],
        ['by_class', fairsql.by_class(test)],
        ['parts', fairsql.averaged_parts(test) if test.average else fairsql.parts_by_class(test)],
    ]) -}}
{% endmacro %}


{# The statistics, with the number of each row's class; the first row of a group is told apart. #}
{% macro numbered_classes(test) -%}
    {%- set keys = fairsql.protected_keys(test) | join(', ') -%}
    {%- set class = 'key_' ~ (test.protected_attribute_columns | length + 1) -%}
    select *, max(class_number) over () as class_count
    from (
        select
            *,
            cut - min(cut) over () + 1 as question,
            dense_rank() over (partition by is_whole order by {{ class }} asc) as class_number,
            row_number() over (partition by is_whole, {{ keys }} order by cut asc, {{ class }} asc) as place
        from statistics
    ) as numbered
{%- endmacro %}


{# Every class of every group, also where the group has no row of it: the first row of a group stands beside all classes
   and counts in its own. #}
{% macro counted_classes(test) -%}
    {%- set keys = fairsql.protected_keys(test) -%}
    {%- set class = 'key_' ~ (keys | length + 1) -%}
    {%- set own = 'numbers.number = numbered_classes.class_number' -%}
    {%- set counts = [
        ['actual', 'question = 1', 'evaluated'], ['chosen', 'question = 2', 'evaluated'], ['tp', 'question = 1', 'positives'],
        ['lacking', '(is_whole = 0 or question = 1)', 'missing_metric_inputs'],
    ] -%}
    select
        is_whole,
        {{ keys | join(', ') }},
        numbers.number as class_number,
        max(case when {{ own }} then {{ class }} end) as class_name,
        {%- for name, condition, count in counts %}
        sum(case when {{ own }} and {{ condition }} then {{ count }} else 0 end) as {{ name }},
        {%- endfor %}
        {%- for name in fairsql.reasons_read(test) if name != 'missing_metric_inputs' %}
        max(case when question = 1 then {{ name }} end) as {{ name }},
        {%- endfor %}
        max(groups_total) as most_groups
    from numbered_classes
    inner join (
        {#- As many as two cuts of a thousand groups have classes. #}
        select row_number() over (order by ones.one asc) as number
        from (select 1 as one{{ ' union all select 1 as one' * 12 }}) as ones
        cross join (select 1 as one{{ ' union all select 1 as one' * 12 }}) as twos
        cross join (select 1 as one{{ ' union all select 1 as one' * 12 }}) as threes
    ) as numbers
        on {{ own }} or (is_whole = 0 and place = 1 and numbers.number <= class_count)
    group by is_whole, {{ keys | join(', ') }}, numbers.number
{%- endmacro %}


{# The same rows: the confusion cells of a class against the rest, and the counts of its group. #}
{% macro by_class(test) -%}
    {%- set of_group = ' over (partition by is_whole, ' ~ fairsql.protected_keys(test) | join(', ') ~ ')' -%}
    select
        *,
        {{ fairsql.bigint('evaluated - actual - chosen + tp') }} as tn,
        {{ fairsql.bigint('case when most_groups > 1000 then most_groups else max(case when is_whole = 0 then group_number else 0 end) over () end') }} as groups_total
    from (
        select
            is_whole,
            {{ fairsql.protected_keys(test) | join(', ') }},
            class_number,
            actual,
            chosen,
            max(most_groups) over () as most_groups,
            {{ fairsql.bigint('tp') }} as tp,
            {{ fairsql.bigint('chosen - tp') }} as fp,
            {{ fairsql.bigint('actual - tp') }} as fn,
            {%- for name in fairsql.reasons_read(test) if name != 'missing_metric_inputs' %}
            {{ name }},
            {%- endfor %}
            max(class_name) over (partition by is_whole, class_number) as positive_class,
            {{ fairsql.bigint('sum(actual)' ~ of_group) }} as evaluated,
            {{ fairsql.bigint('sum(lacking)' ~ of_group) }} as missing_metric_inputs,
            dense_rank() over (partition by is_whole order by {{ fairsql.protected_keys(test) | join(' asc, ') }} asc) as group_number
        from counted_classes
    ) as counted
{%- endmacro %}


{# These rows for each metric. #}
{% macro parts_by_class(test) -%}
    select by_class.*, metrics.part, metrics.part as cut
    from by_class
    cross join (
        select row_number() over (order by one asc) as part
        from (select 1 as one{{ ' union all select 1 as one' * (test.parts | length - 1) }}) as ones
    ) as metrics
{%- endmacro %}


{# A row a metric and group: the mean of the metric over the classes for which it is defined, and how many those are. #}
{% macro averaged_parts(test) -%}
    {%- set values = [] -%}
    {%- for part in test.parts -%}{%- do values.append(fairsql.value(part.of_class)) -%}{%- endfor -%}
    {%- set over = ' over (partition by part, is_whole, group_number)' -%}
    select *
    from (
        select *, avg(class_value){{ over }} as average, count(class_value){{ over }} as classes
        from (
            select *, {{ fairsql.by_part(values) }} as class_value
            from (
                {{ fairsql.parts_by_class(test) | trim | replace('\n', '\n            ') }}
            ) as of_metrics
        ) as valued
    ) as beside_average
    where class_number = 1
{%- endmacro %}


{# A metric as its macro average: see `macro` in fairsql/panels.py. #}
{% macro averaged_metric(metric) %}
    {{- return(fairsql.changed(metric, {
        'family': 'macro', 'part': [], 'whole': [], 'formula': none, 'label_input': none, 'has_p_value': false,
        'overall_comparable': false, 'probability': false, 'has_numbers': false, 'statistics': ['average', 'classes']
    })) -}}
{% endmacro %}
