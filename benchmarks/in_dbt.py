"""dbt: a test's own statement beside that of Python, and a project's fifty tests in one scan."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
from ruamel.yaml import YAML

import fairsql
from benchmarks import by_hand, checking, measuring
from benchmarks.measuring import Program
from benchmarks.scans import running
from benchmarks.sections import Section, Target, ratio
from benchmarks.setting import Setting, suite
from tests.dbt.project import Project

_DBT = "from dbt.cli.main import cli; cli()"
_OF_PARITY = {"type": "group_metric_parity"}
_LABELS = {"ground_truth_column": "truth", "positive_values": ["1"]}
# With a ratio of 1 every group but the best fails, so that the test's rows show every value.
_STRICT = {"protected_attribute_columns": ["region"], "min_ratio": 1, "relation": "sample"}
_ALONE: Mapping[str, Mapping[str, Any]] = {
    "npv": {**_LABELS, "prediction_column": "prediction"},
    "log_loss": {**_LABELS, "probability_column": "score"},
    "mean": {"value_column": "amount", "higher_is_better": True},
    "auc": {**_LABELS, "score_column": "score"},
    "p95": {"value_column": "amount", "higher_is_better": True},
}


def dbt(setting: Setting) -> Section:
    """Measure what dbt sends beside what Python sends, and `fairsql dbt` beside `dbt test`."""
    rows = setting.size(10_000_000)
    path = setting.people(rows)
    with tempfile.TemporaryDirectory(prefix="fairsql-dbt-") as folder:
        project = _project(setting, Path(folder), path)
        # Here, and not by `dbt run`, which takes seconds and is not what is measured.
        with duckdb.connect(str(project.root / "shop.duckdb")) as connection:
            connection.execute(f"create table sample as select * from '{path}'")
        empty = Path(folder) / "empty" / "shop.duckdb"  # of the same name, which statements have
        empty.parent.mkdir()
        with duckdb.connect(str(empty)) as connection:
            connection.execute(f"create table sample as select * from '{path}' limit 0")
        project.done("compile", "--select", "tag:alone")
        pairs, checked = _statements(setting, project)
        planned = _planned(setting, project, empty)
        costs, scans, compared = _commands(setting, project)
    table: list[list[str | float | None]] = []
    for metric, (in_dbt, in_python) in pairs.items():
        table.append([f"{metric}: the dbt test's statement", rows, in_dbt, None])
        table.append([f"{metric}: Python's statement", rows, in_python, None])
    for metric, (in_dbt, in_python) in planned.items():
        table.append([f"{metric}: the dbt test's statement", 0, in_dbt, None])
        table.append([f"{metric}: Python's statement", 0, in_python, None])
    table += [[name, rows, None, cost.seconds] for name, cost in costs.items()]
    return Section(
        "dbt",
        {"what": "text", "rows": "count", "statement": "s", "whole process": "s"},
        table,
        [
            Target(f"{metric}: dbt's statement / Python's", in_dbt / in_python, 1.3, "×")
            for metric, (in_dbt, in_python) in pairs.items()
        ]
        + [
            Target(
                f"{metric}: the same, less what no rows take",
                ratio(pairs[metric][0] - planned[metric][0], pairs[metric][1] - planned[metric][1]),
                None,
                "×",
            )
            for metric in pairs
        ]
        + [Target("fairsql dbt: scans of fifty tests of a model", scans, 1, "count")],
        checked + compared,
        notes=("`dbt test` runs a statement for each test; `fairsql dbt` one for all of them.",),
    )


def _project(setting: Setting, folder: Path, path: Path) -> Project:
    """Write a project of one model that has each test of the suite, and some on their own."""
    fifty = YAML(typ="safe").load(suite("sums"))["tests"]
    tests = [
        _as_dbt(test, f"fifty_{place}", "fifty")
        for place, test in enumerate(fifty[:: 10 if setting.quick else 1])
    ]
    tests += [
        _as_dbt(
            {**_OF_PARITY, "parity_metric": metric, **_STRICT, **fields},
            f"alone_{metric}",
            "alone",
        )
        for metric, fields in _ALONE.items()
    ]
    schema = {"version": 2, "models": [{"name": "sample", "data_tests": tests}]}
    model = f"{{{{ config(materialized='table') }}}} select * from '{path}'"
    files = {"models/schema.yml": json.dumps(schema), "models/sample.sql": model}
    output = {"type": "duckdb", "path": str(folder / "shop.duckdb"), "threads": 2}
    return Project.create(folder, output, files)


def _alone(path: Path, metric: str, fields: Mapping[str, Any]) -> fairsql.Suite:
    """Return the suite of one strict test."""
    test = {"name": metric, **_OF_PARITY, "parity_metric": metric, **_STRICT, **fields}
    path.write_text(json.dumps({"version": 1, "tests": [test]}), encoding="utf-8")
    return fairsql.load_suite(path)


def _as_dbt(test: Mapping[str, Any], name: str, tag: str) -> dict[str, Any]:
    arguments = {k: v for k, v in test.items() if k not in ("name", "type", "relation")}
    entry = {"name": name, "arguments": arguments, "config": {"tags": [tag]}}
    return {f"fairsql.{test['type']}": entry}


def _statements(setting: Setting, project: Project) -> tuple[dict[str, tuple[float, float]], int]:
    """Return each metric's seconds in dbt and in Python, and how many numbers of theirs agree."""
    pairs, checked = {}, 0
    with duckdb.connect(str(project.root / "shop.duckdb"), read_only=True) as connection:
        for metric, alone, queries in _alone_in(project, connection):
            pairs[metric] = _seconds(connection, queries, setting.repeats(3))
            failed = {
                (metric, ("region",), (row["key_1"],)): row["value"]
                for row in by_hand.rows(connection, queries["dbt"])
            }
            results = checking.values(alone.run(connection).to_dict())
            checked += checking.same(f"dbt, {metric}", failed, results)
            if len(failed) != len(results) - 1:
                raise checking.WrongNumberError(
                    f"dbt, {metric}: {len(failed)} groups of {len(results)}"
                )
    return pairs, checked


def _planned(setting: Setting, project: Project, empty: Path) -> dict[str, tuple[float, float]]:
    """Return each metric's seconds in dbt and in Python where the table has no rows."""
    with duckdb.connect(str(empty), read_only=True) as connection:
        return {
            metric: _seconds(connection, queries, setting.repeats(5))
            for metric, _, queries in _alone_in(project, connection)
        }


def _alone_in(
    project: Project, connection: Any
) -> Iterator[tuple[str, fairsql.Suite, dict[str, str]]]:
    """Yield each strict test: its metric, its suite, and its SQL as dbt and as Python send it."""
    connection.execute("set enable_progress_bar = false")
    compiled = project.root / "target" / "compiled" / "shop" / "models" / "schema.yml"
    for metric, fields in _ALONE.items():
        alone = _alone(project.root / "alone.json", metric, fields)
        (in_python,) = alone.plan(connection).statements
        in_dbt = (compiled / f"alone_{metric}.sql").read_text(encoding="utf-8")
        yield metric, alone, {"dbt": in_dbt, "python": in_python.sql}


def _seconds(connection: Any, queries: Mapping[str, str], repeats: int) -> tuple[float, float]:
    seconds = measuring.calls(running(connection, queries), repeats=repeats)
    return seconds["dbt"], seconds["python"]


def _commands(setting: Setting, project: Project) -> tuple[dict[str, measuring.Cost], int, int]:
    """Return what both commands cost, how often ours scanned, and how many numbers are right."""
    results = setting.results("dbt")
    place = ["--project-dir", str(project.root), "--profiles-dir", str(project.root)]
    choice = ["--select", "tag:fifty"]
    ours = [sys.executable, "-m", "fairsql", "dbt", *place, *choice, "--json", str(results)]
    theirs = [sys.executable, "-c", _DBT, "test", *place, *choice]
    programs = {
        "fairsql dbt, 50 tests": Program(ours, (0, 1, 3)),
        "dbt test, 50 tests": Program(theirs, (0, 1)),
    }
    costs = measuring.processes(programs, repeats=1)
    wrong = [name for name, one in project.outcomes().items() if one.status == "error"]
    if wrong:
        raise checking.WrongNumberError(f"dbt test ended with an error in {', '.join(wrong)}")
    found = checking.read(results)
    with duckdb.connect(str(project.root / "shop.duckdb"), read_only=True) as connection:
        numbers = by_hand.metrics(by_hand.rows(connection, by_hand.sums(by_sets=True)))
    checked = checking.same("fairsql dbt", checking.values(found), numbers)
    return costs, found["summary"]["scans"], checked
