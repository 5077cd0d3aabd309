"""Families of statistics: what several metrics read, and what follows from it.

*Statistics* are the per-group aggregates a scan returns, as a mapping from name to number:

================== ===========================================================================
family             statistics
================== ===========================================================================
``rows``           ``rows``
``distinct``       ``rows``, ``distinct_values``
``positives``      ``rows``, ``positives``
``scoring``        ``rows``, ``positives`` (rows above the median of all evaluated rows)
``cells``          ``rows``, ``tp``, ``fp``, ``fn``, ``tn``
``moments``        ``rows``, ``mean``, ``m2`` (sum of squared deviations), ``minimum``,
                   ``maximum`` of the metric's row quantity
``determination``  ``rows``, ``mean`` of the squared errors, and of the truth ``truth_mean``,
                   ``truth_m2``, ``truth_minimum``, ``truth_maximum``
``concordance``    ``rows``, ``positives``, ``negatives``, ``concordant`` (pairs in the right
                   order, a tie counting half)
``quantile``       ``rows``, ``quantile``, ``lower``, ``upper`` and the pooled counts ``above``,
                   ``at_or_above``, ``second_rows``, ``second_above``, ``second_at_or_above``
================== ===========================================================================
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairsql.inference import Moments

Statistics = Mapping[str, Any]
Interval = tuple[float | None, float | None]


@dataclass(frozen=True)
class Family:
    """A set of statistics that several metrics read.

    ``merge`` turns the statistics of disjoint groups into those of their union, and
    ``complements`` into those of all other groups, for each. Both are ``None`` where only the
    warehouse can do it or nothing asks for it.
    """

    name: str
    statistics: tuple[str, ...]
    merge: Callable[[Sequence[Statistics]], Statistics] | None = None
    complements: Callable[[Sequence[Statistics]], list[Statistics]] | None = None


# --- statistics of several groups ------------------------------------------------------------


def _merge_counts(names: tuple[str, ...], parts: Sequence[Statistics]) -> Statistics:
    return {name: sum(part[name] for part in parts) for name in names}


def _count_complements(names: tuple[str, ...], parts: Sequence[Statistics]) -> list[Statistics]:
    whole = _merge_counts(names, parts)
    return [{name: whole[name] - part[name] for name in names} for part in parts]


def _merge_moments(parts: Sequence[Statistics]) -> Statistics:
    from fairsql import inference

    return _statistics(inference.merge_moments([_moments(part) for part in parts]))


def _moment_complements(parts: Sequence[Statistics]) -> list[Statistics]:
    from fairsql import inference

    return list(map(_statistics, inference.complements([_moments(part) for part in parts])))


def _merge_determination(parts: Sequence[Statistics]) -> Statistics:
    errors = _merge_moments([{**part, "m2": 0.0, **_SPREADLESS} for part in parts])
    truth = _merge_moments(
        [
            {
                "rows": part["rows"],
                "mean": part["truth_mean"],
                "m2": part["truth_m2"],
                "minimum": part["truth_minimum"],
                "maximum": part["truth_maximum"],
            }
            for part in parts
        ]
    )
    return {
        "rows": errors["rows"],
        "mean": errors["mean"],
        "truth_mean": truth["mean"],
        "truth_m2": truth["m2"],
        "truth_minimum": truth["minimum"],
        "truth_maximum": truth["maximum"],
    }


_SPREADLESS = {"minimum": 0.0, "maximum": 1.0}  # only the mean of the squared errors is read


def _moments(part: Statistics) -> Moments:
    from fairsql import inference

    if not part["rows"]:
        return inference.NO_ROWS
    return inference.Moments(
        part["rows"], part["mean"], part["m2"], part["minimum"], part["maximum"]
    )


def _statistics(moments: Moments) -> Statistics:
    numbers = (moments.mean, moments.m2, moments.minimum, moments.maximum)
    names = ("mean", "m2", "minimum", "maximum")
    known = numbers if moments.n else (None,) * len(names)
    return {"rows": moments.n, **dict(zip(names, known, strict=True))}


def _counting(name: str, statistics: tuple[str, ...]) -> Family:
    return Family(
        name,
        statistics,
        partial(_merge_counts, statistics),
        partial(_count_complements, statistics),
    )


ROWS = _counting("rows", ("rows",))
DISTINCT = Family("distinct", ("rows", "distinct_values"))
POSITIVES = _counting("positives", ("rows", "positives"))
SCORING = _counting("scoring", ("rows", "positives"))
CELLS = _counting("cells", ("rows", "tp", "fp", "fn", "tn"))
MOMENTS = Family(
    "moments",
    ("rows", "mean", "m2", "minimum", "maximum"),
    _merge_moments,
    _moment_complements,
)
DETERMINATION = Family(
    "determination",
    ("rows", "mean", "truth_mean", "truth_m2", "truth_minimum", "truth_maximum"),
    _merge_determination,
)
CONCORDANCE = Family("concordance", ("rows", "positives", "negatives", "concordant"))
POOLED = ("above", "at_or_above", "second_rows", "second_above", "second_at_or_above")
"""Rows beyond the pooled quantile: of the group, all of the second sample, and of that beyond."""
QUANTILE = Family("quantile", ("rows", "quantile", "lower", "upper", "pooled_quantile", *POOLED))


# --- values ----------------------------------------------------------------------------------


def rows(statistics: Statistics) -> int:
    """Return the rows a value rests on."""
    return int(statistics["rows"])


def sum_of(names: tuple[str, ...], statistics: Statistics) -> int:
    """Return the sum of several counts."""
    return sum(int(statistics[name]) for name in names)


def share_of(part: tuple[str, ...], whole: tuple[str, ...], statistics: Statistics) -> float | None:
    """Return a sum of counts as a share of a larger one; ``None`` where that is 0."""
    denominator = sum(statistics[name] for name in whole)
    return float(sum(statistics[name] for name in part) / denominator) if denominator else None


def _is_constant(statistics: Statistics) -> bool:
    return bool(statistics["minimum"] == statistics["maximum"])


def mean(statistics: Statistics) -> float | None:
    """Return the mean of the row quantity; a constant sample's mean is its value, exactly."""
    if not statistics["rows"]:
        return None
    return float(statistics["minimum"] if _is_constant(statistics) else statistics["mean"])


def root_mean(statistics: Statistics) -> float | None:
    """Return the square root of the mean of the row quantity."""
    square = mean(statistics)
    return None if square is None else math.sqrt(square)


def variance(statistics: Statistics) -> float:
    """Return the sample variance (n - 1); 0 for a constant sample whatever rounding says."""
    if _is_constant(statistics):
        return 0.0
    return float(max(float(statistics["m2"]), 0.0) / (statistics["rows"] - 1))


def determination(statistics: Statistics) -> float | None:
    """Return R² = 1 - Σe² / Σ(y - ȳ)²; undefined on a constant truth."""
    if not statistics["rows"] or statistics["truth_minimum"] == statistics["truth_maximum"]:
        return None
    if not statistics["truth_m2"]:  # so little spread that its square is no number any more
        return None
    return 1 - rows(statistics) * float(statistics["mean"]) / float(statistics["truth_m2"])


def pairs(statistics: Statistics) -> int:
    """Return the number of pairs of a positive and a negative."""
    return int(statistics["positives"]) * int(statistics["negatives"])


def concordance(statistics: Statistics) -> float | None:
    """Return Mann–Whitney's share of positive–negative pairs that the score orders rightly."""
    possible = pairs(statistics)
    return float(statistics["concordant"]) / possible if possible else None


def quantile(statistics: Statistics, name: str = "quantile") -> float | None:
    """Return the quantile that the scan has picked."""
    value = statistics[name]
    return None if value is None else float(value)


# --- p-values and intervals ------------------------------------------------------------------


def fisher(
    part: tuple[str, ...], whole: tuple[str, ...], first: Statistics, second: Statistics
) -> float:
    """Return Fisher's exact p-value of two samples' shares."""
    from fairsql import inference

    first_part, second_part = sum_of(part, first), sum_of(part, second)
    return inference.fisher_exact(
        first_part,
        sum_of(whole, first) - first_part,
        second_part,
        sum_of(whole, second) - second_part,
    )


def wilson(
    part: tuple[str, ...], whole: tuple[str, ...], statistics: Statistics, alpha: float
) -> Interval | None:
    """Return Wilson's interval of a share; ``None`` where there is no share."""
    from fairsql import inference

    denominator = sum_of(whole, statistics)
    if not denominator:
        return None
    return inference.wilson_interval(sum_of(part, statistics), denominator, alpha)


def welch(first: Statistics, second: Statistics) -> float | None:
    """Return Welch's p-value of two means; ``None`` with fewer than two rows on a side."""
    from fairsql import inference

    if min(first["rows"], second["rows"]) < 2:
        return None
    first_mean, second_mean = mean(first), mean(second)
    if first_mean is None or second_mean is None:
        return None
    return inference.welch(
        first["rows"], first_mean, variance(first), second["rows"], second_mean, variance(second)
    )


def mean_interval(floor: float | None, statistics: Statistics, alpha: float) -> Interval | None:
    """Return the t interval of the mean, cut at a floor; ``None`` with fewer than two rows."""
    from fairsql import inference

    centre = mean(statistics)
    if centre is None or statistics["rows"] < 2:
        return None
    return inference.t_interval(
        statistics["rows"], centre, variance(statistics), alpha, floor=floor
    )


def root_mean_interval(statistics: Statistics, alpha: float) -> Interval | None:
    """Return the square roots of the t interval of the mean of squares."""
    bounds = mean_interval(0.0, statistics, alpha)
    if bounds is None:
        return None
    lower, upper = bounds
    return (
        None if lower is None else math.sqrt(lower),
        None if upper is None else math.sqrt(upper),
    )


def hanley_mcneil(first: Statistics, second: Statistics) -> float | None:
    """Return Hanley and McNeil's p-value of two AUCs."""
    from fairsql import inference

    values = concordance(first), concordance(second)
    if values[0] is None or values[1] is None:
        return None
    return inference.hanley_mcneil_p_value(
        values[0],
        int(first["positives"]),
        int(first["negatives"]),
        values[1],
        int(second["positives"]),
        int(second["negatives"]),
    )


def hanley_mcneil_interval(statistics: Statistics, alpha: float) -> Interval | None:
    """Return Hanley and McNeil's interval of an AUC."""
    from fairsql import inference

    value = concordance(statistics)
    if value is None:
        return None
    return inference.hanley_mcneil_interval(
        value, int(statistics["positives"]), int(statistics["negatives"]), alpha
    )


def pooled_quantile(
    q: Fraction, first: Statistics, _second: Statistics, *, names: tuple[str, ...] = POOLED
) -> float | None:
    """Return Fisher's p-value on the counts beyond the pooled quantile, made by the scan.

    ``names`` are those of the counts, in the order of :data:`POOLED`.
    """
    from fairsql import inference

    above, at_or_above, second_rows, second_above, second_at_or_above = names
    if not first[second_rows]:
        return None
    return inference.pooled_quantile_p_value(
        int(first["rows"]),
        int(first[above]),
        int(first[at_or_above]),
        int(first[second_rows]),
        int(first[second_above]),
        int(first[second_at_or_above]),
        q,
    )


def order_statistics(
    statistics: Statistics, _alpha: float, *, ends: tuple[str, str] = ("lower", "upper")
) -> Interval | None:
    """Return the order statistics at the binomial ranks, picked by the scan for alpha."""
    lower, upper = ends
    return statistics[lower], statistics[upper]
