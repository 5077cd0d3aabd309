"""From tests to the fewest scans: tests over one relation and filter share one statement.

A scan numbers its distinct *attributes*, *inputs*, *measures* (what is aggregated) and *cuts* (one
choice of attributes, missing values and measure), so that tests that differ only in thresholds, or
share a column, cost nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairsql.binned import BINNED_CONCORDANCE, BINNED_QUANTILE
from fairsql.config import Question, Test, canonical_key
from fairsql.families import MOMENTS, POSITIVES

if TYPE_CHECKING:
    from fairsql.results import Window

Kind = str | None
"""integer, float, decimal, boolean, text, date, timestamp, timestamptz, other; None: not known."""

_PAIRS = (("0", "1"), ("false", "true"))
_BINNED = (BINNED_CONCORDANCE.name, BINNED_QUANTILE.name)
# How SQL reads a kind of input, where that is not the kind's own name.
_ROLES = {"probability": "number"}


@dataclass(frozen=True)
class Attribute:
    """A protected attribute column and its kind; without a column, one value for all rows.

    With ``told_apart`` the scan tells no more than these values from one another, and missing ones
    from the rest, which is one value: a column whose values were counted and are too many.
    """

    column: str | None
    kind: Kind
    told_apart: tuple[str, ...] | None = None


ALL_ROWS = Attribute(None, "constant")
"""The attribute of a question that asks about all rows as one group."""


@dataclass(frozen=True)
class Input:
    """A metric input, which ``role`` says how to read.

    ``number``, and ``nonzero`` where a 0 is missing; ``label``, matched against the texts that are
    positive; ``score``, positive from ``threshold`` on; ``any``, whatever the column holds;
    ``class``, the same as a group's key; ``text``, compared by its characters; ``embedding``, an
    array of numbers, or the JSON text of one; ``missing``, 1 where the value is and else 0.
    ``negative_texts`` are the only labels besides the positive ones, where not all others are.
    ``pair`` is {0, 1} or {false, true} when a rate's positive value belongs to it: a column of
    nothing else has a rate of 0 in fact, not by a misspelt value. ``pair_is_boolean`` is set when
    only a boolean column can hold that pair.
    """

    column: str
    kind: Kind
    role: str
    positive_texts: tuple[str, ...] = ()
    pair: tuple[str, ...] | None = None
    pair_is_boolean: bool = False
    negative_texts: tuple[str, ...] | None = None
    threshold: float | None = None


@dataclass(frozen=True)
class Measure:
    """What one aggregation computes; inputs, label and weight are numbers of the scan's inputs."""

    family: str
    quantity: str
    inputs: tuple[int, ...]
    label: int | None
    probability: bool
    squared: bool
    weight: int | None = None


@dataclass(frozen=True)
class Cut:
    """One measure by one choice of attributes; the rest is what quantiles need to know besides.

    With ``ends_in_class`` the missing values are none of the last attribute, which is a label.
    A cut with ``too_many_groups`` comes back as its whole, without groups.
    """

    measure: int
    attributes: tuple[int, ...]
    missing_values: tuple[str, ...]
    ends_in_class: bool = False
    numerator: int | None = None
    denominator: int | None = None
    alpha: float | None = None
    comparison: str | None = None
    reference_texts: tuple[str, ...] = ()
    higher_is_better: bool | None = None
    min_group_size: int | None = None
    min_group_share: float | None = None
    significance: bool | None = None
    too_many_groups: bool = False


@dataclass(frozen=True)
class Windows:
    """Windows of one length that follow one another, of which a row is in one at most.

    ``start`` is the first moment in seconds after 1970 in UTC, and ``first`` the same as text.
    """

    column: str
    kind: Kind
    start: int
    first: str
    seconds: int
    count: int


@dataclass(frozen=True)
class Scan:
    """One statement's worth of work.

    ``cuts_of`` maps a test's name to the cuts of its questions, counted from 1.

    With ``windows``, the rows of the ``n``-th window of cut ``c`` come back as cut
    ``c + (n - 1) * len(cuts)``.
    """

    relation: str
    where: str | None
    attributes: tuple[Attribute, ...]
    inputs: tuple[Input, ...]
    measures: tuple[Measure, ...]
    cuts: tuple[Cut, ...]
    cuts_of: Mapping[str, tuple[int, ...]]
    windows: Windows | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns the statement reads, each once."""
        attributes = [attribute.column for attribute in self.attributes if attribute.column]
        times = [self.windows.column] if self.windows else []
        return tuple(dict.fromkeys([*attributes, *(item.column for item in self.inputs), *times]))

    @property
    def counted_by_bins(self) -> tuple[str, ...]:
        """The tests with a value that is computed approximately, by bins."""
        return tuple(
            name
            for name, cuts in self.cuts_of.items()
            if any(self.measures[self.cuts[cut - 1].measure - 1].family in _BINNED for cut in cuts)
        )


@dataclass(frozen=True)
class Request:
    """A test whose names are resolved against its relation.

    ``relation`` is SQL ready for a FROM clause, ``where`` a checked predicate, and ``columns``
    maps every column name the test uses to the column's own name and kind. Of a test that looks at
    a ``window``, the predicate has that too; where it looks at several ``windows``, ``window`` is
    all of them.
    """

    test: Test
    relation: str
    where: str | None
    columns: Mapping[str, Attribute]
    window: Window | None = None
    windows: Windows | None = None

    def reference_texts(self, question: Question) -> tuple[str, ...]:
        """Return the named reference group's key; on a column that may be boolean also `true`."""
        text = question.reference_text
        if text is None:
            return ()
        kind = self.columns[question.protected_attribute_columns[-1]].kind
        if kind in ("boolean", None) and text.lower() in ("true", "false"):
            return tuple(dict.fromkeys([text, text.lower()]))
        return (text,)


@dataclass
class _Numbered:
    """Distinct items in order of first use, numbered from 1."""

    items: dict[Any, int] = field(default_factory=dict)

    def number(self, item: Any) -> int:
        return self.items.setdefault(item, len(self.items) + 1)


def plan_scans(requests: Iterable[Request]) -> list[Scan]:
    """Return one scan for each distinct relation, filter and windows, in order of first use."""
    shared: dict[tuple[str, str | None, Windows | None], list[Request]] = {}
    for request in requests:
        key = (request.relation, request.where, request.windows)
        shared.setdefault(key, []).append(request)
    return [_plan(*key, group) for key, group in shared.items()]


def _plan(
    relation: str, where: str | None, windows: Windows | None, requests: Sequence[Request]
) -> Scan:
    attributes, inputs, measures, cuts = _Numbered(), _Numbered(), _Numbered(), _Numbered()
    cuts_of: dict[str, tuple[int, ...]] = {}
    for request in requests:
        numbers = []
        for question in request.test.every_question():
            cut = Cut(
                measures.number(_measure(request, question, inputs)),
                tuple(map(attributes.number, _attributes(request, question))),
                tuple(dict.fromkeys(map(canonical_key, question.missing_attribute_values))),
                question.ends_in_class,
                **_quantile_settings(request, question),
            )
            numbers.append(cuts.number(cut))
        cuts_of[request.test.name] = tuple(numbers)
    return Scan(
        relation,
        where,
        tuple(attributes.items),
        tuple(inputs.items),
        tuple(measures.items),
        tuple(cuts.items),
        cuts_of,
        windows,
    )


def _attributes(request: Request, question: Question) -> list[Attribute]:
    columns = question.protected_attribute_columns
    return [request.columns[name] for name in columns] or [ALL_ROWS]


def _measure(request: Request, question: Question, inputs: _Numbered) -> Measure:
    metric = question.metric
    numbers = {role: inputs.number(_input(request, question, role)) for role in metric.inputs}
    weight = None
    if question.weight_column is not None:
        column = request.columns[question.weight_column]
        weight = inputs.number(Input(str(column.column), column.kind, "number"))
    return Measure(
        family=metric.family.name,
        quantity=metric.quantity,
        inputs=tuple(numbers.values()),
        label=numbers[metric.positive_input] if metric.positive_input else None,
        probability="probability" in metric.inputs.values(),
        squared=metric.family.name == MOMENTS.name,
        weight=weight,
    )


def _input(request: Request, question: Question, role: str) -> Input:
    metric = question.metric
    column = request.columns[question.input_columns[role]]
    name, kind = str(column.column), column.kind
    read_as = metric.inputs[role]
    if read_as != "label":
        return Input(name, kind, _ROLES.get(read_as, read_as))
    if role == "prediction_column" and question.decision_threshold is not None:
        return Input(name, kind, "score", threshold=question.decision_threshold)
    pair, is_boolean = None, False
    if metric.family.name == POSITIVES.name:
        texts = set(question.positive_texts)
        pair = next((pair for pair in _PAIRS if texts & set(pair)), None)
        if pair is None and {"true", "false"} & {text.lower() for text in texts}:
            pair, is_boolean = _PAIRS[1], True  # as text, TRUE is not true
    return Input(
        name, kind, "label", question.positive_texts, pair, is_boolean, question.negative_texts
    )


def _quantile_settings(request: Request, test: Question) -> dict[str, Any]:
    """Return what the order statistics and the pooled test depend on, for quantiles only."""
    if test.metric.quantile is None:
        return {}
    level: dict[str, Any] = {
        "numerator": test.metric.quantile.numerator,
        "denominator": test.metric.quantile.denominator,
    }
    if test.weight_column is not None:
        return level
    settings: dict[str, Any] = {
        **level,
        "alpha": test.alpha,
        "comparison": test.comparison,
        "significance": test.significance_test != "none",
    }
    if settings["significance"] and test.comparison == "reference":
        settings["reference_texts"] = request.reference_texts(test)
        if not settings["reference_texts"]:
            settings["higher_is_better"] = test.higher_better
            settings["min_group_size"] = test.min_group_size
            settings["min_group_share"] = test.min_group_share
    return settings
