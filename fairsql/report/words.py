"""Results in words: numbers, names, and the one line that says how a test went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult, ThresholdResult, Window

DIGITS = 4

SMALLEST_PROBABILITY = 1e-300
"""P-values are computed with all their digits down to here."""

OPERATORS = {"is": "exactly"}
"""Operators that are no sign, as a sentence has them."""

_OPERATOR_SIGNS = {**OPERATORS, ">=": "≥", "<=": "≤", "!=": "≠"}

LIMITING = ("metric_threshold", "llm_bias", "pairwise_divergence")
"""The types of tests whose measurements are metrics over all rows."""

PAIRED = ("counterfactual_fairness_divergence", "pairwise_divergence")
"""The types of tests of which a row is a pair of answers."""

VALUES = {
    "refusal_rate_disparity": "refusal rate",
    "toxicity_sentiment_disparity": "rate of flagged answers",
    "stereotype_association_score": "rate of stereotyped answers",
    "counterfactual_fairness_divergence": "divergence",
}
"""What a group's value is, for types of tests that make it of texts."""

_COUNTING = ("failing_group_count", "failing_group_percentage")
_HOW_NEAR = ("min_metric_ratio", "max_metric_difference")
_HOW_NEAR_BY_OPERATOR = {
    **dict.fromkeys((">", ">="), ("lowest_group_value",)),
    **dict.fromkeys(("<", "<="), ("highest_group_value",)),
}


def number(value: float | None, digits: int = DIGITS, *, padded: bool = False) -> str:
    """Return a number as tables show it; the results file has every digit.

    Parameters
    ----------
    value
        A count, a measurement or a p-value; ``None`` is shown as a dash.
    digits
        Significant digits, at least 1. Digits before the point are never dropped.
    padded
        True keeps trailing zeros, for numbers that stand below each other.

    Examples
    --------
    >>> [number(value) for value in (7214, 0.36, 12345.678, 5.0684e-38, 0.0, None)]
    ['7,214', '0.36', '12,346', '5.068e-38', '0', '–']
    >>> number(0.523, padded=True)
    '0.5230'
    """
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e15:
        return f"{value:.{digits - 1}e}"
    text = f"{value:#.{digits}g}" if padded else f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e" in text else text.rstrip(".")


def probability(value: float | None, *, padded: bool = False) -> str:
    """Return a p-value as tables show it: what is too small to be known is below a bound.

    >>> [probability(value) for value in (0.0312, 5.0684e-38, 0.0, None)]
    ['0.0312', '5.068e-38', '< 1e-300', '–']
    """
    if value is not None and value < SMALLEST_PROBABILITY:
        return f"< {SMALLEST_PROBABILITY:g}"
    return number(value, padded=padded)


def shown(text: str) -> str:
    r"""Return data as it may be printed: what is invisible or moves the cursor is escaped.

    >>> print(shown("F\x1b[31m\nM"))
    F\x1b[31m\nM
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def sentence(text: str) -> str:
    r"""Return a message on one line.

    >>> sentence("cannot read it:\n  no such table")
    'cannot read it: no such table'
    """
    return shown(" ".join(text.split()))


def shortened(text: str, width: int, ellipsis: str = "…") -> str:
    """Return text of at most ``width`` terminal cells, cut in the middle, where names differ least.

    >>> shortened("Predicted high incomes by race and sex", 21)
    'Predicted…ce and sex'
    """
    if cell_len(text) <= width:
        return text
    room = max(width - cell_len(ellipsis), 0)
    tail = room // 2
    start = set_cell_size(text, room - tail).rstrip()
    end = set_cell_size(text[::-1], tail)[::-1].lstrip()
    return start + ellipsis + end


def key(values: Mapping[str, str]) -> str:
    """Return a group's name: its attributes' values; without attributes it is all rows.

    >>> key({"race": "Black", "sex": "Female"}), key({})
    ('Black / Female', 'all rows')
    """
    return " / ".join(shown(value) for value in values.values()) or "all rows"


def remark(group: GroupResult) -> str:
    """Return the word or two that say how a group fared, if there is anything to say."""
    if group.is_reference:
        return "reference"
    if group.failed:
        return "failed"
    if not group.sufficient:
        return "too few rows"
    if group.value_reason is not None:
        return reason(group)
    return "significant" if group.significant else ""


def reason(group: GroupResult) -> str:
    """Return in words why a group has no value."""
    return shown((group.value_reason or "").replace("_", " "))


def rows_of(test: TestResult, group: GroupResult) -> str:
    """Return a group's rows, of which a suppressed group has a bound."""
    if group.suppressed:
        return shown(f"< {test.parameters.get('min_reported_rows')}")
    return number(group.rows)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "group"), counted(1200, "group"), counted(20, "more category")
    ('1 group', '1,200 groups', '20 more categories')
    """
    if count == 1:
        return f"{count:,} {noun}"
    is_ies = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{count:,} {noun[:-1]}ies" if is_ies else f"{count:,} {noun}s"


def headline(test: TestResult) -> str:
    """Return the line that says how a test went.

    That is, of a failed test its broken thresholds, of a passed one what was measured, and else the
    reason why there is no verdict.
    """
    if test.message is not None:
        return sentence(test.message)
    if test.status == "failed":
        return "; ".join(_broken(limit) for limit in test.thresholds if limit.passed is False)
    observed = {limit.measurement: limit.observed for limit in test.thresholds}
    if set(observed) <= set(_COUNTING):
        # That nobody fails says nothing of how near it was.
        names = _HOW_NEAR_BY_OPERATOR.get(str(test.parameters.get("operator")), _HOW_NEAR)
        near = next((name for name in names if test.measurements.get(name) is not None), None)
        if near is not None:
            observed[near] = test.measurements[near]
    return ", ".join(
        f"{name} {number(value)}" for name, value in observed.items() if value is not None
    )


def _broken(limit: ThresholdResult) -> str:
    operator = OPERATORS.get(limit.operator, limit.operator)
    observed, value = numbers_apart(limit)
    return f"{limit.measurement} {observed}, wants {operator} {value}"


def numbers_apart(limit: ThresholdResult) -> tuple[str, str]:
    """Return what a threshold observed and its limit, with the digits that tell the two apart.

    0.79996 is below 0.8, and must not be shown as 0.8.
    """
    digits = DIGITS
    if limit.observed != limit.value:
        while digits < 17 and number(limit.observed, digits) == number(limit.value, digits):
            digits += 1
    return number(limit.observed, digits), number(limit.value, digits)


def asked(test: TestResult) -> str:
    """Return what a test computes: metrics, columns, relation and filter."""
    parameters = test.parameters
    columns = [
        str(value)
        for name, value in parameters.items()
        if name.endswith("_column") and name != "timestamp_column" and value
    ]
    if not parameters:
        return sentence(f"{test.type} in {test.relation}")
    columns += map(str, (parameters.get("class_score_columns") or {}).values())
    if test.type in LIMITING:
        columns += (str(one.get("name")) for one in parameters.get("judges") or ())
    text = f"{', '.join(_metrics(test))}({', '.join(columns) or '*'})"
    if test.type == "counterfactual_fairness_divergence":
        text += f" <= {number(parameters.get('max_divergence'))}"
    if test.type == "group_column_statistic":
        text += f" {parameters.get('operator')} {number(parameters.get('value'))}"
    if (least := parameters.get("decision_threshold")) is not None:
        text += f" at {number(least)} or more"
    if parameters.get("per_class"):
        text += " of each class"
    if parameters.get("average"):
        text += f", {parameters['average']} average"
    if method := approximate_method(test):
        text += f", {method},"
    text += f" in {test.relation}"
    if strata := parameters.get("stratify_by_columns"):
        text += f" within each {', '.join(map(str, strata))}"
    condition = condition_of(test)
    text = f"{text} where {condition}" if condition else text
    return sentence(f"{text}, {window_words(test.window)}" if test.window else text)


def condition_of(test: TestResult) -> str:
    """Return which rows of the relation a test is about; nothing when it is about all."""
    where = test.parameters.get("where")
    filters = test.parameters.get("filters")
    parts = [str(where)] if where else []
    parts += [
        f"{one.get('column')} {one.get('operator')} {one.get('value')}"
        for one in (filters if isinstance(filters, list) else ())
        if isinstance(one, Mapping)
    ]
    return " and ".join(parts)


def size(test: TestResult) -> str:
    """Return how many groups a test has, or metrics where it is of all rows; "" if not known."""
    if test.type in LIMITING:
        return counted(len(_limited(test)), "metric")
    return "" if test.groups_total is None else counted(test.groups_total, "group")


def _limited(test: TestResult) -> list[str]:
    return list(dict.fromkeys(limit.measurement for limit in test.thresholds))


def _metrics(test: TestResult) -> list[str]:
    """Return the names of what a test computes, as its suite has them."""
    parameters = test.parameters
    if test.type in LIMITING:
        return _limited(test)
    if named := parameters.get("performance_metrics"):
        return list(map(str, named))
    if named := VALUES.get(test.type):
        return [named.replace(" ", "_")]
    own = parameters.get("parity_metric") or parameters.get("statistic")
    return [str(own or (test.metric.name if test.metric else "") or "rate")]


def names_of(tests: Sequence[TestResult]) -> list[str]:
    """Return the tests' names; where one was run for several windows, with the window's end."""
    counts = Counter(test.name for test in tests)
    return [
        f"{test.name} (until {test.window.end})"
        if test.window and counts[test.name] > 1
        else test.name
        for test in tests
    ]


def told_apart(tests: Sequence[TestResult]) -> list[TestResult]:
    """Return the tests with the names of :func:`names_of`."""
    named = zip(tests, names_of(tests), strict=True)
    return [test if test.name == name else replace(test, name=name) for test, name in named]


def window_words(window: Window) -> str:
    """Return which rows a window holds.

    >>> from fairsql.results import Window
    >>> window_words(Window("2024-03-01T00:00:00Z", "2024-03-08T00:00:00Z", "asked_at"))
    'asked_at from 2024-03-01T00:00:00Z until 2024-03-08T00:00:00Z'
    """
    return f"{window.timestamp_column} from {window.start} until {window.end}"


def sample_words(test: TestResult) -> str:
    """Return which rows of a window a test is of, and what weighs them; "" for all, alike.

    Of values that are computed approximately it says that too.
    """
    window = "" if test.window is None else f" of {window_words(test.window)}"
    if method := approximate_method(test):
        rows = f"Rows{window}. " if window else ""
        return sentence(f"{rows}Values are approximate, within their bounds ({method}).")
    if test.approximate:
        weights = shown(str(test.parameters.get("weight_column")))
        return sentence(
            f"Rows{window}{',' if window else ''} weighted by {weights}: p-values and intervals"
            " are approximate."
        )
    return sentence(f"Rows{window}.") if window else ""


def approximate_method(test: TestResult) -> str:
    """Return the field and the method by which values are approximate; "" where they are not."""
    if not test.approximate or test.parameters.get("weight_column") is not None:
        return ""
    chosen = {name: test.parameters.get(name) for name in ("auc_method", "quantile_method")}
    return " and ".join(
        f"{name} {method}" for name, method in chosen.items() if method not in (None, "exact")
    )


def operator_sign(operator: str) -> str:
    """Return an operator as a sign, for what is not written in a terminal.

    >>> operator_sign(">="), operator_sign("is"), operator_sign("<")
    ('≥', 'exactly', '<')
    """
    return _OPERATOR_SIGNS.get(operator, shown(operator))


def moment(text: str) -> str:
    """Return a time of the results file as people write it.

    >>> moment("2026-11-30T09:05:00Z")
    '30 November 2026, 09:05 UTC'
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return shown(text)
    return f"{found.day} {found:%B %Y, %H:%M} UTC"
