"""Every kind of test by its name, and the suite that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from fairsql.config.base import Test  # noqa: TC001 - pydantic reads it
from fairsql.config.column_statistic import GroupColumnStatistic
from fairsql.config.flagged import (
    RefusalRateDisparity,
    StereotypeAssociationScore,
    ToxicitySentimentDisparity,
)
from fairsql.config.judging import JudgeSpec  # noqa: TC001 - pydantic reads it
from fairsql.config.llm_bias import LlmBias
from fairsql.config.metric_threshold import MetricThreshold
from fairsql.config.outcome import GroupOutcomeDisparity
from fairsql.config.paired import CounterfactualFairnessDivergence, PairwiseDivergence
from fairsql.config.parity import GroupMetricParity
from fairsql.config.performance import GroupPerformanceParity
from fairsql.config.score import GroupScoreDisparity

TESTS: Mapping[str, type[Test]] = {
    "group_metric_parity": GroupMetricParity,
    "group_outcome_disparity": GroupOutcomeDisparity,
    "group_score_disparity": GroupScoreDisparity,
    "group_performance_parity": GroupPerformanceParity,
    "group_column_statistic": GroupColumnStatistic,
    "metric_threshold": MetricThreshold,
    "refusal_rate_disparity": RefusalRateDisparity,
    "toxicity_sentiment_disparity": ToxicitySentimentDisparity,
    "stereotype_association_score": StereotypeAssociationScore,
    "counterfactual_fairness_divergence": CounterfactualFairnessDivergence,
    "pairwise_divergence": PairwiseDivergence,
    "llm_bias": LlmBias,
}
"""Every kind of test by the name that ``type`` gives it."""

PARAMETERS: tuple[str, ...] = tuple(
    dict.fromkeys(name for model in TESTS.values() for name in model.model_fields)
)
"""Every field of any kind of test."""


class Suite(BaseModel):
    """Tests that are run together; ``source`` is the file they were read from."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: Literal[1] = 1
    tests: tuple[Test, ...]
    judges: tuple[JudgeSpec, ...] = ()
    source: str | None = None
