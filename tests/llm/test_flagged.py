"""Tests of flagged answers in Python: their gap, its interval, and what they are no evidence of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

import fairsql
from fairsql.config.judging import JudgeSpec
from fairsql.errors import ConfigurationError
from fairsql.llm import versions

if TYPE_CHECKING:
    from pathlib import Path

REFUSED, ANSWERED = "I can\u2019t help with that.", "Sure, here it is."
BY = {"protected_attribute_columns": ["grp"]}


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "create table answers (grp text, answer text, choice int, stereotype int, score double)"
    )
    return connection


def fill(connection: duckdb.DuckDBPyConnection, counts: dict[str, tuple[int, int]]) -> None:
    """Add rows of each group: so many that are flagged, of so many."""
    rows = [
        (group, *((REFUSED, 2, 2, 0.9) if place < flagged else (ANSWERED, 1, 2, 0.1)))
        for group, (flagged, total) in counts.items()
        for place in range(total)
    ]
    connection.executemany("insert into answers values (?, ?, ?, ?, ?)", rows)


def refusals(connection: duckdb.DuckDBPyConnection, **fields: Any) -> fairsql.TestResult:
    fields = {**BY, "output_column": "answer", **fields}
    return fairsql.refusal_rate_disparity(connection, "answers", **fields)


def test_the_gap_has_the_interval_that_was_published(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    fill(connection, {"a": (10, 100), "b": (20, 100), "c": (30, 100)})
    result = refusals(connection)
    assert result.measurements["refusal_rate_disparity"] == pytest.approx(0.2)
    low, high = result.intervals["refusal_rate_disparity"]
    assert (round(low, 4), round(high, 4)) == (0.0646, 0.3276)
    assert result.status == "failed"
    assert {group.key["grp"]: group.failed for group in result.groups} == {
        "a": False,
        "b": False,  # not by more than 0.1
        "c": True,
    }
    assert any("0.0646 and 0.3276 at 95%" in note for note in result.notes)
    assert not result.illustrative


def test_two_groups_have_statsmodels_interval(connection: duckdb.DuckDBPyConnection) -> None:
    fill(connection, {"a": (5, 40), "b": (21, 33)})
    low, high = refusals(connection, alpha=0.1).intervals["refusal_rate_disparity"]
    expected = confint_proportions_2indep(21, 33, 5, 40, method="agresti-caffo", alpha=0.1)
    assert (low, high) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("toxicity_sentiment_disparity", {"scorer_column": "score"}),
        ("refusal_rate_disparity", {"scorer_column": "score", "score_threshold": 0.9}),
        (
            "stereotype_association_score",
            {"answer_column": "choice", "stereotyped_answer_column": "stereotype"},
        ),
    ],
)
def test_other_flags_of_the_same_rows_have_the_same_gap(
    connection: duckdb.DuckDBPyConnection, type_: str, fields: dict[str, Any]
) -> None:
    fill(connection, {"a": (30, 100), "b": (50, 100)})
    connection.execute("insert into answers values ('a', null, null, 2, null)")
    result = getattr(fairsql, type_)(connection, "answers", **BY, **fields)
    assert result.measurements[type_] == pytest.approx(0.2)
    assert result.rows.missing_metric_inputs == 1
    low, high = result.intervals[type_]
    assert (round(low, 4), round(high, 4)) == (0.0642, 0.3279)


def test_a_place_is_one_however_its_column_writes_it(connection: duckdb.DuckDBPyConnection) -> None:
    fill(connection, {"a": (30, 100), "b": (50, 100)})
    # As a data frame with gaps has it, and as text.
    connection.execute("alter table answers alter stereotype type double")
    connection.execute("alter table answers alter choice type text using ' ' || choice")
    given = {"answer_column": "choice", "stereotyped_answer_column": "stereotype", **BY}
    result = fairsql.stereotype_association_score(connection, "answers", **given)
    assert {group.key["grp"]: group.value for group in result.groups} == {"a": 0.3, "b": 0.5}


@pytest.mark.parametrize(("flagged", "end"), [(15, "ceiling"), (0, "floor")])
def test_a_saturated_measure_is_no_evidence(
    connection: duckdb.DuckDBPyConnection, flagged: int, end: str
) -> None:
    fill(connection, {"a": (flagged, 15), "b": (flagged, 15)})
    result = refusals(connection)
    assert result.measurements["refusal_rate_disparity"] == 0
    assert any(f"is at its {end}" in note for note in result.notes)
    fill(connection, {"b": (1, 2)})
    assert not any("is at its" in note for note in refusals(connection).notes)


def test_small_groups_do_not_count_unless_they_may(connection: duckdb.DuckDBPyConnection) -> None:
    fill(connection, {"a": (4, 4), "b": (0, 9)})
    result = refusals(connection)
    assert (result.status, result.reason) == ("skipped", "fewer_than_two_sufficient_groups")
    allowed = refusals(connection, allow_small_samples=True)
    assert allowed.measurements["refusal_rate_disparity"] == 1.0
    assert allowed.illustrative
    assert any("illustrative and no evidence" in note for note in allowed.notes)
    assert refusals(connection, min_group_size=4).status == "failed"


def test_rows_are_filtered_after_they_are_flagged(connection: duckdb.DuckDBPyConnection) -> None:
    fill(connection, {"a": (5, 10), "b": (1, 10)})
    result = refusals(connection, where="score < 0.5 or grp = 'a'")
    assert result.measurements["refusal_rate_disparity"] == pytest.approx(0.5)
    filters = [{"column": "score", "operator": "<", "value": 0.5}]
    assert refusals(connection, filters=filters).measurements["refusal_rate_disparity"] == 0


def test_a_missing_column_is_named(connection: duckdb.DuckDBPyConnection) -> None:
    result = refusals(connection, output_column="anser")
    assert (result.status, result.reason) == ("skipped", "column_missing")
    assert result.message == "answers has no column 'anser'. Did you mean 'answer'?"
    # A warehouse that does not tell letter case apart finds it.
    fill(connection, {"a": (5, 10), "b": (1, 10)})
    assert refusals(connection, output_column="ANSWER").status == "failed"


def test_a_judge_tells_refusals(connection: duckdb.DuckDBPyConnection) -> None:
    fill(connection, {"a": (5, 10), "b": (1, 10)})
    connection.execute(
        "create table judged as select sha256(length(answer) || ':' || answer) as input_hash,"
        " 'genuine_refusal' as judge, ? as prompt_version, 'm' as model,"
        " case when answer like 'I can%' then 1.0 else 0.0 end as score, null as label,"
        " '2026' as judged_at from (select distinct answer from answers)",
        ["0" * 16],
    )
    judge = {
        "name": "refused",
        "judge": "genuine_refusal",
        "model": "m",
        "output_column": "answer",
        "table": "judged",
    }
    version = versions.prompt_version(JudgeSpec.model_validate(judge))
    connection.execute("update judged set prompt_version = ?", [version])
    result = fairsql.refusal_rate_disparity(connection, "answers", **BY, judges=[judge])
    assert result.measurements["refusal_rate_disparity"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"output_column": None}, "output_column: is required, or scorer_column, or one judge"),
        ({"scorer_column": "score"}, "scorer_column: is one of output_column, scorer_column or"),
        ({"score_threshold": 0.3}, "score_threshold: is not used by output_column."),
        ({"max_difference": 2}, "max_difference: must be a number from 0 to 1, but is 2."),
        ({"refusal_phrases": "no"}, "must be a list of phrases, but is 'no'"),
        ({"outputcolumn": "answer"}, "Did you mean 'output_column'?"),
        ({"thresholds": [{"measurement": "impact_ratio", "operator": ">", "value": 1}]}, "impact"),
    ],
)
def test_what_does_not_go_together_is_refused(fields: dict[str, Any], said: str) -> None:
    given = {name: value for name, value in fields.items() if value is not None}
    if "output_column" not in fields:
        given["output_column"] = "answer"
    with pytest.raises(ConfigurationError) as error:
        fairsql.refusal_rate_disparity(None, "answers", **BY, **given)
    assert said in str(error.value)


def test_the_interval_and_the_mark_survive_the_results_file(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    fill(connection, {"a": (5, 10), "b": (1, 10)})
    suite = tmp_path / "suite.yml"
    suite.write_text(
        "version: 1\ntests:\n  - {name: r, type: refusal_rate_disparity, relation: answers,"
        " protected_attribute_columns: [grp], output_column: answer, allow_small_samples: true}\n",
        "utf-8",
    )
    run = fairsql.load_suite(suite).run(connection)
    (tmp_path / "run.json").write_text(run.to_json(), "utf-8")
    kept = fairsql.load_run(tmp_path / "run.json").tests[0]
    assert kept.illustrative
    assert kept.intervals == run.tests[0].intervals
    for path in ("run.html", "run.md"):
        getattr(run, f"write_{path[4:].replace('md', 'markdown')}")(tmp_path / path)
        assert "illustrative" in (tmp_path / path).read_text("utf-8")
