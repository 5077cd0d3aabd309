"""Every benchmark runs, on tiny tables, and what it compares would show a wrong number."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import checking, report
from benchmarks.__main__ import BENCHMARKS
from benchmarks.checking import WrongNumberError
from benchmarks.measuring import ROOT
from benchmarks.page import PAGE
from benchmarks.setting import Setting

IN_A_GROUP = {"engines": "spark", "dbt": "benchmarks-dbt"}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[Any, ...]]]:
    """The arguments of every comparison that was made."""
    found: list[tuple[Any, ...]] = []
    same = checking.same

    def seen(*arguments: Any) -> int:
        found.append(arguments)
        return same(*arguments)

    monkeypatch.setattr(checking, "same", seen)
    yield found
    monkeypatch.setattr(checking, "same", same)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xdist_group(IN_A_GROUP[name]))
        if name in IN_A_GROUP
        else name
        for name in BENCHMARKS
    ],
)
def test_a_benchmark_runs_and_would_show_a_wrong_number(
    name: str, tables: Path, compared: list[tuple[Any, ...]]
) -> None:
    section = BENCHMARKS[name].function(name)(Setting(tables, quick=True))
    assert section.name == name
    assert section.checked == sum(len(ours) for _, ours, _ in compared) > 0
    assert f"<!-- {name}: begin -->" in PAGE.read_text(encoding="utf-8")
    assert len(report.table(section).splitlines()) >= len(section.rows) + 2
    assert all(target.measured for target in section.targets)
    for what, ours, theirs in list(compared):
        key, value = next((key, value) for key, value in ours.items() if value)
        with pytest.raises(WrongNumberError, match="1 of"):
            checking.same(what, {**ours, key: value * (1 + 1e-6)}, theirs)


def test_a_run_refreshes_a_page_of_its_own(tables: Path, tmp_path: Path) -> None:
    before = PAGE.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks", "--quick", "--only", "sums"]
    done = subprocess.run(
        [*command, "--tables", str(tables), "--page", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (section,) = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert section["checked"] > 0
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| fairsql, 50 tests |" in page
    assert section["conditions"] in page
    assert (tmp_path / "images" / "targets.svg").read_text(encoding="utf-8").startswith("<svg")
    assert PAGE.read_text(encoding="utf-8") == before
