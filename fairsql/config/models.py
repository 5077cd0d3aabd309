"""A test as users write it: every parameter with its type, its bounds and its default.

The description of a field is the one an editor shows; its :class:`Allowed` is what a message says
when a value is none of that. Rules that join several fields stand in
:mod:`fairsql.config.combinations`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from fairsql.config.combinations import combination_faults
from fairsql.config.fields import (
    LIST,
    SCALAR_WORDS,
    Allowed,
    Column,
    Columns,
    Comparison,
    Count,
    Gap,
    MeasurementName,
    MetricName,
    MissingText,
    Name,
    Operator,
    PValueAdjustment,
    ReferenceStrategy,
    SignificanceTest,
    Text,
    Type,
    Value,
    Values,
)
from fairsql.config.values import Scalar, canonical_key, canonical_text
from fairsql.config.windows import (  # noqa: TC001 - pydantic reads them
    DelayWindow,
    EvaluationWindow,
    TimestampColumn,
)
from fairsql.metrics import METRICS, Metric


class Threshold(BaseModel):
    """A limit on one measurement; the test fails when it does not hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    measurement: Annotated[MeasurementName, Field(description="The measurement that is limited.")]
    operator: Annotated[
        Operator,
        Allowed.one_of(get_args(Operator)),
        Field(description="How the measurement must relate to the value; `is` means equal."),
    ]
    value: Annotated[
        float,
        Allowed("a finite number"),
        Field(allow_inf_nan=False, description="The limit itself."),
    ]


DEFAULT_THRESHOLDS = (Threshold(measurement="failing_group_count", operator="<=", value=0),)


def _thresholds_or_default(value: object) -> object:
    if value is None or value in ([], ()):
        return DEFAULT_THRESHOLDS
    return tuple(value) if isinstance(value, list) else value


Thresholds = Annotated[tuple[Threshold, ...], BeforeValidator(_thresholds_or_default)]

read_thresholds = TypeAdapter(Thresholds).validate_python
"""Returns thresholds as a test keeps them, from what a user may write."""


class GroupMetricParity(BaseModel):
    """One metric compared across the groups of one to three protected attributes."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Annotated[Name, Field(description="What reports call the test; each name occurs once.")]
    type: Annotated[
        Type, Allowed.one_of(get_args(Type)), Field(description="The kind of test.")
    ] = "group_metric_parity"
    relation: Annotated[
        Text,
        Allowed("the name of a table or view, or a select in parentheses"),
        Field(description="A table or view, or a select in parentheses."),
    ]
    where: Annotated[
        Text | None,
        Allowed("one SQL predicate, as text that is not blank"),
        Field(description="One SQL predicate in the warehouse's dialect; other rows do not count."),
    ] = None
    protected_attribute_columns: Annotated[
        Columns,
        LIST,
        Allowed("a list of 1 to 3 column names", item="a column name"),
        Field(description="Columns whose values define the groups."),
    ]
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
        float,
        Allowed("a number greater than 0 and less than 1"),
        Field(gt=0, lt=1, description="Significance level; intervals are at 1 - alpha."),
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
    min_group_size: Annotated[Count, Field(description="Fewest rows of a sufficient group.")] = 30
    min_group_share: Annotated[
        float,
        Allowed("a number from 0 to 1"),
        Field(ge=0, le=1, description="Smallest share of evaluated rows of a sufficient group."),
    ] = 0.02
    missing_attribute_values: Annotated[
        tuple[MissingText, ...],
        LIST,
        Allowed("a list of values", item=SCALAR_WORDS),
        Field(description="Values of an attribute, such as Unknown, that count as missing."),
    ] = ()
    min_reported_rows: Annotated[
        Count, Field(description="The numbers of groups with fewer rows are not shown.")
    ] = 1
    timestamp_column: TimestampColumn = None
    evaluation_window: EvaluationWindow = None
    delay_window: DelayWindow = 0
    thresholds: Annotated[
        Thresholds,
        Allowed("a list of thresholds", item="a mapping of measurement, operator and value"),
        Field(description="Limits on measurements; without any, no group may fail."),
    ] = DEFAULT_THRESHOLDS

    @model_validator(mode="after")
    def _combinations(self) -> Self:
        given = {name for name in self.model_fields_set if getattr(self, name) is not None}
        faults = [
            InitErrorDetails(
                type=PydanticCustomError("combination", "{text}", {"text": text}),
                loc=(field,),
                input=getattr(self, field),
            )
            for field, text in combination_faults(dict(self), given)
        ]
        if faults:
            raise ValidationError.from_exception_data(type(self).__name__, faults)
        return self

    @property
    def metric(self) -> Metric:
        """The metric's entry in the catalogue."""
        return METRICS[self.parity_metric]

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
    def reference_text(self) -> str | None:
        """The named reference group's key; ``None`` when no group is named."""
        return None if self.reference_value is None else canonical_key(self.reference_value)

    def parameters(self) -> dict[str, Any]:
        """Return every parameter as JSON values, defaults filled in.

        Name, type, relation and thresholds have places of their own in a result.
        """
        values = dict(self)
        for name in ("name", "type", "relation", "thresholds"):
            del values[name]
        return {name: _json_value(value) for name, value in values.items()}


def _json_value(value: Scalar | tuple[Scalar, ...] | None) -> Any:
    if isinstance(value, tuple):
        return [_json_value(item) for item in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return canonical_text(value)


class Suite(BaseModel):
    """Tests that are run together; ``source`` is the file they were read from."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: Literal[1] = 1
    tests: tuple[GroupMetricParity, ...]
    source: str | None = None


PARAMETERS = tuple(GroupMetricParity.model_fields)
"""Every field of a test, in the order of the suite file."""
