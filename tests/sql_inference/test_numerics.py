from __future__ import annotations

from collections.abc import Callable

import pytest
from mpmath import mp, mpf

from tests.sql_inference.engines import Engine, evaluate

HALVES = [n + 0.5 for n in range(60)]
WHOLE = [float(n) for n in range(2, 60)]
LARGE = [20.25, 33.3, 100.1, 777.7, 1e4 / 3, 1e6 / 7, 1e9, 4e9]
BETWEEN = [2.5 * 1.07**i for i in range(120)]


def shortfall(x: mpf) -> mpf:
    return mp.loggamma(x) - ((x - mpf(1) / 2) * mp.log(x) - x + mp.log(2 * mp.pi) / 2)


def half_excess(x: mpf) -> mpf:
    return x * mp.log(x) - x + mp.log(2 * mp.pi) / 2 - mp.loggamma(x + mpf(1) / 2)


def ratio_excess(x: mpf) -> mpf:
    return mp.loggamma(x) + mp.log(x) / 2 - mp.loggamma(x + mpf(1) / 2)


@pytest.mark.parametrize(
    ("macro", "leftover", "places", "accuracy"),
    [
        ("stirling_shortfall", shortfall, [*WHOLE, *LARGE], 2e-16),
        ("half_stirling_excess", half_excess, [*HALVES, *LARGE], 2e-14),
        ("gamma_ratio_excess", ratio_excess, [*BETWEEN, *LARGE], 7e-15),
    ],
)
def test_what_stirlings_formula_leaves_over(
    engine: Engine,
    macro: str,
    leftover: Callable[[mpf], mpf],
    places: list[float],
    accuracy: float,
) -> None:
    got = evaluate(engine, macro, "x", [(x,) for x in places])
    with mp.workdps(50):
        expected = [float(leftover(mpf(x))) for x in places]
    assert got == pytest.approx(expected, rel=0, abs=accuracy)


def test_logarithm_near_1(engine: Engine) -> None:
    places = [0.0, 1e-150, 1e-17, 1e-5, 0.0999, 0.1, 0.1001, 1.0, 1e10, 1e300]
    with mp.workdps(50):
        expected = [float(mp.log1p(mpf(x))) for x in places]
    assert evaluate(engine, "log1p", "x", [(x,) for x in places]) == pytest.approx(
        expected, rel=1e-15, abs=0
    )


def test_complement_of_the_exponential(engine: Engine) -> None:
    places = [0.0, 1e-300, 1e-17, 1e-5, 0.0999, 0.1, 0.1001, 1.0, 40.0, 800.0]
    with mp.workdps(50):
        expected = [float(-mp.expm1(-mpf(x))) for x in places]
    assert evaluate(engine, "one_minus_exp", "x", [(x,) for x in places]) == pytest.approx(
        expected, rel=2e-15, abs=0
    )


def test_deviance_keeps_its_digits_where_counts_agree(engine: Engine) -> None:
    expected_counts = [0.25, 3.0, 1e3, 1e6, 1e9]
    differences = [0.0, 1e-6, 0.01, 0.125, 0.2, 0.23, 0.75, 1.5, 100.0]
    rows = [
        (e * (1 + share), e, e * (1 + share) - e)
        for e in expected_counts
        for share in [*differences, *(-s for s in differences if s < 1), -1.0]
    ]
    with mp.workdps(50):
        exact = [
            float(mpf(o) * mp.log(mpf(o) / mpf(e)) + mpf(e) - mpf(o)) if o else e
            for o, e, _ in rows
        ]
    got = evaluate(engine, "deviance", "observed expected difference", rows)
    assert got == pytest.approx(exact, rel=1e-14, abs=0)
