"""The published examples, run unchanged: verdicts by pandas and scipy, reasons by name."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind
from sklearn.metrics import roc_auc_score

import fairsql
from fairsql.errors import ConfigurationError
from tests.tests_json.published import DEVELOPMENT, JUDGED, MONITORING
from tests.tests_json.samples import RATE, item, metric, parameters, threshold

END = pd.Timestamp("2024-03-11T00:00:00")
WEEK = pd.Timedelta(seconds=604800)


def people(seed: int, *, unfair: bool) -> pd.DataFrame:
    """Return calls of three weeks; when unfair, some groups are served worse in the last one."""
    draw = np.random.default_rng(seed)
    rows = 3000
    frame = pd.DataFrame(
        {
            "gender": draw.choice(["F", "M", "X"], rows, p=[0.5, 0.45, 0.05]),
            "language": draw.choice(["de", "en"], rows),
            "region": draw.choice(["north", "south"], rows, p=[0.3, 0.7]),
            "approval_score": draw.random(rows).round(3),
            "judge_score": draw.normal(0.6, 0.2, rows),
            "latency": draw.exponential(400, rows),
            "at": END - pd.to_timedelta(draw.integers(0, 3 * 604800, rows), unit="s"),
        }
    )
    noise = draw.normal(0, 0.6 if unfair else 0.2, rows)
    noise[frame["gender"] != "F"] /= 4
    frame["approved"] = (frame["approval_score"] + noise > 0.5).astype(int)
    frame["refused"] = draw.random(rows) < 0.1
    if unfair:
        is_worse = (frame["language"] == "de") & (frame["region"] == "north")
        frame.loc[is_worse, "judge_score"] -= 0.2
        last = frame["at"] >= END - WEEK
        frame.loc[last & (frame["region"] == "north"), "latency"] *= 10
        frame.loc[last & (frame["language"] == "de"), "refused"] = True
    return frame


def run(frame: pd.DataFrame, items: Any, folder: Path, **options: Any) -> fairsql.Run:
    connection = duckdb.connect()
    connection.register("frame", frame)
    connection.execute("create table calls as from frame")
    path = folder / "tests.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return fairsql.load_suite(path, **{"relation": "calls", **options}).run(connection)


def auc_ratio(frame: pd.DataFrame) -> float:
    """Return the lowest ratio to the best AUC of a group that is large enough."""
    groups = [
        roc_auc_score(own["approved"], own["approval_score"])
        for _, own in frame.groupby("gender")
        if len(own) >= 30 and len(own) / len(frame) >= 0.02
    ]
    return float(min(groups) / max(groups))


def failing_scores(frame: pd.DataFrame) -> int:
    """Count the groups whose mean is below 0.8 of the best and, by Welch and Holm, not by luck."""
    scores = {key: own["judge_score"] for key, own in frame.groupby(["language", "region"])}
    best = max(scores, key=lambda key: scores[key].mean())
    p = {
        key: ttest_ind(own, scores[best], equal_var=False).pvalue
        for key, own in scores.items()
        if key != best
    }
    failing, adjusted = 0, 0.0
    for place, key in enumerate(sorted(p, key=lambda key: p[key])):
        adjusted = max(adjusted, min(1.0, (len(p) - place) * p[key]))
        failing += scores[key].mean() / scores[best].mean() < 0.8 and adjusted < 0.05
    return failing


@pytest.mark.parametrize("unfair", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_examples_of_development(seed: int, unfair: bool, tmp_path: Path) -> None:
    frame = people(seed, unfair=unfair)
    ranking, scores = run(frame, DEVELOPMENT, tmp_path).tests
    expected = auc_ratio(frame)
    assert ranking.measurements["min_metric_ratio"] == pytest.approx(expected, rel=1e-9)
    assert ranking.status == ("passed" if expected >= 0.8 else "failed")
    failing = failing_scores(frame)
    assert scores.measurements["failing_group_count"] == failing
    assert scores.status == ("failed" if failing else "passed")
    assert (ranking.passed, scores.passed) == (not unfair, not unfair)


def largest_gap(values: pd.Series, groups: pd.Series, measure: Any) -> float:
    """Return by how much the worst group is above the measure of all rows; lower is better."""
    worst = max(float(measure(own)) for _, own in values.groupby(groups))
    return max(0.0, worst - float(measure(values)))


@pytest.mark.parametrize("unfair", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_examples_of_monitoring_on_one_week(seed: int, unfair: bool, tmp_path: Path) -> None:
    frame = people(seed, unfair=unfair)
    frame = frame[(frame["at"] >= END - WEEK) & (frame["at"] < END)]
    whole = {"evaluation_window": None, "delay_window": None}
    mapping = {one["name"]: whole for one in MONITORING}
    result = run(frame, MONITORING, tmp_path, mapping=mapping)
    latency, refusals = result.tests
    gap = largest_gap(frame["latency"], frame["region"], lambda own: np.quantile(own, 0.95))
    assert latency.measurements["max_metric_difference"] == pytest.approx(gap, rel=1e-9)
    assert latency.status == ("passed" if gap <= 500 else "failed")
    gap = largest_gap(frame["refused"], frame["language"], lambda own: own.mean())
    assert refusals.measurements["max_metric_difference"] == pytest.approx(gap, rel=1e-9)
    assert refusals.status == ("passed" if gap <= 0.05 else "failed")
    assert (latency.passed, refusals.passed) == (not unfair, not unfair)
    assert result.scans == 1


def test_an_item_that_needs_a_judge_is_answered_by_name(tmp_path: Path) -> None:
    result = run(people(1, unfair=False), [*JUDGED[:2], *DEVELOPMENT, *JUDGED[2:]], tmp_path)
    assert [test.name for test in result.tests] == [
        one["name"] for one in (*JUDGED[:2], *DEVELOPMENT, *JUDGED[2:])
    ]
    assert [test.status for test in result.tests] == [
        *["error"] * 2,
        *["passed"] * 2,
        *["error"] * 2,
    ]
    assert result.scans == 1
    assert result.exit_code() == 4
    for test, name in zip((*result.tests[:2], *result.tests[4:]), ("answerRelevancy",) * 2 +
                          ("biasMeanScore",) * 2, strict=True):  # fmt: skip
        assert str(test.message).startswith(f"{name} needs a judge, a language model")


def judged_people(scores: np.ndarray[Any, Any]) -> tuple[duckdb.DuckDBPyConnection, pd.DataFrame]:
    """Return calls with a judgement of relevancy and one of bias each."""
    frame = pd.DataFrame(
        {"reply": [f"reply {place}" for place in range(len(scores))], "score": scores}
    )
    written = (f"{len(text)}:{text}".encode() for text in frame["reply"])
    frame["input_hash"] = [hashlib.sha256(text).hexdigest() for text in written]
    connection = duckdb.connect()
    connection.register("frame", frame)
    connection.execute("create table calls as select reply, now()::timestamp as at from frame")
    connection.execute(
        "create table said as select judge, 'v1' as prompt_version, 'm' as model, input_hash,"
        " score, null::text as label, '2026' as judged_at from frame"
        " cross join (select unnest(['answer_relevancy', 'bias']) as judge)"
    )
    return connection, frame


def test_the_judges_of_a_mapping_serve_the_items_that_need_one(tmp_path: Path) -> None:
    scores = np.random.default_rng(8).random(400).round(2)
    connection, frame = judged_people(scores)
    windows = ("evaluationWindow", "delayWindow")
    items = [{name: one[name] for name in one if name not in windows} for one in JUDGED]
    (tmp_path / "tests.json").write_text(json.dumps(items), encoding="utf-8")
    shared = {"model": "m", "prompt_version": "v1", "output_column": "reply"}
    mapping = {
        "judgements": "said",
        "judges": [
            {"name": "relevancy", "judge": "answer_relevancy", **shared},
            {"name": "slant", "judge": "bias", **shared},
        ],
    }
    path = tmp_path / "tests.json"
    suite = fairsql.load_suite(path, relation="calls", mapping=mapping)
    assert [spec.table for spec in suite.judges] == ["said", "said"]
    for test in suite.run(connection).tests:
        (limit,) = test.thresholds
        assert limit.observed == pytest.approx(scores.mean(), rel=1e-12), test.message
        holds = scores.mean() > 0.8 if limit.operator == ">" else scores.mean() <= limit.value
        assert test.status == ("passed" if holds else "failed")
    assert len(frame) == 400
    written = fairsql.convert_tests_json(path, relation="calls", mapping=mapping)
    (tmp_path / "fairsql.yml").write_text(written.text, encoding="utf-8")
    again = fairsql.load_suite(tmp_path / "fairsql.yml")
    assert (again.judges, again.tests) == (suite.judges, suite.tests)


def test_a_wrong_judge_of_a_mapping_is_a_wrong_mapping(tmp_path: Path) -> None:
    (tmp_path / "tests.json").write_text(json.dumps(JUDGED), encoding="utf-8")
    mapping = {"judges": [{"name": "slant", "judge": "bais", "model": "m"}]}
    with pytest.raises(ConfigurationError, match=r"mapping, judges\[0\]\.judge: must be one of"):
        fairsql.load_suite(tmp_path / "tests.json", relation="calls", mapping=mapping)


def test_a_subpopulation_is_judged_alone(tmp_path: Path) -> None:
    frame = people(4, unfair=True)
    filters = [
        {"measurement": "region", "operator": "oneOf", "value": ["south"]},
        {"measurement": "latency", "operator": "<", "value": 900},
        {"measurement": "GENDER", "operator": "!=", "value": "X"},
    ]
    found = run(frame, [{**DEVELOPMENT[0], "subpopulationFilters": filters}], tmp_path).tests[0]
    own = frame[(frame["region"] == "south") & (frame["latency"] < 900) & (frame["gender"] != "X")]
    assert found.rows.total == len(own)
    assert found.measurements["min_metric_ratio"] == pytest.approx(auc_ratio(own), rel=1e-9)


def test_what_does_not_fit_the_table_is_one_tests_affair(tmp_path: Path) -> None:
    same = parameters(**{**RATE, "protected_attribute_columns": ["gender", "Gender"]})
    items = [
        item(threshold(insightParameters=same), name="twice"),
        item(name="elsewhere"),
        item(name="no predicate"),
        item(name="missing", subpopulationFilters=[
            {"measurement": "agee", "operator": "is", "value": 1}]),
        item(name="right"),
    ]  # fmt: skip
    mapping = {"elsewhere": {"relation": "nowhere"}, "no predicate": {"where": "1 = 1; drop"}}
    result = run(people(1, unfair=False), items, tmp_path, mapping=mapping)
    found = {test.name: (test.status, str(test.message)) for test in result.tests}
    assert list(found) == [one["name"] for one in items]
    assert found["twice"][0] == "error"
    assert "which is one name in this warehouse" in found["twice"][1]
    assert found["elsewhere"][0] == "error"
    assert found["no predicate"][0] == "error"
    assert "must be one SQL predicate" in found["no predicate"][1]
    assert found["missing"][0] == "skipped"
    assert found["right"][0] == "passed"


def test_what_was_not_read_is_a_note_of_the_result(tmp_path: Path) -> None:
    result = run(people(1, unfair=False), [item(archived=False), item(name="b")], tmp_path)
    assert result.tests[0].notes[-1] == "The tests.json has what was not read: 'archived'."
    assert not [note for note in result.tests[1].notes if "tests.json" in note]


def test_a_selection_keeps_the_order_and_what_cannot_run(tmp_path: Path) -> None:
    path = tmp_path / "tests.json"
    path.write_text(json.dumps([*JUDGED, *DEVELOPMENT]), encoding="utf-8")
    suite = fairsql.load_suite(path, relation="calls").select(["*mean score*", "AUC*"])
    assert suite.names == (JUDGED[2]["name"], JUDGED[3]["name"], DEVELOPMENT[0]["name"])
    assert len(suite.unready) == 2
    with pytest.raises(ConfigurationError, match="no test matches"):
        suite.select(["Judge*"])


def test_an_error_can_be_written_and_read_again(tmp_path: Path) -> None:
    result = run(people(1, unfair=False), [*JUDGED, *DEVELOPMENT], tmp_path)
    for name in ("json", "html", "markdown", "junit", "csv"):
        getattr(result, f"write_{name}")(tmp_path / name)
    again = fairsql.load_run(tmp_path / "json")
    assert [test.message for test in again.tests] == [test.message for test in result.tests]
    page = (tmp_path / "html").read_text(encoding="utf-8")
    assert "biasMeanScore needs a judge" in page
    assert "None" not in page.split("<body")[1].split("<script")[0]


def test_a_metric_threshold_is_a_test_of_ours_by_name(tmp_path: Path) -> None:
    items = [item(metric("accuracy", ">=", 0.9), subtype="metricThreshold", name="Accuracy")]
    (found,) = run(people(1, unfair=False), items, tmp_path).tests
    assert (found.name, found.type) == ("Accuracy", "metric_threshold")
