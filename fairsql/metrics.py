"""The catalogue of metrics: one entry a metric, from its inputs to its interval.

A metric reads the statistics of its family (:mod:`fairsql.families`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

from fairsql import families
from fairsql.families import (
    CELLS,
    CONCORDANCE,
    DETERMINATION,
    MOMENTS,
    POSITIVES,
    QUANTILE,
    Family,
    Interval,
    Statistics,
)

InputKind = Literal["number", "probability", "label", "text", "embedding"]
Direction = Literal["higher", "lower"]


@dataclass(frozen=True)
class Metric:
    """One entry of the catalogue.

    Attributes
    ----------
    inputs
        Parameter name of each input column -> its kind, in the order the SQL counts them.
    direction
        Which values are better; ``None`` when the test states it by ``higher_is_better``.
    quantity
        Name of the row-level quantity that the SQL aggregates.
    value
        Statistics -> the metric, or ``None`` where it is undefined.
    undefined_reason
        Why ``value`` is ``None`` when it is.
    denominator
        Statistics -> the count the value rests on.
    p_value
        A group's and the second sample's statistics -> p-value; ``None`` where there is no test.
    interval
        Statistics and alpha -> bounds; ``None`` where there is no interval.
    part, whole
        The statistics whose ratio a proportion is; SQL reads them here.
    root
        Whether the value is the square root of the mean.
    quantile
        The level of an order statistic.
    overall_comparable
        Whether groups may be compared with the value over all rows.
    """

    name: str
    label: str
    family: Family
    quantity: str
    inputs: Mapping[str, InputKind]
    direction: Direction | None
    value: Callable[[Statistics], float | None]
    denominator: Callable[[Statistics], int]
    undefined_reason: str = "no_rows"
    p_value: Callable[[Statistics, Statistics], float | None] | None = None
    interval: Callable[[Statistics, float], Interval | None] | None = None
    part: str | None = None
    whole: tuple[str, ...] = ()
    root: bool = False
    quantile: Fraction | None = None
    overall_comparable: bool = True

    @property
    def proportion(self) -> bool:
        """True for a share of counts: its value is at most 1."""
        return self.part is not None

    @property
    def needs_positive_values(self) -> bool:
        """True when a label column is matched against ``positive_values``."""
        return "label" in self.inputs.values()

    @property
    def positive_input(self) -> str | None:
        """The input in which a positive must occur: the truth, or the value of a rate."""
        labels = [name for name, kind in self.inputs.items() if kind == "label"]
        return labels[-1] if labels else None


def _proportion(
    name: str,
    label: str,
    family: Family,
    quantity: str,
    inputs: Mapping[str, InputKind],
    direction: Direction | None,
    *,
    part: str,
    whole: tuple[str, ...],
    undefined_reason: str,
) -> Metric:
    return Metric(
        name,
        label,
        family,
        quantity,
        inputs,
        direction,
        value=partial(families.share_of, part, whole),
        denominator=partial(families.sum_of, whole),
        undefined_reason=undefined_reason,
        p_value=partial(families.fisher, part, whole),
        interval=partial(families.wilson, part, whole),
        part=part,
        whole=whole,
    )


def _loss(
    name: str,
    label: str,
    quantity: str,
    inputs: Mapping[str, InputKind],
    direction: Direction | None = "lower",
    floor: float | None = 0.0,
) -> Metric:
    return Metric(
        name,
        label,
        MOMENTS,
        quantity,
        inputs,
        direction,
        value=families.mean,
        denominator=families.rows,
        p_value=families.welch,
        interval=partial(families.mean_interval, floor),
    )


def _order_statistic(name: str, label: str, q: Fraction) -> Metric:
    return Metric(
        name,
        label,
        QUANTILE,
        "value",
        {"value_column": "number"},
        None,
        value=families.quantile,
        denominator=families.rows,
        p_value=partial(families.pooled_quantile, q),
        interval=families.order_statistics,
        quantile=q,
    )


_CLASSIFIED: Mapping[str, InputKind] = {
    "prediction_column": "label",
    "ground_truth_column": "label",
}
_PROBABILITY: Mapping[str, InputKind] = {
    "probability_column": "probability",
    "ground_truth_column": "label",
}
_REGRESSED: Mapping[str, InputKind] = {
    "prediction_column": "number",
    "ground_truth_column": "number",
}

_ENTRIES = (
    Metric(
        "auc",
        "AUC",
        CONCORDANCE,
        "concordance",
        {"score_column": "number", "ground_truth_column": "label"},
        "higher",
        value=families.concordance,
        denominator=families.pairs,
        undefined_reason="one_class_only",
        p_value=families.hanley_mcneil,
        interval=families.hanley_mcneil_interval,
        overall_comparable=False,
    ),
    _loss("log_loss", "log loss", "log_loss", _PROBABILITY),
    _loss("brier", "Brier score", "squared_probability_error", _PROBABILITY),
    _proportion(
        "npv",
        "negative predictive value",
        CELLS,
        "cell",
        _CLASSIFIED,
        "higher",
        part="tn",
        whole=("tn", "fn"),
        undefined_reason="no_predicted_negatives",
    ),
    _proportion(
        "false_omission_rate",
        "false omission rate",
        CELLS,
        "cell",
        _CLASSIFIED,
        "lower",
        part="fn",
        whole=("tn", "fn"),
        undefined_reason="no_predicted_negatives",
    ),
    _loss("mae", "mean absolute error", "absolute_error", _REGRESSED),
    Metric(
        "rmse",
        "root mean squared error",
        MOMENTS,
        "squared_error",
        _REGRESSED,
        "lower",
        value=families.root_mean,
        denominator=families.rows,
        p_value=families.welch,
        interval=families.root_mean_interval,
        root=True,
    ),
    Metric(
        "r2",
        "R²",
        DETERMINATION,
        "determination",
        _REGRESSED,
        "higher",
        value=families.determination,
        denominator=families.rows,
        undefined_reason="constant_ground_truth",
        overall_comparable=False,
    ),
    _loss("mean", "mean", "value", {"value_column": "number"}, None, None),
    _order_statistic("median", "median", Fraction(1, 2)),
    _order_statistic("p95", "95th percentile", Fraction(19, 20)),
    _proportion(
        "rate",
        "rate",
        POSITIVES,
        "positive",
        {"value_column": "label"},
        None,
        part="positives",
        whole=("rows",),
        undefined_reason="no_rows",
    ),
)

_TEXTS: Mapping[str, InputKind] = {"output_column": "text", "reference_column": "text"}
_EMBEDDINGS: Mapping[str, InputKind] = {
    "output_embedding_column": "embedding",
    "reference_embedding_column": "embedding",
}

_TEXT_ENTRIES = (
    _loss("exact_match", "exact match", "exact_match", _TEXTS, "higher"),
    _loss("quasi_exact_match", "quasi-exact match", "quasi_exact_match", _TEXTS, "higher"),
    _loss("edit_distance", "edit distance", "edit_distance", _TEXTS),
    _loss(
        "normalized_edit_distance", "normalized edit distance", "normalized_edit_distance", _TEXTS
    ),
    _loss("json_score", "JSON score", "json_score", {"output_column": "text"}, "higher"),
    *(
        _loss(f"bleu_{order}", f"BLEU-{order}", f"bleu_{order}", _TEXTS, "higher")
        for order in (1, 2, 3, 4)
    ),
    _loss(
        "semantic_similarity",
        "semantic similarity",
        "semantic_similarity",
        _EMBEDDINGS,
        "higher",
        None,
    ),
)

METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ENTRIES}
"""Every metric by its name, in the order of the reference documents."""

TEXT_METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _TEXT_ENTRIES}
"""The metrics of generated texts: each the mean of a quantity of one row."""

INPUT_COLUMNS: tuple[str, ...] = (
    "score_column",
    "probability_column",
    "prediction_column",
    "ground_truth_column",
    "value_column",
)
"""Every parameter that names a metric input."""

TEXT_INPUT_COLUMNS: tuple[str, ...] = (*_TEXTS, *_EMBEDDINGS)
"""Every parameter that names an input of a text metric."""

MEASUREMENTS: tuple[str, ...] = (
    "failing_group_count",
    "failing_group_percentage",
    "min_metric_ratio",
    "max_metric_difference",
    "worst_group_value",
    "significant_disparity_count",
    "insufficient_group_count",
    "missing_attribute_rate",
    "min_group_share",
    "undefined_group_count",
)
"""Every measurement a threshold may be set on, in the order reports show them."""
