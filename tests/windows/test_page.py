"""What `docs/windows.md` shows is what happens, on a table of calls."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import fairsql
from fairsql.config import build_test
from fairsql.planning import compile_suite
from fairsql.suite import Suite
from fairsql.warehouses import Column
from tests.docs.pages import blocks, run

PAGE = "docs/windows.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The page's suite, and a call an hour in each region for sixteen days before 8 March, 01:00.

    In the last week the south is 600 ms slower and English is refused as often as any.
    """
    suite, _dbt = blocks(PAGE, "yaml")
    (tmp_path / "fairsql.yml").write_text(suite, encoding="utf-8")
    lines = ["called_at,region,language,latency,refused"]
    last = datetime(2024, 3, 8, 1)
    for hour in range(1, 16 * 24):
        at = last - timedelta(hours=hour)
        is_late = at >= datetime(2024, 3, 1)
        lines += [
            f"{at},{region},{language},{100 + (600 if is_late and region == 's' else 0)},"
            f"{str(hour % 4 == 0 or (not is_late and language == 'en')).lower()}"
            for region in "nnns"
            for language in ("en", "nl")
        ]
    (tmp_path / "calls.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_the_suite_of_the_page_runs_as_of_a_moment(folder: Path) -> None:
    command, _ = [block for block in blocks(PAGE) if block.startswith("fairsql run ")]
    done = run("-m", *command.split(), "--json", "-", folder=folder)
    assert done.returncode == 0, done.stderr
    latency, refusals = json.loads(done.stdout)["tests"]
    assert latency["window"] == {
        "start": "2024-03-01T00:00:00Z",
        "end": "2024-03-08T00:00:00Z",
        "timestamp_column": "called_at",
    }
    assert latency["rows"]["total"] == refusals["rows"]["total"] == 7 * 24 * 8
    slow = {group["key"]["region"]: group["value"] for group in latency["groups"]}
    assert slow == {"n": 100, "s": 700}
    # Two weeks before, another test would have failed: English was always refused.
    earlier = command.replace("2024-03-08T01:00", "2024-02-29T01:00").split()
    told = json.loads(run("-m", *earlier, "--json", "-", folder=folder).stdout)
    assert [test["status"] for test in told["tests"]] == ["passed", "failed"]


def test_the_backfill_of_the_page_runs(folder: Path) -> None:
    _, command = [block for block in blocks(PAGE) if block.startswith("fairsql run ")]
    done = run("-m", *command.split(), folder=folder)
    assert done.returncode == 1, done.stderr  # English was always refused in February
    assert "(until 2024-02-29T00:00:00Z)" in done.stdout
    assert "2 scans" not in done.stdout
    past = fairsql.read_history(folder / "history.duckdb")
    ends = {one.started_at for one in past}
    assert ends == {"2024-02-29T00:00:00Z", "2024-03-07T00:00:00Z"}
    assert "the backfill leaves out 2024-03-07 00:00:00 to 2024-03-08 00:00:00" in done.stdout


@pytest.mark.parametrize("command", ["run", "plan", "compile"])
def test_a_wrong_moment_is_a_wrong_use(folder: Path, command: str) -> None:
    target = ["--dialect", "duckdb"] if command == "compile" else ["--data", "calls=calls.csv"]
    done = run("-m", "fairsql", command, "fairsql.yml", *target, "--as-of", "noon", folder=folder)
    assert done.returncode == 2
    assert "as_of: must be a time in ISO 8601, such as 2024-03-01" in done.stderr


@pytest.mark.parametrize("command", ["plan", "compile"])
def test_a_statement_is_seen_as_of_a_moment(folder: Path, command: str) -> None:
    target = ["--dialect", "duckdb"] if command == "compile" else ["--data", "calls=calls.csv"]
    done = run("-m", "fairsql", command, "fairsql.yml", *target, "--as-of", "2024-03-08T01:00",
               folder=folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2024-03-01 00:00:00" in done.stdout


def test_the_python_of_the_page_runs(folder: Path) -> None:
    (program,) = blocks(PAGE, "python")
    done = run("-c", program, folder=folder)
    assert done.stdout == blocks(PAGE, "text")[0], done.stderr


def test_the_sql_of_the_page_is_what_bigquery_gets() -> None:
    class Described:
        dialect, name = "bigquery", "bigquery"

        def fold(self, name: str) -> str:
            return name.lower()

        def describe(self, _relation: str, _where: str | None = None, /) -> tuple[Column, ...]:
            kinds = {"called_at": "timestamptz", "region": "text", "latency": "float"}
            return tuple(Column(name, kind, kind) for name, kind in kinds.items())

        def bytes_read(self, _sql: str, /) -> None:
            return None

    suite, _dbt = blocks(PAGE, "yaml")
    content = YAML(typ="safe").load(suite)
    test = build_test(**content["defaults"], **content["tests"][0])
    plan = Suite((test,)).plan(Described(), as_of="2024-03-08T01:00")
    assert blocks(PAGE, "sql")[0] in plan.sql


def test_the_arguments_of_the_page_are_those_of_the_suite() -> None:
    suite, dbt = map(YAML(typ="safe").load, blocks(PAGE, "yaml"))
    (test,) = dbt["models"][0]["data_tests"]
    given = test["fairsql.group_metric_parity"]["arguments"]
    written = {**suite["defaults"], **suite["tests"][0]}
    assert {name: written[name] for name in given} == given
    assert compile_suite(Suite((build_test(relation="calls", **given),)), "postgres")
