"""What a command writes is none of what it reads, and no two things are written to one file."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from fairsql.files import open_file, same_file

_STDOUT = "-"

Reads = Mapping[str, Iterable[str]]
"""What is read, in words such as ``the suite`` -> its files; patterns and URLs are allowed."""


def given(_: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return an option's text; complain of an empty one, as a variable that is not set leaves."""
    if isinstance(value, str) and not value.strip():
        raise click.BadParameter("is empty; is a variable not set?", param=parameter)
    return value


def check_apart(writes: Mapping[str, str | None], reads: Reads) -> None:
    """Complain of a file that would be written twice, or in place of what is read.

    Files are told apart by what they are and not by their names: links lead to one file.

    Parameters
    ----------
    writes
        Option -> its file, ``-`` for stdout, or ``None``.
    reads
        What is read besides.

    Raises
    ------
    click.UsageError
        When two are one.
    """
    chosen = [(option, file) for option, file in writes.items() if file]
    for place, (option, file) in enumerate(chosen):
        for other, earlier in chosen[:place]:
            if _is_same(file, earlier):
                where = "stdout" if _is_stdout(file) else repr(file)
                raise click.UsageError(f"{other} and {option} cannot both write to {where}.")
        for what, names in reads.items():
            if not _is_stdout(file) and any(same_file(file, name) for name in _files(names)):
                raise click.UsageError(f"{option} cannot write to {file!r}, which is {what}.")


def _is_same(one: str, other: str) -> bool:
    if _is_stdout(one) or _is_stdout(other):
        return _is_stdout(one) and _is_stdout(other)
    return same_file(one, other)


def _is_stdout(file: str) -> bool:
    return file == _STDOUT or open_file(file) == 1


def _files(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name
        if "://" not in name:
            yield from glob.iglob(name, recursive=True)  # noqa: PTH207 - a pattern as DuckDB reads it
