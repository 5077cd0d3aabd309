"""What a test measures over its parts: the numbers that thresholds limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairsql.limits import approximately

if TYPE_CHECKING:
    from fairsql.comparison import Group, Judgement
    from fairsql.config import GroupPerformanceParity, Test
    from fairsql.panels import Panel
    from fairsql.results import PooledResult, Rows

Measurements = dict[str, float | int | None]


@dataclass(frozen=True)
class Part:
    """A part of a test with what became of it; ``name`` is its metric, or its measurement."""

    name: str
    panel: Panel
    judgement: Judgement

    @property
    def place(self) -> tuple[str, ...]:
        """The stratum, which with a group's key tells who a group is."""
        return tuple((self.panel.stratum or {}).values())


def part_measurements(part: Part, rows: Rows) -> Measurements:
    """Return the measurements of one part that compares its groups."""
    groups = part.judgement.groups
    question = part.panel.question
    found: Measurements = {"missing_attribute_rate": missing_attribute_rate(rows)}
    if not groups:
        return found
    sufficient = [group for group in groups if group.sufficient]
    values = [group.value for group in sufficient if group.value is not None]
    found["insufficient_group_count"] = len(groups) - len(sufficient)
    found["min_group_share"] = min(group.share for group in groups)
    found["undefined_group_count"] = len(sufficient) - len(values)
    if values and not question.metric.standardized:
        found["worst_group_value"] = (min if question.higher_better else max)(values)
    if part.judgement.skip or part.judgement.comparison is None:
        return found
    compared = [group for group in groups if group.compared]
    failing = sum(group.failed for group in compared)
    found["failing_group_count"] = failing
    found["failing_group_percentage"] = failing / len(sufficient)
    if not question.metric.standardized:
        found["min_metric_ratio"] = _min_ratio(compared)
    found["max_metric_difference"] = max(group.difference or 0.0 for group in compared)
    found["significant_disparity_count"] = sum(group.significant for group in compared)
    return found


def missing_attribute_rate(rows: Rows) -> float | None:
    """Return the share of rows with the metric inputs that lack an attribute."""
    with_inputs = (rows.evaluated or 0) + (rows.missing_attribute or 0)
    return (rows.missing_attribute or 0) / with_inputs if with_inputs else None


def _min_ratio(compared: Sequence[Group]) -> float | None:
    if any(group.worse and group.ratio is None for group in compared):
        return None
    ratios = [group.ratio for group in compared if group.ratio is not None]
    return min(ratios) if ratios else 1.0


# --- over all parts --------------------------------------------------------------------------


def measurements(
    test: Test, rows: Rows, parts: Sequence[Part], pooled: Sequence[PooledResult] = ()
) -> Measurements:
    """Return every measurement of a test; ``None`` is undefined.

    Parts that have no verdict are left out of those that rest on comparisons.
    """
    if test.type == "metric_threshold":
        return {part.name: _only_value(part) for part in parts}
    found: Measurements = dict.fromkeys(test.measurement_names)
    if test.type == "group_column_statistic":
        found |= _of_conditions(parts[0], rows)
    elif len(parts) == 1:
        found |= part_measurements(parts[0], rows)
    else:
        found |= _of_comparisons(parts, rows)
    if test.type == "group_outcome_disparity":
        found["impact_ratio"] = found["min_metric_ratio"]
        found["statistical_parity_difference"] = _largest(map(_range, parts))
        found |= _pooled(pooled)
    if test.type == "group_performance_parity":
        found |= _of_metrics(test, parts)  # type: ignore[arg-type]
    return found


def _pooled(pooled: Sequence[PooledResult]) -> Measurements:
    """Return the smallest odds ratio and the smallest p-value of any group."""
    return {
        "mantel_haenszel_odds_ratio": _least(group.odds_ratio for group in pooled),
        "mantel_haenszel_p_value": _least(group.p_value_adjusted for group in pooled),
    }


def _only_value(part: Part) -> float | None:
    if part.judgement.skip or not part.judgement.groups:
        return None
    return part.judgement.groups[0].value


def _of_conditions(part: Part, rows: Rows) -> Measurements:
    found = part_measurements(part, rows)
    found.pop("worst_group_value", None)  # no sufficient group, no value
    groups = [group for group in part.judgement.groups if group.sufficient]
    values = [group.value for group in groups if group.value is not None]
    found["lowest_group_value"] = min(values, default=None)
    found["highest_group_value"] = max(values, default=None)
    if part.judgement.skip is None:
        failing = sum(group.failed for group in groups)
        found["failing_group_count"] = failing
        found["failing_group_percentage"] = failing / len(groups)
    return found


def _of_comparisons(parts: Sequence[Part], rows: Rows) -> Measurements:
    """Return the measurements over several parts: a group counts once, whatever it failed by."""
    own = [part_measurements(part, rows) for part in parts]
    judged = [
        measured for part, measured in zip(parts, own, strict=True) if part.judgement.skip is None
    ]
    found: Measurements = {"missing_attribute_rate": missing_attribute_rate(rows)}
    seen = {_who(part, group): group for part in parts for group in part.judgement.groups}
    sufficient = {who for who, group in seen.items() if group.sufficient}
    found["insufficient_group_count"] = len(seen) - len(sufficient)
    found["min_group_share"] = min((group.share for group in seen.values()), default=None)
    found["undefined_group_count"] = len(
        {
            _who(part, group)
            for part in parts
            for group in part.judgement.groups
            if group.sufficient and group.value is None
        }
    )
    if len({part.name for part in parts}) == 1:
        worst = [measured.get("worst_group_value") for measured in own]
        pick = _least if parts[0].panel.question.higher_better else _largest
        found["worst_group_value"] = pick(worst)
    if not judged:
        return found
    failing = _those(parts, "failed")
    found["failing_group_count"] = len(failing)
    found["failing_group_percentage"] = len(failing) / len(
        {
            _who(part, group)
            for part in parts
            for group in part.judgement.groups
            if group.sufficient and part.judgement.skip is None
        }
    )
    found["min_metric_ratio"] = _min_ratio(
        [
            group
            for part in parts
            for group in part.judgement.groups
            if group.compared and part.judgement.skip is None
        ]
    )
    found["max_metric_difference"] = _largest(
        measured["max_metric_difference"] for measured in judged
    )
    found["significant_disparity_count"] = len(_those(parts, "significant"))
    return found


def _who(part: Part, group: Group) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return part.place, group.key


def _those(parts: Sequence[Part], flag: str) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    return {
        _who(part, group)
        for part in parts
        for group in part.judgement.groups
        if getattr(group, flag) and part.judgement.skip is None
    }


# --- differences and ratios between groups ---------------------------------------------------


def _of_metrics(test: GroupPerformanceParity, parts: Sequence[Part]) -> Measurements:
    """Return each metric's largest difference and smallest ratio, and those of the criteria."""
    metrics = {part.name for part in parts}
    differences = {
        name: _largest(_range(part) for part in parts if part.name == name) for name in metrics
    }
    ratios = {
        name: _least(_quotient(part) for part in parts if part.name == name) for name in metrics
    }
    found: Measurements = {}
    for name, members in test.computed_metrics().items():
        own = [differences[member] for member in members]
        found[f"{name}_difference"] = None if None in own else _largest(own)
        quotients = [ratios[member] for member in members]
        found[f"{name}_ratio"] = None if None in quotients else _least(quotients)
    return found


def _values(part: Part) -> list[float]:
    return [
        group.value
        for group in part.judgement.groups
        if group.sufficient and group.value is not None
    ]


def _range(part: Part) -> float | None:
    """Return the largest value less the smallest, as fairlearn's differences between groups."""
    values = _values(part)
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    return 0.0 if approximately(low, high) else high - low


def _quotient(part: Part) -> float | None:
    """Return the smallest value over the largest, as fairlearn's ratios; none where that is 0."""
    values = _values(part)
    return min(values) / max(values) if len(values) > 1 and max(values) > 0 else None


def _largest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _least(values: Iterable[float | None]) -> float | None:
    return min((value for value in values if value is not None), default=None)
