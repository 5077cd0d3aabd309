"""The bills that docs/scaling.md works out are those of the SQL that is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import duckdb
import pytest

import fairsql
from benchmarks import data
from benchmarks.setting import suite
from tests.docs.pages import text

ROWS = 10**10
BYTES = {"VARCHAR": "avg(strlen({0})) + 2", "INTEGER": "8", "DOUBLE": "8"}
PAGE = "docs/scaling.md"
COLD, WARM = 121.7e9 / 468 / 16, 55.2e9 / 27.5 / 16  # bytes a second and node


def test_the_fifty_tests_cost_on_bigquery_what_the_page_says() -> None:
    with duckdb.connect() as connection:
        connection.execute(f"create view sample as {data.people(200_000)}")
        types = {row[0]: row[1] for row in connection.execute("describe sample").fetchall()}
        sizes = {
            column: connection.execute(
                f"select {BYTES[kind].format(column)} from sample limit 1"
            ).fetchall()[0][0]
            for column, kind in types.items()
        }
        asked = fairsql.load_suite(suite("sums"))
        (statement,) = asked.plan(connection).statements
        together = _bytes(sizes, statement.scan.columns)
        apart = 0.0
        for name in asked.names:
            (alone,) = asked.select([name]).plan(connection).statements
            apart += _bytes(sizes, alone.scan.columns)
    assert _shown(r"\| all \| \| ([\d.]+) \|") == pytest.approx(together, abs=0.02)
    assert _shown(r"rows are ([\d.]+) GB or") == pytest.approx(together * ROWS / 1e9, rel=2e-3)
    assert _shown(r"GB or ([\d.]+) TiB") == pytest.approx(together * ROWS / 2**40, rel=2e-3)
    assert _shown(r"\*\*([\d.]+) USD for") == pytest.approx(_price(together), rel=2e-3)
    assert _shown(r"cost ([\d.]+) USD together") == pytest.approx(_price(apart), rel=1e-2)


def test_the_fifty_tests_cost_on_snowflake_what_the_page_says() -> None:
    stored = _shown(r"Ours are ([\d.]+) bytes a row") * ROWS
    page = text(PAGE)
    estimates = [float(found) for found in re.findall(r"\*\*([\d.]+)\*\*(?= \|)", page)]
    assert estimates == pytest.approx([stored / rate / 3600 for rate in (COLD, WARM)], rel=0.02)
    for nodes in (1, 4, 16):
        (row,) = re.findall(rf"\| {nodes} \| {nodes} \| ([\d.]+) min \| ([\d.]+) min \|", page)
        minutes = [stored / rate / nodes / 60 for rate in (COLD, WARM)]
        assert [float(one) for one in row] == pytest.approx(minutes, rel=0.03)


def test_a_row_is_stored_in_as_many_bytes_as_the_page_says(tmp_path: Path) -> None:
    rows = 200_000
    stored = data.written(tmp_path, "people", data.people(rows)).stat().st_size
    assert _shown(r"Ours are ([\d.]+) bytes a row") == pytest.approx(stored / rows, rel=0.03)


def _bytes(sizes: dict[str, float], columns: Iterable[str]) -> float:
    return sum(sizes[column] for column in columns)


def _price(row: float) -> float:
    return row * ROWS / 2**40 * 6.25


def _shown(pattern: str) -> float:
    (found,) = re.findall(pattern, text(PAGE))
    return float(found)
