"""A dbt project with a fairsql test in every place that has one, and the same tests as a suite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.dbt.project import Project

TEST = "fairsql.group_metric_parity"
RATE: Mapping[str, Any] = {
    "protected_attribute_columns": ["gender"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}
OF_COLUMN = {name: value for name, value in RATE.items() if name != "value_column"}
MEAN = {**OF_COLUMN, "parity_metric": "mean", "value_column": "amount"}
del MEAN["positive_values"]
AUC = {
    **{name: value for name, value in OF_COLUMN.items() if name != "higher_is_better"},
    "parity_metric": "auc",
    "ground_truth_column": "approved",
}

# Of 100 women 40 are approved, of 100 men 60; a third of them are in region a.
ROWS = [("FM"[i % 2], "abb"[i // 2 % 3], int(i % 10 < 4 + 2 * (i % 2)), i % 13) for i in range(200)]
HEADER = ("gender", "region", "approved", "amount")
PEOPLE = "\n".join(",".join(map(str, row)) for row in [HEADER, *ROWS]) + "\n"

# Name -> where it stands, its arguments, its config.
Checked = tuple[str, Mapping[str, Any], Mapping[str, Any]]
TESTS: dict[str, Checked] = {
    "model_fails": ("loans", RATE, {}),
    "model_passes": ("loans", {**RATE, "min_ratio": 0.5}, {"tags": ["fair"]}),
    "model_mean": ("loans", {**MEAN, "max_difference": 5}, {"tags": ["fair"]}),
    "model_skipped": ("loans", {**RATE, "positive_values": ["never"]}, {"on_skip": "warn"}),
    "model_by_variable": ("loans", {**RATE, "min_ratio": "{{ var('least') | as_number }}"}, {}),
    "filtered": ("loans", {**RATE, "min_ratio": 0.1}, {"where": "region = '{{ var(\"where\") }}'"}),
    "of_column": ("loans.approved", OF_COLUMN, {"severity": "warn"}),
    "of_quoted_score": ("loans.amount", AUC, {}),
    "of_snapshot": ("people_snapshot", RATE, {}),
    "of_seed": ("people", RATE, {"store_failures": False}),
    "of_source": ("raw_people", RATE, {}),
    "of_ephemeral": ("half", RATE, {}),
    "of_ephemeral_filtered": ("quarter", RATE, {"where": "amount < 12"}),
}
HALF = "select * from {{ ref('loans') }} where region = 'b' -- it's a half"
QUARTER = "select gender, approved, amount from {{ ref('half') }} where amount > 2"
RELATIONS = {
    "people_snapshot": "main_snapshots.people_snapshot",
    "raw_people": "people",
    "half": "(select * from loans where region = 'b')",
    "quarter": "(with half as (select * from loans where region = 'b')"
    " select gender, approved, amount from half where amount > 2)",
}
SUITE_VALUES = {
    "{{ var('least') | as_number }}": 0.6,
    "region = '{{ var(\"where\") }}'": "region = 'a'",
}

STATISTICS = [{"name": "shared", **RATE}]


def create(root: Path, outputs: Mapping[str, Mapping[str, Any]]) -> Project:
    """Write the project; its first target is the default one."""
    project = Project.create(root, {}, dict(_files()))
    settings = json.loads((root / "dbt_project.yml").read_text(encoding="utf-8"))
    settings["vars"] = {"least": 0.9, "shop": {"least": 0.6, "where": "a"}}
    project.write("dbt_project.yml", json.dumps(settings))
    profile = {"target": next(iter(outputs)), "outputs": outputs}
    project.write("profiles.yml", json.dumps({"shop": profile}))
    return project


def suite() -> dict[str, Any]:
    """Return the tests as the content of a suite file."""
    tests = []
    for name, (place, arguments, config) in TESTS.items():
        relation, _, column = place.partition(".")
        fields = {"name": name, "type": "group_metric_parity", **arguments}
        fields["relation"] = RELATIONS.get(relation, relation)
        if "where" in config:
            fields["where"] = config["where"]
        if column:
            fields["score_column" if arguments is AUC else "value_column"] = column
        tests.append({key: _value(value) for key, value in fields.items()})
    return {"version": 1, "tests": tests}


def _value(value: Any) -> Any:
    return SUITE_VALUES.get(value, value) if isinstance(value, str) else value


def _files() -> dict[str, str]:
    shared = {"name": "shared_scan", "arguments": {**RATE, "statistics_of": "shared"}}
    columns = [
        {"name": "approved", "data_tests": _of("loans.approved")},
        {"name": "amount", "quote": True, "data_tests": _of("loans.amount")},
    ]
    as_snapshot = {
        "schema": "snapshots",
        "unique_key": "amount",
        "strategy": "check",
        "check_cols": ["amount"],
    }
    raw = {"name": "raw_people", "identifier": "people", "data_tests": _of("raw_people")}
    schema = {
        "version": 2,
        "models": [
            {"name": "loans", "data_tests": _of("loans"), "columns": columns},
            {"name": "half", "data_tests": _of("half")},
            {"name": "quarter", "data_tests": _of("quarter")},
            {"name": "shared_statistics", "data_tests": [{TEST: shared}]},
        ],
        "seeds": [{"name": "people", "data_tests": _of("people")}],
        "snapshots": [
            {
                "name": "people_snapshot",
                "relation": "ref('people')",
                "data_tests": _of("people_snapshot"),
                "config": as_snapshot,
            }
        ],
        "sources": [{"name": "raw", "schema": "{{ target.schema }}", "tables": [raw]}],
    }
    ephemeral = "{{ config(materialized='ephemeral') }}\n"
    statistics = f"fairsql.statistics(ref('loans'), {STATISTICS!r})"
    return {
        "models/schema.yml": json.dumps(schema),
        "models/loans.sql": "select * from {{ ref('people') }}",
        "models/half.sql": ephemeral + HALF,
        "models/quarter.sql": ephemeral + QUARTER,
        "models/shared_statistics.sql": f"{{{{ {statistics} }}}}",
        "seeds/people.csv": PEOPLE,
    }


def _of(place: str) -> list[dict[str, Any]]:
    return [
        {TEST: _entry(name, arguments, config)}
        for name, (where, arguments, config) in TESTS.items()
        if where == place
    ]


def _entry(name: str, arguments: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    own = {"on_skip": config["on_skip"]} if "on_skip" in config else {}
    kept = {key: value for key, value in config.items() if key != "on_skip"}
    return {"name": name, "arguments": {**arguments, **own}, "config": kept}
