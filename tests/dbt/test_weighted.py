"""Weighted tests run by dbt, against the Python path, on generated tables."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from tests.dbt.generated import (
    UNRUNNABLE,
    models,
    python_results,
    shared_models,
    shared_yaml,
    source_yaml,
)
from tests.dbt.project import Project
from tests.dbt.test_differential import check
from tests.generator import load
from tests.weighted_cases import weighted_cases

if TYPE_CHECKING:
    from tests.dbt.test_differential import Results
    from tests.dbt.warehouses import Warehouse
    from tests.generator import Case

COUNT = 8
SEED = 11


def test_dbt_gives_the_verdict_of_the_python_path(warehouse: Warehouse, tmp_path: Path) -> None:
    tables: list[tuple[str, Case]] = []
    results: Results = {}
    shared: dict[str, dict[str, Any]] = {}
    with duckdb.connect() as connection:
        for number, case in enumerate(islice(weighted_cases(SEED, 100), COUNT)):
            table = f"w_{number}"
            load(connection, case, table)
            scan = {table: case.test}
            if number == 0:  # one model of statistics serves weighted rows and rows all alike
                plain = {**case.test, "name": "unweighted"}
                del plain["weight_column"]
                scan |= {f"{table}_weighted": case.test, f"{table}_alike": plain}
            found = python_results(connection, table, list(scan.values()))
            complete = python_results(
                connection, table, [{**test, "min_reported_rows": 1} for test in scan.values()]
            )
            if any(result["reason"] in UNRUNNABLE for result in found):
                continue
            tables.append((table, case))
            results |= dict(zip(scan, zip(found, complete, strict=True), strict=True))
            if len(scan) > 1:
                shared[table] = {name: test for name, test in scan.items() if name != table}
    assert shared
    _run(warehouse, tmp_path, tables, shared, results)


def _run(
    warehouse: Warehouse,
    folder: Path,
    tables: list[tuple[str, Case]],
    shared: dict[str, dict[str, Any]],
    results: Results,
) -> None:
    warehouse.load(tables)
    files = {"models/sources.yml": source_yaml(warehouse.schema, tables), **dict(models(tables))}
    files["models/statistics.yml"] = shared_yaml(shared)
    for table, tests in shared.items():
        files |= dict(shared_models(table, tests))
    project = Project.create(folder / "project", warehouse.output, files)
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
