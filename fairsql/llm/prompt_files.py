"""The files that prompts come from, and the DuckDB file that answers may go into."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairsql.errors import ConfigurationError
from fairsql.llm.answers import ANSWER_COLUMNS
from fairsql.warehouses.row_files import read_rows
from fairsql.warehouses.tables import create_file

_REQUIRED = ("prompt_id", "prompt")
_FILE = "duckdb:///"


def read_prompts(path: Path) -> list[dict[str, str | None]]:
    """Return the prompts of a file, each with an id of its own.

    Raises
    ------
    ConfigurationError
        When the file cannot be read or lacks a column, or a row lacks a prompt or has another's id.
    """
    rows = read_rows(path, _REQUIRED)
    _check_columns(path, {name: None for row in rows for name in row})
    ids: set[str] = set()
    for place, row in enumerate(rows, 1):
        for name in _REQUIRED:
            if not (row.get(name) or "").strip():
                raise ConfigurationError(f"{path}, row {place}: {name} is empty.")
        prompt_id = str(row["prompt_id"])
        if prompt_id in ids:
            raise ConfigurationError(
                f"{path}, row {place}: prompt_id {prompt_id!r} is there twice."
            )
        ids.add(prompt_id)
    return rows


def _check_columns(path: Path, names: Iterable[str]) -> None:
    """Complain of columns that a table of answers cannot have: it knows no capitals apart."""
    seen: dict[str, str] = {}
    for name in names:
        folded = name.casefold()
        if folded in ANSWER_COLUMNS:
            raise ConfigurationError(f"{path} has a column {name!r}, which answers are to have.")
        if folded in seen:
            raise ConfigurationError(
                f"{path} has columns {seen[folded]!r} and {name!r}, which are one in a table."
            )
        if not name.strip() or not name.isprintable() or any(mark in name for mark in '"`'):
            raise ConfigurationError(
                f"{path} has a column {name!r}; a column's name is a text without quotes."
            )
        seen[folded] = name


def make_file(url: str | None) -> None:
    """Make the DuckDB file of a URL where it is not there yet; other URLs are let be.

    Raises
    ------
    WarehouseError
        When it cannot be written.
    """
    if (path := _file_of(url)) is not None:
        create_file(path)


def lacks_file(url: str | None) -> bool:
    """Return whether the URL names a DuckDB file that is not there and could be made."""
    path = _file_of(url)
    return path is not None and not path.exists()


def _file_of(url: str | None) -> Path | None:
    name = (url or "").removeprefix(_FILE)
    path = Path(name)
    if url and url.startswith(_FILE) and name not in ("", ":memory:") and path.parent.is_dir():
        return path
    return None
