"""What a metric is to the catalogue, and how entries of the common sorts are made.

A metric reads the statistics of its family (:mod:`fairsql.families`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

from fairsql import families
from fairsql.families import CELLS, MOMENTS, QUANTILE, Family, Interval, Statistics

InputKind = Literal[
    "number", "nonzero", "probability", "label", "class", "any", "missing", "text", "embedding"
]
"""What a metric reads of a column.

``number``, ``probability`` (from 0 to 1) and ``nonzero`` (a 0 is missing) need a numeric column;
``label`` is whether the value is positive, ``class`` its text as a group's key has it, ``any`` its
canonical text, and ``missing`` whether it is missing, which every row tells; ``text`` is a text as
it is, and ``embedding`` an array of numbers, or the JSON text of one.
"""
Direction = Literal["higher", "lower"]

NUMERIC_INPUTS: tuple[InputKind, ...] = ("number", "nonzero", "probability")
"""The kinds of inputs that only a numeric column can be."""


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
        The statistics whose sums' ratio a proportion is; SQL reads them here.
    formula
        Which of the formulas in SQL the value is (``macros/verdict/formulas.sql``), where it is no
        proportion and not what the family stands for.
    root
        Whether the value is the square root of the mean.
    quantile
        The level of an order statistic.
    overall_comparable
        Whether groups may be compared with the value over all rows.
    bounds
        Statistics -> the least and the greatest that the exact value can be, of a metric that is
        computed approximately; ``None`` where the value is exact.
    standardized
        Whether the gap is one of means in pooled standard deviations. Groups have no value to show
        then, and no ratio: ``value`` is the mean, by which they are ordered.
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
    part: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    formula: str | None = None
    root: bool = False
    quantile: Fraction | None = None
    overall_comparable: bool = True
    standardized: bool = False
    bounds: Callable[[Statistics], tuple[float, float] | None] | None = None

    @property
    def proportion(self) -> bool:
        """True for a share of counts: its value is at most 1."""
        return bool(self.part)

    @property
    def needs_positive_values(self) -> bool:
        """True when a label column is matched against ``positive_values``."""
        return "label" in self.inputs.values()

    @property
    def positive_input(self) -> str | None:
        """The input in which a positive must occur: the truth, or the value of a rate."""
        labels = [name for name, kind in self.inputs.items() if kind == "label"]
        return labels[-1] if labels else None


def proportion(
    name: str,
    label: str,
    family: Family,
    quantity: str,
    inputs: Mapping[str, InputKind],
    direction: Direction | None,
    *,
    part: tuple[str, ...],
    whole: tuple[str, ...],
    undefined_reason: str = "no_rows",
) -> Metric:
    """Return the entry of a share of rows: Fisher's p-value and Wilson's interval."""
    return Metric(
        name,
        label,
        family,
        quantity,
        inputs,
        direction,
        value=partial(families.share_of, part, whole),
        denominator=partial(families.sum_of, whole),
        undefined_reason=undefined_reason,
        p_value=partial(families.fisher, part, whole),
        interval=partial(families.wilson, part, whole),
        part=part,
        whole=whole,
    )


def loss(
    name: str,
    label: str,
    quantity: str,
    inputs: Mapping[str, InputKind],
    direction: Direction | None = "lower",
    floor: float | None = 0.0,
) -> Metric:
    """Return the entry of a mean of one number a row: Welch's p-value and the t interval."""
    return Metric(
        name,
        label,
        MOMENTS,
        quantity,
        inputs,
        direction,
        value=families.mean,
        denominator=families.rows,
        p_value=families.welch,
        interval=partial(families.mean_interval, floor),
    )


def order_statistic(name: str, label: str, q: Fraction) -> Metric:
    """Return the entry of a quantile of a column."""
    return Metric(
        name,
        label,
        QUANTILE,
        "value",
        {"value_column": "number"},
        None,
        value=families.quantile,
        denominator=families.rows,
        p_value=partial(families.pooled_quantile, q),
        interval=families.order_statistics,
        quantile=q,
    )


_CLASSIFIED: Mapping[str, InputKind] = {
    "prediction_column": "label",
    "ground_truth_column": "label",
}


def rate_of_cells(
    name: str,
    label: str,
    direction: Direction | None,
    part: str,
    whole: str,
    undefined_reason: str = "no_rows",
) -> Metric:
    """Return the entry of a share of confusion cells, each side the cells' names in a row."""
    return proportion(
        name,
        label,
        CELLS,
        "cell",
        _CLASSIFIED,
        direction,
        part=tuple(part.split()),
        whole=tuple(whole.split()),
        undefined_reason=undefined_reason,
    )


def combination_of_cells(
    name: str,
    label: str,
    value: Callable[[Statistics], float | None],
    rests_on: str,
    undefined_reason: str,
) -> Metric:
    """Return the entry of a number that several shares of cells make: no p-value, no interval."""
    return Metric(
        name,
        label,
        CELLS,
        "cell",
        _CLASSIFIED,
        "higher",
        value=value,
        denominator=partial(families.sum_of, tuple(rests_on.split())),
        undefined_reason=undefined_reason,
        formula=name,
    )


def column_statistic(
    name: str,
    label: str,
    value: Callable[[Statistics], float | None],
    formula: str,
    family: Family = MOMENTS,
    quantity: str = "value",
    kind: InputKind | None = "number",
    undefined_reason: str = "no_rows",
) -> Metric:
    """Return the entry of a number about one column: no p-value, no interval."""
    return Metric(
        name,
        label,
        family,
        quantity,
        {} if kind is None else {"value_column": kind},
        None,
        value=value,
        denominator=families.rows,
        undefined_reason=undefined_reason,
        formula=formula,
        overall_comparable=False,
    )
