"""What all tests share: a mark on those that need more than DuckDB in their own process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

# The groups of tests that start a server, a JVM, a browser or Google's executor, or parse for
# minutes; those that run dbt are named by it.
OTHER_ENGINES = ("bigquery", "browser", "googlesql", "grammar", "postgres", "snowflake", "spark")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        group = item.get_closest_marker("xdist_group")
        if group and (group.args[0] in OTHER_ENGINES or "dbt" in group.args[0]):
            item.add_marker("other_engine")
