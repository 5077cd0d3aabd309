from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsql.inference import NO_ROWS, Moments, complements, merge_moments, t_interval, welch
from tests.inference.references import relative_error

if TYPE_CHECKING:
    from collections.abc import Iterable

samples = st.lists(st.lists(st.integers(-50, 50), max_size=8), min_size=1, max_size=9)
offsets = st.sampled_from([0.0, 1.0, 1e5, -1e9])


def moments(values: Iterable[float]) -> Moments:
    """A sample's moments in fractions, rounded once at the end."""
    exact = [Fraction(x) for x in values]
    if not exact:
        return NO_ROWS
    mean = sum(exact) / len(exact)
    m2 = sum((x - mean) ** 2 for x in exact)
    return Moments(len(exact), float(mean), float(m2), float(min(exact)), float(max(exact)))


def assert_close(got: Moments, expected: Moments) -> None:
    assert (got.n, got.minimum, got.maximum) == (expected.n, expected.minimum, expected.maximum)
    scale = max(abs(expected.minimum), abs(expected.maximum)) if expected.n else 1
    assert got.mean == pytest.approx(expected.mean, rel=1e-15, abs=1e-15 * scale)
    # Each part's mean came rounded to a double, by some 1e-16 of its size.
    doubt = expected.n * (4e-16 * scale) * (1 + 100)
    assert got.m2 == pytest.approx(expected.m2, rel=1e-12, abs=doubt)


# --- Merging --------------------------------------------------------------------------------------


def test_large_offsets_survive_merging() -> None:
    assert merge_moments([moments([1e9 + x]) for x in (1, 2, 3)]).variance == 1
    parts = [moments(1e9 + (i * j) % 7 for j in range(25)) for i in range(1, 401)]
    everything = moments(1e9 + (i * j) % 7 for i in range(1, 401) for j in range(25))
    merged = merge_moments(parts)
    assert merged.mean == everything.mean
    assert relative_error(merged.m2, everything.m2) < 1e-7


def test_a_part_that_holds_nearly_all_rows_leaves_its_complement_exact() -> None:
    giant = Moments(10**9, 1e6, 1e18, 0.0, 1e9)
    small = [moments([1.0, 2.0]), moments([4.0, 5.0, 9.0])]
    assert_close(complements([*small, giant])[2], moments([1.0, 2.0, 4.0, 5.0, 9.0]))
    assert_close(complements([giant, *small])[0], moments([1.0, 2.0, 4.0, 5.0, 9.0]))


def test_constant_samples_have_their_value_as_mean() -> None:
    tenth = Moments(3, 0.1 + 2e-17, 1e-33, 0.1, 0.1)
    assert (tenth.mean, tenth.m2, tenth.variance) == (0.1, 0.0, 0.0)
    merged = merge_moments([tenth, moments([0.1] * 7), moments([0.1])])
    assert merged == Moments(11, 0.1, 0.0, 0.1, 0.1)


def test_samples_without_rows() -> None:
    one = moments([3.0])
    assert merge_moments([]) == merge_moments([NO_ROWS, NO_ROWS]) == NO_ROWS
    assert merge_moments([NO_ROWS, one, NO_ROWS]) == one
    assert complements([]) == []
    assert complements([one]) == [NO_ROWS]
    assert complements([one, NO_ROWS]) == [NO_ROWS, one]
    assert NO_ROWS.variance is None
    assert one.variance is None


@settings(deadline=None)
@given(samples, offsets)
def test_merging_parts_gives_the_moments_of_the_whole(
    parts: list[list[int]], offset: float
) -> None:
    shifted = [[offset + x for x in part] for part in parts]
    merged = merge_moments([moments(part) for part in shifted])
    assert_close(merged, moments(x for part in shifted for x in part))


@settings(deadline=None)
@given(samples, offsets)
def test_complements_are_the_moments_of_all_other_parts(
    parts: list[list[int]], offset: float
) -> None:
    shifted = [[offset + x for x in part] for part in parts]
    others = complements([moments(part) for part in shifted])
    assert len(others) == len(parts)
    for i, other in enumerate(others):
        assert_close(other, moments(x for j, part in enumerate(shifted) if j != i for x in part))


# --- Welch ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [  # R: t.test on sleep, ToothGrowth (supp) and mtcars (am)
        ((10, 0.75, 3.200555555555556), (10, 2.33, 4.009), 0.079394140187358173),
        (
            (30, 20.66333333333333, 43.63343678160919),
            (30, 16.96333333333333, 68.32722988505746),
            0.060634507880934066,
        ),
        (
            (19, 17.14736842105263, 14.69929824561403),
            (13, 24.39230769230769, 38.02576923076922),
            0.0013736383330710284,
        ),
    ],
)
def test_welch_as_r_has_it(
    first: tuple[int, float, float], second: tuple[int, float, float], p: float
) -> None:
    got = welch(*first, *second)
    assert got is not None
    assert relative_error(got, p) < 1e-12
    assert welch(*second, *first) == got


def test_welch_of_many_rows() -> None:
    p = welch(10**7, 0.5, 0.25, 10**7, 0.5003, 0.25)
    assert p == pytest.approx(0.1797125, abs=5e-8)


def test_welch_of_means_near_1e9() -> None:
    first, second = (moments(1e9 + start + i for i in range(40)) for start in (1, 2))
    assert first.variance is not None
    assert second.variance is not None
    p = welch(40, first.mean, first.variance, 40, second.mean, second.variance)
    assert p == pytest.approx(0.7030968211135594, rel=1e-12)


def test_welch_of_constant_samples() -> None:
    assert welch(33, 0.1, 0.0, 50, 0.1, 0.0) == 1
    assert welch(40, 100000.1, 0.0, 40, 100000.0, 0.0) == 0
    # One constant side leaves the other's n - 1 degrees of freedom: R, t.test(x, mu = 2).
    p = welch(10, 0.75, 3.2005555555555558, 7, 2.0, 0.0)
    assert p == pytest.approx(0.054488167441036961, rel=1e-12)


def test_welch_is_undefined_where_no_variance_is() -> None:
    assert welch(1, 3.0, 0.0, 40, 2.0, 1.0) is None
    assert welch(40, 3.0, 1.0, 1, 2.0, 0.0) is None
    assert welch(40, 1e300, math.inf, 40, 2.0, 1.0) is None


@pytest.mark.parametrize("scale", [1e-160, 1e-100, 1e100, 1e150])
def test_welch_does_not_depend_on_the_units(scale: float) -> None:
    p = welch(10, 0.75 * scale, 3.2 * scale**2, 10, 2.33 * scale, 4.009 * scale**2)
    assert p == pytest.approx(welch(10, 0.75, 3.2, 10, 2.33, 4.009), rel=1e-4)


# --- t interval -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sample", "alpha", "interval"),
    [  # R: t.test(x, conf.level = 1 - alpha)$conf.int, sleep's first group and mtcars' manual cars
        ((10, 0.75, 3.2005555555555558), 0.05, (-0.52978041352623217, 2.02978041352623206)),
        ((10, 0.75, 3.2005555555555558), 0.01, (-1.0885441744314501, 2.5885441744314499)),
        (
            (13, 24.392307692307693, 38.025769230769221),
            0.05,
            (20.665926734854278, 28.118688649761108),
        ),
    ],
)
def test_t_interval_as_r_has_it(
    sample: tuple[int, float, float], alpha: float, interval: tuple[float, float]
) -> None:
    assert t_interval(*sample, alpha=alpha) == pytest.approx(interval, rel=1e-12)


def test_t_interval_at_its_edges() -> None:
    assert t_interval(1, 3.0, 0.0, alpha=0.05) is None
    assert t_interval(40, 3.0, 0.0, alpha=0.05) == (3.0, 3.0)
    assert t_interval(40, 3.0, math.inf, alpha=0.05) is None
    lifted = t_interval(10, 0.75, 3.2005555555555558, alpha=0.05, floor=0.0)
    assert lifted == pytest.approx((0.0, 2.02978041352623206), rel=1e-12, abs=0)
    untouched = t_interval(13, 24.392307692307693, 38.025769230769221, alpha=0.05, floor=0.0)
    assert untouched is not None
    assert untouched[0] == pytest.approx(20.665926734854278, rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 10**6), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.floats(0.001, 0.5))
def test_t_interval_ends_where_the_test_of_its_mean_gives_alpha(
    n: int, mean: float, variance: float, alpha: float
) -> None:
    interval = t_interval(n, mean, variance, alpha)
    assert interval is not None
    assert interval[0] < mean < interval[1]
    width = interval[1] - mean
    if width > 1e-6 * abs(mean):
        # A constant second sample makes Welch's test a one-sample test.
        assert welch(n, mean, variance, 2, interval[1], 0.0) == pytest.approx(alpha, rel=1e-6)
