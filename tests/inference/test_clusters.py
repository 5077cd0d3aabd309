"""Means over clustered rows, against statsmodels' regression on a constant."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from fairsql.inference.clusters import (
    ClusteredMean,
    ClusterSums,
    clustered_mean,
    clustered_p_value,
    residual_mean,
)


def of_clusters(values: np.ndarray, clusters: np.ndarray) -> ClusterSums:
    return ClusterSums.of(
        (int((clusters == one).sum()), float(values[clusters == one].sum()))
        for one in np.unique(clusters)
    )


@pytest.mark.parametrize("seed", range(8))
def test_standard_error_and_interval_are_those_of_statsmodels(seed: int) -> None:
    chance = np.random.default_rng(seed)
    clusters = chance.integers(0, int(chance.integers(2, 30)), 120)
    values = chance.normal(0.3, 1, 120) + chance.normal(0, 1, 40)[clusters]
    fit = sm.OLS(values, np.ones(120)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    mean = clustered_mean(of_clusters(values, clusters))
    assert mean is not None
    assert mean.value == pytest.approx(fit.params[0], rel=1e-12)
    assert mean.standard_error == pytest.approx(fit.bse[0], rel=1e-9)
    assert mean.interval(0.05) == pytest.approx(fit.conf_int(0.05)[0], rel=1e-9)
    assert clustered_p_value(mean) == pytest.approx(fit.pvalues[0], rel=1e-8)


def test_residuals_give_the_same() -> None:
    chance = np.random.default_rng(4)
    clusters = chance.integers(0, 9, 50)
    values = chance.random(50)
    squares = sum(float((values[clusters == one] - values.mean()).sum() ** 2) for one in range(9))
    expected = clustered_mean(of_clusters(values, clusters))
    found = residual_mean(float(values.mean()), 50, 9, squares)
    assert expected is not None
    assert found is not None
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-9)


def test_one_cluster_says_nothing() -> None:
    assert clustered_mean(ClusterSums.of([(5, 2.0)])) is None
    assert residual_mean(0.4, 5, 1, 0.0) is None


def test_equal_rows_have_no_spread() -> None:
    mean = clustered_mean(ClusterSums.of([(3, 0.3), (7, 0.7), (2, 0.2)]))
    assert mean is not None
    assert mean.standard_error == pytest.approx(0, abs=1e-9)
    assert clustered_p_value(ClusteredMean(0.0, 0.0, 5)) == 1.0
    assert clustered_p_value(ClusteredMean(0.1, 0.0, 5)) == 0.0


def test_one_row_a_cluster_is_students_interval() -> None:
    values = np.random.default_rng(5).normal(size=20)
    mean = clustered_mean(ClusterSums.of((1, float(value)) for value in values))
    assert mean is not None
    assert mean.standard_error == pytest.approx(values.std(ddof=1) / 20**0.5, rel=1e-9)
