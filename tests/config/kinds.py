"""Right tests of every kind besides group metric parity, to change and to spoil."""

from __future__ import annotations

from typing import Any

BASE: dict[str, Any] = {
    "name": "A test",
    "relation": "analytics.loans",
    "protected_attribute_columns": ["gender"],
}
_LABELS: dict[str, Any] = {"prediction_column": "guess", "ground_truth_column": "truth"}
_LIMIT: dict[str, Any] = {"operator": ">=", "value": 0.5}
JUDGE: dict[str, Any] = {
    "name": "tone",
    "judge": "bias",
    "model": "m1",
    "prompt_version": "v1",
    "output_column": "reply",
}
PAIRWISE_JUDGE: dict[str, Any] = {
    "name": "alike",
    "judge": "pairwise_bias",
    "model": "m1",
    "prompt_version": "v1",
    "input_column": "prompt",
    "output_column": "reply",
}
WITHOUT_GROUPS = (
    *("metric_threshold", "llm_bias"),
    *("counterfactual_fairness_divergence", "pairwise_divergence"),
)
FIELDS: dict[str, dict[str, Any]] = {
    "group_outcome_disparity": {"outcome_column": "hired", "favorable_values": ["1"]},
    "group_score_disparity": {"score_column": "score", "higher_is_better": True},
    "group_performance_parity": {
        "performance_metrics": ["recall"],
        **_LABELS,
        "positive_values": ["1"],
    },
    "group_column_statistic": {"value_column": "amount", "statistic": "mean", **_LIMIT},
    "metric_threshold": {
        **_LABELS,
        "positive_values": ["1"],
        "thresholds": [{"measurement": "f1", **_LIMIT}],
    },
    "llm_bias": {"judges": [JUDGE], "thresholds": [{"measurement": "bias_mean_score", **_LIMIT}]},
    "refusal_rate_disparity": {"output_column": "reply"},
    "toxicity_sentiment_disparity": {"output_column": "reply"},
    "stereotype_association_score": {
        "answer_column": "choice",
        "stereotyped_answer_column": "stereotype",
    },
    "counterfactual_fairness_divergence": {"output_column": "reply", "max_divergence": 0.5},
    "pairwise_divergence": {"judges": [PAIRWISE_JUDGE], "max_mean_divergence": 0.5},
}


def kind(name: str, *without: str, **changes: Any) -> dict[str, Any]:
    """Return the fields of a right test of a kind, less some, with others changed or added."""
    base = dict(BASE)
    if name in WITHOUT_GROUPS:
        del base["protected_attribute_columns"]
    fields = {**base, "type": name, **FIELDS[name], **changes}
    return {field: value for field, value in fields.items() if field not in without}


def outcome(*without: str, **changes: Any) -> dict[str, Any]:
    return kind("group_outcome_disparity", *without, **changes)


def score(*without: str, **changes: Any) -> dict[str, Any]:
    return kind("group_score_disparity", *without, **changes)


def performance(*without: str, **changes: Any) -> dict[str, Any]:
    return kind("group_performance_parity", *without, **changes)


def statistic(*without: str, **changes: Any) -> dict[str, Any]:
    return kind("group_column_statistic", *without, **changes)


def metric(*measurements: str, without: tuple[str, ...] = (), **changes: Any) -> dict[str, Any]:
    if measurements:
        changes["thresholds"] = [limit(name) for name in measurements]
    return kind("metric_threshold", *without, **changes)


def limit(measurement: str) -> dict[str, Any]:
    return {"measurement": measurement, **_LIMIT}
