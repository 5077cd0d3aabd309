"""Files, tables and options that are wrong: each is told in a sentence before anybody is paid."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from fairsql.errors import ConfigurationError
from fairsql.llm.prompting import Prompt
from fairsql.llm.providers import (
    Embeddings,
    ProviderError,
    RejectedError,
    Reply,
    Request,
)
from fairsql.llm.providers.recorded import RecordedProvider, RecordingProvider
from fairsql.llm.running import journal_path
from tests.llm.answers import database, judged, spec, table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return database(tmp_path, 10)


def journal_of(path: Path) -> Path:
    place = journal_path(path.parent, f"duckdb {path} fairsql_judgements")
    place.parent.mkdir()
    return place


@pytest.mark.parametrize(
    "line",
    [
        "[]", "1", "null", "{}", '{"judgement": 5}', '{"judgement": {}}', '{"judgement": []}',
        '{"key": [1], "reply": {}}', '{"key": ["a", "b", "c", "d"], "reply": 1}', "[" * 100_000,
    ],
)  # fmt: skip
def test_a_line_of_another_shape_is_told_and_kept(path: Path, line: str) -> None:
    place = journal_of(path)
    place.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="line 1: is no line of fairsql's"):
        judged(path)
    assert place.read_text("utf-8") == f"{line}\n"


def test_a_journal_that_cannot_be_read_or_written_is_told(path: Path) -> None:
    place = journal_of(path)
    place.mkdir()
    with pytest.raises(ConfigurationError, match="cannot be read: Is a directory"):
        judged(path)
    place.rmdir()
    place.with_name(f"{place.name}.new").mkdir()
    with pytest.raises(Exception, match="cannot be written: Is a directory"):
        judged(path)


def test_a_journal_that_was_cut_anywhere_is_begun_with(path: Path) -> None:
    judged(path, max_requests=2)
    rows = table(path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("delete from fairsql_judgements")
    place = journal_of(path)
    whole = b"".join(json.dumps({"judgement": row}).encode() + b"\n" for row in rows)
    first = whole.index(b"\n") + 1
    for end in (0, 1, first - 2, first - 1, first, first + 1, len(whole) - 1, len(whole)):
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(whole[:end])
        (outcome,) = judged(path, max_requests=1)
        kept = table(path)
        # A line that is whole but for its end is one that was received.
        known = (end >= first - 1) + (end >= len(whole) - 1)
        assert outcome.counts.unjudged_texts == 7 - known
        assert len(kept) == len({row["input_hash"] for row in kept}) == known + 1
        with duckdb.connect(str(path)) as connection:
            connection.execute("delete from fairsql_judgements")


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("(a integer)", "has no column judge"),
        ("as select 1.5::double as score", "has no column judge"),
        ("{keys}, score integer)", "column score of kind integer, which is to be float"),
        ("{keys}, score text)", "column score of kind text, which is to be float"),
        ("{keys}, score double, reason integer)", "column reason of kind integer"),
        ("(input_hash integer, judge text, prompt_version text, model text, score double)",
         "column input_hash of kind integer"),
    ],
)  # fmt: skip
def test_a_table_of_something_else_is_told_before_anybody_is_paid(
    path: Path, sql: str, complaint: str
) -> None:
    keys = "(input_hash text, judge text, prompt_version text, model text"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"create table fairsql_judgements {sql.format(keys=keys)}")
    log = path.parent / "calls.jsonl"
    with pytest.raises(ConfigurationError, match=complaint):
        judged(path, spec(parameters={"log": str(log)}))
    assert not log.exists()


def test_a_table_with_fewer_columns_is_given_them(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table fairsql_judgements"
            " (input_hash text, judge text, prompt_version text, model text, score double)"
        )
    (outcome,) = judged(path)
    assert outcome.scored == len(table(path)) == 7
    assert all(row["reason"] for row in table(path))


@pytest.mark.parametrize("name", ["my table", "x; drop table answers", "a.b.c.d", '"Quoted"', ""])
def test_a_table_has_a_plain_name(path: Path, name: str) -> None:
    specification = spec().model_copy(update={"table": name})
    with pytest.raises(ConfigurationError, match="must be a plain name such as"):
        judged(path, specification)
    assert len(table(path, "select * from answers")) == 10


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"max_tokens": "abc"}, "max_tokens: must be a whole number"),
        ({"max_tokens": 0}, "max_tokens: must be a whole number"),
        ({"max_completion_tokens": True}, "max_completion_tokens: must be a whole number"),
        ({"timeout": "soon"}, "timeout: must be a number of seconds above 0, but is 'soon'"),
        ({"timeout": -1}, "timeout: must be a number of seconds"),
        ({"temperature": float("nan")}, "temperature: must be a value of JSON"),
        ({"stop": {1, 2}}, "stop: must be a value of JSON"),
    ],
)
def test_parameters_that_no_request_carries_are_told(
    path: Path, parameters: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        judged(path, spec(parameters=parameters))


# --- what is recorded ------------------------------------------------------------------------


class Declining:
    """A provider that declines in each way, and otherwise replies."""

    name = "declining"

    async def complete(self, request: Request, /) -> Reply:
        text = request.prompt.user
        if "filtered" in text:
            raise RejectedError("stopped by a filter.")
        if "cut" in text:
            raise RejectedError("cut off at max_tokens.", reply=Reply("Well, \ud800", 3, 4))
        if "wrong" in text:
            raise RejectedError("no such parameter.", is_of_the_texts=False)
        if "down" in text:
            raise ProviderError("no such model.")
        return Reply("half a pair \ud800", 1, 2)

    async def embed(self, model: str, texts: Sequence[str], /) -> Embeddings:
        raise NotImplementedError(model, texts)

    async def close(self) -> None:
        pass


def result_of(provider: Any, text: str) -> Any:
    try:
        return asyncio.run(provider.complete(Request("m", Prompt("", text))))
    except ProviderError as error:
        return type(error), str(error), vars(error).get("reply"), vars(error).get("is_of_the_texts")


def test_what_was_declined_is_replayed_as_declined(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    recording = RecordingProvider(Declining(), file)
    texts = ("filtered", "cut", "wrong", "said")
    said = [result_of(recording, text) for text in texts]
    assert [one[0] for one in said[:3]] == [RejectedError] * 3
    result_of(recording, "down")  # of a service that cannot be used there is nothing to replay
    assert [result_of(RecordedProvider(file), text) for text in texts] == said
    assert result_of(RecordedProvider(file), "down")[1].endswith("replay asks nobody.")


def test_a_replay_makes_the_same_rows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fairsql.llm import running

    class Some(Declining):
        async def complete(self, request: Request, /) -> Reply:
            if "answer 1" in request.prompt.user:
                raise RejectedError("cut off.", reply=Reply("{", 5, 6))
            said = {"evidence": "", "reason": "r", "category": "none", "score": 0.5}
            return Reply(json.dumps(said), 7, 8)

    file = path.parent / "replies.jsonl"
    monkeypatch.setattr(running, "open_provider", lambda _: Some())
    judged(path, record=str(file))
    unlike = ("provider", "seconds", "judged_at")

    def rows() -> list[dict[str, Any]]:
        found = table(path, "select * from fairsql_judgements order by input_hash")
        return [{key: row[key] for key in row if key not in unlike} for row in found]

    first = rows()
    assert {row["error"] for row in first} == {None, "cut off."}
    with duckdb.connect(str(path)) as connection:
        connection.execute("drop table fairsql_judgements")
    judged(path, replay=str(file))
    assert rows() == first


def test_a_record_that_cannot_be_written_is_told_before_anybody_is_asked(path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"--record: cannot write .*: No such file"):
        judged(path, record=str(path.parent / "none" / "replies.jsonl"))


def test_a_record_that_fills_the_disk_stops_the_run_and_loses_no_reply(path: Path) -> None:
    with pytest.raises(ProviderError, match="--record: cannot write /dev/full: No space left"):
        judged(path, record="/dev/full", concurrency=1)
    assert len(table(path)) == 1  # that was paid for, and is kept


@pytest.mark.parametrize(
    "reply", [5, None, [], {"zzz": 1}, {"declined": "no"}, {"declined": "no", "reply": {"zzz": 1}}]
)
def test_a_recording_of_another_shape_is_told(tmp_path: Path, reply: Any) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(json.dumps({"key": "k", "reply": reply}) + "\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="holds no recordings of fairsql's"):
        RecordedProvider(file)


def test_a_repeat_is_a_recording_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    request = Request("m", Prompt("", "said"))
    asyncio.run(RecordingProvider(Declining(), file).complete(request))
    again = dataclasses.replace(request, repeat="2")
    with pytest.raises(ProviderError, match="has no recording"):
        asyncio.run(RecordedProvider(file).complete(again))
