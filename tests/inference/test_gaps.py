"""The largest gap between group rates: closed form, and a coverage that is measured."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

from fairsql.inference import largest_gap

# Worked out by hand from Agresti and Caffo (2000), at four places.
KNOWN: list[tuple[list[tuple[float, float]], float, float]] = [
    ([(30, 100), (50, 100)], 0.0642, 0.3279),
    ([(10, 100), (20, 100), (30, 100)], 0.0646, 0.3276),
    ([(5, 40), (1, 40)], 0.0, 0.2191),
]


@pytest.mark.parametrize(("counts", "lower", "upper"), KNOWN)
def test_published_bounds(counts: list[tuple[float, float]], lower: float, upper: float) -> None:
    gap = largest_gap(counts, 0.05)
    assert gap is not None
    assert (round(gap.lower, 4), round(gap.upper, 4)) == (lower, upper)


def test_each_pair_is_statsmodels_at_bonferronis_level() -> None:
    chance = np.random.default_rng(3)
    for _ in range(200):
        groups = int(chance.integers(2, 6))
        rows = chance.integers(1, 200, groups)
        hits = chance.binomial(rows, chance.random(groups))
        level = 0.05 / (groups * (groups - 1) / 2)
        lows, highs = [0.0], []
        for first, second in combinations(range(groups), 2):
            low, high = confint_proportions_2indep(
                hits[first],
                rows[first],
                hits[second],
                rows[second],
                method="agresti-caffo",
                alpha=level,
            )
            lows += [low, -high]
            highs += [high, -low]
        gap = largest_gap(list(zip(hits, rows, strict=True)), 0.05)
        assert gap is not None
        rates = hits / rows
        observed = float(rates.max() - rates.min())
        assert gap.value == pytest.approx(observed, rel=1e-12)
        assert gap.lower == pytest.approx(min(max(lows), observed), rel=1e-9, abs=1e-12)
        assert gap.upper == pytest.approx(max(min(max(highs), 1.0), observed), rel=1e-9)


def test_groups_without_rows_are_no_groups() -> None:
    assert largest_gap([], 0.05) is None
    assert largest_gap([(3, 10), (0, 0)], 0.05) is None
    assert largest_gap([(3, 10), (0, 0), (5, 10)], 0.05) == largest_gap([(3, 10), (5, 10)], 0.05)


def test_the_bounds_hold_the_gap_of_rates_of_0_and_1() -> None:
    gap = largest_gap([(0, 500), (500, 500)], 0.05)
    assert gap is not None
    assert gap.lower < gap.value == gap.upper == 1.0


@pytest.mark.parametrize(
    "rates",
    [(0.3, 0.5), (0.1, 0.1, 0.1, 0.1), (0.02, 0.05, 0.4), (0.5, 0.5), (0.9, 0.1, 0.2, 0.3, 0.5)],
)
@pytest.mark.parametrize("rows", [10, 60])
def test_the_truth_is_held_at_the_stated_level(rates: tuple[float, ...], rows: int) -> None:
    chance = np.random.default_rng(7)
    truth = max(rates) - min(rates)
    runs = 2000
    held = 0
    for _ in range(runs):
        hits = chance.binomial(rows, rates)
        gap = largest_gap([(int(count), rows) for count in hits], 0.05)
        assert gap is not None
        held += gap.lower - 1e-12 <= truth <= gap.upper + 1e-12
    assert held / runs >= 0.94  # 0.95 less twice the standard error of 2,000 runs
