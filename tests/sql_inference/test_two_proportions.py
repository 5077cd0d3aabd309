from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from statsmodels.stats.proportion import proportions_ztest

from fairsql.inference import two_proportion_p_value
from tests.sql_inference.engines import p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.sql_inference.engines import Engine, Row


def compared(engine: Engine, rows: Sequence[Row]) -> list[float | None]:
    return p_values(engine, "two_proportion_ctes", "share_1 n_1 share_2 n_2", rows)


def test_statsmodels_says_the_same(engine: Engine) -> None:
    rows = [(0.5, 20.5, 0.25, 31.25), (0.9, 1.0, 0.1, 1.0), (0.0, 40.0, 0.125, 17.3)]
    expected = [proportions_ztest([p * n, q * m], [n, m])[1] for p, n, q, m in rows]
    assert compared(engine, rows) == pytest.approx(expected, rel=1e-9)


def test_python_says_the_same(engine: Engine) -> None:
    chance = np.random.default_rng(5)
    rows = []
    for _ in range(400):
        n, m = (1 + 10 ** chance.uniform(-2, 8, 2)).tolist()
        first = float(chance.random())
        second = min(1.0, max(0.0, first + float(chance.normal(0, 2)) / min(n, m) ** 0.5))
        rows.append((first, n, second, m))
    expected = [two_proportion_p_value(*row) for row in rows]
    assert compared(engine, rows) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_all_or_none_of_both_samples_is_no_disparity(engine: Engine) -> None:
    rows = [(0.0, 3.5, 0.0, 7.0), (1.0, 3.5, 1.0, 7.0), (0.5, 3.5, 0.5, 7.0)]
    assert compared(engine, rows) == [1.0, 1.0, 1.0]


def test_a_share_that_is_undefined_has_no_p_value(engine: Engine) -> None:
    rows: list[Row] = [(None, 3.5, 0.5, 7.0), (0.5, 3.5, None, 7.0), (0.5, 3.5, 0.2, 7.0)]
    assert [value is None for value in compared(engine, rows)] == [True, True, False]


def test_what_doubles_cannot_hold_is_0(engine: Engine) -> None:
    assert compared(engine, [(0.9, 1e9, 0.1, 1e9)]) == [0.0]
