"""The metrics of the other test types, on generated tables: against the oracle, and in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.metrics import METRICS, PARITY_METRICS
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.dbt.rows import failure_differences, result_differences
from tests.differential import differences, oracle_table
from tests.further import question, verdict_sql
from tests.generator import FURTHER_METRICS, OF_SPREADS, Case, cases, load
from tests.oracle import judge

if TYPE_CHECKING:
    from fairsql.results import TestResult

BLOCKS = 8
CASES_A_BLOCK = 12
UNRUNNABLE = ("column_missing", "column_not_numeric")  # the warehouse's own error in SQL


def test_the_generator_knows_every_metric_of_these_inputs() -> None:
    known = {"number", "nonzero", "label", "any", "missing"}
    of_these = {name for name, metric in METRICS.items() if set(metric.inputs.values()) <= known}
    assert set(FURTHER_METRICS) == of_these - set(PARITY_METRICS)


def siblings(case: Case) -> Iterator[dict[str, Any]]:
    """Yield the case's test, and one of each other metric that reads the same columns.

    Numbers about 1e9 are not drawn where a metric of spreads is asked for, so it joins no others.
    """
    yield case.test
    own = METRICS[case.test["parity_metric"]]
    dropped = ("thresholds", "max_difference", "require_significance", "comparison")
    kept = {name: value for name, value in case.test.items() if name not in dropped}
    for name, metric in METRICS.items():
        same = metric.inputs == own.inputs and (metric.direction is None) == (own.direction is None)
        if same and metric is not own and (name not in OF_SPREADS or own.name in OF_SPREADS):
            more = {"max_difference": 0.1} if metric.standardized else {}
            yield {**kept, "parity_metric": name, "name": f"{case.name} as {name}", **more}


def run(connection: duckdb.DuckDBPyConnection, *tests: dict[str, Any]) -> tuple[TestResult, ...]:
    found = Suite(tuple(question(relation="sample", **test) for test in tests)).run(connection)
    assert found.scans <= 1
    return found.tests


@pytest.mark.parametrize("seed", range(BLOCKS))
def test_every_field_agrees_with_the_oracle(seed: int) -> None:
    found = []
    with duckdb.connect() as connection:
        for case in cases(seed, CASES_A_BLOCK, FURTHER_METRICS):
            load(connection, case, "sample")
            tests = list(siblings(case))
            for test, result in zip(tests, run(connection, *tests), strict=True):
                expected = judge(oracle_table(case), case.columns, test)
                lines = differences(to_dict(result), expected)
                found += [f"{test['name']}: {line}" for line in lines]
            connection.execute("drop table sample")
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("seed", range(BLOCKS))
def test_sql_reaches_the_verdict_of_python(seed: int) -> None:
    found = []
    with duckdb.connect() as connection:
        for case in cases(seed, CASES_A_BLOCK, FURTHER_METRICS):
            load(connection, case, "sample")
            (result,) = run(connection, case.test)
            (complete,) = run(connection, {**case.test, "min_reported_rows": 1})
            if result.reason not in UNRUNNABLE:
                shown = rows(connection, verdict_sql("duckdb", "sample", case.test, failures=False))
                broken = rows(connection, verdict_sql("duckdb", "sample", case.test, failures=True))
                lines = [*result_differences(shown, to_dict(result))]
                if len(complete.groups) == complete.groups_total:
                    lines += failure_differences(broken, to_dict(complete))
                found += [f"{case.name}: {line}" for line in lines]
            connection.execute("drop table sample")
    assert not found, "\n".join(found[:20])


def rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    found = connection.sql(sql)
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
