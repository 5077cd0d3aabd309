"""The parameters of every type of test, as JSON Schemas, for what is generated of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairsql.config import suite_json_schema
from fairsql.metrics import MEASUREMENTS, METRICS

Schema = dict[str, Any]

NOT_ARGUMENTS = ("name", "type", "relation", "where", "thresholds")

_PARITY: dict[str, Schema] = suite_json_schema()["$defs"]["GroupMetricParity"]["properties"]
_GROUPS = (
    "comparison",
    "reference_strategy",
    "reference_value",
    "min_ratio",
    "max_difference",
    "significance_test",
    "alpha",
    "p_value_adjustment",
    "require_significance",
    "min_group_size",
    "min_group_share",
    "missing_attribute_values",
    "min_reported_rows",
)
_SIZES = ("min_group_size", "min_group_share", "missing_attribute_values", "min_reported_rows")


def _named(*names: str) -> dict[str, Schema]:
    return {name: _PARITY[name] for name in names}


def _column(description: str) -> Schema:
    return {"type": "string", "default": None, "description": description}


def _texts(description: str) -> Schema:
    return {"type": "array", "minItems": 1, "default": None, "description": description}


def _choice(choices: tuple[str, ...], description: str, default: str | None = None) -> Schema:
    return {"type": "string", "enum": list(choices), "default": default, "description": description}


CELL_METRICS = tuple(
    name
    for name in (
        "accuracy",
        "precision",
        "recall",
        "specificity",
        "false_positive_rate",
        "false_negative_rate",
        "false_discovery_rate",
        "false_omission_rate",
        "npv",
        "f1",
        "balanced_accuracy",
        "geometric_mean",
        "selection_rate",
    )
    if name in METRICS
)
CRITERIA: Mapping[str, tuple[str, ...]] = {
    "equalized_odds": ("recall", "false_positive_rate"),
    "equal_opportunity": ("recall",),
    "predictive_parity": ("precision",),
    "demographic_parity": ("selection_rate",),
}
SCORE_STATISTICS = ("mean", "median", "scoring_rate", "standardized_mean_difference")
COLUMN_STATISTICS = tuple(
    name
    for name in (
        "sum",
        "mean",
        "median",
        "min",
        "max",
        "std",
        "variance",
        "count",
        "distinct_count",
        "missing_rate",
        "p90",
        "p95",
        "p99",
    )
    if name in METRICS
)
OPERATORS = (">", ">=", "<", "<=", "is", "!=")

PARAMETERS: Mapping[str, dict[str, Schema]] = {
    "group_metric_parity": {
        name: schema for name, schema in _PARITY.items() if name not in NOT_ARGUMENTS
    },
    "group_outcome_disparity": {
        **_named("protected_attribute_columns"),
        "outcome_column": _column("The column that holds what became of each row."),
        "favorable_values": _texts("Outcomes that count as favorable, matched as text."),
        "stratify_by_columns": {
            "type": "array",
            "maxItems": 3,
            "default": [],
            "description": "Columns within whose values the groups are compared.",
        },
        **_named(*_GROUPS),
    },
    "group_score_disparity": {
        **_named("protected_attribute_columns"),
        "score_column": _column("The numeric score that is compared."),
        "statistic": _choice(SCORE_STATISTICS, "What is computed of each group's scores.", "mean"),
        "higher_is_better": {
            **_PARITY["higher_is_better"],
            "description": "Whether a higher score is better for who has it.",
        },
        **_named(*_GROUPS),
    },
    "group_performance_parity": {
        **_named("protected_attribute_columns"),
        "performance_metrics": {
            "type": "array",
            "minItems": 1,
            "items": {"enum": [*CELL_METRICS, *CRITERIA]},
            "default": None,
            "description": "The metrics and criteria that are compared, each on its own.",
        },
        "prediction_column": _column("Predicted label."),
        "score_column": _column("A score that is cut at `decision_threshold` into predictions."),
        "decision_threshold": {
            "type": "number",
            "default": None,
            "description": "Scores from here on count as predicted positive.",
        },
        "ground_truth_column": _column("True label."),
        **_named("positive_values"),
        "higher_is_better": {
            **_PARITY["higher_is_better"],
            "description": "Direction of selection_rate and demographic_parity.",
        },
        **_named(*_GROUPS),
    },
    "group_column_statistic": {
        **_named("protected_attribute_columns"),
        "value_column": _column("The column that is described; count needs none."),
        "statistic": _choice(COLUMN_STATISTICS, "What is computed of each group's values."),
        "operator": _choice(OPERATORS, "How a group's value must relate to `value`."),
        "value": {
            "type": "number",
            "default": None,
            "description": "The limit that every group's value is held to.",
        },
        "alpha": _PARITY["alpha"],
        **{
            name: {**_PARITY[name], "default": {"min_group_size": 1, "min_group_share": 0.0}[name]}
            for name in _SIZES[:2]
        },
        **_named(*_SIZES[2:]),
    },
    "metric_threshold": {
        **_named(
            "score_column",
            "probability_column",
            "prediction_column",
            "ground_truth_column",
            "value_column",
            "positive_values",
            "alpha",
        ),
    },
}
"""Type of test -> argument -> its schema, in the order of the macros' signatures."""

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "group_metric_parity": ("protected_attribute_columns", "parity_metric"),
    "group_outcome_disparity": (
        "protected_attribute_columns",
        "outcome_column",
        "favorable_values",
    ),
    "group_score_disparity": ("protected_attribute_columns", "score_column", "higher_is_better"),
    "group_performance_parity": (
        "protected_attribute_columns",
        "performance_metrics",
        "ground_truth_column",
        "positive_values",
    ),
    "group_column_statistic": ("protected_attribute_columns", "statistic", "operator", "value"),
    "metric_threshold": (),
}

_COLUMN_MEASUREMENTS = (
    "failing_group_count",
    "failing_group_percentage",
    "insufficient_group_count",
    "missing_attribute_rate",
    "min_group_share",
    "undefined_group_count",
    "lowest_group_value",
    "highest_group_value",
)
THRESHOLD_METRICS = tuple(
    name for name in METRICS if name not in ("scoring_rate", "standardized_mean_difference")
)
EVERY_MEASUREMENT: Mapping[str, tuple[str, ...]] = {
    "group_metric_parity": MEASUREMENTS,
    "group_outcome_disparity": (*MEASUREMENTS, "impact_ratio", "statistical_parity_difference"),
    "group_score_disparity": MEASUREMENTS,
    "group_performance_parity": MEASUREMENTS,
    "group_column_statistic": _COLUMN_MEASUREMENTS,
    "metric_threshold": THRESHOLD_METRICS,
}
"""Type of test -> its measurements; those of single metrics and criteria come besides."""
