"""A run in MLflow, which keeps it in a folder and is read back by its own client."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import mlflow
import pytest

import fairsql
from fairsql import PackageMissingError, log_to_mlflow
from tests.cli.samples import suite_of
from tests.report.runs import full_run


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    mlflow.set_experiment("fairness")
    yield
    while mlflow.active_run():
        mlflow.end_run()


def test_measurements_are_metrics_and_the_results_an_artifact() -> None:
    run = full_run()
    logged = mlflow.get_run(log_to_mlflow(run))
    assert mlflow.active_run() is None
    assert logged.info.status == "FINISHED"
    metrics = logged.data.metrics
    for status in ("passed", "failed", "skipped", "error"):
        assert metrics[f"fairsql/{status}"] == sum(test.status == status for test in run.tests)
    defined = sum(value is not None for test in run.tests for value in test.measurements.values())
    assert len(metrics) == 4 + defined
    assert logged.data.tags["fairsql.gate"] == "undefined"
    assert logged.data.tags["fairsql.version"] == run.fairsql_version
    text = mlflow.artifacts.load_text(f"{logged.info.artifact_uri}/fairsql/results.json")
    assert json.loads(text) == json.loads(run.to_json())


def test_a_metric_is_named_by_its_test_and_measurement(tmp_path: Path) -> None:
    rows = [f"{sex},{int(place < 30)}" for sex in "FM" for place in range(100)]
    (tmp_path / "fair.csv").write_text("\n".join(["sex,approved", *rows]) + "\n")
    suite = suite_of("fair", "fair").replace("by sex 1", 'by "sex"?')
    (tmp_path / "suite.yml").write_text(suite.replace("by sex\n", "by _sex_\n"))
    warehouse = fairsql.connect("duckdb://", data={"fair": tmp_path / "fair.csv"})
    run = fairsql.load_suite(tmp_path / "suite.yml").run(warehouse)
    metrics = mlflow.get_run(log_to_mlflow(run, prefix="own")).data.metrics
    assert metrics["own/approvals by _sex_/min_metric_ratio"] == 1.0
    # Without what MLflow does not take, the other test would have the same name.
    assert metrics["own/approvals by _sex_ 2/failing_group_count"] == 0.0
    assert metrics["own/passed"] == 2.0


@pytest.mark.parametrize("name", [".", "..", "../up", "a/../b", "é", "x" * 400])
def test_a_name_that_is_a_path_is_none_in_mlflow(name: str) -> None:
    run = full_run()
    tests = tuple(dataclasses.replace(test, name=name) for test in run.tests)
    metrics = mlflow.get_run(log_to_mlflow(dataclasses.replace(run, tests=tests))).data.metrics
    defined = sum(value is not None for test in run.tests for value in test.measurements.values())
    assert len(metrics) == 4 + defined


def test_an_active_run_is_used_and_goes_on() -> None:
    with mlflow.start_run() as active:
        assert log_to_mlflow(full_run()) == active.info.run_id
        current = mlflow.active_run()
        assert current is not None
        assert current.info.run_id == active.info.run_id


def test_without_mlflow_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(PackageMissingError, match=r"pip install '\.\[mlflow\]'"):
        log_to_mlflow(full_run())
