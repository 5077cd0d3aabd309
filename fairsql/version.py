"""The one version number; `dbt_project.yml` repeats it and a test compares them."""

__version__ = "0.1.0"
