"""The SQL for warehouses that do not run here, by grammars and by lists of functions."""

from __future__ import annotations

from functools import cache

import pytest
import sqlglot
from sqlglot import exp

from fairsql.compile import dialects
from fairsql.metrics import TEXT_METRICS
from fairsql.planning import compile_suite
from fairsql.suite import Suite
from tests.engines.googlesql import GoogleSQL
from tests.texts.question import question
from tests.texts.rows import row_sql
from tests.vendors.grammar import unparsable
from tests.vendors.snowflake_functions import SNOWFLAKE_FUNCTIONS
from tests.vendors.test_snowflake import calls

# What texts need besides: the most arguments, as each page below
# https://docs.snowflake.com/en/sql-reference/functions/ has them, and the fewest.
MORE_FUNCTIONS = {
    "array_cat": (2, 2),
    "array_intersection": (2, 2),
    "array_size": (1, 1),
    "check_json": (1, 1),
    "editdistance": (2, 3),
    "exp": (1, 1),
    "length": (1, 1),
    "ln": (1, 1),
    "lower": (1, 1),
    "regexp_count": (2, 4),
    "regexp_replace": (2, 6),
    "regexp_substr_all": (2, 6),
    "replace": (2, 3),
    "translate": (3, 3),
    "vector_cosine_similarity": (2, 2),
    "vector_inner_product": (2, 2),
}


@cache
def compiled(dialect: str) -> str:
    columns = ("output", "reference")
    asked = [
        question(name, "answers", *columns[: len(metric.inputs)], name=name)
        for name, metric in TEXT_METRICS.items()
        if name != "semantic_similarity"
    ]
    asked.append(question("semantic_similarity", "answers", "one", "other", name="cosine"))
    return compile_suite(Suite(tuple(asked)), dialect).rstrip().rstrip(";")


def parts(dialect: str) -> list[str]:
    """Return the statement's CTEs that are of texts, each as a statement."""
    text = compiled(dialect)
    ends = ("\n),\n\n", "\n)\n\n")
    found = []
    for name in ("source", "measured"):
        body = text.split(f"{name} as (\n", 1)[1]
        found.append(body[: min(body.index(end) for end in ends if end in body)])
    return found


@pytest.mark.parametrize("dialect", dialects())
def test_it_compiles_and_sqlglot_reads_it(dialect: str) -> None:
    (statement,) = sqlglot.parse(compiled(dialect), read=dialect)
    assert isinstance(statement, exp.Query)
    if dialect == "redshift":
        assert "matches_" not in compiled(dialect)
        assert "cast(null as double precision) as quantity_4" in compiled(dialect)


@pytest.mark.xdist_group("grammar")
@pytest.mark.parametrize("dialect", ["snowflake", "redshift", "databricks"])
def test_sqlfluff_parses_it(dialect: str) -> None:
    assert not list(unparsable(parts(dialect), dialect))


def test_snowflake_has_its_functions() -> None:
    found = set(calls(compiled("snowflake")))
    assert {word for word, _ in found} >= {"editdistance", "array_intersection", "check_json"}
    for word, count in found:
        if word in SNOWFLAKE_FUNCTIONS:
            assert SNOWFLAKE_FUNCTIONS[word].takes(count), word
        else:
            fewest, most = MORE_FUNCTIONS[word]
            assert fewest <= count <= most, word
    assert {word for word, _ in found} >= set(MORE_FUNCTIONS) - set(SNOWFLAKE_FUNCTIONS)


@pytest.mark.xdist_group("googlesql")
@pytest.mark.parametrize("embedding", ["STRING", "ARRAY<FLOAT64>"])
def test_googles_analyzer_reads_it(embedding: str) -> None:
    engine = GoogleSQL()
    columns = dict.fromkeys(("who", "output", "reference"), "STRING")
    if embedding == "STRING":
        engine.create("answers", {**columns, "one": "STRING", "other": "STRING"}, [])
        sql = compiled("bigquery")
    else:
        # The catalog of these tests knows no arrays: they are made in the statement.
        engine.create("rows_of_answers", columns, [])
        arrays = "(select *, [1.5, 2] as one, [3.0, 4] as other from rows_of_answers) as relation"
        sql = compiled("bigquery").replace("`answers`", arrays)
    assert dict(engine.analyze(sql))["cut"] == "INT64"
    engine.close()


@pytest.mark.xdist_group("googlesql")
def test_googles_executor_reads_arrays() -> None:
    engine = GoogleSQL()
    engine.create("places", {"id": "INT64"}, [[1], [2], [3], [4]])
    arrays = (
        "(select id, case id when 1 then [1.0, 2, 3] when 2 then [0.0, 0, 0] when 3 then [1.5] end"
        " as one, [4.0, 5, 6] as other from places) as relation"
    )
    sql = row_sql("bigquery", arrays, ["semantic_similarity"], ["one", "other"], None)
    found = {row["id"]: row["semantic_similarity"] for row in engine.run(sql).rows}
    assert found == {1: pytest.approx(0.974631846197076), 2: None, 3: None, 4: None}
    engine.close()
