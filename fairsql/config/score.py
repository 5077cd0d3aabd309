"""Group score disparity: how a numeric score differs between groups."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from fairsql.binned import by_method
from fairsql.config.combinations import method_faults, unused_methods
from fairsql.config.fields import Allowed, QuantileMethod, Text
from fairsql.config.grouped import ComparedTest, by_attributes
from fairsql.metrics import MEASUREMENTS, METRICS

if TYPE_CHECKING:
    from fairsql.config.base import Faults, Question

Statistic = Literal["mean", "median", "scoring_rate", "standardized_mean_difference"]


class GroupScoreDisparity(ComparedTest):
    """A numeric score compared across groups."""

    measurement_names: ClassVar[tuple[str, ...]] = MEASUREMENTS

    type: Annotated[Literal["group_score_disparity"], Field(description="The kind of test.")] = (
        "group_score_disparity"
    )
    score_column: Annotated[
        Text, Allowed("a column name"), Field(description="The numeric score of each row.")
    ]
    statistic: Annotated[
        Statistic,
        Allowed.one_of(get_args(Statistic)),
        Field(
            description="What is compared: mean, median, the share above the median of all rows, "
            "or the difference of means in units of the pooled standard deviation."
        ),
    ] = "mean"
    higher_is_better: Annotated[
        bool,
        Allowed("true or false"),
        Field(description="Whether a higher score is better for who has it."),
    ]
    quantile_method: QuantileMethod = "exact"

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        metric = METRICS.get(values.get("statistic", ""))
        yield from cls.compared_faults([metric] if metric else [], values, given)
        yield from method_faults([metric] if metric else [], values, given)
        if metric is None or not metric.standardized:
            return
        if values.get("max_difference", True) is None:
            yield "max_difference", f"is required by statistic {metric.name}, which has no ratio."
        for threshold in values.get("thresholds", ()):
            if threshold.measurement in ("min_metric_ratio", "worst_group_value"):
                yield (
                    "thresholds",
                    f"cannot limit {threshold.measurement}, because statistic {metric.name} has"
                    " neither ratios nor values of groups.",
                )

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return the fields that the statistic, or another field, leaves without a use."""
        statistic = fields.get("statistic", "mean")
        metric = METRICS.get(statistic) if isinstance(statistic, str) else None
        methods = unused_methods([metric] if metric else [], fields.get("weight_column"))
        return {*super().unused(fields), *methods}

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return a name of score and attributes."""
        return f"{fields.get('score_column')} disparity{by_attributes(fields)}"

    def questions(self) -> tuple[Question, ...]:
        """Return the one question: the statistic by group."""
        return (
            self.question(
                by_method(METRICS[self.statistic], vars(self)),
                higher_better=self.higher_is_better,
                input_columns={"value_column": self.score_column},
            ),
        )
