"""A run as CSV: a row for each test and group, and one for a test without groups.

The columns are those of :data:`fairsql.records.COLUMNS`. Floats have every digit, undefined is an
empty cell, and the rows of a suppressed group are a bound, ``< 10``.
"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any

from fairsql.records import COLUMNS, records

if TYPE_CHECKING:
    from fairsql.results import Run

# What spreadsheets take for the beginning of a formula, and a plain number, which is none.
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9.]+")
# What the writer ends rows in, it quotes within cells: a carriage return too, which Python 3.11's
# leaves bare otherwise.
_END = "\r\n"


def run_csv(run: Run) -> str:
    """Return a run as CSV (RFC 4180, but with lines that end in a single line feed).

    Text of the data that a spreadsheet would run as a formula has an apostrophe before it.
    """
    lines = _Lines()
    writer = csv.writer(lines, lineterminator=_END)
    writer.writerow(COLUMNS)
    for record in records(run):
        if record["suppressed"]:
            record["rows"] = f"< {record['min_reported_rows']}"
        writer.writerow([_cell(record[name]) for name in COLUMNS])
    return "".join(lines)


class _Lines(list[str]):
    """Takes rows as the writer ends them, and ends them in a line feed."""

    def write(self, row: str) -> None:
        self.append(row.removesuffix(_END) + "\n")


def _cell(value: Any) -> str:
    """Return a value as CSV holds it.

    >>> [_cell(value) for value in (None, True, 0.1, 7, "=1+1", "-1", "F")]
    ['', 'true', '0.1', '7', "'=1+1", '-1', 'F']
    """
    if value is None:
        return ""
    if isinstance(value, str):
        is_formula = _FORMULA.match(value) and not _NUMBER.fullmatch(value)
        return f"'{value}" if is_formula else value
    return json.dumps(value, allow_nan=False)
