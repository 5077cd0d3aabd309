"""A test's groups as a table that fits a terminal: the narrower, the fewer columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fairsql.report.words import key, number, probability, remark, rows_of, shortened, shown

if TYPE_CHECKING:
    from fairsql.report.marks import Marks
    from fairsql.results import GroupResult, TestResult

_GAP = 2
_NARROWEST_NAME = 12
_DETAILS = ("share", "interval")
_DROPPED_FIRST = (*_DETAILS, "gap", "rows")
_NOTHING = ("", number(None))
_STYLES = {"failed": "red", "significant": "yellow"}

Cells = Mapping[str, str]
"""Title of a column -> what stands in it; the remark at the end has no title."""


def group_table(
    test: TestResult, groups: Sequence[GroupResult], *, width: int, marks: Marks, details: bool
) -> RenderableType:
    """Return some of a test's groups, and below them what they are compared with.

    Parameters
    ----------
    test
        The test's result.
    groups
        The groups to list.
    width
        Columns of the terminal that are free.
    marks
        The signs it can show.
    details
        True adds each group's share of the rows and the interval of its value.
    """
    rows = group_rows(test, groups)
    widths = _fitting([cells for _, cells in rows], width - _NARROWEST_NAME, details=details)
    room = width - _total(widths)
    if room < _NARROWEST_NAME:
        return Group(*(_lines(name, cells, widths, marks) for name, cells in rows))
    attributes = " / ".join(shown(name) for name in test.parameters["protected_attribute_columns"])
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(Text(shortened(attributes, room, marks.ellipsis)), no_wrap=True)
    for title in widths:
        table.add_column(title, justify="right" if title else "left", no_wrap=True)
    for name, cells in rows:
        texts = [cells[title] for title in widths]
        table.add_row(
            Text(shortened(name, room, marks.ellipsis)),
            *(Text(marks.written(text), _STYLES.get(text, "")) for text in texts),
        )
    return table


def group_rows(test: TestResult, groups: Sequence[GroupResult]) -> list[tuple[str, Cells]]:
    """Return some of a test's groups as names and cells, and last what they are compared with.

    That is left out when it is listed already. Of a suppressed group the rows are a bound.
    """
    rows = [(key(group.key), _cells(test, group)) for group in groups]
    return rows + _comparison(test, groups)


def _cells(test: TestResult, group: GroupResult) -> Cells:
    adjusted = test.parameters.get("p_value_adjustment", "none") != "none"
    p_value = group.p_value_adjusted if adjusted else group.p_value
    return {
        "rows": rows_of(test, group),
        "share": _padded(group.share),
        "value": _padded(group.value),
        "interval": _interval(group),
        "ratio": _padded(group.ratio),
        "gap": _padded(group.difference),
        "adjusted p" if adjusted else "p": probability(p_value, padded=True),
        "": remark(group),
    }


def _comparison(test: TestResult, groups: Sequence[GroupResult]) -> list[tuple[str, Cells]]:
    """Return what the groups are compared with as the last row, unless it is listed already."""
    if test.comparison is None:
        return []
    if test.comparison.kind == "reference":
        return [
            (key(group.key), _cells(test, group))
            for group in test.groups
            if group.is_reference and group not in groups
        ]
    blank = dict.fromkeys(_cells(test, groups[0]), "")
    value, rows = _padded(test.comparison.value), number(test.rows.evaluated)
    return [("all rows", {**blank, "rows": rows, "value": value, "": "overall"})]


def _interval(group: GroupResult) -> str:
    if group.confidence_interval is None:
        return number(None)
    return " to ".join(_padded(bound) for bound in group.confidence_interval)


def _padded(value: float | None) -> str:
    return number(value, padded=True)


def _fitting(rows: Sequence[Cells], room: int, *, details: bool) -> dict[str, int]:
    """Return title and width of the columns that say something and have room."""
    widths = {
        title: max(cell_len(text) for text in [title, *(cells[title] for cells in rows)])
        for title in rows[0]
        if any(cells[title] not in _NOTHING for cells in rows)
        and (details or title not in _DETAILS)
    }
    for title in _DROPPED_FIRST:
        if _total(widths) > room:
            widths.pop(title, None)
    return widths


def _total(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + _GAP * len(widths)


def _lines(name: str, cells: Cells, titles: Iterable[str], marks: Marks) -> Text:
    """Return a group as prose, for a terminal in which columns have no room."""
    facts = [
        f"{title} {cells[title]}" for title in titles if title and cells[title] not in _NOTHING
    ]
    remark = Text(cells[""], _STYLES.get(cells[""], ""))
    text = Text(marks.separator).join([Text(name), remark] if remark else [Text(name)])
    return text.append("\n  " + marks.written(marks.separator.join(facts)), "dim")
