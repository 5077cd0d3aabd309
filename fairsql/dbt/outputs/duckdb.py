"""The output of dbt-duckdb: a file, with others attached."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairsql.errors import ConfigurationError
from fairsql.warehouses import NO_LIMITS, Limits, Warehouse

_MEMORY = ":memory:"


def connect(
    settings: Mapping[str, Any], place: str, root: Path, limits: Limits = NO_LIMITS
) -> Warehouse:
    """Open the file read-only; see :class:`fairsql.dbt.outputs.Output`."""
    from fairsql.warehouses.duckdb import DuckDBWarehouse

    path = _path(settings)
    if path == _MEMORY:
        raise ConfigurationError(
            f"{place}: its DuckDB lives in the memory of dbt alone; give it a path."
        )
    listed = settings.get("attach") or []
    attached = [(_alias(one, place), _resolved(str(one["path"]), root)) for one in listed]
    return DuckDBWarehouse.open(Path(_resolved(path, root)), attached, limits)


def database_and_schema(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return both; the database is the file's name unless the output says otherwise."""
    database = settings.get("database") or Path(_path(settings)).stem
    return str(database), str(settings.get("schema") or "main")


def _path(settings: Mapping[str, Any]) -> str:
    return str(settings.get("path") or _MEMORY)


def _resolved(path: str, root: Path) -> str:
    """Return a file's path; dbt works in the project's folder."""
    if re.match(r"\w{2,}:", path):  # a URL
        return path
    return str(root / Path(path).expanduser())


def _alias(attached: Any, place: str) -> str:
    if not isinstance(attached, Mapping) or "path" not in attached:
        raise ConfigurationError(f"{place}: each entry of attach has a path.")
    return str(attached.get("alias") or Path(str(attached["path"])).stem)
