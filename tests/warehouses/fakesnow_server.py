"""fakesnow, an emulator of Snowflake's server on DuckDB, behind the real connector.

It proves the connection's path: logging in, binding, Arrow, names, query ids. It proves nothing of
Snowflake's grammar, types or arithmetic: it takes SQL that Snowflake refuses, and divides by zero.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import snowflake.connector

from tests.warehouses.emulators import environment, free_port, server

# The emulator is built on modules of the connector that version 5 does away with.
REQUIREMENTS = ("fakesnow[server]==0.12.1", "snowflake-connector-python==4.8.1")
PASSWORD = "hunter-2"  # noqa: S105 (the emulator takes any; tests look for it in messages)


@dataclass(frozen=True)
class FakeSnow:
    """A running server. Databases come to be when one connects to them."""

    port: int

    def settings(self, database: str, schema: str = "public") -> dict[str, Any]:
        """Return what the connector and a dbt profile call an account, a user and the rest."""
        return {
            "account": "fakesnow",
            "user": "ada",
            "password": PASSWORD,
            "host": "localhost",
            "port": self.port,
            "protocol": "http",
            "database": database,
            "schema": schema,
        }

    def url(self, database: str, more: str = "") -> str:
        place = f"host=localhost&port={self.port}&protocol=http"
        return f"snowflake://ada:{PASSWORD}@fakesnow/{database}/public?{place}{more}"

    def connect(self, database: str) -> snowflake.connector.SnowflakeConnection:
        return snowflake.connector.connect(**self.settings(database))

    def execute(self, database: str, *statements: str) -> None:
        with self.connect(database) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


@contextmanager
def fakesnow(directory: Path) -> Iterator[FakeSnow]:
    """Start the emulator, whose log goes into a directory, and stop it at the end.

    ``FAIRSQL_FAKESNOW`` names its program; without it, the program comes from an environment that
    is made once.
    """
    named = os.environ.get("FAIRSQL_FAKESNOW")
    program = Path(named) if named else environment("fakesnow", *REQUIREMENTS) / "fakesnow"
    port = free_port()
    with server([program, "-s", "-p", str(port)], port, directory / "fakesnow.log"):
        yield FakeSnow(port)
