from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from fairsql.inference import (
    hanley_mcneil_interval,
    hanley_mcneil_p_value,
    hanley_mcneil_standard_error,
)
from tests.inference.references import relative_error

areas = st.floats(0, 1)
rows = st.integers(2, 10**9)


def standard_error_in_40_digits(auc: float, positives: int, negatives: int) -> mpf:
    """The published form, by the probabilities Q1 and Q2 of two pairs being in order."""
    with mp.workdps(40):
        margin = mpf(1) / (2 * positives * negatives)
        area = min(max(mpf(auc), margin), 1 - margin)
        q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
        variance = area * (1 - area)
        variance += (positives - 1) * (q1 - area**2) + (negatives - 1) * (q2 - area**2)
        return mp.sqrt(variance / positives / negatives)


def test_standard_error_of_hanley_and_mcneils_example() -> None:
    error = hanley_mcneil_standard_error(0.8931710615280595, 51, 58)
    assert relative_error(error, 0.03248657960734214) < 1e-13


@settings(max_examples=150, deadline=None)
@given(areas, rows, rows)
def test_standard_error_equals_the_published_form(
    auc: float, positives: int, negatives: int
) -> None:
    expected = float(standard_error_in_40_digits(auc, positives, negatives))
    error = hanley_mcneil_standard_error(auc, positives, negatives)
    assert relative_error(error, expected) < 1e-12
    # Swapping the classes and the direction of the score describes the same curve.
    if 1 - (1 - auc) == auc:
        mirrored = hanley_mcneil_standard_error(1 - auc, negatives, positives)
        assert relative_error(mirrored, error) < 1e-12


def test_standard_error_of_a_perfect_auc_survives_many_pairs() -> None:
    expected = float(standard_error_in_40_digits(1.0, 10**9, 10**9))
    assert relative_error(hanley_mcneil_standard_error(1.0, 10**9, 10**9), expected) < 1e-12
    assert hanley_mcneil_p_value(1.0, 10**9, 10**9, 1.0, 10**9, 10**9) == 1


def test_both_perfect() -> None:
    assert hanley_mcneil_p_value(1.0, 20, 20, 1.0, 10, 30) == 1
    first, second = (hanley_mcneil_interval(1.0, *n, alpha=0.05) for n in ((20, 20), (10, 30)))
    assert first == pytest.approx((0.98877, 1), abs=5e-6)
    assert second == pytest.approx((0.98183, 1), abs=5e-6)


@pytest.mark.parametrize("classes", [(1, 39), (39, 1), (0, 40)])
def test_fewer_than_two_of_a_class_is_undefined(classes: tuple[int, int]) -> None:
    assert hanley_mcneil_p_value(1.0, *classes, 0.5, 20, 20) is None
    assert hanley_mcneil_p_value(0.5, 20, 20, 1.0, *classes) is None
    assert hanley_mcneil_interval(1.0, *classes, alpha=0.05) is None


@settings(max_examples=100, deadline=None)
@given(areas, rows, rows, areas, rows, rows)
def test_p_value_in_40_digits(
    auc1: float, positives1: int, negatives1: int, auc2: float, positives2: int, negatives2: int
) -> None:
    p = hanley_mcneil_p_value(auc1, positives1, negatives1, auc2, positives2, negatives2)
    assert p is not None
    assert p == hanley_mcneil_p_value(auc2, positives2, negatives2, auc1, positives1, negatives1)
    with mp.workdps(40):
        first = standard_error_in_40_digits(auc1, positives1, negatives1)
        second = standard_error_in_40_digits(auc2, positives2, negatives2)
        # The difference of two doubles near each other is exact; elsewhere its rounding counts.
        z = abs(mpf(auc1 - auc2)) / mp.sqrt(first**2 + second**2)
        expected = mp.erfc(z / mp.sqrt(2))
        assert abs(p - expected) <= 1e-11 * expected or expected < 1e-300


@settings(max_examples=100, deadline=None)
@given(areas, rows, rows, st.floats(1e-9, 0.99))
def test_interval_holds_the_auc_and_stays_in_0_to_1(
    auc: float, positives: int, negatives: int, alpha: float
) -> None:
    interval = hanley_mcneil_interval(auc, positives, negatives, alpha)
    assert interval is not None
    assert 0 <= interval[0] <= auc <= interval[1] <= 1
    wider = hanley_mcneil_interval(auc, positives, negatives, alpha / 2)
    assert wider is not None
    assert wider[0] <= interval[0]
    assert interval[1] <= wider[1]
