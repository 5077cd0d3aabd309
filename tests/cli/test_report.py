"""`--html` and `fairsql report`: the same page from a run and from its results file."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fairsql
from tests.cli.samples import DATA, call


def test_a_run_writes_a_report_beside_what_it_prints() -> None:
    result = call("run", "failed.yml", "--html", "report.html", "--json", "results.json", *DATA)
    assert result.exit_code == 1
    assert "1 passed · 1 failed" in result.stdout
    page = Path("report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Of 2 tests, 1 failed" in page


def test_a_report_is_made_again_from_the_results() -> None:
    call("run", "both.yml", "--html", "first.html", "--json", "results.json", *DATA)
    result = call("report", "results.json", "-o", "again.html")
    assert (result.exit_code, result.stdout) == (0, "Wrote again.html.\n")
    assert Path("again.html").read_bytes() == Path("first.html").read_bytes()
    fairsql.load_run("results.json").write_html("python.html")
    assert Path("python.html").read_bytes() == Path("first.html").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "no.json", "-o", "f.html"], "no.json: there is no such file."),
        (["report", "fair.csv", "-o", "f.html"], "fair.csv: is not a results file: "),
        (["report", "passed.yml", "-o", "f.html"], "passed.yml: is not a results file: "),
        (["report", "results.json"], "--output"),
        (["report", "results.json", "-o", "."], "cannot write '.': it is a directory."),
        (["report", "results.json", "-o", "no/f.html"], "cannot write 'no/f.html'"),
        (["run", "passed.yml", "--html", "no/f.html", *DATA], "cannot write 'no/f.html'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(folder: Path, arguments: list[str], message: str) -> None:
    call("run", "passed.yml", "--json", "results.json", *DATA)
    before = set(folder.iterdir())
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert set(folder.iterdir()) == before


def test_the_evidence_of_a_run_is_in_its_results() -> None:
    call("run", "passed.yml", "--json", "results.json", *DATA)
    run = fairsql.load_run("results.json")
    assert run.suite == "passed.yml"
    assert set(run.software) == {"fairsql", "python", "numpy", "sqlglot"}
    assert (run.warehouse_version or "").startswith("DuckDB ")
    [test] = run.tests
    assert test.metric is not None
    assert (test.metric.label, test.metric.higher_is_better) == ("rate", True)
    assert all("select *" in (group.rows_sql or "") for group in test.groups)


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_a_run_that_is_killed_leaves_a_whole_report_or_none(folder: Path) -> None:
    random.seed(3)
    command = [sys.executable, "-m", "fairsql", "run", "passed.yml", *DATA]
    finished = 0
    for place in range(8):
        (folder / "report.html").unlink(missing_ok=True)
        with subprocess.Popen(
            [*command, "--html", "report.html", "--json", "results.json"],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(Path(fairsql.__file__).parents[1])},
        ) as process:
            # Towards the end of a run, where it writes; the last one is left to finish.
            if place < 7:
                time.sleep(random.uniform(0.8, 2.4))  # noqa: S311 - no secret
                process.send_signal(signal.SIGKILL)
        if (folder / "report.html").exists():
            assert (folder / "report.html").read_text().rstrip().endswith("</html>")
            finished += 1
        if (folder / "results.json").exists():
            fairsql.load_run("results.json")
    assert finished >= 1


def test_a_history_is_shown_in_the_report() -> None:
    command = ["run", "both.yml", "--history", "h.duckdb", "--html", "first.html", *DATA]
    call(*command)
    assert "This is the first run in the history." in Path("first.html").read_text(encoding="utf-8")
    call(*command, "--json", "results.json")
    assert "2 runs since" in Path("first.html").read_text(encoding="utf-8")
    result = call("report", "results.json", "--history", "h.duckdb", "-o", "again.html")
    assert (result.exit_code, result.stderr) == (0, "")
    assert Path("again.html").read_bytes() == Path("first.html").read_bytes()
