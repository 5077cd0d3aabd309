"""Group performance parity: how well a classifier works for each group, by one or more metrics."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from fairsql.config.fields import LIST, SCALAR_WORDS, Allowed, Column, Text, Values, not_allowed
from fairsql.config.grouped import ComparedTest, by_attributes
from fairsql.metrics import MEASUREMENTS, METRICS, Metric

if TYPE_CHECKING:
    from fairsql.config.base import Faults, MetricQuestion, Question

PERFORMANCE_METRICS = (
    "accuracy",
    "precision",
    "recall",
    "specificity",
    "false_positive_rate",
    "false_negative_rate",
    "false_discovery_rate",
    "false_omission_rate",
    "npv",
    "f1",
    "balanced_accuracy",
    "geometric_mean",
    "selection_rate",
)
"""The metrics of a classifier that groups can be compared by."""

CRITERIA: Mapping[str, tuple[str, ...]] = {
    "equalized_odds": ("recall", "false_positive_rate"),
    "equal_opportunity": ("recall",),
    "predictive_parity": ("precision",),
    "demographic_parity": ("selection_rate",),
}
"""Each named criterion of fairness -> the metrics that must be alike; the worst one counts."""

_NAMES = (*PERFORMANCE_METRICS, *CRITERIA)


def _known(name: str) -> str:
    if name not in _NAMES:
        raise not_allowed()
    return name


class GroupPerformanceParity(ComparedTest):
    """The metrics of a classifier compared across groups."""

    measurement_names: ClassVar[tuple[str, ...]] = (
        *MEASUREMENTS,
        *(f"{name}_{what}" for name in _NAMES for what in ("difference", "ratio")),
    )

    type: Annotated[Literal["group_performance_parity"], Field(description="The kind of test.")] = (
        "group_performance_parity"
    )
    performance_metrics: Annotated[
        tuple[
            Annotated[str, AfterValidator(_known), Field(json_schema_extra={"enum": list(_NAMES)})],
            ...,
        ],
        Field(min_length=1),
        LIST,
        Allowed(
            "a list of metrics and criteria",
            item=f"one of {', '.join(_NAMES)}",
            choices=_NAMES,
        ),
        Field(description="Metrics of a classifier, and criteria of fairness made of them."),
    ]
    prediction_column: Annotated[Column, Field(description="Predicted label.")] = None
    score_column: Annotated[
        Column, Field(description="Score of the positive class, in place of the prediction.")
    ] = None
    decision_threshold: Annotated[
        float | None,
        Allowed("a finite number"),
        Field(
            allow_inf_nan=False, description="A score of at least this is a positive prediction."
        ),
    ] = None
    ground_truth_column: Annotated[Text, Allowed("a column name"), Field(description="True label.")]
    positive_values: Annotated[
        Values | None,
        LIST,
        Allowed("a list of at least one value", item=SCALAR_WORDS),
        Field(description="Label values that are positive, matched as text; the rest is negative."),
    ] = None
    per_class: Annotated[
        bool,
        Allowed("true or false"),
        Field(description="Each class in turn is the positive one, instead of positive_values."),
    ] = False
    average: Annotated[
        Literal["macro"] | None,
        Allowed("macro"),
        Field(description="The mean over classes, each in turn the positive one."),
    ] = None
    higher_is_better: Annotated[
        bool | None,
        Allowed("true or false"),
        Field(description="Whether being selected is good for who is; for selection_rate alone."),
    ] = None

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        named = values.get("performance_metrics", ())
        compared = list(_metrics(named))
        if values.get("average"):
            compared = [
                replace(metric, name=f"macro-averaged {metric.name}", p_value=None)
                for metric in compared
            ]
        yield from cls.compared_faults(compared, values, given)
        yield from _repeated(named)
        yield from _prediction_faults(values, given)
        yield from _class_faults(values, given)
        yield from _direction_faults(named, values, given)
        for threshold in values.get("thresholds", ()):
            name = threshold.measurement.removesuffix("_difference").removesuffix("_ratio")
            computed = {metric.name for metric in _metrics(named)}
            if name in _NAMES and named and not computed.issuperset(CRITERIA.get(name, (name,))):
                yield "thresholds", f"limits {threshold.measurement}, but {name} is not computed."

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return the fields that others leave without a use."""
        unused = {*super().unused(fields)}
        if fields.get("per_class") or fields.get("average"):
            unused.add("positive_values")
        if fields.get("prediction_column") is not None:
            unused.update(("score_column", "decision_threshold"))
        named = fields.get("performance_metrics")
        if isinstance(named, list | tuple) and not _needs_direction(named):
            unused.add("higher_is_better")
        return unused

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return a name of metrics and attributes."""
        metrics, by = fields.get("performance_metrics"), by_attributes(fields)
        if not isinstance(metrics, list) or not by:
            return "group_performance_parity"
        return f"{', '.join(map(str, metrics))} parity{by}"

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that are computed, those of the criteria among them, each once."""
        return tuple(_metrics(self.performance_metrics))

    def computed_metrics(self) -> dict[str, tuple[str, ...]]:
        """Return every metric and criterion that is measured -> the metrics it rests on.

        A criterion is measured when it is named, or when a threshold limits it.
        """
        own = {metric.name: (metric.name,) for metric in self.metrics}
        limited = {threshold.measurement for threshold in self.thresholds}
        criteria = {
            name: metrics
            for name, metrics in CRITERIA.items()
            if name in self.performance_metrics or limited & {f"{name}_difference", f"{name}_ratio"}
        }
        return {**own, **criteria}

    def questions(self) -> tuple[Question, ...]:
        """Return a question a metric; or, by class, agreement by group, true and predicted class.

        From the last two follow the confusion cells of every class.
        """
        if self.is_by_class:
            return tuple(self._by_class())
        return tuple(
            self.question(
                metric,
                higher_better=self._higher(metric),
                input_columns={
                    "prediction_column": self.prediction_column or self.score_column,
                    "ground_truth_column": self.ground_truth_column,
                },
                positive_values=self.positive_values,
            )
            for metric in self.metrics
        )

    @property
    def pools_counts(self) -> bool:
        """Whether each class in turn is the positive one."""
        return self.is_by_class

    @property
    def is_by_class(self) -> bool:
        """Whether each class in turn is the positive one."""
        return self.per_class or self.average is not None

    def class_question(self, metric: Metric) -> MetricQuestion:
        """Return a metric's question for one class: its cells are there, and no scan serves it."""
        return self.question(
            metric, higher_better=self._higher(metric), input_columns=self._label_columns()
        )

    def _by_class(self) -> Iterator[Question]:
        columns = self._label_columns()
        agreement = self.question(METRICS["agreement"], higher_better=True, input_columns=columns)
        yield agreement
        for field in ("ground_truth_column", "prediction_column"):
            attributes = (*self.protected_attribute_columns, columns[field])
            yield replace(agreement, protected_attribute_columns=attributes, ends_in_class=True)

    def _label_columns(self) -> dict[str, str]:
        return {
            "prediction_column": str(self.prediction_column),
            "ground_truth_column": self.ground_truth_column,
        }

    def _higher(self, metric: Metric) -> bool:
        return (
            bool(self.higher_is_better)
            if metric.direction is None
            else metric.direction == "higher"
        )


def _metrics(named: Collection[str]) -> Iterator[Metric]:
    names = dict.fromkeys(metric for name in named for metric in CRITERIA.get(name, (name,)))
    for name in names:
        yield METRICS[name]


def _needs_direction(named: Collection[Any]) -> bool:
    return "selection_rate" in named or "demographic_parity" in named


def _repeated(named: Collection[str]) -> Faults:
    for name in dict.fromkeys(named):
        if list(named).count(name) > 1:
            yield "performance_metrics", f"names {name} twice."


def _prediction_faults(values: Mapping[str, Any], given: Collection[str]) -> Faults:
    if "prediction_column" in given:
        for field in ("score_column", "decision_threshold"):
            if field in given:
                yield field, "cannot be used with prediction_column, which it would stand for."
    elif "score_column" in given:
        if values.get("decision_threshold", 0) is None:
            yield "decision_threshold", "is required by score_column without prediction_column."
    elif {"prediction_column", "score_column"} <= set(values):
        yield "prediction_column", "is required, or score_column with decision_threshold."


def _class_faults(values: Mapping[str, Any], given: Collection[str]) -> Faults:
    field = "per_class" if values.get("per_class") else "average"
    if values.get("per_class") and values.get("average"):
        yield "average", "cannot be used with per_class; leave one of them out."
    if values.get(field):
        if "positive_values" in given:
            yield "positive_values", f"cannot be used with {field}, which takes every class."
        if "score_column" in given:
            yield "score_column", f"cannot be used with {field}; name a prediction_column."
        if values.get("comparison") == "overall":
            yield "comparison", f"overall is not available with {field}."
    elif {"per_class", "average"} <= set(values) and values.get("positive_values", 0) is None:
        yield "positive_values", "is required, or per_class: true, or average: macro."


def _direction_faults(
    named: Collection[str], values: Mapping[str, Any], given: Collection[str]
) -> Faults:
    if not named or "higher_is_better" not in values:
        return
    if _needs_direction(named) and values["higher_is_better"] is None:
        yield "higher_is_better", "is required by selection_rate and demographic_parity."
    elif not _needs_direction(named) and "higher_is_better" in given:
        yield "higher_is_better", "is used by selection_rate and demographic_parity alone."
