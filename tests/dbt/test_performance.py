"""group_performance_parity in SQL: several metrics of one scan, each compared on its own."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import fisher_exact
from sklearn import metrics

from tests.dbt.verdicts import GUARDS_OFF, limit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.dbt.verdicts import Place, Row

TYPE = "group_performance_parity"
COLUMNS = {"g": "text", "score": "float", "predicted": "integer", "truth": "integer"}
LABELS = {
    "protected_attribute_columns": ["g"],
    "prediction_column": "predicted",
    "ground_truth_column": "truth",
    "positive_values": ["1"],
}
# fairlearn's user guide, 18 rows: what its MetricFrame prints.
GUIDE_TRUTH = [0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1]
GUIDE_PREDICTED = [0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0]
GUIDE_GROUPS = "b b a b b c c c a a c a b c c b c c".split()  # noqa: SIM905
GUIDE_VALUES = {
    "recall": {"a": 0.5, "b": 0.6, "c": 0.4},
    "false_positive_rate": {"a": 1.0, "b": 0.0, "c": 2 / 3},
    "selection_rate": {"a": 0.75, "b": 0.5, "c": 0.5},
}
ORACLES: Mapping[str, Any] = {
    "accuracy": metrics.accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "specificity": lambda truth, predicted: metrics.recall_score(truth, predicted, pos_label=0),
    "false_positive_rate": lambda truth, predicted: (
        1 - metrics.recall_score(truth, predicted, pos_label=0)
    ),
    "npv": lambda truth, predicted: metrics.precision_score(truth, predicted, pos_label=0),
}
LOWER = {"false_positive_rate"}
# The actual or predicted rows that a share rests on: column, value, and the hit.
SHARES = {
    "recall": (3, 1, lambda row: row[2] == 1),
    "specificity": (3, 0, lambda row: row[2] == 0),
    "false_positive_rate": (3, 0, lambda row: row[2] == 1),
    "precision": (2, 1, lambda row: row[3] == 1),
    "npv": (2, 0, lambda row: row[3] == 0),
}


def guide(place: Place) -> str:
    rows = [
        (group, float(predicted), predicted, truth)
        for group, predicted, truth in zip(GUIDE_GROUPS, GUIDE_PREDICTED, GUIDE_TRUTH, strict=True)
    ]
    return place.load("guide", COLUMNS, rows)


def values(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        found[row["parity_metric"]][row["key_1"]] = row["value"]
    return found


def generated(seed: int) -> list[tuple[str, float, int, int]]:
    rng = Random(seed)  # noqa: S311
    rows = []
    for group, size in {"a": 120, "B": 80, "c": 60, "ä": 40}.items():
        lean = rng.uniform(0.2, 0.8)
        for _ in range(size):
            truth = int(rng.random() < lean)
            score = round(min(1, max(0, rng.gauss(0.35 + 0.3 * truth, 0.25))), 2)
            rows.append((group, score, int(score >= 0.5), truth))
    return rows


def test_the_table_of_fairlearns_guide(place: Place) -> None:
    asked = ["equalized_odds", "demographic_parity"]
    rows = place.groups(
        TYPE, guide(place), **LABELS, **GUARDS_OFF, performance_metrics=asked, higher_is_better=True
    )
    found = values(rows)
    assert set(found) == set(GUIDE_VALUES)
    for name, of in GUIDE_VALUES.items():
        assert found[name] == pytest.approx(of)
    first = rows[0]
    # fairlearn: difference and ratio of the extremes; of equalized odds the worst of both rates.
    assert first["recall_difference"] == pytest.approx(0.2)
    assert first["recall_ratio"] == pytest.approx(0.4 / 0.6)
    assert first["false_positive_rate_difference"] == pytest.approx(1)
    assert first["equalized_odds_difference"] == pytest.approx(1)
    assert first["equalized_odds_ratio"] == 0
    assert first["demographic_parity_difference"] == pytest.approx(0.25)
    assert first["demographic_parity_ratio"] == pytest.approx(2 / 3)
    assert first["selection_rate_ratio"] == first["demographic_parity_ratio"]


def test_the_groups_at_the_extremes_break_a_limit_on_them(place: Place) -> None:
    rows = place.failures(
        TYPE,
        guide(place),
        **LABELS,
        **GUARDS_OFF,
        performance_metrics=["equalized_odds"],
        thresholds=[limit("equalized_odds_difference", "<=", 0.5)],
    )
    broke = {(row["parity_metric"], row["key_1"]) for row in rows}
    assert broke == {("false_positive_rate", "a"), ("false_positive_rate", "b")}
    assert {row["broken_thresholds"] for row in rows} == {"equalized_odds_difference <= 0.5"}


def test_a_criterion_whose_metrics_are_computed_may_be_limited(place: Place) -> None:
    # fairlearn's guide has recalls of 0.5, 0.6 and 0.4.
    given = {
        **LABELS,
        **GUARDS_OFF,
        "performance_metrics": ["equalized_odds", "accuracy"],
        "thresholds": [limit("equal_opportunity_difference", "<=", 0.1)],
    }
    assert place.groups(TYPE, guide(place), **given)[0]["equal_opportunity_difference"] == (
        pytest.approx(0.2)
    )
    broke = {
        (row["parity_metric"], row["key_1"]) for row in place.failures(TYPE, guide(place), **given)
    }
    assert broke == {("recall", "b"), ("recall", "c")}


@pytest.mark.parametrize("adjustment", ["none", "holm", "benjamini_hochberg"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_values_and_p_values_are_those_of_the_rows(
    place: Place, seed: int, adjustment: str
) -> None:
    rows = generated(seed)
    found = place.groups(
        TYPE,
        place.load("generated", COLUMNS, rows),
        **LABELS,
        performance_metrics=list(ORACLES),
        p_value_adjustment=adjustment,
    )
    by_group: dict[str, list[Any]] = defaultdict(list)
    for one in rows:
        by_group[one[0]].append(one)
    assert len(found) == len(ORACLES) * len(by_group)
    adjusted: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in found:
        name, of = row["parity_metric"], by_group[row["key_1"]]
        expected = ORACLES[name]([r[3] for r in of], [r[2] for r in of])
        assert row["value"] == pytest.approx(expected, rel=1e-12), name
        if name in SHARES and not row["is_reference"]:
            (key,) = (r["key_1"] for r in found if r["parity_metric"] == name and r["is_reference"])
            p_value = fisher(SHARES[name], of, by_group[key])
            assert row["p_value"] == pytest.approx(p_value, rel=1e-9), name
            adjusted[name].append((row["p_value"], row["p_value_adjusted"]))
        elif row["is_reference"] or name in ("f1", "balanced_accuracy"):
            assert row["p_value"] is None
    for pairs in adjusted.values():
        assert [after for _, after in pairs] == pytest.approx(
            adjust([before for before, _ in pairs], adjustment)
        )
    assert found[0]["failing_group_count"] == len({row["key_1"] for row in found if row["failed"]})


def fisher(share: Any, first: list[Any], second: list[Any]) -> float:
    column, value, hit = share
    table = []
    for rows in (first, second):
        hits = [hit(row) for row in rows if row[column] == value]
        table.append([sum(hits), len(hits) - sum(hits)])
    return float(fisher_exact(np.array(table)).pvalue)


def adjust(p_values: list[float], method: str) -> list[float]:
    from statsmodels.stats.multitest import multipletests

    if method == "none":
        return p_values
    name = {"holm": "holm", "benjamini_hochberg": "fdr_bh"}[method]
    return list(multipletests(p_values, method=name)[1])


def test_a_score_from_the_threshold_on_is_a_prediction(place: Place) -> None:
    table = place.load("generated", COLUMNS, generated(4))
    asked = {"performance_metrics": ["accuracy", "recall"], **GUARDS_OFF}
    cut = {key: value for key, value in LABELS.items() if key != "prediction_column"}
    of_scores = place.groups(
        TYPE, table, **cut, **asked, score_column="score", decision_threshold=0.5
    )
    assert values(of_scores) == values(place.groups(TYPE, table, **LABELS, **asked))


def test_against_all_rows(place: Place) -> None:
    rows = generated(5)
    found = place.groups(
        TYPE,
        place.load("generated", COLUMNS, rows),
        **LABELS,
        performance_metrics=["f1", "recall"],
        comparison="overall",
    )
    for row in found:
        expected = ORACLES[row["parity_metric"]]([r[3] for r in rows], [r[2] for r in rows])
        assert row["comparison_value"] == pytest.approx(expected)


def test_a_group_that_fails_twice_is_counted_once(place: Place) -> None:
    rows = [(g, 0.0, p, t) for g, counts in {"a": (45, 5, 5, 45), "b": (25, 25, 25, 25)}.items()
            for (p, t), n in zip([(1, 1), (1, 0), (0, 1), (0, 0)], counts, strict=True)
            for _ in range(n)]  # fmt: skip
    table = place.load("twice", COLUMNS, rows)
    failed = place.failures(TYPE, table, **LABELS, performance_metrics=["accuracy", "recall"])
    broke = [(row["parity_metric"], row["key_1"]) for row in failed]
    assert sorted(broke) == [("accuracy", "b"), ("recall", "b")]
    assert {row["failing_group_count"] for row in failed} == {1}
    assert {row["failing_group_percentage"] for row in failed} == {0.5}


def undefined_precision() -> list[tuple[str, float, int, int]]:
    """Nobody is predicted positive, so precision is undefined; accuracy is .9 and .5."""
    return [(g, 0.0, 0, int(i < n)) for g, n in {"a": 5, "b": 25}.items() for i in range(50)]


@pytest.mark.parametrize(
    ("asked", "status", "reason"),
    [
        (["precision"], "skipped", "metric_undefined"),
        (["precision", "accuracy"], "failed", None),
        (["specificity", "precision"], "skipped", "metric_undefined"),
    ],
)
def test_a_part_without_a_verdict(
    place: Place, asked: list[str], status: str, reason: str | None
) -> None:
    table = place.load("undefined", COLUMNS, undefined_precision())
    rows = place.failures(TYPE, table, **LABELS, performance_metrics=asked)
    assert {(row["status"], row["reason"]) for row in rows} == {(status, reason)}
    if status == "skipped":
        (row,) = rows
        assert row["message"] == "precision is undefined for every sufficient group"
        assert row["key_1"] is None
    else:
        assert [row["parity_metric"] for row in rows] == ["accuracy"]


def test_an_empty_table_is_one_skip(place: Place) -> None:
    guide(place)
    empty = "(select * from guide where 1 = 0) as empty"
    (row,) = place.failures(TYPE, empty, **LABELS, performance_metrics=["accuracy", "recall"])
    assert (row["status"], row["reason"]) == ("skipped", "no_rows")
    assert row["parity_metric"] == "accuracy, recall"
    (row,) = place.groups(TYPE, empty, **LABELS, performance_metrics=["accuracy", "recall"])
    assert row["status"] == "skipped"


def test_one_group_is_one_skip(place: Place) -> None:
    rows = [row for row in generated(6) if row[0] == "a"]
    table = place.load("alone", COLUMNS, rows)
    (row,) = place.failures(TYPE, table, **LABELS, performance_metrics=["accuracy", "recall"])
    assert (row["status"], row["reason"]) == ("skipped", "fewer_than_two_sufficient_groups")
    assert row["message"].startswith("1 of 1 groups of g have at least 30 rows")
