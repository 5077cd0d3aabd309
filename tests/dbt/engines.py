"""More warehouses that dbt is run on: Spark within dbt, and emulators behind real clients."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as arrow
import pyarrow.parquet as parquet
from google.auth.credentials import AnonymousCredentials
from google.cloud.bigquery import DEFAULT_RETRY, Client, SchemaField, Table

from tests.dbt.warehouses import Warehouse
from tests.engines.googlesql import TYPES as BIGQUERY_TYPES
from tests.warehouses.bigquery_emulator import PROJECT, bigquery
from tests.warehouses.fakesnow_server import FakeSnow, fakesnow
from tests.warehouses.spark_session import SETTINGS

if TYPE_CHECKING:
    from tests.generator import Case

ARROW_TYPES = {
    "integer": arrow.int64(),
    "float": arrow.float64(),
    "decimal": arrow.decimal128(12, 3),
    "boolean": arrow.bool_(),
    "text": arrow.string(),
    "date": arrow.date32(),
    "timestamp": arrow.timestamp("us"),
}
SNOWFLAKE_TYPES = {
    "integer": "number(38, 0)",
    "float": "float",
    "decimal": "number(12, 3)",
    "boolean": "boolean",
    "text": "varchar",
    "date": "date",
    "timestamp": "timestamp_ntz",
}


class Engine(Warehouse, Protocol):
    """A warehouse whose dbt project needs something of its own."""

    @property
    def hooks(self) -> Sequence[str]:
        """Statements that dbt runs before its first node."""

    @property
    def macros(self) -> str:
        """Macros of the project, which stand before those of the package."""


@dataclass(frozen=True)
class Spark:
    """A folder of Parquet files; Spark runs inside dbt, and knows them while it does."""

    directory: Path
    schema: str = "shop"
    macros: str = ""

    @property
    def output(self) -> dict[str, Any]:
        # Compiling costs seconds that a few hundred rows never give back. What decides whether a
        # statement can be planned is as Spark has it by default.
        by_default = ("spark.driver.memory", "spark.sql.analyzer.maxIterations")
        settings = {
            **{name: value for name, value in SETTINGS.items() if name not in by_default},
            "spark.sql.catalogImplementation": "in-memory",
            "spark.sql.warehouse.dir": str(self.directory / "built"),
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.codegen.wholeStage": "false",
        }
        place = {"type": "spark", "method": "session", "host": "localhost"}
        return {**place, "schema": self.schema, "threads": 1, "server_side_parameters": settings}

    @property
    def hooks(self) -> list[str]:
        tables = [
            f"create table {self.schema}.{file.stem} using parquet location '{file}'"
            for file in sorted(self._loaded.iterdir())
        ]
        return [f"create schema if not exists {self.schema}", *tables]

    @property
    def _loaded(self) -> Path:
        return self.directory / "loaded"

    def load(self, tables: Sequence[tuple[str, Case]]) -> None:
        self._loaded.mkdir()
        for name, case in tables:
            columns = {
                column: arrow.array(case.table[column], ARROW_TYPES[kind])
                for column, kind in case.columns.items()
            }
            parquet.write_table(arrow.table(columns), self._loaded / f"{name}.parquet")

    def rows(self, relations: Sequence[str]) -> list[list[dict[str, Any]]]:
        built = self.directory / "built"
        found = []
        for relation in relations:
            schema, name = relation.split(".")
            found.append(parquet.read_table(built / f"{schema}.db" / name).to_pylist())
        return found


@dataclass(frozen=True)
class Snowflake:
    """The emulator of Snowflake, behind Snowflake's connector."""

    server: FakeSnow
    schema: str = "public"
    hooks: Sequence[str] = ()
    # The emulator says of every value that its type is JSON: here they count as numbers unasked.
    macros: str = (
        "{% macro snowflake__fairsql_number(column, kind) %}"
        "{{ return(fairsql.snowflake__fairsql_number(column, 'float')) }}"
        "{% endmacro %}"
    )

    @property
    def output(self) -> dict[str, Any]:
        settings = self.server.settings("shop", self.schema)
        return {"type": "snowflake", "threads": 1, "connect_retries": 0, **settings}

    def load(self, tables: Sequence[tuple[str, Case]]) -> None:
        with self.server.connect("shop") as connection, connection.cursor() as cursor:
            for name, case in tables:
                columns = ", ".join(
                    f"{_stored(column)} {SNOWFLAKE_TYPES[kind]}"
                    for column, kind in case.columns.items()
                )
                cursor.execute(f"create table {name} ({columns})")
                if case.rows:
                    marks = ", ".join(["%s"] * len(case.columns))
                    cursor.executemany(f"insert into {name} values ({marks})", case.rows)

    def rows(self, relations: Sequence[str]) -> list[list[dict[str, Any]]]:
        with self.server.connect("shop") as connection, connection.cursor() as cursor:
            found = []
            for relation in relations:
                cursor.execute(f"select * from {relation}")
                names = [column.name.lower() for column in cursor.description]
                found.append([dict(zip(names, row, strict=True)) for row in cursor.fetchall()])
            return found


def _stored(column: str) -> str:
    """Return a column's name in quotes, as Snowflake stores one that is written without."""
    is_plain = re.fullmatch("[A-Za-z_][A-Za-z0-9_$]*", column)
    name = column.upper() if is_plain else column
    return '"{}"'.format(name.replace('"', '""'))


@dataclass(frozen=True)
class BigQuery:
    """The emulator of BigQuery, behind Google's client."""

    api_endpoint: str
    schema: str = "shop"
    hooks: Sequence[str] = ()
    macros: str = ""

    @property
    def output(self) -> dict[str, Any]:
        access = {"method": "oauth-secrets", "token": "fake", "api_endpoint": self.api_endpoint}
        place = {"project": PROJECT, "dataset": self.schema}
        return {"type": "bigquery", "threads": 1, "job_retries": 0, **access, **place}

    def load(self, tables: Sequence[tuple[str, Case]]) -> None:
        with self._client() as client:
            client.create_dataset(self.schema, exists_ok=True)
            for name, case in tables:
                columns = [
                    SchemaField(column, BIGQUERY_TYPES[kind])
                    for column, kind in case.columns.items()
                ]
                table = Table(f"{PROJECT}.{self.schema}.{name}", columns)
                client.create_table(table, retry=DEFAULT_RETRY.with_timeout(10))
                rows = [
                    {name: _in_json(value) for name, value in zip(case.columns, row, strict=True)}
                    for row in case.rows
                ]
                assert not client.insert_rows_json(table, rows)

    def rows(self, relations: Sequence[str]) -> list[list[dict[str, Any]]]:
        with self._client() as client:
            return [
                [
                    dict(row)
                    for row in client.query_and_wait(f"select * from `{PROJECT}`.{relation}")
                ]
                for relation in relations
            ]

    @contextmanager
    def _client(self) -> Iterator[Client]:
        options = {"api_endpoint": self.api_endpoint}
        client = Client(PROJECT, AnonymousCredentials(), client_options=options)
        try:
            yield client
        finally:
            client.close()


def _in_json(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, date | datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


@contextmanager
def engine(name: str, directory: Path) -> Iterator[Engine]:
    """Start an engine whose files go into a directory, and stop it at the end."""
    if name == "spark":
        yield Spark(directory)
    elif name == "snowflake":
        with fakesnow(directory) as server:
            yield Snowflake(server)
    else:
        with bigquery() as api_endpoint:
            yield BigQuery(api_endpoint)
