"""Every test of the command line works in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.samples import rows, suite_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with tables and suites; the working directory, so that names stay short."""
    monkeypatch.chdir(tmp_path)
    for name in ("FAIRSQL_CONNECTION", "FAIRSQL_TRACEBACK", "NO_COLOR", "FORCE_COLOR", "COLUMNS",
                 "CI"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    Path("fair.csv").write_text(rows(24, 30))
    Path("unfair.csv").write_text(rows(23, 30))
    Path("small.csv").write_text(rows(5, 5, size=10))
    Path("passed.yml").write_text(suite_of("fair"))
    Path("failed.yml").write_text(suite_of("fair", "unfair"))
    Path("skipped.yml").write_text(suite_of("fair", "small"))
    Path("both.yml").write_text(suite_of("unfair", "small"))
    Path("error.yml").write_text(suite_of("unfair", "nowhere", "small"))
    Path("wrong.yml").write_text(suite_of("fair").replace("[sex]", "sex"))
    return tmp_path
