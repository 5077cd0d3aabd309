"""Scores of judges in every type of test: as if they had stood in the table, in every engine.

The oracle is a table that pandas has joined: the same tests on it, which know of no judge, must
have the same groups, values, p-values and verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import psycopg
import pytest

import fairsql
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from fairsql.results import TestResult, to_dict
from fairsql.suite import Suite
from tests.dbt.warehouses import required_postgres
from tests.llm.judged import JUDGE, hashed

pytestmark = pytest.mark.xdist_group("postgres")

ROWS = 400
GROUPED: dict[str, Any] = {"protected_attribute_columns": ["Grp"], "min_group_size": 10}
POSITIVE = {"positive_values": [1], "higher_is_better": False}
TESTS: dict[str, dict[str, Any]] = {
    "parity": {
        "type": "group_metric_parity",
        "parity_metric": "mean",
        "value_column": "tone_score",
        "higher_is_better": False,
        **GROUPED,
    },
    "errors": {
        "type": "group_metric_parity",
        "parity_metric": "rate",
        "value_column": "tone_errored",
        **POSITIVE,
        **GROUPED,
    },
    "outcome": {
        "type": "group_outcome_disparity",
        "outcome_column": "tone_label",
        "favorable_values": ["none"],
        "stratify_by_columns": ["Half"],
        **GROUPED,
        "min_group_size": 5,
    },
    "score": {
        "type": "group_score_disparity",
        "score_column": "tone_score",
        "higher_is_better": False,
        "filters": [{"column": "Half", "operator": "is", "value": 1}],
        **GROUPED,
    },
    "performance": {
        "type": "group_performance_parity",
        "performance_metrics": ["false_positive_rate"],
        "score_column": "tone_score",
        "decision_threshold": 0.5,
        "ground_truth_column": "Truth",
        "positive_values": [1],
        **GROUPED,
    },
    "statistic": {
        "type": "group_column_statistic",
        "statistic": "p90",
        "value_column": "tone_score",
        "operator": "<=",
        "value": 0.8,
        "where": "id >= 20",
        **GROUPED,
    },
    "auc": {
        "type": "metric_threshold",
        "score_column": "tone_score",
        "ground_truth_column": "Truth",
        "positive_values": [1],
        "thresholds": [{"measurement": "auc", "operator": ">", "value": 0.4}],
    },
    "weighted": {
        "type": "group_metric_parity",
        "parity_metric": "mean",
        "value_column": "tone_score",
        "higher_is_better": False,
        "weight_column": "Weight",
        **GROUPED,
    },
    "window": {
        "type": "group_metric_parity",
        "parity_metric": "median",
        "value_column": "tone_score",
        "higher_is_better": False,
        "timestamp_column": "At",
        "evaluation_window": 86400 * 4,
        **GROUPED,
    },
}
JUDGED = {**JUDGE, "input_column": "Prompt", "output_column": "Answer"}
AS_OF = "2026-01-08T00:00:00Z"


def frame() -> pd.DataFrame:
    """Return answers of which some are alike, with what a judge said where it said something."""
    rng = np.random.default_rng(11)
    texts = [f"it's {number}" for number in rng.integers(0, ROWS, ROWS)]
    made = pd.DataFrame(
        {
            "id": range(ROWS),
            "Grp": rng.choice(["a", "b", "c"], ROWS),
            "Half": rng.integers(0, 2, ROWS),
            "Truth": rng.integers(0, 2, ROWS),
            "Weight": rng.integers(1, 5, ROWS),
            "At": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 7, ROWS), unit="D"),
            "Prompt": [None if place % 7 == 0 else "Hm?" for place in range(ROWS)],
            "Answer": texts,
        }
    )
    key = made["Prompt"].fillna("") + made["Answer"]
    drawn = {one: rng.random() for one in key.unique()}
    made["tone_score"] = [None if drawn[one] < 0.2 else round(drawn[one] * 10) / 10 for one in key]
    made["tone_judged"] = [int(drawn[one] >= 0.1) for one in key]
    scored = made["tone_score"].notna()
    labels = pd.Series(np.where(made["tone_score"] > 0.6, "age", "none"))
    made["tone_label"] = labels.where(scored, None)
    is_judged = made["tone_judged"] == 1
    made["tone_errored"] = np.where(is_judged, np.where(scored, 0.0, 1.0), np.nan)
    made["tone_scored"] = 1.0 - made["tone_errored"]
    return made


FRAME = frame()
KINDS = {
    "id": "integer",
    "Half": "integer",
    "Truth": "integer",
    "Weight": "integer",
    "At": "timestamp",
    "tone_score": "double precision",
    "tone_judged": "integer",
    "tone_errored": "integer",
    "tone_scored": "integer",
}


def load(execute: Any) -> None:
    """Make `answers`, its judgements, and `joined`, which is both."""
    _table(execute, "joined", FRAME)
    plain = ", ".join(f'"{name}"' for name in FRAME.columns if not name.startswith("tone_"))
    execute(f"create table answers as select {plain} from joined")
    judged = FRAME[FRAME["tone_judged"] == 1].drop_duplicates(["Prompt", "Answer"])
    said = pd.DataFrame(
        {
            "judge": "bias",
            "prompt_version": "v1",
            "model": "m1",
            "input_hash": [
                hashed(*(None if pd.isna(text) else text for text in texts))
                for texts in zip(judged["Prompt"], judged["Answer"], strict=True)
            ],
            "score": judged["tone_score"],
            "label": judged["tone_label"],
            "judged_at": "2026-01-01T00:00:00Z",
        }
    )
    _table(execute, "fairsql_judgements", said, {"score": "double precision"})


def _table(execute: Any, name: str, data: pd.DataFrame, kinds: dict[str, str] = KINDS) -> None:
    columns = ", ".join(f'"{column}" {kinds.get(column, "text")}' for column in data.columns)
    execute(f"create table {name} ({columns})")
    rows = [
        "(" + ", ".join("null" if pd.isna(value) else _literal(value) for value in row) + ")"
        for row in data.itertuples(index=False)
    ]
    execute(f"insert into {name} values {', '.join(rows)}")


def _literal(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "'" + str(value).replace("'", "''") + "'"


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def connection(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "duckdb":
        with duckdb.connect() as opened:
            load(opened.execute)
            yield opened
        return
    with required_postgres() as server:
        address = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(address, autocommit=True) as made:
            made.execute("create schema judged_types")
            made.execute("set search_path to judged_types")
            load(made.execute)
            yield made


def suite(names: Any = tuple(TESTS), **changes: Any) -> Suite:
    judges = {"judges": [JUDGED], "relation": "answers"}
    return Suite(
        tuple(build_test(**{"name": name, **judges, **TESTS[name], **changes}) for name in names)
    )


def compared(result: TestResult) -> dict[str, Any]:
    """Return what must be alike, whichever table a test reads."""
    told = to_dict(result)
    for name in ("relation", "parameters", "sql", "query_ids", "elapsed_seconds", "notes"):
        told.pop(name)
    for group in told["groups"]:
        group.pop("rows_sql")
    return told


@pytest.mark.parametrize("name", TESTS)
def test_a_score_is_as_a_column_of_the_table(connection: Any, name: str) -> None:
    (result,) = suite([name]).run(connection, as_of=AS_OF).tests
    plain = suite([name], relation="joined", judges=[])
    (expected,) = plain.run(connection, as_of=AS_OF).tests
    assert expected.status in ("passed", "failed"), expected.message
    assert rounded(compared(result)) == rounded(compared(expected))


def rounded(value: Any) -> Any:
    """Return numbers with twelve digits: the order in which rows are added up is the engine's."""
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def test_tests_of_one_relation_and_the_same_judges_share_a_scan(connection: Any) -> None:
    names = ["parity", "errors", "outcome", "performance", "auc", "weighted"]
    run = suite(names).run(connection)
    assert run.scans == 1
    assert len(suite(names).plan(connection).statements) == 1
    tallies = {note for test in run.tests for note in test.notes if "tone" in note}
    unjudged = int((FRAME["tone_judged"] == 0).sum())
    errored = int((FRAME["tone_errored"] == 1).sum())
    assert tallies == {
        f"{unjudged} of {ROWS} rows are not judged yet by tone: run fairsql judge.",
        f"Judge tone failed on {errored} of {ROWS - unjudged} rows that it judged;"
        " they have no score.",
    }


def test_the_sql_of_a_group_finds_its_rows(connection: Any) -> None:
    (result,) = suite(["parity"]).run(connection).tests
    for group in result.groups:
        found = connection.execute(str(group.rows_sql)).fetchall()
        assert len(found) == (FRAME["Grp"] == group.key["Grp"]).sum()


def test_a_report_can_be_written(connection: Any, tmp_path: Path) -> None:
    run = suite(["parity", "auc"]).run(connection)
    run.write_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "fairsql_judgements" in page
    assert "not judged yet by tone" in page


def test_names_are_found_as_other_columns_are(connection: Any) -> None:
    spelled = {**JUDGED, "input_column": "prompt", "output_column": "ANSWER"}
    (result,) = suite(["parity"], judges=[spelled]).run(connection).tests
    (expected,) = suite(["parity"]).run(connection).tests
    assert result.rows == expected.rows
    missing = {**JUDGED, "output_column": "Anwser"}
    (skipped,) = suite(["parity"], judges=[missing]).run(connection).tests
    assert skipped.reason == "column_missing"
    assert skipped.message == "answers has no column 'Anwser'. Did you mean 'Answer'?"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("nowhere", "cannot be read from nowhere: run fairsql judge"),
        ("answers", "answers lacks judge, prompt_version, model, input_hash, score, label"),
    ],
)
def test_judgements_that_are_not_there_are_an_error_that_says_what_to_do(
    connection: Any, table: str, said: str
) -> None:
    run = suite(["parity", "auc"], judges=[{**JUDGED, "table": table}]).run(connection)
    assert [test.status for test in run.tests] == ["error", "error"]
    assert said in str(run.tests[0].message)
    assert run.exit_code() == 4


def test_a_judge_of_nothing_is_refused() -> None:
    bare = {name: value for name, value in JUDGE.items() if name != "output_column"}
    with pytest.raises(ConfigurationError, match="names no column that is judged"):
        fairsql.compile(replace(suite(["parity"], judges=[bare])), dialect="duckdb")


@pytest.mark.parametrize(
    "dialect",
    ["duckdb", "postgres", "snowflake", "bigquery", "spark", "databricks", "redshift"],
)
def test_every_type_compiles_in_every_dialect(dialect: str) -> None:
    sql = fairsql.compile(suite(), dialect=dialect, as_of=AS_OF)
    assert "fairsql_judgements" in sql.lower()
