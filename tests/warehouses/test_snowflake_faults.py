"""Tags, faults, time limits and Ctrl-C: the real connector before a stub of Snowflake."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest
import snowflake.connector

import fairsql
from fairsql.errors import RelationNotFoundError, WarehouseError
from fairsql.version import __version__
from fairsql.warehouses import Label
from tests.warehouses.fakesnow_server import PASSWORD
from tests.warehouses.snowflake_stub import RefusalError, Stub, UnavailableError, snowflake_stub


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """Give a server, of which nobody waits between tries."""
    monkeypatch.setattr(
        "fairsql.warehouses.snowflake.exponential_backoff", lambda: lambda: repeat(0)
    )
    monkeypatch.setattr("fairsql.warehouses.retries.sleep", lambda _: None)
    with snowflake_stub() as started:
        yield started


# --- tags ----------------------------------------------------------------------------


def tags(stub: Stub) -> list[Any]:
    return [json.loads(query["parameters"]["QUERY_TAG"]) for query in stub.queries]


def test_every_statement_carries_a_tag(stub: Stub) -> None:
    opened = fairsql.connect(stub.url())
    opened.describe("loans")
    opened.run("select 1 as one", Label("fair.yml", ("AUC by gender", "é")))
    opened.version()
    own = {"fairsql": __version__}
    assert tags(stub) == [own, {**own, "suite": "fair.yml", "tests": ["AUC by gender", "é"]}, own]
    [login] = stub.logins
    assert json.loads(login["SESSION_PARAMETERS"]["QUERY_TAG"]) == own
    assert login["CLIENT_ENVIRONMENT"]["APPLICATION"] == "fairsql"


def test_a_tag_of_the_user_s_own_is_kept(stub: Stub) -> None:
    opened = fairsql.connect(stub.url("&query_tag=team%20risk"))
    opened.run("select 1 as one", Label(None, ("a",)))
    assert stub.logins[0]["SESSION_PARAMETERS"]["QUERY_TAG"] == "team risk"
    assert tags(stub) == [{"fairsql": __version__, "query_tag": "team risk", "tests": ["a"]}]


def test_a_live_session_keeps_its_tag(stub: Stub) -> None:
    settings = {"account": "acme", "user": "ada", "password": "x"}
    place = {"host": "localhost", "port": stub.port, "protocol": "http"}
    with snowflake.connector.connect(**settings, **place) as connection:
        fairsql.connect(connection).run("select 1 as one", Label("s", ("a",)))
        connection.cursor().execute("select 2")
    assert not any("alter" in query["sqlText"].casefold() for query in stub.queries)
    assert [bool(query["parameters"]) for query in stub.queries[:2]] == [True, False]


@pytest.mark.parametrize("count", [1, 30, 3000])
def test_a_long_tag_ends_at_a_whole_name(stub: Stub, count: int) -> None:
    names = tuple(f"{number:04d} " + 'ü"' * 40 for number in range(count))
    fairsql.connect(stub.url()).run("select 1 as one", Label("x" * 5000, names))
    [query] = stub.queries
    assert len(query["parameters"]["QUERY_TAG"]) <= 2000
    [tag] = tags(stub)
    assert tag["tests"] == list(names[: len(tag["tests"])])
    assert len(tag["tests"]) + tag.get("more_tests", 0) == count
    assert tag["tests"]


def test_a_tag_that_leaves_no_room_gives_way_to_our_own(stub: Stub) -> None:
    fairsql.connect(stub.url(f"&query_tag={'x' * 1990}")).run("select 1 as one")
    assert tags(stub) == [{"fairsql": __version__}]


# --- faults --------------------------------------------------------------------------


def test_a_refused_connection_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("fairsql.warehouses.retries.sleep", waits.append)
    with snowflake_stub() as gone:
        url = gone.url()
    with pytest.raises(WarehouseError) as caught:
        fairsql.connect(url)
    assert str(caught.value) == "cannot connect to Snowflake at localhost: connection refused."
    assert len(waits) == 3


def test_a_wrong_password_is_told_at_once(stub: Stub) -> None:
    def refuse() -> None:
        raise RefusalError("390100", "08001", "Incorrect username or password was specified.")

    stub.login = refuse
    with pytest.raises(WarehouseError) as caught:
        fairsql.connect(stub.url())
    message = str(caught.value)
    assert message.startswith("cannot connect to Snowflake at localhost: ")
    assert message.endswith("Incorrect username or password was specified.")
    assert PASSWORD not in message
    assert len(stub.logins) == 1


@pytest.mark.parametrize("status", [503, 429])
def test_a_login_is_tried_again_where_the_connector_would(stub: Stub, status: int) -> None:
    def refuse_twice() -> None:
        if len(stub.logins) < 3:
            raise UnavailableError(status)

    stub.login = refuse_twice
    fairsql.connect(stub.url())
    assert len(stub.logins) == 3


def test_a_forbidden_login_is_not_tried_again(stub: Stub) -> None:
    def refuse() -> None:
        raise UnavailableError(403)

    stub.login = refuse
    with pytest.raises(WarehouseError, match="Verify the account name is correct"):
        fairsql.connect(stub.url())
    assert len(stub.logins) == 1


def test_a_statement_is_tried_again_under_the_same_id(stub: Stub) -> None:
    opened = fairsql.connect(stub.url())
    tried = []

    def fail_twice(sql: str) -> Any:
        tried.append(sql)
        if len(tried) < 3:
            raise UnavailableError
        return [("ONE", "fixed", 38, 0)], [["1"]]

    stub.answer = fail_twice
    assert opened.run("select 1 as one").rows == [{"one": 1}]
    assert len(stub.queries) == 3
    assert len({query["requestId"] for query in stub.queries}) == 1


@pytest.mark.parametrize("status", [503, None])
def test_a_server_that_stays_away_is_given_up(stub: Stub, status: int | None) -> None:
    opened = fairsql.connect(stub.url())

    def unavailable(_: str) -> Any:
        raise UnavailableError(status)

    stub.answer = unavailable
    with pytest.raises(
        WarehouseError, match=r"^Snowflake does not answer: gave up after 4 tries\.$"
    ):
        opened.run("select 1 as one")
    assert len(stub.queries) == 4


def test_a_server_that_is_killed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "fairsql.warehouses.snowflake.exponential_backoff", lambda: lambda: repeat(0)
    )
    with snowflake_stub() as killed:
        opened = fairsql.connect(killed.url())
    with pytest.raises(WarehouseError, match=r"^Snowflake does not answer: connection refused\.$"):
        opened.run("select 1 as one")


def test_what_snowflake_refuses_is_not_tried_again(stub: Stub) -> None:
    opened = fairsql.connect(stub.url())

    def refuse(_: str) -> Any:
        raise RefusalError(
            "001003", "42000", "SQL compilation error:\nsyntax error line 1 at position 0"
        )

    stub.answer = refuse
    with pytest.raises(WarehouseError) as caught:
        opened.run("selec 1")
    assert str(caught.value) == (
        "Snowflake says: SQL compilation error: syntax error line 1 at position 0."
    )
    assert len(stub.queries) == 1


@pytest.mark.parametrize(
    ("number", "state", "said", "not_found"),
    [
        ("002003", "42S02", "Object 'LOANS' does not exist or not authorized.", True),
        ("002003", "02000", "Schema 'DB.X' does not exist or not authorized.", True),
        ("003001", "42501", "Insufficient privileges to operate on table 'LOANS'", True),
        ("000904", "42000", "invalid identifier 'GENDRE'", True),
        ("090105", "22000", "This session does not have a current database.", False),
    ],
)
def test_a_relation_that_may_not_be_read_is_told(
    stub: Stub, number: str, state: str, said: str, not_found: bool
) -> None:
    opened = fairsql.connect(stub.url())

    def refuse(sql: str) -> Any:
        if sql.startswith("show"):
            names = ("created_on", "name", "kind", "database_name", "schema_name")
            rows: list[list[str | None]] = [["", "LOAN", "TABLE", "DB", "PUBLIC"]]
            return [(name, "text", 0, 0) for name in names], rows
        raise RefusalError(number, state, f"SQL compilation error:\n{said}")

    stub.answer = refuse
    with pytest.raises(WarehouseError) as caught:
        opened.describe("loans")
    assert isinstance(caught.value, RelationNotFoundError) == not_found
    told = f"cannot read loans: SQL compilation error: {said.rstrip('.')}."
    hint = " Nearest: loan." if number == "002003" else ""
    assert str(caught.value) == told + hint


@pytest.mark.parametrize(
    ("number", "state", "said", "shown"),
    [
        ("100038", "22018", "Numeric value 'Ada L.' is not recognized", "Numeric value …"),
        ("100046", "22003", "Number out of representable range: type FIXED[SB16](38,0), value 9173",
         "Number out of representable range: type FIXED…(…,…), value …"),
        ("100069", "22P02", 'Error parsing JSON: unknown keyword "Ada", pos 4', "keyword …, pos …"),
        ("100071", "22000", 'Failed to cast variant value {"a": 77} to REAL', "value … to REAL"),
        ("100038", "22018", "Numeric value 'yes' is not recognized", "Numeric value 'yes'"),
    ],
)  # fmt: skip
def test_a_fault_of_the_data_is_told_without_the_data(
    stub: Stub, number: str, state: str, said: str, shown: str
) -> None:
    opened = fairsql.connect(stub.url())

    def refuse(_: str) -> Any:
        raise RefusalError(number, state, said)

    stub.answer = refuse
    with pytest.raises(WarehouseError) as caught:
        opened.run("select x from t where y = 'yes'")
    assert shown in str(caught.value)


def test_a_statement_is_cancelled_in_the_warehouse_when_time_is_up(stub: Stub) -> None:
    opened = fairsql.connect(stub.url(), timeout=0.5)
    stub.answer = stub.wait_for_cancellation
    with pytest.raises(
        WarehouseError, match=r"^Snowflake was stopped after 0\.5 seconds, the timeout\.$"
    ):
        opened.run("select slow")
    assert stub.aborted == [stub.queries[-1]["requestId"]]


def test_ctrl_c_cancels_the_statement_in_the_warehouse(stub: Stub) -> None:
    opened = fairsql.connect(stub.url())
    stub.answer = stub.wait_for_cancellation

    def interrupt() -> None:
        while not stub.queries:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        opened.run("select slow")
    thread.join()
    assert stub.aborted == [stub.queries[-1]["requestId"]]
    stub.answer = lambda _: ([("ONE", "fixed", 38, 0)], [["1"]])
    assert opened.run("select 1 as one").rows == [{"one": 1}]  # the connection is whole
