"""Parts of sentences about a test: its groups by name, what they are compared with, its metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fairsql.report.words import VALUES, key, number, shortened, shown

if TYPE_CHECKING:
    from fairsql.results import GroupResult, Key, TestResult

_NAMED = 5
_LONGEST_NAME = 60


def metric_name(test: TestResult) -> str:
    """Return the metric's name in words, where the result has it."""
    if named := VALUES.get(test.type):
        return named
    return shown(test.metric.label) if test.metric else metric_of(test)


def metric_of(test: TestResult) -> str:
    """Return the metric's name in the catalogue, or that of the measurement."""
    own = test.metric.name if test.metric else ""
    return shown(own or str(test.parameters.get("parity_metric")))


def worst_extreme(test: TestResult) -> str | None:
    """Return which extreme of the metric is the worst, where the result tells the direction."""
    if test.metric is None:
        return None
    return "lowest" if test.metric.higher_is_better else "highest"


def comparison_point(test: TestResult) -> str:
    """Return the comparison point with its value."""
    comparison = test.comparison
    if comparison is None:
        return "the comparison point"
    value = "" if comparison.value is None else f" ({number(comparison.value)})"
    if comparison.kind == "overall" or comparison.key is None:
        return f"all rows{value}"
    return f"the reference {quoted(comparison.key)}{value}"


def part_of(count: int, total: int) -> str:
    """Return a count with the part that it is.

    >>> part_of(13, 7214)
    '13 (0.18 %)'
    """
    return f"{count:,} ({number(100 * count / total, 2)} %)"


def quoted(values: Key) -> str:
    """Return a group's name, in quotes where it might be read as a word of the sentence.

    >>> quoted({"sex": "Female"}), quoted({"approved": "true"})
    ('Female', '‘true’')
    """
    name = shortened(key(values), _LONGEST_NAME)
    return name if name[:1].isupper() else f"‘{name}’"


def group_name(group: GroupResult) -> str:
    """Return a group's name as a sentence has it, with the stratum where it has one."""
    name = quoted(group.key)
    return name if group.stratum is None else f"{name} in {quoted(group.stratum)}"


def names(
    groups: Sequence[GroupResult],
    count: int | None = None,
    named: Callable[[GroupResult], str] = group_name,
) -> str:
    """Return the first names, and how many more there are of ``count``."""
    count = len(groups) if count is None else count
    shown = [named(group) for group in groups[:_NAMED]]
    if count > len(shown):
        shown.append(f"{count - len(shown):,} more")
    return listed(shown)


def listed(texts: Sequence[str]) -> str:
    """Return texts as a sentence lists them.

    >>> listed(["recall"]), listed(["recall", "precision", "F1"])
    ('recall', 'recall, precision and F1')
    """
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
