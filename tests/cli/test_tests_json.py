"""A tests.json on the command line: run, plan, compile, convert."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.samples import DATA, call
from tests.tests_json.published import JUDGED
from tests.tests_json.samples import RATE, item, parameters, threshold

BY_SEX = threshold(insightParameters=parameters(**{**RATE, "protected_attribute_columns": ["sex"]}))
RIGHT = item(BY_SEX)
JUDGE = JUDGED[0]


def write(*items: Any, name: str = "tests.json") -> str:
    Path(name).write_text(json.dumps(items), encoding="utf-8")
    return name


@pytest.mark.parametrize(
    ("items", "options", "code"),
    [
        ([RIGHT], ["--relation", "fair"], 0),
        ([RIGHT], ["--relation", "unfair"], 1),
        ([RIGHT], ["--relation", "small"], 3),
        ([RIGHT, JUDGE], ["--relation", "unfair"], 4),
        ([RIGHT, JUDGE], ["--relation", "unfair", "--select", "Approval*"], 1),
        ([RIGHT], ["--mapping", "mapping.yml"], 1),
        ([RIGHT], [], 2),
        ([RIGHT], ["--relation", ""], 2),
        ([RIGHT], ["--mapping", "no.yml"], 2),
        ([], ["--relation", "fair"], 2),
    ],
)
def test_the_exit_code_says_how_it_went(items: Any, options: list[str], code: int) -> None:
    Path("mapping.yml").write_text("Approval by gender: {relation: unfair}\n")
    assert call("run", write(*items), *options, *DATA).exit_code == code


def test_each_error_has_its_line_and_its_results() -> None:
    done = call("run", write(JUDGE, RIGHT), "--relation", "fair", *DATA, "--json", "results.json")
    assert JUDGE["name"] in done.stdout
    assert "answerRelevancy needs a judge" in " ".join(done.stdout.split())
    judged, right = json.loads(Path("results.json").read_text())["tests"]
    assert (judged["status"], right["status"]) == ("error", "passed")
    assert call("report", "results.json", "-o", "report.html").exit_code == 0


def test_a_plan_names_what_cannot_run() -> None:
    done = call("plan", write(RIGHT, JUDGE), "--relation", "fair", *DATA)
    assert done.exit_code == 4
    assert done.stdout.startswith("1 scan for 2 tests")
    assert f"error  {JUDGE['name']}: answerRelevancy needs a judge" in done.stdout


def test_compile_prints_the_others() -> None:
    done = call("compile", write(RIGHT, JUDGE), "--relation", "fair", "--dialect", "bigquery")
    assert done.exit_code == 4
    assert "from `fair`" in done.stdout
    assert done.stderr.startswith(f"{JUDGE['name']}: answerRelevancy needs a judge")
    assert call("compile", write(RIGHT), "--relation", "a", "--dialect", "duckdb").exit_code == 0


def test_options_for_a_tests_json_are_refused_with_a_suite() -> None:
    done = call("run", "passed.yml", "--relation", "fair", *DATA)
    assert done.exit_code == 2
    assert "relation is for a tests.json; the tests of a suite file have their own" in done.stderr


def test_results_do_not_replace_the_mapping() -> None:
    Path("mapping.yml").write_text("defaults: {relation: fair}\n")
    done = call("run", write(RIGHT), "--mapping", "mapping.yml", *DATA, "--json", "mapping.yml")
    assert done.exit_code == 2
    assert "--json cannot write to 'mapping.yml', which is the suite." in done.stderr


def test_convert_writes_a_suite_that_runs_alike() -> None:
    done = call("convert", write(RIGHT, JUDGE), "--relation", "unfair")
    assert done.exit_code == 0
    assert done.stdout == "Wrote fairsql.yml: 1 test.\n"
    assert done.stderr.startswith(f"Not converted: {JUDGE['name']}: answerRelevancy needs a judge")
    assert call("run", "fairsql.yml", *DATA).exit_code == 1


def test_convert_says_what_is_missing() -> None:
    done = call("convert", write(RIGHT), "-o", "-")
    assert done.exit_code == 0
    assert "relation: my_table  # put the name of your table" in done.stdout
    assert done.stderr == "No --relation was given: put the table's name in place of my_table.\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["judged.json"], 4, "No test of judged.json could be converted."),
        (["right.json", "-o", "passed.yml"], 2, "'passed.yml' exists; --force overwrites it."),
        (["right.json", "-o", "right.json", "--force"], 2, "cannot write to 'right.json', which"),
        (["passed.yml"], 2, "passed.yml: is no tests.json, which is a JSON array."),
        (["nowhere.json"], 2, "nowhere.json: no such file."),
    ],
)
def test_what_cannot_be_converted(arguments: list[str], code: int, message: str) -> None:
    write(RIGHT, name="right.json")
    write(JUDGE, name="judged.json")
    before = Path("passed.yml").read_text()
    done = call("convert", *arguments)
    assert done.exit_code == code
    assert message in done.stderr
    assert Path("passed.yml").read_text() == before
    assert not Path("fairsql.yml").exists()


def test_force_overwrites() -> None:
    assert call("convert", write(RIGHT), "-o", "passed.yml", "--force").exit_code == 0
    assert "my_table" in Path("passed.yml").read_text()
