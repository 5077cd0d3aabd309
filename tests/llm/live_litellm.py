"""LiteLLM itself against a service on this machine: `make test-llm`.

It brings more packages than the rest of the tests together, so that these have a stand-in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fairsql.llm.providers import ProviderError, RejectedError, Reply, Request, TransientError
from tests.llm.service import Service, failing, of_anthropic, of_openai, served
from tests.llm.test_providers import KEY, REQUEST, tool, with_provider

SAID = Reply("x", 100, 20)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with served(lambda _: of_openai("x")) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{running.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_API_BASE", running.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        yield running


def ask(model: str = "openai/m", **parameters: Any) -> Any:
    request = Request(model, REQUEST.prompt, REQUEST.schema, {"temperature": 0, **parameters})
    return with_provider("litellm", lambda provider: provider.complete(request))


def test_it_sends_what_it_is_given(service: Service) -> None:
    assert ask(max_tokens=50) == SAID
    (asked,) = service.asked
    assert asked["model"] == "m"
    assert (asked["temperature"], asked["max_tokens"]) == (0, 50)
    assert asked["response_format"]["json_schema"]["schema"] == REQUEST.schema
    assert [one["role"] for one in asked["messages"]] == ["system", "user"]
    assert service.headers[0]["authorization"] == f"Bearer {KEY}"
    name = "json_tool_call"  # what LiteLLM makes of a schema where a service has no other way
    service.answer = lambda _: of_anthropic([{**tool({"reason": "r"})[0], "name": name}])
    assert ask("anthropic/claude-x").text == '{"reason": "r"}'


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (500, "boo", TransientError),
        (429, "slow down", TransientError),
        (429, "insufficient_quota", ProviderError),
        (401, f"bad key {KEY}", ProviderError),
        (404, "no such model", ProviderError),
        (400, "maximum context length is 5 tokens", RejectedError),
        (400, "unknown parameter", RejectedError),
    ],
)
def test_it_tells_errors_apart_and_asks_once(
    service: Service,
    capfd: pytest.CaptureFixture[str],
    status: int,
    message: str,
    error: type[ProviderError],
) -> None:
    service.answer = lambda _: failing(status, message)
    with pytest.raises(error) as caught:
        ask()
    assert type(caught.value) is error
    assert len(service.asked) == 1
    assert KEY not in str(caught.value)
    assert "Give Feedback" not in "".join(capfd.readouterr())


def test_a_refusal_and_a_reply_that_was_cut_off_are_none(service: Service) -> None:
    for message in (
        {"finish_reason": "length"},
        {"finish_reason": "content_filter"},
        {"refusal": "I will not."},
    ):
        service.answer = lambda _, said=message: of_openai("x", **said)  # type: ignore[misc]
        with pytest.raises(RejectedError) as caught:
            ask()
        assert caught.value.reply == SAID


def test_it_embeds(service: Service) -> None:
    data = [{"object": "embedding", "index": 0, "embedding": [1, 2]}]
    said = {"object": "list", "model": "e", "data": data, "usage": {"prompt_tokens": 2}}
    service.answer = lambda _: (200, said, {})
    found = with_provider("litellm", lambda provider: provider.embed("openai/e", ["a"]))
    assert found.vectors == ((1.0, 2.0),)
