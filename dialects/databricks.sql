{# Databricks: as Spark. #}


{# With failOnError => false, a struct of the reply and of the message of an error; of what names its fields have had, those that
   are there: https://docs.databricks.com/aws/en/sql/language-manual/functions/ai_query #}
{% macro databricks__fairsql_ai_reply(judge, prompt) %}
    {%- set schema = {'type': 'json_schema', 'json_schema': {'name': 'judgement', 'schema': fairsql.reply_schema(judge), 'strict': true}} -%}
    {%- set parameters = [] -%}
    {%- for name, value in judge.parameters.items() -%}
        {%- do parameters.append(fairsql.literal(name)) -%}
        {%- do parameters.append(fairsql.nested(value, true)) -%}
    {%- endfor -%}
    {{- return(
        'to_json(ai_query(\n            ' ~ fairsql.literal(judge.model) ~ ',\n            ' ~ prompt ~ ',\n            responseFormat => ' ~ fairsql.literal(fairsql.nested(schema))
        ~ ',\n            modelParameters => named_struct(' ~ parameters | join(', ') ~ '),\n            failOnError => false\n        ))'
    ) -}}
{% endmacro %}


{% macro databricks__fairsql_ai_error(reply) %}
    {{- return('coalesce(get_json_object(' ~ reply ~ ", '$.errorMessage'), get_json_object(" ~ reply ~ ", '$.errorStatus'))") -}}
{% endmacro %}


{% macro databricks__fairsql_ai_value(reply) %}
    {{- return('coalesce(get_json_object(' ~ reply ~ ", '$.response'), get_json_object(" ~ reply ~ ", '$.result'))") -}}
{% endmacro %}
