"""What is looked at and counted, when, and what becomes of tests where a warehouse says no."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import fairsql
from fairsql.config import build_test
from fairsql.errors import TooLateError, WarehouseError
from fairsql.suite import Suite
from fairsql.warehouses import Answer, Label, Limits
from fairsql.warehouses.duckdb import DuckDBWarehouse
from tests.cardinality.counting import told
from tests.windows.test_backfill import differences

if TYPE_CHECKING:
    from fairsql.results import Run, TestResult

RATE: dict[str, Any] = {
    "type": "group_metric_parity",
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}


class Watched(DuckDBWarehouse):
    """DuckDB that remembers what it was asked, and refuses what a test wants refused."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, *, look_first: bool = True) -> None:
        super().__init__(connection, owned=False, limits=Limits(look_first=look_first))
        self.asked: list[str] = []
        self.refused: dict[str, WarehouseError] = {}

    def run(self, sql: str, label: Label | None = None, /) -> Answer:
        kind = kind_of(sql)
        self.asked.append(kind)
        if kind in self.refused:
            raise self.refused[kind]
        return super().run(sql, label)


def kind_of(sql: str) -> str:
    """Return what a statement is: a look, a count or a scan."""
    kinds = {"a look": "look", "groups counted": "count", "cut": "scan"}
    return next(kind for start, kind in kinds.items() if f"\n-- {start}" in sql)


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(
            "create table users as select i % 1500 as id, i % 1001 as just_too_many,"
            " i % 1000 as just_enough, i % 3 as branch, i % 50 as a, i // 50 % 50 as b,"
            " i // 2500 % 50 as c, i % 2 = 0 as flag, (i * 7 % 5 < 2)::int as approved,"
            " case when i % 1000 < 400 then ' ' || (i % 1000) || '.0' else (i % 1000)::text end"
            " || case when i < 3000 then '' else '  ' end as spelled"
            " from range(9000) as numbers(i)"
        )
        yield opened


def suite_of(*attributes: list[str], relation: str = "users", **more: Any) -> Suite:
    fields = {**RATE, **more}
    return Suite(
        tuple(
            build_test(
                name=" and ".join(columns),
                relation=relation,
                protected_attribute_columns=columns,
                **fields,
            )
            for columns in attributes
        )
    )


def same_as_without_a_look(
    connection: duckdb.DuckDBPyConnection, suite: Suite
) -> tuple[list[str], Run]:
    """Run a suite with and without a look, and return what was asked with one, and the run."""
    watched, plain = Watched(connection), Watched(connection, look_first=False)
    run, expected = suite.run(watched), suite.run(plain)
    assert set(plain.asked) == {"scan"}
    for mine, theirs in zip(run.tests, expected.tests, strict=True):
        assert differences(told(mine), told(theirs)) == []
    assert run.scans == len(watched.asked) - watched.asked.count("look")
    return watched.asked, run


def only(run: Run) -> TestResult:
    (result,) = run.tests
    return result


@pytest.mark.parametrize(
    ("column", "asked", "reason"),
    [
        ("id", ["look", "count", "scan"], "too_many_groups"),
        ("just_too_many", ["look", "count", "scan"], "too_many_groups"),
        ("just_enough", ["look", "scan"], "fewer_than_two_sufficient_groups"),
        # 3,000 spellings of 1,000 groups.
        ("spelled", ["look", "count", "scan"], "fewer_than_two_sufficient_groups"),
        ("branch", ["look", "scan"], None),
        ("flag", ["scan"], None),
    ],
)
def test_what_is_asked(
    connection: duckdb.DuckDBPyConnection, column: str, asked: list[str], reason: str | None
) -> None:
    found, run = same_as_without_a_look(connection, suite_of([column]))
    assert (found, only(run).reason) == (asked, reason)


def test_a_combination_is_judged_and_not_each_attribute(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    suite = suite_of(["a"], ["b"], ["a", "b", "c"])
    asked, run = same_as_without_a_look(connection, suite)
    assert asked == ["look", "count", "scan"]
    assert [one.groups_total for one in run.tests] == [50, 50, 9000]
    assert [one.reason == "too_many_groups" for one in run.tests] == [False, False, True]


def test_no_other_test_pays_for_an_identifier(connection: duckdb.DuckDBPyConnection) -> None:
    run = suite_of(["branch"], ["id"]).run(connection)
    scan = run.tests[0].sql[0]
    until_raw_keys = scan.partition("cleaned as (")[0].rstrip(", \n")
    raw_keys = connection.sql(f"{until_raw_keys} select * from by_raw_key").fetchall()
    assert len(raw_keys) == 3
    assert len(connection.sql(scan).fetchall()) == 3 + 2


def test_nothing_is_ranked_for_too_many_groups(connection: duckdb.DuckDBPyConnection) -> None:
    suite = suite_of(["id"], parity_metric="median", positive_values=None)
    scan = only(suite.run(connection)).sql[-1]
    assert "order_statistics" not in scan


@pytest.mark.parametrize("condition", ["id < 0", "approved is null", "id < 900"])
def test_a_filter_that_leaves_few_rows_or_none(
    connection: duckdb.DuckDBPyConnection, condition: str
) -> None:
    asked, run = same_as_without_a_look(connection, suite_of(["id"], where=condition))
    assert asked == ["look", "scan"]
    assert only(run).reason != "too_many_groups"


def test_an_empty_table_and_one_of_missing_values(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create table nobody as select * from users limit 0")
    connection.execute(
        "create table nameless as select * replace (nullif(id, id) as id, ' ' || chr(9) as spelled)"
        " from users"
    )
    for relation in ("nobody", "nameless"):
        suite = suite_of(["id"], ["spelled"], relation=relation)
        asked, run = same_as_without_a_look(connection, suite)
        assert asked == ["look", "scan"]
        reason = {"nobody": "no_rows", "nameless": "column_all_missing"}[relation]
        assert {one.reason for one in run.tests} == {reason}


def test_very_many_values_that_are_all_blank(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table blanks as select * replace (repeat(' ', id) as spelled) from users"
    )
    asked, run = same_as_without_a_look(connection, suite_of(["spelled"], relation="blanks"))
    assert asked == ["look", "count", "scan"]
    assert only(run).reason == "column_all_missing"


def test_a_sorted_table_shows_nothing_and_is_right(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table sorted as select greatest(i - 100000, 0) as id, i % 2 as approved"
        " from range(103000) as numbers(i)"
    )
    asked, run = same_as_without_a_look(connection, suite_of(["id"], relation="sorted"))
    assert asked == ["look", "scan"]
    assert (only(run).reason, only(run).groups_total) == ("too_many_groups", 3000)


def test_infinite_values_come_before_too_many_groups(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("create table beyond as select id, 'inf'::double as approved from users")
    suite = suite_of(["id"], relation="beyond", parity_metric="mean", positive_values=None)
    asked, run = same_as_without_a_look(connection, suite)
    assert asked == ["look", "count", "scan"]
    assert only(run).reason == "infinite_values"


def test_some_windows_have_too_many_groups(connection: duckdb.DuckDBPyConnection) -> None:
    # 2,000 identifiers on each of two days, then 2 on the third: the scan tells all apart.
    connection.execute(
        "create table events as select date '2024-03-01' + (i // 2000)::int as day,"
        " case when i < 4000 then i else i % 2 end as id, i % 2 as approved"
        " from range(6000) as numbers(i)"
    )
    suite = suite_of(["id"], relation="events", timestamp_column="day", evaluation_window=86_400)
    for backfill, asked in (
        ("2024-03-01..2024-03-03", ["look", "count", "scan"]),
        ("2024-03-01..2024-03-04", ["look", "count", "scan"]),
        ("2024-03-03..2024-03-04", ["look", "scan"]),
        ("2024-02-01..2024-03-03", ["look", "count", "scan"]),
    ):
        watched, plain = Watched(connection), Watched(connection, look_first=False)
        run, expected = (suite.run(one, backfill=backfill) for one in (watched, plain))
        for mine, theirs in zip(run.tests, expected.tests, strict=True):
            assert differences(told(mine), told(theirs)) == []
        assert watched.asked == asked
    assert [one.groups_total for one in expected.tests[-2:]] == [2000, 2000]


def test_a_select_in_parentheses_is_not_looked_at(connection: duckdb.DuckDBPyConnection) -> None:
    asked, run = same_as_without_a_look(
        connection, suite_of(["id"], relation="(select * from users)")
    )
    assert asked == ["scan"]
    assert only(run).reason == "too_many_groups"


@pytest.mark.parametrize("refused", ["look", "count"])
def test_a_warehouse_that_says_no_is_asked_for_the_scan(
    connection: duckdb.DuckDBPyConnection, refused: str
) -> None:
    watched = Watched(connection)
    watched.refused = {refused: WarehouseError("no")}
    result = only(suite_of(["id"]).run(watched))
    assert (result.reason, result.groups_total) == ("too_many_groups", 1500)
    assert watched.asked[-2:] == [refused, "scan"]


def test_groups_that_cannot_be_counted_in_time_are_an_error_of_their_tests(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    watched = Watched(connection)
    watched.refused = {"count": TooLateError("DuckDB", 5)}
    run = suite_of(["id"], ["branch"]).run(watched)
    assert [one.status for one in run.tests] == ["error", "passed"]
    assert "5 seconds" in str(run.tests[0].message)
    assert watched.asked == ["look", "count", "look", "scan"]


def test_a_relation_that_changes_meanwhile_is_an_error(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    class Loaded(Watched):
        def run(self, sql: str, label: Label | None = None, /) -> Answer:
            answer = super().run(sql, label)
            if self.asked[-1] == "count":
                connection.execute("insert into users (id, branch, approved) values (1, 1, 1)")
            return answer

    run = suite_of(["id"], ["branch"]).run(Loaded(connection))
    assert [one.status for one in run.tests] == ["error", "passed"]
    assert run.tests[0].reason == "relation_changed"
    assert "run the test again" in str(run.tests[0].message)


def test_a_scan_that_fails_is_run_test_by_test(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create view fragile as select *, case when id > 5 then error('no') else 1 end as bad"
        " from users"
    )
    tests = [
        *suite_of(["id"], ["branch"], relation="fragile").tests,
        *suite_of(["flag"], relation="fragile", value_column="bad").tests,
    ]
    run = Suite(tuple(tests)).run(connection)
    assert [one.status for one in run.tests] == ["skipped", "passed", "error"]


def test_counts_of_the_same_rows_are_counted_once(connection: duckdb.DuckDBPyConnection) -> None:
    suite = Suite(
        (
            *suite_of(["id"]).tests,
            *(
                build_test(
                    **{**RATE, "parity_metric": metric, "positive_values": None},
                    name=metric,
                    relation="users",
                    protected_attribute_columns=["id"],
                )
                for metric in ("mean", "median", "p95")
            ),
        )
    )
    asked, run = same_as_without_a_look(connection, suite)
    assert asked == ["look", "count", "scan"]
    count = run.tests[0].sql[0]
    assert count.count("as groups_") == 2  # a label's rows, and a number's
    assert {one.sql[0] for one in run.tests} == {count}


def test_the_plan_shows_the_look_and_runs_nothing(connection: duckdb.DuckDBPyConnection) -> None:
    watched = Watched(connection)
    plan = suite_of(["id"], ["flag"]).plan(watched)
    (look,) = plan.looks
    assert look is not None
    assert plan.sql_with_looks.startswith(look.sql.rstrip())
    assert watched.asked == []
    assert suite_of(["flag"]).plan(watched).looks == (None,)


def test_no_look_where_it_is_not_wanted(connection: duckdb.DuckDBPyConnection) -> None:
    warehouse = fairsql.connect(connection, look_first=False)
    run = suite_of(["id"]).run(warehouse)
    assert (run.scans, len(only(run).sql)) == (1, 1)
