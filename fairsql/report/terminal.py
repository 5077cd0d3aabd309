"""A run as a terminal shows it: one row a test, then the groups and notes that explain it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fairsql.report.evidence import breaking_groups
from fairsql.report.groups import listing_table
from fairsql.report.kinds import limits_metrics
from fairsql.report.listings import listings
from fairsql.report.marks import UNICODE, Marks
from fairsql.report.words import (
    asked,
    counted,
    headline,
    sentence,
    shortened,
    shown,
    size,
    told_apart,
)
from fairsql.results import outcome

if TYPE_CHECKING:
    from fairsql.results import Outcome, Run, TestResult

MAX_GROUPS = 10
"""Groups of a failed test that are listed unless all are asked for."""

_STYLES: Mapping[Outcome, str] = {
    "passed": "green",
    "failed": "red",
    "illustrative": "yellow",
    "skipped": "yellow",
    "error": "magenta",
}
_STACKED_BELOW = 110  # columns; name and result side by side need more
_LONGEST_NAME = 60
_STATUS = 11  # columns that the status takes, and the space after it
_READABLE = 100  # columns; longer lines of prose tire the eye
_NAMED_WITH_A_NOTE = 2
_INDENT = 2


def run_table(
    run: Run,
    *,
    width: int,
    marks: Marks = UNICODE,
    verbose: bool = False,
    elapsed_seconds: float | None = None,
) -> RenderableType:
    """Return what a terminal shows of a run.

    Parameters
    ----------
    run
        The results.
    width
        Columns of the terminal; nothing is wider.
    marks
        The signs it can show.
    verbose
        True lists every group of every test with its interval, and not the broken ones alone.
    elapsed_seconds
        How long the run took, if that is to be shown.
    """
    page = _Page(width, marks)
    parts = [page.tests(run.tests)]
    parts += [part for test in run.tests for part in page.groups(test, verbose=verbose)]
    parts += page.notes(run.tests)
    return Group(*parts, Text(), page.summary(run, elapsed_seconds))


def verdict_line(test: TestResult, *, width: int, marks: Marks = UNICODE) -> Text:
    """Return the one line that says, while a run goes on, how a test went.

    It has the status, the name and how long the statement took, and is no wider than ``width``.
    """
    word = marks.statuses[outcome(test)]
    status = Text(f"{word:{_STATUS - _INDENT}}{' ' * _INDENT}", _STYLES[outcome(test)])
    took = Text(f"  {test.elapsed_seconds:.1f} s" if test.elapsed_seconds else "", "dim")
    room = max(width - status.cell_len - took.cell_len, 1)
    line = status + shortened(shown(test.name), min(room, _LONGEST_NAME), marks.ellipsis) + took
    line.truncate(width)
    return line


@dataclass(frozen=True)
class _Page:
    """The parts of the page, each for one terminal."""

    width: int
    marks: Marks

    def tests(self, tests: Sequence[TestResult]) -> RenderableType:
        stacked = self.width < _STACKED_BELOW
        table = Table.grid(padding=(0, _INDENT, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        words = [self.marks.statuses[outcome(test)] for test in tests]
        left = self.width - max(_STATUS, *(len(word) + _INDENT for word in words), 0)
        for test, own, word in zip(told_apart(tests), tests, words, strict=True):
            status = Text(word, _STYLES[outcome(test)])
            window = len(test.name) - len(own.name)  # where there are several, it is never cut
            name = self._cut(shown(test.name), min(left, _LONGEST_NAME + window))
            result = Text(
                self.marks.written(headline(test)), "dim" if outcome(test) == "passed" else ""
            )
            groups = size(test)
            if not stacked:
                table.add_row(status, name, result, Text(groups, "dim"))
                continue
            after = Text(self.marks.separator + groups if groups else "", "dim")
            fits = name.cell_len + after.cell_len <= left
            table.add_row(status, name + after if fits else name)
            table.add_row("", result if fits else result + after)
        return table

    def groups(self, test: TestResult, *, verbose: bool) -> Iterator[RenderableType]:
        if not verbose and test.status != "failed":
            return
        found = (lambda part: part.groups) if verbose else breaking_groups
        most = len(test.groups) if verbose else MAX_GROUPS
        listed = list(listings(test, found, most))
        if not listed:
            return
        room = self.width - _INDENT
        yield Text()
        yield self._cut(shown(test.name), self.width, "bold")
        yield self._indented(self._cut(asked(test), room, "dim"))
        for listing in listed:
            if listing.title is not None:
                yield Text()
                yield self._indented(self._cut(listing.title, room, "italic"))
            table = listing_table(listing, width=room, marks=self.marks, details=verbose)
            yield self._indented(table)
        if limits_metrics(test):
            return
        chosen = sum(len(found(part)) for part in test.facets())
        if left := chosen - sum(listing.groups for listing in listed):
            more = counted(left, "more group")
            yield self._indented(Text(f"{self.marks.ellipsis} and {more}: -v lists all", "dim"))

    def notes(self, tests: Sequence[TestResult]) -> Iterator[RenderableType]:
        """Yield each note once, with the tests that it belongs to."""
        names: dict[str, dict[str, str]] = {}
        for test in tests:
            for note in test.notes:
                name = shortened(shown(test.name), _LONGEST_NAME, self.marks.ellipsis)
                names.setdefault(note, {})[test.name] = name
        if names:
            yield Text()
            yield Text("Notes", "bold")
        for note, named in names.items():
            few = len(named) <= _NAMED_WITH_A_NOTE
            where = "; ".join(named.values()) if few else f"{len(named)} tests"
            text = Text.assemble(self.marks.written(sentence(note)), " ", (f"({where})", "dim"))
            yield Constrain(self._indented(text), _READABLE)

    def summary(self, run: Run, elapsed_seconds: float | None) -> RenderableType:
        found = run.outcomes()
        counts = [
            Text(counted(found[one], one) if one == "error" else f"{found[one]} {one}", style)
            for one, style in _STYLES.items()
            if one in found
        ]
        counts.append(Text(counted(run.scans, "scan")))
        if elapsed_seconds is not None:
            counts.append(Text(f"{elapsed_seconds:.1f} s"))
        return Text(self.marks.separator).join(counts)

    def _cut(self, text: str, width: int, style: str = "") -> Text:
        return Text(shortened(text, width, self.marks.ellipsis), style)

    def _indented(self, part: RenderableType) -> RenderableType:
        return Padding(part, (0, 0, 0, _INDENT), expand=False)
