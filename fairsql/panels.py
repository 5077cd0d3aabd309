"""From the answers of a scan to the parts of a test: a metric, a stratum or a class each.

A part is a question with the statistics of its groups, so that one set of rules compares the groups
of every kind of test.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from fairsql.families import Family, Statistics, rows
from fairsql.metrics import METRICS
from fairsql.reasons import MAX_GROUPS
from fairsql.results import GroupStatistics, TestStatistics

if TYPE_CHECKING:
    from fairsql.config import GroupOutcomeDisparity, GroupPerformanceParity, Question, Test
    from fairsql.metrics import Metric

_CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True)
class Panel:
    """A question and the statistics that answer it, for one stratum or class of the test."""

    question: Question
    statistics: TestStatistics
    stratum: Mapping[str, str] | None = None
    positive_class: str | None = None


def panels(test: Test, statistics: Sequence[TestStatistics]) -> tuple[Panel, ...]:
    """Return the parts of a test.

    Parameters
    ----------
    test
        What was asked.
    statistics
        One for each of its questions, in their order.
    """
    found: Iterator[Panel] = iter(())
    if getattr(test, "stratify_by_columns", ()):
        found = _strata(test, statistics[0])  # type: ignore[arg-type]
    elif getattr(test, "is_by_class", False):
        found = _classes(test, *statistics)  # type: ignore[arg-type]
    answered = zip(test.questions(), statistics, strict=True)
    return tuple(found) or tuple(Panel(question, answer) for question, answer in answered)


# --- strata ----------------------------------------------------------------------------------


def _strata(test: GroupOutcomeDisparity, statistics: TestStatistics) -> Iterator[Panel]:
    """Yield a part for each stratum; the counts of rows without a group are the whole's."""
    (question,) = test.questions()
    width = len(test.stratify_by_columns)
    by_stratum: dict[tuple[str, ...], list[GroupStatistics]] = defaultdict(list)
    for group in statistics.groups:
        by_stratum[group.key[:width]].append(replace(group, key=group.key[width:]))
    own = replace(question, protected_attribute_columns=test.protected_attribute_columns)  # type: ignore[type-var]
    for key, groups in sorted(by_stratum.items()):
        whole = {
            **statistics.whole,
            "evaluated": sum(group.values["evaluated"] for group in groups),
            "groups_total": len(groups),
            **{
                f"attribute_{place}_rows": statistics.whole[f"attribute_{width + place}_rows"]
                for place in range(1, len(test.protected_attribute_columns) + 1)
            },
        }
        stratum = dict(zip(test.stratify_by_columns, key, strict=True))
        yield Panel(own, TestStatistics(whole, tuple(groups)), stratum)


# --- classes ---------------------------------------------------------------------------------


def _classes(
    test: GroupPerformanceParity,
    by_group: TestStatistics,
    by_truth: TestStatistics,
    by_prediction: TestStatistics,
) -> Iterator[Panel]:
    """Yield a part for each metric and class, or for each metric's macro average."""
    most = max(answer.whole["groups_total"] for answer in (by_group, by_truth, by_prediction))
    cells = class_cells(by_truth, by_prediction) if most <= MAX_GROUPS else {}
    if not cells:
        # The scan says why: no row is evaluated, or groups and classes are too many together.
        whole = {**by_group.whole, "groups_total": most}
        for question in map(test.class_question, test.metrics):
            yield Panel(question, TestStatistics(whole, ()))
        return
    rows_of = {
        group.key: {name: group.values[name] for name in ("evaluated", "missing_metric_inputs")}
        for group in by_group.groups
    }
    statistics: dict[str, list[GroupStatistics]] = defaultdict(list)
    for (key, name), counts in sorted(cells.items()):
        statistics[name].append(GroupStatistics(key, {**rows_of[key], **counts}))
    of_class = {
        name: {cell: sum(group.values[cell] for group in groups) for cell in _CELLS}
        for name, groups in statistics.items()
    }
    for metric in test.metrics:
        question = test.class_question(metric)
        if test.average == "macro":
            groups = tuple(
                _averaged(
                    metric,
                    key,
                    [dict(g.values) for gs in statistics.values() for g in gs if g.key == key],
                )
                for key in sorted(rows_of)
            )
            whole = {**by_group.whole, **average(metric, list(of_class.values()))}
            averaged = replace(question, metric=macro(metric))
            yield Panel(averaged, TestStatistics(whole, groups))
            continue
        for name, groups_of in statistics.items():
            answer = TestStatistics({**by_group.whole, **of_class[name]}, tuple(groups_of))
            yield Panel(question, answer, positive_class=name)


def class_cells(
    by_truth: TestStatistics, by_prediction: TestStatistics
) -> dict[tuple[tuple[str, ...], str], dict[str, int]]:
    """Return group and class -> confusion cells of that class against the rest.

    Parameters
    ----------
    by_truth, by_prediction
        Agreement of prediction and truth, by group and true class and by group and predicted
        class: the class is the last part of the key.
    """
    actual = {(group.key[:-1], group.key[-1]): group.values for group in by_truth.groups}
    predicted = {(group.key[:-1], group.key[-1]): group.values for group in by_prediction.groups}
    rows_of: dict[tuple[str, ...], int] = defaultdict(int)
    for (key, _), values in actual.items():
        rows_of[key] += values["evaluated"]
    names = {name for _, name in [*actual, *predicted]}
    cells = {}
    for key, total in rows_of.items():
        for name in names:
            true = actual.get((key, name), {})
            tp, positives = true.get("positives", 0), true.get("evaluated", 0)
            chosen = predicted.get((key, name), {}).get("evaluated", 0)
            cells[key, name] = {
                "tp": tp,
                "fp": chosen - tp,
                "fn": positives - tp,
                "tn": total - positives - chosen + tp,
            }
    return cells


_OF_GEOMETRIC = ("precision", "recall")
_MACRO = Family("macro", ("rows", "average", "classes"))


def macro(metric: Metric) -> Metric:
    """Return a metric's macro average: the mean over the classes for which it is defined."""
    return replace(
        metric,
        label=f"macro-averaged {metric.label}",
        family=_MACRO,
        value=partial(_statistic, "average"),
        denominator=rows,
        undefined_reason="undefined_for_every_class",
        p_value=None,
        interval=None,
        part=(),
        whole=(),
    )


def average(metric: Metric, cells: Sequence[Statistics]) -> Statistics:
    """Return the mean of a metric over classes, and over how many of them it is defined.

    The geometric mean is that of the averages of precision and recall, and is of all classes.
    """
    if metric.name == "geometric_mean":
        precision, recall = (average(METRICS[name], cells)["average"] for name in _OF_GEOMETRIC)
        is_known = precision is not None and recall is not None
        return {
            "average": math.sqrt(precision * recall) if is_known else None,
            "classes": len(cells),
        }
    values = [value for counts in cells if (value := metric.value(counts)) is not None]
    return {"average": fmean(values) if values else None, "classes": len(values)}


def _statistic(name: str, statistics: Statistics) -> Any:
    return statistics[name]


def _averaged(
    metric: Metric, key: tuple[str, ...], of_classes: Sequence[dict[str, Any]]
) -> GroupStatistics:
    counted = [{"rows": one["evaluated"], **one} for one in of_classes]
    return GroupStatistics(key, {**of_classes[0], **average(metric, counted)})
