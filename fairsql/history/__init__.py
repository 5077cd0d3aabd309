"""A history: every run's records in one table, and each test's measurements over time.

The table has a row for each run, test and group: ``run_id``, then the columns of
:data:`fairsql.records.COLUMNS`. A run's rows are appended all together or not at all.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from fairsql.errors import ConfigurationError
from fairsql.history.before import check_file, check_schema, warehouse_files
from fairsql.records import COLUMNS, MEASUREMENTS, Past, records
from fairsql.warehouses import Warehouse
from fairsql.warehouses.columns import lacking

if TYPE_CHECKING:
    from fairsql.results import Run

__all__ = [
    "TABLE",
    "Keeping",
    "Place",
    "check_history",
    "is_plain_name",
    "keep_history",
    "read_history",
    "storable_text",
    "warehouse_files",
]

TABLE = "fairsql_history"
"""The table of a DuckDB file."""

_PREFIX = "warehouse:"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*){0,2}")
_IN_A_PROJECT = re.compile(r"[a-z][a-z0-9-]+(\.[A-Za-z_][A-Za-z0-9_]*){2}")
_COLUMNS: Mapping[str, str] = {"run_id": "text", **COLUMNS}
_OTHERS = "other_measurements"
_DUCKDB_FILE = b"DUCK"  # at the ninth byte: https://duckdb.org/docs/internals/storage


@runtime_checkable
class Keeping(Warehouse, Protocol):
    """A warehouse that rows can be appended to."""

    @property
    def keeps_tables(self) -> bool:
        """False for memory of our own, which is gone when the run is."""

    def append(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], /
    ) -> None:
        """Append all of the rows to a table, or none; make the table if it is not there."""


@dataclass(frozen=True)
class Place:
    """A table in a warehouse."""

    warehouse: Keeping
    table: str


def keep_history(run: Run, target: str | Path, warehouse: Warehouse | None = None) -> str:
    """Append every group of a run to a history, and return the id the run has there.

    Parameters
    ----------
    run
        The results. A suppressed group has no number in a history either.
    target
        A DuckDB file, which is made if it is not there, or ``warehouse:schema.table``.
    warehouse
        What ran the tests, for a table in it.

    Raises
    ------
    ConfigurationError
        When the target is neither.
    WarehouseError
        When it cannot be written; nothing of the run is in it then.
    """
    place = check_history(target, warehouse)
    # It begins with the time, so that runs of one second have an order.
    run_id = f"{time.time_ns():016x}{secrets.token_hex(8)}"
    rows = [
        {"run_id": run_id, **{name: storable_text(value) for name, value in record.items()}}
        for record in records(run)
    ]
    if place:
        place.warehouse.append(place.table, _COLUMNS, rows)
        return run_id
    from fairsql.warehouses.tables import append_to_file

    append_to_file(Path(target), TABLE, _COLUMNS, rows)
    return run_id


def read_history(target: str | Path, warehouse: Warehouse | None = None) -> tuple[Past, ...]:
    """Return each test's measurements over time, the earliest run first.

    The parameters and errors are those of :func:`keep_history`. What an earlier fairsql did not
    keep is ``None``.
    """
    place = check_history(target, warehouse)
    if place:
        source = f"`{place.table}`" if "-" in place.table else place.table
        present = [column.name for column in place.warehouse.describe(source)]
        rows = place.warehouse.run(_past_of(source, present)).rows
    else:
        from fairsql.warehouses.tables import read_from_file

        described = read_from_file(Path(target), f"select column_name from (describe {TABLE})")
        query = _past_of(TABLE, [str(row["column_name"]) for row in described])
        rows = read_from_file(Path(target), query)
    return tuple(sorted((_past(row) for row in rows), key=lambda past: _when(past)))


def check_history(target: str | Path, warehouse: Warehouse | None = None) -> Place | None:
    """Return the place in the warehouse that a target names; ``None`` for a DuckDB file.

    It complains of a target that no history can be kept in, before anything has run.

    Raises
    ------
    ConfigurationError
        When it is neither a DuckDB file nor a table in a warehouse that histories are written to.
    """
    if str(target).startswith(_PREFIX):
        return _place(str(target), warehouse)
    path = Path(target)
    check_file(path, warehouse)
    if not path.parent.is_dir():
        raise ConfigurationError(f"history: the folder {str(path.parent)!r} does not exist.")
    if path.is_dir() or (path.exists() and not _is_duckdb(path)):
        raise ConfigurationError(
            f"history: must be a DuckDB file or warehouse:schema.table, but {str(path)!r} is"
            f" {'a folder' if path.is_dir() else 'a file of another kind'}."
        )
    return None


def _place(target: str, warehouse: Warehouse | None) -> Place:
    name = target.removeprefix(_PREFIX)
    if not is_plain_name(name, warehouse.dialect if warehouse else None):
        raise ConfigurationError(
            f"history: must be warehouse: and a plain name such as schema.table, but is {target!r}."
        )
    if warehouse is None:
        raise ConfigurationError(f"history: {target!r} needs the warehouse.")
    if not isinstance(warehouse, Keeping) or not warehouse.keeps_tables:
        raise ConfigurationError(
            f"history: no table outlasts the run here: this warehouse is {warehouse.dialect},"
            f" {warehouse.name}; give a DuckDB file, such as history.duckdb."
        )
    check_schema(name, warehouse)
    return Place(warehouse, name)


def is_plain_name(name: str, dialect: str | None) -> bool:
    """Return whether a table's name may stand in a statement that writes as it is.

    >>> is_plain_name("audits.fairness", "duckdb"), is_plain_name("my table", "duckdb")
    (True, False)
    """
    names = [_NAME, *([_IN_A_PROJECT] if dialect == "bigquery" else [])]
    return any(pattern.fullmatch(name) for pattern in names)


def _is_duckdb(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(12)[8:] == _DUCKDB_FILE


def storable_text(value: Any) -> Any:
    """Return a value without what no warehouse's text holds: half of a surrogate pair, or NUL."""
    if not isinstance(value, str):
        return value
    return value.encode(errors="backslashreplace").decode().replace("\x00", r"\x00")


def _past_of(table: str, present: Iterable[str]) -> str:
    own = ("run_id", "started_at", "suite", "test", "status", "thresholds", "window_end")
    names = (*own, *MEASUREMENTS, _OTHERS)
    absent = set(lacking(table, present, names))
    chosen = [f"null as {name}" if name in absent else name for name in names]
    return f"select distinct {', '.join(chosen)} from {table}"


def _past(row: Mapping[str, Any]) -> Past:
    measured = {name: row[name] for name in MEASUREMENTS}
    own = {name: value for name, value in row.items() if name not in (*measured, _OTHERS)}
    if window_end := own.pop("window_end"):
        own["started_at"] = window_end
    return Past(**own, measurements={**measured, **json.loads(row[_OTHERS] or "{}")})


def _when(past: Past) -> tuple[str, str]:
    return past.started_at, past.run_id
