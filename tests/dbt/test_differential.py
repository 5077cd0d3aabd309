"""The verdict in SQL, run by dbt, against the Python path, on generated tables and tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.dbt.generated import UNRUNNABLE, models, python_result, source_yaml
from tests.dbt.project import Outcome, Project
from tests.dbt.rows import failure_differences, result_differences
from tests.generator import Case, cases, load

COUNT = int(os.environ.get("FAIRSQL_DBT_CASES", "60"))
SEED = int(os.environ.get("FAIRSQL_DBT_SEED", "2026"))
STATUS = {"passed": "pass", "failed": "fail", "skipped": "warn"}
FAILURES = {"passed": 0, "skipped": -1}


def generated(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, Case, dict[str, Any]]]:
    """Load the cases; return each table's name, case and result, without those dbt cannot run."""
    found = []
    for number, case in enumerate(cases(SEED, COUNT)):
        table = f"t_{number}"
        load(connection, case, table)
        result = python_result(connection, case, table)
        if result["reason"] not in UNRUNNABLE:
            found.append((table, case, result))
    return found


def check(
    table: str,
    result: dict[str, Any],
    outcome: Outcome,
    groups: Sequence[dict[str, Any]],
    failures: Sequence[dict[str, Any]],
) -> list[str]:
    """Return what differs for one case."""
    if outcome.status != STATUS[result["status"]]:
        return [f"{table}: dbt says {outcome}, but Python has {result['status']}"]
    found = list(result_differences(groups, result))
    if len(result["groups"]) == result["groups_total"]:  # the result holds every group
        found += failure_differences(failures, result)
    if outcome.failures != FAILURES.get(result["status"], len(failures)):
        found.append(f"dbt counts {outcome.failures} failures")
    return [f"{table} {result['name']}: {line}" for line in found]


@pytest.mark.xdist_group("dbt-duckdb")
def test_dbt_on_duckdb_gives_the_verdict_of_the_python_path(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        prepared = generated(connection)
    tables = [(table, case) for table, case, _ in prepared]
    project = Project.create(
        tmp_path / "project",
        {"type": "duckdb", "path": str(path), "threads": 2},
        **{"models/sources.yml": source_yaml("main", tables), **dict(models(tables))},
    )
    assert project.dbt("deps").returncode == 0
    assert project.dbt("run").returncode == 0
    printed = project.dbt("test").stdout
    outcomes = project.outcomes()
    differing = []
    with duckdb.connect(str(path), read_only=True) as connection:

        def rows(relation: str) -> list[dict[str, Any]]:
            found = connection.execute(f"select * from {relation}")
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

        for table, _, result in prepared:
            differing += check(
                table,
                result,
                outcomes[f"check_{table}"],
                rows(f"main.groups_of_{table}"),
                rows(f"main_dbt_test__audit.check_{table}"),
            )
    assert not differing, "\n".join([*differing[:20], printed[-2000:]])
