"""The relation is read once: as the statement is written, and as engines plan it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
import sqlglot
from sqlglot import exp

from fairsql.compile import relation
from tests.golden_cases import (
    CASES,
    DBT_CASES,
    GOLDEN,
    OF_JUDGED_PAIRS,
    OF_JUDGES,
    OF_PAIRS,
    golden,
)

# Both compute a CTE at each place that reads it, unless it is written so that they do not.
EXPANDING = ("bigquery", "spark")


@cache
def parsed(dialect: str, sql: str) -> exp.Select | exp.SetOperation:
    statement = sqlglot.parse_one(sql, read=dialect)
    assert isinstance(statement, exp.Select | exp.SetOperation)
    return statement


def tables(node: exp.Expr) -> list[exp.Table]:
    return list(node.find_all(exp.Table))


def read_in_statement(statement: exp.Expr) -> Counter[str]:
    """Count where each name is read, a recursive CTE's reading of itself apart."""
    found: Counter[str] = Counter()
    for table in tables(statement):
        own = table.find_ancestor(exp.CTE)
        if own is None or own.alias != table.name:
            found[table.name] += 1
    return found


def is_recursive(query: exp.Expr, name: str) -> bool:
    """Tell whether a CTE is BigQuery's: a part, and of itself no row more."""
    if not isinstance(query, exp.Union):
        return False
    again = query.expression
    reads_itself = [table.name for table in tables(again)] == [name]
    return reads_itself and again.args["where"].this == exp.false()


def is_undetermined(query: exp.Expr) -> bool:
    """Tell whether a CTE is Spark's: all rows of a part, by a condition that may change."""
    where = query.args.get("where")
    return query.is_star and where is not None and where.find(exp.Rand) is not None


def computed_once(dialect: str, sql: str) -> set[str]:
    statement = parsed(dialect, sql)
    found = set()
    for cte in statement.ctes:
        if is_undetermined(cte.this) if dialect == "spark" else is_recursive(cte.this, cte.alias):
            found.add(cte.alias)
    return found


def read_often(dialect: str, sql: str) -> set[str]:
    statement = parsed(dialect, sql)
    counts = read_in_statement(statement)
    return {cte.alias for cte in statement.ctes if counts[cte.alias] > 1}


def relation_name(name: str, dialect: str) -> str:
    test = DBT_CASES[name] if name in DBT_CASES else CASES[name][0]
    written = relation(test["relation"], dialect, "golden")
    return exp.to_table(written, dialect=dialect).name


@pytest.mark.parametrize(("dialect", "name"), GOLDEN)
def test_a_statement_names_the_relation_once(dialect: str, name: str) -> None:
    statement = parsed(dialect, golden(name, dialect))
    own = {cte.alias for cte in statement.find_all(exp.CTE)}
    strangers = [table.name for table in tables(statement) if table.name not in own]
    relation_read = relation_name(name, dialect)
    judgements = ["fairsql_judgements"] if name in OF_JUDGES else []
    found = [table if table == relation_read else table.lower() for table in strangers]
    assert sorted(found) == sorted([relation_read, *judgements])


@pytest.mark.parametrize(("dialect", "name"), [case for case in GOLDEN if case[0] in EXPANDING])
def test_what_is_read_often_is_computed_once(dialect: str, name: str) -> None:
    sql = golden(name, dialect)
    # Within another statement, where dbt puts a test's, BigQuery allows no recursive part.
    is_nested = dialect == "bigquery" and name in DBT_CASES
    assert computed_once(dialect, sql) == (set() if is_nested else read_often(dialect, sql))
    assert not (is_nested and "recursive" in sql)


@pytest.mark.parametrize("name", OF_PAIRS)
@pytest.mark.parametrize("dialect", EXPANDING)
def test_pairs_are_a_join_of_answers_with_themselves(dialect: str, name: str) -> None:
    """The one exception: within a part BigQuery computes no part once, and here it reads two twice.

    Pairs are formed by a join of the answers with themselves, and each is looked up among the
    judgements in both orders.
    """
    twice = {"answers_of_variants"}
    if name in OF_JUDGED_PAIRS:
        twice |= {"judgements_of_pairs"}
    sql = golden(name, dialect)
    inner = [subquery.this for subquery in parsed(dialect, sql).find_all(exp.Subquery)]
    (within,) = [query.sql(dialect) for query in inner if query.args.get("with_")]
    assert read_often(dialect, within) == twice
    assert {read_in_statement(parsed(dialect, within))[part] for part in twice} == {2}
    assert computed_once(dialect, within) == (twice if dialect == "spark" else set())


# A quantile is picked from rows that are ranked in groups, which are known by then, and bins lie
# between the ends of all rows: such a test reads the table once only by way of a model of its
# statistics.
RANKING = {
    "dbt_binned_auc": 5,
    "dbt_approximate_median": 48,
    "dbt_median_reference": 36,
    "dbt_column_statistic": 10,
    "dbt_metric_thresholds": 13,
    "dbt_metrics_of_classes": 7,
}


@pytest.mark.parametrize("name", DBT_CASES)
def test_a_verdict_is_one_chain(name: str) -> None:
    """An engine that computes a part at each reader computes none twice."""
    computed = times_computed("bigquery", golden(name, "bigquery"))
    assert computed["statistics"] == 1
    assert computed["source"] == RANKING.get(name, 1)


def times_computed(dialect: str, sql: str) -> Counter[str]:
    """Count how often each part is computed where it is computed at each of its readers."""
    statement = parsed(dialect, sql)
    parts = {cte.alias: cte.this for cte in statement.ctes}
    times = Counter(
        table.name for table in tables(statement) if table.find_ancestor(exp.CTE) is None
    )
    for name in reversed(parts):
        for table in tables(parts[name]):
            times[table.name] += times[name]
    return times


@pytest.mark.parametrize("dialect", EXPANDING)
def test_a_part_that_is_computed_twice_is_found(dialect: str) -> None:
    sql = "with a as (select 1 as x), b as (select x from a) select a.x from a cross join b"
    assert read_often(dialect, sql) == {"a"}
    assert not computed_once(dialect, sql)
