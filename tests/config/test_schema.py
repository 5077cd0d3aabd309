"""The JSON Schema: it is one, it says what a reader of the suite says, and it describes itself."""

from __future__ import annotations

from typing import Any

import pytest

from fairsql.config import TESTS, Threshold, parse_suite, suite_json_schema
from fairsql.metrics import PARITY_METRICS
from tests.config.samples import refusal, sample, suite_of

jsonschema = pytest.importorskip("jsonschema")

SCHEMA = suite_json_schema()
RATIO = {"measurement": "minMetricRatio", "operator": ">=", "value": 0.8}


def is_valid(suite: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(suite))


def test_it_is_a_schema() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_field_is_described() -> None:
    definitions = SCHEMA["$defs"]
    for model in TESTS.values():
        properties = definitions[model.__name__]["properties"]
        assert list(properties) == list(model.model_fields)
        limits = properties["thresholds"]["items"]["properties"]
        assert list(limits) == list(Threshold.model_fields)
        described = [*properties.values(), *limits.values()]
        assert all(field["description"].endswith(".") for field in described)
    assert set(SCHEMA["properties"]["defaults"]["properties"]) == {
        name for model in TESTS.values() for name in model.model_fields
    }


@pytest.mark.parametrize(
    "suite",
    [
        *(suite_of(sample(metric)) for metric in PARITY_METRICS),
        suite_of(sample(thresholds=[RATIO]), defaults=None),
        suite_of({"name": "x"}, defaults=sample("rate", "name")),
        suite_of(sample(positive_values=[1, True, 0.5, "x"], where=None)),
        suite_of(sample("mean", max_difference=500, missing_attribute_values=["?", -9])),
    ],
)
def test_what_is_right(suite: Any) -> None:
    assert parse_suite(suite).tests
    assert is_valid(suite)


@pytest.mark.parametrize(
    "suite",
    [
        [],
        {"version": 1},
        suite_of(),
        suite_of(sample(), version=2),
        suite_of(sample(), version="1"),
        suite_of(sample(), colour=1),
        suite_of(sample(), defaults={"colour": 1}),
        suite_of(sample(), defaults={"min_ratio": 2}),
        suite_of(sample("auc", "name")),
        suite_of(sample("auc", "type")),
        suite_of(sample("auc", "relation")),
        suite_of(sample("auc", "parity_metric")),
        suite_of(sample("auc", "protected_attribute_columns"), defaults={"type": "x"}),
        suite_of(sample(colour=1)),
        suite_of(sample(parity_metric="acu")),
        suite_of(sample(comparison="all")),
        suite_of(sample(protected_attribute_columns=[])),
        suite_of(sample(protected_attribute_columns=list("abcd"))),
        suite_of(sample(positive_values=[])),
        suite_of(sample(positive_values=[None])),
        suite_of(sample(relation="")),
        suite_of(sample(min_ratio=0)),
        suite_of(sample(min_ratio="0.8")),
        suite_of(sample(max_difference=-1)),
        suite_of(sample(alpha=1)),
        suite_of(sample(min_group_size=0)),
        suite_of(sample(min_group_share=1.5)),
        suite_of(sample(require_significance="yes")),
        suite_of(sample(thresholds=[{**RATIO, "operator": "=="}])),
        suite_of(sample(thresholds=[{**RATIO, "measurement": "ratio"}])),
        suite_of(sample(thresholds=[{**RATIO, "value": "0.8"}])),
        suite_of(sample(thresholds=[{"measurement": "minMetricRatio"}])),
    ],
)
def test_what_is_wrong(suite: Any) -> None:
    assert refusal(suite)
    assert not is_valid(suite)
