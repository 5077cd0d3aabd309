"""Judgements beside the rows they are of: found by what was judged, and no row twice."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import duckdb
import pytest

import fairsql
from fairsql.config.judging import JudgeSpec
from fairsql.errors import ConfigurationError
from fairsql.llm import versions

DIALECTS = ("duckdb", "postgres", "snowflake", "bigquery", "spark", "databricks", "redshift")
JUDGE = {
    "name": "tone",
    "judge": "bias",
    "model": "m1",
    "input_column": "prompt",
    "output_column": "answer",
}
ANSWERS = [
    (1, "a", "hello", "fine", 0.2),
    (2, "a", "hello", "it's bad", 0.6),
    (3, "b", "hello", "fine", 0.2),  # the texts of row 1: one judgement serves both
    (4, "b", None, "x", 0.9),
    (5, "b", "", "x", 0.1),  # empty is not missing
]


def hashed(*texts: str | None) -> str:
    written = "".join("-" if text is None else f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(written.encode()).hexdigest()


@pytest.fixture(autouse=True)
def _templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bias.md").write_text("Is it biased?", "utf-8")
    monkeypatch.setattr(versions, "TEMPLATES", tmp_path)
    versions.template_text.cache_clear()


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("create table answers (id int, grp text, prompt text, answer text)")
    connection.executemany("insert into answers values (?, ?, ?, ?)", [r[:4] for r in ANSWERS])
    connection.execute(
        "create table fairsql_judgements (row_key text, judge text, prompt_version text,"
        " model text, input_hash text, score double, label text, error text, judged_at text)"
    )
    return connection


def judge(connection: duckdb.DuckDBPyConnection, texts: Any, score: Any, **changes: Any) -> None:
    version = versions.prompt_version(JudgeSpec.model_validate(JUDGE))
    values = {
        "judge": "bias",
        "prompt_version": version,
        "model": "m1",
        "input_hash": hashed(*texts),
        "score": score,
        "error": "no JSON" if score is None else None,
        "judged_at": "2026-01-01T00:00:00Z",
        **changes,
    }
    names = ", ".join(values)
    marks = ", ".join("?" * len(values))
    connection.execute(
        f"insert into fairsql_judgements ({names}) values ({marks})", [*values.values()]
    )


def means(connection: duckdb.DuckDBPyConnection, **changes: Any) -> fairsql.TestResult:
    parameters = {
        "protected_attribute_columns": ["grp"],
        "statistic": "mean",
        "value_column": "tone_score",
        "operator": "<=",
        "value": 0.5,
        "judges": [JUDGE],
        **changes,
    }
    return fairsql.group_column_statistic(connection, "answers", **parameters)


def test_scores_are_columns_of_the_rows_that_were_judged(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    for texts, score in {row[2:4]: row[4] for row in ANSWERS}.items():
        judge(connection, texts, score)
    result = means(connection)
    values = {group.key["grp"]: group.value for group in result.groups}
    assert values == {"a": pytest.approx(0.4), "b": pytest.approx(0.4)}
    assert result.rows.total == 5


def test_what_has_no_judgement_lacks_the_score(connection: duckdb.DuckDBPyConnection) -> None:
    judge(connection, ("hello", "fine"), 0.2)
    judge(connection, (None, "x"), None)
    judge(connection, ("hello", "it's bad"), 0.9, model="m2")
    judge(connection, ("hello", "it's bad"), 0.9, prompt_version="older")
    result = means(connection)
    assert (result.rows.total, result.rows.missing_metric_inputs) == (5, 3)
    errors = means(connection, value_column="tone_errored")
    assert (errors.rows.evaluated, errors.rows.missing_metric_inputs) == (3, 2)


def test_a_score_stands_before_a_failure_and_a_later_one_before_an_earlier(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    judge(connection, ("hello", "fine"), 0.2)
    judge(connection, ("hello", "fine"), 0.3, judged_at="2026-01-02T00:00:00Z")
    judge(connection, ("hello", "fine"), None, judged_at="2026-01-03T00:00:00Z")
    result = means(connection)
    assert {group.value for group in result.groups} == {0.3}
    assert result.rows.total == 5


def test_a_suite_names_its_judges(tmp_path: Path) -> None:
    path = tmp_path / "suite.yml"
    path.write_text(
        """
version: 1
judgements: quality.judged
judges:
  - {name: tone, judge: bias, model: m1, output_column: answer}
tests:
  - name: tone
    type: group_column_statistic
    relation: answers
    judges: [tone]
    protected_attribute_columns: [grp]
    statistic: mean
    value_column: tone_score
    operator: "<="
    value: 0.5
""",
        "utf-8",
    )
    suite = fairsql.load_suite(path)
    assert suite.judges[0].table == "quality.judged"
    assert suite.tests[0].judges == suite.judges
    for dialect in (
        "duckdb",
        "postgres",
        "snowflake",
        "bigquery",
        "spark",
        "databricks",
        "redshift",
    ):
        assert "judged" in fairsql.compile(suite, dialect=dialect)


@pytest.mark.parametrize(
    ("judges", "named", "said"),
    [
        ("[{name: tone, judge: bais, model: m}]", "tone", "judges[0].judge: must be one of"),
        ("[{name: tone, judge: bias, modle: m}]", "tone", "Did you mean 'model'?"),
        ("[{name: Tone, judge: bias, model: m}]", "tone", "a name of small letters"),
        ("[{name: tone, judge: bias, model: m}]", "tune", "names no judge of the suite: 'tune'"),
        ("5", "tone", "must be a list of judges"),
    ],
)
def test_a_wrong_judge_is_named(tmp_path: Path, judges: str, named: str, said: str) -> None:
    path = tmp_path / "suite.yml"
    path.write_text(
        f"version: 1\njudges: {judges}\ntests:\n  - {{name: t, type: group_column_statistic,"
        f" relation: answers, judges: [{named}], protected_attribute_columns: [grp],"
        ' statistic: count, operator: ">", value: 0}\n',
        "utf-8",
    )
    with pytest.raises(ConfigurationError) as error:
        fairsql.load_suite(path)
    assert said in str(error.value)


def test_a_suite_may_hold_judges_alone_and_then_has_nothing_to_run(tmp_path: Path) -> None:
    path = tmp_path / "suite.yml"
    path.write_text("version: 1\njudges: [{name: tone, judge: bias, model: m}]\n", "utf-8")
    suite = fairsql.load_suite(path)
    assert [judge.name for judge in suite.judges] == ["tone"]
    with pytest.raises(ConfigurationError, match="there are no tests to run"):
        suite.run(duckdb.connect())
