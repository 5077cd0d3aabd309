"""Every type of test run by dbt itself: what it counts, and the rows that it stores."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest
from sklearn import metrics

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
LABELS_ALONE = {"prediction_column": "predicted_recid", "ground_truth_column": "two_year_recid"}
LABELS = {**LABELS_ALONE, "positive_values": ["1"]}
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
    "each_class": (
        "group_performance_parity",
        {
            **BY_RACE,
            **LABELS_ALONE,
            "performance_metrics": ["recall"],
            "per_class": True,
            "min_ratio": 0.01,
            "thresholds": [limit("recall_ratio", ">=", 0.99)],
        },
        *("fail", 2),
    ),
    "macro_average": (
        "group_performance_parity",
        {**BY_RACE, **LABELS_ALONE, "performance_metrics": ["f1"], "average": "macro"},
        *("pass", 0),
    ),
    "metrics_of_classes": (
        "metric_threshold",
        {
            **LABELS_ALONE,
            "class_score_columns": {"0": "chance_of_none", "1": "chance"},
            "filters": [
                {"column": "decile_score", "operator": ">", "value": 2},
                {"column": "sex", "operator": "is", "value": "Male"},
            ],
            "thresholds": [
                limit("count", "<", 0),
                limit("f1", "<", 0),
                limit("recall_per_class", "<", 0),
                limit("auc", "<", 0),
                limit("log_loss", "<", 0),
            ],
        },
        *("fail", 5),
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
        (
            *(row[name] if kind == "text" else int(row[name]) for name, kind in columns.items()),
            *(chance, 1 - chance),
        )
        for row in rows
        for chance in [int(row["decile_score"]) / 16]
    ]
    columns |= {"chance": "float", "chance_of_none": "float"}
    return Case("compas", columns, table, {})  # type: ignore[arg-type]


def over_men() -> dict[str, float]:
    """Return what scikit-learn says of the rows that pass the filters."""
    rows = [row for row in compas().rows if row[2] > 2 and row[1] == "Male"]  # type: ignore[operator]
    predicted, truth = [row[3] for row in rows], [row[4] for row in rows]
    chances = [row[5] for row in rows]
    return {
        "count": len(rows),
        "f1": metrics.f1_score(truth, predicted, average="macro"),
        "recall_per_class": min(metrics.recall_score(truth, predicted, average=None)),
        "auc": metrics.roc_auc_score(truth, chances),
        "log_loss": metrics.log_loss(truth, chances),
    }


def recall(race: str, class_: int) -> float:
    """Return what scikit-learn says of one race's rows and one class."""
    rows = [row for row in compas().rows if row[0] == race]
    truth, predicted = [row[4] == class_ for row in rows], [row[3] == class_ for row in rows]
    return float(metrics.recall_score(truth, predicted))


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
    audit = f"{warehouse.schema}_dbt_test__audit"
    broken, each = warehouse.rows([f"{audit}.metrics_of_classes", f"{audit}.each_class"])
    assert {row["parity_metric"]: row["value"] for row in broken} == pytest.approx(
        over_men(), rel=1e-9
    )
    assert {row["positive_class"] for row in each} == {"1"}
    for row in each:
        assert row["value"] == pytest.approx(recall(row["key_1"], 1))
    assert each[0]["recall_ratio"] == pytest.approx(
        min(row["value"] for row in each) / max(row["value"] for row in each)
    )
    (stored,) = warehouse.rows([f"{audit}.performance"])
    rows = {row["key_1"]: row for row in stored}
    for race, value, ratio, gap, p_value, *_ in EXPECTED["compare_race"]["fpr"][
        "rows_[group,value,ratio,gap,p,holm,bh]"
    ]:
        assert rows[race]["value"] == exactly(value)
        assert rows[race]["ratio"] == exactly(ratio)
        assert rows[race]["difference"] == exactly(gap)
        assert rows[race]["p_value"] == exactly(p_value)
