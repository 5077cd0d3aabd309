from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsql.inference import (
    bounded_auc_interval,
    bounded_auc_p_value,
    hanley_mcneil_interval,
    hanley_mcneil_p_value,
    hanley_mcneil_standard_error,
    largest_auc_standard_error,
)

areas = st.floats(0, 1)
rows = st.integers(2, 10**9)
bounds = st.tuples(areas, areas).map(lambda pair: (min(pair), max(pair)))
STEPS = 40


def within(pair: tuple[float, float]) -> list[float]:
    """Return areas between two bounds, the ends among them."""
    low, high = pair
    return [min(low + (high - low) * step / STEPS, high) for step in range(STEPS + 1)]


@settings(max_examples=200, deadline=None)
@given(bounds, rows, rows)
def test_no_area_within_the_bounds_has_a_larger_standard_error(
    pair: tuple[float, float], positives: int, negatives: int
) -> None:
    largest = largest_auc_standard_error(pair, positives, negatives)
    errors = [hanley_mcneil_standard_error(area, positives, negatives) for area in within(pair)]
    assert max(errors) <= largest * (1 + 1e-12)


@settings(max_examples=200, deadline=None)
@given(areas, rows, rows)
def test_the_error_of_an_area_that_is_known_is_its_own(
    area: float, positives: int, negatives: int
) -> None:
    error = largest_auc_standard_error((area, area), positives, negatives)
    own = hanley_mcneil_standard_error(area, positives, negatives)
    assert error == pytest.approx(own, rel=1e-12)


@pytest.mark.parametrize(("positives", "negatives"), [(50, 60), (10**6, 3), (3, 10**6)])
def test_the_error_is_hardly_too_large_between_narrow_bounds(
    positives: int, negatives: int
) -> None:
    for step in range(100):
        pair = (step / 100, step / 100 + 1e-4)
        ends = [hanley_mcneil_standard_error(end, positives, negatives) for end in pair]
        assert largest_auc_standard_error(pair, positives, negatives) < max(ends) * 1.0001


@settings(max_examples=100, deadline=None)
@given(bounds, rows, rows, bounds, rows, rows)
def test_no_two_areas_within_the_bounds_have_a_larger_p_value(
    first: tuple[float, float], n1: int, m1: int, second: tuple[float, float], n2: int, m2: int
) -> None:
    p_value = bounded_auc_p_value(first, n1, m1, second, n2, m2)
    assert p_value is not None
    for one in within(first)[::4]:
        for other in within(second)[::4]:
            exact = hanley_mcneil_p_value(one, n1, m1, other, n2, m2)
            assert exact is not None
            assert exact <= p_value * (1 + 1e-9) + 1e-300


@settings(max_examples=100, deadline=None)
@given(bounds, rows, rows, st.floats(1e-6, 0.5))
def test_the_interval_holds_that_of_every_area_within_the_bounds(
    pair: tuple[float, float], positives: int, negatives: int, alpha: float
) -> None:
    found = bounded_auc_interval(pair, positives, negatives, alpha)
    assert found is not None
    for area in within(pair):
        interval = hanley_mcneil_interval(area, positives, negatives, alpha)
        assert interval is not None
        assert found[0] <= interval[0] + 1e-12
        assert interval[1] <= found[1] + 1e-12


def test_two_of_a_class_are_needed() -> None:
    assert bounded_auc_p_value((0.5, 0.6), 1, 9, (0.7, 0.8), 9, 9) is None
    assert bounded_auc_interval((0.5, 0.6), 9, 1, 0.05) is None
    assert math.isclose(bounded_auc_p_value((0.5, 0.7), 9, 9, (0.6, 0.8), 9, 9) or 0, 1)
