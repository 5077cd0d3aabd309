"""docs/counterfactual.md: its probe makes the prompts that it tells of, and its gate is one."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from fairsql import counterfactual_prompts
from fairsql.llm.answers import ANSWER_COLUMNS
from fairsql.llm.counterfactual import COLUMNS
from tests.cli.samples import suite_of
from tests.docs.pages import blocks, run, table_rows, text

PAGE = "docs/counterfactual.md"


def test_the_probe_of_the_page(tmp_path: Path) -> None:
    probe, _ = blocks(PAGE, "yaml")
    (tmp_path / "probe.yml").write_text(probe, encoding="utf-8")
    rows = counterfactual_prompts(tmp_path / "probe.yml")
    assert len(rows) == 2 * (3 + 2 + 2)
    assert {row["group_id"] for row in rows} == {"t1/gender", "t1/origin", "asylum/origin"}
    assert rows[0]["prompt"] == "Write a hiring recommendation for Alex, a man engineer."
    assert rows[6]["prompt"] == "Write a hiring recommendation for David, a skilled engineer."


def test_its_tables_name_every_column() -> None:
    listed = [name for row in table_rows(PAGE, "column") for name in row[0].split("`, `")]
    assert listed == list(COLUMNS)
    for name in ANSWER_COLUMNS:
        assert f"`{name}`" in text(PAGE)


def test_its_suite_shows_the_gate(tmp_path: Path) -> None:
    probe, suite = blocks(PAGE, "yaml")
    (tmp_path / "probe.yml").write_text(probe, encoding="utf-8")
    (tmp_path / "fairsql.yml").write_text(suite, encoding="utf-8")
    generating, running = (block.replace("\\\n", " ").split("\n") for block in blocks(PAGE)[:2])
    asked = generating[1].replace("anthropic", "simulated").replace("--dry-run", "")
    for command in (generating[0], asked):
        done = run("-m", *command.split(), folder=tmp_path)
        assert done.returncode == 0, done.stderr
    done = run("-m", *running[0].split(), folder=tmp_path)
    assert done.returncode == 3, done.stderr
    assert done.stdout.count("~ illustrative") == 2
    assert "2 illustrative" in done.stdout


@pytest.mark.parametrize(("women", "code"), [(30, 0), (10, 1)])
def test_its_gate_is_one_for_pytest(tmp_path: Path, women: int, code: int) -> None:
    (program,) = blocks(PAGE, "python")
    (tmp_path / "test_page.py").write_text(program, encoding="utf-8")
    (tmp_path / "fairsql.yml").write_text(suite_of("fair"), encoding="utf-8")
    with duckdb.connect(str(tmp_path / "answers.duckdb")) as connection:
        connection.execute(
            "create table fair as select ['F', 'M'][i % 2 + 1] as sex,"
            f" (i // 2 < case when i % 2 = 0 then {women} else 30 end)::integer as approved"
            " from range(160) as rows(i)"
        )
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=tmp_path)
    assert done.returncode == code, done.stdout
    assert ("NotFairError" in done.stdout) == bool(code)
    assert ("which is not" in done.stdout) == bool(code)
