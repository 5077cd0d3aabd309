"""The table of judgements: its columns, and how rows come into it once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from fairsql.compile import relation
from fairsql.compile.loader import macros_for
from fairsql.errors import ConfigurationError, RelationNotFoundError
from fairsql.history import Keeping, is_plain_name, storable_text
from fairsql.llm.journal import KEY_COLUMNS, key_of
from fairsql.llm.rows import is_there

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

COLUMNS: Mapping[str, str] = {
    "row_key": "text",
    "judge": "text",
    "prompt_version": "text",
    "model": "text",
    "provider": "text",
    "input_hash": "text",
    "score": "number",
    "label": "text",
    "reason": "text",
    "error": "text",
    "input_tokens": "integer",
    "output_tokens": "integer",
    "cost": "number",
    "seconds": "number",
    "judged_at": "text",
}
"""Column -> its kind, as :meth:`fairsql.history.Keeping.append` takes it."""

_KINDS = {"text": "text", "number": "float"}
_AT_A_TIME = 500


def keeping(warehouse: Warehouse, what: str = "judgements", advice: str = "judge in") -> Keeping:
    """Return a warehouse as one that a table can be kept in.

    Raises
    ------
    ConfigurationError
        When no table outlasts the run there.
    """
    if isinstance(warehouse, Keeping) and warehouse.keeps_tables:
        return warehouse
    raise ConfigurationError(
        f"{what}: no table outlasts the run here: this warehouse is {warehouse.dialect},"
        f" {warehouse.name}; {advice} a DuckDB file, such as duckdb:///answers.duckdb, or a server."
    )


def check_name(table: str, place: str, warehouse: Warehouse) -> None:
    """Complain of a table's name that is no plain one, which the server could not fold.

    Raises
    ------
    ConfigurationError
        When it is none.
    """
    if not is_plain_name(table, warehouse.dialect):
        raise ConfigurationError(
            f"{place}: must be a plain name such as schema.table, but is {table!r}."
        )


def check_table(table: str, place: str, warehouse: Warehouse) -> None:
    """Complain of a table that judgements could not be written to, before one is paid for.

    Raises
    ------
    ConfigurationError
        When its name is no plain one, or it is a table of something else.
    """
    check_name(table, place, warehouse)
    try:
        columns = warehouse.describe(relation(table, warehouse.dialect, place))
    except RelationNotFoundError:
        return
    kinds = {column.name.lower(): column.kind for column in columns}
    for name in (*KEY_COLUMNS, "score"):
        if name not in kinds:
            raise ConfigurationError(f"{place}: {table} has no column {name}; name another table.")
    for name, kind in COLUMNS.items():
        # A whole number would round a score: no other kind of column may hold one.
        if kind in _KINDS and kinds.get(name, _KINDS[kind]) != _KINDS[kind]:
            raise ConfigurationError(
                f"{place}: {table} has a column {name} of kind {kinds[name]}, which is to be"
                f" {_KINDS[kind]}; name another table."
            )


@runtime_checkable
class _Locking(Protocol):
    def locked(self, name: str, /) -> AbstractContextManager[bool]:
        """Hold a lock in a block, and tell whether it was free."""


@contextmanager
def filled_alone(table: str, warehouse: Warehouse) -> Iterator[None]:
    """Let nobody else fill a table in a block, where the warehouse has locks.

    Raises
    ------
    ConfigurationError
        When somebody does.
    """
    if not isinstance(warehouse, _Locking):
        yield
        return
    with warehouse.locked(f"fairsql fills {table}") as is_free:
        if not is_free:
            raise ConfigurationError(
                f"{table}: another fairsql is filling it in {warehouse.name}; let that one end."
            )
        yield


def not_there_yet(
    rows: Sequence[Mapping[str, Any]], table: str, warehouse: Warehouse
) -> list[Mapping[str, Any]]:
    """Return the rows that the table lacks: a run may have been killed just after it wrote them."""
    source = relation(table, warehouse.dialect, "judgements")
    if not rows or not is_there(source, warehouse):
        return list(rows)
    hashes = {str(row["input_hash"]) for row in rows}
    found = rows_with(hashes, "input_hash", (*KEY_COLUMNS, "judged_at"), source, warehouse)
    present = {(*key_of(row), str(row["judged_at"])) for row in found}
    return [row for row in rows if (*key_of(row), str(row["judged_at"])) not in present]


def rows_with(
    hashes: Iterable[str],
    column: str,
    names: Sequence[str],
    source: str,
    warehouse: Warehouse,
) -> Iterator[Mapping[str, Any]]:
    """Yield some columns of the rows whose column has one of the hashes, by a few at a time."""
    literal = macros_for(warehouse.dialect).call
    listed = [str(literal("literal", text)) for text in sorted(hashes)]
    for start in range(0, len(listed), _AT_A_TIME):
        part = ", ".join(listed[start : start + _AT_A_TIME])
        sql = f"select {', '.join(names)} from {source} where {column} in ({part})"
        yield from warehouse.run(sql).rows


def storable(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row without what no warehouse's text holds: half of a surrogate pair, or NUL."""
    return {name: storable_text(row.get(name)) for name in COLUMNS}
