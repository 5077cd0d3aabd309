"""The twelve metrics, each as a sample that knows its value, p-value and interval (SPEC §3).

A *sample* is what one set of evaluated rows means to a metric: a proportion, a list of row losses,
a list of values with a quantile, scores by class, or predictions beside truths.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import intervals, significance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .intervals import Interval


class Sample(ABC):
    """One set of evaluated rows, as a metric sees it."""

    @property
    @abstractmethod
    def denominator(self) -> int:
        """What the value rests on (SPEC §5)."""

    @property
    @abstractmethod
    def value(self) -> float | None:
        """The metric, or None where it is undefined."""

    def p_value(self, other: Any) -> float | None:  # noqa: ARG002
        """Two-sided p-value against another sample of the same metric; None where undefined."""
        return None

    def interval(self, alpha: float) -> Interval:  # noqa: ARG002
        """Confidence interval, None where there is none."""
        return None

    def p_value_tolerance(self, other: Any) -> float:  # noqa: ARG002
        """Relative error to which two right implementations agree on the p-value (SPEC §1)."""
        return 1e-9

    @property
    def exact(self) -> bool:
        """Whether every right implementation gives the value to the last bit."""
        return True

    @property
    def cancellation_scale(self) -> float:
        """The magnitude whose rounding a value near 0 carries; 0 where nothing cancels."""
        return 0.0


@dataclass(frozen=True)
class Proportion(Sample):
    """``hits`` of ``rows``: rate, npv, false_omission_rate."""

    hits: int
    rows: int

    @property
    def denominator(self) -> int:
        return self.rows

    @property
    def value(self) -> float | None:
        return self.hits / self.rows if self.rows else None

    def p_value(self, other: Proportion) -> float | None:
        return significance.fisher(self.hits, self.rows, other.hits, other.rows)

    def interval(self, alpha: float) -> Interval:
        return intervals.wilson(self.hits, self.rows, alpha)


@dataclass(frozen=True)
class Losses(Sample):
    """A mean of one number a row: mean, mae, log_loss, brier and, under a root, rmse."""

    numbers: Sequence[float]
    floor: float = 0.0
    root: bool = False

    @property
    def denominator(self) -> int:
        return len(self.numbers)

    @property
    def constant(self) -> bool:
        return min(self.numbers) == max(self.numbers)

    @cached_property
    def mean(self) -> float:
        if self.constant:
            return self.numbers[0]
        return math.fsum(self.numbers) / len(self.numbers)

    @cached_property
    def variance(self) -> float:
        if self.constant:
            return 0.0
        deviations = [x - self.mean for x in self.numbers]
        n = len(deviations)
        # The second term removes what the rounding of the mean added.
        squares = math.fsum(d * d for d in deviations) - math.fsum(deviations) ** 2 / n
        return squares / (n - 1)

    @property
    def value(self) -> float | None:
        if not self.numbers:
            return None
        return math.sqrt(self.mean) if self.root else self.mean

    @property
    def exact(self) -> bool:
        return bool(self.numbers) and self.constant

    @property
    def cancellation_scale(self) -> float:
        mixed = bool(self.numbers) and min(self.numbers) < 0 < max(self.numbers)
        return max(map(abs, self.numbers)) if mixed else 0.0

    @property
    def moments(self) -> tuple[int, float, float]:
        if not self.numbers:
            return 0, 0.0, 0.0
        return len(self.numbers), self.mean, self.variance

    def p_value(self, other: Losses) -> float | None:
        return significance.welch(self.moments, other.moments)

    def p_value_tolerance(self, other: Losses) -> float:
        # Rounding alone gives a variance of (1e-16 · mean)²; nothing below can be told from it.
        tolerance = 1e-9
        for rows, mean, variance in (self.moments, other.moments):
            spread = math.sqrt(variance)
            if rows and spread > 0:
                if abs(mean) >= 1e10 * spread:
                    return math.inf
                if abs(mean) >= 1e5 * spread:
                    tolerance = 1e-3
        return tolerance

    def interval(self, alpha: float) -> Interval:
        interval = intervals.student(*self.moments, alpha, self.floor)
        if interval is None or not self.root:
            return interval
        low, high = interval
        return math.sqrt(low or 0.0), math.sqrt(high or 0.0)


@dataclass(frozen=True)
class Quantile(Sample):
    """A quantile by linear interpolation at rank q(n − 1): median, p95."""

    numbers: Sequence[float]
    q: Fraction

    @cached_property
    def ordered(self) -> list[float]:
        return sorted(self.numbers)

    @property
    def denominator(self) -> int:
        return len(self.numbers)

    @cached_property
    def value(self) -> float | None:
        if not self.numbers:
            return None
        position = self.q * (len(self.ordered) - 1)
        rank = math.floor(position)
        below, above = self.ordered[rank], self.ordered[math.ceil(position)]
        exact = Fraction(below) + (position - rank) * (Fraction(above) - Fraction(below))
        return float(exact)

    @property
    def exact(self) -> bool:
        return False

    def p_value(self, other: Quantile) -> float | None:
        return significance.pooled_quantile(self.numbers, other.numbers, self.q)

    def interval(self, alpha: float) -> Interval:
        return intervals.order_statistics(self.ordered, self.q, alpha) if self.numbers else None


@dataclass(frozen=True)
class Ranking(Sample):
    """The scores of positives and of negatives: auc, by counting every pair."""

    positives: Sequence[float]
    negatives: Sequence[float]

    @property
    def denominator(self) -> int:
        return len(self.positives) * len(self.negatives)

    @cached_property
    def value(self) -> float | None:
        if not self.denominator:
            return None
        above = np.asarray(self.positives)[:, None]
        below = np.asarray(self.negatives)[None, :]
        won, tied = int((above > below).sum()), int((above == below).sum())
        return (2 * won + tied) / (2 * self.denominator)

    @property
    def standard_error(self) -> float | None:
        n_positive, n_negative = len(self.positives), len(self.negatives)
        if self.value is None or n_positive < 2 or n_negative < 2:
            return None
        return significance.hanley_mcneil_error(self.value, n_positive, n_negative)

    def p_value(self, other: Ranking) -> float | None:
        first, second = self.standard_error, other.standard_error
        if self.value is None or other.value is None or first is None or second is None:
            return None
        return significance.normal_two_sided((self.value - other.value) / math.hypot(first, second))

    def interval(self, alpha: float) -> Interval:
        if self.value is None or self.standard_error is None:
            return None
        return intervals.around_auc(self.value, self.standard_error, alpha)


@dataclass(frozen=True)
class Fit(Sample):
    """Predictions beside truths: r2, which has neither p-value nor interval."""

    pairs: Sequence[tuple[float, float]]

    @property
    def exact(self) -> bool:
        return False

    @property
    def cancellation_scale(self) -> float:
        return 1.0

    @property
    def denominator(self) -> int:
        return len(self.pairs)

    @cached_property
    def value(self) -> float | None:
        truths = Losses([truth for _, truth in self.pairs])
        if not self.pairs or truths.constant:
            return None
        errors = math.fsum((prediction - truth) ** 2 for prediction, truth in self.pairs)
        return 1 - errors / (truths.variance * (len(self.pairs) - 1))


class Input(NamedTuple):
    """A metric input: the configuration key that names its column, and whether it is a number.

    ``kind`` is empty for a number or a label as it is; ``nonzero`` for a number that may not be 0,
    ``any`` for the text of whatever there is, and ``missing`` for whether there is anything.
    """

    parameter: str
    numeric: bool
    kind: str = ""

    @property
    def is_label(self) -> bool:
        """Whether a value is positive or not."""
        return not self.numeric and not self.kind


Inputs = tuple[Any, ...]  # a row's metric inputs: a float, or whether the label is positive


@dataclass(frozen=True)
class Metric:
    """One row of SPEC §3's table; ``higher_is_better`` is None where the user gives it."""

    inputs: tuple[Input, ...]
    higher_is_better: bool | None
    sample: Callable[[Sequence[Inputs]], Sample]
    # What the rows of all groups make of each row's inputs, where that matters.
    prepare: Callable[[Mapping[Any, Sequence[Inputs]]], dict[Any, list[Inputs]]] | None = None
    standardized: bool = False


_SCORE = Input("score_column", True)
_PROBABILITY = Input("probability_column", True)
_PREDICTED_LABEL = Input("prediction_column", False)
_PREDICTED_NUMBER = Input("prediction_column", True)
_TRUE_LABEL = Input("ground_truth_column", False)
_TRUE_NUMBER = Input("ground_truth_column", True)
_NUMBER = Input("value_column", True)
_LABEL = Input("value_column", False)


def log_loss(probability: float, positive: bool) -> float:
    """−ln of the probability given to what happened, that probability at least 1e-15."""
    given = probability if positive else 1 - probability
    return 0.0 if given == 1 else -math.log(max(given, 1e-15))


def _after_negative_prediction(rows: Sequence[Inputs], counted: bool) -> Proportion:
    truths = [truth for prediction, truth in rows if not prediction]
    return Proportion(sum(truth is counted for truth in truths), len(truths))


METRICS: dict[str, Metric] = {
    "auc": Metric(
        (_SCORE, _TRUE_LABEL),
        True,
        lambda rows: Ranking([s for s, y in rows if y], [s for s, y in rows if not y]),
    ),
    "log_loss": Metric(
        (_PROBABILITY, _TRUE_LABEL), False, lambda rows: Losses([log_loss(p, y) for p, y in rows])
    ),
    "brier": Metric(
        (_PROBABILITY, _TRUE_LABEL), False, lambda rows: Losses([(p - y) ** 2 for p, y in rows])
    ),
    "npv": Metric(
        (_PREDICTED_LABEL, _TRUE_LABEL),
        True,
        lambda rows: _after_negative_prediction(rows, counted=False),
    ),
    "false_omission_rate": Metric(
        (_PREDICTED_LABEL, _TRUE_LABEL),
        False,
        lambda rows: _after_negative_prediction(rows, counted=True),
    ),
    "mae": Metric(
        (_PREDICTED_NUMBER, _TRUE_NUMBER), False, lambda rows: Losses([abs(p - y) for p, y in rows])
    ),
    "rmse": Metric(
        (_PREDICTED_NUMBER, _TRUE_NUMBER),
        False,
        lambda rows: Losses([(p - y) * (p - y) for p, y in rows], root=True),
    ),
    "r2": Metric(
        (_PREDICTED_NUMBER, _TRUE_NUMBER), True, lambda rows: Fit([(p, y) for p, y in rows])
    ),
    "mean": Metric((_NUMBER,), None, lambda rows: Losses([x for (x,) in rows], floor=-math.inf)),
    "median": Metric((_NUMBER,), None, lambda rows: Quantile([x for (x,) in rows], Fraction(1, 2))),
    "p95": Metric((_NUMBER,), None, lambda rows: Quantile([x for (x,) in rows], Fraction(19, 20))),
    "rate": Metric((_LABEL,), None, lambda rows: Proportion(sum(x for (x,) in rows), len(rows))),
}
