"""Hanley and McNeil's standard error of an AUC, with its test and its interval."""

from __future__ import annotations

import math

from fairsql.inference.distributions import normal_two_sided, normal_two_sided_quantile

# Where each of the three terms of SE² · n⁺n⁻ is largest: A(1−A), A(1−A)²/(2−A), A²(1−A)/(1+A).
_PEAK = (3 - math.sqrt(5)) / 2
_PEAKS = (0.5, _PEAK, 1 - _PEAK)


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


# --- an AUC that is known between two bounds ----------------------------------------------------

Bounds = tuple[float, float]


def largest_auc_standard_error(bounds: Bounds, positives: float, negatives: float) -> float:
    """Return a standard error that no area between two bounds exceeds.

    Parameters
    ----------
    bounds : tuple of float
        The least and the greatest that the area under the curve may be, from 0 to 1.
    positives, negatives : float
        Rows of each class, at least 1.

    Notes
    -----
    Hanley and McNeil's SE² · n⁺n⁻ is the sum of A(1−A), (n⁺−1) · A(1−A)²/(2−A) and
    (n⁻−1) · A²(1−A)/(1+A). Each rises to one peak and falls after it (at 1/2, (3−√5)/2 and
    (√5−1)/2), so that between bounds it is largest at the place nearest to its peak; the sum of
    the three is at least the largest sum. With equal bounds it is that of
    :func:`hanley_mcneil_standard_error`.

    Examples
    --------
    >>> auc = 0.8931710615280595
    >>> round(largest_auc_standard_error((auc, auc), 51, 58), 12)
    0.032486579607
    >>> error = hanley_mcneil_standard_error(0.6, 51, 58)
    >>> largest_auc_standard_error((0.3, auc), 51, 58) > error
    True
    """
    pairs = float(positives) * float(negatives)
    margin = 1 / (2 * pairs)
    areas, complements = [], []
    for peak in _PEAKS:
        area = min(max(peak, bounds[0]), bounds[1])
        complement = min(max(1 - peak, 1 - bounds[1]), 1 - bounds[0])
        areas.append(min(max(area, margin), 1 - margin))
        complements.append(min(max(complement, margin), 1 - margin))
    own = areas[0] * complements[0]
    shared_positives = areas[1] * complements[1] * complements[1] / (1 + complements[1])
    shared_negatives = areas[2] * complements[2] * areas[2] / (1 + areas[2])
    square = own + (positives - 1) * shared_positives + (negatives - 1) * shared_negatives
    return math.sqrt(square / pairs)


def bounded_auc_p_value(
    bounds1: Bounds,
    positives1: float,
    negatives1: float,
    bounds2: Bounds,
    positives2: float,
    negatives2: float,
) -> float | None:
    """Return a p-value that is no smaller than that of any two AUCs between their bounds.

    Parameters
    ----------
    bounds1, bounds2 : tuple of float
        The least and the greatest that each area under the curve may be.
    positives1, negatives1, positives2, negatives2 : float
        Rows of each class in each sample.

    Returns
    -------
    float or None
        None with fewer than two positives or two negatives on a side; 1 where the bounds meet.

    Notes
    -----
    The gap is that of the ends nearest to each other, and the standard errors are those of
    :func:`largest_auc_standard_error`, so that no z of two AUCs within the bounds is smaller.

    Examples
    --------
    >>> bounded_auc_p_value((0.7, 0.8), 50, 60, (0.75, 0.9), 40, 80)
    1.0
    >>> wide = bounded_auc_p_value((0.70, 0.71), 50, 60, (0.84, 0.85), 40, 80)
    >>> wide > hanley_mcneil_p_value(0.71, 50, 60, 0.84, 40, 80)
    True
    """
    if min(positives1, negatives1, positives2, negatives2) < 2:
        return None
    gap = max(bounds1[0] - bounds2[1], bounds2[0] - bounds1[1], 0.0)
    error1 = largest_auc_standard_error(bounds1, positives1, negatives1)
    error2 = largest_auc_standard_error(bounds2, positives2, negatives2)
    return normal_two_sided(gap / math.hypot(error1, error2))


def bounded_auc_interval(
    bounds: Bounds, positives: float, negatives: float, alpha: float
) -> tuple[float, float] | None:
    """Return an interval that holds the normal one of any AUC between two bounds.

    Parameters
    ----------
    bounds : tuple of float
        The least and the greatest that the area under the curve may be.
    positives, negatives : float
        Rows of each class.
    alpha : float
        Between 0 and 1, both excluded.

    Returns
    -------
    tuple of float or None
        The ends, in [0, 1]; None with fewer than two positives or two negatives.

    Examples
    --------
    >>> low, high = bounded_auc_interval((0.80, 0.81), 50, 60, alpha=0.05)
    >>> low <= hanley_mcneil_interval(0.80, 50, 60, 0.05)[0]
    True
    >>> high > hanley_mcneil_interval(0.81, 50, 60, 0.05)[1]
    True
    """
    if min(positives, negatives) < 2:
        return None
    error = largest_auc_standard_error(bounds, positives, negatives)
    half_width = normal_two_sided_quantile(alpha) * error
    return max(0.0, bounds[0] - half_width), min(1.0, bounds[1] + half_width)
