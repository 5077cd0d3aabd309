"""From the output of a dbt profile to a connection: one file for each type that fairsql reads.

Each maps the settings that the dbt adapter documents; drivers are loaded when one connects.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from fairsql.dbt.outputs import bigquery, databricks, duckdb, postgres, snowflake, spark
from fairsql.warehouses import NO_LIMITS, Limits, Warehouse


class Output(Protocol):
    """What a module here offers. ``settings`` are an output's, rendered; they may hold secrets."""

    def connect(
        self, settings: Mapping[str, Any], place: str, root: Path, limits: Limits = NO_LIMITS
    ) -> Warehouse:
        """Connect, for reading alone.

        Parameters
        ----------
        settings
            The output, rendered.
        place
            What messages call it.
        root
            The project's folder, from which paths start.
        limits
            What a statement may cost.

        Raises
        ------
        ConfigurationError
            When the settings are not enough, or name what fairsql cannot honour.
        WarehouseError
            When there is no connection.
        """

    def database_and_schema(self, settings: Mapping[str, Any]) -> tuple[str, str]:
        """Return the database that dbt names relations by, and the schema it builds in."""


OUTPUTS: Mapping[str, Output] = {
    "bigquery": bigquery,
    "databricks": databricks,
    "duckdb": duckdb,
    "postgres": postgres,
    "snowflake": snowflake,
    "spark": spark,
}
"""By the ``type`` of an output."""
