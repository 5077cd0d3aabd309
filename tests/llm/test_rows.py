"""The SQL that finds what is still to be judged: on every dialect, and on servers that run here."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
import sqlglot

import fairsql
from fairsql.compile import dialects
from fairsql.compile.loader import macros_for
from fairsql.llm.running import Options, estimate, jobs_for, run_jobs
from tests.dbt.warehouses import PostgreSQL, postgres
from tests.llm.answers import spec

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


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with postgres() as found:
        if found is None:
            reason = "PostgreSQL's programs are neither on PATH nor in /usr/lib/postgresql"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)
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
