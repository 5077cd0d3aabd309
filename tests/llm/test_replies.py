"""A reply is a verdict if and only if it is exactly what was asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fairsql.llm.judges import Judge, judge_names, template
from fairsql.llm.replies import Questions, ReplyError, Verdict, read_reply, schema_of
from tests.llm.test_judges import TENTHS

GRADED = {"evidence": "", "reason": "r", "category": "gender", "score": 0.4}


def read(name: str, reply: Any, **texts: str) -> Verdict:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    verdict = read_reply(template(name), text, texts)
    assert isinstance(verdict, Verdict)
    return verdict


def test_a_graded_reply_has_its_category_and_its_evidence() -> None:
    reply = {**GRADED, "evidence": "“women  cannot”", "reason": "A stereotype."}
    verdict = read("bias", reply, output="He said that Women cannot drive.")
    assert verdict == Verdict(0.4, "gender", "A stereotype. Evidence: «“women  cannot”»")
    verdict = read("bias", reply, output="He said nothing.")
    assert "Evidence (not found so in the output)" in (verdict.reason or "")


@pytest.mark.parametrize("score", TENTHS)
def test_every_step_of_the_scale_is_taken(score: float) -> None:
    assert read("bias", {**GRADED, "score": score}).score == score


@pytest.mark.parametrize("score", ["0", "0.30000000000000004", "1", "3e-1"])
def test_a_step_may_be_written_in_other_ways(score: str) -> None:
    reply = f'{{"evidence": "", "reason": "", "category": "none", "score": {score}}}'
    assert read("bias", reply).score in (0, 0.3, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"score": 1.1},
        {"score": -0.1},
        {"score": 0.35},
        {"score": 10**15},
        {"score": 10**400},
        {"score": float("nan")},
        {"score": float("inf")},
        {"score": "0.4"},
        {"score": True},
        {"score": None},
        {"score": [0.4]},
        {"category": "sexism"},
        {"category": None},
        {"category": "Gender"},
        {"reason": 3},
        {"more": 1},
    ],
)
def test_what_is_off_the_scale_or_of_another_shape_is_no_verdict(change: dict[str, Any]) -> None:
    with pytest.raises(ReplyError, match="not of the shape"):
        read("bias", {**GRADED, **change})


@pytest.mark.parametrize("field", GRADED)
def test_no_field_may_lack(field: str) -> None:
    with pytest.raises(ReplyError, match=field):
        read("bias", {name: value for name, value in GRADED.items() if name != field})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0.4",
        "[]",
        "null",
        "The score is 0.4.",
        f"Here it is: {json.dumps(GRADED)}",
        f"{json.dumps(GRADED)} {json.dumps(GRADED)}",
        json.dumps(GRADED)[:-1],
        json.dumps(GRADED).replace('"score"', '"score": 0.0, "score"'),
        "[" * 100_000,
        "{" * 100_000,
        "I'm sorry, but I can't assist with that.",
    ],
)
def test_what_is_not_one_object_is_no_verdict(text: str) -> None:
    with pytest.raises(ReplyError):
        read("bias", text)


def test_a_fence_of_markdown_is_taken_off() -> None:
    assert read("bias", f"```json\n{json.dumps(GRADED)}\n```\n").score == 0.4


@given(st.text())
def test_no_text_at_all_makes_a_score_by_accident(text: str) -> None:
    with pytest.raises(ReplyError):
        read("bias", text)


@pytest.mark.parametrize("name", ["correctness", "coherence", "harmfulness"])
def test_yes_is_one_and_no_is_zero(name: str) -> None:
    assert read(name, {"reason": "r", "answer": "yes"}) == Verdict(1.0, "yes", "r")
    assert read(name, {"reason": "r", "answer": "no"}) == Verdict(0.0, "no", "r")
    with pytest.raises(ReplyError):
        read(name, {"reason": "r", "answer": "Yes"})


def test_a_disclaimer_is_no_refusal() -> None:
    scores = {
        choice: read("genuine_refusal", {"reason": "", "choice": choice}).score
        for choice in ("refuses", "disclaims", "answers")
    }
    assert scores == {"refuses": 1, "disclaims": 0, "answers": 0}


def claims(*holds: bool) -> dict[str, Any]:
    return {"claims": [{"claim": f"c{n}", "holds": one} for n, one in enumerate(holds)]}


@pytest.mark.parametrize("name", ["faithfulness", "context_recall"])
def test_claims_are_counted_here_and_not_by_the_model(name: str) -> None:
    verdict = read(name, claims(True, False, True, True))
    assert verdict == Verdict(0.75, None, "3 of 4 claims hold. Not: c1")
    with pytest.raises(ReplyError, match="undefined"):
        read(name, claims())


def test_precision_of_contexts_needs_a_verdict_on_each() -> None:
    def reply(*useful: bool) -> dict[str, Any]:
        return {"verdicts": [{"reason": "", "useful": one} for one in useful]}

    verdict = read("context_precision", reply(False, True, True), context='["a", "b", "c"]')
    assert verdict.score == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert read("context_precision", reply(True), context="one text").score == 1
    with pytest.raises(ReplyError, match="2 verdicts on 3 contexts"):
        read("context_precision", reply(True, True), context='["a", "b", "c"]')


def test_answer_correctness_is_the_f1_of_claims() -> None:
    reply = {"both": ["a", "b"], "output_only": ["c"], "reference_only": []}
    assert read("answer_correctness", reply).score == pytest.approx(4 / 5)
    with pytest.raises(ReplyError, match="undefined"):
        read("answer_correctness", {"both": [], "output_only": [], "reference_only": []})


def test_relevancy_is_the_mean_cosine_of_questions() -> None:
    reply = json.dumps({"questions": ["q1?", " ", "q2?"], "noncommittal": False})
    questions = read_reply(template("answer_relevancy"), reply, {})
    assert isinstance(questions, Questions)
    assert questions.questions == ("q1?", "q2?")
    assert questions.verdict([1, 0], [[1, 0], [1, 1]]).score == pytest.approx((1 + 0.5**0.5) / 2)
    with pytest.raises(ReplyError, match="cannot be compared"):
        questions.verdict([1, 0], [[1, 0], [0, 0]])
    assert read("answer_relevancy", {"questions": [], "noncommittal": True}).score == 0
    with pytest.raises(ReplyError, match="no questions"):
        read("answer_relevancy", {"questions": [], "noncommittal": False})


@pytest.mark.parametrize("name", [name for name in judge_names() if name != "custom"])
def test_schemas_are_what_services_hold_models_to(name: str) -> None:
    schema = schema_of(template(name))
    Draft202012Validator.check_schema(schema)
    for part in (schema, *schema.get("$defs", {}).values()):
        # https://platform.openai.com/docs/guides/structured-outputs: every field is required.
        assert part["additionalProperties"] is False
        assert list(part["required"]) == list(part["properties"])


def test_a_schema_says_no_to_what_the_reader_says_no_to() -> None:
    validator = Draft202012Validator(schema_of(template("bias")))
    assert validator.is_valid(GRADED)
    for change in ({"score": 0.35}, {"score": "0.4"}, {"category": "sexism"}, {"more": 1}):
        assert not validator.is_valid({**GRADED, **change})


def test_pairs_are_labelled_by_who_is_better_off() -> None:
    reply = {"reason": "r", "category": "a", "score": 0.7}
    assert read("pairwise_bias", reply) == Verdict(0.7, "a", "r")
    assert isinstance(template("pairwise_bias"), Judge)
