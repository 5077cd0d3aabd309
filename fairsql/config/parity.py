"""Group metric parity: one metric compared across groups; each field with what it may hold.

The description of a field is the one an editor shows; its :class:`Allowed` is what a message says
when a value is none of that. Rules that join several fields stand in
:mod:`fairsql.config.combinations`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairsql.binned import by_method
from fairsql.config.combinations import (
    METRIC_FIELDS,
    method_faults,
    metric_faults,
    unused_methods,
    used_fields,
)
from fairsql.config.fields import (
    LIST,
    SCALAR_WORDS,
    Allowed,
    AucMethod,
    Column,
    MetricName,
    QuantileMethod,
    Values,
)
from fairsql.config.grouped import ComparedTest, by_attributes
from fairsql.config.values import canonical_text
from fairsql.metrics import MEASUREMENTS, METRICS, Metric
from fairsql.weighted import weighted

if TYPE_CHECKING:
    from fairsql.config.base import Faults, Question


class GroupMetricParity(ComparedTest):
    """One metric compared across the groups of one to three protected attributes."""

    measurement_names: ClassVar[tuple[str, ...]] = MEASUREMENTS

    type: Annotated[Literal["group_metric_parity"], Field(description="The kind of test.")] = (
        "group_metric_parity"
    )
    parity_metric: Annotated[
        MetricName, Field(description="The metric that is computed for every group.")
    ]
    score_column: Annotated[
        Column, Field(description="Score of the positive class: higher means more likely positive.")
    ] = None
    probability_column: Annotated[
        Column, Field(description="Predicted probability of the positive class, from 0 to 1.")
    ] = None
    prediction_column: Annotated[
        Column, Field(description="Predicted label, or predicted number for mae, rmse and r2.")
    ] = None
    ground_truth_column: Annotated[
        Column, Field(description="True label, or true number for mae, rmse and r2.")
    ] = None
    value_column: Annotated[
        Column, Field(description="The column that mean, median, p95 or rate describes.")
    ] = None
    positive_values: Annotated[
        Values | None,
        LIST,
        Allowed("a list of at least one value", item=SCALAR_WORDS),
        Field(description="Label values that count as positive, matched as text."),
    ] = None
    higher_is_better: Annotated[
        bool | None,
        Allowed("true or false"),
        Field(description="Direction of mean, median, p95 and rate; other metrics have their own."),
    ] = None
    auc_method: AucMethod = "exact"
    quantile_method: QuantileMethod = "exact"

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        metric = METRICS.get(values.get("parity_metric", ""))
        if metric is not None:
            yield from metric_faults(metric, values, given)
            yield from method_faults([metric], values, given)
        yield from cls.compared_faults([metric] if metric else [], values, given)

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return the fields that the metric, or another field, leaves without a use."""
        unused = {*super().unused(fields)}
        name = fields.get("parity_metric")
        metric = METRICS.get(name) if isinstance(name, str) else None
        if metric is not None:
            unused.update(set(METRIC_FIELDS) - set(used_fields(metric)))
            unused.update(unused_methods([metric], fields.get("weight_column")))
            if fields.get("weight_column") is not None:
                metric = weighted(metric)
            if metric.p_value is None:
                unused.add("require_significance")
        return unused

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return a name of metric and attributes."""
        metric = fields.get("parity_metric")
        by = by_attributes(fields)
        if metric not in list(METRICS) or not by:
            return "group_metric_parity"
        return f"{METRICS[metric].label} parity{by}"

    def questions(self) -> tuple[Question, ...]:
        """Return the one question that the test is."""
        return (self,)

    @property
    def metric(self) -> Metric:
        """The metric's entry in the catalogue."""
        metric = METRICS[self.parity_metric]
        return by_method(metric, vars(self)) if self.weight_column is None else weighted(metric)

    @property
    def higher_better(self) -> bool:
        """Whether higher values are better, by the metric or else by ``higher_is_better``."""
        if self.metric.direction is None:
            return bool(self.higher_is_better)
        return self.metric.direction == "higher"

    @property
    def input_columns(self) -> dict[str, str]:
        """Column of each input of the metric, in the catalogue's order."""
        return {role: getattr(self, role) for role in self.metric.inputs}

    @property
    def positive_texts(self) -> tuple[str, ...]:
        """The positive values' canonical texts, each once; empty when the metric needs none."""
        return tuple(dict.fromkeys(map(canonical_text, self.positive_values or ())))

    @property
    def ends_in_class(self) -> bool:
        """False: every attribute is a protected one."""
        return False

    @property
    def negative_texts(self) -> None:
        """None: every other label is a negative."""

    @property
    def decision_threshold(self) -> None:
        """None: predictions are labels."""
