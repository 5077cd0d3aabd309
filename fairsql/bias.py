"""What an ``llm_bias`` test tells besides its limits: scores by group, and whether errors differ.

A row on which the judge failed has no score. Where it fails more often in one group than in the
others, the scores that are left are no fair sample of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairsql.comparison import ALPHA_SLACK, Group, Judgement, compare_groups
from fairsql.conditions import hold_metrics, valued
from fairsql.measuring import Part
from fairsql.panels import Panel
from fairsql.results import PartResult
from fairsql.showing import (
    MAX_REPORTED_GROUPS,
    group_results,
    note_of_unlisted,
    notes_of,
    part_result,
)

if TYPE_CHECKING:
    from fairsql.config import Question
    from fairsql.config.llm_bias import LlmBias
    from fairsql.results import TestResult, TestStatistics

Kinds = Mapping[str, str | None]

ERROR_RATE, MEAN_SCORE = "error_rate", "mean_score"
"""The parts by group: the share of judged rows on which the judge failed, and the mean score."""

_COUNTS = ("applied_row_count", "errored_row_count")


def completed_bias(
    test: LlmBias, result: TestResult, further: Sequence[TestStatistics], kinds: Kinds
) -> TestResult:
    """Return the result with every measurement, and with its groups where there are any."""
    unlimited = test.unlimited()
    own = len(unlimited.questions())
    measured = dict(result.measurements)
    for name, _, judgement in hold_metrics(unlimited, further[:own], kinds):
        measured[name] = judgement.groups[0].value if judgement.groups else None
    for name in _COUNTS:
        count = measured[name]
        measured[name] = None if count is None else round(count)
    result = replace(result, measurements=measured)
    questions = test.questions_of_groups()
    if not questions:
        return result
    of_errors, of_scores = zip(questions, further[own:], strict=True)
    errors = Part(ERROR_RATE, Panel(*of_errors), compared_errors(*of_errors, kinds))
    scores = Part(MEAN_SCORE, Panel(*of_scores), valued(*of_scores, kinds))
    return _with_groups(result, errors, scores)


def compared_errors(question: Question, answer: TestStatistics, kinds: Kinds) -> Judgement:
    """Return each group's error rate beside that of all other rows; none of them fails."""
    from fairsql.inference import adjust_p_values

    judgement = compare_groups(question, answer, kinds)
    p_values = [group.p_value for group in judgement.groups]
    # Of two groups each is the other's rest: one comparison, and not two.
    compared = sum(p_value is not None for p_value in p_values)
    adjusted = adjust_p_values(p_values, "holm" if compared > 2 else "none")
    groups = (
        replace(group, p_value_adjusted=p_value, ratio=None, failed=False)
        for group, p_value in zip(judgement.groups, adjusted, strict=True)
    )
    alpha = question.alpha
    return replace(
        judgement,
        groups=tuple(
            replace(group, significant=group.worse and _is_beyond_chance(group, alpha))
            for group in groups
        ),
    )


def _is_beyond_chance(group: Group, alpha: float) -> bool:
    p_value = group.p_value_adjusted
    return p_value is not None and p_value < alpha * (1 - ALPHA_SLACK)


def _with_groups(result: TestResult, errors: Part, scores: Part) -> TestResult:
    """Return the result with the groups of both parts after the rows as a whole."""
    wholes = tuple(result.groups)
    parts = result.parts
    if not parts and result.metric is not None:
        # One limited measurement had no part of its own: beside groups it needs one.
        name = result.metric.name
        wholes = tuple(replace(group, metric=name) for group in wholes)
        parts = (_alone(result, name),)
    groups = group_results([errors, scores])
    labels = {ERROR_RATE: "error rate", MEAN_SCORE: "mean score"}
    added = (
        replace(part_result(part, result.rows, groups), label=labels[part.name])
        for part in (errors, scores)
    )
    notes = (
        *result.notes,
        *notes_of([scores], groups),
        *notes_on_errors(errors, result),
        *note_of_unlisted(len(groups), None),
    )
    return replace(
        result,
        groups=(*wholes, *groups[:MAX_REPORTED_GROUPS]),
        groups_total=scores.panel.statistics.whole["groups_total"],
        parts=(*parts, *added),
        metric=None,
        notes=notes,
    )


def _alone(result: TestResult, name: str) -> PartResult:
    metric = result.metric
    assert metric is not None  # noqa: S101 - the caller has looked
    return PartResult(
        metric=name,
        label=metric.label,
        higher_is_better=metric.higher_is_better,
        stratum=None,
        positive_class=None,
        overall_value=result.overall_value,
        comparison=None,
        measurements={},
        groups_total=result.groups_total,
        reason=result.reason,
        message=result.message,
    )


def notes_on_errors(errors: Part, result: TestResult) -> Iterator[str]:
    """Yield where the judge fails more often, or less, than in all other rows."""
    question, groups = errors.panel.question, errors.judgement.groups
    found = [group for group in groups if _is_beyond_chance(group, question.alpha)]
    if not found:
        return
    shown = [group for group in found if group.rows >= question.min_reported_rows]
    if not shown:
        yield f"{_DIFFERS}, in a group that is not shown. {_MEANS}{_ends(result)}"
        return
    # The one that stands out most, and of equals the one with more errors.
    group = min(shown, key=lambda one: (one.p_value_adjusted, -(one.value or 0.0), one.key))
    all_rows = sum(one.rows for one in groups)
    all_errors = sum(_errors_in(one) for one in groups)
    own = _share(_errors_in(group), group.rows, f"rows of {' / '.join(map(repr, group.key))}")
    others = _share(all_errors - _errors_in(group), all_rows - group.rows, "rows of all others")
    compared = sum(one.p_value is not None for one in groups)
    how = f", adjusted by Holm for {compared} groups" if compared > 2 else ""
    yield (
        f"{_DIFFERS}: it failed on {own}, and on {others}; p = {group.p_value_adjusted:.3g} by"
        f" Fisher's exact test{how}. {_MEANS}{_ends(result)}"
    )


_DIFFERS = "The judge's error rate differs between groups"
_MEANS = (
    "The rows without a score are not missing at random, so the mean score of the others may not"
    " stand for all."
)


def _errors_in(group: Group) -> int:
    return int(group.statistics["positives"])


def _share(part: int, whole: int, rows: str) -> str:
    return f"{part:,} of {whole:,} {rows} ({100 * part / whole:.3g} %)"


def _ends(result: TestResult) -> str:
    """Return between what the mean would be, had the judge scored all rows that it judged."""
    applied, errored, mean = (
        result.measurements[name]
        for name in ("applied_row_count", "errored_row_count", "bias_mean_score")
    )
    if not applied or not errored or mean is None or result.parameters.get("weight_column"):
        return ""
    low = applied * mean / (applied + errored)
    high = (applied * mean + errored) / (applied + errored)
    return f" Were they all 0, or all 1, it would be {low:.4g}, or {high:.4g}."
