"""The oracle on small cases whose answer is easy to get wrong, and on every skip reason."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.oracle import judge
from tests.oracle.build import (
    GUARDS_OFF,
    exactly,
    group_of,
    judge_pairs,
    judge_rate,
    judge_values,
)


def test_case_1_exactly_four_fifths() -> None:
    thresholds = [
        {"measurement": "min_metric_ratio", "operator": "is", "value": 0.8},
        {"measurement": "failing_group_count", "operator": "<=", "value": 0},
    ]
    result = judge_rate({"a": (80, 24), "b": (80, 30)}, thresholds=thresholds)
    a = group_of(result, "a")
    assert result["status"] == "passed"
    assert a["ratio"] == 0.7999999999999999
    assert a["difference"] == exactly(0.075)
    assert a["p_value"] == exactly(0.4033092180943446)


def test_case_2_constants() -> None:
    result = judge_values("mean", {"a": [0.1] * 33, "b": [0.1] * 50}, max_difference=0)
    a = group_of(result, "a")
    assert result["status"] == "passed"
    assert result["comparison"]["key"] == {"g": "b"}
    assert (a["worse"], a["ratio"], a["p_value"], a["difference"]) == (False, 1.0, 1.0, 0.0)
    assert a["confidence_interval"] == [0.1, 0.1]


def test_case_3_constants_apart_by_the_limit() -> None:
    result = judge_values("mean", {"a": [100000.1] * 40, "b": [100000.0] * 40}, max_difference=0.1)
    b = group_of(result, "b")
    assert (b["worse"], b["p_value"], b["significant"], b["failed"]) == (True, 0.0, True, False)


def test_case_4_a_large_offset() -> None:
    values = {"a": [1e9 + i for i in range(1, 41)], "b": [1e9 + i for i in range(2, 42)]}
    a = group_of(judge_values("mean", values), "a")
    assert a["difference"] == pytest.approx(1, abs=1e-5)
    assert a["p_value"] == exactly(0.7030968211135594)
    assert a["p_value_tolerance"] == 1e-3


def test_case_5_no_refusals_at_all() -> None:
    ratio = [{"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8}]
    none = judge_rate({"a": (40, 0), "b": (40, 0)}, higher_is_better=False, thresholds=ratio)
    assert none["status"] == "passed"
    assert [row["ratio"] for row in none["groups"]] == [None, None]
    assert none["measurements"]["min_metric_ratio"] == 1
    some = {"a": (40, 0), "b": (40, 4)}
    skipped = judge_rate(some, higher_is_better=False, thresholds=ratio)
    assert skipped["reason"] == "ratio_undefined_set_max_difference"
    both = [*ratio, {"measurement": "failing_group_count", "operator": "<=", "value": 0}]
    failed = judge_rate(some, higher_is_better=False, thresholds=both, max_difference=0.05)
    b = group_of(failed, "b")
    assert failed["status"] == "failed"
    assert b["difference"] == exactly(0.1)
    assert b["p_value"] == pytest.approx(0.1155680, rel=1e-6)


def test_case_6_log_loss_of_certainty() -> None:
    pairs = {"A": [(1.0, 0.0)] + [(1.0, 1.0)] * 39, "B": [(1.0, 1.0)] * 20 + [(0.0, 0.0)] * 20}
    result = judge_pairs("log_loss", pairs, max_difference=1)
    assert group_of(result, "A")["value"] == exactly(0.8634694098727671)
    assert group_of(result, "B")["value"] == 0.0
    assert math.copysign(1, group_of(result, "B")["value"]) == 1


def test_case_7_white_space_in_keys() -> None:
    keys = [" F", "F", "F\u00a0", "\u3000F", "F\u200b", "f", "", "\u3000\t", None]
    result = judge(
        {"g": keys, "x": [1, 0, 1, 0, 1, 0, 1, 0, 1]},
        {"g": "text", "x": "integer"},
        {
            "protected_attribute_columns": ["g"],
            "parity_metric": "rate",
            "value_column": "x",
            "positive_values": [1],
            "higher_is_better": True,
            "max_difference": 1,
        }
        | GUARDS_OFF,
    )
    assert {row["key"]["g"]: row["rows"] for row in result["groups"]} == {
        "F": 4,
        "F\u200b": 1,
        "f": 1,
    }
    assert result["measurements"]["missing_attribute_rate"] == exactly(1 / 3)


def test_case_8_numbers_spelt_in_text_keys() -> None:
    keys = ["1", "1.0", " 1.0 ", "1.50", "1.5", "01", "-0.0", "0", "1e0", "+1"]
    counts = judge_values("mean", {key: [1.0] for key in keys}, **GUARDS_OFF)["groups"]
    assert {row["key"]["g"]: row["rows"] for row in counts} == {
        "1": 3,
        "1.5": 2,
        "0": 2,
        "01": 1,
        "1e0": 1,
        "+1": 1,
    }


def test_case_9_a_group_without_predicted_negatives() -> None:
    pairs = {"A": [(1.0, 1.0)] * 60, "B": [(0.0, 0.0)] * 60, "C": [(0.0, 1.0)] * 60}
    result = judge_pairs("npv", pairs)
    assert group_of(result, "A")["value"] is None
    assert group_of(result, "A")["value_reason"] is not None
    assert group_of(result, "A")["denominator"] == 0
    assert result["measurements"]["failing_group_count"] == 1
    assert result["measurements"]["failing_group_percentage"] == exactly(1 / 3)
    assert result["measurements"]["undefined_group_count"] == 1
    assert [row["key"]["g"] for row in result["groups"]] == ["C", "B", "A"]


def test_case_10_negative_r2() -> None:
    # Truth ±1 has Σ(y−ȳ)² = n, so an error of √(1 − r²) everywhere gives r².
    def sample(r2: float) -> list[tuple[float, float]]:
        return [(y + math.sqrt(1 - r2), y) for y in (1.0, -1.0)] * 20

    pairs = {"A": sample(-0.44), "B": sample(-0.83)}
    assert judge_pairs("r2", pairs)["reason"] == "ratio_undefined_set_max_difference"
    result = judge_pairs("r2", pairs, max_difference=0.2)
    assert [group_of(result, g)["value"] for g in "AB"] == pytest.approx([-0.44, -0.83])
    assert group_of(result, "B")["failed"]
    assert result["measurements"]["min_metric_ratio"] is None
    constant = judge_pairs("r2", pairs | {"C": [(0.3, 0.1)] * 40}, max_difference=0.2)
    assert group_of(constant, "C")["value"] is None


def test_case_11_an_infinite_score() -> None:
    pairs: dict[str, list[tuple[float, float | None]]] = {
        "A": [(0.1, 0.0), (0.9, 1.0)] * 20,
        "B": [(0.1, 0.0), (0.9, 1.0)] * 20,
    }
    unlabelled = judge_pairs("auc", pairs | {"B": [*pairs["B"], (math.inf, None)]})
    assert unlabelled["status"] == "passed"
    assert group_of(unlabelled, "B")["missing_metric_inputs"] == 1
    labelled = judge_pairs("auc", pairs | {"B": [*pairs["B"], (math.inf, 1.0)]})
    assert labelled["reason"] == "infinite_values"


def test_case_12_medians_of_tied_scores() -> None:
    values = {"A": [5.0] * 140 + [4.0] * 60, "B": [5.0] * 90 + [4.0] * 110}
    result = judge_values("median", values)
    assert [group_of(result, g)["value"] for g in "AB"] == [5, 4]
    assert group_of(result, "B")["p_value"] == pytest.approx(6.249e-07, rel=1e-3)


@pytest.mark.parametrize("reference", [True, "True", "TRUE", 1])
def test_case_13_a_boolean_named_reference(reference: object) -> None:
    result = judge(
        {"g": [True, False] * 40, "x": [1.0, 2.0] * 40},
        {"g": "boolean", "x": "float"},
        {
            "protected_attribute_columns": ["g"],
            "parity_metric": "mean",
            "value_column": "x",
            "higher_is_better": True,
            "reference_strategy": "named",
            "reference_value": reference,
        },
    )
    if reference is True or isinstance(reference, str):
        assert result["comparison"] == {"kind": "reference", "key": {"g": "true"}, "value": 1.0}
    else:
        assert result["reason"] == "reference_not_usable"


def test_case_14_overall_and_a_group_of_one() -> None:
    values = {"A": [float(i) for i in range(40)], "B": [5.0]}
    options = {"comparison": "overall"} | GUARDS_OFF
    result = judge_values("mean", values, **options)
    assert [row["p_value"] for row in result["groups"]] == [None, None]
    assert group_of(result, "B")["ratio"] == pytest.approx(0.2611, abs=5e-5)
    assert group_of(result, "B")["failed"]
    assert result["comparison"]["key"] is None
    assert judge_values("mean", values, require_significance=True, **options)["status"] == "passed"


def test_case_15_one_is_not_true() -> None:
    test = {
        "protected_attribute_columns": ["g"],
        "parity_metric": "rate",
        "value_column": "x",
        "positive_values": ["1"],
        "higher_is_better": True,
    }
    kinds = {"g": "text", "x": "boolean"}
    result = judge({"g": ["a", "b"] * 40, "x": [True, False] * 40}, kinds, test)
    assert result["reason"] == "positive_class_absent"
    # A rate of 0 is a fact only of a pair that the configured value belongs to.
    never: dict[str, list[Any]] = {"g": ["a", "b"] * 40, "x": [False] * 80}
    assert judge(never, kinds, test | {"positive_values": [True]})["status"] == "passed"


def test_case_16_code_points_and_separate_attributes() -> None:
    result = judge_rate({"a": (40, 20), "B": (40, 20)})
    assert result["comparison"]["key"] == {"g": "B"}
    table: dict[str, list[Any]] = {
        "g": ["a|b", "a"] * 40,
        "h": ["c", "b|c"] * 40,
        "x": [1.0, 2.0] * 40,
    }
    test = {
        "protected_attribute_columns": ["g", "h"],
        "parity_metric": "mean",
        "value_column": "x",
        "higher_is_better": True,
    }
    two = judge(table, {"g": "text", "h": "text", "x": "float"}, test)
    assert two["groups_total"] == 2


def test_case_16_a_thousand_groups_and_one_more() -> None:
    thousand: dict[str, list[float | None]] = {f"k{i}": [1.0] for i in range(1000)}
    result = judge_values("mean", thousand | {" k0": [1.0]}, **GUARDS_OFF)
    assert (result["status"], result["groups_total"]) == ("passed", 1000)
    assert len(result["groups"]) == 100
    more = judge_values("mean", thousand | {"k1000": [1.0]}, **GUARDS_OFF)
    assert (more["reason"], more["groups_total"]) == ("too_many_groups", 1001)
    unlabelled = judge_values("mean", thousand | {"k1000": [None]}, **GUARDS_OFF)
    assert unlabelled["status"] == "passed"


def test_case_18_a_broken_threshold_beside_one_without_a_measurement() -> None:
    thresholds = [
        {"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8},
        {"measurement": "failing_group_count", "operator": "<=", "value": 0},
    ]
    options = {"higher_is_better": False, "max_difference": 0.05}
    counts = {"a": (40, 0), "b": (40, 4)}
    both = judge_rate(counts, thresholds=thresholds, **options)
    assert (both["status"], both["reason"]) == ("failed", None)
    assert [threshold["passed"] for threshold in both["thresholds"]] == [None, False]
    alone = judge_rate(counts, thresholds=thresholds[:1], **options)
    assert (alone["status"], alone["reason"]) == ("skipped", "measurement_undefined")


# --- what no fixture reaches -------------------------------------------------------------------


def test_small_groups_are_hidden_and_still_judged() -> None:
    result = judge_rate({"a": (40, 30), "b": (35, 5)}, min_reported_rows=36)
    b = group_of(result, "b")
    assert b["suppressed"]
    assert b["failed"]
    assert {b[field] for field in ("rows", "share", "value", "ratio", "p_value")} == {None}
    assert result["status"] == "failed"


def test_missing_attribute_values_count_as_missing() -> None:
    counts = {"a": (40, 30), "b": (40, 30), " Unknown ": (20, 0)}
    result = judge_rate(counts, missing_attribute_values=["Unknown"])
    assert result["groups_total"] == 2
    assert result["measurements"]["missing_attribute_rate"] == 0.2


@pytest.mark.parametrize(
    ("kinds", "table", "reason"),
    [
        ({"g": "text"}, {"g": ["a"]}, "column_missing"),
        ({"g": "text", "x": "text"}, {"g": ["a"], "x": ["1"]}, "column_not_numeric"),
        ({"g": "text", "x": "boolean"}, {"g": ["a"], "x": [True]}, "column_not_numeric"),
        ({"g": "text", "x": "float"}, {"g": [], "x": []}, "no_rows"),
        ({"g": "text", "x": "float"}, {"g": ["a"], "x": [math.nan]}, "column_all_missing"),
        ({"g": "text", "x": "float"}, {"g": [" "], "x": [1.0]}, "column_all_missing"),
        ({"g": "text", "x": "float"}, {"g": [" ", "a"], "x": [1.0, None]}, "no_evaluated_rows"),
        (
            {"g": "text", "x": "float"},
            {"g": ["a"] * 40, "x": [1.0] * 40},
            "fewer_than_two_sufficient_groups",
        ),
    ],
)
def test_reasons_of_rows(kinds: dict[str, str], table: dict[str, list[Any]], reason: str) -> None:
    test = {
        "protected_attribute_columns": ["g"],
        "parity_metric": "mean",
        "value_column": "x",
        "higher_is_better": True,
    }
    result = judge(table, kinds, test)
    assert (result["status"], result["reason"]) == ("skipped", reason)


def test_reasons_of_classes_and_values() -> None:
    out_of_range = {"A": [(1.5, 1.0), (0.5, 0.0)] * 20, "B": [(0.5, 0.0), (0.1, 1.0)] * 20}
    assert judge_pairs("brier", out_of_range)["reason"] == "probability_out_of_range"
    no_positive = {"A": [(0.5, 0.0)] * 40, "B": [(0.5, 0.0)] * 40}
    assert judge_pairs("brier", no_positive)["reason"] == "positive_class_absent"
    no_negative = {"A": [(0.5, 1.0)] * 40, "B": [(0.5, 1.0)] * 40}
    assert judge_pairs("auc", no_negative)["reason"] == "negative_class_absent"
    one_class_each = {"A": [(0.5, 1.0)] * 40, "B": [(0.5, 0.0)] * 40}
    assert judge_pairs("auc", one_class_each)["reason"] == "metric_undefined"
    one_usable = {"A": [(0.5, 1.0), (0.1, 0.0)] * 40, "B": [(0.5, 0.0)] * 40}
    assert judge_pairs("auc", one_usable)["reason"] == "nothing_to_compare"


def test_an_exact_share_is_sufficient() -> None:
    counts = {"a": (98, 50), "b": (2, 1)}
    assert group_of(judge_rate(counts, min_group_size=1, min_group_share=0.02), "b")["sufficient"]
    more = judge_rate(counts, min_group_size=1, min_group_share=0.0200001)
    assert not group_of(more, "b")["sufficient"]


def test_shares_of_groups_and_rows() -> None:
    values: dict[str, list[float | None]] = {
        "a": [1.0] * 10,
        "b": [2.0] * 10 + [None] * 5,
        "c": [2.0],
        " ": [1.0] * 7,
    }
    result = judge_values("mean", values, min_group_size=2)
    assert result["measurements"]["failing_group_percentage"] == 0.5
    assert result["measurements"]["insufficient_group_count"] == 1
    assert result["measurements"]["missing_attribute_rate"] == 7 / 28
    assert result["measurements"]["min_group_share"] == exactly(1 / 21)
    assert result["rows"] == {
        "total": 33,
        "missing_metric_inputs": 5,
        "missing_attribute": 7,
        "evaluated": 21,
    }
    assert group_of(result, "b")["missing_metric_inputs"] == 5


def test_a_decision_within_a_billionth_is_told() -> None:
    near = judge_values("mean", {"a": [1.0] * 40, "b": [1.0 + 1e-10] * 40})
    assert near["near_limit"]
    assert not judge_values("mean", {"a": [1.0] * 40, "b": [1.0 + 1e-13] * 40})["near_limit"]
    assert not judge_values("mean", {"a": [1.0] * 40, "b": [1.1] * 40})["near_limit"]
    gap = judge_values("mean", {"a": [1.0] * 40, "b": [2.0] * 40}, max_difference=1 + 1e-10)
    assert gap["near_limit"]
    assert not judge_values("mean", {"a": [1.0] * 40, "b": [2.0] * 40}, max_difference=1)[
        "near_limit"
    ]
