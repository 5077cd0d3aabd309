"""Connections to warehouses: describe a relation, run a statement, say what exists.

One file an engine; :func:`connect` chooses it by the URL or the object it is given.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

from fairsql.errors import ConfigurationError, did_you_mean, install_extra


@dataclass(frozen=True)
class Column:
    """A column of a relation: its name, the warehouse's type, and that type's kind.

    ``kind`` is integer, float, decimal, boolean, text, date, timestamp, timestamptz or other.
    """

    name: str
    type: str
    kind: str


@dataclass(frozen=True)
class Label:
    """What a statement says of itself to the warehouse: the suite's file and the tests' names."""

    suite: str | None = None
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """The rows of a statement, each from column to value, and the warehouse's id of the query."""

    rows: list[dict[str, Any]]
    query_id: str | None = None


@dataclass(frozen=True)
class Limits:
    """What a statement may cost: seconds, and on BigQuery bytes billed; ``None`` is no limit.

    ``look_first`` lets a look at the first rows go before a scan, so that attributes of very many
    values are found before it is paid for.
    """

    seconds: float | None = None
    bytes_billed: int | None = None
    look_first: bool = True


NO_LIMITS = Limits()


class Warehouse(Protocol):
    """What a suite needs of a warehouse."""

    @property
    def dialect(self) -> str:
        """Name of the SQL dialect."""

    @property
    def name(self) -> str:
        """What reports call this warehouse; never a secret."""

    @property
    def looks_first(self) -> bool:
        """Whether a look at a relation's first rows goes before a scan: where it is cheap."""

    def fold(self, name: str) -> str:
        """Return a column name as the warehouse compares it."""

    def describe(self, relation_sql: str, where: str | None = None, /) -> tuple[Column, ...]:
        """Return the columns of a relation given as SQL for a FROM clause, without reading a row.

        ``where`` is the filter of the tests, for tables that may not be read without one.

        Raises
        ------
        RelationNotFoundError
            When it does not exist; the message shows the nearest names.
        """

    def run(self, sql: str, label: Label | None = None, /) -> Answer:
        """Run one SELECT.

        Raises
        ------
        WarehouseError
            When the warehouse says no, or not in time; the message holds no value of a row.
        """

    def bytes_read(self, sql: str, /) -> int | None:
        """Return how many bytes a statement would read, where the warehouse tells beforehand."""

    def relations(self) -> list[str]:
        """Return the tables and views a user may name, as they would be written in a suite."""

    def version(self) -> str:
        """Return the engine's name and version."""

    def close(self) -> None:
        """End the connection if it is our own; a caller's stays open."""


@dataclass(frozen=True)
class Engine:
    """Where an engine's class is, how users name it, and by what its live connections are known.

    ``live`` names classes as (package, class); one is looked for only in a package that is
    loaded, which that of a live connection is.
    """

    title: str
    module: str
    name: str
    example: str
    extra: str | None = None
    live: tuple[tuple[str, str], ...] = ()


_DUCKDB = Engine(
    "DuckDB",
    "fairsql.warehouses.duckdb",
    "DuckDBWarehouse",
    "duckdb:///file.duckdb",
    live=(("duckdb", "DuckDBPyConnection"),),
)
_POSTGRES = Engine(
    "PostgreSQL",
    "fairsql.warehouses.postgres",
    "PostgresWarehouse",
    "postgresql://user@host/database",
    extra="postgres",
    live=(("psycopg", "Connection"),),
)
_SNOWFLAKE = Engine(
    "Snowflake",
    "fairsql.warehouses.snowflake",
    "SnowflakeWarehouse",
    "snowflake://user@account/database/schema?warehouse=name",
    extra="snowflake",
    live=(("snowflake.connector", "SnowflakeConnection"),),
)
_BIGQUERY = Engine(
    "BigQuery",
    "fairsql.warehouses.bigquery",
    "BigQueryWarehouse",
    "bigquery://project/dataset",
    extra="bigquery",
    live=(("google.cloud.bigquery", "Client"),),
)
_SPARK = Engine(
    "Spark",
    "fairsql.warehouses.spark",
    "SparkWarehouse",
    "spark://local[*]",
    extra="spark",
    live=(("pyspark.sql", "SparkSession"), ("pyspark.sql.connect.session", "SparkSession")),
)
_DATABRICKS = Engine(
    "Databricks",
    "fairsql.warehouses.databricks",
    "DatabricksWarehouse",
    "databricks://token:TOKEN@host/catalog/schema?http_path=path",
    extra="databricks",
    live=(("databricks.sql.client", "Connection"),),
)
ENGINES = {
    "duckdb": _DUCKDB,
    "postgresql": _POSTGRES,
    "postgres": _POSTGRES,
    "snowflake": _SNOWFLAKE,
    "bigquery": _BIGQUERY,
    "spark": _SPARK,
    "databricks": _DATABRICKS,
}
"""Engines by the scheme of their URLs."""


def connect(
    target: Any,
    *,
    data: Mapping[str, str | Path] | None = None,
    timeout: float | None = None,
    maximum_bytes_billed: int | None = None,
    look_first: bool = True,
) -> Warehouse:
    """Return a warehouse for a URL or a live connection object.

    Parameters
    ----------
    target
        A URL, or a live connection, which stays the caller's:

        - ``duckdb:///file.duckdb`` (opened read-only), ``duckdb://`` (memory), or a
          ``DuckDBPyConnection``
        - ``postgresql://user:password@host:port/database``, or a psycopg ``Connection``
        - ``snowflake://user@account/database/schema?warehouse=name``, ``snowflake://?connection=``
          with a name of ``connections.toml``, or a ``SnowflakeConnection``
        - ``bigquery://project/dataset``, or a ``google.cloud.bigquery.Client``
        - ``spark://local[*]``, ``spark://host:port``, or a ``SparkSession``
        - ``databricks://token:TOKEN@host/catalog/schema?http_path=path``, or a connection of
          ``databricks.sql``

        What else a URL may say stands with ``from_url`` of the engine's class.
    data
        For memory: relation name -> CSV, Parquet or JSON file, or a glob of them.
    timeout
        Seconds that a statement may take; it is cancelled then.
    maximum_bytes_billed
        BigQuery: a statement that would be billed for more bytes fails without cost.
    look_first
        Whether a look at the first rows of a table may go before a scan, to find attributes of very
        many values before their groups are paid for. There is none on BigQuery, which bills a
        column whole, nor of a select in parentheses.

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
    if data is not None and not isinstance(data, Mapping):
        raise ConfigurationError(
            'data: must map names to files, as {"loans": "loans.csv"} does, but is'
            f" {type(data).__name__}."
        )
    limits = Limits(
        _above_zero("timeout", timeout),
        _above_zero("maximum_bytes_billed", maximum_bytes_billed),
        look_first=look_first,
    )
    if isinstance(target, os.PathLike):
        target = os.fspath(target)
    if not isinstance(target, str):
        _refuse_files(data)
        return _live(target, limits)
    scheme = target.partition("://")[0] if "://" in target else ""
    engine = ENGINES.get(scheme)
    if engine is None:
        raise ConfigurationError(f"connection: must be {_examples()}, but is {_shown(target)}")
    if engine is not _DUCKDB:
        _refuse_files(data)
    files = [data or {}] if engine is _DUCKDB else []
    opened: Warehouse = warehouse_class(engine).from_url(target, *files, limits)
    return opened


_Number = TypeVar("_Number", int, float)


def _above_zero(name: str, value: _Number | None) -> _Number | None:
    if value is None or (not isinstance(value, bool) and 0 < value < math.inf):
        return value
    raise ConfigurationError(f"{name}: must be a number above 0, but is {value!r}.")


def _examples() -> str:
    distinct = list(dict.fromkeys(engine.example for engine in ENGINES.values()))
    return f"{', '.join(distinct[:-1])} or {distinct[-1]}"


def _shown(target: str) -> str:
    """Return what a message may show of a target, which may hold a password, and a hint."""
    if Path(target).suffix in (".duckdb", ".db"):
        return f"{target!r}. Did you mean 'duckdb:///{target}'?"
    if "://" not in target:
        return f"{target!r}."
    scheme = target.partition("://")[0]
    return f"{scheme}://….{did_you_mean(scheme, ENGINES)}"


def _live(connection: Any, limits: Limits) -> Warehouse:
    for engine in dict.fromkeys(ENGINES.values()):
        for package, name in engine.live:
            kind = getattr(sys.modules.get(package), name, None)
            if kind is not None and isinstance(connection, kind):
                opened: Warehouse = warehouse_class(engine)(connection, owned=False, limits=limits)
                return opened
    raise ConfigurationError(
        "connection: must be a URL such as duckdb:///file.duckdb, or a live connection of"
        f" {', '.join(dict.fromkeys(engine.title for engine in ENGINES.values()))}, but is"
        f" {type(connection).__module__}.{type(connection).__qualname__}."
    )


def warehouse_class(engine: Engine) -> Any:
    """Return an engine's class, once its driver is found to be installed.

    Raises
    ------
    ConfigurationError
        When it is not; the message says how to install it.
    """
    try:
        return getattr(import_module(engine.module), engine.name)
    except ImportError as error:  # psycopg without libpq raises one that is no ModuleNotFoundError
        how = install_extra(engine.extra) if engine.extra else "pip install duckdb"
        raise ConfigurationError(f"{engine.title} needs a driver: {how} ({error}).") from None


def _refuse_files(data: Mapping[str, str | Path] | None) -> None:
    if data:
        raise ConfigurationError("data: files are read into duckdb:// alone, no other connection.")
