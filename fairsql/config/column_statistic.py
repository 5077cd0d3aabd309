"""Group by column statistic: one statistic of a column for each group, against a fixed limit."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from fairsql.binned import by_method
from fairsql.config.base import Faults, MetricQuestion, Question
from fairsql.config.combinations import attribute_faults, method_faults, unused_methods
from fairsql.config.fields import (
    Allowed,
    Column,
    GroupShare,
    GroupSize,
    Level,
    Operator,
    QuantileMethod,
)
from fairsql.config.grouped import GroupedTest, by_attributes
from fairsql.metrics import METRICS

ColumnStatistic = Literal[
    "sum",
    "mean",
    "median",
    "min",
    "max",
    "std",
    "variance",
    "count",
    "distinct_count",
    "missing_rate",
    "p5",
    "p10",
    "p25",
    "p75",
    "p90",
    "p95",
    "p99",
]


class GroupColumnStatistic(GroupedTest):
    """A statistic of a column that must meet a condition in every group."""

    measurement_names: ClassVar[tuple[str, ...]] = (
        "failing_group_count",
        "failing_group_percentage",
        "insufficient_group_count",
        "missing_attribute_rate",
        "min_group_share",
        "undefined_group_count",
        "lowest_group_value",
        "highest_group_value",
    )

    type: Annotated[Literal["group_column_statistic"], Field(description="The kind of test.")] = (
        "group_column_statistic"
    )
    value_column: Annotated[
        Column, Field(description="The column that is described; count needs none.")
    ] = None
    statistic: Annotated[
        ColumnStatistic,
        Allowed.one_of(get_args(ColumnStatistic)),
        Field(description="What is computed of the column for every group."),
    ]
    operator: Annotated[
        Operator,
        Allowed.one_of(get_args(Operator)),
        Field(description="How a group's statistic must relate to the value; `is` means equal."),
    ]
    value: Annotated[
        float,
        Allowed("a finite number"),
        Field(allow_inf_nan=False, description="What a group's statistic is held against."),
    ]
    quantile_method: QuantileMethod = "exact"
    alpha: Annotated[Level, Field(description="Intervals are at 1 - alpha.")] = 0.05
    min_group_size: GroupSize = 1
    min_group_share: GroupShare = 0.0

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        statistic = values.get("statistic")
        if statistic == "count" and "value_column" in given:
            yield "value_column", "is not used by statistic count, which counts rows."
        elif statistic not in ("count", None) and values.get("value_column", 0) is None:
            yield "value_column", f"is required by statistic {statistic}."
        if statistic is not None:
            yield from method_faults([METRICS[statistic]], values, given)
        yield from attribute_faults(values)

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return the column where rows are counted, and the method of another statistic."""
        statistic = fields.get("statistic")
        metric = METRICS.get(statistic) if isinstance(statistic, str) else None
        unused = unused_methods([metric] if metric else [], fields.get("weight_column"))
        return {*unused, *(["value_column"] if statistic == "count" else [])}

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return a name of statistic, column and attributes."""
        of = f" of {fields['value_column']}" if fields.get("value_column") else ""
        return f"{fields.get('statistic')}{of}{by_attributes(fields)}"

    def questions(self) -> tuple[Question, ...]:
        """Return the one question: the statistic by group."""
        metric = by_method(METRICS[self.statistic], vars(self))
        columns = {"value_column": str(self.value_column)} if metric.inputs else {}
        return (
            MetricQuestion(
                name=self.name,
                relation=self.relation,
                where=self.where,
                filters=self.filters,
                weight_column=self.weight_column,
                metric=metric,
                higher_better=self.operator in (">", ">="),
                input_columns=columns,
                protected_attribute_columns=self.protected_attribute_columns,
                missing_attribute_values=self.missing_attribute_values,
                alpha=self.alpha,
                min_group_size=self.min_group_size,
                min_group_share=self.min_group_share,
                min_reported_rows=self.min_reported_rows,
            ),
        )
