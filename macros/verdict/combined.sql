{# Metrics over all rows that rest on several questions: averages over classes and over pairs of classes. #}


{# True where a metric is put together from several answers. #}
{% macro combines(test) %}
    {{- return(test.parts | rejectattr('combination', 'equalto', 'alone') | list | length > 0) -}}
{% endmacro %}


{# What is computed of each class: the metrics that are averaged, and those whose least value counts. #}
{% macro metrics_of_classes(test) %}
    {%- set names = [] -%}
    {%- for part in test.parts if part.combination in ['macro', 'least'] -%}
        {%- for name in fairsql.factors(part) if name not in names -%}{%- do names.append(name) -%}{%- endfor -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# The geometric mean over classes is that of the averages of its two factors. #}
{% macro factors(part) %}
    {{- return(['precision', 'recall'] if part.of_class.name == 'geometric_mean' else [part.of_class.name]) -}}
{% endmacro %}


{# The same rows; the first row of each class holds the metrics of that class against the rest. #}
{% macro valued_classes(test) %}
    {%- set first = (test.parts | selectattr('combination', 'in', ['macro', 'least']) | first).first -%}
    {%- set over = ' over (partition by class_key)' -%}
    {%- set cells = ['tp_of_class', 'chosen - tp_of_class', 'actual - tp_of_class', 'in_all - actual - chosen + tp_of_class'] -%}
    select
        *
        {%- for name in fairsql.metrics_of_classes(test) %},
        case when place_in_class = 1 then {{ fairsql.value_of_cells(fairsql.catalogue().metrics[name], cells) }} end as {{ name }}_of_class
        {%- endfor %}
    from (
        select
            *,
            case when class_key is not null then row_number() over (partition by class_key order by question asc) end as place_in_class,
            coalesce(sum(case when question = {{ first }} then positives end){{ over }}, 0) as tp_of_class,
            coalesce(sum(case when question = {{ first }} then evaluated end){{ over }}, 0) as actual,
            coalesce(sum(case when question = {{ first + 1 }} then evaluated end){{ over }}, 0) as chosen,
            sum(case when class_key is not null and question = {{ first }} then evaluated end) over () as in_all
        from (
            select *, case when is_whole = 0 and question in ({{ first }}, {{ first + 1 }}) then key_1 end as class_key
            from questions
        ) as keyed_by_class
    ) as counted
{%- endmacro %}


{# A metric of confusion cells that are expressions. #}
{% macro value_of_cells(metric, cells) %}
    {%- if not metric.part -%}{{- return(fairsql.formula(metric.formula, cells)) -}}{%- endif -%}
    {%- set cell = {'tp': cells[0], 'fp': cells[1], 'fn': cells[2], 'tn': cells[3]} -%}
    {%- set part = [] -%}
    {%- for name in metric.part -%}{%- do part.append(cell[name]) -%}{%- endfor -%}
    {%- set whole = [] -%}
    {%- for name in metric.whole -%}{%- do whole.append(cell[name]) -%}{%- endfor -%}
    {{- return(fairsql.share(part, whole)) -}}
{% endmacro %}


{# [name, expression]: over the classes for which a metric is defined its mean, its least value, and how many they are. #}
{% macro class_averages(test) %}
    {%- set items = [] -%}
    {%- for name in fairsql.metrics_of_classes(test) -%}
        {%- do items.extend([
            ['average_' ~ name, 'avg(' ~ name ~ '_of_class) over ()'],
            ['least_' ~ name, 'min(' ~ name ~ '_of_class) over ()'],
            ['classes_' ~ name, 'count(' ~ name ~ '_of_class) over ()'],
        ]) -%}
    {%- endfor -%}
    {%- do items.append(['class_count', 'count(case when place_in_class = 1 then 1 end) over ()']) if items -%}
    {{- return(items) -}}
{% endmacro %}


{# What a part is over all of its questions, beside each of them: its value, and how many classes or pairs it is of. #}
{% macro combined_value(part) %}
    {%- set over = fairsql.over_threshold() -%}
    {%- set name = part.of_class.name -%}
    {%- if part.combination == 'alone' -%}
        {%- set usable = ['is_whole = 0'] -%}
        {%- for rows in fairsql.unusable_rows(part.metric) -%}{%- do usable.append('whole_' ~ rows ~ ' = 0') -%}{%- endfor -%}
        {{- return('case when ' ~ usable | join(' and ') ~ ' then ' ~ fairsql.value(part.metric) ~ ' end') -}}
    {%- elif part.combination == 'least' -%}
        {{- return('least_' ~ name) -}}
    {%- elif part.combination == 'macro' -%}
        {{- return('sqrt(average_precision * average_recall)' if name == 'geometric_mean' else 'average_' ~ name) -}}
    {%- elif part.combination == 'pairs' -%}
        {%- set value = fairsql.value(part.of_class) -%}
        {{- return('case when count(' ~ value ~ ')' ~ over ~ ' = ' ~ (part.last - part.first + 1) ~ ' then avg(' ~ value ~ ')' ~ over ~ ' end') -}}
    {%- endif -%}
    {{- return(
        'case when min(minimum)' ~ over ~ ' = max(maximum)' ~ over ~ ' then min(minimum)' ~ over
        ~ ' else sum(' ~ fairsql.double('evaluated') ~ ' * mean)' ~ over ~ ' / nullif(sum(' ~ fairsql.double('evaluated') ~ ')' ~ over ~ ', 0) end'
    ) -}}
{% endmacro %}

{% macro combined_classes(part) %}
    {%- if part.combination == 'pairs' -%}
        {{- return('count(' ~ fairsql.value(part.of_class) ~ ')' ~ fairsql.over_threshold()) -}}
    {%- elif part.combination in ['macro', 'least'] -%}
        {{- return('class_count' if part.of_class.name == 'geometric_mean' and part.combination == 'macro' else 'classes_' ~ part.of_class.name) -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}


{# The rows that any of a part's questions is about. With a question for each pair a class, and so its rows, is in two for
   each other one. #}
{% macro combined_rows(part) %}
    {%- if part.combination not in ['pairs', 'losses'] -%}{{- return('whole_evaluated') -}}{%- endif -%}
    {%- set questions = part.last - part.first + 1 -%}
    {%- set classes = namespace(count=2) -%}
    {%- for number in range(2, questions + 1) if number * (number - 1) == questions -%}{%- set classes.count = number -%}{%- endfor -%}
    {{- return('sum(whole_evaluated)' ~ fairsql.over_threshold() ~ (' / ' ~ 2 * (classes.count - 1) if part.combination == 'pairs' else '')) -}}
{% endmacro %}


{# The questions of one threshold. #}
{% macro over_threshold() %}{{ return(' over (partition by numbers.threshold)') }}{% endmacro %}


{# Each threshold with the first reason that any of its questions gives, on the row of its first question. #}
{% macro first_reasons(test) %}
    {%- set firsts = [] -%}
    {%- for threshold in test.thresholds -%}{%- do firsts.append(fairsql.part_of(test, threshold).first) -%}{%- endfor -%}
    select *
    from (
        select
            *,
            max(case when reason_place = first_reason then reason_found end) over (partition by threshold) as skip_reason,
            max(case when reason_place = first_reason then message_found end) over (partition by threshold) as skip_message
        from (
            select *, min(case when reason_found is not null then reason_place end) over (partition by threshold) as first_reason
            from reasoned
        ) as beside_first
    ) as with_reason
    where question is null or question = {{ fairsql.by_cut(firsts, 'threshold') }}
{%- endmacro %}


{# Of the losses, whether no row is of the question's class, while rows are of another one. #}
{% macro is_absent_class(test) %}
    {%- set numbers = [] -%}
    {%- for part in test.parts -%}{%- do numbers.append(loop.index) if part.combination == 'losses' -%}{%- endfor -%}
    {%- if not numbers -%}{{- return('0') -}}{%- endif -%}
    {{- return(
        'case when asked_part ' ~ fairsql.among(numbers)
        ~ ' and whole_input_2_rows = 0 and max(whole_input_2_rows) over (partition by threshold) > 0 then 1 else 0 end'
    ) -}}
{% endmacro %}


{# Its sentence. #}
{% macro absent_class(test, part) %}
    {%- set messages = [] -%}
    {%- for question in test.questions[part.first - 1:part.last] -%}
        {%- do messages.append(fairsql.literal('column ' ~ test.ground_truth_column ~ ' never holds ' ~ question.changes.positive_texts[0])) -%}
    {%- endfor -%}
    {{- return(['is_absent = 1', 'positive_class_absent', [fairsql.by_cut(messages, 'question' if part.first == 1 else 'question - ' ~ (part.first - 1))]]) -}}
{% endmacro %}


{# A statistic of the parts that have it; what is put together shows its average, and how many that is of. #}
{% macro statistic_of_part(test, name) %}
    {%- set columns = [] -%}
    {%- for part in test.parts -%}
        {%- do columns.append(name if name in part.metric.statistics and part.combination != 'losses' else none) -%}
    {%- endfor -%}
    {{- return(fairsql.by_cut(columns, 'asked_part')) -}}
{% endmacro %}
