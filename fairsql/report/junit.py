"""A run as JUnit XML, for CI servers: a test case for each test.

A skipped test is skipped, an error an error, and a failed test a failure that names the broken
thresholds. An illustrative test is skipped too, since a CI server knows no fourth: it is neither a
pass nor a failure. What a person would look at stands in the text: the groups, and the notes.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from fairsql.report.listings import groups_left, listings
from fairsql.report.words import (
    asked,
    counted,
    headline,
    number,
    sentence,
    shortened,
    shown,
    told_apart,
)
from fairsql.results import is_illustrative

if TYPE_CHECKING:
    from junitparser import TestCase

    from fairsql.results import Run, TestResult

_LONGEST_RELATION = 100  # columns; it may be a select

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?", re.ASCII)


def run_junit(run: Run) -> str:
    """Return a run as JUnit XML: one ``testsuite``, valid by the schema of Jenkins' xUnit plugin.

    The times of tests that shared a statement are the statement's, and the suite's is the sum over
    statements.
    """
    from junitparser import TestSuite

    suite = TestSuite(f"fairsql {shown(run.suite or '')}".rstrip())
    if _TIME.fullmatch(run.started_at):
        suite.timestamp = run.started_at.removesuffix("Z")
    suite.add_property("fairsql_version", shown(run.fairsql_version))
    suite.add_property("dialect", shown(run.dialect))
    suite.add_property("warehouse", shown(run.warehouse_name))
    suite.add_property("scans", str(run.scans))
    suite.add_testcases([_case(test) for test in told_apart(run.tests)])
    elapsed = {test.sql: test.elapsed_seconds for test in run.tests}
    suite.time = _seconds(sum(elapsed.values()))
    out = io.BytesIO()
    suite.write(out)
    return f"{out.getvalue().decode('utf-8')}\n"


def _case(test: TestResult) -> TestCase:
    from junitparser import Error, Failure, Skipped
    from junitparser import TestCase as Case

    case = Case(shown(test.name), _class_name(test), _seconds(test.elapsed_seconds))
    message = headline(test)
    text = "\n".join(_lines(test))
    if is_illustrative(test):
        case.result = [Skipped(f"illustrative: {message}", "illustrative")]
    elif test.status == "failed":
        failure = Failure(message, "threshold")
        failure.text = text
        case.result = [failure]
    elif test.status == "error":
        case.result = [Error(message, shown(test.reason or "error"))]
    elif test.status == "skipped":
        case.result = [Skipped(message, shown(test.reason or "skipped"))]
    case.system_out = text
    return case


def _class_name(test: TestResult) -> str:
    """Return what a CI server lists tests under: it splits a class name at the last dot."""
    return f"fairsql.{shortened(sentence(test.relation), _LONGEST_RELATION).replace('.', '/')}"


def _lines(test: TestResult) -> list[str]:
    lines = [asked(test)]
    lines += [
        f"{shown(name)}: {number(value)}"
        for name, value in test.measurements.items()
        if value is not None
    ]
    for listing in listings(test):
        lines += [] if listing.title is None else [f"{listing.title}:"]
        for name, cells in listing.rows:
            facts = [f"{title} {text}" for title, text in cells.items() if title and text]
            facts += [cells[""]] if cells[""] else []
            lines.append(f"{name}: {', '.join(facts)}")
    if left := groups_left(test):
        lines.append(f"and {counted(left, 'more group')}")
    return lines + [sentence(note) for note in test.notes]


def _seconds(seconds: float) -> float:
    return round(seconds, 3)
