"""The kinds of fields: what each may hold, and in which words a message says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from fairsql.binned import AUC_METHODS, QUANTILE_METHODS
from fairsql.config.values import SCALARS, WHITE_SPACE, Scalar, canonical_key, canonical_text
from fairsql.metrics import PARITY_METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Allowed:
    """What a field may hold, in words, and of a list what each item may hold."""

    words: str
    item: str = ""
    choices: tuple[str, ...] = ()

    @classmethod
    def one_of(cls, choices: Iterable[str]) -> Allowed:
        """Return what a field that names one of these choices may hold."""
        names = tuple(choices)
        return cls(f"one of {', '.join(names)}" if len(names) > 1 else names[0], choices=names)


def not_allowed() -> PydanticCustomError:
    """Return the error by which a message says what the field's :class:`Allowed` says."""
    return PydanticCustomError("not_allowed", "not allowed")


def _text(text: str) -> str:
    """Refuse blank text, and what no warehouse and no results file can hold."""
    if not text.strip(WHITE_SPACE):
        raise not_allowed()
    for character in text:
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise ValueError(f"holds U+{ord(character):04X}, which is not a character of text.")
    return text


def _line(text: str) -> str:
    if re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", text):
        raise not_allowed()
    return _text(text)


def scalar(value: object) -> Any:
    """Return a value that a column may hold; any other is not allowed."""
    if not isinstance(value, SCALARS):
        raise not_allowed()
    if isinstance(value, str):
        return _text(value)
    try:
        canonical_text(value)
    except ValueError:
        raise not_allowed() from None
    return value


def _listed(value: object) -> object:
    """Take a list for the tuple that a frozen model keeps; anything else is refused later."""
    return tuple(value) if isinstance(value, list) else value


def _metric_name(name: str) -> str:
    if name not in PARITY_METRICS:
        raise not_allowed()
    return name


def camel_case(name: str) -> str:
    """Return a measurement's name as the reference documents spell it.

    >>> camel_case("failing_group_count")
    'failingGroupCount'
    """
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)


# --- the kinds -------------------------------------------------------------------------------

Comparison = Literal["reference", "overall"]
ReferenceStrategy = Literal["highest", "named"]
SignificanceTest = Literal["auto", "none"]
PValueAdjustment = Literal["none", "holm", "benjamini_hochberg", "holm_all_pairs"]
Operator = Literal[">", ">=", "<", "<=", "is", "!="]

LIST = BeforeValidator(_listed)
SCALAR_WORDS = "a text that is not blank, a finite number, true or false, a date or a timestamp"
_SCALAR_SCHEMA = WithJsonSchema({"type": ["string", "number", "boolean"]})

Text = Annotated[str, AfterValidator(_text), Field(min_length=1)]
Name = Annotated[
    str,
    AfterValidator(_line),
    Field(min_length=1),
    Allowed("a text on one line that is not blank"),
]
Column = Annotated[Text | None, Allowed("a column name")]
Columns = Annotated[tuple[Text, ...], Field(min_length=1, max_length=3)]
Value = Annotated[Scalar, PlainValidator(scalar), _SCALAR_SCHEMA]
Values = Annotated[tuple[Value, ...], Field(min_length=1)]
MissingText = Annotated[
    str, PlainValidator(lambda value: canonical_key(scalar(value))), _SCALAR_SCHEMA
]
Count = Annotated[
    int,
    Field(ge=1, le=2**63 - 1),  # what a warehouse's bigint holds
    Allowed("a whole number of at least 1 and below 2^63"),
]
Gap = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Level = Annotated[float, Allowed("a number greater than 0 and less than 1"), Field(gt=0, lt=1)]
GroupShare = Annotated[
    float,
    Allowed("a number from 0 to 1"),
    Field(ge=0, le=1, description="Smallest share of evaluated rows of a sufficient group."),
]
GroupSize = Annotated[Count, Field(description="Fewest rows of a sufficient group.")]
AucMethod = Annotated[
    Literal["exact", "binned"],
    Allowed.one_of(AUC_METHODS),
    Field(description="AUC by every score in order, or by bins of scores, with certain bounds."),
]
QuantileMethod = Annotated[
    Literal["exact", "approximate"],
    Allowed.one_of(QUANTILE_METHODS),
    Field(description="Quantiles of every value in order, or by bins, with certain bounds."),
]
MetricName = Annotated[
    str,
    AfterValidator(_metric_name),
    Field(json_schema_extra={"enum": list(PARITY_METRICS)}),
    Allowed.one_of(PARITY_METRICS),
]
