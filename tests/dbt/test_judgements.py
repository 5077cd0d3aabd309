"""Judging by the warehouse's own AI function as an incremental model of dbt's."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from tests.dbt.project import Project
from tests.dbt.warehouses import DuckDB

pytestmark = pytest.mark.xdist_group("dbt-duckdb")

GOOD = json.dumps({"evidence": "", "reason": "Fair.", "category": "none", "score": 0})
# A function in SQL, that is kept in the database's file as any of an engine's own is.
FUNCTION = f"""
create macro ai_complete(model, prompt, parameters, schema) as
    case when contains(prompt, 'blocked') then '{{"value": null, "error": "It''s blocked."}}'
    else '{json.dumps({"value": GOOD, "error": None})}' end
"""
SOURCES = "version: 2\nsources: [{name: raw, schema: main, tables: [{name: answers}]}]\n"
MODEL = """
{{ config(materialized='incremental') }}

{{ fairsql.judgements(
    source('raw', 'answers'),
    judges=[
        {'judge': 'bias', 'model': 'a-model', 'output_column': 'answer', 'key_columns': ['id'],
         'ai_function': 'ai_complete'},
        {'judge': 'custom', 'model': 'a-model', 'output_column': 'answer', 'key_columns': ['id'],
         'rubric': "Is it 'kind'?", 'scale': [0, 1], 'higher_is_better': true,
         'prompt_version': '0123456789abcdef', 'ai_function': 'ai_complete'},
    ],
    existing=this if is_incremental() else none
) }}
"""


def test_each_text_is_judged_in_one_run_only(tmp_path: Path) -> None:
    warehouse = DuckDB(tmp_path / "answers.duckdb")
    with duckdb.connect(str(warehouse.path)) as connection:
        connection.execute("create table answers (id integer, answer varchar)")
        connection.execute("insert into answers values (1, 'A.'), (2, 'blocked'), (3, 'A.')")
        connection.execute(FUNCTION)
    files = {"models/sources.yml": SOURCES, "models/fairsql_judgements.sql": MODEL}
    project = Project.create(tmp_path / "project", warehouse.output, files)
    project.done("run")
    table = "main.fairsql_judgements"
    first = warehouse.rows([table])[0]
    said = {(row["judge"], row["row_key"]): (row["score"], row["error"]) for row in first}
    assert said == {
        ("bias", "1"): (0.0, None),
        ("bias", "2"): (None, "It's blocked."),
        ("custom", "1"): (0.0, None),
        ("custom", "2"): (None, "It's blocked."),
    }
    with duckdb.connect(str(warehouse.path)) as connection:
        connection.execute("insert into answers values (4, 'B.'), (5, 'blocked')")
    project.done("run")
    second = warehouse.rows([table])[0]
    new = [row for row in second if row not in first]
    assert len(second) == len(first) + len(new)
    assert sorted((row["judge"], row["row_key"]) for row in new) == [("bias", "4"), ("custom", "4")]
    project.done("run")
    assert len(warehouse.rows([table])[0]) == len(second)


def test_a_wrong_argument_is_a_compile_error(tmp_path: Path) -> None:
    warehouse = DuckDB(tmp_path / "answers.duckdb")
    model = "{{ fairsql.judgements('answers', [{'judge': 'kindness', 'model': 'm'}]) }}"
    files = {"models/fairsql_judgements.sql": model}
    project = Project.create(tmp_path / "project", warehouse.output, files)
    finished = project.dbt("compile")
    assert finished.returncode != 0
    assert "judge must be one of bias" in finished.stdout
