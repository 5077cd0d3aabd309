from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from fairsql.inference import student_t_two_sided
from tests.inference import references
from tests.sql_inference.engines import p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.sql_inference.engines import Engine, Row


def student(engine: Engine, rows: Sequence[Row]) -> list[float | None]:
    return p_values(engine, "student_ctes", "t degrees_of_freedom", rows)


def test_published_quantiles(engine: Engine) -> None:
    # R: qt(0.975, df), printed with %.17g, and what is known without it.
    rows: list[Row] = [
        (12.706204736174694, 1.0),
        (-2.2621571627982049, 9.0),
        (2.2621571627982049, 9.0),
        (1.0, 1.0),
        (0.0, 7.0),
    ]
    expected = [0.05, 0.05, 0.05, 0.5, 1.0]
    assert student(engine, rows) == pytest.approx(expected, rel=1e-12, abs=0)


@cache
def grid() -> dict[tuple[float, float], float]:
    """Distances and degrees of freedom, with the tail beyond in 160 bits."""
    distances = [1e-4, 0.01, 0.1, 0.5, 1.0, 1.96, 3.0, 7.0, 15.0, 30.0, 36.0, 1e2, 1e3, 1e4, 1e20]
    degrees = [1.0, 1.1, 2.0, 2.5, 3.0, 9.0, 29.7, 100.0, 1e3, 12345.6, 1e5, 1e6, 3e7, 1e9]
    points = [*product(distances, degrees), (1e-12, 1.0), (1e-8, 2.5), (1e-8, 100.0), (1e100, 1.5)]
    return {point: references.student_t_two_sided(*point) for point in points}


def test_grid_in_160_bits(engine: Engine) -> None:
    got = dict(zip(grid(), student(engine, list(grid())), strict=True))
    told = {point: p for point, p in grid().items() if p > 1e-300}
    assert len(told) > 150
    assert {point: got[point] for point in told} == pytest.approx(told, rel=2e-12, abs=0)
    rest = [got[point] for point in grid().keys() - told]
    assert rest == pytest.approx([0.0] * len(rest), abs=1e-300)


def test_python_says_the_same(engine: Engine) -> None:
    chance = np.random.default_rng(20)
    distances = chance.choice([-1, 1], 1000) * 10 ** chance.uniform(-6, 1.5, 1000)
    rows = list(zip(distances.tolist(), (10 ** chance.uniform(0, 9, 1000)).tolist(), strict=True))
    expected = [student_t_two_sided(*row) for row in rows]
    assert student(engine, rows) == pytest.approx(expected, rel=1e-11, abs=1e-300)


def test_what_is_unknown_is_null_and_what_doubles_cannot_hold_is_0(engine: Engine) -> None:
    rows: list[Row] = [
        (None, 3.0),
        (2.0, None),
        (None, None),
        (2.0, 3.0),
        (1e200, 1e9),
        (40.0, 1e9),
    ]
    assert student(engine, rows) == [None, None, None, pytest.approx(0.13932596855882665), 0, 0]
