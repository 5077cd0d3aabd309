"""The names of a tests.json and ours, as data.

Their names stand on the left as Openlayer's pages spell them; ours on the right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

TYPES: Mapping[str, str] = {
    "groupMetricParity": "group_metric_parity",
    "groupOutcomeDisparity": "group_outcome_disparity",
    "groupScoreDisparity": "group_score_disparity",
    "groupPerformanceParity": "group_performance_parity",
    "groupByColumnStatistic": "group_column_statistic",
    "groupByColumnStatsCheck": "group_column_statistic",
    "metricThreshold": "metric_threshold",
    "llmBiasThreshold": "llm_bias",
}
"""Their subtype -> our type of test."""

INSIGHTS: Mapping[str, str] = {
    **{name: name for name in TYPES if name not in ("metricThreshold", "llmBiasThreshold")},
    "metrics": "metricThreshold",
    "llmBias": "llmBiasThreshold",
}
"""The insight that a threshold reads -> the subtype of its test."""

METRICS: Mapping[str, str] = {
    # classification
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "precisionPerClass": "precision_per_class",
    "recallPerClass": "recall_per_class",
    "f1PerClass": "f1_per_class",
    "rocAuc": "auc",
    "falsePositiveRate": "false_positive_rate",
    "geometricMean": "geometric_mean",
    "logLoss": "log_loss",
    # regression
    "mse": "mse",
    "rmse": "rmse",
    "mae": "mae",
    "r2": "r2",
    "mape": "mape",
    # texts
    "meanBleu1": "bleu_1",
    "meanBleu2": "bleu_2",
    "meanBleu3": "bleu_3",
    "meanBleu4": "bleu_4",
    "meanEditDistance": "edit_distance",
    "meanExactMatch": "exact_match",
    "meanJsonScore": "json_score",
    "meanQuasiExactMatch": "quasi_exact_match",
    "meanSemanticSimilarity": "semantic_similarity",
    # tokens and latency
    "meanTokens": "mean_tokens",
    "maxTokens": "max_tokens",
    "totalTokens": "total_tokens",
    "meanLatency": "mean_latency",
    "maxLatency": "max_latency",
    "p90Latency": "p90_latency",
    "p95Latency": "p95_latency",
    "p99Latency": "p99_latency",
}
"""A metricThreshold's measurement -> our metric."""

JUDGED_METRICS: Mapping[str, str] = {
    "answerRelevancy": "answer_relevancy",
    "answerCorrectness": "answer_correctness",
    "contextPrecision": "context_precision",
    "contextRelevancy": "context_precision",
    "contextRecall": "context_recall",
    "correctness": "correctness",
    "harmfulness": "harmfulness",
    "coherence": "coherence",
    "conciseness": "conciseness",
    "maliciousness": "maliciousness",
    "faithfulness": "faithfulness",
}
"""Measurements of a metricThreshold that a language model scores -> our metric."""

RUBRIC_TYPES = ("llmRubricThreshold", "llmRubricThresholdV2")
"""Subtypes that rest on a rubric of the user's own, which the file does not hold."""

IGNORED = (
    "id",
    "number",
    "syncId",
    "type",
    "mode",
    "usesValidationDataset",
    "usesReferenceDataset",
    "usesTrainingDataset",
    "usesProductionData",
    "usesMlModel",
)
"""Keys of an item that say nothing of what is computed: the relation is the data."""

READ = (
    "name",
    "description",
    "subtype",
    "thresholds",
    "subpopulationFilters",
    "evaluationWindow",
    "delayWindow",
)
"""Keys of an item that are read."""

FILTER_OPERATORS: Mapping[str, str] = {
    "isnot": "!=",
    "equals": "is",
    "==": "is",
    "=": "is",
}
"""Further spellings of a filter's operators, without case, blanks and underscores."""


def snake_case(name: str) -> str:
    """Return a camelCase name in snake_case; other spellings stay as they are.

    >>> snake_case("minMetricRatio"), snake_case("f1Difference"), snake_case("min_ratio")
    ('min_metric_ratio', 'f1_difference', 'min_ratio')
    """
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda match: "_" + match[0].lower(), name)
