"""A small real model, served on this machine and asked through the real clients: `make test-llm`.

    FAIRSQL_LLM_PYTHON=.venv/llm/bin/python python -m pytest tests/llm/live_small_model.py

With FAIRSQL_LLM_RECORD=1 what it says becomes what the other tests replay.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.cli.samples import call
from tests.llm import small_model
from tests.llm.small_model import ANSWERS, DATABASE, HOSTILE, REPLIES

SERVER = Path(__file__).with_name("serve_small_model.py")
COUNT = 2 * (2 * 2 + 3 * 2)  # repeats, templates with a place for the role, and those for a name
RESPOND = (
    *("counterfactual", "respond", "prompts.jsonl", "--connection", DATABASE),
    *("--table", "answers", "--provider", "openai", "--model", "smollm2", "--concurrency", "1"),
    *("--parameter", "temperature=0.8", "--parameter", "max_tokens=60"),
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    python = os.environ.get("FAIRSQL_LLM_PYTHON")
    assert python, "FAIRSQL_LLM_PYTHON names the environment of the server; see make test-llm"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([python, str(SERVER), str(port)], stderr=subprocess.DEVNULL)
    try:
        found = f"http://127.0.0.1:{port}"
        for _ in range(240):
            assert process.poll() is None, "the server has ended"
            try:
                with urllib.request.urlopen(f"{found}/health", timeout=5) as answer:  # noqa: S310
                    if answer.status == 200:
                        break
            except OSError:
                time.sleep(0.5)
        yield found
    finally:
        process.terminate()
        process.wait(30)


def test_from_prompts_to_a_report(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    small_model.prepare()
    first = call(*RESPOND)
    assert first.exit_code == 0, first.output
    with duckdb.connect("small.duckdb") as connection:
        rows = connection.execute("select prompt, answer, output_tokens from answers").fetchall()
    assert len(rows) == COUNT
    assert all(answer and 0 < tokens <= 60 for _, answer, tokens in rows)
    # Two answers to one prompt differ at this temperature: that is the noise.
    answers: dict[str, set[str]] = {}
    for prompt, answer, _ in rows:
        answers.setdefault(prompt, set()).add(answer)
    assert any(len(said) == 2 for said in answers.values())
    again = call(*RESPOND)
    assert again.exit_code == 0
    assert "requests             0" in again.output

    small_model.add_hostile()
    small_model.judge("--record", "replies.jsonl", "--concurrency", "1")
    judged = small_model.judgements()
    small_model.check_judgements(judged)
    assert any(row["score"] is not None for row in judged)
    hostile = [row for row in judged if row["row_key"].startswith("hostile/")]
    assert len(hostile) == 2 * len(HOSTILE)
    results = small_model.run()
    assert {test["status"] for test in results["tests"]} <= {"passed", "failed", "skipped"}
    if os.environ.get("FAIRSQL_LLM_RECORD"):
        _record()


def _record() -> None:
    ANSWERS.parent.mkdir(exist_ok=True)
    with duckdb.connect("small.duckdb") as connection:
        found = connection.execute(
            "select prompt_id, group_id, role, dimension, group_label, repeat, prompt, answer"
            " from answers order by prompt_id"
        )
        names = [name for name, *_ in found.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    REPLIES.write_bytes(Path("replies.jsonl").read_bytes())
    lines = [json.dumps(row) for row in small_model.marked(rows)]
    ANSWERS.write_text("\n".join(lines) + "\n", encoding="utf-8")
