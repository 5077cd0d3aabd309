"""``--history``: a run is appended to a table, and is shown whether or not that works."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairsql.errors import WarehouseError

if TYPE_CHECKING:
    from fairsql import Past, Run
    from fairsql.warehouses import Warehouse


def check(history: str | None, warehouse: Warehouse) -> None:
    """Complain of a history that cannot be kept, before anything runs."""
    if history:
        from fairsql.history import check_history

        check_history(history, warehouse)


def keep(
    history: str | None, run: Run, warehouse: Warehouse
) -> tuple[Sequence[Past], WarehouseError | None]:
    """Append a run to a history, and return the history and what went wrong.

    The results are shown all the same.
    """
    if not history:
        return (), None
    from fairsql.history import keep_history, read_history

    try:
        keep_history(run, history, warehouse)
        return read_history(history, warehouse), None
    except WarehouseError as error:
        return (), error
