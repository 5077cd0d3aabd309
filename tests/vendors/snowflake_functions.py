"""The functions that our Snowflake SQL may use, as Snowflake's reference describes them.

No Snowflake runs where these tests do, so a name that the reference lacks would only be found by a
user. What is ``read`` was compared, on 30 November 2026, with a stored copy of the function's own
page. Where that says nothing of null, its examples or a sister's page do, save of exp(); the types
that abs(), grouping() and the ranks return are only seen in examples.
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
    page = f"functions/{name}"
    return Function((), "NUMBER", "no argument", page, read=True, window=True)


SNOWFLAKE_FUNCTIONS: dict[str, Function] = {
    # Conversion. A cast is what the type's own function is: to_varchar(), to_double(), to_date().
    "cast": _f("cast", "any", "the type", "null if any is", read=True),
    # Of a date or time, to_varchar() takes a format; without one, the session's.
    "to_varchar": _f("to_char", "any text?", "VARCHAR", "null if any is", read=True),
    # Of text, with its format; a literal is folded when the statement is planned.
    "to_timestamp_ntz": _f("to_timestamp", "text text?", "TIMESTAMP_NTZ", "null if any is"),
    "to_timestamp_tz": _f("to_timestamp", "text text?", "TIMESTAMP_TZ", "null if any is"),
    # Of epoch_second, the whole seconds since 1970 in UTC.
    "date_part": _f("date_part", "text TIMESTAMP", "NUMBER", "null if any is"),
    "mod": _f("mod", "NUMBER NUMBER", "NUMBER", "null if any is"),
    "to_variant": _f("to_variant", "any", "VARIANT", "null if any is", read=True),
    # Of text alone, and null where it is no number; reads exponents, nan, inf and infinity.
    "try_to_double": _f("try_to_double", "VARCHAR text?", "FLOAT", "null if any is", read=True),
    # Of a number in a variant, by its value: 1.0 may be an INTEGER, and 1 a DECIMAL.
    "typeof": _f("typeof", "VARIANT", "VARCHAR", "null if any is", read=True),
    # With two arguments the first is the zone to go to; the result is a TIMESTAMP_TZ.
    "convert_timezone": _f(
        "convert_timezone", "VARCHAR TIMESTAMP", "TIMESTAMP_TZ", "null if any is", read=True
    ),
    # Text. The second argument of both is a set of characters, not a suffix; with one that is not
    # all white space, the first may carry no collation.
    "trim": _f("trim", "VARCHAR VARCHAR?", "VARCHAR", "null if any is", read=True),
    "left": _f("left", "VARCHAR NUMBER", "VARCHAR", "null if any is", read=True),
    "right": _f("right", "VARCHAR NUMBER", "VARCHAR", "null if any is"),
    "rtrim": _f("rtrim", "VARCHAR VARCHAR?", "VARCHAR", "null if any is", read=True),
    # In characters; and as hexadecimal digits in small letters, of the bytes of the text.
    "lower": _f("lower", "VARCHAR", "VARCHAR", "null if any is"),
    "position": _f("position", "VARCHAR VARCHAR? NUMBER?", "NUMBER", "null if any is"),
    "replace": _f("replace", "VARCHAR VARCHAR VARCHAR?", "VARCHAR", "null if any is"),
    "regexp_replace": _f("regexp_replace", "VARCHAR VARCHAR VARCHAR?", "VARCHAR", "null if any is"),
    # What of the second argument has no counterpart in the third is left out.
    "translate": _f("translate", "VARCHAR VARCHAR VARCHAR", "VARCHAR", "null if any is", read=True),
    "length": _f("length", "VARCHAR", "NUMBER", "null if any is", read=True),
    # Its Snowpark page alone was read: digits in small letters.
    "sha2": _f("sha2", "VARCHAR NUMBER?", "VARCHAR", "null if any is"),
    # By characters, from 1.
    "substr": _f("substr", "VARCHAR NUMBER NUMBER?", "VARCHAR", "null if any is", read=True),
    # Anchored at both ends whether or not the pattern says so; refuses text with a collation.
    "regexp_like": _f("regexp_like", "VARCHAR VARCHAR", "BOOLEAN", "null if any is", read=True),
    "regexp_count": _f("regexp_count", "VARCHAR VARCHAR", "NUMBER", "null if any is"),
    # An empty array where nothing matches.
    "regexp_substr_all": _f(
        "regexp_substr_all", "VARCHAR VARCHAR", "ARRAY", "null if any is", read=True
    ),
    # Arrays. An intersection keeps as many copies of an element as the array that has fewer.
    "array_cat": _f("array_cat", "ARRAY ARRAY", "ARRAY", "null if any is", read=True),
    "array_distinct": _f("array_distinct", "ARRAY", "ARRAY", "null if any is", read=True),
    "array_intersection": _f(
        "array_intersection", "ARRAY ARRAY", "ARRAY", "null if any is", read=True
    ),
    "array_size": _f("array_size", "ARRAY", "NUMBER", "null if any is"),
    # Of text only; an empty specification is none, so that text compares by its bytes.
    "collate": _f("collate", "VARCHAR VARCHAR", "VARCHAR", "null if any is", read=True),
    # Choice. Unlike PostgreSQL's, the extremes of several are null when one is.
    "coalesce": _f("coalesce", "any any ...", "the common type", "takes them", read=True),
    "nullif": _f("nullif", "any any", "the first's type", "takes them", read=True),
    "greatest": _f("greatest", "any ...", "the common type", "null if any is", read=True),
    "least": _f("least", "any ...", "the common type", "null if any is", read=True),
    # Numbers: FLOAT in, FLOAT out.
    "abs": _f("abs", "number", "number", "null if any is", read=True),
    "ceil": _f("ceil", "number NUMBER?", "number", "null if any is", read=True),
    "floor": _f("floor", "number NUMBER?", "number", "null if any is", read=True),
    "power": _f("pow", "number number", "FLOAT", "null if any is"),
    "exp": _f("exp", "FLOAT", "FLOAT", "null if any is", read=True),
    "ln": _f("ln", "number", "FLOAT", "null if any is", read=True),
    "sqrt": _f("sqrt", "number", "FLOAT", "null if any is", read=True),
    # Of any values, signed, of 64 bits; the same for the same value.
    "hash": _f("hash", "any ...", "NUMBER", "takes them"),
    # Aggregates, some over windows too. The sum of no rows is null. The average of NUMBERs has a
    # few digits after the point; of what type that of FLOATs is, its page does not say.
    "avg": _f("avg", "number", "number", "ignores them", read=True),
    "count": _f("count", "any", "NUMBER", "ignores them", read=True),
    "max": _f("max", "any", "the same", "ignores them", read=True),
    "min": _f("min", "any", "the same", "ignores them", read=True),
    "sum": _f("sum", "number", "number", "ignores them", read=True),
    # A NUMBER, says its page, whose examples are of DECIMALs; it does not speak of FLOATs.
    "var_pop": _f("var_pop", "number", "number", "ignores them", read=True),
    # 1 where the row is of a set that leaves the argument out, and 0 where it is grouped by.
    "grouping": _f("grouping", "any", "NUMBER", "takes them", read=True),
    # Their windows must have an order.
    "dense_rank": _ranking("dense_rank"),
    "row_number": _ranking("row_number"),
}

# As the reference writes them: https://docs.snowflake.com/en/sql-reference/functions-window-syntax
# (read). `range between current row and current row` is not among them; `range current row` is.
SNOWFLAKE_FRAMES = {
    "rows between unbounded preceding and current row",
    "rows between unbounded preceding and 1 preceding",
    "rows between 1 following and unbounded following",
    "range between unbounded preceding and current row",
    "range current row",
}
