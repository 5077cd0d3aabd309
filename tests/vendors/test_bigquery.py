"""BigQuery's golden files as Google's own analyzer reads them, and what it is too lenient for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from fairsql.config import build_test
from fairsql.errors import WarehouseError
from fairsql.suite import Suite
from tests.engines.googlesql import GoogleSQL
from tests.golden_cases import (
    AMOUNT,
    CLASSIFIED,
    NAMES,
    PROBABILITY,
    RATE,
    REGRESSED,
    connection,
    golden,
    tables,
)

# The analyzer's code is loaded once a process.
pytestmark = pytest.mark.xdist_group("googlesql")

# https://cloud.google.com/bigquery/quotas#query_jobs: of a query that is not yet resolved.
MOST_BYTES = 1_000_000
# Window functions alone, in BigQuery: https://cloud.google.com/bigquery/docs/reference/standard-sql/navigation_functions
ONLY_WITH_OVER = (exp.PercentileCont, exp.PercentileDisc)


@pytest.fixture(scope="module")
def analyzer() -> Iterator[GoogleSQL]:
    engine = GoogleSQL()
    with connection() as opened:
        for table in tables(opened):
            engine.load(table.name, table)
    yield engine
    engine.close()


def faults(sql: str) -> Iterator[str]:
    """Yield what BigQuery rejects, or answers inexactly, though the analyzer takes it."""
    statement = sqlglot.parse_one(sql, read="bigquery")
    for function in statement.find_all(*ONLY_WITH_OVER):
        if not isinstance(function.parent, exp.Window):
            yield f"{function.sql('bigquery')} without OVER"
    for within in statement.find_all(exp.WithinGroup):
        yield within.sql("bigquery")
    # By the text, since sqlglot has names of its own for some.
    yield from re.findall(r"(?i)\b(?:approx|hll)\w*(?= *\()", sql)


@pytest.mark.parametrize("name", NAMES)
def test_the_analyzer_reads_it(name: str, analyzer: GoogleSQL) -> None:
    sql = golden(name, "bigquery")
    assert len(sql.encode()) < MOST_BYTES
    columns = dict(analyzer.analyze(sql.rstrip().rstrip(";")))
    first = "test_name" if name.startswith("dbt_") else "cut"
    assert next(iter(columns)) == first
    # Other types would come back as other than int, float, str and bool.
    assert set(columns.values()) <= {"INT64", "FLOAT64", "STRING", "BOOL"}


def test_fifty_tests_are_one_statement_that_names_the_table_once(analyzer: GoogleSQL) -> None:
    metrics: dict[str, dict[str, Any]] = {
        "npv": CLASSIFIED,
        "false_omission_rate": CLASSIFIED,
        "log_loss": PROBABILITY,
        "brier": PROBABILITY,
        "mae": REGRESSED,
        "rmse": REGRESSED,
        "r2": REGRESSED,
        "mean": AMOUNT,
        "rate": RATE,
        "auc": {**PROBABILITY, "score_column": "score", "probability_column": None},
    }
    cuts = (["gender"], ["race"], ["age"], ["gender", "race"], ["gender", "race", "age"])
    tests = [
        build_test(
            name=f"{metric} by {', '.join(cut)}",
            relation="loans",
            protected_attribute_columns=cut,
            parity_metric=metric,
            **{name: value for name, value in fields.items() if value is not None},
        )
        for metric, fields in metrics.items()
        for cut in cuts
    ]
    assert len(tests) == 50
    (statement,) = Suite(tuple(tests)).plan(analyzer).statements
    analyzer.analyze(statement.sql)
    assert statement.sql.count("`loans`") == 1
    assert len(statement.sql.encode()) < MOST_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_it_is_the_analyzer_s_alone(name: str) -> None:
    assert not list(faults(golden(name, "bigquery")))


@pytest.mark.parametrize(
    "sql",
    [
        "select percentile_cont(amount, 0.5) from loans",
        "select approx_quantiles(amount, 2) from loans",
        "select percentile_cont(0.5) within group (order by amount) from loans",
    ],
)
def test_a_fault_is_found(sql: str) -> None:
    assert list(faults(sql))


def test_a_percentile_with_over_is_none() -> None:
    assert not list(faults("select percentile_cont(amount, 0.5) over () from loans"))


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) over (partition by amount) from loans",
        "select amounts from loans",
        "select gender * 1 from loans",
    ],
)
def test_the_analyzer_refuses_what_bigquery_refuses(sql: str, analyzer: GoogleSQL) -> None:
    with pytest.raises(WarehouseError):
        analyzer.analyze(sql)
