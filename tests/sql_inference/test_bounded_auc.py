"""The p-value in SQL of two AUCs that are known between bounds: Python's, which its tests prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from fairsql.inference import bounded_auc_p_value, hanley_mcneil_p_value
from tests.sql_inference.engines import p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.sql_inference.engines import Engine, Row


def compared(engine: Engine, rows: Sequence[Row]) -> list[float | None]:
    columns = " ".join(
        f"least_auc_{side} greatest_auc_{side} positives_{side} negatives_{side}" for side in (1, 2)
    )
    return p_values(engine, "bounded_auc_ctes", columns, rows)


def drawn(count: int, widths: tuple[float, ...]) -> list[Row]:
    chance = np.random.default_rng(11)
    rows: list[Row] = []
    for _ in range(count):
        classes = (10 ** chance.uniform(0.31, 9, 4)).astype(int).tolist()
        first = float(chance.random())
        second = first + float(chance.normal(0, 3)) / min(classes) ** 0.5
        sides: list[float] = []
        for centre, counts in ((first, classes[:2]), (second, classes[2:])):
            half = float(chance.choice(widths))
            ends = (centre - half, centre + half)
            sides += [min(max(end, 0.0), 1.0) for end in ends] + counts
        rows.append(tuple(sides))
    return rows


def test_python_says_the_same(engine: Engine) -> None:
    rows = drawn(400, (0.0, 1e-9, 1e-4, 0.01, 0.2))
    expected = [
        bounded_auc_p_value((a, b), c, d, (e, f), g, h)  # type: ignore[arg-type]
        for a, b, c, d, e, f, g, h in rows
    ]
    assert sum(p_value == 1 for p_value in expected) < 300
    assert compared(engine, rows) == pytest.approx(expected, rel=1e-11, abs=1e-300)


def test_an_area_that_is_known_has_the_p_value_of_hanley_and_mcneil(engine: Engine) -> None:
    rows = drawn(200, (0.0,))
    expected = [hanley_mcneil_p_value(a, c, d, e, g, h) for a, _, c, d, e, _, g, h in rows]  # type: ignore[arg-type]
    assert compared(engine, rows) == pytest.approx(expected, rel=1e-11, abs=1e-300)


def test_bounds_that_meet_are_no_difference(engine: Engine) -> None:
    rows: list[Row] = [
        (0.7, 0.8, 50, 60, 0.8, 0.9, 50, 60),
        (0.7, 0.9, 50, 60, 0.75, 0.8, 50, 60),
        (0.0, 1.0, 2, 2, 1.0, 1.0, 2, 2),
    ]
    assert compared(engine, rows) == [1, 1, 1]


def test_what_is_not_compared_or_has_too_few_is_undefined(engine: Engine) -> None:
    rows: list[Row] = [
        (None, None, 50, 60, 0.8, 0.9, 50, 60),
        (0.7, 0.8, 50, 60, None, None, 50, 60),
        (0.7, 0.8, 1, 60, 0.8, 0.9, 50, 60),
        (0.7, 0.8, 50, 60, 0.8, 0.9, 50, 1),
    ]
    assert compared(engine, rows) == [None] * 4
