"""Answers in a warehouse, and judges of them that are simulated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

import fairsql
from fairsql.config.judging import JudgeSpec
from fairsql.llm.running import Options, jobs_for, run_jobs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairsql.llm.judging import Outcome

SPEC: Mapping[str, Any] = {
    "name": "tone",
    "judge": "bias",
    "model": "m",
    "provider": "simulated",
    "relation": "answers",
    "output_column": "answer",
    "key_columns": ("id",),
}


def spec(**changes: Any) -> JudgeSpec:
    return JudgeSpec.model_validate({**SPEC, **changes})


def database(folder: Path, rows: int = 40) -> Path:
    """Return a file with answers, of which the last two are those of the first two rows again."""
    path = folder / "answers.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table answers as select i as id, 'g' || i % 2 as grp, 'question ' || i as"
            " question, case when i = 5 then null else 'answer ' || i % ? end as answer"
            " from range(?) as t(i)",
            [rows - 2, rows],
        )
    return path


def judged(
    path: Path, *specs: JudgeSpec, outcomes: list[Outcome] | None = None, **options: Any
) -> list[Outcome]:
    """Judge what is in a file, and return what came of each judge."""
    warehouse = fairsql.connect(f"duckdb:///{path}")
    chosen = Options(**options)
    try:
        jobs = jobs_for(specs or [spec()], warehouse, retries_errors=chosen.retries_errors)
        return run_jobs(jobs, warehouse, path.parent, chosen, outcomes=outcomes)
    finally:
        warehouse.close()


def table(path: Path, sql: str = "select * from fairsql_judgements") -> list[dict[str, Any]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        found = connection.execute(sql)
        names = [name for name, *_ in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def hashes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(row["input_hash"] for row in rows)
