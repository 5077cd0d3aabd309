"""The same windows as dbt tests, in DuckDB and in PostgreSQL, in a session of another time zone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dbt.project import Project
from tests.dbt.warehouses import DuckDB, Warehouse, postgres
from tests.windows.happened import KINDS, SEEN, expected, fields, table

HAPPENED = table()
WINDOWS = ("a day with a delay", "an hour when clocks fall back", "bounds within a second")
NAMES = {
    f"{column}_{place}": (column, seen) for column in KINDS for place, seen in enumerate(WINDOWS)
}
VARIABLE = "a week"


def call(column: str, seen: str, **more: Any) -> str:
    given = {**fields(column, seen), **more}
    return f"fairsql.group_metric_parity_results(source('raw', 'happened'), **{given!r})"


def models() -> dict[str, str]:
    found = {
        f"models/{name}.sql": f"{{{{ {call(column, seen, as_of=SEEN[seen][0])} }}}}"
        for name, (column, seen) in NAMES.items()
    }
    found["models/of_the_variable.sql"] = f"{{{{ {call('at', VARIABLE)} }}}}"
    tests = [{"name": str(n), **fields("at", VARIABLE), "min_ratio": n / 10} for n in (1, 9)]
    found["models/kept.sql"] = f"{{{{ fairsql.statistics(source('raw', 'happened'), {tests!r}) }}}}"
    found["models/read.sql"] = (
        "{{ fairsql.group_metric_parity_results(ref('kept'), statistics_of='9', **"
        f"{fields('at', VARIABLE)!r}) }}}}"
    )
    return found


def sources(schema: str) -> str:
    passing = [{"measurement": "min_group_share", "operator": ">=", "value": 0}]
    tests = [
        {
            "fairsql.group_metric_parity": {
                "name": name,
                "arguments": {**fields("at_zone", VARIABLE), **own, "thresholds": passing},
            }
        }
        for name, own in {
            "of_a_week": {},
            "of_no_rows": {"as_of": "2031-01-01"},
        }.items()
    ]
    tables = [{"name": "happened", "data_tests": tests}]
    return json.dumps({"sources": [{"name": "raw", "schema": schema, "tables": tables}]})


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("duckdb", marks=pytest.mark.xdist_group("dbt-duckdb")),
        pytest.param("postgres", marks=pytest.mark.xdist_group("dbt-postgres")),
    ],
)
def warehouse(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    if request.param == "duckdb":
        yield DuckDB(tmp_path_factory.mktemp("data") / "shop.duckdb")
        return
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        yield server


@pytest.fixture(scope="module")
def project(warehouse: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Project:
    warehouse.load([("happened", HAPPENED)])
    files = {**models(), "models/sources.yml": sources(warehouse.schema)}
    hook = "set timezone = 'America/New_York'"
    project = Project.create(
        tmp_path_factory.mktemp("project"),
        warehouse.output,
        files,
        models={"+materialized": "table", "+pre-hook": hook},
        vars={"fairsql_as_of": SEEN[VARIABLE][0]},
    )
    project.done("run")
    return project


@pytest.mark.usefixtures("project")
def test_a_window_holds_the_rows_that_pandas_finds(warehouse: Warehouse) -> None:
    wanted = {**NAMES, "of_the_variable": ("at", VARIABLE), "read": ("at", VARIABLE)}
    rows = warehouse.rows([f"{warehouse.schema}.{name}" for name in wanted])
    for (name, (column, seen)), found in zip(wanted.items(), rows, strict=True):
        groups = {
            row["key_1"]: (row["group_rows"], row["statistic_positives"])
            for row in found
            if row["key_1"] is not None
        }
        assert groups == expected(HAPPENED, column, seen), name


def test_a_test_without_rows_in_its_window_is_skipped(project: Project) -> None:
    project.dbt("test")
    outcomes = {name: (one.status, one.failures) for name, one in project.outcomes().items()}
    assert outcomes == {
        "of_a_week": ("pass", 0),
        "of_no_rows": ("warn", -1),
    }


def test_without_a_variable_dbt_looks_back_from_its_start(project: Project) -> None:
    project.done("compile", "--select", "of_the_variable", "--vars", "{fairsql_as_of: null}")
    (compiled,) = (project.root / "target" / "compiled").rglob("of_the_variable.sql")
    results = json.loads((project.root / "target" / "run_results.json").read_text())
    day = results["metadata"]["generated_at"][:10]
    assert f"< '{day}" in compiled.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("as_of='noon'", "as_of must be a time in ISO 8601, such as 2024-03-01"),
        ("delay_window=-1", "delay_window must be at least 0"),
        ("evaluation_window=none", "evaluation_window is required by timestamp_column"),
        ("timestamp_column=none", "evaluation_window needs timestamp_column"),
    ],
)
def test_a_wrong_window_is_named(project: Project, given: str, message: str) -> None:
    name, value = given.split("=")
    arguments = {
        **fields("at", VARIABLE),
        name: {"none": None, "-1": -1}.get(value, value.strip("'")),
    }
    path = project.root / "models" / "wrong.sql"
    text = f"fairsql.group_metric_parity_results(source('raw', 'happened'), **{arguments!r})"
    path.write_text(f"{{{{ {text} }}}}".replace("None", "none"), encoding="utf-8")
    done = project.dbt("compile", "--select", "wrong")
    path.unlink()
    assert done.returncode != 0
    assert message in done.stdout
