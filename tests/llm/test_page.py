"""What docs/judging.md shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb

from fairsql.cli.judge import judge as command
from fairsql.llm.judges import TEXTS, judge_names, template
from fairsql.llm.table import COLUMNS
from tests.docs.pages import blocks, run, table_rows, text

PAGE = "docs/judging.md"


def test_the_table_of_judges_is_the_catalogue() -> None:
    rows = {row[0]: row[1:] for row in table_rows(PAGE, "judge | needs")}
    assert sorted(rows) == judge_names()
    for name, (needs, sees, score, better) in rows.items():
        judge = template(name)
        assert needs.split(", ") == list(judge.texts)
        assert [one for one in sees.split(", ") if one] == sorted(judge.optional, key=TEXTS.index)
        direction = {True: "higher", False: "lower", None: "you say"}
        assert better == direction[judge.higher_is_better]
        if judge.formula:
            assert score == judge.formula


def test_the_columns_of_the_table_are_all_there() -> None:
    rows = table_rows(PAGE, "column of the table |")
    listed = [name for row in rows for name in re.findall(r"\w+", row[0])]
    assert sorted(listed) == sorted(COLUMNS)


def test_the_options_that_it_names_exist() -> None:
    known = {option for one in command.params for option in one.opts}
    named = set(re.findall(r"--[a-z-]+[a-z]", text(PAGE))) - {"--connection", "--data"}
    assert named <= known
    assert {"--dry-run", "--max-requests", "--max-cost", "--retry-errors"} <= named


def test_the_suite_judges_and_runs(tmp_path: Path) -> None:
    (suite,) = blocks(PAGE, "yaml")
    simulated = suite.replace("provider: openai", "provider: simulated")
    (tmp_path / "judges.yml").write_text(simulated, encoding="utf-8")
    with duckdb.connect(str(tmp_path / "answers.duckdb")) as connection:
        connection.execute(
            "create table answers as select i as id, 'p' || i % 2 as persona, 'question ' || i as"
            " question, 'answer ' || i as answer from range(700) as t(i)"
        )
    commands = [
        line.split() for line in blocks(PAGE)[0].splitlines() if line.startswith("fairsql ")
    ]
    dry, judging, running = (run("-m", *words, folder=tmp_path) for words in commands)
    assert dry.returncode == 0, dry.stderr
    assert "500 texts of 500" in dry.stdout
    assert judging.returncode == 0, judging.stderr
    assert "judged    500 texts" in judging.stdout
    assert running.returncode in (0, 1), running.stderr
    assert "bias of answers by group" in running.stdout


def test_a_run_before_judging_says_what_to_do(tmp_path: Path) -> None:
    (suite,) = blocks(PAGE, "yaml")
    (tmp_path / "judges.yml").write_text(suite, encoding="utf-8")
    with duckdb.connect(str(tmp_path / "answers.duckdb")) as connection:
        connection.execute(
            "create table answers (id int, persona text, question text, answer text)"
        )
    words = ("fairsql", "run", "judges.yml", "--connection", "duckdb:///answers.duckdb")
    done = run("-m", *words, folder=tmp_path)
    assert done.returncode == 4, done.stderr
    assert "run fairsql judge" in " ".join(done.stdout.split())
    assert "row_number" not in done.stdout
