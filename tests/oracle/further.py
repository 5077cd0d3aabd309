"""The metrics that other test types take, by their definitions on the rows."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .metrics import METRICS, Input, Inputs, Losses, Metric, Proportion, Quantile, Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_PREDICTED = Input("prediction_column", False)
_TRUE = Input("ground_truth_column", False)
_NUMBER = Input("value_column", True)

Cell = tuple[bool, bool]

# A row's prediction and truth.
TP, FP, FN, TN = (True, True), (True, False), (False, True), (False, False)
# Which rows a share counts, and among which it counts them.
_SHARES: dict[str, tuple[bool | None, set[Cell], set[Cell]]] = {
    "accuracy": (True, {TP, TN}, {TP, FP, FN, TN}),
    "precision": (True, {TP}, {TP, FP}),
    "recall": (True, {TP}, {TP, FN}),
    "specificity": (True, {TN}, {TN, FP}),
    "false_positive_rate": (False, {FP}, {TN, FP}),
    "false_negative_rate": (False, {FN}, {TP, FN}),
    "false_discovery_rate": (False, {FP}, {TP, FP}),
    "selection_rate": (None, {TP, FP}, {TP, FP, FN, TN}),
    "base_rate": (None, {TP, FN}, {TP, FP, FN, TN}),
}


@dataclass(frozen=True)
class Number(Sample):
    """A number about some rows that has neither p-value nor interval."""

    number: float | None
    rows: int
    is_exact: bool = True
    scale: float = 0.0

    @property
    def denominator(self) -> int:
        return self.rows

    @property
    def value(self) -> float | None:
        return self.number

    @property
    def exact(self) -> bool:
        return self.is_exact

    @property
    def cancellation_scale(self) -> float:
        return self.scale


def _share(name: str) -> Metric:
    direction, counted, among = _SHARES[name]

    def sample(rows: Sequence[Inputs]) -> Proportion:
        return Proportion(sum(row in counted for row in rows), sum(row in among for row in rows))

    return Metric((_PREDICTED, _TRUE), direction, sample)


def _mean_of(*shares: str, by: Callable[[list[float]], float], rows: str) -> Metric:
    def sample(given: Sequence[Inputs]) -> Number:
        values = [_share(name).sample(given).value for name in shares]
        known = [value for value in values if value is not None]
        number = by(known) if len(known) == len(shares) else None
        positive = sum(p or y for p, y in given)
        return Number(number, positive if rows == "positive" else len(given), is_exact=False)

    return Metric((_PREDICTED, _TRUE), True, sample)


def _f1(rows: Sequence[Inputs]) -> Number:
    positive = [(p, y) for p, y in rows if p or y]
    both = sum(p and y for p, y in positive)
    number = 2 * both / (len(positive) + both) if positive else None
    return Number(number, len(positive))


def _percentile(percent: int) -> Metric:
    return Metric(
        (_NUMBER,), None, lambda rows: Quantile([x for (x,) in rows], Fraction(percent, 100))
    )


def _column(of: Callable[[list[float]], float | None], *, is_exact: bool = True) -> Metric:
    def sample(rows: Sequence[Inputs]) -> Number:
        values = [x for (x,) in rows]
        mixed = bool(values) and min(values) < 0 < max(values)
        scale = len(values) * max(map(abs, values)) if mixed else 0.0
        return Number(of(values) if values else None, len(values), is_exact, scale)

    return Metric((_NUMBER,), None, sample)


def _variance(values: list[float]) -> float | None:
    return Losses(values).variance if len(values) > 1 else None


def _deviation(values: list[float]) -> float | None:
    return math.sqrt(Losses(values).variance) if len(values) > 1 else None


def _counted(kind: str, of: Callable[[Sequence[Inputs]], float]) -> Metric:
    inputs = (Input("value_column", False, kind),) if kind else ()
    return Metric(inputs, None, lambda rows: Number(float(of(rows)) if rows else None, len(rows)))


def _above_median(groups: Mapping[Any, Sequence[Inputs]]) -> dict[Any, list[Inputs]]:
    """Replace each row's score by whether it is above the median of all rows."""
    every = [x for rows in groups.values() for (x,) in rows]
    middle = statistics.median(every) if every else 0.0
    return {key: [(x > middle,) for (x,) in rows] for key, rows in groups.items()}


def standardized_gap(first: Losses, second: Losses) -> float | None:
    """The gap of two means in pooled standard deviations; None where that is not defined."""
    (n1, mean1, variance1), (n2, mean2, variance2) = first.moments, second.moments
    if n1 < 2 or n2 < 2 or variance1 == variance2 == 0:
        return None
    pooled = ((n1 - 1) * variance1 + (n2 - 1) * variance2) / (n1 + n2 - 2)
    return abs(mean1 - mean2) / math.sqrt(pooled)


_RATE = METRICS["rate"]

EVERY_METRIC: dict[str, Metric] = {
    **METRICS,
    **{name: _share(name) for name in _SHARES},
    "f1": Metric((_PREDICTED, _TRUE), True, _f1),
    "balanced_accuracy": _mean_of("recall", "specificity", by=statistics.fmean, rows="all"),
    "geometric_mean": _mean_of(
        "precision", "recall", by=lambda both: math.sqrt(math.prod(both)), rows="positive"
    ),
    "mse": Metric(
        METRICS["rmse"].inputs, False, lambda rows: Losses([(p - y) * (p - y) for p, y in rows])
    ),
    "mape": Metric(
        (Input("prediction_column", True), Input("ground_truth_column", True, "nonzero")),
        False,
        lambda rows: Losses([abs(p - y) / abs(y) for p, y in rows]),
    ),
    **{f"p{percent}": _percentile(percent) for percent in (5, 10, 25, 75, 90, 99)},
    "sum": _column(math.fsum, is_exact=False),
    "min": _column(min),
    "max": _column(max),
    "std": _column(_deviation, is_exact=False),
    "variance": _column(_variance, is_exact=False),
    "count": _counted("", len),
    "distinct_count": _counted("any", lambda rows: len({text for (text,) in rows})),
    "missing_rate": _counted("missing", lambda rows: sum(x for (x,) in rows) / len(rows)),
    "scoring_rate": replace(_RATE, inputs=(_NUMBER,), prepare=_above_median),
    "standardized_mean_difference": replace(METRICS["mean"], standardized=True),
}
