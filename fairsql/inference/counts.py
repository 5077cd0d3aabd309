"""Exact inference on counts: Fisher's test, Wilson's interval, and order statistics.

The hypergeometric and the binomial distribution are both walked outward from their mode, each
probability relative to the mode's being the product of the simple ratios of neighbours. Nothing
is a difference of large logarithms, so 1e-12 relative is kept at counts of 1e9, where log-gamma
functions would leave 1e-6.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairsql.inference.distributions import normal_two_sided_quantile

if TYPE_CHECKING:
    from fractions import Fraction

_Array = NDArray[np.float64]
_Ratios = Callable[[_Array], _Array]

# R's fisher.test counts a table as no likelier than the observed one up to this factor.
_FISHER_SLACK = 1 + 1e-7
# Lets a cumulative probability that equals its limit in exact arithmetic count as equal.
_RANK_SLACK = 1e-11
# What is this much smaller than the smallest probability of interest is left out of sums.
_NEGLIGIBLE = 1e-20
_FIRST_STRETCH, _LONGEST_STRETCH = 256, 65_536


def fisher_exact(a: int, b: int, c: int, d: int) -> float:
    """Return the two-sided p-value of Fisher's exact test on ``[[a, b], [c, d]]``.

    The p-value is the sum of the probabilities of all tables with the same margins that are at
    most (1 + 1e-7) times as probable as the observed one: the rule of R's ``fisher.test``.

    Parameters
    ----------
    a, b, c, d : int
        Counts of rows, each at least 0. A margin of 0 gives 1.

    Raises
    ------
    ValueError
        If a count is negative.

    Examples
    --------
    >>> round(fisher_exact(3, 1, 1, 3), 12)
    0.485714285714
    >>> fisher_exact(0, 10, 0, 12)
    1.0
    """
    if min(a, b, c, d) < 0:
        raise ValueError(f"Counts must be at least 0, got {(a, b, c, d)}.")
    row, column, total = a + b, a + c, a + b + c + d
    if not (0 < row < total and 0 < column < total):
        return 1.0
    mode = (row + 1) * (column + 1) // (total + 2)
    # One step away from the mode moves rows out of two opposite cells into the other two.
    diagonal, off_diagonal = (mode, d - a + mode), (row - mode, column - mode)
    giving, taking = (off_diagonal, diagonal) if a >= mode else (diagonal, off_diagonal)
    floor = _NEGLIGIBLE * _rough_probability(a, b, c, d, mode)
    own = _outward(_exchange(giving, taking), min(giving), floor)
    other = _outward(_exchange(taking, giving), min(taking), floor)[1:]
    distance = abs(a - mode)
    if distance >= own.size:  # The walk ended before it, where doubles do.
        return 0.0
    limit = own[distance] * _FISHER_SLACK
    extreme = own[own <= limit].sum() + other[other <= limit].sum()
    return min(1.0, float(extreme / (own.sum() + other.sum())))


def pooled_quantile_p_value(
    n1: int,
    above1: int,
    at_or_above1: int,
    n2: int,
    above2: int,
    at_or_above2: int,
    q: Fraction,
) -> float:
    """Return the two-sided p-value of a test that two samples share their q-quantile.

    Both samples are split at c, the value of rank ⌊q(N−1)⌋ + 1 of their N pooled rows, and
    Fisher's exact test judges the split. The split is at ``> c`` or at ``>= c``, whichever leaves
    a number of rows nearer to (1 − q)·N above; when both are equally near, at ``> c`` unless
    nothing is above c. (With q = 1/2 and no ties at c this is Mood's median test. A strict split
    alone would have no power on tied data such as scores from 1 to 5.)

    Parameters
    ----------
    n1, n2 : int
        Rows of each sample.
    above1, above2 : int
        Rows of each sample above c.
    at_or_above1, at_or_above2 : int
        Rows of each sample at or above c.
    q : Fraction
        The quantile's level, between 0 and 1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> p = pooled_quantile_p_value(200, 0, 140, 200, 0, 90, Fraction(1, 2))
    >>> p == fisher_exact(140, 60, 90, 110)
    True
    """
    aim = (1 - q) * (n1 + n2)
    above = above1 + above2
    at_or_above = at_or_above1 + at_or_above2
    strict_miss, inclusive_miss = abs(above - aim), abs(at_or_above - aim)
    strict = strict_miss < inclusive_miss or (strict_miss == inclusive_miss and above > 0)
    high1, high2 = (above1, above2) if strict else (at_or_above1, at_or_above2)
    return fisher_exact(high1, n1 - high1, high2, n2 - high2)


def wilson_interval(successes: float, n: float, alpha: float) -> tuple[float, float] | None:
    """Return Wilson's score interval of a proportion at level ``1 - alpha``.

    Parameters
    ----------
    successes, n : float
        Rows that count, of all rows; of weighted rows their effective numbers.
    alpha : float
        Between 0 and 1, both excluded.

    Returns
    -------
    tuple of float or None
        The bounds, in [0, 1]; None where there is no row.

    Notes
    -----
    The bounds are the roots of (n + z²)θ² − (2x + z²)θ + x²/n (E. B. Wilson, 1927). The lower one
    is taken from the product of the two, so that it does not cancel and is exactly 0 at x = 0.

    Examples
    --------
    >>> low, high = wilson_interval(81, 263, alpha=0.05)
    >>> round(low, 7), round(high, 7)
    (0.2552885, 0.3662096)
    """
    if n < 1:
        return None
    z = normal_two_sided_quantile(alpha)
    spread = z * math.sqrt(z * z + 4 * successes * ((n - successes) / n))
    both = 2 * successes + z * z + spread
    lower = 2 * successes * (successes / n) / both
    upper = 1.0 if successes == n else both / (2 * (n + z * z))
    return lower, upper


def order_statistic_ranks(n: int, q: Fraction, alpha: float) -> tuple[int | None, int | None]:
    """Return the ranks of the order statistics that bound a q-quantile at level ``1 - alpha``.

    The ranks are l = min(Q(alpha/2), ⌊q(n−1)⌋ + 1) and u = max(Q(1 − alpha/2) + 1, ⌈q(n−1)⌉ + 1),
    with Q the quantile function of Binomial(n, q): the binomial interval, widened where needed to
    hold the interpolated sample quantile.

    Parameters
    ----------
    n : int
        Rows of the sample.
    q : Fraction
        The quantile's level, between 0 and 1, both excluded.
    alpha : float
        Between 0 and 1, both excluded.

    Returns
    -------
    tuple of int or None
        Ranks from 1 to `n`, lowest value first; None where the sample is too small for a bound.

    Raises
    ------
    ValueError
        If `q` or `alpha` is outside its range.

    Examples
    --------
    >>> from fractions import Fraction
    >>> order_statistic_ranks(100, Fraction(1, 2), alpha=0.05)
    (40, 61)
    >>> order_statistic_ranks(20, Fraction(19, 20), alpha=0.05)
    (17, None)
    """
    if not 0 < q < 1:
        raise ValueError(f"A quantile's level must be between 0 and 1, got {q}.")
    if n < 1:
        return None, None
    first, probabilities = _binomial_probabilities(n, q, floor=_NEGLIGIBLE * alpha)
    half = alpha / 2 * float(probabilities.sum())
    below = np.cumsum(probabilities)
    above = np.cumsum(probabilities[::-1])
    lower = first + int(np.searchsorted(below, half * (1 - _RANK_SLACK), side="left"))
    rarely_reached = int(np.searchsorted(above, half * (1 + _RANK_SLACK), side="right"))
    upper = first + probabilities.size - rarely_reached
    position = q * (n - 1)
    lower = min(lower, math.floor(position) + 1)
    upper = max(upper, math.ceil(position) + 1)
    return (lower if lower >= 1 else None), (upper if upper <= n else None)


def _rough_probability(a: int, b: int, c: int, d: int, mode: int) -> float:
    """Return the probability of a table relative to the mode's: good enough to end a walk by."""
    shift = mode - a
    moves = ((a, shift), (b, -shift), (c, -shift), (d, shift))
    return math.exp(
        min(0.0, sum(math.lgamma(n + move + 1) - math.lgamma(n + 1) for n, move in moves))
    )


def _exchange(giving: tuple[int, int], taking: tuple[int, int]) -> _Ratios:
    """Return the hypergeometric ratios of steps that move rows between opposite cells."""
    return lambda steps: (
        (giving[0] - steps)
        * (giving[1] - steps)
        / ((taking[0] + 1 + steps) * (taking[1] + 1 + steps))
    )


def _binomial_probabilities(n: int, q: Fraction, floor: float) -> tuple[int, _Array]:
    """Return the Binomial(n, q) probabilities relative to the mode's, and the first one's count."""
    mode = (n + 1) * q.numerator // q.denominator
    # Whole odds keep the numerators and denominators of the ratios exact.
    success, failure = q.numerator, q.denominator - q.numerator
    up = _outward(
        lambda steps: (n - mode - steps) * success / ((mode + 1 + steps) * failure),
        n - mode,
        floor,
    )
    down = _outward(
        lambda steps: (mode - steps) * failure / ((n - mode + 1 + steps) * success),
        mode,
        floor,
    )
    return mode - (down.size - 1), np.concatenate([down[:0:-1], up])


def _outward(ratios: _Ratios, steps: int, floor: float) -> _Array:
    """Return the probabilities at 0, 1, … steps from the mode, relative to the mode's.

    Parameters
    ----------
    ratios : callable
        Takes an array of places and returns the probability one step further over that there.
    steps : int
        Steps to the end of the support.
    floor : float
        The walk ends early once a probability has fallen to this.
    """
    stretches = [np.ones(1)]
    walked, length = 0, _FIRST_STRETCH
    while walked < steps and stretches[-1][-1] > floor:
        end = min(walked + length, steps)
        places = np.arange(walked, end, dtype=np.float64)
        stretches.append(stretches[-1][-1] * np.cumprod(ratios(places)))
        walked, length = end, min(2 * length, _LONGEST_STRETCH)
    return np.concatenate(stretches)
