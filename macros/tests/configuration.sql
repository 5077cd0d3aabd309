{# From the arguments of a dbt test to a checked configuration. What a parameter may be stands in the generated
   catalogue; the rules that join several parameters stand here. #}


{# The arguments with defaults filled in, names canonical and texts in canonical form. `given` maps parameter -> value,
   none where it was not given; `place` begins every message. #}
{% macro checked_test(given, thresholds, name, type='group_metric_parity') %}
    {%- if fairsql.is_derived(type) -%}{{- return(fairsql.checked_derived_test(given, thresholds, name, type)) -}}{%- endif -%}
    {%- set place = 'fairsql.' ~ type ~ (' ' ~ name if name else '') -%}
    {%- set test = fairsql.with_arguments(place, type, name, given) -%}
    {%- do test.update({'measurements': fairsql.measurements_of(test, thresholds)}) -%}
    {%- do test.update({'thresholds': fairsql.checked_thresholds(place, thresholds, test)}) -%}
    {%- do test.update(fairsql.lowered(place, test)) -%}
    {%- do fairsql.check_arguments_of_type(place, test, given) -%}
    {%- do fairsql.check_comparison(place, test, given) -%}
    {%- do fairsql.check_significance(place, test) -%}
    {%- do fairsql.check_columns(place, test) -%}
    {%- do fairsql.check_window(place, test, given) -%}
    {%- do test.update(fairsql.derived(test)) -%}
    {{- return(test) -}}
{% endmacro %}


{# The arguments, each checked by itself, with defaults filled in. #}
{% macro with_arguments(place, type, name, given) %}
    {%- set catalogue = fairsql.catalogue() -%}
    {%- set test = fairsql.unasked() -%}
    {%- do test.update({'type': type, 'name': name or type}) -%}
    {%- for parameter, allowed in catalogue.types[type].parameters.items() -%}
        {%- set value = given[parameter] -%}
        {%- if value is none -%}
            {%- do test.update({parameter: allowed.default}) -%}
        {%- else -%}
            {%- do fairsql.check_value(place, parameter, value, allowed) -%}
            {%- do test.update({parameter: value}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for parameter in catalogue.types[type].required -%}
        {%- do fairsql.refuse(place, parameter, 'is required') if test[parameter] is none -%}
    {%- endfor -%}
    {{- return(test) -}}
{% endmacro %}


{# End with a message that names the argument. #}
{% macro refuse(place, parameter, problem) %}
    {{- exceptions.raise_compiler_error(place ~ ': ' ~ parameter ~ ' ' ~ problem ~ '.') -}}
{% endmacro %}


{# The type, choices and bounds of one value. Booleans are numbers to Jinja: they are told apart first. #}
{% macro check_value(place, parameter, value, allowed) %}
    {%- set is_text = value is string -%}
    {%- set is_number = value is number and value is not boolean -%}
    {%- if parameter == 'filters' -%}
        {{- return(fairsql.check_filters(place, value)) -}}
    {%- elif parameter == 'judges' -%}
        {{- return(fairsql.judges_of(place, value)) -}}
    {%- elif allowed.type == 'object' -%}
        {%- do fairsql.check_class_scores(place, value) -%}
    {%- elif allowed.type == 'array' -%}
        {%- if is_text or value is mapping or value is not iterable -%}
            {%- do fairsql.refuse(place, parameter, 'must be a list, but is ' ~ value) -%}
        {%- endif -%}
        {%- if allowed.fewest is defined and value | length < allowed.fewest -%}
            {%- do fairsql.refuse(place, parameter, 'must hold at least one value') -%}
        {%- elif allowed.at_most_items is defined and value | length > allowed.at_most_items -%}
            {%- do fairsql.refuse(place, parameter, 'must hold at most ' ~ allowed.at_most_items ~ ' values, but holds ' ~ value | length) -%}
        {%- endif -%}
        {%- for item in value -%}{%- do fairsql.check_scalar(place, parameter, item) -%}{%- endfor -%}
    {%- elif allowed.type == 'boolean' and value is not boolean -%}
        {%- do fairsql.refuse(place, parameter, 'must be true or false, but is ' ~ value) -%}
    {%- elif allowed.type in ['number', 'integer'] -%}
        {%- if not is_number -%}
            {%- do fairsql.refuse(place, parameter, 'must be a number, but is ' ~ ('the text ' if is_text else '') ~ value) -%}
        {%- elif allowed.type == 'integer' and value is not integer -%}
            {%- do fairsql.refuse(place, parameter, 'must be a whole number, but is ' ~ value) -%}
        {%- endif -%}
        {%- do fairsql.check_bounds(place, parameter, value, allowed) -%}
    {%- elif allowed.type == 'string' and not is_text -%}
        {%- do fairsql.refuse(place, parameter, 'must be text, but is ' ~ value) -%}
    {%- else -%}
        {%- do fairsql.check_scalar(place, parameter, value) -%}
    {%- endif -%}
    {%- for choice in (value if allowed.type == 'array' else [value]) if allowed.choices is defined and choice not in allowed.choices -%}
        {%- do fairsql.refuse(place, parameter, 'must be one of ' ~ allowed.choices | join(', ') ~ ', but is ' ~ choice) -%}
    {%- endfor -%}
{% endmacro %}


{# A value that a column may hold or be called: a finite number, a boolean, a date, or text that is not blank. What
   reads `ref('x')` in YAML arrives as a relation, which Jinja can iterate. #}
{% macro check_scalar(place, parameter, value) %}
    {%- if value is string -%}
        {%- if not value | trim -%}
            {%- do fairsql.refuse(place, parameter, 'holds blank text') -%}
        {%- elif '\u0000' in value -%}
            {%- do fairsql.refuse(place, parameter, 'holds U+0000, which is not a character of text') -%}
        {%- endif -%}
    {%- elif value is none or value is mapping or value is iterable or value | string in ['nan', 'inf', '-inf'] -%}
        {%- do fairsql.refuse(place, parameter, 'holds ' ~ value ~ ', which is no plain value') -%}
    {%- endif -%}
{% endmacro %}


{# Bounds of a number; NaN lies within none. #}
{% macro check_bounds(place, parameter, value, allowed) %}
    {%- set within = value == value
        and (allowed.least is not defined or value >= allowed.least) and (allowed.most is not defined or value <= allowed.most)
        and (allowed.above is not defined or value > allowed.above) and (allowed.below is not defined or value < allowed.below)
        and value | string not in ['inf', '-inf'] -%}
    {%- if not within -%}
        {%- set words = [] -%}
        {%- do words.append('at least ' ~ allowed.least) if allowed.least is defined -%}
        {%- do words.append('above ' ~ allowed.above) if allowed.above is defined -%}
        {%- do words.append('below ' ~ allowed.below) if allowed.below is defined -%}
        {%- do words.append('at most ' ~ allowed.most) if allowed.most is defined -%}
        {%- do fairsql.refuse(place, parameter, 'must be ' ~ words | join(' and ') ~ ', but is ' ~ value) -%}
    {%- endif -%}
{% endmacro %}


{# The columns, positive values and direction that the metric needs, and no others. #}
{% macro check_metric_arguments(place, test, given) %}
    {%- set metric = test.metric -%}
    {%- set needed = metric.inputs.keys() | list -%}
    {%- do needed.append('positive_values') if metric.label_input is not none -%}
    {%- do needed.append('higher_is_better') if metric.direction is none -%}
    {%- for parameter in fairsql.catalogue().input_columns + ['positive_values', 'higher_is_better'] -%}
        {%- if parameter in needed and test[parameter] is none -%}
            {%- do fairsql.refuse(place, parameter, 'is required by parity_metric ' ~ metric.name) -%}
        {%- elif parameter not in needed and given[parameter] is not none -%}
            {%- do fairsql.refuse(place, parameter, 'is not used by parity_metric ' ~ metric.name ~ ', which takes ' ~ needed | join(', ')) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# What the comparison point may be. #}
{% macro check_comparison(place, test, given) %}
    {%- if test.comparison == 'overall' -%}
        {%- for part in test.parts if not part.metric.overall_comparable -%}
            {%- do fairsql.refuse(place, 'comparison', 'overall is not available for ' ~ part.name) -%}
        {%- endfor -%}
        {%- for parameter in ['reference_strategy', 'reference_value'] if given[parameter] is not none -%}
            {%- do fairsql.refuse(place, parameter, 'cannot be used with comparison: overall') -%}
        {%- endfor -%}
    {%- elif test.reference_strategy == 'highest' and test.reference_value is not none -%}
        {%- do fairsql.refuse(place, 'reference_value', 'is not used with reference_strategy highest; did you mean reference_strategy: named?') -%}
    {%- elif test.reference_strategy == 'named' -%}
        {%- if test.reference_value is none -%}
            {%- do fairsql.refuse(place, 'reference_value', 'is required by reference_strategy: named') -%}
        {%- elif test.protected_attribute_columns | length > 1 -%}
            {%- do fairsql.refuse(place, 'reference_strategy', 'named needs exactly one protected attribute') -%}
        {%- endif -%}
    {%- endif -%}
    {%- if test.p_value_adjustment == 'holm_all_pairs' and (test.comparison == 'overall' or test.reference_strategy == 'named') -%}
        {%- do fairsql.refuse(place, 'p_value_adjustment', 'holm_all_pairs needs comparison: reference with reference_strategy: highest') -%}
    {%- endif -%}
{% endmacro %}


{# What needs a p-value needs a setting and a metric that have one; to fail by it, a group needs one of every metric. #}
{% macro check_significance(place, test) %}
    {%- if test.require_significance -%}
        {%- for part in test.parts if not part.metric.has_p_value -%}
            {%- do fairsql.refuse(place, 'require_significance', 'cannot be true, because ' ~ part.name ~ ' has no significance test') -%}
        {%- endfor -%}
        {%- do fairsql.refuse(place, 'require_significance', 'cannot be true, because significance_test is none') if test.significance_test == 'none' -%}
    {%- endif -%}
    {%- if not fairsql.is_significance_tested(test) -%}
        {%- for threshold in test.thresholds if threshold.measurement == 'significant_disparity_count' -%}
            {%- do fairsql.refuse(place, 'thresholds', 'cannot limit significant_disparity_count, because there is no significance test') -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}


{# No column may stand in two places; letter case does not tell names apart here. #}
{% macro check_columns(place, test) %}
    {%- set inputs = [] -%}
    {%- for part in test.parts -%}
        {%- set seen = [] -%}
        {%- for role in part.metric.inputs if role in part.columns -%}
            {%- set column = test[part.columns[role]] -%}
            {%- if column | lower in seen -%}
                {%- do fairsql.refuse(place, part.columns[role], 'names the column ' ~ column ~ ', which another input names too') -%}
            {%- endif -%}
            {%- do seen.append(column | lower) -%}
        {%- endfor -%}
        {%- do inputs.extend(seen) -%}
    {%- endfor -%}
    {%- if test.weight_column is not none -%}
        {%- if test.weight_column | lower in inputs -%}
            {%- do fairsql.refuse(place, 'weight_column', 'names the column ' ~ test.weight_column ~ ', which is also a metric input') -%}
        {%- endif -%}
        {%- do inputs.append(test.weight_column | lower) -%}
    {%- endif -%}
    {%- for parameter in ['stratify_by_columns', 'protected_attribute_columns'] -%}
        {%- for column in test[parameter] -%}
            {%- if column is not string or column | lower in inputs -%}
                {%- do fairsql.refuse(place, parameter, 'names the column ' ~ column ~ ' twice, or also as a metric input or weight') -%}
            {%- endif -%}
            {%- do inputs.append(column | lower) -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}


{# Thresholds with measurements in snake_case; without any, no group may fail. #}
{% macro checked_thresholds(place, thresholds, test) %}
    {%- set catalogue = fairsql.catalogue() -%}
    {%- set checked = [] -%}
    {%- if fairsql.limits_metrics(test) and not thresholds -%}
        {%- do fairsql.refuse(place, 'thresholds', 'is required') -%}
    {%- endif -%}
    {%- for threshold in thresholds or [{'measurement': 'failing_group_count', 'operator': '<=', 'value': 0}] -%}
        {%- if threshold is not mapping or 'measurement' not in threshold or 'operator' not in threshold or 'value' not in threshold or threshold | length > 3 -%}
            {%- do fairsql.refuse(place, 'thresholds', 'holds ' ~ threshold ~ '; each has measurement, operator and value') -%}
        {%- endif -%}
        {%- set measurement = fairsql.snake_case(threshold.measurement) -%}
        {%- set measurement = catalogue.spellings.get(measurement, measurement) if fairsql.limits_metrics(test) else measurement -%}
        {%- if measurement not in test.measurements -%}
            {%- do fairsql.refuse(place, 'thresholds', 'measure ' ~ threshold.measurement ~ '; measurements are ' ~ test.measurements | join(', ')) -%}
        {%- elif threshold.operator not in catalogue.operators -%}
            {%- do fairsql.refuse(place, 'thresholds', 'use the operator ' ~ threshold.operator ~ '; operators are ' ~ catalogue.operators | join(', ')) -%}
        {%- elif threshold.value is not number or threshold.value is boolean or threshold.value | string in ['nan', 'inf', '-inf'] -%}
            {%- do fairsql.refuse(place, 'thresholds', 'compare with ' ~ threshold.value ~ ', which is no finite number') -%}
        {%- endif -%}
        {%- do checked.append({'measurement': measurement, 'operator': threshold.operator, 'value': threshold.value}) -%}
    {%- endfor -%}
    {{- return(checked) -}}
{% endmacro %}


{# failingGroupCount -> failing_group_count #}
{% macro snake_case(name) %}
    {%- set letters = [] -%}
    {%- for letter in name | string -%}
        {%- do letters.append('_' ~ letter | lower if letter != letter | lower else letter) -%}
    {%- endfor -%}
    {{- return(letters | join) -}}
{% endmacro %}


{# What the SQL reads besides the arguments: direction, texts in canonical form, the pair that excuses a rate of 0. #}
{% macro derived(test) %}
    {%- set metric = test.metric -%}
    {%- set positives = [] -%}
    {%- for value in test.positive_values or [] -%}
        {%- set text = fairsql.canonical_value(value) -%}
        {%- do positives.append(text) if text not in positives -%}
    {%- endfor -%}
    {%- set missing = [] -%}
    {%- for value in test.missing_attribute_values -%}
        {%- set text = fairsql.canonical_value(value | trim if value is string else value) -%}
        {%- do missing.append(text) if text not in missing -%}
    {%- endfor -%}
    {%- set references = [] -%}
    {%- if test.reference_value is not none -%}
        {%- do references.append(fairsql.canonical_value(test.reference_value | trim if test.reference_value is string else test.reference_value)) -%}
        {%- if references[0] | lower in ['true', 'false'] and references[0] | lower not in references -%}
            {#- on a boolean column TRUE and True name the group `true` -#}
            {%- do references.append(references[0] | lower) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set pairs = [] -%}
    {%- set boolean_texts = [] -%}
    {%- for pair in [['0', '1'], ['false', 'true']] -%}
        {%- for text in positives -%}
            {%- do pairs.append(pair) if text in pair -%}
            {%- do boolean_texts.append(text) if text | lower in ['false', 'true'] -%}
        {%- endfor -%}
    {%- endfor -%}
    {#- As text TRUE is not true; on a boolean column it is. -#}
    {%- set is_boolean = not pairs and boolean_texts -%}
    {%- do pairs.append(['false', 'true']) if is_boolean -%}
    {{- return({
        'positive_texts': positives,
        'missing_texts': missing,
        'reference_texts': references,
        'pair': pairs[0] if pairs and metric.family == 'positives' else none,
        'pair_is_boolean': true if is_boolean else false,
    }) -}}
{% endmacro %}


{# A configured value in the canonical text form of column values. #}
{% macro canonical_value(value) %}
    {%- if value is boolean -%}
        {{- return('true' if value else 'false') -}}
    {%- elif value is number -%}
        {%- set text = value | string -%}
        {{- return('0' if text == '-0.0' else text[:-2] if text[-2:] == '.0' else text) -}}
    {%- elif value is not string -%}
        {{- return(value | string | replace(' ', 'T')) -}}
    {%- endif -%}
    {%- set digits = value[1:] if value[:1] == '-' else value -%}
    {%- set parts = digits.split('.') -%}
    {%- if parts | length != 2 or '' in parts -%}
        {{- return(value) -}}
    {%- endif -%}
    {%- for character in parts | join -%}
        {%- if character not in '0123456789' -%}{{- return(value) -}}{%- endif -%}
    {%- endfor -%}
    {%- set shortened = value.rstrip('0').rstrip('.') -%}
    {{- return('0' if shortened == '-0' else shortened) -}}
{% endmacro %}
