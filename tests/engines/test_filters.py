"""Filters on every engine: the rows they keep are those that plain Python keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.compile import relation
from fairsql.compile.filters import filtered
from fairsql.config.filters import Filter
from fairsql.plan import Attribute
from tests.engines.running import ENGINES
from tests.generator import Case
from tests.test_filters import COLUMNS, FILTERS, ROWS, keeps

if TYPE_CHECKING:
    from tests.engines.running import Engine

# An engine's tables are loaded without a time zone where its loader knows none.
LOADED = [name for name in COLUMNS if name != "instant"]


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES],
)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as running:
        places = [list(COLUMNS).index(name) for name in LOADED]
        kinds: Any = {name: COLUMNS[name][1] for name in LOADED}
        rows = [tuple(row[place] for place in places) for row in ROWS]
        running.load("filtered", Case("filtered", kinds, rows, {}))
        yield running
        running.drop("filtered")


@pytest.mark.parametrize("is_known", [True, False], ids=["known types", "unknown types"])
def test_filters_keep_the_rows_that_python_keeps(engine: Engine, is_known: bool) -> None:
    warehouse = engine.warehouse
    dialect = warehouse.dialect
    source = relation("filtered", dialect, "test")
    described = {column.name.lower(): column for column in warehouse.describe(source)}
    columns = {
        name: Attribute(column.name, column.kind if is_known else None)
        for name, column in described.items()
    }
    asked = [one for one in FILTERS if one[0] in LOADED]
    counts = []
    for number, (column, operator, value) in enumerate(asked):
        one = Filter(column=column, operator=operator, value=value)  # type: ignore[arg-type]
        condition = filtered(None, [one], columns, dialect)
        counts.append(f"sum(case when {condition} then 1 else 0 end) as kept_{number}")
    (row,) = warehouse.run(f"select {', '.join(counts)} from {source}").rows
    found = {one: int(row[f"kept_{number}"]) for number, one in enumerate(map(str, asked))}
    assert found == {
        str((column, operator, value)): sum(
            keeps(own[list(COLUMNS).index(column)], COLUMNS[column][1], operator, value)
            for own in ROWS
        )
        for column, operator, value in asked
    }
