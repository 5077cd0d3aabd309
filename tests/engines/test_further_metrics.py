"""The metrics of the other test types on every engine: against the oracle, and in SQL."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.metrics import METRICS
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.dbt.rows import failure_differences, result_differences
from tests.differential import differences, oracle_table
from tests.engines.running import ENGINES
from tests.further import question, verdict_sql
from tests.generator import FURTHER_METRICS, Case
from tests.oracle import judge

if TYPE_CHECKING:
    from tests.engines.running import Engine

SPELLINGS = ("F", " F", "F\u2003", "M", "1", "1.0", None)
QUANTILES = ("p90", "p99")
# In SQL each is a statement of its own, which Spark plans for half a minute.
IN_SQL = (
    "accuracy",
    "geometric_mean",
    "mape",
    "std",
    "sum",
    "count",
    "distinct_count",
    "missing_rate",
    "scoring_rate",
    "standardized_mean_difference",
)
ON_SPARK = ("geometric_mean", "scoring_rate", "standardized_mean_difference")


def sample() -> Case:
    """Return a table with ties, zeros, missing values and several spellings of a key."""
    rng = Random(4)  # noqa: S311 (tests want the same numbers again)
    rows = []
    for place in range(120):
        score: float | None = rng.choice((0.0, 1.5, 2.0, 2.0, 3.25, 7.0, 11.0))
        if place % 17 == 0:
            score = None if place % 2 else math.nan
        rows.append(
            (
                rng.choice(SPELLINGS),
                score,
                rng.choice((1.0, 2.5, 4.0)),
                rng.choice((0, 1)),
                rng.choice(("1", "0", "1.0", "", None)),
            )
        )
    columns = {
        "who": "text",
        "score": "float",
        "guess": "float",
        "chosen": "integer",
        "label": "text",
    }
    return Case("further", columns, rows, {})  # type: ignore[arg-type]


def asked(metric: str, **more: Any) -> dict[str, Any]:
    """Return a test of a metric over the sample."""
    columns = {
        "prediction_column": "guess",
        "ground_truth_column": "score",
        "value_column": "score",
    }
    entry = METRICS[metric]
    if entry.needs_positive_values:
        columns = {"prediction_column": "chosen", "ground_truth_column": "label"}
        more["positive_values"] = ["1"]
    if metric == "distinct_count":
        columns = {"value_column": "label"}
    if entry.direction is None:
        more["higher_is_better"] = True
    return {
        "name": metric,
        "protected_attribute_columns": ["who"],
        "parity_metric": metric,
        "min_group_size": 1,
        "max_difference": 0.2,
        **{role: columns[role] for role in entry.inputs},
        **more,
    }


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES],
)
def named_engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Engine]]:
    with ENGINES[request.param]() as engine:
        engine.load("sample", sample())
        yield request.param, engine


def test_one_scan_serves_every_metric(named_engine: tuple[str, Engine]) -> None:
    name, engine = named_engine
    slow = name in ("spark", "googlesql")
    metrics = [m for m in FURTHER_METRICS if not (slow and m in QUANTILES)]
    tests = [asked(metric) for metric in metrics]
    run = Suite(tuple(question(relation="sample", **test) for test in tests)).run(engine.warehouse)
    assert run.scans == 1
    case = sample()
    found = []
    for test, result in zip(tests, run.tests, strict=True):
        expected = judge(oracle_table(case), case.columns, test)
        lines = differences(to_dict(result), expected)
        found += [f"{test['name']}: {line}" for line in lines]
        assert result.status in ("passed", "failed"), result.message
    assert not found, "\n".join(found[:20])


def test_sql_reaches_the_verdict_of_python(named_engine: tuple[str, Engine]) -> None:
    name, engine = named_engine
    found = []
    for metric in ON_SPARK if name == "spark" else IN_SQL:
        test = asked(metric)
        (result,) = Suite((question(relation="sample", **test),)).run(engine.warehouse).tests
        kinds = (True, False) if name in ("duckdb", "postgres") else (False,)
        for failures in kinds:
            sql = verdict_sql(engine.warehouse.dialect, "sample", test, failures=failures)
            compare = failure_differences if failures else result_differences
            lines = compare(engine.warehouse.run(sql).rows, to_dict(result))
            found += [f"{metric}: {line}" for line in lines]
    assert not found, "\n".join(found[:20])
