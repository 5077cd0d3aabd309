"""The catalogue of metrics: one entry a metric, from its inputs to its interval."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from fairsql import families, formulas
from fairsql.families import (
    CONCORDANCE,
    DETERMINATION,
    DISTINCT,
    MOMENTS,
    POSITIVES,
    ROWS,
    SCORING,
)
from fairsql.metric import (
    NUMERIC_INPUTS,
    InputKind,
    Metric,
    column_statistic,
    combination_of_cells,
    loss,
    order_statistic,
    proportion,
    rate_of_cells,
)

__all__ = [
    "INPUT_COLUMNS",
    "MEASUREMENTS",
    "METRICS",
    "NUMERIC_INPUTS",
    "PARITY_METRICS",
    "Metric",
]

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
    loss("log_loss", "log loss", "log_loss", _PROBABILITY),
    loss("brier", "Brier score", "squared_probability_error", _PROBABILITY),
    rate_of_cells(
        "npv", "negative predictive value", "higher", "tn", "tn fn", "no_predicted_negatives"
    ),
    rate_of_cells(
        "false_omission_rate",
        "false omission rate",
        "lower",
        "fn",
        "tn fn",
        "no_predicted_negatives",
    ),
    loss("mae", "mean absolute error", "absolute_error", _REGRESSED),
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
    loss("mean", "mean", "value", {"value_column": "number"}, None, None),
    order_statistic("median", "median", Fraction(1, 2)),
    order_statistic("p95", "95th percentile", Fraction(19, 20)),
    proportion(
        "rate",
        "rate",
        POSITIVES,
        "positive",
        {"value_column": "label"},
        None,
        part=("positives",),
        whole=("rows",),
    ),
)

_FURTHER = (
    proportion(
        "agreement",
        "accuracy",
        POSITIVES,
        "agreement",
        {"prediction_column": "class", "ground_truth_column": "class"},
        "higher",
        part=("positives",),
        whole=("rows",),
    ),
    rate_of_cells("accuracy", "accuracy", "higher", "tp tn", "tp fp fn tn"),
    rate_of_cells("precision", "precision", "higher", "tp", "tp fp", "no_predicted_positives"),
    rate_of_cells("recall", "recall", "higher", "tp", "tp fn", "no_actual_positives"),
    rate_of_cells("specificity", "specificity", "higher", "tn", "tn fp", "no_actual_negatives"),
    rate_of_cells(
        "false_positive_rate", "false positive rate", "lower", "fp", "tn fp", "no_actual_negatives"
    ),
    rate_of_cells(
        "false_negative_rate", "false negative rate", "lower", "fn", "tp fn", "no_actual_positives"
    ),
    rate_of_cells(
        "false_discovery_rate",
        "false discovery rate",
        "lower",
        "fp",
        "tp fp",
        "no_predicted_positives",
    ),
    rate_of_cells("selection_rate", "selection rate", None, "tp fp", "tp fp fn tn"),
    rate_of_cells("base_rate", "base rate", None, "tp fn", "tp fp fn tn"),
    combination_of_cells("f1", "F1", formulas.f1, "tp fp fn", "no_predicted_or_actual_positives"),
    combination_of_cells(
        "balanced_accuracy",
        "balanced accuracy",
        formulas.balanced_accuracy,
        "tp fp fn tn",
        "one_class_only",
    ),
    combination_of_cells(
        "geometric_mean",
        "geometric mean of precision and recall",
        formulas.geometric_mean,
        "tp fp fn",
        "no_predicted_or_no_actual_positives",
    ),
    loss("mse", "mean squared error", "squared_error", _REGRESSED),
    loss(
        "mape",
        "mean absolute percentage error",
        "relative_error",
        {"prediction_column": "number", "ground_truth_column": "nonzero"},
    ),
    *(
        order_statistic(f"p{percent}", f"{percent}th percentile", Fraction(percent, 100))
        for percent in (5, 10, 25, 75, 90)
    ),
    order_statistic("p99", "99th percentile", Fraction(99, 100)),
    column_statistic("sum", "sum", formulas.total, "total"),
    column_statistic("min", "minimum", formulas.minimum, "minimum"),
    column_statistic("max", "maximum", formulas.maximum, "maximum"),
    column_statistic(
        "std",
        "standard deviation",
        formulas.standard_deviation,
        "standard_deviation",
        undefined_reason="fewer_than_two_rows",
    ),
    column_statistic(
        "variance",
        "variance",
        formulas.variance,
        "variance",
        undefined_reason="fewer_than_two_rows",
    ),
    column_statistic("count", "count", formulas.row_count, "row_count", ROWS, "row", None),
    column_statistic(
        "distinct_count",
        "distinct count",
        formulas.distinct_count,
        "distinct_count",
        DISTINCT,
        "text",
        "any",
    ),
    Metric(
        "missing_rate",
        "missing rate",
        POSITIVES,
        "positive",
        {"value_column": "missing"},
        None,
        value=partial(families.share_of, ("positives",), ("rows",)),
        denominator=families.rows,
        part=("positives",),
        whole=("rows",),
    ),
    proportion(
        "scoring_rate",
        "scoring rate",
        SCORING,
        "value",
        {"value_column": "number"},
        None,
        part=("positives",),
        whole=("rows",),
    ),
    Metric(
        "standardized_mean_difference",
        "standardized mean difference",
        MOMENTS,
        "value",
        {"value_column": "number"},
        None,
        value=families.mean,
        denominator=families.rows,
        p_value=families.welch,
        overall_comparable=False,
        standardized=True,
    ),
)

_TEXTS: Mapping[str, InputKind] = {"output_column": "text", "reference_column": "text"}
_EMBEDDINGS: Mapping[str, InputKind] = {
    "output_embedding_column": "embedding",
    "reference_embedding_column": "embedding",
}

_TEXT_ENTRIES = (
    loss("exact_match", "exact match", "exact_match", _TEXTS, "higher"),
    loss("quasi_exact_match", "quasi-exact match", "quasi_exact_match", _TEXTS, "higher"),
    loss("edit_distance", "edit distance", "edit_distance", _TEXTS),
    loss(
        "normalized_edit_distance", "normalized edit distance", "normalized_edit_distance", _TEXTS
    ),
    loss("json_score", "JSON score", "json_score", {"output_column": "text"}, "higher"),
    *(
        loss(f"bleu_{order}", f"BLEU-{order}", f"bleu_{order}", _TEXTS, "higher")
        for order in (1, 2, 3, 4)
    ),
    loss(
        "semantic_similarity",
        "semantic similarity",
        "semantic_similarity",
        _EMBEDDINGS,
        "higher",
        None,
    ),
)

PARITY_METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ENTRIES}
"""The metrics of group metric parity by name, in the order of the reference documents."""

METRICS: Mapping[str, Metric] = {
    metric.name: metric for metric in (*_ENTRIES, *_FURTHER, *_TEXT_ENTRIES)
}
"""Every metric by its name."""

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
