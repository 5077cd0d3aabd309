"""Every type of test, and weighted rows, look at windows: alone, over and over, and in dbt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import TESTS, Test
from fairsql.config.derived import DerivedTest
from fairsql.suite import Suite
from tests.windows.months import DAY, kinds_of, load_calls
from tests.windows.test_backfill import assert_same

OF_PLAIN_ROWS = {name for name, model in TESTS.items() if not issubclass(model, DerivedTest)}
"""Types that read the relation's rows as they are; others are of rows made of them."""

TESTED = {test.name: test for test in kinds_of("at_zone", 14 * DAY)}
MACROS = macros_for("duckdb")


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute("set timezone = 'America/New_York'")
        load_calls(opened)
        yield opened


def test_all_types_are_tested() -> None:
    assert {test.type for test in TESTED.values()} == OF_PLAIN_ROWS


def test_each_window_of_a_backfill_is_as_it_is_alone(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    suite = Suite(tuple(TESTED.values()))
    run = suite.run(connection, backfill=("2024-03-04", "2024-04-01"))
    assert run.scans == 1
    assert not [result.message for result in run.tests if result.reason]
    for place, end in enumerate(("2024-03-18", "2024-04-01")):
        assert_same(run.tests[place::2], suite.run(connection, as_of=end).tests)


def dbt_rows(connection: duckdb.DuckDBPyConnection, test: Test, as_of: str) -> list[dict[str, Any]]:
    """Return the rows of a model of a test's results."""
    given = dict.fromkeys(MACROS.call("catalogue")["types"][test.type]["parameters"])
    for name in test.model_fields_set & set(given):
        value = getattr(test, name)
        given[name] = list(value) if isinstance(value, tuple) else value
    limits = [dict(limit) for limit in test.thresholds]
    macro = f"default__fairsql_{test.type}_results"
    found = connection.execute(MACROS.call(macro, '"calls"', given, limits, test.name, None, as_of))
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.mark.parametrize("name", TESTED)
def test_the_sql_of_dbt_looks_at_the_same_window(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    test = TESTED[name]
    (result,) = Suite((test,)).run(connection, as_of="2024-03-18").tests
    rows = dbt_rows(connection, test, "2024-03-18")
    assert {(row["status"], row["rows_total"]) for row in rows} == {
        (result.status, result.rows.total)
    }
    values = sorted(row["value"] for row in rows if row["value"] is not None)
    assert values == pytest.approx(
        sorted(group.value for group in result.groups if group.value is not None), rel=1e-9
    )
