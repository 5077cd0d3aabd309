"""The SQL of a group's rows: it fetches every spelling that was merged, and nothing else."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
import sqlglot
from sqlglot import exp

import fairsql
from fairsql.compile import dialects, group_rows
from fairsql.config import build_test
from fairsql.plan import Attribute, Request
from fairsql.suite import Suite
from tests.generator import cases, load
from tests.variants import variants

LENIENT = {"min_group_size": 1, "min_group_share": 0, "higher_is_better": True}
# The key, and every spelling of it; each row has a number of its own, its place in this list.
SPELLINGS: list[tuple[str | None, str | None]] = [
    ("F", "F"),
    ("F", " F"),
    ("F", "F \t"),
    ("F", "\u2003F\u00a0"),
    ("f", "f"),
    ("1", "1"),
    ("1", "1.0"),
    ("1", " 1.00\n"),
    ("01", "01"),
    ("1e0", "1e0"),
    ("it's", "it's"),
    ("it's", " it's"),
    ('say "F"', 'say "F"'),
    ("back\\slash", "back\\slash"),
    ("back\\slash", "back\\slash "),
    ("two\nlines", "two\nlines"),
    ("';--", "';--"),
    ("%_", "%_"),
    ("-- F", "-- F"),
    ("😀", "😀"),
    ("x" * 300, "x" * 300),
    (None, None),
    (None, ""),
    (None, " \t\u3000"),
    (None, "Unknown"),
    (None, " Unknown "),
]


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def fetched(connection: duckdb.DuckDBPyConnection, sql: str | None, column: str = "id") -> set[Any]:
    assert sql is not None
    relation = connection.sql(sql)
    place = relation.columns.index(column)
    return {row[place] for row in relation.fetchall()}


def fetched_by_group(
    connection: duckdb.DuckDBPyConnection, relation: str, **more: Any
) -> dict[str, set[Any]]:
    """Return the ids of the rows that each group of ``g`` fetches, by its key."""
    result = fairsql.group_metric_parity(
        connection,
        relation,
        protected_attribute_columns=["g"],
        parity_metric="mean",
        value_column="x",
        **more,
        **LENIENT,
    )
    return {group.key["g"]: fetched(connection, group.rows_sql) for group in result.groups}


def test_every_spelling_of_a_key_is_fetched(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create table t (id integer, g varchar, x double, kept boolean)")
    rows: list[list[Any]] = []
    for _, spelling in SPELLINGS:
        # Of each spelling a row with its input, one without, and one that the filter drops.
        rows += [[len(rows), spelling, 1.0, True], [len(rows) + 1, spelling, None, True]]
        rows += [[len(rows), spelling, 1.0, False]]
    connection.executemany("insert into t values (?, ?, ?, ?)", rows)
    found = fetched_by_group(
        connection, "t", missing_attribute_values=["Unknown"], where="kept -- or not"
    )
    expected: dict[str, set[int]] = {}
    for place, (key, _) in enumerate(SPELLINGS):
        if key is not None:
            expected.setdefault(key, set()).update({3 * place, 3 * place + 1})
    assert found == expected


@pytest.mark.parametrize(
    ("type_name", "spellings"),
    [
        ("double", {"1": ["1.0"], "0": ["-0.0", "0"], "1.5": ["1.5"], "1e+300": ["1e300"]}),
        ("decimal(9, 2)", {"1": ["1"], "1.5": ["1.50"], "-2": ["-2.00"]}),
        ("bigint", {"1": ["1"], "-7": ["-7"]}),
        ("boolean", {"true": ["true"], "false": ["false"]}),
        ("date", {"2024-02-29": ["2024-02-29"]}),
        ("timestamp", {"2024-02-29T12:00:00": ["2024-02-29 12:00:00"],
                       "2024-02-29T12:00:00.5": ["2024-02-29 12:00:00.500"]}),
        ("timestamptz", {"2024-02-29T12:00:00Z": ["2024-02-29 12:00:00+00",
                                                  "2024-02-29 13:00:00+01"]}),
    ],
)  # fmt: skip
def test_keys_of_every_type_fetch_their_rows(
    connection: duckdb.DuckDBPyConnection, type_name: str, spellings: dict[str, list[str]]
) -> None:
    connection.execute(f"create table t (id integer, g {type_name}, x double)")
    expected: dict[str, set[int]] = {}
    texts = [(key, text) for key, listed in spellings.items() for text in listed]
    for place, (key, text) in enumerate([*texts, ("none", None)]):
        connection.execute(f"insert into t values ({place}, cast(? as {type_name}), 1)", [text])
        expected.setdefault(key, set()).add(place)
    found = fetched_by_group(connection, "t")
    del expected["none"]
    assert found == expected


@pytest.mark.parametrize("seed", range(4))
def test_generated_groups_fetch_as_many_rows_as_were_counted(seed: int) -> None:
    connection = duckdb.connect()
    checked = 0
    for case in cases(100 + seed, 12):
        load(connection, case, "sample")
        tests = list(variants(case.test))[:2]
        suite = Suite(tuple(build_test(relation="sample", **test) for test in tests))
        for result in suite.run(connection).tests:
            for group in result.groups:
                if group.suppressed:
                    assert group.rows_sql is None
                    continue
                assert group.rows is not None
                assert group.missing_metric_inputs is not None
                found = connection.sql(f"select count(*) from ({group.rows_sql})").fetchall()
                assert found == [(group.rows + group.missing_metric_inputs,)], group.rows_sql
                checked += 1
        connection.execute("drop table sample")
    assert checked > 50


def test_a_relation_may_be_a_select(connection: duckdb.DuckDBPyConnection) -> None:
    found = fetched_by_group(
        connection,
        "(select i as id, ['A', 'B '][i % 2 + 1] as g, i % 3 as x from range(10) as numbers(i))",
    )
    assert found == {"A": {0, 2, 4, 6, 8}, "B": {1, 3, 5, 7, 9}}


def test_small_groups_that_are_not_shown_have_none(connection: duckdb.DuckDBPyConnection) -> None:
    result = fairsql.group_metric_parity(
        connection,
        "(select case when i < 2 then 'A' else 'B' end as g, i as x from range(10) as numbers(i))",
        protected_attribute_columns=["g"],
        parity_metric="mean",
        value_column="x",
        min_reported_rows=3,
        **LENIENT,
    )
    assert {group.key["g"]: group.rows_sql is None for group in result.groups} == {
        "A": True,
        "B": False,
    }


KINDS = ["text", "integer", "float", "decimal", "boolean", "date", "timestamp", "timestamptz",
         "other", None]  # fmt: skip


@pytest.mark.parametrize("dialect", dialects())
@pytest.mark.parametrize("kind", KINDS)
def test_every_dialect_selects_by_the_column_alone(dialect: str, kind: str | None) -> None:
    test = build_test(
        relation="t",
        protected_attribute_columns=["g"],
        parity_metric="mean",
        value_column="x",
        higher_is_better=True,
    )
    request = Request(test, "t", "y = 1", {"g": Attribute("g", kind), "x": Attribute("x", "float")})
    keys = [{"g": text} for text in ("it's", "back\\slash", "two\nlines", "';--")]
    for key, sql in zip(keys, group_rows(request, dialect, keys), strict=True):
        [statement] = sqlglot.parse(sql, dialect=dialect)
        assert isinstance(statement, exp.Select)
        assert statement.is_star
        assert {column.name for column in statement.find_all(exp.Column)} == {"g", "y"}
        assert key["g"] in {literal.this for literal in statement.find_all(exp.Literal)}
