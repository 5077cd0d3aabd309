"""What a hostile or unlucky table does to the kinds of tests, and what must not show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import fairsql
from fairsql.errors import ConfigurationError
from fairsql.results import to_dict
from tests.fixtures.relations import GUARDS_OFF, load, load_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CLASSES: dict[str, Any] = {
    "protected_attribute_columns": ["g"],
    "prediction_column": "guess",
    "ground_truth_column": "kind",
    **GUARDS_OFF,
}
OUTCOME: dict[str, Any] = {
    "protected_attribute_columns": ["g"],
    "outcome_column": "x",
    "favorable_values": ["1"],
    **GUARDS_OFF,
}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


def classified(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[tuple[str, str | None, str | None]]
) -> str:
    """Make a table of group, true class and predicted class."""
    names = ("g varchar", "kind varchar", "guess varchar")
    columns = zip(*rows, strict=True)
    return load(connection, dict(zip(names, map(list, columns), strict=True)))


def values(result: fairsql.TestResult, metric: str, name: str | None = None) -> dict[str, Any]:
    return {
        group.key["g"]: group.value
        for group in result.groups
        if group.metric == metric and group.positive_class == name
    }


# --- classes -----------------------------------------------------------------------------------


def test_precision_and_recall_of_a_class_are_not_each_other(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows = [("F", "a", "a"), ("F", "a", "b"), ("F", "b", "b"), ("F", "b", "b")]
    relation = classified(connection, [*rows, *[("M", kind, guess) for _, kind, guess in rows]])
    metrics = ["precision", "recall"]
    result = fairsql.group_performance_parity(
        connection, relation, performance_metrics=metrics, per_class=True, **CLASSES
    )
    assert values(result, "precision", "a") == {"F": 1, "M": 1}
    assert values(result, "recall", "a") == {"F": 0.5, "M": 0.5}
    assert values(result, "precision", "b") == {"F": 2 / 3, "M": 2 / 3}


def test_a_class_that_is_only_predicted(connection: duckdb.DuckDBPyConnection) -> None:
    rows = [(g, "a", guess) for g in "FM" for guess in "aaz"] + [(g, "b", "b") for g in "FM"]
    result = fairsql.group_performance_parity(
        connection,
        classified(connection, rows),
        performance_metrics=["recall", "precision"],
        per_class=True,
        **CLASSES,
    )
    assert result.status == "passed"
    assert values(result, "recall", "z") == {"F": None, "M": None}
    assert values(result, "precision", "z") == {"F": 0, "M": 0}
    assert any(note.startswith("Class 'z' of recall is left out: ") for note in result.notes)


def test_a_metric_without_a_verdict_in_any_class_is_a_skip(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows = [("F", "a", "a"), ("M", "b", "b")]
    result = fairsql.group_performance_parity(
        connection,
        classified(connection, rows),
        performance_metrics=["accuracy", "recall"],
        per_class=True,
        **CLASSES,
    )
    assert (result.status, result.reason) == ("skipped", "nothing_to_compare")


def test_a_value_that_counts_as_missing_is_no_class(connection: duckdb.DuckDBPyConnection) -> None:
    rows = [(g, kind, guess) for g in ("F", "M", "n/a") for kind in "ab" for guess in ("a", "n/a")]
    test = {**CLASSES, "missing_attribute_values": ["n/a", "a"], "max_difference": 1}
    result = fairsql.group_performance_parity(
        connection,
        classified(connection, rows),
        performance_metrics=["recall", "false_positive_rate"],
        per_class=True,
        **test,
    )
    assert result.rows.missing_attribute == 4
    assert values(result, "recall", "a") == {"F": 0.5, "M": 0.5}
    assert values(result, "false_positive_rate", "n/a") == {"F": 0.5, "M": 0.5}


def test_rows_that_lack_both_labels_are_counted(connection: duckdb.DuckDBPyConnection) -> None:
    rows = [("F", "a", "a"), ("M", "a", "a"), ("F", None, None), ("F", " ", "a"), ("F", "a", None)]
    result = fairsql.group_performance_parity(
        connection,
        classified(connection, rows),
        performance_metrics=["recall"],
        per_class=True,
        **CLASSES,
    )
    counted = {group.key["g"]: group.missing_metric_inputs for group in result.groups}
    assert counted == {"F": 3, "M": 0}


def test_too_many_groups_and_classes(connection: duckdb.DuckDBPyConnection) -> None:
    # By true class there are 600, by predicted class 1,200.
    rows = [(f"k{i}", "a", guess) for i in range(600) for guess in "ab"]
    for how in ({"per_class": True}, {"average": "macro"}):
        result = fairsql.group_performance_parity(
            connection,
            classified(connection, rows),
            performance_metrics=["recall", "precision"],
            **how,
            **CLASSES,
        )
        assert (result.status, result.reason) == ("skipped", "too_many_groups")
        assert "1,200" in str(result.message)


@pytest.mark.parametrize("how", [{"per_class": True}, {"average": "macro"}])
def test_no_rows_at_all(connection: duckdb.DuckDBPyConnection, how: Mapping[str, Any]) -> None:
    relation = classified(connection, [("F", "a", "a")])
    result = fairsql.group_performance_parity(
        connection, relation, where="1 = 0", performance_metrics=["f1"], **how, **CLASSES
    )
    assert (result.status, result.reason) == ("skipped", "no_rows")


def test_a_broken_part_beside_one_without_a_verdict(connection: duckdb.DuckDBPyConnection) -> None:
    # Recall differs; nothing is a false positive in the reference, so that rate has no ratio.
    rows = [("F", *pair) for pair in ("11", "11", "00", "00")]
    rows += [("M", *pair) for pair in ("10", "11", "00", "01")]
    test = {**CLASSES, "positive_values": ["1"]}
    relation = classified(connection, rows)
    both = fairsql.group_performance_parity(
        connection, relation, performance_metrics=["equalized_odds"], **test
    )
    assert (both.status, both.measurements["failing_group_count"]) == ("failed", 1)
    alone = fairsql.group_performance_parity(
        connection, relation, performance_metrics=["false_positive_rate"], **test
    )
    assert alone.reason == "ratio_undefined_set_max_difference"


# --- strata ------------------------------------------------------------------------------------


def test_no_favorable_outcome_in_one_stratum(connection: duckdb.DuckDBPyConnection) -> None:
    counts = {("A", "F"): (20, 10), ("A", "M"): (20, 9), ("B", "F"): (20, 0), ("B", "M"): (20, 0)}
    result = fairsql.group_outcome_disparity(
        connection,
        load_counts(connection, counts, ("s", "g")),
        stratify_by_columns=["s"],
        **OUTCOME,
    )
    # A rate of 0 is a fact here: the value occurs in the other stratum.
    assert result.status == "passed"
    assert {group.value for group in result.groups} == {0.5, 0.45, 0}


def test_a_named_reference_that_is_absent_in_one_stratum(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    counts = {("A", "F"): (20, 5), ("A", "M"): (20, 15), ("B", "F"): (20, 4), ("B", "X"): (20, 8)}
    result = fairsql.group_outcome_disparity(
        connection,
        load_counts(connection, counts, ("s", "g")),
        stratify_by_columns=["s"],
        reference_strategy="named",
        reference_value="M",
        **OUTCOME,
    )
    assert (result.status, result.measurements["failing_group_count"]) == ("failed", 1)
    assert result.parts[1].reason == "reference_not_usable"
    assert any(note.startswith("Stratum s 'B' is left out: ") for note in result.notes)
    assert {one.key["g"] for one in result.pooled} == {"F", "X"}


@pytest.mark.parametrize("stratum", ["g", "G", "x"])
def test_a_stratum_that_has_another_place(
    connection: duckdb.DuckDBPyConnection, stratum: str
) -> None:
    relation = load_counts(connection, {"F": (20, 5), "M": (20, 15)})
    with pytest.raises(ConfigurationError, match="stratify_by_columns: names"):
        fairsql.group_outcome_disparity(
            connection, relation, stratify_by_columns=[stratum], **OUTCOME
        )


@pytest.mark.parametrize("comparison", ["reference", "overall"])
def test_a_suppressed_group_shows_in_no_part(
    connection: duckdb.DuckDBPyConnection, comparison: str
) -> None:
    # 13 of 17 and 7 of 17 are the hidden group's, by stratum; 20 of 34 are so over both.
    counts = {("A", "F"): (60, 30), ("A", "M"): (60, 31), ("A", "X"): (17, 13)}
    counts |= {("B", "F"): (60, 30), ("B", "M"): (60, 31), ("B", "X"): (17, 7)}
    counts |= {("C", "X"): (19, 11)}
    result = fairsql.group_outcome_disparity(
        connection,
        load_counts(connection, counts, ("s", "g")),
        stratify_by_columns=["s"],
        comparison=comparison,
        min_reported_rows=54,
        **{**OUTCOME, "min_group_size": 30},
    )
    told = json.dumps({**to_dict(result), "sql": [], "elapsed_seconds": 0})
    for rows, hits in ((17, 13), (17, 7), (19, 11), (53, 31)):
        assert str(hits / rows) not in told
    assert {one.key["g"] for one in result.pooled} <= {"F", "M"}
    assert all(group.value is None for group in result.groups if group.key["g"] == "X")


# --- metrics of all rows -----------------------------------------------------------------------


@pytest.mark.parametrize("prediction", ["kind", "KIND"])
def test_a_prediction_that_is_the_truth(
    connection: duckdb.DuckDBPyConnection, prediction: str
) -> None:
    relation = classified(connection, [("F", "a", "a")])
    with pytest.raises(ConfigurationError, match="must differ from prediction_column"):
        fairsql.metric_threshold(
            connection,
            relation,
            prediction_column=prediction,
            ground_truth_column="kind",
            thresholds=[{"measurement": "f1", "operator": ">=", "value": 0.5}],
        )


def test_no_rows_are_not_suppressed(connection: duckdb.DuckDBPyConnection) -> None:
    result = fairsql.metric_threshold(
        connection,
        classified(connection, [("F", "a", "a")]),
        where="1 = 0",
        thresholds=[{"measurement": "count", "operator": ">=", "value": 1}],
    )
    assert (result.reason, result.notes) == ("no_rows", ())


SCORED: dict[str, Any] = {"ground_truth_column": "kind"}


def scored(connection: duckdb.DuckDBPyConnection) -> str:
    """Make a table of 12 rows of three classes, with a score for each."""
    columns: dict[str, Any] = {"kind varchar": [*"abcabcabcab", None]}
    for place, name in enumerate("abc"):
        columns[f"p_{name} double"] = [((i * 7 + place * 5) % 11) / 11 for i in range(12)]
    return load(connection, columns)


@pytest.mark.parametrize("measurement", ["auc", "log_loss"])
def test_a_class_without_a_score_column(
    connection: duckdb.DuckDBPyConnection, measurement: str
) -> None:
    result = fairsql.metric_threshold(
        connection,
        scored(connection),
        class_score_columns={"a": "p_a", "b": "p_b"},
        thresholds=[{"measurement": measurement, "operator": ">=", "value": 0}],
        **SCORED,
    )
    assert (result.rows.evaluated, result.rows.missing_metric_inputs) == (8, 4)
    assert any(note.startswith("4 rows hold none of the classes") for note in result.notes)


@pytest.mark.parametrize("measurement", ["auc", "log_loss"])
def test_a_class_that_never_occurs(connection: duckdb.DuckDBPyConnection, measurement: str) -> None:
    result = fairsql.metric_threshold(
        connection,
        scored(connection),
        class_score_columns={"a": "p_a", "b": "p_b", "z": "p_c"},
        thresholds=[{"measurement": measurement, "operator": ">=", "value": 0}],
        **SCORED,
    )
    assert result.status == "skipped"
    assert str(result.reason).endswith("_class_absent")
    assert "never holds 'z'" in str(result.message)


@pytest.mark.parametrize("measurement", ["auc", "log_loss"])
def test_rows_of_all_classes_count_once(
    connection: duckdb.DuckDBPyConnection, measurement: str
) -> None:
    result = fairsql.metric_threshold(
        connection,
        scored(connection),
        class_score_columns={"a": "p_a", "b": "p_b", "c": "p_c"},
        thresholds=[{"measurement": measurement, "operator": ">=", "value": 0}],
        **SCORED,
    )
    assert (result.rows.evaluated, result.rows.missing_metric_inputs) == (11, 1)
    assert result.groups[0].rows == 11


# --- scores ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["double", "decimal(5,2)", "integer"])
def test_a_score_at_the_threshold_is_positive(
    connection: duckdb.DuckDBPyConnection, kind: str
) -> None:
    scores: list[float] = [1, 0, 1, 0] if kind == "integer" else [0.7, 0.69, 0.7, 0.69]
    columns: dict[str, Any] = {
        "g varchar": list("FFMM"),
        "truth integer": [1, 0, 1, 1],
        f"score {kind}": scores,
    }
    if kind == "double":
        columns = {name: [*column, None] for name, column in columns.items()}
        columns["g varchar"][-1], columns["score double"][-1] = "F", float("nan")
        columns["truth integer"][-1] = 1
    result = fairsql.group_performance_parity(
        connection,
        load(connection, columns),
        protected_attribute_columns=["g"],
        performance_metrics=["recall"],
        score_column="score",
        decision_threshold=1 if kind == "integer" else 0.7,
        ground_truth_column="truth",
        positive_values=["1"],
        **GUARDS_OFF,
    )
    assert {group.key["g"]: group.value for group in result.groups} == {"F": 1, "M": 0.5}
    assert result.rows.missing_metric_inputs == (kind == "double")


@pytest.mark.parametrize("labels", [("0", "1"), ("no", "yes"), ("a", "b", "c")])
def test_a_mean_over_two_classes_is_said_to_be_one(labels: tuple[str, ...]) -> None:
    connection = duckdb.connect()
    connection.execute("create table t (truth varchar, predicted varchar)")
    rows = [(labels[i % len(labels)], labels[(i // 3) % len(labels)]) for i in range(60)]
    connection.executemany("insert into t values (?, ?)", rows)
    test = {"prediction_column": "predicted", "ground_truth_column": "truth"}
    limits = [{"measurement": "precision", "operator": ">=", "value": 0}]
    result = fairsql.metric_threshold(connection, "t", **test, thresholds=limits)
    note = "precision is the mean over two classes; with positive_values it is that of one"
    assert any(one.startswith(note) for one in result.notes) == (len(labels) == 2)
    named = fairsql.metric_threshold(
        connection, "t", **test, positive_values=[labels[0]], thresholds=limits
    )
    assert not any(one.startswith(note) for one in named.notes)
