"""What is seen of a run while it goes on: a line for each verdict, and a bar when it takes long."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fairsql.cli import streams

if TYPE_CHECKING:
    from fairsql import TestResult

_OnStatement = Callable[[int, int], None] | None
_OnResult = Callable[["TestResult"], None] | None


@contextlib.contextmanager
def watching() -> Iterator[tuple[_OnStatement, _OnResult]]:
    """Give the callbacks of a suite's run, which write to stderr.

    A verdict has its line on a terminal, and in the log of a CI server (``CI`` in the environment);
    nothing is written into a pipe or a file otherwise.
    """
    if not sys.stderr.isatty() and not _is_ci():
        yield None, None
        return
    from fairsql.report import marks_for, spelt_test, verdict_line

    ours = streams.console(sys.stderr)
    marks = marks_for(sys.stderr.encoding)
    lines = 0

    def show(test: TestResult) -> None:
        nonlocal lines
        lines += 1
        told = spelt_test(test, sys.stderr.encoding)
        ours.print(verdict_line(told, width=ours.width, marks=marks), soft_wrap=True)

    with streams.progress(ours) as on_statement:
        yield on_statement, show
    if lines:
        ours.print()


def _is_ci() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")
