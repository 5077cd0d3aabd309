"""The dbt package, run by dbt itself."""
