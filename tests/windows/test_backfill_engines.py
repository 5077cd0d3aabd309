"""Backfills in other engines: the same results as DuckDB's, and one read of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import duckdb
import psycopg
import pytest

import fairsql
from fairsql.compile.loader import macros_for
from fairsql.plan import Windows
from fairsql.suite import Suite
from tests.dbt.warehouses import postgres
from tests.engines.running import googlesql_engine, spark_engine
from tests.windows.happened import KINDS
from tests.windows.months import CALLS, DAY, family_of, load_calls
from tests.windows.test_backfill import assert_same

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

ZONE = "America/New_York"
SPRING = ("2024-03-04", "2024-04-01")


@contextmanager
def in_postgres() -> Iterator[Warehouse]:
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        server.load([("calls", CALLS)])
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True, options=f"-c timezone={ZONE}") as connection:
            yield fairsql.connect(connection)


@contextmanager
def in_spark() -> Iterator[Warehouse]:
    from tests.warehouses.spark_session import spark_session

    session = spark_session()
    before = session.conf.get("spark.sql.session.timeZone") or "UTC"
    with spark_engine() as engine:
        engine.load("calls", CALLS)
        session.conf.set("spark.sql.session.timeZone", ZONE)
        yield engine.warehouse
        session.conf.set("spark.sql.session.timeZone", before)
        engine.drop("calls")


@contextmanager
def in_googlesql() -> Iterator[Warehouse]:
    with googlesql_engine() as engine:
        engine.load("calls", CALLS)
        yield engine.warehouse


ENGINES: dict[str, Callable[[], AbstractContextManager[Warehouse]]] = {
    "postgres": in_postgres,
    "spark": in_spark,
    "googlesql": in_googlesql,
}
engines = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES]


@pytest.fixture(scope="module", params=engines)
def warehouse(request: pytest.FixtureRequest) -> Iterator[Warehouse]:
    with ENGINES[request.param]() as opened:
        yield opened


@pytest.fixture(scope="module")
def local() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        load_calls(connection)
        yield connection


@pytest.mark.parametrize("column", KINDS)
def test_each_window_is_as_duckdb_has_it(
    warehouse: Warehouse, local: duckdb.DuckDBPyConnection, column: str
) -> None:
    # Spark takes a minute to plan a median beside the rest.
    more = ("median",) if warehouse.dialect == "spark" else ("mean", "median", "auc")
    names = ("rate", *(more if column == "at" else ()))
    tests = tuple(test for test in family_of(column, 7 * DAY) if test.name in names)
    here, there = (Suite(tests).run(place, backfill=SPRING) for place in (local, warehouse))
    assert there.scans == 1
    assert_same(
        [without_sql(result) for result in there.tests],
        [without_sql(result) for result in here.tests],
    )


def without_sql(result: fairsql.TestResult) -> fairsql.TestResult:
    return replace(result, groups=tuple(replace(group, rows_sql=None) for group in result.groups))


@pytest.mark.parametrize("column", KINDS)
def test_rows_are_numbered_by_their_window(warehouse: Warehouse, column: str) -> None:
    # A day is a window; that of the row is the day of its clock in UTC.
    start = 1_709_510_400  # 2024-03-04
    windows = Windows(column, KINDS[column], start, "2024-03-04 00:00:00", DAY, 28)
    call = macros_for(warehouse.dialect).call
    number = call("window_number", vars(windows))
    window = {"column": column, "kind": KINDS[column], "start": windows.first,
              "end": "2024-04-01 00:00:00"}  # fmt: skip
    day, within = call("text", "on_day"), call("within", window)
    found = f"select {day} as day, {number} as number from calls where {within}"
    rows = warehouse.run(found).rows
    assert rows
    for row in rows:
        assert row["number"] == (date.fromisoformat(row["day"]) - date(2024, 3, 4)).days + 1


@pytest.mark.xdist_group("postgres")
def test_a_year_of_weeks_reads_the_table_once_in_postgres() -> None:
    with in_postgres() as opened:
        suite = Suite(tuple(family_of("at", 7 * DAY)))
        run = suite.run(opened, backfill=("2023-06-05", "2024-06-03"))
        assert len(run.tests) == 52 * len(suite.tests)
        plan = opened.run(f"explain {run.tests[0].sql[0]}").rows
        lines = [str(next(iter(row.values()))) for row in plan]
        assert len([line for line in lines if "Scan on calls" in line]) == 1
