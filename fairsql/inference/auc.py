"""Hanley and McNeil's standard error of an AUC, with its test and its interval."""

from __future__ import annotations

import math

from fairsql.inference.distributions import normal_two_sided, normal_two_sided_quantile


def hanley_mcneil_standard_error(auc: float, positives: float, negatives: float) -> float:
    """Return the standard error of an area under the ROC curve.

    Parameters
    ----------
    auc : float
        Area under the curve, from 0 to 1.
    positives, negatives : float
        Rows of each class, at least 1; of weighted rows their effective number.

    Notes
    -----
    Hanley & McNeil (1982), eq. 1, with Q1 = A/(2 − A) and Q2 = 2A²/(1 + A):

        SE² = A(1−A)[1 + (n⁺−1)(1−A)/(2−A) + (n⁻−1)A/(1+A)] / (n⁺n⁻).

    A is first moved into [1/(2n⁺n⁻), 1 − 1/(2n⁺n⁻)], half a pair of rows from the ends, since a
    perfect AUC is no proof of a standard error of 0.

    Examples
    --------
    >>> round(hanley_mcneil_standard_error(0.8931710615280595, 51, 58), 12)
    0.032486579607
    """
    pairs = float(positives) * float(negatives)
    margin = 1 / (2 * pairs)
    # The complement is moved on its own: with 1e16 pairs, 1 - margin would round to 1.
    area = min(max(auc, margin), 1 - margin)
    complement = min(max(1 - auc, margin), 1 - margin)
    shared_positives = (positives - 1) * complement / (1 + complement)
    shared_negatives = (negatives - 1) * area / (1 + area)
    return math.sqrt(area * complement * (1 + shared_positives + shared_negatives) / pairs)


def hanley_mcneil_p_value(
    auc1: float,
    positives1: float,
    negatives1: float,
    auc2: float,
    positives2: float,
    negatives2: float,
) -> float | None:
    """Return the two-sided p-value of equal AUCs in two independent samples.

    Parameters
    ----------
    auc1, auc2 : float
        Areas under the curves, from 0 to 1.
    positives1, negatives1, positives2, negatives2 : float
        Rows of each class in each sample.

    Returns
    -------
    float or None
        None with fewer than two positives or two negatives on a side.

    Notes
    -----
    z = (A₁ − A₂) / √(SE₁² + SE₂²), the areas as they are and the standard errors as in
    `hanley_mcneil_standard_error`.

    Examples
    --------
    >>> hanley_mcneil_p_value(1.0, 20, 20, 1.0, 10, 30)
    1.0
    >>> hanley_mcneil_p_value(1.0, 1, 39, 0.0, 1, 39) is None
    True
    """
    if min(positives1, negatives1, positives2, negatives2) < 2:
        return None
    error1 = hanley_mcneil_standard_error(auc1, positives1, negatives1)
    error2 = hanley_mcneil_standard_error(auc2, positives2, negatives2)
    return normal_two_sided((auc1 - auc2) / math.hypot(error1, error2))


def hanley_mcneil_interval(
    auc: float, positives: float, negatives: float, alpha: float
) -> tuple[float, float] | None:
    """Return the normal interval of an AUC at level ``1 - alpha``, clipped to [0, 1].

    Parameters
    ----------
    auc : float
        Area under the curve, from 0 to 1: the interval's centre, as it is.
    positives, negatives : float
        Rows of each class.
    alpha : float
        Between 0 and 1, both excluded.

    Returns
    -------
    tuple of float or None
        The bounds; None with fewer than two positives or two negatives.

    Examples
    --------
    >>> low, high = hanley_mcneil_interval(1.0, 20, 20, alpha=0.05)
    >>> round(low, 5), high
    (0.98877, 1.0)
    """
    if min(positives, negatives) < 2:
        return None
    error = hanley_mcneil_standard_error(auc, positives, negatives)
    half_width = normal_two_sided_quantile(alpha) * error
    return max(0.0, auc - half_width), min(1.0, auc + half_width)
