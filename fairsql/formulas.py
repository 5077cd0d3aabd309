"""Values that are no share, mean or quantile: each a formula on the statistics of its family.

Each is in SQL too, under the name that the catalogue gives: ``macros/verdict/formulas.sql``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairsql import families
from fairsql.families import share_of

if TYPE_CHECKING:
    from fairsql.families import Statistics

_PREDICTED_POSITIVES = ("tp", "fp")
_POSITIVES = ("tp", "fn")
_NEGATIVES = ("tn", "fp")


# --- of confusion cells ------------------------------------------------------------------------


def f1(statistics: Statistics) -> float | None:
    """Return 2 TP / (2 TP + FP + FN); ``None`` where no row is positive in either column."""
    return share_of(("tp", "tp"), ("tp", "tp", "fp", "fn"), statistics)


def balanced_accuracy(statistics: Statistics) -> float | None:
    """Return the mean of recall and specificity; ``None`` where the truth lacks a class."""
    recall = share_of(("tp",), _POSITIVES, statistics)
    specificity = share_of(("tn",), _NEGATIVES, statistics)
    return None if recall is None or specificity is None else (recall + specificity) / 2


def geometric_mean(statistics: Statistics) -> float | None:
    """Return the square root of precision times recall; ``None`` where either is undefined."""
    precision = share_of(("tp",), _PREDICTED_POSITIVES, statistics)
    recall = share_of(("tp",), _POSITIVES, statistics)
    return None if precision is None or recall is None else math.sqrt(precision * recall)


# --- of moments --------------------------------------------------------------------------------


def total(statistics: Statistics) -> float | None:
    """Return the sum of the values, as their number times their mean."""
    mean = families.mean(statistics)
    return None if mean is None else families.rows(statistics) * mean


def minimum(statistics: Statistics) -> float | None:
    """Return the smallest value."""
    return float(statistics["minimum"]) if statistics["rows"] else None


def maximum(statistics: Statistics) -> float | None:
    """Return the largest value."""
    return float(statistics["maximum"]) if statistics["rows"] else None


def variance(statistics: Statistics) -> float | None:
    """Return the sample variance (n - 1); ``None`` for fewer than two rows."""
    return families.variance(statistics) if statistics["rows"] >= 2 else None


def standard_deviation(statistics: Statistics) -> float | None:
    """Return the square root of the sample variance; ``None`` for fewer than two rows."""
    spread = variance(statistics)
    return None if spread is None else math.sqrt(spread)


def standardized_difference(first: Statistics, second: Statistics) -> float | None:
    """Return the gap of two means in pooled standard deviations, whichever is larger.

    The standard deviation is √(((n₁ − 1) s₁² + (n₂ − 1) s₂²) / (n₁ + n₂ − 2)). ``None`` where it is
    0, or a sample has fewer than two rows.
    """
    sizes = first["rows"], second["rows"]
    means = families.mean(first), families.mean(second)
    if min(sizes) < 2 or means[0] is None or means[1] is None:
        return None
    squares = sum(
        (size - 1) * families.variance(sample)
        for size, sample in zip(sizes, (first, second), strict=True)
    )
    deviation = math.sqrt(squares / (sum(sizes) - 2))
    return abs(means[0] - means[1]) / deviation if deviation else None


# --- of counts ---------------------------------------------------------------------------------


def row_count(statistics: Statistics) -> float:
    """Return the number of rows."""
    return float(families.rows(statistics))


def distinct_count(statistics: Statistics) -> float | None:
    """Return how many values there are that differ as canonical text, counted by the scan."""
    count = statistics["distinct_values"]
    return None if count is None else float(count)
