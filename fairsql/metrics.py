"""The catalogue of metrics: one entry a metric, from its inputs to its interval.

A metric reads *statistics*, the per-group aggregates a scan returns, as a mapping from name to
number:

================== ===========================================================================
family             statistics
================== ===========================================================================
``positives``      ``rows``, ``positives``
``cells``          ``rows``, ``tp``, ``fp``, ``fn``, ``tn``
``moments``        ``rows``, ``mean``, ``m2`` (sum of squared deviations), ``minimum``,
                   ``maximum`` of the metric's row quantity
``determination``  ``rows``, ``mean`` of the squared errors, ``truth_m2``, ``truth_minimum``,
                   ``truth_maximum``
``concordance``    ``positives``, ``negatives``, ``concordant`` (pairs in the right order, a tie
                   counting half)
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
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from fairsql.inference import Moments

Statistics = Mapping[str, Any]
Interval = tuple[float | None, float | None]
InputKind = Literal["number", "probability", "label"]
Direction = Literal["higher", "lower"]


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


@dataclass(frozen=True)
class Metric:
    """One entry of the catalogue.

    Attributes
    ----------
    inputs
        Parameter name of each input column -> its kind, in the order the SQL counts them.
    direction
        Which values are better; ``None`` when the test states it by ``higher_is_better``.
    quantity
        Name of the row-level quantity that the SQL aggregates.
    value
        Statistics -> the metric, or ``None`` where it is undefined.
    undefined_reason
        Why ``value`` is ``None`` when it is.
    denominator
        Statistics -> the count the value rests on.
    p_value
        A group's and the second sample's statistics -> p-value; ``None`` where there is no test.
    interval
        Statistics and alpha -> bounds; ``None`` where there is no interval.
    part, whole
        The statistics whose ratio a proportion is; SQL reads them here.
    root
        Whether the value is the square root of the mean.
    quantile
        The level of an order statistic.
    overall_comparable
        Whether groups may be compared with the value over all rows.
    """

    name: str
    label: str
    family: Family
    quantity: str
    inputs: Mapping[str, InputKind]
    direction: Direction | None
    value: Callable[[Statistics], float | None]
    denominator: Callable[[Statistics], int]
    undefined_reason: str = "no_rows"
    p_value: Callable[[Statistics, Statistics], float | None] | None = None
    interval: Callable[[Statistics, float], Interval | None] | None = None
    part: str | None = None
    whole: tuple[str, ...] = ()
    root: bool = False
    quantile: Fraction | None = None
    overall_comparable: bool = True

    @property
    def proportion(self) -> bool:
        """True for a share of counts: its value is at most 1."""
        return self.part is not None

    @property
    def needs_positive_values(self) -> bool:
        """True when a label column is matched against ``positive_values``."""
        return "label" in self.inputs.values()

    @property
    def positive_input(self) -> str | None:
        """The input in which a positive must occur: the truth, or the value of a rate."""
        labels = [name for name, kind in self.inputs.items() if kind == "label"]
        return labels[-1] if labels else None


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


POSITIVES = _counting("positives", ("rows", "positives"))
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
QUANTILE = Family(
    "quantile",
    (
        "rows",
        "quantile",
        "lower",
        "upper",
        "pooled_quantile",
        "above",
        "at_or_above",
        "second_rows",
        "second_above",
        "second_at_or_above",
    ),
)


# --- values ----------------------------------------------------------------------------------


def _rows(statistics: Statistics) -> int:
    return int(statistics["rows"])


def _sum_of(names: tuple[str, ...], statistics: Statistics) -> int:
    return sum(int(statistics[name]) for name in names)


def _share_of(part: str, whole: tuple[str, ...], statistics: Statistics) -> float | None:
    denominator = _sum_of(whole, statistics)
    return int(statistics[part]) / denominator if denominator else None


def _is_constant(statistics: Statistics) -> bool:
    return bool(statistics["minimum"] == statistics["maximum"])


def _mean(statistics: Statistics) -> float | None:
    """Mean of the row quantity; a constant sample's mean is its value, exactly."""
    if not statistics["rows"]:
        return None
    return float(statistics["minimum"] if _is_constant(statistics) else statistics["mean"])


def _root_mean(statistics: Statistics) -> float | None:
    mean = _mean(statistics)
    return None if mean is None else math.sqrt(mean)


def _variance(statistics: Statistics) -> float:
    """Sample variance (n - 1); 0 for a constant sample whatever rounding says."""
    if _is_constant(statistics):
        return 0.0
    return max(float(statistics["m2"]), 0.0) / (_rows(statistics) - 1)


def _determination(statistics: Statistics) -> float | None:
    """R² = 1 - Σe² / Σ(y - ȳ)²; undefined on a constant truth."""
    if not statistics["rows"] or statistics["truth_minimum"] == statistics["truth_maximum"]:
        return None
    if not statistics["truth_m2"]:  # so little spread that its square is no number any more
        return None
    return 1 - _rows(statistics) * float(statistics["mean"]) / float(statistics["truth_m2"])


def _pairs(statistics: Statistics) -> int:
    return int(statistics["positives"]) * int(statistics["negatives"])


def _concordance(statistics: Statistics) -> float | None:
    """Mann–Whitney: the share of positive–negative pairs that the score orders rightly."""
    pairs = _pairs(statistics)
    return float(statistics["concordant"]) / pairs if pairs else None


def _quantile(statistics: Statistics) -> float | None:
    value = statistics["quantile"]
    return None if value is None else float(value)


# --- p-values and intervals ------------------------------------------------------------------


def _fisher(part: str, whole: tuple[str, ...], first: Statistics, second: Statistics) -> float:
    from fairsql import inference

    first_part, second_part = int(first[part]), int(second[part])
    return inference.fisher_exact(
        first_part,
        _sum_of(whole, first) - first_part,
        second_part,
        _sum_of(whole, second) - second_part,
    )


def _wilson(
    part: str, whole: tuple[str, ...], statistics: Statistics, alpha: float
) -> Interval | None:
    from fairsql import inference

    denominator = _sum_of(whole, statistics)
    if not denominator:
        return None
    return inference.wilson_interval(int(statistics[part]), denominator, alpha)


def _welch(first: Statistics, second: Statistics) -> float | None:
    from fairsql import inference

    if min(first["rows"], second["rows"]) < 2:
        return None
    first_mean, second_mean = _mean(first), _mean(second)
    if first_mean is None or second_mean is None:
        return None
    return inference.welch(
        first["rows"], first_mean, _variance(first), second["rows"], second_mean, _variance(second)
    )


def _mean_interval(floor: float | None, statistics: Statistics, alpha: float) -> Interval | None:
    from fairsql import inference

    mean = _mean(statistics)
    if mean is None or statistics["rows"] < 2:
        return None
    return inference.t_interval(statistics["rows"], mean, _variance(statistics), alpha, floor=floor)


def _root_mean_interval(statistics: Statistics, alpha: float) -> Interval | None:
    bounds = _mean_interval(0.0, statistics, alpha)
    if bounds is None:
        return None
    lower, upper = bounds
    return (
        None if lower is None else math.sqrt(lower),
        None if upper is None else math.sqrt(upper),
    )


def _hanley_mcneil(first: Statistics, second: Statistics) -> float | None:
    from fairsql import inference

    values = _concordance(first), _concordance(second)
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


def _hanley_mcneil_interval(statistics: Statistics, alpha: float) -> Interval | None:
    from fairsql import inference

    value = _concordance(statistics)
    if value is None:
        return None
    return inference.hanley_mcneil_interval(
        value, int(statistics["positives"]), int(statistics["negatives"]), alpha
    )


def _pooled_quantile(q: Fraction, first: Statistics, _second: Statistics) -> float | None:
    """Fisher on the counts beyond the pooled quantile, which the scan has counted."""
    from fairsql import inference

    if not first["second_rows"]:
        return None
    return inference.pooled_quantile_p_value(
        int(first["rows"]),
        int(first["above"]),
        int(first["at_or_above"]),
        int(first["second_rows"]),
        int(first["second_above"]),
        int(first["second_at_or_above"]),
        q,
    )


def _order_statistics(statistics: Statistics, _alpha: float) -> Interval | None:
    """Order statistics at the binomial ranks, picked inside the scan at the test's alpha."""
    return statistics["lower"], statistics["upper"]


# --- the catalogue ---------------------------------------------------------------------------


def _proportion(
    name: str,
    label: str,
    family: Family,
    quantity: str,
    inputs: Mapping[str, InputKind],
    direction: Direction | None,
    *,
    part: str,
    whole: tuple[str, ...],
    undefined_reason: str,
) -> Metric:
    return Metric(
        name,
        label,
        family,
        quantity,
        inputs,
        direction,
        value=partial(_share_of, part, whole),
        denominator=partial(_sum_of, whole),
        undefined_reason=undefined_reason,
        p_value=partial(_fisher, part, whole),
        interval=partial(_wilson, part, whole),
        part=part,
        whole=whole,
    )


def _loss(
    name: str,
    label: str,
    quantity: str,
    inputs: Mapping[str, InputKind],
    direction: Direction | None = "lower",
    floor: float | None = 0.0,
) -> Metric:
    return Metric(
        name,
        label,
        MOMENTS,
        quantity,
        inputs,
        direction,
        value=_mean,
        denominator=_rows,
        p_value=_welch,
        interval=partial(_mean_interval, floor),
    )


def _order_statistic(name: str, label: str, q: Fraction) -> Metric:
    return Metric(
        name,
        label,
        QUANTILE,
        "value",
        {"value_column": "number"},
        None,
        value=_quantile,
        denominator=_rows,
        p_value=partial(_pooled_quantile, q),
        interval=_order_statistics,
        quantile=q,
    )


_CLASSIFIED: Mapping[str, InputKind] = {
    "prediction_column": "label",
    "ground_truth_column": "label",
}
_PROBABILITY: Mapping[str, InputKind] = {
    "probability_column": "probability",
    "ground_truth_column": "label",
}
_REGRESSED: Mapping[str, InputKind] = {
    "prediction_column": "number",
    "ground_truth_column": "number",
}

_ENTRIES = (
    Metric(
        "auc",
        "AUC",
        CONCORDANCE,
        "concordance",
        {"score_column": "number", "ground_truth_column": "label"},
        "higher",
        value=_concordance,
        denominator=_pairs,
        undefined_reason="one_class_only",
        p_value=_hanley_mcneil,
        interval=_hanley_mcneil_interval,
        overall_comparable=False,
    ),
    _loss("log_loss", "log loss", "log_loss", _PROBABILITY),
    _loss("brier", "Brier score", "squared_probability_error", _PROBABILITY),
    _proportion(
        "npv",
        "negative predictive value",
        CELLS,
        "cell",
        _CLASSIFIED,
        "higher",
        part="tn",
        whole=("tn", "fn"),
        undefined_reason="no_predicted_negatives",
    ),
    _proportion(
        "false_omission_rate",
        "false omission rate",
        CELLS,
        "cell",
        _CLASSIFIED,
        "lower",
        part="fn",
        whole=("tn", "fn"),
        undefined_reason="no_predicted_negatives",
    ),
    _loss("mae", "mean absolute error", "absolute_error", _REGRESSED),
    Metric(
        "rmse",
        "root mean squared error",
        MOMENTS,
        "squared_error",
        _REGRESSED,
        "lower",
        value=_root_mean,
        denominator=_rows,
        p_value=_welch,
        interval=_root_mean_interval,
        root=True,
    ),
    Metric(
        "r2",
        "R²",
        DETERMINATION,
        "determination",
        _REGRESSED,
        "higher",
        value=_determination,
        denominator=_rows,
        undefined_reason="constant_ground_truth",
        overall_comparable=False,
    ),
    _loss("mean", "mean", "value", {"value_column": "number"}, None, None),
    _order_statistic("median", "median", Fraction(1, 2)),
    _order_statistic("p95", "95th percentile", Fraction(19, 20)),
    _proportion(
        "rate",
        "rate",
        POSITIVES,
        "positive",
        {"value_column": "label"},
        None,
        part="positives",
        whole=("rows",),
        undefined_reason="no_rows",
    ),
)

METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ENTRIES}
"""Every metric by its name, in the order of the reference documents."""

INPUT_COLUMNS: tuple[str, ...] = (
    "score_column",
    "probability_column",
    "prediction_column",
    "ground_truth_column",
    "value_column",
)
"""Every parameter that names a metric input."""

MEASUREMENTS: tuple[str, ...] = (
    "failing_group_count",
    "failing_group_percentage",
    "min_metric_ratio",
    "max_metric_difference",
    "worst_group_value",
    "significant_disparity_count",
    "insufficient_group_count",
    "missing_attribute_rate",
    "min_group_share",
    "undefined_group_count",
)
"""Every measurement a threshold may be set on, in the order reports show them."""
