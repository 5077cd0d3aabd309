"""Holds a result of several parts against rows, and its pooled numbers against statsmodels."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import chi2
from statsmodels.stats.contingency_tables import StratifiedTable

from fairsql.results import to_dict
from tests.differential import differences
from tests.oracle.closeness import equal
from tests.oracle.kinds import CRITERIA, Part, metrics_of, parts_of, pooled_tables
from tests.oracle.measured import over_parts, reason_of, status_of
from tests.oracle.significance import adjust

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairsql.results import TestResult
    from tests.oracle.reading import Reading, Table

MOST_SHOWN = 100


def kind_differences(
    result: TestResult, table: Table, kinds: Mapping[str, str], test: Mapping[str, Any]
) -> Iterator[str]:
    """Yield a line for every field in which a result differs from what its rows say."""
    parts, whole = parts_of(table, kinds, test)
    reason = reason_of(parts)
    if result.status == "error":
        yield f"error: {result.message}"
        return
    if whole.reason and not all(part.stratum or part.positive_class for part in parts):
        # No part is judged, and how many parts there are is not known either.
        expected = status_of(test, reason, {})
        if (result.status, result.reason) != expected:
            yield f"{result.status, result.reason}, but rows say {expected}"
        return
    facets = result.facets()
    if len(facets) != len(parts):
        yield f"{len(facets)} parts, but rows say {len(parts)}"
        return
    is_whole = sum(len(part.result["groups"]) for part in parts) <= MOST_SHOWN
    for facet, part in zip(facets, parts, strict=True):
        for line in _of_part(result, facet, part, is_whole=is_whole):
            yield f"{facet.facet or part.metric}: {line}"
    if any(part.result["near_limit"] for part in parts):
        return
    # What all parts measure rests on suppressed groups too.
    numbers, _ = parts_of(table, kinds, {**test, "min_reported_rows": 1})
    yield from _of_all(result, numbers, whole, test, reason)


def _of_part(result: TestResult, facet: TestResult, part: Part, *, is_whole: bool) -> Iterator[str]:
    places = [(p.metric, p.stratum, p.positive_class, p.reason) for p in result.parts]
    reason = part.result["reason"]
    mine = to_dict(facet)
    own_reason = result.reason
    if places:
        place = next(p for p in result.parts if p.measurements is facet.measurements)
        own_reason = place.reason
        if (place.stratum, place.positive_class) != (part.stratum, part.positive_class):
            yield f"stratum {place.stratum}, class {place.positive_class}, but rows have {part}"
            return
    elif own_reason == "measurement_undefined" or (own_reason is None and reason):
        own_reason = reason  # a threshold is broken, or null: judged with all of the test
    status = "skipped" if own_reason else "judged"
    mine |= {"status": status, "reason": own_reason, "thresholds": []}
    theirs = {
        **part.result,
        "status": "skipped" if reason else "judged",
        "thresholds": [],
    }
    if part.stratum and facet.overall_value is None:
        rows = sum(group["rows"] or 0 for group in theirs["groups"])
        if rows < facet.parameters["min_reported_rows"]:
            theirs["overall"] = {"value": None}
    if not is_whole:
        mine["groups"], theirs["groups"] = [], []
    yield from differences(mine, theirs)


def _of_all(
    result: TestResult,
    parts: Sequence[Part],
    whole: Reading,
    test: Mapping[str, Any],
    reason: str | None,
) -> Iterator[str]:
    expected: dict[str, Any] = {}
    if len(parts) > 1 or parts[0].stratum or parts[0].positive_class:
        expected |= over_parts(parts)
        if reason and result.status == "skipped":
            expected |= dict.fromkeys(
                (
                    *("failing_group_count", "failing_group_percentage", "min_metric_ratio"),
                    *("max_metric_difference", "significant_disparity_count"),
                )
            )
    ranges = {(part.metric, number): _values(part) for number, part in enumerate(parts)}
    if test["type"] == "group_outcome_disparity":
        gaps = [max(v) - min(v) for v in ranges.values() if len(v) > 1]
        expected["statistical_parity_difference"] = max(gaps, default=None)
        expected["impact_ratio"] = result.measurements["min_metric_ratio"]
        if test.get("stratify_by_columns"):
            yield from _pooled(result, whole, test)
    if test["type"] == "group_performance_parity":
        expected |= _criteria(parts, test["performance_metrics"])
    for name, value in expected.items():
        observed = result.measurements[name]
        if (observed is None) != (value is None) or (
            value is not None
            and not math.isclose(observed or 0, value, rel_tol=1e-9, abs_tol=1e-12)
        ):
            yield f"{name}: {observed}, but rows say {value}"
    measured = result.measurements
    if any(_is_near(t, measured.get(t["measurement"])) for t in test.get("thresholds", [])):
        return
    status = status_of(test, reason, measured)
    if reason and all(part.result["reason"] for part in parts):
        status = "skipped", reason
    if (result.status, result.reason) != status:
        yield f"{result.status, result.reason}, but rows say {status}"


def _is_near(threshold: Mapping[str, Any], observed: float | None) -> bool:
    limit = threshold["value"]
    return (
        observed is not None
        and not equal(observed, limit)
        and math.isclose(observed, limit, rel_tol=1e-9)
    )


def _values(part: Part) -> list[float]:
    return [
        group["value"]
        for group in part.result["groups"]
        if group["sufficient"] and group["value"] is not None
    ]


def _criteria(parts: Sequence[Part], named: Sequence[str]) -> dict[str, float | None]:
    """Return fairlearn's differences and ratios, by its definition: between all groups."""
    gaps: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {}
    for part in parts:
        values = _values(part)
        if len(values) > 1:
            gaps.setdefault(part.metric, []).append(max(values) - min(values))
            if max(values) > 0:
                ratios.setdefault(part.metric, []).append(min(values) / max(values))
    found: dict[str, float | None] = {}
    for name in (*metrics_of(named), *named):
        members = CRITERIA.get(name, (name,))
        has_gaps = all(member in gaps for member in members)
        has_ratios = all(member in ratios for member in members)
        found[f"{name}_difference"] = (
            max(max(gaps[member]) for member in members) if has_gaps else None
        )
        found[f"{name}_ratio"] = (
            min(min(ratios[member]) for member in members) if has_ratios else None
        )
    return found


# --- pooled over strata ------------------------------------------------------------------------


def _pooled(result: TestResult, whole: Reading, test: Mapping[str, Any]) -> Iterator[str]:
    width = len(test["stratify_by_columns"])
    if test.get("min_reported_rows", 1) > 1:
        return
    large, strata = pooled_tables(whole, width, test.get("min_group_size", 30))
    mine = {tuple(one.key.values()): one for one in result.pooled}
    p_values = []
    for key, one in sorted(mine.items()):
        reference = None if one.reference is None else tuple(one.reference.values())
        if reference is not None and test.get("reference_strategy", "highest") == "highest":
            best = max(positives / rows for positives, rows in large.values())
            if not equal(large[reference][0] / large[reference][1], best):
                yield f"pooled reference {reference} has not the highest rate"
        tables = []
        for groups in strata.values():
            own = groups.get(key, (0, 0))
            others = [n for other, n in groups.items() if other != key]
            if reference is not None:
                others = [groups.get(reference, (0, 0))]
            second = sum(n[0] for n in others), sum(n[1] for n in others)
            tables.append([[own[0], own[1] - own[0]], [second[0], second[1] - second[0]]])
        odds, p_value = mantel_haenszel(tables)
        p_values.append(p_value)
        for name, seen, expected in (
            ("odds ratio", one.odds_ratio, odds),
            ("p-value", one.p_value, None if _untested(test) else p_value),
        ):
            if (seen is None) != (expected is None) or (
                expected is not None
                and not math.isclose(seen or 0, expected, rel_tol=1e-9, abs_tol=1e-300)
            ):
                yield f"pooled {name} of {key}: {seen}, but statsmodels has {expected}"
    expected_keys = {key for key in large if not any(_is_reference(o, key) for o in mine.values())}
    if mine and set(mine) != expected_keys:
        yield f"pooled groups {sorted(mine)}, but rows have {sorted(expected_keys)}"
    if not _untested(test):
        adjusted = adjust(p_values, test.get("p_value_adjustment", "none"), len(large))
        seen_all = [mine[key].p_value_adjusted for key in sorted(mine)]
        for seen, expected in zip(seen_all, adjusted, strict=True):
            if (seen is None) != (expected is None) or (
                expected is not None and not math.isclose(seen or 0, expected, rel_tol=1e-9)
            ):
                yield f"pooled adjusted p-values: {seen_all}, but {adjusted}"


def _is_reference(one: Any, key: tuple[str, ...]) -> bool:
    return one.reference is not None and tuple(one.reference.values()) == key


def _untested(test: Mapping[str, Any]) -> bool:
    return test.get("significance_test") == "none"


def mantel_haenszel(tables: Sequence[Any]) -> tuple[float | None, float | None]:
    """Return statsmodels' pooled odds ratio and uncorrected p-value; None where it has none."""
    counted = [np.asarray(table, dtype=float) for table in tables if np.sum(table) > 1]
    if not counted:
        return None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pooled = StratifiedTable(counted)
        odds = float(pooled.oddsratio_pooled)
        # Its own p-value is 1 less a probability, of which little is left where it is small.
        p_value = float(chi2.sf(pooled.test_null_odds(correction=False).statistic, 1))
    return (odds if math.isfinite(odds) else None), (p_value if math.isfinite(p_value) else None)
