"""The verdict of a test that is judged as one of another kind, in its own words.

Undefined is ``None`` here too: a threshold on a measurement that is undefined skips the test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairsql.bias import completed_bias
from fairsql.flagged import completed_flags
from fairsql.limits import holds
from fairsql.paired import completed_counterfactual, completed_pairwise
from fairsql.results import ThresholdResult

if TYPE_CHECKING:
    from fairsql.config import Test
    from fairsql.results import TestResult, TestStatistics

Measured = Mapping[str, float | int | None]
Kinds = Mapping[str, str | None]
Completion = Callable[[Any, "TestResult", Sequence["TestStatistics"], Kinds], "TestResult"]

COMPLETIONS: Mapping[str, Completion] = {
    "llm_bias": completed_bias,
    "refusal_rate_disparity": completed_flags,
    "toxicity_sentiment_disparity": completed_flags,
    "stereotype_association_score": completed_flags,
    "counterfactual_fairness_divergence": completed_counterfactual,
    "pairwise_divergence": completed_pairwise,
}
"""Type of test -> what adds to its result what the further questions have answered."""


def completed(
    test: Test, inner: TestResult, further: Sequence[TestStatistics], kinds: Kinds
) -> TestResult:
    """Return the result of a derived test.

    Parameters
    ----------
    test
        What was asked.
    inner
        The verdict of the test that it lowers to.
    further
        The answers to its further questions.
    kinds
        Column -> its kind, where known.
    """
    names = getattr(test, "inner_measurements", {})
    result = replace(
        inner,
        type=test.type,
        relation=test.relation,
        parameters=test.parameters(),
        measurements={
            name: inner.measurements.get(names.get(name, name)) for name in test.measurement_names
        },
    )
    if (complete := COMPLETIONS.get(test.type)) is not None:
        result = complete(test, result, further, kinds)
    return with_measurements(test, result, result.measurements)


def with_measurements(test: Test, result: TestResult, measured: Measured) -> TestResult:
    """Return the result with these measurements, and the verdict that follows from them.

    What had no verdict still has none, unless it was for an undefined measurement alone.
    """
    thresholds = tuple(
        ThresholdResult(limit.measurement, limit.operator, limit.value, observed, passed)
        for limit in test.thresholds
        for observed in [measured.get(limit.measurement)]
        for passed in [None if observed is None else holds(limit.operator, observed, limit.value)]
    )
    result = replace(result, measurements=dict(measured), thresholds=thresholds)
    if result.status in ("skipped", "error") and result.reason != "measurement_undefined":
        return result
    if any(limit.passed is False for limit in thresholds):
        return replace(result, status="failed", reason=None, message=None)
    undefined = next((limit for limit in thresholds if limit.passed is None), None)
    if undefined is None:
        return replace(result, status="passed", reason=None, message=None)
    return replace(
        result,
        status="skipped",
        reason="measurement_undefined",
        message=f"{undefined.measurement} is undefined, so its threshold cannot be judged.",
    )
