"""Classes, each in turn the positive one, in SQL: against scikit-learn, and the Python path."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pytest
from scipy.stats import fisher_exact
from sklearn import metrics

from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from tests.dbt.generated import python_results
from tests.dbt.rows import near
from tests.dbt.verdicts import GUARDS_OFF, in_duckdb, limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.dbt.verdicts import Place, Row

PARITY = "group_performance_parity"
COLUMNS = {"g": "text", "h": "text", "predicted": "text", "truth": "text"}
SCORES = {"a": "score_a", "B": "score_b", "ä": "score_c"}
COLUMNS |= dict.fromkeys(SCORES.values(), "float")
LABELS = {"prediction_column": "predicted", "ground_truth_column": "truth"}
BY_GROUP = {**LABELS, "protected_attribute_columns": ["g"]}
AVERAGED: Mapping[str, Callable[..., Any]] = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
}
MACRO = (*AVERAGED, "geometric_mean", "accuracy", "precision_per_class", "f1_per_class")
GROUP_FIELDS = {
    "group_rows": "rows",
    "missing_metric_inputs": "missing_metric_inputs",
    **{name: name for name in ("share", "value", "denominator", "ratio", "difference")},
    **{name: name for name in ("p_value", "p_value_adjusted", "sufficient", "is_reference")},
    **{name: name for name in ("worse", "significant", "failed")},
}
NAMED = (
    *("accuracy", "precision", "recall", "specificity", "false_positive_rate", "f1"),
    *("balanced_accuracy", "geometric_mean", "equalized_odds", "predictive_parity"),
)


def rows_of(rng: Random, sizes: Mapping[str, int], *, gaps: float = 0.0) -> list[Any]:
    """Return rows of three classes; the last group has only two of them."""
    rows: list[Any] = []
    for group, size in sizes.items():
        classes = list(SCORES) if group != list(sizes)[-1] else list(SCORES)[:2]
        skill = rng.uniform(0.3, 0.9)
        for _ in range(size):
            truth = rng.choice(classes)
            predicted = truth if rng.random() < skill else rng.choice(classes)
            weights = [rng.random() + (name == truth) / 2 for name in SCORES]
            scores = [round(weight / sum(weights), 6) for weight in weights]
            row = [group, rng.choice("hi"), predicted, truth, *scores]
            rows.append([None if rng.random() < gaps else value for value in row])
    return rows


def limited(rng: Random, test: dict[str, Any], own: list[str]) -> dict[str, Any]:
    """Return a test that perhaps has thresholds of its own."""
    names = ["failing_group_count", "min_metric_ratio", *own]
    if rng.random() < 0.5:
        chosen = rng.sample(names, min(2, len(names)))
        test["thresholds"] = [
            limit(n, rng.choice(("<=", ">=")), rng.choice((0, 0.1, 0.8))) for n in chosen
        ]
    return test


def sample(seed: int) -> list[Any]:
    return rows_of(Random(seed), {"a": 90, "B": 70, "c": 45})  # noqa: S311


def of(rows: Sequence[Any], column: int) -> list[Any]:
    return [row[column] for row in rows]


# --- against scikit-learn --------------------------------------------------------------------


def test_averages_over_classes(place: Place) -> None:
    rows = sample(1)
    truth, predicted = of(rows, 3), of(rows, 2)
    by_class = {name: f(truth, predicted, average=None) for name, f in AVERAGED.items()}
    expected = {name: f(truth, predicted, average="macro") for name, f in AVERAGED.items()}
    expected |= {f"{name}_per_class": min(values) for name, values in by_class.items()}
    expected["accuracy"] = metrics.accuracy_score(truth, predicted)
    expected["geometric_mean"] = (expected["precision"] * expected["recall"]) ** 0.5
    asked = {**LABELS, "thresholds": [limit(name, "<", 0) for name in expected]}
    table = place.load("classes", COLUMNS, rows)
    found = {row["parity_metric"]: row for row in place.groups("metric_threshold", table, **asked)}
    assert {name: row["value"] for name, row in found.items()} == pytest.approx(expected, rel=1e-12)
    assert {row["rows_evaluated"] for row in found.values()} == {len(rows)}
    assert {row["group_rows"] for row in found.values()} == {len(rows)}
    assert found["f1"]["statistic_classes"] == 3
    broken = place.failures("metric_threshold", table, **asked)
    assert {row["parity_metric"] for row in broken} == set(expected)


def test_scores_of_classes(place: Place) -> None:
    rows = [row for row in sample(2) if row[3] is not None]
    truth = of(rows, 3)
    scores = np.array([row[4:] for row in rows])
    names = sorted(SCORES)
    order = [list(SCORES).index(name) for name in names]
    shares = scores[:, order] / scores[:, order].sum(axis=1, keepdims=True)
    expected = {
        "auc": metrics.roc_auc_score(truth, shares, multi_class="ovo", labels=names),
        "log_loss": metrics.log_loss(truth, shares, labels=names),
    }
    table = place.load("classes", COLUMNS, rows)
    found = place.groups(
        "metric_threshold",
        table,
        ground_truth_column="truth",
        class_score_columns=SCORES,
        thresholds=[limit("auc", ">", 0.99), limit("log_loss", "<", 9), limit("auc", ">", 0.1)],
    )
    assert {row["status"] for row in found} == {"failed"}
    for row in found:
        assert row["value"] == pytest.approx(expected[row["parity_metric"]], rel=1e-5)
        assert row["rows_evaluated"] == len(rows)
    assert [row["broken_thresholds"] for row in found if row["broken_thresholds"]] == ["auc > 0.99"]


def of_class(rows: Sequence[Any], name: str) -> tuple[list[bool], list[bool]]:
    return [value == name for value in of(rows, 3)], [value == name for value in of(rows, 2)]


def test_each_class_is_compared_on_its_own(place: Place) -> None:
    rows = sample(3)
    groups = {g: [row for row in rows if row[0] == g] for g in "aBc"}
    asked = [*AVERAGED, "accuracy"]
    table = place.load("classes", COLUMNS, rows)
    found = place.groups(PARITY, table, **BY_GROUP, performance_metrics=asked, per_class=True)
    assert len(found) == len(asked) * len(SCORES) * len(groups)
    panels: dict[Any, dict[str, Row]] = defaultdict(dict)
    for row in found:
        panels[row["parity_metric"], row["positive_class"]][row["key_1"]] = row
    for (name, class_), by_group in panels.items():
        for group, row in by_group.items():
            score = {**AVERAGED, "accuracy": metrics.accuracy_score}[name]
            arguments = {} if name == "accuracy" else {"zero_division": np.nan}
            expected = score(*of_class(groups[group], class_), **arguments)
            assert near(row["value"], None if np.isnan(expected) else float(expected))
            assert row["group_rows"] == len(groups[group])
        values = [row["value"] for row in by_group.values() if row["value"] is not None]
        best = next(row for row in by_group.values() if row["is_reference"])
        assert best["value"] == pytest.approx(max(values))
        if name != "recall":
            continue
        for group, row in by_group.items():
            if row is not best and row["value"] is not None:
                tables = [hits(groups[g], class_) for g in (group, best["key_1"])]
                assert row["p_value"] == pytest.approx(
                    fisher_exact(np.array(tables)).pvalue, rel=1e-9
                )
    failing = {row["key_1"] for row in found if row["failed"]}
    assert found[0]["failing_group_count"] == len(failing)
    assert found[0]["insufficient_group_count"] == 0
    gaps = [
        max(values) - min(values)
        for (name, _), by_group in panels.items()
        for values in [[r["value"] for r in by_group.values() if r["value"] is not None]]
        if name == "recall"
    ]
    assert found[0]["recall_difference"] == pytest.approx(max(gaps))


def hits(rows: Sequence[Any], class_: str) -> list[int]:
    own = [row for row in rows if row[3] == class_]
    found = sum(row[2] == class_ for row in own)
    return [found, len(own) - found]


def test_the_groups_of_the_worst_class_break_a_limit(place: Place) -> None:
    rows = [
        ("a", "h", p, t, 0, 0, 0) for p, t, n in (("x", "x", 40), ("y", "y", 40)) for _ in range(n)
    ] + [
        ("b", "h", p, t, 0, 0, 0)
        for p, t, n in (("x", "x", 40), ("y", "y", 20), ("x", "y", 20))
        for _ in range(n)
    ]
    table = place.load("classes", COLUMNS, rows)
    asked = {**BY_GROUP, "performance_metrics": ["recall"], "per_class": True}
    broken = place.failures(
        PARITY, table, **asked, thresholds=[limit("recall_difference", "<=", 0.1)]
    )
    assert sorted((row["positive_class"], row["key_1"]) for row in broken) == [
        ("y", "a"),
        ("y", "b"),
    ]
    (row,) = place.failures(PARITY, table, **asked)
    assert (row["positive_class"], row["key_1"], row["value"]) == ("y", "b", 0.5)
    assert row["failing_group_percentage"] == 0.5


def test_macro_averages_are_compared(place: Place) -> None:
    rows = sample(4)
    table = place.load("classes", COLUMNS, rows)
    found = place.groups(
        PARITY, table, **BY_GROUP, performance_metrics=list(AVERAGED), average="macro"
    )
    assert len(found) == len(AVERAGED) * 3
    for row in found:
        own = [one for one in rows if one[0] == row["key_1"]]
        score = AVERAGED[row["parity_metric"]]
        classes = [score(*of_class(own, name), zero_division=np.nan) for name in SCORES]
        assert row["value"] == pytest.approx(np.nanmean(classes), rel=1e-12)
        assert row["p_value"] is None
        assert row["statistic_classes"] == sum(not np.isnan(one) for one in classes)


# --- reasons ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "measured", "reason"),
    [
        ([], "f1", "no_rows"),
        ([], "auc", "no_rows"),
        ([("g", "h", None, "a", 0.5, 0.3, 0.2)], "f1", "column_all_missing"),
        ([("g", "h", "a", None, 0.5, 0.3, 0.2)], "log_loss", "column_all_missing"),
        ([("g", "h", "a", "a", 0.5, 0.3, 0.2)], "log_loss", "positive_class_absent"),
        ([("g", "h", "a", "a", 0.5, 0.3, 0.2)] * 2, "auc", "negative_class_absent"),
        (
            [("g", "h", "a", name, 1.5, 0.3, 0.2) for name in SCORES],
            "log_loss",
            "probability_out_of_range",
        ),
    ],
)
def test_why_there_is_no_value(place: Place, rows: list[Any], measured: str, reason: str) -> None:
    place.load("classes", COLUMNS, rows or sample(5)[:1])
    table = "classes" if rows else "(select * from classes where 1 = 0) as nothing"
    asked = LABELS if measured == "f1" else {"ground_truth_column": "truth"}
    scores = {} if measured == "f1" else {"class_score_columns": SCORES}
    (row,) = place.failures(
        "metric_threshold", table, **asked, **scores, thresholds=[limit(measured, ">", 0)]
    )
    assert (row["status"], row["reason"]) == ("skipped", reason)
    assert row["message"]


@pytest.mark.parametrize("choice", [{"per_class": True}, {"average": "macro"}])
def test_an_empty_table_is_one_skip(place: Place, choice: dict[str, Any]) -> None:
    place.load("classes", COLUMNS, sample(6)[:1])
    empty = "(select * from classes where 1 = 0) as nothing"
    asked = {**BY_GROUP, **choice, "performance_metrics": ["recall", "precision"]}
    (row,) = place.failures(PARITY, empty, **asked)
    assert (row["status"], row["reason"]) == ("skipped", "no_rows")
    (row,) = place.groups(PARITY, empty, **asked)
    assert row["key_1"] is None


@pytest.mark.parametrize("choice", [{"per_class": True}, {"average": "macro"}])
def test_too_many_groups_and_classes(place: Place, choice: dict[str, Any]) -> None:
    rows = [(f"g{n % 60}", "h", f"c{n % 41}", f"c{n % 37}", 0, 0, 0) for n in range(3000)]
    table = place.load("classes", COLUMNS, rows)
    asked = {**BY_GROUP, **choice, "performance_metrics": ["recall"]}
    (row,) = place.failures(PARITY, table, **asked)
    assert (row["status"], row["reason"]) == ("skipped", "too_many_groups")


# --- against the Python path -----------------------------------------------------------------


def parity(rng: Random) -> dict[str, Any]:
    named = rng.sample(NAMED, rng.randint(1, 3))
    test: dict[str, Any] = {
        **LABELS,
        "performance_metrics": named,
        "protected_attribute_columns": rng.choice((["g"], ["g", "h"])),
        **rng.choice(({"per_class": True}, {"average": "macro"})),
        **rng.choice(({}, GUARDS_OFF)),
        **rng.choice(({}, {"max_difference": rng.choice((0, 0.1, 0.3))})),
        **rng.choice(({}, {"p_value_adjustment": "holm"}, {"missing_attribute_values": ["a"]})),
    }
    if rng.random() < 0.3:
        test["protected_attribute_columns"] = ["g"]
        test |= {"reference_strategy": "named", "reference_value": rng.choice("aBq")}
    own = [f"{name}_{end}" for name in named for end in ("difference", "ratio")]
    return {"type": PARITY, **limited(rng, test, own)}


def threshold(rng: Random) -> dict[str, Any]:
    named = rng.sample([*MACRO, "auc", "log_loss", "count"], rng.randint(1, 4))
    test: dict[str, Any] = {
        "type": "metric_threshold",
        "thresholds": [
            limit(name, rng.choice((">", "<=", ">=")), rng.choice((0, 0.5, 0.9))) for name in named
        ],
    }
    if {"auc", "log_loss"} & set(named):
        test |= {"class_score_columns": SCORES, "ground_truth_column": "truth"}
    return test | LABELS if set(MACRO) & set(named) else test


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
    for name, value in result["measurements"].items():
        if name in first and result["status"] != "skipped" and not near(first[name], value):
            yield f"{name}: {first[name]}, not {value}"
    found = {(row["parity_metric"], row.get("positive_class"), keys(row)): row for row in rows}
    for group in result["groups"]:
        metric = group["metric"] or first["parity_metric"]
        row = found[metric, group["positive_class"], tuple(group["key"].values())]
        for theirs, ours in GROUP_FIELDS.items():
            if row[theirs] != group[ours] and not near(row[theirs], group[ours]):
                yield f"{metric} {group['key']} {theirs}: {row[theirs]}, not {group[ours]}"


def keys(row: Row) -> tuple[str, ...]:
    return tuple(row[f"key_{n}"] for n in (1, 2, 3) if row[f"key_{n}"] is not None)


@pytest.mark.parametrize("made", [parity, threshold])
def test_sql_and_python_agree(made: Callable[[Random], dict[str, Any]]) -> None:
    rng = Random(f"2026 {made.__name__}")  # noqa: S311
    differing, statuses = [], []
    with duckdb.connect() as connection:
        place = in_duckdb(connection)
        for number in range(30):
            names = ("a", "B", "c", "ä")[: rng.randint(1, 4)]
            sizes = {name: rng.choice((2, 12, 35, 60)) for name in names}
            place.load("t", COLUMNS, rows_of(rng, sizes, gaps=rng.choice((0.0, 0.05))))
            test = {"name": f"{number}", **made(rng)}
            (result,) = python_results(connection, "t", [test])
            statuses.append(result["status"])
            differing += [f"{test}\n  {line}" for line in differences(place, test, result)]
    assert not differing, f"{len(differing)}\n" + "\n".join(differing[:8])
    assert len(set(statuses)) > 1


def test_one_scan_serves_classes_beside_others(place: Place) -> None:
    table = place.load("classes", COLUMNS, sample(7))
    tests: dict[str, tuple[str, dict[str, Any]]] = {
        "rate": (
            "group_metric_parity",
            {
                "protected_attribute_columns": ["h"],
                "parity_metric": "rate",
                "value_column": "truth",
                "positive_values": ["a"],
                "higher_is_better": True,
            },
        ),
        "classes": (PARITY, {**BY_GROUP, "performance_metrics": ["f1"], "per_class": True}),
        "macro": (PARITY, {**BY_GROUP, "performance_metrics": ["f1"], "average": "macro"}),
        "limits": (
            "metric_threshold",
            {
                **LABELS,
                "class_score_columns": SCORES,
                "thresholds": [limit(name, ">", 0.5) for name in ("f1", "auc", "log_loss")],
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


# --- arguments -------------------------------------------------------------------------------

CHOICES: Mapping[str, tuple[Any, ...]] = {
    "prediction_column": ("predicted", None),
    "ground_truth_column": ("truth", None),
    "score_column": (None, None, "score_a"),
    "decision_threshold": (None, None, 0.5),
    "positive_values": (None, None, ["a"]),
    "alpha": (None, 0.1),
    "weight_column": (None, None, None, "weight"),
}
OF_PARITY: Mapping[str, tuple[Any, ...]] = {
    **CHOICES,
    "protected_attribute_columns": (["g"], ["g", "h"]),
    "performance_metrics": (["recall"], ["f1", "accuracy"], ["demographic_parity"]),
    "per_class": (True, False, None, "yes"),
    "average": ("macro", None, None, "micro"),
    "higher_is_better": (None, None, True),
    "comparison": (None, None, "overall"),
    "require_significance": (None, None, True),
}
OF_THRESHOLD: Mapping[str, tuple[Any, ...]] = {
    **{name: values for name, values in CHOICES.items() if name != "decision_threshold"},
    "class_score_columns": (
        *(None, SCORES, {"a": "score_a"}, {"a": "score_a", "b": " "}, ["a", "b"]),
        *({"1": "score_a", "1.0": "score_b"}, {"a": "score_a", "b": 2}, {"a": "truth", "b": "x"}),
    ),
    "probability_column": (None, None, "score_b"),
}


@pytest.mark.parametrize("type_", [PARITY, "metric_threshold"])
def test_the_two_checks_refuse_the_same(type_: str) -> None:
    rng = Random(f"refused {type_}")  # noqa: S311
    macros = macros_for("duckdb")
    parameters = macros.call("catalogue")["types"][type_]["parameters"]
    choices = OF_PARITY if type_ == PARITY else OF_THRESHOLD
    measured = [*MACRO, "auc", "log_loss", "npv"]
    refused, differing = 0, []
    for _ in range(400):
        test = {name: rng.choice(values) for name, values in choices.items()}
        limits = None
        if type_ == "metric_threshold":
            limits = [limit(name, ">", 0) for name in rng.sample(measured, rng.randint(1, 2))]
        given = {name: value for name, value in test.items() if value is not None}
        ours = theirs = None
        try:
            build_test(name="t", relation="r", type=type_, thresholds=limits, **given)
        except ConfigurationError as error:
            ours = str(error)
        try:
            macros.call("checked_test", dict.fromkeys(parameters) | test, limits, None, type_)
        except ConfigurationError as error:
            theirs = str(error)
        refused += ours is not None
        if (ours is None) != (theirs is None):
            differing.append(f"{given} {limits}\n  Python: {ours}\n  macros: {theirs}")
    assert 100 < refused < 400
    assert not differing, f"{len(differing)} differ\n" + "\n".join(differing[:8])
