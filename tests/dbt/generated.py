"""Generated cases as one dbt project: a source table, a test and a model of results each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.dbt.project import literal

if TYPE_CHECKING:
    from tests.generator import Case

UNRUNNABLE = ("column_missing", "column_not_numeric")  # the warehouse's own error in dbt


def python_result(connection: Any, case: Case, table: str) -> dict[str, Any]:
    """Return the Python path's result of a case whose table is loaded in DuckDB."""
    test = build_test(relation=table, **case.test)
    return to_dict(Suite((test,)).run(connection).tests[0])


def arguments(case: Case) -> dict[str, Any]:
    """Return a case's test as the arguments of the dbt test."""
    return {name: value for name, value in case.test.items() if name not in ("name", "type")}


def source_yaml(schema: str, cases: Sequence[tuple[str, Case]]) -> str:
    """Return the sources with a stored test each; JSON is YAML."""
    tables = [
        {
            "name": table,
            "data_tests": [
                {
                    "fairsql.group_metric_parity": {
                        "name": f"check_{table}",
                        "arguments": literal(arguments(case)),
                        "config": {"store_failures": True},
                    }
                }
            ],
        }
        for table, case in cases
    ]
    sources = [{"name": "generated", "schema": schema, "tables": tables}]
    return json.dumps({"version": 2, "sources": sources}, ensure_ascii=False, default=str)


def models(cases: Sequence[tuple[str, Case]]) -> Iterator[tuple[str, str]]:
    """Yield path and text of a model of every group, for each case."""
    for table, case in cases:
        named = ", ".join(f"{name}={value!r}" for name, value in arguments(case).items())
        yield (
            f"models/groups_of_{table}.sql",
            "{{ config(materialized='table') }}\n"
            "{{ fairsql.group_metric_parity_results("
            f"source('generated', '{table}'), {named}) }}}}\n",
        )
