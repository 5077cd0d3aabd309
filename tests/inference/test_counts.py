from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsql.inference import (
    fisher_exact,
    order_statistic_ranks,
    pooled_quantile_p_value,
    wilson_interval,
)
from tests.inference import references
from tests.inference.references import relative_error

HALF, P95 = Fraction(1, 2), Fraction(19, 20)
counts = st.integers(0, 60)
levels = st.sampled_from([HALF, Fraction(9, 10), P95, Fraction(99, 100), Fraction(1, 100)])


# --- Fisher ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "p"),
    [  # R: fisher.test(matrix(c(a, b, c, d), 2, byrow = TRUE))$p.value
        ((3, 1, 1, 3), 0.4857142857142858),
        ((2, 15, 10, 3), 5.367241191434364e-04),
        ((345, 455, 260, 345), 0.95667786399264354),
        ((50, 1, 257, 375), 1.222047036352588e-17),
        ((5829225, 5692693, 5760959, 5760959), 6.1262127126238397e-178),
        ((333, 381, 801722, 7664285), 2.802043468953599e-145),
        ((500000, 500000, 500500, 499500), 0.4803792983230997),
        ((72, 215, 84, 302), 0.35574790149356156),  # 0.3117 with a slack of 1e-14
        ((140, 84, 283, 102), 0.0061087495156528192),  # 0.0048 with a slack of 1e-14
        ((1, 78, 140655198, 264232679), 1.8751748911134319e-13),
        ((0, 5, 5, 0), 0.007936507936507936),
        ((5, 11, 10, 5), 0.07559747873325233),
        ((26, 22, 206, 53), 0.0004041588085768439),  # Connecticut v. Teal
        ((1198, 1493, 557, 1278), 4.835903179337284e-22),  # Berkeley, pooled
        ((512, 313, 89, 19), 1.669189e-05),  # Berkeley, department A
        ((24, 56, 30, 50), 0.4033092180943446),
        ((0, 40, 4, 36), 0.1155680),
        ((140, 60, 90, 110), 6.249e-07),
        # NYC Local Law 144's selection example, against men and against White
        ((555, 626, 667, 723), 0.6344861896601167),
        ((170, 220, 412, 385), 9.430110452292521e-03),
        ((52, 67, 412, 385), 0.1158804854710326),
        ((302, 314, 412, 385), 0.3343365295024585),
        ((18, 23, 412, 385), 0.3416183470565171),
        ((96, 117, 412, 385), 0.0900699841623115),
        ((204, 204, 412, 385), 0.5842194666243815),
    ],
)
def test_fisher_of_published_tables(table: tuple[int, int, int, int], p: float) -> None:
    digits = len(f"{p:e}".split("e")[0].rstrip("0").replace(".", ""))
    tolerance = 1e-12 if len(repr(p)) > 12 else 0.6 * 10.0 ** (1 - digits)
    assert relative_error(fisher_exact(*table), p) < tolerance


@pytest.mark.parametrize("table", [(0, 10, 0, 12), (10, 0, 12, 0), (0, 0, 3, 4), (0, 0, 0, 0)])
def test_fisher_with_an_empty_margin_is_1(table: tuple[int, int, int, int]) -> None:
    assert fisher_exact(*table) == 1


def test_fisher_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        fisher_exact(3, -1, 2, 2)


@settings(max_examples=300, deadline=None)
@given(counts, counts, counts, counts)
def test_fisher_equals_whole_number_arithmetic_and_ignores_the_layout(
    a: int, b: int, c: int, d: int
) -> None:
    p = fisher_exact(a, b, c, d)
    assert relative_error(p, references.fisher_exact(a, b, c, d)) < 1e-13
    for same in ((a, c, b, d), (b, a, d, c), (c, d, a, b)):
        assert relative_error(fisher_exact(*same), p) < 1e-13


@pytest.mark.parametrize(
    "table",
    [
        (2174, 1522, 854, 1600),
        (4, 2996, 900, 2100),
        (370, 939, 103, 3),
        (284, 1, 7, 764),
        (700, 700, 701, 699),
        (1, 78, 1406551982, 2642326796),
        (0, 300, 10**9, 10**9),
        (1000, 20, 10**9, 10**9),
        (3, 1_000, 10**9, 10**9),
    ],
)
def test_fisher_of_lopsided_tables_equals_whole_number_arithmetic(
    table: tuple[int, int, int, int],
) -> None:
    expected = references.fisher_exact(*table)
    assert expected > 1e-300
    assert relative_error(fisher_exact(*table), expected) < 1e-12


@pytest.mark.parametrize(
    "table",
    [
        (875_996, 318_073, 936_162, 328_517),
        (918_198, 617_889, 905_234, 609_023),
        # Near the mode many neighbours are within R's slack of the observed table.
        (10**9, 10**9 - 300, 10**9, 10**9),
        # Some 30 standard deviations out.
        (805_299_628, 1_027_149_236, 524_083_686, 666_959_893),
    ],
)
def test_fisher_of_large_tables_holds_in_ball_arithmetic(table: tuple[int, int, int, int]) -> None:
    expected = references.fisher_exact_of_large_counts(*table)
    assert 1e-300 < expected < 0.9999
    assert relative_error(fisher_exact(*table), expected) < 1e-11


def test_fisher_is_0_where_doubles_end() -> None:
    assert fisher_exact(10**6, 0, 0, 10**6) == 0
    assert fisher_exact(10**9, 10**9 - 2 * 10**6, 10**9 - 2 * 10**6, 10**9) == 0


# --- Pooled quantile ------------------------------------------------------------------------------


def pooled_split(
    first: list[int], second: list[int], q: Fraction
) -> tuple[int, int, int, int, int, int]:
    """Both samples' rows, rows above and rows at or above the pooled value of SPEC's rank."""
    pooled = sorted(first + second)
    cut = pooled[math.floor(q * (len(pooled) - 1))]
    above1, at_or_above1 = sum(x > cut for x in first), sum(x >= cut for x in first)
    above2, at_or_above2 = sum(x > cut for x in second), sum(x >= cut for x in second)
    return len(first), above1, at_or_above1, len(second), above2, at_or_above2


def test_pooled_quantile_without_ties_is_the_median_test() -> None:
    first = [10, 14, 14, 18, 20, 22, 24, 25, 31, 31, 32, 39, 43, 43, 48, 49]
    second = [28, 30, 31, 33, 34, 35, 36, 40, 44, 55, 57, 61, 91, 92, 99]
    split = pooled_split(first, second, HALF)
    # 15 rows above and 16 at or above are equally near to 15.5: the strict split is taken.
    assert split == (16, 5, 5, 15, 10, 11)
    p = pooled_quantile_p_value(*split, HALF)
    assert relative_error(p, 0.07559747873325233) < 1e-12


def test_pooled_quantile_of_tied_scores_keeps_its_power() -> None:
    split = pooled_split([5] * 140 + [4] * 60, [5] * 90 + [4] * 110, HALF)
    assert relative_error(pooled_quantile_p_value(*split, HALF), 6.249e-07) < 1e-4


def test_pooled_quantile_splits_inclusively_when_nothing_is_above() -> None:
    # 0 above and 8 at or above are equally near to 4 of 8, but the strict split says nothing.
    assert pooled_quantile_p_value(4, 0, 4, 4, 0, 4, HALF) == 1
    # 0 above and 2 at or above are equally near to 1 of 20.
    p = pooled_quantile_p_value(10, 0, 2, 10, 0, 0, P95)
    assert relative_error(p, references.fisher_exact(2, 8, 0, 10)) < 1e-12
    assert p < 1


def test_pooled_quantile_judges_nearness_in_whole_numbers() -> None:
    # (1 - 0.95) * 60 is 3.0000000000000027 in doubles, which would make 4 nearer than 2.
    p = pooled_quantile_p_value(30, 2, 4, 30, 0, 0, P95)
    assert relative_error(p, references.fisher_exact(2, 28, 0, 30)) < 1e-12


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=40),
    st.lists(st.integers(0, 5), min_size=1, max_size=40),
    levels,
)
def test_pooled_quantile_takes_the_split_nearer_to_its_aim(
    first: list[int], second: list[int], q: Fraction
) -> None:
    n1, above1, at1, n2, above2, at2 = pooled_split(first, second, q)
    p = pooled_quantile_p_value(n1, above1, at1, n2, above2, at2, q)
    strict = references.fisher_exact(above1, n1 - above1, above2, n2 - above2)
    inclusive = references.fisher_exact(at1, n1 - at1, at2, n2 - at2)
    aim = (q.denominator - q.numerator) * (n1 + n2)
    misses = [abs(count * q.denominator - aim) for count in (above1 + above2, at1 + at2)]
    if misses[0] == misses[1]:
        expected = strict if above1 + above2 else inclusive
    else:
        expected = strict if misses[0] < misses[1] else inclusive
    assert relative_error(p, expected) < 1e-12
    swapped = pooled_quantile_p_value(n2, above2, at2, n1, above1, at1, q)
    assert relative_error(swapped, p) < 1e-12


# --- Wilson ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "n", "interval"),
    [  # R: prop.test(successes, n, correct = FALSE)$conf.int
        (81, 263, (0.25528851987827428, 0.36620957698280016)),
        (15, 148, (0.062386399530736283, 0.160487241723308)),
        (0, 20, (0.0, 0.1611251580528193)),
        (1, 29, (0.006113214292762661, 0.171755218793202824)),
        (10, 10, (0.72246720013711085, 1.0)),
        (3, 10**9, (1.0202707288769236e-09, 8.8211880540116386e-09)),
        (10**9 - 1, 10**9, (0.9999999943350657, 0.99999999982347543)),
    ],
)
def test_wilson_as_r_has_it(successes: int, n: int, interval: tuple[float, float]) -> None:
    got = wilson_interval(successes, n, alpha=0.05)
    assert got is not None
    # R's own lower bound cancels: at 3 of 1e9 it keeps 9 digits.
    assert relative_error(got[0], interval[0]) < (1e-7 if successes == 3 else 1e-12)
    assert relative_error(got[1], interval[1]) < 1e-12


def test_wilson_without_rows_is_none() -> None:
    assert wilson_interval(0, 0, alpha=0.05) is None


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 10**9), st.floats(0, 1), st.floats(1e-10, 0.99))
def test_wilson_solves_its_equation_and_holds_the_proportion(
    n: int, share: float, alpha: float
) -> None:
    successes = round(share * n)
    interval = wilson_interval(successes, n, alpha)
    mirrored = wilson_interval(n - successes, n, alpha)
    assert interval is not None
    assert mirrored is not None
    assert 0 <= interval[0] <= successes / n <= interval[1] <= 1
    assert mirrored[0] == pytest.approx(1 - interval[1], abs=1e-14)
    for bound in interval:
        # At its bounds a proportion θ is z standard errors, by its own variance, from successes/n.
        if 1e-6 < bound < 1 - 1e-6 and abs(successes / n - bound) > 1e-6:
            z = (successes / n - bound) / math.sqrt(bound * (1 - bound) / n)
            assert references.normal_two_sided(z) == pytest.approx(alpha, rel=1e-6)


# --- Ranks of order statistics --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("q", "n", "alpha", "binomial_ranks"),
    [  # R: c(qbinom(alpha/2, n, q), qbinom(alpha/2, n, q, lower.tail = FALSE) + 1)
        (HALF, 5, 0.05, (0, 6)),
        (HALF, 5, 0.01, (0, 6)),
        (HALF, 74, 0.05, (29, 46)),
        (HALF, 74, 0.01, (26, 49)),
        (HALF, 473, 0.05, (215, 259)),
        (HALF, 473, 0.01, (209, 265)),
        (HALF, 1_000_000, 0.05, (499_020, 500_981)),
        (HALF, 1_000_000, 0.01, (498_712, 501_289)),
        (HALF, 1_000_000_000, 0.05, (499_969_010, 500_030_991)),
        (HALF, 1_000_000_000, 0.01, (499_959_273, 500_040_728)),
        (Fraction(9, 10), 1000, 0.05, (881, 919)),
        (Fraction(9, 10), 1000, 0.01, (875, 925)),
        (Fraction(9, 10), 12_345_678, 0.05, (11_109_044, 11_113_177)),
        (Fraction(9, 10), 12_345_678, 0.01, (11_108_394, 11_113_826)),
        (P95, 73, 0.05, (65, 73)),
        (P95, 73, 0.01, (64, 74)),
        (P95, 74, 0.05, (66, 74)),
        (P95, 74, 0.01, (65, 75)),
        (P95, 1000, 0.05, (936, 964)),
        (P95, 1000, 0.01, (931, 968)),
        (P95, 100_003, 0.05, (94867, 95139)),
        (P95, 100_003, 0.01, (94824, 95181)),
        (P95, 1_000_000_000, 0.05, (949_986_491, 950_013_509)),
        (P95, 1_000_000_000, 0.01, (949_982_246, 950_017_753)),
        (Fraction(99, 100), 473, 0.05, (464, 473)),
        (Fraction(99, 100), 473, 0.01, (462, 474)),
        (Fraction(99, 100), 1_000_000, 0.05, (989_805, 990_196)),
        (Fraction(99, 100), 1_000_000, 0.01, (989_743, 990_256)),
        (Fraction(99, 100), 1_000_000_000, 0.05, (989_993_833, 990_006_167)),
        (Fraction(99, 100), 1_000_000_000, 0.01, (989_991_894, 990_008_105)),
    ],
)
def test_ranks_as_r_has_them(
    q: Fraction, n: int, alpha: float, binomial_ranks: tuple[int, int]
) -> None:
    lower = min(binomial_ranks[0], math.floor(q * (n - 1)) + 1)
    upper = max(binomial_ranks[1], math.ceil(q * (n - 1)) + 1)
    expected = (lower if lower >= 1 else None, upper if upper <= n else None)
    assert order_statistic_ranks(n, q, alpha) == expected


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 90),
    levels,
    # Powers of two are levels that binomial probabilities of q = 1/2 hit exactly.
    st.sampled_from([0.05, 0.01, 0.5, 0.25, 0.125, 0.0625, 2.0**-9, 0.9, 0.99, 1e-6]),
)
def test_ranks_equal_exact_arithmetic_and_hold_the_sample_quantile(
    n: int, q: Fraction, alpha: float
) -> None:
    half, position = Fraction(alpha) / 2, q * (n - 1)
    lower = min(references.binomial_quantile(half, n, q), math.floor(position) + 1)
    upper = max(references.binomial_quantile(1 - half, n, q) + 1, math.ceil(position) + 1)
    expected = (lower if lower >= 1 else None, upper if upper <= n else None)
    assert order_statistic_ranks(n, q, alpha) == expected
    assert lower - 1 <= position <= upper - 1


def test_ranks_of_small_samples_are_none() -> None:
    assert order_statistic_ranks(0, HALF, 0.05) == (None, None)
    assert order_statistic_ranks(1, HALF, 0.05) == (None, None)
    # P(B = 0) = P(B = 5) = alpha / 2 exactly for Bin(5, 1/2): the quantiles are 0 and 4.
    assert order_statistic_ranks(5, HALF, 1 / 16) == (None, 5)
    assert order_statistic_ranks(6, HALF, 1 / 16) == (1, 6)


@pytest.mark.parametrize("q", [Fraction(0), Fraction(1), Fraction(3, 2)])
def test_ranks_refuse_levels_outside_0_to_1(q: Fraction) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        order_statistic_ranks(10, q, 0.05)
