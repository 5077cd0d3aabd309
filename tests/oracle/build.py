"""Small tables and tests of them, written down as a reader would say them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .judge import judge
from .metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GUARDS_OFF = {"min_group_size": 1, "min_group_share": 0}


def exactly(value: float) -> Any:
    return pytest.approx(value, rel=1e-9, abs=0)


def judge_rate(counts: Mapping[str, tuple[int, int]], **options: Any) -> dict[str, Any]:
    """Judge a rate from the rows and positive rows of each group."""
    groups = [name for name, (rows, _) in counts.items() for _ in range(rows)]
    hits = [int(i < positive) for rows, positive in counts.values() for i in range(rows)]
    return judge(
        {"g": groups, "x": hits},
        {"g": "text", "x": "integer"},
        {
            "protected_attribute_columns": ["g"],
            "parity_metric": "rate",
            "value_column": "x",
            "positive_values": ["1"],
            "higher_is_better": True,
            **options,
        },
    )


def judge_values(
    metric: str, values: Mapping[str, Sequence[float | None]], **options: Any
) -> dict[str, Any]:
    """Judge a mean, median or p95 from each group's values."""
    table: dict[str, list[Any]] = {
        "g": [name for name, sample in values.items() for _ in sample],
        "x": [x for sample in values.values() for x in sample],
    }
    test = {"protected_attribute_columns": ["g"], "parity_metric": metric, "value_column": "x"}
    return judge(table, {"g": "text", "x": "float"}, test | {"higher_is_better": True} | options)


def judge_pairs(
    metric: str, pairs: Mapping[str, Sequence[tuple[Any, Any]]], **options: Any
) -> dict[str, Any]:
    """Judge a metric of two inputs, the second of which is the truth."""
    first = METRICS[metric].inputs[0]
    table = {
        "g": [name for name, sample in pairs.items() for _ in sample],
        "first": [a for sample in pairs.values() for a, _ in sample],
        "truth": [b for sample in pairs.values() for _, b in sample],
    }
    test = {
        "protected_attribute_columns": ["g"],
        "parity_metric": metric,
        first.parameter: "first",
        "ground_truth_column": "truth",
        "positive_values": ["1"],
    }
    return judge(table, {"g": "text", "first": "float", "truth": "float"}, test | options)


def group_of(result: Mapping[str, Any], *key: str) -> dict[str, Any]:
    found = [row for row in result["groups"] if tuple(row["key"].values()) == key]
    assert len(found) == 1
    row: dict[str, Any] = found[0]
    return row
