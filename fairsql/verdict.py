"""From statistics to a verdict: the rules of the contract's section 4, pure functions on numbers.

Undefined is ``None`` throughout: a group without a value has no ratio, a test that cannot be judged
is skipped with its reason, and neither is ever a pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairsql import bounds, reasons
from fairsql.comparison import Group, compare_groups, is_tested
from fairsql.completing import completed
from fairsql.conditions import hold_groups, hold_metrics
from fairsql.limits import holds
from fairsql.measuring import Part, measurements, part_measurements
from fairsql.panels import panels
from fairsql.reasons import Skip
from fairsql.results import (
    Comparison,
    GroupResult,
    Metric,
    PartResult,
    Rows,
    TestResult,
    TestStatistics,
    ThresholdResult,
)
from fairsql.strata import pool, shown

if TYPE_CHECKING:
    from fairsql.config import Question, Test

MAX_REPORTED_GROUPS = 100


def judge(
    test: Test,
    statistics: TestStatistics | Sequence[TestStatistics],
    kinds: Mapping[str, str | None] | None = None,
) -> TestResult:
    """Return the verdict of a test on the statistics of its scan.

    Parameters
    ----------
    test
        What was asked.
    statistics
        Of each of the test's questions, the row for the whole and the rows of the groups.
    kinds
        Column -> its kind, where known: booleans are named in any letter case.
    """
    answers = (statistics,) if isinstance(statistics, TestStatistics) else tuple(statistics)
    if (inner := test.lowered()) is not None:
        own = len(inner.questions())
        return completed(test, judge(inner, answers[:own], kinds), answers[own:], kinds or {})
    parts = list(_parts(test, answers, kinds or {}))
    whole = (parts[0].panel.statistics if test.type == "metric_threshold" else answers[0]).whole
    rows = Rows(
        total=whole["rows_total"],
        missing_metric_inputs=whole["missing_metric_inputs"],
        missing_attribute=whole["missing_attribute"],
        evaluated=whole["evaluated"],
    )
    pooled = pool(test, parts) if parts[0].panel.stratum is not None else ()  # type: ignore[arg-type]
    measured = measurements(test, rows, parts, pooled)
    thresholds = tuple(_threshold(threshold, measured) for threshold in test.thresholds)
    skip = _skip_of(parts)
    is_broken = any(threshold.passed is False for threshold in thresholds)
    if is_broken and any(part.judgement.skip is None for part in parts):
        skip = None  # what one part has shown, no other part can take back
    elif not is_broken:
        skip = skip or _null_measurement(thresholds)
    if skip is not None:
        status = "skipped"
        if len(parts) > 1 and _skip_of(parts):
            measured |= dict.fromkeys(_COMPARED & set(measured))
            thresholds = tuple(_threshold(threshold, measured) for threshold in test.thresholds)
    else:
        status = "passed" if all(threshold.passed for threshold in thresholds) else "failed"
    groups = _results(parts)
    first = parts[0]
    is_alone = _is_alone(parts)
    return TestResult(
        name=test.name,
        type=test.type,
        relation=test.relation,
        status=status,  # type: ignore[arg-type]
        reason=skip.reason if skip else None,
        message=skip.message if skip else None,
        notes=tuple(dict.fromkeys(_notes(parts, groups)))
        + tuple(dict.fromkeys(bounds.notes(test, parts, thresholds)))
        + _unshown(len(groups), skip),
        parameters=test.parameters(),
        rows=rows,
        overall_value=first.judgement.overall if is_alone else None,
        comparison=_shown(first, groups) if is_alone else None,
        measurements=measured,
        thresholds=thresholds,
        groups_total=_groups_total(parts),
        groups=tuple(groups[:MAX_REPORTED_GROUPS]),
        metric=_metric(first.panel.question, first.name) if is_alone else None,
        parts=() if is_alone else tuple(_part(part, rows, groups) for part in parts),
        pooled=shown(test, parts, pooled) if pooled else (),  # type: ignore[arg-type]
        approximate=_is_approximate(test),
        overall_bounds=bounds.overall_bounds(first) if is_alone else None,
    )


_COMPARED = frozenset(
    (
        "failing_group_count",
        "failing_group_percentage",
        "min_metric_ratio",
        "max_metric_difference",
        "significant_disparity_count",
        "impact_ratio",
    )
)
"""What is measured by comparing, and rests on every part: undefined where one has no verdict."""


def _parts(
    test: Test, answers: Sequence[TestStatistics], kinds: Mapping[str, str | None]
) -> Iterator[Part]:
    if test.type == "metric_threshold":
        for name, panel, judgement in hold_metrics(test, answers, kinds):  # type: ignore[arg-type]
            yield Part(name, panel, judgement)
        return
    for panel in panels(test, answers):
        if test.type == "group_column_statistic":
            judgement = hold_groups(test, panel, kinds)  # type: ignore[arg-type]
        else:
            judgement = compare_groups(panel.question, panel.statistics, kinds)
        yield Part(panel.question.metric.name, panel, judgement)


_LEFT_OUT = (
    "fewer_than_two_sufficient_groups",
    "metric_undefined",
    "reference_not_usable",
    "nothing_to_compare",
)
"""Why a stratum or class has nobody to compare, which others may have; in the contract's order."""


def _skip_of(parts: Sequence[Part]) -> Skip | None:
    """Return why a test has no verdict: every metric needs one in a stratum or class, at least."""
    judged = {part.name for part in parts if part.judgement.skip is None}
    skips = [
        (part.name, part.judgement.skip)
        for part in parts
        if part.judgement.skip is not None and not _is_left_out(part, judged)
    ]
    # Of one metric's strata or classes the contract's first reason, whichever of them it is of.
    own = [skip for name, skip in skips if name == skips[0][0]]
    return min(own, key=_place_of_reason, default=None)


def _place_of_reason(skip: Skip) -> int:
    """Return a reason's place in the contract's order, less what is one for all parts."""
    if skip.reason == "ratio_undefined_set_max_difference":
        return len(_LEFT_OUT)
    return _LEFT_OUT.index(skip.reason) if skip.reason in _LEFT_OUT else -1


def _is_left_out(part: Part, judged: Collection[str]) -> bool:
    """Return whether others of a metric's strata or classes make up for one without a verdict."""
    skip = part.judgement.skip
    is_one_of_many = part.panel.stratum is not None or part.panel.positive_class is not None
    return skip is not None and is_one_of_many and part.name in judged and skip.reason in _LEFT_OUT


def unjudged(test: Test, skip: Skip) -> TestResult:
    """Return the result of a test that no scan could serve."""
    questions = test.questions()
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
        measurements=dict.fromkeys(_measured_names(test)),
        thresholds=tuple(
            ThresholdResult(limit.measurement, limit.operator, limit.value, None, None)
            for limit in test.thresholds
        ),
        groups_total=None,
        groups=(),
        metric=_metric(questions[0]) if len(questions) == 1 else None,
        approximate=_is_approximate(test),
    )


def _is_approximate(test: Test) -> bool:
    return test.weight_column is not None or any(map(bounds.is_approximate, test.questions()))


def _measured_names(test: Test) -> tuple[str, ...]:
    if test.type == "metric_threshold":
        return tuple(dict.fromkeys(limit.measurement for limit in test.thresholds))
    return test.measurement_names


def _metric(question: Question, name: str | None = None) -> Metric:
    metric = question.metric
    return Metric(metric.label, question.higher_better, name or metric.name)


def _threshold(threshold: Any, measured: Mapping[str, float | int | None]) -> ThresholdResult:
    observed = measured[threshold.measurement]
    passed = None if observed is None else holds(threshold.operator, observed, threshold.value)
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


def _results(parts: Sequence[Part]) -> list[GroupResult]:
    """Return the groups of all parts: worst first, each part's in their order."""
    placed = [
        (_place(group), number, part, group)
        for number, part in enumerate(parts)
        for group in part.judgement.groups
    ]
    is_alone = _is_alone(parts)
    return [
        _result(part, group, is_alone=is_alone)
        for _, _, part, group in sorted(placed, key=_first_two)
    ]


def _is_alone(parts: Sequence[Part]) -> bool:
    """Return whether a test is of one metric over all of its rows, and so has no parts to show."""
    first = parts[0].panel
    return len(parts) == 1 and first.stratum is None and first.positive_class is None


def _first_two(placed: tuple[Any, ...]) -> tuple[Any, ...]:
    return placed[:2]


def _part(part: Part, rows: Rows, groups: Sequence[GroupResult]) -> PartResult:
    question, skip = part.panel.question, part.judgement.skip
    return PartResult(
        metric=part.name,
        label=question.metric.label,
        higher_is_better=question.higher_better,
        stratum=part.panel.stratum,
        positive_class=part.panel.positive_class,
        overall_value=part.judgement.overall if _is_shown(part) else None,
        comparison=_shown(part, groups),
        measurements=part_measurements(part, rows),
        groups_total=part.panel.statistics.whole["groups_total"],
        reason=skip.reason if skip else None,
        message=skip.message if skip else None,
    )


def _groups_total(parts: Sequence[Part]) -> int:
    """Return how many groups there are, which in strata are not the same ones."""
    totals: dict[tuple[str, ...], int] = {}
    for part in parts:
        totals.setdefault(part.place, part.panel.statistics.whole["groups_total"])
    return sum(totals.values())


def _notes(parts: Sequence[Part], groups: Sequence[GroupResult]) -> Iterator[str]:
    for part in parts:
        if part.judgement.skip is not None and (where := _where(part)):
            yield f"{where} is left out: {part.judgement.skip.message}"
            continue
        question = part.panel.question
        own = [group for group in groups if _is_of(group, part)]
        yield from reasons.notes(
            question,
            part.panel.statistics,
            own,
            compared=sum(group.compared for group in part.judgement.groups),
            tested=is_tested(question),
        )
        yield from _of_two_classes(part)


_BY_CLASS = ("precision", "recall", "f1", "geometric_mean")


def _of_two_classes(part: Part) -> Iterator[str]:
    """Yield that a metric over all rows is a mean of two classes, where many mean that of one."""
    for group in part.judgement.groups:
        is_mean = group.key == () and group.statistics.get("classes") == 2
        if is_mean and part.name in _BY_CLASS and part.panel.question.metric.family.name == "macro":
            yield (
                f"{part.name} is the mean over two classes; with positive_values it is that of one"
                " class against the other."
            )


def _where(part: Part) -> str:
    """Return the stratum or the class of a part as a note names it; nothing where it has none."""
    if part.panel.stratum is not None:
        names = (f"{name} {value!r}" for name, value in part.panel.stratum.items())
        return f"Stratum {', '.join(names)}"
    if part.panel.positive_class is not None:
        return f"Class {part.panel.positive_class!r} of {part.panel.question.metric.label}"
    return ""


def _is_of(group: GroupResult, part: Part) -> bool:
    if group.metric is None:
        return True
    place = (group.metric, group.stratum, group.positive_class)
    return place == (part.name, part.panel.stratum, part.panel.positive_class)


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


def _result(part: Part, group: Group, *, is_alone: bool) -> GroupResult:
    test = part.panel.question
    metric = test.metric
    interval = metric.interval
    # No rows are nobody's secret.
    is_shown = not group.rows or group.rows >= test.min_reported_rows
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
            if interval is not None and group.value is not None and is_shown
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
        metric=None if is_alone else part.name,
        stratum=part.panel.stratum,
        positive_class=part.panel.positive_class,
        value_bounds=bounds.bounds_of(test, group),
    )
    return result if is_shown else _suppressed(result)


def _is_shown(part: Part) -> bool:
    """Return whether a stratum has so many rows that its value may be shown; all rows always do."""
    rows = part.panel.statistics.whole["evaluated"]
    return part.panel.stratum is None or rows >= part.panel.question.min_reported_rows


def _suppressed(result: GroupResult) -> GroupResult:
    return replace(
        result,
        rows=None,
        missing_metric_inputs=None,
        share=None,
        value=None,
        value_bounds=None,
        denominator=None,
        statistics=None,
        suppressed=True,
        confidence_interval=None,
        ratio=None,
        difference=None,
        p_value=None,
        p_value_adjusted=None,
    )


def _shown(part: Part, groups: Sequence[GroupResult]) -> Comparison | None:
    """Return the comparison point, without its value if that is a suppressed group's or a mean."""
    comparison = part.judgement.comparison
    own = (group for group in groups if _is_of(group, part))
    hidden = any(group.is_reference and group.suppressed for group in own)
    if comparison and (hidden or part.panel.question.metric.standardized):
        return replace(comparison, value=None)
    return comparison


def _unshown(total: int, skip: Skip | None) -> tuple[str, ...]:
    if total <= MAX_REPORTED_GROUPS:
        return ()
    judged = "; all were judged" if skip is None else ""
    return (f"The {MAX_REPORTED_GROUPS} worst of {total:,} groups are listed{judged}.",)
