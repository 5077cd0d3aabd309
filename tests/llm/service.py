"""A service on this machine that answers as OpenAI and Anthropic do, with what a test says."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any, dict[str, str]]
"""Status, JSON, headers."""


@dataclass
class Service:
    """What is answered, and what was asked."""

    url: str
    answer: Callable[[dict[str, Any]], Answer]
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def served(answer: Callable[[dict[str, Any]], Answer]) -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            service.asked.append({"path": self.path, **body})
            service.headers.append({key.lower(): value for key, value in self.headers.items()})
            status, said, headers = service.answer(body)
            sent = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = Service(f"http://127.0.0.1:{server.server_address[1]}", answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def of_openai(text: str | None, **message: Any) -> Answer:
    reason = message.pop("finish_reason", "stop")
    said = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": reason,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return 200, said, {}


def of_anthropic(content: list[dict[str, Any]], stop_reason: str = "tool_use") -> Answer:
    said = {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }
    return 200, said, {}


def failing(status: int, message: str, **headers: str) -> Answer:
    return status, {"error": {"message": message, "type": "t", "code": None}}, headers
