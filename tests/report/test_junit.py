"""JUnit XML: valid where it will be read, and a skip is never a pass there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from tests.report.hostile import hostile_facts
from tests.report.runs import full_run
from tests.report.samples import FAILED, TEST, limit, run_of

SCHEMA = xmlschema.XMLSchema(Path(__file__).parent / "schemas" / "jenkins-junit-10.xsd")
OUTCOMES = {"passed": None, "failed": "failure", "skipped": "skipped", "error": "error"}


def test_it_is_valid_by_the_schema_of_a_ci_server() -> None:
    SCHEMA.validate(full_run().to_junit())
    SCHEMA.validate(run_of().to_junit())


def test_the_schema_finds_faults() -> None:
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        SCHEMA.validate(full_run().to_junit().replace(" errors=", " mistakes="))


def test_each_test_is_a_case_with_its_outcome() -> None:
    run = full_run()
    suite = ElementTree.fromstring(run.to_junit())  # noqa: S314 - we wrote it
    cases = list(suite.iter("testcase"))
    assert len(cases) == len(run.tests)
    for case, test in zip(cases, run.tests, strict=True):
        outcome = [child.tag for child in case if child.tag != "system-out"]
        assert outcome == [OUTCOMES[test.status]] * (not test.passed), test.name
    counted = {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {
        "tests": len(run.tests),
        "failures": run.count("failed"),
        "errors": run.count("error"),
        "skipped": run.count("skipped"),
    }
    assert min(counted.values()) > 0  # the run has them all


def test_a_failure_says_which_threshold_broke_and_by_which_groups() -> None:
    test = replace(FAILED, thresholds=(limit("min_metric_ratio", ">=", 0.8, 0.36),))
    suite = ElementTree.fromstring(run_of(test).to_junit())  # noqa: S314
    (failure,) = suite.iter("failure")
    assert failure.attrib["message"] == "min_metric_ratio 0.36, wants >= 0.8"
    assert failure.text
    assert "F: rows 80, " in failure.text
    assert "value 0.1375" in failure.text


def test_a_skip_has_its_reason_and_sentence() -> None:
    test = replace(TEST, status="skipped", reason="no_rows", message="it has no rows.", groups=())
    suite = ElementTree.fromstring(run_of(test).to_junit())  # noqa: S314
    (skipped,) = suite.iter("skipped")
    assert skipped.attrib == {"message": "it has no rows.", "type": "no_rows"}


def test_what_xml_cannot_hold_is_escaped() -> None:
    test = replace(TEST, name="bell \x07 null \x00 lone \ud800", notes=("a\x1bb",))
    text = run_of(test).to_junit()
    SCHEMA.validate(text)
    assert r"bell \x07 null \x00 lone \ud800" in text


def test_facts_of_a_results_file_are_escaped_too() -> None:
    text = hostile_facts().to_junit()
    suite = ElementTree.fromstring(text)  # noqa: S314
    assert "timestamp" not in suite.attrib  # the schema has it only as a time
    SCHEMA.validate(text)
    found = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert found["fairsql_version"] == r"@octocat <img src=x>|x\n# H1\x00\ud800"
    assert found["dialect"] == found["fairsql_version"]


def test_tests_that_share_a_statement_count_its_time_once() -> None:
    pair = [replace(TEST, name=name, sql=("select 1",), elapsed_seconds=0.25) for name in "ab"]
    other = replace(TEST, name="c", sql=("select 2",), elapsed_seconds=0.5)
    assert ' time="0.75"' in run_of(*pair, other).to_junit().partition("<testcase")[0]
