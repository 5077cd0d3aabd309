from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsql.inference import (
    normal_two_sided,
    normal_two_sided_quantile,
    student_t_two_sided,
    student_t_two_sided_quantile,
)
from tests.inference import references
from tests.inference.references import relative_error

DEGREES_OF_FREEDOM = (1, 1.37, 2, 3, 9.99, 55.30943268264059, 1e3, 31_234.5, 1e6, 7.1e8)


@pytest.mark.parametrize("z", [1e-300, 1e-12, 0.1, 0.7, 1.96, 5.0, 8.3, 20.0, 37.0])
def test_normal_tail_holds_in_every_region(z: float) -> None:
    assert relative_error(normal_two_sided(z), references.normal_two_sided(z)) < 1e-12
    assert normal_two_sided(-z) == normal_two_sided(z)


def test_normal_tail_at_its_ends() -> None:
    assert normal_two_sided(0.0) == 1
    assert normal_two_sided(math.inf) == 0


@pytest.mark.parametrize(
    ("alpha", "z"),
    [  # R: qnorm(alpha / 2, lower.tail = FALSE)
        (0.05, 1.95996398454005383),
        (0.01, 2.57582930354889994),
        (2e-10, 6.36134090240405570),
        (0.9, 0.12566134685507413),
    ],
)
def test_normal_quantile(alpha: float, z: float) -> None:
    assert relative_error(normal_two_sided_quantile(alpha), z) < 1e-14


@pytest.mark.parametrize("degrees_of_freedom", DEGREES_OF_FREEDOM)
def test_student_t_tail_holds_on_a_grid_of_extremes(degrees_of_freedom: float) -> None:
    far_out = (300.0, 1e4, 1e10) if degrees_of_freedom < 10 else ()
    for t in (1e-8, 1e-4, 0.03, 0.5, 1.0, 2.1, 6.0, 15.0, 30.0, 36.5, *far_out):
        expected = references.student_t_two_sided(t, degrees_of_freedom)
        assert expected > 1e-300
        assert relative_error(student_t_two_sided(t, degrees_of_freedom), expected) < 2e-12


@pytest.mark.parametrize("t", [1.0, 20.0, 37.0])
def test_student_t_tail_holds_at_1e9_degrees_of_freedom(t: float) -> None:
    expected = references.student_t_two_sided(t, 1e9)
    assert relative_error(student_t_two_sided(t, 1e9), expected) < 2e-12


@pytest.mark.parametrize("t", [1e-150, 1e-3, 1.0, 40.0, 1e60, 1e200, 1e290])
def test_student_t_tail_in_closed_form_for_one_and_two_degrees_of_freedom(t: float) -> None:
    assert relative_error(student_t_two_sided(t, 1), 2 / math.pi * math.atan2(1, t)) < 2e-12
    if t < 1e140:
        square = t * t
        expected = 2 / (math.sqrt(2 + square) * (math.sqrt(2 + square) + t))
        assert relative_error(student_t_two_sided(t, 2), expected) < 2e-12


@pytest.mark.parametrize(
    ("t", "degrees_of_freedom", "p"),
    [  # R: t.test on sleep, ToothGrowth (supp) and mtcars (am)
        (-1.860813467486853, 17.7764735161785, 0.07939414018735817),
        (1.915268268695268, 55.30943268264059, 0.06063450788093407),
        (-3.767123145144925, 18.33225163840046, 0.001373638333071028),
    ],
)
def test_student_t_tail_as_r_has_it(t: float, degrees_of_freedom: float, p: float) -> None:
    assert relative_error(student_t_two_sided(t, degrees_of_freedom), p) < 1e-12


def test_student_t_tail_at_its_ends() -> None:
    assert student_t_two_sided(0.0, 5) == 1
    assert student_t_two_sided(math.inf, 5) == student_t_two_sided(-math.inf, 5) == 0
    assert student_t_two_sided(1e308, 1e9) == 0


@pytest.mark.parametrize(
    ("alpha", "degrees_of_freedom", "t"),
    [  # R: qt(alpha / 2, df, lower.tail = FALSE)
        (0.05, 1, 12.7062047361747066),
        (0.05, 2, 4.3026527297494637),
        (0.05, 9, 2.2621571627982049),
        (0.05, 1e6, 1.9599663568141066),
    ],
)
def test_student_t_quantile_as_r_has_it(alpha: float, degrees_of_freedom: float, t: float) -> None:
    assert relative_error(student_t_two_sided_quantile(alpha, degrees_of_freedom), t) < 1e-12


@pytest.mark.parametrize("degrees_of_freedom", [1, 1.37, 3, 9.99, 1e3, 1e6])
@pytest.mark.parametrize("alpha", [1e-200, 1e-12, 1e-4, 0.05, 0.5, 0.99])
def test_student_t_quantile_is_where_the_tail_is_alpha(
    alpha: float, degrees_of_freedom: float
) -> None:
    t = student_t_two_sided_quantile(alpha, degrees_of_freedom)
    # A quantile right to 1e-10 lies between two that are off by that, one to each side.
    above = references.student_t_two_sided(t * (1 - 1e-10), degrees_of_freedom)
    below = references.student_t_two_sided(t * (1 + 1e-10), degrees_of_freedom)
    assert below < alpha < above


@pytest.mark.parametrize("alpha", [-0.1, 0.0, 2.0])
def test_quantiles_refuse_what_is_no_level(alpha: float) -> None:
    with pytest.raises(ValueError, match=r"0\.0 < p < 1\.0"):
        normal_two_sided_quantile(alpha)
    with pytest.raises(ValueError, match=r"0\.0 < p < 1\.0"):
        student_t_two_sided_quantile(alpha, 9)


@settings(max_examples=150, deadline=None)
@given(st.floats(0, 1e6), st.floats(1, 1e9))
def test_student_t_tail_is_even_falls_with_t_and_lies_above_the_normal(
    t: float, degrees_of_freedom: float
) -> None:
    p = student_t_two_sided(t, degrees_of_freedom)
    assert 0 <= p <= 1
    assert student_t_two_sided(-t, degrees_of_freedom) == p
    assert student_t_two_sided(t * 1.01, degrees_of_freedom) <= p * (1 + 1e-12)
    assert p >= normal_two_sided(t) * (1 - 1e-12)
