"""Approximate metrics: AUC and quantiles from rows counted by bin, never put in order.

A bin holds the rows whose number lies in one stretch, so that rows of different bins are in a
known order and rows of one bin are not. What that leaves open is bounded, and the bounds are
certain: they hold the exact value whatever the data, but for rounding in the last digits.

====================== =======================================================================
family                 statistics
====================== =======================================================================
``binned_concordance`` ``rows``, ``positives``, ``negatives``, ``binned_concordant`` (pairs in
                       the right order, of those in one bin a half) and ``same_bin_pairs`` (pairs
                       of two scores in one bin, whose order is not known)
``binned_quantile``    ``rows``, ``approximate_quantile``, ``quantile_least`` and
                       ``quantile_greatest`` (its bounds), ``interval_lower`` and
                       ``interval_upper`` (the outer ends of the interval's bins), and of the
                       pooled test ``above_bin`` and ``from_bin`` (rows above the pooled
                       quantile's bin, and in it or above), ``other_rows``, ``other_above_bin``
                       and ``other_from_bin``
====================== =======================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fairsql import families
from fairsql.families import CONCORDANCE, QUANTILE, Family, Interval, Statistics

if TYPE_CHECKING:
    from fairsql.metrics import Metric

AUC_METHODS = ("exact", "binned")
QUANTILE_METHODS = ("exact", "approximate")

METHODS: Mapping[str, tuple[str, str]] = {
    CONCORDANCE.name: ("auc_method", "binned"),
    QUANTILE.name: ("quantile_method", "approximate"),
}
"""Family of an exact metric -> the field that chooses its method, and the one that is not exact."""

BINNED_CONCORDANCE = Family(
    "binned_concordance",
    ("rows", "positives", "negatives", "binned_concordant", "same_bin_pairs"),
)
_ENDS = ("interval_lower", "interval_upper")
_POOLED = ("above_bin", "from_bin", "other_rows", "other_above_bin", "other_from_bin")
BINNED_QUANTILE = Family(
    "binned_quantile",
    (
        "rows",
        "approximate_quantile",
        "quantile_least",
        "quantile_greatest",
        *_ENDS,
        *_POOLED,
    ),
)


def method_field(metric: Metric) -> str | None:
    """Return the field that chooses a metric's method; ``None`` where there is one method alone."""
    return METHODS.get(metric.family.name, (None, ""))[0]


def by_method(metric: Metric, fields: Mapping[str, Any]) -> Metric:
    """Return a metric as the fields of a test want it computed: exactly, or by bins."""
    field, approximate = METHODS.get(metric.family.name, ("", ""))
    return binned(metric) if field and fields.get(field) == approximate else metric


def binned(metric: Metric) -> Metric:
    """Return an exact AUC or quantile as it is computed by bins, with its bounds."""
    if metric.quantile is not None:
        return replace(
            metric,
            family=BINNED_QUANTILE,
            value=partial(families.quantile, name="approximate_quantile"),
            bounds=_quantile_bounds,
            # The exact method's test on the values' bins. Whichever edge of the bin is the split,
            # both samples together say where it lies, and not which rows are whose: the p-value
            # needs no bounds, and is that of a split at most one bin away.
            p_value=partial(families.pooled_quantile, metric.quantile, names=_POOLED),
            interval=partial(families.order_statistics, ends=_ENDS),
        )
    return replace(
        metric,
        family=BINNED_CONCORDANCE,
        value=_concordance,
        bounds=_concordance_bounds,
        p_value=_bounded_p_value,
        interval=_bounded_interval,
    )


# --- AUC -------------------------------------------------------------------------------------


def _concordance(statistics: Statistics) -> float | None:
    """Return the AUC of the scores' bins: halfway between the bounds.

    Of the pairs in one bin half are taken to be in the right order, as a tie counts. That is what
    they would be on average if the score told nothing within its bin, the straight line that the
    ROC curve takes through it, and the value that can be wrong by least.
    """
    possible = families.pairs(statistics)
    return float(statistics["binned_concordant"]) / possible if possible else None


def _concordance_bounds(statistics: Statistics) -> tuple[float, float] | None:
    """Return the AUC if none of the pairs in one bin are in the right order, and if all are."""
    possible = families.pairs(statistics)
    if not possible:
        return None
    concordant, half = statistics["binned_concordant"], statistics["same_bin_pairs"] / 2
    return max(0.0, (concordant - half) / possible), min(1.0, (concordant + half) / possible)


def _bounded_p_value(first: Statistics, second: Statistics) -> float | None:
    from fairsql import inference

    bounds1, bounds2 = _concordance_bounds(first), _concordance_bounds(second)
    if bounds1 is None or bounds2 is None:
        return None
    return inference.bounded_auc_p_value(
        bounds1,
        int(first["positives"]),
        int(first["negatives"]),
        bounds2,
        int(second["positives"]),
        int(second["negatives"]),
    )


def _bounded_interval(statistics: Statistics, alpha: float) -> Interval | None:
    from fairsql import inference

    bounds = _concordance_bounds(statistics)
    if bounds is None:
        return None
    return inference.bounded_auc_interval(
        bounds, int(statistics["positives"]), int(statistics["negatives"]), alpha
    )


# --- quantiles -------------------------------------------------------------------------------


def _quantile_bounds(statistics: Statistics) -> tuple[float, float] | None:
    least, greatest = statistics["quantile_least"], statistics["quantile_greatest"]
    return None if least is None or greatest is None else (float(least), float(greatest))
