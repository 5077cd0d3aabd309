"""``fairsql judge``: what it shows, what it writes, and its exit codes."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from fairsql.cli import main

SUITE = """
version: 1
judges:
  - name: tone
    judge: bias
    model: m
    provider: simulated
    relation: answers
    output_column: answer
    prices: {input: 1000, output: 2000}
  - name: harm
    judge: harmfulness
    model: m
    provider: simulated
    relation: answers
    output_column: answer
    sample_size: 5
    prices: {input: 1000, output: 2000}
tests:
  - name: t
    type: group_column_statistic
    relation: answers
    judges: [tone]
    protected_attribute_columns: [grp]
    statistic: mean
    value_column: tone_score
    operator: "<="
    value: 1
    min_group_size: 1
"""


@pytest.fixture(autouse=True)
def _answers() -> None:
    Path("judges.yml").write_text(SUITE, encoding="utf-8")
    with duckdb.connect("answers.duckdb") as connection:
        connection.execute(
            "create table answers as select 'g' || i % 2 as grp, 'answer ' || i as answer"
            " from range(20) as t(i)"
        )


def judge(*options: str, suite: str = "judges.yml") -> Result:
    connection = ("--connection", "duckdb:///answers.duckdb")
    return CliRunner().invoke(main, ["judge", suite, *connection, *options])


def test_it_judges_and_a_run_reads_it() -> None:
    result = judge()
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:4] == [
        "tone",
        "  judged    20 texts",
        "  requests  20",
        result.stdout.splitlines()[3],
    ]
    assert "harm\n  judged    5 texts\n" in result.stdout
    run = CliRunner().invoke(
        main, ["run", "judges.yml", "--connection", "duckdb:///answers.duckdb"]
    )
    assert run.exit_code == 0, run.output
    again = judge()
    assert again.exit_code == 0
    assert "  judged         0 texts\n  judged before  20\n  requests       0\n" in again.stdout


def test_a_dry_run_asks_nobody_and_writes_nothing() -> None:
    result = judge("--dry-run")
    assert result.exit_code == 0
    assert "to judge  20 texts of 20" in result.stdout
    assert "to judge  5 texts of 5" in result.stdout
    assert "cost      about " in result.stdout
    assert "Nobody was asked" in result.stdout
    with duckdb.connect("answers.duckdb", read_only=True) as connection:
        assert connection.sql("show tables").fetchall() == [("answers",)]


def test_a_name_selects_a_judge() -> None:
    result = judge("--select", "ha*")
    assert result.stdout.startswith("harm\n")
    assert "tone" not in result.stdout
    wrong = judge("--select", "tune")
    assert wrong.exit_code == 2
    assert "no judge is called 'tune'. Did you mean 'tone'?" in wrong.stderr


@pytest.mark.parametrize("option", [("--max-requests", "7"), ("--max-cost", "4.5")])
def test_a_limit_ends_in_code_3(option: tuple[str, str]) -> None:
    result = judge(*option)
    assert result.exit_code == 3
    assert "left" in result.stdout
    assert "A limit was reached" in result.stderr
    assert judge().exit_code == 0


def test_a_provider_that_says_no_ends_in_code_4(monkeypatch: pytest.MonkeyPatch) -> None:
    from fairsql.llm import running
    from fairsql.llm.providers import ProviderError
    from tests.llm.test_judging import Scripted

    refusing = Scripted(ProviderError("the service refuses the key in A_KEY (401)."))
    monkeypatch.setattr(running, "open_provider", lambda _: refusing)
    result = judge()
    assert result.exit_code == 4
    assert "Error: the service refuses the key in A_KEY (401)." in result.stderr
    assert "  left      20\n" in result.stdout


def test_a_key_that_is_not_set_ends_in_code_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    Path("judges.yml").write_text(SUITE.replace("provider: simulated", ""), encoding="utf-8")
    result = judge()
    assert result.exit_code == 2
    assert "OPENAI_API_KEY is not set in the environment" in result.stderr
    assert judge("--dry-run").exit_code == 0


def test_a_suite_without_judges_is_told() -> None:
    result = judge(suite="passed.yml")
    assert result.exit_code == 2
    assert "the suite has no judges" in result.stderr


def test_replies_are_recorded_and_replayed() -> None:
    assert judge("--select", "tone", "--record", "replies.jsonl").exit_code == 0
    with duckdb.connect("answers.duckdb") as connection:
        connection.execute("create table before as from fairsql_judgements")
        connection.execute("drop table fairsql_judgements")
    result = judge("--select", "tone", "--replay", "replies.jsonl")
    assert result.exit_code == 0, result.output
    with duckdb.connect("answers.duckdb") as connection:
        assert connection.sql(
            "select count(*), count(distinct b.provider) from fairsql_judgements as a join before"
            " as b using (input_hash, score, reason)"
        ).fetchall() == [(20, 1)]
    named = "provider: recorded\n    parameters: {recordings: replies.jsonl}"
    Path("named.yml").write_text(SUITE.replace("provider: simulated", named, 1), encoding="utf-8")
    with duckdb.connect("answers.duckdb") as connection:
        connection.execute("drop table fairsql_judgements")
    assert judge("--select", "tone", suite="named.yml").exit_code == 0
    missed = judge("--select", "harm", "--replay", "replies.jsonl")
    assert missed.exit_code == 4
    assert "asks nobody" in missed.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--max-requests", "0"), "must be a number above 0"),
        (("--max-cost", "nan"), "must be a number above 0"),
        (("--concurrency", "0"), "0 is not in the range"),
        (("--record", "judges.yml"), "--record cannot write to 'judges.yml', which is the suite"),
        (("--replay", ""), "is empty"),
    ],
)
def test_wrong_usage_ends_in_code_2(options: tuple[str, str], message: str) -> None:
    result = judge(*options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_a_judge_in_the_warehouse_is_not_asked_from_here() -> None:
    text = SUITE.replace("provider: simulated", "provider: in_warehouse", 1)
    Path("judges.yml").write_text(text, encoding="utf-8")
    result = judge()
    assert result.exit_code == 0
    assert "tone: judged in the warehouse itself, not from here." in result.stderr
    assert result.stdout.startswith("harm\n")
