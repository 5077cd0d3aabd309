{# What each type of test asks: metrics over the same groups. Every type comes down to the words of group_metric_parity. #}


{# The metrics of a test, and its values in those words; `parts` holds what it measures, one after the other: the metric, its
   name in the rows, whether higher is better, and the argument that names the column of each input. `questions` holds what
   it asks of the rows: the same, but where classes are put together. #}
{% macro lowered(place, test) %}
    {%- set catalogue = fairsql.catalogue() -%}
    {%- set cuts_scores = test.decision_threshold is defined and test.decision_threshold is not none -%}
    {%- set parts = [] -%}
    {%- for name in fairsql.metric_names(place, test) -%}
        {%- set measured = fairsql.measured_by(place, test, name) if fairsql.limits_metrics(test) else none -%}
        {%- set metric = catalogue.metrics[measured.metric if measured else name] -%}
        {%- if test.weight_column is not none -%}
            {%- if test.stratify_by_columns or fairsql.is_by_class(test) or (measured and measured.combination != 'alone') -%}
                {%- do fairsql.refuse(place, 'weight_column', 'is not available for ' ~ name ~ ' where classes or strata are put together') -%}
            {%- elif measured and measured.counts_rows -%}
                {%- do fairsql.refuse(place, 'weight_column', 'is not available for ' ~ name ~ ', which counts rows') -%}
            {%- elif not metric.is_weightable -%}
                {%- do fairsql.refuse(place, 'weight_column', 'is not available for ' ~ name ~ ', which has no weighted form') -%}
            {%- endif -%}
            {%- set metric = fairsql.weighted_metric(metric) -%}
        {%- endif -%}
        {%- set metric = fairsql.binned_metric(metric) if metric.method_field is not none and test[metric.method_field] == metric.approximate_method else metric -%}
        {%- set columns = {} -%}
        {%- for role in metric.inputs -%}{%- do columns.update({role: role}) -%}{%- endfor -%}
        {%- if measured -%}
            {%- set columns = measured.columns -%}
        {%- elif test.type == 'group_outcome_disparity' -%}
            {%- do columns.update({'value_column': 'outcome_column'}) -%}
        {%- elif test.type == 'group_score_disparity' -%}
            {%- do columns.update({'value_column': 'score_column'}) -%}
        {%- elif cuts_scores -%}
            {%- do columns.update({'prediction_column': 'score_column'}) -%}
        {%- endif -%}
        {%- set is_averaged = test.average or (measured and measured.combination in ['macro', 'least', 'pairs']) -%}
        {%- do parts.append({
            'name': name,
            'metric': fairsql.averaged_metric(metric) if is_averaged else metric,
            'of_class': metric,
            'combination': measured.combination if measured else 'alone',
            'class_column': none,
            'columns': columns,
            'is_judged': measured.is_judged if measured else false,
            'higher_is_better': true if test.type == 'group_outcome_disparity'
            else test.higher_is_better if metric.direction is none else metric.direction == 'higher',
        }) -%}
    {%- endfor -%}
    {%- set words = {
        'parity_metric': parts | map(attribute='name') | join(', '),
        'parts': parts,
        'questions': fairsql.questions_of(test, parts),
        'metric': parts[0].metric,
        'higher_is_better': parts[0].higher_is_better,
        'strata': test.stratify_by_columns,
        'cuts_scores': cuts_scores,
    } -%}
    {#- The columns of judges are found under their own names. -#}
    {%- for part in parts if part.is_judged -%}
        {%- for column in part.columns.values() -%}{%- do words.update({column: column}) -%}{%- endfor -%}
    {%- endfor -%}
    {%- do words.update({'positive_values': test.favorable_values}) if test.type == 'group_outcome_disparity' -%}
    {{- return(words) -}}
{% endmacro %}


{# The test as it would be with one of its parts alone, whose columns stand under the inputs' own names. #}
{% macro alone(test, part) %}
    {%- set changes = {'parts': [part], 'metric': part.metric, 'parity_metric': part.name} -%}
    {%- for role, argument in part.columns.items() -%}{%- do changes.update({role: test[argument]}) -%}{%- endfor -%}
    {%- do changes.update(part.changes) if part.changes is defined -%}
    {{- return(fairsql.changed(test, changes)) -}}
{% endmacro %}


{# What a type has no argument for, as the SQL then reads it. #}
{% macro unasked() %}
    {{- return({
        'protected_attribute_columns': [], 'comparison': none, 'reference_strategy': none, 'reference_value': none, 'min_ratio': none,
        'max_difference': none, 'significance_test': 'none', 'p_value_adjustment': 'none', 'require_significance': false,
        'min_group_size': 1, 'min_group_share': 0, 'missing_attribute_values': [], 'min_reported_rows': 1,
        'higher_is_better': none, 'positive_values': none, 'negative_texts': none, 'stratify_by_columns': [], 'per_class': false,
        'average': none, 'class_score_columns': none, 'weight_column': none, 'judges': [], 'derivation': none, 'auc_method': 'exact', 'quantile_method': 'exact'
    }) -}}
{% endmacro %}


{# True where the measurements are metrics over all rows. #}
{% macro limits_metrics(test) %}{{ return(test.type in ['metric_threshold', 'llm_bias']) }}{% endmacro %}


{# The metrics that a test asks for, criteria resolved, each once. #}
{% macro metric_names(place, test) %}
    {%- if test.type == 'group_outcome_disparity' -%}
        {{- return(['rate']) -}}
    {%- elif test.type in ['group_score_disparity', 'group_column_statistic'] -%}
        {{- return([test.statistic]) -}}
    {%- elif fairsql.limits_metrics(test) -%}
        {{- return(fairsql.measured_metrics(test.thresholds)) -}}
    {%- elif test.type == 'group_metric_parity' -%}
        {{- return([test.parity_metric]) -}}
    {%- endif -%}
    {%- set names = [] -%}
    {%- for choice in test.performance_metrics -%}
        {%- for name in fairsql.catalogue().criteria.get(choice, [choice]) if name not in names -%}
            {%- do names.append(name) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# The measurements of thresholds, each once. #}
{% macro measured_metrics(thresholds) %}
    {%- set names = [] -%}
    {%- for threshold in thresholds if threshold.measurement not in names -%}
        {%- do names.append(threshold.measurement) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# The measurements of a test: those of its type, and of each metric and criterion that it names or that a threshold, as it
   was given, limits. #}
{% macro measurements_of(test, thresholds) %}
    {%- set names = [] -%}
    {%- for name in fairsql.catalogue().types[test.type].measurements if test.stratify_by_columns or name[:15] != 'mantel_haenszel' -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {%- if test.type == 'group_performance_parity' -%}
        {%- set computed = fairsql.metric_names('', test) -%}
        {%- set limited = [] -%}
        {%- for threshold in thresholds or [] if threshold is mapping and threshold.measurement is string -%}
            {%- do limited.append(fairsql.snake_case(threshold.measurement)) -%}
        {%- endfor -%}
        {%- set implied = [] -%}
        {%- for name, metrics in fairsql.catalogue().criteria.items() if metrics | reject('in', computed) | list | length == 0 -%}
            {%- do implied.append(name) if name ~ '_difference' in limited or name ~ '_ratio' in limited -%}
        {%- endfor -%}
        {%- for name in computed + test.performance_metrics | list + implied -%}
            {%- for end in ['_difference', '_ratio'] if name ~ end not in names -%}
                {%- do names.append(name ~ end) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(names) -}}
{% endmacro %}


{# The rules that join several arguments of a type. #}
{% macro check_arguments_of_type(place, test, given) %}
    {%- do fairsql.check_methods(place, test, given) -%}
    {%- if test.type == 'group_metric_parity' -%}
        {%- do fairsql.check_metric_arguments(place, test, given) -%}
    {%- elif test.type == 'group_score_disparity' and test.statistic == 'standardized_mean_difference' -%}
        {%- if test.max_difference is none -%}
            {%- do fairsql.refuse(place, 'max_difference', 'is required by statistic standardized_mean_difference') -%}
        {%- elif test.comparison != 'reference' -%}
            {%- do fairsql.refuse(place, 'comparison', 'must be reference with statistic standardized_mean_difference') -%}
        {%- endif -%}
        {%- for threshold in test.thresholds if threshold.measurement in ['min_metric_ratio', 'worst_group_value'] -%}
            {%- do fairsql.refuse(
                place, 'thresholds', 'cannot limit ' ~ threshold.measurement ~ ', because statistic standardized_mean_difference has neither ratios nor values of groups'
            ) -%}
        {%- endfor -%}
    {%- elif test.type == 'group_performance_parity' -%}
        {%- do fairsql.check_performance(place, test, given) -%}
    {%- elif test.type == 'group_column_statistic' -%}
        {%- do fairsql.check_inputs(place, test, given, ['value_column'], 'statistic ' ~ test.statistic) -%}
    {%- elif test.type == 'metric_threshold' -%}
        {%- for name, column in (test.class_score_columns or {}).items() if column | lower == test.ground_truth_column | lower -%}
            {%- do fairsql.refuse(place, 'class_score_columns', 'has ground_truth_column ' ~ column ~ ' for class ' ~ name) -%}
        {%- endfor -%}
        {%- do fairsql.check_inputs(
            place, test, given,
            fairsql.catalogue().types.metric_threshold.parameters.keys() | reject('in', [
                'alpha', 'weight_column', 'auc_method', 'quantile_method', 'filters', 'judges', 'timestamp_column', 'evaluation_window', 'delay_window'
            ]) | list,
            'the thresholds on ' ~ test.parity_metric
        ) -%}
    {%- endif -%}
    {%- set proportions = [] -%}
    {%- for part in test.parts if part.metric.part -%}{%- do proportions.append(part.name) -%}{%- endfor -%}
    {%- if proportions | length == test.parts | length and test.max_difference is not none and test.max_difference > 1 -%}
        {%- do fairsql.refuse(place, 'max_difference', 'must be at most 1, because ' ~ test.parity_metric ~ ' is a proportion, but is ' ~ test.max_difference) -%}
    {%- endif -%}
{% endmacro %}


{# A method of a metric that the test has, and that can be computed so here. #}
{% macro check_methods(place, test, given) %}
    {%- for field in ['auc_method', 'quantile_method'] if field in given and given[field] is not none -%}
        {%- if field not in test.parts | map(attribute='metric') | map(attribute='method_field') | list -%}
            {%- do fairsql.refuse(place, field, 'is not used by ' ~ test.parity_metric) -%}
        {%- elif given[field] != 'exact' and test.weight_column is not none -%}
            {%- do fairsql.refuse(place, field, 'cannot be ' ~ given[field] ~ ' with a weight_column') -%}
        {%- elif given[field] == 'binned' and test.class_score_columns is not none -%}
            {%- do fairsql.refuse(place, field, 'cannot be binned with class_score_columns') -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# Predictions, or scores that are cut into them; a direction for the metrics that have none of their own. #}
{% macro check_performance(place, test, given) %}
    {%- set by_class = 'per_class' if test.per_class else 'average' if test.average else none -%}
    {%- if test.per_class and test.average -%}
        {%- do fairsql.refuse(place, 'average', 'is not used beside per_class') -%}
    {%- elif by_class -%}
        {%- for parameter in ['positive_values', 'score_column', 'decision_threshold'] if given[parameter] is not none -%}
            {%- do fairsql.refuse(place, parameter, 'is not used beside ' ~ by_class) -%}
        {%- endfor -%}
        {%- do fairsql.refuse(place, 'comparison', 'overall is not available with ' ~ by_class) if test.comparison == 'overall' -%}
    {%- elif given.positive_values is none -%}
        {%- do fairsql.refuse(place, 'positive_values', 'is required, or per_class: true, or average: macro') -%}
    {%- endif -%}
    {%- if given.prediction_column is not none -%}
        {%- for parameter in ['score_column', 'decision_threshold'] if given[parameter] is not none -%}
            {%- do fairsql.refuse(place, parameter, 'is not used beside prediction_column') -%}
        {%- endfor -%}
    {%- else -%}
        {%- for parameter in ['score_column', 'decision_threshold'] if given[parameter] is none -%}
            {%- do fairsql.refuse(place, parameter, 'is required where there is no prediction_column') -%}
        {%- endfor -%}
    {%- endif -%}
    {%- for name in test.performance_metrics if test.performance_metrics.count(name) > 1 -%}
        {%- do fairsql.refuse(place, 'performance_metrics', 'names ' ~ name ~ ' twice') -%}
    {%- endfor -%}
    {%- set undirected = [] -%}
    {%- for part in test.parts if part.metric.direction is none -%}{%- do undirected.append(part.name) -%}{%- endfor -%}
    {%- if undirected and given.higher_is_better is none -%}
        {%- do fairsql.refuse(place, 'higher_is_better', 'is required by ' ~ undirected[0]) -%}
    {%- elif given.higher_is_better is not none and not undirected -%}
        {%- do fairsql.refuse(place, 'higher_is_better', 'is not used by ' ~ test.parity_metric) -%}
    {%- endif -%}
{% endmacro %}


{# The inputs that the metrics of a test read, and no others. #}
{% macro check_inputs(place, test, given, parameters, asker) %}
    {%- set needed = [] -%}
    {%- for part in test.parts -%}
        {%- do needed.extend(part.columns.values()) -%}
        {%- do needed.append('class_score_columns') if part.combination in ['pairs', 'losses'] -%}
        {%- do needed.append('positive_values') if part.metric.label_input is not none and part.combination == 'alone' -%}
    {%- endfor -%}
    {%- for parameter in parameters -%}
        {%- if parameter in needed and given[parameter] is none -%}
            {%- do fairsql.refuse(place, parameter, 'is required by ' ~ asker) -%}
        {%- elif parameter not in needed and given[parameter] is not none -%}
            {%- do fairsql.refuse(place, parameter, 'is not used by ' ~ asker) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# The arguments that a test under a column may leave to it. #}
{% macro column_arguments(type, given) %}
    {%- set metrics = fairsql.catalogue().metrics -%}
    {%- set own = {
        'group_outcome_disparity': ['outcome_column'],
        'group_score_disparity': ['score_column'],
        'group_performance_parity': ['prediction_column' if given.decision_threshold is not defined or given.decision_threshold is none else 'score_column'],
        'group_column_statistic': ['value_column'],
        'refusal_rate_disparity': ['output_column'],
        'toxicity_sentiment_disparity': ['output_column'],
        'stereotype_association_score': ['answer_column'],
        'counterfactual_fairness_divergence': ['output_column'],
    } -%}
    {%- if type in own -%}
        {{- return(own[type]) -}}
    {%- endif -%}
    {%- set names = [given.parity_metric] if type == 'group_metric_parity' else [] -%}
    {%- set arguments = [] -%}
    {%- for name in names if name is string and name in metrics -%}
        {%- for role in metrics[name].inputs if role != 'ground_truth_column' -%}{%- do arguments.append(role) -%}{%- endfor -%}
    {%- endfor -%}
    {{- return(arguments) -}}
{% endmacro %}
