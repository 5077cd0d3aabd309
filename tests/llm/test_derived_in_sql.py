"""The SQL verdict of tests over derived rows is that of Python, on DuckDB and on PostgreSQL."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import psycopg
import pytest

import fairsql
from fairsql.compile.loader import macros_for
from fairsql.config import TESTS, build_test
from fairsql.errors import ConfigurationError
from fairsql.results import to_dict
from tests.dbt.rows import group_differences, near
from tests.dbt.verdicts import Place, in_duckdb, in_postgres, limit
from tests.dbt.warehouses import postgres
from tests.llm.texts import answers, variants

if TYPE_CHECKING:
    from fairsql.results import TestResult

BY_GROUP = {"protected_attribute_columns": ["grp"]}
COLUMNS = {"grp": "text", "answer": "text", "score": "float"}
VARIANTS = dict.fromkeys(("group_id", "role", "dimension", "prompt", "answer"), "text")
FLAGGED: list[tuple[str, dict[str, Any]]] = [
    ("refusal_rate_disparity", {"output_column": "answer"}),
    (
        "refusal_rate_disparity",
        {"output_column": "answer", "refusal_phrases": ["swim", "it\u2019s"]},
    ),
    ("refusal_rate_disparity", {"scorer_column": "score", "score_threshold": 0.75}),
    ("toxicity_sentiment_disparity", {"output_column": "answer", "max_difference": 0.0}),
    ("toxicity_sentiment_disparity", {"output_column": "answer", "lexicon": "negative_sentiment"}),
    ("toxicity_sentiment_disparity", {"scorer_column": "score", "allow_small_samples": True}),
    (
        "stereotype_association_score",
        {"answer_column": "answer", "stereotyped_answer_column": "grp", "min_group_size": 30},
    ),
]
LIMITS: dict[str, Callable[[str], list[dict[str, Any]] | None]] = {
    "gap": lambda name: [limit(name, "<=", 0.2), limit("highest_group_rate", "<", 0.5)],
    "none": lambda _: None,
}


@dataclass(frozen=True)
class Engine:
    place: Place
    warehouse: Any


@pytest.fixture(scope="module")
def duckdb_engine() -> Iterator[Engine]:
    with duckdb.connect() as connection:
        yield Engine(in_duckdb(connection), connection)


@pytest.fixture(scope="module")
def postgres_engine() -> Iterator[Engine]:
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            yield Engine(in_postgres(connection), connection)


@pytest.fixture(
    params=["duckdb", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))]
)
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.getfixturevalue(f"{request.param}_engine")
    return found


def differences(engine: Engine, type_: str, relation: str, test: dict[str, Any]) -> Iterator[str]:
    """Yield each way in which SQL and Python differ about a test."""
    result: TestResult = getattr(fairsql, type_)(engine.warehouse, relation, **test)
    rows = engine.place.groups(type_, relation, **test)
    failures = engine.place.failures(type_, relation, **test)
    first = rows[0]
    if (first["status"], first["reason"]) != (result.status, result.reason):
        yield f"{first['status']} {first['reason']}, not {result.status} {result.reason}"
        return
    if bool(failures) != (result.status != "passed"):
        yield f"{result.status}, but {len(failures)} rows of failures"
    broken = {
        f"{one.measurement} {one.operator} {one.value}"
        for one in result.thresholds
        if one.passed is False
    }
    told = {part for row in failures for part in (row["broken_thresholds"] or "").split("; ")}
    if {_decimal(one) for one in told - {""}} != {_decimal(one) for one in broken}:
        yield f"{told} are broken, not {broken}"
    if result.status == "skipped":
        return
    built = build_test(type_, relation=relation, **test)
    for name in built.measurement_names:
        inner = TESTS[type_].inner_measurements.get(name, name)  # type: ignore[attr-defined]
        if inner in first and not near(first[inner], result.measurements[name]):
            yield f"{name} is {first[inner]}, not {result.measurements[name]}"
    by_key = {row["key_1"]: row for row in rows}
    for group in to_dict(result)["groups"]:
        yield from group_differences(by_key.get(next(iter(group["key"].values()))), group)


JUDGE: dict[str, Any] = {
    "name": "alike",
    "judge": "pairwise_bias",
    "model": "m",
    "prompt_version": "v1",
    "input_column": "prompt",
    "output_column": "answer",
    "table": "judged",
}
JUDGEMENTS = {
    **dict.fromkeys(("judge", "prompt_version", "model", "input_hash"), "text"),
    "score": "float",
    **dict.fromkeys(("label", "judged_at"), "text"),
}


def judgements(seed: int) -> list[tuple[Any, ...]]:
    """Return what a judge says of most ordered pairs of answers to variants of one prompt."""
    rng = Random(seed)  # noqa: S311
    rows = [row for row in variants(seed) if row[4] is not None]
    found: dict[str, float | None] = {}
    for one, other in product(rows, rows):
        if one[0] == other[0] and rng.random() < 0.95:
            texts = (one[3], str(one[4]), str(other[4]))
            written = "".join(f"{len(text)}:{text}" for text in texts)
            found[hashlib.sha256(written.encode()).hexdigest()] = rng.choice((0.0, 0.0, 0.3, 1.0))
            texts = (other[3], str(one[4]), str(other[4]))
            written = "".join(f"{len(text)}:{text}" for text in texts)
            found[hashlib.sha256(written.encode()).hexdigest()] = rng.choice((0.0, None, 0.3))
    return [("pairwise_bias", "v1", "m", key, score, None, "2026") for key, score in found.items()]


@pytest.mark.parametrize(
    "fields",
    [
        {"max_mean_divergence": 0.2},
        {"max_mean_divergence": 0.9, "min_equivalence_rate": 0.1, "max_divergence_rate": 0.95},
        {"min_equivalence_rate": 0.9, "equivalent_up_to": 0.3, "dimension": "dimension"},
        {"max_divergence_rate": 0.1, "mode": "contrastive", "poles": ["old", "young"]},
        {"thresholds": [limit("equivalenceRate", ">", 0.05), limit("mean_divergence", "<", 0.01)]},
        {"max_mean_divergence": 0.2, "reference_role": "nobody", "mode": "group"},
        {"max_mean_divergence": 0.2, "judges": [{**JUDGE, "model": "another"}]},
    ],
)
def test_judged_pairs(engine: Engine, fields: dict[str, Any]) -> None:
    for seed in (1, 3):
        relation = engine.place.load("variants", VARIANTS, variants(seed))
        engine.place.load("judged", JUDGEMENTS, judgements(seed))
        assert not list(judged_differences(engine, relation, {"judges": [JUDGE], **fields}))


def judged_differences(engine: Engine, relation: str, test: dict[str, Any]) -> Iterator[str]:
    """Yield each way in which SQL and Python differ about judged pairs: a row a threshold."""
    type_ = "pairwise_divergence"
    result = fairsql.pairwise_divergence(engine.warehouse, relation, **test)
    rows = engine.place.groups(type_, relation, **test)
    failures = engine.place.failures(type_, relation, **test)
    if {(row["status"], row["reason"]) for row in rows} != {(result.status, result.reason)}:
        yield f"{rows[0]['status']} {rows[0]['reason']}, not {result.status} {result.reason}"
        return
    if bool(failures) != (result.status != "passed"):
        yield f"{result.status}, but {len(failures)} rows of failures"
    if result.status == "skipped":
        return
    by_name = {row["parity_metric"]: row for row in rows}
    for one in result.thresholds:
        row = by_name[one.measurement]
        if not near(row["value"], one.observed):
            yield f"{row['parity_metric']} is {row['value']}, not {one}"
        if bool(row["broken_thresholds"]) != (one.passed is False):
            yield f"{row['broken_thresholds']} is broken, but {one}"


def _decimal(text: str) -> tuple[str, str, float]:
    name, operator, value = text.split(" ")
    return name, operator, float(value)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize(("type_", "fields"), FLAGGED)
def test_flagged_rows(engine: Engine, type_: str, fields: dict[str, Any], limits: str) -> None:
    for seed in (1, 2):
        relation = engine.place.load("answers", COLUMNS, answers(seed))
        test = {**BY_GROUP, **fields}
        if thresholds := LIMITS[limits](type_):
            test["thresholds"] = thresholds
        assert not list(differences(engine, type_, relation, test))


@pytest.mark.parametrize(
    "fields",
    [
        {"max_divergence": 0.2},
        {"max_divergence": 0.9, "dimension": None},
        {"max_divergence": 0.2, "allow_small_samples": True},
        {"max_divergence": 0.2, "min_group_size": 400},
        {"thresholds": [limit("counterfactual_fairness_divergence", "<=", 0.1)]},
        {"thresholds": [limit("lowestDimensionDivergence", ">", 0.1)]},
    ],
)
def test_counterfactual_pairs(engine: Engine, fields: dict[str, Any]) -> None:
    for seed in (1, 3):
        relation = engine.place.load("variants", VARIANTS, variants(seed))
        test = {"output_column": "answer", "dimension": "dimension", **fields}
        if test["dimension"] is None:
            del test["dimension"]
        type_ = "counterfactual_fairness_divergence"
        assert not list(differences(engine, type_, relation, test))


def test_rows_that_are_made_share_no_scan_with_the_relations_own() -> None:
    fields = {"name": "refusals", "type": "refusal_rate_disparity", "output_column": "answer"}
    with pytest.raises(ConfigurationError, match="takes a scan of its own"):
        macros_for("duckdb").call("statistics", "answers", [{**BY_GROUP, **fields}])
