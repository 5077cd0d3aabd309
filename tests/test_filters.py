"""Filters: the rows they leave are those that plain Python leaves, whatever the values hold."""

from __future__ import annotations

import math
import operator as op
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
import sqlglot

import fairsql
from fairsql.compile.loader import dialects, macros_for
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from fairsql.planning import compile_suite
from fairsql.suite import Suite
from tests.oracle.canonical import canonical_text, configured_text, is_missing

if TYPE_CHECKING:
    from fairsql.results import TestResult

TEXTS = ["it's", "1.50", "1.5", "a\\b", "50% _off_", 'say "x"', "Ω;--", "", None, "A", "a", "true"]
START = datetime(2024, 1, 1)
COLUMNS: dict[str, tuple[str, str, Callable[[int], Any]]] = {
    "words": ("varchar", "text", lambda i: TEXTS[i % len(TEXTS)]),
    "whole": ("bigint", "integer", lambda i: None if i % 9 == 0 else 2**53 + i),
    "real": ("double", "float", lambda i: [i / 8, math.nan, None, -0.0][i % 4]),
    "price": ("decimal(10,2)", "decimal", lambda i: None if i % 7 == 0 else Decimal(i * 15) / 10),
    "flag": ("boolean", "boolean", lambda i: [True, False, None][i % 3]),
    "day": ("date", "date", lambda i: date(2024, 1, 1) + timedelta(days=i)),
    "clock": ("timestamp", "timestamp", lambda i: START + timedelta(hours=i)),
    "instant": ("timestamptz", "timestamptz",
                lambda i: (START + timedelta(hours=i)).replace(tzinfo=UTC)),
}  # fmt: skip
ROWS = [tuple(make(i) for _, _, make in COLUMNS.values()) for i in range(120)]
PARAMETERS: dict[str, Any] = {
    "relation": "t",
    "protected_attribute_columns": ["g"],
    "parity_metric": "mean",
    "value_column": "x",
    "higher_is_better": True,
    "min_group_size": 1,
    "min_group_share": 0,
}
FILTERS: list[tuple[str, str, Any]] = [
    *(("words", operator, value) for operator in ("is", "!=") for value in ("1.50", "it's", "A")),
    ("words", "one_of", ["a\\b", "Ω;--", "true"]),
    ("words", "none_of", ["1.5", "50% _off_"]),
    *(
        ("words", operator, values)
        for operator in ("contains_any", "contains_all", "contains_none")
        for values in (["'"], ["%", "_"], ["5", "."], ["\\"], ['"', "x"], ["50"], ["Ω", ";", "-"])
    ),
    ("whole", ">", 2**53 + 50),
    ("whole", "<=", 2**53 + 51),
    ("whole", "is", 2**53 + 1),
    ("whole", "none_of", [str(2**53 + 2), 2**53 + 3]),
    ("whole", ">=", 9e15 + 0.5),
    ("real", ">", 3.5),
    ("real", "<=", 0),
    ("real", "is", "0.0"),
    ("real", "!=", 1),
    ("real", "contains_any", [".5"]),
    ("price", ">=", 15.5),
    ("price", "<", Decimal("4.50")),
    ("price", "one_of", [1.5, "3.0", "4.50"]),
    ("price", "contains_none", ["5"]),
    ("flag", "is", True),
    ("flag", "!=", "false"),
    *(
        (column, operator, value)
        for column in ("day", "clock", "instant")
        for operator in (">", ">=", "<", "<=")
        for value in ("2024-01-03", "2024-01-03T05:00:00", "2024-01-03T05:00:00.5+02:00")
    ),
    ("day", "one_of", ["2024-01-05", date(2024, 2, 1)]),
    ("clock", "is", datetime(2024, 1, 2, 3)),
    ("instant", "!=", "2024-01-02T03:00:00Z"),
]


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    opened = duckdb.connect()
    opened.execute("set timezone = 'America/New_York'")
    declared = ", ".join(f"{name} {sql}" for name, (sql, _, _) in COLUMNS.items())
    opened.execute(f"create table t (g varchar, x double, {declared})")
    marks = ", ".join("?" * (len(COLUMNS) + 2))
    opened.executemany(
        f"insert into t values ({marks})",
        [("AB"[place % 2], place, *row) for place, row in enumerate(ROWS)],
    )
    return opened


def filtered(
    connection: duckdb.DuckDBPyConnection, *filters: tuple[str, str, Any], **others: Any
) -> TestResult:
    written = [dict(zip(("column", "operator", "value"), one, strict=True)) for one in filters]
    test = build_test(**{**PARAMETERS, **others}, filters=written)
    return Suite((test,)).run(connection).tests[0]


def keeps(value: Any, kind: str, operator: str, wanted: Any) -> bool:
    """Say by plain Python whether a filter keeps a row with this value."""
    wanted = wanted if isinstance(wanted, list) else [wanted]
    if is_missing(value):
        return operator in ("!=", "none_of", "contains_none")
    text = canonical_text(value)
    if operator in ("is", "one_of"):
        return text in [configured_text(one, kind) for one in wanted]
    if operator in ("!=", "none_of"):
        return text not in [configured_text(one, kind) for one in wanted]
    if operator.startswith("contains"):
        held = [canonical_text(one) in text for one in wanted]
        return {"any": any(held), "all": all(held), "none": not any(held)}[operator[9:]]
    (limit,) = wanted
    if isinstance(limit, str):
        limit, value = moment(datetime.fromisoformat(limit)), moment(value)
    compare = {">": op.gt, ">=": op.ge, "<": op.lt, "<=": op.le}[operator]
    return bool(compare(value, limit))


def moment(value: date) -> datetime:
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


@pytest.mark.parametrize(("column", "operator", "value"), FILTERS)
def test_a_filter_keeps_the_rows_that_python_keeps(
    connection: duckdb.DuckDBPyConnection, column: str, operator: str, value: Any
) -> None:
    place = list(COLUMNS).index(column)
    kind = COLUMNS[column][1]
    kept = [number for number, row in enumerate(ROWS) if keeps(row[place], kind, operator, value)]
    assert 0 < len(kept) < len(ROWS), "a case that leaves all rows or none tells nothing"
    result = filtered(connection, (column, operator, value))
    assert result.rows.total == len(kept)
    assert {group.key["g"]: group.value for group in result.groups} == {
        group: pytest.approx(sum(own) / len(own))
        for group in "AB"
        if (own := [number for number in kept if "AB"[number % 2] == group])
    }


def test_filters_and_where_hold_together(connection: duckdb.DuckDBPyConnection) -> None:
    both = (("day", ">=", "2024-01-11"), ("flag", "is", True))
    result = filtered(connection, *both, where="x < 50 or x = 99")
    kept = [i for i in range(10, 120) if i % 3 == 0 and (i < 50 or i == 99)]
    assert result.rows.total == len(kept)
    assert result.parameters["filters"][1] == {"column": "flag", "operator": "is", "value": True}


def test_the_rows_of_a_group_are_the_filtered_ones(connection: duckdb.DuckDBPyConnection) -> None:
    result = filtered(connection, ("flag", "is", True), where="x < 50")
    for group in result.groups:
        assert group.rows_sql is not None
        assert len(connection.sql(group.rows_sql).fetchall()) == group.rows


def test_tests_with_the_same_filters_share_a_scan(connection: duckdb.DuckDBPyConnection) -> None:
    one = {"column": "flag", "operator": "is", "value": True}
    tests = [
        build_test(**PARAMETERS, name=name, filters=filters)
        for name, filters in (("a", [one]), ("b", [one]), ("c", []))
    ]
    assert Suite(tuple(tests)).run(connection).scans == 2


@pytest.mark.parametrize(
    ("one", "reason", "message"),
    [
        (("wrods", "is", 1), "column_missing", "t has no column 'wrods'. Did you mean 'words'?"),
        (("words", ">", 3), "column_not_numeric", "the filter 'words' > 3 needs a number, but col"),
        (("day", ">", 3), "column_not_numeric", "but column 'day' is DATE."),
        (("whole", ">", "2024-01-01"), "column_not_a_time", "needs a date or a timestamp, but col"),
        (("words", "is", "nowhere"), "no_rows", "t has no rows where 'words' is 'nowhere'."),
    ],
)
def test_a_filter_that_cannot_hold_skips_the_test(
    connection: duckdb.DuckDBPyConnection, one: tuple[str, str, Any], reason: str, message: str
) -> None:
    result = filtered(connection, one)
    assert (result.status, result.reason) == ("skipped", reason)
    assert message in str(result.message)


def test_a_name_is_found_as_it_folds(connection: duckdb.DuckDBPyConnection) -> None:
    assert filtered(connection, ("FLAG", "is", True)).rows.total == 40


@pytest.mark.parametrize(
    ("one", "message"),
    [
        ({"operator": "isnt"}, "filters[0].operator: must be one of is, !=, >, >=, <, <=, one_of,"),
        ({"operator": "one_of"}, "filters[0]: one_of takes a list of values: write value: [1]."),
        ({"operator": "none_of", "value": []}, "none_of takes a list of at least one value."),
        ({"value": [1]}, "filters[0]: is takes one value, not a list; one_of and none_of take sev"),
        ({"value": None}, "filters[0].value: must be a text that is not blank, a finite number, t"),
        ({"value": math.inf}, "filters[0].value: must be a text that is not blank, a finite numbe"),
        ({"operator": ">", "value": "many"}, "> takes a number, a date or a timestamp, such as 18"),
        ({"operator": ">", "value": True}, "> takes a number, a date or a timestamp, such as 18"),
        ({"column": " "}, "filters[0].column: must be a column name, but is ' '."),
        ({"colunm": "x"}, "filters[0].colunm: is not a known key. Did you mean 'column'?"),
    ],
)
def test_a_wrong_filter_is_refused(one: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        build_test(**PARAMETERS, filters=[{"column": "c", "operator": "is", "value": 1, **one}])
    assert message in str(caught.value)


HOSTILE = ["'; drop table t; --", "\\'; drop table t; --", "*/ or 1=1 /*", "${x}", "{{ 1 }}", "$1",
           "x\ny", "`", '"', "\\"]  # fmt: skip


@pytest.mark.parametrize("dialect", dialects())
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_a_value_and_a_name_in_every_dialect(dialect: str, text: str) -> None:
    for operator in ("is", "none_of", "contains_any", "contains_none"):
        value = text if operator == "is" else [text]
        filters = [{"column": text, "operator": operator, "value": value}]
        sql = compile_suite(Suite((build_test(**PARAMETERS, filters=filters),)), dialect)
        (statement,) = [one for one in sqlglot.parse(sql, dialect=dialect) if one is not None]
        assert isinstance(statement, sqlglot.exp.Select)
        source = next(cte.this for cte in statement.ctes if cte.alias == "source")
        where = next(iter(source.find_all(sqlglot.exp.Where)))
        assert text in [literal.this for literal in where.find_all(sqlglot.exp.Literal)]
        stored = str(macros_for(dialect).call("stored_name", text))
        assert {column.name for column in where.find_all(sqlglot.exp.Column)} == {stored}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_found_where_it_is(text: str) -> None:
    opened = duckdb.connect()
    name = text.replace('"', '""')
    opened.execute(f'create table t (g varchar, x double, "{name}" varchar)')
    rows = [("A", 1, text), ("B", 2, text), ("A", 3, "other"), ("B", 4, None)]
    opened.executemany("insert into t values (?, ?, ?)", rows)
    for operator, left in (("is", 2), ("!=", 2), ("contains_any", 2), ("contains_none", 2)):
        value = [text] if operator.startswith("contains") else text
        assert filtered(opened, (text, operator, value)).rows.total == left
    assert fairsql.connect(opened).relations() == ["t"]
