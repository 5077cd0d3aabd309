"""Tests as users write them, one for each set of columns, and what refusing one says."""

from __future__ import annotations

from typing import Any

import pytest

from fairsql.config import GroupMetricParity, parse_suite
from fairsql.errors import ConfigurationError

BASE: dict[str, Any] = {
    "name": "Parity by gender",
    "type": "group_metric_parity",
    "relation": "analytics.loans",
    "protected_attribute_columns": ["gender"],
}
INPUTS: dict[str, dict[str, Any]] = {
    "auc": {
        "score_column": "score",
        "ground_truth_column": "approved",
        "positive_values": ["1"],
    },
    "brier": {
        "probability_column": "probability",
        "ground_truth_column": "approved",
        "positive_values": ["1"],
    },
    "npv": {
        "prediction_column": "predicted",
        "ground_truth_column": "approved",
        "positive_values": ["1"],
    },
    "mae": {"prediction_column": "predicted", "ground_truth_column": "approved"},
    "mean": {"value_column": "latency", "higher_is_better": False},
    "rate": {"value_column": "approved", "positive_values": ["1"], "higher_is_better": True},
}
INPUTS |= {
    "log_loss": INPUTS["brier"],
    "false_omission_rate": INPUTS["npv"],
    "rmse": INPUTS["mae"],
    "r2": INPUTS["mae"],
    "median": INPUTS["mean"],
    "p95": INPUTS["mean"],
}


def sample(metric: str = "auc", *without: str, **changes: Any) -> dict[str, Any]:
    """Return the fields of a right test, less some, with others changed or added."""
    fields = {**BASE, "parity_metric": metric, **INPUTS[metric], **changes}
    return {name: value for name, value in fields.items() if name not in without}


def suite_of(*tests: Any, **others: Any) -> dict[str, Any]:
    return {"version": 1, "tests": list(tests), **others}


def read(*tests: Any, **others: Any) -> GroupMetricParity:
    """Return the first test of a suite."""
    first = parse_suite(suite_of(*tests, **others)).tests[0]
    assert isinstance(first, GroupMetricParity)
    return first


def refusal(suite: Any, source: str | None = None) -> list[str]:
    """Return the lines of the error with which a suite is refused."""
    with pytest.raises(ConfigurationError) as caught:
        parse_suite(suite, source)
    return str(caught.value).splitlines()
