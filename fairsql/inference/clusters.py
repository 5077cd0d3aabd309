"""Means of rows that come in clusters: rows of one cluster are alike, and count less than others.

What is needed of the rows is, for each cluster, how many it has and their sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple, Self

from fairsql.inference.distributions import (
    student_t_two_sided,
    student_t_two_sided_quantile,
)


class ClusterSums(NamedTuple):
    """Sums over C clusters of n, their rows, and of d, the sums of their rows."""

    clusters: int
    n: float
    d: float
    nn: float
    dn: float
    dd: float

    @classmethod
    def of(cls, clusters: Iterable[tuple[float, float]]) -> Self:
        """Return the sums over clusters, each as its number of rows and their sum.

        >>> ClusterSums.of([(2, 1.0), (3, 0.0)])
        ClusterSums(clusters=2, n=5.0, d=1.0, nn=13.0, dn=2.0, dd=1.0)
        """
        pairs = list(clusters)
        return cls(
            len(pairs),
            math.fsum(n for n, _ in pairs),
            math.fsum(d for _, d in pairs),
            math.fsum(n * n for n, _ in pairs),
            math.fsum(n * d for n, d in pairs),
            math.fsum(d * d for _, d in pairs),
        )


class ClusteredMean(NamedTuple):
    """A mean over rows, its standard error over clusters, and the clusters."""

    value: float
    standard_error: float
    clusters: int

    def interval(self, alpha: float) -> tuple[float, float]:
        """Return the interval at level ``1 - alpha``, by Student's t with C - 1 degrees."""
        spread = student_t_two_sided_quantile(alpha, self.clusters - 1) * self.standard_error
        return self.value - spread, self.value + spread


def clustered_mean(sums: ClusterSums) -> ClusteredMean | None:
    """Return the mean over rows with a standard error that is robust to clusters.

    Returns
    -------
    ClusteredMean or None
        None with fewer than two clusters, which say nothing of how clusters differ.

    Notes
    -----
    The mean m = Σd / Σn is the ratio estimator of cluster sampling, and its variance
    C / (C − 1) · Σ(d − m·n)² / (Σn)² (Cochran, *Sampling Techniques*, 3rd edition 1977, section
    2.11), which is also that of a regression on a constant alone with clustered errors (Liang and
    Zeger 1986) and the usual correction for few clusters.

    Examples
    --------
    >>> mean = clustered_mean(ClusterSums.of([(2, 1.0), (2, 0.0), (2, 2.0)]))
    >>> mean.value, round(mean.standard_error, 6)
    (0.5, 0.288675)
    """
    if sums.clusters < 2 or sums.n <= 0:
        return None
    mean = sums.d / sums.n
    squares = sums.dd - 2 * mean * sums.dn + mean * mean * sums.nn
    # What is nothing but rounding of the three terms is no spread.
    if squares <= 1e-14 * sums.dd:
        squares = 0.0
    variance = sums.clusters / (sums.clusters - 1) * squares / sums.n**2
    return ClusteredMean(mean, math.sqrt(variance), sums.clusters)


def residual_mean(value: float, rows: float, clusters: int, squares: float) -> ClusteredMean | None:
    """Return the same from the sum over clusters of (d − m·n)², where a warehouse summed those.

    Parameters
    ----------
    value, rows
        The mean m, and the rows it is of.
    clusters, squares
        How many clusters have rows, and the sum of their squared residuals.
    """
    if clusters < 2 or rows <= 0:
        return None
    variance = clusters / (clusters - 1) * max(squares, 0.0) / rows**2
    return ClusteredMean(value, math.sqrt(variance), clusters)


def clustered_p_value(mean: ClusteredMean) -> float:
    """Return the two-sided p-value of a mean of 0, by Student's t with C - 1 degrees.

    >>> round(clustered_p_value(ClusteredMean(0.5, 0.25, 10)), 6)
    0.076553
    """
    if mean.standard_error == 0.0:
        return 1.0 if mean.value == 0.0 else 0.0
    return student_t_two_sided(mean.value / mean.standard_error, mean.clusters - 1)
