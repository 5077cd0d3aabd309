from __future__ import annotations

import os
from typing import TYPE_CHECKING

import duckdb
import pytest

from tests.sql_inference.engines import (
    DuckDB,
    Engine,
    PostgreSQL,
    postgres_programs,
    postgres_server,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def in_process() -> Iterator[DuckDB]:
    with duckdb.connect() as connection:
        yield DuckDB(connection)


@pytest.fixture(scope="session")
def server() -> Iterator[PostgreSQL]:
    programs = postgres_programs()
    if programs is None:
        reason = "PostgreSQL's programs are neither on PATH nor in /usr/lib/postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with postgres_server(programs) as started:
        yield started


@pytest.fixture(
    params=["duckdb", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))]
)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Every engine in turn."""
    name = {"duckdb": "in_process", "postgres": "server"}[request.param]
    engine: Engine = request.getfixturevalue(name)
    return engine
