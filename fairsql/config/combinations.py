"""The rules that join several fields of a test.

Each yields the field at fault and what is wrong. They read a mapping from field to value in which
defaults are filled in and a field that is itself at fault is absent, so that one mistake is
reported once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from fairsql.binned import METHODS, method_field
from fairsql.metrics import INPUT_COLUMNS, Metric

Values = Mapping[str, Any]
Faults = Iterator[tuple[str, str]]
Fold = Callable[[str], str]

METRIC_FIELDS = (*INPUT_COLUMNS, "positive_values", "higher_is_better")
"""The fields whose use depends on the metric."""

COLUMN_FIELDS = (*INPUT_COLUMNS, "outcome_column", "weight_column")
"""The fields that name a column each, which no two may share."""

ATTRIBUTE_FIELDS = ("protected_attribute_columns", "stratify_by_columns")
"""The fields that list columns whose values define groups."""

METHOD_FIELDS = tuple(field for field, _ in METHODS.values())
"""The fields that choose how a metric is computed: exactly, or approximately."""

REFERENCE_FIELDS = ("reference_strategy", "reference_value")
"""The fields that say which group is the reference."""


def used_fields(metric: Metric) -> tuple[str, ...]:
    """Return the metric's own fields; it needs every one of them.

    >>> from fairsql.metrics import METRICS
    >>> used_fields(METRICS["rate"])
    ('value_column', 'positive_values', 'higher_is_better')
    """
    used = list(metric.inputs)
    if metric.needs_positive_values:
        used.append("positive_values")
    if metric.direction is None:
        used.append("higher_is_better")
    return tuple(used)


def metric_faults(metric: Metric, values: Values, given: Collection[str]) -> Faults:
    """Yield the fields of ``parity_metric`` that the metric lacks or has no use for.

    Parameters
    ----------
    metric
        The metric that is named.
    values
        Field -> value; fields with a fault of their own are absent.
    given
        The fields that the user wrote with a value.
    """
    used = used_fields(metric)
    for field in METRIC_FIELDS:
        if field in used and field in values and values[field] is None:
            yield field, f"is required by parity_metric {metric.name}."
        elif field in given and field not in used:
            yield (
                field,
                f"is not used by parity_metric {metric.name}, which takes {listing(used)}.",
            )


def unused_methods(metrics: Collection[Metric], weight_column: object = None) -> set[str]:
    """Return the fields of methods that none of the metrics has a use for; weights leave none."""
    used = set() if weight_column is not None else set(map(method_field, metrics))
    return set(METHOD_FIELDS) - used


def method_faults(metrics: Collection[Metric], values: Values, given: Collection[str]) -> Faults:
    """Yield the fields that choose the method of a metric which is not asked for, or has one alone.

    Parameters
    ----------
    metrics
        The metrics of the test, of those that can be computed approximately the exact form.
    values, given
        As in :func:`metric_faults`.
    """
    if not metrics:
        return
    names = listing([metric.name for metric in metrics])
    for family, (field, approximate) in METHODS.items():
        if field not in given or field not in values:
            continue
        if field in unused_methods(metrics):
            kind = "auc" if family == "concordance" else "a quantile"
            yield field, f"is not used by {names}; it chooses how {kind} is computed."
        elif values.get("weight_column") is not None and values[field] == approximate:
            yield field, f"cannot be {approximate} with a weight_column: weighted rows are exact."


def comparison_faults(
    metrics: Collection[Metric], values: Values, given: Collection[str]
) -> Faults:
    """Yield what does not go together about the comparison point and the limits.

    Parameters
    ----------
    metrics
        The metrics of the test, as far as they are known.
    values, given
        As in :func:`metric_faults`.
    """
    yield from _gap_faults(metrics, values)
    yield from _overall_faults(metrics, values, given)
    yield from _named_reference_faults(values, given)


def _gap_faults(metrics: Collection[Metric], values: Values) -> Faults:
    gap = values.get("max_difference")
    proportions = [metric.name for metric in metrics if metric.proportion]
    if gap is not None and gap > 1 and proportions and len(proportions) == len(metrics):
        one = len(proportions) == 1
        yield (
            "max_difference",
            f"must be at most 1, because {listing(proportions)} {'is a' if one else 'are'}"
            f" {'proportion' if one else 'proportions'}, but is {gap:g}.",
        )


def _overall_faults(metrics: Collection[Metric], values: Values, given: Collection[str]) -> Faults:
    if values.get("comparison") != "overall":
        return
    for metric in metrics:
        if not metric.overall_comparable:
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


def significance_faults(metrics: Collection[Metric], values: Values) -> Faults:
    """Yield what asks for a p-value where there is none."""
    untested = [metric.name for metric in metrics if metric.p_value is None]
    missing = ""
    if untested:
        missing = (
            f"{listing(untested)} {'has' if len(untested) == 1 else 'have'} no significance test"
        )
        if values.get("weight_column") is not None:
            missing += " with a weight_column"
    elif values.get("significance_test") == "none":
        missing = "significance_test is none"
    if missing and values.get("require_significance"):
        yield "require_significance", f"cannot be true, because {missing}."
    if len(untested) < len(metrics) and values.get("significance_test") != "none":
        missing = ""  # groups can be significantly worse by the other metrics
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


def attribute_faults(
    values: Values, fold: Fold = str, roles: Collection[str] = COLUMN_FIELDS
) -> Faults:
    """Yield the columns that stand in two places where they may stand in one.

    Parameters
    ----------
    values
        Field -> value.
    fold
        The warehouse's rule by which two spellings name one column.
    roles
        The fields whose columns must differ from each other and from the attributes.
    """
    inputs: dict[str, str] = {}
    for role in roles:
        column = values.get(role)
        if column is None:
            continue
        other = inputs.setdefault(fold(column), role)
        if other != role:
            yield role, f"must differ from {other}, but both are {_spelled(values[other], column)}."
    attributes: dict[str, str] = {}
    for field in ATTRIBUTE_FIELDS:
        for column in values.get(field) or ():
            folded = fold(column)
            if folded in attributes:
                fault = f"names {_spelled(attributes[folded], column)} twice."
            elif role := inputs.get(folded, ""):
                fault = f"names {_spelled(column, values[role])}, which is also the {role}."
            else:
                attributes[folded] = column
                continue
            yield field, fault


def _spelled(first: str, second: str) -> str:
    if first == second:
        return repr(first)
    return f"{first!r} (spelled {second!r} too, which is one name in this warehouse)"


def listing(names: Collection[str]) -> str:
    """Return names as a sentence lists them.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
