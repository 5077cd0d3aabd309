"""What tests that compare groups have in common: whose groups, with whom, and when one fails."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any, get_args

from pydantic import Field

from fairsql.config.base import DEFAULT_THRESHOLDS, Faults, MetricQuestion, Test, Thresholds
from fairsql.config.combinations import (
    REFERENCE_FIELDS,
    Fold,
    attribute_faults,
    comparison_faults,
    significance_faults,
)
from fairsql.config.fields import (
    LIST,
    SCALAR_WORDS,
    Allowed,
    Columns,
    Comparison,
    Count,
    Gap,
    GroupShare,
    GroupSize,
    Level,
    MissingText,
    PValueAdjustment,
    ReferenceStrategy,
    SignificanceTest,
    Value,
)
from fairsql.config.values import canonical_key
from fairsql.weighted import weighted

if TYPE_CHECKING:
    from fairsql.metrics import Metric


def by_attributes(fields: Mapping[str, Any]) -> str:
    """Return the end of a test's name that says whose groups it has; nothing while no list does.

    >>> by_attributes({"protected_attribute_columns": ["race", "sex"]})
    ' by race and sex'
    """
    attributes = fields.get("protected_attribute_columns")
    return f" by {' and '.join(map(str, attributes))}" if isinstance(attributes, list) else ""


class GroupedTest(Test):
    """A test whose rows form groups by one to three protected attributes."""

    protected_attribute_columns: Annotated[
        Columns,
        LIST,
        Allowed("a list of 1 to 3 column names", item="a column name"),
        Field(description="Columns whose values define the groups."),
    ]
    min_group_size: GroupSize = 30
    min_group_share: GroupShare = 0.02
    missing_attribute_values: Annotated[
        tuple[MissingText, ...],
        LIST,
        Allowed("a list of values", item=SCALAR_WORDS),
        Field(description="Values of an attribute, such as Unknown, that count as missing."),
    ] = ()
    min_reported_rows: Annotated[
        Count, Field(description="The numbers of groups with fewer rows are not shown.")
    ] = 1
    thresholds: Thresholds = DEFAULT_THRESHOLDS

    def column_faults(self, fold: Fold) -> Faults:
        """Yield the columns that are one by a warehouse's rule for names where two are needed."""
        yield from attribute_faults(dict(self), fold)


class ComparedTest(GroupedTest):
    """A test that compares every group with a reference group, or with all rows."""

    comparison: Annotated[
        Comparison,
        Allowed.one_of(get_args(Comparison)),
        Field(description="Compare with a reference group, or with all evaluated rows."),
    ] = "reference"
    reference_strategy: Annotated[
        ReferenceStrategy,
        Allowed.one_of(get_args(ReferenceStrategy)),
        Field(description="The best sufficient group, or the one that `reference_value` names."),
    ] = "highest"
    reference_value: Annotated[
        Value | None,
        Allowed(SCALAR_WORDS),
        Field(description="The reference group's value of the one protected attribute."),
    ] = None
    min_ratio: Annotated[
        float,
        Allowed("a number greater than 0 and at most 1"),
        Field(gt=0, le=1, description="A worse group fails below this ratio; 0.8 is four fifths."),
    ] = 0.8
    max_difference: Annotated[
        Gap | None,
        Allowed("a finite number of at least 0"),
        Field(description="A worse group also fails above this gap, in the metric's units."),
    ] = None
    significance_test: Annotated[
        SignificanceTest,
        Allowed.one_of(get_args(SignificanceTest)),
        Field(description="The test that suits the metric, or none."),
    ] = "auto"
    alpha: Annotated[
        Level, Field(description="Significance level; intervals are at 1 - alpha.")
    ] = 0.05
    p_value_adjustment: Annotated[
        PValueAdjustment,
        Allowed.one_of(get_args(PValueAdjustment)),
        Field(
            description="How p-values are adjusted for the number of groups; `holm_all_pairs` "
            "covers the choice of the best group and needs `reference_strategy: highest`."
        ),
    ] = "none"
    require_significance: Annotated[
        bool,
        Allowed("true or false"),
        Field(description="A group fails only when its disparity is also significant."),
    ] = False

    @classmethod
    def compared_faults(
        cls, metrics: Collection[Metric], values: Mapping[str, Any], given: Collection[str]
    ) -> Faults:
        """Yield what does not go together among the fields that every such test has."""
        if values.get("weight_column") is not None:
            metrics = [weighted(metric) for metric in metrics]
        yield from comparison_faults(metrics, values, given)
        yield from significance_faults(metrics, values)
        yield from attribute_faults(values)

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return the fields about the reference that are of no use here."""
        unused: set[str] = set()
        if fields.get("significance_test") == "none":
            unused.add("require_significance")
        if fields.get("comparison") == "overall":
            unused.update(REFERENCE_FIELDS)
        if fields.get("reference_strategy") == "highest":
            unused.add("reference_value")
        return unused

    def question(self, metric: Metric, **changes: Any) -> MetricQuestion:
        """Return a question of this test, with the fields that a question of every test has."""
        shared = {
            name: getattr(self, name)
            for name in MetricQuestion.__dataclass_fields__
            if name in type(self).model_fields
        }
        made = {"metric": metric, "higher_better": metric.direction == "higher"}
        return MetricQuestion(**{**shared, **made, **changes})

    @property
    def reference_text(self) -> str | None:
        """The named reference group's key; ``None`` when no group is named."""
        return None if self.reference_value is None else canonical_key(self.reference_value)
