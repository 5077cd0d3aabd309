"""The table of a test's groups: every number as it reads well, and in full for the download."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairsql.report.words import number, probability, remark, rows_of, shown

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

_FLAGS = ("sufficient", "is_reference", "worse", "significant", "failed", "suppressed")

_NUMBERS = {
    "rows": "Rows",
    "value": "Value",
    "interval_low": "From",
    "interval_high": "To",
    "ratio": "Ratio",
    "difference": "Gap",
    "p_value": "p",
    "p_value_adjusted": "Adjusted p",
    "share": "Share",
    "denominator": "Rests on",
    "missing_metric_inputs": "Lack inputs",
}


_PROBABILITIES = ("p_value", "p_value_adjusted")


@dataclass(frozen=True)
class Column:
    """A column: its name in the download, its title, and whether it holds numbers."""

    name: str
    title: str
    is_number: bool = True


@dataclass(frozen=True)
class Cell:
    """What is shown, and where that is less than all, the whole of it."""

    text: str
    full: str | None = None


@dataclass(frozen=True)
class Row:
    """A group: its attributes, how it fared, its numbers, and 1 or 0 for each flag.

    ``has_query`` says whether its first number, the rows, can be fetched by a query of the page.
    """

    attributes: Sequence[Cell]
    remark: str
    cells: Sequence[Cell]
    flags: str
    has_query: bool


@dataclass(frozen=True)
class Table:
    """A test's groups in the order of the result; ``flags`` names what stands in each row's."""

    attributes: Sequence[Column]
    columns: Sequence[Column]
    rows: Sequence[Row]
    flags: str


def group_table(test: TestResult) -> Table:
    """Return the table of a test that has groups."""
    attributes = [Column(_held(name), shown(name), is_number=False) for name in test.groups[0].key]
    statistics = dict.fromkeys(name for group in test.groups for name in group.statistics or {})
    columns = [Column(name, title) for name, title in _NUMBERS.items()]
    columns += [
        Column(_held(f"statistics_{name}"), shown(name.replace("_", " "))) for name in statistics
    ]
    rows = [_row(test, group, list(statistics)) for group in test.groups]
    return Table(attributes, columns, rows, " ".join(_FLAGS))


def _row(test: TestResult, group: GroupResult, statistics: Sequence[str]) -> Row:
    low, high = group.confidence_interval or (None, None)
    values: dict[str, float | None] = {**vars(group), "interval_low": low, "interval_high": high}
    cells = [
        Cell(rows_of(test, group), "")
        if name == "rows" and group.suppressed
        else _cell(values[name], name)
        for name in _NUMBERS
    ]
    cells += [_cell((group.statistics or {}).get(name)) for name in statistics]
    return Row(
        [_text(text) for text in group.key.values()],
        remark(group),
        cells,
        "".join(str(int(getattr(group, flag))) for flag in _FLAGS),
        group.rows_sql is not None,
    )


def can_hold(text: str) -> bool:
    """Return whether HTML can hold a text: no NUL, however it is written, and no lone surrogate."""
    return not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text)


def _held(text: str) -> str:
    return text if can_hold(text) else shown(text)


def _text(text: str) -> Cell:
    visible, full = shown(text), _held(text)
    return Cell(visible, None if full == visible else full)


def _cell(value: float | None, name: str = "") -> Cell:
    if value is None:
        return Cell(number(None), "")
    text, full = number(value, padded=isinstance(value, float)), repr(value)
    if name in _PROBABILITIES:
        text = probability(value, padded=True)
    return Cell(text, None if text == full else full)
