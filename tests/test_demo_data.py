"""The demo's data says what its README says, and each of the suite's stories is true.

Expected numbers: ProPublica's published truth tables, counts of the source files, and the verdicts
computed once from the rows with pandas and scipy.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from ruamel.yaml import YAML

from tests.oracle.judge import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

if TYPE_CHECKING:
    from collections.abc import Iterator

DEMO = Path(__file__).resolve().parents[1] / "fairsql" / "demo"
COLUMNS = {
    "compas": {
        "race": "text",
        "sex": "text",
        "age_cat": "text",
        "priors_count": "integer",
        "decile_score": "integer",
        "score_text": "text",
        "probability": "float",
        "predicted_recid": "integer",
        "two_year_recid": "integer",
    },
    "adult": {
        "race": "text",
        "sex": "text",
        "age_band": "text",
        "hours_per_week": "integer",
        "predicted_over_50k": "integer",
        "over_50k": "integer",
    },
}
KINDS = {"VARCHAR": "text", "BIGINT": "integer", "DOUBLE": "float"}

# Name -> status, the groups that fail, one measurement that tells the story.
STORIES: dict[str, tuple[str, set[tuple[str, ...]], tuple[str, float] | None]] = {
    "Ranking quality by race": ("passed", set(), ("min_metric_ratio", 0.917173)),
    "Meaning of a low score by race": ("passed", set(), ("min_metric_ratio", 0.913728)),
    "False alarms by race": (
        "failed",
        {("African-American",)},
        ("min_metric_ratio", 0.522987),
    ),
    "Missed risk by race, five points at most": (
        "failed",
        {("African-American",)},
        ("max_metric_difference", 0.061415),
    ),
    "Ranking quality by race, within 0.05 or chance": (
        "passed",
        set(),
        ("max_metric_difference", 0.057609),
    ),
    "Ranking quality of the two smallest groups": ("skipped", set(), None),
    "Probability error by age against everyone": (
        "passed",
        set(),
        ("max_metric_difference", 0.013975),
    ),
    "Predicted high incomes by sex": ("failed", {("Female",)}, ("min_metric_ratio", 0.325380)),
    "High earners found by sex": ("passed", set(), ("significant_disparity_count", 1)),
    "Predicted high incomes by race and sex": (
        "failed",
        {("Black", "Female"), ("White", "Female"), ("Black", "Male")},
        ("insufficient_group_count", 5),
    ),
}


def suite() -> dict[str, dict[str, Any]]:
    """The suite's tests by name."""
    tests = YAML(typ="safe").load(DEMO / "suite.yml")["tests"]
    return {test["name"]: test for test in tests}


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    # Whoever runs the demo may be offline: no extension may be needed to read the files.
    with duckdb.connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    ) as connection:
        for name in COLUMNS:
            connection.execute(f"create table {name} as from '{DEMO / name}.csv'")
        yield connection


@pytest.mark.parametrize("relation", COLUMNS)
def test_a_file_holds_the_promised_columns_and_no_other(
    database: duckdb.DuckDBPyConnection, relation: str
) -> None:
    described = database.execute(f"describe {relation}").fetchall()
    assert {name: KINDS[kind] for name, kind, *_ in described} == COLUMNS[relation]
    assert [name for name, *_ in described] == list(COLUMNS[relation])
    readme = (DEMO / "README.md").read_text(encoding="utf-8")
    assert all(f"\n| `{name}` |" in readme for name in COLUMNS[relation])


@pytest.mark.parametrize("relation", COLUMNS)
def test_rows_are_in_the_order_of_their_values(relation: str) -> None:
    lines = (DEMO / f"{relation}.csv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [
        tuple(
            value if kind == "text" else float(value)
            for value, kind in zip(line.split(","), COLUMNS[relation].values(), strict=True)
        )
        for line in lines
    ]
    assert rows == sorted(rows)


def test_the_files_stay_small() -> None:
    assert sum(path.stat().st_size for path in DEMO.glob("*.csv")) < 600_000


@pytest.mark.parametrize(
    ("where", "cells"),
    [
        # ProPublica, "How We Analyzed the COMPAS Recidivism Algorithm", 2016:
        # low and stayed out, high and stayed out, low and offended, high and offended.
        ("true", (2681, 1282, 1216, 2035)),
        ("race = 'African-American'", (990, 805, 532, 1369)),
        ("race = 'Caucasian'", (1139, 349, 461, 505)),
    ],
)
def test_compas_has_the_published_truth_tables(
    database: duckdb.DuckDBPyConnection, where: str, cells: tuple[int, ...]
) -> None:
    assert confusion(database, "compas", "two_year_recid", "predicted_recid", where) == cells


def test_compas_derives_its_columns_by_the_published_rules(
    database: duckdb.DuckDBPyConnection,
) -> None:
    assert database.execute(
        "select score_text, min(decile_score), max(decile_score) from compas group by 1 order by 2"
    ).fetchall() == [("Low", 1, 4), ("Medium", 5, 7), ("High", 8, 10)]
    broken = "(predicted_recid = 1) = (score_text = 'Low') or probability * 10 <> decile_score"
    assert database.execute(f"select count(*) from compas where {broken}").fetchone() == (0,)


def test_adult_has_the_counts_of_its_source(database: duckdb.DuckDBPyConnection) -> None:
    # As they stand in the source, whose score is 1 for an income of at most 50K.
    cells = confusion(database, "adult", "over_50k", "predicted_over_50k", "true")
    assert cells == (6711, 706, 784, 1568)
    assert database.execute(
        "select race, count(*) from adult group by 1 order by 1"
    ).fetchall() == [
        ("Amer-Indian-Eskimo", 100),
        ("Asian-Pac-Islander", 303),
        ("Black", 967),
        ("Other", 73),
        ("White", 8326),
    ]
    assert database.execute("select count(*) from adult where sex = 'Female'").fetchone() == (3199,)


def test_every_story_has_its_expectation() -> None:
    assert list(suite()) == list(STORIES)


@pytest.mark.parametrize("name", STORIES)
def test_a_story_is_true(database: duckdb.DuckDBPyConnection, name: str) -> None:
    test = suite()[name]
    relation = test.pop("relation")
    rows = database.execute(f"from {relation} where {test.pop('where', 'true')}").fetchall()
    columns = dict(zip(COLUMNS[relation], zip(*rows, strict=True), strict=True))
    result = judge(columns, COLUMNS[relation], test)

    status, failed, measured = STORIES[name]
    assert result["status"] == status
    assert {tuple(g["key"].values()) for g in result["groups"] if g["failed"]} == failed
    if measured:
        measurement, value = measured
        assert result["measurements"][measurement] == pytest.approx(value, abs=1e-6)
    else:
        assert result["reason"] == "fewer_than_two_sufficient_groups"


def test_the_suite_shows_every_status() -> None:
    statuses = [status for status, *_ in STORIES.values()]
    assert [statuses.count(s) for s in ("passed", "failed", "skipped")] == [5, 4, 1]


def test_without_its_gate_the_gated_story_fails(database: duckdb.DuckDBPyConnection) -> None:
    test = suite()["Ranking quality by race, within 0.05 or chance"]
    test["require_significance"] = False
    rows = database.execute(f"from {test.pop('relation')}").fetchall()
    columns = dict(zip(COLUMNS["compas"], zip(*rows, strict=True), strict=True))
    assert judge(columns, COLUMNS["compas"], test)["status"] == "failed"


def confusion(
    database: duckdb.DuckDBPyConnection, relation: str, truth: str, prediction: str, where: str
) -> tuple[int, ...]:
    """Rows by (truth, prediction), in the order 00, 01, 10, 11."""
    return tuple(
        count
        for (count,) in database.execute(
            f"select count(*) from {relation} where {where} "
            f"group by {truth}, {prediction} order by {truth}, {prediction}"
        ).fetchall()
    )
