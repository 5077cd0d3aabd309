"""`fairsql init`: what it guesses, and that what it writes runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

import fairsql
from fairsql.cli import main

DEMO = Path(fairsql.__file__).parent / "demo"
LOANS = """
create table loans as select
    case when i % 2 = 0 then 'F' else 'M' end as gender,
    20 + i % 60 as age,
    chr(65 + (i % 3)::int) as branch,
    (i * 7919 % 1000) / 1000.0 as default_probability,
    case when i % 5 < 2 then 'yes' else 'no' end as approved,
    i % 7 = 0 as defaulted,
    (i * 104729) % 9000 as amount,
    [i] as history
from range(400) as rows(i)
"""


def database(*statements: str, name: str = "own.duckdb") -> str:
    with duckdb.connect(name) as connection:
        for statement in statements:
            connection.execute(statement)
    return f"duckdb:///{name}"


def init(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["init", *arguments])
    assert "Traceback" not in result.output
    return result


def written(*arguments: str) -> str:
    result = init("-o", "-", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def suite_in(text: str) -> dict[str, Any]:
    Path("checked.yml").write_text(text, encoding="utf-8")
    return {test.name: test for test in fairsql.load_suite("checked.yml").tests}


def with_every_comment_taken_away(text: str) -> str:
    return re.sub(r"(?m)^  # (?=- name:|  \w+:)", "  ", text)


def test_what_it_writes_runs_and_every_test_can_be_judged() -> None:
    files = ("--data", f"compas={DEMO / 'compas.csv'}", "--data", f"adult={DEMO / 'adult.csv'}")
    result = init(*files)
    assert result.exit_code == 0
    run = CliRunner().invoke(main, ["run", "fairsql.yml", *files])
    assert run.exit_code in (0, 1), run.output
    assert "skipped" not in run.output


def test_the_command_it_names_is_the_one_that_runs_it() -> None:
    url = database(LOANS)
    command = f"fairsql run fairsql.yml --connection {url}"
    assert f"\n  {command}\n" in init("--connection", url).stdout
    assert f"#   {command}\n" in Path("fairsql.yml").read_text()


def test_likely_tests_run_and_doubtful_ones_are_comments() -> None:
    text = written("--connection", database(LOANS))
    active = suite_in(text)
    assert set(active) == {"loans: AUC by gender", "loans: rate of approved by gender"}
    ranking, approvals = active.values()
    assert (ranking.score_column, ranking.ground_truth_column) == (
        "default_probability",
        "defaulted",
    )
    assert ranking.positive_values == ("true",)
    assert (approvals.positive_values, approvals.higher_is_better) == (("yes",), True)
    possible = suite_in(with_every_comment_taken_away(text))
    assert set(possible) - set(active) == {
        "loans: rate of approved by branch",
        "loans: Brier score by gender",
        "loans: mean of amount by gender",
        "loans: p95 of amount by gender",
    }
    run = fairsql.load_suite("checked.yml").run(fairsql.connect("duckdb:///own.duckdb"))
    assert {test.status for test in run.tests} <= {"passed", "failed"}


def test_it_says_what_it_saw() -> None:
    text = written("--connection", database(LOANS))
    assert "  # Groups: gender (2).\n" in text
    assert "  # Too many values to be groups: age (60).\n" in text
    assert "  # Perhaps groups: branch (3).\n" in text
    assert "history" not in text  # a list is nothing to compare


def test_an_identifier_is_no_amount() -> None:
    text = written("--connection", database(LOANS.replace("as amount", "as loan_id")))
    assert "loan_id" not in text


def test_a_prediction_is_known_by_the_column_it_predicts() -> None:
    text = written("--data", f"compas={DEMO / 'compas.csv'}")
    tests = suite_in(with_every_comment_taken_away(text))
    npv = tests["compas: meaning of a negative prediction by race"]
    assert (npv.prediction_column, npv.ground_truth_column) == (
        "predicted_recid",
        "two_year_recid",
    )
    assert tests["compas: rate of predicted_recid by race"].higher_is_better is False


def test_a_table_of_doubts_gives_one_test_all_the_same() -> None:
    url = database("create table calls as select i % 4 || 'x' as team, i * 3 as latency_ms "
                   "from range(200) as rows(i)")  # fmt: skip
    (test,) = suite_in(written("--connection", url)).values()
    assert (test.parity_metric, test.value_column, test.higher_is_better) == (
        "mean",
        "latency_ms",
        False,
    )


@pytest.mark.parametrize(
    "names",
    [
        ("my table", "Gender (self-declared)", "approved: yes/no"),
        ('quo"ted', "sex 'x'", 'approved "y"'),
        ("näme", "sex #1", "approved\\n, [a]"),
        ("two\nlines", "sex\ttab", "approved\nor not"),
        ("yes", "race", "approved"),
    ],
)
def test_names_of_any_kind_survive(names: tuple[str, str, str]) -> None:
    table, group, value = ('"' + name.replace('"', '""') + '"' for name in names)
    url = database(
        f"create table {table} as select 'abc'[1 + i % 2] as {group}, i % 3 = 0 as {value} "
        "from range(200) as rows(i)"
    )
    (test,) = suite_in(written("--connection", url)).values()
    assert (test.relation, test.protected_attribute_columns, test.value_column) == (
        names[0],
        (names[1],),
        names[2],
    )
    run = CliRunner().invoke(main, ["run", "checked.yml", "--connection", url])
    assert run.exit_code in (0, 1), run.output


def test_a_table_that_cannot_be_read_is_a_comment() -> None:
    url = database(
        LOANS,
        "create view broken as select * from loans",
        "create view fine as select gender, approved from loans",
        "alter table loans rename to moved",
    )
    text = written("--connection", url, "--relation", "broken", "--relation", "moved")
    assert re.search(r"# --- broken -+\n  # It cannot be read: ", text)
    assert len(suite_in(text)) == 2


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("select 1", "no table at all"),
        ("create table numbers as select 1 as one", "no test can be guessed for numbers"),
        ("create table empty (gender text, approved int)", "no test can be guessed for empty"),
    ],
)
def test_where_nothing_can_be_guessed_nothing_is_written(statement: str, message: str) -> None:
    result = init("--connection", database(statement))
    assert result.exit_code == 2
    assert message in result.stderr
    assert not Path("fairsql.yml").exists()


def test_an_existing_file_is_overwritten_only_by_force() -> None:
    url = database(LOANS)
    Path("fairsql.yml").write_text("mine")
    result = init("--connection", url)
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert Path("fairsql.yml").read_text() == "mine"
    assert init("--connection", url, "--force").exit_code == 0
    assert Path("fairsql.yml").read_text() != "mine"


def test_a_password_is_written_nowhere() -> None:
    url = database(LOANS, name="me@secret.duckdb")
    result = init("--connection", url)
    assert result.exit_code == 0
    assert "secret" not in result.output + Path("fairsql.yml").read_text()


def test_no_value_of_a_row_is_written_but_a_yes() -> None:
    url = database(
        "create table people as select 'name ' || i as full_name, 'F' as sex, 'no' as hired "
        "from range(60) as rows(i) union all select 'x', 'M', 'yes'"
    )
    text = with_every_comment_taken_away(written("--connection", url))
    assert "name 1" not in text
    assert '["yes"]' in text


def test_many_tables_are_cut_and_said_so() -> None:
    statements = [LOANS.replace("loans", f"loans_{number:02}") for number in range(22)]
    result = init("--connection", database(*statements))
    assert result.exit_code == 0
    assert "2 more relations were left out" in result.stderr
    assert len(suite_in(Path("fairsql.yml").read_text())) == 40
