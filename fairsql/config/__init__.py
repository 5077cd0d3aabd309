"""What users write, as frozen models; every error names the place.

>>> suite = parse_suite({"version": 2, "tests": []}, source="fairsql.yml")
Traceback (most recent call last):
    ...
fairsql.errors.ConfigurationError: fairsql.yml, version: must be 1, but is 2.
fairsql.yml, tests: there are no tests; a suite lists at least one.
"""

from __future__ import annotations

from fairsql.config.base import MetricQuestion, Question, Test, Threshold
from fairsql.config.column_statistic import GroupColumnStatistic
from fairsql.config.llm_bias import LlmBias
from fairsql.config.metric_threshold import MetricThreshold
from fairsql.config.models import TESTS, Suite
from fairsql.config.outcome import GroupOutcomeDisparity
from fairsql.config.parity import GroupMetricParity
from fairsql.config.parse import build_test, check_names, load_suite_file, parse_suite
from fairsql.config.performance import CRITERIA, GroupPerformanceParity
from fairsql.config.schema import suite_json_schema
from fairsql.config.score import GroupScoreDisparity
from fairsql.config.values import canonical_key, canonical_text

__all__ = [
    "CRITERIA",
    "TESTS",
    "GroupColumnStatistic",
    "GroupMetricParity",
    "GroupOutcomeDisparity",
    "GroupPerformanceParity",
    "GroupScoreDisparity",
    "LlmBias",
    "MetricQuestion",
    "MetricThreshold",
    "Question",
    "Suite",
    "Test",
    "Threshold",
    "build_test",
    "canonical_key",
    "canonical_text",
    "check_names",
    "load_suite_file",
    "parse_suite",
    "suite_json_schema",
]
