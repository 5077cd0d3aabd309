"""Metric threshold: metrics over all rows, or those of a filter, each against limits of its own.

The measurements are the metrics themselves. Where the truth has more than two classes and no
``positive_values``, precision, recall, f1 and their geometric mean are macro averages over the
classes, and AUC is the mean over pairs of classes, one versus one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from fairsql.binned import by_method
from fairsql.config.base import Faults, MetricQuestion, Question, Test, Threshold
from fairsql.config.combinations import Fold, attribute_faults, method_faults, unused_methods
from fairsql.config.fields import (
    LIST,
    SCALAR_WORDS,
    Allowed,
    AucMethod,
    Column,
    Level,
    QuantileMethod,
    Values,
    camel_case,
    not_allowed,
)
from fairsql.config.judged import JUDGED, JUDGED_METRICS, judge_faults, judge_of
from fairsql.config.performance import PERFORMANCE_METRICS
from fairsql.config.values import canonical_text
from fairsql.metrics import METRICS

Combination = Literal["alone", "macro", "least", "pairs", "losses"]

_LABELS = ("prediction_column", "ground_truth_column")
_MULTICLASS = ("accuracy", "precision", "recall", "f1", "geometric_mean")
_BY_CLASS = {
    "precision_per_class": "precision",
    "recall_per_class": "recall",
    "f1_per_class": "f1",
}
_REGRESSION = ("mse", "rmse", "mae", "r2", "mape")
_COLUMN = (
    *("mean", "median", "p5", "p10", "p25", "p75", "p90", "p95", "p99"),
    *("sum", "min", "max", "std", "variance"),
    *("distinct_count", "missing_rate", "rate"),
)
_TEXTS = (
    *("exact_match", "quasi_exact_match", "edit_distance", "normalized_edit_distance"),
    *("bleu_1", "bleu_2", "bleu_3", "bleu_4"),
)
_STATISTICS_OF = {
    f"{name}_{what}": (metric, f"{what}_column")
    for what in ("tokens", "latency")
    for name, metric in (
        ("mean", "mean"),
        ("max", "max"),
        ("total", "sum"),
        ("p90", "p90"),
        ("p95", "p95"),
        ("p99", "p99"),
    )
}
_ALIASES = {
    "roc_auc": "auc",
    **{f"mean_bleu{order}": f"bleu_{order}" for order in range(1, 5)},
    **{
        f"mean_{name}": name
        for name in (
            *("exact_match", "quasi_exact_match", "edit_distance", "normalized_edit_distance"),
            *("json_score", "semantic_similarity"),
        )
    },
    "context_relevancy": "context_precision",
}
"""What the reference documents call a metric, in snake case -> its name here."""

MEASURED: tuple[str, ...] = (
    *PERFORMANCE_METRICS,
    "base_rate",
    *_BY_CLASS,
    *("auc", "log_loss", "brier"),
    *_REGRESSION,
    *_COLUMN,
    "count",
    *_TEXTS,
    *("json_score", "semantic_similarity"),
    *_STATISTICS_OF,
    *JUDGED_METRICS,
)
"""Every metric that a threshold may limit."""

_SCORES = ("score_column", "probability_column")
_EMBEDDINGS = ("output_embedding_column", "reference_embedding_column")
_CLASS_SCORES = ("auc", "log_loss")
_COLUMNS = (
    *_LABELS,
    *_SCORES,
    *("value_column", "output_column", "reference_column"),
    *("latency_column", "tokens_column", *_EMBEDDINGS),
)
_APART = (
    *((field, "ground_truth_column") for field in ("prediction_column", *_SCORES)),
    ("output_column", "reference_column"),
    _EMBEDDINGS,
    *((field, "weight_column") for field in _COLUMNS),
)
"""Pairs of fields that must not name one column."""


def _class_scores(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping) or len(value) < 2:
        raise not_allowed()
    if not all(isinstance(column, str) and column.strip() for column in value.values()):
        raise not_allowed()
    columns = {canonical_text(name): column for name, column in value.items()}
    if len(columns) < len(value):
        raise not_allowed()
    return columns


@dataclass(frozen=True)
class Asked:
    """One measurement: the questions it rests on, and how their answers become its value.

    ``alone`` takes the one question's value; ``macro`` and ``least`` are the mean and the least
    over classes of ``metric``, of agreement by true and by predicted class; ``pairs`` is the mean
    of the questions' values; ``losses`` the mean over the rows of all of them.
    """

    measurement: str
    metric: str
    combination: Combination
    questions: tuple[MetricQuestion, ...]


class MetricThreshold(Test):
    """Metrics over all rows, each against limits of its own."""

    measurement_names: ClassVar[tuple[str, ...]] = MEASURED

    type: Annotated[Literal["metric_threshold"], Field(description="The kind of test.")] = (
        "metric_threshold"
    )
    prediction_column: Annotated[
        Column, Field(description="Predicted label, or predicted number for mae, mse and others.")
    ] = None
    ground_truth_column: Annotated[Column, Field(description="True label, or true number.")] = None
    score_column: Annotated[Column, Field(description="Score of the positive class, for auc.")] = (
        None
    )
    probability_column: Annotated[
        Column, Field(description="Probability of the positive class, for log_loss and brier.")
    ] = None
    positive_values: Annotated[
        Values | None,
        LIST,
        Allowed("a list of at least one value", item=SCALAR_WORDS),
        Field(description="Label values that are positive; without any, every class counts."),
    ] = None
    class_score_columns: Annotated[
        dict[str, str] | None,
        PlainValidator(lambda value: None if value is None else _class_scores(value)),
        WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}}),
        Allowed("a mapping of two or more classes, each to the column of its score"),
        Field(description="Class -> column of its probability, for auc and log_loss of many."),
    ] = None
    value_column: Annotated[Column, Field(description="The column that mean and others read.")] = (
        None
    )
    output_column: Annotated[Column, Field(description="Text that a model wrote.")] = None
    reference_column: Annotated[Column, Field(description="Text it is compared with.")] = None
    output_embedding_column: Annotated[
        Column, Field(description="Embedding of the output, a list of numbers.")
    ] = None
    reference_embedding_column: Annotated[
        Column, Field(description="Embedding of the reference, a list of numbers.")
    ] = None
    latency_column: Annotated[Column, Field(description="How long each answer took.")] = None
    tokens_column: Annotated[Column, Field(description="How many tokens each row has.")] = None
    auc_method: AucMethod = "exact"
    quantile_method: QuantileMethod = "exact"
    alpha: Annotated[Level, Field(description="Intervals are at 1 - alpha.")] = 0.05
    thresholds: Annotated[
        tuple[Threshold, ...],
        Field(min_length=1),
        LIST,
        Allowed("a list of thresholds", item="a mapping of measurement, operator and value"),
        Field(description="Limits on metrics; each that is named is computed."),
    ]

    @classmethod
    def measurement_spellings(cls) -> dict[str, str]:
        """Return the metrics' names, and what the reference documents call them."""
        names = {**{name: name for name in MEASURED}, **_ALIASES}
        return {
            spelling: name for own, name in names.items() for spelling in (own, camel_case(own))
        }

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        measurements = dict.fromkeys(
            threshold.measurement for threshold in values.get("thresholds", ())
        )
        used: set[str] = set()
        # Class scores that are at fault themselves are meant all the same.
        meant = set(given) | ({"class_score_columns"} - set(values))
        for name in measurements:
            needed = needed_fields(name, meant)
            used.update(needed)
            for field in needed:
                if field in values and values[field] is None:
                    yield field, f"is required by {name}."
        if measurements and "thresholds" in values:
            for field in (*_COLUMNS, "positive_values", "class_score_columns"):
                if field in given and field not in used:
                    yield field, f"is not used by {', '.join(measurements)}."
            yield from method_faults(
                [METRICS[_metric_of(name)] for name in measurements], values, given
            )
        if "judges" in values:
            yield from judge_faults(measurements, values["judges"])
        if values.get("class_score_columns") and values.get("auc_method") == "binned":
            yield "auc_method", "cannot be binned with class_score_columns, one versus one."
        yield from _same_columns(values)

    def column_faults(self, fold: Fold) -> Faults:
        """Yield the columns that are one by a warehouse's rule for names where two are needed."""
        yield from _same_columns(dict(self), fold)

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return the columns that none of the metrics reads."""
        thresholds = fields.get("thresholds")
        names = cls.measurement_spellings()
        measured = [
            names[threshold["measurement"]]
            for threshold in (thresholds if isinstance(thresholds, list | tuple) else ())
            if isinstance(threshold, Mapping) and threshold.get("measurement") in names
        ]
        given = {field for field, value in fields.items() if value is not None}
        used = {field for name in measured for field in needed_fields(name, given)}
        metrics = [METRICS[_metric_of(name)] for name in measured]
        unused = unused_methods(metrics, fields.get("weight_column"))
        if fields.get("class_score_columns") is not None:
            unused.add("auc_method")
        return {*unused, *({*_COLUMNS, "positive_values", "class_score_columns"} - used)}

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return the name of the first metric."""
        thresholds = fields.get("thresholds")
        if isinstance(thresholds, list | tuple) and thresholds:
            first = thresholds[0]
            if isinstance(first, Mapping):
                return str(first.get("measurement"))
        return "metric_threshold"

    def asked(self) -> tuple[Asked, ...]:
        """Return every measurement that a threshold limits, once, and what it rests on."""
        names = dict.fromkeys(threshold.measurement for threshold in self.thresholds)
        return tuple(self._asked(name) for name in names)

    @property
    def pools_counts(self) -> bool:
        """Whether a measurement is made of several classes."""
        return any(asked.combination != "alone" for asked in self.asked())

    def questions(self) -> tuple[Question, ...]:
        """Return the questions of every measurement, one after the other."""
        return tuple(question for asked in self.asked() for question in asked.questions)

    def _asked(self, name: str) -> Asked:
        if name in _BY_CLASS:
            return Asked(name, _BY_CLASS[name], "least", tuple(self._by_class()))
        if self.class_score_columns and name in _CLASS_SCORES:
            combination: Combination = "pairs" if name == "auc" else "losses"
            return Asked(name, name, combination, tuple(self._by_score(name)))
        if self.positive_values is None and name in _MULTICLASS:
            if name == "accuracy":
                return Asked(name, name, "alone", (self._question("agreement", _LABELS),))
            return Asked(name, name, "macro", tuple(self._by_class()))
        if name in JUDGED:
            return Asked(name, JUDGED[name].metric, "alone", (self._of_judge(name),))
        if name in _STATISTICS_OF:
            metric, field = _STATISTICS_OF[name]
            return Asked(name, metric, "alone", (self._question(metric, (field,)),))
        return Asked(name, name, "alone", (self._question(name, _fields_of(name)),))

    def _question(self, metric: str, fields: Collection[str], **changes: Any) -> MetricQuestion:
        columns = [str(getattr(self, field)) for field in fields]
        return self._question_on(metric, columns, **changes)

    def _question_on(self, metric: str, columns: Collection[str], **changes: Any) -> MetricQuestion:
        entry = by_method(METRICS[metric], vars(self))
        shared: dict[str, Any] = {
            "name": self.name,
            "relation": self.relation,
            "where": self.where,
            "filters": self.filters,
            "weight_column": self.weight_column,
            "metric": entry,
            "higher_better": entry.direction != "lower",
            "input_columns": dict(zip(entry.inputs, columns, strict=True)),
            "protected_attribute_columns": (),
            "alpha": self.alpha,
        }
        if entry.needs_positive_values:
            shared["positive_values"] = self.positive_values
        return MetricQuestion(**{**shared, **changes})

    def _of_judge(self, name: str) -> MetricQuestion:
        judged = JUDGED[name]
        column = judged.column_of(judge_of(name, self.judges))
        changes = {"weight_column": None} if judged.counts_rows else {}
        return self._question_on(
            judged.metric, [column], higher_better=judged.higher_is_better, **changes
        )

    def _by_class(self) -> Iterator[MetricQuestion]:
        """Yield agreement by true class and by predicted class."""
        for field in (_LABELS[1], _LABELS[0]):
            attribute = str(getattr(self, field))
            yield self._question("agreement", _LABELS, protected_attribute_columns=(attribute,))

    def _by_score(self, name: str) -> Iterator[MetricQuestion]:
        """Yield AUC for each ordered pair of classes, or the loss of the rows of each class."""
        columns = dict(self.class_score_columns or {})
        pairs = permutations(columns, 2) if name == "auc" else ((one,) for one in columns)
        for positive, *negatives in pairs:
            yield self._question_on(
                name,
                (columns[positive], str(self.ground_truth_column)),
                positive_values=(positive,),
                negative_texts=tuple(negatives),
            )


def _same_columns(values: Mapping[str, Any], fold: Fold = str) -> Faults:
    """Yield the columns that would be measured against themselves."""
    for roles in _APART:
        yield from attribute_faults(values, fold, roles)
    truth = values.get("ground_truth_column")
    for name, column in (values.get("class_score_columns") or {}).items():
        if truth is not None and fold(column) == fold(truth):
            yield "class_score_columns", f"has ground_truth_column {truth!r} for class {name!r}."


def _metric_of(name: str) -> str:
    """Return the metric in the catalogue that a measurement is, or is made of.

    >>> _metric_of("p95_latency"), _metric_of("recall_per_class"), _metric_of("auc")
    ('p95', 'recall', 'auc')
    """
    if name in JUDGED:
        return JUDGED[name].metric
    return _STATISTICS_OF.get(name, (_BY_CLASS.get(name, name), ""))[0]


def needed_fields(name: str, given: Collection[str]) -> tuple[str, ...]:
    """Return the fields that a measurement reads, some of which depend on what is given.

    >>> needed_fields("recall", {"positive_values"})
    ('prediction_column', 'ground_truth_column', 'positive_values')
    >>> needed_fields("p95_latency", ())
    ('latency_column',)
    """
    if name in _CLASS_SCORES and "class_score_columns" in given:
        return ("class_score_columns", "ground_truth_column")
    if name in JUDGED:
        return ()
    if name in _STATISTICS_OF:
        return (_STATISTICS_OF[name][1],)
    fields = _fields_of(name)
    is_multiclass = name in _MULTICLASS and "positive_values" not in given
    needs_positives = name in (
        *PERFORMANCE_METRICS,
        "base_rate",
        "auc",
        "log_loss",
        "brier",
        "rate",
    )
    return (*fields, "positive_values") if needs_positives and not is_multiclass else fields


def _fields_of(name: str) -> tuple[str, ...]:
    if name in (*PERFORMANCE_METRICS, "base_rate", *_BY_CLASS, *_REGRESSION):
        return _LABELS
    if name in _TEXTS:
        return ("output_column", "reference_column")
    return {
        "auc": ("score_column", "ground_truth_column"),
        "log_loss": ("probability_column", "ground_truth_column"),
        "brier": ("probability_column", "ground_truth_column"),
        "json_score": ("output_column",),
        "semantic_similarity": _EMBEDDINGS,
        "count": (),
    }.get(name, ("value_column",))
