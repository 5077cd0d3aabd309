"""What gap the rows of a test could have shown: the smallest that a significance test would find.

The gap that a two-sided test at ``alpha`` finds significant with a probability of ``POWER``, by the
normal approximation. With z the normal quantile, and the second sample written as 0:

* proportions: d = z(1−α/2)·√(p̄(1−p̄)(1/n₁ + 1/n₀)) + z(power)·√(p₁(1−p₁)/n₁ + p₀(1−p₀)/n₀), where
  p₁ is d worse than p₀ and p̄ the proportion in both (Fleiss, Levin and Paik, *Statistical Methods
  for Rates and Proportions*, third edition, 2003, chapter 4: samples of unequal size);
* means: d = (z(1−α/2) + z(power))·√(s₁²/n₁ + s₀²/n₀) (the same book's argument for means);
* AUC: the same with the standard errors of Hanley and McNeil (*Radiology* 143, 1982, 29–36).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from fairsql.report.evidence import compared_groups
from fairsql.report.kinds import is_standardized
from fairsql.report.phrases import metric_of

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

POWER = 0.8
"""The probability with which a gap of the returned size is found."""

_STEPS = 60  # of a bisection: more than a double has bits


@dataclass(frozen=True)
class _Sample:
    """One side of a comparison: rows that a value rests on, the value, and its squared error."""

    n: float
    value: float
    squared_error: float


def detectable_gaps(test: TestResult) -> dict[int, float | None]:
    """Return the smallest detectable gap of each compared group, by its place in the result.

    In the metric's units and on the worse side of the comparison point. ``None`` where not even the
    largest gap there can be would be found. Left out are a group whose numbers are not shown, one
    whose comparison point is the worst value there can be, one that would find any gap, and metrics
    without a significance test or without a formula (median, p95, standardized mean difference),
    and weighted rows.
    """
    if (
        test.approximate
        or test.metric is None
        or test.parameters.get("significance_test") == "none"
    ):
        return {}
    if is_standardized(test):  # of which gaps are no differences of means
        return {}
    sample = _sample_of(test)
    if sample is None or test.comparison is None:
        return {}
    alpha = tested_alpha(test)
    if alpha is None:
        return {}
    found = {}
    for place, group in enumerate(test.groups):
        if group.is_reference or group.p_value is None or not _is_known(group):
            continue
        second, weight = _second(test, group)
        if second is None or not _is_known(second):
            continue
        first, other = sample(group), sample(second)
        if _room(test, other) > 0:
            gap = _gap(test, first, other, alpha)
            found[place] = None if gap is None else gap * weight
    # Of two constants any difference is significant: a gap of 0 would say nothing.
    return {place: gap for place, gap in found.items() if gap is None or gap > 0}


def _room(test: TestResult, second: _Sample) -> float:
    """Return the largest gap that there can be: a proportion or an AUC stays within 0 and 1."""
    if "m2" in _statistics_names(test):
        return math.inf
    higher = test.metric is not None and test.metric.higher_is_better
    return second.value if higher else 1 - second.value


def tested_alpha(test: TestResult) -> float | None:
    """Return alpha as the hardest step of the test's adjustment has it, where that is known."""
    alpha = float(test.parameters.get("alpha", 0.05))
    adjustment = test.parameters.get("p_value_adjustment", "none")
    if adjustment == "none":
        return alpha
    if adjustment == "holm_all_pairs":
        compared = _compared_count(test)
        # Each of the compared groups and the reference with each other.
        return None if compared is None else alpha / max(compared * (compared + 1) // 2, 1)
    tested = comparisons(test)
    return None if tested is None else alpha / max(tested, 1)


def comparisons(test: TestResult) -> int | None:
    """Return how many p-values the test has, those that are not shown or not listed too.

    ``None`` where the result does not tell: of a group that is not shown it may not be known
    whether it has one.
    """
    tested = sum(group.p_value is not None for group in test.groups)
    shown = sum(not group.suppressed for group in compared_groups(test))
    compared = _compared_count(test)
    if compared is None or (compared > shown and not _all_have_p_values(test)):
        return None
    return tested + compared - shown


def _compared_count(test: TestResult) -> int | None:
    """Return how many groups were compared, of which a result may list a part."""
    if test.groups_total in (None, len(test.groups)):
        return len(compared_groups(test))
    small = test.measurements.get("insufficient_group_count")
    undefined = test.measurements.get("undefined_group_count")
    if small is None or undefined is None or test.comparison is None:
        return None
    references = 1 if test.comparison.kind == "reference" else 0
    return (test.groups_total or 0) - int(small) - int(undefined) - references


def _all_have_p_values(test: TestResult) -> bool:
    """Return whether no compared group can lack a p-value.

    Counts always have one, and means from two rows on; an AUC only with two positives and two
    negatives on each side.
    """
    names = _statistics_names(test)
    if "concordant" in names:
        return False
    if "m2" in names:
        return bool(test.parameters.get("min_group_size", 30) >= 2)
    return bool({"tp", "positives", "quantile"} & names)


def _statistics_names(test: TestResult) -> set[str]:
    return next((set(group.statistics) for group in test.groups if group.statistics), set())


def _sample_of(test: TestResult) -> Callable[[GroupResult], _Sample] | None:
    """Return how a group becomes a sample, by the statistics that its metric has."""
    names = _statistics_names(test)
    if "concordant" in names:
        return _ranked
    if "tp" in names or "positives" in names:
        return _proportion
    if "m2" in names and "truth_m2" not in names:
        return _mean
    return None


def _proportion(group: GroupResult) -> _Sample:
    n, value = float(group.denominator or 0), float(group.value or 0)
    return _Sample(n, value, value * (1 - value) / n)


def _mean(group: GroupResult) -> _Sample:
    statistics = _statistics(group)
    n = float(group.rows or 0)
    is_constant = statistics["minimum"] == statistics["maximum"]
    variance = 0.0 if is_constant or n <= 1 else statistics["m2"] / (n - 1)
    return _Sample(n, float(statistics["mean"]), variance / n)


def _ranked(group: GroupResult) -> _Sample:
    statistics = _statistics(group)
    positives, negatives = float(statistics["positives"]), float(statistics["negatives"])
    pairs = positives * negatives
    area = min(max(float(group.value or 0), 0.5 / pairs), 1 - 0.5 / pairs)
    squared_error = (
        area
        * (1 - area)
        * (1 + (positives - 1) * (1 - area) / (2 - area) + (negatives - 1) * area / (1 + area))
        / pairs
    )
    return _Sample(pairs, float(group.value or 0), squared_error)


def _is_known(group: GroupResult) -> bool:
    has_rows = bool(group.rows and group.denominator)
    return has_rows and group.statistics is not None and None not in group.statistics.values()


def _statistics(group: GroupResult) -> Mapping[str, Any]:
    return group.statistics or {}


def _second(test: TestResult, group: GroupResult) -> tuple[GroupResult | None, float]:
    """Return what a group is tested against, and how a gap to it becomes one to the comparison.

    That is the reference. With ``overall`` it is all other groups: the value over all rows lies
    between the two, nearer to the larger.
    """
    if test.comparison is not None and test.comparison.kind == "reference":
        reference = next((one for one in test.groups if one.is_reference), None)
        return reference, 1.0
    others = [one for one in test.groups if one is not group]
    listed = len(test.groups) == test.groups_total
    if not listed or not all(map(_is_known, others)) or _root(test):
        return None, 1.0
    merged = _merged([one for one in others if one.denominator])
    if merged is None or not merged.denominator or not group.denominator:
        return None, 1.0
    weight = merged.denominator / (merged.denominator + group.denominator)
    return merged, weight


def _merged(groups: Sequence[GroupResult]) -> GroupResult | None:
    """Return several groups as one sample, moments by the formula for unions."""
    if not groups:
        return None
    n = sum(float(group.denominator or 0) for group in groups)
    rows = sum(group.rows or 0 for group in groups)
    value = sum(float(group.denominator or 0) * float(group.value or 0) for group in groups) / n
    statistics: dict[str, float] = {}
    if "m2" in _statistics(groups[0]):
        means = [float(_statistics(group)["mean"]) for group in groups]
        mean = sum((group.rows or 0) * one for group, one in zip(groups, means, strict=True)) / rows
        statistics["mean"] = mean
        statistics["m2"] = sum(
            _statistics(group)["m2"] + (group.rows or 0) * (one - mean) ** 2
            for group, one in zip(groups, means, strict=True)
        )
        for name, extreme in (("minimum", min), ("maximum", max)):
            statistics[name] = extreme(_statistics(group)[name] for group in groups)
    return replace(groups[0], denominator=n, rows=rows, value=value, statistics=statistics)


def _gap(test: TestResult, first: _Sample, second: _Sample, alpha: float) -> float | None:
    normal = NormalDist()
    z_alpha, z_power = normal.inv_cdf(1 - alpha / 2), normal.inv_cdf(POWER)
    statistics = next(group.statistics for group in test.groups if group.statistics)
    higher = test.metric is not None and test.metric.higher_is_better
    if "m2" in statistics:
        gap = (z_alpha + z_power) * math.sqrt(first.squared_error + second.squared_error)
        # The test is one of squared errors; b² − a² is the gap that it finds.
        return math.sqrt(second.value + gap) - math.sqrt(second.value) if _root(test) else gap
    room = _room(test, second)
    if "concordant" in statistics:
        gap = (z_alpha + z_power) * math.sqrt(first.squared_error + second.squared_error)
        return gap if gap <= room else None

    def is_found(gap: float) -> bool:
        worse = second.value - gap if higher else second.value + gap
        pooled = (first.n * worse + second.n * second.value) / (first.n + second.n)
        chance = math.sqrt(max(pooled * (1 - pooled), 0.0) * (1 / first.n + 1 / second.n))
        spread = math.sqrt(max(worse * (1 - worse), 0.0) / first.n + second.squared_error)
        return gap >= z_alpha * chance + z_power * spread

    return _smallest(is_found, room)


def _root(test: TestResult) -> bool:
    return test.metric is not None and metric_of(test) == "rmse"


def _smallest(is_found: Callable[[float], bool], most: float) -> float | None:
    if not is_found(most):
        return None
    low, high = 0.0, most
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_found(middle) else (middle, high)
    return high
