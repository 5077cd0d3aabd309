{# Tests that are judged as those of another type, over rows that a macro derives: from a user's arguments to the checked test
   of the other type, with `derivation` besides. Their models are in fairsql/config/flagged.py and paired.py. #}


{# Types whose rows have a flag, and types over pairs. #}
{% macro flagged_types() %}{{ return(['refusal_rate_disparity', 'toxicity_sentiment_disparity', 'stereotype_association_score']) }}{% endmacro %}
{% macro paired_types() %}{{ return(['counterfactual_fairness_divergence', 'pairwise_divergence']) }}{% endmacro %}
{% macro is_derived(type) %}{{ return(type in fairsql.flagged_types() + fairsql.paired_types()) }}{% endmacro %}


{# The checked test; the parameters are those of checked_test. #}
{% macro checked_derived_test(given, thresholds, name, type) %}
    {%- set place = 'fairsql.' ~ type ~ (' ' ~ name if name else '') -%}
    {%- set test = fairsql.with_arguments(place, type, name, given) -%}
    {%- do fairsql.check_window(place, test, given) -%}
    {%- do test.update({'measurements': fairsql.catalogue().types[type].measurements}) -%}
    {%- if type == 'pairwise_divergence' -%}
        {{- return(fairsql.checked_pairwise(place, test, given, thresholds)) -}}
    {%- endif -%}
    {%- do test.update({'thresholds': fairsql.checked_thresholds(place, thresholds, test)}) -%}
    {{- return(fairsql.checked_counterfactual(place, test, given) if type in fairsql.paired_types() else fairsql.checked_flags(place, test, given)) -}}
{% endmacro %}


{# The rate of a flag by group; the lower the better, and ratios decide nothing. #}
{% macro checked_flags(place, test, given) %}
    {%- set feature = {'refusal_rate_disparity': 'refusal', 'stereotype_association_score': 'stereotype'}.get(test.type, test.lexicon) -%}
    {%- if test.type == 'stereotype_association_score' -%}
        {%- if test.answer_column | lower == test.stereotyped_answer_column | lower -%}
            {%- do fairsql.refuse(place, 'stereotyped_answer_column', 'is ' ~ test.answer_column ~ ', which is also answer_column') -%}
        {%- endif -%}
        {%- set source = {'answer_column': test.answer_column, 'stereotyped_answer_column': test.stereotyped_answer_column} -%}
    {%- else -%}
        {%- set list = 'refusal_phrases' if feature == 'refusal' else 'toxic_phrases' -%}
        {%- do fairsql.check_texts(place, list, test[list]) -%}
        {%- do fairsql.check_source(place, test, given, list) -%}
        {%- if feature == 'negative_sentiment' and test[list] -%}{%- do fairsql.refuse(place, list, 'is not used by lexicon negative_sentiment') -%}{%- endif -%}
        {%- set source = {
            'output_column': test.output_column, 'scorer_column': test.scorer_column, 'score_threshold': test.score_threshold, 'phrases': test[list]
        } -%}
        {%- set feature = 'score' if test.scorer_column is not none else feature -%}
    {%- endif -%}
    {%- set names = {test.type: 'max_metric_difference', 'highest_group_rate': 'worst_group_value'} -%}
    {%- set inner = fairsql.inner_test('group_metric_parity', test, names, {
        'parity_metric': 'rate', 'value_column': 'fairsql_flag', 'positive_values': [1], 'higher_is_better': false, 'min_ratio': 0.000000001,
        'min_group_size': 1 if test.allow_small_samples else test.min_group_size,
    }) -%}
    {{- return(fairsql.changed(inner, {'derivation': ['with_flags', feature, source]})) -}}
{% endmacro %}


{# Exactly one thing that the flag is made of. #}
{% macro check_source(place, test, given, list) %}
    {%- if test.output_column is not none and test.scorer_column is not none -%}
        {%- do fairsql.refuse(place, 'scorer_column', 'is one of output_column or scorer_column; give one alone') -%}
    {%- elif test.output_column is none and test.scorer_column is none -%}
        {%- do fairsql.refuse(place, 'output_column', 'is required, or scorer_column') -%}
    {%- elif test.output_column is not none and given.score_threshold is not none -%}
        {%- do fairsql.refuse(place, 'score_threshold', 'is not used by output_column') -%}
    {%- elif test.output_column is none and test[list] -%}
        {%- do fairsql.refuse(place, list, 'is not used without output_column') -%}
    {%- endif -%}
{% endmacro %}


{# The mean divergence of each dimension, held to a limit. #}
{% macro checked_counterfactual(place, test, given) %}
    {%- do fairsql.check_pairs(place, test) -%}
    {%- do fairsql.check_texts(place, 'refusal_phrases', test.refusal_phrases) -%}
    {%- set limit = test.thresholds[0] -%}
    {%- if given.max_divergence is none and test.thresholds | length == 1 and limit.measurement == 'failing_group_count' and limit.operator == '<=' and limit.value == 0 -%}
        {%- do fairsql.refuse(place, 'max_divergence', 'is required where there are no thresholds') -%}
    {%- endif -%}
    {%- set names = {'counterfactual_fairness_divergence': 'highest_group_value', 'lowest_dimension_divergence': 'lowest_group_value'} -%}
    {%- set inner = fairsql.inner_test('group_column_statistic', fairsql.changed(test, {'min_group_size': 1}), names, {
        'statistic': 'mean', 'value_column': 'divergence', 'protected_attribute_columns': ['dimension'], 'operator': '<=', 'value': test.max_divergence,
    }) -%}
    {{- return(fairsql.changed(inner, {
        'derivation': ['counterfactual_pairs', {
            'group_by': test.group_by, 'role': test.role, 'dimension': test.dimension, 'output_column': test.output_column,
            'phrases': test.refusal_phrases, 'min_group_size': 1 if test.allow_small_samples else test.min_group_size,
        }],
    })) -}}
{% endmacro %}


{# Means over judged pairs, held to limits. The measurements keep their own names. #}
{% macro checked_pairwise(place, test, given, thresholds) %}
    {%- do fairsql.check_pairs(place, test) -%}
    {%- if thresholds and (thresholds is string or thresholds is mapping or thresholds is not iterable) -%}
        {%- do fairsql.refuse(place, 'thresholds', 'must be a list, but is ' ~ thresholds) -%}
    {%- endif -%}
    {%- set limits = [] -%}
    {%- for threshold in thresholds or [] -%}{%- do limits.append(threshold) -%}{%- endfor -%}
    {%- for field, measurement, operator in [
        ['min_equivalence_rate', 'equivalence_rate', '>='], ['max_divergence_rate', 'divergence_rate', '<='], ['max_mean_divergence', 'mean_divergence', '<=']
    ] if test[field] is not none -%}
        {%- do limits.append({'measurement': measurement, 'operator': operator, 'value': test[field]}) -%}
    {%- endfor -%}
    {%- if not limits -%}
        {%- do fairsql.refuse(place, 'thresholds', 'is required, or one of min_equivalence_rate, max_divergence_rate, max_mean_divergence') -%}
    {%- endif -%}
    {%- set limits = fairsql.checked_thresholds(place, limits, test) -%}
    {%- set judge = fairsql.pairwise_judge(place, test.judges) -%}
    {%- set pairing = fairsql.pairing_of(place, test, given, judge) -%}
    {%- set inner_of = {
        'mean_divergence': ['mean', 'value_column', 'divergence'],
        'equivalence_rate': ['mean_tokens', 'tokens_column', 'equivalent'],
        'divergence_rate': ['mean_latency', 'latency_column', 'divergent'],
    } -%}
    {%- set inner_limits = [] -%}
    {%- set columns = {} -%}
    {%- set own_names = {} -%}
    {%- for limit in limits -%}
        {%- set name, argument, column = inner_of[limit.measurement] -%}
        {%- do inner_limits.append(fairsql.changed(limit, {'measurement': name})) -%}
        {%- do columns.update({argument: column}) -%}
        {%- do own_names.update({name: limit.measurement}) -%}
    {%- endfor -%}
    {%- set inner = fairsql.inner_test('metric_threshold', fairsql.changed(test, {'thresholds': inner_limits}), {}, columns) -%}
    {%- for part in inner.parts -%}{%- do part.update({'name': own_names[part.name]}) -%}{%- endfor -%}
    {{- return(fairsql.changed(inner, {
        'parity_metric': inner.parts | map(attribute='name') | join(', '),
        'thresholds': limits,
        'judges': [],
        'derivation': ['judged_pairs', pairing, fairsql.judges_of(place, [judge])[0], test.equivalent_up_to],
    })) -}}
{% endmacro %}


{# The one judge, of pairs. #}
{% macro pairwise_judge(place, judges) %}
    {%- do fairsql.judges_of(place, judges) -%}
    {%- set judge = judges[0] if judges | length == 1 else {} -%}
    {%- if judges | length != 1 or not ((judge.pairing is defined and judge.pairing is mapping) or judge.judge[:9] == 'pairwise_') -%}
        {%- do fairsql.refuse(place, 'judges', 'must name one judge, of pairs: its pairing says so, or its template') -%}
    {%- endif -%}
    {%- for column in ['input_column', 'output_column'] if judge[column] is not defined or judge[column] is none -%}
        {%- do fairsql.refuse(place, 'judges', 'name ' ~ judge.name ~ ', which needs ' ~ column) -%}
    {%- endfor -%}
    {{- return(judge) -}}
{% endmacro %}


{# How pairs are formed: as the judge's pairing says, but for what the test is given. #}
{% macro pairing_of(place, test, given, judge) %}
    {%- set pairing = {'mode': 'group', 'group_by': 'group_id', 'role': 'role', 'dimension': none, 'reference_role': 'reference', 'poles': none} -%}
    {%- for source in [judge.pairing if judge.pairing is defined and judge.pairing is mapping else {}, given] -%}
        {%- for field in ['mode', 'group_by', 'role', 'dimension', 'reference_role', 'poles'] if field in source and source[field] is not none -%}
            {%- do pairing.update({field: source[field]}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if pairing.mode == 'contrastive' -%}
        {%- do fairsql.refuse(place, 'poles', 'is required by mode contrastive') if pairing.poles is none -%}
        {%- do fairsql.check_texts(place, 'poles', pairing.poles) -%}
        {%- do fairsql.refuse(place, 'poles', 'must be two different roles') if pairing.poles | length != 2 or pairing.poles[0] == pairing.poles[1] -%}
        {%- do fairsql.refuse(place, 'reference_role', 'is not used by mode contrastive') if given.reference_role is not none -%}
    {%- else -%}
        {%- do fairsql.refuse(place, 'poles', 'is not used by mode group') if given.poles is not none -%}
    {%- endif -%}
    {%- do pairing.update({'input_column': judge.input_column, 'output_column': judge.output_column}) -%}
    {{- return(pairing) -}}
{% endmacro %}


{# What is about rows has no place in a test of pairs. #}
{% macro check_pairs(place, test) %}
    {%- for parameter in ['filters', 'weight_column', 'timestamp_column', 'evaluation_window'] if test[parameter] -%}
        {%- do fairsql.refuse(place, parameter, 'is not available for pairs; filter answers by where') -%}
    {%- endfor -%}
{% endmacro %}


{# A list of texts alone. #}
{% macro check_texts(place, parameter, values) %}
    {%- for value in values if value is not string -%}
        {%- do fairsql.refuse(place, parameter, 'holds ' ~ value ~ ', which is no text') -%}
    {%- endfor -%}
{% endmacro %}


{# The checked test of another type, with what the two have in common taken over. `names` maps a measurement -> that of the
   other type; what is shown of it keeps its own. #}
{% macro inner_test(type, test, names, own) %}
    {%- set given = {} -%}
    {%- for parameter in fairsql.catalogue().types[type].parameters -%}
        {%- set is_shared = parameter in test and parameter in fairsql.shared_arguments() -%}
        {%- set is_absent = parameter == 'filters' and not test.filters or parameter == 'delay_window' and test.timestamp_column is none -%}
        {%- do given.update({parameter: test[parameter] if is_shared and not is_absent else none}) -%}
    {%- endfor -%}
    {%- do given.update(own) -%}
    {%- set limits = [] -%}
    {%- for limit in test.thresholds -%}
        {%- do limits.append(fairsql.changed(limit, {'measurement': names.get(limit.measurement, limit.measurement)})) -%}
    {%- endfor -%}
    {%- set inner = fairsql.checked_test(given, limits, none, type) -%}
    {%- for limit in inner.thresholds -%}{%- do limit.update({'label': test.thresholds[loop.index0].measurement}) -%}{%- endfor -%}
    {{- return(fairsql.changed(inner, {'name': test.name})) -}}
{% endmacro %}

{% macro shared_arguments() %}
    {{- return([
        'protected_attribute_columns', 'alpha', 'max_difference', 'min_group_size', 'min_group_share', 'missing_attribute_values',
        'min_reported_rows', 'filters', 'weight_column', 'timestamp_column', 'evaluation_window', 'delay_window'
    ]) -}}
{% endmacro %}


{# The rows that a derived test asks about, for a FROM clause. #}
{% macro derived_relation(derivation, relation) %}
    {%- set sql = '' -%}
    {%- if derivation[0] == 'with_flags' -%}
        {%- set sql = fairsql.with_flags(relation, derivation[1], derivation[2]) -%}
    {%- elif derivation[0] == 'counterfactual_pairs' -%}
        {%- set sql = fairsql.counterfactual_pairs(relation, derivation[1]) -%}
    {%- else -%}
        {%- set sql = fairsql.judged_pairs(relation, derivation[1], derivation[2], derivation[3]) -%}
    {%- endif -%}
    {{- return('(\n' ~ sql ~ '\n) as relation') -}}
{% endmacro %}
