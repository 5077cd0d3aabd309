from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dbt.warehouses import DuckDB, Warehouse, postgres

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    with postgres() as server:
        if server is None:
            reason = "PostgreSQL's programs are neither on PATH nor in /usr/lib/postgresql"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)
        yield server
