"""`fairsql run`: exit codes, messages, and what goes to which stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.samples import DATA, ROOT, call, outside, rows, suite_of


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["passed.yml"], 0),
        (["failed.yml"], 1),
        (["wrong.yml"], 2),
        (["skipped.yml"], 3),
        (["skipped.yml", "--allow-skips"], 0),
        (["both.yml"], 1),  # a failure is worse than a skip
        (["both.yml", "--allow-skips"], 1),
        (["error.yml"], 4),  # an error is worse than both
        (["error.yml", "--allow-skips"], 4),
        (["error.yml", "--select", "approvals by sex 2"], 3),
        (["error.yml", "--select", "approvals by sex"], 1),
        (["failed.yml", "--select", "no such test"], 2),
        (["missing.yml"], 2),
        (["passed.yml", "--no-such-option"], 2),
    ],
)
def test_the_exit_code_says_how_it_went(arguments: list[str], code: int) -> None:
    assert call("run", *arguments, *DATA).exit_code == code


def test_a_process_ends_with_the_same_code() -> None:
    assert outside("run", "failed.yml", *DATA).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["run", "passed.yml"], 2, "Give --connection URL"),
        (["run", "passed.yml", "--data", "fair.csv"], 2, "such as fair=fair.csv"),
        (["run", "passed.yml", "--data", "=fair.csv"], 2, "such as fair=fair.csv"),
        (["run", "passed.yml", "--data", "fair="], 2, "such as loans=loans.csv"),
        (["run", "passed.yml", *DATA, *DATA], 2, "names 'fair' twice"),
        (["run", "passed.yml", "--connection", "sqlite://x"], 2, "must be duckdb:///file.duckdb"),
        (["run", "passed.yml", "--connection", "duckdb:///no.duckdb"], 4, "no DuckDB file"),
        (["run", "passed.yml", "--data", "fair=no.csv"], 4, "no.csv"),
        (["run", "passe.yml", *DATA], 2, "Did you mean 'passed.yml'?"),
        (["rnu", "passed.yml"], 2, "There is no command 'rnu'. Did you mean 'run'?"),
        (["compile", "passed.yml"], 2, "--dialect"),
        (["compile", "passed.yml", "--dialect", "duckbd"], 2, "Did you mean 'duckdb'?"),
        (["plan", "passed.yml", "--connection", "duckdb:///no.duckdb"], 4, "no DuckDB file"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(arguments: list[str], code: int, message: str) -> None:
    result = call(*arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stdout == ""


def test_every_fault_of_a_suite_is_told_at_once() -> None:
    Path("wrong.yml").write_text(suite_of("fair", "fair").replace("[sex]", "sex"))
    result = call("run", "wrong.yml", *DATA)
    assert result.exit_code == 2
    assert result.stderr.count("protected_attribute_columns") == 2


# --- where the warehouse is ------------------------------------------------------------------


def test_the_environment_names_the_warehouse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSQL_CONNECTION", "duckdb:///absent.duckdb")
    assert "absent.duckdb" in call("run", "passed.yml").stderr
    # What the command says counts for more.
    assert (
        "other.duckdb" in call("run", "passed.yml", "--connection", "duckdb:///other.duckdb").stderr
    )
    assert call("run", "passed.yml", *DATA).exit_code == 0


# --- what is written -------------------------------------------------------------------------


def test_the_table_shows_every_test_and_the_groups_that_failed() -> None:
    result = call("run", "both.yml", *DATA)
    lines = [line.split() for line in result.stdout.splitlines()]
    assert " ".join(lines[0]) == (
        "✗ failed approvals by sex failing_group_count 1, wants <= 0 2 groups"
    )
    assert lines[1][:2] == ["–", "skipped"]
    failing = next(line for line in lines if line[:1] == ["F"])
    # 23/80, and its ratio to 30/80; the p-value is not this test's matter
    assert failing[:5] == ["F", "80", "0.2875", "0.7667", "0.08750"]
    assert lines[-1][:6] == ["1", "failed", "·", "1", "skipped", "·"]


def test_only_a_skip_is_explained_on_stderr() -> None:
    assert "--allow-skips" in call("run", "skipped.yml", *DATA).stderr
    assert call("run", "skipped.yml", "--allow-skips", *DATA).stderr == ""
    assert call("run", "failed.yml", *DATA).stderr == ""


def test_verbose_lists_the_groups_of_passed_tests() -> None:
    assert "too few rows" not in call("run", "passed.yml", *DATA).stdout
    assert "0.3000" in call("run", "passed.yml", "-v", *DATA).stdout


def test_json_on_stdout_is_nothing_but_the_results() -> None:
    result = call("run", "both.yml", "--json", "-", *DATA)
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found["summary"] == {"passed": 0, "failed": 1, "skipped": 1, "error": 0, "scans": 2}
    (failing, _) = found["tests"][0]["groups"]
    assert failing["key"] == {"sex": "F"}
    assert failing["value"] == pytest.approx(23 / 80, rel=1e-15)  # every digit


def test_json_in_a_file_stands_beside_the_table() -> None:
    result = call("run", "failed.yml", "--json", "out.json", *DATA)
    assert "1 passed · 1 failed" in result.stdout
    assert [t["status"] for t in json.loads(Path("out.json").read_text())["tests"]] == [
        "passed",
        "failed",
    ]


def test_json_is_utf_8_whatever_the_terminal_is(folder: Path) -> None:
    (folder / "fair.csv").write_text(rows(24, 30).replace("F,", "жінка,"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "fairsql", "run", "passed.yml", "--json", "-", *DATA],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252"},
        capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout.decode("utf-8"))
    assert {group["key"]["sex"] for group in found["tests"][0]["groups"]} == {"жінка", "M"}


def test_a_terminal_that_lacks_the_signs_gets_words(folder: Path) -> None:
    (folder / "unfair.csv").write_text(rows(23, 30).replace("F,", "жінка,"), encoding="utf-8")
    done = outside("run", "failed.yml", *DATA, env={"PYTHONIOENCODING": "cp1252"})
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stdout.splitlines()[:2]] == ["PASS", "FAIL"]
    assert r"\u0436" in done.stdout


@pytest.mark.parametrize(
    ("settings", "colored"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_color_is_for_terminals_that_want_it(
    settings: dict[str, str], colored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    result = call("run", "failed.yml", *DATA, color=True)
    assert ("\x1b[31m" in result.stdout) == colored
    assert ("\x1b" in result.stdout) == colored


def test_a_reader_that_has_gone_away_changes_nothing() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "fairsql", "run", "failed.yml", *DATA],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    process.stdout.close()
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (1, b"")
