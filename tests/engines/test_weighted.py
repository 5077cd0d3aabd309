"""Weighted rows on every engine: DuckDB's numbers, and the verdict in SQL as in Python."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.dbt.rows import near, result_differences
from tests.engines.running import ENGINES, Engine
from tests.weighted_cases import QUANTILES, weighted_cases

if TYPE_CHECKING:
    from tests.generator import Case

# How many cases of quantiles and of other metrics, in Python and in SQL, as there is time for.
COUNTS = {
    "duckdb": ((0, 0), (8, 40)),
    "postgres": ((4, 24), (3, 16)),
    "googlesql": ((1, 8), (1, 4)),
    "spark": ((1, 5), (0, 3)),
}
SEED = 7
NUMBERS = ("value", "ratio", "difference", "p_value", "p_value_adjusted")
FLAGS = ("rows", "missing_metric_inputs", "sufficient", "is_reference", "worse", "failed")
UNRUNNABLE = ("column_missing", "column_not_numeric")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES],
)
def named_engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Engine]]:
    with ENGINES[request.param]() as engine:
        yield request.param, engine


def chosen(quantiles: int, others: int) -> list[Case]:
    """Return the first generated cases of each sort that are small enough for a slow engine."""
    small = [case for case in weighted_cases(SEED, 400) if len(case.rows) <= 250]
    ranked = [case for case in small if case.test["parity_metric"] in QUANTILES]
    plain = [case for case in small if case.test["parity_metric"] not in QUANTILES]
    return [*islice(ranked, quantiles), *islice(plain, others)]


def result_on(engine: Engine, case: Case) -> dict[str, Any]:
    """Return the Python path's result of the case, whose table is left loaded."""
    engine.load("sample", case)
    (result,) = Suite((build_test(relation="sample", **case.test),)).run(engine.warehouse).tests
    return to_dict(result)


def different(mine: dict[str, Any], theirs: dict[str, Any]) -> Iterator[str]:
    for name in ("status", "reason", "rows", "groups_total", "notes"):
        if mine[name] != theirs[name]:
            yield f"{name}: {mine[name]} and {theirs[name]}"
    groups = {tuple(group["key"].values()): group for group in theirs["groups"]}
    for group in mine["groups"]:
        other = groups[tuple(group["key"].values())]
        yield from (name for name in FLAGS if group[name] != other[name])
        for name in NUMBERS:
            if not near(group[name], other[name], relative=1e-6):
                yield f"{group['key']} {name}: {group[name]} and {other[name]}"


def test_every_engine_has_the_numbers_of_duckdb(named_engine: tuple[str, Engine]) -> None:
    name, engine = named_engine
    found = []
    with ENGINES["duckdb"]() as duckdb:
        for case in chosen(*COUNTS[name][0]) if name != "duckdb" else ():
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
