"""Tests that compare nobody: a group's statistic, or a metric of all rows, against a limit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from fairsql import reasons
from fairsql.comparison import Group, Judgement, group_of, least_size, overall_of
from fairsql.families import MOMENTS, Statistics
from fairsql.limits import holds
from fairsql.metrics import METRICS, Metric
from fairsql.panels import Panel, average, class_cells, macro
from fairsql.reasons import Skip

if TYPE_CHECKING:
    from fairsql.config import GroupColumnStatistic, MetricThreshold, Question
    from fairsql.config.metric_threshold import Asked
    from fairsql.results import TestStatistics

Kinds = Mapping[str, str | None]


def hold_groups(test: GroupColumnStatistic, panel: Panel, kinds: Kinds) -> Judgement:
    """Return every group with its statistic; a group fails that does not meet the condition."""
    judgement = valued(panel.question, panel.statistics, kinds)
    if judgement.skip is not None:
        return judgement
    sufficient = [group for group in judgement.groups if group.sufficient]
    if not sufficient:
        return replace(
            judgement,
            skip=Skip(
                "nothing_to_compare",
                f"none of {len(judgement.groups)} groups has {least_size(test)}.",
            ),
        )
    if all(group.value is None for group in sufficient):
        return replace(judgement, skip=_undefined(panel.question.metric, "every sufficient group"))
    groups = (_held(group, test.operator, test.value) for group in judgement.groups)
    return replace(judgement, groups=tuple(groups))


def _held(group: Group, operator: str, limit: float) -> Group:
    if not group.sufficient or group.value is None:
        return group
    return replace(group, failed=not holds(operator, group.value, limit))


def hold_metrics(
    test: MetricThreshold, answers: Sequence[TestStatistics], kinds: Kinds
) -> Iterator[tuple[str, Panel, Judgement]]:
    """Yield each measurement's name with what it rests on; its one group is all rows."""
    left = iter(answers)
    for asked in test.asked():
        own = [next(left) for _ in asked.questions]
        question, answer = asked.questions[0], own[0]
        if asked.combination == "alone":
            judgement = valued(question, answer, kinds)
        else:
            skips = map(_skip, asked.questions, own, [kinds] * len(own))
            skip = _absent(asked, own) or next(filter(None, skips), None)
            metric, statistics = _combined(asked, own)
            question = replace(question, metric=metric, protected_attribute_columns=())
            judgement = _one(metric, statistics, skip)
        group = next(iter(judgement.groups), None)
        if judgement.skip is None and (group is None or group.value is None):
            judgement = replace(judgement, skip=_undefined(question.metric, "the rows"))
        answer = replace(answer, whole=_whole(asked, own))
        yield asked.measurement, Panel(question, answer), judgement


def _combined(asked: Asked, answers: Sequence[TestStatistics]) -> tuple[Metric, Statistics]:
    """Return the metric that several answers make, and the statistics of it over all rows."""
    metric = METRICS[asked.metric]
    if asked.combination == "losses":
        merge = MOMENTS.merge
        assert merge is not None  # noqa: S101 - moments merge
        groups = [
            group_of(question, group, answer.whole, None)
            for question, answer in zip(asked.questions, answers, strict=True)
            for group in answer.groups
        ]
        return metric, merge([group.statistics for group in groups])
    rows = answers[0].whole["evaluated"]
    if asked.combination == "pairs":
        found = [
            group_of(question, group, answer.whole, None).value
            for question, answer in zip(asked.questions, answers, strict=True)
            for group in answer.groups
        ]
        values = [value for value in found if value is not None]
        is_whole = len(values) == len(answers)
        return macro(metric), {
            "rows": _whole(asked, answers)["evaluated"],
            "average": fmean(values) if is_whole else None,
            "classes": len(values),
        }
    cells = [{"rows": rows, **counts} for counts in class_cells(*answers).values()]
    if asked.combination == "least":
        of_classes = [value for counts in cells if (value := metric.value(counts)) is not None]
        least = min(of_classes, default=None)
        return replace(macro(metric), label=f"least {metric.label} of any class"), {
            "rows": rows,
            "average": least,
            "classes": len(of_classes),
        }
    return macro(metric), {"rows": rows, **average(metric, cells)}


def _whole(asked: Asked, answers: Sequence[TestStatistics]) -> dict[str, Any]:
    """Return the counts of rows: of several classes, those that any of the questions is about.

    A class is in two questions for each other one, where there is one for each pair; so are its
    rows.
    """
    whole = dict(answers[0].whole)
    if asked.combination not in ("pairs", "losses"):
        return whole
    often = 1
    if asked.combination == "pairs":
        often = 2 * (len({question.positive_texts for question in asked.questions}) - 1)
    evaluated, classed = (
        sum(answer.whole[name] for answer in answers) // often
        for name in ("evaluated", "input_2_rows")
    )
    return {
        **whole,
        "evaluated": evaluated,
        "missing_metric_inputs": whole["rows_total"] - evaluated,
        "unclassed_rows": whole["rows_total"] - classed,
    }


def _absent(asked: Asked, answers: Sequence[TestStatistics]) -> Skip | None:
    """Return the skip for a class of which no row is; if none has any, the truth is missing."""
    if asked.combination != "losses":
        return None
    rows = [answer.whole["input_2_rows"] for answer in answers]
    if all(rows) or not any(rows):
        return None
    question = asked.questions[rows.index(0)]
    column = question.input_columns["ground_truth_column"]
    return Skip(
        "positive_class_absent", f"column {column!r} never holds {question.positive_texts[0]!r}."
    )


def _skip(question: Question, answer: TestStatistics, kinds: Kinds) -> Skip | None:
    return reasons.before_groups(question, answer.whole) or reasons.absent_class(
        question, answer.whole, kinds
    )


def valued(question: Question, answer: TestStatistics, kinds: Kinds) -> Judgement:
    """Return every group with its value, compared with nothing."""
    skip = _skip(question, answer, kinds)
    groups = tuple(group_of(question, group, answer.whole, skip) for group in answer.groups)
    overall = None if skip else overall_of(question, groups, answer.whole)
    return Judgement(groups, overall, skip=skip)


def _one(metric: Metric, statistics: Statistics, skip: Skip | None) -> Judgement:
    """Return all rows as one group."""
    value = metric.value(statistics) if skip is None else None
    reason = metric.undefined_reason if skip is None else skip.reason
    group = Group(
        key=(),
        statistics=statistics,
        missing_metric_inputs=0,
        share=1.0,
        sufficient=True,
        value=value,
        value_reason=reason if value is None else None,
    )
    return Judgement((group,), value, skip=skip)


def _undefined(metric: Metric, where: str) -> Skip:
    reason = metric.undefined_reason.replace("_", " ")
    return Skip("metric_undefined", f"{metric.label} is undefined for {where}: {reason}.")
