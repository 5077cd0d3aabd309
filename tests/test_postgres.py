"""PostgreSQL through the Python path: numbers, messages, and what a connection is left like."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

import fairsql
from fairsql.config import build_test
from fairsql.errors import ConfigurationError, RelationNotFoundError, WarehouseError
from fairsql.results import TestResult, to_dict
from fairsql.suite import Suite
from tests.dbt.verdicts import Place, in_postgres
from tests.dbt.warehouses import PostgreSQL, required_postgres
from tests.differential import differences, oracle_table
from tests.generator import cases
from tests.oracle import judge
from tests.variants import variants

COUNT = int(os.environ.get("FAIRSQL_POSTGRES_CASES", "40"))
SEED = int(os.environ.get("FAIRSQL_POSTGRES_SEED", "7"))

pytestmark = pytest.mark.xdist_group("postgres")

PEOPLE = """
create table people as select
    case when i % 2 = 0 then 'F' else 'M' end as "Gender",
    (i % 5 < 2 + i % 2)::int as approved, i * 1.5 as amount, 'id ' || i as label,
    (i % 2)::numeric as whole, date '2024-01-01' + i % 2 as day,
    case when i % 2 = 0 then 'F' else 'M' end::char(3) as padded
from generate_series(0, 199) as series(i);
create schema "Other";
create table "Other".loans as select * from people;
create role reader login;
grant select on people to reader;
"""
RATE: dict[str, Any] = {
    "protected_attribute_columns": ["Gender"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
}


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with required_postgres() as found:
        with psycopg.connect(**place(found)) as connection:
            connection.execute(PEOPLE)
        yield found


def place(server: PostgreSQL) -> dict[str, Any]:
    return {"host": str(server.directory), "user": "postgres", "dbname": "postgres"}


def url(server: PostgreSQL, user: str = "postgres", more: str = "") -> str:
    return f"postgresql://{user}@/postgres?host={quote(str(server.directory))}{more}"


@pytest.fixture
def warehouse(server: PostgreSQL) -> Iterator[Any]:
    opened = fairsql.connect(url(server))
    yield opened
    opened.close()


def run(warehouse: Any, relation: str = "people", **more: Any) -> TestResult:
    return fairsql.group_metric_parity(warehouse, relation, **{**RATE, **more})


# --- numbers ---------------------------------------------------------------------------------


def test_every_field_agrees_with_the_oracle(server: PostgreSQL, warehouse: Any) -> None:
    generated = [(f"t_{number}", case) for number, case in enumerate(cases(SEED, COUNT))]
    server.load(generated)
    found = []
    for table, case in generated:
        tests = list(variants(case.test))
        done = Suite(tuple(build_test(relation=table, **test) for test in tests)).run(warehouse)
        rows = oracle_table(case)
        for test, result in zip(tests, done.tests, strict=True):
            expected = judge(rows, case.columns, test)
            found += [f"{test['name']}: {line}" for line in differences(to_dict(result), expected)]
        if done.scans > 1:
            found.append(f"{table}: {done.scans} scans {[t.message for t in done.tests]}")
    assert not found, f"{len(found)} differ\n" + "\n".join(found[:20])


# Of the 200 people 100 are odd: their `whole` is 1, and their day the second.
@pytest.mark.parametrize(
    ("column", "positive"),
    [
        ("whole", 1),
        ("cast(whole as real) + 0.5", "1.5"),
        ("cast(whole as smallint)", "1.0"),
        ("whole = 1", True),
        ("day", "2024-01-02"),
        ("timestamptz '2024-01-01 00:00:00.5+09' + whole * interval '1 day'",
         "2024-01-01T15:00:00.5Z"),
        ("cast(whole as char(4))", "1"),
        ("cast(cast(whole as text) as name)", "1"),
        ("cast('[' || whole || ']' as jsonb)", "[1]"),
    ],
)  # fmt: skip
def test_a_value_is_found_whatever_its_type(warehouse: Any, column: str, positive: Any) -> None:
    relation = f'(select "Gender", {column} as v from people)'
    result = run(warehouse, relation, value_column="v", positive_values=[positive])
    values = {group.key["Gender"]: group.value for group in result.groups}
    assert values == {"F": 0, "M": 1}, result.message


@pytest.mark.parametrize("column", ["padded", '"Gender"', 'cast("Gender" as name)'])
def test_text_of_every_type_makes_groups(warehouse: Any, column: str) -> None:
    result = run(warehouse, f'(select {column} as "Gender", approved from people)')
    assert [group.key["Gender"] for group in result.groups] == ["F", "M"]


# --- what there is ---------------------------------------------------------------------------


def test_columns_have_a_type_and_a_kind(warehouse: Any) -> None:
    described = {column.name: (column.type, column.kind) for column in warehouse.describe("people")}
    assert described == {
        "Gender": ("text", "text"),
        "approved": ("integer", "integer"),
        "amount": ("numeric", "decimal"),
        "label": ("text", "text"),
        "whole": ("numeric", "decimal"),
        "day": ("date", "date"),
        "padded": ("character", "other"),
    }


def test_relations_are_named_as_one_would_write_them(warehouse: Any) -> None:
    listed = warehouse.relations()
    assert {"people", '"Other".loans'} <= set(listed)
    assert run(warehouse, '"Other".loans').status == "failed"


def test_what_may_not_be_read_is_not_listed(server: PostgreSQL) -> None:
    reader = fairsql.connect(url(server, "reader"))
    assert reader.relations() == ["people"]
    assert run(reader).status == "failed"
    with pytest.raises(WarehouseError, match="permission denied for schema Other"):
        reader.describe('"Other"."loans"')
    reader.close()


def test_a_name_is_found_in_any_case(warehouse: Any) -> None:
    result = run(warehouse, protected_attribute_columns=["GENDER"])
    assert result.status == "failed"
    assert list(result.groups[0].key) == ["GENDER"]


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        ("peopel", 'relation "peopel" does not exist. Nearest: people.'),
        ("(select gendr from people)", 'column "gendr" does not exist.'),
        ("nowhere.people", 'relation "nowhere.people" does not exist. Nearest: people'),
    ],
)
def test_what_is_not_there_is_told_in_one_line(warehouse: Any, relation: str, message: str) -> None:
    result = run(warehouse, relation)
    assert result.status == "error"
    assert message in str(result.message)
    assert "\n" not in str(result.message)
    with pytest.raises(RelationNotFoundError):
        warehouse.describe('"peopel"')


def test_an_error_shows_no_data(warehouse: Any) -> None:
    relation = '(select "Gender", cast(label as integer) as approved from people)'
    result = run(warehouse, relation)
    assert result.message == "PostgreSQL says: invalid input syntax for type integer: …."


# --- types ------------------------------------------------------------------------------------

TYPED = """
create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create extension citext;
create domain real_number as double precision;
create domain flag as boolean;
"""
GUARDS_OFF: dict[str, Any] = {"min_group_size": 1, "min_group_share": 0.0}


@pytest.fixture(scope="module")
def typed(server: PostgreSQL) -> Iterator[Place]:
    with psycopg.connect(**place(server), autocommit=True, prepare_threshold=None) as connection:
        connection.execute(TYPED)
        yield in_postgres(connection)


def both_ways(
    warehouse: Any, typed: Place, kind: str, values: Sequence[str | None], **more: Any
) -> list[dict[str, float | None]]:
    """Return the value of each group of a run, and of a statement that does not know the types."""
    typed.execute("drop table if exists typed")
    typed.execute(f"create table typed (label {kind}, number integer, who text)")
    typed.fill(
        "typed", [(value, number % 2, "ab"[number % 2]) for number, value in enumerate(values)]
    )
    asked = {**RATE, "protected_attribute_columns": ["who"], "value_column": "label"} | more
    result = fairsql.group_metric_parity(warehouse, "typed", **asked, **GUARDS_OFF)
    assert result.status != "error", result.message
    (name,) = asked["protected_attribute_columns"]
    rows = typed.groups("group_metric_parity", "typed", **asked, **GUARDS_OFF)
    assert {row["status"] for row in rows} == {result.status}
    return [
        {group.key[name]: group.value for group in result.groups},
        {row["key_1"]: row["value"] for row in rows if row["key_1"] is not None},
    ]


@pytest.mark.parametrize("kind", ["numeric", "numeric(10, 2)", "real", "float8", "real_number"])
def test_a_label_that_is_nan_is_missing(warehouse: Any, typed: Place, kind: str) -> None:
    values = ["1", "0", "1.00", "1", "0", "1", "NaN", "NaN", None, "NaN"]
    for found in both_ways(warehouse, typed, kind, values):
        assert found == {"a": pytest.approx(2 / 3), "b": pytest.approx(2 / 3)}


@pytest.mark.parametrize("kind", ["boolean", "flag"])
@pytest.mark.parametrize("value", ["true", "TRUE", "True", True])
def test_a_boolean_is_found_in_any_case(
    warehouse: Any, typed: Place, kind: str, value: object
) -> None:
    values = ["true", "false", "true", "true", "false", "false"]
    for found in both_ways(warehouse, typed, kind, values, positive_values=[value]):
        assert found == {"a": pytest.approx(2 / 3), "b": pytest.approx(1 / 3)}


@pytest.mark.parametrize("kind", ["smallint", "bigint", "float8", "numeric", "text", "varchar"])
def test_a_minus_before_nought_is_a_text_of_its_own(
    warehouse: Any, typed: Place, kind: str
) -> None:
    for found in both_ways(warehouse, typed, kind, ["0", "1", "0", "0"], positive_values=["-0"]):
        assert found == {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize(
    "kind",
    [
        *("text", "char(4)", "citext", "text collate any_case", "varchar(4) collate any_case"),
        "char(4) collate any_case",
    ],
)
def test_a_collation_makes_no_two_labels_one(warehouse: Any, typed: Place, kind: str) -> None:
    values = ["Yes", "yes", "yes", "no", "1.50", "yes", "1.5", "Yes"]
    for found in both_ways(warehouse, typed, kind, values, positive_values=["yes", "1.5"]):
        assert found == {"a": 0.75, "b": 0.5}


@pytest.mark.parametrize(
    "kind", ["citext", "char(4)", "text collate any_case", "char(4) collate any_case"]
)
def test_a_collation_makes_no_two_groups_one(warehouse: Any, typed: Place, kind: str) -> None:
    values = ["F", "F", "f", "M", "f ", "M"]
    asked = {"protected_attribute_columns": ["label"], "value_column": "number"}
    found, _ = both_ways(warehouse, typed, kind, values, **asked)
    assert found == {"F": 0.5, "f": 0.0, "M": 1.0}


# --- connections -----------------------------------------------------------------------------


def test_nothing_can_be_written(warehouse: Any) -> None:
    with pytest.raises(WarehouseError, match="read-only transaction"):
        warehouse.run("with gone as (delete from people returning 1) select * from gone")
    with pytest.raises(WarehouseError, match="read-only transaction"):
        warehouse.run("create table mine (x int)")


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ("postgresql://me:se@cret@nowhere/db", ConfigurationError),
        ("postgresql://me:se/cret@nowhere/db", ConfigurationError),
        ("postgresql://me:secret@nowhere:port/db", ConfigurationError),
        ("postgresql://me:secret@127.0.0.1:1/db", WarehouseError),
        ("postgresql://me:secret@127.0.0.1:1/db?sslmode=what", WarehouseError),
        ("postgresql://me@127.0.0.1:1/db?password=secret&so=what", WarehouseError),
    ],
)
def test_no_message_shows_a_password(target: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        fairsql.connect(target)
    assert "cret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_files_go_with_duckdb_alone(server: PostgreSQL) -> None:
    with pytest.raises(ConfigurationError, match="duckdb:// alone"):
        fairsql.connect(url(server), data={"loans": "loans.csv"})


@pytest.mark.parametrize("autocommit", [True, False])
def test_a_live_connection_stays_as_it_was(server: PostgreSQL, autocommit: bool) -> None:
    with psycopg.connect(**place(server), autocommit=autocommit) as connection:
        assert run(connection).status == "failed"
        status = psycopg.pq.TransactionStatus.IDLE
        assert connection.info.transaction_status == status
        connection.execute("create temp table mine as select * from people limit 90")
        connection.execute("insert into mine select * from people")
        status = connection.info.transaction_status
        assert run(connection, "mine").rows.total == 290
        assert run(connection, "nowhere").status == "error"
        assert connection.info.transaction_status == status
        # It may still write, and has lost nothing.
        connection.execute("delete from mine where approved = 1")
        assert not connection.closed


def test_a_failed_transaction_is_an_error_result(server: PostgreSQL) -> None:
    with psycopg.connect(**place(server)) as connection:
        with pytest.raises(psycopg.errors.DivisionByZero):
            connection.execute("select 1 / 0")
        result = run(connection)
        assert result.status == "error"
        assert "current transaction is aborted" in str(result.message)


def test_a_driver_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fairsql.warehouses.postgres", None)
    with pytest.raises(ConfigurationError, match=r"pip install '\.\[postgres\]'"):
        fairsql.connect("postgresql://localhost/db")
