"""Every kind of test over weighted rows, in one scan, against libraries that take weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import MetricFrame
from sklearn import metrics as sk

from fairsql.compile.loader import macros_for
from fairsql.config import parse_suite
from fairsql.errors import ConfigurationError
from fairsql.suite import Suite

if TYPE_CHECKING:
    from fairsql.results import TestResult

LABELS = {"prediction_column": "guess", "ground_truth_column": "truth", "positive_values": [1]}
MEASURED = ("f1", "auc", "accuracy", "mean", "sum", "exact_match")
TESTS: dict[str, dict[str, Any]] = {
    "group_outcome_disparity": {"outcome_column": "truth", "favorable_values": [1]},
    "group_score_disparity": {
        "score_column": "amount",
        "statistic": "standardized_mean_difference",
        "higher_is_better": True,
        "max_difference": 5,
    },
    "group_performance_parity": {"performance_metrics": ["equalized_odds", "f1"], **LABELS},
    "group_column_statistic": {
        "value_column": "amount",
        "statistic": "variance",
        "operator": "<=",
        "value": 100,
    },
    "metric_threshold": {
        **LABELS,
        "score_column": "chance",
        "value_column": "amount",
        "output_column": "said",
        "reference_column": "meant",
        "thresholds": [{"measurement": m, "operator": ">=", "value": 0} for m in MEASURED],
    },
}


def asked(kind: str, **changes: Any) -> dict[str, Any]:
    groups = {} if kind == "metric_threshold" else {"protected_attribute_columns": ["who"]}
    shared = {"name": kind, "type": kind, "relation": "loans", "weight_column": "w"}
    return {**shared, **groups, **TESTS[kind], **changes}


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    chance = np.random.default_rng(5)
    size = 900
    return pd.DataFrame(
        {
            "who": chance.choice(["a", "b", "c"], size),
            "truth": chance.integers(0, 2, size),
            "guess": chance.integers(0, 2, size),
            "chance": chance.random(size),
            "amount": chance.normal(5, 2, size),
            "said": chance.choice(["abc", "abd"], size),
            "meant": chance.choice(["abc", "abd"], size),
            "w": chance.choice([0, 1, 2.5, 4], size),
        }
    )


@pytest.fixture(scope="module")
def results(rows: pd.DataFrame) -> Iterator[dict[str, TestResult]]:
    with duckdb.connect() as connection:
        connection.register("frame", rows)
        connection.execute("create table loans as from frame")
        suite = parse_suite({"version": 1, "tests": [asked(kind) for kind in TESTS]})
        run = Suite(suite.tests).run(connection)
        assert run.scans == 1
        yield {result.type: result for result in run.tests}


def test_every_kind_says_that_it_is_approximate(results: dict[str, TestResult]) -> None:
    for result in results.values():
        assert result.status in ("passed", "failed"), result.message
        assert result.approximate
        assert any("have the weight 0" in note for note in result.notes)


def test_outcomes_and_performance_are_those_of_fairlearn(
    results: dict[str, TestResult], rows: pd.DataFrame
) -> None:
    def of(metric: Any, prediction: str) -> Any:
        return MetricFrame(
            metrics=metric,
            y_true=rows["truth"],
            y_pred=rows[prediction],
            sensitive_features=rows["who"],
            sample_params={"sample_weight": rows["w"]},
        )

    outcome = results["group_outcome_disparity"].measurements
    rates = {who: float(np.average(x["truth"], weights=x["w"])) for who, x in rows.groupby("who")}
    assert outcome["impact_ratio"] == pytest.approx(min(rates.values()) / max(rates.values()))
    performance = results["group_performance_parity"].measurements
    for name, metric in (("recall", sk.recall_score), ("f1", sk.f1_score)):
        frame = of(metric, "guess")
        assert performance[f"{name}_difference"] == pytest.approx(frame.difference())
        assert performance[f"{name}_ratio"] == pytest.approx(frame.ratio())


def test_a_standardized_difference_is_in_deviations_of_effective_rows(
    results: dict[str, TestResult], rows: pd.DataFrame
) -> None:
    sample = {}
    for who, x in rows.groupby("who"):
        w, amount = x["w"].to_numpy(), x["amount"].to_numpy()
        size = w.sum() ** 2 / (w**2).sum()
        sample[who] = (np.average(amount, weights=w), np.cov(amount, aweights=w), size)
    result = results["group_score_disparity"]
    reference = max(sample, key=lambda who: float(sample[who][0]))
    mean, variance, size = sample[reference]
    for group in result.groups:
        own_mean, own_variance, own_size = sample[group.key["who"]]
        pooled = (own_size - 1) * own_variance + (size - 1) * variance
        gap = (mean - own_mean) / np.sqrt(pooled / (own_size + size - 2))
        assert group.difference == pytest.approx(float(gap), rel=1e-9, abs=1e-15)


def test_a_column_statistic_is_numpys(results: dict[str, TestResult], rows: pd.DataFrame) -> None:
    for group in results["group_column_statistic"].groups:
        own = rows[rows["who"] == group.key["who"]]
        assert group.value == pytest.approx(float(np.cov(own["amount"], aweights=own["w"])))


def test_metrics_over_all_rows_are_those_of_scikit_learn(
    results: dict[str, TestResult], rows: pd.DataFrame
) -> None:
    truth, guess, w = rows["truth"], rows["guess"], rows["w"]
    expected = {
        "f1": sk.f1_score(truth, guess, sample_weight=w),
        "auc": sk.roc_auc_score(truth, rows["chance"], sample_weight=w),
        "accuracy": sk.accuracy_score(truth, guess, sample_weight=w),
        "mean": np.average(rows["amount"], weights=w),
        "sum": float(np.dot(rows["amount"], w)),
        "exact_match": np.average(rows["said"] == rows["meant"], weights=w),
    }
    found = results["metric_threshold"].measurements
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("group_outcome_disparity", {"stratify_by_columns": ["said"]}, "are put together"),
        (
            "group_performance_parity",
            {"per_class": True, "positive_values": None, "performance_metrics": ["recall"]},
            "are put together",
        ),
        ("group_column_statistic", {"statistic": "distinct_count"}, "for distinct_count"),
        (
            "group_score_disparity",
            {"statistic": "scoring_rate", "max_difference": 1},
            "for scoring_rate",
        ),
        ("group_outcome_disparity", {"weight_column": "truth"}, "must differ from outcome_column"),
    ],
)
def test_what_cannot_be_weighted_is_refused(
    kind: str, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        parse_suite({"version": 1, "tests": [asked(kind, **changes)]})


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize(
    "kind",
    ["group_outcome_disparity", "group_performance_parity", "group_column_statistic"],
)
def test_sql_has_the_numbers_of_python(rows: pd.DataFrame, kind: str, comparison: str) -> None:
    compared = {} if kind == "group_column_statistic" else {"comparison": comparison}
    test = asked(kind, **compared)
    macros = macros_for("duckdb")
    parameters = macros.call("catalogue")["types"][kind]["parameters"]
    given = {name: test.get(name) for name in parameters}
    with duckdb.connect() as connection:
        connection.register("frame", rows)
        connection.execute("create table loans as from frame")
        (result,) = Suite(parse_suite({"version": 1, "tests": [test]}).tests).run(connection).tests
        macro = f"default__fairsql_{kind}_results"
        sql = macros.call(macro, "loans", given, test.get("thresholds"), None, None)
        found = connection.execute(sql).df()
    groups = {(group.metric, group.key["who"]): group for group in result.groups}
    assert len(found) == len(groups) >= 3
    for row in found.to_dict("records"):
        metric = row["parity_metric"] if len(found) > 3 else None
        group = groups[metric, row["key_1"]]
        for name in ("value", "ratio", "difference", "p_value"):
            mine = getattr(group, name)
            assert (mine is None) == bool(pd.isna(row[name])), name
            assert mine is None or mine == pytest.approx(row[name], rel=1e-9), name
