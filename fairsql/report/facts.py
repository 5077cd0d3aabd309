"""Labels and what they say, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fairsql.report.words import shown

if TYPE_CHECKING:
    from rich.console import RenderableType

_INDENT = 2


def facts_table(facts: Iterable[tuple[str, str]], style: str = "dim") -> RenderableType:
    """Return pairs of a label and a text as two columns; long texts wrap in their own.

    Parameters
    ----------
    facts
        Label and text of each line.
    style
        Style of the labels.
    """
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=style)
    table.add_column(overflow="fold")
    for label, text in facts:
        table.add_row(label, Text(shown(text)))
    return Padding(table, (0, 0, 0, _INDENT), expand=False)
