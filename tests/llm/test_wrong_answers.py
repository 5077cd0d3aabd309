"""Services that answer with what is no reply: nothing of it is a score, or a fault of ours."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from fairsql.llm.prompting import Prompt
from fairsql.llm.providers import ProviderError, RejectedError, Reply, Request, TransientError
from tests.llm.service import of_anthropic, of_openai
from tests.llm.test_providers import CLIENTS, with_provider

KEY = "sk-test-0123456789abcdef"
JSON = {"content-type": "application/json"}
REQUEST = Request("m", Prompt("s", "u"), {"type": "object"}, {"timeout": 5})


class Raw:
    """A service that answers with bytes, and keeps the headers that it is asked with."""

    def __init__(self) -> None:
        self.status, self.body, self.headers = 200, b"", JSON
        self.asked: list[dict[str, str]] = []
        raw = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                raw.asked.append({key.lower(): value for key, value in self.headers.items()})
                self.send_response(raw.status)
                for name, value in raw.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(raw.body)))
                self.end_headers()
                self.wfile.write(raw.body)

            do_GET = do_POST  # noqa: N815 - the name that the server looks for

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch) -> Iterator[Raw]:
    service = Raw()
    for name in CLIENTS:
        monkeypatch.setenv(f"{name.upper()}_BASE_URL", service.url)
        monkeypatch.setenv(f"{name.upper()}_API_KEY", KEY)
    yield service
    service.close()


def ask(name: str) -> Any:
    return with_provider(name, lambda provider: provider.complete(REQUEST))


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    "body",
    [
        b"", b"not JSON", b"null", b"[]", b'"hi"', b"\xff", b"<html>sk-test-0123456789abcdef",
        b'{"choices": [{"message": null}], "content": null}',
        b'{"choices": "x", "content": "x"}',
        b'{"choices": [{"message": {"content": 5}}], "content": [{"type": "text", "text": 5}]}',
        json.dumps(of_openai("x")[1]).encode()[:60],
    ],
)  # fmt: skip
def test_what_is_no_reply_may_be_one_later(raw: Raw, name: str, body: bytes) -> None:
    raw.body = body
    for headers in (JSON, {"content-type": "text/html"}):
        raw.headers = headers
        with pytest.raises(TransientError, match="answers with what is no reply") as caught:
            ask(name)
        assert KEY not in str(caught.value)


def test_embeddings_that_are_none_may_be_some_later(raw: Raw) -> None:
    for data in (None, [], [{"index": 0, "embedding": None}], [{"index": 0, "embedding": ["x"]}]):
        raw.body = json.dumps({"data": data, "usage": {"prompt_tokens": 1}}).encode()
        with pytest.raises(TransientError):
            with_provider("openai", lambda provider: provider.embed("e", ["a"]))


@pytest.mark.parametrize("tokens", [-5, "7", None, 1.5, {}])
def test_tokens_that_are_no_number_are_not_known(raw: Raw, tokens: Any) -> None:
    _, said, _ = of_openai("x")
    raw.body = json.dumps(
        {**said, "usage": {"prompt_tokens": tokens, "completion_tokens": tokens}}
    ).encode()
    assert ask("openai") == Reply("x", None, None)
    _, said, _ = of_anthropic([{"type": "text", "text": "x"}], "end_turn")
    raw.body = json.dumps(
        {**said, "usage": {"input_tokens": tokens, "output_tokens": tokens}}
    ).encode()
    assert ask("anthropic") == Reply("x", None, None)


@pytest.mark.parametrize("name", CLIENTS)
def test_a_redirect_takes_neither_texts_nor_key_along(raw: Raw, name: str) -> None:
    other = Raw()
    try:
        raw.status, raw.headers = 307, {"location": f"{other.url}/elsewhere"}
        with pytest.raises(ProviderError, match="307") as caught:
            ask(name)
        assert not isinstance(caught.value, TransientError | RejectedError)
        assert len(raw.asked) == 1
        assert other.asked == []
    finally:
        other.close()


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [("30", 30, 30), ("date", 50, 60), ("soon", None, None), ("nan", None, None), ("-3", 0, 0)],
)
def test_how_long_to_wait_is_said_in_seconds_or_as_a_date(
    raw: Raw, name: str, asked: str, least: float | None, most: float | None
) -> None:
    if asked == "date":
        asked = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    raw.status, raw.body, raw.headers = 429, b"{}", {**JSON, "retry-after": asked}
    with pytest.raises(TransientError) as caught:
        ask(name)
    wait = caught.value.retry_after
    if least is None or most is None:
        assert wait is None
    else:
        assert wait is not None
        assert least <= wait <= most
