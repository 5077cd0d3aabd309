"""The statements of dbt tests of every type, run where their tables are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairsql.compile.loader import macros_for
from tests.dbt.warehouses import TYPES
from tests.generator import SQL_TYPES

if TYPE_CHECKING:
    import duckdb
    import psycopg

Row = Mapping[str, Any]
Kinds = Mapping[str, str]
GUARDS_OFF: Mapping[str, Any] = {"min_group_size": 1, "min_group_share": 0.0}
KINDS: Mapping[str, Kinds] = {
    "duckdb": SQL_TYPES,
    "postgres": TYPES,
}


@dataclass(frozen=True)
class Place:
    """A warehouse in which statements run; ``run`` returns names and rows."""

    dialect: str
    execute: Callable[[str], None]
    run: Callable[[str], list[dict[str, Any]]]
    fill: Callable[[str, Sequence[Sequence[Any]]], None]

    def load(self, name: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> str:
        """Make a table of columns such as ``{"score": "float"}``; return its name."""
        kinds = KINDS[self.dialect]
        listed = ", ".join(f"{quoted(column)} {kinds[kind]}" for column, kind in columns.items())
        self.execute(f"drop table if exists {name}")
        self.execute(f"create table {name} ({listed})")
        if rows:
            self.fill(name, rows)
        return name

    def groups(self, type_: str, relation: str, **test: Any) -> Sequence[Row]:
        """Return the table of results of a test."""
        return self.run(statement(self.dialect, f"fairsql_{type_}_results", relation, test))

    def failures(self, type_: str, relation: str, **test: Any) -> Sequence[Row]:
        """Return the rows of a dbt test."""
        return self.run(statement(self.dialect, f"fairsql_test_{type_}", relation, test))

    def statistics(self, relation: str, tests: Sequence[Mapping[str, Any]]) -> str:
        """Return the statement of the statistics of many tests, of which all have the judges."""
        macro = "default__fairsql_statistics"
        judges = next((test["judges"] for test in tests if test.get("judges")), None)
        own = [{name: test[name] for name in test if name != "judges"} for test in tests]
        return str(macros_for(self.dialect).call(macro, relation, own, None, None, judges))


def statement(dialect: str, macro: str, relation: str, test: Mapping[str, Any]) -> str:
    """Render a test's statement."""
    macros = macros_for(dialect)
    type_ = macro.removeprefix("fairsql_").removeprefix("test_").removesuffix("_results")
    parameters = macros.call("catalogue")["types"][type_]["parameters"]
    others = {"thresholds", "statistics_of"}
    assert set(test) <= {*parameters, *others}, set(test) - {*parameters, *others}
    given = {name: test.get(name) for name in parameters}
    of = test.get("statistics_of")
    middle = (None, given, test.get("thresholds")) if "_test_" in macro else (given,)
    after = (of,) if "_test_" in macro else (test.get("thresholds"), "a test", of)
    return str(macros.call(f"default__{macro}", relation, *middle, *after))


def limit(measurement: str, operator: str, value: float) -> dict[str, Any]:
    """Return a threshold."""
    return {"measurement": measurement, "operator": operator, "value": value}


def in_duckdb(connection: duckdb.DuckDBPyConnection) -> Place:
    """Return DuckDB as a place."""

    def run(sql: str) -> list[dict[str, Any]]:
        found = connection.execute(sql)
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def fill(name: str, rows: Sequence[Sequence[Any]]) -> None:
        described = connection.execute(f"describe {name}").fetchall()
        # A list a column is some seventy times as fast as a row a call.
        lists = ", ".join(f"unnest(?::{kind}[])" for _, kind, *_ in described)
        columns = [list(column) for column in zip(*rows, strict=True)]
        connection.execute(f"insert into {name} select {lists}", columns)

    return Place("duckdb", lambda sql: void(connection.execute(sql)), run, fill)


def in_postgres(connection: psycopg.Connection[Any]) -> Place:
    """Return PostgreSQL as a place."""

    def run(sql: str) -> list[dict[str, Any]]:
        found = connection.execute(sql)
        names = [column.name for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def fill(name: str, rows: Sequence[Sequence[Any]]) -> None:
        with connection.cursor() as cursor, cursor.copy(f"copy {name} from stdin") as copy:
            for row in rows:
                copy.write_row(row)

    return Place("postgres", lambda sql: void(connection.execute(sql)), run, fill)


def quoted(name: str) -> str:
    """Return a column's name as both engines quote it."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def void(_result: object) -> None:
    """Leave out what a call returns."""
