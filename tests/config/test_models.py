"""What a test holds once it is read."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from fairsql.config import GroupMetricParity, Threshold, build_test, parse_suite
from fairsql.errors import ConfigurationError
from fairsql.metrics import PARITY_METRICS
from tests.config.samples import INPUTS, read, sample, suite_of

# The defaults of the reference document's parameter table, and of the parameters that are ours.
DEFAULTS: dict[str, Any] = {
    "where": None,
    "filters": [],
    "judges": [],
    "weight_column": None,
    "auc_method": "exact",
    "quantile_method": "exact",
    "comparison": "reference",
    "reference_strategy": "highest",
    "reference_value": None,
    "min_ratio": 0.8,
    "max_difference": None,
    "significance_test": "auto",
    "alpha": 0.05,
    "p_value_adjustment": "none",
    "require_significance": False,
    "min_group_size": 30,
    "min_group_share": 0.02,
    "missing_attribute_values": [],
    "min_reported_rows": 1,
    "timestamp_column": None,
    "evaluation_window": None,
    "delay_window": 0,
}


def test_every_metric_has_a_sample() -> None:
    assert set(INPUTS) == set(PARITY_METRICS)


@pytest.mark.parametrize("metric", PARITY_METRICS)
def test_parameters_are_complete_and_json(metric: str) -> None:
    test = read(sample(metric))
    unused = {
        "score_column": None,
        "probability_column": None,
        "prediction_column": None,
        "ground_truth_column": None,
        "value_column": None,
        "positive_values": None,
        "higher_is_better": None,
    }
    expected = {
        **DEFAULTS,
        **unused,
        **INPUTS[metric],
        "parity_metric": metric,
        "protected_attribute_columns": ["gender"],
    }
    assert json.loads(json.dumps(test.parameters())) == expected


def test_no_threshold_means_that_no_group_may_fail() -> None:
    default = (Threshold(measurement="failing_group_count", operator="<=", value=0),)
    for fields in (sample(), sample(thresholds=[]), sample(thresholds=None)):
        assert read(fields).thresholds == default


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("failingGroupCount", "failing_group_count"),
        ("minMetricRatio", "min_metric_ratio"),
        ("missingAttributeRate", "missing_attribute_rate"),
        ("undefined_group_count", "undefined_group_count"),
    ],
)
@pytest.mark.parametrize("operator", [">", ">=", "<", "<=", "is", "!="])
def test_thresholds(written: str, stored: str, operator: Any) -> None:
    limit = {"measurement": written, "operator": operator, "value": 1}
    assert read(sample(thresholds=[limit])).thresholds == (
        Threshold(measurement=stored, operator=operator, value=1.0),
    )


@pytest.mark.parametrize(
    ("metric", "higher"),
    [
        ("auc", True),
        ("log_loss", False),
        ("brier", False),
        ("npv", True),
        ("false_omission_rate", False),
        ("mae", False),
        ("rmse", False),
        ("r2", True),
        ("mean", False),
        ("rate", True),
    ],
)
def test_direction(metric: str, higher: bool) -> None:
    assert read(sample(metric)).higher_better is higher


@pytest.mark.parametrize("higher", [True, False])
def test_stated_direction(higher: bool) -> None:
    assert read(sample("p95", higher_is_better=higher)).higher_better is higher


def test_input_columns() -> None:
    assert read(sample("npv")).input_columns == {
        "prediction_column": "predicted",
        "ground_truth_column": "approved",
    }
    assert read(sample("rate")).metric is PARITY_METRICS["rate"]


def test_positive_values_are_kept_and_have_texts() -> None:
    written = ["1", 1, 1.0, True, Decimal("2.50"), date(2024, 3, 1), "Yes"]
    test = read(sample(positive_values=written))
    assert test.positive_values == tuple(written)
    assert test.positive_texts == ("1", "true", "2.5", "2024-03-01", "Yes")
    shown = json.loads(json.dumps(test.parameters()["positive_values"]))
    assert shown == ["1", 1, 1.0, True, "2.5", "2024-03-01", "Yes"]
    assert shown[3] is True
    assert read(sample("mean")).positive_texts == ()


def test_reference_and_missing_values_are_trimmed_like_keys() -> None:
    test = read(
        sample(
            reference_strategy="named",
            reference_value=" 1.0",
            missing_attribute_values=[" N/A ", -9, "Unknown"],
        )
    )
    assert test.reference_text == "1"
    assert test.missing_attribute_values == ("N/A", "-9", "Unknown")
    assert read(sample()).reference_text is None


def test_bounds_that_are_allowed() -> None:
    test = read(
        sample(
            "mean",
            min_ratio=1,
            max_difference=0,
            alpha=0.999,
            min_group_size=1,
            min_group_share=1,
            protected_attribute_columns=["a", "b", "c"],
            require_significance=True,
            p_value_adjustment="holm_all_pairs",
        )
    )
    assert (test.min_ratio, test.max_difference, test.min_group_share) == (1.0, 0.0, 1.0)
    assert read(sample("rate", max_difference=1)).max_difference == 1
    assert read(sample("mean", max_difference=500)).max_difference == 500
    assert read(sample("r2", alpha=0.1, p_value_adjustment="holm")).alpha == 0.1


def test_null_is_as_good_as_absent_where_nothing_is_a_value() -> None:
    written = sample(where=None, value_column=None, max_difference=None, higher_is_better=None)
    assert read(written) == read(sample())


def test_tests_are_frozen_and_hashable() -> None:
    test = read(sample())
    assert len({test, read(sample())}) == 1
    with pytest.raises(ValidationError, match="frozen"):
        test.min_ratio = 0.5  # type: ignore[misc]


def test_the_model_itself_refuses_what_does_not_go_together() -> None:
    with pytest.raises(ValidationError, match="is required by parity_metric auc"):
        GroupMetricParity(**sample("auc", "score_column"))


# --- the Python call -------------------------------------------------------------------------


def test_a_call_without_a_name_is_named_by_what_it_does() -> None:
    fields = sample("rate", "name", "type", protected_attribute_columns=["gender", "region"])
    assert build_test(**fields).name == "rate parity by gender and region"
    assert build_test(**{**fields, "name": None}).name == "rate parity by gender and region"
    assert build_test(**{**fields, "name": "Mine"}).name == "Mine"


def test_a_call_takes_tuples_and_numpy_s_values() -> None:
    test = build_test(
        **sample(
            protected_attribute_columns=("gender",),
            positive_values=np.array([1, 2]),
            min_group_size=np.int64(5),
            min_ratio=np.float32(0.5),
            require_significance=np.bool_(True),
        )
    )
    assert test.positive_texts == ("1", "2")
    assert (test.min_group_size, test.min_ratio, test.require_significance) == (5, 0.5, True)
    assert build_test(**sample(positive_values=(datetime(2024, 3, 1),))).positive_texts == (
        "2024-03-01T00:00:00",
    )


def test_a_call_s_error_names_the_argument() -> None:
    with pytest.raises(ConfigurationError) as caught:
        build_test(**sample("rate", "name", "value_column", min_ratio=2, colour="red"))
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0] for line in lines] == ["min_ratio", "colour", "value_column"]
    with pytest.raises(ConfigurationError, match=r"^test 'Mine', min_ratio: must be"):
        build_test(**sample("rate", name="Mine", min_ratio=2))


@pytest.mark.parametrize("fields", [{}, {"parity_metric": ["auc"]}, {"parity_metric": {}}])
def test_a_call_without_much(fields: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="relation: is required"):
        build_test(**fields)


# --- the reference document's own examples ---------------------------------------------------

EXAMPLES: list[dict[str, Any]] = [
    {
        "protected_attribute_columns": ["gender"],
        "parity_metric": "auc",
        "score_column": "approval_score",
        "ground_truth_column": "approved",
        "positive_values": ["1"],
        "thresholds": [{"measurement": "minMetricRatio", "operator": ">=", "value": 0.8}],
    },
    {
        "protected_attribute_columns": ["language", "region"],
        "parity_metric": "mean",
        "value_column": "judge_score",
        "higher_is_better": True,
        "p_value_adjustment": "holm",
        "require_significance": True,
        "thresholds": [{"measurement": "failingGroupCount", "operator": "<=", "value": 0}],
    },
    {
        "protected_attribute_columns": ["region"],
        "parity_metric": "p95",
        "value_column": "latency",
        "higher_is_better": False,
        "comparison": "overall",
        "max_difference": 500,
        "thresholds": [{"measurement": "maxMetricDifference", "operator": "<=", "value": 500}],
    },
    {
        "protected_attribute_columns": ["language"],
        "parity_metric": "rate",
        "value_column": "refused",
        "positive_values": ["true"],
        "higher_is_better": False,
        "comparison": "overall",
        "max_difference": 0.05,
        "thresholds": [{"measurement": "maxMetricDifference", "operator": "<=", "value": 0.05}],
    },
]


def test_the_reference_document_s_examples_are_accepted() -> None:
    tests = [
        {"name": str(number), "type": "group_metric_parity", "relation": "calls", **example}
        for number, example in enumerate(EXAMPLES)
    ]
    suite = parse_suite(suite_of(*tests))
    assert [test.questions()[0].metric.name for test in suite.tests] == [
        "auc",
        "mean",
        "p95",
        "rate",
    ]
    assert suite.tests[2].thresholds[0].measurement == "max_metric_difference"


def test_importing_loads_nothing_heavy() -> None:
    heavy = ["ruamel", "pandas", "scipy", "numpy", "sqlglot", "duckdb", "jinja2", "rich", "click"]
    code = f"import sys, fairsql.config; print([m for m in {heavy} if m in sys.modules])"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == "[]"
