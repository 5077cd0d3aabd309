"""Pairs of answers are made and measured alike on Google's executor and on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from tests.engines.running import ENGINES
from tests.generator import Case
from tests.llm.test_derived_in_sql import JUDGE, JUDGEMENTS, VARIANTS, judgements
from tests.llm.texts import variants

if TYPE_CHECKING:
    from collections.abc import Mapping

TESTS: Mapping[str, dict[str, Any]] = {
    "counterfactual_fairness_divergence": {
        "output_column": "answer",
        "dimension": "dimension",
        "max_divergence": 0.2,
    },
    "pairwise_divergence": {
        "judges": [JUDGE],
        "dimension": "dimension",
        "max_mean_divergence": 0.1,
    },
}


def results(engine: str) -> list[fairsql.TestResult]:
    with ENGINES[engine]() as opened:
        opened.load("variants", Case("variants", VARIANTS, variants(3), {}))  # type: ignore[arg-type]
        opened.load("judged", Case("judged", JUDGEMENTS, judgements(3), {}))  # type: ignore[arg-type]
        found = [
            getattr(fairsql, type_)(opened.warehouse, "variants", **fields)
            for type_, fields in TESTS.items()
        ]
        opened.drop("variants")
        opened.drop("judged")
    return found


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param("googlesql", marks=pytest.mark.xdist_group("googlesql")),
        pytest.param("spark", marks=pytest.mark.xdist_group("spark")),
    ],
)
def test_measurements_and_intervals_are_those_of_duckdb(engine: str) -> None:
    for found, expected in zip(results(engine), results("duckdb"), strict=True):
        assert found.status == expected.status, found.message
        assert found.measurements == pytest.approx(expected.measurements, rel=1e-9)
        assert set(found.intervals) == set(expected.intervals)
        for name, bounds in expected.intervals.items():
            assert found.intervals[name] == pytest.approx(bounds, rel=1e-6), name
