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
        ['parts', fairsql.averaged_parts(test) if test.average else fairsql.parts_by_class(test)],
    ]) -}}
{% endmacro %}


{# The statistics, with the number of each row's class; a row of a group as a whole has the number after the last. #}
{% macro numbered_classes(test) -%}
    {%- set class = 'key_' ~ (test.protected_attribute_columns | length + 1) -%}
    select
        *,
        {{ class }} as class_key,
        dense_rank() over (order by cut asc) as question,
        dense_rank() over (partition by is_whole order by case when {{ class }} is null then 1 else 0 end asc, {{ class }} asc) as class_place,
        max(groups_total) over () as most_groups
    from statistics
{%- endmacro %}


{# Every class of every group, also where the group has no row of it: the group's own row stands beside all classes. #}
{% macro counted_classes(test) -%}
    {%- set keys = fairsql.protected_keys(test) -%}
    select
        is_whole,
        {{ keys | join(', ') }},
        numbers.number as class_number,
        max(class_key) as class_key,
        sum(case when question = 2 then evaluated else 0 end) as actual,
        sum(case when question = 3 then evaluated else 0 end) as chosen,
        sum(case when question = 2 then positives else 0 end) as tp_of_class,
        {%- for name in fairsql.reasons_read(test) + ['evaluated', 'group_number'] %}
        max(case when question = 1 then {{ name }} end) as {{ name }},
        {%- endfor %}
        {#- Groups are too many where they are so together with the classes. #}
        max(case when question = 1 or most_groups > 1000 then groups_total end) as groups_total
    from numbered_classes
    inner join (
        {#- As many as two cuts of a thousand groups have classes. #}
        select row_number() over (order by ones.one asc) as number
        from (select 1 as one{{ ' union all select 1 as one' * 12 }}) as ones
        cross join (select 1 as one{{ ' union all select 1 as one' * 12 }}) as twos
        cross join (select 1 as one{{ ' union all select 1 as one' * 12 }}) as threes
    ) as numbers
        on (is_whole = 1 and numbers.number = 1)
        or (is_whole = 0 and most_groups <= 1000 and question > 1 and numbers.number = class_place)
        or (is_whole = 0 and most_groups <= 1000 and question = 1 and numbers.number < class_place)
    group by is_whole, {{ keys | join(', ') }}, numbers.number
{%- endmacro %}


{# These rows for each metric: the confusion cells of a class against the rest. #}
{% macro parts_by_class(test) -%}
    select
        *,
        part{{ ' * 100000 + class_number' if not test.average }} as cut,
        max(class_key) over (partition by is_whole, class_number) as positive_class,
        {%- for name, expression in [['tp', 'tp_of_class'], ['fp', 'chosen - tp_of_class'], ['fn', 'actual - tp_of_class'], ['tn', 'evaluated - actual - chosen + tp_of_class']] %}
        {{ fairsql.bigint(expression) }} as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from counted_classes
    cross join (
        select row_number() over (order by one asc) as part
        from (select 1 as one{{ ' union all select 1 as one' * (test.parts | length - 1) }}) as ones
    ) as metrics
{%- endmacro %}


{# A row a metric and group: the mean of the metric over the classes for which it is defined, and how many those are. The
   geometric mean is that of the averages of its two factors, and of all classes. #}
{% macro averaged_parts(test) -%}
    {%- set over = ' over (partition by part, is_whole, group_number)' -%}
    {%- set values = [] -%}
    {%- set averages = [] -%}
    {%- set counts = [] -%}
    {%- set factors = [] -%}
    {%- for part in test.parts -%}
        {%- set is_geometric = part.of_class.name == 'geometric_mean' -%}
        {%- do factors.extend(['precision', 'recall']) if is_geometric -%}
        {%- do values.append(fairsql.double('null') if is_geometric else fairsql.value(part.of_class)) -%}
        {%- do averages.append('sqrt(avg(class_precision)' ~ over ~ ' * avg(class_recall)' ~ over ~ ')' if is_geometric else 'avg(class_value)' ~ over) -%}
        {%- do counts.append(('count(*)' if is_geometric else 'count(class_value)') ~ over) -%}
    {%- endfor -%}
    select *
    from (
        select *, {{ fairsql.by_part(averages) }} as average, {{ fairsql.by_part(counts) }} as classes
        from (
            select
                *,
                {%- for name in factors %}
                {{ fairsql.value(fairsql.catalogue().metrics[name]) }} as class_{{ name }},
                {%- endfor %}
                {{ fairsql.by_part(values) }} as class_value
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
