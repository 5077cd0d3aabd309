"""The verdict in SQL, run by dbt, against the Python path, on generated tables and tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from tests.dbt.generated import (
    HOSTILE,
    UNRUNNABLE,
    models,
    python_results,
    shared_models,
    shared_scan,
    shared_yaml,
    source_yaml,
)
from tests.dbt.project import Outcome, Project
from tests.dbt.rows import failure_differences, result_differences
from tests.generator import Case, cases, load

if TYPE_CHECKING:
    from tests.dbt.warehouses import Warehouse

COUNT = int(os.environ.get("FAIRSQL_DBT_CASES", "24"))
SEED = int(os.environ.get("FAIRSQL_DBT_SEED", "2026"))
SHARED_EVERY = 6  # every sixth case is also read from a model of statistics, with its siblings
STATUS = {"passed": "pass", "failed": "fail", "skipped": "warn"}
FAILURES = {"passed": 0, "skipped": -1}

Results = dict[str, tuple[dict[str, Any], dict[str, Any]]]


def prepared() -> tuple[list[tuple[str, Case]], dict[str, dict[str, Any]], Results]:
    """Return tables, tests that share a scan by table, and the Python path's results by name.

    The second of two results hides no group's numbers: the verdict rests on those too.
    """
    tables: list[tuple[str, Case]] = []
    shared: dict[str, dict[str, Any]] = {}
    results: Results = {}
    with duckdb.connect() as connection:
        for number, case in enumerate([HOSTILE, *cases(SEED, COUNT)]):
            table = f"t_{number}"
            load(connection, case, table)
            scan = {table: case.test}
            if number % SHARED_EVERY == 0:
                scan |= shared_scan(table, case)
            found = python_results(connection, table, list(scan.values()))
            shown = [{**test, "min_reported_rows": 1} for test in scan.values()]
            complete = python_results(connection, table, shown)
            if any(result["reason"] in UNRUNNABLE for result in found):
                continue
            tables.append((table, case))
            results |= dict(zip(scan, zip(found, complete, strict=True), strict=True))
            if len(scan) > 1:
                shared[table] = {name: test for name, test in scan.items() if name != table}
    return tables, shared, results


def check(
    name: str,
    result: dict[str, Any],
    complete: dict[str, Any],
    outcome: Outcome,
    groups: Sequence[dict[str, Any]],
    failures: Sequence[dict[str, Any]],
) -> list[str]:
    """Return what differs for one case."""
    if outcome.status != STATUS[result["status"]]:
        return [f"{name}: dbt says {outcome}, but Python has {result['status']}"]
    found = list(result_differences(groups, result))
    if len(result["groups"]) == result["groups_total"]:  # the result holds every group
        found += failure_differences(failures, complete)
    if outcome.failures != FAILURES.get(result["status"], len(failures)):
        found.append(f"dbt counts {outcome.failures} failures")
    return [f"{name} {result['name']}: {line}" for line in found]


def test_dbt_gives_the_verdict_of_the_python_path(warehouse: Warehouse, tmp_path: Path) -> None:
    tables, shared, results = prepared()
    warehouse.load(tables)
    files = {"models/sources.yml": source_yaml(warehouse.schema, tables), **dict(models(tables))}
    files["models/statistics.yml"] = shared_yaml(shared)
    for table, tests in shared.items():
        files |= dict(shared_models(table, tests))
    project = Project.create(tmp_path / "project", warehouse.output, files)
    project.done("run")
    printed = project.dbt("test").stdout
    outcomes = project.outcomes()
    groups = warehouse.rows([f"{warehouse.schema}.groups_of_{name}" for name in results])
    audited = f"{warehouse.schema}_dbt_test__audit"
    failures = warehouse.rows([f"{audited}.check_{name}" for name in results])
    differing = []
    for name, found, stored in zip(results, groups, failures, strict=True):
        differing += check(name, *results[name], outcomes[f"check_{name}"], found, stored)
    assert not differing, "\n".join([*differing[:20], printed[-2000:]])
