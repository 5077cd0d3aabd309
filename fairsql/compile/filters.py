"""From a test's filters to one SQL predicate: macros render it, sqlglot reads it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from fairsql.compile.loader import macros_for
from fairsql.errors import CompilationError

if TYPE_CHECKING:
    from fairsql.config.filters import Filter
    from fairsql.plan import Attribute


def filtered(
    where: str | None, filters: Sequence[Filter], columns: Mapping[str, Attribute], dialect: str
) -> str | None:
    """Return the predicate that a test's ``where`` and its filters make together.

    Parameters
    ----------
    where
        A checked predicate, or ``None``.
    filters
        Conditions on columns; rows must meet them all.
    columns
        Column as the filters name it -> its own name and kind.
    dialect
        The SQL to write.

    Raises
    ------
    CompilationError
        When sqlglot cannot read the filters' SQL, or finds it reading other columns than they name.
    """
    if not filters:
        return where
    terms = [
        {
            "column": columns[one.column].column,
            "kind": columns[one.column].kind,
            "operator": one.operator,
            "texts": list(one.texts),
            "number": one.number,
            "moment": one.moment,
        }
        for one in filters
    ]
    sql = str(macros_for(dialect).call("filters", terms))
    _check(sql, dialect, {str(term["column"]) for term in terms})
    return f"({where})\n        and {sql}" if where else sql


def _check(sql: str, dialect: str, columns: set[str]) -> None:
    try:
        statement = sqlglot.parse_one(f"select 1 from source where {sql}", dialect=dialect)
    except (SqlglotError, RecursionError) as error:
        raise CompilationError(f"the filters' SQL does not parse: {error}") from error
    read = {
        ".".join(part.name for part in column.parts) for column in statement.find_all(exp.Column)
    }
    is_plain = isinstance(statement, exp.Select) and not statement.find(exp.Subquery, exp.Union)
    # A value that no column of its kind can hold leaves a constant behind, and no column.
    if not is_plain or not read <= columns:
        raise CompilationError(
            f"the filters' SQL reads the columns {sorted(read)}, not {sorted(columns)}"
        )
