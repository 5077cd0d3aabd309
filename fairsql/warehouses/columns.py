"""The columns of a table that an earlier fairsql has made."""

from __future__ import annotations

from collections.abc import Iterable

from fairsql.errors import WarehouseError

ALWAYS = ("run_id", "started_at", "test", "status")
"""Columns that every fairsql has given a history: a table that lacks one is somebody else's."""


def lacking(table: str, present: Iterable[str], columns: Iterable[str]) -> list[str]:
    """Return the columns that an earlier fairsql has not given a table.

    Raises
    ------
    WarehouseError
        When it is no table of fairsql's.
    """
    known = {name.casefold() for name in present}
    absent = [name for name in columns if name not in known]
    if foreign := [name for name in absent if name in ALWAYS]:
        raise WarehouseError(
            f"{table} has no column {foreign[0]!r}, so is no history of fairsql's."
        )
    return absent
