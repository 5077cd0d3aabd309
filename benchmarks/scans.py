"""Fifty tests in one statement beside a query by hand, and how both grow with the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import fairsql
from benchmarks import by_hand, checking, measuring
from benchmarks.measuring import Cost, Program
from benchmarks.sections import Section, Target, ratio
from benchmarks.setting import Setting, over, suite

COLUMNS = {"what": "text", "rows": "count", "statement": "s", "whole process": "s", "peak": "MB"}
FIFTY, ONE = "fairsql, 50 tests", "fairsql, 1 test"
HAND = {
    "by hand, grouping sets": by_hand.sums(by_sets=True),
    "by hand, crossed groups alone": by_hand.sums(by_sets=False),
}
_READING = """
import duckdb
connection = duckdb.connect()
connection.execute("set enable_progress_bar = false")
connection.execute("create view sample as select * from '{path}'")
for query in {queries!r}:
    connection.execute(query).fetchall()
"""


def sums(setting: Setting) -> Section:
    """Measure the suite of fifty tests that count and sum."""
    rows = setting.size(10_000_000)
    path, results = setting.people(rows), setting.results("sums")
    costs = measuring.processes(
        {
            FIFTY: fairsql_process("sums", path, results),
            ONE: fairsql_process("one", path),
            **{name: by_hand_process(path, query) for name, query in HAND.items()},
        },
        repeats=setting.repeats(3),
    )
    with over(path) as connection:
        queries = {
            FIFTY: statement_of("sums", connection),
            ONE: statement_of("one", connection),
            **HAND,
        }
        seconds = measuring.calls(running(connection, queries), repeats=setting.repeats(5))
        theirs = by_hand.metrics(by_hand.rows(connection, by_hand.sums(by_sets=True)))
    checked = checking.same("sums", checking.values(checking.read(results)), theirs)
    hand = min(seconds[name] for name in HAND)
    process = ratio(costs[FIFTY].seconds, costs[ONE].seconds)
    return Section(
        "sums",
        COLUMNS,
        [row(name, rows, seconds[name], costs[name]) for name in queries],
        [
            Target("50 tests / faster query by hand, statement", seconds[FIFTY] / hand, 1.5, "×"),
            Target("50 tests / 1 test, statement", seconds[FIFTY] / seconds[ONE], None, "×"),
            Target("50 tests / 1 test, whole process", process, 3, "×"),
            Target("50 tests, peak of the process", costs[FIFTY].megabytes, 1000, "MB"),
        ],
        checked,
    )


def ranks(setting: Setting) -> Section:
    """Measure the same suite with six tests more, which rank rows by two attributes."""
    rows = setting.size(10_000_000)
    path, results = setting.people(rows), setting.results("ranks")
    groups = ("gender", "region")
    ours, hand = "fairsql, 56 tests", "by hand, the five queries below"
    queries = {"by hand, counts and sums": by_hand.sums(by_sets=True)}
    for group in groups:
        queries[f"by hand, AUC by {group}"] = by_hand.query("auc", group=group)
        queries[f"by hand, quantiles by {group}"] = by_hand.query("quantiles", group=group)
    costs = measuring.processes(
        {
            ours: fairsql_process("sums_and_ranks", path, results),
            hand: by_hand_process(path, *queries.values()),
        },
        repeats=setting.repeats(2),
    )
    with over(path) as connection:
        statement = {ours: statement_of("sums_and_ranks", connection)}
        seconds = measuring.calls(
            running(connection, {**statement, **queries}), repeats=setting.repeats(1)
        )
        theirs = by_hand.metrics(by_hand.rows(connection, by_hand.sums(by_sets=True)))
        for group in groups:
            for name in ("auc", "quantiles"):
                found = by_hand.rows(connection, by_hand.query(name, group=group))
                theirs.update(by_hand.by_group(found, group))
    checked = checking.same("ranks", checking.values(checking.read(results)), theirs)
    together = sum(seconds[name] for name in queries)
    return Section(
        "ranks",
        COLUMNS,
        [
            row(ours, rows, seconds[ours], costs[ours]),
            row(hand, rows, together, costs[hand]),
            *(row(name, rows, seconds[name], Cost(None, None)) for name in queries),
        ],
        checked=checked,
    )


def growth(setting: Setting) -> Section:
    """Measure the suite of fifty tests on a table, and on one of a tenth of its rows."""
    rows = setting.size(100_000_000)
    sizes = (rows // 10, rows)
    results = setting.results("growth")
    seconds: dict[int, float] = {}
    costs: dict[int, Cost] = {}
    checked = 0
    for size in sizes:
        path = setting.people(size)
        program = fairsql_process("sums", path, results)
        costs[size] = measuring.processes({FIFTY: program}, repeats=setting.repeats(2))[FIFTY]
        with over(path) as connection:
            queries = {FIFTY: statement_of("sums", connection)}
            calls = measuring.calls(running(connection, queries), repeats=setting.repeats(2))
            theirs = by_hand.metrics(by_hand.rows(connection, by_hand.sums(by_sets=True)))
        seconds[size] = calls[FIFTY]
        ours = checking.values(checking.read(results))
        checked += checking.same("growth", ours, theirs)
    few, many = sizes
    per_row = seconds[many] / seconds[few] * few / many
    memory = ratio(costs[many].megabytes, costs[few].megabytes)
    return Section(
        "growth",
        COLUMNS,
        [row(FIFTY, size, seconds[size], costs[size]) for size in sizes],
        [
            Target(f"{many:,} rows / ten times {few:,} rows, statement", per_row, 1.5, "×"),
            Target(f"{many:,} rows / {few:,} rows, peak of the process", memory, 1.5, "×"),
        ],
        checked,
    )


def row(name: str, rows: int, seconds: float | None, cost: Cost) -> list[str | float | None]:
    """Return a row of the table of ``COLUMNS``."""
    return [name, rows, seconds, cost.seconds, cost.megabytes]


def statement_of(name: str, connection: Any) -> str:
    """Return the SQL of a suite, which must be one statement that reads its table once.

    Raises
    ------
    WrongNumberError
        When it is not.
    """
    statements = fairsql.load_suite(suite(name)).plan(connection).statements
    plans = [connection.execute(f"explain {one.sql}").fetchall()[0][1] for one in statements]
    reads = [plan.count("PARQUET_SCAN") for plan in plans]
    if reads != [1]:
        raise checking.WrongNumberError(
            f"{name}: its statements read the table {reads} times, not once"
        )
    return statements[0].sql


def running(connection: Any, queries: Mapping[str, str]) -> dict[str, Callable[[], object]]:
    """Return for each query what runs it and fetches all rows."""
    return {name: _fetching(connection, text) for name, text in queries.items()}


def _fetching(connection: Any, text: str) -> Callable[[], object]:
    return lambda: connection.execute(text).fetchall()


def fairsql_process(name: str, path: Path, results: Path | None = None) -> Program:
    """Return the program that runs a suite over a file."""
    options = ("--json", str(results)) if results else ()
    return measuring.fairsql(suite(name), "duckdb://", *options, data={"sample": path})


def by_hand_process(path: Path, *queries: str) -> Program:
    """Return the program that runs queries over a file and fetches what comes."""
    return measuring.script(_READING.format(path=path, queries=queries))
