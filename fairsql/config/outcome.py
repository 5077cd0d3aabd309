"""Group outcome disparity: how often each group has a favourable outcome."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairsql.config.fields import LIST, SCALAR_WORDS, Allowed, Text, Values
from fairsql.config.grouped import ComparedTest, by_attributes
from fairsql.metrics import MEASUREMENTS, METRICS

if TYPE_CHECKING:
    from fairsql.config.base import Faults, Question

_OWN = ("impact_ratio", "statistical_parity_difference")
_POOLED = ("mantel_haenszel_odds_ratio", "mantel_haenszel_p_value")


class GroupOutcomeDisparity(ComparedTest):
    """The rate of favourable outcomes compared across groups, perhaps within strata."""

    measurement_names: ClassVar[tuple[str, ...]] = (*MEASUREMENTS, *_OWN, *_POOLED)

    type: Annotated[Literal["group_outcome_disparity"], Field(description="The kind of test.")] = (
        "group_outcome_disparity"
    )
    outcome_column: Annotated[
        Text, Allowed("a column name"), Field(description="The outcome or decision of each row.")
    ]
    favorable_values: Annotated[
        Values,
        LIST,
        Allowed("a list of at least one value", item=SCALAR_WORDS),
        Field(description="Outcomes that are favourable, matched as text."),
    ]
    stratify_by_columns: Annotated[
        tuple[Text, ...],
        Field(max_length=3),
        LIST,
        Allowed("a list of up to 3 column names", item="a column name"),
        Field(description="Groups are compared within each combination of these columns' values."),
    ] = ()

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        yield from cls.compared_faults([METRICS["rate"]], values, given)
        if values.get("stratify_by_columns", True):
            return
        for threshold in values.get("thresholds", ()):
            if threshold.measurement in _POOLED:
                yield "thresholds", f"{threshold.measurement} needs stratify_by_columns."

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return a name of outcome and attributes."""
        return f"{fields.get('outcome_column')} disparity{by_attributes(fields)}"

    @property
    def pools_counts(self) -> bool:
        """Whether the outcomes are pooled over strata."""
        return bool(self.stratify_by_columns)

    def questions(self) -> tuple[Question, ...]:
        """Return the rate of favourable outcomes by stratum and group."""
        return (
            self.question(
                METRICS["rate"],
                higher_better=True,
                input_columns={"value_column": self.outcome_column},
                positive_values=self.favorable_values,
                protected_attribute_columns=(
                    *self.stratify_by_columns,
                    *self.protected_attribute_columns,
                ),
            ),
        )
