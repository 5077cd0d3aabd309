from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsql.inference import Adjustment, adjust_p_values

if TYPE_CHECKING:
    from random import Random

families = st.lists(st.none() | st.floats(0, 1) | st.sampled_from([0.01, 0.05]), max_size=30)

# Benjamini & Hochberg's own example, then one with ties, an end and thirds.
PUBLISHED = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240),
    *(0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]
TIED = [0.012, 0.0004, 0.3, 0.012, 0.7, 0.047, 1 / 3, 0.9999, 0.0, 0.0501, 0.6, 0.08]


@pytest.mark.parametrize(
    ("method", "family_size", "expected"),
    [  # R: p.adjust(p, "holm"), p.adjust(p, "BH") and the same with n = 78 and n = 20, %.17g
        ("holm", None, [0.12, 0.0044000000000000003, 1, 0.12, 1, 0.376, 1, 1, 0, 0.376, 1, 0.48]),
        (
            "benjamini_hochberg",
            None,
            [
                *(0.036000000000000004, 0.0024000000000000002, 0.44444444444444442),
                *(0.036000000000000004, 0.76363636363636356, 0.1002, 0.44444444444444442),
                *(0.9999, 0, 0.1002, 0.71999999999999997, 0.13714285714285715),
            ],
        ),
        (
            "holm_all_pairs",
            78,
            [0.91200000000000003, 0.030800000000000001, 1, 0.912, 1, 1, 1, 1, 0, 1, 1, 1],
        ),
        (
            "benjamini_hochberg",
            20,
            [
                *(0.059999999999999998, 0.004, 0.7407407407407407, 0.059999999999999998, 1),
                *(0.16700000000000001, 0.7407407407407407, 1, 0, 0.16700000000000001, 1),
                0.22857142857142859,
            ],
        ),
    ],
)
def test_adjustment_equals_r_to_the_last_bit(
    method: Adjustment, family_size: int | None, expected: list[float]
) -> None:
    assert adjust_p_values(TIED, method, family_size) == expected


def test_adjustment_of_the_published_family() -> None:
    holm = [0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, *[1] * 6]
    assert adjust_p_values(PUBLISHED, "holm") == pytest.approx(holm, rel=1e-12)
    benjamini_hochberg = [
        *(0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.063857142857, 0.063857142857, 0.0645),
        *(0.0765, 0.486, 0.581181818, 0.714875, 0.753230769, 0.813214286, 1),
    ]
    adjusted = adjust_p_values(PUBLISHED, "benjamini_hochberg")
    assert adjusted == pytest.approx(benjamini_hochberg, rel=1e-8)


def test_what_has_no_p_value_is_no_member_of_the_family() -> None:
    p_values = [0.01, None, 0.04, 0.03]
    assert adjust_p_values(p_values, "none") == p_values
    assert adjust_p_values(p_values, "holm") == [0.03, None, 0.06, 0.06]
    assert adjust_p_values(p_values, "benjamini_hochberg") == [0.03, None, 0.04, 0.04]
    # R: p.adjust(c(.01, NA, .04, .03), "holm", n = 6)
    assert adjust_p_values(p_values, "holm_all_pairs", 6) == [
        0.059999999999999998,
        None,
        0.16,
        0.14999999999999999,
    ]
    assert adjust_p_values([0.01, math.nan, 0.04], "holm") == [0.02, None, 0.04]
    assert adjust_p_values([None, None], "holm") == [None, None]
    assert adjust_p_values([], "benjamini_hochberg") == []


def test_black_applicants_of_the_local_law_144_example() -> None:
    others = [0.1158804854710326, 0.3343365295024585, 0.0900699841623115, 0.5842194666243815]
    black, native_american = 9.430110452292521e-03, 0.3416183470565171
    six = adjust_p_values([black, *others, native_american], "holm")
    five = adjust_p_values([black, *others], "holm")
    assert six[0] == pytest.approx(0.05658066, rel=1e-6)
    assert five[0] == pytest.approx(0.04715055, rel=1e-6)


def test_wrong_families_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a family size"):
        adjust_p_values([0.1], "holm_all_pairs")
    with pytest.raises(ValueError, match="cannot hold 3"):
        adjust_p_values([0.1, 0.2, 0.3], "holm_all_pairs", 2)
    with pytest.raises(ValueError, match="'bonferroni'"):
        adjust_p_values([0.1], cast("Adjustment", "bonferroni"))


@given(families)
def test_adjusting_raises_keeps_the_order_and_knows_its_place(p_values: list[float | None]) -> None:
    present = [p for p in p_values if p is not None]
    methods: tuple[Adjustment, ...] = ("none", "benjamini_hochberg", "holm", "holm_all_pairs")
    adjusted = {
        method: adjust_p_values(p_values, method, family_size=len(p_values) ** 2)
        if method == "holm_all_pairs"
        else adjust_p_values(p_values, method)
        for method in methods
    }
    for p, *others in zip(p_values, *adjusted.values(), strict=True):
        if p is None:
            assert others == [None] * 4
        else:
            # Each of these methods is at least as strict as the one before, Bonferroni the most.
            bounds = [p, *others, min(1.0, p * len(p_values) ** 2)]
            # n / i * p rounds twice.
            assert all(low <= high * (1 + 1e-15) for low, high in pairwise(bounds)), bounds
    for values in adjusted.values():
        by_p = sorted(zip(present, (v for v in values if v is not None), strict=True))
        assert all(low[1] <= high[1] for low, high in pairwise(by_p))


@given(families, st.randoms(use_true_random=False))
def test_adjusting_does_not_depend_on_the_order_of_the_groups(
    p_values: list[float | None], random: Random
) -> None:
    order = list(range(len(p_values)))
    random.shuffle(order)
    for method in ("holm", "benjamini_hochberg"):
        adjusted = adjust_p_values(p_values, method)
        shuffled = adjust_p_values([p_values[i] for i in order], method)
        assert shuffled == [adjusted[i] for i in order]
