"""A run of every type of test, on the admissions that turn round when one looks within departments.

The counts are those of graduate admissions at Berkeley in 1973 (Bickel, Hammel and O'Connell,
*Science* 187, 1975, 398-404), as R's ``UCBAdmissions`` has them. All other columns are arithmetic.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

import fairsql

if TYPE_CHECKING:
    from fairsql.results import Run, TestResult

SUITE = Path(__file__).resolve().parents[1] / "data" / "every_type.yml"
ADMISSIONS = {
    ("A", "Male"): (512, 313),
    ("A", "Female"): (89, 19),
    ("B", "Male"): (353, 207),
    ("B", "Female"): (17, 8),
    ("C", "Male"): (120, 205),
    ("C", "Female"): (202, 391),
    ("D", "Male"): (138, 279),
    ("D", "Female"): (131, 244),
    ("E", "Male"): (53, 138),
    ("E", "Female"): (94, 299),
    ("F", "Male"): (22, 351),
    ("F", "Female"): (24, 317),
}
"""Department and sex -> admitted, rejected."""

TABLE = "applicants"


def applicants(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """A connection with the table ``applicants``: a row for each who applied."""
    connection = duckdb.connect(path)
    connection.execute(f"create table {TABLE} (department varchar, sex varchar, admitted int)")
    for (department, sex), counts in ADMISSIONS.items():
        for admitted, rows in zip((1, 0), counts, strict=True):
            connection.execute(
                f"insert into {TABLE} select ?, ?, ? from range(?)",
                [department, sex, admitted, rows],
            )
    for column, formula in {
        "score": "(rowid * 7919 % 1000) / 2000.0 + admitted * 0.2 + (sex = 'Male')::int * 0.1",
        "predicted": "case when rowid % (case sex when 'Male' then 7 else 4 end) = 0"
        " then 1 - admitted else admitted end",
        "grade": "['low', 'middle', 'high'][rowid % 3 + 1]",
        "predicted_grade": "['low', 'middle', 'high'][(rowid + (rowid % 5 = 0)::int) % 3 + 1]",
        "waited": "rowid % 30 + case department when 'E' then 12 else 0 end",
    }.items():
        kind = "varchar" if "grade" in column else "double" if column == "score" else "int"
        connection.execute(f"alter table {TABLE} add column {column} {kind}")
        connection.execute(f"update {TABLE} set {column} = {formula}")
    return connection


@cache
def every_type() -> Run:
    """Return the results of the suite."""
    return fairsql.load_suite(SUITE).run(applicants())


def result(name: str) -> TestResult:
    """Return the result of one of its tests."""
    return next(test for test in every_type().tests if test.name == name)
