"""What a result lists as a table that fits a terminal: the narrower, the fewer columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fairsql.report.listings import EXACT_VALUE
from fairsql.report.words import number, shortened

if TYPE_CHECKING:
    from fairsql.report.listings import Cells, Listing
    from fairsql.report.marks import Marks

_GAP = 2
_NARROWEST_NAME = 12
_DETAILS = ("share", "interval")
_DROPPED_FIRST = (*_DETAILS, "its rate", "gap", EXACT_VALUE, "rows")
_NOTHING = ("", number(None))
_STYLES = {"failed": "red", "significant": "yellow", "turned round": "yellow"}


def listing_table(listing: Listing, *, width: int, marks: Marks, details: bool) -> RenderableType:
    """Return a table of a result for a terminal.

    Parameters
    ----------
    listing
        What is listed.
    width
        Columns of the terminal that are free.
    marks
        The signs it can show.
    details
        True adds each group's share of the rows and the interval of its value.
    """
    rows = listing.rows
    widths = _fitting([cells for _, cells in rows], width - _NARROWEST_NAME, details=details)
    room = width - _total(widths)
    if room < _NARROWEST_NAME:
        return Group(*(_lines(name, cells, widths, marks) for name, cells in rows))
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(Text(shortened(listing.named, room, marks.ellipsis)), no_wrap=True)
    for title in widths:
        is_text = title in ("", "compared with")
        table.add_column(title, justify="left" if is_text else "right", no_wrap=True)
    for name, cells in rows:
        texts = [cells[title] for title in widths]
        table.add_row(
            Text(shortened(name, room, marks.ellipsis)),
            *(Text(marks.written(text), _STYLES.get(text, "")) for text in texts),
        )
    return table


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
