"""Two runs at once lose nothing, and one that is killed leaves all of itself or nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

import fairsql
from fairsql.history import TABLE
from fairsql.records import records
from fairsql.warehouses import tables
from tests.report.runs import full_run

ROOT = Path(__file__).resolve().parents[2]
# Runs of 40 tests with 100 groups each, so that writing one takes a while.
SCRIPT = """
import sys
from dataclasses import replace
import fairsql
from tests.report.samples import GROUP, TEST, run_of
groups = tuple(replace(GROUP, key={"sex": f"g{n}"}) for n in range(100))
run = run_of(*(replace(TEST, name=f"test {n}", groups=groups) for n in range(40)))
target, times = sys.argv[1:]
fairsql.keep_history(run_of(), "warm-up.duckdb")
print("ready", flush=True)
for _ in range(int(times)):
    print(fairsql.keep_history(run, target), flush=True)
"""
ROWS = 40 * 100


def start(folder: Path, times: int) -> subprocess.Popen[str]:
    own = folder / f"own-{random.random()}"  # noqa: S311 - a folder's name
    own.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder / "history.duckdb"), str(times)],
        cwd=own, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def kept(folder: Path) -> Counter[str]:
    """How many rows each run has."""
    path = folder / "history.duckdb"
    if not path.exists():
        return Counter()
    with duckdb.connect(str(path)) as connection:
        if not connection.execute("from duckdb_tables()").fetchall():
            return Counter()
        rows = connection.execute(f"select run_id, count(*) from {TABLE} group by 1").fetchall()
    return Counter(dict(rows))


def test_two_at_once_lose_nothing(tmp_path: Path) -> None:
    processes = [start(tmp_path, times=5) for _ in range(2)]
    ids: list[str] = []
    for process in processes:
        written, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        ids += written.split()
    assert kept(tmp_path) == Counter(dict.fromkeys(ids, ROWS))
    assert len(ids) == 10
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_threads_at_once_lose_nothing(tmp_path: Path) -> None:
    def keep(_: int) -> str:
        return fairsql.keep_history(full_run(), tmp_path / "history.duckdb")

    with ThreadPoolExecutor(4) as pool:
        ids = list(pool.map(keep, range(12)))
    assert kept(tmp_path) == Counter(dict.fromkeys(ids, len(list(records(full_run())))))


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_a_killed_run_is_in_it_whole_or_not_at_all(tmp_path: Path) -> None:
    began = time.monotonic()
    with start(tmp_path, times=1) as process:
        began = time.monotonic()
        process.communicate(timeout=60)
    whole = time.monotonic() - began
    chance, killed, told = random.Random(11), 0, Counter(kept(tmp_path))  # noqa: S311
    for round_ in range(12):
        if round_ % 3 == 0:  # also while the file is made
            (tmp_path / "history.duckdb").unlink(missing_ok=True)
            (tmp_path / "history.duckdb.wal").unlink(missing_ok=True)
            told = Counter()
        with start(tmp_path, times=1) as process:
            time.sleep(chance.uniform(0, whole))
            process.send_signal(signal.SIGKILL)
            written, _ = process.communicate(timeout=60)
            killed += process.returncode == -signal.SIGKILL
        told.update(dict.fromkeys(written.split(), ROWS))
        found = kept(tmp_path)
        assert set(found.values()) <= {ROWS}
        # What a process said it had kept is there.
        assert set(told) <= set(found)
        told = found
    assert killed  # some; how many is a matter of the machine's pace
    fairsql.read_history(tmp_path / "history.duckdb")


def test_a_file_that_stays_held_is_an_error_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.duckdb"
    duckdb.connect(str(path)).close()
    holder = subprocess.Popen(
        [sys.executable, "-c", "import duckdb, sys, time\nc = duckdb.connect(sys.argv[1])\n"
         "print('held', flush=True)\ntime.sleep(60)", str(path)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        monkeypatch.setattr(tables, "PATIENCE", 0.5)
        with pytest.raises(fairsql.WarehouseError, match="set lock on file"):
            tables.append_to_file(path, TABLE, {"a": "integer"}, [{"a": 1}])
        holder.kill()
    tables.append_to_file(path, TABLE, {"a": "integer"}, [{"a": 1}])
