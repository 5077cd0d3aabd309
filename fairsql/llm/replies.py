"""What a model may reply: the JSON Schema it is given, and the reply read back by the same model.

A provider may or may not hold its model to the schema, and a schema does not bind numbers
everywhere. So every reply is validated here, and one that is not exactly of the shape is a
:class:`ReplyError`: no score is ever made of it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from fairsql.errors import FairsqlError
from fairsql.llm import formulas
from fairsql.llm.prompting import contexts

if TYPE_CHECKING:
    from fairsql.llm.judges import Judge

_EXCERPT = 200  # characters of a reply that an error shows
_SLACK = 1e-9


class ReplyError(FairsqlError):
    """A reply is none: it cannot be read, is of another shape, or off the scale."""


@dataclass(frozen=True)
class Verdict:
    """What a judge says of one row; of claims, what the formula makes of what it says."""

    score: float
    label: str | None
    reason: str | None


@dataclass(frozen=True)
class Questions:
    """Questions to which an output would be the answer; the score is the likeness to the input."""

    questions: tuple[str, ...]

    def verdict(self, asked: Sequence[float], generated: Sequence[Sequence[float]]) -> Verdict:
        """Return the verdict by the embeddings of the input and of the questions.

        Raises
        ------
        ReplyError
            When the embeddings are not of one length, or one of them is zero.
        """
        score = formulas.answer_relevancy(asked, generated)
        if score is None:
            raise ReplyError("the embeddings cannot be compared.")
        return Verdict(score, "committal", f"Questions: {' | '.join(self.questions)}")


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _Claim(_Reply):
    claim: str
    holds: bool


class _Claims(_Reply):
    claims: list[_Claim]


class _Context(_Reply):
    reason: str
    useful: bool


class _Contexts(_Reply):
    verdicts: list[_Context]


class _Factual(_Reply):
    both: list[str]
    output_only: list[str]
    reference_only: list[str]


class _Questions(_Reply):
    questions: list[str]
    noncommittal: bool


def schema_of(judge: Judge) -> dict[str, Any]:
    """Return the JSON Schema of a judge's replies: every field required, no other allowed.

    >>> from fairsql.llm.judges import template
    >>> schema_of(template("coherence"))["properties"]["answer"]
    {'enum': ['yes', 'no'], 'type': 'string'}
    """
    schema: dict[str, Any] = _without_titles(_model(judge).model_json_schema())
    return schema


def read_reply(judge: Judge, text: str, texts: Mapping[str, str | None]) -> Verdict | Questions:
    """Return what a reply says.

    Parameters
    ----------
    judge
        The judge that was asked.
    text
        The reply: one JSON object, perhaps in a fence of Markdown.
    texts
        The texts under judgement.

    Raises
    ------
    ReplyError
        When the reply is not exactly of the shape that was asked for, or no score follows from it.
    """
    try:
        reply = _model(judge).model_validate(_json(text))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        said = f"{place}: {first['msg']}" if place else first["msg"]
        raise ReplyError(
            f"the reply is not of the shape asked for: {said}; {_shown(text)}"
        ) from None
    return _READERS[judge.reply](judge, reply, texts)


def _json(text: str) -> Any:
    """Return the JSON object that a reply is, and is all of."""
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```") and "\n" in stripped:
        stripped = stripped[stripped.index("\n") : -3]
    try:
        return json.loads(stripped, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise ReplyError(f"the reply is not JSON; {_shown(text)}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key is there twice")
    return fields


def _shown(text: str) -> str:
    excerpt = " ".join(text[: _EXCERPT + 1].split())
    return (
        f"it begins: {excerpt[:_EXCERPT]}{'…' * (len(text) > _EXCERPT)}"
        if excerpt
        else "it is empty"
    )


# --- the shapes ------------------------------------------------------------------------------


_OF_CLAIMS: Mapping[str, type[_Reply]] = {
    "claims": _Claims,
    "contexts": _Contexts,
    "factual": _Factual,
    "questions": _Questions,
}


def _model(judge: Judge) -> type[_Reply]:
    if judge.reply in _OF_CLAIMS:
        return _OF_CLAIMS[judge.reply]
    return _scored(judge.reply, tuple(judge.labels), judge.scale)


@cache
def _scored(reply: str, labels: tuple[str, ...], scale: tuple[float, ...]) -> type[_Reply]:
    # What leads to the score comes first: a model writes from left to right.
    fields: dict[str, Any] = {}
    if reply == "graded":
        fields["evidence"] = (str, ...)
    fields["reason"] = (str, ...)
    if reply == "yes_no":
        fields["answer"] = (_one_of(str, ("yes", "no")), ...)
    elif reply == "choice":
        fields["choice"] = (_one_of(str, labels), ...)
    else:
        if labels:
            fields["category"] = (_one_of(str, labels), ...)
        fields["score"] = (_one_of(float, scale), ...)
    return create_model("Reply", __base__=_Reply, **fields)


def _one_of(kind: type, allowed: tuple[Any, ...]) -> Any:
    def check(value: Any) -> Any:
        for one in allowed:
            if value == one or (kind is float and math.isclose(value, one, abs_tol=_SLACK)):
                return one
        raise ValueError(f"must be one of {', '.join(map(_text, allowed))}, but is {_text(value)}")

    return Annotated[kind, AfterValidator(check), Field(json_schema_extra={"enum": list(allowed)})]


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)[:_EXCERPT]


def _without_titles(node: Any) -> Any:
    if isinstance(node, dict):
        # A field may itself be called title; its schema is a mapping, the title a text.
        return {
            key: _without_titles(value)
            for key, value in node.items()
            if key != "title" or not isinstance(value, str)
        }
    return [_without_titles(item) for item in node] if isinstance(node, list) else node


# --- what a reply of each shape says ---------------------------------------------------------

_Texts = Mapping[str, str | None]


def _read_scored(judge: Judge, reply: Any, texts: _Texts) -> Verdict:
    reason = reply.reason.strip()
    evidence = reply.evidence.strip() if judge.reply == "graded" else ""
    if evidence:
        is_quoted = _plain(evidence) in _plain(texts.get("output") or "")
        unlike = "" if is_quoted else " (not found so in the output)"
        reason = f"{reason} Evidence{unlike}: «{evidence}»"
    return Verdict(reply.score, reply.category if judge.labels else None, reason)


def _plain(text: str) -> str:
    return " ".join(text.strip("\"'“”‘’«».… \n").casefold().split())


def _read_yes_no(_: Judge, reply: Any, __: _Texts) -> Verdict:
    return Verdict(1.0 if reply.answer == "yes" else 0.0, reply.answer, reply.reason.strip())


def _read_choice(judge: Judge, reply: Any, _: _Texts) -> Verdict:
    score = judge.labels[reply.choice]
    assert score is not None  # noqa: S101 - a template whose labels are choices gives each a score
    return Verdict(float(score), reply.choice, reply.reason.strip())


def _read_claims(_: Judge, reply: _Claims, __: _Texts) -> Verdict:
    score = formulas.share([claim.holds for claim in reply.claims])
    if score is None:
        raise ReplyError("there are no claims to judge, so the score is undefined.")
    missing = [claim.claim for claim in reply.claims if not claim.holds]
    held = f"{len(reply.claims) - len(missing)} of {len(reply.claims)} claims hold."
    return Verdict(score, None, f"{held} Not: {' | '.join(missing)}" if missing else held)


def _read_contexts(_: Judge, reply: _Contexts, texts: _Texts) -> Verdict:
    ranked = contexts(texts.get("context") or "")
    if len(reply.verdicts) != len(ranked):
        raise ReplyError(f"there are {len(reply.verdicts)} verdicts on {len(ranked)} contexts.")
    useful = [verdict.useful for verdict in reply.verdicts]
    shown = ", ".join(str(place) for place, one in enumerate(useful, 1) if one) or "none"
    return Verdict(formulas.context_precision(useful), None, f"Useful of {len(useful)}: {shown}.")


def _read_factual(_: Judge, reply: _Factual, __: _Texts) -> Verdict:
    counts = len(reply.both), len(reply.output_only), len(reply.reference_only)
    score = formulas.factual_f1(*counts)
    if score is None:
        raise ReplyError("there are no claims to judge, so the score is undefined.")
    only = "; ".join(
        f"{name}: {' | '.join(claims)}"
        for name, claims in (
            ("only in the output", reply.output_only),
            ("only in the reference", reply.reference_only),
        )
        if claims
    )
    return Verdict(score, None, f"In both: {counts[0]}{'; ' if only else ''}{only}.")


def _read_questions(_: Judge, reply: _Questions, __: _Texts) -> Verdict | Questions:
    if reply.noncommittal:
        return Verdict(0.0, "noncommittal", "The output commits itself to no answer.")
    questions = tuple(question.strip() for question in reply.questions if question.strip())
    if not questions:
        raise ReplyError("there are no questions, so the score is undefined.")
    return Questions(questions)


_READERS: Mapping[str, Callable[[Judge, Any, _Texts], Verdict | Questions]] = {
    "graded": _read_scored,
    "compared": _read_scored,
    "yes_no": _read_yes_no,
    "choice": _read_choice,
    "claims": _read_claims,
    "contexts": _read_contexts,
    "factual": _read_factual,
    "questions": _read_questions,
}
