"""A window in DuckDB: the rows that pandas finds, whatever the column's kind and the session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import fairsql
from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.generator import load
from tests.windows.happened import (
    FIELDS,
    KINDS,
    SEEN,
    all_of,
    bounds,
    expected,
    fields,
    found,
    table,
)

HAPPENED = table()


@pytest.fixture(scope="module", params=["UTC", "America/New_York"])
def connection(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(f"set timezone = '{request.param}'")
        load(opened, HAPPENED, "happened")
        yield opened


def one(connection: Any, as_of: Any, **changes: Any) -> fairsql.TestResult:
    return fairsql.group_metric_parity(connection, "happened", as_of=as_of, **changes)


@pytest.mark.parametrize(("column", "seen"), [*all_of()])
def test_a_window_holds_the_rows_that_pandas_finds(
    connection: duckdb.DuckDBPyConnection, column: str, seen: str
) -> None:
    result = one(connection, SEEN[seen][0], **fields(column, seen))
    groups = expected(HAPPENED, column, seen)
    assert found(result) == groups
    assert result.rows.total == sum(rows for rows, _ in groups.values())
    assert result.window is not None
    start, end = (bound.isoformat().replace("+00:00", "Z") for bound in bounds(seen))
    assert (result.window.start, result.window.end) == (start, end)
    assert result.window.timestamp_column == column
    for group in result.groups:
        assert group.rows_sql is not None
        assert len(connection.sql(group.rows_sql).fetchall()) == group.rows


@pytest.mark.parametrize(("column", "seen"), [*all_of()])
def test_sql_that_knows_no_types_finds_the_same_rows(
    connection: duckdb.DuckDBPyConnection, column: str, seen: str
) -> None:
    suite = Suite((build_test(relation="happened", **fields(column, seen)),))
    sql = fairsql.compile(suite, dialect="duckdb", as_of=SEEN[seen][0])
    answer = connection.sql(sql.rstrip().rstrip(";"))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]
    groups = {
        row["key_1"]: (row["evaluated"], row["positives"]) for row in rows if not row["is_whole"]
    }
    assert groups == expected(HAPPENED, column, seen)


def test_a_filter_and_a_window_both_hold(connection: duckdb.DuckDBPyConnection) -> None:
    # `or` within the filter must not let rows of other times in.
    result = one(
        connection,
        SEEN["a week"][0],
        **fields("at", "a week"),
        where="gender = 'F' or gender = 'M' -- and nobody else",
    )
    groups = expected(HAPPENED, "at", "a week")
    assert found(result) == {key: groups[key] for key in ("F", "M")}


def test_family_of_one_window_share_a_scan(connection: duckdb.DuckDBPyConnection) -> None:
    windows = [fields("at", "a week"), {**fields("at", "a week"), "min_ratio": 0.5}, FIELDS]
    tests = [
        build_test(name=str(number), relation="happened", **one)
        for number, one in enumerate(windows)
    ]
    run = Suite(tuple(tests)).run(connection, as_of=SEEN["a week"][0])
    assert run.scans == 2
    assert [test.window is None for test in run.tests] == [False, False, True]
    # The same was asked, whenever it was.
    assert run.suite_sha256 == Suite(tuple(tests)).run(connection, as_of="2020-01-01").suite_sha256


def test_all_family_of_a_run_look_back_from_its_start(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    tests = [
        build_test(name=str(n), relation="happened", **FIELDS, timestamp_column="at",
                   evaluation_window=n)
        for n in (5, 60)
    ]  # fmt: skip
    run = Suite(tuple(tests)).run(connection)
    ends = {test.window.end for test in run.tests if test.window}
    assert ends == {run.started_at}


def test_the_column_stands_alone_beside_literals(connection: duckdb.DuckDBPyConnection) -> None:
    # Or partitions and files of other times would be read.
    literals = {
        "at": "timestamp '2024-03-08 00:00:00'",
        "at_zone": "timestamptz '2024-03-08 00:00:00+00'",
        "on_day": "date '2024-03-08'",
    }
    for column in KINDS:
        result = one(connection, SEEN["a week"][0], **fields(column, "a week"))
        assert f'and "{column}" < {literals[column]}\n' in result.sql[0]


@pytest.mark.parametrize(
    ("expression", "told"),
    [("cast(at as varchar)", "VARCHAR"), ("epoch_us(at)", "BIGINT"), ("cast(at as time)", "TIME")],
)
def test_a_column_that_is_no_time_is_refused(
    connection: duckdb.DuckDBPyConnection, expression: str, told: str
) -> None:
    result = fairsql.group_metric_parity(
        connection,
        f"(select *, {expression} as odd from happened)",
        as_of="2024-03-08",
        **fields("odd", "a week"),
    )
    assert (result.status, result.reason) == ("skipped", "column_not_timestamp")
    assert result.message == (
        f"a window needs a timestamp or a date, but column 'odd' is {told}: cast it to a timestamp,"
        " in a view or in a select as the relation."
    )
    assert result.window is not None


def test_a_column_that_is_missing_is_named(connection: duckdb.DuckDBPyConnection) -> None:
    result = one(connection, "2024-03-08", **fields("att", "a week"))
    assert (result.status, result.reason) == ("skipped", "column_missing")
    assert result.message == "happened has no column 'att'. Did you mean 'at'?"


def test_a_window_without_rows_is_said(connection: duckdb.DuckDBPyConnection) -> None:
    result = one(connection, "2031-03-08", **fields("at", "a week"), where="approved = 1")
    assert (result.status, result.reason) == ("skipped", "no_rows")
    assert result.message == (
        "happened has no rows where approved = 1 with at from 2031-03-01T00:00:00Z until"
        " 2031-03-08T00:00:00Z."
    )


def test_a_window_is_in_the_results_file_and_read_back(
    connection: duckdb.DuckDBPyConnection, tmp_path: Any
) -> None:
    tests = [build_test(relation="happened", **fields("at", "a week"))]
    run = Suite(tuple(tests)).run(connection, as_of="2024-03-08")
    told = to_dict(run.tests[0])
    assert told["window"] == {
        "start": "2024-03-01T00:00:00Z",
        "end": "2024-03-08T00:00:00Z",
        "timestamp_column": "at",
    }
    assert told["parameters"]["evaluation_window"] == 604_800
    path = tmp_path / "results.json"
    path.write_text(run.to_json(), encoding="utf-8")
    assert fairsql.load_run(path).tests[0].window == run.tests[0].window
    del (older := json.loads(run.to_json()))["tests"][0]["window"]
    path.write_text(json.dumps(older), encoding="utf-8")
    assert fairsql.load_run(path).tests[0].window is None


def test_reports_say_which_window(connection: duckdb.DuckDBPyConnection, tmp_path: Any) -> None:
    tests = [build_test(relation="happened", **fields("at", "a week"), min_ratio=1)]
    run = Suite(tuple(tests)).run(connection, as_of="2024-03-08")
    said = "at from 2024-03-01T00:00:00Z until 2024-03-08T00:00:00Z"
    run.write_html(tmp_path / "report.html")
    assert said in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert said in run.to_markdown().replace("&#58;", ":")
