"""Connections to warehouses: describe a relation, run a statement, say what exists.

One file an engine; :func:`connect` chooses it by the URL or the object it is given.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from fairsql.errors import ConfigurationError, did_you_mean

SCHEMES = ("duckdb",)


@dataclass(frozen=True)
class Column:
    """A column of a relation: its name, the warehouse's type, and that type's kind.

    ``kind`` is integer, float, decimal, boolean, text, date, timestamp, timestamptz or other.
    """

    name: str
    type: str
    kind: str


class Warehouse(Protocol):
    """What a suite needs of a warehouse."""

    @property
    def dialect(self) -> str:
        """Name of the SQL dialect."""

    @property
    def name(self) -> str:
        """What reports call this warehouse; never a secret."""

    def fold(self, name: str) -> str:
        """Return a column name as the warehouse compares it."""

    def describe(self, relation_sql: str) -> tuple[Column, ...]:
        """Return the columns of a relation given as SQL for a FROM clause.

        Raises
        ------
        RelationNotFoundError
            When it does not exist; the message shows the nearest names.
        """

    def run(self, sql: str) -> list[dict[str, Any]]:
        """Run one SELECT and return its rows as mappings from column to value."""

    def relations(self) -> list[str]:
        """Return the tables and views a user may name, as they would be written in a suite."""

    def version(self) -> str:
        """Return the engine's name and version."""

    def close(self) -> None:
        """End the connection if it is our own; a caller's stays open."""


def connect(target: Any, *, data: Mapping[str, str | Path] | None = None) -> Warehouse:
    """Return a warehouse for a URL or a live connection object.

    Parameters
    ----------
    target
        ``duckdb:///file.duckdb`` (opened read-only), ``duckdb://`` (memory), or a live DuckDB
        connection, which stays the caller's.
    data
        For memory: relation name -> CSV, Parquet or JSON file, or a glob of them.

    Raises
    ------
    ConfigurationError
        When the target is of no kind that fairsql knows.
    WarehouseError
        When the connection cannot be opened.

    Examples
    --------
    >>> warehouse = connect("duckdb://")
    >>> warehouse.dialect
    'duckdb'
    >>> warehouse.close()
    """
    from fairsql.warehouses.duckdb import DuckDBWarehouse

    if data is not None and not isinstance(data, Mapping):
        raise ConfigurationError(
            'data: must map names to files, as {"loans": "loans.csv"} does, but is'
            f" {type(data).__name__}."
        )
    if isinstance(target, os.PathLike):
        target = os.fspath(target)
    if isinstance(target, str):
        scheme = target.partition("://")[0] if "://" in target else ""
        if scheme == "duckdb":
            return DuckDBWarehouse.from_url(target, data or {})
        allowed = "duckdb:///file.duckdb or duckdb://"
        hint = did_you_mean(scheme, SCHEMES) if scheme else ""
        if Path(target).suffix in (".duckdb", ".db"):
            hint = f" Did you mean 'duckdb:///{target}'?"
        shown = f"{scheme}://…" if scheme else repr(target)
        raise ConfigurationError(f"connection: must be {allowed}, but is {shown}.{hint}")
    if data:
        raise ConfigurationError("data: files are read into duckdb:// only, not a live connection.")
    if type(target).__name__ == "DuckDBPyConnection":
        return DuckDBWarehouse(target, owned=False)
    raise ConfigurationError(
        "connection: must be a URL such as duckdb:///file.duckdb, or a live DuckDB connection,"
        f" but is {type(target).__name__}."
    )
