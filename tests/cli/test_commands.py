"""The other commands: compile, plan, schema, debug and demo."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import fairsql
from fairsql.version import __version__
from tests.cli.samples import DATA, ROOT, call, suite_of

if TYPE_CHECKING:
    import pytest


def test_help_and_version_load_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from fairsql.cli import main\n"
        "for argument in ('--help', '--version'):\n"
        "    try: main([argument])\n"
        "    except SystemExit as end: assert not end.code\n"
        "heavy = {'rich', 'duckdb', 'pydantic', 'sqlglot', 'scipy', 'numpy', 'jinja2', 'ruamel'}\n"
        "print(heavy & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-2:] == [f"fairsql {__version__}", "set()"]


def test_help_keeps_its_lines() -> None:
    lines = call("--help", env={"COLUMNS": "80"}).stdout.splitlines()
    assert "  New here?      fairsql demo" in lines
    assert "  Then           fairsql run fairsql.yml --data loans=loans.csv" in lines
    assert "  3  at least one test was skipped (0 with --allow-skips)" in [
        line[2:] for line in call("run", "--help").stdout.splitlines()
    ]


def test_compile_prints_sql_and_needs_no_table() -> None:
    result = call("compile", "error.yml", "--dialect", "duckdb")
    assert result.exit_code == 0
    assert result.stdout.count(";\n") == 3
    assert '"nowhere"' in result.stdout


def test_plan_says_what_is_scanned_for_which_test() -> None:
    Path("two.yml").write_text(suite_of("fair", "fair", "small"))
    result = call("plan", "two.yml", *DATA)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["2", "scans", "for", "3", "tests"]
    assert ["relation", '"fair"'] in lines
    assert lines.count(["columns", "sex,", "approved"]) == 2
    assert lines.index(["approvals", "by", "sex", "1"]) < lines.index(["scan", "2"])


def test_plan_prints_the_statements_that_would_run() -> None:
    ran = json.loads(call("run", "passed.yml", "--json", "-", *DATA).stdout)["tests"][0]["sql"]
    scan = ran[0].rstrip() + ";\n"
    assert call("plan", "passed.yml", "--sql", "--no-look", *DATA).stdout == scan
    look, printed = call("plan", "passed.yml", "--sql", *DATA).stdout.split(";\n\n")
    assert printed == scan
    assert "limit 100000" in look


def test_plan_shows_tests_that_no_scan_can_serve() -> None:
    result = call("plan", "error.yml", *DATA)
    assert result.exit_code == 4
    assert "without a scan" in result.stdout
    assert "nowhere" in result.stdout


def test_schema_prints_the_schema() -> None:
    schema = json.loads(call("schema").stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_debug_says_what_works() -> None:
    result = call("debug", *DATA)
    assert result.exit_code == 0
    facts = dict(line.split(maxsplit=1) for line in result.stdout.splitlines() if line)
    assert facts["fairsql"] == __version__
    assert facts["relations"] == "3: fair, small, unfair"
    assert facts["statement"] == "select 1 gives 1"
    assert facts["test"].startswith("passed")


def test_debug_says_what_does_not_work() -> None:
    result = call("debug", "--connection", "duckdb:///no.duckdb")
    assert result.exit_code == 4
    assert "there is no DuckDB file 'no.duckdb'" in result.stdout


# --- demo ------------------------------------------------------------------------------------


def test_the_demo_works_and_so_does_every_command_it_names(folder: Path) -> None:
    (folder / "loans.csv").write_text((folder / "fair.csv").read_text())
    result = call("demo", "my demo")
    assert result.exit_code == 0
    assert "5 passed · 4 failed · 1 skipped" in result.stdout
    written = json.loads((folder / "my demo" / "results.json").read_text())
    assert written["summary"]["failed"] == 4

    commands = [
        line.strip() for line in result.stdout.splitlines() if line.startswith("  fairsql ")
    ]
    (change,) = [line.strip() for line in result.stdout.splitlines() if line.startswith("  sed ")]
    if os.name != "nt":
        subprocess.run(change, shell=True, check=True)  # noqa: S602 - our own line
        codes = [call(*shlex.split(command)[1:]).exit_code for command in commands]
        # every test again; the stricter one fails; the SQL; the user's own suite
        assert codes == [1, 1, 0, 0]


def test_commands_are_named_as_a_shell_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/fairsql", "init"])
    monkeypatch.setenv("PATH", "")
    assert ".venv/bin/fairsql run fairsql.yml --data fair=fair.csv" in init_of_fair()
    Path("fairsql").write_text("#!/bin/sh\n")
    Path("fairsql").chmod(0o755)
    monkeypatch.setenv("PATH", str(Path.cwd()))
    if os.name != "nt":
        assert "  fairsql run fairsql.yml --data fair=fair.csv" in init_of_fair()


def init_of_fair() -> str:
    return call("init", "--force", "--data", "fair=fair.csv").stdout


def test_the_demo_leaves_files_alone_that_are_not_its_own(folder: Path) -> None:
    assert call("demo", "here").exit_code == 0
    assert call("demo", "here").exit_code == 0  # what it wrote itself may stay
    suite = folder / "here" / "suite.yml"
    suite.write_text("mine")
    (folder / "here" / "demo.duckdb").write_text("mine too")
    (folder / "here" / "results.json").write_text('{"mine": 3}')
    result = call("demo", "here")
    assert result.exit_code == 2
    assert "suite.yml, demo.duckdb, results.json" in result.stderr
    assert suite.read_text() == "mine"
    assert call("demo", "here", "--force").exit_code == 0
    assert suite.read_text() != "mine"


def test_the_demo_says_when_it_cannot_write() -> None:
    result = call("demo", "fair.csv")
    assert result.exit_code == 2
    assert "cannot write 'fair.csv'" in result.stderr


def test_the_demo_is_an_error_only_if_a_test_is(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = fairsql.load_suite("error.yml")
    monkeypatch.setattr(fairsql, "load_suite", lambda _: suite)
    assert call("demo").exit_code == 4


# --- the function behind a command -----------------------------------------------------------


def test_compile_is_a_function_though_a_package_has_its_name() -> None:
    suite = fairsql.load_suite("passed.yml")  # this imports the package fairsql.compile
    assert fairsql.compile(suite, dialect="duckdb").startswith("-- fairsql")
