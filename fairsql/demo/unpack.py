"""The demo's files, unpacked where a user can look at them, and a DuckDB file of the data."""

from __future__ import annotations

import json
import os
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from fairsql.errors import ConfigurationError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

SUITE = "suite.yml"
DATABASE = "demo.duckdb"
RESULTS = "results.json"
REPORT = "report.html"

_TABLES = ("adult", "compas")
_COPIED = ("README.md", SUITE, *(f"{table}.csv" for table in _TABLES))


def unpack(folder: Path, *, force: bool = False) -> None:
    """Write data, suite and database into a folder, which is made if it does not exist.

    Parameters
    ----------
    folder
        Where to write.
    force
        True overwrites files that hold something else.

    Raises
    ------
    ConfigurationError
        When a file of that name holds something else, or the folder cannot be written. Nothing has
        been overwritten then.
    """
    packaged = {name: _packaged(name) for name in _COPIED}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        differing = [] if force else list(_differing(folder, packaged))
        if differing:
            raise ConfigurationError(
                f"{folder} holds {', '.join(differing)}, but not as the demo writes it:"
                " choose another folder, or overwrite with --force."
            )
        for name, content in packaged.items():
            if not _holds(folder / name, content):
                (folder / name).write_bytes(content)
        if force or not (folder / DATABASE).exists():
            _write_database(folder / DATABASE)
    except OSError as error:
        place = error.filename or folder
        raise ConfigurationError(f"cannot write {str(place)!r}: {error.strerror}.") from None


def _packaged(name: str) -> bytes:
    return resources.files("fairsql.demo").joinpath(name).read_bytes()


def _differing(folder: Path, packaged: dict[str, bytes]) -> list[str]:
    differing = [
        name
        for name, content in packaged.items()
        if (folder / name).exists() and not _holds(folder / name, content)
    ]
    if (folder / DATABASE).exists() and not _holds_tables(folder / DATABASE):
        differing.append(DATABASE)
    if (folder / RESULTS).exists() and not _is_results(folder / RESULTS):
        differing.append(RESULTS)
    if (folder / REPORT).exists() and not _is_report(folder / REPORT):
        differing.append(REPORT)
    return differing


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _is_results(path: Path) -> bool:
    try:
        return "fairsql_version" in json.loads(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return False


def _is_report(path: Path) -> bool:
    try:
        return b'<meta name="generator" content="fairsql ' in path.read_bytes()
    except OSError:
        return False


def _holds_tables(database: Path) -> bool:
    """Return whether the database holds the packaged data and nothing else."""
    try:
        with duckdb.connect(str(database), read_only=True) as connection:
            names = connection.execute("select table_name from duckdb_tables() order by 1")
            return [name for (name,) in names.fetchall()] == sorted(_TABLES) and all(
                _holds_table(connection, table) for table in _TABLES
            )
    except duckdb.Error:
        return False


def _holds_table(connection: duckdb.DuckDBPyConnection, table: str) -> bool:
    with _packaged_file(table) as file:
        differing = connection.execute(
            f"select count(*) from ((from {table} except all from read_csv($1))"
            f" union all (from read_csv($1) except all from {table}))",
            [str(file)],
        )
        return differing.fetchall() == [(0,)]


def _write_database(database: Path) -> None:
    beside = database.with_name(f".{database.name}.{os.getpid()}")
    try:
        with duckdb.connect(str(beside)) as connection:
            for table in _TABLES:
                with _packaged_file(table) as file:
                    connection.execute(f"create table {table} as from read_csv($1)", [str(file)])
        beside.replace(database)
    except duckdb.Error as error:
        raise ConfigurationError(f"cannot write {str(database)!r}: {error}") from None
    finally:
        beside.unlink(missing_ok=True)


def _packaged_file(table: str) -> AbstractContextManager[Path]:
    return resources.as_file(resources.files("fairsql.demo").joinpath(f"{table}.csv"))
