"""A caller's own DuckDB connection: its state is kept, and its settings change no number."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import fairsql
from fairsql.results import TestResult, to_dict

METRICS: dict[str, dict[str, Any]] = {
    "mean": {"value_column": "x", "higher_is_better": True},
    "median": {"value_column": "x", "higher_is_better": True},
    "p95": {"value_column": "x", "higher_is_better": False, "comparison": "overall"},
    "rate": {"value_column": "y", "higher_is_better": True, "positive_values": [1]},
    "auc": {"score_column": "s", "ground_truth_column": "y", "positive_values": [1]},
    "npv": {"prediction_column": "p", "ground_truth_column": "y", "positive_values": [1]},
    "log_loss": {"probability_column": "s", "ground_truth_column": "y", "positive_values": [1]},
    "rmse": {"prediction_column": "p", "ground_truth_column": "y"},
}
SETTINGS = [
    "default_order = 'desc'",
    "default_null_order = 'nulls_first'",
    "default_null_order = 'nulls_last_on_asc_first_on_desc'",
    "default_collation = 'nocase'",
    "ieee_floating_point_ops = false",
    "integer_division = true",
    "TimeZone = 'America/New_York'",
    "old_implicit_casting = true",
    "preserve_insertion_order = false",
    "threads = 1",
    "memory_limit = '200MB'",
]


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "create table t as select case i % 3 when 0 then 'A' when 1 then 'B' else 'b' end as g,"
        " (i * 7919 % 1000)::double as x, (i * 31 % 7 < 3)::int as y, (i * 17 % 5 < 2)::int as p,"
        " (i * 7919 % 1000) / 1000e0 as s from range(3000) as r(i)"
    )
    return connection


def run(
    connection: duckdb.DuckDBPyConnection, metric: str = "mean", relation: str = "t", **more: Any
) -> TestResult:
    parameters = {**METRICS[metric], "protected_attribute_columns": ["g"], **more}
    return fairsql.group_metric_parity(connection, relation, parity_metric=metric, **parameters)


def numbers(result: TestResult) -> Any:
    """Return a result's contents, numbers rounded: threads sum in an order of their own."""

    def rounded(value: Any) -> Any:
        if isinstance(value, float):
            return float(f"{value:.9g}")
        if isinstance(value, dict):
            return {key: rounded(item) for key, item in value.items()}
        return [rounded(item) for item in value] if isinstance(value, list) else value

    contents = to_dict(result)
    for key in ("sql", "elapsed_seconds"):
        del contents[key]
    return rounded(contents)


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_changes_a_number(connection: duckdb.DuckDBPyConnection, setting: str) -> None:
    expected = {metric: numbers(run(connection, metric)) for metric in METRICS}
    assert {contents["status"] for contents in expected.values()} <= {"passed", "failed"}
    connection.execute(f"set {setting}")
    assert {metric: numbers(run(connection, metric)) for metric in METRICS} == expected


def test_a_run_leaves_settings_tables_and_results_alone(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    state = (
        "select name, value from duckdb_settings()"
        " union all select table_name, '' from duckdb_tables()"
    )
    before = connection.sql(state).order("all").fetchall()
    relation = connection.sql("select i from range(5) as r(i) order by i")
    for metric in METRICS:
        run(connection, metric)
    assert relation.fetchall() == [(0,), (1,), (2,), (3,), (4,)]
    assert connection.sql(state).order("all").fetchall() == before


def test_a_run_sees_the_open_transaction_and_leaves_it_open(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.begin()
    connection.execute("insert into t values ('C', 1, 1, 1, 0.5)")
    assert run(connection).groups_total == 4
    assert run(connection, relation="nowhere").status == "error"
    assert run(connection, where="nowhere = 1").status == "error"
    connection.rollback()
    assert run(connection).groups_total == 3


def test_a_failed_transaction_is_an_error_of_the_test(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.begin()
    with pytest.raises(duckdb.Error):
        connection.execute("select error('stop')").fetchall()
    for relation in ("t", "nowhere"):
        assert run(connection, relation=relation).status == "error"


def test_a_half_read_result_stays_readable(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("select i from range(100000) as r(i)")
    assert connection.fetchone() == (0,)
    for relation in ("t", "nowhere"):  # DuckDB may refuse the connection until all is read
        run(connection, relation=relation)
    assert connection.fetchone() == (1,)


def test_temporary_attached_and_registered_relations_are_read(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    import pandas as pd

    connection.execute("create temp table temporary as from t")
    connection.execute("attach ':memory:' as \"my db\"")
    connection.execute('create schema "my db"."a.b"')
    connection.execute('create table "my db"."a.b"."t""x" as from t')
    connection.register(
        "frame", pd.DataFrame({"g": ["A", None, "B"], "x": [1.0, 2.0, float("nan")]})
    )
    for relation in ("temporary", '"my db"."a.b"."t""x"'):
        assert run(connection, relation=relation).rows.total == 3000
    counts = run(connection, relation="frame").rows
    assert (counts.total, counts.missing_metric_inputs, counts.missing_attribute) == (3, 1, 1)


@pytest.mark.parametrize(
    "where", ["g::int = 1", "g::date > '2024-01-01'", "(x + 123456)::smallint = 1"]
)
def test_an_error_shows_no_value_of_a_row(
    connection: duckdb.DuckDBPyConnection, where: str
) -> None:
    connection.execute("update t set g = '078-05-1120', x = 654321")
    result = run(connection, where=where)
    assert result.status == "error"
    assert not any(secret in str(result.message) for secret in ("078", "777777"))


def test_an_error_shows_what_the_user_wrote(connection: duckdb.DuckDBPyConnection) -> None:
    assert "'high'" in str(run(connection, where="x = 'high'").message)


def test_a_closed_connection_is_an_error_of_the_test(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.close()
    assert run(connection).status == "error"
