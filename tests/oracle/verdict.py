"""From samples to a verdict: SPEC §4, rule by rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .canonical import clean_key, configured_text
from .closeness import equal, holds
from .further import EVERY_METRIC, standardized_gap
from .metrics import Inputs, Losses, Sample
from .significance import adjust

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .reading import Key, Reading

MEASUREMENTS = (
    "failing_group_count",
    "failing_group_percentage",
    "min_metric_ratio",
    "max_metric_difference",
    "worst_group_value",
    "significant_disparity_count",
    "insufficient_group_count",
    "missing_attribute_rate",
    "min_group_share",
    "undefined_group_count",
)


@dataclass
class Group:
    """A group on its way to SPEC §5's fields; the lower half is filled in by the verdict."""

    key: Key
    inputs: Sequence[Inputs]
    sample: Sample
    missing_metric_inputs: int
    share: Fraction
    sufficient: bool
    value: float | None
    standardized: bool = False

    is_reference: bool = False
    compared: bool = False
    ratio: float | None = None
    difference: float | None = None
    worse: bool = False
    p_value: float | None = None
    p_value_adjusted: float | None = None
    p_value_tolerance: float = 1e-9
    significant: bool = False
    failed: bool = False

    @property
    def rows(self) -> int:
        return len(self.inputs)

    @property
    def usable(self) -> bool:
        """Whether the group is sufficient and has a value."""
        return self.sufficient and self.value is not None


@dataclass(frozen=True)
class Comparison:
    """The comparison point; ``reference`` is None where it is the metric over all rows."""

    value: float
    reference: Group | None


def higher_is_better(test: Mapping[str, Any]) -> bool:
    """Return the metric's direction: its own, or the one the user gave."""
    own = EVERY_METRIC[test["parity_metric"]].higher_is_better
    return bool(test["higher_is_better"]) if own is None else own


def form_groups(reading: Reading, test: Mapping[str, Any]) -> list[Group]:
    """SPEC §2.3: groups of evaluated rows, by key, each sufficient or not."""
    metric = EVERY_METRIC[test["parity_metric"]]
    evaluated = reading.counts["evaluated"]
    # Exact: 2 of 100 rows meet a share of 0.02, although the double 0.02 lies above 2/100.
    least_share = Fraction(str(test["min_group_share"]))
    groups = []
    for key in sorted(reading.groups):
        inputs = reading.groups[key]
        sample = metric.sample(inputs)
        share = Fraction(len(inputs), evaluated)
        groups.append(
            Group(
                key=key,
                inputs=inputs,
                sample=sample,
                missing_metric_inputs=reading.incomplete.get(key, 0),
                share=share,
                sufficient=len(inputs) >= test["min_group_size"] and share >= least_share,
                value=sample.value if reading.computable else None,
                standardized=metric.standardized,
            )
        )
    return groups


def choose_comparison(
    groups: Sequence[Group], overall: float | None, test: Mapping[str, Any], kind: str
) -> Comparison | None:
    """SPEC §4, rule 2; ``kind`` is that of the attribute a reference is named in."""
    if test["comparison"] == "overall":
        return None if overall is None else Comparison(overall, None)
    usable = [group for group in groups if group.usable]
    if test["reference_strategy"] == "named":
        named = (clean_key(configured_text(test["reference_value"], kind)),)
        candidates = [group for group in usable if group.key == named]
    else:
        best = (max if higher_is_better(test) else min)(g.value or 0.0 for g in usable)
        candidates = [group for group in usable if equal(group.value or 0.0, best)]
    if not candidates:
        return None
    # The largest of those as good as the best, then the smallest key.
    reference = min(candidates, key=lambda group: (-group.rows, group.key))
    assert reference.value is not None
    return Comparison(reference.value, reference)


def compare(group: Group, comparison: Comparison, higher: bool) -> None:
    """SPEC §4, rules 1, 3 and 4: which groups are compared; ratio, difference, worse."""
    group.is_reference = group is comparison.reference
    group.compared = group.usable and not group.is_reference
    value, point = group.value, comparison.value
    if value is None:
        return
    group.worse = not equal(value, point) and (value < point if higher else value > point)
    group.difference = abs(value - point) if group.worse else 0.0
    if higher:
        group.ratio = value / point if point > 0 else None
    else:
        group.ratio = point / value if point > 0 and value > 0 else None


def standardize(groups: Sequence[Group], reference: Group) -> None:
    """Turn the gaps of means into pooled standard deviations; there is no ratio."""
    assert isinstance(reference.sample, Losses)
    for group in groups:
        group.ratio = None
        if group.worse and isinstance(group.sample, Losses):
            group.difference = standardized_gap(group.sample, reference.sample)


def add_p_values(groups: Sequence[Group], comparison: Comparison, test: Mapping[str, Any]) -> None:
    """SPEC §3: p-values of the compared groups, then their adjustment over those that have one."""
    if test["significance_test"] == "none":
        return
    metric = EVERY_METRIC[test["parity_metric"]]
    compared = [group for group in groups if group.compared]
    for group in compared:
        if comparison.reference is not None:
            second = comparison.reference.sample
        else:
            # The complement, so that the two samples are independent.
            others = [row for other in groups if other is not group for row in other.inputs]
            second = metric.sample(others)
        group.p_value = group.sample.p_value(second)
        group.p_value_tolerance = group.sample.p_value_tolerance(second)
    adjusted = adjust(
        [group.p_value for group in compared],
        test["p_value_adjustment"],
        sum(group.usable for group in groups),
    )
    for group, p in zip(compared, adjusted, strict=True):
        group.p_value_adjusted = p


def decide(group: Group, comparison: Comparison, test: Mapping[str, Any]) -> None:
    """SPEC §4, rules 5 and 6: significant, and failed."""
    if not (group.compared and group.worse):
        return
    p = group.p_value_adjusted
    group.significant = p is not None and p < test["alpha"] * (1 - 1e-9)
    least, ratio = test["min_ratio"], group.ratio
    ratio_too_low = ratio is not None and ratio < least and not equal(ratio, least)
    gap_too_wide = test["max_difference"] is not None and (
        (group.difference or 0.0) - test["max_difference"] > gap_slack(group, comparison)
    )
    group.failed = (ratio_too_low or gap_too_wide) and (
        group.significant or not test["require_significance"]
    )


def gap_slack(group: Group, comparison: Comparison) -> float:
    """By how much a difference must exceed ``max_difference`` (SPEC §4, rule 6)."""
    sizes = [abs(group.value or 0.0), abs(comparison.value)]
    if group.standardized:
        sizes = [group.difference or 0.0]
    return max(1e-12 * max(sizes), 1e-15)


def measure(
    groups: Sequence[Group], reading: Reading, test: Mapping[str, Any]
) -> dict[str, float | None]:
    """SPEC §4's ten measurements, over all groups."""
    compared = [group for group in groups if group.compared]
    sufficient = [group for group in groups if group.sufficient]
    failing = sum(group.failed for group in groups)
    ratios = [group.ratio for group in compared if group.ratio is not None]
    values = [group.value for group in sufficient if group.value is not None]
    counts = reading.counts
    with_inputs = counts["total"] - counts["missing_metric_inputs"]
    standardized = EVERY_METRIC[test["parity_metric"]].standardized
    unknown_ratio = any(group.worse and group.ratio is None for group in compared) or standardized
    return {
        "failing_group_count": failing,
        "failing_group_percentage": failing / len(sufficient),
        "min_metric_ratio": None if unknown_ratio else min(ratios, default=1.0),
        "max_metric_difference": max((group.difference or 0.0 for group in compared), default=0.0),
        "worst_group_value": (
            None if standardized else (min if higher_is_better(test) else max)(values)
        ),
        "significant_disparity_count": sum(group.significant for group in groups),
        "insufficient_group_count": len(groups) - len(sufficient),
        "missing_attribute_rate": counts["missing_attribute"] / with_inputs,
        "min_group_share": float(min(group.share for group in groups)),
        "undefined_group_count": sum(group.value is None for group in sufficient),
    }


def check_thresholds(
    thresholds: Sequence[Mapping[str, Any]], measurements: Mapping[str, float | None]
) -> list[dict[str, Any]]:
    """Evaluate every threshold; one on a null measurement neither holds nor is broken."""
    checked = []
    for threshold in thresholds:
        observed = measurements[threshold["measurement"]]
        passed = None
        if observed is not None:
            passed = holds(observed, threshold["operator"], threshold["value"])
        checked.append({**threshold, "observed": observed, "passed": passed})
    return checked


def display_order(group: Group) -> tuple[Any, ...]:
    """SPEC §2.3's order of the groups that a result keeps."""
    if group.compared:
        rank = 0 if group.failed else 1 if group.worse else 2
        ratio = (group.ratio is not None, group.ratio or 0.0)
        return rank, *ratio, -(group.difference or 0.0), group.key
    # The reference is usable; so are others, where no verdict was reached.
    rank = 3 if group.usable else 4 if group.sufficient else 5
    return rank, False, 0.0, 0.0, group.key
