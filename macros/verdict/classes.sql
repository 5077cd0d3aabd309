{# Each class in turn the positive one. Three cuts are asked, agreement of prediction and truth by group, by group and true
   class, and by group and predicted class, the class last in the key; from the last two follow the confusion cells of every
   class. #}


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


{# The statistics, with the number of each row's class; a row without a class is one of its group. #}
{% macro numbered_classes(test) -%}
    {%- set class = 'key_' ~ (test.protected_attribute_columns | length + 1) -%}
    select *, max(class_number) over () as class_count
    from (
        select
            *,
            case when is_whole = 0 and question > 1 then dense_rank() over (partition by is_whole, is_of_class order by {{ class }} asc) else 0 end as class_number
        from (
            select *, case when question > 1 then 1 else 0 end as is_of_class
            from (
                select *, cut - min(cut) over () + 1 as question
                from statistics
            ) as questions
        ) as told_apart
    ) as numbered
{%- endmacro %}


{# Every class of every group, also where the group has no row of it: the group's own row stands beside all classes. #}
{% macro counted_classes(test) -%}
    {%- set keys = fairsql.protected_keys(test) -%}
    {%- set class = 'key_' ~ (keys | length + 1) -%}
    select
        is_whole,
        {{ keys | join(', ') }},
        numbers.number as class_number,
        max(case when question > 1 then {{ class }} end) as class_name,
        sum(case when question = 2 then evaluated else 0 end) as actual,
        sum(case when question = 3 then evaluated else 0 end) as chosen,
        sum(case when question = 2 then positives else 0 end) as tp,
        {%- for name in fairsql.reasons_read(test) + ['evaluated', 'group_number', 'groups_total'] %}
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
        on numbers.number = class_number
        or (question = 1 and numbers.number <= class_count)
        or (is_whole = 1 and numbers.number = 1)
    group by is_whole, {{ keys | join(', ') }}, numbers.number
{%- endmacro %}


{# The same rows: the confusion cells of a class against the rest. #}
{% macro by_class(test) -%}
    select *
    from (
        select
            is_whole,
            {{ fairsql.protected_keys(test) | join(', ') }},
            class_number,
            {%- for name in fairsql.reasons_read(test) + ['evaluated', 'group_number'] %}
            {{ name }},
            {%- endfor %}
            {%- for name, expression in [['tp', 'tp'], ['fp', 'chosen - tp'], ['fn', 'actual - tp'], ['tn', 'evaluated - actual - chosen + tp']] %}
            {{ fairsql.bigint(expression) }} as {{ name }},
            {%- endfor %}
            max(class_name) over (partition by is_whole, class_number) as positive_class,
            max(class_number) over () as class_count,
            max(most_groups) over () as most_groups,
            {#- Groups are too many where they are so together with the classes. #}
            case when max(most_groups) over () > 1000 then max(most_groups) over () else max(groups_total) over () end as groups_total
        from counted_classes
        where is_whole = 0 or class_number = 1
    ) as counted
    where is_whole = 1 or most_groups <= 1000
{%- endmacro %}


{# These rows for each metric. #}
{% macro parts_by_class(test) -%}
    select by_class.*, metrics.part, {{ 'metrics.part' if test.average else '(metrics.part - 1) * class_count + class_number' }} as cut
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
