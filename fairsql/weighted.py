"""Metrics of weighted rows: the same catalogue, with sums of weights in the place of counts.

A weighted family of statistics keeps the counts of rows, which denominators and notes rest on, and
adds sums of weights and of their squares, so that every number can be computed anew:

================== ===========================================================================
family             statistics besides those of the family without weights
================== ===========================================================================
``positives``      ``weight_sum``, ``squared_weight_sum``, ``weight_positives``
``cells``          ``weight_tp``, ``squared_weight_tp``, and so on for ``fp``, ``fn``, ``tn``
``moments``        ``weight_sum``, ``squared_weight_sum``; ``mean`` and ``m2`` are weighted
``determination``  ``weight_sum``, ``squared_weight_sum``; all means and ``truth_m2`` are weighted
``concordance``    ``weighted_concordant`` in the place of ``concordant``, and ``weight_…`` and
                   ``squared_weight_…`` of ``positives`` and ``negatives``
``quantile``       ``weighted_quantile``, ``weight_sum``, ``squared_weight_sum`` alone
================== ===========================================================================

What is tested rests on Kish's effective sizes (:func:`fairsql.inference.effective_size`). A
weighted sample of moments is judged as a sample of its effective size n that has the variance
Σw(x − x̄)² / (Σw − Σw²/Σw), the unbiased one for weights of reliability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING

from fairsql import families
from fairsql.families import Family, Interval, Statistics

if TYPE_CHECKING:
    from fairsql.inference import Moments
    from fairsql.metrics import Metric

Counts = tuple[str, ...]

# Whether a row has an input is told by a function of it, after the row has been weighed.
_UNWEIGHTABLE = ("semantic_similarity",)

SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-50, 1e50
"""What a weight may be besides 0: beyond it a square, or a weighted square, is no number."""


def is_weightable(metric: Metric) -> bool:
    """Return whether a metric is defined for weighted rows; those that count values are not."""
    return metric.family.name in _WEIGHTED and metric.quantity not in _UNWEIGHTABLE


def weighted(metric: Metric) -> Metric:
    """Return the metric over weighted rows: another family, value, p-value and interval.

    One that is weighted already is returned as it is, and so is one that is not weightable, whose
    configurations are refused.
    """
    if any(name.startswith("weight") for name in metric.family.statistics):
        return metric
    return _WEIGHTED[metric.family.name](metric) if is_weightable(metric) else metric


# --- statistics of several groups ------------------------------------------------------------


def _summed(names: tuple[str, ...]) -> Family:
    """Return a family of sums, without its name."""
    return Family("", names, partial(_merge_sums, names), partial(_sums_of_others, names))


def _merge_sums(names: tuple[str, ...], parts: Sequence[Statistics]) -> Statistics:
    return {name: sum(part[name] or 0 for part in parts) for name in names}


def _sums_of_others(names: tuple[str, ...], parts: Sequence[Statistics]) -> list[Statistics]:
    """Return for each part the sums of all others; the whole less a part could be rounding alone.

    >>> [others["w"] for others in _sums_of_others(("w",), [{"w": 1e20}, {"w": 1.0}, {"w": 2.0}])]
    [3.0, 1e+20, 1e+20]
    """
    sums = {name: _others([part[name] or 0 for part in parts]) for name in names}
    return [{name: sums[name][place] for name in names} for place in range(len(parts))]


def _others(numbers: Sequence[float]) -> list[float]:
    before = list(accumulate(numbers[:-1], add, initial=0))
    after = list(accumulate(reversed(numbers[1:]), add, initial=0))
    return list(map(add, before, reversed(after)))


def _moments(part: Statistics, prefix: str = "") -> Moments:
    from fairsql import inference

    if not part["rows"]:
        return inference.NO_ROWS
    names = ("mean", "m2", "minimum", "maximum")
    return inference.Moments(part["weight_sum"], *(part[prefix + name] for name in names))


def _named(moments: Moments, prefix: str = "") -> dict[str, float | None]:
    names = ("mean", "m2", "minimum", "maximum")
    return {prefix + name: getattr(moments, name) if moments.n else None for name in names}


_SUMS = ("rows", "weight_sum", "squared_weight_sum")


def _merge_moments(parts: Sequence[Statistics]) -> Statistics:
    from fairsql import inference

    merged = inference.merge_moments([_moments(part) for part in parts])
    return {**_merge_sums(_SUMS, parts), **_named(merged)}


def _moments_of_others(parts: Sequence[Statistics]) -> list[Statistics]:
    from fairsql import inference

    others = inference.complements([_moments(part) for part in parts])
    sums = _sums_of_others(_SUMS, parts)
    return [{**own, **_named(moments)} for own, moments in zip(sums, others, strict=True)]


def _merge_determination(parts: Sequence[Statistics]) -> Statistics:
    spreadless = {"m2": 0.0, "minimum": 0.0, "maximum": 1.0}  # of the errors only the mean is read
    errors = _merge_moments([{**part, **spreadless} for part in parts])
    from fairsql import inference

    truth = inference.merge_moments([_moments(part, "truth_") for part in parts])
    sums = {name: errors[name] for name in (*_SUMS, "mean")}
    return {**sums, **_named(truth, "truth_")}


# --- proportions -----------------------------------------------------------------------------


def _weight_of(count: str) -> str:
    """Return the sum of weights that stands for a count.

    >>> _weight_of("rows"), _weight_of("tp")
    ('weight_sum', 'weight_tp')
    """
    return "weight_sum" if count == "rows" else f"weight_{count}"


def _share(part: Counts, whole: Counts, statistics: Statistics) -> float | None:
    weight = sum(statistics[_weight_of(name)] or 0 for name in whole)
    return sum(statistics[_weight_of(name)] or 0 for name in part) / weight if weight else None


def _share_size(whole: Counts, statistics: Statistics) -> float | None:
    """Return the effective size of the rows that a share is a share of."""
    return _size(
        sum(statistics[_weight_of(name)] or 0 for name in whole),
        sum(statistics["squared_" + _weight_of(name)] or 0 for name in whole),
    )


def _size(weight: float | None, squared_weight: float | None) -> float | None:
    from fairsql import inference

    if not weight or not squared_weight:
        return None
    return inference.effective_size(weight, squared_weight)


def _two_proportions(
    part: Counts, whole: Counts, first: Statistics, second: Statistics
) -> float | None:
    from fairsql import inference

    share1, share2 = _share(part, whole, first), _share(part, whole, second)
    n1, n2 = _share_size(whole, first), _share_size(whole, second)
    if share1 is None or share2 is None or n1 is None or n2 is None:
        return None
    return inference.two_proportion_p_value(share1, n1, share2, n2)


def _wilson(part: Counts, whole: Counts, statistics: Statistics, alpha: float) -> Interval | None:
    from fairsql import inference

    share, n = _share(part, whole, statistics), _share_size(whole, statistics)
    if share is None or n is None:
        return None
    return inference.wilson_interval(share * n, n, alpha)


def _weights_for_counts(names: tuple[str, ...], statistics: Statistics) -> Statistics:
    """Return the statistics with sums of weights under the names of the counts."""
    return {**statistics, **{name: statistics[_weight_of(name)] or 0 for name in names}}


def _of_counts(family: Family, metric: Metric) -> Metric:
    """Return a metric of counts: a proportion, or another function of the cells."""
    counts = tuple(
        name for name in metric.family.statistics if _weight_of(name) in family.statistics
    )
    changed = replace(
        metric,
        family=replace(family, name=metric.family.name),
        value=lambda statistics: metric.value(_weights_for_counts(counts, statistics)),
    )
    if not metric.part:
        return changed
    part, whole = metric.part, metric.whole
    return replace(
        changed,
        value=partial(_share, part, whole),
        p_value=metric.p_value and partial(_two_proportions, part, whole),
        interval=metric.interval and partial(_wilson, part, whole),
    )


# --- moments ---------------------------------------------------------------------------------


def as_rows(statistics: Statistics) -> Statistics:
    """Return the moments of the equal rows that a weighted sample is worth.

    A sum of squares that no number holds is infinite.

    Of n = (Σw)²/Σw² rows with the variance m2/(Σw − Σw²/Σw): their sum of squared deviations is
    that times n − 1, which is m2 · n / Σw.
    """
    n = _size(statistics["weight_sum"], statistics["squared_weight_sum"])
    if n is None:
        return {**statistics, "rows": 0}
    m2 = statistics["m2"]
    return {
        **statistics,
        "rows": n,
        "m2": math.inf if m2 is None else m2 * (n / statistics["weight_sum"]),
    }


def _value(metric: Metric, statistics: Statistics) -> float | None:
    value = metric.value(as_rows(statistics))
    return value if value is not None and math.isfinite(value) else None


def _total(statistics: Statistics) -> float | None:
    """Return the sum of the values, each as often as its weight says."""
    mean = families.mean(statistics)
    return None if mean is None else float(statistics["weight_sum"] * mean)


def _of_moments(metric: Metric) -> Metric:
    p_value, interval = metric.p_value, metric.interval
    return replace(
        metric,
        family=Family(
            metric.family.name,
            (*metric.family.statistics, "weight_sum", "squared_weight_sum"),
            _merge_moments,
            _moments_of_others,
        ),
        value=_total if metric.formula == "total" else partial(_value, metric),
        p_value=p_value and (lambda first, second: p_value(as_rows(first), as_rows(second))),
        interval=interval and (lambda one, alpha: interval(as_rows(one), alpha)),
    )


def _determination(statistics: Statistics) -> float | None:
    """Return R² = 1 − Σwe² / Σw(y − ȳ)²; undefined on a constant truth."""
    if not statistics["rows"] or statistics["truth_minimum"] == statistics["truth_maximum"]:
        return None
    if not statistics["truth_m2"]:
        return None
    return float(1 - statistics["weight_sum"] * statistics["mean"] / statistics["truth_m2"])


def _of_determination(metric: Metric) -> Metric:
    names = (*metric.family.statistics, "weight_sum", "squared_weight_sum")
    family = Family(metric.family.name, names, _merge_determination)
    return replace(metric, family=family, value=_determination)


# --- AUC and quantiles -----------------------------------------------------------------------


def _concordance(statistics: Statistics) -> float | None:
    """Return the share of the pairs' weight that the score orders rightly.

    The weight of a pair is the product of its rows' weights; a tie counts half.
    """
    pairs = (statistics["weight_positives"] or 0) * (statistics["weight_negatives"] or 0)
    # Rounding may take a sum of pairs past their weight: an AUC is at most 1.
    return min(float(statistics["weighted_concordant"]) / pairs, 1.0) if pairs else None


def _class_sizes(statistics: Statistics) -> tuple[float, float] | None:
    positives, negatives = (
        _size(statistics[f"weight_{name}"], statistics[f"squared_weight_{name}"])
        for name in ("positives", "negatives")
    )
    return None if positives is None or negatives is None else (positives, negatives)


def _hanley_mcneil(first: Statistics, second: Statistics) -> float | None:
    from fairsql import inference

    auc1, auc2 = _concordance(first), _concordance(second)
    sizes1, sizes2 = _class_sizes(first), _class_sizes(second)
    if auc1 is None or auc2 is None or sizes1 is None or sizes2 is None:
        return None
    return inference.hanley_mcneil_p_value(auc1, *sizes1, auc2, *sizes2)


def _hanley_mcneil_interval(statistics: Statistics, alpha: float) -> Interval | None:
    from fairsql import inference

    auc, sizes = _concordance(statistics), _class_sizes(statistics)
    if auc is None or sizes is None:
        return None
    return inference.hanley_mcneil_interval(auc, *sizes, alpha)


def _of_concordance(metric: Metric) -> Metric:
    classes = ("positives", "negatives")
    names = (
        *("rows", *classes, "weighted_concordant"),
        *(f"weight_{name}" for name in classes),
        *(f"squared_weight_{name}" for name in classes),
    )
    return replace(
        metric,
        family=Family(metric.family.name, names),
        value=_concordance,
        p_value=_hanley_mcneil,
        interval=_hanley_mcneil_interval,
    )


def _quantile(statistics: Statistics) -> float | None:
    value = statistics["weighted_quantile"]
    return None if value is None else float(value)


def _of_quantile(metric: Metric) -> Metric:
    family = Family(
        metric.family.name, ("rows", "weighted_quantile", "weight_sum", "squared_weight_sum")
    )
    return replace(metric, family=family, value=_quantile, p_value=None, interval=None)


_CELLS = ("tp", "fp", "fn", "tn")
_POSITIVES = _summed((*families.POSITIVES.statistics, *_SUMS[1:], "weight_positives"))
_WEIGHED_CELLS = _summed(
    (
        *families.CELLS.statistics,
        *(f"weight_{name}" for name in _CELLS),
        *(f"squared_weight_{name}" for name in _CELLS),
    )
)
_WEIGHTED: dict[str, Callable[[Metric], Metric]] = {
    "positives": partial(_of_counts, _POSITIVES),
    "cells": partial(_of_counts, _WEIGHED_CELLS),
    "moments": _of_moments,
    "determination": _of_determination,
    "concordance": _of_concordance,
    "quantile": _of_quantile,
}
