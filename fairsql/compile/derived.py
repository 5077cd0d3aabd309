"""Relations that macros make of the user's: with judgements beside rows, or of pairs of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsql.compile import one_select
from fairsql.compile.loader import macros_for


def derived(relation: str, macro: str, arguments: Sequence[Any], dialect: str) -> str:
    """Return the relation that a macro makes of another, for a FROM clause.

    Parameters
    ----------
    relation
        A relation as SQL for a FROM clause.
    macro, arguments
        The macro's name, and what it takes after the relation.

    Raises
    ------
    CompilationError
        When what was rendered is not one SELECT.
    """
    sql = str(macros_for(dialect).call(macro, relation, *arguments))
    one_select(sql, dialect)
    return f"(\n{sql}\n) as relation"
