"""Outcome and score disparity, column statistics and metric thresholds in SQL."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import fisher_exact, ttest_ind
from sklearn import metrics

from tests.dbt.verdicts import limit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.dbt.verdicts import Place, Row

RACE = {
    "Hispanic": (408, 204),
    "White": (797, 412),
    "Black": (390, 170),
    "Native Hawaiian or Pacific Islander": (119, 52),
    "Asian": (616, 302),
    "Native American": (41, 18),
    "Two or more": (213, 96),
}
# NYC Local Law 144, the rule's selection example: impact ratios to six places.
RACE_RATIOS = {
    "Hispanic": 0.967233,
    "White": 1,
    "Black": 0.843229,
    "Native Hawaiian or Pacific Islander": 0.845313,
    "Asian": 0.948391,
    "Native American": 0.849278,
    "Two or more": 0.871872,
}
OUTCOME = {
    "protected_attribute_columns": ["g"],
    "outcome_column": "outcome",
    "favorable_values": ["hired"],
}
COLUMNS = {"g": "text", "x": "float", "score": "float", "predicted": "integer", "truth": "integer"}
LABELS: dict[str, Any] = {
    "prediction_column": "predicted",
    "ground_truth_column": "truth",
    "positive_values": ["1"],
}


def outcomes(place: Place, counts: Mapping[str, tuple[int, int]]) -> str:
    rows = [(g, "hired" if i < k else "not") for g, (n, k) in counts.items() for i in range(n)]
    return place.load("outcomes", {"g": "text", "outcome": "text"}, rows)


def generated(seed: int) -> list[Any]:
    rng = Random(seed)  # noqa: S311
    rows = []
    for group, (size, mean) in {"a": (90, 5), "B": (70, 5.5), "c": (41, 7)}.items():
        for _ in range(size):
            truth = int(rng.random() < 0.4)
            score = round(min(1, max(0, rng.gauss(0.4 + 0.2 * truth, 0.2))), 2)
            x = None if rng.random() < 0.1 else round(rng.gauss(mean, 2), 3)
            rows.append((group, x, score, int(score > 0.5), truth))
    return rows


def by_key(rows: Sequence[Row]) -> dict[str, Row]:
    return {row["key_1"]: row for row in rows}


def values_of(rows: list[Any], group: str) -> list[float]:
    return [row[1] for row in rows if row[0] == group and row[1] is not None]


def test_local_law_144(place: Place) -> None:
    table = outcomes(place, RACE)
    found = by_key(place.groups("group_outcome_disparity", table, **OUTCOME, min_group_share=0.01))
    assert {key: row["ratio"] for key, row in found.items()} == pytest.approx(RACE_RATIOS, abs=5e-7)
    white = found["White"]
    assert white["is_reference"]
    assert white["impact_ratio"] == white["min_metric_ratio"] == found["Black"]["ratio"]
    rates = [k / n for n, k in RACE.values()]
    assert white["statistical_parity_difference"] == pytest.approx(max(rates) - min(rates))


def test_connecticut_v_teal(place: Place) -> None:
    table = outcomes(place, {"Black": (48, 26), "white": (259, 206)})
    (row,) = place.failures(
        "group_outcome_disparity",
        table,
        **OUTCOME,
        require_significance=True,
        thresholds=[limit("impact_ratio", ">=", 0.8), limit("failing_group_count", "<=", 0)],
    )
    assert row["key_1"] == "Black"
    assert row["parity_metric"] == "rate"
    assert row["broken_thresholds"] == "impact_ratio >= 0.8; failing_group_count <= 0"
    assert row["impact_ratio"] == pytest.approx(0.6810275080906149, rel=1e-12)
    assert row["p_value"] == pytest.approx(0.0004041588085768439, rel=1e-9)


def test_both_extremes_break_a_limit_on_their_difference(place: Place) -> None:
    table = outcomes(place, {"a": (50, 40), "b": (50, 35), "c": (50, 30)})
    rows = place.failures(
        "group_outcome_disparity",
        table,
        **OUTCOME,
        thresholds=[limit("statistical_parity_difference", "<", 0.2)],
    )
    assert sorted(row["key_1"] for row in rows) == ["a", "c"]


def test_means_of_scores(place: Place) -> None:
    rows = generated(1)
    table = place.load("scores", COLUMNS, rows)
    asked = {"protected_attribute_columns": ["g"], "score_column": "x", "higher_is_better": True}
    found = by_key(place.groups("group_score_disparity", table, **asked))
    reference = values_of(rows, "c")
    assert found["c"]["is_reference"]
    for group in "aB":
        values = values_of(rows, group)
        row = found[group]
        assert row["value"] == pytest.approx(statistics.fmean(values))
        expected = ttest_ind(values, reference, equal_var=False).pvalue
        assert row["p_value"] == pytest.approx(expected, rel=1e-9)
        assert row["parity_metric"] == "mean"


def test_standardized_differences_of_scores(place: Place) -> None:
    rows = generated(2)
    table = place.load("scores", COLUMNS, rows)
    found = by_key(
        place.groups(
            "group_score_disparity",
            table,
            protected_attribute_columns=["g"],
            score_column="x",
            statistic="standardized_mean_difference",
            higher_is_better=True,
            max_difference=0.5,
        )
    )
    second = values_of(rows, "c")
    for group in "aB":
        first = values_of(rows, group)
        squares = (len(first) - 1) * statistics.variance(first)
        squares += (len(second) - 1) * statistics.variance(second)
        deviation = (squares / (len(first) + len(second) - 2)) ** 0.5
        gap = (statistics.fmean(second) - statistics.fmean(first)) / deviation
        assert found[group]["difference"] == pytest.approx(gap, rel=1e-9)
        assert found[group]["failed"] == (gap > 0.5)
        assert found[group]["value"] is None
        assert found[group]["ratio"] is None


def test_scoring_rates(place: Place) -> None:
    rows = generated(3)
    table = place.load("scores", COLUMNS, rows)
    found = by_key(
        place.groups(
            "group_score_disparity",
            table,
            protected_attribute_columns=["g"],
            score_column="x",
            statistic="scoring_rate",
            higher_is_better=True,
        )
    )
    middle = statistics.median([row[1] for row in rows if row[1] is not None])
    counts = {
        group: (sum(x > middle for x in values), len(values))
        for group in "aBc"
        for values in [values_of(rows, group)]
    }
    for group, (above, n) in counts.items():
        assert found[group]["value"] == pytest.approx(above / n)
        if group != "c":
            table_ = [[above, n - above], [counts["c"][0], counts["c"][1] - counts["c"][0]]]
            assert found[group]["p_value"] == pytest.approx(
                fisher_exact(np.array(table_)).pvalue, rel=1e-9
            )


COLUMN_ORACLES: Mapping[str, Callable[[list[float]], float]] = {
    "sum": sum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
    "std": statistics.stdev,
    "variance": statistics.variance,
    "distinct_count": lambda values: len(set(values)),
    "p90": lambda values: float(np.quantile(values, 0.9)),
    "p95": lambda values: float(np.quantile(values, 0.95)),
    "p99": lambda values: float(np.quantile(values, 0.99)),
}


@pytest.mark.parametrize("statistic", [*COLUMN_ORACLES, "count", "missing_rate"])
def test_statistics_of_a_column(place: Place, statistic: str) -> None:
    rows = generated(4)
    expected: dict[str, float] = {}
    for group in "aBc":
        all_rows, values = sum(row[0] == group for row in rows), values_of(rows, group)
        if statistic == "count":
            expected[group] = all_rows
        elif statistic == "missing_rate":
            expected[group] = 1 - len(values) / all_rows
        else:
            expected[group] = COLUMN_ORACLES[statistic](values)
    bound = sorted(expected.values())[1]
    asked = {
        "protected_attribute_columns": ["g"],
        "statistic": statistic,
        "operator": "<=",
        "value": bound,
        **({} if statistic == "count" else {"value_column": "x"}),
    }
    table = place.load("described", COLUMNS, rows)
    found = by_key(place.groups("group_column_statistic", table, **asked))
    assert {key: row["value"] for key, row in found.items()} == pytest.approx(expected, rel=1e-9)
    beyond = {key for key, value in expected.items() if value > bound}
    assert {key for key, row in found.items() if row["failed"]} == beyond
    assert found["a"]["lowest_group_value"] == pytest.approx(min(expected.values()))
    assert found["a"]["highest_group_value"] == pytest.approx(max(expected.values()))
    failures = place.failures("group_column_statistic", table, **asked)
    assert {row["key_1"] for row in failures} == beyond
    assert {row["failing_group_count"] for row in failures} <= {len(beyond)}
    assert {row["parity_metric"] for row in failures} <= {statistic}


@pytest.mark.parametrize(
    ("operator", "value", "fails"),
    [
        *(("is", 0.3, False), ("!=", 0.3, True), (">=", 0.3, False), ("<=", 0.3, False)),
        *((">", 0.3, True), ("<", 0.3, True), (">", 0.2, False), ("<", 0.4, False)),
    ],
)
def test_equal_but_for_rounding_is_equal(
    place: Place, operator: str, value: float, *, fails: bool
) -> None:
    table = place.load("rounded", {"g": "text", "x": "float"}, [("a", 0.1), ("a", 0.2)])
    rows = place.failures(
        "group_column_statistic",
        table,
        protected_attribute_columns=["g"],
        value_column="x",
        statistic="sum",
        operator=operator,
        value=value,
    )
    assert len(rows) == fails


def test_metrics_over_all_rows(place: Place) -> None:
    rows = generated(5)
    truth, predicted = [row[4] for row in rows], [row[3] for row in rows]
    xs = [row[1] for row in rows if row[1] is not None]
    expected = {
        "accuracy": metrics.accuracy_score(truth, predicted),
        "f1": metrics.f1_score(truth, predicted),
        "auc": metrics.roc_auc_score(truth, [row[2] for row in rows]),
        "brier": metrics.brier_score_loss(truth, [row[2] for row in rows]),
        "mean": statistics.fmean(xs),
        "p90": float(np.quantile(xs, 0.9)),
        "std": statistics.stdev(xs),
        "missing_rate": 1 - len(xs) / len(rows),
        "count": len(rows),
        "base_rate": statistics.fmean(truth),
    }
    table = place.load("all_rows", COLUMNS, rows)
    asked = {
        **LABELS,
        "score_column": "score",
        "probability_column": "score",
        "value_column": "x",
        "thresholds": [limit(name, "is", value) for name, value in expected.items()],
    }
    found = place.groups("metric_threshold", table, **asked)
    assert {row["parity_metric"]: row["value"] for row in found} == pytest.approx(
        expected, rel=1e-9
    )
    assert {row["status"] for row in found} <= {"passed", "failed"}
    assert {row["key_1"] for row in found} == {None}


def test_each_broken_threshold_is_a_row(place: Place) -> None:
    table = place.load("all_rows", COLUMNS, generated(6))
    asked = {
        **LABELS,
        "thresholds": [
            limit("accuracy", ">=", 0.99),
            limit("accuracy", ">=", 0),
            limit("recall", ">", 0.98),
            limit("accuracy", "<=", 0.01),
        ],
    }
    rows = place.failures("metric_threshold", table, **asked)
    assert sorted((row["parity_metric"], row["broken_thresholds"]) for row in rows) == [
        ("accuracy", "accuracy <= 0.01"),
        ("accuracy", "accuracy >= 0.99"),
        ("recall", "recall > 0.98"),
    ]
    assert len(place.groups("metric_threshold", table, **asked)) == 4
    passing = {**asked, "thresholds": [limit("accuracy", ">=", 0)]}
    assert not place.failures("metric_threshold", table, **passing)


@pytest.mark.parametrize(
    ("rows", "thresholds", "reason"),
    [
        ([], [limit("mean", ">", 0)], "no_rows"),
        ([("a", None, 0.5, 1, 1)], [limit("mean", ">", 0)], "column_all_missing"),
        ([("a", float("inf"), 0.5, 1, 1)], [limit("mean", ">", 0)], "infinite_values"),
        ([("a", 1.0, 0.5, 1, 0)], [limit("recall", ">", 0)], "positive_class_absent"),
        ([("a", 1.0, 0.5, 1, 1)], [limit("auc", ">", 0)], "negative_class_absent"),
        ([("a", 1.0, 0.5, 0, 1)], [limit("precision", ">", 0)], "metric_undefined"),
        ([("a", 1.0, 1.5, 0, 1)], [limit("brier", ">", 0)], "probability_out_of_range"),
        ([("a", 1.0, 0.5, 0, 1)], [limit("accuracy", ">", 0), limit("auc", ">", 0)], None),
        (
            [("a", 1.0, 0.5, 1, 1)],
            [limit("accuracy", ">", 0), limit("auc", ">", 0)],
            "negative_class_absent",
        ),
    ],
)
def test_a_metric_without_a_value(
    place: Place, rows: list[Any], thresholds: list[dict[str, Any]], reason: str | None
) -> None:
    if rows:
        table = place.load("small", COLUMNS, rows)
    else:
        place.load("small", COLUMNS, [("a", 1.0, 0.5, 1, 1)])
        table = "(select * from small where 1 = 0) as nothing"
    columns: dict[str, dict[str, Any]] = {
        "mean": {"value_column": "x"},
        "auc": {"score_column": "score", "ground_truth_column": "truth", "positive_values": ["1"]},
        "brier": {
            "probability_column": "score",
            "ground_truth_column": "truth",
            "positive_values": ["1"],
        },
    }
    asked: dict[str, Any] = {}
    for threshold in thresholds:
        asked |= columns.get(str(threshold["measurement"]), LABELS)
    (row,) = place.failures("metric_threshold", table, **asked, thresholds=thresholds)
    assert (row["status"], row["reason"]) == ("skipped" if reason else "failed", reason)
    assert (row["message"] is None) == (reason is None)
    assert bool(row["broken_thresholds"]) == (reason is None)
    found = place.groups("metric_threshold", table, **asked, thresholds=thresholds)
    assert len(found) == len(thresholds)


def test_groups_of_no_value_skip_a_column_statistic(place: Place) -> None:
    table = place.load("small", COLUMNS, [("a", 1.0, 0.5, 1, 0), ("b", 2.0, 0.5, 1, 0)])
    (row,) = place.failures(
        "group_column_statistic",
        table,
        protected_attribute_columns=["g"],
        value_column="x",
        statistic="std",
        operator=">",
        value=0,
    )
    assert (row["status"], row["reason"]) == ("skipped", "metric_undefined")


def test_one_scan_serves_every_type(place: Place) -> None:
    rows = generated(7)
    table = place.load("mixed", COLUMNS, rows)
    by_group = {"protected_attribute_columns": ["g"]}
    tests: dict[str, tuple[str, dict[str, Any]]] = {
        "parity": (
            "group_metric_parity",
            {**by_group, "parity_metric": "mean", "value_column": "x", "higher_is_better": True},
        ),
        "outcome": (
            "group_outcome_disparity",
            {**by_group, "outcome_column": "predicted", "favorable_values": ["1"]},
        ),
        "score": (
            "group_score_disparity",
            {**by_group, "score_column": "x", "statistic": "median", "higher_is_better": True},
        ),
        "performance": (
            "group_performance_parity",
            {**by_group, **LABELS, "performance_metrics": ["equalized_odds", "accuracy"]},
        ),
        "statistic": (
            "group_column_statistic",
            {**by_group, "statistic": "count", "operator": ">=", "value": 50},
        ),
        "threshold": (
            "metric_threshold",
            {
                **LABELS,
                "value_column": "x",
                "thresholds": [limit("accuracy", ">=", 0.99), limit("p90", "<", 0)],
            },
        ),
    }
    listed = [{"name": name, "type": type_, **test} for name, (type_, test) in tests.items()]
    place.execute("drop table if exists shared")
    place.execute(f"create table shared as {place.statistics(table, listed)}")
    for name, (type_, test) in tests.items():
        alone = place.groups(type_, table, **test)
        shared = place.groups(type_, "shared", **test, statistics_of=name)
        assert sorted(map(comparable, shared)) == sorted(map(comparable, alone)), name


def comparable(row: Row) -> list[str]:
    """Return a row as text, numbers to nine places."""
    return [f"{name}={v:.9g}" if isinstance(v, float) else f"{name}={v}" for name, v in row.items()]
