"""The files that a run is written to, each by an option of its name."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from fairsql.cli import streams

if TYPE_CHECKING:
    from fairsql import Past, Run


_Result = TypeVar("_Result")


def _html(run: Run, history: Sequence[Past]) -> str:
    from fairsql.report import render_html

    return render_html(run, history)


# Option -> what it writes of a run and its history, and how it is told of in the help.
_FORMATS: Mapping[str, tuple[Callable[[Run, Sequence[Past]], str], str]] = {
    "json": (
        lambda run, _: run.to_json() + "\n",
        "Write results with every number; - is stdout.",
    ),
    "html": (_html, "Write a report for browsers; - likewise."),
    "markdown": (
        lambda run, _: run.to_markdown(),
        "Write a comment for a pull request; - likewise.",
    ),
    "junit": (lambda run, _: run.to_junit(), "Write JUnit XML for a CI server; - likewise."),
    "csv": (lambda run, _: run.to_csv(), "Write a row for each test and group; - likewise."),
}


def options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command an option for each format; their values are what :func:`opened` takes."""
    for name, (_, text) in reversed(list(_FORMATS.items())):
        command = click.option(f"--{name}", f"{name}_file", metavar="FILE", help=text)(command)
    return command


@contextlib.contextmanager
def opened(files: Mapping[str, str | None]) -> Iterator[Callable[[Run, Sequence[Past]], bool]]:
    """Open every file, and give a function that writes a run to all of them.

    They appear when the block ends, and only if it ends well. The function says whether stdout is
    taken: one format may be ``-``.

    Raises
    ------
    click.UsageError
        Before the block, when a file cannot be written, or two formats have one file.
    """
    chosen = {name.removesuffix("_file"): file for name, file in files.items() if file}
    _check_apart(chosen)
    with contextlib.ExitStack() as stack:
        opened = {
            name: stack.enter_context(streams.whole_file(Path(file)))
            for name, file in chosen.items()
            if file != "-"
        }

        def write(run: Run, history: Sequence[Past]) -> bool:
            for name, file in opened.items():
                file.write(_FORMATS[name][0](run, history))
            for name in set(chosen) - set(opened):
                streams.write_utf8(_FORMATS[name][0](run, history))
            return "-" in chosen.values()

        yield write


def _check_apart(chosen: Mapping[str, str]) -> None:
    places: dict[str, str] = {}
    for name, file in chosen.items():
        place = file if file == "-" else os.path.realpath(file)
        if other := places.get(place):
            where = "stdout" if file == "-" else repr(file)
            raise click.UsageError(f"--{other} and --{name} cannot both write to {where}.")
        places[place] = name
