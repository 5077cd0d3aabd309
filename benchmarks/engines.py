"""PostgreSQL and Spark: the suite of fifty tests there, read once, beside the same query by hand.

Both are started as the tests start them, with their own default settings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import psycopg

import fairsql
from benchmarks import by_hand, checking, measuring
from benchmarks.sections import Cell, Section, Target
from benchmarks.setting import Setting, suite
from tests.dbt.warehouses import postgres
from tests.warehouses.spark_session import spark_session

_TYPES = (
    "gender text, region text, age_band text, score double precision, truth integer,"
    " prediction integer, amount double precision, forecast double precision"
)


@dataclass(frozen=True)
class Engine:
    """An engine that holds the table ``sample``.

    Attributes
    ----------
    connection
        What `fairsql.connect` takes.
    rows
        Runs a query and returns its rows as dictionaries.
    reads
        Returns how often the plan of a query reads the table.
    """

    dialect: str
    connection: Any
    rows: Callable[[str], list[dict[str, Any]]]
    reads: Callable[[str], int]


def engines(setting: Setting) -> Section:
    """Measure the suite of fifty tests in PostgreSQL and in Spark."""
    rows = setting.size(1_000_000)
    path = setting.people(rows)
    table: list[list[Cell]] = []
    targets, checked = [], 0
    for name, opened in (("PostgreSQL", _postgres), ("Spark", _spark)):
        with opened(path) as engine:
            own, hand, numbers = _measured(setting, engine)
        checked += numbers
        for what, seconds in {"fairsql, 50 tests": own, **hand}.items():
            table.append([f"{name}: {what}", rows, seconds])
        beside = own / min(hand.values())
        targets.append(Target(f"{name}, 50 tests / faster query by hand", beside, None, "×"))
    columns = {"what": "text", "rows": "count", "statement": "s"}
    notes = ("Each engine's own plan reads the table once for the fifty tests.",)
    return Section("engines", columns, table, targets, checked, notes=notes)


def _measured(setting: Setting, engine: Engine) -> tuple[float, dict[str, float], int]:
    """Return seconds of fairsql's statement and of those by hand, and how many numbers agree.

    Raises
    ------
    WrongNumberError
        When a number differs, or when the statements are not one that reads the table once.
    """
    asked = fairsql.load_suite(suite("sums"))
    reads = [engine.reads(one.sql) for one in asked.plan(engine.connection).statements]
    if reads != [1]:
        raise checking.WrongNumberError(
            f"{engine.dialect}: reads the table {reads} times, not once"
        )
    statement = asked.plan(engine.connection).statements[0].sql
    hand = {
        "by hand, grouping sets": by_hand.sums(engine.dialect, by_sets=True),
        "by hand, crossed groups alone": by_hand.sums(engine.dialect, by_sets=False),
    }
    ours = fairsql.connect(engine.connection)
    works: dict[str, Callable[[], object]] = {"fairsql": lambda: ours.run(statement)}
    works |= {name: partial(engine.rows, query) for name, query in hand.items()}
    seconds = measuring.calls(works, repeats=setting.repeats(3))
    results = asked.run(engine.connection).to_dict()
    theirs = by_hand.metrics(engine.rows(hand["by hand, grouping sets"]))
    checked = checking.same(engine.dialect, checking.values(results), theirs)
    return seconds.pop("fairsql"), seconds, checked


@contextmanager
def _postgres(path: Path) -> Iterator[Engine]:
    with postgres() as server:
        if server is None:
            raise measuring.DidNotRunError("PostgreSQL's programs are not installed")
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            _fill(connection, path)

            def reads(query: str) -> int:
                plan = connection.execute(f"explain (format json) {query}".encode()).fetchone()
                return json.dumps(plan).count('"Relation Name"')

            yield Engine(
                "postgres", connection, lambda query: by_hand.rows(connection, query), reads
            )


def _fill(connection: psycopg.Connection[Any], path: Path) -> None:
    csv = path.with_suffix(".csv")
    duckdb.execute(f"copy (select * from '{path}') to '{csv}' (header false)")
    connection.execute(f"create table sample ({_TYPES})".encode())
    with (
        connection.cursor() as cursor,
        cursor.copy("copy sample from stdin (format csv)") as copy,
        csv.open("rb") as file,
    ):
        while block := file.read(1 << 20):
            copy.write(block)
    connection.execute("analyze sample")
    csv.unlink()


@contextmanager
def _spark(path: Path) -> Iterator[Engine]:
    session = spark_session()
    session.read.parquet(str(path)).createOrReplaceTempView("sample")

    def rows(query: str) -> list[dict[str, Any]]:
        return [row.asDict() for row in session.sql(query).collect()]

    def reads(query: str) -> int:
        plan = str(session.sql(f"explain {query}").collect()[0][0])
        return plan.count("FileScan")

    yield Engine("spark", session, rows, reads)
    session.catalog.dropTempView("sample")
