"""From tests to the fewest scans: tests over one relation and filter share one statement.

A scan numbers its distinct *attributes*, *inputs*, *measures* (what is aggregated) and *cuts* (one
choice of attributes, missing values and measure), so that tests that differ only in thresholds, or
share a column, cost nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairsql.config import GroupMetricParity, canonical_key
from fairsql.families import MOMENTS, POSITIVES, QUANTILE

if TYPE_CHECKING:
    from fairsql.metrics import Metric
    from fairsql.results import Window

Kind = str | None
"""integer, float, decimal, boolean, text, date, timestamp, timestamptz, other; None: not known."""

_PAIRS = (("0", "1"), ("false", "true"))


@dataclass(frozen=True)
class Attribute:
    """A protected attribute column and its kind."""

    column: str
    kind: Kind


@dataclass(frozen=True)
class Input:
    """A metric input: a number, or a label matched against the texts that are positive.

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


@dataclass(frozen=True)
class Measure:
    """What one aggregation computes; inputs and the label are numbers of the scan's inputs."""

    family: str
    quantity: str
    inputs: tuple[int, ...]
    label: int | None
    probability: bool
    squared: bool


@dataclass(frozen=True)
class Cut:
    """One measure by one choice of attributes; the rest is what quantiles need to know besides."""

    measure: int
    attributes: tuple[int, ...]
    missing_values: tuple[str, ...]
    numerator: int | None = None
    denominator: int | None = None
    alpha: float | None = None
    comparison: str | None = None
    reference_texts: tuple[str, ...] = ()
    higher_is_better: bool | None = None
    min_group_size: int | None = None
    min_group_share: float | None = None
    significance: bool | None = None


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
    """One statement's worth of work. ``cut_of`` maps a test's name to its cut, from 1.

    With ``windows``, the rows of the ``n``-th window of cut ``c`` come back as cut
    ``c + (n - 1) * len(cuts)``.
    """

    relation: str
    where: str | None
    attributes: tuple[Attribute, ...]
    inputs: tuple[Input, ...]
    measures: tuple[Measure, ...]
    cuts: tuple[Cut, ...]
    cut_of: Mapping[str, int]
    windows: Windows | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns the statement reads, each once."""
        columns = [item.column for items in (self.attributes, self.inputs) for item in items]
        times = [self.windows.column] if self.windows else []
        return tuple(dict.fromkeys([*columns, *times]))


@dataclass(frozen=True)
class Request:
    """A test whose names are resolved against its relation.

    ``relation`` is SQL ready for a FROM clause, ``where`` a checked predicate, and ``columns``
    maps every column name the test uses to the column's own name and kind. Of a test that looks at
    a ``window``, the predicate has that too; where it looks at several ``windows``, ``window`` is
    all of them.
    """

    test: GroupMetricParity
    relation: str
    where: str | None
    columns: Mapping[str, Attribute]
    window: Window | None = None
    windows: Windows | None = None

    @property
    def reference_texts(self) -> tuple[str, ...]:
        """The named reference group's key, and on a column that may be boolean also `true`."""
        text = self.test.reference_text
        if text is None:
            return ()
        kind = self.columns[self.test.protected_attribute_columns[0]].kind
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
    cut_of: dict[str, int] = {}
    for request in requests:
        test = request.test
        measure = _measure(request, inputs)
        numbers = tuple(
            attributes.number(request.columns[name]) for name in test.protected_attribute_columns
        )
        cut = Cut(
            measures.number(measure),
            numbers,
            tuple(dict.fromkeys(map(canonical_key, test.missing_attribute_values))),
            **_quantile_settings(request),
        )
        cut_of[test.name] = cuts.number(cut)
    return Scan(
        relation,
        where,
        tuple(attributes.items),
        tuple(inputs.items),
        tuple(measures.items),
        tuple(cuts.items),
        cut_of,
        windows,
    )


def _measure(request: Request, inputs: _Numbered) -> Measure:
    test = request.test
    metric = test.metric
    numbers = {role: inputs.number(_input(request, role, metric)) for role in metric.inputs}
    return Measure(
        family=metric.family.name,
        quantity=metric.quantity,
        inputs=tuple(numbers.values()),
        label=numbers[metric.positive_input] if metric.positive_input else None,
        probability="probability" in metric.inputs.values(),
        squared=metric.family is MOMENTS,
    )


def _input(request: Request, role: str, metric: Metric) -> Input:
    test = request.test
    column = request.columns[test.input_columns[role]]
    if metric.inputs[role] != "label":
        return Input(column.column, column.kind, "number")
    pair, is_boolean = None, False
    if metric.family is POSITIVES:
        texts = set(test.positive_texts)
        pair = next((pair for pair in _PAIRS if texts & set(pair)), None)
        if pair is None and {"true", "false"} & {text.lower() for text in texts}:
            pair, is_boolean = _PAIRS[1], True  # as text, TRUE is not true
    return Input(column.column, column.kind, "label", test.positive_texts, pair, is_boolean)


def _quantile_settings(request: Request) -> dict[str, Any]:
    """Return what the order statistics and the pooled test depend on, for quantiles only."""
    test = request.test
    if test.metric.family is not QUANTILE or test.metric.quantile is None:
        return {}
    settings: dict[str, Any] = {
        "numerator": test.metric.quantile.numerator,
        "denominator": test.metric.quantile.denominator,
        "alpha": test.alpha,
        "comparison": test.comparison,
        "significance": test.significance_test != "none",
    }
    if settings["significance"] and test.comparison == "reference":
        settings["reference_texts"] = request.reference_texts
        if not request.reference_texts:
            settings["higher_is_better"] = test.higher_better
            settings["min_group_size"] = test.min_group_size
            settings["min_group_share"] = test.min_group_share
    return settings
