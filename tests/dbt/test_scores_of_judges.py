"""Judged scores in a real dbt project: llm_bias, metric_threshold, and a model by groups."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.config.judging import JudgeSpec
from fairsql.llm.versions import prompt_version
from fairsql.suite import Suite
from tests.dbt.project import Project
from tests.dbt.warehouses import DuckDB
from tests.llm.judged import JUDGE, make

if TYPE_CHECKING:
    import fairsql

pytestmark = pytest.mark.xdist_group("dbt-duckdb")

ROWS = [
    (
        place,
        "ab"[place % 2],
        f"answer {place}",
        None if place % 8 == 1 else place % 5 / 5,
        place > 3,
    )
    for place in range(80)
]
MODELS = """
version: 2
sources: [{name: raw, schema: main, tables: [{name: answers}, {name: fairsql_judgements}]}]
models:
  - name: replies
    data_tests:
      - fairsql.llm_bias:
          name: bias_fails
          arguments: {judges: &judges [
            {name: tone, judge: bias, model: m1, output_column: answer,
             table: "{{ source('raw', 'fairsql_judgements') }}"}],
            thresholds: [
              {measurement: bias_mean_score, operator: "<=", value: 0.3},
              {measurement: erroredRowCount, operator: "<=", value: 9},
              {measurement: applied_row_count, operator: ">=", value: 1}]}
          config: {store_failures: true}
      - fairsql.llm_bias:
          name: bias_holds
          arguments: {judges: *judges, thresholds: [
            {measurement: biasStdScore, operator: "<=", value: 1}]}
          config: {where: "id > 10"}
      - fairsql.metric_threshold:
          name: nothing_judged
          arguments: {judges: [
            {name: clear, judge: coherence, model: m1, output_column: answer,
             table: "{{ source('raw', 'fairsql_judgements') }}"}], thresholds: [
            {measurement: coherence, operator: ">=", value: 0.5}]}
  - name: judged
    data_tests:
      - fairsql.group_column_statistic:
          name: scores_by_group
          arguments: {protected_attribute_columns: [grp], statistic: mean, value_column: tone_score,
                      operator: "<=", value: 0.3}
          config: {store_failures: true}
"""
JUDGED = """
{{ fairsql.with_judgements(ref('replies'), judges=[
    {'name': 'tone', 'judge': 'bias', 'model': 'm1', 'output_column': 'answer',
     'table': source('raw', 'fairsql_judgements')}
]) }}
"""


def python_result(path: Path, type_: str, **fields: Any) -> fairsql.TestResult:
    judge = {name: value for name, value in JUDGE.items() if name != "prompt_version"}
    test = build_test(type_, name="it", relation="answers", judges=[judge], **fields)
    with duckdb.connect(str(path), read_only=True) as opened:
        return Suite((test,)).run(opened).tests[0]


def is_end(line: str, name: str) -> bool:
    return f" {name} " in line and " of 4 " in line and "START" not in line


def test_dbt_judges_as_python_does(tmp_path: Path) -> None:
    warehouse = DuckDB(tmp_path / "answers.duckdb")
    spec = JudgeSpec.model_validate({**JUDGE, "prompt_version": None})
    with duckdb.connect(str(warehouse.path)) as connection:
        make(connection.execute, ROWS)
        # The judgements of the template as it is, which a mapping without a version reads.
        connection.execute(
            "update fairsql_judgements set prompt_version = ?", [prompt_version(spec)]
        )
    files = {
        "models/models.yml": MODELS,
        "models/replies.sql": "select * from {{ source('raw', 'answers') }}",
        "models/judged.sql": JUDGED,
    }
    project = Project.create(tmp_path / "project", warehouse.output, files)
    project.done("run")
    finished = project.dbt("test")
    said = {
        name: next(line for line in finished.stdout.splitlines() if is_end(line, name))
        for name in ("bias_fails", "bias_holds", "nothing_judged", "scores_by_group")
    }
    assert "FAIL 1" in said["bias_fails"]
    assert "PASS" in said["bias_holds"]
    assert "WARN -1" in said["nothing_judged"]
    limits = [
        {"measurement": name, "operator": operator, "value": value}
        for name, operator, value in (
            ("bias_mean_score", "<=", 0.3),
            ("errored_row_count", "<=", 9),
            ("applied_row_count", ">=", 1),
        )
    ]
    result = python_result(warehouse.path, "llm_bias", thresholds=limits)
    rows = warehouse.rows(["main_dbt_test__audit.bias_fails"])[0]
    broken = {row["parity_metric"]: row["value"] for row in rows}
    assert broken == {
        limit.measurement: pytest.approx(limit.observed)
        for limit in result.thresholds
        if not limit.passed
    }
    by_group = python_result(
        warehouse.path,
        "group_column_statistic",
        protected_attribute_columns=["grp"],
        statistic="mean",
        value_column="tone_score",
        operator="<=",
        value=0.3,
    )
    rows = warehouse.rows(["main_dbt_test__audit.scores_by_group"])[0]
    failed = {row["key_1"]: row["value"] for row in rows}
    assert failed == {
        group.key["grp"]: pytest.approx(group.value) for group in by_group.groups if group.failed
    }
    assert failed
