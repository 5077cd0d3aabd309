"""The numbers of drivers as Python's own, which every verdict is reached on."""

from __future__ import annotations

from decimal import Decimal
from numbers import Integral
from typing import Any


def number(value: Any) -> Any:
    """Return a driver's number as int or float, and any other value as it is.

    >>> number(Decimal("3.00")), number(Decimal("0.5")), number(Decimal("Infinity"))
    (3, 0.5, inf)
    >>> number("3.00"), number(True), number(None)
    ('3.00', True, None)
    """
    if isinstance(value, Decimal):
        is_whole = value.is_finite() and value == value.to_integral_value()
        return int(value) if is_whole else float(value)
    # numpy's integers, which a live connection may be set to give, are none of Python's.
    return int(value) if isinstance(value, Integral) and not isinstance(value, int) else value
