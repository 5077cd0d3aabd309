"""Which tests a table's columns suggest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairsql.starter.vocabulary import ATTRIBUTES, BAD, PREDICTED, SCORE, TRUTH

if TYPE_CHECKING:
    from fairsql.starter.profiles import Profile

_MAX_ATTRIBUTES = 3


@dataclass(frozen=True)
class Draft:
    """A test as it will be written; comments stand behind the field of that name."""

    fields: Mapping[str, Any]
    active: bool
    comments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Roles:
    """Which column plays which part; the first candidate where there are several."""

    attributes: list[Profile]
    other_groups: list[Profile]
    truth: Profile | None
    prediction: Profile | None
    probability: Profile | None
    score: Profile | None
    outcome: Profile | None
    numbers: list[Profile]


def _roles(found: Sequence[Profile]) -> _Roles:
    attributes = [one for one in found if one.words & ATTRIBUTES and one.is_group]
    others = [one for one in found if not one.words & ATTRIBUTES]
    binary = [one for one in others if one.positive]
    predicted = [one for one in binary if one.words & PREDICTED]
    prediction, truth = _pair(predicted, binary)
    numbers = [one for one in others if one.is_number]
    probability = next((one for one in numbers if one.is_probability), None)
    scored = [one for one in numbers if one.words & SCORE]
    plain = [one for one in binary if one not in (truth, prediction)]
    ranked = [*scored, probability] if truth else []
    return _Roles(
        attributes,
        [one for one in others if one.is_group and one not in binary],
        truth,
        prediction,
        probability,
        next(iter(scored), probability),
        prediction or next(iter(plain), truth),
        [one for one in numbers if one not in ranked],
    )


def _pair(
    predicted: Sequence[Profile], binary: Sequence[Profile]
) -> tuple[Profile | None, Profile | None]:
    """Return a prediction and its truth: ``predicted_recid`` guesses ``two_year_recid``."""
    observed = [one for one in binary if one not in predicted]
    for prediction in predicted:
        subject = prediction.words - PREDICTED
        for truth in observed:
            if subject and subject <= truth.words:
                return prediction, truth
    named = [one for one in observed if one.words & TRUTH]
    return next(iter(predicted), None), next(iter(named), None)


def drafts(relation: str, found: Sequence[Profile]) -> Iterator[Draft]:
    """Yield the tests that a relation's columns suggest, the likely ones active."""
    roles = _roles(found)
    attributes = [one.name for one in roles.attributes]
    likely = [[name] for name in attributes[:_MAX_ATTRIBUTES]]
    for groups in likely:
        yield from _ranking(relation, groups, roles)
        yield from _rate(relation, groups, roles, active=True)
    possible = [attributes[:2]] if len(attributes) > 1 else []
    possible += [[one.name] for one in roles.other_groups[:2]]
    for groups in possible:
        yield from _rate(relation, groups, roles, active=False)
    for groups in [*likely, *possible][:1]:
        yield from _errors(relation, groups, roles)
        yield from _amounts(relation, groups, roles)


def _ranking(relation: str, groups: list[str], roles: _Roles) -> Iterator[Draft]:
    if roles.score and roles.truth:
        columns = {"score_column": roles.score.name, "ground_truth_column": roles.truth.name}
        extra = {**columns, "positive_values": [roles.truth.positive]}
        yield Draft(_test(relation, "AUC", "auc", groups, extra), active=True)


def _rate(relation: str, groups: list[str], roles: _Roles, *, active: bool) -> Iterator[Draft]:
    if roles.outcome is None:
        return
    outcome = roles.outcome
    extra = {
        "value_column": outcome.name,
        "positive_values": [outcome.positive],
        "higher_is_better": not outcome.words & BAD,
    }
    what = f"rate of {outcome.name}"
    comment = {"higher_is_better": f"a guess: is {outcome.positive} good for people?"}
    yield Draft(_test(relation, what, "rate", groups, extra), active, comment)


def _errors(relation: str, groups: list[str], roles: _Roles) -> Iterator[Draft]:
    truth = roles.truth
    if truth is None:
        return
    known = {"ground_truth_column": truth.name, "positive_values": [truth.positive]}
    if roles.prediction:
        extra = {"prediction_column": roles.prediction.name, **known}
        what = "meaning of a negative prediction"
        yield Draft(_test(relation, what, "npv", groups, extra), active=False)
    if roles.probability:
        extra = {"probability_column": roles.probability.name, **known, "comparison": "overall"}
        yield Draft(_test(relation, "Brier score", "brier", groups, extra), active=False)


def _amounts(relation: str, groups: list[str], roles: _Roles) -> Iterator[Draft]:
    for one in roles.numbers[:2]:
        for metric in ("mean", "p95"):
            extra = {"value_column": one.name, "higher_is_better": not one.words & BAD}
            comment = {"higher_is_better": "a guess"}
            what = f"{metric} of {one.name}"
            yield Draft(_test(relation, what, metric, groups, extra), False, comment)


def _test(
    relation: str, what: str, metric: str, groups: list[str], extra: Mapping[str, Any]
) -> dict[str, Any]:
    name = f"{relation}: {what} by {' and '.join(groups)}"
    return {
        "name": " ".join(word for word in re.split(r"[\s\x00-\x1f\x7f-\x9f]+", name) if word),
        "type": "group_metric_parity",
        "relation": relation,
        "protected_attribute_columns": groups,
        "parity_metric": metric,
        **extra,
    }
