"""Filters: which rows a test is about, without SQL.

A filter names a column, an operator and a value. Values match through the canonical text of a
column's values; the order operators compare numbers or times.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)

from fairsql.config.fields import LIST, SCALAR_WORDS, Allowed, Text, scalar
from fairsql.config.values import Scalar, canonical_text, json_scalar

ORDERS = (">", ">=", "<", "<=")
"""Operators that compare numbers or times."""

LISTS = ("one_of", "none_of", "contains_any", "contains_all", "contains_none")
"""Operators that take a list of values."""

FilterOperator = Literal[
    "is",
    "!=",
    ">",
    ">=",
    "<",
    "<=",
    "one_of",
    "none_of",
    "contains_any",
    "contains_all",
    "contains_none",
]


def _value(value: object) -> Any:
    if isinstance(value, list | tuple):
        return tuple(scalar(item) for item in value)
    return scalar(value)


class Filter(BaseModel):
    """One condition on the rows of a relation.

    >>> Filter(column="region", operator="one_of", value=["north", 1.0]).texts
    ('north', '1')
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    column: Annotated[
        Text, Allowed("a column name"), Field(description="The column that is looked at.")
    ]
    operator: Annotated[
        FilterOperator,
        Allowed.one_of(get_args(FilterOperator)),
        Field(description="How the column's value must relate to the value; `is` means equal."),
    ]
    value: Annotated[
        Scalar | tuple[Scalar, ...],
        PlainValidator(_value),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": ["string", "number", "boolean"]},
                    {
                        "type": "array",
                        "minItems": 1,
                        "items": {"type": ["string", "number", "boolean"]},
                    },
                ]
            }
        ),
        Allowed(f"{SCALAR_WORDS}, or a list of such values"),
        Field(description="A value, or a list of them where the operator takes several."),
    ]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        is_list = isinstance(self.value, tuple)
        if self.operator in LISTS and not is_list:
            raise ValueError(
                f"{self.operator} takes a list of values: write value: [{self.value}]."
            )
        if self.operator in LISTS and not self.value:
            raise ValueError(f"{self.operator} takes a list of at least one value.")
        if self.operator not in LISTS and is_list:
            raise ValueError(
                f"{self.operator} takes one value, not a list; one_of and none_of take several."
            )
        if self.operator in ORDERS and self.number is None and self.moment is None:
            raise ValueError(
                f"{self.operator} takes a number, a date or a timestamp, such as 18 or"
                f" '2024-03-01T12:00:00Z', but the value is {self.value!r}."
            )
        return self

    @property
    def values(self) -> tuple[Scalar, ...]:
        """The value or values, as a tuple."""
        return self.value if isinstance(self.value, tuple) else (self.value,)

    @property
    def texts(self) -> tuple[str, ...]:
        """Canonical texts of the values, each once."""
        return tuple(dict.fromkeys(map(canonical_text, self.values)))

    @property
    def number(self) -> str | None:
        """Digits of the number that an order operator compares with; ``None`` where it is none."""
        (value, *_) = self.values
        if self.operator not in ORDERS or isinstance(value, bool | str | date):
            return None
        return format(value, "f") if isinstance(value, Decimal) else canonical_text(value)

    @property
    def moment(self) -> str | None:
        """The time that an order operator compares with, as :func:`clock` writes it.

        A time without a zone is taken as UTC; a date is its first moment.
        """
        (value, *_) = self.values
        if self.operator not in ORDERS or not isinstance(value, str | date):
            return None
        found = _time(value)
        return None if found is None else clock(found)

    def as_json(self) -> dict[str, Any]:
        """Return the filter as JSON values, as it stands in results."""
        plain = [json_scalar(value) for value in self.values]
        return {
            "column": self.column,
            "operator": self.operator,
            "value": plain if isinstance(self.value, tuple) else plain[0],
        }

    def __str__(self) -> str:
        """Return the filter in words, for messages.

        >>> str(Filter(column="age", operator=">=", value=18))
        "'age' >= 18"
        """
        shown = ", ".join(repr(json_scalar(value)) for value in self.values)
        return (
            f"{self.column!r} {self.operator} {f'({shown})' if self.operator in LISTS else shown}"
        )


def clock(value: datetime) -> str:
    """Return a time in UTC as the macros take it.

    >>> clock(datetime(2024, 3, 1, 12, 30)), clock(datetime(2024, 3, 1, 12, 30, 0, 500_000))
    ('2024-03-01 12:30:00', '2024-03-01 12:30:00.5')
    """
    text = value.replace(tzinfo=None).isoformat(sep=" ")
    return text.rstrip("0") if "." in text else text


def _time(value: str | date) -> datetime | None:
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value)
        elif not isinstance(value, datetime):
            value = datetime(value.year, value.month, value.day)
        return value if value.utcoffset() is None else value.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None


def _none_for_null(value: object) -> object:
    return () if value is None else value


Filters = Annotated[
    tuple[Filter, ...],
    BeforeValidator(_none_for_null),
    LIST,
    Allowed("a list of filters", item="a mapping of column, operator and value"),
    Field(description="Conditions on columns, without SQL; rows that meet them all count."),
]
