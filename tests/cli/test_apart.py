"""What a command writes is never what it reads, by whatever name; no two things are one file."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pytest

import fairsql
from tests.cli.samples import DATA, call

FORMATS = ("--json", "--html", "--markdown", "--junit", "--csv")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def refused(folder: Path, *arguments: str) -> str:
    """Call, and require that it is wrong usage and that not a byte in the folder is another."""
    before = contents(folder)
    result = call(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert contents(folder) == before
    return result.stderr


@pytest.fixture
def names(folder: Path) -> dict[str, str]:
    """Other names of each file that is read: of itself, by a soft link and by a hard one."""
    with duckdb.connect("loans.duckdb") as connection:
        connection.execute("create table fair as from 'fair.csv'")
    call("run", "passed.yml", *DATA, "--history", "h.duckdb", "--json", "r.json")
    found = {}
    for name in ("passed.yml", "fair.csv", "loans.duckdb", "h.duckdb", "r.json"):
        os.link(name, f"hard-{name}")
        Path(f"soft-{name}").symlink_to(name)
        for spelling in (name, f"./{name}", str(folder / name), f"soft-{name}", f"hard-{name}"):
            found[spelling] = name
    return found


@pytest.mark.parametrize("option", FORMATS)
def test_a_run_replaces_nothing_that_it_reads(
    option: str, folder: Path, names: dict[str, str]
) -> None:
    own = {"passed.yml": "the suite", "fair.csv": "data that is read"}
    for spelling, name in names.items():
        if name in own:
            said = refused(folder, "run", "passed.yml", *DATA, option, spelling)
            assert f"{option} cannot write to {spelling!r}, which is {own[name]}." in said
        if name == "h.duckdb":
            said = refused(folder, "run", "passed.yml", *DATA, option, spelling, "--history", name)
            assert f"{option} and --history cannot both write to 'h.duckdb'." in said
        if name == "loans.duckdb":
            url = ("--connection", "duckdb:///loans.duckdb")
            said = refused(folder, "run", "passed.yml", *url, option, spelling)
            assert "which is a database that is read." in said


def test_files_of_a_pattern_are_read_too(folder: Path) -> None:
    said = refused(folder, "run", "passed.yml", "--data", "fair=f*.csv", "--csv", "fair.csv")
    assert "which is data that is read." in said


def test_the_environment_s_database_is_read_too(names: dict[str, str]) -> None:
    assert "soft-loans.duckdb" in names
    result = call(
        "run", "passed.yml", "--html", "soft-loans.duckdb",
        env={"FAIRSQL_CONNECTION": "duckdb:///loans.duckdb"},
    )  # fmt: skip
    assert result.exit_code == 2
    assert "which is a database that is read." in result.stderr
    with duckdb.connect("loans.duckdb") as connection:
        assert connection.execute("select count(*) from fair").fetchall() == [(160,)]


def test_a_report_replaces_neither_results_nor_history(folder: Path, names: dict[str, str]) -> None:
    for spelling, name in names.items():
        if name in ("r.json", "h.duckdb"):
            arguments = ("report", "r.json", "--history", "h.duckdb", "-o", spelling)
            what = "the results" if name == "r.json" else "the history"
            assert f"which is {what}." in refused(folder, *arguments)
    assert fairsql.load_run("r.json").passed


def test_a_new_suite_replaces_no_data(folder: Path, names: dict[str, str]) -> None:
    assert names
    said = refused(folder, "init", "--data", "fair=fair.csv", "--force", "-o", "soft-fair.csv")
    assert "which is data that is read." in said
    url = ("--connection", "duckdb:///loans.duckdb")
    said = refused(folder, "init", *url, "--force", "-o", "hard-loans.duckdb")
    assert "which is a database that is read." in said


def test_the_demo_s_files_are_its_own() -> None:
    result = call("demo", "d", "--markdown", "d/demo.duckdb")
    assert result.exit_code == 2
    assert "which is a file of the demo." in result.stderr


def test_two_formats_by_two_names_are_told_apart_by_the_file(folder: Path) -> None:
    Path("link").symlink_to("out")
    said = refused(folder, "run", "passed.yml", *DATA, "--json", "out", "--csv", "link")
    assert "--json and --csv cannot both write to 'link'." in said
    said = refused(folder, "run", "passed.yml", *DATA, "--json", "out", "--history", "./out")
    assert "--json and --history cannot both write to './out'." in said
    said = refused(folder, "run", "passed.yml", *DATA, "--json", "-", "--csv", "/dev/stdout")
    assert "--json and --csv cannot both write to stdout." in said


@pytest.mark.parametrize("option", [*FORMATS, "--history"])
@pytest.mark.parametrize("value", ["", " "])
def test_a_variable_that_is_not_set_is_no_file(option: str, value: str, folder: Path) -> None:
    said = refused(folder, "run", "passed.yml", *DATA, option, value)
    assert f"'{option}': is empty; is a variable not set?" in said


def test_neither_is_it_a_report_s() -> None:
    call("run", "passed.yml", *DATA, "--json", "r.json")
    for arguments in (["-o", ""], ["-o", "x.html", "--history", ""], ["--connection", ""]):
        command = ["init"] if "--connection" in arguments else ["report", "r.json"]
        result = call(*command, *arguments)
        assert result.exit_code == 2
        assert "is empty; is a variable not set?" in result.stderr
    assert not Path("x.html").exists()
