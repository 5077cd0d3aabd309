"""The tables of New York City's Local Law 144 of 2021: rows, rate and impact ratio by category.

The rule (6 RCNY, sections 5-300 to 5-304) asks a bias audit for the rate and the impact ratio of
each sex, each race or ethnicity, and each intersection of the two. A category's impact ratio is
its rate, divided by the highest rate of any. A category with less than 2 % of the rows may be left
out of the ratios; its rows and rate are shown then, with the reason. Rows of an unknown category
are counted.

One test makes one table: ``group_outcome_disparity``, or ``parity_metric: rate``, for a system that
selects, and ``group_score_disparity`` with ``statistic: scoring_rate`` for one that scores, with
``min_group_size: 1``, ``min_group_share: 0.02`` and ``missing_attribute_values: [Unknown]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairsql.report.markdown import in_text, in_time
from fairsql.report.words import counted, number, rows_of

if TYPE_CHECKING:
    from fairsql.results import GroupResult, Run, TestResult

_RATES = {"rate": "selected", "scoring_rate": "above the median"}
_SETTINGS = {
    "min_group_size": 1,
    "min_group_share": 0.02,
    "comparison": "reference",
    "reference_strategy": "highest",
    "higher_is_better": True,
}
# Values that stand for an attribute nobody knows, in the words of forms and of systems.
_UNKNOWN = re.compile(
    r"[^\w]*(?:unknown|unk|n/?a|n\.a\.|none|null|nan|nil|missing|blank|empty|undisclosed"
    r"|unspecified|unreported|undeclared|unanswered"
    r"|not (?:specified|stated|reported|disclosed|available|applicable|known|given|provided"
    r"|answered|declared|identified|recorded)"
    r"|no (?:answer|response|data|information)"
    r"|(?:.*\W)?unknown(?:\W.*)?"
    r"|.*\b(?:declined?|refused?|chose not|choose not|prefers? not|wish(?:es)? not|did not"
    r"|does not wish|do not wish|rather not)\b.*)?[^\w]*",
    re.IGNORECASE,
)
_KEPT = 100  # groups that a results file has


def local_law_144(run: Run) -> str:
    """Return the tables of a run as Markdown, one for each test of a rate.

    A test whose settings make other numbers than the rule asks for has its table, below a line that
    says which setting that is. What is missing from the three tables is said at the end.
    """
    return "\n".join(_lines(run)) + "\n"


def _lines(run: Run) -> Iterator[str]:
    yield "# Impact ratios (New York City, Local Law 144)\n"
    yield (
        f"Source: {_quoted(run.warehouse_name)} ({in_text(run.dialect)}),"
        f" {in_time(run.started_at)}, fairsql {in_text(run.fairsql_version)}."
    )
    audited = [test for test in run.tests if _rate_of(test) is not None]
    for test in audited:
        yield from _section(test)
    for rate in dict.fromkeys(map(_rate_of, audited)) or ["rate"]:
        yield from _missing([test for test in audited if _rate_of(test) == rate], rate)
    if others := [test for test in run.tests if test not in audited]:
        names = ", ".join(_quoted(test.name) for test in others)
        yield f"\nNot part of these tables, since they are of no rate: {names}."


def _rate_of(test: TestResult) -> str | None:
    """Return which of the rule's two rates a test compares; none where it is another number."""
    parameters = test.parameters
    if test.type == "group_outcome_disparity":
        return None if parameters.get("stratify_by_columns") else "rate"
    if test.type == "group_score_disparity":
        return "scoring_rate" if parameters.get("statistic") == "scoring_rate" else None
    metric = parameters.get("parity_metric")
    return metric if metric in _RATES else None


def _section(test: TestResult) -> Iterator[str]:
    yield f"\n## {_title(test)}\n"
    yield f"{_quoted(test.name)}, of {_quoted(test.relation)}"
    if where := test.parameters.get("where"):
        yield f"where {_quoted(str(where))}"
    for name, wanted in _SETTINGS.items():
        if name == "higher_is_better" and test.type == "group_outcome_disparity":
            continue  # a favourable outcome is
        if test.parameters.get(name) != wanted:
            yield (
                f"\n**Not as the rule asks:** {name} is {_plain(test.parameters.get(name))},"
                f" and should be {_plain(wanted)}."
            )
    yield from _unknown(test)
    if hidden := [group for group in test.groups if group.suppressed]:
        least = _plain(test.parameters.get("min_reported_rows"))
        yield (
            f"\n**Not as the rule asks:** min_reported_rows is {least}, and hides the"
            f" numbers of {_listed([' / '.join(group.key.values()) for group in hidden])}."
        )
    if test.status in ("skipped", "error"):
        yield f"\n**{test.status.capitalize()}:** {in_text(test.message or '')}"
    if test.groups:
        yield ""
        yield from _table(test)
    yield from _left_out(test)


def _unknown(test: TestResult) -> Iterator[str]:
    """Yield what makes a category of people whose category is unknown."""
    if not test.parameters.get("missing_attribute_values"):
        yield (
            "\n**Not as the rule asks:** missing_attribute_values is empty, so that a value such as"
            " Unknown would be a category of its own. It should list what stands for unknown."
        )
    found = [
        {value for value in group.key.values() if _UNKNOWN.fullmatch(value.strip())}
        for group in test.groups
    ]
    if names := sorted(set().union(*found)):
        verb, they = ("looks", "it") if len(names) == 1 else ("look", "they")
        effect = ""
        if any(
            values and group.is_reference for values, group in zip(found, test.groups, strict=True)
        ):
            effect = " Here every ratio is divided by its rate."
        yield (
            f"\n**These ratios are not those of the rule:** {_listed(names)} {verb} like an unknown"
            f" category, and {they} should not be a category at all.{effect} List"
            f" {'it' if len(names) == 1 else 'them'} in missing_attribute_values and run again."
        )


def _listed(names: list[str]) -> str:
    return ", ".join(map(_quoted, names))


def _title(test: TestResult) -> str:
    columns = test.parameters["protected_attribute_columns"]
    attributes = " and ".join(in_text(str(column)) for column in columns)
    return f"{attributes}: scores" if _rate_of(test) == "scoring_rate" else attributes


def _table(test: TestResult) -> Iterator[str]:
    part = _RATES[_rate_of(test) or "rate"]
    attributes = [in_text(name) for name in test.groups[0].key]
    yield f"| {' | '.join(attributes)} | rows | {part} | rate | impact ratio |"
    yield f"| {'--- | ' * len(attributes)}---: | ---: | ---: | ---: |"
    for group in sorted(test.groups, key=lambda group: tuple(group.key.values())):
        cells = [in_text(value) for value in group.key.values()]
        yield f"| {' | '.join([*cells, *_numbers(test, group)])} |"


def _numbers(test: TestResult, group: GroupResult) -> list[str]:
    if group.suppressed:
        return [in_text(rows_of(test, group)), "–", "–", "–"]
    selected = (group.statistics or {}).get("positives")
    has_ratio = group.sufficient and test.comparison is not None
    ratio = number(group.ratio, padded=True) if has_ratio else "left out"
    rate = "–" if group.value is None else f"{100 * group.value:.2f} %"
    return [number(group.rows), number(selected), rate, ratio]


def _left_out(test: TestResult) -> Iterator[str]:
    """Yield what the table's ratios do not cover, and why."""
    share = test.parameters.get("min_group_share") or 0
    size = test.parameters.get("min_group_size") or 1
    for group in test.groups:
        if group.sufficient or group.suppressed or group.share is None or group.rows is None:
            continue
        name = _quoted(" / ".join(group.key.values()))
        why = (
            f"{_percent(group.share)} of all, and under {_percent(share)}"
            if group.share < share
            else f"under {counted(size, 'row')}"
        )
        yield (
            f"\n{name} is left out of the ratios: it has {counted(group.rows, 'row')}, {why}, so"
            " that its rate says little and would move with a few people."
        )
    if (test.groups_total or 0) > len(test.groups):
        left = counted((test.groups_total or 0) - len(test.groups), "more category")
        yield f"\nThe results file holds {_KEPT} categories, and not {left}."
    columns = " or ".join(in_text(str(c)) for c in test.parameters["protected_attribute_columns"])
    if test.rows.missing_attribute is not None:
        unknown = counted(test.rows.missing_attribute, "row")
        yield f"\nIn no category, since {columns} is unknown: {unknown}."
    if test.rows.missing_metric_inputs:
        what = "a score" if _rate_of(test) == "scoring_rate" else "an outcome"
        yield f"\nWithout {what}, and not counted: {number(test.rows.missing_metric_inputs)}."


def _missing(audited: list[TestResult], rate: str | None) -> Iterator[str]:
    widths = [len(test.parameters["protected_attribute_columns"]) for test in audited]
    alone = widths.count(1)
    if alone < 2 or max(widths, default=0) < 2:
        of_scores = " of scores" if rate == "scoring_rate" else ""
        yield (
            f"\n**Not complete:** the rule asks for three tables{of_scores}: by sex, by race or"
            " ethnicity, and by both together;"
            f" these are {counted(alone, 'table')} of one attribute"
            f" and {len(widths) - alone} of several."
        )


def _quoted(text: str) -> str:
    return f'"{in_text(text)}"'


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _plain(value: object) -> str:
    return "true" if value is True else "false" if value is False else in_text(str(value))
