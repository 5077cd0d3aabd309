"""Values as text (SPEC §2.2) and the cleaning of attribute values (SPEC §2.3)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

Kind = Literal["integer", "float", "decimal", "boolean", "text", "date", "timestamp", "timestamptz"]

NUMERIC_KINDS: frozenset[str] = frozenset({"integer", "float", "decimal"})

# SPEC §2.3 gives the list; str.strip() alone would also take U+001C..001F.
WHITE_SPACE = "".join(
    map(
        chr,
        [
            *range(0x0009, 0x000E),
            0x0020,
            0x0085,
            0x00A0,
            0x1680,
            *range(0x2000, 0x200B),
            0x2028,
            0x2029,
            0x202F,
            0x205F,
            0x3000,
        ],
    )
)


def is_missing(value: object) -> bool:
    """Say whether a value is NULL or NaN (SPEC §2.3, first rule)."""
    return value is None or value != value  # NaN alone differs from itself


def canonical_text(value: object) -> str:
    """Write a value that is not missing in the one text form of SPEC §2.2.

    >>> [canonical_text(v) for v in (1, 1.0, -0.0, "1.50", "-0.0", "01", "1e3", True, 0.1)]
    ['1', '1', '0', '1.5', '0', '01', '1e3', 'true', '0.1']
    >>> canonical_text(Decimal("10.500")), canonical_text(Decimal("1E+2"))
    ('10.5', '100')
    >>> canonical_text(datetime(2024, 1, 31, 9, 5, 0, 250000)), canonical_text(date(2024, 1, 31))
    ('2024-01-31T09:05:00.25', '2024-01-31')
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            integral = value.is_integer() and abs(value) < 1e15
            return str(int(value)) if integral else repr(float(value))
        case Decimal():
            return _without_trailing_zeros(f"{value:f}")
        case datetime():
            return _timestamp_text(value)
        case date():
            return value.isoformat()
        case str():
            decimal_number = re.fullmatch(r"-?[0-9]+\.[0-9]+", value)
            return _without_trailing_zeros(value) if decimal_number else value
    raise TypeError(f"no canonical text for {value!r}")


def _without_trailing_zeros(digits: str) -> str:
    if "." in digits:
        digits = digits.rstrip("0").removesuffix(".")
    return "0" if digits == "-0" else digits


def _timestamp_text(value: datetime) -> str:
    zone = ""
    if value.tzinfo is not None:
        value, zone = value.astimezone(UTC).replace(tzinfo=None), "Z"
    text = value.isoformat()
    return (_without_trailing_zeros(text) if "." in text else text) + zone


def configured_text(value: object, kind: str) -> str:
    """Bring a configured value to the form of a column of this kind (SPEC §2.2, last paragraphs).

    >>> configured_text("TRUE", "boolean"), configured_text("TRUE", "text")
    ('true', 'TRUE')
    """
    if kind == "boolean" and isinstance(value, str) and value.lower() in {"true", "false"}:
        return value.lower()
    return canonical_text(value)


def clean_key(value: object) -> str:
    """Clean an attribute value: trim white space, then make it canonical (SPEC §2.3).

    >>> [clean_key(v) for v in ("\\t F\\u3000", " 1.0 ", "F\\u200b", 2.0)]
    ['F', '1', 'F\\u200b', '2']
    """
    return canonical_text(value.strip(WHITE_SPACE) if isinstance(value, str) else value)


def attribute_key(value: object, missing_texts: frozenset[str]) -> str | None:
    """Return the cleaned attribute value, or None where the attribute is missing (SPEC §2.3)."""
    if is_missing(value):
        return None
    key = clean_key(value)
    return None if key == "" or key in missing_texts else key
