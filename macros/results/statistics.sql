{# The statistics of many tests over one relation, in one scan, as a relation: a row a test and group, and one a test for
   the whole. Each of `tests` is a mapping of `name`, `type` (where
   it is not group_metric_parity) and the arguments of a dbt test, but for `filters` and `judges`, of
   which there is one list each for all; tests and results then read this relation with `statistics_of: <name>` instead of the table. All look at the same window of time, or at none. #}
{% macro statistics(relation, tests, filters=none, as_of=none, judges=none) %}
    {{- return(adapter.dispatch('fairsql_statistics', 'fairsql')(relation, tests, filters, as_of, judges)) -}}
{% endmacro %}


{% macro default__fairsql_statistics(relation, tests, filters=none, as_of=none, judges=none) %}
    {%- do fairsql.check_filters('fairsql.statistics', filters) if filters is not none -%}
    {%- set attributes = [] -%}
    {%- set inputs = [] -%}
    {%- set measures = [] -%}
    {%- set cuts = [] -%}
    {%- set names = [] -%}
    {%- set names_of_cuts = [] -%}
    {%- set windows = [] -%}
    {%- for arguments in tests -%}
        {%- set test = fairsql.seen_from(fairsql.checked_test_of(arguments, names, judges), as_of) -%}
        {%- if fairsql.number_in(windows, test.window) > 1 -%}
            {%- do exceptions.raise_compiler_error('fairsql.statistics: ' ~ test.name ~ ' looks at another window of time than ' ~ names[0] ~ '; put it into a model of its own.') -%}
        {%- endif -%}
        {%- do names.append(test.name) -%}
        {%- set alone = fairsql.scan_of(test, relation) -%}
        {%- set attribute_numbers = [] -%}
        {%- for attribute in alone.attributes -%}
            {%- do attribute_numbers.append(fairsql.number_in(attributes, attribute)) -%}
        {%- endfor -%}
        {%- set input_numbers = [] -%}
        {%- for input in alone.inputs -%}
            {%- do input_numbers.append(fairsql.number_in(inputs, input)) -%}
        {%- endfor -%}
        {%- for cut in alone.cuts -%}
            {%- set own = alone.measures[cut.measure - 1] -%}
            {%- set own_inputs = [] -%}
            {%- for number in own.inputs -%}{%- do own_inputs.append(input_numbers[number - 1]) -%}{%- endfor -%}
            {%- set measure = fairsql.changed(own, {
                'inputs': own_inputs,
                'label': none if own.label is none else input_numbers[own.label - 1],
                'weight': none if own.weight is none else input_numbers[own.weight - 1],
            }) -%}
            {%- set cut_attributes = [] -%}
            {%- for number in cut.attributes -%}{%- do cut_attributes.append(attribute_numbers[number - 1]) -%}{%- endfor -%}
            {%- do cuts.append(fairsql.changed(cut, {
                'measure': fairsql.number_in(measures, measure),
                'attributes': cut_attributes,
            })) -%}
            {%- do names_of_cuts.append(test.name) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- set scan = {
        'relation': fairsql.relation_of({'judges': judges or [], 'derivation': none}, relation), 'where': fairsql.windowed(fairsql.filtered({'filters': filters or []}), windows[0] if windows else none), 'header': [], 'attributes': attributes, 'inputs': inputs, 'measures': measures, 'cuts': cuts
    } -%}
    {%- set name_literals = [] -%}
    {%- for name in names_of_cuts -%}{%- do name_literals.append(fairsql.literal(name)) -%}{%- endfor -%}
    {{- return(fairsql.statement(
        [],
        fairsql.statistics_ctes(scan),
        'select ' ~ fairsql.by_cut(name_literals) ~ ' as test_name, statistics.*\nfrom statistics'
    )) -}}
{% endmacro %}


{# One of `tests`, checked; its name must be its own. #}
{% macro checked_test_of(arguments, names, judges=none) %}
    {%- set type = arguments.type if 'type' in arguments else 'group_metric_parity' -%}
    {%- set types = fairsql.catalogue().types -%}
    {%- if fairsql.is_derived(type) -%}
        {%- do exceptions.raise_compiler_error('fairsql.statistics: ' ~ type ~ ' counts other rows than those of the relation, and takes a scan of its own.') -%}
    {%- endif -%}
    {%- if type not in types -%}
        {%- do exceptions.raise_compiler_error('fairsql.statistics: type must be one of ' ~ types | join(', ') ~ ', but is ' ~ type ~ '.') -%}
    {%- endif -%}
    {%- set parameters = types[type].parameters -%}
    {%- set given = {} -%}
    {%- for parameter in parameters -%}
        {%- do given.update({parameter: arguments[parameter] if parameter in arguments else none}) -%}
    {%- endfor -%}
    {%- for argument in arguments if (argument not in parameters or argument in ['filters', 'judges']) and argument not in ['name', 'type', 'thresholds'] -%}
        {%- do exceptions.raise_compiler_error('fairsql.statistics: a test has no argument ' ~ argument ~ '.') -%}
    {%- endfor -%}
    {%- do given.update({'judges': judges}) if 'judges' in parameters -%}
    {%- if 'name' not in arguments or arguments.name in names -%}
        {%- do exceptions.raise_compiler_error('fairsql.statistics: each test needs a name of its own.') -%}
    {%- endif -%}
    {{- return(fairsql.checked_test(given, arguments['thresholds'] if 'thresholds' in arguments else none, arguments.name, type)) -}}
{% endmacro %}


{# The item's number in the list, from 1; the list grows when it is new. #}
{% macro number_in(items, item) %}
    {%- for known in items -%}
        {%- if known == item -%}{{- return(loop.index) -}}{%- endif -%}
    {%- endfor -%}
    {%- do items.append(item) -%}
    {{- return(items | length) -}}
{% endmacro %}


{# A copy of a mapping with other values. #}
{% macro changed(mapping, changes) %}
    {%- set copy = {} -%}
    {%- do copy.update(mapping) -%}
    {%- do copy.update(changes) -%}
    {{- return(copy) -}}
{% endmacro %}
