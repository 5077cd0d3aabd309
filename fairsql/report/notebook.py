"""Results as a notebook shows them: small tables in HTML, without scripts or a style sheet.

Colours are such that they are read on a light page and on a dark one; text has the page's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
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
    from fairsql.results import Outcome, Run, TestResult

_COLORS: dict[Outcome, str] = {
    "passed": "#3a8f5a",
    "failed": "#d1495b",
    "illustrative": "#b07d1e",
    "skipped": "#b07d1e",
    "error": "#a05195",
}
_LONGEST = 120
_LISTED = 20  # groups; `result.groups` has all
_RIGHT = "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;padding:2px 8px"
_LEFT = "text-align:left;padding:2px 8px"
_TABLE = "border-collapse:collapse;background:transparent;font-size:inherit;margin:4px 0"


def result_html(test: TestResult) -> str:
    """Return one result: its verdict, thresholds, groups and notes."""
    parts = [
        f"{_status(test)} <b>{_text(test.name)}</b>",
        f"<br><span style='opacity:.75'>{_text(asked(test))}</span>",
        f"<br>{_text(headline(test))}",
    ]
    parts += _groups(test)
    parts += [f"<div style='opacity:.75'>{escape(sentence(note))}</div>" for note in test.notes]
    return f"<div style='overflow-x:auto'>{''.join(parts)}</div>"


def run_html(run: Run) -> str:
    """Return a run: a row for each test, in the order of the suite."""
    found = run.outcomes()
    counts = [f"{found[one]} {one}" for one in _COLORS if one in found]
    facts = [*counts, counted(run.scans, "scan"), run.warehouse_name, run.started_at]
    rows = [
        [
            _status(test),
            _text(test.name),
            _text(headline(test)),
            number(None if limits_metrics(test) else test.groups_total),
        ]
        for test in told_apart(run.tests)
    ]
    table = _table(["", "test", "result", "groups"], rows, right=(3,))
    return f"<div style='overflow-x:auto'>{' · '.join(map(_text, facts))}{table}</div>"


def _groups(test: TestResult) -> Iterator[str]:
    listed = list(listings(test, most=_LISTED))
    for listing in listed:
        titles = [*listing.rows[0][1]]
        rows = [[_text(name), *map(_text, cells.values())] for name, cells in listing.rows]
        if listing.title is not None:
            yield f"<div style='margin-top:8px'>{_text(listing.title)}</div>"
        yield _table([listing.named, *titles], rows, right=range(1, len(titles)))
    if left := groups_left(test, sum(listing.groups for listing in listed)):
        yield f"<div>… and {counted(left, 'more group')}</div>"


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int]) -> str:
    """Return a table; the titles are text, the cells are HTML already."""
    styles = [_RIGHT if place in set(right) else _LEFT for place in range(len(titles))]
    pairs = list(zip(titles, styles, strict=True))
    head = "".join(f"<th scope='col' style='{style}'>{_text(title)}</th>" for title, style in pairs)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td style='{style}'>{cell}</td>" for cell, style in zip(row, styles, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table style='{_TABLE}'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _status(test: TestResult) -> str:
    style = f"color:{_COLORS[outcome(test)]};white-space:nowrap"
    return f"<span style='{style}'>{UNICODE.statuses[outcome(test)]}</span>"


def _text(text: str) -> str:
    return escape(shortened(shown(text), _LONGEST))
