"""The options by which commands find a warehouse, and say what a statement may cost there."""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

import fairsql
from fairsql.cli.apart import given

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

_Result = TypeVar("_Result")
_Number = TypeVar("_Number", int | None, float | None)

_PROFILE_OPTIONS = {
    "profiles_dir": ("DIR", "Where dbt's profiles.yml is.  [default: as dbt finds it]"),
    "profile": ("NAME", "A profile of dbt's.  [default: that of the dbt project]"),
    "target": ("NAME", "A target of the profile.  [default: the profile's own]"),
}


def above_zero(_: click.Context, __: click.Parameter, value: _Number) -> _Number:
    """Return an option's number; complain of one that limits nothing, such as 0, -1 or nan."""
    if value is not None and not 0 < value < math.inf:
        raise click.BadParameter(f"must be a number above 0, but is {value:g}.")
    return value


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


@dataclass(frozen=True)
class Connection:
    """What the options say of a warehouse: a URL and files, or a profile of dbt's; and limits."""

    url: str | None = None
    data: Mapping[str, str] = field(default_factory=dict)
    profile: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    maximum_bytes_billed: int | None = None
    look_first: bool = True


def connection_options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the options that name a warehouse, as its argument ``connection``."""

    @functools.wraps(command)
    def connecting(
        *,
        url: str | None,
        data: Mapping[str, str],
        timeout: float | None,
        maximum_bytes_billed: int | None,
        look_first: bool,
        **others: Any,
    ) -> _Result:
        named = {name: others.pop(name) for name in _PROFILE_OPTIONS}
        profile = {name: value for name, value in named.items() if value}
        connection = Connection(url, data, profile, timeout, maximum_bytes_billed, look_first)
        return command(connection=connection, **others)

    url = click.option(
        "--connection",
        "url",
        metavar="URL",
        callback=given,
        help="The warehouse, such as duckdb:///loans.duckdb or postgresql://user@host/database."
        "  [default: duckdb:// with --data, else the environment's FAIRSQL_CONNECTION]",
    )
    data = click.option(
        "--data",
        multiple=True,
        metavar="NAME=FILE",
        callback=_data_files,
        help="A CSV, Parquet or JSON file to read as the table NAME; may be repeated.",
    )
    return url(data(profile_options(limit_options(connecting))))


def profile_options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the options by which dbt finds a warehouse."""
    for name, (metavar, text) in reversed(_PROFILE_OPTIONS.items()):
        option = f"--{name.replace('_', '-')}"
        command = click.option(option, metavar=metavar, callback=given, help=text)(command)
    return command


def limit_options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the options that limit what a statement may cost."""
    seconds = click.option(
        "--timeout",
        type=float,
        callback=above_zero,
        metavar="SECONDS",
        help="Cancel a statement that takes longer.",
    )
    bytes_billed = click.option(
        "--maximum-bytes-billed",
        type=int,
        callback=above_zero,
        metavar="N",
        help="BigQuery: refuse, at no cost, a statement that would be billed for more bytes.",
    )
    no_look = click.option(
        "--no-look",
        "look_first",
        is_flag=True,
        flag_value=False,
        default=True,
        help="No look at the first rows before a scan, which finds attributes of too many values.",
    )
    return seconds(bytes_billed(no_look(command)))


def backfill_option(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the option that runs tests for many windows."""
    return click.option(
        "--backfill",
        metavar="FROM..TO",
        callback=given,
        help="Run each test that has an evaluation_window for every such window from FROM until TO,"
        " such as 2026-01-01..2026-07-01, in one scan.",
    )(command)


def as_of_option(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the option that says from when evaluation windows look back."""
    return click.option(
        "--as-of",
        metavar="TIME",
        callback=given,
        help="The time from which an evaluation_window looks back, such as 2026-11-30T06:00, in UTC"
        " unless it has a zone.  [default: now]",
    )(command)


@contextlib.contextmanager
def opened(connect: Callable[[], Warehouse]) -> Iterator[Warehouse]:
    """Connect when the block begins, and end the connection with it."""
    warehouse = connect()
    try:
        yield warehouse
    finally:
        warehouse.close()


def connected(
    connection: Connection, default: str | None = None
) -> contextlib.AbstractContextManager[Warehouse]:
    """Return a block in which the warehouse that the options name is open.

    Raises
    ------
    click.UsageError
        In the block, when they name none, the environment neither, and there is no default; or
        when they name two.
    """
    return opened(lambda: _connect(connection, default))


def _connect(connection: Connection, default: str | None) -> Warehouse:
    if connection.profile:
        if connection.url or connection.data:
            raise click.UsageError("A dbt profile goes with neither --connection nor --data.")
        from fairsql.dbt import Limits, open_target

        limits = Limits(connection.timeout, connection.maximum_bytes_billed, connection.look_first)
        return open_target(**connection.profile, limits=limits)
    url = connection.url or ("duckdb://" if connection.data else _environment()) or default
    if url is None:
        raise click.UsageError(
            "Which warehouse? Give --connection URL, such as duckdb:///loans.duckdb, or --data"
            " NAME=FILE, or a dbt --profile, or set FAIRSQL_CONNECTION."
        )
    return fairsql.connect(
        url,
        data=connection.data,
        timeout=connection.timeout,
        maximum_bytes_billed=connection.maximum_bytes_billed,
        look_first=connection.look_first,
    )


def _environment() -> str | None:
    return os.environ.get("FAIRSQL_CONNECTION") or None
