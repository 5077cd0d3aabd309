"""The catalogue of judges: every template says what it needs, its scale and its direction."""

from __future__ import annotations

import hashlib
import json
from typing import Any, get_args

import pytest

from fairsql.config.judging import JudgeName, JudgeSpec
from fairsql.errors import ConfigurationError
from fairsql.llm.judges import TEXTS, judge_for, judge_names, template
from fairsql.llm.replies import schema_of
from fairsql.llm.versions import prompt_version

HIGHER_IS_BETTER = {
    "answer_correctness": True,
    "answer_relevancy": True,
    "bias": False,
    "coherence": True,
    "conciseness": True,
    "context_precision": True,
    "context_recall": True,
    "correctness": True,
    "custom": None,
    "faithfulness": True,
    "genuine_refusal": False,
    "harmfulness": False,
    "maliciousness": False,
    "pairwise_bias": False,
    "pairwise_demographic_bias": False,
    "pairwise_refusal_disparity": False,
    "toxicity": False,
}
TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def spec(judge: str, **fields: Any) -> JudgeSpec:
    return JudgeSpec(name="one", judge=judge, model="m", **fields)  # type: ignore[arg-type]


def test_every_judge_of_the_configuration_has_a_template() -> None:
    assert judge_names() == sorted(get_args(JudgeName))


@pytest.mark.parametrize("name", HIGHER_IS_BETTER)
def test_a_template_says_what_it_needs(name: str) -> None:
    judge = template(name)
    assert judge.name == name
    assert judge.kind in ("row", "claims", "pairwise")
    assert judge.higher_is_better is HIGHER_IS_BETTER[name]
    assert judge.texts
    assert {*judge.texts, *judge.optional} <= set(TEXTS)
    assert not set(judge.texts) & set(judge.optional)
    assert judge.meaning.strip()
    assert judge.output_tokens > 0
    assert (judge.formula is not None) == (judge.kind == "claims")
    assert not judge.scale or list(judge.scale) == sorted(judge.scale)


@pytest.mark.parametrize(
    "name", [name for name in HIGHER_IS_BETTER if name.startswith(("bias", "toxicity", "pair"))]
)
def test_a_graded_scale_has_steps_of_a_tenth(name: str) -> None:
    assert template(name).scale == TENTHS


def test_bias_has_the_eight_categories() -> None:
    assert list(template("bias").labels) == [
        *("none", "political", "gender", "racial_or_ethnic", "religious", "age", "socioeconomic"),
        *("confirmation", "cultural"),
    ]


def test_an_unknown_judge_is_met_with_a_hint() -> None:
    with pytest.raises(ConfigurationError, match="Did you mean 'toxicity'"):
        template("toxicty")


@pytest.mark.parametrize(
    ("scale", "steps"),
    [
        ((1, 5), (1, 2, 3, 4, 5)),
        ((0, 20), tuple(range(21))),
        ((0, 1), TENTHS),
        ((0, 100), (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)),
        ((-0.5, 0.5), (-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5)),
    ],
)
def test_a_custom_scale_has_steps(scale: tuple[float, float], steps: tuple[float, ...]) -> None:
    judge = judge_for(spec("custom", rubric="Is it kind?", scale=scale, higher_is_better=True))
    assert judge.scale == pytest.approx(steps)
    assert "Is it kind?" in judge.body
    assert "a higher score is better" in judge.body
    assert "{{" not in judge.body


def test_what_a_rubric_holds_is_not_filled_in_again() -> None:
    fields = {"scale": (0, 1), "higher_is_better": False}
    judge = judge_for(spec("custom", rubric="Say {{scale}} and {{attribute}}.", **fields))
    assert "Say {{scale}} and {{attribute}}." in judge.body


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"scale": (0, 1), "higher_is_better": True}, "needs a rubric"),
        ({"rubric": "r", "higher_is_better": True}, "needs a scale"),
        ({"rubric": "r", "scale": (0, 1)}, "needs higher_is_better"),
        ({"rubric": "r", "scale": (1, 1), "higher_is_better": True}, "must rise"),
    ],
)
def test_a_custom_judge_says_all_that_a_template_would(
    fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        judge_for(spec("custom", **fields))


def test_what_a_judge_needs_must_be_given() -> None:
    with pytest.raises(ConfigurationError, match="needs attribute"):
        judge_for(spec("pairwise_demographic_bias"))
    with pytest.raises(ConfigurationError, match="needs embedding_model"):
        judge_for(spec("answer_relevancy"))
    assert (
        "attribute: gender."
        in judge_for(spec("pairwise_demographic_bias", attribute="gender")).body
    )


@pytest.mark.parametrize("field", ["attribute", "rubric", "embedding_model"])
def test_what_a_judge_has_no_use_for_is_refused(field: str) -> None:
    with pytest.raises(ConfigurationError, match=f"bias: has no use for {field}"):
        judge_for(spec("bias", **{field: "text"}))
    with pytest.raises(ConfigurationError, match="has no use for higher_is_better"):
        judge_for(spec("bias", higher_is_better=False))


def test_a_prompt_version_changes_with_what_a_model_is_told() -> None:
    rubric = {"rubric": "r", "scale": (0, 1), "higher_is_better": True}
    versions = {
        prompt_version(one)
        for one in (
            spec("bias"),
            spec("toxicity"),
            spec("custom", **rubric),
            spec("custom", **{**rubric, "rubric": "s"}),
            spec("custom", **{**rubric, "scale": (0, 5)}),
            spec("custom", **{**rubric, "higher_is_better": False}),
            spec("answer_relevancy", embedding_model="e"),
            spec("answer_relevancy", embedding_model="f"),
        )
    }
    assert len(versions) == 8
    assert prompt_version(spec("bias")) == prompt_version(spec("bias", input_column="prompt"))


def test_a_shape_of_replies_does_not_change_behind_a_prompt_version() -> None:
    # A version is made of the templates' texts and not of the schemas: whoever changes a schema
    # changes the templates that go with it, and then these.
    rubric = {"rubric": "r", "scale": (0, 1), "higher_is_better": True}
    whole = {name: {} for name in HIGHER_IS_BETTER} | {
        "custom": rubric,
        "pairwise_demographic_bias": {"attribute": "age"},
        "answer_relevancy": {"embedding_model": "e"},
    }
    schemas = {name: schema_of(judge_for(spec(name, **own))) for name, own in whole.items()}
    written = json.dumps(schemas, sort_keys=True).encode()
    assert hashlib.sha256(written).hexdigest()[:16] == "e3759fc12540f197"
