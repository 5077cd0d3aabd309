from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mpmath import mp, mpf

from fairsql.inference import hanley_mcneil_p_value
from tests.inference import references
from tests.sql_inference.engines import evaluate, p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.sql_inference.engines import Engine, Row


def compared(engine: Engine, rows: Sequence[Row]) -> list[float | None]:
    columns = "auc_1 positives_1 negatives_1 auc_2 positives_2 negatives_2"
    return p_values(engine, "hanley_mcneil_ctes", columns, rows)


def squared_error(auc: float, positives: int, negatives: int) -> mpf:
    """Hanley and McNeil's variance as they write it, by the probabilities Q1 and Q2."""
    margin = mpf(1) / (2 * positives * negatives)
    area = min(max(mpf(auc), margin), 1 - margin)
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    spread = (positives - 1) * (q1 - area**2) + (negatives - 1) * (q2 - area**2)
    return (area * (1 - area) + spread) / positives / negatives


def in_50_digits(row: tuple[float, int, int, float, int, int]) -> float:
    auc1, positives1, negatives1, auc2, positives2, negatives2 = row
    with mp.workdps(50):
        first = squared_error(auc1, positives1, negatives1)
        second = squared_error(auc2, positives2, negatives2)
        z = abs(mpf(auc1) - mpf(auc2)) / mp.sqrt(first + second)
        return float(mp.erfc(z / mp.sqrt(2)))


def test_the_reference_has_the_published_standard_error() -> None:
    variance = squared_error(0.8931710615280595, 51, 58)
    assert float(mp.sqrt(variance)) == pytest.approx(0.03248657960734214, rel=1e-13)


def test_areas_as_they_are_and_errors_of_areas_moved_off_the_ends(engine: Engine) -> None:
    rows = [
        (0.8931710615280595, 51, 58, 0.75, 51, 58),
        (0.75, 51, 58, 0.8931710615280595, 51, 58),
        (1.0, 20, 20, 0.9, 10, 30),
        (0.0, 2, 2, 1.0, 2, 2),
        (0.0, 20, 30, 0.1, 300, 40),
        (1.0, 10**9, 10**9, 1 - 1e-9, 10**9, 10**9),
        (0.5, 10**9, 10**9, 0.5001, 10**9, 10**9),
        (0.5, 10**6, 10**6, 0.515, 10**6, 10**6),
    ]
    expected = [in_50_digits(row) for row in rows]
    assert min(expected) > 1e-300
    assert compared(engine, rows) == pytest.approx(expected, rel=1e-12, abs=0)


def test_equal_areas(engine: Engine) -> None:
    rows: list[Row] = [
        (1.0, 20, 20, 1.0, 10, 30),
        (0.0, 20, 20, 0.0, 10, 30),
        (0.7, 5, 6, 0.7, 500, 600),
        # 1 less half a pair of 1e18 rounds to 1: the error must not become 0.
        (1.0, 10**9, 10**9, 1.0, 10**9, 10**9),
        (0.0, 10**9, 10**9, 0.0, 10**9, 10**9),
    ]
    assert compared(engine, rows) == [1] * 5


def test_fewer_than_two_of_a_class_are_undefined(engine: Engine) -> None:
    rows: list[Row] = [
        (1.0, 1, 39, 0.0, 1, 39),
        (1.0, 39, 1, 0.5, 20, 20),
        (0.5, 20, 20, 1.0, 1, 39),
        (0.5, 20, 20, 1.0, 39, 1),
        (None, 0, 40, 0.5, 20, 20),
        (0.5, 20, 20, None, 40, 0),
    ]
    assert compared(engine, rows) == [None] * 6


def test_what_doubles_cannot_hold_is_0(engine: Engine) -> None:
    assert compared(engine, [(1.0, 10**9, 10**9, 0.0, 10**9, 10**9)]) == [0]


def test_python_says_the_same(engine: Engine) -> None:
    chance = np.random.default_rng(3)
    rows = []
    for _ in range(500):
        first = float(chance.random())
        classes = (10 ** chance.uniform(0.31, 9, 4)).astype(int).tolist()
        second = min(1.0, max(0.0, first + float(chance.normal(0, 3)) / min(classes) ** 0.5))
        rows.append((first, classes[0], classes[1], second, classes[2], classes[3]))
    expected = [hanley_mcneil_p_value(*row) for row in rows]
    assert compared(engine, rows) == pytest.approx(expected, rel=1e-11, abs=1e-300)


def test_normal_tail_in_160_bits(engine: Engine) -> None:
    places = [0.0, 1e-100, 1e-8, 0.3, 1.0, 1.959963984540054, 5.0, 7.99, 8.0, 8.01, 20.0, 37.0]
    expected = [references.normal_two_sided(z) for z in places]
    got = evaluate(engine, "normal_two_sided", "z", [(z,) for z in places])
    assert got == pytest.approx(expected, rel=1e-13, abs=0)
