"""Two runs that fill one table of a PostgreSQL server, each from a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import fairsql
from fairsql.errors import ConfigurationError
from fairsql.llm.running import Options, jobs_for, run_jobs
from fairsql.llm.table import filled_alone
from tests.dbt.warehouses import required_postgres
from tests.llm.answers import spec

pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with required_postgres() as server:
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute("create schema alone")
            connection.execute(
                "create table alone.answers as select i as id, 'answer ' || i as answer"
                " from generate_series(1, 12) as numbers(i)"
            )
        yield place


def judged(connection: psycopg.Connection, folder: Path) -> int:
    """Return how many requests a run made."""
    warehouse = fairsql.connect(connection)
    jobs = jobs_for([spec(relation="alone.answers", table="alone.judged")], warehouse)
    (outcome,) = run_jobs(jobs, warehouse, folder, Options())
    return outcome.requests


def test_the_second_of_two_runs_is_refused_before_it_pays(url: str, tmp_path: Path) -> None:
    with psycopg.connect(url) as one, psycopg.connect(url) as other:
        with (
            filled_alone("alone.judged", fairsql.connect(one)),
            pytest.raises(ConfigurationError, match="judged: another fairsql is filling it"),
        ):
            judged(other, tmp_path / "other")
        assert judged(other, tmp_path / "other") == 12
        assert judged(one, tmp_path / "one") == 0


def test_a_session_that_ends_lets_go(url: str) -> None:
    with (
        psycopg.connect(url) as one,
        psycopg.connect(url) as other,
        filled_alone("alone.other", fairsql.connect(one)),
    ):
        one.close()
        with filled_alone("alone.other", fairsql.connect(other)):
            pass
