"""One scan of the relation in the plans of engines that run here; DuckDB's is in `test_golden`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from tests.dbt.warehouses import required_postgres
from tests.golden_cases import CASES, DBT_CASES, NAMES, OF_JUDGES, connection, golden, tables
from tests.warehouses.spark_session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

IN_POSTGRES = pytest.mark.xdist_group("postgres")
IN_SPARK = pytest.mark.xdist_group("spark")

ON_SPARK = (
    "mean_missing_attribute_values",
    "auc",
    "one_scan_of_ranks_and_moments",
    "dbt_mean_overall",
    "dbt_rate",
    "counterfactual_pairs",
    "judged_pairs",
    "dbt_judged_poles",
)

# Quantiles, pooled tests and classes have more stages: docs/dbt.md says what to set.
BEYOND_PASSES = (
    "dbt_median_reference",
    "dbt_approximate_median",
    "dbt_outcome_in_strata",
    "dbt_per_class",
)
WITHIN_PASSES = [name for name in DBT_CASES if name not in BEYOND_PASSES]


@pytest.fixture(scope="module")
def server() -> Iterator[psycopg.Connection[Any]]:
    with required_postgres() as found:
        with connection() as opened:
            found.load([(table.name, table) for table in tables(opened)])
        place = f"host={found.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connected:
            yield connected


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session that reads the tables from files, since rows in memory are scanned by no scan."""
    folder: Path = tmp_path_factory.mktemp("golden")
    session = spark_session()
    names = ("loans", "answers", "variants", "fairsql_judgements")
    with connection() as opened:
        for name in names:
            opened.execute(f"copy {name} to '{folder}/{name}.parquet'")
            session.read.parquet(f"{folder}/{name}.parquet").createOrReplaceTempView(name)
    yield session
    for name in names:
        session.catalog.dropTempView(name)


def postgres_scans(connected: psycopg.Connection[Any], sql: str) -> list[str]:
    """Return the tables that PostgreSQL's plan scans, once for each scan."""
    explained = connected.execute(f"explain (format json) {sql}").fetchone()
    assert explained is not None
    return [
        node["Relation Name"] for node in nodes(explained[0][0]["Plan"]) if "Relation Name" in node
    ]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def spark_scans(session: SparkSession, sql: str) -> int:
    """Return how often Spark scanned a file for a statement, which is run.

    Spark plans anew while it runs; what it ran stands in the plan before what it planned at first.
    An exchange that is used again is not what it exchanges once more.
    """
    frame = session.sql(sql)
    frame.collect()  # no row, of a verdict that is passed
    plan = frame._jdf.queryExecution().executedPlan().toString()
    assert "isFinalPlan=true" in plan
    return int(plan.partition("== Initial Plan ==")[0].count("FileScan parquet"))


@IN_POSTGRES
@pytest.mark.parametrize("name", NAMES)
def test_postgres_scans_the_relation_once(name: str, server: psycopg.Connection[Any]) -> None:
    tested = (CASES[name][0] if name in CASES else DBT_CASES[name]).get("relation", "loans")
    judgements = ["fairsql_judgements"] if name in OF_JUDGES else []
    assert sorted(postgres_scans(server, golden(name, "postgres"))) == sorted([tested, *judgements])


@IN_POSTGRES
def test_a_second_scan_in_postgres_is_found(server: psycopg.Connection[Any]) -> None:
    sql = "select (select max(amount) from loans), avg(amount) from loans"
    assert postgres_scans(server, sql) == ["loans", "loans"]


@IN_SPARK
@pytest.mark.parametrize("name", ON_SPARK)
def test_spark_scans_the_relation_once(name: str, spark: SparkSession) -> None:
    assert spark_scans(spark, golden(name, "spark")) == (2 if name in OF_JUDGES else 1)


@IN_SPARK
@pytest.mark.parametrize("name", WITHIN_PASSES)
def test_sparks_analyzer_needs_no_more_passes_than_it_has(name: str, spark: SparkSession) -> None:
    setting = "spark.sql.analyzer.maxIterations"
    raised = str(spark.conf.get(setting))
    spark.conf.set(setting, "100")
    try:
        spark.sql(f"select count(*) from (\n{golden(name, 'spark')}\n) as within_dbt")
    finally:
        spark.conf.set(setting, raised)


@IN_SPARK
def test_a_second_scan_in_spark_is_found(spark: SparkSession) -> None:
    sql = (
        "with one as (select age, amount from loans)"
        " select max(a.amount), max(b.age) from one as a cross join one as b where b.age < 30"
    )
    assert spark_scans(spark, sql) == 2
