from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from tests.dbt.warehouses import PostgreSQL, postgres
from tests.fairsql_dbt import shop

if TYPE_CHECKING:
    from tests.dbt.project import Outcome, Project

ENVIRONMENT = (
    "DBT_PROFILES_DIR",
    "DBT_PROJECT_DIR",
    "DBT_PROFILE",
    "DBT_TARGET",
    "DBT_TARGET_PATH",
)


@dataclass(frozen=True)
class Built:
    """The shop, built in DuckDB, and what `dbt test` said of each test."""

    project: Project
    outcomes: dict[str, Outcome]


@pytest.fixture(scope="session")
def server() -> Iterator[PostgreSQL | None]:
    with postgres() as found:
        if found:
            _fill(found)
        yield found


@pytest.fixture(scope="session")
def built(server: PostgreSQL | None, tmp_path_factory: pytest.TempPathFactory) -> Built:
    outputs: dict[str, Any] = {"dev": {"type": "duckdb", "path": "shop.duckdb", "threads": 2}}
    if server:
        outputs["live"] = {**server.output, "password": "not asked for"}
    root = tmp_path_factory.mktemp("dbt") / "shop"
    project = shop.create(root, outputs)
    project.done("build", "--exclude-resource-type", "test")
    project.dbt("test")
    return Built(project, project.outcomes())


@pytest.fixture(autouse=True)
def plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of whoever runs the tests decides which profile is found."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def live(server: PostgreSQL | None) -> PostgreSQL:
    if server is None:
        reason = "PostgreSQL's programs are neither on PATH nor in /usr/lib/postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return server


def _fill(server: PostgreSQL) -> None:
    place: dict[str, Any] = {
        "host": str(server.directory),
        "user": "postgres",
        "dbname": "postgres",
    }
    with psycopg.connect(**place) as connection, connection.cursor() as cursor:
        cursor.execute(
            "create table people (gender text, region text, approved integer, amount integer)"
        )
        with cursor.copy("copy people from stdin") as copy:
            for row in shop.ROWS:
                copy.write_row(row)
        cursor.execute("create view loans as select * from people")
        cursor.execute("create schema public_snapshots")
        cursor.execute("create view public_snapshots.people_snapshot as select * from people")
