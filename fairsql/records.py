"""A run as one flat table: a record for each test and group, for files, frames and histories.

A test without groups has one record, whose group fields are ``None``. Under ``suppressed`` a
group's numbers are ``None`` here as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from fairsql.results import GroupResult, Key, PartResult, Run, TestResult

Kind = Literal["text", "integer", "number", "boolean"]

MAX_ATTRIBUTES = 3
"""Attributes that make a group, at most: as many pairs of columns hold its key."""

_RUN: Mapping[str, Kind] = {
    "started_at": "text",
    "finished_at": "text",
    "fairsql_version": "text",
    "suite": "text",
    "dialect": "text",
    "warehouse": "text",
}
_MEASUREMENTS: Mapping[str, Kind] = {
    "failing_group_count": "integer",
    "failing_group_percentage": "number",
    "min_metric_ratio": "number",
    "max_metric_difference": "number",
    "worst_group_value": "number",
    "significant_disparity_count": "integer",
    "insufficient_group_count": "integer",
    "missing_attribute_rate": "number",
    "min_group_share": "number",
    "undefined_group_count": "integer",
}
_TEST: Mapping[str, Kind] = {
    "test": "text",
    "type": "text",
    "relation": "text",
    "where_predicate": "text",
    "window_start": "text",
    "window_end": "text",
    "parity_metric": "text",
    "status": "text",
    "reason": "text",
    "message": "text",
    "rows_total": "integer",
    "rows_missing_metric_inputs": "integer",
    "rows_missing_attribute": "integer",
    "rows_evaluated": "integer",
    "overall_value": "number",
    "comparison_kind": "text",
    "comparison_value": "number",
    **_MEASUREMENTS,
    "thresholds": "text",
    "broken_thresholds": "text",
    "groups_total": "integer",
    "min_reported_rows": "integer",
}
_KEY: Mapping[str, Kind] = {
    f"{what}_{place}": "text"
    for place in range(1, MAX_ATTRIBUTES + 1)
    for what in ("attribute", "key")
}
GROUP_FIELDS: Mapping[str, Kind] = {
    "rows": "integer",
    "missing_metric_inputs": "integer",
    "share": "number",
    "sufficient": "boolean",
    "value": "number",
    "value_reason": "text",
    "denominator": "number",
    "suppressed": "boolean",
    "interval_low": "number",
    "interval_high": "number",
    "ratio": "number",
    "difference": "number",
    "is_reference": "boolean",
    "worse": "boolean",
    "p_value": "number",
    "p_value_adjusted": "number",
    "significant": "boolean",
    "failed": "boolean",
}
"""A group's own columns, without its key."""

PLACE_FIELDS: Mapping[str, Kind] = {"stratum": "text", "positive_class": "text"}
"""Which part of its test a group belongs to, besides the metric; a stratum is JSON text."""

BOUND_FIELDS: Mapping[str, Kind] = {"value_least": "number", "value_greatest": "number"}
"""Of a value that is computed approximately: between what the exact one lies."""

COLUMNS: Mapping[str, Kind] = {
    **_RUN,
    **_TEST,
    **_KEY,
    **GROUP_FIELDS,
    **PLACE_FIELDS,
    "other_measurements": "text",
    **BOUND_FIELDS,
}
"""Column -> its kind, in the order of the table; what later versions add stands at the end.

``other_measurements`` is a JSON object of the measurements without a column of their own.
"""

MEASUREMENTS = tuple(_MEASUREMENTS)
"""The columns that hold a test's measurements."""


def records(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the run's records, tests and groups in the order of the result.

    Each record has every name of :data:`COLUMNS`.
    """
    ran = {
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "fairsql_version": run.fairsql_version,
        "suite": run.suite,
        "dialect": run.dialect,
        "warehouse": run.warehouse_name,
    }
    for test in run.tests:
        tested = ran | _test(test)
        parts = {
            (part.metric, _text(part.stratum), part.positive_class): _part(part)
            for part in test.parts
        }
        for group in test.groups:
            found = group_record(group)
            place = (str(group.metric), found["stratum"], group.positive_class)
            own = parts.get(place, {})
            yield tested | own | found
        if not test.groups:
            yield tested | dict.fromkeys([*_KEY, *GROUP_FIELDS, *PLACE_FIELDS, *BOUND_FIELDS])


def group_record(group: GroupResult) -> dict[str, Any]:
    """Return the fields of a group; its key in pairs of columns, its interval and bounds in two."""
    low, high = group.confidence_interval or (None, None)
    found: dict[str, Any] = dict.fromkeys([*_KEY, *GROUP_FIELDS])
    found |= {name: value for name, value in vars(group).items() if name in GROUP_FIELDS}
    found |= {"interval_low": low, "interval_high": high}
    least, greatest = group.value_bounds or (None, None)
    found |= {"value_least": least, "value_greatest": greatest}
    found |= {"stratum": _text(group.stratum), "positive_class": group.positive_class}
    for place, (attribute, value) in enumerate(group.key.items(), 1):
        found |= {f"attribute_{place}": attribute, f"key_{place}": value}
    return found


def _test(test: TestResult) -> dict[str, Any]:
    comparison = test.comparison
    return {
        "test": test.name,
        "type": test.type,
        "relation": test.relation,
        "where_predicate": test.parameters.get("where"),
        "window_start": test.window and test.window.start,
        "window_end": test.window and test.window.end,
        "parity_metric": _metric(test),
        "status": test.status,
        "reason": test.reason,
        "message": test.message,
        **{f"rows_{name}": count for name, count in vars(test.rows).items()},
        "overall_value": test.overall_value,
        "comparison_kind": comparison and comparison.kind,
        "comparison_value": comparison and comparison.value,
        **{name: test.measurements.get(name) for name in MEASUREMENTS},
        "thresholds": _listed(test, broken_only=False),
        "broken_thresholds": _listed(test, broken_only=True),
        "groups_total": test.groups_total,
        "min_reported_rows": test.parameters.get("min_reported_rows"),
        "other_measurements": _others(test),
    }


def _metric(test: TestResult) -> str | None:
    """Return the name of a test's metric; each group of a test of several has its own."""
    if test.metric is not None and test.metric.name:
        return test.metric.name
    found = test.parameters.get("parity_metric")
    return None if found is None else str(found)


def _part(part: PartResult) -> dict[str, Any]:
    """Return what is a part's own of a record of its test."""
    comparison = part.comparison
    return {
        "parity_metric": part.metric,
        "overall_value": part.overall_value,
        "comparison_kind": comparison and comparison.kind,
        "comparison_value": comparison and comparison.value,
    }


def _others(test: TestResult) -> str | None:
    others = {name: value for name, value in test.measurements.items() if name not in MEASUREMENTS}
    return json.dumps(others, allow_nan=False) if others else None


def _text(stratum: Key | None) -> str | None:
    return None if stratum is None else json.dumps(dict(stratum), ensure_ascii=False)


def _listed(test: TestResult, *, broken_only: bool) -> str | None:
    limits = [
        f"{limit.measurement} {limit.operator} {limit.value!r}"
        for limit in test.thresholds
        if not broken_only or limit.passed is False
    ]
    return "; ".join(limits) or None


@dataclass(frozen=True)
class Past:
    """What one run measured for one test.

    ``started_at`` is the run's, in UTC, or of a test that looked at a window the end of that: a
    backfill has many. ``thresholds`` are as they were then, and measurements
    that were undefined are ``None``.
    """

    run_id: str
    started_at: str
    suite: str | None
    test: str
    status: str
    thresholds: str | None
    measurements: Mapping[str, float | int | None]
