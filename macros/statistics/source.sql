{# The one read of the relation: raw attributes, and the metric inputs as numbers or as 1, 0, null. #}
{% macro source_rows(scan) %}
    {%- set columns = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- do columns.append(fairsql.attribute_column(attribute) ~ ' as attribute_' ~ loop.index) -%}
    {%- endfor -%}
    {%- for input in scan.inputs -%}
        {%- set column = fairsql.read_column(input.column, input.kind) -%}
        {%- if input.role == 'label' -%}
            {%- set branches = ['when ' ~ fairsql.matches(column, input.kind, input.positive_texts) ~ ' then 1'] -%}
            {%- if input.negative_texts -%}
                {%- do branches.append('when ' ~ fairsql.matches(column, input.kind, input.negative_texts) ~ ' then 0') -%}
            {%- elif input.negative_texts is none -%}
                {%- do branches.append('when ' ~ (fairsql.is_present(column, input.kind) if fairsql.may_be_nan(input.kind) else column ~ ' is not null') ~ ' then 0') -%}
            {%- endif -%}
            {%- do columns.append(fairsql.case_of(branches) ~ ' as input_' ~ loop.index) -%}
            {%- do columns.append(column ~ ' as label_' ~ loop.index) -%}
        {%- elif input.role == 'score' -%}
            {%- set score = fairsql.number(column, input.kind) -%}
            {%- do columns.append(
                fairsql.case_of([
                    'when ' ~ score ~ ' >= ' ~ fairsql.double(input.threshold) ~ ' then 1',
                    'when ' ~ score ~ ' is not null then 0',
                ]) ~ ' as input_' ~ loop.index
            ) -%}
        {%- elif input.role == 'class' -%}
            {%- do columns.append(fairsql.column_key(input) ~ ' as input_' ~ loop.index) -%}
        {%- elif input.role == 'missing' -%}
            {%- do columns.append('case when ' ~ fairsql.is_present(column, input.kind) ~ ' then 0 else 1 end as input_' ~ loop.index) -%}
        {%- elif input.role == 'any' -%}
            {%- do columns.append(fairsql.present_value(column, input.kind) ~ ' as input_' ~ loop.index) -%}
        {%- elif input.role in ['text', 'embedding'] -%}
            {%- do columns.append(fairsql.text_input(column, input) ~ ' as input_' ~ loop.index) -%}
        {%- else -%}
            {%- set number = fairsql.number(column, input.kind) -%}
            {%- do columns.append(('nullif(' ~ number ~ ', 0)' if input.role == 'nonzero' else number) ~ ' as input_' ~ loop.index) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do columns.append(fairsql.window_number(scan.windows) ~ ' as window_number') if fairsql.has_windows(scan) -%}
    -- The rows of the relation: attributes as they are, metric inputs as numbers, labels as 1 (positive) or 0.
    select
        {{ columns | join(',\n        ') }}
    from {{ scan.relation }}
    {%- if scan.where %}
    where (
        {{ scan.where }}
    )
    {%- endif %}
{%- endmacro %}


{# Row-level quantities, one or two a measure; null where an input is missing or beyond all squares. #}
{% macro measured(scan) %}
    {%- set columns = [] -%}
    {%- for measure in scan.measures -%}
        {%- set number = loop.index -%}
        {%- for expression in fairsql.quantities(measure, scan.inputs) -%}
            {%- set quantity = fairsql.weighed(measure, expression) if measure.weight else expression -%}
            {%- do columns.append(quantity ~ ' as ' ~ ('quantity_' if loop.first else 'truth_') ~ number) -%}
        {%- endfor -%}
        {%- do columns.append(fairsql.row_weight(measure) ~ ' as weight_' ~ number) if measure.weight -%}
    {%- endfor -%}
    {%- if columns -%}
    -- The same rows, with what each measure aggregates: null where an input is missing.
    select
        *,
        {{ columns | join(',\n        ') }}
    from {{ fairsql.source_of_texts(scan) }}
    {%- else -%}
    -- The same rows: nothing but rows and values are counted.
    select *
    from source
    {%- endif %}
{%- endmacro %}


{# A value of any type, null where it is missing: as it is, or as text where it may be NaN. #}
{% macro present_value(column, kind) %}
    {{- return(fairsql.value_text(column, kind) if fairsql.may_be_nan(kind) else column) -}}
{% endmacro %}


{# True for a kind of column that can hold NaN. #}
{% macro may_be_nan(kind) %}{{ return(kind in ['float', 'decimal', none]) }}{% endmacro %}


{# What a measure aggregates, from the inputs it names. #}
{% macro quantities(measure, inputs) %}
    {%- set first = 'input_' ~ measure.inputs[0] if measure.inputs else none -%}
    {%- set second = 'input_' ~ measure.inputs[1] if measure.inputs | length > 1 else none -%}
    {%- set quantity = measure.quantity -%}
    {%- if quantity in ['row', 'text'] -%}
        {{- return([]) -}}
    {%- elif inputs[measure.inputs[0] - 1].role in ['text', 'embedding'] -%}
        {{- return([fairsql.text_quantity(measure)]) -}}
    {%- elif quantity == 'positive' -%}
        {{- return([first]) -}}
    {%- elif quantity == 'cell' -%}
        {{- return(['-- 3 true positive, 2 false positive, 1 false negative, 0 true negative\n        2 * ' ~ first ~ ' + ' ~ second]) -}}
    {%- elif quantity == 'agreement' -%}
        {{- return(['case when ' ~ first ~ ' = ' ~ second ~ ' then 1 when ' ~ first ~ ' is not null and ' ~ second ~ ' is not null then 0 end']) -}}
    {%- elif quantity == 'concordance' -%}
        {{- return(['case when ' ~ first ~ ' is not null then ' ~ second ~ ' end']) -}}
    {%- elif quantity == 'value' -%}
        {%- set is_squarable = not measure.squared or inputs[measure.inputs[0] - 1].kind == 'integer' -%}
        {{- return([first if is_squarable else fairsql.squarable(first, 'abs(' ~ first ~ ')')]) -}}
    {%- elif quantity == 'log_loss' -%}
        {#- 1e-15 at least, so that the loss is finite; subtracted from 0, so that certainty costs 0 and not -0. -#}
        {{- return([
            'case\n            when ' ~ first ~ ' between 0 and 1 and ' ~ second ~ ' is not null'
            ~ '\n                then 0e0 - ln(greatest(case when ' ~ second ~ ' = 1 then ' ~ first ~ ' else 1e0 - ' ~ first ~ ' end, 1e-15))'
            ~ '\n        end'
        ]) -}}
    {%- endif -%}
    {%- set difference = '(' ~ first ~ ' - ' ~ second ~ ')' -%}
    {%- if quantity == 'relative_error' -%}
        {{- return([fairsql.squarable('abs' ~ difference ~ ' / abs(' ~ second ~ ')')]) -}}
    {%- endif -%}
    {%- if quantity == 'absolute_error' -%}
        {{- return([fairsql.squarable('abs' ~ difference)]) -}}
    {%- endif -%}
    {%- if quantity == 'squared_probability_error' -%}
        {{- return(['case when ' ~ first ~ ' between 0 and 1 then ' ~ difference ~ ' * ' ~ difference ~ ' end']) -}}
    {%- endif -%}
    {%- set square = fairsql.squarable(difference ~ ' * ' ~ difference) -%}
    {%- if quantity == 'determination' -%}
        {%- set has_both = first ~ ' is not null and ' -%}
        {{- return([square, 'case when ' ~ has_both ~ 'abs(' ~ second ~ ') <= ' ~ fairsql.extreme('1e150') ~ ' then ' ~ second ~ ' end']) -}}
    {%- endif -%}
    {{- return([square]) -}}
{% endmacro %}


{# A number whose square a double can hold; null otherwise, infinity included. Below 0 it needs its magnitude too. #}
{% macro squarable(expression, magnitude=none) %}
    {{- return('case when ' ~ (magnitude or expression) ~ ' <= ' ~ fairsql.extreme('1e150') ~ ' then ' ~ expression ~ ' end') -}}
{% endmacro %}
