{# From a checked test to the scan that it needs, and to the chain that ends in its statistics. #}


{# The scan of one test, its columns' types unknown: what statistics_ctes reads. Each question is a cut of its own. #}
{% macro scan_of(test, relation) %}
    {%- set attributes = [] -%}
    {%- set numbers = [] -%}
    {%- for column in test.strata + test.protected_attribute_columns -%}
        {%- do attributes.append({'column': fairsql.stored_name(column), 'kind': none}) -%}
        {%- do numbers.append(loop.index) -%}
    {%- endfor -%}
    {%- if not attributes and test.questions | rejectattr('class_column') | list -%}
        {%- do attributes.append({'column': none, 'kind': 'constant'}) -%}
        {%- do numbers.append(1) -%}
    {%- endif -%}
    {%- set inputs = [] -%}
    {%- set measures = [] -%}
    {%- set cuts = [] -%}
    {%- for part in test.questions -%}
        {%- set metric = part.metric -%}
        {%- set input_numbers = [] -%}
        {%- set label = [] -%}
        {%- for role, kind in metric.inputs.items() -%}
            {%- do input_numbers.append(fairsql.number_in(inputs, fairsql.input_of(fairsql.alone(test, part), role, kind))) -%}
            {%- do label.append(input_numbers | last) if role == metric.label_input -%}
        {%- endfor -%}
        {%- set weight = [] -%}
        {%- do weight.append(fairsql.number_in(inputs, fairsql.input_of(test, 'weight_column', 'number'))) if test.weight_column is not none -%}
        {%- set measure = {
            'family': metric.family,
            'quantity': metric.quantity,
            'inputs': input_numbers,
            'label': label[0] if label else none,
            'probability': metric.probability,
            'squared': metric.squared,
            'weight': weight[0] if weight else none,
        } -%}
        {#- By class, the class comes last in the key. -#}
        {%- set class_number = fairsql.number_in(attributes, {'column': fairsql.stored_name(test[part.class_column]), 'kind': none}) if part.class_column else none -%}
        {%- do cuts.append({
            'measure': fairsql.number_in(measures, measure),
            'attributes': numbers if class_number is none else (numbers if test.protected_attribute_columns else []) + [class_number],
            'ends_in_class': class_number is not none,
            'missing_values': test.missing_texts,
            'numerator': metric.numerator,
            'denominator': metric.denominator,
            'alpha': test.alpha,
            'comparison': test.comparison,
            'reference_texts': test.reference_texts,
            'higher_is_better': part.higher_is_better,
            'min_group_size': test.min_group_size,
            'min_group_share': test.min_group_share,
            'significance': test.significance_test != 'none',
        }) -%}
    {%- endfor -%}
    {{- return({
        'relation': fairsql.relation_of(test, relation), 'where': fairsql.windowed(fairsql.filtered(test), test.window), 'header': [], 'attributes': attributes, 'inputs': inputs, 'measures': measures, 'cuts': cuts
    }) -}}
{% endmacro %}


{# The relation that a test reads: with the columns of its judges, where it has any. #}
{% macro relation_of(test, relation) %}
    {%- if test.derivation is not none -%}{{- return(fairsql.derived_relation(test.derivation, relation)) -}}{%- endif -%}
    {%- if not test.judges -%}{{- return(relation) -}}{%- endif -%}
    {{- return('(\n' ~ fairsql.with_judgements(relation, test.judges) ~ '\n) as relation') -}}
{% endmacro %}


{# One metric input: a label, a number, or a score that is cut into labels. #}
{% macro input_of(test, role, kind) %}
    {%- set is_label = kind == 'label' -%}
    {%- set input = {
        'column': fairsql.stored_name(test[role]),
        'kind': none,
        'role': {'probability': 'number'}.get(kind, kind),
        'positive_texts': test.positive_texts if is_label else [],
        'pair': test.pair if is_label else none,
        'pair_is_boolean': test.pair_is_boolean,
        'negative_texts': test.negative_texts if is_label else none,
        'threshold': none,
    } -%}
    {%- if role == 'prediction_column' and test.cuts_scores -%}
        {%- do input.update({'role': 'score', 'positive_texts': [], 'pair': none, 'threshold': test.decision_threshold}) -%}
    {%- endif -%}
    {{- return(input) -}}
{% endmacro %}


{# The chain up to `statistics`: from the rows of a relation, or read from a relation that holds them already. #}
{% macro statistics_of_test(test, relation, name) %}
    {%- if name is none -%}
        {{- return(fairsql.statistics_ctes(fairsql.scan_of(test, relation))) -}}
    {%- elif test.derivation is not none -%}
        {%- do fairsql.refuse('fairsql.' ~ test.name, 'statistics_of', 'is not available here: the rows that are counted are others than the model\'s') -%}
    {%- elif test.filters -%}
        {%- do fairsql.refuse('fairsql.' ~ test.type, 'filters', 'cannot be used with statistics_of: its rows are counted already; give fairsql.statistics the filters') -%}
    {%- endif -%}
    {{- return([['statistics', 'select *\n    from ' ~ relation ~ '\n    where test_name = ' ~ fairsql.literal(name)]]) -}}
{% endmacro %}
