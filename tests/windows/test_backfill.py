"""A backfill: each window's result is that of the window alone, and the table is read once."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

import fairsql
from fairsql.errors import ConfigurationError, WarehouseError
from fairsql.report import render_html
from fairsql.results import TestResult, to_dict
from fairsql.suite import Suite
from fairsql.warehouses import connect
from tests.windows.happened import KINDS
from tests.windows.months import CALLS, DAY, METRICS, family_of, load_calls

SPRING = ("2024-03-04", "2024-04-01T12:00")
"""Four weeks, in which New York's clocks and Berlin's change, and half a day."""


@pytest.fixture(scope="module", params=["UTC", "America/New_York"])
def connection(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(f"set timezone = '{request.param}'")
        load_calls(opened)
        yield opened


def told(result: TestResult) -> dict[str, Any]:
    """Return what does not depend on which statement it came from."""
    left_out = ("sql", "query_ids", "elapsed_seconds", "notes")
    return {name: value for name, value in to_dict(result).items() if name not in left_out}


def assert_same(found: Sequence[TestResult], wanted: Sequence[TestResult]) -> None:
    """Numbers may differ in the last digits, as sums do that are merged in another order."""
    assert differences([told(one) for one in found], [told(one) for one in wanted]) == []
    assert {one.status for one in found} <= {"passed", "failed", "skipped"}


def differences(found: Any, wanted: Any, place: str = "") -> list[str]:
    if isinstance(wanted, dict) and isinstance(found, dict) and set(found) == set(wanted):
        pairs = [(f"{place}.{key}", found[key], wanted[key]) for key in wanted]
    elif isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        pairs = [(f"{place}[{n}]", *pair) for n, pair in enumerate(zip(found, wanted, strict=True))]
    elif isinstance(wanted, float) and isinstance(found, float):
        is_near = math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-14)
        return [] if is_near else [f"{place}: {found}, not {wanted}"]
    else:
        return [] if found == wanted else [f"{place}: {found}, not {wanted}"]
    return [line for where, one, other in pairs for line in differences(one, other, where)]


@pytest.mark.parametrize("column", KINDS)
@pytest.mark.parametrize("length", [DAY, 7 * DAY])
def test_each_window_is_as_it_is_alone(
    connection: duckdb.DuckDBPyConnection, column: str, length: int
) -> None:
    suite = Suite(tuple(family_of(column, length)))
    run = suite.run(connection, backfill=SPRING)
    count = 4 * 7 * DAY // length
    assert run.scans == 1
    assert len(run.tests) == count * len(suite.tests)
    for place in range(0, count, max(1, count // 3)):
        end = datetime(2024, 3, 4, tzinfo=UTC) + timedelta(seconds=length * (place + 1))
        alone = suite.run(connection, as_of=end).tests
        assert alone[0].window is not None
        assert alone[0].window.end == f"{end:%Y-%m-%dT%H:%M:%SZ}"
        assert_same(run.tests[place::count], alone)


@pytest.mark.parametrize("metric", METRICS)
def test_a_test_that_is_alone_in_its_scan_is_right_too(
    connection: duckdb.DuckDBPyConnection, metric: str
) -> None:
    (test,) = [test for test in family_of("at", 7 * DAY) if test.name == metric]
    run = Suite((test,)).run(connection, backfill=SPRING)
    for result in run.tests:
        assert result.window is not None
        assert_same([result], Suite((test,)).run(connection, as_of=result.window.end).tests)


def test_a_window_too_short_is_left_out_and_said(connection: duckdb.DuckDBPyConnection) -> None:
    run = Suite(tuple(family_of("at", 7 * DAY))[:1]).run(connection, backfill=SPRING)
    *others, last = run.tests
    assert last.notes[-1] == (
        "the backfill leaves out 2024-04-01 00:00:00 to 2024-04-01 12:00:00, which is shorter than"
        " a window"
    )
    assert not [note for result in others for note in result.notes if "backfill" in note]


def test_the_delay_plays_no_part_and_the_hash_no_difference(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    (test, *_), (delayed, *_) = family_of("at", DAY), family_of("at", DAY, delay_window=3600)
    text = "2024-03-04..2024-03-06"
    run, later = (Suite((one,)).run(connection, backfill=text) for one in (test, delayed))
    assert [told(one)["window"] for one in run.tests] == [
        told(one)["window"] for one in later.tests
    ]
    assert run.suite_sha256 == Suite((test,)).run(connection, as_of="2024-03-06").suite_sha256


def test_a_window_without_rows_is_skipped_and_a_test_without_a_window_runs_once(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    (windowed, *_), (plain, *_) = family_of("at", 7 * DAY), family_of(None, None, name="plain")
    run = Suite((windowed, plain)).run(connection, backfill="2019-12-23..2020-01-06")
    first, second, once = run.tests
    assert [test.reason for test in (first, second, once)] == ["no_rows", None, None]
    assert first.message == (
        "calls has no rows with at from 2019-12-23T00:00:00Z until 2019-12-30T00:00:00Z."
    )
    assert once.window is None
    assert once.rows.total == len(CALLS.rows)
    assert [test.rows.total for test in (first, second)] == [0, 60]


def test_the_sql_of_rows_is_of_the_window(connection: duckdb.DuckDBPyConnection) -> None:
    (test, *_) = family_of("at_zone", 7 * DAY)
    for result in Suite((test,)).run(connection, backfill=SPRING).tests:
        for group in result.groups:
            assert group.rows_sql is not None
            rows = (group.rows or 0) + (group.missing_metric_inputs or 0)
            assert len(connection.sql(group.rows_sql).fetchall()) == rows


def test_a_column_that_is_missing_is_one_result(connection: duckdb.DuckDBPyConnection) -> None:
    (test, *_) = family_of("atx", 7 * DAY)
    (result,) = Suite((test,)).run(connection, backfill=SPRING).tests
    assert (result.status, result.reason) == ("skipped", "column_missing")
    assert (result.window or test).end == "2024-04-01T00:00:00Z"  # type: ignore[union-attr]


def test_an_error_is_one_result(connection: duckdb.DuckDBPyConnection) -> None:
    class Refusing:
        def __getattr__(self, name: str) -> Any:
            return getattr(connect(connection), name)

        def run(self, *_arguments: Any) -> Any:
            raise WarehouseError("no")

    suite = Suite(tuple(family_of("at", 7 * DAY))[:2])
    run = suite.run(Refusing(), backfill=SPRING)
    assert [(test.status, test.message) for test in run.tests] == [("error", "no")] * 2


@pytest.mark.parametrize(
    ("backfill", "message"),
    [
        (
            "2024-03-04",
            "backfill: must be two times, FROM..TO, such as 2024-01-01..2024-07-01, but",
        ),
        ("2024-03-04..2024-03-11..2024-04-01", "must be two times, FROM..TO"),
        ("2024-03-04..noon", "backfill: must be a time in ISO 8601"),
        (
            "2024-03-11..2024-03-04",
            "must end after it begins, but is 2024-03-11 00:00:00 to 2024-0",
        ),
        ("2024-03-04..2024-03-04", "must end after it begins"),
        (
            "2024-03-04T00:00:00.5..2024-04-01",
            "must begin with a whole second, but begins with 202",
        ),
        (
            "2024-03-04..2024-03-05",
            "must hold 1 to 1,000 windows of 604,800 seconds, but 2024-03-04",
        ),
        ("2000-01-01..2024-01-01", "2000-01-01 00:00:00 to 2024-01-01 00:00:00 holds 1,252."),
    ],
)
def test_a_wrong_backfill_is_named(
    connection: duckdb.DuckDBPyConnection, backfill: str, message: str
) -> None:
    suite = Suite(tuple(family_of("at", 7 * DAY))[:1])
    with pytest.raises(ConfigurationError) as refused:
        suite.run(connection, backfill=backfill)
    assert message in str(refused.value)


def test_what_does_not_go_with_a_backfill(connection: duckdb.DuckDBPyConnection) -> None:
    (windowed, *_), (plain, *_) = family_of("at", DAY), family_of(None, None)
    with pytest.raises(ConfigurationError, match="as_of: cannot be used with backfill"):
        Suite((windowed,)).run(connection, as_of="2024-03-04", backfill=SPRING)
    with pytest.raises(ConfigurationError, match="backfill: no test has an evaluation_window"):
        Suite((plain,)).run(connection, backfill=SPRING)


def test_a_year_of_weeks_reads_the_table_once(connection: duckdb.DuckDBPyConnection) -> None:
    suite = Suite(tuple(family_of("at", 7 * DAY)))
    run = suite.run(connection, backfill="2023-06-05..2024-06-03")
    assert len(run.tests) == 52 * len(suite.tests)
    plan = connection.sql(f"explain {run.tests[0].sql[0]}").fetchall()[0][1]
    assert len(re.findall(r"Table: \S*calls\b", plan)) == 1, plan


# --- what is made of it ------------------------------------------------------------------------


def test_a_history_holds_each_window_at_its_end(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    suite = Suite(tuple(family_of("at", 7 * DAY))[:2])
    run = suite.run(connection, backfill=SPRING)
    fairsql.keep_history(run, tmp_path / "history.duckdb")
    past = fairsql.read_history(tmp_path / "history.duckdb")
    ends = ["2024-03-11", "2024-03-18", "2024-03-25", "2024-04-01"]
    for test in suite.tests:
        own = [one for one in past if one.test == test.name]
        assert [one.started_at for one in own] == [f"{end}T00:00:00Z" for end in ends]
        results = [result for result in run.tests if result.name == test.name]
        assert [one.measurements["worst_group_value"] for one in own] == [
            result.measurements["worst_group_value"] for result in results
        ]
    # The last window's picture has all four, the first one's itself alone.
    page = render_html(run, past)
    assert "4 runs since 11 March 2024, 00:00 UTC" in page
    assert "This is the first run in the history." in page


def test_outputs_tell_the_windows_apart(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    (test, *_) = family_of("at", 7 * DAY)
    run = Suite((test,)).run(connection, backfill=SPRING)
    names = [f"{test.name} (until 2024-03-{day}T00:00:00Z)" for day in ("11", "18", "25")]
    written = {
        "junit": run.to_junit(),
        "markdown": run.to_markdown().replace("&#58;", ":"),
        "html": render_html(run),
        "notebook": run._repr_html_(),
    }
    for name in names:
        assert not [form for form, text in written.items() if name not in text]
    assert "2024-03-11T00:00:00Z,2024-03-18T00:00:00Z" in run.to_csv()
    path = tmp_path / "results.json"
    path.write_text(run.to_json(), encoding="utf-8")
    again = fairsql.load_run(path)
    assert [one.window for one in again.tests] == [one.window for one in run.tests]
    assert json.loads(run.to_json())["suite_sha256"] == again.suite_sha256
