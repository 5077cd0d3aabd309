"""What a judge is asked: which model, by which template, about which columns.

A judgement is kept by what was judged: the judge, the version of its prompt, the model and a hash
of the texts. So a specification alone says which judgements belong to a row, whoever paid for them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from fairsql.config.fields import LIST, Allowed, Column, Count, Text

DEFAULT_TABLE = "fairsql_judgements"

JudgeName = Literal[
    "bias",
    "correctness",
    "coherence",
    "conciseness",
    "harmfulness",
    "maliciousness",
    "answer_relevancy",
    "answer_correctness",
    "context_precision",
    "context_recall",
    "faithfulness",
    "pairwise_bias",
    "pairwise_demographic_bias",
    "pairwise_refusal_disparity",
    "genuine_refusal",
    "toxicity",
    "custom",
]
"""Every judge; each has a template of this name."""

Provider = Literal["openai", "anthropic", "litellm", "in_warehouse", "simulated", "recorded"]
PairMode = Literal["group", "contrastive"]

_COLUMN = Allowed("a column name")
_TEXT = Allowed("a text that is not blank")
_TEXT_FIELDS = ("input_column", "output_column", "reference_column", "context_column")


class Prices(BaseModel):
    """What a provider asks for a million tokens, in a currency of the user's."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Pairing(BaseModel):
    """Which two answers are compared: columns of the relation, and the roles' names in it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    mode: PairMode = "group"
    group_by: Text = "group_id"
    role: Text = "role"
    dimension: Text | None = None
    reference_role: Text = "reference"
    poles: Annotated[tuple[Text, Text], LIST] | None = None


class JudgeSpec(BaseModel):
    """One judge of one kind of text: what ``judges`` of a suite holds, and a test names.

    >>> spec = JudgeSpec(name="bias_of_answers", judge="bias", model="m", output_column="answer")
    >>> spec.text_columns
    {'output': 'answer'}
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Annotated[
        str,
        Field(pattern=r"^[a-z][a-z0-9_]{0,49}$"),
        Allowed("a name of small letters, digits and _ that begins with a letter"),
    ]
    judge: Annotated[JudgeName, Allowed.one_of(get_args(JudgeName))]
    model: Annotated[Text, _TEXT]
    provider: Annotated[Provider, Allowed.one_of(get_args(Provider))] = "openai"
    table: Annotated[Text, Allowed("the name of a table")] = DEFAULT_TABLE
    input_column: Annotated[Column, _COLUMN] = None
    output_column: Annotated[Column, _COLUMN] = None
    reference_column: Annotated[Column, _COLUMN] = None
    context_column: Annotated[Column, _COLUMN] = None
    attribute: Annotated[Text | None, _TEXT] = None
    rubric: Annotated[Text | None, _TEXT] = None
    scale: Annotated[
        tuple[float, float] | None, LIST, Allowed("the least and the greatest score")
    ] = None
    higher_is_better: Annotated[bool | None, Allowed("true or false")] = None
    pairing: Annotated[Pairing | None, Allowed("a mapping that says how pairs are formed")] = None
    relation: Annotated[Text | None, Allowed("the name of a table or view")] = None
    where: Annotated[Text | None, Allowed("one SQL predicate")] = None
    key_columns: Annotated[
        tuple[Text, ...], LIST, Allowed("a list of columns", item="a column name")
    ] = ()
    sample_size: Annotated[Count | None, Allowed("a whole number of at least 1")] = None
    seed: Annotated[int, Allowed("a whole number")] = 0
    prices: Annotated[
        Prices | None, Allowed("a mapping of input and output, each the price of a million tokens")
    ] = None
    parameters: Annotated[dict[str, Any], Allowed("a mapping of the model's parameters")] = Field(
        default_factory=dict
    )
    embedding_model: Annotated[Text | None, _TEXT] = None
    prompt_version: Annotated[Text | None, _TEXT] = None
    """Whose judgements tests read; by default those of the template as it is."""

    @property
    def text_columns(self) -> dict[str, str]:
        """What is judged -> its column, in the order in which it is hashed."""
        return {
            field.removesuffix("_column"): column
            for field in _TEXT_FIELDS
            if (column := getattr(self, field)) is not None
        }


Judges = Annotated[
    tuple[JudgeSpec, ...],
    LIST,
    Allowed("a list of judges", item="a judge of the suite by its name, or a mapping"),
    Field(description="Judges whose scores are columns of the relation: NAME_score and others."),
]
