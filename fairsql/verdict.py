"""From statistics to a verdict: the rules of the contract's section 4, pure functions on numbers.

Undefined is ``None`` throughout: a group without a value has no ratio, a test that cannot be judged
is skipped with its reason, and neither is ever a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairsql import reasons
from fairsql.comparison import Group, Judgement, compare_groups, is_tested
from fairsql.limits import approximately
from fairsql.metrics import MEASUREMENTS
from fairsql.reasons import Skip
from fairsql.results import (
    Comparison,
    GroupResult,
    Metric,
    Rows,
    TestResult,
    TestStatistics,
    ThresholdResult,
)

if TYPE_CHECKING:
    from fairsql.config import GroupMetricParity

MAX_REPORTED_GROUPS = 100


def judge(
    test: GroupMetricParity,
    statistics: TestStatistics,
    kinds: Mapping[str, str | None] | None = None,
) -> TestResult:
    """Return the verdict of a test on the statistics of its scan.

    Parameters
    ----------
    test
        What was asked.
    statistics
        The row for the whole and the rows of the groups.
    kinds
        Column -> its kind, where known: booleans are named in any letter case.
    """
    whole = statistics.whole
    rows = Rows(
        total=whole["rows_total"],
        missing_metric_inputs=whole["missing_metric_inputs"],
        missing_attribute=whole["missing_attribute"],
        evaluated=whole["evaluated"],
    )
    judgement = compare_groups(test, statistics, kinds or {})
    measurements = _measurements(test, rows, judgement)
    thresholds = tuple(_threshold(threshold, measurements) for threshold in test.thresholds)
    skip = judgement.skip
    if skip is None and all(threshold.passed is not False for threshold in thresholds):
        skip = _null_measurement(thresholds)
    if skip is not None:
        status = "skipped"
    else:
        status = "passed" if all(threshold.passed for threshold in thresholds) else "failed"
    groups = [_result(test, group) for group in sorted(judgement.groups, key=_place)]
    compared = sum(group.compared for group in judgement.groups)
    return TestResult(
        name=test.name,
        type=test.type,
        relation=test.relation,
        status=status,  # type: ignore[arg-type]
        reason=skip.reason if skip else None,
        message=skip.message if skip else None,
        notes=tuple(
            reasons.notes(
                test,
                statistics,
                groups,
                compared=compared,
                tested=is_tested(test),
            )
        )
        + _unshown(len(groups)),
        parameters=test.parameters(),
        rows=rows,
        overall_value=judgement.overall,
        comparison=_shown(test, judgement, groups),
        measurements=measurements,
        thresholds=thresholds,
        groups_total=whole["groups_total"],
        groups=tuple(groups[:MAX_REPORTED_GROUPS]),
        metric=_metric(test),
        approximate=test.weight_column is not None,
    )


def unjudged(test: GroupMetricParity, skip: Skip) -> TestResult:
    """Return the result of a test that no scan could serve."""
    return TestResult(
        name=test.name,
        type=test.type,
        relation=test.relation,
        status="error" if skip.reason == "error" else "skipped",
        reason=skip.reason,
        message=skip.message,
        notes=(),
        parameters=test.parameters(),
        rows=Rows(),
        overall_value=None,
        comparison=None,
        measurements=dict.fromkeys(MEASUREMENTS),
        thresholds=tuple(
            ThresholdResult(limit.measurement, limit.operator, limit.value, None, None)
            for limit in test.thresholds
        ),
        groups_total=None,
        groups=(),
        metric=_metric(test),
        approximate=test.weight_column is not None,
    )


def _metric(test: GroupMetricParity) -> Metric:
    return Metric(test.metric.label, test.higher_better)


# --- measurements and thresholds -------------------------------------------------------------


def _measurements(
    test: GroupMetricParity, rows: Rows, judgement: Judgement
) -> dict[str, float | int | None]:
    groups = judgement.groups
    measurements: dict[str, float | int | None] = dict.fromkeys(MEASUREMENTS)
    with_inputs = (rows.evaluated or 0) + (rows.missing_attribute or 0)
    if with_inputs:
        measurements["missing_attribute_rate"] = (rows.missing_attribute or 0) / with_inputs
    if not groups:
        return measurements
    sufficient = [group for group in groups if group.sufficient]
    values = [group.value for group in sufficient if group.value is not None]
    measurements["insufficient_group_count"] = len(groups) - len(sufficient)
    measurements["min_group_share"] = min(group.share for group in groups)
    measurements["undefined_group_count"] = len(sufficient) - len(values)
    if values and not test.metric.standardized:
        measurements["worst_group_value"] = (min if test.higher_better else max)(values)
    if judgement.skip or judgement.comparison is None:
        return measurements
    compared = [group for group in groups if group.compared]
    failing = sum(group.failed for group in compared)
    measurements["failing_group_count"] = failing
    measurements["failing_group_percentage"] = failing / len(sufficient)
    if not test.metric.standardized:
        measurements["min_metric_ratio"] = _min_ratio(compared)
    measurements["max_metric_difference"] = max(group.difference or 0.0 for group in compared)
    measurements["significant_disparity_count"] = sum(group.significant for group in compared)
    return measurements


def _min_ratio(compared: Sequence[Group]) -> float | None:
    if any(group.worse and group.ratio is None for group in compared):
        return None
    ratios = [group.ratio for group in compared if group.ratio is not None]
    return min(ratios) if ratios else 1.0


_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    ">": lambda observed, limit: observed > limit and not approximately(observed, limit),
    ">=": lambda observed, limit: observed >= limit or approximately(observed, limit),
    "<": lambda observed, limit: observed < limit and not approximately(observed, limit),
    "<=": lambda observed, limit: observed <= limit or approximately(observed, limit),
    "is": approximately,
    "!=": lambda observed, limit: not approximately(observed, limit),
}


def _threshold(threshold: Any, measurements: Mapping[str, float | int | None]) -> ThresholdResult:
    observed = measurements[threshold.measurement]
    passed = None if observed is None else _HOLDS[threshold.operator](observed, threshold.value)
    return ThresholdResult(
        threshold.measurement, threshold.operator, threshold.value, observed, passed
    )


def _null_measurement(thresholds: Sequence[ThresholdResult]) -> Skip | None:
    undefined = next((limit for limit in thresholds if limit.observed is None), None)
    if undefined is None:
        return None
    return Skip(
        "measurement_undefined",
        f"{undefined.measurement} is undefined, so its threshold cannot be judged.",
    )


# --- what is shown ---------------------------------------------------------------------------


def _place(group: Group) -> tuple[Any, ...]:
    """Return a group's place in the list: worst first, insufficient last, ties by key."""
    if not group.sufficient:
        return (5, group.key)
    if group.value is None:
        return (4, group.key)
    if group.is_reference:
        return (3, group.key)
    rank = 0 if group.failed else 1 if group.worse else 2
    has_ratio = group.ratio is not None
    return (rank, has_ratio, group.ratio or 0.0, -(group.difference or 0.0), group.key)


def _result(test: GroupMetricParity, group: Group) -> GroupResult:
    metric = test.metric
    interval = metric.interval
    shown = group.rows >= test.min_reported_rows
    result = GroupResult(
        key=dict(zip(test.protected_attribute_columns, group.key, strict=True)),
        rows=group.rows,
        missing_metric_inputs=group.missing_metric_inputs,
        share=group.share,
        sufficient=group.sufficient,
        value=None if metric.standardized else group.value,
        value_reason=group.value_reason,
        denominator=metric.denominator(group.statistics),
        statistics={name: value for name, value in group.statistics.items() if name != "rows"},
        suppressed=False,
        confidence_interval=(
            interval(group.statistics, test.alpha)
            if interval is not None and group.value is not None and shown
            else None
        ),
        ratio=group.ratio,
        difference=group.difference,
        is_reference=group.is_reference,
        worse=group.worse,
        p_value=group.p_value,
        p_value_adjusted=group.p_value_adjusted,
        significant=group.significant,
        failed=group.failed,
    )
    return result if shown else _suppressed(result)


def _suppressed(result: GroupResult) -> GroupResult:
    return replace(
        result,
        rows=None,
        missing_metric_inputs=None,
        share=None,
        value=None,
        denominator=None,
        statistics=None,
        suppressed=True,
        confidence_interval=None,
        ratio=None,
        difference=None,
        p_value=None,
        p_value_adjusted=None,
    )


def _shown(
    test: GroupMetricParity, judgement: Judgement, groups: Sequence[GroupResult]
) -> Comparison | None:
    """Return the comparison point, without its value if that is a suppressed group's or a mean."""
    comparison = judgement.comparison
    hidden = any(group.is_reference and group.suppressed for group in groups)
    if comparison and (hidden or test.metric.standardized):
        return replace(comparison, value=None)
    return comparison


def _unshown(total: int) -> tuple[str, ...]:
    if total <= MAX_REPORTED_GROUPS:
        return ()
    return (f"The {MAX_REPORTED_GROUPS} worst of {total:,} groups are listed; all were judged.",)
