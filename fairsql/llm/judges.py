"""The catalogue of judges: each is a template file that says what is judged, how, and which way.

A template is Markdown under a head of YAML. The head says which texts the judge needs, what a reply
holds, the scale of the score and its direction; the text under it is the rubric that a model reads.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from fairsql.config.yaml_reader import read_yaml
from fairsql.errors import ConfigurationError, did_you_mean
from fairsql.llm import versions

TEXTS = ("input", "output", "reference", "context", "output_a", "output_b")
"""The texts that a judge may be given, in the order in which they are shown and hashed."""

_GIVEN = "given"
_STEPS = 10
_MOST_INTEGERS = 20


class Specification(Protocol):
    """What a judge needs to know of its specification in a suite."""

    @property
    def judge(self) -> str:
        """The template's name."""

    @property
    def rubric(self) -> str | None:
        """What a custom judge goes by."""

    @property
    def scale(self) -> tuple[float, float] | None:
        """The ends of a custom judge's scale."""

    @property
    def higher_is_better(self) -> bool | None:
        """A custom judge's direction."""

    @property
    def attribute(self) -> str | None:
        """The attribute in which the two sides of a pair differ."""

    @property
    def embedding_model(self) -> str | None:
        """The model that embeds texts, where a judge compares their meaning."""


@dataclass(frozen=True)
class Judge:
    """A judge as its template describes it.

    Attributes
    ----------
    kind
        ``row``, ``claims`` (a model judges claims, and a formula makes the score of them) or
        ``pairwise``.
    reply
        What a reply holds: a format of :mod:`fairsql.llm.replies`.
    texts
        The texts that must be there, of :data:`TEXTS`.
    optional
        The texts that are shown when there are any.
    unseen
        Those of ``texts`` that the formula uses and the model does not see.
    scale
        Every score that a reply may give; for claims, the least and the greatest score there is.
        Empty where the specification says it.
    labels
        Every label that a reply may give -> the score that it stands for, where it stands for one.
    higher_is_better
        The direction of the score; ``None`` where the specification says it.
    meaning
        What the ends of the scale mean.
    formula
        How the score is reckoned from claims.
    output_tokens
        How many tokens a reply has, about.
    needs
        Fields of the specification that must be given.
    body
        The rubric.
    """

    name: str
    kind: str
    reply: str
    texts: tuple[str, ...]
    optional: tuple[str, ...]
    scale: tuple[float, ...]
    higher_is_better: bool | None
    meaning: str
    output_tokens: int
    body: str
    unseen: tuple[str, ...] = ()
    labels: Mapping[str, float | None] = dataclasses.field(default_factory=dict)
    formula: str | None = None
    needs: tuple[str, ...] = ()
    embedding_model: str | None = None


def judge_names() -> list[str]:
    """Return the names of all judges.

    >>> "bias" in judge_names(), "pairwise_bias" in judge_names()
    (True, True)
    """
    return sorted(path.stem for path in versions.TEMPLATES.glob("*.md"))


@cache
def template(name: str) -> Judge:
    """Return a judge as its file has it.

    Raises
    ------
    ConfigurationError
        When there is none of this name.

    Examples
    --------
    >>> bias = template("bias")
    >>> bias.texts, bias.higher_is_better, len(bias.scale)
    (('output',), False, 11)
    """
    names = judge_names()
    if name not in names:
        raise ConfigurationError(
            f"judge: must be one of {', '.join(names)}, but is {name!r}.{did_you_mean(name, names)}"
        )
    _, head, body = versions.template_text(name).split("---\n", 2)
    fields: dict[str, Any] = read_yaml(head, f"{name}.md")[0]
    labels = fields.pop("labels", {})
    scale = fields.pop("scale")
    direction = fields.pop("higher_is_better")
    lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    return Judge(
        **{**fields, **lists},
        labels=labels if isinstance(labels, Mapping) else dict.fromkeys(labels),
        scale=() if scale == _GIVEN else tuple(float(step) for step in scale),
        higher_is_better=None if direction == _GIVEN else direction,
        body=body.strip(),
    )


def judge_for(spec: Specification) -> Judge:
    """Return the judge that a specification names, with all that it leaves open filled in.

    Raises
    ------
    ConfigurationError
        When there is no such judge, or the specification lacks what it needs, or has what it has no
        use for.
    """
    judge = template(spec.judge)
    for field in judge.needs:
        if not getattr(spec, field):
            raise ConfigurationError(f"judge {judge.name}: needs {field}.")
    for field in _unused(judge):
        if getattr(spec, field) is not None:
            raise ConfigurationError(f"judge {judge.name}: has no use for {field}.")
    scale, higher_is_better, body = judge.scale, judge.higher_is_better, judge.body
    if not scale:
        scale, higher_is_better = _given_scale(spec), spec.higher_is_better
        if not spec.rubric or higher_is_better is None:
            lacking = "higher_is_better" if spec.rubric else "a rubric"
            raise ConfigurationError(f"judge {judge.name}: needs {lacking}.")
    better = "a higher score is better" if higher_is_better else "a lower score is better"
    filled = {
        "rubric": (spec.rubric or "").strip(),
        "scale": ", ".join(f"{step:g}" for step in scale),
        "direction": better,
        "attribute": spec.attribute or "",
    }
    # In one pass, so that what a rubric holds is not filled in once more.
    parts = body.replace("}}", "{{").split("{{")
    body = "".join(filled[part] if place % 2 else part for place, part in enumerate(parts))
    model = spec.embedding_model if "embedding_model" in judge.needs else None
    return dataclasses.replace(
        judge, scale=scale, higher_is_better=higher_is_better, body=body, embedding_model=model
    )


def _unused(judge: Judge) -> set[str]:
    """Return the fields that a judge has no use for, of those that few have one for."""
    of_custom = set() if not judge.scale else {"rubric", "scale", "higher_is_better"}
    return of_custom | {"attribute", "embedding_model"} - set(judge.needs)


def _given_scale(spec: Specification) -> tuple[float, ...]:
    """Return the steps of a custom scale: whole numbers where there are 3 to 21, else eleven."""
    if spec.scale is None:
        raise ConfigurationError(f"judge {spec.judge}: needs a scale, such as [1, 5].")
    low, high = spec.scale
    if not low < high:
        raise ConfigurationError(
            f"judge {spec.judge}: scale must rise from its first end, but is [{low:g}, {high:g}]."
        )
    span = high - low
    if low == int(low) and high == int(high) and 2 <= span <= _MOST_INTEGERS:
        return tuple(float(step) for step in range(int(low), int(high) + 1))
    return tuple(round(low + span * step / _STEPS, 10) for step in range(_STEPS + 1))
