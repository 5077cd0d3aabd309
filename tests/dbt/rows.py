"""Compares the rows of the SQL verdict with the result of the Python path."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Limit = tuple[str, str, float]

FLAGS = {
    "sufficient": "sufficient",
    "is_reference": "is_reference",
    "worse": "worse",
    "significant": "significant",
    "failed": "failed",
    "suppressed": "suppressed",
}
COUNTS = {"group_rows": "rows", "missing_metric_inputs": "missing_metric_inputs"}
NUMBERS = ("share", "value", "denominator", "ratio", "difference")
P_VALUES = ("p_value", "p_value_adjusted")
ROW_COUNTS = {
    "rows_total": "total",
    "rows_missing_metric_inputs": "missing_metric_inputs",
    "rows_missing_attribute": "missing_attribute",
    "rows_evaluated": "evaluated",
}


def result_differences(rows: Sequence[Row], result: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each field in which a table of every group differs from a result."""
    first = rows[0]
    if (first["status"], first["reason"]) != (result["status"], result["reason"]):
        yield (
            f"{first['status']} {first['reason']}, but Python has"
            f" {result['status']} {result['reason']}"
        )
        return
    for theirs, ours in ROW_COUNTS.items():
        if result["reason"] != "no_rows" and first[theirs] != result["rows"][ours]:
            yield f"{theirs}: {first[theirs]}, but Python has {result['rows'][ours]}"
    if result["status"] == "skipped" and result["reason"] != "measurement_undefined":
        return
    for name, value in result["measurements"].items():
        if not near(first[name], value):
            yield f"{name}: {first[name]}, but Python has {value}"
    by_key = {_key(row): row for row in rows}
    for group in result["groups"]:
        yield from group_differences(by_key.get(tuple(group["key"].values())), group)


def failure_differences(rows: Sequence[Row], result: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each way in which stored failures differ from what the contract asks."""
    expected = expected_failures(result)
    found = {_key(row): _broken(row["broken_thresholds"]) for row in rows}
    if len(found) != len(rows):
        yield f"{len(rows)} rows hold {len(found)} keys"
    if found != expected:
        yield f"failures {found}, but the contract asks for {expected}"


def _broken(text: str | None) -> set[Limit]:
    limits = (part.split(" ") for part in (text or "").split("; ") if part)
    return {(name, operator, float(value)) for name, operator, value in limits}


def expected_failures(result: Mapping[str, Any]) -> dict[tuple[str, ...], set[Limit]]:
    """Return key -> thresholds that it broke, from a result with all of its groups."""
    if result["status"] == "passed":
        return {}
    if result["status"] == "skipped":
        return {(): set()}
    expected: dict[tuple[str, ...], set[Limit]] = {}
    for limit in result["thresholds"]:
        if limit["passed"] is not False:
            continue
        broken = (limit["measurement"], limit["operator"], float(limit["value"]))
        breakers = [group for group in result["groups"] if _breaks(group, limit)]
        for key in [tuple(group["key"].values()) for group in breakers] or [()]:
            expected.setdefault(key, set()).add(broken)
    return expected


def _breaks(group: Mapping[str, Any], limit: Mapping[str, Any]) -> bool:
    measurement, observed = limit["measurement"], limit["observed"]
    compared = group["sufficient"] and group["value_reason"] is None and not group["is_reference"]
    broken: dict[str, bool] = {
        "failing_group_count": group["failed"],
        "failing_group_percentage": group["failed"],
        "significant_disparity_count": group["significant"],
        "insufficient_group_count": not group["sufficient"],
        "undefined_group_count": group["sufficient"] and group["value_reason"] is not None,
        "min_metric_ratio": compared and group["ratio"] == observed,
        "max_metric_difference": compared and group["difference"] == observed,
        "worst_group_value": group["sufficient"] and group["value"] == observed,
        "min_group_share": group["share"] == observed,
        "missing_attribute_rate": False,
    }
    return broken[measurement]


def group_differences(row: Row | None, group: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each field in which the row of a group differs from a result's."""
    key = tuple(group["key"].values())
    if row is None:
        yield f"{key}: no such row"
        return
    for theirs, ours in {**FLAGS, **COUNTS}.items():
        if row[theirs] != group[ours]:
            yield f"{key} {theirs}: {row[theirs]}, but Python has {group[ours]}"
    for name in NUMBERS:
        if not near(row[name], group[name]):
            yield f"{key} {name}: {row[name]}, but Python has {group[name]}"
    tolerance = 1e-9 if _has_spread(group) else 1e-3
    for name in P_VALUES:
        if not near(row[name], group[name], relative=tolerance):
            yield f"{key} {name}: {row[name]}, but Python has {group[name]}"


def near(mine: Any, theirs: Any, *, relative: float = 1e-9) -> bool:
    """Return whether two numbers agree as SPEC §1 asks; 1e-13 stands for what cancels to 0."""
    if mine is None or theirs is None:
        return mine is theirs
    allowed = max(relative * max(abs(mine), abs(theirs)), 1e-13)
    return bool(abs(mine - theirs) <= allowed)


def _has_spread(group: Mapping[str, Any]) -> bool:
    statistics = group["statistics"] or {}
    if not statistics.get("m2") or group["rows"] < 2:
        return True
    deviation = math.sqrt(float(statistics["m2"]) / (group["rows"] - 1))
    return abs(float(statistics["mean"])) < 1e5 * deviation


def _key(row: Row) -> tuple[str, ...]:
    keys = (row["key_1"], row["key_2"], row["key_3"])
    return tuple(part for part in keys if part is not None)
