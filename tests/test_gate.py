"""The gate: what passes it, in which order it names what does not, and the exit codes."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import product
from typing import Any

import duckdb
import pytest

import fairsql
from fairsql import NotFairError, Run, TestResult, assert_fair
from fairsql.errors import ConfigurationError
from fairsql.gate import gate

STATUSES = ("passed", "failed", "skipped", "error")


@pytest.fixture(scope="module")
def results() -> dict[str, TestResult]:
    """A result of each status, of groups whose rates are known."""
    with duckdb.connect() as connection:
        connection.execute(
            "create table loans as select ['F', 'M'][i % 2 + 1] as sex,"
            " case when i % 2 = 0 then i % 10 < 4 else i % 10 < 8 end as approved"
            " from range(200) as rows(i)"
        )

        def ran(relation: str = "loans", **changes: Any) -> TestResult:
            return fairsql.group_outcome_disparity(
                connection, relation, protected_attribute_columns=["sex"],
                outcome_column="approved", favorable_values=["true"], name="approvals", **changes,
            )  # fmt: skip

        limit = {"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8}
        found = {
            "passed": ran(thresholds=[{**limit, "value": 0.1}]),
            "failed": ran(thresholds=[limit]),
            "skipped": ran(min_group_size=1000),
            "error": ran("nowhere"),
        }
    assert {name: result.status for name, result in found.items()} == {
        name: name for name in STATUSES
    }
    return found


def illustrative(result: TestResult) -> TestResult:
    marked = copy.copy(result)
    object.__setattr__(marked, "illustrative", True)
    return marked


def run_of(*tests: TestResult) -> Run:
    moment = "2026-12-01T00:00:00Z"
    return Run(tests, "1", moment, moment, "duckdb", "memory", 1)


def test_what_passed_passes(results: dict[str, TestResult]) -> None:
    assert_fair(results["passed"])
    assert_fair(run_of(results["passed"], results["passed"]))
    assert gate(results["passed"]) == "passed"


@pytest.mark.parametrize(
    ("status", "expected", "said"),
    [
        (
            "failed",
            "failed",
            "- approvals: failed: min_metric_ratio is 0.5, which is not >= 0.8 (failed groups: F).",
        ),
        ("skipped", "undefined", "- approvals: skipped: "),
        ("error", "undefined", "- approvals: error: "),
    ],
)
def test_what_did_not_says_why(
    results: dict[str, TestResult], status: str, expected: str, said: str
) -> None:
    with pytest.raises(NotFairError) as caught:
        assert_fair(results[status])
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, fairsql.FairsqlError)
    assert caught.value.gate == gate(results[status]) == expected
    assert caught.value.tests == (results[status],)
    assert str(caught.value).startswith("1 of 1 test did not pass on evidence.\n")
    assert said in str(caught.value)
    message = results[status].message
    assert message is None or message.rstrip(".") in str(caught.value)


@pytest.mark.parametrize("status", ["passed", "failed"])
def test_an_illustrative_number_neither_passes_nor_fails(
    results: dict[str, TestResult], status: str
) -> None:
    result = illustrative(results[status])
    with pytest.raises(NotFairError, match="samples are too small to be evidence") as caught:
        assert_fair(result, allow_skips=True)
    assert caught.value.gate == "illustrative"
    assert run_of(result).exit_code() == run_of(result).exit_code(allow_skips=True) == 3


def test_a_skip_that_was_to_be_illustrative_is_a_skip(results: dict[str, TestResult]) -> None:
    assert gate(illustrative(results["skipped"])) == "undefined"
    assert gate(illustrative(results["error"])) == "undefined"


def test_skips_may_be_let_through_and_errors_not(results: dict[str, TestResult]) -> None:
    assert_fair(results["skipped"], allow_skips=True)
    for status in ("failed", "error"):
        with pytest.raises(NotFairError):
            assert_fair(results[status], allow_skips=True)


def test_a_run_without_a_test_shows_nothing() -> None:
    with pytest.raises(NotFairError, match="no test ran") as caught:
        assert_fair(run_of())
    assert caught.value.gate == gate(run_of()) == "undefined"


def test_the_order_of_what_a_run_is(results: dict[str, TestResult]) -> None:
    kinds = {**results, "illustrative": illustrative(results["failed"])}
    order = ["illustrative", "undefined", "failed", "passed"]
    means = {"skipped": "undefined", "error": "undefined"}
    for names in product(kinds, repeat=2):
        run = run_of(*(kinds[name] for name in names))
        expected = min((means.get(name, name) for name in names), key=order.index)
        assert gate(run) == expected, names
        codes = {"error": 4, "failed": 1, "skipped": 3, "illustrative": 3, "passed": 0}
        worst = min((codes[name] for name in names), key=[4, 1, 3, 0].index)
        assert run.exit_code() == worst, names
        if expected == "passed":
            assert_fair(run)
        else:
            with pytest.raises(NotFairError) as caught:
                assert_fair(run)
            assert caught.value.gate == expected


def test_a_long_list_is_cut(results: dict[str, TestResult]) -> None:
    many = [replace(results["failed"], name=f"test {place}") for place in range(25)]
    with pytest.raises(NotFairError) as caught:
        assert_fair(run_of(*many))
    lines = str(caught.value).splitlines()
    assert lines[0] == "25 of 25 tests did not pass on evidence."
    assert len(lines) == 22
    assert lines[-1] == "- and 5 more."
    assert len(caught.value.tests) == 25


@pytest.mark.parametrize("wrong", [None, True, "passed", [], {"status": "passed"}])
def test_what_is_no_result_does_not_pass(wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="must be a result of a test or a run"):
        assert_fair(wrong)
