"""Each engine that runs, with tables to fill; PostgreSQL has the extension of levenshtein()."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

import fairsql
from tests.dbt.warehouses import postgres
from tests.engines.running import ENGINES, Engine


@contextmanager
def postgres_with_extension() -> Iterator[Engine]:
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute("create extension fuzzystrmatch")
            yield Engine(
                fairsql.connect(connection),
                lambda name, case: server.load([(name, case)]),
                lambda name: connection.execute(f"drop table {name}") and None,
            )


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES],
)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    started = postgres_with_extension if request.param == "postgres" else ENGINES[request.param]
    with started() as opened:
        yield opened
