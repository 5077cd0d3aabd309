"""What every test has: a name, a relation, limits on its measurements, and the questions it asks.

A *question* is one metric over its inputs by the groups of some attributes. It is what a scan
serves and what the verdict compares. A test of one metric is its own question; a test of another
kind lowers to :class:`MetricQuestion`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, Union, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from fairsql.config.fields import (
    Allowed,
    Column,
    Name,
    Operator,
    PValueAdjustment,
    Text,
    camel_case,
    not_allowed,
)
from fairsql.config.filters import Filter, Filters
from fairsql.config.judging import Judges, JudgeSpec
from fairsql.config.values import Scalar, canonical_key, canonical_text, json_scalar
from fairsql.config.windows import (
    DelayWindow,
    EvaluationWindow,
    TimestampColumn,
    window_faults,
)
from fairsql.metrics import METRICS
from fairsql.weighted import is_weightable, weighted

if TYPE_CHECKING:
    from fairsql.config.parity import GroupMetricParity
    from fairsql.metrics import Metric

Question = Union["GroupMetricParity", "MetricQuestion"]
"""What a scan serves and a verdict compares."""

Faults = Iterator[tuple[str, str]]
"""A field at fault and what is wrong, as a predicate of the field."""


@dataclass(frozen=True)
class MetricQuestion:
    """One metric over its inputs by the groups of some attributes; see the fields of a test.

    With ``ends_in_class`` the last attribute is a label, whose values no one calls missing.
    ``negative_texts`` are the only labels besides the positive ones, where not all others are, and
    ``decision_threshold`` is the least score that is a positive prediction, where the prediction
    is a score. With a ``weight_column`` the metric becomes that of weighted rows.
    """

    name: str
    relation: str
    where: str | None
    metric: Metric
    higher_better: bool
    input_columns: Mapping[str, str]
    protected_attribute_columns: tuple[str, ...]
    filters: tuple[Filter, ...] = ()
    weight_column: str | None = None
    positive_values: tuple[Scalar, ...] | None = None
    negative_texts: tuple[str, ...] | None = None
    decision_threshold: float | None = None
    missing_attribute_values: tuple[str, ...] = ()
    ends_in_class: bool = False
    comparison: str = "reference"
    reference_strategy: str = "highest"
    reference_value: Scalar | None = None
    min_ratio: float = 0.8
    max_difference: float | None = None
    significance_test: str = "none"
    alpha: float = 0.05
    p_value_adjustment: PValueAdjustment = "none"
    require_significance: bool = False
    min_group_size: int = 1
    min_group_share: float = 0.0
    min_reported_rows: int = 1

    def __post_init__(self) -> None:
        if self.weight_column is not None:
            object.__setattr__(self, "metric", weighted(self.metric))

    @property
    def positive_texts(self) -> tuple[str, ...]:
        """The positive values' canonical texts, each once."""
        return tuple(dict.fromkeys(map(canonical_text, self.positive_values or ())))

    @property
    def reference_text(self) -> str | None:
        """The named reference group's key; ``None`` when no group is named."""
        return None if self.reference_value is None else canonical_key(self.reference_value)


# --- thresholds ------------------------------------------------------------------------------


def _measurement(spelling: str, info: ValidationInfo) -> str:
    """Return a measurement's own name; ``context`` maps the spellings that a test may use."""
    names = info.context
    if names is not None and spelling not in names:
        raise not_allowed()
    return spelling if names is None else str(names[spelling])


class Threshold(BaseModel):
    """A limit on one measurement; the test fails when it does not hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    measurement: Annotated[
        str,
        AfterValidator(_measurement),
        Field(description="The measurement that is limited."),
        Allowed("a measurement"),
    ]
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


Thresholds = Annotated[
    tuple[Threshold, ...],
    BeforeValidator(_thresholds_or_default),
    Allowed("a list of thresholds", item="a mapping of measurement, operator and value"),
    Field(description="Limits on measurements; without any, no group may fail."),
]


# --- a test ----------------------------------------------------------------------------------


class Test(BaseModel):
    """What every test has; each kind of test is a model of its own.

    Attributes
    ----------
    measurement_names
        Every measurement that a threshold of this kind of test may limit.
    makes_rows
        Whether the rows asked about are others than the relation's, made of them.
    """

    __test__: ClassVar[bool] = False  # pytest: a model, not a test case

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    measurement_names: ClassVar[tuple[str, ...]] = ()
    makes_rows: ClassVar[bool] = False

    name: Annotated[Name, Field(description="What reports call the test; each name occurs once.")]
    type: str
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
    filters: Filters = ()
    judges: Judges = ()
    weight_column: Annotated[
        Column, Field(description="Numbers of at least 0 by which rows count; all alike without.")
    ] = None
    timestamp_column: TimestampColumn = None
    evaluation_window: EvaluationWindow = None
    delay_window: DelayWindow = 0
    thresholds: tuple[Threshold, ...]

    @model_validator(mode="after")
    def _combinations(self) -> Self:
        given = {name for name in self.model_fields_set if getattr(self, name) is not None}
        faults = [
            InitErrorDetails(
                type=PydanticCustomError("combination", "{text}", {"text": text}),
                loc=(field,),
                input=getattr(self, field),
            )
            for field, text in [*self.all_faults(dict(self), given)] or self._weight_faults()
        ]
        if faults:
            raise ValidationError.from_exception_data(type(self).__name__, faults)
        return self

    def _weight_faults(self) -> Faults:
        """Yield why rows cannot be weighted here: what pools or tells apart values counts rows."""
        if self.weight_column is None:
            return
        if self.pools_counts:
            yield "weight_column", "is not available where classes or strata are put together."
            return
        for question in self.questions():
            if not is_weightable(question.metric):
                name = question.metric.name
                yield "weight_column", f"is not available for {name}, which has no weighted form."
                return

    @property
    def pools_counts(self) -> bool:
        """Whether the answers of several questions, or of several strata, are put together."""
        return False

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield each field at fault with what is wrong with it beside the others.

        Parameters
        ----------
        values
            Field -> value, defaults filled in; a field with a fault of its own is absent.
        given
            The fields that the user wrote with a value.
        """
        raise NotImplementedError

    @classmethod
    def all_faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield those of :meth:`faults`, and those of the fields that every test has."""
        yield from cls.faults(values, given)
        yield from window_faults(values, given)
        names = [spec.name for spec in values.get("judges", ())]
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            yield "judges", f"name {name} twice."

    def column_faults(self, fold: Callable[[str], str]) -> Faults:  # noqa: ARG002 - for others
        """Yield the columns that are one by a warehouse's rule for names where two are needed."""
        yield from ()

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:
        """Return the fields that a test with these fields has no use for, if from defaults."""
        raise NotImplementedError

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return what a test of these fields is called that has no name."""
        raise NotImplementedError

    @classmethod
    def measurement_spellings(cls) -> dict[str, str]:
        """Return every spelling of the kind's measurements -> the name it stands for."""
        return {
            spelling: name
            for name in cls.measurement_names
            for spelling in (name, camel_case(name))
        }

    def questions(self) -> tuple[Question, ...]:
        """Return what the test asks of its relation, in the order its verdict reads it."""
        raise NotImplementedError

    def tallies(self) -> tuple[Question, ...]:
        """Return, for each judge, how many rows it has judged and on how many of them it failed.

        The judged rows are the evaluated ones of its answer, and the sum is that of failures.
        """
        if self.makes_rows:
            return ()  # of other rows, which need not have the columns
        return tuple(
            MetricQuestion(
                name=self.name,
                relation=self.relation,
                where=self.where,
                metric=METRICS["sum"],
                higher_better=False,
                input_columns={"value_column": f"{spec.name}_errored"},
                protected_attribute_columns=(),
                filters=self.filters,
            )
            for spec in self.judges
            if spec.pairing is None
        )

    def every_question(self) -> tuple[Question, ...]:
        """Return all that a scan is asked for the test: its questions, then the tallies."""
        return (*self.questions(), *self.tallies())

    def derivation(self) -> tuple[str, tuple[Any, ...]] | None:
        """Return the macro that makes the rows asked about of the relation's, if they are others.

        With the macro stand its arguments after the relation.
        """
        return None

    def lowered(self) -> Test | None:
        """Return the test of another kind by whose rules this one is judged, if it has no own."""
        return None

    def parameters(self) -> dict[str, Any]:
        """Return every parameter as JSON values, defaults filled in.

        Name, type, relation and thresholds have places of their own in a result.
        """
        left_out = ("name", "type", "relation", "thresholds")
        return {name: json_value(value) for name, value in self if name not in left_out}


def json_value(value: Any) -> Any:
    """Return a parameter as a results file holds it: dates as canonical text."""
    if isinstance(value, tuple):
        return [json_value(item) for item in value]
    if isinstance(value, Filter):
        return value.as_json()
    if isinstance(value, JudgeSpec):
        return value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, Mapping):
        return {str(name): json_value(item) for name, item in value.items()}
    return json_scalar(value)
