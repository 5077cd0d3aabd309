"""Every metric of every row, on each engine that runs, against libraries that share nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.errors import WarehouseError
from tests.generator import Case
from tests.texts.oracle import expected
from tests.texts.rows import TEXTS, row_sql
from tests.texts.samples import JSON, long_pairs, pairs

if TYPE_CHECKING:
    from tests.engines.running import Engine

# Of a thousand words the n-grams are many: where the engine is Google's reference executor, which
# is not built for speed, and Spark, which sorts them, fewer.
COUNTS = {"duckdb": 600, "postgres": 600, "bigquery": 120, "spark": 300}


def differences(
    engine: Engine,
    metrics: Sequence[str],
    rows: Sequence[Sequence[Any]],
    kind: str | None = "text",
) -> list[str]:
    """Return where an engine's values of rows are not the oracle's."""
    names = ["output", "reference"][: len(rows[0])]
    case = Case("texts", {"id": "integer", **dict.fromkeys(names, "text")}, [], {})
    case.rows.extend((place, *row) for place, row in enumerate(rows))
    engine.load("texts", case)
    dialect = engine.warehouse.dialect
    try:
        answer = engine.warehouse.run(row_sql(dialect, "texts", metrics, names, kind))
    finally:
        engine.drop("texts")
    found = {row["id"]: row for row in answer.rows}
    assert sorted(found) == list(range(len(rows)))
    return [
        f"{metric} of {row!r}: {found[place][metric]}, not {wanted}"
        for place, row in enumerate(rows)
        for metric in metrics
        if found[place][metric] != (wanted := expected(metric, *row))
        and (None in (found[place][metric], wanted) or abs(found[place][metric] - wanted) > 1e-9)
    ]


def test_each_row_agrees_with_the_libraries(engine: Engine) -> None:
    rows = pairs(2026, COUNTS[engine.warehouse.dialect])
    assert differences(engine, TEXTS, rows) == []


def test_the_type_of_the_columns_need_not_be_known(engine: Engine) -> None:
    assert differences(engine, TEXTS, pairs(11, 60), kind=None) == []


def test_json_is_what_the_standard_says(engine: Engine) -> None:
    if engine.warehouse.dialect == "postgres":
        # The server that runs here is 15; IS JSON came with 16.
        with pytest.raises(WarehouseError, match="syntax error"):
            differences(engine, ["json_score"], [(text,) for text in JSON])
        return
    assert differences(engine, ["json_score"], [(text,) for text in (*JSON, None)]) == []


def test_long_texts(engine: Engine) -> None:
    # 10,000 characters; an edit distance takes 100 million steps: of them one pair, or shorter.
    bleus = [metric for metric in TEXTS if "edit_distance" not in metric]
    dialect = engine.warehouse.dialect
    scale = {"bigquery": 300, "spark": 3_000, "postgres": 3_000}.get(dialect, 10_000)
    rows = [(first[:scale], second[:scale]) for first, second in long_pairs()]
    assert differences(engine, bleus, rows) == []
    short = {"bigquery": 100, "postgres": 600}.get(dialect, scale)
    rows = [(first[:short], second[:short]) for first, second in rows]
    assert differences(engine, ["edit_distance", "normalized_edit_distance"], rows) == []


def embeddings() -> list[tuple[Any, Any]]:
    drawn = random.Random(5)  # noqa: S311
    vectors = [[drawn.gauss(0, 1) for _ in range(32)] for _ in range(20)]
    return [
        *pairwise(vectors),
        (vectors[0], vectors[0]),
        (vectors[0], [-x for x in vectors[0]]),
        ([1, 2, 3], [4, 5, 6]),
        ([1e-30, 0], [1e-30, 1e-30]),
        ([0.0, 0.0], [1.0, 2.0]),
        ([1.0], [1.0, 2.0]),
        ([], []),
        (None, [1.0]),
        ([1.0, None], [1.0, 2.0]),
    ]


@pytest.mark.parametrize("kind", ["text", None])
def test_cosines_of_json_texts(engine: Engine, kind: str | None) -> None:
    rows = [tuple(None if x is None else str(x).replace("None", "null") for x in row)
            for row in embeddings()]  # fmt: skip
    rows += [("no embedding", "[1, 2]"), ("[1, 2]", '["a", "b"]'), ("", "[1]"), ("[1, 2", "[1]")]
    case = Case("vectors", {"id": "integer", "output": "text", "reference": "text"}, [], {})
    case.rows.extend((place, *row) for place, row in enumerate(rows))
    engine.load("vectors", case)
    columns = ["output", "reference"]
    sql = row_sql(engine.warehouse.dialect, "vectors", ["semantic_similarity"], columns, kind)
    found = {row["id"]: row["semantic_similarity"] for row in engine.warehouse.run(sql).rows}
    engine.drop("vectors")
    wanted = [expected("semantic_similarity", *row) for row in embeddings()] + [None] * 4
    assert [found[place] for place in range(len(rows))] == [
        None if value is None else pytest.approx(value, abs=1e-12) for value in wanted
    ]
