"""The options by which commands find a warehouse."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

import fairsql

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _data_files(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    files: dict[str, str] = {}
    for value in values:
        name, _equals, file = value.partition("=")
        if not name.strip() or not file:
            meant = file or name or "loans.csv"
            example = f"{Path(meant).stem}={meant}" if Path(meant).suffix else "loans=loans.csv"
            raise click.BadParameter(f"must be NAME=FILE, such as {example}, but is {value!r}.")
        if name in files:
            raise click.BadParameter(f"names {name!r} twice.")
        files[name] = os.path.expanduser(file)  # noqa: PTH111 - may be a glob or a URL
    return files


def connection_options(command: _Command) -> _Command:
    """Give a command the options ``--connection`` and ``--data``."""
    url = click.option(
        "--connection",
        metavar="URL",
        help="The warehouse, such as duckdb:///loans.duckdb.  [default: duckdb:// with --data, else"
        " the environment's FAIRSQL_CONNECTION]",
    )
    data = click.option(
        "--data",
        multiple=True,
        metavar="NAME=FILE",
        callback=_data_files,
        help="A CSV, Parquet or JSON file to read as the table NAME; may be repeated.",
    )
    return url(data(command))


@contextlib.contextmanager
def connected(
    connection: str | None, data: Mapping[str, str], default: str | None = None
) -> Iterator[Warehouse]:
    """Open the warehouse that the options name, and close it afterwards.

    Raises
    ------
    click.UsageError
        When they name none, the environment neither, and there is no default.
    """
    url = _url(connection, data) or default
    if url is None:
        raise click.UsageError(
            "Which warehouse? Give --connection URL, such as duckdb:///loans.duckdb, or --data"
            " NAME=FILE, or set FAIRSQL_CONNECTION."
        )
    warehouse = fairsql.connect(url, data=data)
    try:
        yield warehouse
    finally:
        warehouse.close()


def _url(connection: str | None, data: Mapping[str, str]) -> str | None:
    if connection or data:
        return connection or "duckdb://"
    return os.environ.get("FAIRSQL_CONNECTION") or None
