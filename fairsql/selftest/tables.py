"""Small tables of hostile values, as Python values and as a select of literals.

A select of literals reads no table and needs no right but to log in. Every value is written as
text, and cast to its type once: text says the same in every dialect.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import zip_longest

from fairsql.compile.loader import macros_for

_DEFAULT_TYPES = {
    "boolean": "boolean",
    "date": "date",
    "decimal": "decimal(12, 4)",
    "timestamp": "timestamp",
    "timestamptz": "timestamp with time zone",
}
# Types that a dialect names in words of its own; double, bigint and text are macros.
_TYPES = {
    "bigquery": {
        "boolean": "bool",
        "decimal": "numeric",
        "timestamp": "datetime",
        "timestamptz": "timestamp",
    },
    "databricks": {"timestamp": "timestamp_ntz", "timestamptz": "timestamp"},
    "snowflake": {"timestamp": "timestamp_ntz", "timestamptz": "timestamp_tz"},
    "spark": {"timestamp": "timestamp_ntz", "timestamptz": "timestamp"},
}
# Elsewhere a select for each row would be read row by row: Spark runs a task for each.
_WITHOUT_VALUES = ("bigquery", "redshift")

_WHITE_SPACE = [*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028]
WHITE_SPACE = tuple(map(chr, [*_WHITE_SPACE, 0x2029, 0x202F, 0x205F, 0x3000]))
"""Every character that is trimmed off a key."""

HOSTILE_TEXTS = (
    "it's",
    'a "quote"',
    "back\\slash",
    "\\'",
    "\\\\n \\u0041 \\x41",
    "${x} $1 {{ x }} {% x %} %s %(x)s :x ?",
    "`x` [x] /* x */ -- x",
    "line\nbreak",
    "return\rand\ttab",
    "Ünïcode \u200b \u3000 漢字",
    "e\u0301",
    "\U0001f600",
)
"""Texts that a literal must carry unchanged."""


@dataclass(frozen=True)
class Table:
    """A table of literals: the kind of each column, and the rows; ``None`` is null."""

    name: str
    kinds: Mapping[str, str]
    rows: Sequence[Sequence[object]]

    def sql(self, dialect: str) -> str:
        """Return the table as a select in parentheses."""
        macros = macros_for(dialect)
        by_macro = {"float": "double", "integer": "bigint", "text": "text"}
        types = _DEFAULT_TYPES | _TYPES.get(dialect, {})
        cast = [
            str(macros.call(by_macro[kind], name))
            if kind in by_macro
            else f"cast({name} as {types[kind]})"
            for name, kind in self.kinds.items()
        ]
        columns = ", ".join(
            f"{expression} as {name}" for expression, name in zip(cast, self.kinds, strict=True)
        )
        rows = [[_literal(value, dialect) for value in row] for row in self.rows]
        return f"(select {columns} from {_given(rows, list(self.kinds), dialect)})"


def _given(rows: Sequence[Sequence[str]], names: Sequence[str], dialect: str) -> str:
    """Return rows of literals as a relation called ``given``."""
    if dialect not in _WITHOUT_VALUES:
        listed = ",\n".join(f"({', '.join(row)})" for row in rows)
        return f"(values {listed}) as given ({', '.join(names)})"
    first = [f"{value} as {name}" for value, name in zip(rows[0], names, strict=True)]
    selects = "\nunion all select ".join(", ".join(row) for row in [first, *rows[1:]])
    return f"(select {selects}) as given"


def _literal(value: object, dialect: str) -> str:
    return "null" if value is None else str(macros_for(dialect).call("literal", _text(value)))


def _text(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value).replace("nan", "NaN")
        case datetime():
            return value.isoformat(sep=" ")
    return str(value)


def _side_by_side(
    group: str, samples: Mapping[str, Iterable[object]], names: Iterable[str]
) -> list[tuple[object, ...]]:
    """Return a group's rows from the samples of its columns, the shorter ones filled with nulls."""
    columns = [list(samples.get(name, ())) for name in names]
    return [(group, *row) for row in zip_longest(*columns)]


def _decimals(text: str) -> list[Decimal]:
    return [Decimal(number) for number in text.split()]


# Samples of unlike lengths, so that each column lacks values in some rows. From R's data sets and
# published examples where a p-value is known: `waiting` is an example of the median test, `extra`
# is R's `sleep`, `rating` has many ties.
_FIRST: dict[str, Sequence[object]] = {
    "chosen": [1, 0, 0, 1, *[0] * 13],
    "waiting": [10, 14, 14, 18, 20, 22, 24, 25, 31, 31, 32, 39, 43, 43, 48, 49],
    "extra": _decimals("0.7 -1.6 -0.2 -1.2 -0.1 3.4 3.7 0.8 0.0 2.0"),
    "fee": _decimals("2.4250 2.4251 -0.0001 7.1 2.4249 9 0.5 3"),
    "rating": [1.0, 2.0, 3.0, 3.0, 5.0, 4.0, 2.0, 3.0, 1.0, 5.0, 4.0, 4.0, 2.0, 3.0, 5.0, 1.0, 2.0],
    "approved": [
        False,
        False,
        True,
        False,
        True,
        True,
        False,
        True,
        False,
        True,
        True,
        False,
        False,
        True,
        True,
        True,
        False,
    ],
    "predicted": [0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0],
    "probability": [
        0.0,
        0.125,
        0.6,
        0.3,
        0.95,
        0.7,
        0.1,
        0.45,
        0.2,
        0.85,
        1.0,
        0.5,
        0.05,
        0.4,
        0.9,
        0.0,
        0.15,
    ],
    "estimate": [10.5, 20.0, 29.0, 41.5, 50.0, 61.0, 68.0, 80.5, 91.0],
    "amount": [10.0, 21.0, 30.0, 40.0, 51.0, 60.0, 70.0, 80.0, 90.0],
    "far": [1e9 + step / 4 for step in (-7, -5, -4, -3, -1, 0, 1, 2, 4, 6, 7)],
    "large": [2**62 - step * 10**16 for step in (1, 2, 3, 5, 8, 13)],
    "huge": [1.0, math.inf, 2.0],
    "team": ["x", "y", "z", "x", "y", "z", "x", "y", "z", "x", "y", "z", "x", "y", "z", " x ", "y"],
}
_SECOND: dict[str, Sequence[object]] = {
    "chosen": [*[1] * 8, 0, 0, 0, 1, 1],
    "waiting": [28, 30, 31, 33, 34, 35, 36, 40, 44, 55, 57, 61, 91, 92, 99],
    "extra": _decimals("1.9 0.8 1.1 0.1 -0.1 4.4 5.5 1.6 4.6 3.4"),
    "fee": _decimals("1.5 2.4255 2.4256 10 -3.25 2.75"),
    "rating": [2.0, 3.0, 3.0, 4.0, 5.0, 1.0, 3.0, 2.0, 5.0, 4.0, 3.0, 1.0, 2.0, 4.0, 3.0],
    "approved": [
        True,
        False,
        True,
        False,
        True,
        False,
        True,
        False,
        True,
        True,
        False,
        False,
        True,
        False,
        False,
    ],
    "predicted": [1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0],
    "probability": [
        0.55,
        0.35,
        0.5,
        0.65,
        1.0,
        0.0,
        0.75,
        0.4,
        0.8,
        0.6,
        0.45,
        0.25,
        0.3,
        0.7,
        0.5,
    ],
    "estimate": [12.0, 18.0, 33.0, math.nan, 47.0, 66.0, 65.0, 83.0],
    "amount": [10.0, 21.0, 30.0, 40.0, 51.0, 60.0, 70.0, 80.0],
    "far": [1e9 + step / 4 for step in (-2, 0, 1, 3, 5, 6, 8, 9, 12)],
    "large": [2**62 - step * 10**16 for step in (20, 9, 11, 15, 25)],
    "huge": [3.0, 4.0],
    "team": ["z", "z", "x", "y", "z", "x", "", "x", "y", "z", "y", "z", "x", " ", "z"],
}
# Nobody here is predicted negative, and nothing else is known.
_THIRD: dict[str, Sequence[object]] = {
    "approved": [True, False, True, True, False, True],
    "predicted": [1, 1, 1, 1, 1, 1],
}


_PEOPLE_KINDS = {
    "grp": "text",
    "chosen": "integer",
    "waiting": "integer",
    "extra": "decimal",
    "fee": "decimal",
    "rating": "float",
    "approved": "boolean",
    "predicted": "integer",
    "probability": "float",
    "estimate": "float",
    "amount": "float",
    "far": "float",
    "large": "integer",
    "huge": "float",
    "team": "text",
}
_SAMPLES = list(_PEOPLE_KINDS)[1:]

PEOPLE = Table(
    "people",
    _PEOPLE_KINDS,
    [
        *_side_by_side("P", _FIRST, _SAMPLES),
        *_side_by_side("Q", _SECOND, _SAMPLES),
        *_side_by_side("R", _THIRD, _SAMPLES),
        *((group, *(column[0] for column in _SECOND.values())) for group in (None, " ")),
    ],
)
"""Two groups with the inputs of every metric, a third with few, and rows without a group."""

# The first of each line is positive, but for the last line: the others must not be taken for it.
_LABELS = (
    *("it's", "its", "its'"),
    *("back\\slash", "backslash", "back\\\\slash"),
    *("${x}", "x", "{x}"),
    *('"quote"', "quote", "'quote'"),
    *("line\nbreak", "line\\nbreak", "line break"),
    *("\U0001f600", "\U0001f601", "\\U0001f600"),
    *("Yes", "yes", " Yes"),
    *("1.50", "1.51", "01.5"),
    *("", " ", "NULL"),
)
POSITIVE_LABELS = (*_LABELS[:21:3], "1.5")
"""Labels that are positive in :data:`TEXTS`; ``1.50`` is written in another way."""

_WORDS = (
    *(f"{space}F{space}" for space in WHITE_SPACE),
    *("F", "f", "F\u200b", "\u00e9", "e\u0301", "", " \t\u3000", None, "a|b", "%", "_"),
    *("1", "1.0", " 1.0 ", "1.50", "1.5", "01", "-0.0", "0", "1e0", "+1", ".5", "1.", "-1.10"),
    *HOSTILE_TEXTS,
    *("nan", "NULL", "true", "Unknown", "N/A", "it's missing"),
)
# By code point B, a, \uff21, \U0001f600; people sort a first, and UTF-16 \U0001f600 before \uff21.
_LETTERS = ("a", "B", "b", "A ")
_SYMBOLS = ("\U0001f600", "\uff21")

TEXTS = Table(
    "texts",
    {"word": "text", "label": "text", "letter": "text", "symbol": "text", "chosen": "integer"},
    [
        (word, _LABELS[i % len(_LABELS)], _LETTERS[i % 4], _SYMBOLS[i % 2], int(i % 3 > 0))
        for i, word in enumerate([*_WORDS, *_WORDS[: -len(_WORDS) % 12]])
    ],
)
"""Keys and labels as people and machines write them."""

_EAST = timezone(timedelta(hours=2))
_WEST = timezone(timedelta(hours=-8))
_COLUMNS: dict[str, tuple[str, list[object]]] = {
    "integers": ("integer", [1, 1, -7, 0, 2**62, -(2**63) + 1, 10, 100, None, 1]),
    "floats": (
        "float",
        [1.0, -0.0, 0.0, 0.1, 1e-4, 123456.789, 1e14, 12345678.5, math.nan, -1.5],
    ),
    "decimals": (
        "decimal",
        [*_decimals("1.5000 1.5 10 0.0000 -0.1 1000 12345678.1234 0.0001 1.5"), None],
    ),
    "booleans": (
        "boolean",
        [True, False, True, True, None, False, True, True, False, True],
    ),
    "dates": (
        "date",
        [date(2024, 1, 31), date(1999, 12, 31), date(1969, 7, 20), date(2024, 2, 29), None] * 2,
    ),
    "clocks": (
        "timestamp",
        [
            datetime(2024, 1, 31, 9, 5, 0, 250000),
            datetime(2024, 1, 31),
            datetime(1969, 7, 20, 20, 17, 40, 123456),
            datetime(2024, 1, 31, 23, 59, 59, 100),
            datetime(2024, 1, 31, 10, 20, 30),
        ]
        * 2,
    ),
    "instants": (
        "timestamptz",
        [
            datetime(2024, 1, 31, 9, 5, 0, 250000, _EAST),
            datetime(2024, 1, 31, 7, 5, 0, 250000, UTC),
            datetime(2024, 1, 30, 23, 5, 0, 250000, _WEST),
            datetime(2024, 1, 31, 23, 30, tzinfo=_WEST),
            datetime(1969, 7, 20, 20, 17, 40, 123456, UTC),
        ]
        * 2,
    ),
    "half": ("text", ["first", "second"] * 5),
}
VALUES = Table(
    "values",
    {name: kind for name, (kind, _) in _COLUMNS.items()},
    list(zip(*(column for _, column in _COLUMNS.values()), strict=True)),
)
"""A column of each type."""

TABLES = (PEOPLE, TEXTS, VALUES)
