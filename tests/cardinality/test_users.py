"""Tests by identifiers end as they would without a look, on every engine, and cost no groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.suite import Suite
from tests.cardinality.counting import counting_differences, told
from tests.cardinality.users import USERS, asked_of, few_of
from tests.engines.running import ENGINES, Engine
from tests.windows.test_backfill import differences

if TYPE_CHECKING:
    from fairsql.results import Run


SLOW = ("googlesql", "spark")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES],
)
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[Engine, Suite]]:
    """Yield an engine that has the users, and a suite that asks about them."""
    name = request.param
    with ENGINES[name]() as opened:
        opened.load("users", replace(USERS, rows=USERS.rows[:1600]) if name in SLOW else USERS)
        yield opened, Suite((few_of if name in SLOW else asked_of)("users"))
        opened.drop("users")


def run(asked: tuple[Engine, Suite], *, look_first: bool) -> Run:
    engine, suite = asked
    warehouse: Any = engine.warehouse
    before = warehouse.looks_first
    warehouse.looks_first = look_first
    try:
        return suite.run(warehouse)
    finally:
        warehouse.looks_first = before


def test_results_are_those_of_a_run_without_a_look(asked: tuple[Engine, Suite]) -> None:
    looked, plain = (run(asked, look_first=first) for first in (True, False))
    assert plain.scans == 1
    found = {one.name: one for one in looked.tests}
    assert {one.status for one in plain.tests} <= {"passed", "failed", "skipped"}
    for expected in plain.tests:
        result = found[expected.name]
        assert differences(told(result), told(expected)) == []
        is_counted = expected.reason == "too_many_groups"
        assert (len(result.sql) > 1) == is_counted, expected.name
    assert {"too_many_groups", None} <= {one.reason for one in plain.tests}


def test_counts_are_those_of_the_scan(asked: tuple[Engine, Suite]) -> None:
    engine, suite = asked
    if engine.warehouse.dialect == "bigquery":  # Google's executor needs minutes for all of them
        few = (
            one.model_copy(update={"where": "number < 150 or number is null"})
            for one in suite.tests
        )
        suite = Suite(tuple(few))
    assert list(counting_differences(suite, engine.warehouse)) == []
