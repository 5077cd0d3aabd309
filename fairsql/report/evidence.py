"""Which groups broke a test's thresholds: what a reader looks at first, and an auditor last."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairsql.results import GroupResult, TestResult

_Breaks = Callable[[GroupResult], bool]

_FLAGGED: Mapping[str, _Breaks] = {
    "failing_group_count": lambda group: group.failed,
    "failing_group_percentage": lambda group: group.failed,
    "significant_disparity_count": lambda group: group.significant,
    "insufficient_group_count": lambda group: not group.sufficient,
    "undefined_group_count": lambda group: group.sufficient and group.value_reason is not None,
}

# The measurement is one group's number; here is where that number stands in the group.
_ATTAINED: Mapping[str, Callable[[GroupResult], float | None]] = {
    "min_metric_ratio": lambda group: group.ratio if is_compared(group) else None,
    "impact_ratio": lambda group: group.ratio if is_compared(group) else None,
    "max_metric_difference": lambda group: group.difference if is_compared(group) else None,
    "worst_group_value": lambda group: group.value if group.sufficient else None,
    "lowest_group_value": lambda group: group.value if group.sufficient else None,
    "highest_group_value": lambda group: group.value if group.sufficient else None,
    "min_group_share": lambda group: group.share,
}


def breaking_groups(test: TestResult) -> tuple[GroupResult, ...]:
    """Return the groups that broke a threshold, in the result's order.

    Those are the flagged ones where a threshold limits a count, and the group at which it is
    attained (ties: all) where a threshold limits a ratio, a gap, a value or a share. Where it
    limits how far the values of a metric lie apart, it is the worst group of the part in which they
    do. A rate of missing attributes is no group's doing, and neither is what strata have together.
    """
    broken = [
        (limit.measurement, limit.observed)
        for limit in test.thresholds
        if limit.passed is False and limit.observed is not None
    ]
    apart = {
        id(group)
        for measurement, observed in broken
        for part in test.facets()
        for group in _furthest(part, measurement, observed)
    }
    return tuple(
        group
        for group in test.groups
        if id(group) in apart
        or any(_breaks(group, measurement, observed) for measurement, observed in broken)
    )


def _furthest(part: TestResult, measurement: str, observed: float) -> list[GroupResult]:
    """Return the worst groups of a part whose values lie as far apart as was observed."""
    is_ratio = measurement.endswith("_ratio")
    if not (is_ratio or measurement.endswith("_difference")) or measurement in _ATTAINED:
        return []
    groups = [group for group in part.groups if group.sufficient and group.value is not None]
    values = [group.value for group in groups if group.value is not None]
    if part.metric is None or len(values) < 2:
        return []
    low, high = min(values), max(values)
    apart = (low / high if high > 0 else None) if is_ratio else high - low
    if apart != observed:
        return []
    worst = low if part.metric.higher_is_better else high
    return [group for group in groups if group.value == worst]


def _breaks(group: GroupResult, measurement: str, observed: float) -> bool:
    if measurement in _FLAGGED:
        return _FLAGGED[measurement](group)
    attained = _ATTAINED.get(measurement)
    return attained is not None and attained(group) == observed


def is_compared(group: GroupResult) -> bool:
    """Return whether a group was judged against the comparison point.

    That is, it is large enough, has a value, shown or not, and is not the reference.
    """
    has_value = group.value is not None or group.difference is not None
    has_value = has_value or (group.suppressed and group.value_reason is None)
    return group.sufficient and has_value and not group.is_reference


def compared_groups(test: TestResult) -> list[GroupResult]:
    """Return the listed groups that were compared, those without shown numbers too."""
    return [group for group in test.groups if is_compared(group)]


def all_shown(test: TestResult) -> bool:
    """Return whether all groups are listed, each with its numbers."""
    return test.groups_total == len(test.groups) and not any(
        group.suppressed for group in test.groups
    )
