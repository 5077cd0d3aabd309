"""What a test came to, in one short form for both paths and for the stored right answers.

An outcome is a mapping of JSON values: ``status``, ``reason``, ``rows``, and where the test was
judged ``measurements`` and ``groups``. Of a group what is null or false is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairsql.results import TestResult, to_dict

Outcome = Mapping[str, Any]

_RELATIVE = 1e-9
_SLACK = 1e-14
_P_VALUES = ("p_value", "p_value_adjusted")
FIELDS = (
    "rows",
    "missing_metric_inputs",
    "sufficient",
    "denominator",
    "value",
    "ratio",
    "difference",
    "is_reference",
    "worse",
    *_P_VALUES,
    "significant",
    "failed",
)
"""What is compared of a group, besides the interval, which the SQL has not."""

_SQL_NAMES = {"rows": "group_rows"}
_SQL_ROWS = {
    "total": "rows_total",
    "missing_metric_inputs": "rows_missing_metric_inputs",
    "missing_attribute": "rows_missing_attribute",
    "evaluated": "rows_evaluated",
}


def outcome_of(result: Mapping[str, Any]) -> Outcome:
    """Return the outcome of a result as it stands in the results file."""
    groups = {
        _key(list(group["key"].values())): {name: group[name] for name in FIELDS}
        | {"confidence_interval": group["confidence_interval"]}
        for group in result["groups"]
    }
    return _outcome(result, result["rows"], result["measurements"], groups)


def outcome_of_test(test: TestResult) -> Outcome:
    """Return the outcome of the Python path."""
    return outcome_of(to_dict(test))


def outcome_of_rows(rows: Sequence[Mapping[str, Any]], measurements: Sequence[str]) -> Outcome:
    """Return the outcome of the SQL verdict, from a row for each group."""
    first = rows[0]
    groups = {
        _key([row[f"key_{place}"] for place in (1, 2, 3)]): {
            name: row[_SQL_NAMES.get(name, name)] for name in FIELDS
        }
        for row in rows
    }
    counts = {ours: first[theirs] for ours, theirs in _SQL_ROWS.items()}
    return _outcome(first, counts, {name: first[name] for name in measurements}, groups)


def differences(expected: Outcome, got: Outcome, p_value_tolerance: float) -> Iterator[str]:
    """Yield a line for each thing in which an outcome is not the expected one.

    Numbers may differ by 1e-9 relative, and a difference of two values besides by 1e-14 of the
    larger; intervals are compared where both have them.
    """
    for name in ("status", "reason"):
        if expected[name] != got[name]:
            yield _fault(name, expected[name], got[name])
    for name, count in expected["rows"].items():
        if count != got["rows"][name]:
            yield _fault(f"rows.{name}", count, got["rows"][name])
    if "groups" not in expected or "groups" not in got:
        return
    mine, theirs = expected["groups"], got["groups"]
    values = [abs(group["value"]) for group in mine.values() if "value" in group]
    slack = _SLACK * max(values, default=0.0)
    for name, number in expected["measurements"].items():
        if not _near(number, got["measurements"][name], _RELATIVE, slack):
            yield _fault(name, number, got["measurements"][name])
    if missing := sorted(mine.keys() - theirs.keys()):
        yield _fault("groups", ", ".join(map(repr, missing)), "none such")
    if strange := sorted(theirs.keys() - mine.keys()):
        yield _fault("groups", "none such", ", ".join(map(repr, strange)))
    for key in mine.keys() & theirs.keys():
        yield from _group_differences(key, mine[key], theirs[key], slack, p_value_tolerance)


def _group_differences(
    key: str, expected: Outcome, got: Outcome, slack: float, p_value_tolerance: float
) -> Iterator[str]:
    for name in FIELDS:
        tolerance = p_value_tolerance if name in _P_VALUES else _RELATIVE
        allowed = slack if name == "difference" else 0.0
        if not _near(expected.get(name), got.get(name), tolerance, allowed):
            yield _fault(f"group {key!r} {name}", expected.get(name), got.get(name))
    bounds, found = (side.get("confidence_interval") for side in (expected, got))
    if bounds and found:
        pairs = zip(bounds, found, strict=True)
        if not all(_near(bound, other, _RELATIVE, slack) for bound, other in pairs):
            yield _fault(f"group {key!r} interval", bounds, found)


def _outcome(
    verdict: Mapping[str, Any],
    rows: Mapping[str, Any],
    measurements: Mapping[str, Any],
    groups: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    outcome = {"status": verdict["status"], "reason": verdict["reason"], "rows": dict(rows)}
    if verdict["status"] in ("passed", "failed"):
        outcome["measurements"] = dict(measurements)
        outcome["groups"] = {
            key: {
                name: value
                for name, value in group.items()
                if value is not None and value is not False
            }
            for key, group in groups.items()
        }
    return outcome


def _key(parts: Sequence[str | None]) -> str:
    return " / ".join(part for part in parts if part is not None)


def _near(expected: Any, got: Any, relative: float, slack: float) -> bool:
    if expected is None or got is None or isinstance(expected, bool):
        return bool(expected == got)
    scale = max(abs(expected), abs(got))
    return bool(abs(expected - got) <= relative * scale + slack)


def _fault(what: str, expected: object, got: object) -> str:
    return f"{what}: expected {_shown(expected)}, got {_shown(got)}"


def _shown(value: object) -> str:
    return "nothing" if value is None else str(value)
