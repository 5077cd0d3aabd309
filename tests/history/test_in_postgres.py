"""A history in a table of PostgreSQL: two at once, killed runs, and a caller's transaction."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

import fairsql
from fairsql.records import records
from tests.dbt.warehouses import PostgreSQL, required_postgres
from tests.history.test_history import LATER
from tests.history.test_together import ROOT, ROWS, SCRIPT
from tests.report.runs import full_run

pytestmark = pytest.mark.xdist_group("postgres")
TARGET = "warehouse:audits.fairness"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with required_postgres() as found:
        yield found


@pytest.fixture
def connection(server: PostgreSQL) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the caller's, with an empty schema."""
    host = str(server.directory)
    with psycopg.connect(host=host, user="postgres", dbname="postgres", autocommit=True) as opened:
        opened.execute("drop schema if exists audits cascade; create schema audits")
        yield opened


def url(server: PostgreSQL) -> str:
    return f"postgresql://postgres@/postgres?host={quote(str(server.directory))}"


def start(server: PostgreSQL, folder: Path, times: int) -> subprocess.Popen[str]:
    script = SCRIPT.replace(
        "fairsql.keep_history(run_of(),", f"warehouse = fairsql.connect({url(server)!r})\n#"
    ).replace("(run, target)", "(run, target, warehouse)")
    process = subprocess.Popen(
        [sys.executable, "-c", script, TARGET, str(times)],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def kept(connection: psycopg.Connection[Any]) -> Counter[str]:
    if connection.execute("select to_regclass('audits.fairness')").fetchone() == (None,):
        return Counter()
    rows = connection.execute("select run_id, count(*) from audits.fairness group by 1").fetchall()
    return Counter(dict(rows))


def test_what_is_kept_is_what_was_found(
    server: PostgreSQL, connection: psycopg.Connection[Any]
) -> None:
    warehouse = fairsql.connect(url(server))
    run_id = fairsql.keep_history(full_run(), TARGET, warehouse)
    with connection.cursor(row_factory=psycopg.rows.dict_row) as cursor:
        rows = cursor.execute("select * from audits.fairness").fetchall()
    assert [{**row, "run_id": None} for row in rows] == [
        {"run_id": None, **record} for record in records(full_run())
    ]
    past = fairsql.read_history(TARGET, warehouse)
    assert {one.run_id for one in past} == {run_id}
    assert len(past) == len(full_run().tests)
    warehouse.close()


def test_a_table_that_may_not_be_made_is_an_error(server: PostgreSQL) -> None:
    warehouse = fairsql.connect(url(server))
    with pytest.raises(fairsql.ConfigurationError, match="no schema 'nowhere' in"):
        fairsql.keep_history(full_run(), "warehouse:nowhere.fairness", warehouse)
    warehouse.close()


def test_a_table_of_an_earlier_fairsql_gets_what_it_lacks(
    server: PostgreSQL, connection: psycopg.Connection[Any]
) -> None:
    warehouse = fairsql.connect(url(server))
    fairsql.keep_history(full_run(), TARGET, warehouse)
    for name in LATER:
        connection.execute(f"alter table audits.fairness drop column {name}")
    assert {one.thresholds for one in fairsql.read_history(TARGET, warehouse)} == {None}
    run_id = fairsql.keep_history(full_run(), TARGET, warehouse)
    with connection.cursor(row_factory=psycopg.rows.dict_row) as cursor:
        query = "select * from audits.fairness where run_id = %s"
        rows = cursor.execute(query, [run_id]).fetchall()
    # PostgreSQL returns rows in no order of its own.
    expected = [{**record, "run_id": run_id} for record in records(full_run())]
    assert sorted(rows, key=_name) == sorted(expected, key=_name)
    warehouse.close()


def _name(row: dict[str, Any]) -> str:
    return f"{row['test']} {row['key_1']} {row['key_2']}"


def test_a_table_that_is_no_history_is_left_as_it_is(
    server: PostgreSQL, connection: psycopg.Connection[Any]
) -> None:
    connection.execute("create table audits.people (name text)")
    warehouse = fairsql.connect(url(server))
    with pytest.raises(fairsql.WarehouseError, match="has no column 'run_id'"):
        fairsql.keep_history(full_run(), "warehouse:audits.people", warehouse)
    found = connection.execute("select * from audits.people").description or []
    assert [column.name for column in found] == ["name"]
    warehouse.close()


def test_text_that_the_server_cannot_hold_is_escaped(
    server: PostgreSQL, connection: psycopg.Connection[Any]
) -> None:
    warehouse = fairsql.connect(url(server))
    fairsql.keep_history(replace(full_run(), suite="a\x00\udcff"), TARGET, warehouse)
    found = connection.execute("select distinct suite from audits.fairness").fetchall()
    assert found == [("a\\x00\\udcff",)]
    warehouse.close()


def test_two_at_once_lose_nothing(
    server: PostgreSQL, connection: psycopg.Connection[Any], tmp_path: Path
) -> None:
    processes = [start(server, tmp_path, times=4) for _ in range(2)]
    ids: list[str] = []
    for process in processes:
        written, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        ids += written.split()
    assert kept(connection) == Counter(dict.fromkeys(ids, ROWS))
    assert len(ids) == 8


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_a_killed_run_is_in_it_whole_or_not_at_all(
    server: PostgreSQL, connection: psycopg.Connection[Any], tmp_path: Path
) -> None:
    chance, killed = random.Random(3), 0  # noqa: S311 - when to kill
    for _ in range(8):
        with start(server, tmp_path, times=1) as process:
            time.sleep(chance.uniform(0, 0.3))
            process.send_signal(signal.SIGKILL)
            written, _ = process.communicate(timeout=60)
            killed += process.returncode == -signal.SIGKILL
        found = kept(connection)
        assert set(found.values()) <= {ROWS}
        assert set(written.split()) <= set(found)
    assert killed  # some; how many is a matter of the machine's pace


def test_a_caller_s_transaction_is_the_caller_s(
    connection: psycopg.Connection[Any],
) -> None:
    connection.execute("begin")
    fairsql.keep_history(full_run(), TARGET, fairsql.connect(connection))
    assert sum(kept(connection).values()) == len(list(records(full_run())))
    connection.execute("rollback")
    assert kept(connection) == Counter()
