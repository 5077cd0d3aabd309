"""What docs/outputs.md says is so: its columns, its commands and its suite."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

import fairsql
from fairsql.records import COLUMNS
from tests.cli.samples import call, rows, suite_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "outputs.md").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    return [line.split()[1:] for line in re.findall(r"(?m)^fairsql .*$", PAGE)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fairsql.yml").write_text(suite_of("loans"))
    (tmp_path / "loans.csv").write_text(rows(24, 30))
    return tmp_path


def test_every_column_of_csv_is_listed_in_order() -> None:
    _, _, table = PAGE.partition("| columns | what they hold |\n")
    listed = [
        name
        for line in table.split("\n\n")[0].splitlines()[1:]
        for name in re.findall("`([a-z_0-9]+)`", line.split(" | ")[0])
    ]
    assert listed == list(COLUMNS)


def test_the_commands_do_what_they_say(folder: Path) -> None:
    written, kept, preset = commands()
    assert call(*written).exit_code == 0
    assert (folder / "comment.md").read_text().startswith("### fairsql: 1 passed")
    assert "<testsuite " in (folder / "junit.xml").read_text()
    assert len(list(csv.reader(io.StringIO((folder / "groups.csv").read_text())))) == 3
    assert call(*kept).exit_code == 0
    (past,) = fairsql.read_history("history.duckdb")
    assert (past.test, past.status) == ("approvals by sex", "passed")
    assert call(*written[:4], "--json", "results.json").exit_code == 0
    assert "| F | 80 | 24 | 30.00 % |" in call(*preset).stdout


def test_the_suite_of_local_law_144_makes_its_tables(folder: Path) -> None:
    (suite,) = re.findall(r"(?ms)^```yaml\n(.*?)^```$", PAGE)
    (folder / "audit.yml").write_text(suite, encoding="utf-8")
    people = "F,Black,1\nF,White,0\nM,Black,1\nM,White,1\nUnknown,White,1\n" * 40
    (folder / "applicants.csv").write_text("sex,race,selected\n" + people)
    data = ("--data", "applicants=applicants.csv", "--json", "results.json")
    assert call("run", "audit.yml", *data).exit_code in (0, 1)
    text = call("report", "results.json", "--preset", "nyc-ll144").stdout
    assert "Not as the rule asks" not in text
    assert "Not complete" not in text
    assert "In no category, since race or sex is unknown: 40 rows." in text
