"""Sections as Markdown, put into a page between marks that stand there for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.sections import Cell, Section, Target

_PLACES = {"×": 2, "MB": 0, "count": 0, "rows": 0}


def refreshed(page: str, sections: Mapping[str, Section]) -> str:
    """Return a page with each section's table, and that of all targets, where its marks are.

    What stands outside the marks stays as it is. A section without marks changes nothing.
    """
    tables = {name: table(section) for name, section in sections.items()}
    tables["targets"] = targets(sections.values())
    for name, text in tables.items():
        before, begin, rest = page.partition(f"<!-- {name}: begin -->")
        _, end, after = rest.partition(f"<!-- {name}: end -->")
        if end:
            page = f"{before}{begin}\n{text}\n{end}{after}"
    return page


def table(section: Section) -> str:
    """Return a section's table, and below it what was checked and where it ran."""
    units = list(section.columns.values())
    rows = [
        _line(shown(cell, unit) for cell, unit in zip(row, units, strict=True))
        for row in section.rows
    ]
    numbers = f"{section.checked:,} numbers compared, all equal. " if section.checked else ""
    notes = [f"\n{note}" for note in section.notes]
    return "\n".join(
        [
            _line(section.columns),
            _rule(units),
            *rows,
            *notes,
            f"\n{numbers}{section.conditions}".rstrip(),
        ]
    )


def targets(sections: Iterable[Section]) -> str:
    """Return the table of all targets: what is aimed at, what was measured, and if that is it."""
    lines = ["| benchmark | target | at most | measured | |", "| --- | --- | ---: | ---: | --- |"]
    for section in sections:
        lines += [_line([section.name, *_cells(target)]) for target in section.targets]
    return "\n".join(lines)


def shown(cell: Cell, unit: str) -> str:
    """Return a cell as text with its unit; numbers have as many digits as one may trust.

    >>> shown(1234567.0, "count"), shown(0.01234, "s"), shown(12.34, "s"), shown(None, "MB")
    ('1,234,567', '0.012 s', '12.3 s', '–')
    """
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    places = _PLACES.get(unit)
    if places is None:
        places = 3 if cell < 0.1 else 2 if cell < 10 else 1
    return f"{cell:,.{places}f}{'' if unit in ('count', 'text') else f' {unit}'}"


def target_line(target: Target) -> str:
    """Return a target in a line of text.

    >>> from benchmarks.sections import Target
    >>> target_line(Target("50 tests / 1 test", 4.0, 3, "×"))
    '50 tests / 1 test: 4.00 × of at most 3.00 ×: missed'
    """
    what, limit, measured, state = _cells(target)
    allowed = f" of at most {limit}" if target.limit is not None else ""
    return f"{what}: {measured}{allowed}: {state.strip('*')}"


def _cells(target: Target) -> tuple[str, str, str, str]:
    measured = "did not end" if target.measured is None else shown(target.measured, target.unit)
    limit = shown(target.limit, target.unit)
    return (
        target.what,
        limit,
        measured,
        f"**{target.state}**" if target.state == "missed" else target.state,
    )


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(units: Sequence[str]) -> str:
    return _line("---" if unit == "text" else "---:" for unit in units)
