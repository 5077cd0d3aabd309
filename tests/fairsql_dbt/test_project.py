"""`fairsql dbt` on a project of dbt's, against `fairsql run` and `dbt test`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from fairsql.dbt import Dbt
from tests.cli.samples import call
from tests.fairsql_dbt import shop

if TYPE_CHECKING:
    from tests.fairsql_dbt.conftest import Built

pytestmark = pytest.mark.xdist_group("fairsql-dbt")

STATUS = {"pass": "passed", "fail": "failed", "warn": "skipped"}
ONLY_DBT = "shared_scan"  # it reads a model of statistics
# What depends on where the rows are, and how long they take to read.
PLACE = ("relation", "sql", "elapsed_seconds")


@pytest.fixture
def in_project(built: Built, monkeypatch: pytest.MonkeyPatch) -> Built:
    monkeypatch.chdir(built.project.root)
    return built


def ask(*arguments: str) -> tuple[int, dict[str, Any]]:
    result = call("dbt", *arguments, "--json", "-")
    return result.exit_code, json.loads(result.stdout)


def by_name(results: dict[str, Any], *left_out: str) -> dict[str, Any]:
    tests = [{key: v for key, v in test.items() if key not in PLACE} for test in results["tests"]]
    for test in tests:
        groups = test["groups"]
        test["groups"] = [{key: v for key, v in one.items() if key != "rows_sql"} for one in groups]
    return {test["name"]: test for test in tests if test["name"] not in left_out}


def expected(root: Path) -> dict[str, Any]:
    """Return the results of `fairsql run` on the same tests as a suite."""
    file = root / "suite.json"
    file.write_text(json.dumps(shop.suite()), encoding="utf-8")
    result = call("run", str(file), "--connection", f"duckdb:///{root}/shop.duckdb", "--json", "-")
    return dict(json.loads(result.stdout))


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch, in_project: Built) -> Any:
    """Select tests by name, which here needs no dbt."""

    ask()  # the manifest may be for another target

    def select(*names: str) -> None:
        manifest = json.loads((in_project.project.root / "target" / "manifest.json").read_text())
        ids = {key for key, node in manifest["nodes"].items() if node["name"] in names}
        monkeypatch.setattr(Dbt, "selected_tests", lambda *_: ids)

    return select


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let dbt do nothing, and return the list of what it is asked."""
    asked: list[str] = []

    def run(_: Dbt, *arguments: str) -> str:
        asked.append(arguments[0])
        return ""

    monkeypatch.setattr(Dbt, "_run", run)
    return asked


# --- results ---------------------------------------------------------------------------------


def test_results_are_those_of_a_suite_and_of_dbt(in_project: Built) -> None:
    code, found = ask()
    assert code == 4
    suite = expected(in_project.project.root)
    ours = by_name(found, ONLY_DBT)
    assert ours == by_name(suite)
    # dbt shows a failure of severity warn as a warning.
    in_dbt = {name: outcome.status for name, outcome in in_project.outcomes.items()}
    told = {name: test["status"] for name, test in ours.items()}
    assert told.pop("of_column") == "failed"
    assert told == {name: STATUS[in_dbt[name]] for name in told}
    # One scan for the model, and one for its filter; seed and source are one table.
    assert found["summary"] == {"passed": 5, "failed": 7, "skipped": 1, "error": 1, "scans": 6}
    assert found["suite"] == str(in_project.project.root / "dbt_project.yml")


@pytest.mark.usefixtures("in_project")
def test_a_test_of_statistics_is_an_error_by_name() -> None:
    _, found = ask()
    (test,) = [test for test in found["tests"] if test["name"] == ONLY_DBT]
    assert test["status"] == "error"
    assert "only `dbt test`" in test["message"]
    assert test["parameters"]["statistics_of"] == "shared"


@pytest.mark.usefixtures("live")
def test_postgres_gives_the_same_results(in_project: Built) -> None:
    # Ephemeral models are left out, as dbt would have to connect to compile them.
    code, found = ask("--target", "live", "--exclude", "half", "quarter", ONLY_DBT)
    assert code == 1
    assert found["warehouse"]["dialect"] == "postgres"
    suite = by_name(expected(in_project.project.root), "of_ephemeral", "of_ephemeral_filtered")
    ours = by_name(found)
    assert ours.keys() == suite.keys()
    for name, test in ours.items():
        assert test["status"] == suite[name]["status"]
        for measurement, value in suite[name]["measurements"].items():
            near = None if value is None else pytest.approx(value, rel=1e-12)
            assert test["measurements"][measurement] == near


@pytest.mark.parametrize(
    ("names", "arguments", "code"),
    [
        (["model_passes"], [], 0),
        (["model_passes", "model_skipped"], [], 3),
        (["model_passes", "model_skipped"], ["--allow-skips"], 0),
        (["model_fails", "model_skipped"], [], 1),
        (["model_fails", ONLY_DBT], [], 4),
        ([], [], 2),
    ],
)
def test_the_exit_code_says_how_it_went(
    only: Any, names: list[str], arguments: list[str], code: int
) -> None:
    only(*names)
    result = call("dbt", "--select", "whatever", *arguments)
    assert result.exit_code == code
    assert all(name in result.stdout for name in names)
    assert ("no fairsql test is selected" in result.stderr) == (code == 2)


# --- what dbt is asked -----------------------------------------------------------------------


@pytest.mark.usefixtures("in_project")
def test_dbt_answers_what_is_selected() -> None:
    code, found = ask("--select", "tag:fair", "of_seed", "--exclude", "model_mean")
    assert code == 1
    assert list(by_name(found)) == ["model_passes", "of_seed"]


@pytest.mark.usefixtures("in_project")
def test_a_manifest_that_is_true_is_read_without_dbt() -> None:
    ask()
    result = call("dbt", env={"PATH": ""})
    assert result.exit_code == 4
    assert "dbt" not in result.stderr


def test_a_file_that_changed_makes_dbt_parse(
    in_project: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = recorded(monkeypatch)
    schema = in_project.project.root / "models" / "schema.yml"
    before = schema.stat()
    manifest = (in_project.project.root / "target" / "manifest.json").stat()
    os.utime(schema, (manifest.st_mtime + 1, manifest.st_mtime + 1))
    try:
        call("dbt")
    finally:
        os.utime(schema, (before.st_atime, before.st_mtime))
    assert asked[:1] == ["parse"]
    asked.clear()
    call("dbt")
    assert "parse" not in asked


@pytest.mark.usefixtures("in_project", "live")
def test_a_manifest_for_another_target_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    ask()
    asked = recorded(monkeypatch)
    call("dbt", "--target", "live")
    assert asked[:1] == ["parse"]


def test_what_dbt_refuses_is_told_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = shop.create(tmp_path / "wrong", {"dev": {"type": "duckdb", "path": "no.duckdb"}})
    schema = project.root / "models" / "schema.yml"
    schema.write_text(schema.read_text().replace('"min_ratio": 0.5', '"min_ratio": 5'))
    result = call("dbt", "--project-dir", str(project.root))
    assert result.exit_code == 2
    assert "Compilation Error in test model_passes (models/schema.yml)" in result.stderr
    assert "min_ratio must be" in result.stderr
    assert "called by" not in result.stderr
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    assert "there is no dbt beside" in call("dbt", "--project-dir", str(project.root)).stderr


# --- a profile for other commands ------------------------------------------------------------


def test_run_takes_a_profile(in_project: Built) -> None:
    root = in_project.project.root
    expected(root)
    found = call("run", "suite.json", "--target", "dev", "--json", "-")
    assert json.loads(found.stdout)["summary"]["failed"] == 7
    planned = call("plan", "suite.json", "--profile", "shop")
    assert planned.exit_code == 0
    assert planned.stdout.startswith("6 scans for 13 tests")
    both = call("run", "suite.json", "--target", "dev", "--connection", "duckdb://")
    assert both.exit_code == 2
    assert "neither --connection nor --data" in both.stderr


@pytest.mark.usefixtures("in_project")
def test_the_data_is_opened_for_reading_alone() -> None:
    from fairsql.dbt import open_target

    warehouse = open_target()
    with pytest.raises(fairsql.WarehouseError, match="read-only"):
        warehouse.run("create table mine (x integer)")
    warehouse.close()
