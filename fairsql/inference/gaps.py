"""The largest gap between the rates of several groups, with an interval that covers the choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from fairsql.inference.distributions import normal_two_sided_quantile


class Gap(NamedTuple):
    """The largest rate less the smallest, and the bounds of that difference."""

    value: float
    lower: float
    upper: float


def largest_gap(counts: Sequence[tuple[float, float]], alpha: float) -> Gap | None:
    """Return the largest group rate less the smallest, with a simultaneous interval.

    Parameters
    ----------
    counts : sequence of (float, float)
        Of each group the rows that count, and all rows.
    alpha : float
        Between 0 and 1, both excluded; the interval is at level ``1 - alpha``.

    Returns
    -------
    Gap or None
        The gap and its bounds, in [0, 1]; None with fewer than two groups that have rows.

    Notes
    -----
    Each of the k(k−1)/2 pairs of groups has the interval of Agresti and Caffo (2000): that of Wald
    after one success and one failure were added to each of the two samples. Bonferroni's level
    alpha / (k(k−1)/2) makes all of them hold at once, and where they do, the largest gap, being
    the largest of the pairs' differences, lies between the largest lower and the largest upper
    bound. So the groups may be chosen by the data. The bounds are widened to hold the observed
    gap, which those of Agresti and Caffo, being shrunk toward 0, need not at rates of 0 and 1.

    Examples
    --------
    >>> gap = largest_gap([(10, 100), (20, 100), (30, 100)], alpha=0.05)
    >>> round(gap.value, 4), round(gap.lower, 4), round(gap.upper, 4)
    (0.2, 0.0646, 0.3276)
    >>> largest_gap([(5, 40), (1, 40)], alpha=0.05).lower
    0.0
    """
    present = [(hits, rows) for hits, rows in counts if rows > 0]
    if len(present) < 2:
        return None
    rates = [hits / rows for hits, rows in present]
    value = max(rates) - min(rates)
    z = normal_two_sided_quantile(alpha / math.comb(len(present), 2))
    bounds = [_agresti_caffo(first, second, z) for first, second in combinations(present, 2)]
    lower = max(max(low, -high) for low, high in bounds)
    upper = max(max(high, -low) for low, high in bounds)
    return Gap(value, min(max(lower, 0.0), value), max(min(upper, 1.0), value))


def _agresti_caffo(
    first: tuple[float, float], second: tuple[float, float], z: float
) -> tuple[float, float]:
    """Return the bounds of the first rate less the second at z standard errors."""
    (hits_1, rows_1), (hits_2, rows_2) = first, second
    size_1, size_2 = rows_1 + 2, rows_2 + 2
    rate_1, rate_2 = (hits_1 + 1) / size_1, (hits_2 + 1) / size_2
    error = math.sqrt(rate_1 * (1 - rate_1) / size_1 + rate_2 * (1 - rate_2) / size_2)
    return rate_1 - rate_2 - z * error, rate_1 - rate_2 + z * error
