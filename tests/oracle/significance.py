"""Two-sided p-values and their adjustment (SPEC §3, "P-values"), from first principles."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

from flint import arb, ctx

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


def fisher(hits: int, rows: int, other_hits: int, other_rows: int) -> float:
    """Fisher's exact test by R's rule, in whole numbers.

    Every table with the observed margins has a whole-number weight C(rows, h)·C(other_rows, k − h).
    Those at most (1 + 1e-7) times as heavy as the observed one are summed.

    Parameters
    ----------
    hits, rows : int
        Rows that count, and all rows, of the first sample.
    other_hits, other_rows : int
        The same of the second sample.

    Examples
    --------
    >>> fisher(3, 4, 1, 4)
    0.4857142857142857
    """
    both = hits + other_hits
    if 0 in (rows, other_rows, both, rows + other_rows - both):
        return 1.0
    lowest, highest = max(0, both - other_rows), min(rows, both)
    weight = math.comb(rows, lowest) * math.comb(other_rows, both - lowest)
    weights = [weight]
    for h in range(lowest, highest):
        # The next weight from this one: a binomial's neighbours differ by a simple fraction.
        weight = weight * (rows - h) * (both - h) // ((h + 1) * (other_rows - both + h + 1))
        weights.append(weight)
    limit = weights[hits - lowest] * (10**7 + 1)
    return sum(w for w in weights if w * 10**7 <= limit) / sum(weights)


def student_t(t: float, degrees: float) -> float:
    """Two-sided tail of Student's t: the regularised incomplete beta function, in ball arithmetic.

    scipy's own is off by up to 3e-9 where t is tiny, hence python-flint.
    """
    if t == 0:
        return 1.0
    if math.isinf(t):
        return 0.0
    previous, ctx.prec = ctx.prec, 160
    try:
        nu, square = arb(degrees), arb(t) ** 2
        tail = (nu / (nu + square)).beta_lower(nu / 2, arb(1) / 2, regularized=True)
        return float(tail.mid())
    finally:
        ctx.prec = previous


def welch(first: tuple[int, float, float], second: tuple[int, float, float]) -> float | None:
    """Welch's t-test of two means.

    Parameters
    ----------
    first, second : tuple of int, float, float
        Rows, mean and sample variance (n − 1); the variance is exactly 0 for a constant sample
        and for no other (SPEC §3, "constant").

    Examples
    --------
    >>> round(welch((10, 0.75, 3.200555555555556), (10, 2.33, 4.009)), 12)
    0.079394140187
    """
    (n1, mean1, variance1), (n2, mean2, variance2) = first, second
    if n1 < 2 or n2 < 2:
        return None
    if variance1 == 0 and variance2 == 0:
        return 1.0 if mean1 == mean2 else 0.0
    a, b = variance1 / n1, variance2 / n2
    # The larger part is taken out, so that the squares of tiny variances do not vanish.
    largest = max(a, b)
    a, b = a / largest, b / largest
    degrees = (a + b) ** 2 / (a**2 / (n1 - 1) + b**2 / (n2 - 1))
    return student_t((mean1 - mean2) / math.sqrt(largest) / math.sqrt(a + b), degrees)


def pooled_quantile(first: Sequence[float], second: Sequence[float], q: Fraction) -> float:
    """Fisher's test on how many rows of each sample lie above the pooled q-quantile.

    Examples
    --------
    >>> from fractions import Fraction
    >>> fives_and_fours = lambda fives, fours: [5.0] * fives + [4.0] * fours
    >>> p = pooled_quantile(fives_and_fours(140, 60), fives_and_fours(90, 110), Fraction(1, 2))
    >>> f"{p:.3e}"
    '6.249e-07'
    """
    pooled = sorted([*first, *second])
    # Rank ⌊q(N−1)⌋ + 1 counts from one, this index from nought.
    cut = pooled[math.floor(q * (len(pooled) - 1))]
    target = (1 - q) * len(pooled)
    above, at_least = sum(x > cut for x in pooled), sum(x >= cut for x in pooled)
    strict_is_off, loose_is_off = abs(above - target), abs(at_least - target)
    loose = loose_is_off < strict_is_off or (loose_is_off == strict_is_off and above == 0)

    def count(sample: Sequence[float]) -> int:
        return sum(x > cut or (loose and x == cut) for x in sample)

    return fisher(count(first), len(first), count(second), len(second))


def hanley_mcneil_error(auc: float, positives: int, negatives: int) -> float:
    """Hanley and McNeil's (1982) standard error of an AUC, the AUC first moved off 0 and 1.

    Examples
    --------
    >>> round(hanley_mcneil_error(0.8931710615280595, 51, 58), 10)
    0.0324865796
    """
    pairs = float(positives) * float(negatives)
    a = min(max(auc, 1 / (2 * pairs)), 1 - 1 / (2 * pairs))
    spread = 1 + (positives - 1) * (1 - a) / (2 - a) + (negatives - 1) * a / (1 + a)
    return math.sqrt(a * (1 - a) * spread / pairs)


def normal_two_sided(z: float) -> float:
    """Two-sided tail of the standard normal distribution."""
    return math.erfc(abs(z) / math.sqrt(2))


def adjust(p_values: Sequence[float | None], method: str, groups: int) -> list[float | None]:
    """Adjust a family of p-values as R's ``p.adjust`` does; None stays None (SPEC §2.1, §3).

    Parameters
    ----------
    p_values : sequence of float or None
        Those of the compared groups.
    method : str
        ``none``, ``holm``, ``benjamini_hochberg`` or ``holm_all_pairs``.
    groups : int
        Sufficient groups with a value, the reference included: ``holm_all_pairs`` counts pairs.

    Examples
    --------
    >>> adjust([0.01, None, 0.04, 0.03], "holm", 5)
    [0.03, None, 0.06, 0.06]
    >>> adjust([0.01, None, 0.04, 0.03], "benjamini_hochberg", 5)
    [0.03, None, 0.04, 0.04]
    """
    if method == "none":
        return list(p_values)
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    count = len(known)
    if method == "benjamini_hochberg":
        scaled = [count / rank * p for rank, (p, _) in enumerate(known, start=1)]
        running = list(accumulate(reversed(scaled), min))[::-1]
    else:
        family = groups * (groups - 1) // 2 if method == "holm_all_pairs" else count
        scaled = [(family - i) * p for i, (p, _) in enumerate(known)]
        running = list(accumulate(scaled, max))
    adjusted: list[float | None] = [None] * len(p_values)
    for value, (_, i) in zip(running, known, strict=True):
        adjusted[i] = min(1.0, value)
    return adjusted
