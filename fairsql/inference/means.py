"""Central moments: their merging, Welch's test and the t interval of a mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from fairsql.inference.distributions import student_t_two_sided, student_t_two_sided_quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Moments:
    """Rows, mean, sum of squared deviations and extremes of one sample.

    A sample whose minimum equals its maximum is *constant*: whatever rounding made of its mean and
    sum of squares, it is stored with that value as its mean and with ``m2`` 0.

    Parameters
    ----------
    n : float
        Rows; of weighted rows the sum of their weights, when all else is weighted too.
    mean : float
        Mean, in the units of the values.
    m2 : float
        Sum of squared deviations from the mean.
    minimum, maximum : float
        Extremes. Those of no row at all are infinity and minus infinity.

    Examples
    --------
    >>> Moments(3, 2.0, 2.0, 1.0, 3.0).variance
    1.0
    >>> Moments(3, 0.10000000000000002, 1e-34, 0.1, 0.1)
    Moments(n=3, mean=0.1, m2=0.0, minimum=0.1, maximum=0.1)
    """

    n: float
    mean: float
    m2: float
    minimum: float
    maximum: float

    def __post_init__(self) -> None:
        if self.minimum == self.maximum:
            object.__setattr__(self, "mean", self.minimum)
            object.__setattr__(self, "m2", 0.0)

    @property
    def variance(self) -> float | None:
        """Sample variance (n − 1); None for fewer than two rows, exactly 0 when constant."""
        return self.m2 / (self.n - 1) if self.n >= 2 else None


NO_ROWS = Moments(0, 0.0, 0.0, math.inf, -math.inf)
"""The moments of an empty sample: merging them changes nothing."""


def merge_moments(parts: Sequence[Moments]) -> Moments:
    """Return the moments of all rows of `parts` together; `NO_ROWS` where there are none.

    Notes
    -----
    Parts are pooled pair by pair (Chan, Golub & LeVeque, 1983), with their means measured from
    the one nearest to 0: means that all lie near 1e9 are then no less exact than means near 0.

    Examples
    --------
    >>> merge_moments([Moments(2, 1.5, 0.5, 1.0, 2.0), Moments(1, 6.0, 0.0, 6.0, 6.0)])
    Moments(n=3, mean=3.0, m2=14.0, minimum=1.0, maximum=6.0)
    """
    origin = _origin(parts)
    return _moments(reduce(_pool, _pools(parts, origin), _NOTHING), origin)


def complements(parts: Sequence[Moments]) -> list[Moments]:
    """Return, for each part, the moments of all the others together.

    Parameters
    ----------
    parts : sequence of Moments
        k disjoint samples.

    Returns
    -------
    list of Moments
        One for each part, in the same order, after about 3k merges. A part is never subtracted
        from the whole, which would cancel when it holds most of the rows.

    Examples
    --------
    >>> [others.mean for others in complements([Moments(1, x, 0.0, x, x) for x in (1.0, 2.0, 6.0)])]
    [4.0, 3.5, 1.5]
    """
    origin = _origin(parts)
    pools = list(_pools(parts, origin))
    before = accumulate(pools[:-1], _pool, initial=_NOTHING)
    after = list(accumulate(reversed(pools[1:]), _pool, initial=_NOTHING))
    pairs = zip(before, reversed(after), strict=True) if parts else ()
    return [_moments(_pool(left, right), origin) for left, right in pairs]


def welch(
    n1: float, mean1: float, variance1: float, n2: float, mean2: float, variance2: float
) -> float | None:
    """Return the two-sided p-value of Welch's t test of equal means.

    Parameters
    ----------
    n1, n2 : float
        Rows of each sample; of weighted rows their effective number.
    mean1, mean2 : float
        Means, in the same units.
    variance1, variance2 : float
        Sample variances (n − 1), exactly 0 for a constant sample. A side with fewer than two rows
        may have any.

    Returns
    -------
    float or None
        None with fewer than two rows on a side, or moments too large for a double. Two constant
        samples give 1 when equal, else 0.

    Examples
    --------
    >>> round(welch(10, 0.75, 3.200555555555556, 10, 2.33, 4.009), 10)
    0.0793941402
    >>> welch(33, 0.1, 0.0, 50, 0.1, 0.0)
    1.0
    """
    if min(n1, n2) < 2:
        return None
    if variance1 == variance2 == 0:
        return 1.0 if mean1 == mean2 else 0.0
    error1 = math.sqrt(variance1) / math.sqrt(n1)
    error2 = math.sqrt(variance2) / math.sqrt(n2)
    error = math.hypot(error1, error2)
    t = (mean1 - mean2) / error
    if not math.isfinite(error) or math.isnan(t):
        return None
    # Welch–Satterthwaite in shares of the variance, so that no fourth power over- or underflows.
    share1, share2 = (error1 / error) ** 2, (error2 / error) ** 2
    degrees_of_freedom = 1 / (share1 * share1 / (n1 - 1) + share2 * share2 / (n2 - 1))
    return student_t_two_sided(t, degrees_of_freedom)


def t_interval(
    n: float, mean: float, variance: float, alpha: float, floor: float | None = None
) -> tuple[float, float] | None:
    """Return Student's t interval of a mean at level ``1 - alpha``.

    Parameters
    ----------
    n : float
        Rows; of weighted rows their effective number.
    mean : float
        Mean, in the units of the values.
    variance : float
        Sample variance (n − 1), exactly 0 for a constant sample.
    alpha : float
        Between 0 and 1, both excluded.
    floor : float, optional
        The least value the mean can have; a lower bound below it is lifted to it.

    Returns
    -------
    tuple of float or None
        The bounds; None with fewer than two rows, or moments too large for a double. A constant
        sample has its mean as both bounds.

    Examples
    --------
    >>> low, high = t_interval(10, 0.75, 3.200555555555556, alpha=0.05)
    >>> round(low, 6), round(high, 6)
    (-0.52978, 2.02978)
    >>> t_interval(10, 0.75, 3.200555555555556, alpha=0.05, floor=0.0)[0]
    0.0
    """
    if n < 2:
        return None
    if variance == 0:
        return mean, mean
    half_width = student_t_two_sided_quantile(alpha, n - 1) * math.sqrt(variance) / math.sqrt(n)
    lower, upper = mean - half_width, mean + half_width
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return None
    return lower if floor is None else max(lower, floor), upper


class _Pool(NamedTuple):
    """Moments whose mean is measured from an origin that all pools of one merge share."""

    n: float
    offset: float
    m2: float
    minimum: float
    maximum: float


_NOTHING = _Pool(0, 0.0, 0.0, math.inf, -math.inf)


def _origin(parts: Iterable[Moments]) -> float:
    return min((part.mean for part in parts if part.n), key=abs, default=0.0)


def _pools(parts: Iterable[Moments], origin: float) -> Iterable[_Pool]:
    return (
        _Pool(part.n, part.mean - origin, part.m2, part.minimum, part.maximum) for part in parts
    )


def _moments(pool: _Pool, origin: float) -> Moments:
    if not pool.n:
        return NO_ROWS
    return Moments(pool.n, origin + pool.offset, pool.m2, pool.minimum, pool.maximum)


def _pool(first: _Pool, second: _Pool) -> _Pool:
    if not (first.n and second.n):
        return first if first.n else second
    if (
        second.n > first.n
    ):  # what is small is added to what is large, which weights make very much so
        first, second = second, first
    n = first.n + second.n
    distance = second.offset - first.offset
    return _Pool(
        n,
        first.offset + distance * (second.n / n),
        first.m2 + second.m2 + distance * distance * first.n * (second.n / n),
        min(first.minimum, second.minimum),
        max(first.maximum, second.maximum),
    )
