"""The output of dbt-postgres."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairsql.warehouses import ENGINES, NO_LIMITS, Limits, Warehouse, warehouse_class

# What libpq calls the settings of dbt-postgres; the others are dbt's own.
_PARAMETERS = {
    "host": "host",
    "user": "user",
    "password": "password",
    "pass": "password",
    "port": "port",
    "dbname": "dbname",
    "database": "dbname",
    "connect_timeout": "connect_timeout",
    "sslmode": "sslmode",
    "sslcert": "sslcert",
    "sslkey": "sslkey",
    "sslrootcert": "sslrootcert",
}


def connect(
    settings: Mapping[str, Any], _place: str, _root: Path, limits: Limits = NO_LIMITS
) -> Warehouse:
    """Connect, and take on the role; see :class:`fairsql.dbt.outputs.Output`."""
    given = {name: value for name, value in settings.items() if value not in (None, "")}
    parameters = {ours: str(given[name]) for name, ours in _PARAMETERS.items() if name in given}
    if "search_path" in given:
        escaped = re.sub(r"([\\ ])", r"\\\1", str(given["search_path"]))
        parameters["options"] = f"-c search_path={escaped}"
    engine = warehouse_class(ENGINES["postgres"])
    opened: Warehouse = engine.open(parameters, given.get("role"), limits)
    return opened


def database_and_schema(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return both."""
    database = settings.get("dbname") or settings.get("database") or ""
    return str(database), str(settings.get("schema") or "")
