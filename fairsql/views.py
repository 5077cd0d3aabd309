"""Results as files, tables and pictures: methods that results have, each loaded when called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import altair

    from fairsql.records import Past
    from fairsql.results import Run, TestResult


class TestViews:
    """How a test's result is seen in a notebook."""

    __test__ = False  # pytest: no test case

    def plot(self) -> altair.LayerChart | altair.VConcatChart:
        """Return a chart of the groups, which a notebook shows; of several parts one chart each.

        It has each group's value and interval, the comparison point and the line beyond which a
        group fails; groups with too few rows stand apart.
        """
        from fairsql.report.charts import group_chart

        return group_chart(cast("TestResult", self))

    def _repr_html_(self) -> str:
        from fairsql.report.notebook import result_html

        return result_html(cast("TestResult", self))


class RunViews:
    """What a run can be written as, and how a notebook shows it."""

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

    def _repr_html_(self) -> str:
        from fairsql.report.notebook import run_html

        return run_html(cast("Run", self))

    def write_html(self, path: str | Path, history: Sequence[Past] = ()) -> None:
        """Write the report as one HTML file; whole, or not at all.

        Parameters
        ----------
        path
            The file.
        history
            What :func:`fairsql.read_history` returns, to show each measurement over time.

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        from fairsql.report import render_html

        _write(path, render_html(cast("Run", self), history))

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
    from fairsql.files import whole_file

    with whole_file(path) as file:
        file.write(text)
