"""What to take from a test that compares nobody: which limits hold, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairsql.report.insight import Insight
from fairsql.report.kinds import condition
from fairsql.report.phrases import group_name, metric_name, names
from fairsql.report.words import counted, number, numbers_apart, operator_sign, shown

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult


def metrics_in_limits(test: TestResult) -> Iterator[Insight]:
    """Yield which metrics are beyond their thresholds, and that the others are not."""
    broken = [limit for limit in test.thresholds if limit.passed is False]
    for limit in broken:
        observed, wanted = numbers_apart(limit)
        text = (
            f"{shown(limit.measurement)} is {observed}, and must be"
            f" {operator_sign(limit.operator)} {wanted}."
        )
        facts = {
            "metric": limit.measurement,
            "observed": limit.observed,
            "operator": limit.operator,
            "value": limit.value,
        }
        yield Insight("metric_beyond", text, facts)
    held = [limit for limit in test.thresholds if limit.passed]
    if not held:
        return
    if broken:
        verb = "holds" if len(held) == 1 else "hold"
        text = f"The other {counted(len(held), 'threshold').removeprefix('1 ')} {verb}."
    else:
        told = dict.fromkeys(
            f"{shown(limit.measurement)} is {number(limit.observed)}" for limit in held
        )
        words = {1: "The threshold holds", 2: "Both thresholds hold"}
        word = words.get(len(held), f"All {len(held)} thresholds hold")
        text = f"{word}: {', '.join(told)}."
    facts = {"holding": len(held), "broken": len(broken)}
    yield Insight("metrics_within", text, facts)


def groups_in_limits(test: TestResult) -> Iterator[Insight]:
    """Yield which groups do not meet the condition, or how near the nearest ones are to it."""
    asked = condition(test)
    count = test.measurements.get("failing_group_count")
    if asked is None or count is None:
        return
    sign, value = operator_sign(asked[0]), number(asked[1])
    what = metric_name(test)
    failed = [group for group in test.groups if group.failed]
    if count:
        verb = "does not meet" if count == 1 else "do not meet"
        which = f": {names(failed, int(count), _with_value)}" if failed else ""
        text = (
            f"{counted(int(count), 'group')} {verb} the condition{which}."
            f" The {what} of every group must be {sign} {value}."
        )
        facts = {"count": count, "groups": [dict(group.key) for group in failed]}
        yield Insight("failing", text, facts)
    else:
        yield Insight("none_fails", f"Of every group judged the {what} is {sign} {value}.", {})
    low, high = (test.measurements.get(f"{end}_group_value") for end in ("lowest", "highest"))
    if low is not None and high is not None and low != high:
        text = f"It goes from {_end(test, low)} to {_end(test, high)}."
        yield Insight("range", text, {"lowest": low, "highest": high})


def _with_value(group: GroupResult) -> str:
    value = "" if group.value is None else f" ({number(group.value)})"
    return f"{group_name(group)}{value}"


def _end(test: TestResult, value: float) -> str:
    own = [group for group in test.groups if group.sufficient and group.value == value]
    return f"{number(value)} ({names(own)})" if own else number(value)
