"""Two samples compared within strata: Mantel and Haenszel's odds ratio and test."""

from __future__ import annotations

import math
from collections.abc import Iterable

from fairsql.inference.distributions import normal_two_sided

Table = tuple[int, int, int, int]
"""Successes and failures of the first sample, then of the second."""


def mantel_haenszel(tables: Iterable[Table]) -> tuple[float | None, float | None]:
    """Return the pooled odds ratio of the first sample to the second, and its p-value.

    Parameters
    ----------
    tables
        One for each stratum. A stratum in which a sample or an outcome does not occur says
        nothing, and weighs nothing.

    Returns
    -------
    tuple
        Σ ad/n ÷ Σ bc/n, ``None`` where the second sum is 0; and the two-sided p-value of
        (Σ (a − E a))² ÷ Σ Var a as chi-squared with one degree of freedom, without a correction for
        continuity, ``None`` where no stratum varies. Mantel and Haenszel 1959.

    Examples
    --------
    Admissions of 1973 in Berkeley by department, men against women:

    >>> strata = [(512, 313, 89, 19), (353, 207, 17, 8), (120, 205, 202, 391),
    ...           (138, 279, 131, 244), (53, 138, 94, 299), (22, 351, 24, 317)]
    >>> odds_ratio, p_value = mantel_haenszel(strata)
    >>> round(odds_ratio, 4), round(p_value, 4)
    (0.9047, 0.2169)
    """
    above = below = excess = variance = 0.0
    for a, b, c, d in tables:
        n = a + b + c + d
        if n < 2:
            continue
        first, second, successes, failures = a + b, c + d, a + c, b + d
        above += a * d / n
        below += b * c / n
        # a − E a, as one fraction, so that nothing is lost where the two are close.
        excess += (a * d - b * c) / n
        variance += first / n * (second / n) * successes * failures / (n - 1)
    odds_ratio = above / below if below else None
    if not variance:
        return odds_ratio, None
    return odds_ratio, normal_two_sided(excess / math.sqrt(variance))
