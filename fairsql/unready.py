"""Tests that were asked for and cannot run: each has a result that says why, under its name."""

from __future__ import annotations

from dataclasses import dataclass

from fairsql.records import MEASUREMENTS
from fairsql.results import Rows, TestResult


@dataclass(frozen=True)
class Unready:
    """A test that cannot run.

    Attributes
    ----------
    name, type
        As results call it.
    message
        Why it cannot run, as a sentence.
    relation
        The table that it would read, if one is named.
    """

    name: str
    type: str
    message: str
    relation: str | None = None

    def result(self) -> TestResult:
        """Return the error that stands for the test in a run."""
        return TestResult(
            name=self.name,
            type=self.type,
            relation=self.relation or "no relation",
            status="error",
            reason="error",
            message=self.message,
            notes=(),
            parameters={},
            rows=Rows(),
            overall_value=None,
            comparison=None,
            measurements=dict.fromkeys(MEASUREMENTS),
            thresholds=(),
            groups_total=None,
            groups=(),
        )
