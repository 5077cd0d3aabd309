"""The rules that join several fields of a test.

Each yields the field at fault and what is wrong. They read a mapping from field to value in which
defaults are filled in and a field that is itself at fault is absent, so that one mistake is
reported once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from fairsql.config.windows import window_faults
from fairsql.metrics import INPUT_COLUMNS, METRICS, Metric

Values = Mapping[str, Any]
Faults = Iterator[tuple[str, str]]
Fold = Callable[[str], str]

METRIC_FIELDS = (*INPUT_COLUMNS, "positive_values", "higher_is_better")
"""The fields whose use depends on the metric."""

REFERENCE_FIELDS = ("reference_strategy", "reference_value")
"""The fields that say which group is the reference."""


def used_fields(metric: Metric) -> tuple[str, ...]:
    """Return the metric's own fields; it needs every one of them.

    >>> used_fields(METRICS["rate"])
    ('value_column', 'positive_values', 'higher_is_better')
    """
    used = list(metric.inputs)
    if metric.needs_positive_values:
        used.append("positive_values")
    if metric.direction is None:
        used.append("higher_is_better")
    return tuple(used)


def combination_faults(values: Values, given: Collection[str]) -> Faults:
    """Yield each field at fault with what is wrong.

    Parameters
    ----------
    values
        Field -> value; fields with a fault of their own are absent.
    given
        The fields that the user wrote with a value.
    """
    metric = METRICS.get(values.get("parity_metric", ""))
    if metric is not None:
        yield from _metric_field_faults(metric, values, given)
        yield from _proportion_faults(metric, values)
    yield from _comparison_faults(metric, values, given)
    yield from _named_reference_faults(values, given)
    yield from _significance_faults(metric, values)
    yield from column_faults(values, fold=str)
    yield from window_faults(values, given)


def _metric_field_faults(metric: Metric, values: Values, given: Collection[str]) -> Faults:
    used = used_fields(metric)
    for field in METRIC_FIELDS:
        if field in used and field in values and values[field] is None:
            yield field, f"is required by parity_metric {metric.name}."
        elif field in given and field not in used:
            yield (
                field,
                f"is not used by parity_metric {metric.name}, which takes {_listing(used)}.",
            )


def _proportion_faults(metric: Metric, values: Values) -> Faults:
    gap = values.get("max_difference")
    if metric.proportion and gap is not None and gap > 1:
        yield (
            "max_difference",
            f"must be at most 1, because {metric.name} is a proportion, but is {gap:g}.",
        )


def _comparison_faults(metric: Metric | None, values: Values, given: Collection[str]) -> Faults:
    if values.get("comparison") != "overall":
        return
    if metric is not None and not metric.overall_comparable:
        yield (
            "comparison",
            f"overall is not available for {metric.name}, whose value over all rows is not an "
            "average of the groups' values; use comparison: reference.",
        )
    for field in REFERENCE_FIELDS:
        if field in given and field in values:
            yield field, "cannot be used with comparison: overall."


def _named_reference_faults(values: Values, given: Collection[str]) -> Faults:
    strategy = values.get("reference_strategy")
    if values.get("comparison") != "reference" or strategy is None:
        return
    if strategy == "highest":
        if "reference_value" in given:
            yield (
                "reference_value",
                "is not used with reference_strategy highest; "
                "did you mean reference_strategy: named?",
            )
        return
    if values.get("reference_value", "") is None:
        yield "reference_value", "is required by reference_strategy: named."
    attributes = values.get("protected_attribute_columns", ())
    if len(attributes) > 1:
        yield (
            "reference_strategy",
            f"named needs exactly one protected attribute, but there are {len(attributes)}.",
        )


def _significance_faults(metric: Metric | None, values: Values) -> Faults:
    missing = ""
    if metric is not None and metric.p_value is None:
        missing = f"{metric.name} has no significance test"
    elif values.get("significance_test") == "none":
        missing = "significance_test is none"
    if missing and values.get("require_significance"):
        yield "require_significance", f"cannot be true, because {missing}."
    if missing and any(
        threshold.measurement == "significant_disparity_count"
        for threshold in values.get("thresholds", ())
    ):
        yield "thresholds", f"cannot limit significant_disparity_count, because {missing}."
    if values.get("p_value_adjustment") == "holm_all_pairs" and (
        values.get("comparison") == "overall" or values.get("reference_strategy") == "named"
    ):
        yield (
            "p_value_adjustment",
            "holm_all_pairs needs comparison: reference with reference_strategy: highest; "
            "use holm here.",
        )


def column_faults(values: Values, fold: Fold) -> Faults:
    """Yield the columns that stand in two places where they may stand in one.

    Parameters
    ----------
    values
        Field -> value.
    fold
        The warehouse's rule by which two spellings name one column.
    """
    inputs: dict[str, str] = {}
    for role in INPUT_COLUMNS:
        column = values.get(role)
        if column is None:
            continue
        other = inputs.setdefault(fold(column), role)
        if other != role:
            yield role, f"must differ from {other}, but both are {_spelled(values[other], column)}."
    attributes: dict[str, str] = {}
    for column in values.get("protected_attribute_columns", ()):
        folded = fold(column)
        if folded in attributes:
            fault = f"names {_spelled(attributes[folded], column)} twice."
        elif role := inputs.get(folded, ""):
            fault = f"names {_spelled(column, values[role])}, which is also the {role}."
        else:
            attributes[folded] = column
            continue
        yield "protected_attribute_columns", fault


def _spelled(first: str, second: str) -> str:
    if first == second:
        return repr(first)
    return f"{first!r} (spelled {second!r} too, which is one name in this warehouse)"


def _listing(names: Collection[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
