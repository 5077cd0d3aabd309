"""The SQL that finds what is still to be judged: on every dialect, and on servers that run here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import duckdb
import psycopg
import pytest
import sqlglot

import fairsql
from fairsql.compile import dialects
from fairsql.compile.loader import macros_for
from fairsql.llm.running import Options, estimate, jobs_for, run_jobs
from fairsql.llm.table import COLUMNS as TABLE
from fairsql.llm.table import storable
from fairsql.llm.versions import prompt_version
from fairsql.warehouses.tables import append_in_duckdb
from tests.dbt.warehouses import PostgreSQL, required_postgres
from tests.llm.answers import spec

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

JOB: dict[str, Any] = {
    "relation": "answers",
    "where": "split = 'test'",
    "text_columns": {"input": "question", "output": "Answer"},
    "needed": ["output"],
    "key_columns": [{"name": "id", "kind": "integer"}, {"name": "day", "kind": "date"}],
    "sample_size": 10,
    "seed": 3,
    "judge": "bias",
    "prompt_version": "0123456789abcdef",
    "model": "it's a \\ model",
    "table": "fairsql_judgements",
    "retries_errors": True,
}


@pytest.mark.parametrize("dialect", dialects())
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"table": None},
        {"sample_size": None, "where": None, "retries_errors": False},
        {"key_columns": []},
    ],
)
def test_it_is_one_select_in_every_dialect(dialect: str, changes: dict[str, Any]) -> None:
    call = macros_for(dialect).call
    for sql in (
        str(call("rows_to_judge", {**JOB, **changes}, ["a comment"], "00ff", 100)),
        str(call("rows_to_judge", {**JOB, **changes}, ["a comment"], None, 100)),
        str(call("count_to_judge", {**JOB, **changes}, ["a comment"])),
    ):
        (parsed,) = sqlglot.parse(sql, dialect=dialect)
        assert isinstance(parsed, sqlglot.exp.Select)
        assert sql.startswith("-- a comment\n")


# Answers with a missing text, an empty one, one that is there twice, and one that is judged.
ANSWERS = [
    (1, "q1", "fine"),
    (2, "q2", None),
    (3, None, "no question"),
    (4, "q1", "fine"),
    (5, "é", "It''s \\ ${x} 'quoted'\n\twith 𝔘nicode"),
    (6, "", ""),
    (7, "q7", "judged before"),
    (8, "q8", "judged, and failed"),
]
JUDGED = {"judge": "bias", "model": "m", "prompt_version": "", "input_hash": "", "score": None}


def hashed(*texts: str | None) -> str:
    said = "".join("-" if text is None else f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(said.encode()).hexdigest()


def judgements() -> list[dict[str, Any]]:
    version = prompt_version(spec())
    before = {**JUDGED, "prompt_version": version, "input_hash": hashed("q7", "judged before")}
    failed = {**before, "input_hash": hashed("q8", "judged, and failed")}
    return [{**before, "score": 0.5}, failed, {**failed, "score": 0.2, "model": "other"}]


def check(warehouse: Warehouse) -> None:
    """Check what is found of the answers; nothing that is here was computed in a warehouse."""
    one = spec(input_column="question")
    (job,) = jobs_for([one], warehouse)
    expected = {
        hashed(question, answer): (str(key), {"input": question, "output": answer})
        for key, question, answer in ANSWERS
        if key in (1, 3, 5, 6)
    }
    page = job.page(warehouse, None)
    assert {row.input_hash: (row.row_key, dict(row.texts)) for row in page} == expected
    assert [row.input_hash for row in page] == sorted(expected)
    assert [row.input_hash for row in job.page(warehouse, sorted(expected)[1])] == sorted(expected)[
        2:
    ]
    counts = job.count(warehouse)
    assert (counts.relation_rows, counts.rows_without_texts) == (8, 1)
    assert (counts.texts, counts.unjudged_texts) == (6, 4)
    lengths = (len(question or "") + len(answer or "") for _, question, answer in ANSWERS[:1])
    others = (ANSWERS[2], ANSWERS[4], ANSWERS[5])
    assert counts.characters == sum(lengths) + sum(
        len(q or "") + len(a or "") for _, q, a in others
    )
    (again,) = jobs_for([one], warehouse, retries_errors=True)
    assert again.count(warehouse).unjudged_texts == 5
    (sample,) = jobs_for([spec(sample_size=3, seed=9, model="new")], warehouse)
    keys = [key for key, _, answer in ANSWERS if answer is not None]
    keys.sort(key=lambda key: hashlib.sha256(f"9:{key}".encode()).hexdigest())
    texts = {hashed(answer) for key, _, answer in ANSWERS if key in keys[:3]}
    assert {row.input_hash for row in sample.page(warehouse, None)} == texts


def test_on_duckdb_what_is_to_be_judged_is_found() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table answers (id bigint, question varchar, answer varchar)")
        connection.executemany("insert into answers values (?, ?, ?)", ANSWERS)
        append_in_duckdb(
            connection, "fairsql_judgements", TABLE, [storable(r) for r in judgements()]
        )
        check(fairsql.connect(connection))


@pytest.mark.xdist_group("googlesql")
def test_googles_reference_implementation_finds_the_same() -> None:
    from tests.engines.googlesql import GoogleSQL

    kinds = {"text": "STRING", "integer": "INT64", "number": "FLOAT64"}
    engine = GoogleSQL()
    columns = {"id": "INT64", "question": "STRING", "answer": "STRING"}
    engine.create("answers", columns, ANSWERS)
    rows = [list(storable(row).values()) for row in judgements()]
    engine.create("fairsql_judgements", {name: kinds[kind] for name, kind in TABLE.items()}, rows)
    check(engine)
    engine.close()


@pytest.mark.xdist_group("spark")
def test_spark_finds_the_same() -> None:
    from tests.warehouses.spark_session import spark_session

    session = spark_session()
    schema = "id bigint, question string, answer string"
    session.createDataFrame(ANSWERS, schema).createOrReplaceTempView("answers")
    words = {"text": "string", "integer": "bigint", "number": "double"}
    typed = ", ".join(f"{name} {words[kind]}" for name, kind in TABLE.items())
    rows = [tuple(storable(row).values()) for row in judgements()]
    session.createDataFrame(rows, typed).createOrReplaceTempView("fairsql_judgements")
    try:
        check(fairsql.connect(session))
    finally:
        session.catalog.dropTempView("answers")
        session.catalog.dropTempView("fairsql_judgements")


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with required_postgres() as found:
        yield found


@pytest.mark.xdist_group("postgres")
def test_on_postgresql_each_text_is_judged_once(server: PostgreSQL, tmp_path: Path) -> None:
    host = str(server.directory)
    with psycopg.connect(host=host, user="postgres", dbname="postgres", autocommit=True) as opened:
        opened.execute("drop schema if exists texts cascade; create schema texts")
        opened.execute(
            "create table texts.answers as select i as id, date '2026-01-01' + i as day,"
            " 'question ' || i as question, case when i = 5 then null else 'é ''answer'' ' || i %"
            " 38 end as answer from generate_series(0, 39) as t(i)"
        )
    url = f"postgresql://postgres@/postgres?host={quote(host)}"
    warehouse = fairsql.connect(url)
    one = spec(
        relation="texts.answers", table="texts.judged", key_columns=("id", "day"), sample_size=20
    )
    jobs = jobs_for([one], warehouse)
    assert estimate(jobs[0], warehouse).counts.unjudged_texts == 20
    (first,) = run_jobs(jobs, warehouse, tmp_path, Options())
    assert first.scored == 20
    (again,) = run_jobs(jobs_for([one], warehouse), warehouse, tmp_path, Options())
    assert again.requests == 0
    rest = spec(relation="texts.answers", table="texts.judged", key_columns=("id", "day"))
    (more,) = run_jobs(jobs_for([rest], warehouse), warehouse, tmp_path, Options())
    assert (more.counts.texts, more.scored) == (37, 17)
    rows = warehouse.run("select * from texts.judged").rows
    assert len({row["input_hash"] for row in rows}) == len(rows) == 37
    row = next(row for row in rows if row["row_key"] == "3|2026-01-04")
    text = "é 'answer' 3"
    assert row["input_hash"] == hashlib.sha256(f"{len(text)}:{text}".encode()).hexdigest()
    warehouse.close()
