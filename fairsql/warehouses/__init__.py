"""Connections to warehouses: describe a relation, run a statement, say what exists.

One file an engine; :func:`connect` chooses it by the URL or the object it is given.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fairsql.errors import ConfigurationError, did_you_mean

if TYPE_CHECKING:
    from fairsql.warehouses.postgres import PostgresWarehouse

SCHEMES = ("duckdb", "postgresql")


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
        ``duckdb:///file.duckdb`` (opened read-only), ``duckdb://`` (memory),
        ``postgresql://user:password@host:port/database``, or a live connection of duckdb's or
        psycopg's, which stays the caller's.
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
        if scheme in ("postgresql", "postgres"):
            _refuse_files(data)
            return postgres_warehouse().from_url(target)
        allowed = "duckdb:///file.duckdb, duckdb:// or postgresql://user@host/database"
        hint = did_you_mean(scheme, SCHEMES) if scheme else ""
        if Path(target).suffix in (".duckdb", ".db"):
            hint = f" Did you mean 'duckdb:///{target}'?"
        shown = f"{scheme}://…" if scheme else repr(target)
        raise ConfigurationError(f"connection: must be {allowed}, but is {shown}.{hint}")
    _refuse_files(data)
    if type(target).__name__ == "DuckDBPyConnection":
        return DuckDBWarehouse(target, owned=False)
    psycopg = sys.modules.get("psycopg")  # a live connection has loaded its driver
    if psycopg and isinstance(target, psycopg.Connection):
        return postgres_warehouse()(target, owned=False)
    raise ConfigurationError(
        "connection: must be a URL such as duckdb:///file.duckdb, or a live connection of duckdb's"
        f" or psycopg's, but is {type(target).__module__}.{type(target).__qualname__}."
    )


def postgres_warehouse() -> type[PostgresWarehouse]:
    """Return the class for PostgreSQL.

    Raises
    ------
    ConfigurationError
        When its driver is not installed.
    """
    try:
        from fairsql.warehouses.postgres import PostgresWarehouse
    except ImportError as error:  # psycopg without libpq raises one that is no ModuleNotFoundError
        raise ConfigurationError(
            f"PostgreSQL needs psycopg 3: pip install 'fairsql[postgres]' ({error})."
        ) from None
    return PostgresWarehouse


def _refuse_files(data: Mapping[str, str | Path] | None) -> None:
    if data:
        raise ConfigurationError("data: files are read into duckdb:// alone, no other connection.")
