"""Judge one group metric parity test on rows: SPEC §2 to §5 from end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from .further import EVERY_METRIC
from .limits import decided_too_closely, ordered_too_closely
from .reading import Key, Reading, Table, read
from .verdict import (
    Comparison,
    Group,
    add_p_values,
    check_thresholds,
    choose_comparison,
    compare,
    decide,
    display_order,
    form_groups,
    higher_is_better,
    measure,
    standardize,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEPT_GROUPS = 100  # SPEC §2.3

DEFAULTS: dict[str, Any] = {
    "positive_values": [],
    "higher_is_better": None,
    "comparison": "reference",
    "reference_strategy": "highest",
    "reference_value": None,
    "min_ratio": 0.8,
    "max_difference": None,
    "significance_test": "auto",
    "alpha": 0.05,
    "p_value_adjustment": "none",
    "require_significance": False,
    "min_group_size": 30,
    "min_group_share": 0.02,
    "missing_attribute_values": [],
    "min_reported_rows": 1,
    "thresholds": [{"measurement": "failing_group_count", "operator": "<=", "value": 0}],
}

# What min_reported_rows hides (SPEC §2.1); the verdict's flags stay.
SUPPRESSED_FIELDS = (
    "rows",
    "missing_metric_inputs",
    "share",
    "denominator",
    "value",
    "confidence_interval",
    "ratio",
    "difference",
    "p_value",
    "p_value_adjusted",
)


def judge(
    table: pd.DataFrame | Table, kinds: Mapping[str, str], test: Mapping[str, Any]
) -> dict[str, Any]:
    """Judge a table by a valid ``group_metric_parity`` test.

    Parameters
    ----------
    table : pandas.DataFrame or mapping of str to sequence
        The rows after ``where``, by column. NULL is None; floats may be NaN or infinite.
    kinds : mapping of str to str
        Each column's kind: integer, float, decimal, boolean, text, date or timestamp. A column
        that is not here does not exist.
    test : mapping
        A test of a suite file; absent parameters take their defaults.

    Returns
    -------
    dict
        SPEC §5's test result without name, notes, message, parameters, sql and statistics, and
        with three keys of its own. ``near_limit``: a decision lies within 1e-9 of its limit but
        outside SPEC §4's slack, so flags are not to be compared. ``near_tie``: two neighbours in
        the order of groups differ by rounding alone, so the order is not. ``p_value_tolerance`` of
        a group: the relative error allowed (SPEC §1), infinite where rounding is all there is.

        A skipped result holds ``rows``, ``overall``, ``groups_total`` and the groups' key, rows,
        share, sufficiency, value and interval; only ``measurement_undefined`` holds a verdict too.
        ``rows`` is None where the columns forbid a scan.

    Examples
    --------
    >>> table = {"sex": ["f"] * 4 + ["m"] * 4, "hired": [1, 0, 0, 0, 1, 1, 0, 0]}
    >>> kinds = {"sex": "text", "hired": "integer"}
    >>> test = {"protected_attribute_columns": ["sex"], "parity_metric": "rate",
    ...         "value_column": "hired", "positive_values": ["1"], "higher_is_better": True,
    ...         "min_group_size": 1}
    >>> result = judge(table, kinds, test)
    >>> result["status"], result["groups"][0]["key"], result["groups"][0]["ratio"]
    ('failed', {'sex': 'f'}, 0.5)
    """
    if isinstance(table, pd.DataFrame):
        table = {
            str(name): table[name].astype(object).where(table[name].notna(), None).tolist()
            for name in table
        }
    test = with_defaults(test)
    reading = read(table, kinds, test, EVERY_METRIC[test["parity_metric"]])
    return judge_reading(reading, kinds, test)


def with_defaults(test: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the defaults of absent parameters."""
    return DEFAULTS | {key: value for key, value in test.items() if value not in (None, [])}


def judge_reading(
    reading: Reading, kinds: Mapping[str, str], test: Mapping[str, Any]
) -> dict[str, Any]:
    """Judge rows that have been read, perhaps a part of a table's; see :func:`judge`."""
    metric = EVERY_METRIC[test["parity_metric"]]
    if reading.reason == "too_many_groups":
        return _result(reading, test, [])
    groups = form_groups(reading, test)
    has_overall = reading.computable and not metric.standardized
    overall = metric.sample(reading.evaluated).value if has_overall else None
    reason = reading.reason or _unusable(groups)
    if reason:
        return _result(reading, test, groups, overall, reason)

    kind = kinds[test["protected_attribute_columns"][0]]
    comparison = choose_comparison(groups, overall, test, kind)
    if comparison is None:
        return _result(reading, test, groups, overall, "reference_not_usable")
    for group in groups:
        compare(group, comparison, higher_is_better(test))
    if metric.standardized and comparison.reference is not None:
        standardize(groups, comparison.reference)
    add_p_values(groups, comparison, test)
    for group in groups:
        decide(group, comparison, test)
    reason = _incomparable(groups, test)
    if reason:
        near_limit = decided_too_closely(groups, comparison, test, [])
        blank = form_groups(reading, test)
        return _result(reading, test, blank, overall, reason) | {"near_limit": near_limit}

    measurements = measure(groups, reading, test)
    thresholds = check_thresholds(test["thresholds"], measurements)
    outcomes = [threshold["passed"] for threshold in thresholds]
    # Any broken one fails the test, even beside one that cannot be evaluated.
    status = "failed" if False in outcomes else "skipped" if None in outcomes else "passed"
    return _result(reading, test, groups, overall) | {
        "status": status,
        "reason": "measurement_undefined" if status == "skipped" else None,
        "comparison": _comparison(comparison, test),
        "measurements": measurements,
        "thresholds": thresholds,
        "near_limit": decided_too_closely(groups, comparison, test, thresholds),
        "near_tie": ordered_too_closely(groups),
    }


def _unusable(groups: Sequence[Group]) -> str | None:
    """SPEC §4's reasons that come before a comparison point is chosen."""
    if sum(group.sufficient for group in groups) < 2:
        return "fewer_than_two_sufficient_groups"
    if not any(group.usable for group in groups):
        return "metric_undefined"
    return None


def _incomparable(groups: Sequence[Group], test: Mapping[str, Any]) -> str | None:
    """SPEC §4's reasons that come after a comparison point is chosen."""
    compared = [group for group in groups if group.compared]
    if not compared:
        return "nothing_to_compare"
    if any(group.worse and group.difference is None for group in compared):
        return "metric_undefined"
    if test["max_difference"] is None and any(g.worse and g.ratio is None for g in compared):
        return "ratio_undefined_set_max_difference"
    return None


def _result(
    reading: Reading,
    test: Mapping[str, Any],
    groups: Sequence[Group],
    overall: float | None = None,
    reason: str | None = None,
) -> dict[str, Any]:
    """Write SPEC §5's shape of a test that has no verdict yet."""
    kept = sorted(groups, key=display_order)[:KEPT_GROUPS]
    return {
        "type": "group_metric_parity",
        "status": "skipped",
        "reason": reading.reason or reason,
        "rows": reading.counts if reading.scanned else None,
        "overall": {"value": overall},
        "comparison": None,
        "measurements": {},
        "thresholds": [],
        "groups_total": len(reading.groups) if reading.scanned else None,
        "groups": [_group(group, test, reading.computable) for group in kept],
        "near_limit": False,
        "near_tie": False,
    }


def _is_standardized(test: Mapping[str, Any]) -> bool:
    return EVERY_METRIC[test["parity_metric"]].standardized


def _key(key: Key, test: Mapping[str, Any]) -> dict[str, str]:
    return dict(zip(test["protected_attribute_columns"], key, strict=True))


def _comparison(comparison: Comparison, test: Mapping[str, Any]) -> dict[str, Any]:
    reference = comparison.reference
    return {
        "kind": test["comparison"],
        "key": None if reference is None else _key(reference.key, test),
        "value": None if _is_standardized(test) else comparison.value,
    }


def _group(group: Group, test: Mapping[str, Any], computable: bool) -> dict[str, Any]:
    has_interval = computable and not group.standardized
    interval = group.sample.interval(test["alpha"]) if has_interval else None
    row: dict[str, Any] = {
        "key": _key(group.key, test),
        "rows": group.rows,
        "missing_metric_inputs": group.missing_metric_inputs,
        "share": float(group.share),
        "sufficient": group.sufficient,
        "value": None if group.standardized else group.value,
        "value_reason": None if group.value is not None else "undefined",
        "denominator": group.sample.denominator,
        "suppressed": group.rows < test["min_reported_rows"],
        "confidence_interval": None if interval is None else list(interval),
        "ratio": group.ratio,
        "difference": group.difference,
        "is_reference": group.is_reference,
        "worse": group.worse,
        "p_value": group.p_value,
        "p_value_adjusted": group.p_value_adjusted,
        "p_value_tolerance": group.p_value_tolerance,
        "significant": group.significant,
        "failed": group.failed,
    }
    if row["suppressed"]:
        row |= dict.fromkeys(SUPPRESSED_FIELDS)
    return row
