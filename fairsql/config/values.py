"""Configured values as text: the one form in which they are compared with column values.

Every warehouse brings a column to the same form, so that ``1``, ``1.0`` and ``"1.0"`` are one value
and a leading zero stays what it is: text.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime
from decimal import Decimal

Scalar = str | bool | int | float | Decimal | date | datetime
"""What a positive value or a named reference may be."""

SCALARS = (str, bool, int, float, Decimal, date, datetime)

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters trimmed from group keys. ``str.strip()`` alone would take U+001C–001F too."""

_DECIMAL_TEXT = re.compile(r"-?[0-9]+\.[0-9]+")


def canonical_text(value: Scalar) -> str:
    """Return the canonical text of a configured value.

    Parameters
    ----------
    value
        Text, number, boolean, date or timestamp. Text is not trimmed and its case is kept.

    Returns
    -------
    str
        Equal for values that match the same column values; canonical text maps to itself.

    Raises
    ------
    TypeError
        When the value is null, a list or another thing that no column value equals.
    ValueError
        When the number is NaN or infinite, or the timestamp has no form in UTC.

    Examples
    --------
    >>> [canonical_text(value) for value in (1, 1.0, "1.0", "01", True, -0.0)]
    ['1', '1', '1', '01', 'true', '0']
    >>> canonical_text(datetime(2024, 3, 1, 12, 30, 0, 500_000))
    '2024-03-01T12:30:00.5'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _without_trailing_zeros(str.__str__(value))
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float | Decimal):
        return _number_text(value)
    if isinstance(value, datetime):
        return _timestamp_text(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no canonical text")


def json_scalar(value: Scalar | None) -> str | bool | int | float | None:
    """Return a value as a results file holds it: what JSON has not, dates too, as canonical text.

    >>> json_scalar(0.5), json_scalar(date(2024, 3, 1))
    (0.5, '2024-03-01')
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return canonical_text(value)


def canonical_key(value: Scalar) -> str:
    """Return the canonical text of a value of a protected attribute: trimmed, then canonical.

    >>> canonical_key(" 1.0")
    '1'
    """
    return canonical_text(value.strip(WHITE_SPACE) if isinstance(value, str) else value)


def _number_text(value: float | Decimal) -> str:
    if not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
        raise ValueError(f"{value} is not a finite number")
    if isinstance(value, float):
        return _without_trailing_zeros(repr(float(value)))
    return _without_trailing_zeros(format(value, "f")) if value else "0"


def _timestamp_text(value: datetime) -> str:
    if value != value:
        raise ValueError(f"{value} is not a timestamp")
    if value.utcoffset() is None:
        zone = ""
    else:
        zone = "Z"
        try:
            value = value.astimezone(UTC).replace(tzinfo=None)
        except OverflowError:
            raise ValueError(f"{value} is out of range in UTC") from None
    text = value.isoformat()
    return (text.rstrip("0") if "." in text else text) + zone


def _without_trailing_zeros(text: str) -> str:
    if not _DECIMAL_TEXT.fullmatch(text):
        return text
    shortened = text.rstrip("0").rstrip(".")
    return "0" if shortened == "-0" else shortened
