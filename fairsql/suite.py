"""A suite, start to end: the body of the public API and of the command line."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from importlib import metadata
from typing import TYPE_CHECKING, Any

from fairsql import reasons
from fairsql.cardinality import Findings, findings, look_of, narrowed, put_into
from fairsql.compile import Statement, group_rows
from fairsql.errors import (
    ConfigurationError,
    FairsqlError,
    TooLateError,
    WarehouseError,
    did_you_mean,
)
from fairsql.planning import Plan, plan_of, statement_of, statements_of, when
from fairsql.reasons import Skip
from fairsql.results import GroupStatistics, Run, TestResult, TestStatistics
from fairsql.verdict import judge, unjudged
from fairsql.version import __version__
from fairsql.warehouses import Label, Warehouse, connect
from fairsql.windows import Backfill, Moment, now

if TYPE_CHECKING:
    from datetime import datetime

    from fairsql.config import Question, Test
    from fairsql.config.judging import JudgeSpec
    from fairsql.plan import Request
    from fairsql.unready import Unready

# What a verdict asks of the whole before all; a relation without rows has no group to be whole of.
_COUNTS = ("rows_total", "missing_metric_inputs", "missing_attribute", "evaluated", "groups_total")


@dataclass(frozen=True)
class Suite:
    """Tests that are run together, so that those over one relation share a scan.

    Attributes
    ----------
    tests
        The tests that can run.
    source
        The file they were read from.
    unready
        Tests that were asked for and cannot run; each is an error in the results.
    order
        Names in the order of the file; without it the tests come first.
    notes
        Name -> notes that its result has besides its own.
    judges
        Those of the suite file, which :program:`fairsql judge` asks.
    one_by_one
        True lets a test that does not fit the warehouse be an error, instead of refusing them all.
    """

    tests: tuple[Test, ...]
    source: str | None = None
    unready: tuple[Unready, ...] = ()
    order: tuple[str, ...] = ()
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    judges: tuple[JudgeSpec, ...] = ()
    one_by_one: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every test, in the order of the file."""
        names = [test.name for test in self.tests] + [test.name for test in self.unready]
        return self.order or tuple(names)

    def select(self, patterns: Sequence[str]) -> Suite:
        """Return the suite of the tests whose name matches a pattern, with ``*`` and ``?``.

        Raises
        ------
        ConfigurationError
            When a pattern matches no test.
        """
        names = self.names
        patterns = [patterns] if isinstance(patterns, str) else patterns
        for pattern in patterns:
            if not any(_matches(name, pattern) for name in names):
                raise ConfigurationError(
                    f"select: no test matches {pattern!r}.{did_you_mean(pattern, names)}"
                )
        chosen = [name for name in names if any(_matches(name, pattern) for pattern in patterns)]
        return replace(
            self,
            tests=tuple(test for test in self.tests if test.name in chosen),
            unready=tuple(test for test in self.unready if test.name in chosen),
            order=tuple(chosen),
        )

    def plan(
        self, warehouse: Any, *, as_of: Moment | None = None, backfill: Backfill | None = None
    ) -> Plan:
        """Return the statements that :meth:`run` would run, without running one.

        The parameters are those of :meth:`run`.
        """
        opened = warehouse_of(warehouse)
        plan = plan_of(self, opened, *when(now(), as_of, backfill))
        estimates = (opened.bytes_read(statement.sql) for statement in plan.statements)
        looks = (look_of(statement.scan, opened) for statement in plan.statements)
        return replace(plan, bytes_read=tuple(estimates), looks=tuple(looks))

    def run(
        self,
        warehouse: Any,
        *,
        as_of: Moment | None = None,
        backfill: Backfill | None = None,
        on_statement: Callable[[int, int], None] | None = None,
        on_result: Callable[[TestResult], None] | None = None,
    ) -> Run:
        """Run every test and return the results, in the order of the suite.

        Parameters
        ----------
        warehouse
            What :func:`fairsql.connect` returns, or what it takes.
        as_of
            The moment from which tests with an ``evaluation_window`` look back: ISO 8601 text or a
            datetime, in UTC unless it says otherwise. The start of the run without one.
        backfill
            From when until when, two moments or the text ``FROM..TO``: tests with an
            ``evaluation_window`` are run for every window of that length that follow one another
            from the first moment, in one scan, and have a result for each. ``delay_window`` plays
            no part.
        on_statement
            Called with (statements done, statements in all) before each statement and at the end.
        on_result
            Called with each test's result as soon as it is there.

        Raises
        ------
        ConfigurationError
            When the suite does not fit together; nothing has run then.
        """
        started = now()
        opened = warehouse_of(warehouse)
        plan = plan_of(self, opened, *when(started, as_of, backfill))
        runner = _Runner(opened, plan, self.source)
        results = _Results(self.notes, on_result)
        results.add(plan.unjudged.values())
        total = len(plan.statements)
        for number, statement in enumerate(plan.statements):
            if on_statement:
                on_statement(number, total)
            results.add(runner.run(statement))
        if on_statement:
            on_statement(total, total)
        return Run(
            tests=tuple(result for name in self.names for result in results.found[name]),
            fairsql_version=__version__,
            started_at=_text(started),
            finished_at=_text(now()),
            dialect=opened.dialect,
            warehouse_name=opened.name,
            scans=runner.statements_run,
            suite=self.source,
            warehouse_version=_version(opened),
            software=_software(),
        )


class _Results:
    """The results so far; each is told as soon as it is there."""

    def __init__(
        self,
        notes: Mapping[str, tuple[str, ...]],
        on_result: Callable[[TestResult], None] | None,
    ) -> None:
        self._notes = notes
        self._on_result = on_result
        self.found: dict[str, list[TestResult]] = {}

    def add(self, results: Iterable[TestResult]) -> None:
        for result in results:
            noted = replace(result, notes=result.notes + self._notes.get(result.name, ()))
            self.found.setdefault(result.name, []).append(noted)
            if self._on_result:
                self._on_result(noted)


class _Runner:
    """Runs statements and counts them."""

    def __init__(self, warehouse: Warehouse, plan: Plan, suite: str | None) -> None:
        self._warehouse = warehouse
        self._plan = plan
        self._suite = suite
        self.statements_run = 0

    def run(self, statement: Statement) -> list[TestResult]:
        """Return the results of a statement's tests; a fault in one does not stop the others.

        Of cuts that are found to have too many groups the whole alone is asked for.
        """
        started = time.perf_counter()
        label = Label(self._suite, tuple(statement.scan.cuts_of))
        found = findings(
            statement.scan, self._warehouse, lambda first: self._warehouse.run(first.sql, label)
        )
        self.statements_run += len(found.counts)
        if found.too_late is not None:
            return self._run_others(statement, found, time.perf_counter() - started)
        if found.too_many:
            statement = statement_of(narrowed(statement.scan, found.too_many), statement.dialect)
        self.statements_run += 1
        try:
            answer = self._warehouse.run(statement.sql, label)
        except WarehouseError as error:
            # One at a time, only the test at fault has no result; but not after a timeout, since
            # each would read the relation anew.
            if len(statement.scan.cuts_of) > 1 and not isinstance(error, TooLateError):
                return self._run_apart(statement, error)
            elapsed = time.perf_counter() - started
            return [
                self._in_error(name, error, statement, elapsed) for name in statement.scan.cuts_of
            ]
        elapsed = time.perf_counter() - started
        query_ids = (answer.query_id,) if answer.query_id else ()
        rows: dict[int, list[dict[str, Any]]] = {}
        for row in answer.rows:
            rows.setdefault(row["cut"], []).append(row)
        changed = put_into(rows, found, len(statement.scan.cuts))
        results = []
        for name, cuts in statement.scan.cuts_of.items():
            counts, ids_of_counts = found.of(cuts)
            for place, request in enumerate(self._plan.views[name].requests):
                later = place * len(statement.scan.cuts)
                own = [rows.get(cut + later, []) for cut in cuts]
                is_known = changed.isdisjoint(cut + later for cut in cuts)
                judged = _judged(own, request) if is_known else _changed(request.test)
                shown = _in_window(judged, request)
                told = _with_rows_sql(shown, request, statement.dialect, is_checked=place > 0)
                results.append(
                    replace(
                        told,
                        sql=(*counts, statement.sql),
                        query_ids=(*ids_of_counts, *query_ids),
                        elapsed_seconds=elapsed,
                    )
                )
            if note := self._plan.views[name].note:
                results[-1] = replace(results[-1], notes=(*results[-1].notes, note))
        return results

    def _run_others(
        self, statement: Statement, found: Findings, elapsed: float
    ) -> list[TestResult]:
        """Return errors for the tests whose groups could not be counted in time; run the others."""
        unknown = set(found.unknown)
        cuts_of = statement.scan.cuts_of
        late = [name for name, cuts in cuts_of.items() if unknown & set(cuts)]
        count = found.counts[0].statement
        results = [self._in_error(name, found.too_late, count, elapsed) for name in late]
        others = [self._plan.requests[name] for name in cuts_of if name not in late]
        for rest in statements_of(others, statement.dialect):
            results += self.run(rest)
        return results

    def _in_error(
        self, name: str, error: WarehouseError | None, statement: Statement, elapsed: float
    ) -> TestResult:
        request = self._plan.requests[name]
        return replace(
            unjudged(request.test, Skip("error", str(error))),
            window=request.window,
            sql=(statement.sql,),
            elapsed_seconds=elapsed,
        )

    def _run_apart(self, statement: Statement, error: WarehouseError) -> list[TestResult]:
        """Run each test of a statement that failed by itself; those that run then say why."""
        results: list[TestResult] = []
        note = (
            "This test has a scan of its own, because the statement that was to serve"
            f" {len(statement.scan.cuts_of)} tests failed. {error}"
        )
        for name in statement.scan.cuts_of:
            request = self._plan.requests[name]
            for alone in statements_of([request], statement.dialect):
                results += [
                    one if one.status == "error" else replace(one, notes=(*one.notes, note))
                    for one in self.run(alone)
                ]
        return results


def _judged(rows: Sequence[Sequence[Mapping[str, Any]]], request: Request) -> TestResult:
    """Return the verdict on the rows of each of the test's questions."""
    kinds = {column: found.kind for column, found in request.columns.items()}
    try:
        answers = list(map(_statistics, rows, request.test.every_question()))
        return judge(request.test, answers, kinds)
    except (FairsqlError, ArithmeticError, ValueError) as error:
        return unjudged(request.test, Skip("error", f"the verdict cannot be reached: {error}"))


def _changed(test: Test) -> TestResult:
    skip = Skip(
        "relation_changed",
        f"{test.relation} changed between the statement that counted its groups and the scan:"
        " run the test again.",
    )
    return replace(unjudged(test, skip), status="error")


def _in_window(result: TestResult, request: Request) -> TestResult:
    """Return the result with the window that was looked at, if it was not all of the rows."""
    if request.window is None:
        return result
    message = result.message
    if result.reason == "no_rows":
        message = reasons.no_rows(request.test, request.window).message
    return replace(result, window=request.window, message=message)


def _with_rows_sql(
    result: TestResult, request: Request, dialect: str, *, is_checked: bool
) -> TestResult:
    """Return the result with the SQL of each group's rows, but for groups too small to show."""
    shown = [group for group in result.groups if not group.suppressed and group.key]
    keys = [{**(group.stratum or {}), **group.key} for group in shown]
    texts = group_rows(request, dialect, keys, is_checked=is_checked)
    sql_of = dict(zip(map(id, shown), texts, strict=True))
    groups = tuple(replace(group, rows_sql=sql_of.get(id(group))) for group in result.groups)
    return replace(result, groups=groups)


def _statistics(rows: Sequence[Mapping[str, Any]], question: Question) -> TestStatistics:
    width = len(question.protected_attribute_columns)
    whole = next((row for row in rows if row["is_whole"]), None)
    groups = tuple(
        GroupStatistics(tuple(str(row[f"key_{place}"]) for place in range(1, width + 1)), row)
        for row in rows
        if not row["is_whole"]
    )
    return TestStatistics(whole or dict.fromkeys(_COUNTS, 0), groups)


def _version(warehouse: Warehouse) -> str | None:
    """Return the engine's version; that it cannot be asked spoils no results."""
    try:
        return warehouse.version()
    except WarehouseError:
        return None


def _software() -> dict[str, str]:
    return {
        "fairsql": __version__,
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("numpy", "sqlglot")},
    }


def warehouse_of(target: Any) -> Warehouse:
    """Return what a caller gave as a warehouse, which is opened unless it is one already."""
    return target if hasattr(target, "describe") and hasattr(target, "fold") else connect(target)


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def _text(time: datetime) -> str:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")
