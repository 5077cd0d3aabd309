"""Which decisions of a verdict rounding alone could turn (SPEC §1, last sentence)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .closeness import equal, too_near
from .verdict import Comparison, Group, display_order, gap_slack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def decided_too_closely(
    groups: Sequence[Group],
    comparison: Comparison,
    test: Mapping[str, Any],
    thresholds: Sequence[Mapping[str, Any]],
) -> bool:
    """Say whether a decided quantity is within 1e-9 of its limit but outside SPEC §4's slack."""
    valued = [group for group in groups if group.value is not None]
    return (
        any(_sign_unsure(group) for group in valued)
        or any(too_near(group.value or 0.0, comparison.value) for group in valued)
        or any(_failing_unsure(group, comparison, test) for group in valued if group.compared)
        or any(
            too_near(threshold["observed"], threshold["value"])
            for threshold in thresholds
            if threshold["observed"] is not None
        )
    )


def _sign_unsure(group: Group) -> bool:
    """Whether a value is a rounding error away from 0, beyond which a ratio has no meaning."""
    return abs(group.value or 0.0) < 1e-9 * group.sample.cancellation_scale


def _failing_unsure(group: Group, comparison: Comparison, test: Mapping[str, Any]) -> bool:
    if not group.worse:
        return False
    gap, most = group.difference or 0.0, test["max_difference"]
    near_gap = most is not None and (
        gap_slack(group, comparison) < abs(gap - most) <= 1e-9 * max(gap, most)
    )
    near_ratio = group.ratio is not None and too_near(group.ratio, test["min_ratio"])
    p, alpha = group.p_value_adjusted, test["alpha"]
    near_alpha = (
        p is not None and not equal(p, alpha) and abs(p - alpha) <= group.p_value_tolerance * alpha
    )
    return near_gap or near_ratio or near_alpha


def ordered_too_closely(groups: Sequence[Group]) -> bool:
    """Say whether two neighbours in the result's order may change places by rounding alone."""
    compared = sorted((group for group in groups if group.compared), key=display_order)
    return any(
        display_order(first)[0] == display_order(second)[0] and _order_unsure(first, second)
        for first, second in pairwise(compared)
    )


def _order_unsure(first: Group, second: Group) -> bool:
    exact = first.sample.exact and second.sample.exact
    for a, b in ((first.ratio, second.ratio), (first.difference, second.difference)):
        if (a is None) != (b is None):
            return False
        if a is None or b is None or (a == b and exact):
            continue
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return False
