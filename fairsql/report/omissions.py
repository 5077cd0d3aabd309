"""What a verdict leaves out: groups too small or without a value, and rows that lack one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fairsql.report.insight import Insight
from fairsql.report.kinds import limits_metrics
from fairsql.report.phrases import group_name, metric_name, names, part_of
from fairsql.report.words import PAIRED, condition_of, counted, number, reason, rows_of

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

UNEVEN = 0.05
"""Difference between groups' shares of rows without a metric input that is worth a sentence."""


def too_small(test: TestResult) -> Iterator[Insight]:
    """Yield how many groups are too small to judge, and which."""
    count = test.measurements.get("insufficient_group_count")
    if not count or test.groups_total is None:
        return
    distinct = {
        (tuple((group.stratum or {}).items()), tuple(group.key.items())): group
        for group in test.groups
        if not group.sufficient
    }
    small = list(distinct.values())
    verb = "is" if count == 1 else "are"
    which = "; none of them is listed"
    if small:
        which = f": {names(small, int(count), _with_rows(test))}"
    text = (
        f"{int(count):,} of {counted(test.groups_total, 'group')} {verb} too small to judge"
        f" ({_fewer(test)}){which}."
    )
    facts = {
        "count": count,
        "groups_total": test.groups_total,
        "groups": [dict(group.key) for group in small],
    }
    yield Insight("too_small", text, facts)


def _fewer(test: TestResult) -> str:
    """Return what a group is below; a limit that no group can be below is none."""
    least = test.parameters.get("min_group_size", 30)
    share = test.parameters.get("min_group_share", 0.02)
    part = f"{number(100 * share)} %"
    if share <= 0:
        return f"fewer than {counted(least, 'row')}"
    if least <= 1:
        return f"fewer than {part} of the rows evaluated"
    return f"fewer than {counted(least, 'row')}, or {part} of those evaluated"


def _with_rows(test: TestResult) -> Callable[[GroupResult], str]:
    def named(group: GroupResult) -> str:
        return f"{group_name(group)} ({rows_of(test, group)})"

    return named


def undefined(test: TestResult) -> Iterator[Insight]:
    """Yield which groups have no value, and why; without a verdict nobody looked for values."""
    if test.status not in ("passed", "failed"):
        return
    without = [group for group in test.groups if group.sufficient and group.value_reason]
    count = test.measurements.get("undefined_group_count")
    if not count or not without:
        return
    verb = "has" if count == 1 else "have"
    text = f"{names(without, int(count))} {verb} no {metric_name(test)}: {reason(without[0])}."
    facts = {"count": count, "groups": [dict(group.key) for group in without]}
    yield Insight("undefined", text, facts)


def left_out(test: TestResult) -> Iterator[Insight]:
    """Yield how many rows were evaluated, and why the others were not."""
    rows = test.rows
    wholes = {group.rows for group in test.groups if not group.key}
    if test.type not in PAIRED and limits_metrics(test) and wholes - {rows.evaluated}:
        return  # each metric has rows of its own, which the table tells
    if rows.total is None or rows.evaluated is None or not rows.total:
        return
    inputs, attribute = rows.missing_metric_inputs or 0, rows.missing_attribute or 0
    facts = {
        "total": rows.total,
        "missing_metric_inputs": inputs,
        "missing_attribute": attribute,
        "evaluated": rows.evaluated,
    }
    if test.type in PAIRED:
        # What lacks a divergence is a control pair, or one that notes tell of.
        those = "pair of answers was" if rows.evaluated == 1 else "pairs of answers were"
        yield Insight("rows_left_out", f"{rows.evaluated:,} {those} compared.", facts)
        return
    those = counted(rows.total, "row")
    if condition_of(test):
        those += " that the filter leaves"
    reasons = []
    if inputs:
        reasons.append(f"{part_of(inputs, rows.total)} lack a metric input")
    if attribute:
        reasons.append(f"{part_of(attribute, rows.total)} lack an attribute")
    if reasons:
        text = f"Of {those}, {' and '.join(reasons)}; {rows.evaluated:,} were evaluated."
    elif rows.total == 1:
        text = f"The only {those.removeprefix('1 ')} was evaluated."
    else:
        text = f"All {those} were evaluated."
    yield Insight("rows_left_out", text, facts)


def unevenly_missing(test: TestResult) -> Iterator[Insight]:
    """Yield between which groups the share of rows without a metric input differs most."""
    if limits_metrics(test) or test.type in PAIRED:
        return
    shares = {
        place: group.missing_metric_inputs / (group.rows + group.missing_metric_inputs)
        for place, group in enumerate(test.groups)
        if group.sufficient and group.rows and group.missing_metric_inputs is not None
    }
    if len(shares) < 2:
        return
    most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    if shares[most] - shares[least] < UNEVEN:
        return
    text = (
        f"Metric inputs are missing unevenly: in {number(100 * shares[most], 3)} % of the rows of"
        f" {names([test.groups[most]])}, and {number(100 * shares[least], 3)} % of"
        f" {names([test.groups[least]])}. What is known may not stand for what is not."
    )
    facts = {
        "most": shares[most],
        "most_group": dict(test.groups[most].key),
        "least": shares[least],
        "least_group": dict(test.groups[least].key),
    }
    yield Insight("unevenly_missing", text, facts)
