"""From rows to groups: what is missing, evaluated, or forbids a verdict (SPEC §2.3, §4)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from .canonical import (
    NUMERIC_KINDS,
    attribute_key,
    canonical_text,
    clean_key,
    configured_text,
    is_missing,
)

if TYPE_CHECKING:
    from .metrics import Input, Inputs, Metric

Table = Mapping[str, Sequence[object]]
Key = tuple[str, ...]

MOST_GROUPS = 1000  # SPEC §2.3
KNOWN_PAIRS = ({"true", "false"}, {"0", "1"})  # SPEC §4: a rate of 0 may be a fact of these


class Row(NamedTuple):
    """One row, cleaned; None wherever something is missing."""

    attributes: tuple[str | None, ...]
    inputs: Inputs  # a float where the input is a number, else whether the label is positive
    label: str | None  # canonical text of the last input
    infinite: bool  # an input is, on a row that has them all

    @property
    def complete(self) -> bool:
        """Whether the row has every metric input."""
        return None not in self.inputs

    @property
    def attributed(self) -> bool:
        """Whether the row has every protected attribute."""
        return None not in self.attributes


@dataclass(frozen=True)
class Reading:
    """Every row of a table as a test reads it.

    ``reason`` is the first skip reason that the rows alone give, up to the absent classes.
    """

    rows: Sequence[Row] = ()
    reason: str | None = None
    groups: Mapping[Key, Sequence[Inputs]] = field(default_factory=dict)
    incomplete: Mapping[Key, int] = field(default_factory=dict)  # rows that lack an input, by key

    @property
    def scanned(self) -> bool:
        """Whether the columns allowed the rows to be read at all."""
        return self.reason not in {"column_missing", "column_not_numeric"}

    @property
    def computable(self) -> bool:
        """Whether the metric's inputs are numbers that it may be computed from."""
        return self.reason not in {"infinite_values", "probability_out_of_range"}

    @cached_property
    def counts(self) -> dict[str, int]:
        """SPEC §5's ``rows``: a missing metric input goes first, then a missing attribute."""
        return {
            "total": len(self.rows),
            "missing_metric_inputs": sum(not row.complete for row in self.rows),
            "missing_attribute": sum(row.complete and not row.attributed for row in self.rows),
            "evaluated": sum(row.complete and row.attributed for row in self.rows),
        }

    @property
    def evaluated(self) -> list[Inputs]:
        """The metric inputs of all evaluated rows."""
        return [inputs for group in self.groups.values() for inputs in group]


def read(
    table: Table, kinds: Mapping[str, str], test: Mapping[str, Any], metric: Metric
) -> Reading:
    """Read a table's rows for a test whose defaults are filled in."""
    attributes: list[str] = test["protected_attribute_columns"]
    columns = [test[i.parameter] for i in metric.inputs]
    if any(name not in kinds for name in [*columns, *attributes]):
        return Reading(reason="column_missing")
    numeric = [i.numeric for i in metric.inputs]
    if any(kinds[name] not in NUMERIC_KINDS for name, n in zip(columns, numeric, strict=True) if n):
        return Reading(reason="column_not_numeric")

    cleaned = [
        [attribute_key(value, missing) for value in table[name]]
        for name in attributes
        for missing in [_cleaned_values(test["missing_attribute_values"], kinds[name])]
    ]
    inputs = [
        [_input(value, kind, positives) for value in table[name]]
        for name, kind in zip(columns, metric.inputs, strict=True)
        for positives in [_configured_values(test["positive_values"], kinds[name])]
    ]
    raw = list(zip(*(table[name] for name in columns), strict=True))
    values_of = list(zip(*inputs, strict=True))
    if not columns:
        raw = values_of = [()] * len(cleaned[0])
    rows = [
        Row(
            attributes=key,
            inputs=values,
            label=None if not given or is_missing(given[-1]) else canonical_text(given[-1]),
            infinite=_infinite(given, metric),
        )
        for key, values, given in zip(zip(*cleaned, strict=True), values_of, raw, strict=True)
    ]

    groups: dict[Key, list[Inputs]] = {}
    incomplete: Counter[Key] = Counter()
    for row in rows:
        if row.attributed and row.complete:
            groups.setdefault(_key(row), []).append(row.inputs)
        elif row.attributed:
            incomplete[_key(row)] += 1
    positives = frozenset[str]()
    if columns:
        positives = _configured_values(test["positive_values"], kinds[columns[-1]])
    if metric.prepare:
        groups = metric.prepare(groups)
    return Reading(rows, _reason(rows, len(groups), metric, positives), groups, incomplete)


def _key(row: Row) -> Key:
    return tuple(part for part in row.attributes if part is not None)


def _configured_values(values: Sequence[object], kind: str) -> frozenset[str]:
    return frozenset(configured_text(value, kind) for value in values)


def _cleaned_values(values: Sequence[object], kind: str) -> frozenset[str]:
    return frozenset(clean_key(text) for text in _configured_values(values, kind))


def _input(value: Any, kind: Input, positives: frozenset[str]) -> float | bool | str | None:
    if kind.kind == "missing":
        return is_missing(value)
    if is_missing(value) or (kind.kind == "nonzero" and value == 0):
        return None
    if kind.kind == "any":
        return canonical_text(value)
    return float(value) if kind.numeric else canonical_text(value) in positives


def _infinite(values: Sequence[object], metric: Metric) -> bool:
    """Whether a numeric input is infinite, or the square of an error of two finite numbers is.

    An infinite label is a text like any other.
    """
    if any(map(is_missing, values)):
        return False
    numbers = [v for v, i in zip(values, metric.inputs, strict=True) if i.numeric]
    if any(isinstance(number, float) and math.isinf(number) for number in numbers):
        return True
    if len(metric.inputs) == 2 and all(i.numeric for i in metric.inputs):
        prediction, truth = (float(value) for value in values)  # type: ignore[arg-type]
        error = prediction - truth
        return math.isinf(error * error)
    return False


def _reason(
    rows: Sequence[Row], groups: int, metric: Metric, positives: frozenset[str]
) -> str | None:
    """Return the first reason that applies, in SPEC §4's order, from ``no_rows`` to the classes."""
    complete = [row for row in rows if row.complete]
    evaluated = [row for row in complete if row.attributed]
    first = metric.inputs[0].parameter if metric.inputs else ""
    probability = first == "probability_column"
    reasons = {
        "no_rows": not rows,
        "column_all_missing": any(
            all(value is None for value in column)
            for part in ("inputs", "attributes")
            for column in zip(*(getattr(row, part) for row in rows), strict=True)
        ),
        "infinite_values": any(row.infinite for row in rows),
        "probability_out_of_range": probability
        and any(not 0 <= row.inputs[0] <= 1 for row in complete),
        "no_evaluated_rows": not evaluated,
        "too_many_groups": groups > MOST_GROUPS,
        "positive_class_absent": _positive_absent(evaluated, metric, positives),
        "negative_class_absent": first == "score_column"
        and all(row.inputs[1] for row in evaluated),
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


def _positive_absent(evaluated: Sequence[Row], metric: Metric, positives: frozenset[str]) -> bool:
    """Whether a positive must occur and does not (SPEC §4, below the list of reasons)."""
    if (
        not metric.inputs
        or not metric.inputs[-1].is_label
        or any(row.inputs[-1] for row in evaluated)
    ):
        return False
    occurring = {row.label for row in evaluated}
    rate_of_a_pair = metric.inputs[-1].parameter == "value_column" and any(
        occurring <= pair and positives & pair for pair in KNOWN_PAIRS
    )
    return not rate_of_a_pair
