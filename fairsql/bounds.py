"""What an approximate value leaves open: a verdict that hangs on it is told to the reader.

The exact value of a group lies between its bounds for certain. Where a limit lies between what the
bounds allow, the exact value may be on its other side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fairsql.comparison import gap, is_tested
from fairsql.limits import holds, is_beyond

if TYPE_CHECKING:
    from fairsql.comparison import Group
    from fairsql.config import Question, Test
    from fairsql.measuring import Part
    from fairsql.results import ThresholdResult

Bounds = tuple[float, float]


class _Known(NamedTuple):
    """A sufficient group, what its value may be, and what the comparison point's may be."""

    group: Group
    value: Bounds
    comparison: Bounds | None


def is_approximate(question: Question) -> bool:
    """Return whether a question's metric is computed approximately."""
    return question.metric.bounds is not None


def bounds_of(question: Question, group: Group) -> Bounds | None:
    """Return the least and the greatest that a group's exact value can be; exact has none."""
    bounds = question.metric.bounds
    return None if bounds is None or group.value is None else bounds(group.statistics)


def overall_bounds(part: Part) -> Bounds | None:
    """Return the bounds of the metric over all evaluated rows, where it has a value."""
    metric, whole = part.panel.question.metric, part.panel.statistics.whole
    if metric.bounds is None or part.judgement.overall is None:
        return None
    statistics = {name: whole.get(name) for name in metric.family.statistics}
    return metric.bounds({**statistics, "rows": whole["evaluated"]})


def notes(
    test: Test, parts: Sequence[Part], thresholds: Sequence[ThresholdResult]
) -> Iterator[str]:
    """Yield how a test is approximate, and where its verdict hangs on that."""
    for part in parts:
        question = part.panel.question
        if not is_approximate(question):
            continue
        yield _method(question)
        if part.judgement.skip is None:
            known = list(_known(part))
            yield from _open_groups(test, question, known)
            yield from _open_thresholds(test, part, known, thresholds)


def _method(question: Question) -> str:
    label, tested = question.metric.label, is_tested(question)
    if question.metric.quantile is None:
        judged = "p-values and intervals are those" if tested else "its interval is that"
        return (
            f"{label} is computed by bins of scores, not in their order: an exact value lies within"
            f" its bounds for certain, and {judged} of the least favourable value within them."
        )
    rest = (
        ", and p-values are those of a split at an edge of the bin that holds the pooled quantile"
        if tested
        else ""
    )
    return (
        f"The {label} is computed by bins of values, not in their order: an exact value lies within"
        f" its bounds for certain, intervals reach to the outer ends of their bins{rest}."
    )


def _known(part: Part) -> Iterator[_Known]:
    question, judgement = part.panel.question, part.judgement
    found = {
        group.key: bounds
        for group in judgement.groups
        if group.sufficient and (bounds := bounds_of(question, group)) is not None
    }
    comparison = None
    if judgement.comparison is not None and judgement.comparison.kind == "overall":
        comparison = overall_bounds(part)
    elif judgement.comparison is not None and question.reference_strategy == "named":
        comparison = next(found[g.key] for g in judgement.groups if g.is_reference)
    elif judgement.comparison is not None:
        # The exact best of all groups may be another one than the best of approximate values.
        best = max if question.higher_better else min
        comparison = (
            best(low for low, _ in found.values()),
            best(high for _, high in found.values()),
        )
    for group in judgement.groups:
        if group.key in found:
            is_own = group.is_reference and question.reference_strategy == "named"
            value = found[group.key]
            yield _Known(group, value, None if is_own else comparison)


# --- groups ----------------------------------------------------------------------------------


def _open_groups(test: Test, question: Question, known: Sequence[_Known]) -> Iterator[str]:
    for one in known:
        low, high = one.value
        if test.type == "group_column_statistic":
            limit, operator = test.value, test.operator  # type: ignore[attr-defined]
            is_open = _is_open(operator, low, high, limit)
        elif one.comparison is None:
            continue
        else:
            is_open = len({_fails(question, *pair) for pair in _pairs(question, one)}) > 1
        if not is_open:
            continue
        if one.group.rows < question.min_reported_rows:
            yield (
                "The exact value of a group that is not shown may fall on the other side of the"
                " limit."
            )
        else:
            name = " / ".join(map(repr, one.group.key))
            yield (
                f"The exact value of group {name} is between {low:.10g} and {high:.10g}, and may"
                " fall on the other side of the limit."
            )


def _pairs(question: Question, known: _Known) -> tuple[Bounds, Bounds]:
    """Return value and comparison value: as bad as the bounds allow, and as good."""
    (low, high), (other_low, other_high) = known.value, known.comparison or known.value
    pairs = (low, other_high), (high, other_low)
    return pairs if question.higher_better else (pairs[1], pairs[0])


def _fails(question: Question, value: float, comparison: float) -> bool:
    """Return whether a group is beyond the limits, significant or not."""
    found = gap(question, value, comparison)
    return found.worse and is_beyond(
        ratio=found.ratio,
        difference=found.difference,
        value=value,
        comparison=comparison,
        min_ratio=question.min_ratio,
        max_difference=question.max_difference,
    )


# --- thresholds ------------------------------------------------------------------------------


def _open_thresholds(
    test: Test, part: Part, known: Sequence[_Known], thresholds: Sequence[ThresholdResult]
) -> Iterator[str]:
    for threshold in thresholds:
        if threshold.observed is None:
            continue
        name = part.name if test.type == "metric_threshold" else threshold.measurement
        if test.type == "metric_threshold" and threshold.measurement != name:
            continue
        found = _range(part.panel.question, threshold.measurement, part.name, known)
        if found is None or not _is_open(threshold.operator, *found, threshold.value):
            continue
        low, high = found
        yield (
            f"The exact {threshold.measurement} is between {low:.10g} and {high:.10g}, and may fall"
            f" on the other side of its threshold ({threshold.operator} {threshold.value:g})."
        )


def _range(
    question: Question, measurement: str, metric: str, known: Sequence[_Known]
) -> Bounds | None:
    """Return what a measurement can be at least and at most; ``None`` where bounds say nothing."""
    if not known:
        return None
    lows, highs = [one.value[0] for one in known], [one.value[1] for one in known]
    pairs = [_pairs(question, one) for one in known if one.comparison is not None]
    pick: Callable[[Sequence[float]], float] = min
    if measurement == metric:
        return lows[0], highs[0]
    if measurement in ("lowest_group_value", "highest_group_value", "worst_group_value"):
        is_least = measurement == "lowest_group_value" or (
            measurement == "worst_group_value" and question.higher_better
        )
        pick = min if is_least else max
        return pick(lows), pick(highs)
    if measurement == "max_metric_difference" and pairs:
        return max(gap(question, *good).difference for _, good in pairs), max(
            gap(question, *bad).difference for bad, _ in pairs
        )
    if measurement == "min_metric_ratio" and pairs:
        ends = [
            [gap(question, *pair).ratio for pair in pairs_of]
            for pairs_of in zip(*pairs, strict=True)
        ]
        low, high = ([ratio for ratio in ratios if ratio is not None] for ratios in ends)
        return (min(low), min(high)) if len(low) == len(high) == len(pairs) else None
    return None


def _is_open(operator: str, low: float, high: float, limit: float) -> bool:
    """Return whether a condition holds for some of the numbers between two and not for others."""
    nearest = min(max(limit, low), high)
    return len({holds(operator, number, limit) for number in (low, high, nearest)}) > 1
