"""What a result lists: tables of names and cells, one for each part of a test, for every output.

A test of one metric has one table of groups, a test of several one for each; a test of metrics over
all rows has a table of the metrics, and a stratified test one more, of all strata together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairsql.report.kinds import (
    attributes,
    condition,
    group_facets,
    is_bounded,
    is_count,
    is_standardized,
    limits_metrics,
)
from fairsql.report.words import (
    DIGITS,
    key,
    number,
    probability,
    reason,
    remark,
    rows_of,
    shown,
)

if TYPE_CHECKING:
    from fairsql.results import GroupResult, PooledResult, TestResult

Cells = Mapping[str, str]
"""Title of a column -> what stands in it; the remark at the end has no title."""

_OF_VALUES = ("value", "interval", "ratio")
EXACT_VALUE = "exact value"
"""The column of what the exact values lie between, where values are approximate."""
_OF_COMPARISONS = ("ratio", "gap", "p", "adjusted p")
POOLED = "all strata together"
_MOST_DIGITS = 17


@dataclass(frozen=True)
class Listing:
    """A table: its title where a test has several, that of its names, and its rows.

    ``groups`` says how many of the rows are groups of the result, of which there may be more.
    """

    title: str | None
    named: str
    rows: Sequence[tuple[str, Cells]]
    groups: int


def listings(
    test: TestResult,
    chosen: Callable[[TestResult], Sequence[GroupResult]] = lambda part: part.groups,
    most: int | None = None,
) -> Iterator[Listing]:
    """Yield the tables of a result that have a row.

    Parameters
    ----------
    test
        The result.
    chosen
        Which groups of each part to list.
    most
        How many groups there is room for, in all tables.
    """
    if limits_metrics(test):
        rows = metric_rows(test)
        if rows:
            wholes = sum(not group.key for group in test.groups)
            yield Listing(None, "metric", rows, wholes)
    left = len(test.groups) if most is None else most
    for part in group_facets(test) if limits_metrics(test) else test.facets():
        groups = chosen(part)[:left]
        left -= len(groups)
        if groups:
            rows = group_rows(part, groups)
            title = None if part.facet is None else shown(part.facet)
            yield Listing(title, attributes(test), rows, len(groups))
    if test.pooled:
        yield Listing(POOLED, attributes(test), pooled_rows(test), 0)


def groups_left(test: TestResult, listed: int | None = None) -> int:
    """Return how many groups a result does not list, of those that were judged.

    Parameters
    ----------
    test
        The result.
    listed
        How many are listed, if not all that it holds.
    """
    if limits_metrics(test):
        return 0  # each metric is listed, with all rows as its only group
    parts = [part.groups_total for part in test.parts] or [test.groups_total]
    total = sum(count or 0 for count in parts)
    return max(total - (len(test.groups) if listed is None else listed), 0)


# --- groups ------------------------------------------------------------------------------------


def group_rows(test: TestResult, groups: Sequence[GroupResult]) -> list[tuple[str, Cells]]:
    """Return some of a test's groups as names and cells, and last what they are held against.

    That is left out when it is listed already. Of a suppressed group the rows are a bound.
    """
    rows = [(key(group.key), _cells(test, group)) for group in groups]
    return rows + _comparison(test, groups)


def _cells(test: TestResult, group: GroupResult) -> Cells:
    adjusted = test.parameters.get("p_value_adjustment", "none") != "none"
    p_value = group.p_value_adjusted if adjusted else group.p_value
    cells = {
        "rows": rows_of(test, group),
        "share": _padded(group.share),
        "value": _value(group.value, "" if test.metric is None else test.metric.name),
        **_exact_value(test, group),
        "interval": _interval(group),
        "ratio": _padded(group.ratio),
        "gap": _padded(group.difference),
        "adjusted p" if adjusted else "p": probability(p_value, padded=True),
        "": remark(group),
    }
    unused = _OF_COMPARISONS if condition(test) else _OF_VALUES if is_standardized(test) else ()
    return {title: text for title, text in cells.items() if title not in unused}


def _comparison(test: TestResult, groups: Sequence[GroupResult]) -> list[tuple[str, Cells]]:
    """Return what the groups are held against as the last row, unless it is listed already."""
    blank = dict.fromkeys(_cells(test, groups[0]), "")
    if asked := condition(test):
        operator, value = asked
        return [("limit", {**blank, "value": f"{operator} {number(value)}"})]
    if test.comparison is None:
        return []
    if test.comparison.kind == "reference":
        return [
            (key(group.key), _cells(test, group))
            for group in test.groups
            if group.is_reference and group not in groups
        ]
    values = {"rows": number(test.rows.evaluated), "value": _padded(test.comparison.value)}
    known = {title: text for title, text in values.items() if title in blank}
    return [("all rows", {**blank, **known, "": "overall"})]


def _exact_value(test: TestResult, group: GroupResult | None) -> Cells:
    """Return what the exact value lies between, with the digits that tell the two apart."""
    if not is_bounded(test):
        return {}
    if group is None or group.value_bounds is None:
        return {EXACT_VALUE: number(None)}
    low, high = group.value_bounds
    if low == high:
        return {EXACT_VALUE: _padded(low)}
    texts = (
        (number(low, digits, padded=True), number(high, digits, padded=True))
        for digits in range(DIGITS, _MOST_DIGITS + 1)
    )
    apart = next((pair for pair in texts if len(set(pair)) > 1), (repr(low), repr(high)))
    return {EXACT_VALUE: " to ".join(apart)}


def _interval(group: GroupResult) -> str:
    if group.confidence_interval is None:
        return number(None)
    return " to ".join(_padded(bound) for bound in group.confidence_interval)


def _value(value: float | None, metric: str) -> str:
    return number(value, padded=not is_count(metric))


def _padded(value: float | None) -> str:
    return number(value, padded=True)


# --- metrics over all rows ---------------------------------------------------------------------


def metric_rows(test: TestResult) -> list[tuple[str, Cells]]:
    """Return each metric that a threshold limits, with its value, interval, threshold and rows."""
    rows: list[tuple[str, Cells]] = []
    for name, group in metrics_of(test):
        limits = [limit for limit in test.thresholds if limit.measurement == name]
        broken = any(limit.passed is False for limit in limits)
        cells = {
            "value": _value(test.measurements.get(name), name),
            **_exact_value(test, group),
            "interval": number(None) if group is None else _interval(group),
            "threshold": limits_of(test, name),
            "rows": number(None) if group is None else rows_of(test, group),
            "": "failed" if broken else "" if group is None else reason(group),
        }
        rows.append((name, cells))
    return rows


def metrics_of(test: TestResult) -> list[tuple[str, GroupResult | None]]:
    """Return each metric that is limited, with all rows as a group where they were read."""
    groups = {group.metric: group for group in test.groups}
    names = dict.fromkeys(limit.measurement for limit in test.thresholds)
    alone = groups.get(None) if len(names) == 1 else None
    return [(name, groups.get(name, alone)) for name in names]


def limits_of(test: TestResult, name: str, sign: Callable[[str], str] = shown) -> str:
    """Return the thresholds of a metric in words, with ``sign`` for each operator."""
    return " and ".join(
        f"{sign(limit.operator)} {number(limit.value)}"
        for limit in test.thresholds
        if limit.measurement == name
    )


# --- strata together ---------------------------------------------------------------------------


def pooled_rows(test: TestResult) -> list[tuple[str, Cells]]:
    """Return each group over all strata: its plain rate, and the odds ratio within strata.

    Where the plain odds ratio is on the other side of 1 than that within strata, the strata turn
    the comparison round.
    """
    adjusted = test.parameters.get("p_value_adjustment", "none") != "none"
    return [
        (
            key(pooled.key),
            {
                "rate": _padded(pooled.value),
                "compared with": "others" if pooled.reference is None else key(pooled.reference),
                "its rate": _padded(pooled.reference_value),
                "odds ratio": _padded(plain_odds_ratio(pooled)),
                "within strata": _padded(pooled.odds_ratio),
                "adjusted p" if adjusted else "p": probability(
                    pooled.p_value_adjusted if adjusted else pooled.p_value, padded=True
                ),
                "": "turned round" if is_turned(pooled) else "",
            },
        )
        for pooled in test.pooled
    ]


def plain_odds_ratio(pooled: PooledResult) -> float | None:
    """Return the odds ratio of the two rates over all rows; none where it would be 0 by 0."""
    ours, theirs = pooled.value, pooled.reference_value
    below = (1 - ours) * theirs
    return ours * (1 - theirs) / below if below > 0 else None


def is_turned(pooled: PooledResult) -> bool:
    """Return whether a group is worse over all rows and better within strata, or the reverse."""
    plain, within = plain_odds_ratio(pooled), pooled.odds_ratio
    return plain is not None and within is not None and (plain - 1) * (within - 1) < 0
