"""A server that answers Google's client as BigQuery would where the emulator cannot.

It runs nothing: it keeps what was asked, and answers as it is told.
"""

from __future__ import annotations

import email
import json
import math
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

# Of an error, the API's word for its kind and the status of HTTP that goes with it.
STATUS = {
    "accessDenied": 403,
    "backendError": 503,
    "bytesBilledLimitExceeded": 400,
    "duplicate": 409,
    "invalid": 400,
    "invalidQuery": 400,
    "notFound": 404,
}


@dataclass
class Stub:
    """What the server answers, and what it was asked.

    Attributes
    ----------
    bytes_read
        What a dry run says of a statement.
    schema, rows
        The answer of every query, and the columns of ``tables``.
    tables
        Tables, by project.dataset.table.
    error, failing
        The reason and message by which the first jobs fail once they run, and how many do.
    is_endless
        Whether a query runs on until it is cancelled.
    datasets
        The project's datasets.
    refusals
        Reasons and messages by which the next requests for a job fail; None lets one through.
    lost
        How many jobs are begun, but answered with a fault.
    dies_after
        How many requests are answered before connections are closed without an answer.
    requests, jobs, cancelled
        Methods and paths; what jobs were asked for, ``rows`` of a load among it; the ids of those
        that were cancelled.
    """

    bytes_read: int = 0
    schema: list[dict[str, str]] = field(default_factory=lambda: [{"name": "x", "type": "INTEGER"}])
    rows: list[list[Any]] = field(default_factory=lambda: [["1"]])
    tables: list[str] = field(default_factory=list)
    error: tuple[str, str] | None = None
    failing: int = 1_000
    is_endless: bool = False
    datasets: list[str] = field(default_factory=list)
    refusals: list[tuple[str, str] | None] = field(default_factory=list)
    lost: int = 0
    dies_after: float = math.inf
    requests: list[str] = field(default_factory=list)
    jobs: list[dict[str, Any]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)

    @property
    def started(self) -> list[dict[str, Any]]:
        """The jobs that were no dry run."""
        return [job for job in self.jobs if not job["configuration"].get("dryRun")]

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the content of an answer."""
        self.requests.append(f"{method} {path}")
        if found := re.fullmatch(r"/projects/([^/]+)/datasets/([^/]+)/tables/([^/]+)", path):
            name = ".".join(found.groups())
            if name not in self.tables:
                return _refusal("notFound", f"Not found: Table {name.replace('.', ':', 1)}")
            return 200, {"tableReference": _reference(name), "schema": {"fields": self.schema}}
        if found := re.fullmatch(r"/projects/([^/]+)/datasets/([^/]+)/tables", path):
            listed = [{"tableReference": _reference(one)} for one in self.tables]
            return 200, {"tables": listed}
        if found := re.fullmatch(r"/projects/([^/]+)/datasets", path):
            keys = [{"projectId": found[1], "datasetId": one} for one in self.datasets]
            return 200, {"datasets": [{"datasetReference": key} for key in keys]}
        if path == "/token":
            return 400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
        if path.endswith("/jobs"):
            if self.refusals and (refusal := self.refusals.pop(0)):
                return _refusal(*refusal)
            if body["jobReference"] in [job["jobReference"] for job in self.jobs]:
                return _refusal("duplicate", "Already Exists: Job")
            self.jobs.append(body)
            if self.lost:
                self.lost -= 1
                return _refusal("backendError", "Error encountered during execution")
            return 200, self._job(body)
        job = self.jobs[-1]
        if path.endswith("/cancel"):
            self.cancelled.append(path.split("/")[-2])
            return 200, {"job": self._job(job)}
        if "/jobs/" in path:
            return 200, self._job(job)
        rows = [{"f": [{"v": value} for value in row]} for row in self.rows]
        answer = {"schema": {"fields": self.schema}, "totalRows": str(len(rows)), "rows": rows}
        if self.is_endless:
            time.sleep(0.05)
        reference = {"jobReference": job["jobReference"], "jobComplete": not self.is_endless}
        return 200, {**reference, **({} if self.is_endless else answer)}

    def _job(self, job: dict[str, Any]) -> dict[str, Any]:
        if job["configuration"].get("dryRun"):
            told = {"totalBytesProcessed": str(self.bytes_read)}
            query = {**told, "schema": {"fields": self.schema}}
            return {**job, "status": {"state": "DONE"}, "statistics": {**told, "query": query}}
        status: dict[str, Any] = {"state": "RUNNING" if self.is_endless else "DONE"}
        if self.error and len(self.started) <= self.failing:
            reason, message = self.error
            status["errorResult"] = {"reason": reason, "message": message}
        return {**job, "status": status}


@contextmanager
def stub(**answers: Any) -> Iterator[tuple[Stub, str]]:
    """Give a server that answers so, and the address of its API."""
    told = Stub(**answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
            pass

        def _answer(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0].removeprefix("/bigquery/v2")
            body = _read(self.headers.get("Content-Type") or "", content)
            status, answer = told.answer(self.command, path, body)
            if len(told.requests) > told.dies_after:
                self.close_connection = True
                return
            written = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield told, f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()


def _read(kind: str, content: bytes) -> dict[str, Any]:
    """Return what was asked for: of an upload, the job with its rows."""
    if kind == "application/json":
        return dict(json.loads(content))
    if not kind.startswith("multipart/related"):
        return {}
    parts: Any = email.message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + content)
    job, lines = (part.get_payload(decode=True) for part in parts.get_payload())
    return {**json.loads(job), "rows": [json.loads(line) for line in lines.splitlines()]}


def _reference(name: str) -> dict[str, str]:
    return dict(zip(("projectId", "datasetId", "tableId"), name.split("."), strict=True))


def _refusal(reason: str, message: str) -> tuple[int, dict[str, Any]]:
    status = STATUS[reason]
    detail = {"domain": "global", "reason": reason, "message": message}
    return status, {"error": {"code": status, "message": message, "errors": [detail]}}
