"""What all tests share: every result is of the published shape, and a mark on slow engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

# The groups of tests that start a server, a JVM, a browser or Google's executor, or parse for
# minutes; those that run dbt are named by it.
OTHER_ENGINES = ("bigquery", "browser", "googlesql", "grammar", "postgres", "snowflake", "spark")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        group = item.get_closest_marker("xdist_group")
        if group and (group.args[0] in OTHER_ENGINES or "dbt" in group.args[0]):
            item.add_marker("other_engine")


@pytest.fixture(scope="session", autouse=True)
def every_result_is_of_the_published_shape() -> Iterator[None]:
    """Validate whatever any test runs against the JSON Schema of the results file."""
    from jsonschema import Draft202012Validator

    from fairsql.results_schema import results_json_schema
    from fairsql.suite import Suite

    validator = Draft202012Validator(results_json_schema())
    run = Suite.run

    def validated(suite: Suite, *arguments: Any, **named: Any) -> Any:
        result = run(suite, *arguments, **named)
        validator.validate(result.to_dict())
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Suite, "run", validated)
        yield
