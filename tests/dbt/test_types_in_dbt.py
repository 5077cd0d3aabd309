"""Every type of test run by dbt itself: what it counts, and the rows that it stores."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from tests.dbt.project import Project
from tests.dbt.verdicts import limit
from tests.fixtures.relations import exactly
from tests.fixtures.test_compas import COMPAS, EXPECTED
from tests.generator import Case

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.dbt.warehouses import Warehouse

BY_RACE = {"protected_attribute_columns": ["race"]}
LABELS = {
    "prediction_column": "predicted_recid",
    "ground_truth_column": "two_year_recid",
    "positive_values": ["1"],
}
# Name -> type, arguments, and what dbt counts; COMPAS falsely alarms for three races
# more often than four fifths of the best allow, and calls one too seldom a low risk.
CHECKED: Mapping[str, tuple[str, dict[str, Any], str, int]] = {
    "outcome": (
        "group_outcome_disparity",
        {**BY_RACE, "outcome_column": "predicted_recid", "favorable_values": ["0"]},
        *("fail", 1),
    ),
    "outcome_within_sex": (
        "group_outcome_disparity",
        {
            **BY_RACE,
            "outcome_column": "predicted_recid",
            "favorable_values": ["0"],
            "stratify_by_columns": ["sex"],
            "thresholds": [limit("mantel_haenszel_p_value", ">=", 0)],
        },
        *("pass", 0),
    ),
    "score": (
        "group_score_disparity",
        {
            **BY_RACE,
            "score_column": "decile_score",
            "statistic": "standardized_mean_difference",
            "higher_is_better": False,
            "max_difference": 5,
        },
        *("pass", 0),
    ),
    "performance": (
        "group_performance_parity",
        {**BY_RACE, **LABELS, "performance_metrics": ["false_positive_rate"]},
        *("fail", 3),
    ),
    "statistic": (
        "group_column_statistic",
        {**BY_RACE, "statistic": "count", "operator": ">=", "value": 100},
        *("fail", 2),
    ),
    "threshold": (
        "metric_threshold",
        {**LABELS, "thresholds": [limit("accuracy", ">=", 0.6), limit("recall", ">=", 0.99)]},
        *("fail", 1),
    ),
    "skipped": (
        "metric_threshold",
        {**LABELS, "positive_values": ["9"], "thresholds": [limit("recall", ">=", 0.5)]},
        *("warn", -1),
    ),
    "under_statistics": (
        "group_performance_parity",
        {
            **BY_RACE,
            **LABELS,
            "performance_metrics": ["equalized_odds"],
            "thresholds": [limit("false_positive_rate_difference", "<=", 1)],
            "statistics_of": "odds",
        },
        *("pass", 0),
    ),
}


def compas() -> Case:
    with COMPAS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {"race": "text", "sex": "text", "decile_score": "integer"}
    columns |= {"predicted_recid": "integer", "two_year_recid": "integer"}
    table = [
        tuple(row[name] if kind == "text" else int(row[name]) for name, kind in columns.items())
        for row in rows
    ]
    return Case("compas", columns, table, {})  # type: ignore[arg-type]


def of_dbt(names: list[str]) -> list[dict[str, Any]]:
    config = {"store_failures": True}
    return [
        {f"fairsql.{type_}": {"name": name, "arguments": given, "config": config}}
        for name in names
        for type_, given, _, _ in [CHECKED[name]]
    ]


def test_dbt_runs_every_type(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.load([("compas", compas())])
    of_source = [name for name in CHECKED if name != "under_statistics"]
    tables = [{"name": "compas", "data_tests": of_dbt(of_source)}]
    sources = [{"name": "court", "schema": warehouse.schema, "tables": tables}]
    models = [{"name": "scanned", "data_tests": of_dbt(["under_statistics"])}]
    odds = {**BY_RACE, **LABELS, "performance_metrics": ["equalized_odds"], "name": "odds"}
    scanned = [{**odds, "type": "group_performance_parity"}]
    files = {
        "models/sources.yml": json.dumps({"version": 2, "sources": sources}),
        "models/scanned.yml": json.dumps({"version": 2, "models": models}),
        "models/scanned.sql": "{{ config(materialized='table') }}"
        f"{{{{ fairsql.statistics(source('court', 'compas'), {scanned!r}) }}}}",
    }
    project = Project.create(tmp_path / "project", warehouse.output, files)
    project.done("run")
    printed = project.dbt("test").stdout
    outcomes = project.outcomes()
    found = {name: (outcomes[name].status, outcomes[name].failures) for name in CHECKED}
    assert found == {name: (status, count) for name, (_, _, status, count) in CHECKED.items()}, (
        printed[-3000:]
    )
    (stored,) = warehouse.rows([f"{warehouse.schema}_dbt_test__audit.performance"])
    rows = {row["key_1"]: row for row in stored}
    for race, value, ratio, gap, p_value, *_ in EXPECTED["compare_race"]["fpr"][
        "rows_[group,value,ratio,gap,p,holm,bh]"
    ]:
        assert rows[race]["value"] == exactly(value)
        assert rows[race]["ratio"] == exactly(ratio)
        assert rows[race]["difference"] == exactly(gap)
        assert rows[race]["p_value"] == exactly(p_value)
