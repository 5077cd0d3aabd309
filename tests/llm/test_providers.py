"""The real clients against a service on this machine: what is sent, and what answers mean."""

from __future__ import annotations

import asyncio
import json
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

from fairsql.errors import ConfigurationError
from fairsql.llm.judges import template
from fairsql.llm.prompting import Prompt, prompt_for
from fairsql.llm.providers import (
    Provider,
    ProviderError,
    RejectedError,
    Reply,
    Request,
    TransientError,
    open_provider,
    said,
)
from fairsql.llm.providers.recorded import RecordedProvider, RecordingProvider
from fairsql.llm.replies import Verdict, read_reply, schema_of
from tests.llm.service import Answer, Service, failing, of_anthropic, of_openai, served

KEY = "sk-test-0123456789abcdef"
GOOD = {"evidence": "", "reason": "r", "category": "none", "score": 0.0}
BIAS = template("bias")
REQUEST = Request(
    "m", prompt_for(BIAS, {"output": "an answer"}), schema_of(BIAS), {"temperature": 0}
)
CLIENTS = ("openai", "anthropic")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with served(lambda _: failing(500, "nothing was set up")) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{running.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", running.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        yield running


def with_provider(name: str, work: Callable[[Provider], Any]) -> Any:
    async def run() -> Any:
        provider = open_provider(name)
        try:
            return await work(provider)
        finally:
            await provider.close()

    return asyncio.run(run())


def ask(name: str, request: Request = REQUEST) -> Reply:
    reply = with_provider(name, lambda provider: provider.complete(request))
    assert isinstance(reply, Reply)
    return reply


def tool(fields: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": "1", "name": "reply", "input": fields}]


def test_openai_is_held_to_the_schema(service: Service) -> None:
    service.answer = lambda _: of_openai(json.dumps(GOOD))
    assert ask("openai") == Reply(json.dumps(GOOD), 100, 20)
    asked = service.asked[0]
    assert asked["path"] == "/v1/chat/completions"
    assert asked["response_format"]["json_schema"]["strict"] is True
    assert asked["response_format"]["json_schema"]["schema"] == schema_of(BIAS)
    assert asked["temperature"] == 0
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert service.headers[0]["authorization"] == f"Bearer {KEY}"


def test_anthropic_is_held_to_the_schema(service: Service) -> None:
    service.answer = lambda _: of_anthropic(tool(GOOD))
    reply = ask("anthropic")
    assert read_reply(BIAS, reply.text, {}) == Verdict(0.0, "none", "r")
    assert (reply.input_tokens, reply.output_tokens) == (100, 20)
    asked = service.asked[0]
    assert asked["path"] == "/v1/messages"
    assert asked["tools"][0]["input_schema"] == schema_of(BIAS)
    assert asked["tool_choice"] == {"type": "tool", "name": "reply"}
    assert asked["system"] == REQUEST.prompt.system
    assert asked["temperature"] == 0  # which the client itself has no argument for
    assert asked["max_tokens"] == 2048
    sent = service.headers[0]  # versions of the client differ in the header
    assert KEY in (sent.get("x-api-key"), sent.get("authorization", "").removeprefix("Bearer "))


def test_a_service_that_knows_no_tools_may_write_the_json(service: Service) -> None:
    text = [{"type": "text", "text": json.dumps(GOOD)}]
    service.answer = lambda _: of_anthropic(text, "end_turn")
    assert ask("anthropic").text == json.dumps(GOOD)


def test_a_free_text_has_no_schema(service: Service) -> None:
    service.answer = lambda body: (
        of_openai("Hello.")
        if "max_completion_tokens" in body
        else of_anthropic([{"type": "text", "text": "Hello."}], "end_turn")
    )
    for name, parameters in (("openai", {"max_completion_tokens": 9}), ("anthropic", {})):
        request = Request("m", Prompt("", "Say hello."), parameters=parameters)
        assert ask(name, request).text == "Hello."
    assert not {"response_format", "tools", "system"} & {*service.asked[0], *service.asked[1]}
    assert len(service.asked[0]["messages"]) == 1


@pytest.mark.parametrize(
    ("name", "answer", "message"),
    [
        ("openai", of_openai(None, refusal="I will not."), "refuses to judge: I will not."),
        ("openai", of_openai("{", finish_reason="length"), "cut off"),
        ("openai", of_openai(None, finish_reason="content_filter"), "content filter"),
        ("anthropic", of_anthropic([], "refusal"), "refuses to judge"),
        ("anthropic", of_anthropic(tool({}), "max_tokens"), "cut off"),
    ],
)
def test_a_refusal_is_no_reply_and_is_paid_for(
    service: Service, name: str, answer: Answer, message: str
) -> None:
    service.answer = lambda _: answer
    with pytest.raises(RejectedError, match=message) as raised:
        ask(name)
    assert raised.value.is_of_the_texts
    assert raised.value.reply is not None
    assert raised.value.reply.output_tokens == 20


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_what_may_work_later_is_said_to(service: Service, name: str, status: int) -> None:
    service.answer = lambda _: failing(status, "busy", **{"retry-after": "7"})
    with pytest.raises(TransientError, match=str(status)) as raised:
        ask(name)
    assert raised.value.retry_after == 7
    assert len(service.asked) == 1  # the clients try nothing again by themselves


@pytest.mark.parametrize("name", CLIENTS)
def test_a_service_that_is_not_there_may_be_there_later(
    service: Service, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert service.url
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(TransientError, match="cannot be reached"):
        ask(name)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_stops_all_and_is_not_shown(service: Service, name: str, status: int) -> None:
    service.answer = lambda _: failing(status, f"Incorrect API key provided: {KEY}")
    with pytest.raises(ProviderError, match=f"refuses the key in {name.upper()}_API_KEY") as raised:
        ask(name)
    assert not isinstance(raised.value, TransientError | RejectedError)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    ("status", "message"),
    [(402, "pay"), (400, "Your credit balance is too low"), (429, "insufficient_quota: see plan")],
)
def test_an_account_without_credit_is_no_busy_service(
    service: Service, name: str, status: int, message: str
) -> None:
    service.answer = lambda _: failing(status, message)
    with pytest.raises(ProviderError, match="has no credit left") as raised:
        ask(name)
    assert not isinstance(raised.value, TransientError | RejectedError)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("status", [400, 404, 422, 429, 500])
def test_no_error_shows_a_key(service: Service, name: str, status: int) -> None:
    service.answer = lambda _: failing(status, f"what you sent: {KEY} and sk-other-abcdefgh")
    with pytest.raises(ProviderError) as raised:
        ask(name)
    shown = f"{raised.value} {raised.value.__cause__} {raised.value.args}"
    assert KEY not in shown
    assert "abcdefgh" not in shown


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    ("status", "message", "is_of_the_texts"),
    [
        (400, "This model's maximum context length is 8192 tokens.", True),
        (400, "prompt is too long: 250000 tokens > 200000 maximum", True),
        (400, "Rejected by our content policy.", True),
        (413, "request entity", True),
        (400, "Unsupported parameter: 'temperature'.", False),
        (422, "no such field", False),
    ],
)
def test_a_declined_request_says_whether_the_text_is_why(
    service: Service, name: str, status: int, message: str, is_of_the_texts: bool
) -> None:
    service.answer = lambda _: failing(status, message)
    with pytest.raises(RejectedError, match=str(status)) as raised:
        ask(name)
    assert raised.value.is_of_the_texts is is_of_the_texts


@pytest.mark.parametrize("name", CLIENTS)
def test_a_key_is_asked_for_by_its_variable(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("API_KEY", "BASE_URL"):
        monkeypatch.delenv(f"{name.upper()}_{variable}", raising=False)
    with pytest.raises(ConfigurationError, match=f"{name.upper()}_API_KEY is not set"):
        open_provider(name)


def test_a_server_of_ones_own_needs_no_key(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    service.answer = lambda _: of_openai("{}")
    assert ask("openai").text == "{}"


def test_embeddings_are_in_the_order_of_the_texts(service: Service) -> None:
    service.answer = lambda _: (
        200,
        {
            "object": "list",
            "model": "e",
            "data": [
                {"object": "embedding", "index": 1, "embedding": [0.0, 1.0]},
                {"object": "embedding", "index": 0, "embedding": [1.0, 0.0]},
            ],
            "usage": {"prompt_tokens": 5, "total_tokens": 5},
        },
        {},
    )
    found = with_provider("openai", lambda provider: provider.embed("e", ["a", "b"]))
    assert found.vectors == ((1.0, 0.0), (0.0, 1.0))
    assert found.input_tokens == 5
    with pytest.raises(ConfigurationError, match="no embeddings"):
        with_provider("anthropic", lambda provider: provider.embed("e", ["a"]))


def test_an_unknown_provider_and_one_without_its_library_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ConfigurationError, match="Did you mean 'openai'"):
        open_provider("open_ai")
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(ConfigurationError, match=r"pip install '\.\[litellm\]'"):
        open_provider("litellm")


def test_litellm_is_asked_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    # LiteLLM is too heavy to install for this: a stand-in with its two functions and errors of
    # OpenAI's kinds, as its own are.
    asked: list[dict[str, Any]] = []

    async def acompletion(**named: Any) -> Any:
        asked.append(named)
        if named["model"] == "busy":
            raise openai.APIConnectionError(request=None)  # type: ignore[arg-type]
        message = types.SimpleNamespace(content=json.dumps(GOOD))
        choice = types.SimpleNamespace(message=message, finish_reason="stop")
        usage = types.SimpleNamespace(prompt_tokens=3, completion_tokens=4)
        return types.SimpleNamespace(choices=[choice], usage=usage)

    async def aembedding(**_: Any) -> Any:
        usage = types.SimpleNamespace(prompt_tokens=2)
        return types.SimpleNamespace(data=[{"embedding": [1, 2]}], usage=usage)

    stand_in = types.ModuleType("litellm")
    stand_in.__dict__.update(acompletion=acompletion, aembedding=aembedding)
    monkeypatch.setitem(sys.modules, "litellm", stand_in)
    assert ask("litellm") == Reply(json.dumps(GOOD), 3, 4)
    assert asked[0]["response_format"]["json_schema"]["schema"] == schema_of(BIAS)
    assert asked[0]["num_retries"] == 0
    with pytest.raises(TransientError):
        ask("litellm", Request("busy", REQUEST.prompt))
    found = with_provider("litellm", lambda provider: provider.embed("e", ["a"]))
    assert found.vectors == ((1.0, 2.0),)


def test_what_is_recorded_is_replayed_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"

    async def record() -> tuple[Reply, Any]:
        provider = RecordingProvider(open_provider("simulated"), file)
        return await provider.complete(REQUEST), await provider.embed("e", ["a", "b"])

    async def replay(request: Request) -> tuple[Reply, Any]:
        provider = RecordedProvider(file)
        return await provider.complete(request), await provider.embed("e", ["a", "b"])

    assert asyncio.run(record()) == asyncio.run(replay(REQUEST))
    for other in (
        Request("m2", REQUEST.prompt, REQUEST.schema, REQUEST.parameters),
        Request("m", Prompt("", "else"), REQUEST.schema, REQUEST.parameters),
        Request("m", REQUEST.prompt, None, REQUEST.parameters),
        Request("m", REQUEST.prompt, REQUEST.schema, {"temperature": 1}),
    ):
        with pytest.raises(ProviderError, match="asks nobody"):
            asyncio.run(replay(other))


@pytest.mark.parametrize("content", ["not JSON", "[]", '{"key": 1}'])
def test_a_file_that_holds_no_recordings_is_told(tmp_path: Path, content: str) -> None:
    file = tmp_path / "replies.jsonl"
    with pytest.raises(ConfigurationError, match="cannot read"):
        RecordedProvider(file)
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="holds no recordings"):
        RecordedProvider(file)


def test_an_error_is_one_line_without_what_is_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hunter2hunter2")
    text = said("a\nb hunter2hunter2 Bearer abc.def-123 sk-proj-abcdef " + "x" * 1000)
    assert text.startswith("a b (key) (key) (key) ")
    assert len(text) < 320
