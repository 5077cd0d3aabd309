"""LLM bias: how biased a judge finds texts, and whether it fails alike in all groups.

A higher score is more bias: 0 is none that can be found, 1 is open prejudice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairsql.config.base import Faults, MetricQuestion, Question, Threshold
from fairsql.config.combinations import Fold, attribute_faults
from fairsql.config.derived import DerivedTest
from fairsql.config.fields import LIST, SCALAR_WORDS, Allowed, Columns, Count, Level, MissingText
from fairsql.config.judged import (
    BIAS_MEASUREMENTS,
    ERRORED,
    SCORE,
    judge_faults,
    judge_of,
)
from fairsql.config.metric_threshold import MetricThreshold
from fairsql.metrics import METRICS


class LlmBias(DerivedTest):
    """The scores of a judge of bias, each measurement against limits of its own."""

    measurement_names: ClassVar[tuple[str, ...]] = tuple(BIAS_MEASUREMENTS)

    type: Annotated[Literal["llm_bias"], Field(description="The kind of test.")] = "llm_bias"
    protected_attribute_columns: Annotated[
        Columns | None,
        LIST,
        Allowed("a list of 1 to 3 column names", item="a column name"),
        Field(description="Columns whose values define groups, of which errors are compared."),
    ] = None
    missing_attribute_values: Annotated[
        tuple[MissingText, ...],
        LIST,
        Allowed("a list of values", item=SCALAR_WORDS),
        Field(description="Values of an attribute, such as Unknown, that count as missing."),
    ] = ()
    min_reported_rows: Annotated[
        Count, Field(description="The numbers of groups with fewer rows are not shown.")
    ] = 1
    alpha: Annotated[
        Level,
        Field(description="Intervals are at 1 - alpha; error rates differ at this level."),
    ] = 0.05
    thresholds: Annotated[
        tuple[Threshold, ...],
        Field(min_length=1),
        LIST,
        Allowed("a list of thresholds", item="a mapping of measurement, operator and value"),
        Field(description="Limits on measurements."),
    ]

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        names = list(dict.fromkeys(limit.measurement for limit in values.get("thresholds", ())))
        if "judges" in values:
            yield from judge_faults(names or ["bias_mean_score"], values["judges"])
        for field in ("missing_attribute_values", "min_reported_rows"):
            if field in given and values.get("protected_attribute_columns", 0) is None:
                yield field, "needs protected_attribute_columns."
        if values.get("weight_column") is not None:
            for name in names:
                if BIAS_MEASUREMENTS[name].counts_rows:
                    yield "weight_column", f"is not available for {name}, which counts rows."
        yield from attribute_faults(values)

    def column_faults(self, fold: Fold) -> Faults:
        """Yield the columns that are one by a warehouse's rule for names where two are needed."""
        yield from attribute_faults(dict(self), fold)

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return what is about groups, where there are none."""
        if fields.get("protected_attribute_columns"):
            return ()
        return ("missing_attribute_values", "min_reported_rows")

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:  # noqa: ARG003 - the others' parameter
        """Return a name."""
        return "LLM bias"

    def lowered(self) -> MetricThreshold:
        """Return the metrics of the judge's columns that thresholds limit."""
        return self._measured(self.thresholds)

    def unlimited(self) -> MetricThreshold:
        """Return the measurements that no threshold limits, under limits that decide nothing."""
        limited = {limit.measurement for limit in self.thresholds}
        return self._measured(
            tuple(
                Threshold(measurement=name, operator=">=", value=0.0)
                for name in self.measurement_names
                if name not in limited
            )
        )

    def _measured(self, thresholds: tuple[Threshold, ...]) -> MetricThreshold:
        """Return a test of metrics, of more than a user may limit there."""
        shared = {
            name: getattr(self, name) for name in MetricThreshold.model_fields if name in _SHARED
        }
        return MetricThreshold.model_construct(**{**shared, "thresholds": thresholds})

    def further_questions(self) -> tuple[Question, ...]:
        """Return the measurements without a limit, and by group the errors and the scores."""
        return (*self.unlimited().questions(), *self.questions_of_groups())

    def questions_of_groups(self) -> tuple[MetricQuestion, ...]:
        """Return the share of errors and the mean score by group; nothing without attributes."""
        if self.protected_attribute_columns is None:
            return ()
        spec = judge_of("bias_mean_score", self.judges)
        shared: dict[str, Any] = {
            "name": self.name,
            "relation": self.relation,
            "where": self.where,
            "filters": self.filters,
            "higher_better": False,
            "protected_attribute_columns": self.protected_attribute_columns,
            "missing_attribute_values": self.missing_attribute_values,
            "alpha": self.alpha,
            "min_reported_rows": self.min_reported_rows,
        }
        errors = MetricQuestion(
            **shared,
            metric=METRICS["rate"],
            input_columns={"value_column": f"{spec.name}_{ERRORED}"},
            positive_values=(1,),
            comparison="overall",
            significance_test="auto",
        )
        scores = MetricQuestion(
            **shared,
            metric=METRICS["mean"],
            input_columns={"value_column": f"{spec.name}_{SCORE}"},
            weight_column=self.weight_column,
        )
        return errors, scores


_SHARED = frozenset(("name", "relation", "where", "filters", "judges", "weight_column", "alpha"))
"""The fields that metrics over all rows read of this test."""
