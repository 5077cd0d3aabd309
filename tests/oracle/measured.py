"""What a test of several parts measures, and how it ends: over the parts of :mod:`.kinds`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .closeness import holds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .kinds import Part

LEFT_OUT = (
    "fewer_than_two_sufficient_groups",
    "metric_undefined",
    "reference_not_usable",
    "nothing_to_compare",
)


def who(part: Part, group: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return a group of a stratum: the same group in another stratum is another one."""
    return tuple((part.stratum or {}).values()), tuple(group["key"].values())


def over_parts(parts: Sequence[Part]) -> dict[str, Any]:
    """Return the measurements that every test which compares groups has."""
    everyone = {who(part, group): group for part in parts for group in part.result["groups"]}
    sufficient = {one for one, group in everyone.items() if group["sufficient"]}
    found: dict[str, Any] = {
        "insufficient_group_count": len(everyone) - len(sufficient),
        "min_group_share": min(group["share"] for group in everyone.values()),
        "undefined_group_count": len(
            {
                who(part, group)
                for part in parts
                for group in part.result["groups"]
                if group["sufficient"] and group["value"] is None
            }
        ),
    }
    judged = [part for part in parts if not part.result["reason"]]
    if not judged:
        return found
    flagged = {
        flag: {
            who(part, group) for part in judged for group in part.result["groups"] if group[flag]
        }
        for flag in ("failed", "significant", "sufficient")
    }
    compared = [
        group
        for part in judged
        for group in part.result["groups"]
        if group["sufficient"] and group["value"] is not None and not group["is_reference"]
    ]
    ratios = [group["ratio"] for group in compared if group["ratio"] is not None]
    unmeasured = any(group["worse"] and group["ratio"] is None for group in compared)
    gaps = [part.result["measurements"]["max_metric_difference"] for part in judged]
    return {
        **found,
        "failing_group_count": len(flagged["failed"]),
        "failing_group_percentage": len(flagged["failed"]) / len(flagged["sufficient"]),
        "significant_disparity_count": len(flagged["significant"]),
        "min_metric_ratio": None if unmeasured else min(ratios, default=1.0),
        "max_metric_difference": max(gaps),
    }


def reason_of(parts: Sequence[Part]) -> str | None:
    """Return why the parts have no verdict together; strata and classes may make up for another."""
    judged = {part.metric for part in parts if not part.result["reason"]}
    found = []
    for part in parts:
        reason = part.result["reason"]
        is_one_of_many = part.stratum is not None or part.positive_class is not None
        if reason and not (is_one_of_many and part.metric in judged and reason in LEFT_OUT):
            found.append((part.metric, str(reason)))
    of_metric = [reason for metric, reason in found if metric == found[0][0]]
    # Of the strata or classes of a metric, the contract's first reason.
    return next((one for one in LEFT_OUT if one in of_metric), next(iter(of_metric), None))


def status_of(
    test: Mapping[str, Any], reason: str | None, measurements: Mapping[str, Any]
) -> tuple[str, str | None]:
    """Return how a test ends, and why where it is skipped."""
    default: list[dict[str, Any]] = [
        {"measurement": "failing_group_count", "operator": "<=", "value": 0}
    ]
    outcomes = []
    for threshold in test.get("thresholds") or default:
        observed = measurements.get(threshold["measurement"])
        outcomes.append(
            None if observed is None else holds(observed, threshold["operator"], threshold["value"])
        )
    if False in outcomes:
        return "failed", None
    if reason:
        return "skipped", reason
    return ("skipped", "measurement_undefined") if None in outcomes else ("passed", None)
