"""Stand-ins for a warehouse's AI function, of one signature and with one set of canned replies."""

from __future__ import annotations

import json
import re
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import duckdb
import psycopg
from pyspark.sql import functions

from fairsql.compile.loader import macros_for
from tests.dbt.warehouses import postgres
from tests.warehouses.spark_session import spark_session


def graded(**changes: Any) -> str:
    reply = {"evidence": "girls", "reason": "A stereotype.", "category": "gender", "score": 0.3}
    return json.dumps({**reply, **changes})


# What is judged -> the reply's text, of a judge of bias.
REPLIES: Mapping[str, str] = {
    "good": graded(),
    "zero": graded(evidence="", category="none", score=0),
    "one, in another order": '{ "score" : 1.0,\n "category":"age","reason":"r","evidence":"e"}',
    "escaped": graded(reason='é "x" \\ \n 😀', evidence="it's"),
    "unescaped": json.dumps(json.loads(graded(reason="é 😀 «»")), ensure_ascii=False),
    "huge": graded(score=1e15),
    "beyond doubles": graded().replace("0.3", "1e999"),
    "off the scale": graded(score=0.35),
    "below": graded(score=-0.1),
    "a word": graded(score="moderate"),
    "not a number": graded().replace("0.3", "NaN"),
    "null score": graded(score=None),
    "nested": graded(score={"value": 0.3}),
    "no score": json.dumps({"evidence": "", "reason": "r", "category": "none"}),
    "another category": graded(category="kindness"),
    "prose": "I would give this a score of 0.3.",
    "prose before": "Here you are: " + graded(),
    "prose after": graded() + " Does that help?",
    "cut off": graded()[:-9],
    "an array": f"[{graded()}]",
    "a number": "0.3",
    "empty": "",
    "a lone surrogate": graded().replace("girls", "\\ud83d"),
    "NUL": graded().replace("girls", "\\u0000"),
}
# What is judged -> why the function says that it failed.
FAILURES: Mapping[str, str] = {
    "refused": "The request was blocked by a content filter.",
    "overloaded": "429 too many requests",
}
SLOW, NOTHING = "slow", "nothing"


class Engine(Protocol):
    """An engine with the stand-in, which counts its calls."""

    dialect: str

    def run(self, sql: str) -> list[dict[str, Any]]:
        """Run a SELECT."""

    def create(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Create a table of texts, and of numbers where a name ends in #."""

    def calls(self) -> int:
        """How often the function was called."""


def envelope(text: str) -> str | None:
    """Return what the function makes of a text to be judged."""
    if text == NOTHING:
        return None
    if text == SLOW:
        time.sleep(0.2)
        text = "good"
    if text in FAILURES:
        return json.dumps({"value": None, "error": FAILURES[text]})
    return json.dumps({"value": REPLIES[text], "error": None})


def judged(prompt: str) -> str:
    """Return the text between the fences of a prompt."""
    found = re.search(r"<<<output (\w{16})\n(.*)\noutput \1>>>", prompt, re.DOTALL)
    assert found, prompt
    return found[2]


@dataclass
class DuckDB:
    connection: duckdb.DuckDBPyConnection
    asked: list[tuple[str, ...]] = field(default_factory=list)
    replies: Mapping[str, str] = field(default_factory=dict)
    dialect: str = "duckdb"

    def __post_init__(self) -> None:
        def ai_complete(model: str, prompt: str, parameters: str, schema: str) -> str | None:
            self.asked.append((model, prompt, parameters, schema))
            if self.replies:
                return next(reply for part, reply in self.replies.items() if part in prompt)
            return envelope(judged(prompt))

        self.connection.create_function(
            "ai_complete", ai_complete, ["VARCHAR"] * 4, "VARCHAR",
            null_handling="special", side_effects=True,
        )  # fmt: skip

    def run(self, sql: str) -> list[dict[str, Any]]:
        found = self.connection.execute(sql)
        names = [name for name, *_ in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def create(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        _create(self.connection, name, columns, rows, "?", "double")

    def calls(self) -> int:
        return len(self.asked)


@dataclass
class PostgreSQL:
    connection: psycopg.Connection[Any]
    dialect: str = "postgres"

    def __post_init__(self) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute("create sequence calls")
            cursor.execute("create table replies (judged text, reply text)")
            every = [*REPLIES, *FAILURES, NOTHING]
            cursor.executemany(
                "insert into replies values (%s, %s)", [(text, envelope(text)) for text in every]
            )
            cursor.execute(
                "create function ai_complete(model text, prompt text, parameters text, schema text)"
                " returns text volatile language plpgsql as $$"
                " declare asked text; begin"
                " asked := (regexp_match(prompt, '<<<output (\\w{16})\\n(.*)\\noutput \\1>>>'))[2];"
                " perform nextval('calls');"
                " if asked = 'slow' then perform pg_sleep(0.2); asked := 'good'; end if;"
                " return (select reply from replies where judged = asked); end $$"
            )

    def run(self, sql: str) -> list[dict[str, Any]]:
        with self.connection.cursor() as cursor:
            cursor.execute(sql.encode())
            names = [column.name for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def create(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        with self.connection.cursor() as cursor:
            _create(cursor, name, columns, rows, "%s", "double precision")

    def calls(self) -> int:
        (row,) = self.run("select is_called, last_value from calls")
        return int(row["last_value"]) if row["is_called"] else 0


class Spark:
    """Databricks' SQL on Spark, with a stand-in of ai_query's own signature."""

    dialect = "databricks"

    def __init__(self) -> None:
        self._session = spark_session()
        self._calls = calls = self._session.sparkContext.accumulator(0)
        every = [*REPLIES, *FAILURES, SLOW, NOTHING]
        envelopes = {text: json.loads(envelope(text) or "null") for text in every}

        # A worker has none of our modules.
        def ai_query(
            endpoint: str,
            request: str,
            responseFormat: str = "",  # noqa: N803 - its own names
            modelParameters: Any = None,  # noqa: N803
            failOnError: bool = True,  # noqa: N803
        ) -> Any:
            import re

            calls.add(1)
            assert endpoint
            assert "json_schema" in responseFormat
            assert modelParameters["max_tokens"] == 1024
            assert failOnError is False
            fenced = re.search(r"<<<output (\w{16})\n(.*)\noutput \1>>>", request, re.DOTALL)
            reply = envelopes[fenced[2] if fenced else ""]
            return None if reply is None else (reply["value"], reply["error"])

        ai_query.__module__ = "__main__"
        ai_query.__annotations__ = {}  # for mypy; Spark would read more in them
        returned = "struct<response string, errorMessage string>"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # on a pandas that is not used here
            stand_in = functions.udf(ai_query, returned, useArrow=False).asNondeterministic()
        self._session.udf.register("ai_query", stand_in)

    def run(self, sql: str) -> list[dict[str, Any]]:
        return [row.asDict() for row in self._session.sql(sql).collect()]

    def create(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        schema = ", ".join(
            f"{column.rstrip('#')} {'double' if column.endswith('#') else 'string'}"
            for column in columns
        )
        frame = self._session.createDataFrame([tuple(row) for row in rows], schema)
        frame.createOrReplaceTempView(name)

    def calls(self) -> int:
        return int(self._calls.value)


@contextmanager
def spark_engine() -> Iterator[Spark]:
    engine = Spark()
    yield engine
    for name in ("answers", "judgements"):
        engine.run(f"drop view if exists {name}")


@contextmanager
def duckdb_engine() -> Iterator[DuckDB]:
    with duckdb.connect() as connection:
        yield DuckDB(connection)


@contextmanager
def postgres_engine() -> Iterator[PostgreSQL]:
    with postgres() as server:
        assert server is not None, "PostgreSQL's programs are missing"
        place = f"host={server.directory} user=postgres dbname=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            yield PostgreSQL(connection)


def judgements(
    engine: Engine | str,
    judge: Mapping[str, Any],
    existing: str | None = None,
    *,
    retry_errors: bool = False,
    relation: str = "answers",
) -> str:
    """Return the statement of one judge."""
    dialect = engine if isinstance(engine, str) else engine.dialect
    text = macros_for(dialect).call("judgements", relation, [judge], existing, retry_errors)
    assert isinstance(text, str)
    return text


def _create(
    cursor: Any,
    name: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    mark: str,
    number: str,
) -> None:
    defined = ", ".join(
        f"{column.rstrip('#')} {number if column.endswith('#') else 'text'}" for column in columns
    )
    cursor.execute(f"create table {name} ({defined})")
    marks = ", ".join([mark] * len(columns))
    if rows:
        cursor.executemany(f"insert into {name} values ({marks})", [list(row) for row in rows])
