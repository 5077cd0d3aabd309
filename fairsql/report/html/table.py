"""The table of a test's groups: every number as it reads well, and in full for the download."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairsql.records import BOUND_FIELDS
from fairsql.report.kinds import condition, is_bounded, is_standardized
from fairsql.report.listings import (
    is_turned,
    limits_of,
    metric_rows,
    metrics_of,
    plain_odds_ratio,
)
from fairsql.report.words import (
    PAIRED,
    key,
    number,
    operator_sign,
    probability,
    remark,
    rows_of,
    shown,
)

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

_FLAGS = ("sufficient", "is_reference", "worse", "significant", "failed", "suppressed")

_NUMBERS = {
    "rows": "Rows",
    "value": "Value",
    "value_least": "At least",
    "value_greatest": "At most",
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
_COMPARISONS = ("ratio", "difference", "p_value", "p_value_adjusted")
_OF_PAIRS = {"rows": "Pairs", "missing_metric_inputs": "Controls, unscored"}
"""The titles where a row is a pair of answers."""


_BOUNDS = tuple(BOUND_FIELDS)
_OF_METRICS = (
    *(
        "value",
        *_BOUNDS,
        "interval_low",
        "interval_high",
        "rows",
        "denominator",
        "missing_metric_inputs",
    ),
)
_POOLED = {
    "value": "Rate",
    "reference_value": "Its rate",
    "plain_odds_ratio": "Odds ratio",
    "odds_ratio": "Within strata",
    "p_value": "p",
    "p_value_adjusted": "Adjusted p",
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


def _titles(test: TestResult) -> Mapping[str, str]:
    return {**_NUMBERS, **_OF_PAIRS} if test.type in PAIRED else _NUMBERS


def group_table(test: TestResult, of: TestResult | None = None) -> Table:
    """Return the table of a test that has groups.

    ``of`` is the test, where these are the groups that one of metrics over all rows tells besides:
    what none of them has is then no column.
    """
    attributes = [Column(_held(name), shown(name), is_number=False) for name in test.groups[0].key]
    statistics = dict.fromkeys(name for group in test.groups for name in group.statistics or {})
    unused = set(_unused(test))
    if of is not None:
        unused |= {
            name
            for name in _COMPARISONS
            if all(getattr(group, name) is None for group in test.groups)
        }
    names = [name for name in _NUMBERS if name not in unused]
    titles = _titles(of or test)
    columns = [Column(name, titles[name]) for name in names] + _of_statistics(statistics)
    rows = [_row(test, group, names, list(statistics)) for group in test.groups]
    return Table(attributes, columns, rows, " ".join(_FLAGS))


def metric_table(test: TestResult) -> Table:
    """Return the table of a test of metrics over all rows: a row for each metric."""
    found = metrics_of(test)
    statistics = dict.fromkeys(
        name for _, group in found if group is not None for name in group.statistics or {}
    )
    attributes = [
        Column(name, name.capitalize(), is_number=False) for name in ("metric", "threshold")
    ]
    names = [name for name in _OF_METRICS if name not in _BOUNDS or is_bounded(test)]
    titles = _titles(test)
    columns = [Column(name, titles[name]) for name in names] + _of_statistics(statistics)
    cells_of = dict(metric_rows(test))
    rows = []
    for name, group in found:
        low, high = (None, None) if group is None else group.confidence_interval or (None, None)
        values: dict[str, float | None] = {
            **({} if group is None else vars(group) | _bounds(group)),
            "value": test.measurements.get(name),
            "interval_low": low,
            "interval_high": high,
        }
        cells = [_cell(values.get(one), one) for one in names]
        cells += [_cell((group.statistics or {}).get(one) if group else None) for one in statistics]
        said = cells_of[name][""]
        threshold = Cell(limits_of(test, name, operator_sign), limits_of(test, name))
        rows.append(Row([_text(name), threshold], said, cells, str(int(said == "failed")), False))
    return Table(attributes, columns, rows, "failed")


def pooled_table(test: TestResult) -> Table:
    """Return the table of a stratified test's groups over all strata."""
    names = list(test.pooled[0].key)
    attributes = [Column(_held(name), shown(name), is_number=False) for name in names]
    attributes.append(Column("compared_with", "Compared with", is_number=False))
    rows = []
    for pooled in test.pooled:
        values = {**vars(pooled), "plain_odds_ratio": plain_odds_ratio(pooled)}
        turned = is_turned(pooled)
        other = "all others" if pooled.reference is None else key(pooled.reference)
        rows.append(
            Row(
                [*map(_text, pooled.key.values()), _text(other)],
                "turned round" if turned else "",
                [_cell(values[name], name) for name in _POOLED],
                str(int(turned)),
                has_query=False,
            )
        )
    columns = [Column(name, title) for name, title in _POOLED.items()]
    return Table(attributes, columns, rows, "turned_round")


def _of_statistics(names: Iterable[str]) -> list[Column]:
    return [Column(_held(f"statistics_{name}"), shown(name.replace("_", " "))) for name in names]


def _unused(test: TestResult) -> Collection[str]:
    """Return the numbers that no group of a test can have."""
    unused: tuple[str, ...] = () if is_bounded(test) else _BOUNDS
    if condition(test):
        return (*unused, *_COMPARISONS)
    if is_standardized(test):
        return (*unused, "value", "interval_low", "interval_high", "ratio")
    return unused


def _bounds(group: GroupResult) -> dict[str, float | None]:
    return dict(zip(_BOUNDS, group.value_bounds or (None, None), strict=True))


def _row(
    test: TestResult, group: GroupResult, names: Sequence[str], statistics: Sequence[str]
) -> Row:
    low, high = group.confidence_interval or (None, None)
    values: dict[str, float | None] = {
        **vars(group),
        **_bounds(group),
        "interval_low": low,
        "interval_high": high,
    }
    cells = [
        Cell(rows_of(test, group), "")
        if name == "rows" and group.suppressed
        else _cell(values[name], name)
        for name in names
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
