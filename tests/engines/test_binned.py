"""Approximate methods on every engine: DuckDB's numbers, and the verdict in SQL as in Python."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from fairsql.compile.loader import macros_for
from tests.binned_cases import binned_cases
from tests.dbt.rows import result_differences
from tests.engines.running import ENGINES, Engine
from tests.engines.test_weighted import UNRUNNABLE, different, result_on

if TYPE_CHECKING:
    from tests.generator import Case

# How many cases of AUC and of quantiles, in Python and in SQL, as there is time for.
COUNTS = {
    "duckdb": ((0, 0), (16, 16)),
    "postgres": ((10, 10), (5, 4)),
    "googlesql": ((3, 2), (2, 1)),
    "spark": ((2, 2), (1, 1)),
}
SEED = 7


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES],
)
def named_engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Engine]]:
    with ENGINES[request.param]() as engine:
        yield request.param, engine


def chosen(aucs: int, quantiles: int) -> list[Case]:
    """Return the first generated cases of each sort that are small enough for a slow engine."""
    small = [case for case in binned_cases(SEED, 200) if len(case.rows) <= 250]
    ranked = [case for case in small if case.test["parity_metric"] == "auc"]
    others = [case for case in small if case.test["parity_metric"] != "auc"]
    return [*islice(ranked, aucs), *islice(others, quantiles)]


def test_every_engine_has_the_numbers_of_duckdb(named_engine: tuple[str, Engine]) -> None:
    name, engine = named_engine
    found = []
    with ENGINES["duckdb"]() as duckdb:
        for case in chosen(*COUNTS[name][0]):
            expected = result_on(duckdb, case)
            found += [f"{case.name}: {x}" for x in different(result_on(engine, case), expected)]
            engine.drop("sample")
            duckdb.drop("sample")
    assert not found, "\n".join(found[:20])


def test_sql_reaches_the_verdict_of_python(named_engine: tuple[str, Engine]) -> None:
    name, engine = named_engine
    macros = macros_for(engine.warehouse.dialect)
    parameters = list(macros.call("catalogue")["types"]["group_metric_parity"]["parameters"])
    found = []
    for case in chosen(*COUNTS[name][1]):
        test = case.test
        result = result_on(engine, case)
        # A missing or non-numeric column reaches users of SQL as the warehouse's own error.
        if result["reason"] not in UNRUNNABLE:
            sql = macros.call(
                "default__fairsql_group_metric_parity_results",
                "sample",
                {parameter: test.get(parameter) for parameter in parameters},
                test.get("thresholds"),
                test["name"],
                None,
            )
            rows = engine.warehouse.run(sql).rows
            found += [f"{case.name}: {line}" for line in result_differences(rows, result)]
        engine.drop("sample")
    assert not found, "\n".join(found[:20])
