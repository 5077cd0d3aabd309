"""Text that tries to be more than text: names, filters and relations; wrong Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import fairsql
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from fairsql.suite import Suite

if TYPE_CHECKING:
    from fairsql.results import TestResult

PARAMETERS: dict[str, Any] = {
    "protected_attribute_columns": ["g"],
    "parity_metric": "mean",
    "value_column": "x",
    "higher_is_better": True,
    "min_group_size": 1,
    "min_group_share": 0,
}
NAMES = [
    'a"b',
    "a\\b",
    "a`b",
    "'; drop table t; --",
    "*/ or 1=1 /*",
    "{{ 1 / 0 }}",
    "{% raw %}",
    "two\nlines",
    "x" * 300,
    "😀",
    "source",
    "groups",
    "cut",
    "key_1",
    "attribute_1",
    "value",
    "label_1",
    "current_date",
    "$1",
    "?",
    "COLUMNS(*)",
]


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "create table t as select case when i % 2 = 0 then 'A' else 'B' end as g, i::double as x"
        " from range(10) as r(i)"
    )
    return connection


def run(
    connection: duckdb.DuckDBPyConnection, relation: str = "t", **parameters: Any
) -> TestResult:
    return fairsql.group_metric_parity(connection, relation, **{**PARAMETERS, **parameters})


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.parametrize("name", NAMES)
def test_any_text_can_name_a_column_a_relation_and_a_group(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    column = quoted(name)
    connection.execute(f"create table {column} ({column} varchar, other double)")
    connection.executemany(
        f"insert into {column} values (?, ?)", [[name, 1], [name, 2], ["z", 3], ["z", 5]]
    )
    result = run(connection, column, protected_attribute_columns=[name], value_column="other")
    assert [(dict(group.key), group.value) for group in result.groups] == [
        ({name: name.strip()}, 1.5),
        ({name: "z"}, 4.0),
    ]
    connection.execute(f"create or replace table numbers as select g, x as {column} from t")
    for metric in ("mean", "median"):
        result = run(connection, "numbers", value_column=name, parity_metric=metric)
        assert [group.value for group in result.groups] == [4.0, 5.0]


@pytest.mark.parametrize(
    "where",
    [
        "1 = 1) or (1 = 1",
        "x = 1; drop table t",
        "x = 1 /*",
        "true) union select 1 --",
        "x = 1 group by g",
        "x = (delete from t returning 1)",
        "x = ?",
        "{% if 1 %}true{% endif %}",
        "(" * 3000 + "x = 1" + ")" * 3000,
        "not " * 5000 + "x = 1",
    ],
    ids=lambda where: where[:20],
)
def test_a_filter_is_one_predicate(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    with pytest.raises(ConfigurationError, match="where: must be one SQL predicate"):
        run(connection, where=where)


def test_a_comment_ends_with_the_filter(connection: duckdb.DuckDBPyConnection) -> None:
    assert run(connection, where="x < 4 -- and so on").rows.total == 4
    assert run(connection, where="g = 'A\\' or g = ' --'").rows.total == 0


@pytest.mark.parametrize(
    "where",
    [
        "@(x - 5)::int | -4 in (-4, -3)",  # sqlglot takes the absolute value of the whole
        "date '2024-01-01'::varchar < g || '2025'",  # and casts the text before it is a date
        "x::int // 2 = 1 or x ** 2 = 49",
        "len(list_filter([x, 1], lambda e: e > 3)) = 1",
        "x is distinct from 3 and not x in (1, null)",
    ],
)
def test_a_filter_means_what_it_means_to_the_warehouse(
    connection: duckdb.DuckDBPyConnection, where: str
) -> None:
    counted = connection.sql(f"select count(*) from t where ({where})").fetchall()
    assert [(run(connection, where=where).rows.total,)] == counted


@pytest.mark.parametrize(
    "relation",
    [
        "(select * from t; select 1)",
        "(select * from t) as other",
        "(insert into t select * from t returning *)",
        "(with gone as (delete from t returning *) select * from gone)",
        "(select * into u from t)",
        "(select * from t where x = ?)",
        "(select * from t for update)",
        "(describe t)",
        "(" * 3000 + "select * from t" + ")" * 3000,
    ],
    ids=lambda relation: relation[:40],
)
def test_a_relation_is_one_select_and_nothing_of_it_is_left_out(
    connection: duckdb.DuckDBPyConnection, relation: str
) -> None:
    with pytest.raises(ConfigurationError, match="relation: must be a table, a view or one select"):
        run(connection, relation)


def test_a_select_may_use_our_own_names(connection: duckdb.DuckDBPyConnection) -> None:
    select = "(with source as (select * from t), groups as (from source) select * from groups)"
    assert run(connection, select).rows.total == 10


@pytest.mark.parametrize("attributes", [5, None, True, b"g", {"g": 1}])
def test_wrong_attributes_are_a_configuration_error(
    connection: duckdb.DuckDBPyConnection, attributes: Any
) -> None:
    with pytest.raises(ConfigurationError, match="protected_attribute_columns"):
        run(connection, protected_attribute_columns=attributes)


def test_columns_that_differ_in_an_accent_are_two(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute('create table accents as select g as "É", g as "é", x from t')
    result = run(connection, "accents", protected_attribute_columns=["É", "é"])
    assert [dict(group.key) for group in result.groups] == [
        {"É": "A", "é": "A"},
        {"É": "B", "é": "B"},
    ]


def test_a_verdict_that_cannot_be_reached_leaves_the_other_tests_alone(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairsql.verdict import judge

    def broken(test: Any, *rest: Any) -> TestResult:
        if test.name == "second":
            raise ZeroDivisionError("by chance")
        return judge(test, *rest)

    monkeypatch.setattr("fairsql.suite.judge", broken)
    first = build_test(name="first", relation="t", **PARAMETERS)
    tests = Suite((first, replace_name(first, "second"), replace_name(first, "third")))
    result = tests.run(connection)
    assert [test.status for test in result.tests] == ["passed", "error", "passed"]
    assert "by chance" in str(result.tests[1].message)


def replace_name(test: Any, name: str) -> Any:
    return test.model_copy(update={"name": name})
