"""A gate for pytest and for pipelines: what is not shown to be fair does not pass.

A result is one of four, the first that applies: *illustrative*, since samples too small to be
evidence were let in; *undefined*, where there is no verdict; *failed*; *passed*. A number of an
illustrative result is no evidence either way, so that it neither passes nor fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from fairsql.errors import ConfigurationError, FairsqlError
from fairsql.results import Run, TestResult, is_illustrative

Gate = Literal["illustrative", "undefined", "failed", "passed"]

_IN_ORDER: tuple[Gate, ...] = ("illustrative", "undefined", "failed", "passed")
_SHOWN = 20  # tests that a message lists
_ILLUSTRATIVE = "illustrative: its samples are too small to be evidence"


class NotFairError(FairsqlError, AssertionError):
    """A test did not pass, or its result is no evidence.

    Attributes
    ----------
    gate
        The first of illustrative, undefined and failed that any test is.
    tests
        The results that did not pass, in the order of the run.
    """

    def __init__(self, message: str, gate: Gate, tests: tuple[TestResult, ...]) -> None:
        super().__init__(message)
        self.gate = gate
        self.tests = tests


def gate(result: TestResult | Run) -> Gate:
    """Return what a result is at the gate; of a run, the first that any of its tests is.

    A run without a test is undefined: nothing was shown.

    Raises
    ------
    ConfigurationError
        When it is neither a result nor a run.
    """
    return _first(_tests(result))


def assert_fair(result: TestResult | Run, *, allow_skips: bool = False) -> None:
    """Raise unless every test passed, and on evidence.

    Parameters
    ----------
    result
        What a test's function returns, or a run of a suite.
    allow_skips
        Whether a skipped test is let through; an error and an illustrative result never are.

    Raises
    ------
    NotFairError
        An ``AssertionError`` that says which tests did not pass, and why.
    ConfigurationError
        When it is neither a result nor a run: a gate lets nothing through that it cannot read.

    Examples
    --------
    >>> import duckdb, fairsql
    >>> connection = duckdb.connect()
    >>> _ = connection.execute(
    ...     "create table loans as select ['F', 'M'][i % 2 + 1] as gender, i % 10 < 4 as approved"
    ...     " from range(200) as rows(i)"
    ... )
    >>> result = fairsql.group_outcome_disparity(
    ...     connection,
    ...     "loans",
    ...     protected_attribute_columns=["gender"],
    ...     outcome_column="approved",
    ...     favorable_values=["true"],
    ... )
    >>> fairsql.assert_fair(result)
    """
    __tracebackhide__ = True
    tests = _tests(result)
    skips = {"skipped"} if allow_skips else set()
    left = tuple(
        test
        for test in tests
        if _of(test) != "passed" and (test.status not in skips or is_illustrative(test))
    )
    if left or not tests:
        raise NotFairError(_message(left, len(tests)), _first(left), left)


def _first(tests: Iterable[TestResult]) -> Gate:
    gates = {_of(test) for test in tests}
    return next((one for one in _IN_ORDER if one in gates), "undefined")


def _tests(result: TestResult | Run) -> tuple[TestResult, ...]:
    if isinstance(result, Run):
        return result.tests
    if isinstance(result, TestResult):
        return (result,)
    raise ConfigurationError(
        f"must be a result of a test or a run of a suite, but is of type {type(result).__name__}."
    )


def _of(test: TestResult) -> Gate:
    if is_illustrative(test):
        return "illustrative"
    if test.status in ("passed", "failed"):
        return "passed" if test.status == "passed" else "failed"
    return "undefined"


def _message(left: tuple[TestResult, ...], count: int) -> str:
    if not count:
        return "no test ran, so that nothing is shown."
    noun = "test" if count == 1 else "tests"
    lines = [f"{len(left)} of {count} {noun} did not pass on evidence."]
    lines += [f"- {test.name}: {_reason(test)}." for test in left[:_SHOWN]]
    if len(left) > _SHOWN:
        lines.append(f"- and {len(left) - _SHOWN} more.")
    return "\n".join(lines)


def _reason(test: TestResult) -> str:
    own = _of(test)
    if own == "undefined":
        return f"{test.status}: {(test.message or test.reason or 'no reason given').rstrip('.')}"
    broken = ", ".join(
        f"{limit.measurement} is {_number(limit.observed)}, which is not"
        f" {limit.operator} {_number(limit.value)}"
        for limit in test.thresholds
        if limit.passed is False
    )
    if own == "illustrative":
        return f"{_ILLUSTRATIVE}{': ' + broken if broken else ''}"
    groups = ", ".join(
        " ".join(map(str, group.key.values())) for group in test.groups if group.failed
    )
    return f"failed: {broken}{f' (failed groups: {groups})' if groups else ''}"


def _number(value: float | int | None) -> str:
    return "undefined" if value is None else f"{value:.6g}"
