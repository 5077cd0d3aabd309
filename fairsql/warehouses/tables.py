"""Rows that are appended to a table, in one transaction: all of them, or none."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import sleep
from typing import Any, TypeVar

import duckdb
import tenacity

from fairsql.errors import WarehouseError
from fairsql.warehouses.columns import lacking

Rows = Sequence[Mapping[str, Any]]
Columns = Mapping[str, str]
"""Column -> its kind: text, integer, number or boolean."""

PATIENCE = 60.0
"""Seconds that a process waits for another that holds a DuckDB file."""

_DUCKDB_TYPES = {"text": "varchar", "integer": "bigint", "number": "double", "boolean": "boolean"}
_Result = TypeVar("_Result")


def append_in_duckdb(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Columns, rows: Rows
) -> None:
    """Append rows to a table of a connection that is in no transaction; make it if it is not there.

    Columns that the table lacks are added.

    Raises
    ------
    duckdb.Error
        When DuckDB says no; nothing has been appended then.
    WarehouseError
        When it is no table of fairsql's.
    """
    defined = ", ".join(f'"{name}" {_DUCKDB_TYPES[kind]}' for name, kind in columns.items())
    values = ", ".join(
        f"unnest(${place}::{_DUCKDB_TYPES[kind]}[])"
        for place, kind in enumerate(columns.values(), 1)
    )
    names = [f'"{name}"' for name in columns]
    connection.execute("begin")
    try:
        connection.execute(f"create table if not exists {table} ({defined})")
        present = connection.execute(f"select * from {table} limit 0").description or ()
        for name in lacking(table, [name for name, *_ in present], columns):
            kind = _DUCKDB_TYPES[columns[name]]
            connection.execute(f'alter table {table} add column if not exists "{name}" {kind}')
        connection.execute(
            f"insert into {table} ({', '.join(names)}) select {values}",
            [[row[name] for row in rows] for name in columns],
        )
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def append_to_file(path: Path, table: str, columns: Columns, rows: Rows) -> None:
    """Append rows to a table of a DuckDB file, which is made if it is not there.

    DuckDB lets one process at a time write to a file; others wait for it, up to a minute. Threads
    of one process may be in each other's way, and then begin again.

    Raises
    ------
    WarehouseError
        When the file cannot be written.
    """
    if not path.exists():
        _create(path, table, columns)

    def append(connection: duckdb.DuckDBPyConnection) -> None:
        append_in_duckdb(connection, table, columns, rows)

    _with_file(path, append, read_only=False)


def read_from_file(path: Path, sql: str) -> list[dict[str, Any]]:
    """Return the rows of a query on a DuckDB file.

    Raises
    ------
    WarehouseError
        When it cannot be read.
    """

    def read(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
        found = connection.execute(sql)
        names = [name for name, *_ in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    return _with_file(path, read, read_only=True)


def _with_file(
    path: Path, work: Callable[[duckdb.DuckDBPyConnection], _Result], *, read_only: bool
) -> _Result:
    attempts = tenacity.Retrying(
        retry=tenacity.retry_if_exception(_may_work_later),
        wait=tenacity.wait_random_exponential(multiplier=0.05, max=1),
        stop=tenacity.stop_after_delay(PATIENCE),
        sleep=sleep,
        reraise=True,
    )

    def attempt() -> _Result:
        with duckdb.connect(str(path), read_only=read_only) as connection:
            result = work(connection)
            if not read_only:
                # Whoever opens the file next finds nothing left to be replayed. Where another
                # thread writes, the log is replayed then, as ever.
                with contextlib.suppress(duckdb.Error):
                    connection.execute("checkpoint")
            return result

    try:
        return attempts(attempt)
    except duckdb.ConnectionException:
        raise WarehouseError(
            f"{str(path)!r} is open in this process, and cannot be opened once more to"
            f" {'read' if read_only else 'write'}."
        ) from None
    except duckdb.Error as error:
        verb = "read" if read_only else "write to"
        raise WarehouseError(f"cannot {verb} {str(path)!r}: {_line(error)}") from None


def create_file(path: Path) -> None:
    """Make an empty DuckDB file, unless there is one.

    Raises
    ------
    WarehouseError
        When it cannot be written.
    """
    if not path.exists():
        _create(path)


def _create(path: Path, table: str | None = None, columns: Columns | None = None) -> None:
    """Put a database there in one step; half of one, after a kill, would be refused."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with duckdb.connect(str(beside)) as connection:
            if table is not None and columns is not None:
                append_in_duckdb(connection, table, columns, [])
        try:
            os.link(beside, path)
        except FileExistsError:
            pass  # another process was first
        except OSError:  # a file system without links
            beside.rename(path)
    except (duckdb.Error, OSError) as error:
        raise WarehouseError(f"cannot write to {str(path)!r}: {_line(error)}") from None
    finally:
        beside.unlink(missing_ok=True)


def _may_work_later(error: BaseException) -> bool:
    """Return whether another process has the file, or another thread was in the way."""
    if isinstance(error, duckdb.TransactionException):
        return True
    # Linux' and macOS' words, and Windows'.
    return isinstance(error, duckdb.IOException) and any(
        words in str(error) for words in ("set lock on file", "used by another process")
    )


def _line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") + "."
