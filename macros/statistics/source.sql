{# The one read of the relation: raw attributes, and the metric inputs as numbers or as 1, 0, null. #}
{% macro source_rows(scan) %}
    {%- set columns = [] -%}
    {%- for attribute in scan.attributes -%}
        {%- do columns.append(fairsql.read_column(attribute.column, attribute.kind) ~ ' as attribute_' ~ loop.index) -%}
    {%- endfor -%}
    {%- for input in scan.inputs -%}
        {%- set column = fairsql.read_column(input.column, input.kind) -%}
        {%- if input.role == 'label' -%}
            {%- set missing = fairsql.value_text(column, input.kind) if input.kind in ['float', none] else column -%}
            {%- do columns.append(
                'case when ' ~ fairsql.matches(column, input.kind, input.positive_texts) ~ ' then 1 when '
                ~ missing ~ ' is not null then 0 end as input_' ~ loop.index
            ) -%}
            {%- do columns.append(column ~ ' as label_' ~ loop.index) -%}
        {%- else -%}
            {%- do columns.append(fairsql.number(column, input.kind) ~ ' as input_' ~ loop.index) -%}
        {%- endif -%}
    {%- endfor -%}
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
            {%- do columns.append(expression ~ ' as ' ~ ('quantity_' if loop.first else 'truth_') ~ number) -%}
        {%- endfor -%}
    {%- endfor -%}
    select
        *
        {%- for column in columns %},
        {{ column }}
        {%- endfor %}
    from source
{%- endmacro %}


{# What a measure aggregates, from the inputs it names. #}
{% macro quantities(measure, inputs) %}
    {%- set first = 'input_' ~ measure.inputs[0] -%}
    {%- set second = 'input_' ~ measure.inputs[1] if measure.inputs | length > 1 else none -%}
    {%- set quantity = measure.quantity -%}
    {%- if quantity == 'positive' -%}
        {{- return([first]) -}}
    {%- elif quantity == 'cell' -%}
        {#- 3 true positive, 2 false positive, 1 false negative, 0 true negative -#}
        {{- return(['2 * ' ~ first ~ ' + ' ~ second]) -}}
    {%- elif quantity == 'concordance' -%}
        {{- return(['case when ' ~ first ~ ' is not null then ' ~ second ~ ' end']) -}}
    {%- elif quantity == 'value' -%}
        {{- return([fairsql.squarable(first) if measure.squared and inputs[measure.inputs[0] - 1].kind != 'integer' else first]) -}}
    {%- elif quantity == 'log_loss' -%}
        {{- return([
            'case when ' ~ first ~ ' < 0 or ' ~ first ~ ' > 1 then null'
            ~ ' when ' ~ second ~ ' = 1 then ' ~ fairsql.log_loss(first)
            ~ ' when ' ~ second ~ ' = 0 then ' ~ fairsql.log_loss('1e0 - ' ~ first) ~ ' end'
        ]) -}}
    {%- endif -%}
    {%- set difference = '(' ~ first ~ ' - ' ~ second ~ ')' -%}
    {%- if quantity == 'absolute_error' -%}
        {{- return([fairsql.squarable('abs' ~ difference)]) -}}
    {%- endif -%}
    {%- set square = fairsql.squarable(difference ~ ' * ' ~ difference) -%}
    {%- if quantity == 'determination' -%}
        {{- return([square, 'case when ' ~ first ~ ' is not null then ' ~ fairsql.squarable(second) ~ ' end']) -}}
    {%- endif -%}
    {{- return([square]) -}}
{% endmacro %}


{# The loss of a probability given to what happened; 1e-15 at least, so that it is finite. #}
{% macro log_loss(probability) %}
    {{- return('0e0 - ln(case when ' ~ probability ~ ' > 1e-15 then ' ~ probability ~ ' when ' ~ probability ~ ' is not null then 1e-15 end)') -}}
{% endmacro %}


{# A number whose square a double can hold; null otherwise, infinity included. #}
{% macro squarable(expression) %}
    {{- return('case when abs(' ~ expression ~ ') <= 1e150 then ' ~ expression ~ ' end') -}}
{% endmacro %}
