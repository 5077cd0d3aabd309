"""A run that is killed: nothing that was received is paid for twice, and none of it is lost."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from fairsql.errors import ConfigurationError
from fairsql.llm import journal as journals
from fairsql.llm.budget import Budget
from fairsql.llm.judging import Session
from fairsql.llm.providers import open_provider
from fairsql.llm.running import jobs_for, journal_path
from fairsql.warehouses.duckdb import DuckDBWarehouse
from tests.llm.answers import database, judged, spec, table

if TYPE_CHECKING:
    from fairsql.llm.rows import Job

ROWS = 200
SUITE = """
version: 1
judges:
  - name: tone
    judge: {judge}
    model: m
    provider: simulated
    relation: answers
    input_column: question
    output_column: answer
    {further}
    key_columns: [id]
    parameters: {{log: {log}, seconds: 0.004}}
tests:
  - {{name: t, type: group_column_statistic, relation: answers, judges: [tone],
     protected_attribute_columns: [grp], statistic: mean, value_column: tone_score,
     operator: "<=", value: 1}}
"""


def started(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "fairsql", "judge", str(folder / "suite.yml")),
            *("--connection", f"duckdb:///{folder / 'answers.duckdb'}", *options),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )


def prepared(folder: Path, judge: str) -> tuple[Path, Path]:
    log = folder / "calls.jsonl"
    log.touch()
    further = "embedding_model: e" if judge == "answer_relevancy" else ""
    (folder / "suite.yml").write_text(
        SUITE.format(judge=judge, log=log, further=further), encoding="utf-8"
    )
    return database(folder, ROWS), log


def calls(log: Path) -> list[str]:
    return [json.loads(line)["request"] for line in log.read_text("utf-8").splitlines()]


def in_journal(folder: Path) -> list[dict[str, Any]]:
    """Return what the journals hold, but for half a line at the end."""
    found = []
    for file in (folder / ".fairsql").glob("*.jsonl"):
        lines = file.read_bytes().split(b"\n")[:-1]
        found += [json.loads(line) for line in lines]
    return found


def kept(folder: Path, path: Path) -> set[str]:
    """Return the hashes of all texts of which a reply is in the journal or the table."""
    hashes = {
        record["judgement"]["input_hash"] if "judgement" in record else record["key"][3]
        for record in in_journal(folder)
    }
    try:
        return hashes | {row["input_hash"] for row in table(path)}
    except Exception:  # noqa: BLE001 - there is no table yet
        return hashes


@pytest.mark.parametrize("judge", ["bias", "answer_relevancy"])
def test_a_run_that_is_killed_again_and_again(tmp_path: Path, judge: str) -> None:
    path, log = prepared(tmp_path, judge)
    chance = random.Random(judge)  # noqa: S311 - to choose moments
    again = 0
    received: set[str] = set()
    for _ in range(4):
        before = len(calls(log))
        running = started(tmp_path)
        deadline = time.monotonic() + 30
        wanted = before + chance.randint(1, 25)
        while len(calls(log)) < wanted and running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(chance.random() * 0.02)
        running.kill()
        running.communicate()
        own = kept(tmp_path, path)
        assert received <= own  # nothing is lost
        # Of what is on its way no more than the concurrency can be paid for and not be kept.
        again += len(calls(log)) - before - len(own - received)
        assert 0 <= len(calls(log)) - before - len(own - received) <= 8
        received = own
    finishing = started(tmp_path)
    out, err = finishing.communicate(timeout=60)
    assert finishing.returncode == 0, err
    rows = table(path)
    assert len(rows) == len({row["input_hash"] for row in rows}) == ROWS - 1
    assert {row["input_hash"] for row in rows} >= received
    # Every request beyond the first of its text was on its way when a run was killed.
    assert len(calls(log)) == ROWS - 1 + again
    assert max(Counter(calls(log)).values()) <= 5
    assert not (tmp_path / ".fairsql").exists()
    assert "judged before" in out


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_interrupted_ends_well(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    path, log = prepared(tmp_path, "bias")
    running = started(tmp_path)
    while len(calls(log)) < 20:
        assert running.poll() is None
        time.sleep(0.005)
    running.send_signal(number)
    _, err = running.communicate(timeout=30)
    assert running.returncode == code
    assert err.strip() in ("Interrupted.", "Terminated.")
    judged(path, spec(input_column="question"), max_requests=1)
    rows = table(path)
    counts = Counter(row["input_hash"] for row in rows)
    assert not [row for row in rows if counts[row["input_hash"]] > 1]
    assert 20 <= len(rows) <= len(calls(log)) + 1
    assert len(calls(log)) - len(rows) <= 8


def test_what_a_killed_run_left_is_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database(tmp_path, 10)
    judged(path, max_requests=3)
    written = table(path)
    # As if the run had been killed when the table had two rows, and the journal still had them.
    left = [{"judgement": row} for row in written[:2]]
    left.append({"judgement": {**written[0], "input_hash": "f" * 64}})
    place = journal_path(tmp_path, f"duckdb {path} fairsql_judgements")
    place.parent.mkdir()
    torn = '{"judgement": {"judge": "bi'
    place.write_text("".join(json.dumps(one) + "\n" for one in left) + torn, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (outcome,) = judged(Path(path.name))  # the same file, named from elsewhere
    assert outcome.requests == 7 - 3
    rows = table(path)
    assert len(rows) == 3 + 1 + 4
    assert len({row["input_hash"] for row in rows}) == len(rows)
    assert not place.exists()


def test_a_journal_is_of_one_process_and_of_its_owner(tmp_path: Path) -> None:
    place = tmp_path / "judgements.jsonl"
    with journals.opened(place):
        assert place.stat().st_mode & 0o777 == 0o600
        with (
            pytest.raises(ConfigurationError, match="another fairsql judge is writing"),
            journals.opened(place),
        ):
            raise AssertionError("it was opened twice")
    with journals.opened(place):
        pass


def test_two_suites_in_two_folders_do_not_pay_for_the_same_texts(tmp_path: Path) -> None:
    path, log = prepared(tmp_path, "bias")
    other = tmp_path / "other"
    other.mkdir()
    (other / "suite.yml").write_bytes((tmp_path / "suite.yml").read_bytes())
    place = journal_path(tmp_path, f"duckdb {path} fairsql_judgements")
    with journals.opened(place, [path]):  # as a run of the first suite has it
        second = started(other, "--connection", f"duckdb:///{path}")
        _, err = second.communicate(timeout=60)
    assert second.returncode == 2, err
    assert "another fairsql judge is writing" in err
    assert not calls(log)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_journal_that_is_none_is_not_thrown_away(tmp_path: Path) -> None:
    place = tmp_path / "judgements.jsonl"
    place.write_text("my diary\nsecond line\n", encoding="utf-8")
    with (
        pytest.raises(ConfigurationError, match="line 1: is no line of fairsql's"),
        journals.opened(place),
    ):
        raise AssertionError("it was opened")
    assert place.read_text("utf-8") == "my diary\nsecond line\n"


def test_a_run_that_is_cancelled_as_it_writes_writes_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database(tmp_path, 40)
    append = DuckDBWarehouse.append
    tasks: list[asyncio.Task[None]] = []

    def slow(self: DuckDBWarehouse, *arguments: Any) -> None:
        if len(tasks) == 1:  # the first append is on its way when the run is cancelled
            task = tasks[0]
            tasks.append(task)
            task.get_loop().call_soon_threadsafe(task.cancel)
            time.sleep(0.2)
        append(self, *arguments)

    async def run(session: Session, job: Job) -> None:
        task = asyncio.ensure_future(session.judge(job, open_provider("simulated"), []))
        tasks.append(task)
        with pytest.raises(asyncio.CancelledError):
            await task

    monkeypatch.setattr(DuckDBWarehouse, "append", slow)
    warehouse = fairsql.connect(f"duckdb:///{path}")
    (job,) = jobs_for([spec()], warehouse)
    with journals.opened(tmp_path / "j.jsonl") as journal:
        assert isinstance(warehouse, DuckDBWarehouse)
        session = Session(warehouse, "fairsql_judgements", journal, Budget(), batch=5)
        asyncio.run(run(session, job))
        session.close()
    warehouse.close()
    rows = table(path)
    assert len(rows) == len({row["input_hash"] for row in rows}) >= 5
