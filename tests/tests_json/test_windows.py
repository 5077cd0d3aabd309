"""The published monitoring examples, unchanged, on the week that a run looks back on."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

import fairsql
from tests.tests_json.published import MONITORING
from tests.tests_json.test_running import END, WEEK, largest_gap, people


@pytest.mark.parametrize("delay", [0, 86_400])
@pytest.mark.parametrize("unfair", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_examples_of_monitoring(seed: int, unfair: bool, delay: int, tmp_path: Path) -> None:
    frame = people(seed, unfair=unfair)
    connection = duckdb.connect()
    connection.register("frame", frame)
    connection.execute("create table calls as from frame")
    items = [{**one, "delayWindow": delay} for one in MONITORING]
    (tmp_path / "tests.json").write_text(json.dumps(items), encoding="utf-8")
    suite = fairsql.load_suite(tmp_path / "tests.json", relation="calls", timestamp_column="at")
    result = suite.run(connection, as_of=str(END))
    end = END - pd.Timedelta(seconds=delay)
    week = frame[(frame["at"] >= end - WEEK) & (frame["at"] < end)]
    latency, refusals = result.tests
    assert latency.rows.total == refusals.rows.total == len(week) > 500
    gap = largest_gap(week["latency"], week["region"], lambda own: np.quantile(own, 0.95))
    assert latency.measurements["max_metric_difference"] == pytest.approx(gap, rel=1e-9)
    assert latency.status == ("passed" if gap <= 500 else "failed")
    gap = largest_gap(week["refused"], week["language"], lambda own: own.mean())
    assert refusals.measurements["max_metric_difference"] == pytest.approx(gap, rel=1e-9)
    assert refusals.status == ("passed" if gap <= 0.05 else "failed")
    assert (latency.passed, refusals.passed) == (not unfair, not unfair)
    assert result.scans == 1
    converted = fairsql.convert_tests_json(
        tmp_path / "tests.json", relation="calls", timestamp_column="at"
    )
    (tmp_path / "fairsql.yml").write_text(converted.text, encoding="utf-8")
    assert fairsql.load_suite(tmp_path / "fairsql.yml").tests == suite.tests
