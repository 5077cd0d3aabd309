"""From statistics to a verdict: the rules of the contract's section 4, pure functions on numbers.

Undefined is ``None`` throughout: a group without a value has no ratio, a test that cannot be judged
is skipped with its reason, and neither is ever a pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsql import bounds
from fairsql.comparison import compare_groups
from fairsql.completing import completed
from fairsql.conditions import hold_groups, hold_metrics
from fairsql.limits import holds
from fairsql.measuring import Part, measurements
from fairsql.panels import panels
from fairsql.reasons import Skip
from fairsql.results import Metric, Rows, TestResult, TestStatistics, ThresholdResult
from fairsql.showing import (
    MAX_REPORTED_GROUPS,
    comparison_shown,
    group_results,
    groups_total,
    note_of_unlisted,
    notes_of,
    part_result,
    stands_alone,
)
from fairsql.strata import pool, shown
from fairsql.tallying import told

if TYPE_CHECKING:
    from fairsql.config import Question, Test


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
        Of each of the test's questions, the row for the whole and the rows of the groups; then the
        same of each tally.
    kinds
        Column -> its kind, where known: booleans are named in any letter case.
    """
    answers = (statistics,) if isinstance(statistics, TestStatistics) else tuple(statistics)
    tallied = test.tallies()
    own = len(answers) - len(tallied)
    result = _verdict(test, answers[:own], kinds or {})
    return told(test, result, answers[own:]) if tallied else result


def _verdict(
    test: Test, answers: Sequence[TestStatistics], kinds: Mapping[str, str | None]
) -> TestResult:
    if (inner := test.lowered()) is not None:
        own = len(inner.questions())
        return completed(test, _verdict(inner, answers[:own], kinds), answers[own:], kinds)
    parts = list(_parts(test, answers, kinds))
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
    groups = group_results(parts)
    first = parts[0]
    is_alone = stands_alone(parts)
    return TestResult(
        name=test.name,
        type=test.type,
        relation=test.relation,
        status=status,  # type: ignore[arg-type]
        reason=skip.reason if skip else None,
        message=skip.message if skip else None,
        notes=tuple(dict.fromkeys(notes_of(parts, groups)))
        + tuple(dict.fromkeys(bounds.notes(test, parts, thresholds)))
        + note_of_unlisted(len(groups), skip),
        parameters=test.parameters(),
        rows=rows,
        overall_value=first.judgement.overall if is_alone else None,
        comparison=comparison_shown(first, groups) if is_alone else None,
        measurements=measured,
        thresholds=thresholds,
        groups_total=groups_total(parts),
        groups=tuple(groups[:MAX_REPORTED_GROUPS]),
        metric=_metric(first.panel.question, first.name) if is_alone else None,
        parts=() if is_alone else tuple(part_result(part, rows, groups) for part in parts),
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
