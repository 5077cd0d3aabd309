"""Results as text for people; pure functions from results to what is shown."""

from __future__ import annotations

from fairsql.report.evidence import breaking_groups
from fairsql.report.facts import facts_table
from fairsql.report.html import render_html
from fairsql.report.insight import Insight
from fairsql.report.insights import insights
from fairsql.report.marks import ASCII, UNICODE, Marks, marks_for
from fairsql.report.results_file import load_run, parse_run
from fairsql.report.spelling import spelt_run, spelt_test
from fairsql.report.terminal import run_table, verdict_line
from fairsql.report.words import counted, number, sentence, shown

__all__ = [
    "ASCII",
    "UNICODE",
    "Insight",
    "Marks",
    "breaking_groups",
    "counted",
    "facts_table",
    "insights",
    "load_run",
    "marks_for",
    "number",
    "parse_run",
    "render_html",
    "run_table",
    "sentence",
    "shown",
    "spelt_run",
    "spelt_test",
    "verdict_line",
]
