from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import psycopg
import pytest

from tests.dbt.shop import open_shop
from tests.dbt.verdicts import Place, in_duckdb, in_postgres
from tests.dbt.warehouses import DuckDB, Warehouse, required_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.dbt.project import Outcome, Project


LIMITS = ("never", "notimpl", "notyet")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a mark says that an engine cannot do must fail, and for the mark's reason."""
    for item in items:
        for limit in LIMITS:
            for mark in item.iter_markers(limit):
                reason = f"{limit}: {mark.args[0]}"
                # Another error is no such failure: a server that did not start, say.
                raises = (AssertionError, KeyError)
                item.add_marker(pytest.mark.xfail(reason=reason, raises=raises, strict=True))


@pytest.fixture(
    params=[
        pytest.param("duckdb", marks=pytest.mark.xdist_group("dbt-duckdb")),
        pytest.param("postgres", marks=pytest.mark.xdist_group("dbt-postgres")),
    ]
)
def warehouse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Warehouse]:
    """Every engine in turn, empty."""
    if request.param == "duckdb":
        yield DuckDB(tmp_path / "shop.duckdb")
        return
    with required_postgres() as server:
        yield server


@dataclass(frozen=True)
class Ran:
    """The shop after dbt has built and tested it."""

    project: Project
    warehouse: DuckDB
    built: dict[str, Outcome]
    tested: dict[str, Outcome]

    def stored(self, test: str) -> list[dict[str, Any]]:
        """Return the rows that a test stored."""
        return self.warehouse.rows([f"main_dbt_test__audit.{test}"])[0]


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """One project, built and tested once; its tests share an xdist group."""
    project, warehouse = open_shop(tmp_path_factory.mktemp("shop"))
    project.dbt("build", "--exclude-resource-type", "test")
    built = project.outcomes()
    project.dbt("test")
    return Ran(project, warehouse, built, project.outcomes())


@pytest.fixture(
    scope="module",
    params=["duckdb", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))],
)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Every engine in turn, in which statements run without dbt."""
    if request.param == "duckdb":
        with duckdb.connect() as connection:
            yield in_duckdb(connection)
        return
    with required_postgres() as server:
        address = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(address, autocommit=True) as connected:
            yield in_postgres(connected)
