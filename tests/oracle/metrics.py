"""The metrics: which inputs each has, and the sample that some rows are to it (SPEC §3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn import metrics as sklearn_metrics

from .samples import Fit, Losses, Plain, Proportion, Quantile, Ranking, Sample

if TYPE_CHECKING:
    from collections.abc import Callable


class Input(NamedTuple):
    """A metric input: the configuration key that names its column, and whether it is a number."""

    parameter: str
    numeric: bool


Inputs = tuple[Any, ...]  # a row's metric inputs: a float, or whether the label is positive


@dataclass(frozen=True)
class Metric:
    """One row of SPEC §3's table; ``higher_is_better`` is None where the user gives it."""

    inputs: tuple[Input, ...]
    higher_is_better: bool | None
    sample: Callable[[Sequence[Inputs]], Sample]


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


_Rows = Sequence[Inputs]


def _share(whole: Callable[[bool, bool], bool], part: Callable[[bool, bool], bool]) -> Any:
    """Of the pairs of prediction and truth that count, the proportion that hit."""

    def sample(rows: _Rows) -> Proportion:
        counted = [(p, y) for p, y in rows if whole(p, y)]
        return Proportion(sum(part(p, y) for p, y in counted), len(counted))

    return sample


def _scored(score: Callable[..., float], counted: Callable[[bool, bool], bool]) -> Any:
    """scikit-learn's score of labels, undefined where it would put a 0 of its own."""

    def sample(rows: _Rows) -> Plain:
        places = sum(counted(p, y) for p, y in rows)
        value = score([y for _, y in rows], [p for p, _ in rows]) if rows else math.nan
        return Plain(None if math.isnan(value) else float(value), places)

    return sample


def _f1(truths: Sequence[bool], predictions: Sequence[bool]) -> float:
    return float(sklearn_metrics.f1_score(truths, predictions, zero_division=np.nan))


def _balanced_accuracy(truths: Sequence[bool], predictions: Sequence[bool]) -> float:
    if len(set(truths)) < 2:
        return math.nan
    return float(sklearn_metrics.balanced_accuracy_score(truths, predictions))


def _geometric_mean(truths: Sequence[bool], predictions: Sequence[bool]) -> float:
    precision = sklearn_metrics.precision_score(truths, predictions, zero_division=np.nan)
    recall = sklearn_metrics.recall_score(truths, predictions, zero_division=np.nan)
    return math.sqrt(precision * recall)


def _described(statistic: Callable[[Any], float], least: int = 1) -> Any:
    """numpy's statistic of the values."""

    def sample(rows: _Rows) -> Plain:
        values = [x for (x,) in rows]
        return Plain(float(statistic(values)) if len(values) >= least else None, len(values))

    return sample


def _all(_: bool, __: bool) -> bool:
    return True


_LABELS = (_PREDICTED_LABEL, _TRUE_LABEL)
_OF_LABELS: dict[str, Metric] = {
    "accuracy": Metric(_LABELS, True, _share(_all, lambda p, y: p == y)),
    "precision": Metric(_LABELS, True, _share(lambda p, _: p, lambda _, y: y)),
    "recall": Metric(_LABELS, True, _share(lambda _, y: y, lambda p, _: p)),
    "specificity": Metric(_LABELS, True, _share(lambda _, y: not y, lambda p, _: not p)),
    "false_positive_rate": Metric(_LABELS, False, _share(lambda _, y: not y, lambda p, _: p)),
    "false_negative_rate": Metric(_LABELS, False, _share(lambda _, y: y, lambda p, _: not p)),
    "false_discovery_rate": Metric(_LABELS, False, _share(lambda p, _: p, lambda _, y: not y)),
    "selection_rate": Metric(_LABELS, None, _share(_all, lambda p, _: p)),
    "base_rate": Metric(_LABELS, None, _share(_all, lambda _, y: y)),
    "f1": Metric(_LABELS, True, _scored(_f1, lambda p, y: p or y)),
    "balanced_accuracy": Metric(_LABELS, True, _scored(_balanced_accuracy, _all)),
    "geometric_mean": Metric(_LABELS, True, _scored(_geometric_mean, lambda p, y: p or y)),
}
_OF_NUMBERS: dict[str, Metric] = {
    name: Metric((_NUMBER,), None, sample)
    for name, sample in {
        "sum": _described(math.fsum),
        "min": _described(min),
        "max": _described(max),
        "std": _described(lambda values: Losses(values).variance ** 0.5, 2),
        "variance": _described(lambda values: Losses(values).variance, 2),
        "count": _described(len),
        "distinct_count": _described(lambda values: len(set(values))),
        "missing_rate": _described(lambda values: math.fsum(values) / len(values)),
        **{
            f"p{percent}": (lambda q: lambda rows: Quantile([x for (x,) in rows], q))(
                Fraction(percent, 100)
            )
            for percent in (90, 99)
        },
    }.items()
}


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
    **_OF_LABELS,
    **_OF_NUMBERS,
    "rate": Metric((_LABEL,), None, lambda rows: Proportion(sum(x for (x,) in rows), len(rows))),
}
