"""From tests to statements: what is asked of the warehouse, and what cannot be asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fairsql import config, reasons
from fairsql.availability import lacks
from fairsql.compile import Statement, check_dialect, compile_scan, stored_name
from fairsql.compile import predicate as checked_predicate
from fairsql.compile import relation as checked_relation
from fairsql.compile.filters import filtered
from fairsql.derivations import derived_relation
from fairsql.errors import ConfigurationError, WarehouseError, did_you_mean
from fairsql.judged_relations import ColumnMissing, naming_in, why_unreadable, with_judgements
from fairsql.metrics import NUMERIC_INPUTS
from fairsql.plan import Attribute, Request, Scan, plan_scans
from fairsql.reasons import Skip
from fairsql.verdict import unjudged
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
    from fairsql.results import TestResult
    from fairsql.suite import Suite
    from fairsql.warehouses import Column, Warehouse

_NUMBERS = ("integer", "float", "decimal")
_TIMES = ("date", "timestamp", "timestamptz")


@dataclass(frozen=True)
class Plan:
    """The statements a suite needs, and the results of tests that no statement can serve.

    ``bytes_read`` has what each statement would read, where the warehouse was asked and tells, and
    ``looks`` what goes before each: a look at the first rows, where there is one.
    """

    statements: tuple[Statement, ...]
    requests: Mapping[str, Request] = field(repr=False)
    unjudged: Mapping[str, TestResult] = field(repr=False)
    bytes_read: tuple[int | None, ...] = ()
    views: Mapping[str, View] = field(default_factory=dict, repr=False)
    looks: tuple[Statement | None, ...] = ()

    @property
    def sql(self) -> str:
        """Every scan's statement, one after the other."""
        return _script(self.statements)

    @property
    def sql_with_looks(self) -> str:
        """The same, each after the look that goes before it."""
        pairs = zip(self.looks or (None,) * len(self.statements), self.statements, strict=True)
        return _script(one for pair in pairs for one in pair if one is not None)


def _script(statements: Iterable[Statement]) -> str:
    return "\n".join(statement.sql.rstrip() + ";\n" for statement in statements)


def compile_suite(suite: Suite, dialect: str, *, as_of: Moment | None = None) -> str:
    """Return the SQL of a suite in a dialect, without a connection.

    Column types are not known then, so the SQL tells them apart by itself where it must, and
    column names are taken as the warehouse would take them unquoted, where that folds them.
    ``as_of`` is that of :meth:`Suite.run`.
    """
    check_dialect(dialect)
    seen_from, _ = when(now(), as_of)
    requests = []
    for test in suite.tests:
        relation, where = _checked(test, dialect, suite.source)
        columns = {
            name: Attribute(stored_name(name, dialect), None) for name in _column_names(test)
        }
        where = filtered(where, test.filters, columns, dialect)
        unwindowed = Request(test, relation, where, columns)
        requests.append(view_of(unwindowed, window_at(test, seen_from), dialect).scanned)
    return Plan(tuple(statements_of(requests, dialect)), {}, {}).sql


def when(
    started: datetime, as_of: Moment | None, backfill: Backfill | None = None
) -> tuple[datetime, Span | None]:
    """Return the moment from which tests look back, and the time that a backfill fills."""
    if backfill is None:
        return (started if as_of is None else moment(as_of, "as_of")), None
    if as_of is not None:
        raise ConfigurationError("as_of: cannot be used with backfill, which says when.")
    return started, backfilled(backfill)


def plan_of(
    suite: Suite, warehouse: Warehouse, as_of: datetime, backfill: Span | None = None
) -> Plan:
    """Return the statements that serve a suite; columns are resolved, and nothing else is read.

    Raises
    ------
    ConfigurationError
        When tests do not fit the warehouse, unless the suite lets each stand alone.
    """
    if not suite.names:
        raise ConfigurationError(f"{suite.source or 'suite'}: there are no tests to run.")
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
            why = why_unreadable(test, warehouse, _place(test, suite.source))
            resolved: dict[str, Attribute] | Skip = Skip("error", why or str(found))
        else:
            resolved = _resolve(test, found, warehouse)
        if isinstance(resolved, Skip):
            left[test.name] = replace(unjudged(test, resolved), window=window_of(test, look))
        else:
            condition = filtered(where, test.filters, resolved, warehouse.dialect)
            unwindowed = Request(test, relation, condition, resolved)
            views[test.name] = view_of(unwindowed, look, warehouse.dialect)
    requests = {name: view.scanned for name, view in views.items()}
    statements = statements_of(list(requests.values()), warehouse.dialect)
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
            for test in alone:
                try:
                    found = _checked(test, warehouse.dialect, suite.source, warehouse)
                except ColumnMissing as missing:
                    left[test.name] = unjudged(test, missing.skip)
                else:
                    checked.append((test, *found))
        except ConfigurationError as error:
            if not suite.one_by_one:
                raise
            left.update({test.name: unjudged(test, Skip("error", str(error))) for test in alone})
    return checked


def statements_of(requests: Sequence[Request], dialect: str) -> Iterator[Statement]:
    """Yield one statement a scan, headed by the tests that its cuts serve."""
    for scan in plan_scans(requests):
        yield statement_of(scan, dialect)


def statement_of(scan: Scan, dialect: str) -> Statement:
    """Return the statement of a scan, headed by the tests that its cuts serve."""
    return compile_scan(scan, dialect, _header(scan))


def _header(scan: Scan) -> list[str]:
    """Return a line for each set of tests, with the cuts that serve just these."""
    names: dict[int, list[str]] = {}
    for name, cuts in scan.cuts_of.items():
        for cut in cuts:
            names.setdefault(cut, []).append(str(name))
    cuts_of: dict[tuple[str, ...], list[int]] = {}
    for cut, tests in sorted(names.items()):
        cuts_of.setdefault(tuple(dict.fromkeys(tests)), []).append(cut)
    return [
        f"cut{'s' if len(cuts) > 1 else ''} {', '.join(map(str, cuts))}: {'; '.join(tests)}"
        for tests, cuts in cuts_of.items()
    ]


def _checked(
    test: Test, dialect: str, source: str | None, warehouse: Warehouse | None = None
) -> tuple[str, str | None]:
    """Return a test's relation and filter as SQL; a warehouse tells how columns are spelled.

    Raises
    ------
    ColumnMissing
        When it has none of a name, or lacks a function that rows are made with.
    """
    place = _place(test, source)
    relation = checked_relation(test.relation, dialect, f"{place}, relation")
    naming = None
    if test.judges and not test.makes_rows and warehouse is not None:
        columns = _describe(warehouse, relation, None)
        # Of a relation that cannot be read the error comes when it is asked for with its judges.
        naming = (
            None if isinstance(columns, WarehouseError) else naming_in(test, columns, warehouse)
        )
    if not test.makes_rows:
        relation = with_judgements(test, relation, dialect, place, naming)
    where = None
    if test.where is not None:
        where = checked_predicate(test.where, dialect, f"{place}, where")
    return derived_relation(test, relation, where, dialect, place, warehouse)


def _place(test: Test, source: str | None) -> str:
    return f"{source}, test {test.name!r}" if source else f"test {test.name!r}"


def _column_names(test: Test) -> Iterator[str]:
    for question in test.every_question():
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
    for question in test.every_question():
        for role, name in question.input_columns.items():
            column = resolved[name]
            if _is_number(question, role) and column.kind not in _NUMBERS:
                is_parity = test.type == "group_metric_parity"
                return reasons.column_not_numeric(question, name, column.type, is_parity=is_parity)
    if test.weight_column and resolved[test.weight_column].kind not in _NUMBERS:
        return reasons.weight_not_numeric(test.weight_column, resolved[test.weight_column].type)
    for question in test.every_question():
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
            return reasons.filter_not_timestamp(one, column.type)
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
