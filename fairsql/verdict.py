"""From statistics to a verdict: the rules of the contract's section 4, pure functions on numbers.

Undefined is ``None`` throughout: a group without a value has no ratio, a test that cannot be judged
is skipped with its reason, and neither is ever a pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairsql import reasons
from fairsql.errors import CompilationError
from fairsql.metrics import MEASUREMENTS, QUANTILE, Statistics
from fairsql.reasons import Skip
from fairsql.results import (
    Comparison,
    GroupResult,
    GroupStatistics,
    Rows,
    TestResult,
    TestStatistics,
    ThresholdResult,
)

if TYPE_CHECKING:
    from fairsql.config import GroupMetricParity

MAX_REPORTED_GROUPS = 100
RELATIVE_SLACK = 1e-12
ABSOLUTE_SLACK = 1e-15
ALPHA_SLACK = 1e-9


def approximately(first: float, second: float) -> bool:
    """Return whether two numbers are equal but for rounding.

    >>> approximately((24 / 80) / (30 / 80), 0.8)
    True
    """
    return abs(first - second) <= _slack(first, second)


def _slack(first: float, second: float) -> float:
    return max(RELATIVE_SLACK * max(abs(first), abs(second)), ABSOLUTE_SLACK)


@dataclass(frozen=True)
class _Group:
    """A group on its way to a verdict."""

    key: tuple[str, ...]
    statistics: Statistics
    missing_metric_inputs: int
    share: float
    sufficient: bool
    value: float | None
    is_reference: bool = False
    compared: bool = False
    worse: bool = False
    ratio: float | None = None
    difference: float | None = None
    p_value: float | None = None
    p_value_adjusted: float | None = None
    significant: bool = False
    failed: bool = False

    @property
    def rows(self) -> int:
        return int(self.statistics["rows"])


@dataclass(frozen=True)
class _Judgement:
    """All that a test's verdict rests on; ``skip`` where there is none."""

    groups: tuple[_Group, ...]
    overall: float | None = None
    comparison: Comparison | None = None
    skip: Skip | None = None


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
    judgement = _judge_groups(test, statistics, kinds or {})
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
                tested=_is_tested(test),
            )
        )
        + _unshown(len(groups)),
        parameters=test.parameters(),
        rows=rows,
        overall_value=judgement.overall,
        comparison=_shown(judgement, groups),
        measurements=measurements,
        thresholds=thresholds,
        groups_total=whole["groups_total"],
        groups=tuple(groups[:MAX_REPORTED_GROUPS]),
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
    )


# --- groups ----------------------------------------------------------------------------------


def _judge_groups(
    test: GroupMetricParity, statistics: TestStatistics, kinds: Mapping[str, str | None]
) -> _Judgement:
    skip = reasons.before_groups(test, statistics.whole)
    groups = tuple(
        _group(test, group, statistics.whole, valued=skip is None) for group in statistics.groups
    )
    if skip is not None:
        return _Judgement(groups, skip=skip)
    skip = reasons.absent_class(test, statistics.whole, kinds)
    judgement = _Judgement(groups, _overall(test, groups, statistics.whole), skip=skip)
    if skip is None:
        skip = _no_comparison(test, groups)
    if skip is not None:
        return replace(judgement, skip=skip)
    judgement = _compare(test, judgement, kinds)
    return judgement if judgement.skip else _tested(test, judgement)


def _group(
    test: GroupMetricParity, group: GroupStatistics, whole: Mapping[str, Any], *, valued: bool
) -> _Group:
    metric = test.metric
    rows = group.values["evaluated"]
    share = rows / whole["evaluated"]
    statistics = {name: _finite(group.values.get(name)) for name in metric.family.statistics}
    statistics["rows"] = rows
    return _Group(
        key=group.key,
        statistics=statistics,
        missing_metric_inputs=group.values["missing_metric_inputs"],
        share=share,
        sufficient=rows >= test.min_group_size and share >= test.min_group_share,
        value=metric.value(statistics) if valued else None,
    )


def _finite(number: float | None) -> float | None:
    """Return a statistic, undefined where infinite rows or an overflow left no number."""
    return number if number is not None and math.isfinite(number) else None


def _overall(
    test: GroupMetricParity, groups: Sequence[_Group], whole: Mapping[str, Any]
) -> float | None:
    """Return the metric over all evaluated rows, insufficient groups' rows included."""
    family = test.metric.family
    if family.merge is not None:
        return test.metric.value(family.merge([group.statistics for group in groups]))
    statistics = {name: _finite(whole.get(name)) for name in family.statistics}
    return test.metric.value({**statistics, "rows": whole["evaluated"]})


# --- comparison ------------------------------------------------------------------------------


def _no_comparison(test: GroupMetricParity, groups: Sequence[_Group]) -> Skip | None:
    sufficient = [group for group in groups if group.sufficient]
    if len(sufficient) < 2:
        return Skip(
            "fewer_than_two_sufficient_groups",
            f"{len(sufficient)} of {len(groups)} groups of"
            f" {', '.join(map(repr, test.protected_attribute_columns))} have at least"
            f" {test.min_group_size} rows and {test.min_group_share:g} of all evaluated rows;"
            " two are needed.",
        )
    if all(group.value is None for group in sufficient):
        return Skip(
            "metric_undefined",
            f"{test.metric.label} is undefined for every sufficient group:"
            f" {test.metric.undefined_reason.replace('_', ' ')}.",
        )
    return None


def _compare(
    test: GroupMetricParity, judgement: _Judgement, kinds: Mapping[str, str | None]
) -> _Judgement:
    groups = judgement.groups
    if test.comparison == "overall":
        comparison = Comparison("overall", None, judgement.overall)
        reference = None
    else:
        chosen = _reference(test, groups, kinds)
        if isinstance(chosen, Skip):
            return replace(judgement, skip=chosen)
        reference = chosen
        key = dict(zip(test.protected_attribute_columns, reference.key, strict=True))
        comparison = Comparison("reference", key, reference.value)
    judged = tuple(
        _against(test, group, comparison.value, is_reference=group is reference) for group in groups
    )
    judgement = replace(judgement, groups=judged, comparison=comparison)
    if not any(group.compared for group in judged):
        return replace(
            judgement,
            skip=Skip(
                "nothing_to_compare",
                f"no sufficient group besides the reference has a value of {test.metric.label}.",
            ),
        )
    return judgement


def _reference(
    test: GroupMetricParity, groups: Sequence[_Group], kinds: Mapping[str, str | None]
) -> _Group | Skip:
    if test.reference_strategy == "named":
        return _named_reference(test, groups, kinds)
    candidates = [group for group in groups if group.sufficient and group.value is not None]
    best_of = max if test.higher_better else min
    best = best_of(group.value for group in candidates if group.value is not None)
    tied = [
        group
        for group in candidates
        if group.value is not None and approximately(group.value, best)
    ]
    return min(tied, key=lambda group: (-group.rows, group.key))


def _named_reference(
    test: GroupMetricParity, groups: Sequence[_Group], kinds: Mapping[str, str | None]
) -> _Group | Skip:
    column = test.protected_attribute_columns[0]
    text = test.reference_text or ""
    if kinds.get(column) == "boolean" and text.lower() in ("true", "false"):
        text = text.lower()
    named = next((group for group in groups if group.key == (text,)), None)
    if named is None:
        known = ", ".join(repr(group.key[0]) for group in groups[:10])
        problem = f"is not among the groups of {column!r}: {known}"
    elif not named.sufficient:
        problem = (
            f"has fewer than {test.min_group_size} rows or {test.min_group_share:g} of all rows"
        )
    elif named.value is None:
        problem = f"has no {test.metric.label}: {test.metric.undefined_reason.replace('_', ' ')}"
    else:
        return named
    return Skip("reference_not_usable", f"the reference group {text!r} {problem}.")


def _against(
    test: GroupMetricParity, group: _Group, comparison: float | None, *, is_reference: bool
) -> _Group:
    """Return the group with ratio, gap and direction; both are 1 and 0 for the reference."""
    value = group.value
    if value is None or comparison is None:
        return group
    higher = test.higher_better
    worse = not approximately(value, comparison) and (
        value < comparison if higher else value > comparison
    )
    better_value, worse_value = (comparison, value) if higher else (value, comparison)
    defined = comparison > 0 and (higher or value > 0)
    return replace(
        group,
        is_reference=is_reference,
        compared=group.sufficient and not is_reference,
        worse=worse,
        ratio=worse_value / better_value if defined else None,
        difference=abs(value - comparison) if worse else 0.0,
    )


def _is_tested(test: GroupMetricParity) -> bool:
    return test.significance_test != "none" and test.metric.p_value is not None


def _tested(test: GroupMetricParity, judgement: _Judgement) -> _Judgement:
    """Return the judgement with p-values, their adjustment and the failing groups."""
    from fairsql.inference import adjust_p_values

    groups = judgement.groups
    p_values: list[float | None] = [None] * len(groups)
    if _is_tested(test):
        p_values = _p_values(test, groups)
    pairs = None
    if test.p_value_adjustment == "holm_all_pairs":
        candidates = sum(group.sufficient and group.value is not None for group in groups)
        pairs = candidates * (candidates - 1) // 2
    adjusted = adjust_p_values(p_values, test.p_value_adjustment, pairs)
    judged = tuple(
        _decided(test, group, p_value, adjusted_p_value, judgement.comparison)
        for group, p_value, adjusted_p_value in zip(groups, p_values, adjusted, strict=True)
    )
    judgement = replace(judgement, groups=judged)
    unmeasured = [g for g in judged if g.compared and g.worse and g.ratio is None]
    if unmeasured and test.max_difference is None:
        return replace(
            judgement,
            skip=Skip(
                "ratio_undefined_set_max_difference",
                f"group {' / '.join(map(repr, unmeasured[0].key))} is worse than the comparison"
                " point, but their ratio is undefined since a value is not above 0:"
                " set max_difference to judge the gap instead.",
            ),
        )
    return judgement


def _p_values(test: GroupMetricParity, groups: Sequence[_Group]) -> list[float | None]:
    p_value = test.metric.p_value
    assert p_value is not None  # noqa: S101 - the caller asked
    seconds: Sequence[Statistics]
    if test.metric.family is QUANTILE:
        _check_pooled(test, groups)
        seconds = [group.statistics for group in groups]
    elif test.comparison == "overall":
        complements = test.metric.family.complements
        assert complements is not None  # noqa: S101 - configurations without them are refused
        seconds = complements([group.statistics for group in groups])
    else:
        reference = next(group.statistics for group in groups if group.is_reference)
        seconds = [reference] * len(groups)
    return [
        p_value(group.statistics, second) if group.compared else None
        for group, second in zip(groups, seconds, strict=True)
    ]


def _check_pooled(test: GroupMetricParity, groups: Sequence[_Group]) -> None:
    """Raise if the scan pooled a group with another reference than the verdict's own."""
    reference = next((group for group in groups if group.is_reference), None)
    for group in groups:
        second = group.statistics["second_rows"]
        if reference is None or not group.compared:
            continue
        if second != reference.rows or reference.statistics["second_rows"] is not None:
            raise CompilationError(
                f"{test.name}: the scan compared {group.key} with another group"
                f" than {reference.key}"
            )


def _decided(
    test: GroupMetricParity,
    group: _Group,
    p_value: float | None,
    adjusted: float | None,
    comparison: Comparison | None,
) -> _Group:
    if not group.compared or group.value is None or group.difference is None:
        return group
    significant = group.worse and adjusted is not None and adjusted < test.alpha * (1 - ALPHA_SLACK)
    below = (
        group.ratio is not None
        and group.ratio < test.min_ratio
        and not approximately(group.ratio, test.min_ratio)
    )
    point = comparison.value if comparison and comparison.value is not None else 0.0
    beyond = test.max_difference is not None and group.difference - test.max_difference > _slack(
        group.value, point
    )
    return replace(
        group,
        p_value=p_value,
        p_value_adjusted=adjusted,
        significant=significant,
        failed=group.worse and (below or beyond) and (significant or not test.require_significance),
    )


# --- measurements and thresholds -------------------------------------------------------------


def _measurements(
    test: GroupMetricParity, rows: Rows, judgement: _Judgement
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
    if values:
        measurements["worst_group_value"] = (min if test.higher_better else max)(values)
    if judgement.skip or judgement.comparison is None:
        return measurements
    compared = [group for group in groups if group.compared]
    failing = sum(group.failed for group in compared)
    measurements["failing_group_count"] = failing
    measurements["failing_group_percentage"] = failing / len(sufficient)
    measurements["min_metric_ratio"] = _min_ratio(compared)
    measurements["max_metric_difference"] = max(group.difference or 0.0 for group in compared)
    measurements["significant_disparity_count"] = sum(group.significant for group in compared)
    return measurements


def _min_ratio(compared: Sequence[_Group]) -> float | None:
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


def _place(group: _Group) -> tuple[Any, ...]:
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


def _result(test: GroupMetricParity, group: _Group) -> GroupResult:
    metric = test.metric
    interval = metric.interval
    shown = group.rows >= test.min_reported_rows
    result = GroupResult(
        key=dict(zip(test.protected_attribute_columns, group.key, strict=True)),
        rows=group.rows,
        missing_metric_inputs=group.missing_metric_inputs,
        share=group.share,
        sufficient=group.sufficient,
        value=group.value,
        value_reason=metric.undefined_reason if group.value is None else None,
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


def _shown(judgement: _Judgement, groups: Sequence[GroupResult]) -> Comparison | None:
    """Return the comparison point, without its value if that is a suppressed group's."""
    comparison = judgement.comparison
    if comparison and any(group.is_reference and group.suppressed for group in groups):
        return replace(comparison, value=None)
    return comparison


def _unshown(total: int) -> tuple[str, ...]:
    if total <= MAX_REPORTED_GROUPS:
        return ()
    return (f"The {MAX_REPORTED_GROUPS} worst of {total:,} groups are listed; all were judged.",)
