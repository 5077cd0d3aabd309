"""``--history``: a run is appended to a table, and is shown whether or not that works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsql import Past, Run
    from fairsql.warehouses import Warehouse


def file_of(history: str | None) -> str | None:
    """Return the file of a history; ``None`` for a table in the warehouse, or for no history."""
    return None if history is None or history.startswith("warehouse:") else history


def files_of(warehouse: Warehouse) -> tuple[str, ...]:
    """Return the files of an open warehouse, which are DuckDB's."""
    from fairsql.history import warehouse_files

    return warehouse_files(warehouse)


def check(history: str | None, warehouse: Warehouse) -> None:
    """Complain of a history that cannot be kept, before anything runs."""
    if history:
        from fairsql.history import check_history

        check_history(history, warehouse)


def keep(
    history: str | None, run: Run, warehouse: Warehouse, *, is_shown: bool
) -> tuple[Sequence[Past], Mapping[str, Exception]]:
    """Append a run to a history, and return the history, and what was not done -> why.

    It is read back only where it ``is_shown``: it may be long, and in a warehouse. The results are
    shown all the same, whatever goes wrong here.
    """
    if not history:
        return (), {}
    from fairsql.history import keep_history, read_history

    doing = "was not kept"
    try:
        keep_history(run, history, warehouse)
        doing = "was kept, and not read back"
        return read_history(history, warehouse) if is_shown else (), {}
    except Exception as error:  # noqa: BLE001 - told when the results are
        return (), {f"--history {history} {doing}": error}
