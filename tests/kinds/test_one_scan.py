"""One statement serves a suite of every kind of test, and reads the table once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import duckdb
import psycopg
import pytest

import fairsql
from fairsql.config import TESTS, build_test, parse_suite
from fairsql.config.derived import DerivedTest
from fairsql.suite import Suite
from tests.cli.samples import call
from tests.dbt.warehouses import PostgreSQL, required_postgres
from tests.generator import Case, load
from tests.kinds.comparing import kind_differences
from tests.kinds.generator import kind_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_POSTGRES = pytest.mark.xdist_group("postgres")
GENDER: dict[str, Any] = {"protected_attribute_columns": ["gender"]}
LABELS: dict[str, Any] = {
    "prediction_column": "predicted",
    "ground_truth_column": "approved",
    "positive_values": ["1"],
}
AT_LEAST_0: dict[str, Any] = {"operator": ">=", "value": 0}
KINDS: list[dict[str, Any]] = [
    {"type": "group_metric_parity", **GENDER, "parity_metric": "npv", **LABELS},
    {
        "type": "group_outcome_disparity",
        **GENDER,
        "outcome_column": "predicted",
        "favorable_values": [1],
    },
    {
        "type": "group_outcome_disparity",
        "name": "within branches",
        **GENDER,
        "outcome_column": "predicted",
        "favorable_values": [1],
        "stratify_by_columns": ["branch"],
    },
    {
        "type": "group_score_disparity",
        **GENDER,
        "score_column": "score",
        "statistic": "scoring_rate",
        "higher_is_better": True,
    },
    {
        "type": "group_performance_parity",
        **GENDER,
        "performance_metrics": ["equalized_odds", "f1"],
        **LABELS,
    },
    {
        "type": "group_performance_parity",
        "name": "of each class",
        **GENDER,
        "performance_metrics": ["recall"],
        "prediction_column": "predicted",
        "ground_truth_column": "approved",
        "per_class": True,
    },
    {
        "type": "group_column_statistic",
        **GENDER,
        "value_column": "score",
        "statistic": "p90",
        **AT_LEAST_0,
    },
    {
        "type": "metric_threshold",
        **LABELS,
        "score_column": "score",
        "value_column": "score",
        "thresholds": [
            {"measurement": name, **AT_LEAST_0} for name in ("accuracy", "rocAuc", "median", "sum")
        ],
    },
]
OF_PLAIN_ROWS = {name for name, model in TESTS.items() if not issubclass(model, DerivedTest)}
"""Types that read the relation's rows as they are; others are of rows made of them."""

SUITE: dict[str, Any] = {
    "version": 1,
    "defaults": {"relation": "loans"},
    "tests": [{"name": f"{place} {test['type']}", **test} for place, test in enumerate(KINDS)],
}


def loans() -> Case:
    rows = [
        (
            "FMX"[i % 3],
            "north" if i % 7 < 4 else "south",
            int(i * 7 % 5 < 2),
            int(i * 11 % 7 < 3),
            i * 37 % 100 / 128,
        )
        for i in range(600)
    ]
    names: dict[str, Any] = {"gender": "text", "branch": "text"}
    names |= {"approved": "integer", "predicted": "integer", "score": "float"}
    return Case("loans", names, rows, {})


def suite() -> Suite:
    read = parse_suite(SUITE)
    assert {test.type for test in read.tests} == OF_PLAIN_ROWS
    return Suite(read.tests)


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        load(opened, loans(), "loans")
        yield opened


def test_the_command_line_says_one_scan(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    connection.execute("copy loans to 'loans.parquet'")
    Path("suite.json").write_text(json.dumps(SUITE), "utf-8")
    arguments = ("run", "suite.json", "--data", "loans=loans.parquet", "--json", "out.json")
    assert call(*arguments).exit_code in (0, 1)
    summary = json.loads(Path("out.json").read_text("utf-8"))["summary"]
    assert summary["scans"] == 1
    assert summary["error"] == summary["skipped"] == 0


def test_duckdb_scans_the_table_once(connection: duckdb.DuckDBPyConnection) -> None:
    (statement,) = suite().plan(connection).statements
    explained = connection.execute(f"explain (format json) {statement.sql}").fetchall()
    assert explained[0][1].count("SEQ_SCAN") == 1


def test_each_result_is_that_of_the_test_alone(connection: duckdb.DuckDBPyConnection) -> None:
    together = suite().run(connection)
    for test, result in zip(suite().tests, together.tests, strict=True):
        (alone,) = Suite((test,)).run(connection).tests
        assert (result.status, result.notes) == (alone.status, alone.notes)
        assert (result.rows, result.parts) == (alone.rows, alone.parts)
        # Variances of all rows are merged from other parts of them than alone.
        assert result.measurements == pytest.approx(alone.measurements, rel=1e-12, abs=0)


# --- PostgreSQL --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with required_postgres() as found:
        found.load([("loans", loans())])
        yield found


@pytest.fixture
def warehouse(server: PostgreSQL) -> Iterator[Any]:
    opened = fairsql.connect(f"postgresql://postgres@/postgres?host={quote(str(server.directory))}")
    yield opened
    opened.close()


@IN_POSTGRES
def test_postgres_scans_the_table_once(server: PostgreSQL, warehouse: Any) -> None:
    (statement,) = suite().plan(warehouse).statements
    place = f"host={server.directory} user=postgres dbname=postgres"
    with psycopg.connect(place) as connected:
        explained = connected.execute(f"explain (format json) {statement.sql}".encode()).fetchone()
    assert explained is not None
    assert json.dumps(explained[0]).count('"Relation Name"') == 1


@IN_POSTGRES
def test_postgres_reaches_the_same_verdicts(
    connection: duckdb.DuckDBPyConnection, warehouse: Any
) -> None:
    for here, there in zip(
        suite().run(connection).tests, suite().run(warehouse).tests, strict=True
    ):
        assert (here.status, here.message) == (there.status, there.message)
        assert there.measurements == pytest.approx(here.measurements, rel=1e-9, abs=0)


@IN_POSTGRES
def test_every_part_agrees_with_the_rows(server: PostgreSQL, warehouse: Any) -> None:
    generated = [(f"t_{number}", case) for number, case in enumerate(kind_cases(100, 20))]
    server.load(generated)
    found = []
    for table, case in generated:
        test = build_test(relation=table, **case.test)
        (result,) = Suite((test,)).run(warehouse).tests
        found += [
            f"{case.name}: {line}"
            for line in kind_differences(result, case.table, case.columns, case.test)
        ]
    assert not found, "\n".join(found[:20])
