"""Tests of pairs of answers that should have been alike: to prompts that differ in one attribute.

The rows asked about are pairs, which a macro makes of the relation's answers; so a filter of rows
belongs into ``where``, which is read before pairs are made.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field, model_validator

from fairsql.config.base import DEFAULT_THRESHOLDS, MetricQuestion, Threshold, Thresholds
from fairsql.config.column_statistic import GroupColumnStatistic
from fairsql.config.derived import DerivedTest
from fairsql.config.fields import LIST, Allowed, Column, GroupSize, Level, Text
from fairsql.config.flagged import Phrases, SmallSamples
from fairsql.config.judging import JudgeSpec, PairMode
from fairsql.config.metric_threshold import MetricThreshold
from fairsql.metrics import METRICS

if TYPE_CHECKING:
    from fairsql.config.base import Faults, Question

DIMENSION = "dimension"
"""The column of the derived relation by which pairs are grouped."""

_NOT_OF_PAIRS = ("filters", "weight_column", "timestamp_column", "evaluation_window")
_COLUMN = Allowed("a column name")

PhrasesOfRefusal = Annotated[
    Phrases, Field(description="Phrases that refuse, instead of those of the package.")
]


class PairedTest(DerivedTest):
    """A test over pairs of answers."""

    makes_rows: ClassVar[bool] = True

    alpha: Annotated[Level, Field(description="Intervals are at 1 - alpha.")] = 0.05

    @classmethod
    def faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what does not go together; see :meth:`Test.faults`."""
        for field in _NOT_OF_PAIRS:
            if field in given and values.get(field):
                yield field, "is not available for pairs; filter answers by where."
        yield from cls.pair_faults(values, given)

    @classmethod
    def pair_faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:  # noqa: ARG003
        """Yield what is wrong with how pairs are made."""
        yield from ()

    @classmethod
    def unused(cls, fields: Mapping[str, Any]) -> Collection[str]:  # noqa: ARG003 - the others'
        """Return what is about rows, which pairs are not."""
        return _NOT_OF_PAIRS

    def mean_of(self, column: str, *, by_dimension: bool) -> MetricQuestion:
        """Return the question for the mean of a column of pairs."""
        return MetricQuestion(
            name=self.name,
            relation=self.relation,
            where=self.where,
            metric=METRICS["mean"],
            higher_better=False,
            input_columns={"value_column": column},
            protected_attribute_columns=(DIMENSION,) if by_dimension else (),
            alpha=self.alpha,
        )

    def _inner(self, limits: Collection[Threshold]) -> tuple[Threshold, ...]:
        """Return those limits that the lowered test has a measurement for, by its names."""
        names = self.inner_measurements
        return tuple(
            Threshold(measurement=names[one.measurement], operator=one.operator, value=one.value)
            for one in limits
            if one.measurement in names
        )


class CounterfactualFairnessDivergence(PairedTest):
    """How far apart the answers to prompts are that differ in one attribute of a person."""

    measurement_names: ClassVar[tuple[str, ...]] = (
        "counterfactual_fairness_divergence",
        "lowest_dimension_divergence",
        "failing_group_count",
        "within_group_floor",
        "divergence_above_floor",
        "token_overlap_share",
    )
    inner_measurements: ClassVar[Mapping[str, str]] = {
        "counterfactual_fairness_divergence": "highest_group_value",
        "lowest_dimension_divergence": "lowest_group_value",
        "failing_group_count": "failing_group_count",
    }

    type: Annotated[
        Literal["counterfactual_fairness_divergence"], Field(description="The kind of test.")
    ] = "counterfactual_fairness_divergence"
    output_column: Annotated[Text, _COLUMN, Field(description="The answers.")]
    group_by: Annotated[
        Text, _COLUMN, Field(description="Answers to one prompt in its variants share its value.")
    ] = "group_id"
    role: Annotated[
        Text, _COLUMN, Field(description="Which variant an answer is to: whose attribute it was.")
    ] = "role"
    dimension: Annotated[
        Column, Field(description="Which attribute was varied; one for all without.")
    ] = None
    refusal_phrases: PhrasesOfRefusal = ()
    max_divergence: Annotated[
        float,
        Allowed("a number from 0 to 1"),
        Field(ge=0, le=1, description="A dimension fails above this mean divergence."),
    ] = 1.0
    allow_small_samples: SmallSamples = False
    min_group_size: GroupSize = 5
    thresholds: Thresholds = DEFAULT_THRESHOLDS

    @classmethod
    def pair_faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield that nothing limits the divergence."""
        limits = values.get("thresholds")
        if limits == DEFAULT_THRESHOLDS and "max_divergence" not in given:
            yield "max_divergence", "is required where there are no thresholds."

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return a name of the column."""
        return f"counterfactual fairness divergence of {fields.get('output_column')}"

    def derivation(self) -> tuple[str, tuple[Any, ...]]:
        """Return the macro that makes pairs and measures how far apart they are."""
        given = {
            "group_by": self.group_by,
            "role": self.role,
            "dimension": self.dimension,
            "output_column": self.output_column,
            "phrases": list(self.refusal_phrases),
            "min_group_size": 1 if self.allow_small_samples else self.min_group_size,
        }
        return "counterfactual_pairs", (given,)

    def lowered(self) -> GroupColumnStatistic:
        """Return the mean divergence of each dimension against the limit."""
        return GroupColumnStatistic(
            name=self.name,
            relation=self.relation,
            where=self.where,
            statistic="mean",
            value_column="divergence",
            protected_attribute_columns=(DIMENSION,),
            operator="<=",
            value=self.max_divergence,
            alpha=self.alpha,
            thresholds=self._inner(self.thresholds) or DEFAULT_THRESHOLDS,
        )

    def further_questions(self) -> tuple[Question, ...]:
        """Return the means by dimension that the floor and the intervals are made of."""
        return tuple(self.mean_of(column, by_dimension=True) for column in COUNTERFACTUAL)


COUNTERFACTUAL = (
    *("divergence", "words_divergence", "control_divergence"),
    *("divergence_square_in_dimension", "gap_square_in_dimension"),
)
"""The columns of pairs that completing the result reads the means of, by dimension."""

PAIRWISE = (
    *("divergence", "equivalent", "position_difference", "control_divergence"),
    *("divergence_square", "equivalent_square", "position_difference_square", "gap_square"),
)
PAIRWISE_BY_DIMENSION = (
    *("divergence", "equivalent", "control_divergence"),
    *("divergence_square_in_dimension", "equivalent_square_in_dimension"),
    "gap_square_in_dimension",
)
"""The same of judged pairs: over all of them, and by dimension."""

_LIMITS = {
    "min_equivalence_rate": ("equivalence_rate", ">="),
    "max_divergence_rate": ("divergence_rate", "<="),
    "max_mean_divergence": ("mean_divergence", "<="),
}
_Rate = Annotated[
    float | None, Allowed("a number from 0 to 1"), Field(ge=0, le=1, allow_inf_nan=False)
]


class PairwiseDivergence(PairedTest):
    """How differently a judge finds two people treated by answers that should be equivalent."""

    measurement_names: ClassVar[tuple[str, ...]] = (
        "equivalence_rate",
        "divergence_rate",
        "mean_divergence",
        "highest_dimension_divergence",
        "position_bias",
        "noise_floor",
        "divergence_above_floor",
        "pair_count",
        "control_pair_count",
    )
    inner_measurements: ClassVar[Mapping[str, str]] = {
        "mean_divergence": "mean",
        "equivalence_rate": "mean_tokens",
        "divergence_rate": "mean_latency",
    }

    type: Annotated[Literal["pairwise_divergence"], Field(description="The kind of test.")] = (
        "pairwise_divergence"
    )
    mode: Annotated[
        PairMode | None,
        Allowed.one_of(get_args(PairMode)),
        Field(description="Each variant beside its group's reference, or two poles of a group."),
    ] = None
    group_by: Annotated[
        Column, Field(description="Answers to one prompt in its variants share its value.")
    ] = None
    role: Annotated[Column, Field(description="Which variant an answer is to.")] = None
    reference_role: Annotated[
        Text | None,
        Allowed("a text that is not blank"),
        Field(description="The role of a group's reference, in mode group."),
    ] = None
    poles: Annotated[
        tuple[Text, Text] | None,
        LIST,
        Allowed("a list of two roles", item="a text that is not blank"),
        Field(description="The two roles that are compared, in mode contrastive."),
    ] = None
    dimension: Annotated[Column, Field(description="Which attribute was varied.")] = None
    equivalent_up_to: Annotated[
        float,
        Allowed("a finite number of at least 0"),
        Field(ge=0, allow_inf_nan=False, description="The divergence that counts as none."),
    ] = 0.0
    min_equivalence_rate: Annotated[
        _Rate, Field(description="Fewest pairs that must be equivalent, as a share.")
    ] = None
    max_divergence_rate: Annotated[
        _Rate, Field(description="Most pairs that may diverge, as a share.")
    ] = None
    max_mean_divergence: Annotated[
        float | None,
        Allowed("a finite number of at least 0"),
        Field(ge=0, allow_inf_nan=False, description="Largest mean divergence."),
    ] = None
    thresholds: Annotated[
        tuple[Threshold, ...],
        LIST,
        Allowed("a list of thresholds", item="a mapping of measurement, operator and value"),
        Field(description="Further limits on measurements."),
    ] = ()

    @model_validator(mode="before")
    @classmethod
    def _limits(cls, data: Any) -> Any:
        """Return the fields with the limits of their own among the thresholds."""
        if not isinstance(data, Mapping) or not isinstance(
            data.get("thresholds") or (), list | tuple
        ):
            return data
        limits = [
            {"measurement": measurement, "operator": operator, "value": float(data[field])}
            for field, (measurement, operator) in _LIMITS.items()
            if isinstance(data.get(field), int | float) and not isinstance(data[field], bool)
        ]
        own = [one for one in data.get("thresholds") or () if one not in limits]
        return {**data, "thresholds": [*own, *limits]}

    @classmethod
    def pair_faults(cls, values: Mapping[str, Any], given: Collection[str]) -> Faults:
        """Yield what is wrong with the judge, the poles and the limits."""
        if not values.get("thresholds", True):
            names = ", ".join(_LIMITS)
            yield "thresholds", f"is required, or one of {names}."
        judges = values.get("judges")
        if judges is None or not all(isinstance(spec, JudgeSpec) for spec in judges):
            return
        pairwise = [spec for spec in judges if is_pairwise(spec)]
        if len(pairwise) != 1 or len(judges) != 1:
            yield "judges", "must name one judge, of pairs: its pairing says so, or its template."
            return
        spec = pairwise[0]
        for field in ("input_column", "output_column"):
            if getattr(spec, field) is None:
                yield "judges", f"name {spec.name}, which needs {field}."
        found = _pairing(values, spec)
        if found["mode"] == "contrastive" and found["poles"] is None:
            yield "poles", "is required by mode contrastive."
        elif found["mode"] == "contrastive" and len(set(found["poles"])) == 1:
            yield "poles", f"name {found['poles'][0]!r} twice."
        for field, mode in (("poles", "group"), ("reference_role", "contrastive")):
            if field in given and found["mode"] == mode:
                yield field, f"is not used by mode {mode}."

    @classmethod
    def default_name(cls, fields: Mapping[str, Any]) -> str:
        """Return a name of the judge."""
        judges = fields.get("judges")
        first = judges[0] if isinstance(judges, list | tuple) and judges else None
        name = first.get("name") if isinstance(first, Mapping) else getattr(first, "name", first)
        return f"pairwise divergence by {name}"

    @property
    def judge(self) -> JudgeSpec:
        """The one judge."""
        return self.judges[0]

    def pairing(self) -> dict[str, Any]:
        """Return how pairs are formed: as the judge says, but for what is given here."""
        return _pairing(dict(self), self.judge)

    def other_than_judged(self) -> dict[str, tuple[Any, Any]]:
        """Return each part of the pairing that is not the judge's: the judge's, then this one."""
        asked, judged = self.pairing(), _pairing({}, self.judge)
        return {
            name: (judged[name], asked[name])
            for name in asked
            if name != "dimension" and judged[name] not in (None, asked[name])
        }

    def derivation(self) -> tuple[str, tuple[Any, ...]]:
        """Return the macro that makes pairs and puts the judgements of both orders beside them."""
        return "judged_pairs", (self.pairing(), self.judge, self.equivalent_up_to)

    def lowered(self) -> MetricThreshold:
        """Return means over all pairs against their limits."""
        limits = self._inner(self.thresholds) or (
            Threshold(measurement="mean", operator=">=", value=0.0),
        )
        columns = {
            "mean": ("value_column", "divergence"),
            "mean_tokens": ("tokens_column", "equivalent"),
            "mean_latency": ("latency_column", "divergent"),
        }
        return MetricThreshold(
            name=self.name,
            relation=self.relation,
            where=self.where,
            alpha=self.alpha,
            thresholds=limits,
            **dict(columns[limit.measurement] for limit in limits),  # type: ignore[arg-type]
        )

    def further_questions(self) -> tuple[Question, ...]:
        """Return the means that rates, floor and intervals are made of."""
        whole = [self.mean_of(column, by_dimension=False) for column in PAIRWISE]
        return (
            *whole,
            *(self.mean_of(column, by_dimension=True) for column in PAIRWISE_BY_DIMENSION),
        )


def is_pairwise(spec: JudgeSpec) -> bool:
    """Return whether a judge judges pairs of answers."""
    return spec.pairing is not None or spec.judge.startswith("pairwise_")


def _pairing(values: Mapping[str, Any], spec: JudgeSpec) -> dict[str, Any]:
    own = spec.pairing.model_dump() if spec.pairing is not None else _PAIRING
    given = {name: values[name] for name in own if values.get(name) is not None}
    return {
        **own,
        **given,
        "input_column": spec.input_column,
        "output_column": spec.output_column,
    }


_PAIRING: Mapping[str, Any] = {
    "mode": "group",
    "group_by": "group_id",
    "role": "role",
    "dimension": None,
    "reference_role": "reference",
    "poles": None,
}
