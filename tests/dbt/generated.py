"""Generated cases as one dbt project: a source table, a test and a model of results each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.dbt.project import literal
from tests.generator import Case
from tests.variants import variants

if TYPE_CHECKING:
    import duckdb

UNRUNNABLE = ("column_missing", "column_not_numeric")  # the warehouse's own error in dbt

# Names that some layer between YAML and SQL may mistake for its own syntax.
HOSTILE_GROUPS = ("O'Brien", 'a"b', "x\\y", "{{ ref('m') }}", "%s", "", " ", None, "a", "B")
HOSTILE = Case(
    name="hostile groups",
    columns={"who's": "text", 'x"%s': "text"},
    rows=[
        (group, "it's" if (place * row) % 5 < 2 else "{% no %}")
        for place, group in enumerate(HOSTILE_GROUPS)
        for row in range(40)
    ],
    test={
        "name": "hostile groups",
        "type": "group_metric_parity",
        "protected_attribute_columns": ["who's"],
        "parity_metric": "rate",
        "value_column": 'x"%s',
        "positive_values": ["it's", "{% no %} "],
        "higher_is_better": True,
        "reference_strategy": "named",
        "reference_value": "{{ ref('m') }}",
        "missing_attribute_values": ["%s"],
        "thresholds": [
            {"measurement": "failing_group_count", "operator": "<=", "value": 0},
            {"measurement": "min_group_share", "operator": ">=", "value": 0.5},
        ],
    },
)


def python_results(
    connection: duckdb.DuckDBPyConnection, table: str, tests: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the Python path's results of tests over a table in DuckDB."""
    suite = Suite(tuple(build_test(relation=table, **test) for test in tests))
    return [to_dict(result) for result in suite.run(connection).tests]


def arguments(test: dict[str, Any]) -> dict[str, Any]:
    """Return a test as the arguments of the dbt test."""
    return {name: value for name, value in test.items() if name not in ("name", "type")}


def stored_test(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return a dbt test under a table or model, its failures stored."""
    config = {"store_failures": True}
    test = {"name": name, "arguments": literal(given), "config": config}
    return {"fairsql.group_metric_parity": test}


def source_yaml(schema: str, cases: Sequence[tuple[str, Case]]) -> str:
    """Return the sources with a stored test each; JSON is YAML."""
    tables = [
        {"name": table, "data_tests": [stored_test(f"check_{table}", arguments(case.test))]}
        for table, case in cases
    ]
    sources = [{"name": "generated", "schema": schema, "tables": tables}]
    return json.dumps({"version": 2, "sources": sources}, ensure_ascii=False)


def models(cases: Sequence[tuple[str, Case]]) -> Iterator[tuple[str, str]]:
    """Yield path and text of a model of every group, for each case."""
    for table, case in cases:
        relation = f"source('generated', '{table}')"
        yield results_model(f"groups_of_{table}", relation, arguments(case.test))


def results_model(name: str, relation: str, given: dict[str, Any]) -> tuple[str, str]:
    """Return path and text of a model of every group."""
    return _model(name, f"fairsql.group_metric_parity_results({relation}, **{given!r})")


def shared_scan(table: str, case: Case) -> dict[str, dict[str, Any]]:
    """Return the tests of one model of statistics, by a short name that each has in the project."""
    return {f"{table}_test_{number}": test for number, test in enumerate(variants(case.test))}


def shared_models(table: str, tests: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield a model of the statistics of many tests, and models of results that read it."""
    listed = [{"name": name, **arguments(test)} for name, test in tests.items()]
    relation = f"source('generated', '{table}')"
    yield _model(f"statistics_of_{table}", f"fairsql.statistics({relation}, {listed!r})")
    for name, test in tests.items():
        given = {**arguments(test), "statistics_of": name, "name": name}
        yield results_model(f"groups_of_{name}", f"ref('statistics_of_{table}')", given)


def shared_yaml(scans: dict[str, dict[str, dict[str, Any]]]) -> str:
    """Return the models of statistics, each with its stored tests."""
    listed = [
        {
            "name": f"statistics_of_{table}",
            "data_tests": [
                stored_test(f"check_{name}", {**arguments(test), "statistics_of": name})
                for name, test in tests.items()
            ],
        }
        for table, tests in scans.items()
    ]
    return json.dumps({"version": 2, "models": listed}, ensure_ascii=False)


def _model(name: str, call: str) -> tuple[str, str]:
    # Text and not a raw block: a model's own Jinja reads the literals of Python.
    text = f"{{{{ config(materialized='table') }}}}\n{{{{ {call} }}}}\n"
    return f"models/{name}.sql", text
