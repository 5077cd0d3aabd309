"""What columns hold, guessed from names, types and a few aggregates of the first rows.

No value is read but the smallest and the largest, which are both values of a yes-or-no column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairsql.compile import relation as checked_relation
from fairsql.starter.vocabulary import ATTRIBUTES, IDENTIFIERS, POSITIVE_TEXTS

if TYPE_CHECKING:
    from fairsql.warehouses import Column, Warehouse

ROWS_READ = 100_000
"""Rows of a table that the guesses rest on."""

MAX_GROUPS = 50
"""Values of a column that may still name groups."""

_MAX_COLUMNS = 200
_NUMBERS = ("integer", "float", "decimal")


@dataclass(frozen=True)
class Profile:
    """What is known of a column: aggregates over the first rows, extremes as text."""

    column: Column
    distinct: int
    minimum: str | None
    maximum: str | None

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @property
    def words(self) -> frozenset[str]:
        """The words of the name, in lower case.

        >>> from fairsql.warehouses import Column
        >>> sorted(Profile(Column("predictedOver_50k", "BIGINT", "integer"), 2, "0", "1").words)
        ['50k', 'over', 'predicted']
        """
        return frozenset(
            word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", self.name)
        )

    @property
    def positive(self) -> str | None:
        """The value that means yes, of a column with two values; ``None`` of any other."""
        if self.column.kind == "boolean":
            return "true"
        values = (self.minimum, self.maximum)
        if self.distinct != 2 or None in values:
            return None
        if self.column.kind in _NUMBERS:
            return "1" if [float(value or "nan") for value in values] == [0, 1] else None
        return next((value for value in values if value and value.lower() in POSITIVE_TEXTS), None)

    @property
    def is_group(self) -> bool:
        """True when the values are few enough, and of a kind, to name groups."""
        named = bool(self.words & ATTRIBUTES)
        kinds = ("text", "boolean", "integer") if named else ("text",)
        return self.column.kind in kinds and 2 <= self.distinct <= MAX_GROUPS

    @property
    def is_number(self) -> bool:
        """True of a number with more than two values that identifies nothing."""
        return self.column.kind in _NUMBERS and self.distinct > 2 and not self.words & IDENTIFIERS

    @property
    def is_probability(self) -> bool:
        """True of a fraction that stays within 0 and 1."""
        low, high = self.minimum, self.maximum
        if not self.is_number or self.column.kind == "integer" or low is None or high is None:
            return False
        return float(low) >= 0 and float(high) <= 1


def profiles(warehouse: Warehouse, relation: str) -> list[Profile]:
    """Return what is known of a relation's columns, by one statement.

    Raises
    ------
    WarehouseError
        When the relation does not exist or may not be read.
    """
    from sqlglot import exp

    dialect = warehouse.dialect
    source = checked_relation(relation, dialect, f"relation {relation}")
    kinds = (*_NUMBERS, "text", "boolean")
    columns = [column for column in warehouse.describe(source) if column.kind in kinds]
    columns = columns[:_MAX_COLUMNS]
    if not columns:
        return []
    wanted: list[exp.Expr] = []
    for place, column in enumerate(columns, 1):
        own = exp.column(column.name, quoted=True)
        wanted.append(exp.alias_(exp.Count(this=exp.Distinct(expressions=[own])), f"n{place}"))
        if column.kind != "boolean":
            wanted.append(exp.alias_(exp.cast(exp.Min(this=own.copy()), "text"), f"low{place}"))
            wanted.append(exp.alias_(exp.cast(exp.Max(this=own.copy()), "text"), f"high{place}"))
    aggregates = ",\n  ".join(part.sql(dialect=dialect) for part in wanted)
    names = ", ".join(exp.column(c.name, quoted=True).sql(dialect=dialect) for c in columns)
    first_rows = f"(select {names} from {source} limit {ROWS_READ}) as first_rows"
    (row,) = warehouse.run(f"select\n  {aggregates}\nfrom {first_rows}").rows
    found = {name.lower(): value for name, value in row.items()}  # some warehouses fold aliases
    return [
        Profile(column, found[f"n{place}"], found.get(f"low{place}"), found.get(f"high{place}"))
        for place, column in enumerate(columns, 1)
    ]
