"""A run as Markdown that fits a comment on a pull request: a summary first, details folded.

Text of the data is written so that it stays text: no markup, no link, nobody mentioned.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fairsql.report.kinds import limits_metrics
from fairsql.report.listings import groups_left, listings
from fairsql.report.marks import UNICODE
from fairsql.report.words import (
    asked,
    counted,
    headline,
    number,
    sentence,
    shortened,
    shown,
    told_apart,
)
from fairsql.results import outcome

if TYPE_CHECKING:
    from fairsql.report.listings import Listing
    from fairsql.results import Outcome, Run, TestResult

MAX_CHARACTERS = 65_536
"""What GitHub takes as the body of a comment."""

_ORDER: Sequence[Outcome] = ("failed", "error", "illustrative", "skipped", "passed")
_LONGEST_NAME = 100  # columns; the results file has whole names
_LONGEST_TEXT = 1000
_FOR_THE_SUMMARY = 0.6  # of all characters; the details have the rest
_FOR_THE_END = 400  # characters for the lines that say what was left out
# Characters that mean something to Markdown, HTML or GitHub: @name, #1, :smile:, $maths$.
# An underscore or a point within a word does not, but for the point of a web address.
_MEANING = re.compile(r"[\\`*\[\]<>&~|$:@#]|(?<![^\W_])_|_(?![^\W_])|(?<=www)\.", re.IGNORECASE)

_TIME = re.compile(r"[0-9TZ:.+-]+")


def run_markdown(run: Run, limit: int = MAX_CHARACTERS) -> str:
    """Return a run as GitHub's Markdown.

    Parameters
    ----------
    run
        The results.
    limit
        Characters that there is room for, at least 2,000. What does not fit is left out by whole
        groups, whole details and whole tests, the passed ones first, and a line says how many.
    """
    tests = sorted(told_apart(run.tests), key=lambda test: _ORDER.index(outcome(test)))
    page = _Page(limit - _FOR_THE_END)
    page.add("\n".join(_head(run)))
    rows = [_summary_row(test) for test in tests]
    listed = page.add_rows(rows, until=int(limit * _FOR_THE_SUMMARY))
    if left := tests[listed:]:
        page.add(f"\n{_left_out(left)}\n")
    folded = sum(_add_details(page, test) for test in tests)
    if folded < len(tests):
        details = counted(len(tests) - folded, "test")
        page.add(f"\nThe details of {details} had no room here; the results file has them.\n")
    return page.text


def in_text(text: str) -> str:
    """Return data as it may stand in a sentence; nobody is mentioned, and no issue linked.

    >>> in_text("ask @octocat about #1")
    'ask &#64;&#8203;octocat about &#35;&#8203;1'
    """
    return re.sub("(&#(?:64|35);)", r"\1&#8203;", _escaped(sentence(text), _LONGEST_TEXT))


def in_code(text: str) -> str:
    """Return a name of the data as inline code, whatever it holds.

    >>> in_code("a|b `c` <d>")
    '<code>a&#124;b &#96;c&#96; &#60;d&#62;</code>'
    """
    # Not between backticks: a table ends a cell at a bar even there.
    return f"<code>{_escaped(shown(text), _LONGEST_NAME) or ' '}</code>"


def in_time(text: str) -> str:
    """Return a time of a results file, which may be another text, as it may stand in a sentence.

    >>> in_time("2026-11-30T09:05:00Z"), in_time("#1")
    ('2026-11-30T09:05:00Z', '&#35;&#8203;1')
    """
    return text if _TIME.fullmatch(text) else in_text(text)


def _escaped(text: str, width: int) -> str:
    return _MEANING.sub(lambda found: f"&#{ord(found[0])};", shortened(text, width))


class _Page:
    """Text that grows up to a limit."""

    def __init__(self, room: int) -> None:
        self.text = ""
        self._room = room

    def add(self, text: str) -> None:
        """Add text without a question."""
        self.text += text
        self._room -= _length(text)

    def has_room(self, text: str) -> bool:
        """Return whether text would fit."""
        return _length(text) <= self._room

    def add_if_it_fits(self, text: str) -> bool:
        """Add text, or say that there is no room."""
        fits = self.has_room(text)
        if fits:
            self.add(text)
        return fits

    def add_rows(self, rows: Sequence[str], until: int) -> int:
        """Add rows while the text is shorter than this, and return how many there was room for."""
        for place, row in enumerate(rows):
            if _length(self.text) + _length(row) > until or not self.add_if_it_fits(row):
                return place
        return len(rows)


def _length(text: str) -> int:
    """Return the length as GitHub counts it, in units of UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def _head(run: Run) -> Iterator[str]:
    counts = ", ".join(_counts(run.tests))
    yield f"### fairsql: {counts or 'no tests'}\n"
    scans = counted(run.scans, "scan")
    facts = [f"{in_code(run.warehouse_name)} ({in_text(run.dialect)})", scans]
    facts += [in_time(run.started_at), f"fairsql {in_text(run.fairsql_version)}"]
    if run.suite:
        facts.insert(0, in_code(run.suite))
    yield f"{' · '.join(facts)}\n"
    yield "| | test | result | groups |"
    yield "| --- | --- | --- | ---: |\n"


def _summary_row(test: TestResult) -> str:
    groups = number(None if limits_metrics(test) else test.groups_total)
    status = UNICODE.statuses[outcome(test)]
    return f"| {status} | {in_code(test.name)} | {in_text(headline(test))} | {groups} |\n"


def _left_out(tests: Sequence[TestResult]) -> str:
    counts = ", ".join(_counts(tests))
    return f"… and {counted(len(tests), 'more test')} without a row here: {counts}."


def _counts(tests: Sequence[TestResult]) -> Iterator[str]:
    found = Counter(outcome(test) for test in tests)
    return (f"{found[one]} {one}" for one in _ORDER if one in found)


# --- details ---------------------------------------------------------------------------------


def _add_details(page: _Page, test: TestResult) -> bool:
    """Add a test's details, with as many of its groups as there is room for."""
    start = "\n".join(_opening(test))
    if not page.has_room(start):
        return False
    end = "".join(_closing(test))
    for most in _fewer(len(test.groups)):
        found = list(listings(test, most=most))
        left = groups_left(test, sum(listing.groups for listing in found))
        more = f"\n… and {counted(left, 'more group')}: the results file.\n" if left else ""
        if page.add_if_it_fits(start + "\n".join(map(_table, found)) + more + end):
            return True
    return False


def _fewer(count: int) -> Iterator[int]:
    """Yield all, then fewer and fewer by a quarter, and at last none.

    >>> list(_fewer(6))
    [6, 4, 3, 2, 1, 0]
    """
    while count:
        yield count
        count = count * 3 // 4
    yield 0


def _opening(test: TestResult) -> Iterator[str]:
    status = UNICODE.statuses[outcome(test)]
    yield f"\n<details><summary>{status} {in_code(test.name)}</summary>\n"
    yield f"{in_text(asked(test))}\n"
    if test.message is not None:
        yield f"{in_text(test.message)}\n"
    if test.thresholds:
        yield "| threshold | observed | |"
        yield "| --- | ---: | --- |"
    for limit in test.thresholds:
        holds = {True: "holds", False: "**broken**", None: "undefined"}[limit.passed]
        asks = f"{limit.measurement} {limit.operator} {number(limit.value)}"
        yield f"| {in_text(shortened(asks, _LONGEST_NAME))} | {number(limit.observed)} | {holds} |"
    yield ""
    rest = [(name, value) for name, value in test.measurements.items() if value is not None]
    if rest:
        facts = " · ".join(
            f"{in_text(shortened(name, 40))} {number(value)}" for name, value in rest
        )
        yield f"{facts}\n"
    yield ""


def _table(listing: Listing) -> str:
    titles = [*listing.rows[0][1]]
    title = "" if listing.title is None else f"{in_text(shortened(listing.title, 200))}:\n\n"
    rows = [
        f"| {' | '.join([in_code(name), *map(_in_cell, cells.values())])} |\n"
        for name, cells in listing.rows
    ]
    head = f"| {' | '.join([in_code(listing.named), *titles])} |\n"
    return f"{title}{head}| --- |{' ---: |' * (len(titles) - 1)} --- |\n{''.join(rows)}"


def _in_cell(text: str) -> str:
    return in_text(shortened(text, 60))


def _closing(test: TestResult) -> Iterator[str]:
    if test.notes:
        yield "\n"
    for note in test.notes:
        yield f"- {in_text(note)}\n"
    yield "\n</details>\n"
