"""What differs between results of one type of test and of another, where reports need to know."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fairsql.report.words import LIMITING, shown
from fairsql.results import Metric

if TYPE_CHECKING:
    from fairsql.results import TestResult

STANDARDIZED = "standardized_mean_difference"
"""The metric of which a group has no value, but a gap."""


def limits_metrics(test: TestResult) -> bool:
    """Return whether the measurements are metrics over all rows: there are no groups then."""
    return test.type in LIMITING


def group_facets(test: TestResult) -> tuple[TestResult, ...]:
    """Return what a test of metrics over all rows tells of groups besides, part by part.

    Each is as the result of a test that compares them, and decides nothing.
    """
    if not limits_metrics(test):
        return ()
    parameters = {**test.parameters, "p_value_adjustment": "holm"}
    found = []
    for part in test.facets():
        if any(group.key for group in part.groups):
            counts = [group.rows for group in part.groups]
            evaluated = None if None in counts else sum(count or 0 for count in counts)
            rows = replace(part.rows, evaluated=evaluated)
            compared = replace(part, type="group_metric_parity", parameters=parameters, rows=rows)
            found.append(replace(compared, thresholds=()))
    return tuple(found)


def compares(test: TestResult) -> bool:
    """Return whether groups are compared with each other."""
    return not limits_metrics(test) and condition(test) is None


def condition(test: TestResult) -> tuple[str, float] | None:
    """Return the operator and the value that every group must meet, where that is asked."""
    if test.type == "counterfactual_fairness_divergence":
        return "<=", float(test.parameters["max_divergence"])
    if test.type != "group_column_statistic":
        return None
    return str(test.parameters["operator"]), float(test.parameters["value"])


def is_bounded(test: TestResult) -> bool:
    """Return whether values are approximate, and the exact ones between bounds."""
    return any(group.value_bounds for group in test.groups)


def is_standardized(test: TestResult) -> bool:
    """Return whether groups have no value but a gap in standard deviations."""
    return test.metric is not None and test.metric.name == STANDARDIZED


def is_count(metric: str) -> bool:
    """Return whether a metric counts, so that its values are whole numbers."""
    return metric in ("count", "distinct_count", "applied_row_count", "errored_row_count")


def attributes(test: TestResult) -> str:
    """Return the protected attributes as the title of a column of groups."""
    names = test.parameters.get("protected_attribute_columns") or ()
    if not names and test.groups:  # of pairs, which a dimension groups
        names = tuple(next((group.key for group in test.groups if group.key), {}))
    return " / ".join(shown(str(name)) for name in names)


def in_gaps(test: TestResult) -> TestResult:
    """Return a test whose groups have gaps alone as one of which the gaps are the values."""
    if not is_standardized(test) or test.metric is None:
        return test
    point = test.comparison
    return replace(
        test,
        metric=Metric(test.metric.label, higher_is_better=False, name=test.metric.name),
        comparison=None if point is None else replace(point, value=0.0),
        groups=tuple(replace(group, value=group.difference) for group in test.groups),
    )
