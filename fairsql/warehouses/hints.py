"""What a message offers when a name is not found."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_SHOWN = 10


def nearest_relations(relation_sql: str, names: Iterable[str]) -> str:
    """Return a sentence with the names nearest to a relation, or with some that there are.

    >>> nearest_relations('"laons"', ["calls", "loans"])
    ' Nearest: loans.'
    >>> nearest_relations("people", ["calls", "loans"])
    ' There are: calls, loans.'
    """
    known = {name.casefold(): name for name in names}
    wanted = relation_sql.replace('"', "").casefold()
    near = [known[name] for name in difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)]
    if near:
        return f" Nearest: {', '.join(near)}."
    some = ", ".join(sorted(known.values())[:_SHOWN])
    return f" There are: {some}." if known else " There are no tables."
