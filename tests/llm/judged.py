"""Answers and their judgements as tables in any engine: what a judge would have written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

JUDGE: Mapping[str, Any] = {
    "name": "tone",
    "judge": "bias",
    "model": "m1",
    "prompt_version": "v1",
    "output_column": "answer",
}
LIMITS = [{"measurement": "bias_mean_score", "operator": "<=", "value": 0.5}]

Row = tuple[Any, ...]
"""id, group, answer, score (None where the judge failed), whether it is judged."""


def hashed(*texts: str | None) -> str:
    """Return what the input_hash of texts is by its definition."""
    written = "".join("-" if text is None else f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(written.encode()).hexdigest()


def make(execute: Callable[[str], Any], rows: Sequence[Row], judge: str = "bias") -> None:
    """Make the tables ``answers`` and ``fairsql_judgements``, in SQL that every engine reads."""
    execute("drop table if exists answers")
    execute("drop table if exists fairsql_judgements")
    execute("create table answers (id integer, grp varchar(20), answer varchar(200))")
    execute(
        "create table fairsql_judgements (row_key varchar(20), judge varchar(40),"
        " prompt_version varchar(20), model varchar(20), input_hash varchar(64), score float8,"
        " label varchar(20), error varchar(20), judged_at varchar(30))"
    )
    said = {row[2]: row for row in rows if row[4]}
    _insert(execute, "answers", [row[:3] for row in rows])
    _insert(
        execute,
        "fairsql_judgements",
        [
            (
                *(str(row[0]), judge, "v1", "m1", hashed(text), row[3], None),
                *("no JSON" if row[3] is None else None, "2026-01-01T00:00:00Z"),
            )
            for text, row in said.items()
        ],
    )


def _insert(execute: Callable[[str], Any], table: str, rows: Sequence[Row]) -> None:
    if rows:
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        execute(f"insert into {table} values {values}")


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
