"""Databricks through a connection that answers from a list: what is sent, and what is made of it.

No Databricks is asked; the classes are the connector's own, or made to its documented interface.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from databricks.sql.client import Connection
from databricks.sql.exc import RequestError, ServerOperationError

import fairsql
from fairsql.dbt.outputs import databricks as output
from fairsql.errors import ConfigurationError, RelationNotFoundError, WarehouseError
from fairsql.records import MEASUREMENTS
from fairsql.warehouses import Column, Label, databricks
from tests.report.samples import TEST, run_of

URL = "databricks://token:s3cret@host.example/main/audit?http_path=/sql/1.0/warehouses/a1"


class Stub(Connection):  # type: ignore[misc, unused-ignore]
    """A connection whose cursors give prepared answers, or raise them, in order."""

    def __init__(self, *answers: Any, **settings: Any) -> None:
        self.settings = settings
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.session: Any = SimpleNamespace(host="host.example")
        self.was_closed = False

    def __del__(self) -> None:
        pass

    def cursor(self, *_: Any, **__: Any) -> Any:
        return Cursor(self)

    def close(self) -> None:
        self.was_closed = True


class Cursor:
    def __init__(self, connection: Stub) -> None:
        self.connection = connection
        self.description: Sequence[tuple[Any, ...]] = ()
        self.query_id = "01ef"
        self.cancelled = threading.Event()

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, statement: str, parameters: Any = None, **options: Any) -> None:
        given = {"parameters": parameters} if parameters else {}
        self.connection.asked.append((statement, given | options))
        answer = self.connection.answers.pop(0)
        if answer == "slow":
            assert self.cancelled.wait(20)
            raise ServerOperationError("Query cancelled")
        if isinstance(answer, BaseException):
            raise answer
        self.description, self.rows = answer

    def fetchall(self) -> list[Any]:
        return list(self.rows)

    def cancel(self) -> None:
        self.cancelled.set()


def described(*columns: tuple[str, str]) -> list[tuple[Any, ...]]:
    return [(*column, None, None, None, None, None) for column in columns]


TABLES = (described(("tableName", "string")), [("people",), ("loans",)])


def test_a_statement_carries_tags_and_an_answer_plain_numbers() -> None:
    columns = described(("n", "bigint"), ("x", "decimal"), ("y", "double"))
    stub = Stub((columns, [(3, Decimal("1.50"), 0.25)]))
    warehouse = fairsql.connect(stub)
    answer = warehouse.run("select 1", Label("loans.yml", ("a", "b" * 200)))
    assert answer.rows == [{"n": 3, "x": 1.5, "y": 0.25}]
    assert answer.query_id == "01ef"
    [(statement, options)] = stub.asked
    assert statement == "select 1"
    tags = options["query_tags"]
    assert tags["fairsql"] == fairsql.__version__
    assert tags["fairsql_suite"] == "loans.yml"
    assert tags["fairsql_tests"] == f"a; {'b' * 200}"[:128]
    warehouse.close()
    assert not stub.was_closed


def test_an_older_connector_has_no_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databricks, "_HAS_QUERY_TAGS", False)
    stub = Stub((described(("x", "int")), [(1,)]))
    fairsql.connect(stub).run("select 1 as x")
    assert stub.asked == [("select 1 as x", {})]


def test_columns_have_kinds() -> None:
    stub = Stub((described(("a", "string"), ("b", "decimal"), ("c", "timestamp_ntz")), []))
    assert fairsql.connect(stub).describe("main.audit.loans") == (
        Column("a", "string", "text"),
        Column("b", "decimal", "decimal"),
        Column("c", "timestamp_ntz", "timestamp"),
    )
    assert stub.asked[0][0] == "select * from main.audit.loans limit 0"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "[TABLE_OR_VIEW_NOT_FOUND] The table or view `laons` cannot be found. Verify the"
            " spelling and correctness of the schema and catalog.\nIf … SQLSTATE: 42P01; line 1",
            "The table or view `laons` cannot be found. Nearest: loans.",
        ),
        (
            "[INSUFFICIENT_PERMISSIONS] Insufficient privileges:\nUser has not SELECT on Table."
            " SQLSTATE: 42501",
            "Insufficient privileges. Nearest: loans.",
        ),
    ],
)
def test_a_relation_that_is_not_there(said: str, message: str) -> None:
    stub = Stub(ServerOperationError(said), TABLES)
    with pytest.raises(RelationNotFoundError) as caught:
        fairsql.connect(stub).describe("laons")
    assert str(caught.value) == f"cannot read laons: {message}"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            ServerOperationError(
                "[CAST_INVALID_INPUT] The value '078-05-1120' of the type \"STRING\" cannot be cast"
                ' to "INT" because it is malformed. Correct the value as per the syntax.'
                " SQLSTATE: 22018\n== SQL =="
            ),
            'The value … of the type "STRING" cannot be cast to "INT" because it is malformed.',
        ),
        (RequestError("Error during request to server"), "Error during request to server."),
        (ConnectionResetError(104, "Connection reset by peer"), "Connection reset by peer."),
    ],
)
def test_a_message_is_a_line_without_values_of_rows(error: Exception, message: str) -> None:
    with pytest.raises(WarehouseError) as caught:
        fairsql.connect(Stub(error)).run("select cast(id as int) from people")
    assert str(caught.value) == f"Databricks says: {message}"


def test_a_late_statement_is_cancelled() -> None:
    warehouse = fairsql.connect(Stub("slow", "slow"), timeout=0.2)
    said = "Databricks was stopped after 0.2 seconds, the timeout"
    with pytest.raises(WarehouseError, match=said):
        warehouse.run("select 1")
    with pytest.raises(WarehouseError, match=said):
        warehouse.describe("loans")


# --- a history ---------------------------------------------------------------------------------


def test_rows_are_one_statement() -> None:
    stub = Stub(([], []), ([], []))
    columns = {"rows": "integer", "value": "number", "key_1": "text", "failed": "boolean"}
    row = {"rows": 3, "value": 0.1, "key_1": "it's ${x} \\ é", "failed": True}
    nothing: dict[str, Any] = dict.fromkeys(row)
    fairsql.connect(stub).append("main.audits.fairness", columns, [row, nothing])  # type: ignore[attr-defined]
    tags = {"query_tags": {"fairsql": fairsql.__version__}}
    [create, (insert, options)] = stub.asked
    names = "`rows` bigint, `value` double, `key_1` string, `failed` boolean"
    assert create == (f"create table if not exists main.audits.fairness ({names})", tags)
    assert insert.startswith(
        "insert into main.audits.fairness (`rows`, `value`, `key_1`, `failed`)"
    )
    assert options["query_tags"] == tags["query_tags"]
    assert json.loads(options["parameters"]["rows"]) == [row, nothing]


def test_a_table_that_may_not_be_written_is_told_in_one_line() -> None:
    said = "[SCHEMA_NOT_FOUND] The schema `audits` cannot be found.\nIf … SQLSTATE: 42704"
    stub = Stub(ServerOperationError(said))
    with pytest.raises(WarehouseError) as caught:
        fairsql.keep_history(run_of(TEST), "warehouse:audits.fairness", fairsql.connect(stub))
    assert str(caught.value) == (
        "cannot write to audits.fairness: The schema `audits` cannot be found."
    )


def test_a_history_that_is_late_is_cancelled() -> None:
    warehouse = fairsql.connect(Stub(([], []), "slow"), timeout=0.2)
    with pytest.raises(WarehouseError, match=r"Databricks was stopped after 0\.2 seconds"):
        fairsql.keep_history(run_of(TEST), "warehouse:audits.fairness", warehouse)


def test_a_history_is_read_back() -> None:
    stub = Stub(([], []), ([], []))
    warehouse = fairsql.connect(stub)
    fairsql.keep_history(run_of(TEST), "warehouse:audits.fairness", warehouse)
    [row, *_] = json.loads(stub.asked[1][1]["parameters"]["rows"])
    names = ("run_id", "started_at", "suite", "test", "status", "thresholds", *MEASUREMENTS)
    names = (*names, "window_end", "other_measurements")
    columns = described(*((name, "string") for name in names))
    stub.answers += [(columns, []), (columns, [tuple(row[name] for name in names)])]
    [past] = fairsql.read_history("warehouse:audits.fairness", warehouse)
    assert (past.run_id, past.test) == (row["run_id"], TEST.name)
    assert stub.asked[-1][0].endswith(" from audits.fairness")


# --- URLs and profiles -----------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Stub]:
    """The connections that are made; no host is looked for."""
    made: list[Stub] = []

    def connect(**settings: Any) -> Stub:
        made.append(Stub(**settings))
        return made[-1]

    monkeypatch.setattr("databricks.sql.connect", connect)
    monkeypatch.setattr(databricks, "_knock", lambda _: None)
    monkeypatch.delenv("DATABRICKS_TOKEN", raising=False)
    return made


PLACE = {"server_hostname": "host.example", "http_path": "/sql/1.0/warehouses/a1"}
OPTIONS = {"user_agent_entry": f"fairsql/{fairsql.__version__}", "enable_telemetry": False}


def test_a_url(opened: list[Stub]) -> None:
    warehouse = fairsql.connect(URL)
    assert (warehouse.name, warehouse.dialect) == ("host.example", "databricks")
    within = {"catalog": "main", "schema": "audit"}
    assert opened[0].settings == {**OPTIONS, **PLACE, **within, "access_token": "s3cret"}
    warehouse.close()
    assert opened[0].was_closed


def test_a_token_of_the_environment(opened: list[Stub], monkeypatch: pytest.MonkeyPatch) -> None:
    url = "databricks://host.example?http_path=/sql/1.0/warehouses/a1"
    with pytest.raises(ConfigurationError, match="needs a token, or DATABRICKS_TOKEN"):
        fairsql.connect(url)
    fairsql.connect(f"{url}&auth_type=databricks-oauth")
    monkeypatch.setenv("DATABRICKS_TOKEN", "s3cret")
    fairsql.connect(url)
    assert [made.settings.get("auth_type") for made in opened] == ["databricks-oauth", None]
    assert {"access_token": "s3cret"}.items() <= opened[1].settings.items()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("databricks://token:s3cret@host.example", "needs the http_path"),
        (f"{URL}&colour=red", "but one is 'colour'"),
        ("databricks://token:s3@cret@host", "must be databricks://token:TOKEN@host"),
    ],
)
def test_a_wrong_url(opened: list[Stub], url: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        fairsql.connect(url)
    assert message in str(caught.value)
    assert "cret" not in str(caught.value)
    assert not opened


def test_a_host_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(databricks, "getproxies", dict)
    with pytest.raises(WarehouseError) as caught:
        fairsql.connect(URL)
    assert str(caught.value) == (
        "cannot connect to Databricks at host.example: Connection refused."
    )


PROFILE = {"host": "https://host.example/", "http_path": PLACE["http_path"], "schema": "audit"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"token": "s3cret"}, {"access_token": "s3cret"}),
        ({"auth_type": "oauth"}, {"auth_type": "databricks-oauth"}),
        (
            {"auth_type": "oauth", "client_id": "me"},
            {"auth_type": "databricks-oauth", "oauth_client_id": "me"},
        ),
        (
            {"azure_client_id": "me", "azure_client_secret": "s3cret", "catalog": "main"},
            {
                "auth_type": "azure-sp-m2m",
                "azure_client_id": "me",
                "azure_client_secret": "s3cret",
                "catalog": "main",
            },
        ),
        (
            {"token": "s3cret", "session_properties": {"ansi_mode": True}},
            {"access_token": "s3cret", "session_configuration": {"ansi_mode": True}},
        ),
    ],
)
def test_a_profile(opened: list[Stub], settings: dict[str, Any], expected: dict[str, Any]) -> None:
    output.connect({**PROFILE, **settings}, "here", Path())
    assert opened[0].settings == {**OPTIONS, **PLACE, "schema": "audit", **expected}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "here: auth_type None is no way to log in"),
        ({"auth_type": "oauth", "client_secret": "s3cret"}, "here: client_secret is no way"),
        ({"token": "s3cret", "http_path": None}, "here: has no http_path."),
    ],
)
def test_a_profile_that_cannot_be_honoured(
    opened: list[Stub], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        output.connect({**PROFILE, **settings}, "here", Path())
    assert message in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert not opened


def test_the_names_dbt_gives() -> None:
    assert output.database_and_schema({"schema": "audit"}) == ("hive_metastore", "audit")
    assert output.database_and_schema({"catalog": "main", "schema": "a"}) == ("main", "a")
