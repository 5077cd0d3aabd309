"""The tests that compare groups by other names: each is some tests of one metric on changed rows.

A stratum is a part of the rows, a class is a column of its own, a score from a threshold on is a
prediction: so that :func:`judge_reading` judges every one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from math import prod
from statistics import fmean
from typing import TYPE_CHECKING, Any

from .canonical import attribute_key, configured_text, is_missing
from .further import EVERY_METRIC, Number
from .judge import DEFAULTS, judge_reading, with_defaults
from .reading import Reading, Row, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from .metrics import Inputs, Metric
    from .reading import Key, Table

CRITERIA = {
    "equalized_odds": ("recall", "false_positive_rate"),
    "equal_opportunity": ("recall",),
    "predictive_parity": ("precision",),
    "demographic_parity": ("selection_rate",),
}
# A class or a favourable value that does not occur here occurs elsewhere, and is no misspelling.
_OF_CLASSES = ("positive_class_absent", "negative_class_absent")
_DECISION = "the decision"


@dataclass(frozen=True)
class Part:
    """What one metric says of one stratum or class: the result of a test of it alone."""

    metric: str
    result: Mapping[str, Any]
    stratum: Mapping[str, str] | None = None
    positive_class: str | None = None


@dataclass(frozen=True)
class Question:
    """A table and a test of one metric of it, the defaults filled in."""

    table: Table
    kinds: Mapping[str, str]
    test: Mapping[str, Any]

    @property
    def metric(self) -> Metric:
        return EVERY_METRIC[self.test["parity_metric"]]

    def read(self, **changes: Any) -> Reading:
        return read(self.table, self.kinds, {**self.test, **changes}, self.metric)

    def judge(self, reading: Reading) -> dict[str, Any]:
        return judge_reading(reading, self.kinds, self.test)


def parts_of(
    table: Table, kinds: Mapping[str, str], test: Mapping[str, Any]
) -> tuple[list[Part], Reading]:
    """Return the parts of a test that compares groups, and the rows as all of it reads them."""
    match test["type"]:
        case "group_outcome_disparity":
            changes = {
                "parity_metric": "rate",
                "value_column": test["outcome_column"],
                "positive_values": test["favorable_values"],
                "higher_is_better": True,
            }
            question = Question(table, kinds, _of_one_metric(test, **changes))
            if test.get("stratify_by_columns"):
                return _strata(question, test["stratify_by_columns"])
            return _alone(question)
        case "group_score_disparity":
            statistic = test.get("statistic", "mean")
            changes = {"parity_metric": statistic, "value_column": test["score_column"]}
            return _alone(Question(table, kinds, _of_one_metric(test, **changes)))
    return _performances(table, kinds, test)


def _of_one_metric(test: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    shared = {
        name: value
        for name, value in test.items()
        if name in {*DEFAULTS, "protected_attribute_columns"} - {"thresholds"}
    }
    return with_defaults({**shared, **changes})


def _alone(question: Question) -> tuple[list[Part], Reading]:
    reading = question.read()
    return [Part(question.test["parity_metric"], question.judge(reading))], reading


def _with(table: Table, **columns: Sequence[object]) -> Table:
    return {**table, **columns}


# --- strata ------------------------------------------------------------------------------------


def _strata(question: Question, columns: Sequence[str]) -> tuple[list[Part], Reading]:
    attributes = [*columns, *question.test["protected_attribute_columns"]]
    whole = question.read(protected_attribute_columns=attributes)
    if whole.reason:
        return [Part("rate", question.judge(whole))], whole
    width = len(columns)
    parts = []
    for stratum in sorted({key[:width] for key in whole.groups}):
        result = question.judge(_stratum(whole, stratum))
        named = dict(zip(columns, stratum, strict=True))
        parts.append(Part("rate", _as_of_all_rows(result, whole), named))
    return parts, whole


def _stratum(whole: Reading, stratum: Key) -> Reading:
    width = len(stratum)

    def within(found: Mapping[Key, Any]) -> dict[Key, Any]:
        return {key[width:]: value for key, value in found.items() if key[:width] == stratum}

    def is_own(row: Row) -> bool:
        return row.complete and row.attributed and row.attributes[:width] == stratum

    rows = [row for row in whole.rows if is_own(row)]
    return Reading(rows, None, within(whole.groups), within(whole.incomplete))


def _as_of_all_rows(result: Mapping[str, Any], whole: Reading) -> dict[str, Any]:
    """Rows that lack an attribute are in no stratum, so they are counted for all."""
    counts = whole.counts
    rate = counts["missing_attribute"] / (counts["evaluated"] + counts["missing_attribute"])
    measurements = dict(result["measurements"])
    if measurements:
        measurements["missing_attribute_rate"] = rate
    return {**result, "rows": counts, "measurements": measurements}


def pooled_tables(
    whole: Reading, width: int, least: int
) -> tuple[dict[Key, tuple[int, int]], dict[Key, dict[Key, tuple[int, int]]]]:
    """Return positives and rows of each group of enough rows, and of all by stratum and group."""
    totals: dict[Key, tuple[int, int]] = {}
    strata: dict[Key, dict[Key, tuple[int, int]]] = {}
    for key, inputs in whole.groups.items():
        counted = sum(bool(x) for (x,) in inputs), len(inputs)
        strata.setdefault(key[:width], {})[key[width:]] = counted
        before = totals.get(key[width:], (0, 0))
        totals[key[width:]] = before[0] + counted[0], before[1] + counted[1]
    return {key: n for key, n in totals.items() if n[1] >= least}, strata


# --- performance -------------------------------------------------------------------------------


def metrics_of(named: Sequence[str]) -> list[str]:
    """Return the metrics that are named, those of the criteria among them, each once."""
    return list(dict.fromkeys(m for name in named for m in CRITERIA.get(name, (name,))))


def _performances(
    table: Table, kinds: Mapping[str, str], test: Mapping[str, Any]
) -> tuple[list[Part], Reading]:
    metrics = metrics_of(test["performance_metrics"])
    columns = {
        "prediction_column": test.get("prediction_column"),
        "ground_truth_column": test["ground_truth_column"],
    }
    if test.get("per_class") or test.get("average"):
        return _classes(table, kinds, _of_one_metric(test, **columns), metrics, test)
    if columns["prediction_column"] is None:
        positive = configured_text(test["positive_values"][0], "text")
        scores: Sequence[Any] = table[test["score_column"]]
        decisions = [
            None if is_missing(x) else positive if x >= test["decision_threshold"] else "\0"
            for x in scores
        ]
        table, kinds = _with(table, **{_DECISION: decisions}), {**kinds, _DECISION: "text"}
        columns["prediction_column"] = _DECISION
    parts = []
    for metric in metrics:
        question = Question(table, kinds, _of_one_metric(test, parity_metric=metric, **columns))
        (part,), reading = _alone(question)
        parts.append(part)
    return parts, reading


def _classes(
    table: Table,
    kinds: Mapping[str, str],
    shared: Mapping[str, Any],
    metrics: Sequence[str],
    test: Mapping[str, Any],
) -> tuple[list[Part], Reading]:
    labels = {
        shared[field]: [attribute_key(x, frozenset()) for x in table[shared[field]]]
        for field in ("prediction_column", "ground_truth_column")
    }
    kinds = {**kinds, **dict.fromkeys(labels, "text")}
    table = _with(table, **labels)
    test_of = {**shared, "parity_metric": "accuracy"}
    whole = Question(table, kinds, test_of).read()
    if whole.reason and whole.reason not in _OF_CLASSES:
        return [Part(metrics[0], Question(table, kinds, test_of).judge(whole))], whole
    names = sorted(
        {
            str(name)
            for row, *both in zip(whole.rows, *labels.values(), strict=True)
            if row.complete and row.attributed
            for name in both
        }
    )
    if test.get("average"):
        rows = _labelled(whole, list(zip(*labels.values(), strict=True)))
        return [
            Part(metric, _macro(metric, rows, Question(table, kinds, test_of), names))
            for metric in metrics
        ], replace(whole, reason=None)
    parts = []
    for metric in metrics:
        for name in names:
            changed = {
                column: [None if x is None else str(int(x == name)) for x in values]
                for column, values in labels.items()
            }
            question = Question(
                _with(table, **changed),
                kinds,
                {**shared, "parity_metric": metric, "positive_values": ["1"]},
            )
            reading = replace(question.read(), reason=None)
            parts.append(Part(metric, question.judge(reading), positive_class=name))
    return parts, replace(whole, reason=None)


def _labelled(whole: Reading, labels: Sequence[Any]) -> Reading:
    """Return the rows with their two classes as inputs."""
    groups: dict[Key, list[Inputs]] = {}
    for row, both in zip(whole.rows, labels, strict=True):
        if row.complete and row.attributed:
            groups.setdefault(tuple(map(str, row.attributes)), []).append(both)
    return replace(whole, reason=None, groups=groups)


_numbers = count()


def _macro(metric: str, rows: Reading, question: Question, names: Sequence[str]) -> dict[str, Any]:
    """Judge the mean over the classes for which a metric is defined."""
    # The geometric mean of the averages, as its factors are averages themselves.
    factors = ("precision", "recall") if metric == "geometric_mean" else (metric,)

    def averaged(of_class: Metric, inputs: Sequence[Inputs]) -> float | None:
        values = [
            of_class.sample([(p == name, y == name) for p, y in inputs]).value for name in names
        ]
        known = [value for value in values if value is not None]
        return fmean(known) if known else None

    def sample(inputs: Sequence[Inputs]) -> Number:
        values = [averaged(EVERY_METRIC[factor], inputs) for factor in factors]
        known = [value for value in values if value is not None]
        value = prod(known) ** (1 / len(factors)) if len(known) == len(factors) else None
        return Number(value, len(inputs), is_exact=False)

    entry = replace(EVERY_METRIC[metric], sample=sample)
    name = f"macro {metric} {next(_numbers)}"
    EVERY_METRIC[name] = entry
    try:
        return replace(question, test={**question.test, "parity_metric": name}).judge(rows)
    finally:
        del EVERY_METRIC[name]


def each_part(parts: Sequence[Part], of: Callable[[Part], Any]) -> Iterator[Any]:
    """Yield what is asked of each part that has a verdict."""
    return (of(part) for part in parts if not part.result["reason"])
