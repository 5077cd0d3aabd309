"""Quantiles of tables with many bins: values, ends of intervals, pooled counts, by numpy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from fairsql.config import build_test
from fairsql.suite import Suite
from tests.engines.running import ENGINES
from tests.generator import Case

if TYPE_CHECKING:
    from tests.engines.running import Engine

Floats = npt.NDArray[np.float64]
ROWS = 20_000
GROUPS = 12
TOP = 1.7976931348623157e308
LEAST = 5e-324
LEVELS = {"median": (1, 2), "p95": (19, 20)}


def distributions() -> dict[str, Floats]:
    random = np.random.default_rng(7)
    uniform = random.random(ROWS)
    signs = random.choice([1.0, -1.0], ROWS)
    return {
        "uniform": uniform,
        "few values": np.floor(uniform * 7),
        "all equal": np.full(ROWS, 3.25),
        "nearly all equal": np.where(uniform < 0.99, 5.0, uniform * 10),
        "600 decades": 10 ** random.uniform(-300, 300, ROWS) * signs,
        "far from 0": 1e9 + random.standard_normal(ROWS),
        "long tail": random.exponential(1, ROWS) ** 6,
        "tiny": uniform * 1e-300,
        "all there is": signs * uniform * 1.7e308,
        "outliers": np.where(uniform < 0.999, uniform, signs * 1e300),
    }


DISTRIBUTIONS = distributions()
# Skewed, so that the largest group has a quarter of the rows and the smallest about 4 %.
PLACES = np.floor(np.random.default_rng(8).random(ROWS) ** 2 * GROUPS).astype(int)


@pytest.fixture(
    scope="module",
    params=[
        "duckdb",
        pytest.param("postgres", marks=pytest.mark.xdist_group("postgres")),
    ],
)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as running:
        yield running


def questions() -> list[Any]:
    return [
        build_test(
            type="group_metric_parity",
            name=f"{metric} {comparison}",
            relation="many",
            protected_attribute_columns=["place"],
            parity_metric=metric,
            value_column="score",
            higher_is_better=True,
            comparison=comparison,
            min_group_share=0,
        )
        for metric in LEVELS
        for comparison in ("reference", "overall")
    ]


def pooled(own: Floats, other: Floats, level: tuple[int, int]) -> list[float]:
    """Return the pooled quantile, and the rows of both samples above it, and at or above it."""
    together = np.sort(np.concatenate([own, other]))
    middle = together[level[0] * (len(together) - 1) // level[1]]
    counts = [(rows > middle).sum() for rows in (own, other)]
    counts += [(rows >= middle).sum() for rows in (own, other)]
    return [float(middle), *map(float, counts)]


@pytest.mark.parametrize("kind", DISTRIBUTIONS)
def test_every_order_statistic_is_that_of_numpy(engine: Engine, kind: str) -> None:
    scores = DISTRIBUTIONS[kind]
    rows = [(f"g{place:02}", float(score)) for place, score in zip(PLACES, scores, strict=True)]
    engine.load("many", Case("many", {"place": "text", "score": "float"}, rows, {}))
    try:
        suite = Suite(tuple(questions()))
        plan = suite.plan(engine.warehouse)
        (statement,) = plan.statements
        found = engine.warehouse.run(statement.sql).rows
    finally:
        engine.drop("many")
    for number, (metric, comparison) in enumerate(
        [(metric, comparison) for metric in LEVELS for comparison in ("reference", "overall")], 1
    ):
        level = LEVELS[metric]
        q = level[0] / level[1]
        groups = [row for row in found if row["cut"] == number and not row["is_whole"]]
        assert len(groups) == GROUPS
        values = [row["quantile"] for row in groups]
        compared_with = None if comparison == "overall" else reference(groups)
        if compared_with is not None:
            assert values[compared_with] == pytest.approx(max(values), rel=1e-12, abs=1e-15)
        for place, row in enumerate(groups):
            own = np.sort(scores[place == PLACES])
            assert row["quantile"] == pytest.approx(exact(own, level), rel=1e-12, abs=0)
            lower = int(stats.binom.ppf(0.025, len(own), q))
            upper = int(stats.binom.ppf(0.975, len(own), q)) + 1
            assert (row["lower"], row["upper"]) == (own[lower - 1], own[upper - 1])
            if comparison == "reference":
                if place == compared_with:
                    continue
                other = scores[compared_with == PLACES]
            else:
                other = scores[place != PLACES]
            names = ("above", "second_above", "at_or_above", "second_at_or_above")
            counted = [row["pooled_quantile"], *(float(row[name]) for name in names)]
            assert counted == pooled(own, other, level)


@pytest.mark.parametrize("method", ["exact", "approximate"])
@pytest.mark.parametrize("size", [TOP, LEAST], ids=["top", "least"])
def test_a_quantile_at_the_ends_of_doubles_is_no_error(
    engine: Engine, method: str, size: float
) -> None:
    tables = {
        "one": [size],
        "two": [-size / 4, size],
        "three": [-size, size, size],
        "four": [-size, -size, size, size],
        "other": [-0.0, 0.0, -size, 0.0],
    }
    rows = [(who, value) for who, values in tables.items() for value in values]
    engine.load("ends", Case("ends", {"place": "text", "score": "float"}, rows, {}))
    asked: dict[str, Any] = {
        "type": "group_metric_parity",
        "relation": "ends",
        "protected_attribute_columns": ["place"],
        "value_column": "score",
        "higher_is_better": True,
        "quantile_method": method,
        "max_difference": TOP,
        "min_group_size": 1,
        "min_group_share": 0,
    }
    try:
        suite = Suite(tuple(build_test(name=name, parity_metric=name, **asked) for name in LEVELS))
        results = suite.run(engine.warehouse).tests
    finally:
        engine.drop("ends")
    for level, result in zip(LEVELS.values(), results, strict=True):
        assert result.status in {"passed", "failed"}, result.message
        for group in result.groups:
            wanted = exact(np.sort(tables[group.key["place"]]), level)
            assert group.value == pytest.approx(wanted, rel=1e-12, abs=LEAST)
            low, high = group.value_bounds or (group.value, group.value)
            slack = 1e-12 * abs(wanted) + LEAST
            assert low - slack <= wanted <= high + slack


def exact(ordered: Floats, level: tuple[int, int]) -> float:
    """Return the linear interpolation at rank q(n - 1), in fractions, which do not overflow."""
    whole, part = divmod(level[0] * (len(ordered) - 1), level[1])
    low, high = (Fraction(float(ordered[min(whole + more, len(ordered) - 1)])) for more in (0, 1))
    return float(low + Fraction(part, level[1]) * (high - low))


def reference(groups: list[dict[str, Any]]) -> int:
    """Return the place of the one group that is compared with no other."""
    (place,) = [place for place, row in enumerate(groups) if row["pooled_quantile"] is None]
    return place
