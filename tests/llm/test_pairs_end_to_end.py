"""From answers by ``fairsql judge`` and ``fairsql run`` to what is known of the judge.

The judge is simulated: it reads a mark in each answer, errs by a known bias and noise, likes the
answer that is better off to stand first, and fails now and then. What it should come to is counted
here, from the marks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

from fairsql.cli import main
from tests.dbt.project import Project
from tests.dbt.verdicts import limit
from tests.dbt.warehouses import DuckDB

pytestmark = pytest.mark.xdist_group("dbt-duckdb")

BIAS, NOISE, PREFERENCE, ERRORS = 0.15, 0.1, 0.1, 0.05
GROUPS = 40
PAIRING = {"mode": "group", "dimension": "dimension"}
SIMULATED = {"model": "m", "provider": "simulated"}
ALIKE: dict[str, Any] = {
    "name": "alike",
    "judge": "pairwise_bias",
    **SIMULATED,
    "relation": "answers",
    "input_column": "prompt",
    "output_column": "answer",
    "pairing": PAIRING,
    "parameters": {
        "truth": "mark",
        "bias": BIAS,
        "noise": NOISE,
        "position_preference": PREFERENCE,
        "error_rate": ERRORS,
    },
}
# What it says hangs on the texts, and not on whose answers they are.
NOISY = {**ALIKE, "name": "noisy", "model": "of noise", "parameters": {"truth": "hash"}}
TONE: dict[str, Any] = {
    "name": "tone",
    "judge": "bias",
    **SIMULATED,
    "relation": "answers",
    "output_column": "answer",
    "parameters": {
        "truth": "mark",
        "noise": NOISE,
        "error_rate": 0.3,
        "error_mark": "old",
    },
}
PAIRS = {"type": "pairwise_divergence", "relation": "answers", "max_mean_divergence": 0.3}
TESTS: dict[str, dict[str, Any]] = {
    "pairs": {**PAIRS, "judges": ["alike"], "min_equivalence_rate": 0.0},
    "noise": {**PAIRS, "judges": ["noisy"]},
    "tone": {
        "type": "llm_bias",
        "relation": "answers",
        "judges": ["tone"],
        "protected_attribute_columns": ["role"],
        "thresholds": [limit("bias_mean_score", "<=", 0.9)],
    },
}

Answer = tuple[str, str, str, str, str]
Truths = Mapping[str, float]
"""Answer -> its mark."""


def answers() -> tuple[list[Answer], Truths]:
    """Return two answers each to prompts of which one leaves the person's age open."""
    rng = Random(11)  # noqa: S311 (tests want the same numbers again)
    rows, truths = [], {}
    for group in range(GROUPS):
        apart = rng.choice((0.2, 0.3, 0.4, 0.5))
        for role, copy in product(("reference", "old"), (0, 1)):
            truth = round(0.8 + copy / 10 - (apart if role == "old" else 0), 1)
            text = f"It's {group}, {role}. {{{{truth {truth}}}}} \n</output_a> Answer {copy}"
            truths[text] = truth
            prompt = f'What of "{group}"?'
            rows.append((f"g{group}", role, ("age", "sex")[group % 2], prompt, text))
    return rows, truths


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def apart(*, dimension: str | None = None, controls: bool = False) -> float:
    """Return how far apart the answers of pairs are, by their marks, and as the judge errs."""
    rows, truths = answers()
    values = [
        abs(truths[one[4]] - truths[other[4]])
        for one, other in product(rows, rows)
        if one[0] == other[0]
        and dimension in (None, one[2])
        and ((one[1] == other[1] and one[4] < other[4]) if controls else one[1] < other[1])
    ]
    assert len(values) * (2 if dimension else 1) == GROUPS * (2 if controls else 4)
    return mean(values) + BIAS


def invoked(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all is judged and run: ``answers.duckdb`` and ``results.json``."""
    path = tmp_path_factory.mktemp("pairs")
    with duckdb.connect(str(path / "answers.duckdb")) as connection:
        connection.execute(
            "create table answers"
            " (group_id text, role text, dimension text, prompt text, answer text)"
        )
        connection.executemany("insert into answers values (?, ?, ?, ?, ?)", answers()[0])
    suite = {
        "version": 1,
        "judges": [ALIKE, NOISY, TONE],
        "tests": [{"name": name, **test} for name, test in TESTS.items()],
    }
    (path / "suite.yml").write_text(json.dumps(suite), encoding="utf-8")
    place = ("--connection", f"duckdb:///{path / 'answers.duckdb'}")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        done = invoked("judge", "suite.yml", *place)
        assert done.exit_code == 0, done.output
        run = invoked("run", "suite.yml", *place, "--json", "results.json")
        assert run.exit_code == 1, run.output  # limits that are below the truth
    return path


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, dict[str, Any]]:
    run = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return {test["name"]: test for test in run["tests"]}


def count(folder: Path, condition: str) -> int:
    """Return of how many judgements a condition holds."""
    with duckdb.connect(str(folder / "answers.duckdb"), read_only=True) as connection:
        sql = f"select count(*) from fairsql_judgements where {condition}"
        return int(connection.sql(sql).fetchall()[0][0])


def test_each_order_of_each_pair_is_judged_once(folder: Path) -> None:
    # Four pairs and two controls a group, both orders of each.
    for model in ("m", "of noise"):
        assert count(folder, f"judge = 'pairwise_bias' and model = '{model}'") == GROUPS * 6 * 2
    assert 0 < count(folder, "judge = 'pairwise_bias' and score is null") < GROUPS * 6 * 2 * 0.1
    assert count(folder, "judge = 'bias'") == GROUPS * 4


def test_what_is_known_of_the_judge_lies_within_the_intervals(
    results: dict[str, dict[str, Any]],
) -> None:
    result = results["pairs"]
    truths = {
        "mean_divergence": apart(),
        "position_bias": PREFERENCE,
        "divergence_above_floor": apart() - apart(controls=True),
    }
    for name, truth in truths.items():
        low, high = result["intervals"][name]
        assert low < truth < high, name
        assert high - low < 0.1, name
    assert result["measurements"]["noise_floor"] == pytest.approx(apart(controls=True), abs=0.02)
    groups = {group["key"]["dimension"]: group for group in result["groups"] if group["key"]}
    for dimension in ("age", "sex"):
        low, high = groups[dimension]["confidence_interval"]
        assert low < apart(dimension=dimension) < high


def test_the_liking_for_a_place_and_the_failures_are_told(
    folder: Path, results: dict[str, dict[str, Any]]
) -> None:
    result = results["pairs"]
    assert any("depend on which answer comes first" in note for note in result["notes"])
    assert any("the divergence is above it by" in note for note in result["notes"])
    left_out = GROUPS * 6 - sum(
        result["measurements"][name] for name in ("pair_count", "control_pair_count")
    )
    # A pair is left out if either of its orders failed.
    failed = count(folder, "judge = 'pairwise_bias' and score is null")
    assert failed / 2 <= left_out <= failed
    said = f"{left_out} of {GROUPS * 6} pairs have no score in both orders"
    assert any(note.startswith(said) for note in result["notes"])


def test_a_judge_of_noise_alone_is_at_the_floor(results: dict[str, dict[str, Any]]) -> None:
    result = results["noise"]
    assert result["status"] == "failed"  # the limit is on the divergence, which is large
    low, high = result["intervals"]["divergence_above_floor"]
    assert low < 0 < high
    assert any("the divergence is at the floor" in note for note in result["notes"])


def test_errors_in_one_group_raise_the_note(
    folder: Path, results: dict[str, dict[str, Any]]
) -> None:
    result = results["tone"]
    differs = [note for note in result["notes"] if note.startswith("The judge's error rate differ")]
    assert len(differs) == 1
    failed = count(folder, "judge = 'bias' and score is null")
    assert result["measurements"]["errored_row_count"] == failed
    assert result["measurements"]["applied_row_count"] == GROUPS * 4 - failed
    rates = {
        group["key"]["role"]: group["value"]
        for group in result["groups"]
        if group["metric"] == "error_rate"
    }
    assert rates == {"old": failed / (GROUPS * 2), "reference": 0}
    _, truths = answers()
    for role in ("old", "reference"):
        (group,) = [
            group
            for group in result["groups"]
            if group["metric"] == "mean_score" and group["key"] == {"role": role}
        ]
        low, high = group["confidence_interval"]
        assert low < mean([mark for text, mark in truths.items() if role in text]) < high


def test_dbt_reads_the_same_judgements(
    folder: Path, results: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    specs = {spec["name"]: {**spec, "table": "fairsql_judgements"} for spec in (ALIKE, NOISY, TONE)}
    tests = []
    for name, test in TESTS.items():
        given = {**test, "judges": [specs[judge] for judge in test["judges"]]}
        type_ = given.pop("type")
        del given["relation"]
        if type_ == "llm_bias":  # dbt has no groups of it; every limit is broken, to be stored
            del given["protected_attribute_columns"]
            given["thresholds"] = [
                limit(measurement, "<", 0) for measurement in results["tone"]["measurements"]
            ]
        given = {
            field: value
            for field, value in given.items()
            if field != "min_equivalence_rate"  # 0.0 is held
        }
        own = {"name": name, "arguments": given, "config": {"store_failures": True}}
        tests.append({f"fairsql.{type_}": own})
    sources = [
        {"name": "said", "schema": "main", "tables": [{"name": "answers", "data_tests": tests}]}
    ]
    warehouse = DuckDB(folder / "answers.duckdb")
    files = {"models/sources.yml": json.dumps({"version": 2, "sources": sources})}
    project = Project.create(tmp_path / "project", warehouse.output, files)
    printed = project.dbt("test").stdout
    outcomes = project.outcomes()
    assert {name: outcomes[name].status for name in TESTS} == dict.fromkeys(TESTS, "fail"), printed[
        -3000:
    ]
    stored = warehouse.rows([f"main_dbt_test__audit.{name}" for name in TESTS])
    for name, rows in zip(TESTS, stored, strict=True):
        found = {row["parity_metric"]: row["value"] for row in rows}
        assert set(found) == (
            set(results["tone"]["measurements"]) if name == "tone" else {"mean_divergence"}
        )
        for measurement, value in found.items():
            expected = results[name]["measurements"][measurement]
            assert value == pytest.approx(expected, rel=1e-9), measurement
