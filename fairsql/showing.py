"""What a result shows of a test's parts: groups in their order, comparisons, and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairsql import bounds, reasons
from fairsql.comparison import Group, is_tested
from fairsql.measuring import Part, part_measurements
from fairsql.results import Comparison, GroupResult, PartResult, Rows

if TYPE_CHECKING:
    from fairsql.reasons import Skip

MAX_REPORTED_GROUPS = 100


def group_results(parts: Sequence[Part]) -> list[GroupResult]:
    """Return the groups of all parts: worst first, each part's in their order."""
    placed = [
        (_place(group), number, part, group)
        for number, part in enumerate(parts)
        for group in part.judgement.groups
    ]
    is_alone = stands_alone(parts)
    return [
        _result(part, group, is_alone=is_alone)
        for _, _, part, group in sorted(placed, key=_first_two)
    ]


def stands_alone(parts: Sequence[Part]) -> bool:
    """Return whether a test is of one metric over all of its rows, and so has no parts to show."""
    first = parts[0].panel
    return len(parts) == 1 and first.stratum is None and first.positive_class is None


def _first_two(placed: tuple[Any, ...]) -> tuple[Any, ...]:
    return placed[:2]


def part_result(part: Part, rows: Rows, groups: Sequence[GroupResult]) -> PartResult:
    """Return what a result has of one of several parts."""
    question, skip = part.panel.question, part.judgement.skip
    return PartResult(
        metric=part.name,
        label=question.metric.label,
        higher_is_better=question.higher_better,
        stratum=part.panel.stratum,
        positive_class=part.panel.positive_class,
        overall_value=part.judgement.overall if _is_shown(part) else None,
        comparison=comparison_shown(part, groups),
        measurements=part_measurements(part, rows),
        groups_total=part.panel.statistics.whole["groups_total"],
        reason=skip.reason if skip else None,
        message=skip.message if skip else None,
    )


def groups_total(parts: Sequence[Part]) -> int:
    """Return how many groups there are, which in strata are not the same ones."""
    totals: dict[tuple[str, ...], int] = {}
    for part in parts:
        totals.setdefault(part.place, part.panel.statistics.whole["groups_total"])
    return sum(totals.values())


def notes_of(parts: Sequence[Part], groups: Sequence[GroupResult]) -> Iterator[str]:
    """Yield what a reader should know besides the verdict, part by part."""
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


def comparison_shown(part: Part, groups: Sequence[GroupResult]) -> Comparison | None:
    """Return the comparison point, without its value if that is a suppressed group's or a mean."""
    comparison = part.judgement.comparison
    own = (group for group in groups if _is_of(group, part))
    hidden = any(group.is_reference and group.suppressed for group in own)
    if comparison and (hidden or part.panel.question.metric.standardized):
        return replace(comparison, value=None)
    return comparison


def note_of_unlisted(total: int, skip: Skip | None) -> tuple[str, ...]:
    """Return the note that a result does not list all of its groups, where it does not."""
    if total <= MAX_REPORTED_GROUPS:
        return ()
    judged = "; all were judged" if skip is None else ""
    return (f"The {MAX_REPORTED_GROUPS} worst of {total:,} groups are listed{judged}.",)
