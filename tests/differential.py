"""Compares a result of the package with the oracle's, field by field, within SPEC's tolerances."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from tests.generator import Case

FLAGS = ("sufficient", "is_reference", "worse", "significant", "failed", "suppressed")
COUNTS = ("rows", "missing_metric_inputs", "denominator")
VALUES = ("share", "value", "ratio")
SKIPPED_FIELDS = ("key", "rows", "share", "sufficient", "value")


def oracle_table(case: Case) -> pd.DataFrame:
    """Return a case's rows as the oracle reads them: Python's own values, untouched."""
    return pd.DataFrame(
        {
            name: pd.Series([row[place] for row in case.rows], dtype=object)
            for place, name in enumerate(case.columns)
        }
    )


def differences(ours: Mapping[str, Any], oracle: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for every field in which two results of one test differ."""
    near = oracle["near_limit"]
    if near and ours["status"] != oracle["status"]:
        return
    if ours["status"] == "error":
        yield f"status: error, {ours['message']}, but the oracle has {oracle['status']!r}"
        return
    yield from _same("status", ours["status"], oracle["status"])
    yield from _same("reason", ours["reason"], oracle["reason"])
    if oracle["rows"] is not None:
        yield from _same("rows", ours["rows"], oracle["rows"])
        yield from _same("groups_total", ours["groups_total"], oracle["groups_total"])
    judged = ours["status"] != "skipped" or ours["reason"] == "measurement_undefined"
    if judged and oracle["comparison"] is None:
        return  # told apart above, by status or reason
    if judged:
        yield from _judged(ours, oracle, near=near)
    no_values = ours["reason"] in ("infinite_values", "probability_out_of_range")
    yield from _groups(ours, oracle, judged=judged, near=near, values=not no_values)


def _judged(ours: Mapping[str, Any], oracle: Mapping[str, Any], *, near: bool) -> Iterator[str]:
    spread = max(map(_relative_spread, ours["groups"]), default=1e-9)
    yield from _number(
        "overall", ours["overall"]["value"], oracle["overall"]["value"], relative=spread
    )
    yield from _same("comparison.kind", ours["comparison"]["kind"], oracle["comparison"]["kind"])
    yield from _same("comparison.key", ours["comparison"]["key"], oracle["comparison"]["key"])
    # The reference's own value, which the package does not show for a suppressed group.
    if ours["parameters"]["min_reported_rows"] == 1:
        yield from _number(
            "comparison.value",
            ours["comparison"]["value"],
            oracle["comparison"]["value"],
            relative=spread,
        )
    if near:
        return
    for name, value in oracle["measurements"].items():
        slack = 1e-14 * _scale(oracle) if name == "max_metric_difference" else 0.0
        spread = max(map(_relative_spread, ours["groups"]), default=1e-9)
        yield from _number(name, ours["measurements"][name], value, absolute=slack, relative=spread)
    for mine, theirs in zip(ours["thresholds"], oracle["thresholds"], strict=True):
        yield from _same("threshold", mine["passed"], theirs["passed"])


def _groups(
    ours: Mapping[str, Any],
    oracle: Mapping[str, Any],
    *,
    judged: bool,
    near: bool,
    values: bool,
) -> Iterator[str]:
    mine, theirs = list(ours["groups"]), list(oracle["groups"])
    if not theirs and not judged:
        return
    if oracle["near_tie"] or not judged or near:
        mine.sort(key=_key)
        theirs.sort(key=_key)
        if len(mine) == 100 or len(theirs) == 100:
            return
    yield from _same("group order", list(map(_key, mine)), list(map(_key, theirs)))
    for group, expected in zip(mine, theirs, strict=False):
        where = f"group {_key(group)}"
        if not judged:
            for name in SKIPPED_FIELDS if values else SKIPPED_FIELDS[:-1]:
                if name == "key":
                    continue
                yield from _number(
                    f"{where} {name}",
                    group[name],
                    expected[name],
                    relative=_relative_spread(group),
                )
            continue
        yield from _group(where, group, expected, near=near)


def _group(
    where: str, group: Mapping[str, Any], expected: Mapping[str, Any], *, near: bool
) -> Iterator[str]:
    for name in FLAGS if not near else ("sufficient", "suppressed"):
        yield from _same(f"{where} {name}", group[name], expected[name])
    for name in COUNTS:
        yield from _same(f"{where} {name}", group[name], expected[name])
    spread = _relative_spread(group)
    for name in VALUES:
        yield from _number(f"{where} {name}", group[name], expected[name], relative=spread)
    yield from _same(
        f"{where} value_reason is None",
        group["value_reason"] is None,
        expected["value_reason"] is None,
    )
    larger = abs(group["value"] or 0.0)
    if group["difference"] is not None:
        larger = max(larger, abs(larger + group["difference"]))
    yield from _number(
        f"{where} difference",
        group["difference"],
        expected["difference"],
        relative=spread,
        absolute=1e-14 * larger,
    )
    tolerance = expected["p_value_tolerance"]
    for name in ("p_value", "p_value_adjusted"):
        yield from _number(f"{where} {name}", group[name], expected[name], relative=tolerance)
    bounds, theirs = group["confidence_interval"], expected["confidence_interval"]
    yield from _same(f"{where} has interval", bounds is None, theirs is None)
    # A bound is a mean less a width: where the two cancel, the width sets what can be promised.
    width = abs(theirs[1] - theirs[0]) if theirs and None not in theirs else 0.0
    for bound, other in zip(bounds or (), theirs or (), strict=False):
        yield from _number(
            f"{where} interval",
            bound,
            other,
            relative=max(1e-9, min(tolerance, 1e-3)),
            absolute=max(1e-14 * larger, 1e-11 * width),
        )


def _relative_spread(group: Mapping[str, Any]) -> float:
    """Return 1e-6 for R² over a truth of little spread: SPEC §3 promises its variance to 1e-6."""
    statistics = group["statistics"] or {}
    if not statistics.get("truth_m2"):
        return 1e-9
    deviation = math.sqrt(float(statistics["truth_m2"]) / max(group["rows"] - 1, 1))
    return 1e-6 if abs(statistics["truth_mean"]) > 1e4 * deviation else 1e-9


def _scale(oracle: Mapping[str, Any]) -> float:
    values = [group["value"] or 0.0 for group in oracle["groups"]]
    return float(max(map(abs, [*values, oracle["comparison"]["value"] or 0.0])))


def _key(group: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(group["key"].values())


def _same(name: str, mine: object, theirs: object) -> Iterator[str]:
    if mine != theirs:
        yield f"{name}: {mine!r}, but the oracle has {theirs!r}"


def _number(
    name: str, mine: Any, theirs: Any, *, relative: float = 1e-9, absolute: float = 0.0
) -> Iterator[str]:
    if mine is None or theirs is None or isinstance(theirs, bool):
        yield from _same(name, mine, theirs)
    elif math.isinf(relative):
        return
    elif abs(mine - theirs) > max(relative * max(abs(mine), abs(theirs)), absolute, 1e-13):
        yield f"{name}: {mine!r}, but the oracle has {theirs!r}"
