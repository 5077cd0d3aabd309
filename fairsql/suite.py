"""A suite, start to end: the body of the public API and of the command line."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from importlib import metadata
from typing import TYPE_CHECKING, Any

from fairsql import config, reasons
from fairsql.availability import lacks
from fairsql.compile import Statement, check_dialect, compile_scan, group_rows, stored_name
from fairsql.compile import predicate as checked_predicate
from fairsql.compile import relation as checked_relation
from fairsql.compile.filters import filtered
from fairsql.errors import (
    ConfigurationError,
    FairsqlError,
    TooLateError,
    WarehouseError,
    did_you_mean,
)
from fairsql.metrics import NUMERIC_INPUTS
from fairsql.plan import Attribute, Request, Scan, plan_scans
from fairsql.reasons import Skip
from fairsql.results import GroupStatistics, Run, TestResult, TestStatistics
from fairsql.verdict import judge, unjudged
from fairsql.version import __version__
from fairsql.warehouses import Column, Label, Warehouse, connect
from fairsql.windows import (
    Backfill,
    Moment,
    Span,
    View,
    backfilled,
    moment,
    now,
    tiles,
    view_of,
    window_at,
    window_of,
)

if TYPE_CHECKING:
    from datetime import datetime

    from fairsql.config import Question, Test
    from fairsql.unready import Unready

_NUMBERS = ("integer", "float", "decimal")
_TIMES = ("date", "timestamp", "timestamptz")
# What a verdict asks of the whole before all; a relation without rows has no group to be whole of.
_COUNTS = ("rows_total", "missing_metric_inputs", "missing_attribute", "evaluated", "groups_total")


@dataclass(frozen=True)
class Plan:
    """The statements a suite needs, and the results of tests that no statement can serve.

    ``bytes_read`` has what each statement would read, where the warehouse was asked and tells.
    """

    statements: tuple[Statement, ...]
    requests: Mapping[str, Request] = field(repr=False)
    unjudged: Mapping[str, TestResult] = field(repr=False)
    bytes_read: tuple[int | None, ...] = ()
    views: Mapping[str, View] = field(default_factory=dict, repr=False)

    @property
    def sql(self) -> str:
        """Every statement, one after the other."""
        return "\n".join(statement.sql.rstrip() + ";\n" for statement in self.statements)


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
    one_by_one
        True lets a test that does not fit the warehouse be an error, instead of refusing them all.
    """

    tests: tuple[Test, ...]
    source: str | None = None
    unready: tuple[Unready, ...] = ()
    order: tuple[str, ...] = ()
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
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
        opened = _warehouse(warehouse)
        plan = _plan(self, opened, *_when(now(), as_of, backfill))
        estimates = (opened.bytes_read(statement.sql) for statement in plan.statements)
        return replace(plan, bytes_read=tuple(estimates))

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
        opened = _warehouse(warehouse)
        plan = _plan(self, opened, *_when(started, as_of, backfill))
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
        """Return the results of a statement's tests; a fault in one does not stop the others."""
        started = time.perf_counter()
        self.statements_run += 1
        try:
            answer = self._warehouse.run(
                statement.sql, Label(self._suite, tuple(statement.scan.cuts_of))
            )
        except WarehouseError as error:
            # One at a time, only the test at fault has no result; but not after a timeout, since
            # each would read the relation anew.
            if len(statement.scan.cuts_of) > 1 and not isinstance(error, TooLateError):
                return self._run_apart(statement)
            elapsed = time.perf_counter() - started
            return [
                replace(
                    unjudged(self._plan.requests[name].test, Skip("error", str(error))),
                    window=self._plan.requests[name].window,
                    sql=(statement.sql,),
                    elapsed_seconds=elapsed,
                )
                for name in statement.scan.cuts_of
            ]
        elapsed = time.perf_counter() - started
        query_ids = (answer.query_id,) if answer.query_id else ()
        rows: dict[int, list[Mapping[str, Any]]] = {}
        for row in answer.rows:
            rows.setdefault(row["cut"], []).append(row)
        results = []
        for name, cuts in statement.scan.cuts_of.items():
            for place, request in enumerate(self._plan.views[name].requests):
                later = place * len(statement.scan.cuts)
                own = [rows.get(cut + later, []) for cut in cuts]
                judged = _in_window(_judged(own, request), request)
                told = _with_rows_sql(judged, request, statement.dialect, is_checked=place > 0)
                results.append(
                    replace(
                        told, sql=(statement.sql,), query_ids=query_ids, elapsed_seconds=elapsed
                    )
                )
            if note := self._plan.views[name].note:
                results[-1] = replace(results[-1], notes=(*results[-1].notes, note))
        return results

    def _run_apart(self, statement: Statement) -> list[TestResult]:
        results: list[TestResult] = []
        for name in statement.scan.cuts_of:
            request = self._plan.requests[name]
            for alone in _statements([request], statement.dialect):
                results += self.run(alone)
        return results


def group_metric_parity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare one metric across groups, and return the verdict.

    Parameters
    ----------
    warehouse
        What :func:`fairsql.connect` returns, or what it takes.
    relation
        A table or view, or a select in parentheses.
    as_of
        The moment from which an ``evaluation_window`` looks back; see :meth:`Suite.run`.
    **parameters
        The fields of a test in a suite file: ``protected_attribute_columns``, ``parity_metric``,
        its columns, ``thresholds`` and the rest. ``name`` defaults to metric and attributes.

    Raises
    ------
    ConfigurationError
        When a parameter is wrong; the message names it.
    """
    return _run_one("group_metric_parity", warehouse, relation, as_of, parameters)


def group_outcome_disparity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare how often each group has a favourable outcome; see :func:`group_metric_parity`."""
    return _run_one("group_outcome_disparity", warehouse, relation, as_of, parameters)


def group_score_disparity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare a numeric score across groups; see :func:`group_metric_parity`."""
    return _run_one("group_score_disparity", warehouse, relation, as_of, parameters)


def group_performance_parity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare a classifier's metrics across groups; see :func:`group_metric_parity`."""
    return _run_one("group_performance_parity", warehouse, relation, as_of, parameters)


def group_column_statistic(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Hold a statistic of each group against a limit; see :func:`group_metric_parity`."""
    return _run_one("group_column_statistic", warehouse, relation, as_of, parameters)


def metric_threshold(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Hold metrics over all rows against limits; see :func:`group_metric_parity`."""
    return _run_one("metric_threshold", warehouse, relation, as_of, parameters)


def _run_one(
    kind: str, warehouse: Any, relation: str, as_of: Any, parameters: Mapping[str, Any]
) -> TestResult:
    test = config.build_test(kind, relation=relation, **parameters)
    return Suite((test,)).run(warehouse, as_of=as_of).tests[0]


def compile_suite(suite: Suite, dialect: str, *, as_of: Moment | None = None) -> str:
    """Return the SQL of a suite in a dialect, without a connection.

    Column types are not known then, so the SQL tells them apart by itself where it must, and
    column names are taken as the warehouse would take them unquoted, where that folds them.
    ``as_of`` is that of :meth:`Suite.run`.
    """
    check_dialect(dialect)
    seen_from, _ = _when(now(), as_of)
    requests = []
    for test in suite.tests:
        relation, where = _checked(test, dialect, suite.source)
        columns = {
            name: Attribute(stored_name(name, dialect), None) for name in _column_names(test)
        }
        where = filtered(where, test.filters, columns, dialect)
        unwindowed = Request(test, relation, where, columns)
        requests.append(view_of(unwindowed, window_at(test, seen_from), dialect).scanned)
    return Plan(tuple(_statements(requests, dialect)), {}, {}).sql


def _when(
    started: datetime, as_of: Moment | None, backfill: Backfill | None = None
) -> tuple[datetime, Span | None]:
    """Return the moment from which tests look back, and the time that a backfill fills."""
    if backfill is None:
        return (started if as_of is None else moment(as_of, "as_of")), None
    if as_of is not None:
        raise ConfigurationError("as_of: cannot be used with backfill, which says when.")
    return started, backfilled(backfill)


def _plan(
    suite: Suite, warehouse: Warehouse, as_of: datetime, backfill: Span | None = None
) -> Plan:
    left = {test.name: test.result() for test in suite.unready}
    checked = _all_checked(suite, warehouse, left)
    looks = {}
    for test, _, _ in checked:
        try:
            look = window_at(test, as_of) if backfill is None else tiles(test, backfill)
        except ConfigurationError as error:
            if not suite.one_by_one:
                raise
            left[test.name] = unjudged(test, Skip("error", str(error)))
            continue
        looks[test.name] = look
    if backfill is not None and not any(looks.values()):
        raise ConfigurationError("backfill: no test has an evaluation_window.")
    described: dict[tuple[str, str | None], tuple[Column, ...] | WarehouseError] = {}
    views: dict[str, View] = {}
    for test, relation, where in checked:
        if (relation, where) not in described:
            described[relation, where] = _describe(warehouse, relation, where)
        found = described[relation, where]
        look = looks[test.name]
        if isinstance(found, WarehouseError):
            resolved: dict[str, Attribute] | Skip = Skip("error", str(found))
        else:
            resolved = _resolve(test, found, warehouse)
        if isinstance(resolved, Skip):
            left[test.name] = replace(unjudged(test, resolved), window=window_of(test, look))
        else:
            condition = filtered(where, test.filters, resolved, warehouse.dialect)
            unwindowed = Request(test, relation, condition, resolved)
            views[test.name] = view_of(unwindowed, look, warehouse.dialect)
    requests = {name: view.scanned for name, view in views.items()}
    statements = _statements(list(requests.values()), warehouse.dialect)
    return Plan(tuple(statements), requests, left, views=views)


def _all_checked(
    suite: Suite, warehouse: Warehouse, left: dict[str, TestResult]
) -> list[tuple[Test, str, str | None]]:
    """Return each test with its relation and filter as SQL; a wrong one goes to what is left."""
    checked = []
    together: list[tuple[Test, ...]] = [suite.tests]
    for alone in [(test,) for test in suite.tests] if suite.one_by_one else together:
        try:
            config.check_names(config.Suite(tests=alone, source=suite.source), warehouse.fold)
            checked += [(test, *_checked(test, warehouse.dialect, suite.source)) for test in alone]
        except ConfigurationError as error:
            if not suite.one_by_one:
                raise
            left.update({test.name: unjudged(test, Skip("error", str(error))) for test in alone})
    return checked


def _statements(requests: Sequence[Request], dialect: str) -> Iterator[Statement]:
    for scan in plan_scans(requests):
        yield compile_scan(scan, dialect, _header(scan))


def _header(scan: Scan) -> list[str]:
    names: dict[int, list[str]] = {}
    for name, cuts in scan.cuts_of.items():
        for cut in cuts:
            names.setdefault(cut, []).append(name)
    return [f"cut {cut}: {'; '.join(tests)}" for cut, tests in sorted(names.items())]


def _checked(test: Test, dialect: str, source: str | None) -> tuple[str, str | None]:
    place = f"{source}, test {test.name!r}" if source else f"test {test.name!r}"
    relation = checked_relation(test.relation, dialect, f"{place}, relation")
    if test.where is None:
        return relation, None
    return relation, checked_predicate(test.where, dialect, f"{place}, where")


def _column_names(test: Test) -> Iterator[str]:
    for question in test.questions():
        yield from _names(question)
    yield from (one.column for one in test.filters)
    if test.weight_column is not None:
        yield test.weight_column
    if test.timestamp_column is not None:
        yield test.timestamp_column


def _describe(
    warehouse: Warehouse, relation: str, where: str | None
) -> tuple[Column, ...] | WarehouseError:
    try:
        return warehouse.describe(relation, where)
    except WarehouseError as error:
        return error


def _resolve(
    test: Test, columns: Sequence[Column], warehouse: Warehouse
) -> dict[str, Attribute] | Skip:
    exact = {column.name: column for column in columns}
    folded = {warehouse.fold(column.name): column for column in columns}
    resolved: dict[str, Column] = {}
    for name in dict.fromkeys(_column_names(test)):
        fold = warehouse.fold(name)
        column = exact.get(name) or exact.get(fold) or folded.get(fold)
        if column is None:
            hint = did_you_mean(name, exact) or f" It has {', '.join(list(exact)[:20])}."
            return reasons.column_missing(name, test.relation, hint)
        resolved[name] = column
    for question in test.questions():
        for role, name in question.input_columns.items():
            column = resolved[name]
            if _is_number(question, role) and column.kind not in _NUMBERS:
                return reasons.column_not_numeric(question, name, column.type)
    if test.weight_column and resolved[test.weight_column].kind not in _NUMBERS:
        return reasons.weight_not_numeric(test.weight_column, resolved[test.weight_column].type)
    for question in test.questions():
        inputs = [resolved[name] for name in question.input_columns.values()]
        if lacking := lacks(question.metric, warehouse, inputs):
            return reasons.not_available(question, lacking)
    if unfit := _unfit(test, resolved):
        return unfit
    return {name: Attribute(column.name, column.kind) for name, column in resolved.items()}


def _unfit(test: Test, resolved: Mapping[str, Column]) -> Skip | None:
    """Return why a filter or the window cannot read its column."""
    for one in test.filters:
        column = resolved[one.column]
        if one.number is not None and column.kind not in _NUMBERS:
            return reasons.filter_not_numeric(one, column.type)
        if one.moment is not None and column.kind not in _TIMES:
            return reasons.filter_not_a_time(one, column.type)
    if test.timestamp_column and resolved[test.timestamp_column].kind not in _TIMES:
        kind = resolved[test.timestamp_column].type
        return reasons.column_not_timestamp(test.timestamp_column, kind)
    return None


def _names(question: Question) -> tuple[str, ...]:
    return (*question.input_columns.values(), *question.protected_attribute_columns)


def _is_number(question: Question, role: str) -> bool:
    if role == "prediction_column" and question.decision_threshold is not None:
        return True
    return question.metric.inputs[role] in NUMERIC_INPUTS


def _judged(rows: Sequence[Sequence[Mapping[str, Any]]], request: Request) -> TestResult:
    """Return the verdict on the rows of each of the test's questions."""
    kinds = {column: found.kind for column, found in request.columns.items()}
    try:
        answers = list(map(_statistics, rows, request.test.questions()))
        return judge(request.test, answers, kinds)
    except (FairsqlError, ArithmeticError, ValueError) as error:
        return unjudged(request.test, Skip("error", f"the verdict cannot be reached: {error}"))


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


def _warehouse(target: Any) -> Warehouse:
    return target if hasattr(target, "describe") and hasattr(target, "fold") else connect(target)


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def _text(time: datetime) -> str:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")
