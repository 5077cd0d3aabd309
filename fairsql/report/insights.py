"""Key insights: what a reader should take from a test, in sentences computed from its result.

Each sentence carries the facts that it states, so that a test can hold them against the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fairsql.limits import is_beyond
from fairsql.report.detectable import POWER, comparisons, detectable_gaps, tested_alpha
from fairsql.report.evidence import all_shown, compared_groups
from fairsql.report.insight import Insight
from fairsql.report.kinds import condition, is_standardized, limits_metrics
from fairsql.report.limit_insights import groups_in_limits, metrics_in_limits
from fairsql.report.omissions import left_out, too_small, undefined, unevenly_missing
from fairsql.report.part_insights import failing_of_parts, parts_in_words, turned_round
from fairsql.report.phrases import comparison_point, metric_name, names, worst_extreme
from fairsql.report.words import VALUES, counted, number, probability, sentence
from fairsql.results import is_illustrative

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

MANY_ROWS = 1_000_000
"""Evaluated rows from which hardly any gap is small enough to be chance."""

UNTESTED_METRICS = frozenset(
    ("r2", "f1", "balanced_accuracy", "geometric_mean", "sum", "min", "max", "std", "variance")
) | {"count", "distinct_count", "missing_rate"}
"""The metrics without a significance test, which a result does not tell."""

_Sentences = Callable[["TestResult"], Iterator[Insight]]

_ADJUSTMENTS = {
    "holm": "after Holm's adjustment for {}",
    "holm_all_pairs": "after Holm's adjustment for all pairs of groups",
    "benjamini_hochberg": "after Benjamini and Hochberg's adjustment for {}",
}


def insights(test: TestResult, tests_in_run: int = 1) -> tuple[Insight, ...]:
    """Return what a test's result says, the most important first.

    Parameters
    ----------
    test
        The result.
    tests_in_run
        How many tests the run made: with many, some gaps are significant by chance.
    """
    parts: list[_Sentences] = [_no_verdict, _illustrative]
    if test.status in ("passed", "failed"):
        parts += _of_a_verdict(test)
    if test.parts and not limits_metrics(test):
        parts += [too_small, left_out, unevenly_missing]
    else:
        parts += [too_small, undefined, left_out, unevenly_missing]
    parts.append(lambda test: _one_of_many(test, tests_in_run))
    return tuple(insight for part in parts for insight in part(test))


def _of_a_verdict(test: TestResult) -> list[_Sentences]:
    if limits_metrics(test):
        return [metrics_in_limits]
    if condition(test):
        return [groups_in_limits]
    if test.parts:
        sentences = (_worst, _significance, undefined)
        return [
            lambda test: failing_of_parts(test, _rule(test)),
            turned_round,
            lambda test: parts_in_words(test, sentences),
        ]
    first = [_worst, _significance, _failing, _held_back, _significant_all_the_same]
    return [*first, _detectable, _many_rows]


def _one_of_many(test: TestResult, tests: int) -> Iterator[Insight]:
    if tests > 1 and any(group.significant for group in test.groups):
        text = (
            f"This is one of {counted(tests, 'test')} of the run. P-values are adjusted within a"
            " test, if at all: among many tests some gaps are significant by chance."
        )
        yield Insight("tests_in_run", text, {"tests": tests})


def _no_verdict(test: TestResult) -> Iterator[Insight]:
    if test.status in ("passed", "failed"):
        return
    problem = "could not be judged" if test.status == "skipped" else "ended in an error"
    message = sentence(test.message or test.reason or "no reason is given.")
    text = f"The test {problem}, which is not a pass: {message}"
    yield Insight("no_verdict", text, {"status": test.status, "reason": test.reason})


def _illustrative(test: TestResult) -> Iterator[Insight]:
    if is_illustrative(test):
        text = "Samples this small are no evidence: the test neither passes nor fails."
        yield Insight("illustrative", text, {"would_be": test.status})


# --- the worst group ---------------------------------------------------------------------------


def worst_groups(test: TestResult) -> tuple[GroupResult, ...]:
    """Return the compared groups with the largest gap, ties together; none if none is worse.

    The worst of all groups may not be among those that are listed with their numbers: none then.
    """
    largest = _largest_gap(test)
    if not largest:
        return ()
    return tuple(group for group in compared_groups(test) if group.difference == largest)


def _largest_gap(test: TestResult) -> float | None:
    """Return the largest gap, which tests of answers call by their own name."""
    return test.measurements.get("max_metric_difference", test.measurements.get(test.type))


def _worst(test: TestResult) -> Iterator[Insight]:
    largest = _largest_gap(test)
    if largest is None:
        return
    point = comparison_point(test)
    if largest == 0:
        text = f"No group is worse than {point}."
        if _small_groups_have_values(test):
            text = f"{_JUDGED}, none is worse than {point}."
        yield Insight("none_worse", text, {"compared": _compared_value(test)})
        return
    worst = worst_groups(test)
    if not worst:
        text = f"The largest gap is {number(largest)}, in a group whose numbers are not listed."
        yield Insight("worst_not_listed", text, {"gap": largest})
        return
    first = worst[0]
    verb = "has" if len(worst) == 1 else "have"
    extreme = worst_extreme(test)
    which = f"the {extreme} {metric_name(test)}" if extreme else f"the worst {metric_name(test)}"
    ratio = "" if first.ratio is None else f" a ratio of {number(first.ratio)} and"
    ratio = "" if test.type in VALUES else ratio  # it decides nothing there
    among = f"{_JUDGED}, " if _small_groups_have_values(test) else ""
    text = (
        f"{among}{names(worst)} {verb} {which}, {number(first.value)}, against {point}:"
        f"{ratio} a gap of {number(first.difference)}."
    )
    if is_standardized(test):
        text = (
            f"{among}{names(worst)} {verb} the largest gap to {point}: {number(first.difference)}"
            " standard deviations."
        )
    facts = {
        "groups": [dict(group.key) for group in worst],
        "direction": extreme,
        "value": first.value,
        "compared": _compared_value(test),
        "ratio": first.ratio,
        "gap": first.difference,
    }
    yield Insight("worst_group", text, facts)


_JUDGED = "Of the groups large enough to judge"


def _small_groups_have_values(test: TestResult) -> bool:
    """Return whether a group that is too small to judge has a value, which may be the worst."""
    small = [group for group in test.groups if not group.sufficient]
    if len(small) < (test.measurements.get("insufficient_group_count") or 0):
        return True
    return any(group.value_reason is None for group in small)


def _significance(test: TestResult) -> Iterator[Insight]:
    worst = worst_groups(test)
    if not worst:
        return
    group, alpha = worst[0], float(test.parameters.get("alpha", 0.05))
    facts = {
        "group": dict(group.key),
        "p_value": group.p_value_adjusted,
        "alpha": alpha,
        "significant": group.significant,
    }
    whose = "This gap" if len(worst) == 1 else f"The gap of {names([group])}"
    if not _is_tested(test):
        text = f"{whose} was not tested: nothing says whether it may be chance."
        yield Insight("not_tested", text, {"group": dict(group.key)})
    elif group.p_value_adjusted is None:
        text = f"{whose} has no p-value: its rows are too few or too uniform for the test."
        yield Insight("no_p_value", text, facts)
    else:
        p_value = probability(group.p_value_adjusted)
        p_value = p_value if p_value.startswith("<") else f"= {p_value}"
        p_value = f"p {p_value} {_adjusted(test)}".rstrip()
        if group.significant:
            text = f"{whose} is significant: {p_value}, below alpha = {number(alpha)}."
        else:
            text = f"{whose} may be chance: {p_value}, not below alpha = {number(alpha)}."
        yield Insight("significance", text, facts)


def _adjusted(test: TestResult) -> str:
    adjustment = str(test.parameters.get("p_value_adjustment", "none"))
    tested = comparisons(test)
    how_many = "all comparisons" if tested is None else counted(tested, "comparison")
    if adjustment in _ADJUSTMENTS:
        return _ADJUSTMENTS[adjustment].format(how_many)
    return "" if tested == 1 else f"without adjustment for {how_many}"


# --- which groups fail, and which do not though they might ---------------------------------------


def _failing(test: TestResult) -> Iterator[Insight]:
    count = test.measurements.get("failing_group_count")
    if not count:
        return
    failed = [group for group in test.groups if group.failed]
    verb = "fails" if count == 1 else "fail"
    text = f"{counted(int(count), 'group')} {verb}: {names(failed, int(count))}. {_rule(test)}"
    facts = {"count": count, "groups": [dict(group.key) for group in failed]}
    yield Insight("failing", text, facts)


def _rule(test: TestResult) -> str:
    limits = []
    if not is_standardized(test) and test.type not in VALUES:
        limits = [f"its ratio is below {number(test.parameters.get('min_ratio', 0.8))}"]
    if (most := test.parameters.get("max_difference")) is not None:
        limits.append(f"its gap is above {number(most)}")
    gate = ""
    if test.parameters.get("require_significance"):
        gate = " and the gap is significant" if len(limits) == 1 else ", and the gap is significant"
    return f"A group fails when it is worse and {' or '.join(limits)}{gate}."


def _held_back(test: TestResult) -> Iterator[Insight]:
    """Say which groups are beyond a limit and do not fail, for want of significance."""
    if not test.parameters.get("require_significance"):
        return
    held = [
        group
        for group in compared_groups(test)
        if group.worse and not group.significant and _is_beyond(test, group)
    ]
    if held:
        verb = "is" if len(held) == 1 else "are"
        text = f"{names(held)} {verb} beyond the limits, but not significantly worse: no failure."
        facts = {"groups": [dict(group.key) for group in held]}
        yield Insight("not_significant", text, facts)


def _is_beyond(test: TestResult, group: GroupResult) -> bool:
    return is_beyond(
        ratio=group.ratio,
        difference=group.difference,
        value=group.value,
        comparison=_compared_value(test),
        min_ratio=test.parameters.get("min_ratio", 0.8),
        max_difference=test.parameters.get("max_difference"),
    )


def _significant_all_the_same(test: TestResult) -> Iterator[Insight]:
    count = test.measurements.get("significant_disparity_count")
    if test.status != "passed" or not count:
        return
    groups = [group for group in test.groups if group.significant]
    verb = "is" if count == 1 else "are"
    text = (
        f"Passed, yet {counted(int(count), 'group')} {verb} significantly worse than the"
        f" comparison point: {names(groups, int(count))}."
    )
    facts = {"count": count, "groups": [dict(group.key) for group in groups]}
    yield Insight("passed_though_significant", text, facts)


# --- what the rows can show ----------------------------------------------------------------------


def _detectable(test: TestResult) -> Iterator[Insight]:
    alpha = tested_alpha(test)
    if test.status != "passed" or alpha is None:
        return
    gaps = detectable_gaps(test)
    found = {place: gap for place, gap in gaps.items() if gap is not None}
    unseen = [test.groups[place] for place, gap in gaps.items() if gap is None]
    if found:
        least, most = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
        sizes = number(found[most], 2)
        if number(found[least], 2) != sizes:
            sizes = (
                f"{number(found[least], 2)} ({names([test.groups[least]])}) to {sizes}"
                f" ({names([test.groups[most]])})"
            )
        a_gap = "A true gap"
        if not all_shown(test):
            a_gap = "For the groups whose numbers are listed, a true gap"
        text = (
            f"{a_gap} of {sizes} would have come out as significant in {100 * POWER:g} % of such"
            f" samples, by the normal approximation at alpha = {number(alpha)};"
            " smaller ones may well go unseen."
        )
        facts = {
            "smallest": found[least],
            "smallest_group": dict(test.groups[least].key),
            "largest": found[most],
            "largest_group": dict(test.groups[most].key),
            "alpha": alpha,
            "power": POWER,
        }
        yield Insight("detectable_gap", text, facts)
    if unseen:
        verb = "has" if len(unseen) == 1 else "have"
        text = f"{names(unseen)} {verb} too few rows to show even the largest possible gap."
        facts = {"groups": [dict(group.key) for group in unseen]}
        yield Insight("undetectable_gap", text, facts)


def _many_rows(test: TestResult) -> Iterator[Insight]:
    evaluated = test.rows.evaluated or 0
    groups = [group for group in compared_groups(test) if group.significant and group.difference]
    if evaluated < MANY_ROWS or not groups:
        return
    which = "here" if all_shown(test) else "listed"
    smallest = min(groups, key=lambda group: group.difference or 0.0)
    text = (
        f"With {counted(evaluated, 'row')} even a tiny gap is significant: the smallest {which} is"
        f" {number(smallest.difference)} ({names([smallest])}). Judge gaps by their size."
    )
    facts = {"rows": evaluated, "gap": smallest.difference, "group": dict(smallest.key)}
    yield Insight("many_rows", text, facts)


# --- what they rest on ---------------------------------------------------------------------------


def _compared_value(test: TestResult) -> float | None:
    return test.comparison.value if test.comparison else None


def _is_tested(test: TestResult) -> bool:
    own = test.metric.name if test.metric else ""
    return any(group.p_value is not None for group in test.groups) or (
        test.parameters.get("significance_test", "auto") != "none"
        and (own or test.parameters.get("parity_metric")) not in UNTESTED_METRICS
        and not metric_name(test).startswith("macro-averaged ")
    )
