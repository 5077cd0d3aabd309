"""Inference on weighted samples: how many equal rows they are worth, and a test of two proportions.

The weights are those of analysis (inverse probabilities, survey weights): only their proportions
count. What rests on an effective size is approximate; with equal weights it is the effective size
that is exact.
"""

from __future__ import annotations

import math

from fairsql.inference.distributions import normal_two_sided

_ROUNDING = 1e-9  # two equal rows are two, whatever the sums of their weights were rounded to


def effective_size(weight: float, squared_weight: float) -> float:
    """Return how many rows of equal weight a weighted sample is worth.

    Parameters
    ----------
    weight, squared_weight : float
        Sum of the weights, and of their squares; both above 0.

    Returns
    -------
    float
        From 1, where one row outweighs all others, to the number of rows. What is 2 but for
        rounding is 2.

    Notes
    -----
    (Σw)² / Σw² (Kish, *Survey Sampling*, 1965, section 11.7).

    Examples
    --------
    >>> effective_size(30.0, 30.0), effective_size(4.0, 10.0)
    (30.0, 1.6)
    """
    size = max(weight * (weight / squared_weight), 1.0)
    return 2.0 if abs(size - 2) <= 2 * _ROUNDING else size


def two_proportion_p_value(share1: float, n1: float, share2: float, n2: float) -> float:
    """Return the two-sided p-value of the z test that two proportions are equal.

    Parameters
    ----------
    share1, share2 : float
        The proportions, from 0 to 1.
    n1, n2 : float
        How many rows each rests on, at least 1; effective sizes need not be whole.

    Returns
    -------
    float
        1 where neither sample, or all of both, counts.

    Notes
    -----
    With p̄ = (n₁p₁ + n₂p₂) / (n₁ + n₂) in both samples,

        z = (p₁ − p₂) / √(p̄(1 − p̄)(1/n₁ + 1/n₂)),

    without a correction for continuity: the root of Pearson's χ² of the two by two table.

    Examples
    --------
    >>> round(two_proportion_p_value(130 / 255, 255, 84 / 117, 117), 9)
    0.000162549
    >>> two_proportion_p_value(0.0, 12.5, 0.0, 30)
    1.0
    """
    total = n1 + n2
    pooled = share1 * (n1 / total) + share2 * (n2 / total)
    # Pooled on its own: where shares are near 1, 1 - pooled would lose what is left of it.
    complement = (1 - share1) * (n1 / total) + (1 - share2) * (n2 / total)
    if pooled <= 0 or complement <= 0:
        return 1.0
    error = math.sqrt(pooled * complement * (1 / n1 + 1 / n2))
    return normal_two_sided((share1 - share2) / error)
