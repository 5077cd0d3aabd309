"""Whether what was fast is also right: numbers of one run compared with those of another way.

Every benchmark ends here, and one wrong number stops it: none of its times are written then.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

TOLERANCE = 1e-9
"""How far two numbers of the same meaning may lie apart, relative to the larger."""

Numbers = Mapping[tuple[Any, ...], float | None]
"""Numbers by what they are of: a metric, an attribute's columns and values, and the like."""


# What a type of test calls by no name of a metric.
_NAMES = {"group_outcome_disparity": "selection_rate", "group_score_disparity": "mean score"}


class WrongNumberError(Exception):
    """Two ways to the same number that disagree."""


def same(what: str, ours: Numbers, theirs: Numbers, tolerance: float = TOLERANCE) -> int:
    """Return how many numbers were compared: all of ours, each of which the other has.

    Parameters
    ----------
    what
        Which comparison this is, for the message.
    ours, theirs
        The numbers; the others may have more of them.
    tolerance
        The largest difference allowed, relative to the larger number.

    Raises
    ------
    WrongNumberError
        When a number differs or is missing, or when there is none.
    """
    if not ours:
        raise WrongNumberError(f"{what}: there is nothing to compare")
    wrong = [
        f"{key}: {value!r} here, {theirs.get(key, 'nothing')!r} there"
        for key, value in ours.items()
        if key not in theirs or not _close(value, theirs[key], tolerance)
    ]
    if wrong:
        shown = "\n  ".join(wrong[:10])
        raise WrongNumberError(f"{what}: {len(wrong)} of {len(ours)} numbers differ:\n  {shown}")
    return len(ours)


def _close(one: float | None, other: float | None, tolerance: float) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=1e-15)


def read(results: Path) -> dict[str, Any]:
    """Return the results that `fairsql run` wrote; a test that ended in an error stops here.

    Raises
    ------
    WrongNumberError
        When a test has no verdict for a fault of its own or of the warehouse.
    """
    found: dict[str, Any] = json.loads(results.read_text(encoding="utf-8"))
    for test in found["tests"]:
        if test["status"] == "error":
            raise WrongNumberError(f"{test['name']}: {test['message']}")
    return found


def values(results: Mapping[str, Any]) -> dict[tuple[Any, ...], float | None]:
    """Return each group's value by metric, attribute columns and attribute values."""
    return {
        (metric, tuple(group["key"]), tuple(group["key"].values())): group["value"]
        for metric, group in _groups(results)
    }


def intervals(results: Mapping[str, Any]) -> dict[tuple[Any, ...], float | None]:
    """Return both ends of each group's interval, by metric, attribute values and end."""
    return {
        (metric, tuple(group["key"].values()), end): bound
        for metric, group in _groups(results)
        for end, bound in zip(("lower", "upper"), group["confidence_interval"], strict=True)
    }


def _groups(results: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for test in results["tests"]:
        asked = test["parameters"]
        named = _NAMES.get(test["type"]) or asked.get("parity_metric") or asked.get("statistic")
        for group in test["groups"]:
            yield group["metric"] or named, group
