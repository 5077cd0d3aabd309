"""What goes wrong with a PostgreSQL server: one clear line each, and the other tests run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
import pytest

import fairsql
from fairsql.config import build_test
from fairsql.errors import WarehouseError
from fairsql.suite import Suite
from fairsql.warehouses import Label, retries
from tests.cli.samples import ROOT, outside, suite_of
from tests.sql_inference.engines import PostgreSQL, postgres_programs, postgres_server

if TYPE_CHECKING:
    from fairsql.results import Run

pytestmark = pytest.mark.xdist_group("postgres")

# A view whose rows take a tenth of a second each, and functions that fail twice, then work: locks
# of a session are what a transaction that is rolled back leaves behind for the next to count.
TABLES = """
create table people as select case when i % 2 = 0 then 'F' else 'M' end as sex,
    (i % 5 < 2)::int as approved from generate_series(0, 199) as series(i);
create table peers as select * from people;
create view slow as select * from people where pg_sleep(0.1) is not null;
create function passing(code text) returns int language plpgsql as $$
declare attempt bigint := (
    select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
);
begin
    perform pg_advisory_lock(attempt);
    if attempt < 2 then raise exception 'not now' using errcode = code; end if;
    return attempt;
end $$;
create role few login connection limit 0;
create role reader login;
grant select on people, peers to reader;
create role guarded login password 'right';
"""
RUNNING = """
select application_name, query from pg_stat_activity
where state = 'active' and query ~ 'slow|pg_sleep' and pid <> pg_backend_pid()
"""


@contextmanager
def server_of_ones_own() -> Iterator[PostgreSQL]:
    programs = postgres_programs()
    if programs is None:
        reason = "PostgreSQL's programs are neither on PATH nor in /usr/lib/postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with postgres_server(programs) as found:
        with administrator(found) as connection:
            connection.execute(TABLES)
            rules = found.directory / "data" / "pg_hba.conf"
            rules.write_text("local all guarded scram-sha-256\n" + rules.read_text())
            connection.execute("select pg_reload_conf()")
        yield found


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with server_of_ones_own() as found:
        yield found


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr(retries, "sleep", slept.append)
    return slept


def administrator(server: PostgreSQL) -> psycopg.Connection[Any]:
    return psycopg.connect(
        host=str(server.directory), user="postgres", dbname="postgres", autocommit=True
    )


def url(server: PostgreSQL, user: str = "postgres") -> str:
    return f"postgresql://{user}@/postgres?host={quote(str(server.directory))}"


@pytest.fixture
def warehouse(server: PostgreSQL) -> Iterator[Any]:
    opened = fairsql.connect(url(server))
    yield opened
    opened.close()


def suite(*relations: str) -> Suite:
    """One test a relation, each a scan of its own."""
    return Suite(
        tuple(
            build_test(
                name=relation,
                relation=relation,
                protected_attribute_columns=["sex"],
                parity_metric="rate",
                value_column="approved",
                positive_values=["1"],
                higher_is_better=True,
            )
            for relation in relations
        ),
        "audits/loans.yml",
    )


def told(run: Run) -> dict[str, str]:
    """Return the status of each test, or its error, which is one line."""
    for test in run.tests:
        assert len((test.message or "").splitlines()) <= 1
    return {
        test.name: str(test.message) if test.status == "error" else test.status
        for test in run.tests
    }


def running(server: PostgreSQL) -> list[tuple[str, str]]:
    with administrator(server) as connection:
        return connection.execute(RUNNING).fetchall()


def until(condition: Callable[[], Any], seconds: float = 20) -> Any:
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.02)
    return found


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[None]:
    thread = Thread(target=work)
    thread.start()
    yield
    thread.join()


# --- no connection ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("postgresql://me:s3cret@127.0.0.1:1/db", "port 1 failed: Connection refused."),
        ("postgresql://me:s3cret@localhost:1/db", "port 1 failed: Connection refused."),
        ("postgresql://me:s3cret@nowhere.invalid/db", "nowhere.invalid"),
        ("postgresql://me:s3cret@/db?host=/nowhere", "No such file or directory."),
    ],
)
def test_no_server(waits: list[float], target: str, message: str) -> None:
    with pytest.raises(WarehouseError) as caught:
        fairsql.connect(target)
    said = str(caught.value)
    assert said.startswith("cannot connect to PostgreSQL: ")
    assert message in said
    assert "s3cret" not in said
    assert "\n" not in said
    assert waits == []


def test_a_wrong_password(server: PostgreSQL, waits: list[float]) -> None:
    fairsql.connect(url(server, "guarded:right")).close()
    for user in ("guarded", "guarded:wr0ng"):
        with pytest.raises(WarehouseError, match="password") as caught:
            fairsql.connect(url(server, user))
        assert "wr0ng" not in str(caught.value)
    assert waits == []


def test_a_server_that_is_full_is_asked_again(
    server: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    def wait(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            with administrator(server) as connection:
                connection.execute("alter role few connection limit 5")

    monkeypatch.setattr(retries, "sleep", wait)
    fairsql.connect(url(server, "few")).close()
    assert len(slept) == 2
    with administrator(server) as connection:
        connection.execute("alter role few connection limit 0")
    with pytest.raises(WarehouseError, match='too many connections for role "few"'):
        fairsql.connect(url(server, "few"))
    assert len(slept) == 5


def test_the_command_line_ends_with_4(server: PostgreSQL, tmp_path: Path) -> None:
    (tmp_path / "suite.yml").write_text(suite_of("people", "nowhere"))
    for target, message in [
        ("postgresql://me:s3cret@127.0.0.1:1/db", "Connection refused"),
        (url(server, "guarded:wr0ng"), "password authentication failed"),
        (url(server), 'relation "nowhere" does not exist'),
    ]:
        done = outside("run", "suite.yml", "--connection", target, cwd=tmp_path)
        assert done.returncode == 4
        assert message in " ".join((done.stdout + done.stderr).split())
        assert "s3cret" not in done.stdout + done.stderr
        assert "wr0ng" not in done.stdout + done.stderr


# --- limits, labels and Ctrl-C ---------------------------------------------------------------


def test_a_late_statement_is_stopped_and_the_others_run(server: PostgreSQL) -> None:
    warehouse = fairsql.connect(url(server), timeout=0.5)
    assert told(suite("slow", "people").run(warehouse)) == {
        "slow": "PostgreSQL was stopped after 0.5 seconds, the timeout.",
        "people": "passed",
    }
    assert running(server) == []
    warehouse.close()


@pytest.mark.parametrize("autocommit", [True, False])
def test_a_callers_settings_outlive_ours(server: PostgreSQL, autocommit: bool) -> None:
    def settings() -> list[str]:
        names = ("statement_timeout", "application_name", "transaction_read_only")
        return [str(connection.execute(f"show {name}").fetchone()) for name in names]

    with administrator(server) as connection:
        connection.autocommit = autocommit
        connection.execute("set statement_timeout = '7s'")
        connection.execute("set application_name = 'mine'")
        before = settings()
        with connection.transaction():
            warehouse = fairsql.connect(connection, timeout=0.5)
            assert told(suite("people", "slow", "peers").run(warehouse)) == {
                "people": "passed",
                "slow": "PostgreSQL was stopped after 0.5 seconds, the timeout.",
                "peers": "passed",
            }
            assert settings() == before
        assert settings() == before


def test_a_statement_says_who_it_is(server: PostgreSQL, warehouse: Any) -> None:
    with meanwhile(lambda: warehouse.run("select pg_sleep(1)", Label("audits/ä.yml", ("a",)))):
        [(name, query)] = until(lambda: running(server))
    assert name == f"fairsql {fairsql.__version__} ?.yml"
    assert query == "select pg_sleep(1)"
    with meanwhile(lambda: warehouse.run("select pg_sleep(1)", Label("x" * 99))):
        [(name, _)] = until(lambda: running(server))
    assert name == f"fairsql {fairsql.__version__} {'x' * 99}"[:63]


def test_the_statement_of_a_suite_names_its_tests(server: PostgreSQL) -> None:
    warehouse = fairsql.connect(url(server), timeout=1, look_first=False)
    with meanwhile(lambda: suite("slow").run(warehouse)):
        [(name, query)] = until(lambda: running(server))
    assert name == f"fairsql {fairsql.__version__} loans.yml"
    assert "slow" in query.partition("\nwith")[0]
    warehouse.close()


def test_ctrl_c_stops_the_statement_in_the_server(server: PostgreSQL, tmp_path: Path) -> None:
    (tmp_path / "suite.yml").write_text(suite_of("slow"))
    child = subprocess.Popen(
        [sys.executable, "-m", "fairsql", "run", "suite.yml", "--connection", url(server)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: running(server))
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=20)
    assert child.returncode == 130
    assert said.strip().endswith("Interrupted.")
    # The server itself would not notice that its client is gone before the twenty seconds end.
    until(lambda: not running(server), seconds=2)


# --- between the plan and the run ------------------------------------------------------------


def first(work: Callable[[], object]) -> Callable[[int, int], None]:
    """Do something when everything is planned and the first statement has not run."""

    def on_statement(done: int, _: int) -> None:
        if done == 0:
            work()

    return on_statement


def test_a_table_dropped_after_the_plan(server: PostgreSQL, warehouse: Any) -> None:
    with administrator(server) as connection:
        connection.execute("create table brief as select * from people")
        drop = first(lambda: connection.execute("drop table brief"))
        run = suite("brief", "people").run(warehouse, on_statement=drop)
    assert told(run) == {
        "brief": 'PostgreSQL says: relation "brief" does not exist.',
        "people": "passed",
    }


def test_select_revoked_after_the_plan_and_before(server: PostgreSQL) -> None:
    warehouse = fairsql.connect(url(server, "reader"))
    with administrator(server) as connection:
        revoke = first(lambda: connection.execute("revoke select on peers from reader"))
        run = suite("peers", "people").run(warehouse, on_statement=revoke)
    said = "permission denied for table peers."
    assert told(run) == {"peers": f"PostgreSQL says: {said}", "people": "passed"}
    run = suite("peers", "people").run(warehouse)
    assert told(run)["peers"].startswith(f'cannot read "peers": {said}')
    assert told(run)["people"] == "passed"
    warehouse.close()


# --- what passes by itself -------------------------------------------------------------------


@pytest.mark.parametrize("code", ["40001", "40P01"])
def test_what_may_pass_is_run_again(warehouse: Any, waits: list[float], code: str) -> None:
    assert warehouse.run(f"select passing('{code}') as at").rows == [{"at": 2}]
    assert len(waits) == 2


def test_nothing_else_is_run_again(warehouse: Any, waits: list[float]) -> None:
    with pytest.raises(WarehouseError, match="PostgreSQL says: not now"):
        warehouse.run("select passing('55P03') as at")
    assert waits == []


def test_a_callers_transaction_is_not_begun_again(server: PostgreSQL, waits: list[float]) -> None:
    with administrator(server) as connection, connection.transaction():
        with pytest.raises(WarehouseError, match="not now"):
            fairsql.connect(connection).run("select passing('40001') as at")
        assert waits == []


# --- a connection that breaks ----------------------------------------------------------------


def end_the_backend(server: PostgreSQL) -> None:
    """Wait for the slow statement, and end its connection as an administrator does."""
    until(lambda: running(server))
    with administrator(server) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where query ~ 'slow' and pid <> pg_backend_pid()"
        )


def test_our_connection_is_opened_again(server: PostgreSQL) -> None:
    warehouse = fairsql.connect(url(server), look_first=False)
    with meanwhile(lambda: end_the_backend(server)):
        run = suite("slow", "people").run(warehouse)
    warehouse.close()
    assert told(run) == {
        "slow": "PostgreSQL says: terminating connection due to administrator command.",
        "people": "passed",
    }


def test_a_callers_connection_is_not(server: PostgreSQL) -> None:
    connection = administrator(server)
    with meanwhile(lambda: end_the_backend(server)):
        run = suite("slow", "people").run(fairsql.connect(connection, look_first=False))
    assert told(run) == {
        "slow": "PostgreSQL says: terminating connection due to administrator command.",
        "people": "PostgreSQL says: the connection is lost.",
    }
    assert connection.closed


def test_a_connection_closed_by_its_owner_stays_closed(server: PostgreSQL) -> None:
    warehouse = fairsql.connect(url(server))
    warehouse.close()
    with pytest.raises(WarehouseError, match="the connection is closed"):
        warehouse.run("select 1")


def is_lost(connection: psycopg.Connection[Any]) -> bool:
    try:
        connection.execute("select 1")
    except psycopg.OperationalError:
        return True
    return False


def test_a_server_that_recovers_is_waited_for(server: PostgreSQL) -> None:
    """A backend that crashes takes all others with it, until the server has recovered."""
    warehouse = fairsql.connect(url(server))
    [pid] = warehouse.run("select pg_backend_pid() as pid").rows[0].values()
    witness = administrator(server)
    os.kill(pid, signal.SIGKILL)
    # Before the server has seen the crash it lets a connection in, only to end it.
    until(lambda: is_lost(witness))
    run = suite("people", "peers").run(warehouse)
    assert told(run)["peers"] == "passed"
    warehouse.close()


def test_a_server_killed_mid_query_and_started_again() -> None:
    with server_of_ones_own() as own:
        warehouse = fairsql.connect(url(own), look_first=False)
        [backend] = warehouse.run("select pg_backend_pid() as pid").rows[0].values()

        def kill() -> None:
            until(lambda: running(own))
            for pid in (postmaster(own), backend):
                os.kill(pid, signal.SIGKILL)

        try:
            with meanwhile(kill):
                run = suite("slow", "people").run(warehouse)
        finally:
            start_again(own)
        assert told(run)["slow"].startswith("PostgreSQL says: ")
        assert "closed the connection unexpectedly" in told(run)["slow"]
        assert told(run)["people"].startswith("cannot connect to PostgreSQL: ")
        assert told(suite("people").run(warehouse)) == {"people": "passed"}
        warehouse.close()


def postmaster(server: PostgreSQL) -> int:
    return int((server.directory / "data" / "postmaster.pid").read_text().split()[0])


def start_again(server: PostgreSQL) -> None:
    # What is left of a process that nobody has waited for would count as a server that runs.
    (server.directory / "data" / "postmaster.pid").unlink()
    command: list[str | Path] = [
        *(server.programs / "pg_ctl", "start", "-w", "-D", server.directory / "data"),
        *("-l", server.directory / "log", "-o", f"-c listen_addresses='' -k {server.directory}"),
    ]
    user = "postgres" if os.geteuid() == 0 else None
    settings: dict[str, Any] = {"cwd": server.directory, "user": user, "stdout": subprocess.DEVNULL}
    until(lambda: subprocess.run(command, check=False, **settings).returncode == 0)
