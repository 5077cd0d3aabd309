"""A results file comes back as the run that wrote it; anything else is refused with its place."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import fairsql
from fairsql.config import build_test
from fairsql.report import parse_run
from fairsql.results import Run
from fairsql.suite import Suite
from tests.generator import cases, load
from tests.report.every_type import every_type
from tests.report.samples import FAILED, GROUP, TEST, run_of
from tests.variants import variants

if TYPE_CHECKING:
    from pathlib import Path


def changed(*path: str | int, value: Any) -> str:
    """The file of a small run with one value replaced."""
    document = json.loads(run_of(TEST, FAILED).to_json())
    place: Any = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(document)


def without(*path: str | int) -> str:
    document = json.loads(run_of(TEST, FAILED).to_json())
    place: Any = document
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return json.dumps(document)


@pytest.mark.parametrize("seed", range(4))
def test_generated_runs_come_back_equal(seed: int, tmp_path: Path) -> None:
    connection = duckdb.connect()
    seen = set()
    for case in cases(200 + seed, 10):
        load(connection, case, "sample")
        tests = [build_test(relation="sample", **test) for test in variants(case.test)]
        run = Suite(tuple(tests), source="suite.yml").run(connection)
        file = tmp_path / "results.json"
        file.write_text(run.to_json(), encoding="utf-8")
        back = fairsql.load_run(file)
        assert back == run
        assert back.to_json() == run.to_json()
        seen |= {test.status for test in back.tests}
        connection.execute("drop table sample")
    assert {"passed", "failed", "skipped"} <= seen


def test_a_run_of_every_type_of_test_comes_back_equal() -> None:
    back = parse_run(every_type().to_json(), "f")
    assert back == every_type()
    assert back.to_json() == every_type().to_json()
    # What the file must hold for this to say something.
    assert any(test.parts and test.pooled for test in back.tests)
    assert {group.positive_class for test in back.tests for group in test.groups} > {None}
    assert any(not group.key for test in back.tests for group in test.groups)


@pytest.mark.parametrize(
    ("name", "place", "complaint"),
    [
        ("parts", ("metric",), "lacks 'metric'"),
        ("parts", ("measurements",), "lacks 'measurements'"),
        ("pooled", ("value",), "lacks 'value'"),
    ],
)
def test_a_part_that_lacks_something_is_refused(
    name: str, place: tuple[str], complaint: str
) -> None:
    document = json.loads(every_type().to_json())
    test = next(test for test in document["tests"] if test["pooled"])
    del test[name][0][place[0]]
    with pytest.raises(fairsql.ConfigurationError, match=complaint):
        parse_run(json.dumps(document), "f")


def test_texts_of_every_kind_come_back() -> None:
    hostile = "\ud800 \u202e \x00 \u2028 😀 </script>"
    group = replace(GROUP, key={hostile: hostile}, rows_sql=hostile)
    run = run_of(replace(TEST, name=hostile, message=hostile, groups=(group,)))
    assert parse_run(run.to_json(), "f") == run


def test_what_later_versions_add_is_passed_over() -> None:
    assert parse_run(changed("tests", 0, "groups", 0, "new", value=1), "f").tests[0] == TEST


@pytest.mark.parametrize(
    "path",
    [("suite",), ("software",), ("warehouse", "version"), ("tests", 0, "query_ids"),
     ("tests", 0, "metric"), ("tests", 0, "groups", 0, "rows_sql"), ("tests", 0, "parts"),
     ("tests", 0, "pooled"), ("tests", 0, "groups", 0, "metric"),
     ("tests", 0, "groups", 0, "stratum"), ("tests", 0, "groups", 0, "positive_class")],
)  # fmt: skip
def test_what_older_versions_lack_is_unknown(path: tuple[str | int, ...]) -> None:
    assert parse_run(without(*path), "f") == run_of(TEST, FAILED)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "f: is not a results file: Expecting value: line 1 column 1 (char 0)."),
        ('{"a": ', "f: is not a results file: Expecting value: line 1 column 7 (char 6)."),
        ("[" * 100_000, "f: is not a results file: "),
        ("[]", "f: is not a results file: it has no schema_version. `fairsql run SUITE --json"),
        ('{"version": 1, "tests": []}', "f: is not a results file: it has no schema_version."),
        ('{"schema_version": 2}', "f: schema_version is 2, and fairsql "),
        ('{"schema_version": true}', "f: schema_version is true, and fairsql "),
        ('{"schema_version": 1}', "f: lacks 'warehouse'."),
        (without("tests", 1, "rows", "total"), "f, tests 2, rows: lacks 'total'."),
        (
            changed("tests", 0, "groups", 1, "rows", value="x" * 99),
            f'f, tests 1, groups 2, rows: must be a whole number, but is "{"x" * 59}….',
        ),
        (changed("tests", 0, "groups", value={}), "f, tests 1, groups: must be a list, but is {}."),
        (
            changed("tests", 0, "status", value="fine"),
            'f, tests 1, status: must be one of passed, failed, skipped, error, but is "fine".',
        ),
        (
            changed("tests", 0, "groups", 0, "value", value=float("nan")),
            "f: is not a results file: NaN is not a JSON number.",
        ),
        (
            changed("tests", 0, "groups", 0, "value", value=98765).replace("98765", "1e999"),
            "f, tests 1, groups 1, value: must be a finite number, but is Infinity.",
        ),
        (
            changed("tests", 0, "groups", 0, "failed", value=1),
            "f, tests 1, groups 1, failed: must be true or false, but is 1.",
        ),
        (
            changed("tests", 0, "groups", 0, "rows", value=True),
            "f, tests 1, groups 1, rows: must be a whole number, but is true.",
        ),
        (
            changed("tests", 0, "groups", 0, "confidence_interval", value=[1]),
            "f, tests 1, groups 1, confidence_interval: must hold two bounds, but holds 1.",
        ),
    ],
)
def test_another_file_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(fairsql.ConfigurationError) as raised:
        parse_run(text, "f")
    assert str(raised.value).startswith(complaint)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, problem in {
        tmp_path / "no.json": "there is no such file.",
        tmp_path: "cannot be read: Is a directory.",
        binary: "is not text in UTF-8, so no results file.",
    }.items():
        with pytest.raises(fairsql.ConfigurationError) as raised:
            fairsql.load_run(path)
        assert str(raised.value) == f"{path}: {problem}"


def test_the_hash_of_the_tests_is_as_it_is_documented() -> None:
    # Recomputed from the file alone, by the words of the docs.
    document = json.loads(run_of(TEST, FAILED).to_json())
    asked = [
        {
            **{name: test[name] for name in ("name", "type", "relation", "parameters")},
            "thresholds": [
                {name: limit[name] for name in ("measurement", "operator", "value")}
                for limit in test["thresholds"]
            ],
        }
        for test in document["tests"]
    ]
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert document["suite_sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_results_do_not_change_the_hash_and_questions_do() -> None:
    run = run_of(TEST)
    same = run_of(replace(TEST, status="skipped", groups=(GROUP,)))
    other = run_of(replace(TEST, parameters={**TEST.parameters, "min_ratio": 0.9}))
    assert isinstance(run, Run)
    assert run.suite_sha256 == same.suite_sha256 != other.suite_sha256
