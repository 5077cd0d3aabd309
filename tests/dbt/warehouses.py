"""The warehouses that dbt is run on: how to fill them, and how to read what dbt wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import duckdb
import psycopg
import pytest
from psycopg import sql

from tests.generator import load
from tests.sql_inference.engines import ICU, postgres_programs, postgres_server

if TYPE_CHECKING:
    from tests.generator import Case

TYPES = {
    "integer": "bigint",
    "float": "double precision",
    "decimal": "numeric(12, 3)",
    "boolean": "boolean",
    "text": "text",
    "date": "date",
    "timestamp": "timestamp",
    "timestamptz": "timestamp with time zone",
}


class Warehouse(Protocol):
    """A database that tests fill, and that dbt connects to."""

    @property
    def schema(self) -> str:
        """The schema that dbt writes to."""

    @property
    def output(self) -> dict[str, Any]:
        """The target of a dbt profile."""

    def load(self, tables: Sequence[tuple[str, Case]]) -> None:
        """Create a table for each case."""

    def rows(self, relations: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Return the rows of each relation."""


@dataclass(frozen=True)
class DuckDB:
    """A database file, open only while it is filled or read."""

    path: Path
    schema: str = "main"

    @property
    def output(self) -> dict[str, Any]:
        return {"type": "duckdb", "path": str(self.path), "threads": 2}

    def load(self, tables: Sequence[tuple[str, Case]]) -> None:
        with duckdb.connect(str(self.path)) as connection:
            for name, case in tables:
                load(connection, case, name)

    def rows(self, relations: Sequence[str]) -> list[list[dict[str, Any]]]:
        with duckdb.connect(str(self.path), read_only=True) as connection:
            return [_rows(connection.execute(f"select * from {name}")) for name in relations]


@dataclass(frozen=True)
class PostgreSQL:
    """A server that listens on a socket in a folder."""

    directory: Path
    schema: str = "public"

    @property
    def output(self) -> dict[str, Any]:
        settings = {"port": 5432, "password": "", "schema": self.schema, "threads": 2}
        return {"type": "postgres", **self._place, **settings}

    @property
    def _place(self) -> dict[str, Any]:
        return {"host": str(self.directory), "user": "postgres", "dbname": "postgres"}

    def load(self, tables: Sequence[tuple[str, Case]]) -> None:
        with psycopg.connect(**self._place) as connection, connection.cursor() as cursor:
            for name, case in tables:
                columns = [
                    sql.Identifier(column) + sql.SQL(" " + TYPES[kind])
                    for column, kind in case.columns.items()
                ]
                table = sql.Identifier(name)
                listed = sql.SQL(", ").join(columns)
                cursor.execute(sql.SQL("create table {} ({})").format(table, listed))
                with cursor.copy(sql.SQL("copy {} from stdin").format(table)) as copy:
                    for row in case.rows:
                        copy.write_row(row)

    def rows(self, relations: Sequence[str]) -> list[list[dict[str, Any]]]:
        with psycopg.connect(**self._place) as connection, connection.cursor() as cursor:
            return [_rows(cursor.execute(f"select * from {name}")) for name in relations]


@contextmanager
def postgres() -> Iterator[PostgreSQL | None]:
    """Start a server that sorts text as people do; none where its programs are not installed."""
    programs = postgres_programs()
    if programs is None:
        yield None
        return
    with postgres_server(programs, *ICU) as server:
        yield PostgreSQL(server.directory)


@contextmanager
def required_postgres() -> Iterator[PostgreSQL]:
    """Start such a server; without its programs tests are skipped, and fail in CI."""
    with postgres() as server:
        if server is None:
            reason = "PostgreSQL's programs are neither on PATH nor in /usr/lib/postgresql"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)
        yield server


def _rows(found: Any) -> list[dict[str, Any]]:
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
