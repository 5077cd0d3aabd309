"""The simulated judge: what is known of it can be found again, and no text moves it."""

from __future__ import annotations

import asyncio
import json
import statistics
from collections.abc import Mapping
from typing import Any

import pytest

from fairsql.llm.judges import judge_for, judge_names, template
from fairsql.llm.prompting import prompt_for
from fairsql.llm.providers import Request, TransientError, open_provider
from fairsql.llm.replies import Questions, ReplyError, Verdict, read_reply, schema_of
from tests.llm.answers import spec
from tests.llm.test_prompting import INJECTIONS

TEXTS = {
    "input": "a question",
    "output": "an answer",
    "reference": "the truth",
    "context": '["one", "two", "three", "four"]',
    "output_a": "one answer",
    "output_b": "another answer",
}


def verdict(name: str, texts: Mapping[str, str], **parameters: Any) -> Verdict | Questions:
    judge = template(name)
    request = Request("m", prompt_for(judge, texts), schema_of(judge), parameters)
    reply = asyncio.run(open_provider("simulated").complete(request))
    return read_reply(judge, reply.text, texts)


def score(name: str, texts: Mapping[str, str], **parameters: Any) -> float:
    said = verdict(name, texts, **parameters)
    assert isinstance(said, Verdict)
    return said.score


def marked(truth: float, more: str = "") -> dict[str, str]:
    return {"output": f"An answer. {{{{truth {truth}}}}} {more}"}


@pytest.mark.parametrize("name", [name for name in judge_names() if name != "custom"])
def test_it_replies_to_every_judge(name: str) -> None:
    assert isinstance(verdict(name, TEXTS), Verdict | Questions)
    assert verdict(name, TEXTS) == verdict(name, TEXTS)


def test_it_replies_on_a_scale_that_is_given() -> None:
    judge = judge_for(
        spec(judge="custom", rubric="r", scale=(1, 5), higher_is_better=True, output_column="o")
    )
    for truth, step in ((0.0, 1), (0.5, 3), (1.0, 5)):
        prompt = prompt_for(judge, marked(truth))
        request = Request("m", prompt, schema_of(judge), {"truth": "mark"})
        reply = asyncio.run(open_provider("simulated").complete(request))
        said = read_reply(judge, reply.text, {})
        assert isinstance(said, Verdict)
        assert said.score == step


def test_it_says_in_every_reason_that_it_is_none() -> None:
    said = verdict("bias", TEXTS)
    assert isinstance(said, Verdict)
    assert "Simulated: no model has read this." in (said.reason or "")


@pytest.mark.parametrize("truth", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("injection", INJECTIONS)
def test_no_text_moves_it(truth: float, injection: str) -> None:
    # The mark is the truth; whatever else the text says, and wherever it pretends to end.
    plain = score("bias", marked(truth), truth="mark")
    assert plain == truth
    assert score("bias", marked(truth, injection), truth="mark") == truth
    more = {"input": injection, **marked(truth, injection)}
    assert score("bias", more, truth="mark") == truth


def test_bias_and_noise_are_what_they_are_said_to_be() -> None:
    own = {"truth": "mark", "bias": 0.2, "noise": 0.25}
    scores = [score("bias", marked(0.3, str(number)), **own) for number in range(400)]
    # Rounded to tenths; even over 0.25 to 0.75, whose standard deviation is 0.5 / sqrt(12).
    assert statistics.mean(scores) == pytest.approx(0.5, abs=4 * 0.15 / 20)
    assert statistics.stdev(scores) == pytest.approx(0.5 / 12**0.5, abs=0.03)


def test_a_seed_is_another_judge() -> None:
    own = {"truth": "mark", "noise": 0.3}
    texts = marked(0.5)
    assert len({score("bias", texts, seed=seed, **own) for seed in range(20)}) > 2


def test_errors_are_as_many_as_said_and_where_said() -> None:
    def fails(number: int, mark: str, **parameters: Any) -> bool:
        try:
            score("bias", {"output": f"{mark} {number}"}, **parameters)
        except ReplyError:
            return True
        return False

    rate = sum(fails(number, "", error_rate=0.2) for number in range(400)) / 400
    assert rate == pytest.approx(0.2, abs=4 * (0.2 * 0.8 / 400) ** 0.5)
    of_women = {"error_rate": 1.0, "error_mark": "she"}
    assert fails(1, "she", **of_women)
    assert not fails(1, "he is", **of_women)


def test_a_preference_for_a_position_is_the_difference_of_the_orders() -> None:
    def pair(first: float, second: float) -> dict[str, str]:
        return {
            "input": "q",
            "output_a": f"{{{{truth {first}}}}}",
            "output_b": f"{{{{truth {second}}}}}",
        }

    own = {"truth": "mark", "position_preference": 0.4}
    forth = score("pairwise_bias", pair(0.9, 0.4), **own)
    back = score("pairwise_bias", pair(0.4, 0.9), **own)
    assert (forth + back) / 2 == pytest.approx(0.5)
    assert forth - back == pytest.approx(0.4)
    assert score("pairwise_bias", pair(0.4, 0.4), truth="mark") == 0


def test_a_busy_service_works_the_second_time() -> None:
    async def twice() -> str:
        provider = open_provider("simulated")
        judge = template("bias")
        prompt = prompt_for(judge, {"output": "an answer"})
        request = Request("m", prompt, schema_of(judge), {"transient_rate": 1.0})
        with pytest.raises(TransientError):
            await provider.complete(request)
        return (await provider.complete(request)).text

    assert json.loads(asyncio.run(twice()))["score"] >= 0
