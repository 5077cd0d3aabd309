{# PostgreSQL. #}

{# The planner pulls a stage up into the next unless it has an OFFSET. #}
{% macro postgres__fairsql_fence() %}{{ return('offset 0') }}{% endmacro %}
