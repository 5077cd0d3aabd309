"""The parts of the benchmarks that a benchmark rests on: costs, comparisons, the page."""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import pytest

from benchmarks import by_hand, checking, data, measuring, report
from benchmarks.checking import WrongNumberError
from benchmarks.measuring import Cost, DidNotRunError, Program
from benchmarks.sections import Section, Target


def test_a_process_is_timed_and_weighed() -> None:
    script = "import time; held = bytearray(200 << 20); time.sleep(0.3)"
    costs = measuring.processes(
        {"large": measuring.script(script), "small": measuring.script("pass")}, repeats=1
    )
    large, small = costs["large"], costs["small"]
    assert large.seconds is not None
    assert large.seconds >= 0.3
    assert large.megabytes is not None
    assert small.megabytes is not None
    assert large.megabytes - small.megabytes == pytest.approx(200, rel=0.1)


def test_what_does_not_end_in_time_has_no_cost() -> None:
    endless = measuring.script("while True: pass")
    assert measuring.processes({"endless": endless}, limit=0.5) == {"endless": Cost(None, None)}


def test_a_program_that_fails_is_not_measured() -> None:
    with pytest.raises(DidNotRunError, match=r"broken ended with 1: .*no such suite"):
        measuring.processes({"broken": measuring.script("import sys; sys.exit('no such suite')")})
    failing = Program([sys.executable, "-c", "import sys; sys.exit(1)"], exits=(0, 1))
    assert measuring.processes({"failing": failing}, repeats=1)["failing"].seconds
    with pytest.raises(DidNotRunError, match="ended with 4"):
        measuring.processes({"refused": measuring.script("import sys; sys.exit(4)")})


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({("mean",): 1.0}, {("mean",): 1.0 + 1e-8}),
        ({("mean",): 1.0}, {("rate",): 1.0}),
        ({("mean",): None}, {("mean",): 0.0}),
        ({("mean",): 0.0}, {("mean",): None}),
        ({("mean",): float("nan")}, {("mean",): float("nan")}),
        ({}, {("mean",): 1.0}),
    ],
)
def test_numbers_that_differ_are_wrong(
    ours: dict[tuple[str], float | None], theirs: dict[tuple[str], float | None]
) -> None:
    with pytest.raises(WrongNumberError):
        checking.same("these", ours, theirs)


def test_numbers_that_agree_are_counted() -> None:
    ours = {("mean",): 1.0, ("rate",): None}
    theirs = {("mean",): 1.0 + 1e-12, ("rate",): None, ("more",): 2.0}
    assert checking.same("these", ours, theirs) == 2


def test_the_formulas_by_hand_are_those_of_scikit_learn() -> None:
    import numpy as np
    from sklearn import metrics

    with duckdb.connect() as connection:
        connection.execute(f"create view sample as {data.people(5000)}")
        rows = by_hand.rows(connection, by_hand.sums(by_sets=True))
        whole = {metric: v for (metric, names, _), v in by_hand.metrics(rows).items() if not names}
        columns = connection.execute("select * from sample").fetchnumpy()
    truth, label, score = columns["truth"], columns["prediction"], columns["score"]
    amount, forecast = columns["amount"], columns["forecast"]
    expected = {
        "accuracy": metrics.accuracy_score(truth, label),
        "precision": metrics.precision_score(truth, label),
        "recall": metrics.recall_score(truth, label),
        "specificity": metrics.recall_score(truth, label, pos_label=0),
        "npv": metrics.precision_score(truth, label, pos_label=0),
        "f1": metrics.f1_score(truth, label),
        "balanced_accuracy": metrics.balanced_accuracy_score(truth, label),
        "log_loss": metrics.log_loss(truth, score),
        "brier": metrics.brier_score_loss(truth, score),
        "mae": metrics.mean_absolute_error(amount, forecast),
        "mse": metrics.mean_squared_error(amount, forecast),
        "mape": metrics.mean_absolute_percentage_error(amount, forecast),
        "r2": metrics.r2_score(amount, forecast),
        "std": np.std(amount, ddof=1),
    }
    assert {metric: whole[metric] for metric in expected} == pytest.approx(expected, rel=1e-9)


def test_the_usual_auc_is_that_of_scikit_learn() -> None:
    from sklearn.metrics import roc_auc_score

    with duckdb.connect() as connection:
        for score in data.SCORES:
            connection.execute(f"create or replace view sample as {data.scored(3000, score)}")
            for row in by_hand.rows(connection, by_hand.query("auc", group="region")):
                of_group = connection.execute(
                    "select truth, score from sample where region = ?", [row["region"]]
                ).fetchnumpy()
                expected = roc_auc_score(of_group["truth"], of_group["score"])
                assert row["auc"] == pytest.approx(expected, rel=1e-12)


def test_a_table_is_made_once_and_anew_when_its_query_changes(tmp_path: Path) -> None:
    first = data.written(tmp_path, "numbers", "select 1 as n")
    made = first.stat().st_mtime_ns
    assert data.written(tmp_path, "numbers", "select 1 as n").stat().st_mtime_ns == made
    assert data.written(tmp_path, "numbers", "select 2 as n") != first
    assert not list(tmp_path.glob("*.unfinished"))


def test_only_what_stands_between_marks_is_refreshed() -> None:
    page = "# Page\n<!-- sums: begin -->\nold\n<!-- sums: end -->\nprose\n<!-- auc: begin -->\n"
    columns = {"what": "text", "statement": "s"}
    target = Target("one / other", 2.0, 1.5, "×")
    section = Section("sums", columns, [["one", 1.234], ["other", None]], [target], 7, "Here.")
    refreshed = report.refreshed(page, {"sums": section})
    assert refreshed.startswith("# Page\n<!-- sums: begin -->\n| what | statement |\n")
    assert "| one | 1.23 s |\n| other | – |\n\n7 numbers compared, all equal. Here.\n" in refreshed
    assert refreshed.endswith("<!-- sums: end -->\nprose\n<!-- auc: begin -->\n")
    assert report.targets([section]).endswith("| 1.50 × | 2.00 × | **missed** |")
    assert Section.from_dict(section.to_dict()) == section


@pytest.mark.parametrize("measured", [None, 1.51])
def test_what_did_not_end_has_missed_its_target(measured: float | None) -> None:
    assert Target("one / other", measured, 1.5, "×").state == "missed"
    assert Target("one / other", 1.5, 1.5, "×").state == "met"


def test_what_has_no_limit_is_reported() -> None:
    target = Target("one / other", 2.0, None, "×")
    assert target.state == "reported"
    assert report.target_line(target) == "one / other: 2.00 ×: reported"
