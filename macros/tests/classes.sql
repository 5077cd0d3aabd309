{# What a test asks where the positive class is not one: see `asked` in fairsql/config/metric_threshold.py. #}


{# How a metric threshold measures a metric: `combination` says how the answers become its value. #}
{% macro measured_by(place, test, name) %}
    {%- set measured = fairsql.catalogue().measured[name] -%}
    {%- if measured.judge is defined -%}
        {{- return(fairsql.measured_by_judge(place, test, name, measured)) -}}
    {%- endif -%}
    {%- set unjudged = {'is_judged': false, 'counts_rows': false} -%}
    {%- if test.class_score_columns and measured.by_score is defined -%}
        {{- return(fairsql.changed(unjudged, {'metric': measured.metric, 'columns': {'ground_truth_column': 'ground_truth_column'}, 'combination': measured.by_score})) -}}
    {%- elif measured.by_class is defined and (measured.metric is not defined or not test.positive_values) -%}
        {{- return(fairsql.changed(unjudged, fairsql.changed(measured.by_class, {'columns': measured.columns}))) -}}
    {%- endif -%}
    {{- return(fairsql.changed(unjudged, {'metric': measured.metric, 'columns': measured.columns, 'combination': 'alone'})) -}}
{% endmacro %}


{# The same of a measurement of what a judge said: a metric of a column that the one judge of its template leaves. #}
{% macro measured_by_judge(place, test, name, measured) %}
    {%- set found = [] -%}
    {%- for judge in fairsql.judges_of(place, test.judges) if judge.judge == measured.judge -%}{%- do found.append(judge.name) -%}{%- endfor -%}
    {%- if not found -%}
        {%- do fairsql.refuse(place, 'judges', 'need a judge of ' ~ measured.judge ~ ', which the threshold on ' ~ name ~ ' reads') -%}
    {%- elif found | length > 1 -%}
        {%- do fairsql.refuse(place, 'judges', 'have ' ~ found | length ~ ' judges of ' ~ measured.judge ~ ', ' ~ found | join(', ') ~ '; one is needed') -%}
    {%- endif -%}
    {{- return({
        'metric': measured.metric, 'columns': {'value_column': found[0] ~ '_' ~ measured.column}, 'combination': 'alone',
        'is_judged': true, 'counts_rows': measured.column != 'score'
    }) -}}
{% endmacro %}


{# What is asked of the rows: for a part its metric; by class agreement by true and by predicted class; with a score for each
   class AUC of each ordered pair, or the loss of the rows of each. Each part learns the numbers of its questions. #}
{% macro questions_of(test, parts) %}
    {%- set questions = [] -%}
    {%- if fairsql.is_by_class(test) -%}
        {{- return(fairsql.questions_by_class([none, 'ground_truth_column', 'prediction_column'])) -}}
    {%- endif -%}
    {%- set by_class = namespace(first=none) -%}
    {%- for part in parts -%}
        {%- set first = questions | length + 1 -%}
        {%- if part.combination in ['macro', 'least'] -%}
            {%- if by_class.first is none -%}
                {%- set by_class.first = first -%}
                {%- do questions.extend(fairsql.questions_by_class(['ground_truth_column', 'prediction_column'])) -%}
            {%- endif -%}
            {%- do part.update({'first': by_class.first, 'last': by_class.first + 1}) -%}
        {%- else -%}
            {%- do questions.extend([part] if part.combination == 'alone' else fairsql.questions_by_score(test, part)) -%}
            {%- do part.update({'first': first, 'last': questions | length}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(questions) -}}
{% endmacro %}


{# Agreement by the classes of columns; none stands for all rows together. #}
{% macro questions_by_class(columns) %}
    {%- set questions = [] -%}
    {%- for column in columns -%}
        {%- do questions.append({
            'name': 'agreement',
            'metric': fairsql.catalogue().metrics.agreement,
            'columns': {'prediction_column': 'prediction_column', 'ground_truth_column': 'ground_truth_column'},
            'combination': 'by_class',
            'class_column': column,
            'higher_is_better': true,
        }) -%}
    {%- endfor -%}
    {{- return(questions) -}}
{% endmacro %}


{# One class against one other, or the rows of one class alone. #}
{% macro questions_by_score(test, part) %}
    {%- set classes = [] -%}
    {%- for name, column in test.class_score_columns.items() -%}{%- do classes.append([fairsql.canonical_value(name), column]) -%}{%- endfor -%}
    {%- set pairs = [] -%}
    {%- for name, column in classes -%}
        {%- for other, _ in classes if part.combination == 'pairs' and other != name -%}{%- do pairs.append([name, column, [other]]) -%}{%- endfor -%}
        {%- do pairs.append([name, column, []]) if part.combination == 'losses' -%}
    {%- endfor -%}
    {%- set questions = [] -%}
    {%- for name, column, others in pairs -%}
        {%- set score = part.of_class.inputs.keys() | first -%}
        {%- do questions.append(fairsql.changed(part, {
            'metric': part.of_class,
            'changes': {score: column, 'positive_texts': [name], 'negative_texts': others, 'pair': none, 'pair_is_boolean': false},
        })) -%}
    {%- endfor -%}
    {{- return(questions) -}}
{% endmacro %}


{# The scores of classes: two classes or more, each with a column of its own. #}
{% macro check_class_scores(place, value) %}
    {%- if value is not mapping or value | length < 2 -%}
        {%- do fairsql.refuse(place, 'class_score_columns', 'must be a mapping of two or more classes, each to the column of its score, but is ' ~ value) -%}
    {%- endif -%}
    {%- set names = [] -%}
    {%- for name, column in value.items() -%}
        {%- do fairsql.check_scalar(place, 'class_score_columns', name) -%}
        {%- if column is not string or not column | trim -%}
            {%- do fairsql.refuse(place, 'class_score_columns', 'maps ' ~ name ~ ' to ' ~ column ~ ', which is no column') -%}
        {%- elif fairsql.canonical_value(name) in names -%}
            {%- do fairsql.refuse(place, 'class_score_columns', 'names the class ' ~ name ~ ' twice') -%}
        {%- endif -%}
        {%- do names.append(fairsql.canonical_value(name)) -%}
    {%- endfor -%}
{% endmacro %}
