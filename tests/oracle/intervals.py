"""Confidence intervals at level 1 − alpha, two-sided (SPEC §3, "Intervals")."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

Interval = tuple[float | None, float | None] | None


def normal_quantile(alpha: float) -> float:
    """Return the z that leaves alpha/2 above it."""
    return float(-special.ndtri(alpha / 2))


def wilson(hits: int, rows: int, alpha: float) -> Interval:
    """Wilson's score interval of a proportion; its ends are exactly 0 and 1 where they must be.

    Examples
    --------
    >>> low, high = wilson(81, 263, 0.05)
    >>> round(low, 7), round(high, 7)
    (0.2552885, 0.3662096)
    """
    if rows == 0:
        return None
    z = normal_quantile(alpha)
    centre, scale = hits + z * z / 2, rows + z * z
    reach = z * math.sqrt(hits * (rows - hits) / rows + z * z / 4)
    low = 0.0 if hits == 0 else (centre - reach) / scale
    high = 1.0 if hits == rows else (centre + reach) / scale
    return low, high


def student(
    rows: int, mean: float, variance: float, alpha: float, floor: float = -math.inf
) -> Interval:
    """Student's t interval of a mean, cut at a floor."""
    if rows < 2:
        return None
    reach = float(-special.stdtrit(rows - 1, alpha / 2)) * math.sqrt(variance / rows)
    return max(floor, mean - reach), mean + reach


@lru_cache(maxsize=4096)
def order_statistic_ranks(rows: int, q: Fraction, alpha: float) -> tuple[int, int]:
    """Ranks, counted from one, between whose values the interval of a q-quantile lies.

    The relative slack of 1e-11 keeps a tail of exactly alpha/2 (alpha 0.0625, five rows, a median)
    on its proper side in spite of the rounding of the tail sums.

    Examples
    --------
    >>> from fractions import Fraction
    >>> order_statistic_ranks(100, Fraction(1, 2), 0.05)
    (40, 61)
    >>> order_statistic_ranks(5, Fraction(1, 2), 0.0625)
    (0, 5)
    """
    successes = np.arange(rows + 1)
    at_most = special.bdtr(successes, rows, float(q))
    more = special.bdtrc(successes, rows, float(q))
    lower_quantile = int(np.argmax(at_most >= alpha / 2 * (1 - 1e-11)))
    upper_quantile = int(np.argmax(more <= alpha / 2 * (1 + 1e-11)))
    position = q * (rows - 1)
    return (
        min(lower_quantile, math.floor(position) + 1),
        max(upper_quantile + 1, math.ceil(position) + 1),
    )


def order_statistics(ordered: Sequence[float], q: Fraction, alpha: float) -> Interval:
    """Interval of a q-quantile between two values of the ordered sample; None past its ends."""
    lower, upper = order_statistic_ranks(len(ordered), q, alpha)
    return (
        ordered[lower - 1] if lower >= 1 else None,
        ordered[upper - 1] if upper <= len(ordered) else None,
    )


def around_auc(auc: float, standard_error: float, alpha: float) -> Interval:
    """Return the normal interval about an AUC, clipped to [0, 1]."""
    reach = normal_quantile(alpha) * standard_error
    return max(0.0, auc - reach), min(1.0, auc + reach)
