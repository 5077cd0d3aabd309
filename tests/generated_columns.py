"""Random columns for generated cases: attributes, labels, numbers, and what is wrong with them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from tests.oracle.canonical import Kind


@dataclass
class Column:
    """A column's kind and its values, one a row."""

    kind: Kind
    values: list[Any]


# --- protected attributes ----------------------------------------------------------------------

WHITE_SPACE = (" ", "\t", "\u00a0", "\u3000", "\u2003", "\r\n")
SPELLINGS = ("F", " F", "F\u00a0", "\u3000F", "f", "M", "M\t", "F\u200b", "\u2003M")
NUMBERS_AS_TEXT = ("1", "1.0", " 1.0 ", "1.50", "1.5", "01", "-0.0", "0", "1e0", "+1", "2")
HOSTILE = (
    "it's", 'a "b"', "back\\slash", "\\", "{{ key }}", "{% if %}", "line\nbreak", "😀", "a|b",
    "a,b", "'; --", "%s", "é", "e\u0301", "NULL", "nan", "true", "$1", "?", "`tick`", "/* x */",
    "O'Brien", 'a"b', "x\\y", "{{ ref('m') }}",
)  # fmt: skip
MANY = 180  # enough for more groups than a result keeps

ATTRIBUTE_POOLS: tuple[tuple[Kind, Sequence[Any]], ...] = (
    ("text", ("F", "M", "X")),
    ("text", ("A", "B", "C", "D", "E", "Unknown", "N/A", " Unknown ", "unknown")),
    ("text", SPELLINGS),
    ("text", NUMBERS_AS_TEXT),
    ("text", HOSTILE),
    ("text", [f"k{i}" for i in range(MANY)]),
    ("boolean", (True, False)),
    ("integer", (0, 1, 2, -1, 10)),
    ("float", (0.0, -0.0, 1.0, 1.5, 0.1, -2.25)),
    ("decimal", (Decimal("1.000"), Decimal("1.500"), Decimal("-0.250"), Decimal("100.000"))),
    ("date", (date(2024, 1, 31), date(2024, 2, 1), date(1999, 12, 31))),
    ("timestamp", (datetime(2024, 1, 31), datetime(2024, 1, 31, 9, 5, 0, 250000))),
)
POOL_WEIGHTS = (6, 3, 3, 2, 3, 1, 2, 2, 1, 1, 1, 1)


def attribute(rng: Random, rows: int) -> Column:
    """An attribute of a few values of very unequal frequency, some of them missing."""
    kind, pool = rng.choices(ATTRIBUTE_POOLS, POOL_WEIGHTS)[0]
    values = list(pool)
    if len(values) <= MANY // 2:
        values = rng.sample(values, min(len(values), rng.randint(2, 7)))
    weights = [rng.random() ** 2 + 0.03 for _ in values]
    column = Column(kind, rng.choices(values, weights, k=rows))
    lose_values(rng, column, rng.choice((0.0, 0.0, 0.02, 0.2)))
    if kind == "text" and rng.random() < 0.3:
        blanks = ("", *WHITE_SPACE, " \t ")
        column.values = [rng.choice(blanks) if rng.random() < 0.04 else v for v in column.values]
    return column


# --- labels ------------------------------------------------------------------------------------


class Labels(NamedTuple):
    """A kind of label column: how positives and negatives look, and how a user may ask for them."""

    kind: Kind
    positive: tuple[Any, ...]
    negative: tuple[Any, ...]
    configured: tuple[list[Any], ...]


ONES: tuple[list[Any], ...] = (["1"], [1], [1.0], ["1.0"])
# Any two of these may stand beside each other: one configured value fits all.
ONE_OR_ZERO = (
    Labels("integer", (1,), (0,), ONES),
    Labels("float", (1.0,), (0.0, -0.0), ONES),
    Labels("text", ("1", "1.0", "1.00"), ("0", "0.0", "", "01", " 1"), ONES),
    Labels("decimal", (Decimal("1.000"),), (Decimal("0.000"),), ONES),
)
OTHER_LABELS = (
    Labels("boolean", (True,), (False,), ([True], ["true"], ["True"], ["TRUE"])),
    Labels("boolean", (False,), (True,), ([False], ["false"])),
    Labels("integer", (4, 5), (1, 2, 3), ([4, 5], ["5", "4.0"])),
    Labels("float", (0.5,), (0.25, 1.0, -0.5), ([0.5], ["0.5"], ["0.50"])),
    Labels("text", ("yes",), ("no",), (["yes"],)),
    Labels("text", ("true",), ("false", "True"), ([True], ["true"])),
    Labels("text", ("high", "medium"), ("low", "", " ", "HIGH"), (["high", "medium"],)),
    Labels("text", ("it's", "back\\slash"), HOSTILE[3:8], (["it's", "back\\slash"],)),
    Labels("decimal", (Decimal("1.500"),), (Decimal("0.250"),), (["1.5"], [1.5], ["1.500"])),
    Labels("date", (date(2024, 1, 31),), (date(2024, 2, 1),), (["2024-01-31"],)),
    Labels(
        "timestamp",
        (datetime(2024, 1, 31, 9, 5, 0, 250000),),
        (datetime(2024, 1, 31),),
        (["2024-01-31T09:05:00.25"],),
    ),
)


def choose_labels(rng: Random, columns: int) -> tuple[list[Labels], list[Any]]:
    """Choose how label columns look, and the one configuration of positive values for them all."""
    if rng.random() < 0.6:
        family = rng.choices(ONE_OR_ZERO, k=columns)
    else:
        family = [rng.choice(OTHER_LABELS)] * columns
    return family, list(rng.choice(family[0].configured))


def write_labels(rng: Random, labels: Labels, positives: Sequence[bool]) -> Column:
    """Write which rows are positive in the spellings of a kind of label."""
    spelt = [rng.choice(labels.positive if p else labels.negative) for p in positives]
    return Column(labels.kind, spelt)


# --- numbers -----------------------------------------------------------------------------------


def thousandths(x: float) -> Decimal:
    """Round to the three places that a decimal column has."""
    return Decimal(round(1000 * x)).scaleb(-3)


Draw = tuple["Kind", "Callable[[Random, float], Any]"]

# Each draws a value from the group's effect, a number from 0 to 1.
NUMBERS: tuple[Draw, ...] = (
    ("float", lambda rng, effect: 50 + 30 * effect + rng.gauss(0, 8)),
    ("float", lambda rng, effect: round(10 + 5 * effect + rng.gauss(0, 2), 1)),
    ("integer", lambda rng, effect: min(5, max(1, round(rng.gauss(3 + 2 * effect, 1))))),
    ("float", lambda rng, effect: round(rng.expovariate(1 / (100 + 300 * effect)), 2)),
    ("decimal", lambda rng, effect: thousandths(2 + effect + rng.random())),
    ("integer", lambda rng, effect: int(rng.random() < 0.5 * effect)),
    ("integer", lambda rng, effect: 10**12 + round(10**10 * effect) + rng.randint(0, 10**9)),
    ("float", lambda _, effect: 0.1 + round(effect, 1)),
    ("float", lambda _, effect: 0.1 if effect < 0.7 else 0.3),
    # Quarters add up without rounding, so that sums of both signs are exact everywhere.
    ("float", lambda rng, effect: (rng.randint(-8, 8) + round(8 * effect)) / 4),
    ("integer", lambda rng, effect: rng.randint(-20, 20) + round(20 * effect)),
)
LARGE_OFFSET: Draw = ("float", lambda rng, effect: 1e9 + 4 * effect + rng.gauss(0, 3))


def numbers(rng: Random, effects: Sequence[float], large_offset: float = 0.1) -> Column:
    """Numbers of one of many shapes, shifted by each row's effect."""
    kind, draw = LARGE_OFFSET if rng.random() < large_offset else rng.choice(NUMBERS)
    return Column(kind, [draw(rng, effect) for effect in effects])


def predictions(rng: Random, truths: Column, effects: Sequence[float]) -> Column:
    """Numbers near the truth, less so where the effect is large; now and then the truth itself."""
    size = max(1.0, max((abs(float(t)) % 1e6 for t in truths.values), default=1.0) / 20)
    size *= rng.choice((0.0, 1.0, 1.0, 1.0, 4.0))
    values: list[Any] = []
    for truth, effect in zip(truths.values, effects, strict=True):
        error = rng.gauss(0, size * (0.3 + effect))
        if truths.kind == "integer":
            values.append(truth + round(error))
        elif truths.kind == "decimal":
            values.append(truth + thousandths(error))
        else:
            values.append(truth + round(error, 2))
    return Column(truths.kind, values)


def scores(rng: Random, positives: Sequence[bool], effects: Sequence[float]) -> Column:
    """Scores that rank positives higher, less so where the effect is large; many are tied."""
    digits = rng.choice((0, 1, 6))
    power = rng.choice((1.0, 3.0))
    drawn = [
        rng.gauss(0, 1) + power * (1 - effect) * positive
        for positive, effect in zip(positives, effects, strict=True)
    ]
    match rng.choice(("float", "float", "integer", "decimal")):
        case "integer":
            return Column("integer", [round(3 * x) for x in drawn])
        case "decimal":
            return Column("decimal", [thousandths(round(x, 1)) for x in drawn])
    return Column("float", [round(x, digits) for x in drawn])


def probabilities(rng: Random, positives: Sequence[bool], effects: Sequence[float]) -> Column:
    """Probabilities from 0 to 1, both ends included."""
    drawn = []
    for positive, effect in zip(positives, effects, strict=True):
        x = rng.gauss(0, 1) + (2 * positive - 1) * 1.5 * (1 - effect)
        drawn.append(1 / (1 + math.exp(-2 * x)))
    match rng.choice(("exact", "rounded", "rounded", "coarse", "decimal", "certain")):
        case "exact":
            return Column("float", drawn)
        case "rounded":
            return Column("float", [round(p, 2) for p in drawn])
        case "coarse":
            return Column("float", [round(4 * p) / 4 for p in drawn])
        case "decimal":
            return Column("decimal", [thousandths(p) for p in drawn])
    return Column("integer", [round(p) for p in drawn])


def lose_values(rng: Random, column: Column, rate: float) -> None:
    """Turn a share of the values into NULL, or NaN where the column can hold one."""
    for i in range(len(column.values)):
        if rng.random() < rate:
            nan = column.kind == "float" and rng.random() < 0.5
            column.values[i] = math.nan if nan else None
