"""When two numbers count as equal, and when a group is beyond a limit: one rule for all.

The slack of the contract's section 4: what differs by rounding alone is on neither side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

RELATIVE_SLACK = 1e-12
ABSOLUTE_SLACK = 1e-15


def approximately(first: float, second: float) -> bool:
    """Return whether two numbers are equal but for rounding.

    >>> approximately((24 / 80) / (30 / 80), 0.8)
    True
    """
    return abs(first - second) <= _slack(first, second)


def is_beyond(
    *,
    ratio: float | None,
    difference: float | None,
    value: float | None,
    comparison: float | None,
    min_ratio: float,
    max_difference: float | None,
) -> bool:
    """Return whether a group is beyond the limit of its ratio or that of its gap.

    Parameters
    ----------
    ratio, difference
        The group's, ``None`` where undefined or not known.
    value, comparison
        What the gap is between: rounding is judged by their size.
    min_ratio, max_difference
        The limits; without the second only the ratio counts.

    Examples
    --------
    >>> sides = {"value": 0.3, "comparison": 0.375}
    >>> is_beyond(ratio=0.8, difference=0.075, **sides, min_ratio=0.8, max_difference=None)
    False
    >>> is_beyond(ratio=0.8, difference=0.075, **sides, min_ratio=0.8, max_difference=0.07)
    True
    """
    below = ratio is not None and ratio < min_ratio and not approximately(ratio, min_ratio)
    if below or max_difference is None or difference is None:
        return below
    return difference - max_difference > _slack(value or 0.0, comparison or 0.0)


_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    ">": lambda observed, limit: observed > limit and not approximately(observed, limit),
    ">=": lambda observed, limit: observed >= limit or approximately(observed, limit),
    "<": lambda observed, limit: observed < limit and not approximately(observed, limit),
    "<=": lambda observed, limit: observed <= limit or approximately(observed, limit),
    "is": approximately,
    "!=": lambda observed, limit: not approximately(observed, limit),
}


def holds(operator: str, observed: float, limit: float) -> bool:
    """Return whether a number meets a condition; numbers that differ by rounding are equal.

    >>> holds(">=", 0.1 + 0.2, 0.3), holds(">", 0.1 + 0.2, 0.3)
    (True, False)
    """
    return _HOLDS[operator](observed, limit)


def _slack(first: float, second: float) -> float:
    return max(RELATIVE_SLACK * max(abs(first), abs(second)), ABSOLUTE_SLACK)
