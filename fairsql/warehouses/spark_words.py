"""What Spark and Databricks say alike: the names of types, how rows are appended, and errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from fairsql.errors import RelationNotFoundError, WarehouseError
from fairsql.warehouses.hints import nearest_relations

_KINDS = {
    "tinyint": "integer",
    "smallint": "integer",
    "int": "integer",
    "bigint": "integer",
    "float": "float",
    "double": "float",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamptz",
    "timestamp_ntz": "timestamp",
    "void": "integer",  # a column of nulls: any kind will do
}
_TYPES = {"text": "string", "integer": "bigint", "number": "double", "boolean": "boolean"}
_FAMILY = re.compile("(decimal|string|char|varchar)\\b")
# SQLSTATEs of what is not there, or may not be read: privileges, columns, schemas, tables, files.
# See https://spark.apache.org/docs/latest/sql-error-conditions.html.
_NO_COLUMN = "42703"
_NOT_FOUND = ("42501", _NO_COLUMN, "42704", "42P01", "42K03")
_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)?)\] ")
_STATE = re.compile(r"\s*SQLSTATE: (\w{5}).*")
_PLACE = re.compile(r"[;,]? *\(?line \d+, pos \d+\)?.*|; line \d+ pos \d+;?")
_ADVICE = re.compile(r"(?<=\.) (?:Correct the value|If necessary|Use `try_|Verify the spell).*")
_CLASS = re.compile(r"^(?:[a-z]\w*\.)+[A-Z][\w$]*: ")
_VALUE = re.compile(r"(?<=: ).*|'.*'|\[.*\]|(?<![\w.])-?\d[\w.+-]*")


def kind_of(type_name: str) -> str:
    """Return the kind of a column of a type, as :class:`fairsql.warehouses.Column` has it.

    >>> kind_of("decimal(10,0)"), kind_of("bigint"), kind_of("timestamp"), kind_of("array<int>")
    ('decimal', 'integer', 'timestamptz', 'other')
    """
    if family := _FAMILY.match(type_name):
        return "decimal" if family[1] == "decimal" else "text"
    return _KINDS.get(type_name, "other")


def creating(table: str, columns: Mapping[str, str]) -> str:
    """Return the statement that makes a table if it is not there.

    >>> creating("audits.fairness", {"rows": "integer"})
    'create table if not exists audits.fairness (`rows` bigint)'
    """
    defined = ", ".join(f"`{name}` {_TYPES[kind]}" for name, kind in columns.items())
    return f"create table if not exists {table} ({defined})"


def appending(table: str, columns: Mapping[str, str]) -> str:
    """Return the statement that appends the rows of a JSON array, its parameter ``rows``.

    One statement is one job, and as its rows are one text, one task writes one file.

    >>> appending("audits.fairness", {"rows": "integer"}).splitlines()[0]
    'insert into audits.fairness (`rows`)'
    """
    names = ", ".join(f"`{name}`" for name in columns)
    fields = ", ".join(f"{name}: {_TYPES[kind]}" for name, kind in columns.items())
    return (
        f"insert into {table} ({names})\nselect inline(from_json(:rows, 'array<struct<{fields}>>'))"
    )


def state_of(text: str) -> str:
    """Return the SQLSTATE that an error's text ends with, or nothing."""
    found = _STATE.search(text)
    return found[1] if found else ""


def sentence(text: str) -> str:
    r"""Return the first line of an error's text from where Spark's condition is named.

    >>> sentence("\n[A_B.C] No `x` here. SQLSTATE: 42703; line 1 pos 7;\n'Project ['x]")
    'No `x` here.'
    >>> sentence("[A_B] Division by zero. Use `try_divide` instead. SQLSTATE: 22012\n== SQL ==")
    'Division by zero.'
    >>> sentence("o1.sql\n: java.lang.Error: Task 1: java.lang.Error: [A_B] Of 0\n\tat x.y")
    'Of 0.'
    >>> sentence("org.apache.spark.SparkException: Stopped")
    'Stopped.'
    """
    from_condition = _CONDITION.split(text, maxsplit=1)[-1].partition("\n: ")
    line = (from_condition[2] or from_condition[0]).strip().partition("\n")[0]
    for pattern in (_STATE, _PLACE, _CLASS, _ADVICE):
        line = pattern.sub("", line)
    return f"{' '.join(line.split()).rstrip('.:') or 'no message'}."


def said(error: BaseException) -> str:
    """Return the sentence of an exception; of the system's own, what the system calls it."""
    return sentence(getattr(error, "strerror", None) or str(error))


def unreadable(
    relation_sql: str, error: BaseException, state: str, relations: Callable[[], Iterable[str]]
) -> WarehouseError:
    """Return what to raise when a relation cannot be described, with the nearest names."""
    told = f"cannot read {relation_sql}: {said(error)}"
    if state not in _NOT_FOUND:
        return WarehouseError(told)
    if state == _NO_COLUMN:
        return RelationNotFoundError(told)
    try:
        return RelationNotFoundError(
            told + nearest_relations(relation_sql.replace("`", '"'), relations())
        )
    except WarehouseError:
        return RelationNotFoundError(told)


def without_data(text: str, state: str, sql: str) -> str:
    """Return an error's sentence without the values of rows: none the statement did not hold.

    Errors of class 42 and 0A are about the statement alone.

    >>> value = "[CAST_INVALID_INPUT] The value 'high' of the type STRING is malformed."
    >>> without_data(value, "22018", "select x = 'high'")
    "The value 'high' of the type STRING is malformed."
    >>> without_data(value, "22018", "select x = 1")
    'The value … of the type STRING is malformed.'
    """
    line = sentence(text)
    if state[:2] in ("42", "0A"):
        return line
    if (found := _CONDITION.search(text)) and found[1] == "USER_RAISED_EXCEPTION":
        return line if line.rstrip(".") in sql else "USER_RAISED_EXCEPTION: …."
    return _VALUE.sub(lambda value: value[0] if value[0].strip("'. ") in sql else "…", line)
