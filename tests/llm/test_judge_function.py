"""``fairsql.judge`` in a program, and the judges that are written out in a test."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

import fairsql
from fairsql.cli import main
from fairsql.errors import ConfigurationError
from fairsql.llm.running import judges_of
from tests.llm.answers import database, table

SUITE = """
version: 1
judges:
  - {{name: tone, judge: bias, model: m, provider: simulated, relation: answers,
     output_column: answer, key_columns: [id], prices: {{input: 1000, output: 1000}}}}
  - {{name: harm, judge: harmfulness, model: m, provider: simulated, relation: answers,
     output_column: answer, sample_size: 3, prices: {{input: 1000, output: 1000}}}}
tests:
  - {{name: t, type: group_column_statistic, relation: answers, judges: [{judge}],
     protected_attribute_columns: [grp], statistic: mean, value_column: tone_score,
     operator: "<=", value: 1, min_group_size: 1{further}}}
"""
INLINE = (
    "{name: tone, judge: toxicity, model: m, provider: simulated, output_column: answer,"
    " prices: {input: 1000, output: 1000}}"
)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    database(tmp_path, 20)
    return written(tmp_path)


def written(folder: Path, judge: str = "tone", further: str = "") -> Path:
    path = folder / "suite.yml"
    path.write_text(SUITE.format(judge=judge, further=further), encoding="utf-8")
    return path


def url(suite: Path) -> str:
    return f"duckdb:///{suite.parent / 'answers.duckdb'}"


def test_it_does_what_the_command_does(suite: Path) -> None:
    estimates = fairsql.judging_estimate(suite, url(suite))
    assert [one.requests for one in estimates] == [17, 3]
    assert all(one.cost for one in estimates)
    (tone,) = fairsql.judge(suite, url(suite), select=["tone"], max_requests=4)
    assert (tone.scored, tone.left, tone.requests) == (4, 13, 4)
    told: list[tuple[int, int]] = []
    outcomes = fairsql.judge(
        fairsql.load_suite(suite), url(suite), on_progress=lambda *said: told.append(said)
    )
    assert [one.left for one in outcomes] == [0, 0]
    assert told[-1] == (3, 3)
    assert len(table(suite.parent / "answers.duckdb")) == 20
    assert fairsql.load_suite(suite).run(url(suite)).tests[0].status == "passed"
    # The command finds nothing left, and its journal in the same place.
    result = CliRunner().invoke(main, ["judge", str(suite), "--connection", url(suite)])
    assert [line.split()[1] for line in result.stdout.splitlines() if "requests" in line] == [
        "0",
        "0",
    ]
    assert not (suite.parent / ".fairsql").exists()


def test_it_works_where_a_loop_runs_and_leaves_a_connection_open(suite: Path) -> None:
    with duckdb.connect(str(suite.parent / "answers.duckdb")) as connection:

        async def cell() -> list[Any]:
            return fairsql.judge(suite, connection, select="harm")

        (outcome,) = asyncio.run(cell())
        assert outcome.scored == 3
        found = connection.execute("select count(*) from fairsql_judgements").fetchall()
    assert found == [(3,)]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"max_requests": 0}, "max_requests: must be a number above 0, but is 0"),
        ({"max_requests": -1}, "max_requests"),
        ({"max_cost": float("nan")}, "max_cost: must be a number above 0, but is nan"),
        ({"max_cost": 0}, "max_cost"),
        ({"concurrency": 0}, "concurrency: must be from 1 to 256, but is 0"),
        ({"select": ["tune"]}, "Did you mean 'tone'"),
        ({"replay": "none.jsonl"}, "cannot read none.jsonl"),
    ],
)
def test_an_option_that_is_wrong_is_told(
    suite: Path, options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        fairsql.judge(suite, url(suite), **options)


def test_a_judge_in_a_test_is_asked_about_what_the_test_reads(tmp_path: Path) -> None:
    database(tmp_path, 20)
    suite = written(tmp_path, INLINE, ', where: "id < 10"')
    read = fairsql.load_suite(suite)
    (*_, inline) = judges_of(read.judges, read.tests)
    assert (inline.judge, inline.relation, inline.where) == ("toxicity", "answers", "id < 10")
    assert read.run(url(suite)).tests[0].status != "passed"
    result = CliRunner().invoke(main, ["judge", str(suite), "--connection", url(suite)])
    assert result.exit_code == 0, result.output
    rows = table(tmp_path / "answers.duckdb")
    assert sum(row["judge"] == "toxicity" for row in rows) == 9  # of ten, one has no answer
    assert read.run(url(suite)).tests[0].status == "passed"


def test_a_judge_in_a_test_may_name_its_own_relation_and_is_asked_once(tmp_path: Path) -> None:
    database(tmp_path, 20)
    own = INLINE.replace("output_column", "relation: answers, where: id < 3, output_column")
    text = written(tmp_path, own).read_text("utf-8")
    again = text[text.index("  - {name: t,") :].replace("name: t,", "name: u,")
    (tmp_path / "suite.yml").write_text(text + again, encoding="utf-8")
    read = fairsql.load_suite(tmp_path / "suite.yml")
    judges = judges_of(read.judges, read.tests)
    assert [(one.name, one.judge, one.where) for one in judges] == [
        ("tone", "bias", None),
        ("harm", "harmfulness", None),
        ("tone", "toxicity", "id < 3"),
    ]
