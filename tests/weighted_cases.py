"""Generated cases whose rows are weighted: the generator's own, each with a column of weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.generator import FURTHER_METRICS, METRICS, Case, cases

QUANTILES = ("median", "p90", "p95", "p99")
# What counts values has no weighted form.
UNWEIGHTABLE = ("count", "distinct_count", "scoring_rate")
FURTHER_WEIGHTABLE = tuple(name for name in FURTHER_METRICS if name not in UNWEIGHTABLE)
WEIGHT_NAMES = ("weight", "w", "Sampling weight", 'the "weight"')

Draw = Callable[[Random], Any]

# How the weights of a table are drawn: far apart, equal, whole, a few, and what is no weight.
SHAPES: dict[str, tuple[float, Draw]] = {
    "far_apart": (3, lambda rng: 10 ** rng.uniform(-9, 9)),
    "inverse_probabilities": (3, lambda rng: 1 / rng.uniform(0.02, 1)),
    "whole_and_zero": (3, lambda rng: rng.choice((0, 0, 1, 1, 2, 3, 7))),
    "ones": (1, lambda rng: 1.0),  # noqa: ARG005
    "tenths": (1, lambda rng: 0.1),  # noqa: ARG005
    "one_of_all": (1, lambda rng: 1e9 if rng.random() < 0.01 else 1e-9),
    "zeros": (0.3, lambda rng: 0.0),  # noqa: ARG005
    "some_bad": (0.5, lambda rng: rng.choice((1.0, 2.5, None, math.nan, -1.0, math.inf, 1e-60))),
}


def weighted_cases(seed: int, count: int, metrics: Sequence[str] = METRICS) -> Iterator[Case]:
    """Generate cases; the n-th depends on the seed, the metrics and on n alone."""
    for number, case in enumerate(cases(seed, count, metrics)):
        yield weighed(case, Random(f"weights-{seed}-{number}"))  # noqa: S311


def weighed(case: Case, rng: Random, shape: str | None = None) -> Case:
    """Return a case with a column of weights, and a test that uses it."""
    chosen = shape or rng.choices(list(SHAPES), [share for share, _ in SHAPES.values()])[0]
    draw = SHAPES[chosen][1]
    name = next(name for name in rng.sample(WEIGHT_NAMES, 4) if name.lower() not in _names(case))
    test = {**case.test, "weight_column": name}
    if test["parity_metric"] in QUANTILES:  # they have no p-value with weights
        test.pop("require_significance", None)
        limits = test.get("thresholds", [])
        test["thresholds"] = [
            limit for limit in limits if limit["measurement"] != "significant_disparity_count"
        ]
    return replace(
        case,
        name=f"{case.name} {chosen}",
        columns={**case.columns, name: "float"},
        rows=[(*row, draw(rng)) for row in case.rows],
        test=test,
    )


def _names(case: Case) -> set[str]:
    return {name.lower() for name in case.columns}
