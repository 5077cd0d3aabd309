"""The self-test: known answers, asked of a warehouse's own engine.

Small tables of literals, which need no right to write or even to read, go through everything that
fairsql asks of a dialect, by both paths: statistics that Python judges, with the types of columns
known, and the verdict in SQL, as in a dbt test, with types unknown. What comes back is compared
with answers that an oracle gave which shares no code with fairsql, checked against published ones.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import TYPE_CHECKING, Any

from fairsql.compile import relation as checked_relation
from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.errors import FairsqlError
from fairsql.selftest.cases import CASES, Case
from fairsql.selftest.outcomes import differences, outcome_of_rows, outcome_of_test
from fairsql.selftest.tables import HOSTILE_TEXTS, TABLES, Table
from fairsql.suite import Suite
from fairsql.warehouses import Answer, Label

if TYPE_CHECKING:
    from fairsql.results import TestResult
    from fairsql.warehouses import Warehouse

__all__ = ["CASES", "TABLES", "Case", "Check", "self_test"]

FAR = "mean and spread at 1e9"
_FAR_TOLERANCE = 1e-6
_LABEL = Label("fairsql debug --self-test")
_RESULTS = "default__fairsql_group_metric_parity_results"


@dataclass(frozen=True)
class Check:
    """One thing that was asked of the warehouse: ``faults`` says how the answer was wrong."""

    name: str
    faults: tuple[str, ...]
    seconds: float
    characters: int = 0
    query_id: str | None = None
    note: str | None = None

    @property
    def is_right(self) -> bool:
        """Whether the answer was the right one."""
        return not self.faults


def self_test(
    warehouse: Warehouse,
    on_statement: Callable[[int, int], None] | None = None,
    cases: Sequence[Case] = CASES,
) -> Iterator[Check]:
    """Run the self-test, and yield each check when it is done.

    Parameters
    ----------
    warehouse
        What :func:`fairsql.connect` returns.
    on_statement
        Called with (steps done, steps in all) before each step and at the end. A step is one
        statement, but for the columns' types.
    cases
        The tests to run on the tables, when not all.
    """
    steps = [partial(_literals, warehouse), partial(_types, warehouse)]
    for scan in dict.fromkeys(case.scan for case in cases):
        together = [case for case in cases if case.scan == scan]
        steps.append(partial(_by_python, together, warehouse))
    steps += [partial(_by_sql, case, warehouse) for case in cases]
    for done, step in enumerate(steps):
        if on_statement:
            on_statement(done, len(steps))
        yield from step()
    if on_statement:
        on_statement(len(steps), len(steps))


@cache
def _answers() -> Mapping[str, Any]:
    text = resources.files(__name__).joinpath("answers.json").read_text(encoding="utf-8")
    answers: Mapping[str, Any] = json.loads(text)
    return answers


def _literals(warehouse: Warehouse) -> Iterator[Check]:
    """Check that texts come back as they were written."""
    macros = macros_for(warehouse.dialect)
    items = [
        f"{macros.call('literal', text)} as text_{place}"
        for place, text in enumerate(HOSTILE_TEXTS)
    ]
    sql = f"select {', '.join(items)}"

    def compared(answer: Answer) -> Iterator[str]:
        (row,) = answer.rows
        for place, text in enumerate(HOSTILE_TEXTS):
            if row[f"text_{place}"] != text:
                yield f"expected {text!r}, got {row[f'text_{place}']!r}"

    yield _asked("text literals", sql, warehouse, compared)


def _types(warehouse: Warehouse) -> Iterator[Check]:
    """Check that the kinds of columns are told as what they are."""
    for table in TABLES:
        started = time.perf_counter()
        relation = _relation(table, warehouse)
        faults = []
        try:
            found = {warehouse.fold(column.name): column for column in warehouse.describe(relation)}
            for name, kind in table.kinds.items():
                column = found[warehouse.fold(name)]
                if column.kind != kind:
                    faults.append(f"{name}: expected {kind}, got {column.kind} ({column.type})")
        except FairsqlError as error:
            faults.append(str(error))
        seconds = time.perf_counter() - started
        yield Check(f"column types of {table.name}", tuple(faults), seconds, len(relation))


def _by_python(cases: Sequence[Case], warehouse: Warehouse) -> Iterator[Check]:
    """Check tests that share a scan, and that Python judges."""
    relation = cases[0].table.sql(warehouse.dialect)
    tests = (build_test(name=case.name, relation=relation, **case.test) for case in cases)
    run = Suite(tuple(tests), _LABEL.suite).run(warehouse)
    for case, test in zip(cases, run.tests, strict=True):
        faults, note = _python_faults(case, test)
        yield Check(
            f"{case.name}: Python",
            faults,
            test.elapsed_seconds,
            sum(map(len, test.sql)),
            next(iter(test.query_ids), None),
            note,
        )


def _python_faults(case: Case, test: TestResult) -> tuple[tuple[str, ...], str | None]:
    if test.status == "error":
        return (str(test.message),), None
    expected = _answers()["outcomes"][case.name]
    faults = list(differences(expected, outcome_of_test(test), case.p_value_tolerance))
    if case.name != FAR:
        return tuple(faults), None
    error = _variance_error(test)
    if not error <= _FAR_TOLERANCE:
        faults.append(f"variance: expected within {_FAR_TOLERANCE:g}, got off by {error:.1g}")
    return tuple(faults), f"variance off by {error:.1g}"


def _variance_error(test: TestResult) -> float:
    """Return the largest relative error of a group's variance; infinite where one is missing."""
    groups = {value: group for group in test.groups for value in group.key.values()}
    errors: list[float] = []
    for key, expected in _answers()["variances"].items():
        group = groups.get(key)
        squares = (group.statistics or {}).get("m2") if group else None
        if group is None or squares is None or not group.rows or group.rows < 2:
            return math.inf
        errors.append(abs(float(squares) / (group.rows - 1) / expected - 1))
    return max(errors)


def _by_sql(case: Case, warehouse: Warehouse) -> Iterator[Check]:
    """Check a test whose verdict is reached in SQL, where no column's type is known."""
    macros = macros_for(warehouse.dialect)
    test = case.test
    parameters = macros.call("catalogue")["types"]["group_metric_parity"]["parameters"]
    given = {name: test.get(name) for name in parameters}
    sql = str(macros.call(_RESULTS, _relation(case.table, warehouse), given, None, case.name, None))
    expected = _answers()["outcomes"][case.name]

    def compared(answer: Answer) -> Iterator[str]:
        if not answer.rows:
            yield "expected a row for each group, got none"
            return
        outcome = outcome_of_rows(answer.rows, list(expected.get("measurements", ())))
        yield from differences(expected, outcome, case.p_value_tolerance)

    yield _asked(f"{case.name}: SQL", sql, warehouse, compared)


def _asked(
    name: str, sql: str, warehouse: Warehouse, compared: Callable[[Answer], Iterator[str]]
) -> Check:
    """Return the check of one statement's answer."""
    started = time.perf_counter()
    query_id = None
    try:
        answer = warehouse.run(sql, _LABEL)
        query_id = answer.query_id
        faults = tuple(compared(answer))
    except FairsqlError as error:
        faults = (str(error),)
    return Check(name, faults, time.perf_counter() - started, len(sql), query_id)


def _relation(table: Table, warehouse: Warehouse) -> str:
    return checked_relation(table.sql(warehouse.dialect), warehouse.dialect, table.name)
