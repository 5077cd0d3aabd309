"""A history in Snowflake: on the emulator, and on a server that answers as it is told.

The emulator takes ``$x`` in a text for a variable, which Snowflake does not; a run with such texts
is sent apart from the statement there.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

import pytest
import snowflake.connector

import fairsql
from fairsql.errors import WarehouseError
from fairsql.warehouses.snowflake import SnowflakeWarehouse
from tests.history.kept import MANY, hold_two_runs, long_run, runs_of
from tests.report.runs import full_run
from tests.report.samples import GROUP, TEST, run_of
from tests.warehouses.fakesnow_server import FakeSnow, fakesnow
from tests.warehouses.snowflake_stub import RefusalError, Stub, snowflake_stub

if TYPE_CHECKING:
    from fairsql.results import Run

pytestmark = pytest.mark.xdist_group("snowflake")
TARGET = "warehouse:audits.fairness"


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeSnow]:
    with fakesnow(tmp_path_factory.mktemp("fakesnow")) as found:
        found.execute("shop", "create schema audits")
        yield found


@pytest.fixture
def warehouse(emulator: FakeSnow) -> Iterator[Any]:
    opened = fairsql.connect(emulator.url("shop"))
    yield opened
    opened.close()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """Give a server, of which nobody waits between tries."""
    monkeypatch.setattr(
        "fairsql.warehouses.snowflake.exponential_backoff", lambda: lambda: repeat(0)
    )
    with snowflake_stub() as started:
        yield started


def asked(stub: Stub) -> list[str]:
    """The first words of each statement."""
    return [" ".join(query["sqlText"].split()[:2]) for query in stub.queries]


def live(stub: Stub) -> snowflake.connector.SnowflakeConnection:
    return snowflake.connector.connect(
        account="acme", user="ada", password="x",  # noqa: S106 - the server takes any
        host="localhost", port=stub.port, protocol="http",
    )  # fmt: skip


# --- on the emulator -------------------------------------------------------------------------


def test_what_is_kept_is_what_was_found(warehouse: Any, tmp_path: Any) -> None:
    file = tmp_path / "run.json"
    file.write_text(full_run().to_json().replace("$", "§"), encoding="utf-8")
    run: Run = fairsql.load_run(file)
    hold_two_runs(warehouse, run, TARGET)


def test_a_connection_may_bind_values_in_the_server(emulator: FakeSnow) -> None:
    settings = emulator.settings("shop")
    with snowflake.connector.connect(**settings, paramstyle="qmark") as connection:
        # As one of our own: the emulator does not say whether it is in a transaction.
        warehouse = SnowflakeWarehouse(connection, owned=True)
        hold_two_runs(warehouse, full_run(), "warehouse:audits.bound")


@pytest.mark.parametrize("name", ["audits.named", "Audits.NAMED", "shop.audits.named"])
def test_a_name_is_folded_as_snowflake_folds_it(warehouse: Any, name: str) -> None:
    run_id = fairsql.keep_history(run_of(TEST), f"warehouse:{name}", warehouse)
    past = fairsql.read_history("warehouse:AUDITS.named", warehouse)
    assert run_id in {one.run_id for one in past}
    names = {column.name for column in warehouse.describe("audits.named")}
    assert {"RUN_ID", "ROWS", "VALUE"} <= names


def test_runs_at_once_lose_nothing(emulator: FakeSnow, warehouse: Any) -> None:
    groups = tuple(replace(GROUP, key={"sex": f"g{n}"}) for n in range(250))
    run = run_of(replace(TEST, groups=groups))
    fairsql.keep_history(run_of(TEST), "warehouse:audits.busy", warehouse)

    def keep(_: int) -> str:
        own = fairsql.connect(emulator.url("shop"))
        try:
            return fairsql.keep_history(run, "warehouse:audits.busy", own)
        finally:
            own.close()

    with ThreadPoolExecutor(2) as pool:
        ids = list(pool.map(keep, range(4)))
    kept = runs_of(warehouse, "audits.busy")
    assert {run_id: kept[run_id] for run_id in ids} == dict.fromkeys(ids, len(groups))


def test_a_row_that_does_not_fit_leaves_none(warehouse: Any) -> None:
    rows = [*[{"a": 2}] * 450, {"a": "Anna Kim"}]
    warehouse.append("audits.few", {"a": "integer"}, [{"a": 1}])
    with pytest.raises(WarehouseError) as caught:
        warehouse.append("audits.few", {"a": "integer"}, rows)
    assert str(caught.value).startswith("cannot write to audits.few: ")
    assert "Anna" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert warehouse.run("select a from audits.few").rows == [{"a": 1}]


def test_a_schema_that_is_not_there_is_told(warehouse: Any) -> None:
    with pytest.raises(WarehouseError, match=r"^cannot write to nowhere\.h: .*NOWHERE"):
        fairsql.keep_history(run_of(TEST), "warehouse:nowhere.h", warehouse)


# --- what is sent ----------------------------------------------------------------------------


def test_a_run_is_one_transaction(stub: Stub) -> None:
    warehouse = fairsql.connect(stub.url())
    fairsql.keep_history(long_run(), TARGET, warehouse)
    inserts = ["insert into"] * (MANY // 200)
    assert asked(stub) == ["create table", "begin", *inserts, "commit"]
    assert stub.queries[0]["sqlText"].startswith(
        'create table if not exists audits.fairness ("RUN_ID" varchar, "STARTED_AT" varchar, '
    )
    assert all("QUERY_TAG" in query["parameters"] for query in stub.queries)


def test_what_fails_is_rolled_back(stub: Stub) -> None:
    def answer(sql: str) -> Any:
        if len(stub.queries) == 4:
            raise RefusalError("100038", "22018", "Numeric value 'Anna Kim' is not recognized")
        return Stub().answer(sql)

    stub.answer = answer
    with pytest.raises(WarehouseError) as caught:
        fairsql.keep_history(long_run(), TARGET, fairsql.connect(stub.url()))
    assert asked(stub) == ["create table", "begin", "insert into", "insert into", "rollback"]
    assert str(caught.value) == (
        "cannot write to audits.fairness: Numeric value … is not recognized."
    )


def test_a_caller_s_connection_is_left_as_it_was(stub: Stub) -> None:
    stub.answer = lambda sql: (
        ([("TRANSACTION", "text", 0, 0)], [[None]])
        if "current_transaction" in sql
        else Stub().answer(sql)
    )
    with live(stub) as connection:
        fairsql.keep_history(run_of(TEST), TARGET, fairsql.connect(connection))
        assert not connection.is_closed()
        expected = [
            "select current_transaction()",
            "create table",
            "begin",
            "insert into",
            "commit",
        ]
        assert asked(stub) == expected


def test_a_caller_s_transaction_is_not_committed(stub: Stub) -> None:
    stub.answer = lambda _: ([("TRANSACTION", "text", 0, 0)], [["1700000000000000000"]])
    with live(stub) as connection:
        with pytest.raises(WarehouseError, match="the connection is in a transaction"):
            fairsql.keep_history(run_of(TEST), TARGET, fairsql.connect(connection))
        assert asked(stub) == ["select current_transaction()"]


def test_a_history_that_is_late_is_told(stub: Stub) -> None:
    stub.answer = stub.wait_for_cancellation
    with pytest.raises(WarehouseError, match="Snowflake was stopped after 1 second"):
        fairsql.keep_history(run_of(TEST), TARGET, fairsql.connect(stub.url(), timeout=1))
