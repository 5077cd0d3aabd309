"""A server that speaks as much of Snowflake's protocol as the connector asks of it in tests.

It answers what a test tells it to, and remembers what it was asked: query tags, cancelled
statements and second tries, of which the emulator knows nothing.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Row = list[str | None]


class RefusalError(Exception):
    """What Snowflake says no with: its number, SQL state and words."""

    def __init__(self, number: str, state: str, message: str) -> None:
        super().__init__(message)
        self.number, self.state, self.message = number, state, message


class UnavailableError(Exception):
    """An answer in HTTP's terms: a status instead of one of Snowflake's; ``None`` is a hang-up."""

    def __init__(self, status: int | None = 503) -> None:
        super().__init__(str(status))
        self.status = status


@dataclass
class Stub:
    """What the server answers, and what it was asked.

    ``answer`` takes a statement and returns columns (name, type, precision, scale) and rows, or
    raises a fault; ``login`` raises one or does nothing.
    """

    port: int = 0
    login: Callable[[], None] = lambda: None
    answer: Callable[[str], tuple[list[tuple[str, str, int, int]], list[Row]]] = lambda _: (
        [("ONE", "fixed", 38, 0)],
        [["1"]],
    )
    logins: list[dict[str, Any]] = field(default_factory=list)
    queries: list[dict[str, Any]] = field(default_factory=list)
    aborted: list[str] = field(default_factory=list)
    cancelled: threading.Event = field(default_factory=threading.Event)

    def url(self, more: str = "") -> str:
        place = f"host=localhost&port={self.port}&protocol=http"
        return f"snowflake://ada:hunter-2@acme/db/public?{place}{more}"

    def wait_for_cancellation(self, _sql: str) -> Any:
        """Answer as Snowflake does to a statement that runs until it is cancelled."""
        assert self.cancelled.wait(30), "nobody cancelled the statement"
        raise RefusalError("000604", "57014", "SQL execution canceled")

    def respond(self, path: str, query: dict[str, list[str]], body: dict[str, Any]) -> Any:
        if path == "/session/v1/login-request":
            self.logins.append(body["data"])
            self.login()
            place = {"databaseName": "DB", "schemaName": "PUBLIC"}
            return {"token": "t", "masterToken": "m", "parameters": [], "sessionInfo": place}
        if path == "/queries/v1/query-request":
            self.queries.append({**body, "requestId": query["requestId"][0]})
            columns, rows = self.answer(body["sqlText"])
            return {
                "queryId": f"query-{len(self.queries)}",
                "queryResultFormat": "json",
                "parameters": [],
                "rowtype": [
                    dict(zip(("name", "type", "precision", "scale"), column, strict=True))
                    | {"nullable": True, "length": None}
                    for column in columns
                ],
                "rowset": [] if body.get("describeOnly") else rows,
                "total": 0 if body.get("describeOnly") else len(rows),
            }
        if path == "/queries/v1/abort-request":
            self.aborted.append(body["requestId"])
            self.cancelled.set()
        return None


@contextmanager
def snowflake_stub() -> Iterator[Stub]:
    """Start a server of one's own, and stop it at the end."""
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Content-Encoding") == "gzip":
                sent = gzip.decompress(sent)
            asked = urlsplit(self.path)
            answer: dict[str, Any] = {"success": True, "code": None, "message": None}
            try:
                answer["data"] = stub.respond(
                    asked.path, parse_qs(asked.query), json.loads(sent or b"{}")
                )
            except RefusalError as fault:
                answer = {"success": False, "code": fault.number, "message": fault.message}
                answer["data"] = {"sqlState": fault.state, "queryId": "query-0"}
            except UnavailableError as unavailable:
                if unavailable.status:
                    self.send_error(unavailable.status)
                return
            text = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        stub.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield stub
        finally:
            stub.cancelled.set()
            server.shutdown()
            thread.join()
