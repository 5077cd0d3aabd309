from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from fairsql.inference import welch
from tests.oracle import significance
from tests.sql_inference.engines import p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.sql_inference.engines import Engine, Row


def welch_tests(engine: Engine, rows: Sequence[Row]) -> list[float | None]:
    columns = "n_1 mean_1 variance_1 n_2 mean_2 variance_2"
    return p_values(engine, "welch_ctes", columns, rows)


def test_published_samples(engine: Engine) -> None:
    rows: list[Row] = [
        (10, 0.75, 3.200555555555556, 10, 2.33, 4.009),
        (30, 20.66333333333333, 43.63343678160919, 30, 16.96333333333333, 68.32722988505746),
        (19, 17.14736842105263, 14.69929824561403, 13, 24.39230769230769, 38.02576923076922),
        (40, 1e9 + 20.5, 410 / 3, 40, 1e9 + 21.5, 410 / 3),
        (10**7, 0.5, 0.25, 10**7, 0.5003, 0.25),
    ]
    # R: t.test; the last one was published with 7 digits.
    expected = [0.07939414018735817, 0.06063450788093407, 0.001373638333071028, 0.7030968211135594]
    got = welch_tests(engine, rows)
    assert got[:4] == pytest.approx(expected, rel=1e-12, abs=0)
    assert got[4] == pytest.approx(0.1797125, rel=1e-6, abs=0)


def test_constant_samples(engine: Engine) -> None:
    rows: list[Row] = [
        (33, 0.1, 0.0, 50, 0.1, 0.0),
        (40, 100000.1, 0.0, 40, 100000.0, 0.0),
        (2, 0.0, 0.0, 2, 5e-324 * 2**60, 0.0),
        (40, 3.0, 0.0, 40, 3.0, 1.0),
        (40, 3.0, 0.0, 40, 3.5, 1.0),
    ]
    one_constant = significance.welch((40, 3.0, 0.0), (40, 3.5, 1.0))
    assert welch_tests(engine, rows) == [1, 0, 0, 1, pytest.approx(one_constant, rel=1e-12, abs=0)]


def test_fewer_than_two_rows_on_a_side_are_undefined(engine: Engine) -> None:
    rows: list[Row] = [
        (1, 5.0, None, 40, 19.5, 136.0),
        (40, 19.5, 136.0, 1, 5.0, None),
        (1, 5.0, 0.0, 40, 5.0, 0.0),
        (0, None, None, 40, 5.0, 1.0),
        (2, 1.0, 0.5, 2, 2.0, 0.5),
    ]
    last = significance.welch((2, 1.0, 0.5), (2, 2.0, 0.5))
    assert welch_tests(engine, rows) == [None] * 4 + [pytest.approx(last, rel=1e-12, abs=0)]


def test_moments_too_large_for_a_double_are_undefined(engine: Engine) -> None:
    rows = [(40, 3.0, math.inf, 40, 3.5, 1.0), (40, 3.0, 1e308, 2, 3.5, 1.5e308)]
    assert welch(*rows[0]) is None
    assert welch_tests(engine, rows) == [None, pytest.approx(1, rel=1e-12)]


def test_python_and_the_oracle_say_the_same(engine: Engine) -> None:
    chance = np.random.default_rng(7)
    rows = []
    for _ in range(500):
        n1, n2 = (10 ** chance.uniform(0.31, 9, 2)).astype(int).tolist()
        variance1 = float(10 ** chance.uniform(-150, 150))
        # Of the same size as the first, or of any other.
        variance2 = float(10 ** chance.uniform(-150, 150)) if chance.random() < 0.2 else variance1
        variance2 *= float(10 ** chance.uniform(-6, 6))
        error = (variance1 / n1 + variance2 / n2) ** 0.5
        rows.append((n1, 0.0, variance1, n2, chance.normal(0, 3) * error, variance2))
    got = welch_tests(engine, rows)
    assert got == pytest.approx([welch(*row) for row in rows], rel=1e-11, abs=1e-300)
    # Python has the same quadrature; the oracle has the incomplete beta function in balls.
    oracle = [significance.welch(row[:3], row[3:]) for row in rows[:150]]
    assert got[:150] == pytest.approx(oracle, rel=1e-11, abs=1e-300)
