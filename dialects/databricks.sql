{# Databricks: as Spark. #}
