"""The sentences of a verdict: why a test is skipped, and what a reader should know besides."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairsql.metrics import NUMERIC_INPUTS
from fairsql.weighted import LARGEST_WEIGHT, SMALLEST_WEIGHT

if TYPE_CHECKING:
    from fairsql.config import Question, Test
    from fairsql.config.filters import Filter
    from fairsql.results import GroupResult, TestStatistics, Window

MAX_GROUPS = 1000


@dataclass(frozen=True)
class Skip:
    """Why a test has no verdict: the code of SPEC and a sentence that names what is at fault."""

    reason: str
    message: str


def column_missing(column: str, relation: str, hint: str) -> Skip:
    """Return the skip for a column that the relation does not have."""
    return Skip("column_missing", f"{relation} has no column {column!r}.{hint}")


def column_not_numeric(
    test: Question, column: str, type_name: str, *, is_parity: bool = True
) -> Skip:
    """Return the skip for a column that must be a number and is none.

    A test that ``is_parity`` may choose the metric rate for it.
    """
    has_rate = is_parity and "value_column" in test.metric.inputs
    other = "use the metric rate, or " if has_rate else ""
    return Skip(
        "column_not_numeric",
        f"{test.metric.label} needs a number, but column {column!r} is {type_name}:"
        f" {other}cast it to a number.",
    )


def weight_not_numeric(column: str, type_name: str) -> Skip:
    """Return the skip for a column of weights that are no numbers."""
    return Skip(
        "column_not_numeric",
        f"a weight is a number, but column {column!r} is {type_name}: cast it to a number.",
    )


def filter_not_numeric(one: Filter, type_name: str) -> Skip:
    """Return the skip for a filter that orders numbers in a column that holds none."""
    return Skip(
        "column_not_numeric",
        f"the filter {one} needs a number, but column {one.column!r} is {type_name}.",
    )


def filter_not_timestamp(one: Filter, type_name: str) -> Skip:
    """Return the skip for a filter that orders times in a column that holds none."""
    return Skip(
        "column_not_timestamp",
        f"the filter {one} needs a date or a timestamp, but column {one.column!r} is {type_name}.",
    )


def not_available(test: Question, lacking: str) -> Skip:
    """Return the skip for a metric whose function the warehouse lacks, in the words of why."""
    return Skip("not_available", f"{test.metric.label} is not available: {lacking}.")


def column_not_timestamp(column: str, type_name: str) -> Skip:
    """Return the skip for a column that must say when a row happened and does not."""
    return Skip(
        "column_not_timestamp",
        f"a window needs a timestamp or a date, but column {column!r} is {type_name}: cast it to a"
        " timestamp, in a view or in a select as the relation.",
    )


def no_rows(test: Question | Test, window: Window | None = None) -> Skip:
    """Return the skip for a relation that has no rows, or none that a filter and a window leave."""
    conditions = [test.where] if test.where else []
    conditions += map(str, test.filters)
    condition = f" where {' and '.join(conditions)}" if conditions else ""
    if window is not None:
        condition += f" with {window.timestamp_column} from {window.start} until {window.end}"
    return Skip("no_rows", f"{test.relation} has no rows{condition}.")


def before_groups(test: Question, whole: Mapping[str, Any]) -> Skip | None:
    """Return the first reason that the whole gives, before any group is looked at."""
    if not whole["rows_total"]:
        return no_rows(test)
    for number, (role, column) in enumerate(test.input_columns.items(), 1):
        if not whole[f"input_{number}_rows"]:
            or_zero = " or 0" if test.metric.inputs[role] == "nonzero" else ""
            return Skip(
                "column_all_missing", f"every value of column {column!r} is missing{or_zero}."
            )
    for number, column in enumerate(test.protected_attribute_columns, 1):
        if not whole[f"attribute_{number}_rows"]:
            return Skip("column_all_missing", f"every value of column {column!r} is missing.")
    return _bad_numbers(test, whole) or _bad_weights(test, whole) or _no_groups(test, whole)


def _bad_numbers(test: Question, whole: Mapping[str, Any]) -> Skip | None:
    if count := whole.get("infinite_rows"):
        return Skip(
            "infinite_values",
            f"{_rows(count)} {_hold(count)} an infinite value in {_number_columns(test)},"
            " or one whose square no number can hold.",
        )
    if count := whole.get("out_of_range_rows"):
        return Skip(
            "probability_out_of_range",
            f"{_rows(count)} {_hold(count)} a probability below 0 or above 1"
            f" in {_number_columns(test)}.",
        )
    return None


def _bad_weights(test: Question, whole: Mapping[str, Any]) -> Skip | None:
    count = whole.get("bad_weight_rows")
    if test.weight_column is None or not count:
        return None
    return Skip(
        "bad_weights",
        f"{_rows(count)} {_hold(count)} no usable weight in column {test.weight_column!r}: a weight"
        f" is 0, or a number from {SMALLEST_WEIGHT:g} to {LARGEST_WEIGHT:g}.",
    )


def _number_columns(test: Question) -> str:
    kinds = test.metric.inputs
    columns = [
        column for role, column in test.input_columns.items() if kinds[role] in NUMERIC_INPUTS
    ]
    return f"column {_listed(columns, word='or')}"


def _no_groups(test: Question, whole: Mapping[str, Any]) -> Skip | None:
    if not whole["evaluated"]:
        return Skip(
            "no_evaluated_rows",
            f"none of {_rows(whole['rows_total'])} has every metric input and every attribute.",
        )
    if whole["groups_total"] > MAX_GROUPS:
        columns = test.protected_attribute_columns
        values = _listed(columns) if columns else "classes"
        return Skip(
            "too_many_groups",
            f"the values of {values} form {whole['groups_total']:,} groups; at most"
            f" {MAX_GROUPS:,} are compared. Is one of them an identifier?",
        )
    return None


def absent_class(
    test: Question, whole: Mapping[str, Any], kinds: Mapping[str, str | None]
) -> Skip | None:
    """Return the skip for a positive, or for AUC a negative, that never occurs."""
    role = test.metric.positive_input
    if role is None or not test.positive_texts:
        return None  # nothing was named: each class that occurs is the positive one in turn
    column = test.input_columns[role]
    positives = whole["tp"] + whole["fn"] if _has_cells(test) else whole["positives"]
    if not positives and whole.get("pair_rows") != whole["evaluated"]:
        advice = ""
        if kinds.get(column) == "text" and any(
            isinstance(value, bool) for value in test.positive_values or ()
        ):
            advice = " Quote the value if the text yes, no, true or false is meant."
        return Skip(
            "positive_class_absent",
            f"column {column!r} never holds {_listed(test.positive_texts, word='or')} in an"
            f" evaluated row; it holds {_span(whole)}.{advice}",
        )
    if positives == whole["evaluated"] and test.negative_texts:
        absent = _listed(test.negative_texts, word="or")
        return Skip("negative_class_absent", f"column {column!r} never holds {absent}.")
    if positives == whole["evaluated"] and test.metric.name == "auc":
        return Skip(
            "negative_class_absent",
            f"column {column!r} holds nothing but positives in the evaluated rows: {_span(whole)}.",
        )
    return None


def notes(
    test: Question,
    statistics: TestStatistics,
    groups: Sequence[GroupResult],
    *,
    compared: int,
    tested: bool,
) -> Iterator[str]:
    """Yield what a reader should know besides the verdict."""
    whole = statistics.whole
    for number, value in enumerate(dict.fromkeys(map(str, test.missing_attribute_values)), 1):
        if count := whole.get(f"listed_{number}_rows"):
            yield (
                f"{_rows(count)} {_hold(count)} the attribute value {value!r},"
                " which counts as missing."
            )
    if count := whole.get("unclassed_rows"):
        yield (
            f"{_rows(count)} {_hold(count)} none of the classes of class_score_columns in column"
            f" {test.input_columns['ground_truth_column']!r}, and {'is' if count == 1 else 'are'}"
            " left out."
        )
    yield from _label_notes(test, whole)
    yield from _weight_notes(test, whole)
    yield from _spelling_notes(statistics)
    if test.comparison == "overall" and any((group.share or 0) > 0.5 for group in groups):
        yield (
            "One group holds more than half of all rows, so the value over all rows is mostly"
            " its own."
        )
    if (
        tested
        and test.reference_strategy == "highest"
        and test.comparison == "reference"
        and compared >= 3
    ):
        yield (
            "The reference group was chosen from the same data as the best of all groups;"
            " the p-values and their adjustment do not cover that choice."
        )
    for group in groups:
        if group.suppressed or not group.sufficient or group.value is None:
            continue
        base = int(group.denominator or 0)
        if base < test.min_group_size:
            yield (
                f"The value of group {_key(group)} rests on {_counted(base, _unit(test))},"
                f" fewer than min_group_size ({test.min_group_size})."
            )
    hidden = [group for group in groups if group.suppressed]
    if hidden:
        yield (
            f"Groups of fewer than {test.min_reported_rows} rows are not shown;"
            " min_group_share and worst_group_value may still come from one of them, and their"
            " numbers may follow from the totals."
        )
    if any(group.sufficient for group in hidden):
        yield (
            "A group that is not shown was compared all the same, so that its numbers may follow"
            " from measurements, and from other groups' ratios and gaps: a min_group_size of"
            f" {test.min_reported_rows} or more keeps it out of them."
        )


def _label_notes(test: Question, whole: Mapping[str, Any]) -> Iterator[str]:
    if test.metric.positive_input is None:
        return
    for number, column in enumerate(test.input_columns.values(), 1):
        if count := whole.get(f"blank_{number}"):
            yield (
                f"{_rows(count)} {_hold(count)} blank text in column {column!r},"
                " which counts as a negative."
            )
    column = test.input_columns[test.metric.positive_input]
    if whole.get("found_1") is not None:
        absent = [
            text
            for number, text in enumerate(test.positive_texts, 1)
            if not whole.get(f"found_{number}")
        ]
        if absent and len(absent) < len(test.positive_texts):
            yield (
                f"Column {column!r} never holds {_listed(absent, word='or')},"
                " though other positive values occur."
            )
    if _has_cells(test) and whole.get("tp") == whole.get("fp") == 0:
        prediction = test.input_columns["prediction_column"]
        yield f"Column {prediction!r} never holds a positive value in an evaluated row."


def _weight_notes(test: Question, whole: Mapping[str, Any]) -> Iterator[str]:
    if test.weight_column is None:
        return
    yield (
        f"Rows are weighted by column {test.weight_column!r}. P-values and intervals rest on Kish's"
        " effective sizes and are approximate; counts are of rows."
    )
    if count := whole.get("zero_weight_rows"):
        yield (
            f"{_rows(count)} {'has' if count == 1 else 'have'} the weight 0 in column"
            f" {test.weight_column!r} and {'is' if count == 1 else 'are'} left out."
        )


def _spelling_notes(statistics: TestStatistics) -> Iterator[str]:
    keys = [group.key for group in statistics.groups]
    for fold, difference in (
        (str.casefold, "letter case"),
        (lambda text: unicodedata.normalize("NFC", text), "Unicode normalisation"),
    ):
        seen: dict[tuple[str, ...], tuple[str, ...]] = {}
        for key in keys:
            twin = seen.setdefault(tuple(map(fold, key)), key)
            if twin != key:
                yield (
                    f"Groups {_joined(twin)} and {_joined(key)} differ in {difference} alone;"
                    " they are kept apart."
                )
                break


def _has_cells(test: Question) -> bool:
    """Say so by the metric: in a scan of several, the counts of the others are there too, as 0."""
    return "tp" in test.metric.family.statistics


def _span(whole: Mapping[str, Any]) -> str:
    low, high = whole.get("label_minimum"), whole.get("label_maximum")
    if low is None:
        return "no value there"
    return f"{low!r} only" if low == high else f"values from {low!r} to {high!r}"


def _key(group: GroupResult) -> str:
    return _joined(tuple(group.key.values()))


def _joined(key: tuple[str, ...]) -> str:
    return " / ".join(map(repr, key))


def _unit(test: Question) -> str:
    return "pair of a positive and a negative" if test.metric.name == "auc" else "row"


def _rows(count: int) -> str:
    return _counted(count, "row")


def _counted(count: int, noun: str) -> str:
    first, *rest = noun.split()
    return f"{count:,} {' '.join([first if count == 1 else first + 's', *rest])}"


def _hold(count: int) -> str:
    return "holds" if count == 1 else "hold"


def _listed(texts: Sequence[str], word: str = "and") -> str:
    shown = [repr(text) for text in texts]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {word} {shown[-1]}"
