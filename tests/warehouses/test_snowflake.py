"""Snowflake through the real connector: what it is asked, what it says, and what it is left like.

The emulator stands for a warehouse with tables; the stub for one that fails, and that is cancelled.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
import snowflake.connector

import fairsql
from fairsql.config import build_test
from fairsql.errors import RelationNotFoundError, WarehouseError
from fairsql.suite import Suite
from fairsql.warehouses.snowflake import SnowflakeWarehouse
from tests.warehouses.fakesnow_server import FakeSnow, fakesnow
from tests.warehouses.snowflake_stub import Stub, snowflake_stub

pytestmark = pytest.mark.xdist_group("snowflake")

TABLES = (
    'create table people (gender varchar, "Income" number(10,2), approved int, score float,'
    " flag boolean, day date, moment timestamp_ntz, zoned timestamp_tz, anything variant)",
    'insert into people (gender, "Income", approved, score, flag)'
    " select 'F', 1.50, 1, 0.25, true",
    "create view calls as select gender from people",
    "create schema other",
    "create table other.loans (x int)",
    'create table other."Mixed" (x int)',
)


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeSnow]:
    with fakesnow(tmp_path_factory.mktemp("fakesnow")) as found:
        found.execute("shop", *TABLES)
        yield found


@pytest.fixture(scope="module")
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
    monkeypatch.setattr("fairsql.warehouses.retries.sleep", lambda _: None)
    with snowflake_stub() as started:
        yield started


# --- what there is, on the emulator ---------------------------------------------------------------


def test_columns_have_a_type_and_a_kind(warehouse: Any) -> None:
    assert [(c.name, c.type, c.kind) for c in warehouse.describe("people")] == [
        ("GENDER", "VARCHAR", "text"),
        ("Income", "NUMBER(10,2)", "decimal"),
        ("APPROVED", "NUMBER(38,0)", "integer"),
        ("SCORE", "FLOAT", "float"),
        ("FLAG", "BOOLEAN", "boolean"),
        ("DAY", "DATE", "date"),
        ("MOMENT", "TIMESTAMP_NTZ", "timestamp"),
        ("ZONED", "TIMESTAMP_TZ", "timestamptz"),
        ("ANYTHING", "VARIANT", "other"),
    ]
    assert [c.name for c in warehouse.describe("(select gender as g from people)")] == ["G"]


def test_rows_have_python_numbers_under_lower_case_names(warehouse: Any) -> None:
    sql = (
        'select gender, "Income" as income, approved, cast(2.00 as number(9,2)) as two from people'
    )
    answer = warehouse.run(sql)
    assert answer.rows == [{"gender": "F", "income": 1.5, "approved": 1, "two": 2}]
    assert [type(value) for value in answer.rows[0].values()] == [str, float, int, int]
    assert answer.query_id


def test_relations_are_shown_as_one_writes_them(warehouse: Any) -> None:
    assert warehouse.relations() == ["calls", 'other."Mixed"', "other.loans", "people"]
    for name in warehouse.relations():
        assert warehouse.describe(name)


def test_it_says_who_it_is(warehouse: Any) -> None:
    assert warehouse.name == "SHOP.PUBLIC at fakesnow"
    assert warehouse.version().startswith("Snowflake ")
    assert warehouse.bytes_read("select 1") is None


@pytest.mark.parametrize(
    ("relation", "hint"),
    [
        ("peple", "Nearest: people."),
        ("other.loan", "Nearest: other.loans"),
        ("zzz", "There are: calls, "),
    ],
)
def test_an_unknown_table_gets_the_nearest_names(warehouse: Any, relation: str, hint: str) -> None:
    with pytest.raises(RelationNotFoundError) as caught:
        warehouse.describe(relation)
    message = str(caught.value)
    assert message.startswith(f"cannot read {relation}: ")
    assert hint in message
    assert "\n" not in message
    assert "002003" not in message


def test_a_table_dropped_after_the_plan_is_told(emulator: FakeSnow, warehouse: Any) -> None:
    emulator.execute("shop", "create table brief (x int)")
    assert warehouse.describe("brief")
    emulator.execute("shop", "drop table brief")
    with pytest.raises(WarehouseError, match=r"^Snowflake says: .*BRIEF does not exist!$"):
        warehouse.run("select x from brief")


def test_a_value_of_a_row_is_never_shown(emulator: FakeSnow, warehouse: Any) -> None:
    emulator.execute("shop", "create table names as select 'Lovelace' as name")
    with pytest.raises(WarehouseError) as caught:
        warehouse.run("select cast(name as int) as x from names")
    assert "Lovelace" not in str(caught.value)
    assert "…" in str(caught.value)


def test_a_live_connection_stays_as_it_was(emulator: FakeSnow) -> None:
    with emulator.connect("shop") as connection:
        with connection.cursor() as cursor:
            cursor.execute("create temporary table mine (x int)")
        before = (connection.database, connection.schema, connection.session_id)
        opened = fairsql.connect(connection)
        assert opened.run("select 1 as one").rows == [{"one": 1}]
        assert [column.name for column in opened.describe("mine")] == ["X"]
        opened.close()
        assert not connection.is_closed()
        assert (connection.database, connection.schema, connection.session_id) == before
        with connection.cursor() as cursor:
            cursor.execute("select count(*) from mine")


def test_a_live_connection_may_give_numbers_of_numpy(emulator: FakeSnow) -> None:
    settings = emulator.settings("shop")
    with snowflake.connector.connect(**settings, numpy=True) as connection:
        rows = fairsql.connect(connection).run("select approved, score from people").rows
    assert json.dumps(rows) == '[{"approved": 1, "score": 0.25}]'


def test_a_name_of_connections_toml_is_a_connection(emulator: FakeSnow, tmp_path: Path) -> None:
    file = tmp_path / "connections.toml"
    settings = emulator.settings("shop")
    file.write_text(
        "[desk]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    )
    file.chmod(0o600)
    program = (
        "import fairsql, sys\n"
        "for url in sys.argv[1:]:\n"
        "    try:\n"
        "        print(fairsql.connect(url).name)\n"
        "    except fairsql.FairsqlError as error:\n"
        "        print(error)\n"
    )
    urls = ["snowflake://?connection=desk", "snowflake:///garden?connection=desk", "snowflake://"]
    done = subprocess.run(
        [sys.executable, "-c", program, *urls],
        env={**os.environ, "SNOWFLAKE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [
        "SHOP.PUBLIC at fakesnow",
        "GARDEN.PUBLIC at fakesnow",
        "cannot connect to Snowflake: Invalid connection_name 'default', known ones are ['desk'].",
    ]
    assert not done.stderr


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "folded"),
    [("gender", "GENDER"), ("Gender", "GENDER"), ('"Gender"', "Gender"), ('"a ""b"" c"', 'a "b" c'),
     ("straße", "STRAßE"), ('"', '"')],
)  # fmt: skip
def test_a_name_is_folded_as_snowflake_folds_it(name: str, folded: str) -> None:
    assert SnowflakeWarehouse.fold(None, name) == folded  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("columns", "name", "found"),
    [
        (["GENDER"], "gender", "GENDER"),
        (["GENDER"], "Gender", "GENDER"),
        (["GENDER", "gender"], "gender", "gender"),
        (["gender", "GENDER"], "gender", "gender"),
        (["gender"], "GENDER", "gender"),
    ],
)
def test_a_column_is_found_as_written_or_folded(
    stub: Stub, columns: list[str], name: str, found: str
) -> None:
    stub.answer = lambda _: ([*((c, "text", 0, 0) for c in columns), ("X", "real", 0, 0)], [])
    test = build_test(
        relation="t",
        protected_attribute_columns=[name],
        parity_metric="mean",
        value_column="x",
        higher_is_better=True,
    )
    plan = Suite((test,)).plan(stub.url())
    [request] = plan.requests.values()
    assert request.columns[name].column == found
    assert request.columns["x"].column == "X"
