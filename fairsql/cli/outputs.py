"""The files that a run is written to, each by an option of its name."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from fairsql.cli import streams
from fairsql.cli.apart import Reads, check_apart, given

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


@dataclass(frozen=True)
class Written:
    """What became of the files: whether stdout is taken, and what could not be written and why."""

    took_stdout: bool
    faults: Mapping[str, Exception]


def options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command an option for each format; their values are what :func:`opened` takes."""
    for name, (_, text) in reversed(list(_FORMATS.items())):
        command = click.option(
            f"--{name}", f"{name}_file", metavar="FILE", help=text, callback=given
        )(command)
    return command


def chosen(files: Mapping[str, str | None]) -> dict[str, str]:
    """Return the options that were given -> their files."""
    return {f"--{name.removesuffix('_file')}": file for name, file in files.items() if file}


@contextlib.contextmanager
def opened(
    files: Mapping[str, str | None], reads: Reads
) -> Iterator[Callable[[Run, Sequence[Past]], Written]]:
    """Open every file, and give a function that writes a run to all of them.

    Each appears when it is written, whole; when the block ends otherwise, none does. A format that
    fails leaves the others be, and what was in its own file. One format may be ``-``.

    Raises
    ------
    click.UsageError
        Before the block, when a file cannot be written, two formats have one file, or one is
        among those that are read.
    """
    places = chosen(files)
    check_apart(places, reads)
    with contextlib.ExitStack() as unwritten:
        blocks = {}
        for option, file in places.items():
            if file != "-":
                own = unwritten.enter_context(contextlib.ExitStack())
                blocks[option] = own, own.enter_context(streams.whole_file(Path(file)))

        def write(run: Run, history: Sequence[Past]) -> Written:
            faults: dict[str, Exception] = {}
            for option, file in places.items():
                text_of, _ = _FORMATS[option.removeprefix("--")]
                try:
                    if file == "-":
                        streams.write_utf8(text_of(run, history))
                    else:
                        own, opened_file = blocks[option]
                        with own:
                            opened_file.write(text_of(run, history))
                except Exception as error:  # noqa: BLE001 - told when the rest is written
                    faults[f"{option} {file} was not written"] = error
            return Written("-" in places.values(), faults)

        yield write
