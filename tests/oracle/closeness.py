"""What counts as equal (SPEC §4), and what is too near a limit to be compared (SPEC §1)."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "is": operator.eq,
    "!=": operator.ne,
}


def equal(a: float, b: float) -> bool:
    """SPEC §4's a ≈ b."""
    return abs(a - b) <= max(1e-12 * max(abs(a), abs(b)), 1e-15)


def holds(observed: float, sign: str, value: float) -> bool:
    """Whether a threshold holds; ``>=``, ``<=`` and ``is`` do at ≈, ``>``, ``<`` and ``!=`` do not.

    >>> holds(0.7999999999999999, ">=", 0.8), holds(0.8, "<", 0.8000000000000002)
    (True, False)
    """
    if equal(observed, value):
        return sign in {">=", "<=", "is"}
    return OPERATORS[sign](observed, value)


def too_near(a: float, b: float, relative: float = 1e-9) -> bool:
    """Whether two numbers are not ≈ and yet so close that rounding may decide between them."""
    return not equal(a, b) and abs(a - b) <= relative * max(abs(a), abs(b))
