"""Results as files, tables and pictures: methods that results have, each loaded when called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from fairsql.files import whole_file

if TYPE_CHECKING:
    from fairsql.results import Run


class RunViews:
    """What a run can be written as."""

    def to_csv(self) -> str:
        """Return a row for each test and group; floats have every digit."""
        from fairsql.report.separated import run_csv

        return run_csv(cast("Run", self))

    def to_junit(self) -> str:
        """Return JUnit XML, in which each test is a case."""
        from fairsql.report.junit import run_junit

        return run_junit(cast("Run", self))

    def to_markdown(self) -> str:
        """Return a summary with folded details that fits a comment on a pull request."""
        from fairsql.report.markdown import run_markdown

        return run_markdown(cast("Run", self))

    def write_json(self, path: str | Path) -> None:
        """Write the results file; whole, or not at all."""
        _write(path, cast("Run", self).to_json() + "\n")

    def write_csv(self, path: str | Path) -> None:
        """Write :meth:`to_csv`; whole, or not at all."""
        _write(path, self.to_csv())

    def write_junit(self, path: str | Path) -> None:
        """Write :meth:`to_junit`; whole, or not at all."""
        _write(path, self.to_junit())

    def write_markdown(self, path: str | Path) -> None:
        """Write :meth:`to_markdown`; whole, or not at all."""
        _write(path, self.to_markdown())


def _write(path: str | Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text)
