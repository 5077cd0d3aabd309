"""Fairness tests that run where the data lives.

>>> import duckdb, fairsql
>>> connection = duckdb.connect()
>>> _ = connection.execute(
...     "create table loans as"
...     " select case when i < 80 then 'F' else 'M' end as gender,"
...     "        case when i < 24 or i >= 130 then 1 else 0 end as approved"
...     " from range(160) as rows(i)"
... )
>>> result = fairsql.group_metric_parity(
...     connection,
...     "loans",
...     protected_attribute_columns=["gender"],
...     parity_metric="rate",
...     value_column="approved",
...     positive_values=["1"],
...     higher_is_better=True,
... )
>>> result.status, result.groups[0].ratio
('passed', 0.7999999999999999)
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairsql.config import GroupMetricParity, suite_json_schema
    from fairsql.converting import convert_tests_json
    from fairsql.errors import (
        CompilationError,
        ConfigurationError,
        FairsqlError,
        PackageMissingError,
        RelationNotFoundError,
        WarehouseError,
    )
    from fairsql.gate import NotFairError, assert_fair
    from fairsql.history import keep_history, read_history
    from fairsql.judging import judge, judging_estimate
    from fairsql.llm.counterfactual import counterfactual_prompts
    from fairsql.loading import load_suite
    from fairsql.mlflow_logging import log_to_mlflow
    from fairsql.planning import Plan
    from fairsql.planning import compile_suite as compile  # noqa: A004 - the name SPEC gives it
    from fairsql.records import Past
    from fairsql.report import load_run
    from fairsql.results import Run, TestResult
    from fairsql.results_schema import results_json_schema
    from fairsql.single import (
        counterfactual_fairness_divergence,
        group_column_statistic,
        group_metric_parity,
        group_outcome_disparity,
        group_performance_parity,
        group_score_disparity,
        llm_bias,
        metric_threshold,
        pairwise_divergence,
        refusal_rate_disparity,
        stereotype_association_score,
        toxicity_sentiment_disparity,
    )
    from fairsql.suite import Suite
    from fairsql.version import __version__
    from fairsql.warehouses import connect

# Loaded when first asked for: importing fairsql costs no driver, no pydantic and no sqlglot.
_HOMES = {
    "CompilationError": "errors",
    "ConfigurationError": "errors",
    "FairsqlError": "errors",
    "GroupMetricParity": "config",
    "NotFairError": "gate",
    "PackageMissingError": "errors",
    "Past": "records",
    "Plan": "planning",
    "RelationNotFoundError": "errors",
    "Run": "results",
    "Suite": "suite",
    "TestResult": "results",
    "WarehouseError": "errors",
    "__version__": "version",
    "assert_fair": "gate",
    "compile": "planning",
    "connect": "warehouses",
    "convert_tests_json": "converting",
    "counterfactual_fairness_divergence": "single",
    "counterfactual_prompts": "llm.counterfactual",
    "group_column_statistic": "single",
    "group_metric_parity": "single",
    "group_outcome_disparity": "single",
    "group_performance_parity": "single",
    "group_score_disparity": "single",
    "judge": "judging",
    "judging_estimate": "judging",
    "keep_history": "history",
    "llm_bias": "single",
    "load_run": "report",
    "load_suite": "loading",
    "log_to_mlflow": "mlflow_logging",
    "metric_threshold": "single",
    "pairwise_divergence": "single",
    "read_history": "history",
    "refusal_rate_disparity": "single",
    "results_json_schema": "results_schema",
    "stereotype_association_score": "single",
    "suite_json_schema": "config",
    "toxicity_sentiment_disparity": "single",
}

__all__ = [
    "CompilationError",
    "ConfigurationError",
    "FairsqlError",
    "GroupMetricParity",
    "NotFairError",
    "PackageMissingError",
    "Past",
    "Plan",
    "RelationNotFoundError",
    "Run",
    "Suite",
    "TestResult",
    "WarehouseError",
    "__version__",
    "assert_fair",
    "compile",
    "connect",
    "convert_tests_json",
    "counterfactual_fairness_divergence",
    "counterfactual_prompts",
    "group_column_statistic",
    "group_metric_parity",
    "group_outcome_disparity",
    "group_performance_parity",
    "group_score_disparity",
    "judge",
    "judging_estimate",
    "keep_history",
    "llm_bias",
    "load_run",
    "load_suite",
    "log_to_mlflow",
    "metric_threshold",
    "pairwise_divergence",
    "read_history",
    "refusal_rate_disparity",
    "results_json_schema",
    "stereotype_association_score",
    "suite_json_schema",
    "toxicity_sentiment_disparity",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fairsql' has no attribute {name!r}")
    module = importlib.import_module(f"fairsql.{_HOMES[name]}")
    value = getattr(module, "compile_suite" if name == "compile" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Api(types.ModuleType):
    """A module whose function ``compile`` outlives the import of the package of that name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "compile" or not isinstance(value, types.ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Api
