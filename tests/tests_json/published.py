"""The items of the published pages' examples, written from their facts; ids and prose are ours.

Two compare groups of a validation set, two watch a week of production; one asks for a metric and
two for a mean that need a judge.
"""

from __future__ import annotations

from typing import Any

from tests.tests_json.samples import parameters


def _item(name: str, subtype: str, threshold: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"{name}, as the page has it",
        "type": "fairness" if subtype == "groupMetricParity" else "performance",
        "subtype": subtype,
        "thresholds": [threshold],
        "subpopulationFilters": None,
        **others,
        "syncId": "11111111-1111-1111-1111-111111111111",
    }


def _parity(measurement: str, operator: str, value: float, **values: Any) -> dict[str, Any]:
    return {
        "insightName": "groupMetricParity",
        "insightParameters": parameters(**values),
        "measurement": measurement,
        "operator": operator,
        "value": value,
    }


_DEVELOPMENT = {
    "mode": "development",
    "usesValidationDataset": True,
    "usesTrainingDataset": False,
    "usesMlModel": False,
}
_WEEKLY = {
    "mode": "monitoring",
    "usesProductionData": True,
    "evaluationWindow": 604800,
    "delayWindow": 0,
}
_HOURLY = {**_WEEKLY, "evaluationWindow": 3600}

DEVELOPMENT: list[dict[str, Any]] = [
    _item(
        "AUC parity by gender",
        "groupMetricParity",
        _parity(
            "minMetricRatio",
            ">=",
            0.8,
            protected_attribute_columns=["gender"],
            parity_metric="auc",
            score_column="approval_score",
            ground_truth_column="approved",
            positive_values=["1"],
        ),
        **_DEVELOPMENT,
    ),
    _item(
        "Judge score parity by language and region",
        "groupMetricParity",
        _parity(
            "failingGroupCount",
            "<=",
            0,
            protected_attribute_columns=["language", "region"],
            parity_metric="mean",
            value_column="judge_score",
            higher_is_better=True,
            p_value_adjustment="holm",
            require_significance=True,
        ),
        **_DEVELOPMENT,
    ),
]
MONITORING: list[dict[str, Any]] = [
    _item(
        "Weekly p95 latency parity by region",
        "groupMetricParity",
        _parity(
            "maxMetricDifference",
            "<=",
            500,
            protected_attribute_columns=["region"],
            parity_metric="p95",
            value_column="latency",
            higher_is_better=False,
            comparison="overall",
            max_difference=500,
        ),
        **_WEEKLY,
    ),
    _item(
        "Weekly refusal rate parity by language",
        "groupMetricParity",
        _parity(
            "maxMetricDifference",
            "<=",
            0.05,
            protected_attribute_columns=["language"],
            parity_metric="rate",
            value_column="refused",
            positive_values=["true"],
            higher_is_better=False,
            comparison="overall",
            max_difference=0.05,
        ),
        **_WEEKLY,
    ),
]


def _judged(name: str, subtype: str, insight: str, measurement: str, **others: Any) -> Any:
    threshold = {"insightName": insight, "measurement": measurement, "operator": ">", "value": 0.8}
    return _item(name, subtype, threshold, **others)


JUDGED: list[dict[str, Any]] = [
    _judged("Mean answer relevancy greater than 0.8", "metricThreshold", "metrics",
            "answerRelevancy", **_DEVELOPMENT),
    _judged("Mean answer relevancy, hourly", "metricThreshold", "metrics", "answerRelevancy",
            **_HOURLY),
    _judged("Bias mean score below 0.3", "llmBiasThreshold", "llmBias", "biasMeanScore",
            **_HOURLY),
    _judged("Bias mean score below 0.2 on validation set", "llmBiasThreshold", "llmBias",
            "biasMeanScore", mode="development", usesValidationDataset=True),
]  # fmt: skip
