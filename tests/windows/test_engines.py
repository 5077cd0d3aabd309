"""The same windows in other engines, in sessions of another time zone than UTC."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest

import fairsql
from fairsql.compile import windowed
from fairsql.config import build_test
from fairsql.plan import Attribute
from fairsql.suite import Suite
from fairsql.windows import window_at
from tests.dbt.warehouses import postgres
from tests.engines.running import googlesql_engine, spark_engine
from tests.windows.happened import KINDS, SEEN, all_of, as_of, expected, fields, found, table

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

HAPPENED = table()
ZONE = "America/New_York"


@contextmanager
def in_postgres() -> Iterator[Warehouse]:
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        server.load([("happened", HAPPENED)])
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True, options=f"-c timezone={ZONE}") as connection:
            yield fairsql.connect(connection)


@contextmanager
def in_spark() -> Iterator[Warehouse]:
    from tests.warehouses.spark_session import spark_session

    session = spark_session()
    before = session.conf.get("spark.sql.session.timeZone") or "UTC"
    with spark_engine() as engine:
        engine.load("happened", HAPPENED)
        session.conf.set("spark.sql.session.timeZone", ZONE)
        yield engine.warehouse
        session.conf.set("spark.sql.session.timeZone", before)
        engine.drop("happened")


@contextmanager
def in_googlesql() -> Iterator[Warehouse]:
    # Its executor has one time zone, Los Angeles, which is BigQuery's for nothing.
    with googlesql_engine() as engine:
        engine.load("happened", HAPPENED)
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


@pytest.mark.parametrize("is_known", [True, False], ids=["known kind", "unknown kind"])
def test_a_window_holds_the_rows_that_pandas_finds(warehouse: Warehouse, is_known: bool) -> None:
    for column, seen in all_of():
        span = window_at(build_test(relation="happened", **fields(column, seen)), as_of(seen))
        assert span is not None
        attribute = Attribute(column, KINDS[column] if is_known else None)
        within = windowed(None, attribute, span.texts, warehouse.dialect)
        counts = "select gender, count(*) as size, sum(approved) as positives from happened"
        rows = warehouse.run(f"{counts} where {within} group by gender").rows
        groups = {row["gender"]: (row["size"], row["positives"]) for row in rows}
        assert groups == expected(HAPPENED, column, seen), (column, seen)


@pytest.mark.parametrize("column", KINDS)
def test_a_test_looks_at_a_window(warehouse: Warehouse, column: str) -> None:
    seen = "an hour when clocks fall back" if column != "on_day" else "a day with a delay"
    result = fairsql.group_metric_parity(
        warehouse, "happened", as_of=SEEN[seen][0], **fields(column, seen)
    )
    assert found(result) == expected(HAPPENED, column, seen), result.message


@pytest.mark.parametrize("column", ["gender", "approved"])
def test_sql_that_knows_no_types_refuses_what_is_no_time(warehouse: Warehouse, column: str) -> None:
    suite = Suite((build_test(relation="happened", **fields(column, "a week")),))
    sql = fairsql.compile(suite, dialect=warehouse.dialect, as_of="2024-03-08")
    with pytest.raises(fairsql.WarehouseError):
        warehouse.run(sql.rstrip().rstrip(";"))
