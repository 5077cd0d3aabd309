from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from fairsql.inference import effective_size, two_proportion_p_value, wilson_interval


@pytest.mark.parametrize(
    "weights",
    [[1.0] * 30, [0.1] * 7, [3.0, 1.0], [1e9, 1e-9, 1e-9], [1, 2, 3, 4.5], [7.0]],
)
def test_kishs_size_lies_between_one_row_and_all(weights: list[float]) -> None:
    size = effective_size(sum(weights), sum(weight * weight for weight in weights))
    shares = np.array(weights) / sum(weights)
    assert size == pytest.approx(1 / float(shares @ shares), rel=1e-12)
    assert 1 <= size <= len(weights) * (1 + 1e-15)


def test_two_equal_rows_are_two_however_their_weights_round() -> None:
    sizes = {effective_size(w + w, w * w + w * w) for w in np.random.default_rng(1).random(500)}
    assert sizes == {2.0}


def test_the_z_test_is_that_of_statsmodels() -> None:
    chance = np.random.default_rng(2)
    for _ in range(300):
        n1, n2 = 1 + 10 ** chance.uniform(-3, 5, 2)
        share1, share2 = chance.random(2)
        _, expected = proportions_ztest([share1 * n1, share2 * n2], [n1, n2])
        got = two_proportion_p_value(share1, n1, share2, n2)
        assert got == pytest.approx(expected, rel=1e-9, abs=1e-300)
        assert got == two_proportion_p_value(share2, n2, share1, n1)


def test_the_z_test_is_the_root_of_pearsons_chi_squared() -> None:
    table = [[130, 125], [84, 33]]
    expected = stats.chi2_contingency(table, correction=False).pvalue
    assert two_proportion_p_value(130 / 255, 255, 84 / 117, 117) == pytest.approx(expected)


def test_a_sample_in_which_all_or_none_count_in_both_is_no_disparity() -> None:
    assert two_proportion_p_value(0.0, 3.5, 0.0, 9.0) == 1.0
    assert two_proportion_p_value(1.0, 3.5, 1.0, 9.0) == 1.0
    # What is left of 1 is not rounded away.
    assert 0 < two_proportion_p_value(1 - 1e-15, 1e16, 1.0, 1e16) < 2e-3


def test_wilsons_interval_takes_effective_sizes() -> None:
    for n, share in [(17.25, 0.3), (2.0, 0.5), (1e6 + 0.5, 0.999)]:
        expected = proportion_confint(share * n, n, alpha=0.05, method="wilson")
        assert wilson_interval(share * n, n, 0.05) == pytest.approx(expected, rel=1e-9)
    low, high = wilson_interval(12.5, 12.5, 0.05) or (math.nan, math.nan)
    assert 0.7 < low < high == 1.0
