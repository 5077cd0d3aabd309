"""What a test of pairs tells besides its verdict: intervals over clusters, and the noise floor.

Pairs of one group of prompts are alike, so groups and not pairs are what intervals count. The floor
is how far two answers to one and the same variant are apart: a divergence that is no larger says
nothing of how people are treated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fairsql.conditions import valued
from fairsql.results import GroupResult, PartResult

if TYPE_CHECKING:
    from fairsql.config import Question
    from fairsql.config.paired import CounterfactualFairnessDivergence, PairwiseDivergence
    from fairsql.inference import ClusteredMean
    from fairsql.results import TestResult, TestStatistics

Kinds = Mapping[str, str | None]
Interval = tuple[float, float]


@dataclass(frozen=True)
class _Mean:
    """The mean of a column over the rows that have it."""

    value: float
    rows: int


Means = Mapping[str, _Mean]
"""Column -> its mean, of the pairs of one dimension or of all; without those that no row has."""


def _means(
    questions: Sequence[Question], answers: Sequence[TestStatistics], kinds: Kinds
) -> dict[tuple[str, ...], dict[str, _Mean]]:
    """Return dimension -> the means of its columns; all pairs together have the key ``()``."""
    found: dict[tuple[str, ...], dict[str, _Mean]] = {}
    for question, answer in zip(questions, answers, strict=True):
        column = question.input_columns["value_column"]
        for group in valued(question, answer, kinds).groups:
            if group.value is not None:
                found.setdefault(group.key, {})[column] = _Mean(group.value, group.rows)
    return found


def _clustered(value: float, squares: _Mean | None) -> ClusteredMean | None:
    """Return a mean with its standard error, from the mean of the squares of its clusters."""
    from fairsql.inference import residual_mean

    if squares is None:
        return None
    # The macro has divided residuals by the number of pairs.
    return residual_mean(value, 1, squares.rows, squares.value * squares.rows)


@dataclass(frozen=True)
class _Floor:
    """The mean divergence of control pairs, and what is above it."""

    value: float
    pairs: int
    above: float
    interval: Interval | None
    p_value: float | None

    def is_reached(self, alpha: float) -> bool:
        """Return whether the divergence is not shown to be above the floor."""
        return self.above <= 0 or self.p_value is None or self.p_value >= alpha


def _floor(means: Means, gap_squares: str, alpha: float) -> _Floor | None:
    from fairsql.inference import clustered_p_value

    divergence, control = means.get("divergence"), means.get("control_divergence")
    if divergence is None or control is None:
        return None
    above = divergence.value - control.value
    gap = _clustered(above, means.get(gap_squares))
    return _Floor(
        control.value,
        control.rows,
        above,
        None if gap is None else gap.interval(alpha),
        None if gap is None else clustered_p_value(gap),
    )


def _within(interval: Interval, least: float, most: float | None = None) -> Interval:
    low, high = interval
    return max(low, least), high if most is None else min(high, most)


def _interval(
    means: Means, column: str, squares: str, alpha: float, most: float | None = None
) -> Interval | None:
    mean = means.get(column)
    clustered = None if mean is None else _clustered(mean.value, means.get(squares))
    return None if clustered is None else _within(clustered.interval(alpha), 0.0, most)


def _told(floor: _Floor | None, alpha: float, where: str) -> str:
    """Return how the divergence stands to the floor, as a note."""
    if floor is None:
        return (
            f"No variant{where} has two answers, so there is no noise floor: how far apart answers"
            " are that differ by chance alone is not known."
        )
    controls = f"{floor.pairs:,} control {'pair' if floor.pairs == 1 else 'pairs'}"
    start = f"The noise floor{where} is {floor.value:.4f} ({controls} of one variant)"
    if floor.p_value is None and floor.above > 0:
        return f"{start}; with fewer than two groups nothing can be said of what is above it."
    if floor.above < 0 and floor.p_value is not None and floor.p_value < alpha:
        return (
            f"{start}: the divergence is below the floor (by {-floor.above:.4f}), and no evidence"
            " of different treatment."
        )
    if floor.is_reached(alpha):
        p_value = "" if floor.p_value is None else f", p = {floor.p_value:.3g}"
        return (
            f"{start}: the divergence is at the floor (difference {floor.above:.4f}{p_value}), and"
            " no evidence of different treatment."
        )
    assert floor.interval is not None  # noqa: S101 - there is a p-value
    low, high = floor.interval
    return (
        f"{start}: the divergence is above it by {floor.above:.4f} ({low:.4f} to {high:.4f} at"
        f" {1 - alpha:.0%})."
    )


def _few_clusters(means: Means, squares: str, where: str) -> Iterator[str]:
    found = means.get(squares)
    if found is not None and 1 < found.rows < _FEW:
        yield (
            f"Intervals{where} rest on {found.rows} groups of prompts alone; with so few they may"
            " be too short."
        )


_FEW = 20
"""Fewer clusters than these, and the t interval is known to hold its level less well."""


# --- counterfactual divergence ---------------------------------------------------------------


def completed_counterfactual(
    test: CounterfactualFairnessDivergence,
    result: TestResult,
    further: Sequence[TestStatistics],
    kinds: Kinds,
) -> TestResult:
    """Return the result with floor, share of token overlap and intervals, by dimension."""
    found = _means(test.further_questions(), further, kinds)
    found = {key: means for key, means in found.items() if "divergence" in means}
    result = replace(result, illustrative=test.allow_small_samples)
    if not found:
        return _without_pairs(test, result)
    worst = max(found, key=lambda key: (found[key]["divergence"].value, key))
    floor = _floor(found[worst], "gap_square_in_dimension", test.alpha)
    divergence, words = found[worst]["divergence"], found[worst]["words_divergence"]
    share = words.value / divergence.value if divergence.value > 0 else None
    measured = {
        **result.measurements,
        "within_group_floor": None if floor is None else floor.value,
        "divergence_above_floor": None if floor is None else floor.above,
        "token_overlap_share": share,
    }
    notes = [*result.notes]
    if share is not None:
        notes.append(
            f"Of the divergence{_of(worst)}, {divergence.value:.4f}, {words.value:.4f}"
            f" ({share:.0%}) is the choice of words: those that one of two answers has and the"
            " other has not. Hardly two answers have the same, so a fair system is not at 0 either."
        )
    for key in sorted(found):
        own = _floor(found[key], "gap_square_in_dimension", test.alpha)
        notes.append(_told(own, test.alpha, _of(key)))
        notes += _few_clusters(found[key], "divergence_square_in_dimension", _of(key))
    if test.allow_small_samples:
        notes.append("Small groups are allowed, so the result is illustrative and no evidence.")
    intervals = dict(result.intervals)
    if (largest := _largest(found, test.alpha)) is not None:
        intervals["counterfactual_fairness_divergence"] = largest
    if floor is not None and floor.interval is not None:
        intervals["divergence_above_floor"] = floor.interval
    groups = tuple(
        replace(
            group,
            confidence_interval=_interval(
                found.get(tuple(group.key.values()), {}),
                "divergence",
                "divergence_square_in_dimension",
                test.alpha,
                1.0,
            ),
        )
        for group in result.groups
    )
    return replace(
        result, measurements=measured, notes=tuple(notes), intervals=intervals, groups=groups
    )


def _largest(found: Mapping[tuple[str, ...], Means], alpha: float) -> Interval | None:
    """Return the interval of the largest dimension's mean, whichever that turned out to be."""
    bounds = [
        _interval(
            means, "divergence", "divergence_square_in_dimension", alpha / len(found), most=1.0
        )
        for means in found.values()
    ]
    known = [one for one in bounds if one is not None]
    if len(known) < len(bounds):
        return None
    return max(low for low, _ in known), max(high for _, high in known)


def _without_pairs(test: CounterfactualFairnessDivergence, result: TestResult) -> TestResult:
    if result.reason not in ("no_rows", "column_all_missing"):
        return result
    size = 1 if test.allow_small_samples else test.min_group_size
    least = "an answer" if size == 1 else f"{size} answers"
    return replace(
        result,
        message=f"no two roles of one {test.group_by} have {least} or more each in a dimension.",
    )


def _of(key: tuple[str, ...]) -> str:
    return f" of {key[0]!r}" if key and key[0] != "all" else ""


# --- pairwise divergence ---------------------------------------------------------------------


def completed_pairwise(
    test: PairwiseDivergence,
    result: TestResult,
    further: Sequence[TestStatistics],
    kinds: Kinds,
) -> TestResult:
    """Return the result with every measurement, its intervals, and a group a dimension."""
    found = _means(test.further_questions(), further, kinds)
    whole = found.pop((), {})
    parts = {key: means for key, means in found.items() if "divergence" in means}
    counts = further[0].whole
    if "divergence" not in whole:
        return _unjudged_pairs(test, result, counts)
    floor = _floor(whole, "gap_square", test.alpha)
    divergence, equivalent = whole["divergence"], whole["equivalent"].value
    measured = {
        "equivalence_rate": equivalent,
        "divergence_rate": 1.0 - equivalent,
        "mean_divergence": divergence.value,
        "highest_dimension_divergence": max(
            (means["divergence"].value for means in parts.values()), default=None
        ),
        "position_bias": whole["position_difference"].value,
        "noise_floor": None if floor is None else floor.value,
        "divergence_above_floor": None if floor is None else floor.above,
        "pair_count": divergence.rows,
        "control_pair_count": 0 if floor is None else floor.pairs,
    }
    intervals = _intervals(whole, floor, test.alpha)
    # What the lowered test has measured stays as it was, to the last digit.
    measured |= {name: one for name, one in result.measurements.items() if one is not None}
    notes = [*result.notes, *_notes(test, whole, floor, counts)]
    for key in sorted(parts):
        if len(parts) > 1:
            one = _floor(parts[key], "gap_square_in_dimension", test.alpha)
            notes += [_told(one, test.alpha, _of(key))] if one is not None else []
    return replace(
        result,
        measurements=measured,
        intervals=intervals,
        notes=tuple(notes),
        groups=(*_wholes(test, result, intervals), *_groups(parts, divergence.rows, test.alpha)),
        groups_total=len(parts),
        metric=None,
        parts=(*_limited(test, result), _by_dimension(parts)),
    )


def _unjudged_pairs(
    test: PairwiseDivergence, result: TestResult, counts: Mapping[str, int]
) -> TestResult:
    if result.reason not in ("no_rows", "column_all_missing", "no_evaluated_rows"):
        return result
    if not counts["rows_total"]:
        pairing = test.pairing()
        message = f"no group of {pairing['group_by']!r} has two answers that are a pair."
    else:
        message = (
            f"none of {counts['rows_total']:,} pairs is judged in both orders by"
            f" {test.judge.name}: run fairsql judge."
        )
        if others := test.other_than_judged():
            told = ", ".join(
                f"{name} {judged}, not {own}" for name, (judged, own) in others.items()
            )
            message = (
                f"none of {counts['rows_total']:,} pairs is judged in both orders:"
                f" {test.judge.name} judges others ({told}). Give it the pairing of this test, and"
                " run fairsql judge."
            )
    return replace(result, message=message, groups=(), parts=_limited(test, result), metric=None)


BY_DIMENSION = "divergence_by_dimension"
"""The part whose groups are dimensions."""


def _own_name(test: PairwiseDivergence, name: str | None) -> str:
    """Return what a measurement of the lowered test is called here."""
    own = {inner: outer for outer, inner in test.inner_measurements.items()}
    return own.get(name or "", name or "")


def _wholes(
    test: PairwiseDivergence, result: TestResult, intervals: Mapping[str, Interval]
) -> Iterator[GroupResult]:
    """Yield all pairs, once for each limited measurement, under its own name."""
    alone = None if result.metric is None else result.metric.name
    for group in result.groups:
        name = _own_name(test, group.metric or alone)
        yield replace(group, metric=name, confidence_interval=intervals.get(name))


def _limited(test: PairwiseDivergence, result: TestResult) -> tuple[PartResult, ...]:
    """Return a part for each limited measurement; one alone had none of its own."""
    if result.parts or result.metric is None:
        return tuple(
            replace(part, metric=own, label=own.replace("_", " "))
            for part in result.parts
            for own in [_own_name(test, part.metric)]
        )
    own = _own_name(test, result.metric.name)
    return (
        _part(own, own.replace("_", " "), result.overall_value, 0, result.reason, result.message),
    )


def _by_dimension(parts: Mapping[tuple[str, ...], Means]) -> PartResult:
    return _part(BY_DIMENSION, "divergence by dimension", None, len(parts), None, None)


def _part(
    name: str,
    label: str,
    value: float | None,
    groups: int,
    reason: str | None,
    message: str | None,
) -> PartResult:
    return PartResult(
        metric=name,
        label=label,
        higher_is_better=name == "equivalence_rate",
        stratum=None,
        positive_class=None,
        overall_value=value,
        comparison=None,
        measurements={},
        groups_total=groups,
        reason=reason,
        message=message,
    )


def _intervals(whole: Means, floor: _Floor | None, alpha: float) -> dict[str, Interval]:
    found: dict[str, Interval] = {}
    if (of_mean := _interval(whole, "divergence", "divergence_square", alpha)) is not None:
        found["mean_divergence"] = of_mean
    if (rate := _interval(whole, "equivalent", "equivalent_square", alpha, 1.0)) is not None:
        found["equivalence_rate"] = rate
        found["divergence_rate"] = (1.0 - rate[1], 1.0 - rate[0])
    position = _clustered(
        whole["position_difference"].value, whole.get("position_difference_square")
    )
    if position is not None:
        found["position_bias"] = position.interval(alpha)
    if floor is not None and floor.interval is not None:
        found["divergence_above_floor"] = floor.interval
    return found


def _notes(
    test: PairwiseDivergence, whole: Means, floor: _Floor | None, counts: Mapping[str, int]
) -> Iterator[str]:
    from fairsql.inference import clustered_p_value

    pairs = whole["divergence"].rows + (0 if floor is None else floor.pairs)
    if unjudged := counts["rows_total"] - pairs:
        yield (
            f"{unjudged:,} of {counts['rows_total']:,} pairs have no score in both orders, and are"
            " left out; a pair on which the judge failed is one of them."
        )
    yield _told(floor, test.alpha, "")
    yield from _few_clusters(whole, "divergence_square", "")
    mean = whole["position_difference"]
    position = _clustered(mean.value, whole.get("position_difference_square"))
    if position is not None and clustered_p_value(position) < test.alpha:
        low, high = position.interval(test.alpha)
        yield (
            f"The judge's scores depend on which answer comes first: by {mean.value:.4f}"
            f" ({low:.4f} to {high:.4f}); the mean of both orders evens that out."
        )


def _groups(
    parts: Mapping[tuple[str, ...], Means], pairs: int, alpha: float
) -> Iterator[GroupResult]:
    """Yield a group a dimension, the one that diverges most first."""
    for key, means in sorted(parts.items(), key=lambda part: (-part[1]["divergence"].value, part)):
        divergence, control = means["divergence"], means.get("control_divergence")
        yield GroupResult(
            key={"dimension": key[0]},
            rows=divergence.rows,
            missing_metric_inputs=0,
            share=divergence.rows / pairs,
            sufficient=True,
            value=divergence.value,
            value_reason=None,
            denominator=divergence.rows,
            statistics={
                "mean_divergence": divergence.value,
                "equivalence_rate": means["equivalent"].value,
                "noise_floor": None if control is None else control.value,
            },
            suppressed=False,
            confidence_interval=_interval(
                means, "divergence", "divergence_square_in_dimension", alpha
            ),
            ratio=None,
            difference=None,
            is_reference=False,
            worse=False,
            p_value=None,
            p_value_adjusted=None,
            significant=False,
            failed=False,
            metric=BY_DIMENSION,
        )
