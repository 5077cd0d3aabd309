"""Questions about texts from plan to verdict: means by group, skips, and one scan for all."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import duckdb
import psycopg
import pytest
from scipy import stats

import fairsql
from fairsql.config import build_test
from fairsql.errors import WarehouseError
from fairsql.metrics import TEXT_METRICS
from fairsql.planning import compile_suite
from fairsql.suite import Suite
from tests.dbt.warehouses import postgres
from tests.generator import Case
from tests.texts.oracle import expected
from tests.texts.question import question
from tests.texts.rows import TEXTS
from tests.texts.samples import JSON, pairs

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult
    from tests.engines.running import Engine
    from tests.oracle import Kind

COLUMNS: dict[str, Kind] = {"who": "text", "output": "text", "reference": "text"}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


def told_apart(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [("F" if place % 3 else "M", *row) for place, row in enumerate(rows)]


def sample(rows: list[tuple[Any, ...]], who: str, metric: str) -> list[float]:
    width = len(TEXT_METRICS[metric].inputs)
    values = [expected(metric, *row[1 : 1 + width]) for row in rows if row[0] == who]
    return [value for value in values if value is not None]


def by_key(result: TestResult) -> dict[str, GroupResult]:
    assert result.status in ("passed", "failed"), result.message
    return {group.key["who"]: group for group in result.groups}


def test_means_intervals_and_p_values_by_group(engine: Engine) -> None:
    dialect = engine.warehouse.dialect
    count = 60 if dialect == "bigquery" else 150
    rows = told_apart(pairs(3, count))
    case = Case("answers", COLUMNS, rows, {})
    engine.load("answers", case)
    asked = [question(metric, "answers", "output", "reference") for metric in TEXTS]
    if dialect != "postgres":
        asked.append(question("json_score", "answers", "output"))
    run = Suite(tuple(asked)).run(engine.warehouse)
    engine.drop("answers")
    assert run.scans == 1
    for test, result in zip(asked, run.tests, strict=True):
        groups = by_key(result)
        samples = {who: sample(rows, who, test.text_metric) for who in ("F", "M")}
        for who, group in groups.items():
            values = samples[who]
            assert group.rows == len(values)
            centre = statistics.fmean(values)
            assert group.value == pytest.approx(centre, rel=1e-9, abs=1e-12)
            assert group.missing_metric_inputs == sum(row[0] == who for row in rows) - len(values)
            if len(set(values)) > 1:
                margin = stats.sem(values) * stats.t.ppf(0.975, len(values) - 1)
                lower, upper = group.confidence_interval or (None, None)
                assert lower == pytest.approx(max(0, centre - margin), abs=1e-9)
                assert upper == pytest.approx(centre + margin, abs=1e-9)
        p = stats.ttest_ind(samples["F"], samples["M"], equal_var=False).pvalue
        compared = [group for group in groups.values() if not group.is_reference]
        if not math.isnan(p):
            assert compared[0].p_value == pytest.approx(p, rel=1e-6)


def test_directions() -> None:
    lower = {name for name, metric in TEXT_METRICS.items() if metric.direction == "lower"}
    assert lower == {"edit_distance", "normalized_edit_distance"}


# --- embeddings ------------------------------------------------------------------------------


VECTORS = [([1, 2, 3], [4, 5, 6]), ([1, 0, 0], [0, 1, 0]), ([0, 0, 0], [1, 2, 3]), (None, [1]),
           ([1, 2], [1, 2, 3]), ([3, 4, 0], [3, 4, 0])]  # fmt: skip


@pytest.mark.parametrize("type_name", ["double[]", "float[]", "varchar", "decimal(6, 2)[]"])
def test_embeddings_in_duckdb(connection: duckdb.DuckDBPyConnection, type_name: str) -> None:
    connection.execute(f"create table v (who varchar, one {type_name}, other {type_name})")
    for one, other in VECTORS:
        row = [x if "[]" in type_name or x is None else str(x) for x in (one, other)]
        connection.execute("insert into v values ('a', ?, ?)", row)
        connection.execute("insert into v values ('b', ?, ?)", row)
    check_cosines(fairsql.connect(connection))


def test_embeddings_of_a_fixed_length_in_duckdb(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create table v (who varchar, one float[3], other float[3])")
    for one, other in VECTORS[:3]:
        connection.execute("insert into v values ('a', ?, ?)", [one, other])
    (result,) = Suite((question("semantic_similarity", "v", "one", "other"),)).run(connection).tests
    assert result.groups[0].value == pytest.approx(0.974631846197076 / 2, rel=1e-9)


def check_cosines(warehouse: Any) -> None:
    asked = question("semantic_similarity", "v", "one", "other")
    (result,) = Suite((asked,)).run(warehouse).tests
    for group in by_key(result).values():
        # 32/√(14·77), 0 and 1; zeros, other lengths and nothing at all are no input.
        assert group.value == pytest.approx((0.974631846197076 + 0 + 1) / 3, rel=1e-9)
        assert (group.rows, group.missing_metric_inputs) == (3, 3)
    assert result.rows is not None
    assert (result.rows.total, result.rows.missing_metric_inputs) == (12, 6)


# --- what an engine lacks --------------------------------------------------------------------


@pytest.mark.xdist_group("postgres")
def test_postgres_says_what_it_lacks_and_runs_the_rest() -> None:
    with postgres() as server:
        assert server is not None
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as opened:
            server.load([("answers", Case("answers", COLUMNS, told_apart(pairs(4, 60)), {}))])
            opened.execute(
                "create table v (who text, one double precision[], other real[]);"
                "create table j (who text, one jsonb, other json);"
            )
            for one, other in VECTORS:
                for who in ("a", "b"):
                    opened.execute("insert into v values (%s, %s, %s)", [who, one, other])
                    texts = [None if x is None else str(x) for x in (one, other)]
                    opened.execute("insert into j values (%s, %s, %s)", [who, *texts])
            warehouse = fairsql.connect(opened)
            asked = [
                question("edit_distance", "answers", "output", "reference"),
                question("json_score", "answers", "output"),
                question("bleu_2", "answers", "output", "reference"),
            ]
            without = Suite(tuple(asked)).run(warehouse).tests
            assert [result.reason for result in without] == ["not_available"] * 2 + [None]
            assert re.fullmatch(
                r"edit distance is not available: PostgreSQL 15\.\d+ has levenshtein\(\) in the"
                r" extension fuzzystrmatch alone, which this database lacks: create extension"
                r" fuzzystrmatch\.",
                without[0].message or "",
            )
            assert "IS JSON came with PostgreSQL 16" in (without[1].message or "")
            assert without[0].status == without[1].status == "skipped"
            opened.execute("create schema other; create extension fuzzystrmatch schema other")
            assert Suite((asked[0],)).run(warehouse).tests[0].reason == "not_available"
            opened.execute("alter extension fuzzystrmatch set schema public")
            assert Suite((asked[0],)).run(warehouse).tests[0].reason is None
            check_cosines(warehouse)
            opened.execute("drop table v; alter table j rename to v")
            check_cosines(warehouse)


class Stub:
    """A connection to a dialect that does not run here: it tells columns and runs nothing."""

    name = "stub"
    keeps_tables = False

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect

    def fold(self, name: str) -> str:
        return name.lower()

    def describe(self, _relation: str, _where: str | None = None, /) -> Any:
        from fairsql.warehouses import Column

        return tuple(Column(name, "varchar", "text") for name in COLUMNS)

    def run(self, _sql: str, _label: Any = None, /) -> Any:
        raise WarehouseError("nothing runs here")

    def version(self) -> str:
        return self.dialect


def test_a_metric_threshold_is_skipped_as_one() -> None:
    test = build_test(
        type="metric_threshold",
        relation="answers",
        output_column="output",
        reference_column="reference",
        thresholds=[{"measurement": "bleu_4", "operator": ">=", "value": 0.5}],
    )
    (result,) = Suite((test,)).plan(Stub("redshift")).unjudged.values()
    assert (result.status, result.reason) == ("skipped", "not_available")
    assert (result.message or "").startswith("BLEU-4 is not available: Redshift has no function")


def test_redshift_has_the_matches_and_json_alone() -> None:
    asked = []
    for metric in TEXT_METRICS:
        columns = ("output", "reference")[: len(TEXT_METRICS[metric].inputs)]
        asked.append(question(metric, "answers", *columns))
    found = {
        test.text_metric: result
        for test, result in zip(asked, Suite(tuple(asked)).run(Stub("redshift")).tests, strict=True)
    }
    skipped = {metric for metric, result in found.items() if result.reason == "not_available"}
    assert skipped == {*TEXT_METRICS} - {"exact_match", "quasi_exact_match", "json_score"}
    assert (found["bleu_4"].message or "").startswith("BLEU-4 is not available: Redshift has no")


def test_snowflake_takes_vectors_alone() -> None:
    asked = question("semantic_similarity", "answers", "output", "reference")
    (result,) = Suite((asked,)).run(Stub("snowflake")).tests
    assert result.reason == "not_available"
    assert "of the type VECTOR, and column 'output' is varchar" in (result.message or "")


def test_an_old_duckdb_counts_bytes(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    # DuckDB 1.5 says 2 of é and e, as a function of that name does here.
    connection.execute("create table answers (who varchar, output varchar, reference varchar)")
    connection.execute("create macro levenshtein(a, b) as 2")
    asked = question("edit_distance", "answers", "output", "reference")
    (result,) = Suite((asked,)).run(connection).tests
    assert result.reason == "not_available"
    assert "counts bytes before DuckDB 2.0" in (result.message or "")
    # Where nothing asks before, as in dbt, it is an error and no wrong number.
    connection.execute("insert into answers values ('a', 'é', 'e'), ('b', 'é', 'e')")
    monkeypatch.setattr("fairsql.planning.lacks", lambda _metric, _warehouse, _columns: None)
    (result,) = Suite((asked,)).run(connection).tests
    assert result.status == "error"
    assert "counts bytes in this version" in (result.message or "")


def test_compiling_assumes_the_newest_version() -> None:
    suite = Suite((question("json_score", "answers", "output"),))
    assert " is json then 1e0" in compile_suite(suite, "postgres")


def test_a_scan_without_texts_reads_the_source_itself(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("create table answers (who varchar, output varchar, reference varchar)")
    suite = Suite((question("exact_match", "answers", "output", "reference"),))
    assert "\n    from source\n" in suite.plan(connection).sql


def test_one_scan_serves_texts_and_labels(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table answers as select case when i % 2 = 0 then 'F' else 'M' end as who,"
        " 'the cat sat' as output, 'the cat sat down' as one, 'a cat sat' as other,"
        " '{}'::json as kept, i % 3 as liked from range(60) as places(i)"
    )
    asked = (
        question("bleu_4", "answers", "output", "one"),
        question("bleu_2", "answers", "output", "other"),
        question("bleu_1", "answers", "one", "output"),
        question("edit_distance", "answers", "output", "other"),
        question("json_score", "answers", "kept"),
        build_test(
            relation="answers",
            parity_metric="rate",
            value_column="liked",
            positive_values=[1],
            higher_is_better=True,
            protected_attribute_columns=["who"],
        ),
    )
    run = Suite(asked).run(connection)
    assert run.scans == 1
    texts = ("the cat sat", "the cat sat down", "a cat sat")
    assert [result.groups[0].value for result in run.tests] == [
        pytest.approx(expected("bleu_4", texts[0], texts[1])),
        pytest.approx(expected("bleu_2", texts[0], texts[2])),
        pytest.approx(expected("bleu_1", texts[1], texts[0])),
        3,
        1,
        pytest.approx(1 / 3),
    ]


def test_a_metric_threshold_asks_for_them_all(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table answers as select '' as output, '' as reference, [1] as one, [2] as other"
    )
    test = build_test(
        type="metric_threshold",
        relation="answers",
        output_column="output",
        reference_column="reference",
        output_embedding_column="one",
        reference_embedding_column="other",
        thresholds=[{"measurement": name, "operator": ">=", "value": 0.0} for name in TEXT_METRICS],
    )
    (statement,) = Suite((test,)).plan(connection).statements
    assert [measure.quantity for measure in statement.scan.measures] == list(TEXT_METRICS)


def test_nothing_but_json(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create table answers (who varchar, output varchar)")
    connection.executemany("insert into answers values ('a', ?)", [[text] for text in JSON])
    (result,) = Suite((question("json_score", "answers", "output"),)).run(connection).tests
    right = sum(expected("json_score", text) or 0 for text in JSON)
    assert result.groups[0].value == pytest.approx(right / len(JSON))
    assert result.groups[0].key == {"who": "a"}
