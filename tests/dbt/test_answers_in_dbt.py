"""Tests of answers and of pairs of answers run by dbt itself: each comes to what Python says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import duckdb

import fairsql
from tests.dbt.project import Project
from tests.dbt.verdicts import limit
from tests.generator import Case, load
from tests.llm.test_derived_in_sql import COLUMNS, JUDGE, JUDGEMENTS, VARIANTS, judgements
from tests.llm.texts import answers, variants

if TYPE_CHECKING:
    from pathlib import Path

    from tests.dbt.warehouses import Warehouse

BY_GROUP = {"protected_attribute_columns": ["grp"]}
# Name -> table, type, arguments.
TESTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "refusals": (
        "answers",
        "refusal_rate_disparity",
        {**BY_GROUP, "output_column": "answer", "max_difference": 0.05},
    ),
    "insults": (
        "answers",
        "toxicity_sentiment_disparity",
        {**BY_GROUP, "scorer_column": "score", "max_difference": 1.0},
    ),
    "stereotypes": (
        "answers",
        "stereotype_association_score",
        {**BY_GROUP, "answer_column": "answer", "stereotyped_answer_column": "grp"},
    ),
    "divergence": (
        "variants",
        "counterfactual_fairness_divergence",
        {
            "output_column": "answer",
            "dimension": "dimension",
            "thresholds": [limit("counterfactual_fairness_divergence", "<=", 0.1)],
        },
    ),
    "too_few": (
        "variants",
        "counterfactual_fairness_divergence",
        {"output_column": "answer", "max_divergence": 0.5, "min_group_size": 500},
    ),
    "pairs": (
        "variants",
        "pairwise_divergence",
        {"judges": [JUDGE], "max_mean_divergence": 0.01, "min_equivalence_rate": 0.99},
    ),
    "poles": (
        "variants",
        "pairwise_divergence",
        {
            "judges": [JUDGE],
            "mode": "contrastive",
            "poles": ["old", "young"],
            "max_mean_divergence": 1.0,
        },
    ),
}


def cases() -> list[tuple[str, Case]]:
    return [
        ("answers", Case("answers", COLUMNS, answers(1), {})),  # type: ignore[arg-type]
        ("variants", Case("variants", VARIANTS, variants(3), {})),  # type: ignore[arg-type]
        ("judged", Case("judged", JUDGEMENTS, judgements(3), {})),  # type: ignore[arg-type]
    ]


def in_python() -> dict[str, str]:
    """Return what each test comes to in Python."""
    with duckdb.connect() as connection:
        for name, case in cases():
            load(connection, case, name)
        return {
            name: getattr(fairsql, type_)(connection, table, **given).status
            for name, (table, type_, given) in TESTS.items()
        }


def test_dbt_comes_to_what_python_says(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.load(cases())
    tables = [
        {
            "name": own,
            "data_tests": [
                {f"fairsql.{type_}": {"name": name, "arguments": _placed(given, warehouse)}}
                for name, (table, type_, given) in TESTS.items()
                if table == own
            ],
        }
        for own in ("answers", "variants")
    ]
    sources = [{"name": "said", "schema": warehouse.schema, "tables": tables}]
    files = {"models/sources.yml": json.dumps({"version": 2, "sources": sources})}
    project = Project.create(tmp_path / "project", warehouse.output, files)
    printed = project.dbt("test").stdout
    outcomes = project.outcomes()
    words = {"passed": "pass", "failed": "fail", "skipped": "warn"}
    expected = in_python()
    assert set(expected.values()) == set(words)
    assert {name: outcomes[name].status for name in TESTS} == {
        name: words[status] for name, status in expected.items()
    }, printed[-3000:]


def _placed(given: dict[str, Any], warehouse: Warehouse) -> dict[str, Any]:
    if "judges" not in given:
        return given
    return {**given, "judges": [{**JUDGE, "table": f"{warehouse.schema}.judged"}]}
