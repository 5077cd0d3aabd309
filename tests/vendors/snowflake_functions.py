"""The functions that our Snowflake SQL may use, as Snowflake's reference describes them.

No Snowflake runs where these tests do, so a name that the reference lacks would only be found by a
user. What is ``read`` was compared, on 30 November 2026, with stored copies of the vendor's pages:
the function's own, or that of its Snowpark twin, which repeats the description. The others were not
looked up: their addresses and what stands here are to be checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Nulls = Literal["null if any is", "ignores them", "counts them", "takes them", "no argument"]
_REFERENCE = "https://docs.snowflake.com/en/sql-reference"


@dataclass(frozen=True)
class Function:
    """A function as we use it.

    ``arguments`` holds a type an argument; one that ends in ``?`` may be left out, and the one
    before ``...`` may be repeated. ``page`` is below the reference's address.
    """

    arguments: tuple[str, ...]
    returns: str
    nulls: Nulls
    page: str
    read: bool = False
    window: bool = False

    @property
    def address(self) -> str:
        """Where the vendor describes it."""
        return f"{_REFERENCE}/{self.page}"

    def takes(self, count: int) -> bool:
        """Tell whether it may be called with so many arguments."""
        named = [argument for argument in self.arguments if argument != "..."]
        least = len([argument for argument in named if not argument.endswith("?")])
        return least <= count and (count <= len(named) or "..." in self.arguments)


def _f(name: str, arguments: str, returns: str, nulls: Nulls, *, read: bool = False) -> Function:
    return Function(tuple(arguments.split()), returns, nulls, f"functions/{name}", read)


def _ranking(name: str) -> Function:
    return Function((), "NUMBER", "no argument", f"functions/{name}", window=True)


SNOWFLAKE_FUNCTIONS: dict[str, Function] = {
    # Conversion. Of a date or time, to_varchar() takes a format; without one, the session's.
    "cast": _f("cast", "any", "the type", "null if any is"),
    "to_varchar": _f("to_char", "any text?", "VARCHAR", "null if any is", read=True),
    "to_variant": _f("to_variant", "any", "VARIANT", "null if any is"),
    "try_to_double": _f("try_to_double", "VARCHAR", "FLOAT", "null if any is"),
    # Of a number in a variant, by its value: 1.0 may be an INTEGER.
    "typeof": _f("typeof", "VARIANT", "VARCHAR", "null if any is", read=True),
    # With two arguments the first is the zone to go to; the result is a TIMESTAMP_TZ.
    "convert_timezone": _f(
        "convert_timezone", "VARCHAR TIMESTAMP", "TIMESTAMP_TZ", "null if any is", read=True
    ),
    # Text. The second argument of both is a set of characters, not a suffix.
    "trim": _f("trim", "VARCHAR VARCHAR?", "VARCHAR", "null if any is", read=True),
    "rtrim": _f("rtrim", "VARCHAR VARCHAR?", "VARCHAR", "null if any is"),
    "substr": _f("substr", "VARCHAR NUMBER NUMBER?", "VARCHAR", "null if any is"),
    # Anchored at both ends whether or not the pattern says so.
    "regexp_like": _f("regexp_like", "VARCHAR VARCHAR", "BOOLEAN", "null if any is", read=True),
    # Of text only; an empty specification is none, so that text compares by its bytes.
    "collate": _f("collate", "VARCHAR VARCHAR", "VARCHAR", "null if any is", read=True),
    # Choice. Unlike PostgreSQL's, the extremes of several are null when one is.
    "coalesce": _f("coalesce", "any any ...", "the common type", "takes them"),
    "nullif": _f("nullif", "any any", "the first's type", "takes them"),
    "greatest": _f("greatest", "any ...", "the common type", "null if any is", read=True),
    "least": _f("least", "any ...", "the common type", "null if any is"),
    # Numbers: FLOAT in, FLOAT out.
    "abs": _f("abs", "number", "number", "null if any is"),
    "ceil": _f("ceil", "number", "number", "null if any is"),
    "floor": _f("floor", "number", "number", "null if any is"),
    "exp": _f("exp", "FLOAT", "FLOAT", "null if any is"),
    "ln": _f("ln", "FLOAT", "FLOAT", "null if any is"),
    "sqrt": _f("sqrt", "FLOAT", "FLOAT", "null if any is"),
    # Aggregates, some over windows too. The sum of no rows is null.
    "avg": _f("avg", "number", "number", "ignores them"),
    "count": _f("count", "any", "NUMBER", "ignores them"),
    "max": _f("max", "any", "the same", "ignores them"),
    "min": _f("min", "any", "the same", "ignores them"),
    "sum": _f("sum", "number", "number", "ignores them"),
    "var_pop": _f("var_pop", "FLOAT", "FLOAT", "ignores them"),
    # 1 where the row is of a set that leaves the argument out, and 0 where it is grouped by.
    "grouping": _f("grouping", "any", "NUMBER", "takes them", read=True),
    "dense_rank": _ranking("dense_rank"),
    "rank": _ranking("rank"),
    "row_number": _ranking("row_number"),
}

# As the reference writes them: https://docs.snowflake.com/en/sql-reference/functions-window-syntax
# (read). `range between current row and current row` is not among them; `range current row` is.
SNOWFLAKE_FRAMES = {
    "rows between unbounded preceding and current row",
    "range between unbounded preceding and current row",
    "range current row",
}
