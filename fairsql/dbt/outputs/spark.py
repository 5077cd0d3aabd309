"""The output of dbt-spark: a session of its own, as dbt starts one."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairsql.errors import ConfigurationError
from fairsql.warehouses import ENGINES, NO_LIMITS, Limits, Warehouse, warehouse_class


def connect(
    settings: Mapping[str, Any], place: str, root: Path, limits: Limits = NO_LIMITS
) -> Warehouse:
    """Start a session; see :class:`fairsql.dbt.outputs.Output`."""
    method = settings.get("method")
    if method != "session":
        raise ConfigurationError(
            f"{place}: method must be session, but is {method!r}; `dbt test` runs with the others,"
            " and a live SparkSession or Databricks connection can be given to fairsql.connect."
        )
    given = settings.get("server_side_parameters") or {}
    parameters = {str(name): str(value) for name, value in given.items()}
    master = parameters.pop("spark.master", "local[*]")
    engine = warehouse_class(ENGINES["spark"])
    # Where Spark is started, it looks for its metastore and its tables: dbt does in the project.
    with contextlib.chdir(root):
        opened: Warehouse = engine.open(
            master, parameters, hive=True, database=settings.get("schema"), limits=limits
        )
    return opened


def database_and_schema(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return no database, which dbt-spark has none of, and the schema."""
    return "", str(settings.get("schema") or "")
