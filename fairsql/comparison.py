"""Who is compared with whom, and how: ratio, gap, direction, significance and failure of a group.

The rules of the contract's section 4 as pure functions on numbers; undefined is ``None``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsql import reasons
from fairsql.binned import BINNED_QUANTILE
from fairsql.errors import CompilationError
from fairsql.families import QUANTILE
from fairsql.formulas import standardized_difference
from fairsql.limits import approximately, is_beyond
from fairsql.reasons import Skip
from fairsql.results import Comparison
from fairsql.weighted import as_rows

if TYPE_CHECKING:
    from fairsql.config import GroupColumnStatistic, Question
    from fairsql.families import Statistics
    from fairsql.results import GroupStatistics, TestStatistics

ALPHA_SLACK = 1e-9

# Where the scan itself pools two samples, the statistic that has the rows of the second one.
_SECOND_ROWS = {QUANTILE.name: "second_rows", BINNED_QUANTILE.name: "other_rows"}


@dataclass(frozen=True)
class Group:
    """A group on its way to a verdict.

    Of a standardized metric ``value`` is the mean, by which groups are ordered and which is not
    shown; a worse group's ``difference`` is ``None`` where it is undefined.
    """

    key: tuple[str, ...]
    statistics: Statistics
    missing_metric_inputs: int
    share: float
    sufficient: bool
    value: float | None
    value_reason: str | None = None
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
        """Evaluated rows."""
        return int(self.statistics["rows"])


@dataclass(frozen=True)
class Judgement:
    """All that a test's verdict rests on; ``skip`` where there is none."""

    groups: tuple[Group, ...]
    overall: float | None = None
    comparison: Comparison | None = None
    skip: Skip | None = None


# --- groups ----------------------------------------------------------------------------------


def compare_groups(
    test: Question, statistics: TestStatistics, kinds: Mapping[str, str | None]
) -> Judgement:
    """Return every group beside the comparison point, or why there is none to speak of."""
    skip = reasons.before_groups(test, statistics.whole)
    groups = tuple(group_of(test, group, statistics.whole, skip) for group in statistics.groups)
    if skip is not None:
        return Judgement(groups, skip=skip)
    skip = reasons.absent_class(test, statistics.whole, kinds)
    judgement = Judgement(groups, overall_of(test, groups, statistics.whole), skip=skip)
    if skip is None:
        skip = _no_comparison(test, groups)
    if skip is not None:
        return replace(judgement, skip=skip)
    judgement = _compare(test, judgement, kinds)
    return judgement if judgement.skip else _tested(test, judgement)


def group_of(
    test: Question, group: GroupStatistics, whole: Mapping[str, Any], skip: Skip | None
) -> Group:
    """Return the group with its value, or why it has none: that may be why no group has one."""
    metric = test.metric
    rows = group.values["evaluated"]
    share = rows / whole["evaluated"]
    statistics = {name: _finite(group.values.get(name)) for name in metric.family.statistics}
    statistics["rows"] = rows
    value = metric.value(statistics) if skip is None else None
    reason = metric.undefined_reason if skip is None else skip.reason
    return Group(
        key=group.key,
        statistics=statistics,
        missing_metric_inputs=group.values["missing_metric_inputs"],
        share=share,
        sufficient=rows >= test.min_group_size and share >= test.min_group_share,
        value=value,
        value_reason=reason if value is None else None,
    )


def _finite(number: float | None) -> float | None:
    """Return a statistic, undefined where infinite rows or an overflow left no number."""
    return number if number is not None and math.isfinite(number) else None


def overall_of(test: Question, groups: Sequence[Group], whole: Mapping[str, Any]) -> float | None:
    """Return the metric over all evaluated rows, insufficient groups' rows included."""
    if test.metric.standardized:
        return None
    family = test.metric.family
    if family.merge is not None:
        return test.metric.value(family.merge([group.statistics for group in groups]))
    statistics = {name: _finite(whole.get(name)) for name in family.statistics}
    return test.metric.value({**statistics, "rows": whole["evaluated"]})


# --- comparison ------------------------------------------------------------------------------


def least_size(test: Question | GroupColumnStatistic) -> str:
    """Return how large a group must be, in words."""
    size = "1 row" if test.min_group_size == 1 else f"{test.min_group_size} rows"
    if not test.min_group_share:
        return f"at least {size}"
    return f"at least {size} and {test.min_group_share:g} of all evaluated rows"


def _no_comparison(test: Question, groups: Sequence[Group]) -> Skip | None:
    sufficient = [group for group in groups if group.sufficient]
    if len(sufficient) < 2:
        return Skip(
            "fewer_than_two_sufficient_groups",
            f"{len(sufficient)} of {len(groups)} groups of"
            f" {', '.join(map(repr, test.protected_attribute_columns))} have {least_size(test)};"
            " two are needed.",
        )
    if all(group.value is None for group in sufficient):
        return Skip(
            "metric_undefined",
            f"{test.metric.label} is undefined for every sufficient group:"
            f" {test.metric.undefined_reason.replace('_', ' ')}.",
        )
    return None


def _compare(test: Question, judgement: Judgement, kinds: Mapping[str, str | None]) -> Judgement:
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
    if test.metric.standardized and reference is not None:
        judged = tuple(_standardized(test, group, reference) for group in judged)
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
    test: Question, groups: Sequence[Group], kinds: Mapping[str, str | None]
) -> Group | Skip:
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
    test: Question, groups: Sequence[Group], kinds: Mapping[str, str | None]
) -> Group | Skip:
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


class Gap(NamedTuple):
    """How a value stands to the one it is compared with.

    ``ratio`` is that of the worse to the better, ``None`` where it is undefined; ``difference`` is
    0 unless the value is worse.
    """

    worse: bool
    ratio: float | None
    difference: float


def gap(test: Question, value: float, comparison: float) -> Gap:
    """Return direction, ratio and difference of a value and the one it is compared with."""
    higher = test.higher_better
    worse = not approximately(value, comparison) and (
        value < comparison if higher else value > comparison
    )
    better_value, worse_value = (comparison, value) if higher else (value, comparison)
    defined = comparison > 0 and (higher or value > 0)
    return Gap(
        worse,
        worse_value / better_value if defined else None,
        abs(value - comparison) if worse else 0.0,
    )


def _against(
    test: Question, group: Group, comparison: float | None, *, is_reference: bool
) -> Group:
    """Return the group with ratio, gap and direction; both are 1 and 0 for the reference."""
    if group.value is None or comparison is None:
        return group
    return replace(
        group,
        is_reference=is_reference,
        compared=group.sufficient and not is_reference,
        **gap(test, group.value, comparison)._asdict(),
    )


def _standardized(test: Question, group: Group, reference: Group) -> Group:
    """Return the group with its gap in pooled standard deviations, and without a ratio."""
    difference = group.difference
    if group.worse:
        samples = group.statistics, reference.statistics
        if test.weight_column is not None:
            samples = as_rows(samples[0]), as_rows(samples[1])
        difference = standardized_difference(*samples)
    return replace(group, ratio=None, difference=difference)


def is_tested(test: Question) -> bool:
    """Return whether the test computes p-values at all."""
    return test.significance_test != "none" and test.metric.p_value is not None


def _tested(test: Question, judgement: Judgement) -> Judgement:
    """Return the judgement with p-values, their adjustment and the failing groups."""
    from fairsql.inference import adjust_p_values

    groups = judgement.groups
    p_values: list[float | None] = [None] * len(groups)
    if is_tested(test):
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
    without_gap = [g for g in judged if g.compared and g.worse and g.difference is None]
    if without_gap:
        return replace(
            judgement,
            skip=Skip(
                "metric_undefined",
                f"group {' / '.join(map(repr, without_gap[0].key))} has a worse mean than the"
                f" reference, but no {test.metric.label}: one of the two has fewer than two rows,"
                " or neither varies.",
            ),
        )
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


def _p_values(test: Question, groups: Sequence[Group]) -> list[float | None]:
    p_value = test.metric.p_value
    assert p_value is not None  # noqa: S101 - the caller asked
    seconds: Sequence[Statistics]
    if test.metric.family.name in _SECOND_ROWS:
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


def _check_pooled(test: Question, groups: Sequence[Group]) -> None:
    """Raise if the scan pooled a group with another reference than the verdict's own."""
    reference = next((group for group in groups if group.is_reference), None)
    name = _SECOND_ROWS[test.metric.family.name]
    for group in groups:
        second = group.statistics[name]
        if reference is None or not group.compared:
            continue
        if second != reference.rows or reference.statistics[name] is not None:
            raise CompilationError(
                f"{test.name}: the scan compared {group.key} with another group"
                f" than {reference.key}"
            )


def _decided(
    test: Question,
    group: Group,
    p_value: float | None,
    adjusted: float | None,
    comparison: Comparison | None,
) -> Group:
    if not group.compared or group.value is None:
        return group
    significant = group.worse and adjusted is not None and adjusted < test.alpha * (1 - ALPHA_SLACK)
    beyond = is_beyond(
        ratio=group.ratio,
        difference=group.difference,
        value=group.difference if test.metric.standardized else group.value,
        comparison=comparison.value if comparison and not test.metric.standardized else None,
        min_ratio=test.min_ratio,
        max_difference=test.max_difference,
    )
    return replace(
        group,
        p_value=p_value,
        p_value_adjusted=adjusted,
        significant=significant,
        failed=group.worse and beyond and (significant or not test.require_significance),
    )
