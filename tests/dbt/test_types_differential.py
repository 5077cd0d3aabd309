"""The verdict in SQL of every type of test against the Python path's, on generated tests."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from tests.dbt.generated import python_results
from tests.dbt.rows import near
from tests.dbt.verdicts import in_duckdb, limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.dbt.verdicts import Place, Row

COLUMNS = {
    "g": "text",
    "h": "text",
    "s": "text",
    "x": "float",
    "score": "float",
    "predicted": "integer",
    "truth": "integer",
}
TRUTH = {"ground_truth_column": "truth", "positive_values": ["1"]}
LABELS = {"prediction_column": "predicted", **TRUTH}
METRICS = (
    *("accuracy", "precision", "recall", "specificity", "false_positive_rate", "npv", "f1"),
    *("false_negative_rate", "false_discovery_rate", "balanced_accuracy", "geometric_mean"),
    *("equalized_odds", "equal_opportunity", "predictive_parity", "demographic_parity"),
)
STATISTICS = (
    *("sum", "mean", "median", "min", "max", "std", "variance", "count", "distinct_count"),
    *("missing_rate", "p90", "p95", "p99"),
)
OVER_ALL: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(("accuracy", "precision", "f1", "npv", "base_rate"), LABELS),
    **{name: {"value_column": "x"} for name in ("mean", "p95", "std", "sum", "missing_rate")},
    "auc": {"score_column": "score", **TRUTH},
    "log_loss": {"probability_column": "score", **TRUTH},
    "rate": {"value_column": "predicted", "positive_values": ["1"]},
    "p99_latency": {"latency_column": "x"},
}
GROUP_FIELDS = {
    "group_rows": "rows",
    "missing_metric_inputs": "missing_metric_inputs",
    **{name: name for name in ("share", "value", "denominator", "ratio", "difference")},
    **{name: name for name in ("p_value", "p_value_adjusted", "sufficient", "is_reference")},
    **{name: name for name in ("worse", "significant", "failed")},
}


def table(rng: Random) -> list[tuple[Any, ...]]:
    """Return rows of a table whose groups may be tiny, of one class, or all alike."""
    rows: list[tuple[Any, ...]] = []
    flat = rng.random() < 0.2
    for group in ("a", "B", "c", "ä", "d")[: rng.randint(1, 5)]:
        lean, never = rng.random(), rng.random() < 0.1
        for _ in range(rng.choice((3, 35, 60, 120))):
            truth = int(rng.random() < lean)
            score = round(min(1, max(0, rng.gauss(0.3 + 0.4 * truth, 0.3))), 1)
            x = None if rng.random() < 0.1 else 1.0 if flat else rng.randint(0, 9) / 4
            h, stratum = rng.choice("hi"), rng.choice(("s", "T", "t", None))
            predicted = 0 if never else int(score >= 0.5)
            missing = None if rng.random() < 0.03 else group
            rows.append((missing, h, stratum, x, score, predicted, truth))
    return rows


def shared(rng: Random, proportion: float) -> dict[str, Any]:
    """Return arguments that every comparing test may have."""
    found: dict[str, Any] = {"protected_attribute_columns": rng.choice((["g"], ["g", "h"]))}
    if rng.random() < 0.3:
        found["comparison"] = "overall"
    elif rng.random() < 0.3:
        found["protected_attribute_columns"] = ["g"]
        found |= {"reference_strategy": "named", "reference_value": rng.choice("aBq")}
    else:
        found["p_value_adjustment"] = rng.choice(("none", "holm", "holm_all_pairs"))
    if rng.random() < 0.3:
        found["p_value_adjustment"] = rng.choice(("holm", "benjamini_hochberg"))
    if rng.random() < 0.5:
        found["max_difference"] = rng.choice((0, 0.1, 0.3)) * proportion
    if rng.random() < 0.3:
        found["require_significance"] = True
    if rng.random() < 0.4:
        found |= {"min_group_size": 1, "min_group_share": 0.0}
    return found


def outcome(rng: Random) -> dict[str, Any]:
    test = {"outcome_column": "predicted", "favorable_values": ["1"], **shared(rng, 1)}
    if rng.random() < 0.6:
        test["stratify_by_columns"] = ["s"]
    return limited(rng, test, ["impact_ratio"])


def score(rng: Random) -> dict[str, Any]:
    statistic = rng.choice(("mean", "median", "scoring_rate", "standardized_mean_difference"))
    test = {"score_column": "x", "higher_is_better": rng.random() < 0.5, **shared(rng, 1)}
    test["statistic"] = statistic
    if statistic == "standardized_mean_difference":
        test |= {"comparison": "reference", "max_difference": 0.2}
    test = limited(rng, test, [])
    limits = test.get("thresholds", ())
    if statistic == "standardized_mean_difference" and any(
        one["measurement"] == "min_metric_ratio" for one in limits
    ):
        del test["thresholds"]  # it has no ratios, and a limit on them is refused
    return test


def performance(rng: Random) -> dict[str, Any]:
    named = rng.sample(METRICS, rng.randint(1, 3))
    test = {**LABELS, "performance_metrics": named, **shared(rng, 1)}
    if rng.random() < 0.3:
        del test["prediction_column"]
        test |= {"score_column": "score", "decision_threshold": 0.4}
    if "demographic_parity" in named:
        test["higher_is_better"] = rng.random() < 0.5
    if not {"f1", "balanced_accuracy", "geometric_mean"}.isdisjoint(named):
        test.pop("require_significance", None)
    return limited(
        rng, test, [f"{name}_{end}" for name in named for end in ("difference", "ratio")]
    )


def column_statistic(rng: Random) -> dict[str, Any]:
    statistic = rng.choice(STATISTICS)
    test = {
        "protected_attribute_columns": ["g"],
        "statistic": statistic,
        "operator": rng.choice((">", ">=", "<", "<=", "is", "!=")),
        "value": rng.choice((0, 1, 2, 30)),
    }
    if statistic != "count":
        test["value_column"] = "x"
    if rng.random() < 0.5:
        test |= {"min_group_size": 30}
    return test


def metric_threshold(rng: Random) -> dict[str, Any]:
    named = rng.sample(list(OVER_ALL), rng.randint(1, 3))
    test: dict[str, Any] = {
        "thresholds": [
            limit(name, rng.choice((">", "<=", ">=", "!=")), rng.choice((0, 0.5, 0.9, 2)))
            for name in named
        ]
    }
    for name in named:
        if test.get("value_column", OVER_ALL[name].get("value_column")) != OVER_ALL[name].get(
            "value_column", test.get("value_column")
        ):
            return metric_threshold(rng)
        test |= OVER_ALL[name]
    return test


def limited(rng: Random, test: dict[str, Any], own: list[str]) -> dict[str, Any]:
    """Return a test that perhaps has thresholds of its own."""
    # Those that are undefined where nobody is compared: a fact may break a limit nevertheless.
    names = ["failing_group_count", "min_metric_ratio", *own]
    if rng.random() < 0.5:
        chosen = rng.sample(names, min(2, len(names)))
        test["thresholds"] = [
            limit(n, rng.choice(("<=", ">=")), rng.choice((0, 0.1, 0.8))) for n in chosen
        ]
    return test


MADE = {
    "group_outcome_disparity": outcome,
    "group_score_disparity": score,
    "group_performance_parity": performance,
    "group_column_statistic": column_statistic,
    "metric_threshold": metric_threshold,
}


def differences(place: Place, test: dict[str, Any], result: Mapping[str, Any]) -> Iterator[str]:
    """Yield each way in which the rows of SQL differ from a result."""
    given = {name: value for name, value in test.items() if name not in ("name", "type")}
    rows = place.groups(test["type"], "t", **given)
    first = rows[0]
    if (first["status"], first["reason"]) != (result["status"], result["reason"]):
        yield f"{first['status']} {first['reason']}, not {result['status']} {result['reason']}"
        return
    if test["type"] == "metric_threshold":
        for row in rows:
            if not near(row["value"], result["measurements"][row["parity_metric"]]):
                yield f"{row['parity_metric']}: {row['value']}"
        return
    if result["status"] == "skipped" and result["reason"] != "measurement_undefined":
        return
    for name, value in result["measurements"].items():
        if name in first and not near(first[name], value, relative=1e-8):
            yield f"{name}: {first[name]}, not {value}"
    found = {_place(row): row for row in rows}
    for group in result["groups"]:
        stratum = tuple((group.get("stratum") or {}).values())
        metric = group.get("metric") or first["parity_metric"]
        row = found[(metric, stratum, tuple(group["key"].values()))]
        for theirs, ours in GROUP_FIELDS.items():
            same = row[theirs] == group[ours] or near(row[theirs], group[ours], relative=1e-8)
            if not same:
                yield f"{_place(row)} {theirs}: {row[theirs]}, not {group[ours]}"


def _place(row: Row) -> tuple[Any, ...]:
    metric = row["parity_metric"]
    stratum = tuple(row[f"stratum_{n}"] for n in (1, 2, 3) if row.get(f"stratum_{n}") is not None)
    key = tuple(row[f"key_{n}"] for n in (1, 2, 3) if row[f"key_{n}"] is not None)
    return metric, stratum, key


@pytest.mark.parametrize("type_", MADE)
def test_sql_and_python_agree(type_: str) -> None:
    rng = Random(f"2026 {type_}")  # noqa: S311
    differing, statuses = [], []
    with duckdb.connect() as connection:
        place = in_duckdb(connection)
        for number in range(25):
            place.load("t", COLUMNS, table(rng))
            test = {"name": f"{type_} {number}", "type": type_, **MADE[type_](rng)}
            (result,) = python_results(connection, "t", [test])
            statuses.append(result["status"])
            differing += [f"{test}\n  {line}" for line in differences(place, test, result)]
    assert not differing, f"{len(differing)}\n" + "\n".join(differing[:8])
    assert len(set(statuses)) > 1
