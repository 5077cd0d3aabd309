"""Where the command line writes: results to stdout, progress to stderr, files in one piece."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from fairsql import files

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_WIDTH_OF_A_FILE = 120  # columns, where no terminal says how many
_PATIENCE = 1.0  # seconds of work before progress is worth showing


def be_lenient() -> None:
    """Let stdout and stderr escape what their encoding lacks; a group's name may be anything."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Write to stdout. A reader that has gone away, as ``head`` does, is no fault of ours."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered must not fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(text: str) -> None:
    """Write JSON to stdout: UTF-8 wherever a program may read it."""
    write_utf8(text + "\n")


def write_utf8(text: str) -> None:
    """Write what programs read to stdout: UTF-8, unless stdout is a terminal."""
    if not sys.stdout.isatty() and isinstance(sys.stdout, io.TextIOWrapper):
        # A lone surrogate, as in a file's name that is not UTF-8, becomes JSON's own escape.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    write(text)


def console(stream: TextIO) -> Console:
    """Return a rich console for a stream, plain where colour is not wanted or not shown."""
    from rich.console import Console, detect_legacy_windows

    plain = bool(os.environ.get("NO_COLOR")) or detect_legacy_windows()
    columns = os.environ.get("COLUMNS", "")
    return Console(
        file=stream,
        color_system=None if plain else "auto",
        width=None if stream.isatty() or columns.isdigit() else _WIDTH_OF_A_FILE,
        emoji=False,
        markup=False,
        highlight=False,
    )


def write_rich(part: RenderableType) -> None:
    """Write something of rich's to stdout, without blanks at the ends of lines."""
    ours = console(sys.stdout)
    with ours.capture() as capture:
        ours.print(part)
    write("".join(line.rstrip() + "\n" for line in capture.get().rstrip("\n").split("\n")))


@contextlib.contextmanager
def progress(
    ours: Console | None = None, what: str = "scan"
) -> Iterator[Callable[[int, int], None] | None]:
    """Give a callback for (scans done, scans in all), shown on stderr when the work takes long.

    ``what`` is counted, in place of scans.

    Nothing is shown, and ``None`` given, where stderr is not a terminal. What is printed on the
    same console meanwhile stands above the bar.
    """
    if not sys.stderr.isatty() or not (ours := ours or console(sys.stderr)).is_interactive:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(20), TimeElapsedColumn())
    bar = Progress(*columns, console=ours, transient=True)
    task = bar.add_task("planning", total=None)

    def advance(done: int, total: int) -> None:
        running = f"{what} {min(done + 1, total)} of {total}"
        bar.update(task, description=running, completed=done, total=total)

    start = threading.Timer(_PATIENCE, bar.start)
    start.daemon = True
    start.start()
    try:
        yield advance
    finally:
        start.cancel()
        start.join()
        if bar.live.is_started:
            bar.stop()


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Open a file that appears, or is replaced, only when all of it is written.

    Raises
    ------
    click.UsageError
        When it cannot be written, before anything else is done.
    """
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(files.whole_file(path))
        except OSError as error:
            raise click.UsageError(f"cannot write {str(path)!r}: {error.strerror}.") from None
        yield file
