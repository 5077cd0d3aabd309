"""Whole tests against fairlearn, scikit-learn and numpy, on rows that these read themselves."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from fairlearn import metrics as fairlearn
from sklearn import metrics as sklearn

import fairsql
from tests.fixtures.relations import GUARDS_OFF, exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEEDS = range(3)
CLASSES = np.array(["a", "b", "c", "d"])


def drawn(seed: int, rows: int = 400) -> pd.DataFrame:
    """Draw rows with labels of two and of four classes, scores, texts and numbers."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["F", "M", "X"], rows, p=[0.5, 0.35, 0.15])
    truth = rng.random(rows) < 0.3 + 0.2 * (group == "M")
    score = np.round(np.clip(rng.normal(0.4 + 0.25 * truth + 0.1 * (group == "F"), 0.2), 0, 1), 2)
    kind = rng.choice(CLASSES, rows, p=[0.4, 0.3, 0.2, 0.1])
    guess = np.where(rng.random(rows) < 0.6, kind, rng.choice(CLASSES, rows))
    chances = rng.dirichlet(np.ones(4), rows) + 1.5 * (kind[:, None] == CLASSES)
    chances = np.round(chances / chances.sum(axis=1, keepdims=True), 2)
    frame = pd.DataFrame({"g": group, "truth": truth.astype(int), "score": score})
    frame["prediction"] = (score >= 0.5).astype(int)
    frame["kind"], frame["guess"] = kind, guess
    for place, name in enumerate(CLASSES):
        frame[f"p_{name}"] = chances[:, place]
    frame["amount"] = np.where(rng.random(rows) < 0.1, np.nan, rng.gamma(2, 100, rows).round(2))
    frame["estimate"] = (frame["amount"] * rng.normal(1, 0.2, rows)).round(2)
    return frame


@pytest.fixture(params=SEEDS)
def frame(request: pytest.FixtureRequest) -> pd.DataFrame:
    return drawn(request.param)


@pytest.fixture
def connection(frame: pd.DataFrame) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.register("drawn", frame)
        opened.execute("create table loans as select * from drawn")
        yield opened


# --- fairlearn ---------------------------------------------------------------------------------

BY_LABEL: dict[str, Callable[..., float]] = {
    "accuracy": sklearn.accuracy_score,
    "precision": sklearn.precision_score,
    "recall": sklearn.recall_score,
    "specificity": fairlearn.true_negative_rate,
    "false_positive_rate": fairlearn.false_positive_rate,
    "false_negative_rate": fairlearn.false_negative_rate,
    "f1": sklearn.f1_score,
    "balanced_accuracy": sklearn.balanced_accuracy_score,
    "selection_rate": fairlearn.selection_rate,
}
LABELS: dict[str, Any] = {
    "protected_attribute_columns": ["g"],
    "ground_truth_column": "truth",
    "positive_values": ["1"],
    "max_difference": 1,
    **GUARDS_OFF,
}


@pytest.mark.parametrize(
    "prediction",
    [
        {"prediction_column": "prediction"},
        {"score_column": "score", "decision_threshold": 0.5},
    ],
)
def test_groups_differ_as_fairlearn_says(
    connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame, prediction: dict[str, Any]
) -> None:
    criteria = ["equalized_odds", "equal_opportunity", "demographic_parity", "predictive_parity"]
    result = fairsql.group_performance_parity(
        connection,
        "loans",
        performance_metrics=[*BY_LABEL, *criteria],
        higher_is_better=True,
        **prediction,
        **LABELS,
    )
    labels = {"y_true": frame["truth"], "y_pred": frame["prediction"]}
    rows = {**labels, "sensitive_features": frame["g"]}
    by_group = fairlearn.MetricFrame(metrics=BY_LABEL, **rows)
    for facet in result.facets():
        assert facet.metric is not None
        name = facet.metric.name
        for group in facet.groups:
            assert group.value == exactly(by_group.by_group[name][group.key["g"]])
        assert facet.overall_value == exactly(by_group.overall[name])
        assert result.measurements[f"{name}_difference"] == exactly(by_group.difference()[name])
        assert result.measurements[f"{name}_ratio"] == exactly(by_group.ratio()[name])
    for name in ("equalized_odds", "equal_opportunity", "demographic_parity"):
        for what in ("difference", "ratio"):
            theirs = getattr(fairlearn, f"{name}_{what}")(
                *labels.values(), sensitive_features=frame["g"]
            )
            assert result.measurements[f"{name}_{what}"] == exactly(theirs)


def test_a_rate_without_a_denominator_is_null_and_not_0(
    connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame
) -> None:
    connection.execute("update loans set prediction = 0 where g = 'X'")
    result = fairsql.group_performance_parity(
        connection,
        "loans",
        performance_metrics=["precision"],
        prediction_column="prediction",
        **LABELS,
    )
    (group,) = [group for group in result.groups if group.key == {"g": "X"}]
    assert (group.value, group.value_reason) == (None, "no_predicted_positives")
    defined = frame[frame["g"] != "X"]
    others = fairlearn.MetricFrame(
        metrics=sklearn.precision_score,
        y_true=defined["truth"],
        y_pred=defined["prediction"],
        sensitive_features=defined["g"],
    )
    assert result.measurements["precision_difference"] == exactly(others.difference())
    assert result.measurements["undefined_group_count"] == 1


def test_outcomes_differ_as_fairlearn_says(
    connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame
) -> None:
    result = fairsql.group_outcome_disparity(
        connection,
        "loans",
        protected_attribute_columns=["g"],
        outcome_column="prediction",
        favorable_values=["1"],
        **GUARDS_OFF,
    )
    labels = (frame["truth"], frame["prediction"])
    difference = fairlearn.demographic_parity_difference(*labels, sensitive_features=frame["g"])
    ratio = fairlearn.demographic_parity_ratio(*labels, sensitive_features=frame["g"])
    assert result.measurements["statistical_parity_difference"] == exactly(difference)
    assert result.measurements["impact_ratio"] == exactly(ratio)


# --- classes -----------------------------------------------------------------------------------

_NAN: dict[str, Any] = {"zero_division": np.nan}


def test_classes_of_a_group_as_scikit_learn_says(
    connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame
) -> None:
    scores = {
        "precision": sklearn.precision_score,
        "recall": sklearn.recall_score,
        "f1": sklearn.f1_score,
    }
    test: dict[str, Any] = {
        "protected_attribute_columns": ["g"],
        "performance_metrics": list(scores),
        "prediction_column": "guess",
        "ground_truth_column": "kind",
        "max_difference": 1,
        **GUARDS_OFF,
    }
    by_class = fairsql.group_performance_parity(connection, "loans", per_class=True, **test)
    macro = fairsql.group_performance_parity(connection, "loans", average="macro", **test)
    labels = list(CLASSES)
    assert len(by_class.groups) == 3 * len(scores) * len(labels)
    for key, rows in frame.groupby("g"):
        for name, score in scores.items():
            each = score(rows["kind"], rows["guess"], labels=labels, average=None, **_NAN)
            own = {
                group.positive_class: group.value
                for group in by_class.groups
                if group.key == {"g": key} and group.metric == name
            }
            expected = dict(zip(labels, map(_defined, each), strict=True))
            assert own == pytest.approx(expected, rel=1e-9, abs=0)
            (mean,) = [
                group.value
                for group in macro.groups
                if group.key == {"g": key} and group.metric == name
            ]
            average = score(rows["kind"], rows["guess"], labels=labels, average="macro", **_NAN)
            assert mean == exactly(average)


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


# --- metrics of all rows -----------------------------------------------------------------------


def measured(connection: duckdb.DuckDBPyConnection, *names: str, **test: Any) -> dict[str, Any]:
    """Return metrics of all rows."""
    limits = [{"measurement": name, "operator": ">=", "value": -1e9} for name in names]
    result = fairsql.metric_threshold(connection, "loans", thresholds=limits, **test)
    assert result.status == "passed", result.message
    return dict(result.measurements)


def test_two_classes(connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame) -> None:
    truth, guess, score = frame["truth"], frame["prediction"], frame["score"]
    names = [name for name in BY_LABEL if name != "selection_rate"]
    found = measured(
        connection,
        *names,
        "rocAuc",
        "log_loss",
        "brier",
        prediction_column="prediction",
        ground_truth_column="truth",
        score_column="score",
        probability_column="score",
        positive_values=["1"],
    )
    assert found["auc"] == exactly(sklearn.roc_auc_score(truth, score))
    assert found["brier"] == exactly(sklearn.brier_score_loss(truth, score))
    assert found["log_loss"] == exactly(log_loss(np.where(truth == 1, score, 1 - score)))
    for name in names:
        assert found[name] == exactly(BY_LABEL[name](truth, guess))


def log_loss(given: Any) -> float:
    """Return the mean loss of the probabilities given to what happened, 1e-15 at least."""
    return float(np.mean(-np.log(np.maximum(given, 1e-15))))


def test_several_classes(connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame) -> None:
    columns = {name: f"p_{name}" for name in CLASSES}
    found = measured(
        connection,
        *("accuracy", "precision", "recall", "f1", "geometricMean"),
        *("precisionPerClass", "recallPerClass", "f1PerClass", "auc", "logLoss"),
        prediction_column="guess",
        ground_truth_column="kind",
        class_score_columns=columns,
    )
    kinds, guesses = frame["kind"], frame["guess"]
    scores = {
        "precision": sklearn.precision_score,
        "recall": sklearn.recall_score,
        "f1": sklearn.f1_score,
    }
    assert found["accuracy"] == exactly(sklearn.accuracy_score(kinds, guesses))
    macro = {name: score(kinds, guesses, average="macro") for name, score in scores.items()}
    for name, score in scores.items():
        assert found[name] == exactly(macro[name])
        assert found[f"{name}_per_class"] == exactly(min(score(kinds, guesses, average=None)))
    assert found["geometric_mean"] == exactly(math.sqrt(macro["precision"] * macro["recall"]))
    chances = frame[list(columns.values())].to_numpy()
    places = np.searchsorted(CLASSES, kinds)
    assert found["log_loss"] == exactly(log_loss(chances[np.arange(len(frame)), places]))
    # scikit-learn asks for rows that add up to 1; it ranks pairs by one of the two scores too.
    even = chances / chances.sum(axis=1, keepdims=True)
    for place, column in enumerate(columns.values()):
        frame[column] = even[:, place]
    connection.register("evened", frame)
    connection.execute("create or replace table loans as select * from evened")
    found = measured(connection, "auc", ground_truth_column="kind", class_score_columns=columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sklearn.roc_auc_score(
            kinds, even, multi_class="ovo", average="macro", labels=CLASSES
        )
    assert found["auc"] == exactly(theirs)


def test_numbers(connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame) -> None:
    known = frame.dropna()
    truth, guess = known["amount"], known["estimate"]
    regression = measured(
        connection,
        *("mse", "rmse", "mae", "r2", "mape"),
        prediction_column="estimate",
        ground_truth_column="amount",
    )
    assert regression == pytest.approx(
        {
            "mse": sklearn.mean_squared_error(truth, guess),
            "rmse": sklearn.root_mean_squared_error(truth, guess),
            "mae": sklearn.mean_absolute_error(truth, guess),
            "r2": sklearn.r2_score(truth, guess),
            "mape": sklearn.mean_absolute_percentage_error(truth, guess),
        },
        rel=1e-9,
        abs=0,
    )
    described = measured(connection, *STATISTICS, "count", value_column="amount")
    expected = {name: of(known["amount"]) for name, of in STATISTICS.items()}
    expected["missing_rate"] = 1 - len(known) / len(frame)
    assert described == pytest.approx({**expected, "count": len(frame)}, rel=1e-9, abs=0)


STATISTICS: dict[str, Callable[[pd.Series[float]], float]] = {
    "mean": np.mean,
    "median": np.median,
    "p90": lambda values: float(np.quantile(values, 0.9)),
    "p95": lambda values: float(np.quantile(values, 0.95)),
    "p99": lambda values: float(np.quantile(values, 0.99)),
    "p5": lambda values: float(np.quantile(values, 0.05)),
    "p75": lambda values: float(np.quantile(values, 0.75)),
    "sum": np.sum,
    "min": np.min,
    "max": np.max,
    "std": lambda values: float(np.std(values, ddof=1)),
    "variance": lambda values: float(np.var(values, ddof=1)),
    "distinct_count": lambda values: float(values.nunique()),
    "missing_rate": lambda _: math.nan,
}


@pytest.mark.parametrize("statistic", [*STATISTICS, "count"])
def test_a_statistic_of_every_group(
    connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame, statistic: str
) -> None:
    column = {} if statistic == "count" else {"value_column": "amount"}
    groups = {key: rows["amount"] for key, rows in frame.groupby("g")}
    expected: dict[Any, float] = {}
    for key, values in groups.items():
        special = {"count": len(values), "missing_rate": values.isna().mean()}
        of = STATISTICS.get(statistic, len)
        expected[key] = special.get(statistic, of(values.dropna()))
    limit = sorted(expected.values())[1]
    result = fairsql.group_column_statistic(
        connection,
        "loans",
        protected_attribute_columns=["g"],
        statistic=statistic,
        operator=">=",
        value=limit,
        **column,
    )
    found = {group.key["g"]: group.value for group in result.groups}
    assert found == pytest.approx(expected, rel=1e-9, abs=0)
    assert {group.key["g"] for group in result.groups if group.failed} == {
        key for key, value in expected.items() if value < limit
    }
    assert result.measurements["lowest_group_value"] == exactly(min(expected.values()))
    assert result.measurements["highest_group_value"] == exactly(max(expected.values()))
    failing = result.measurements["failing_group_count"]
    assert failing == sum(value < limit for value in expected.values())
    assert result.status == ("failed" if failing else "passed")
