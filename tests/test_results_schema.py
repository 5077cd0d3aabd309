"""The published shape of the results file: current, and strict enough to find a fault."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import fairsql
from tests.cli.samples import call
from tests.report.every_type import every_type
from tests.report.runs import full_run

SCHEMA = fairsql.results_json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
PUBLISHED = Path(__file__).resolve().parents[1] / "docs" / "results.schema.json"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_published_schema_is_current() -> None:
    # fairsql schema --results > docs/results.schema.json
    assert PUBLISHED.read_text(encoding="utf-8") == call("schema", "--results").stdout
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == SCHEMA


def test_every_key_of_a_result_is_described() -> None:
    def check(value: Any, schema: dict[str, Any], place: str) -> None:
        schema = SCHEMA["$defs"][schema["$ref"].split("/")[-1]] if "$ref" in schema else schema
        if isinstance(value, dict) and "properties" in schema:
            unknown = set(value) - set(schema["properties"])
            assert not unknown, f"{place}: {unknown}"
            for name, inner in value.items():
                check(inner, schema["properties"][name], f"{place}.{name}")
        elif isinstance(value, list) and "items" in schema:
            for inner in value:
                check(inner, schema["items"], f"{place}[]")

    for run in (full_run(), every_type()):
        check(run.to_dict(), SCHEMA, "results")


def test_results_of_every_type_of_test_are_valid() -> None:
    results = every_type().to_dict()
    VALIDATOR.validate(results)
    assert {test["type"] for test in results["tests"]} == {
        "group_metric_parity",
        "group_outcome_disparity",
        "group_score_disparity",
        "group_performance_parity",
        "group_column_statistic",
        "metric_threshold",
    }
    assert {} in [group["key"] for test in results["tests"] for group in test["groups"]]


FAULTS: dict[str, Any] = {
    "a status of no kind": lambda test: test.update(status="ok"),
    "a skip without a reason": lambda test: test.update(status="skipped", reason=None),
    "a pass with a reason": lambda test: test.update(reason="no_rows"),
    "a count that is no integer": lambda test: test["rows"].update(total=1.5),
    "a suppressed number": lambda test: test["groups"][0].update(suppressed=True),
    "rows that are missing": lambda test: test["groups"][0].update(rows=None),
    "a field that is missing": lambda test: test["groups"][0].pop("ratio"),
    "a p-value above 1": lambda test: test["groups"][0].update(p_value=1.1),
    "a text for a number": lambda test: test["groups"][0].update(value="0.5"),
    "an interval of three": lambda test: test["groups"][0].update(confidence_interval=[0, 1, 2]),
    "a measurement of no kind": lambda test: test["thresholds"][0].update(measurement="auc"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    results = copy.deepcopy(full_run().to_dict())
    VALIDATOR.validate(results)
    FAULTS[fault](results["tests"][0])
    assert not VALIDATOR.is_valid(results)


FAULTS_OF_PARTS: dict[str, Any] = {
    "a stratum of four columns": lambda test: test["parts"][0].update(
        stratum=dict.fromkeys("abcd", "x")
    ),
    "a part without a metric": lambda test: test["parts"][0].pop("metric"),
    "a part's measurement as text": lambda test: test["parts"][0]["measurements"].update(
        min_metric_ratio="0.5"
    ),
    "an odds ratio below 0": lambda test: test["pooled"][0].update(odds_ratio=-1),
    "a pooled group without a rate": lambda test: test["pooled"][0].update(value=None),
    "a measurement in camelCase": lambda test: test["measurements"].update(impactRatio=1),
    "a group's stratum as text": lambda test: test["groups"][0].update(stratum="A"),
}


@pytest.mark.parametrize("fault", FAULTS_OF_PARTS)
def test_a_fault_in_a_stratified_test_is_found(fault: str) -> None:
    results = copy.deepcopy(every_type().to_dict())
    FAULTS_OF_PARTS[fault](results["tests"][1])
    assert not VALIDATOR.is_valid(results)
