"""Key insights state facts: the right group, direction, number and significance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.metrics import METRICS
from fairsql.report import Insight, insights, number
from fairsql.report.insights import UNTESTED_METRICS
from fairsql.results import Comparison, Metric, Rows
from fairsql.suite import Suite
from tests.generator import cases, load
from tests.report.samples import GROUP, REFERENCE, TEST
from tests.variants import variants

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

LOWER_IS_BETTER = {
    *("log_loss", "brier", "false_omission_rate", "mae", "rmse"),
}


def by_kind(test: TestResult, tests_in_run: int = 1) -> dict[str, Insight]:
    found = insights(test, tests_in_run)
    kinds = Counter(insight.kind for insight in found)
    assert set(kinds.values()) <= {1}
    return {insight.kind: insight for insight in found}


def test_the_metrics_without_a_significance_test_are_those_of_the_catalogue() -> None:
    assert {name for name, metric in METRICS.items() if not metric.p_value} == UNTESTED_METRICS


# --- generated results ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generated() -> list[TestResult]:
    connection = duckdb.connect()
    results: list[TestResult] = []
    for case in cases(7, 60):
        load(connection, case, "sample")
        tests = [build_test(relation="sample", **test) for test in variants(case.test)]
        results += Suite(tuple(tests)).run(connection).tests
        connection.execute("drop table sample")
    return results


def compared(test: TestResult) -> list[GroupResult]:
    return [
        group
        for group in test.groups
        if group.sufficient and not group.is_reference and group.value is not None
    ]


def test_the_worst_group_is_the_one_with_the_worst_value(generated: list[TestResult]) -> None:
    checked = 0
    for test in generated:
        found = by_kind(test)
        shown = compared(test)
        if test.status not in ("passed", "failed"):
            assert not {"worst_group", "none_worse", "significance"} & set(found)
            continue
        if len(test.groups) != test.groups_total or any(group.suppressed for group in test.groups):
            continue
        lower = test.parameters["parity_metric"] in LOWER_IS_BETTER or (
            test.parameters["higher_is_better"] is False
        )
        values = {tuple(group.key.values()): group.value or 0.0 for group in shown}
        extreme = (max if lower else min)(values.values())
        if "none_worse" in found:
            assert not any(group.worse for group in shown)
            assert all(group.difference == 0 for group in shown)
            continue
        facts, text = found["worst_group"].facts, found["worst_group"].text
        assert facts["value"] == pytest.approx(extreme, rel=1e-12)
        named = {tuple(key.values()) for key in facts["groups"]}
        assert {values[key] for key in named} <= {facts["value"]} or all(
            values[key] == pytest.approx(extreme, rel=1e-12) for key in named
        )
        assert facts["direction"] == ("highest" if lower else "lowest")
        assert facts["direction"] in text
        assert facts["compared"] == (test.comparison.value if test.comparison else None)
        assert facts["gap"] == pytest.approx(abs(facts["value"] - facts["compared"]), rel=1e-9)
        for quantity in ("value", "compared", "ratio", "gap"):
            assert facts[quantity] is None or number(facts[quantity]) in text
        checked += 1
    assert checked > 50


def test_significance_is_said_as_it_was_judged(generated: list[TestResult]) -> None:
    seen: Counter[bool] = Counter()
    for test in generated:
        found = by_kind(test)
        if "significance" not in found:
            continue
        facts, text = found["significance"].facts, found["significance"].text
        [group] = [group for group in test.groups if dict(group.key) == facts["group"]]
        assert facts["p_value"] == group.p_value_adjusted
        assert group.p_value_adjusted is not None
        is_below = group.p_value_adjusted < test.parameters["alpha"] * (1 - 1e-9)
        assert facts["significant"] is is_below
        assert ("is significant" in text) is is_below
        assert ("may be chance" in text) is not is_below
        assert number(facts["p_value"]) in text
        adjusted = test.parameters["p_value_adjustment"] != "none"
        assert ("adjustment for all pairs" in text or "'s adjustment" in text) is adjusted
        seen[is_below] += 1
    assert min(seen[True], seen[False]) > 5


def test_groups_that_fail_are_all_counted(generated: list[TestResult]) -> None:
    checked = 0
    for test in generated:
        found = by_kind(test)
        if "failing" in found:
            facts = found["failing"].facts
            assert facts["groups"] == [dict(group.key) for group in test.groups if group.failed]
            if len(test.groups) == test.groups_total:
                assert facts["count"] == len(facts["groups"])
            checked += 1
        elif test.status in ("passed", "failed"):
            assert not any(group.failed for group in test.groups)
    assert checked > 20


def test_groups_too_small_and_rows_left_out_add_up(generated: list[TestResult]) -> None:
    checked: Counter[str] = Counter()
    for test in generated:
        found = by_kind(test)
        small = [group for group in test.groups if not group.sufficient]
        if "too_small" in found:
            assert found["too_small"].facts["groups"] == [dict(group.key) for group in small]
            checked["small"] += 1
        else:
            assert not small or test.groups_total is None
        if "rows_left_out" in found:
            facts, text = found["rows_left_out"].facts, found["rows_left_out"].text
            left_out = facts["missing_metric_inputs"] + facts["missing_attribute"]
            assert facts["evaluated"] == facts["total"] - left_out
            assert text.startswith("All") is not bool(left_out) or facts["total"] == 1
            for count in (facts["missing_metric_inputs"], facts["missing_attribute"]):
                assert not count or f"{count:,} (" in text
            checked["rows"] += 1
    assert min(checked.values()) > 20


def test_no_sentence_promises_more_than_was_computed(generated: list[TestResult]) -> None:
    for test in generated:
        for insight in insights(test, 5):
            assert "controlled" not in insight.text
            assert not any(fact != fact for fact in insight.facts.values())
            assert "None" not in insight.text
            assert insight.text.endswith(".")
            if insight.kind == "detectable_gap":
                assert test.status == "passed"
        if test.status in ("skipped", "error"):
            assert "not a pass" in insights(test)[0].text


# --- made by hand --------------------------------------------------------------------------------


def judged(*groups: GroupResult, **changes: Any) -> TestResult:
    """A test of these groups, with the measurements that they give."""
    rest = [group for group in groups if group.sufficient and not group.is_reference]
    measured = {
        "failing_group_count": sum(group.failed for group in rest),
        "max_metric_difference": max((group.difference or 0 for group in rest), default=None),
        "significant_disparity_count": sum(group.significant for group in rest),
        "insufficient_group_count": sum(not group.sufficient for group in groups),
        "undefined_group_count": sum(group.value is None for group in rest),
    }
    return replace(
        TEST,
        groups=groups,
        groups_total=len(groups),
        measurements=measured,
        metric=Metric("rate", higher_is_better=True),
        **changes,
    )


def named(name: str, **changes: Any) -> GroupResult:
    return replace(GROUP, key={"sex": name}, **changes)


def test_ties_are_named_together() -> None:
    test = judged(named("A", value=0.3), named("B", value=0.3), REFERENCE)
    assert by_kind(test)["worst_group"].text == (
        "A and B have the lowest rate, 0.3, against the reference M (0.375): a ratio of 0.8 and"
        " a gap of 0.075."
    )
    assert by_kind(test)["significance"].text.startswith("The gap of A may be chance: p = 0.4008")


def test_a_group_without_a_ratio_has_its_gap() -> None:
    test = judged(named("A", value=-1, ratio=None, difference=1.375), REFERENCE)
    assert by_kind(test)["worst_group"].text.endswith("(0.375): a gap of 1.375.")


def test_nobody_worse_is_said() -> None:
    test = judged(named("A", value=0.4, worse=False, difference=0.0), REFERENCE)
    assert by_kind(test)["none_worse"].text == "No group is worse than the reference M (0.375)."
    overall = replace(test, comparison=Comparison("overall", None, 0.35))
    assert by_kind(overall)["none_worse"].text == "No group is worse than all rows (0.35)."


def test_a_gap_that_is_not_listed_names_nobody() -> None:
    test = judged(named("A"), REFERENCE)
    hidden = replace(test, measurements={**test.measurements, "max_metric_difference": 0.3})
    assert by_kind(hidden)["worst_not_listed"].facts == {"gap": 0.3}
    assert "significance" not in by_kind(hidden)


def test_a_gap_beyond_the_limits_without_significance_is_told() -> None:
    parameters = {**TEST.parameters, "require_significance": True, "max_difference": 0.05}
    test = judged(named("A"), named("B", difference=0.04), REFERENCE, parameters=parameters)
    assert by_kind(test)["not_significant"].facts == {"groups": [{"sex": "A"}]}


@pytest.mark.parametrize(
    ("value", "point", "ratio", "difference", "most", "beyond"),
    [
        (0.3, 0.375, 0.8 * (1 - 5e-13), 0.075, None, False),
        (0.3, 0.375, 0.8 * (1 - 5e-12), 0.075, None, True),
        (0.325, 0.375, 0.9, 0.05 * (1 + 5e-10), 0.05, True),
        # Rounding of two large values is more than all of this gap.
        (1e6, 1e6, 1.0, 1.5e-7, 1e-7, False),
        (1e6, 1e6, 1.0, 3e-6, 1e-7, True),
    ],
)
def test_the_limits_have_the_verdicts_slack(
    value: float, point: float, ratio: float, difference: float, most: float | None, beyond: bool
) -> None:
    parameters = {**TEST.parameters, "require_significance": True, "max_difference": most}
    group = named("A", value=value, ratio=ratio, difference=difference)
    test = judged(group, REFERENCE, parameters=parameters)
    test = replace(test, comparison=Comparison("reference", {"sex": "M"}, point))
    assert ("not_significant" in by_kind(test)) is beyond


def test_a_pass_with_a_significant_gap_says_so() -> None:
    test = judged(named("A", significant=True), REFERENCE)
    assert by_kind(test)["passed_though_significant"].text == (
        "Passed, yet 1 group is significantly worse than the comparison point: A."
    )


@pytest.mark.parametrize(("rows", "expected"), [(999_999, False), (1_000_000, True)])
def test_on_millions_of_rows_significant_may_be_tiny(rows: int, expected: bool) -> None:
    test = judged(
        named("A", significant=True, difference=0.001),
        named("B", significant=True, difference=0.0004),
        REFERENCE,
        rows=Rows(rows, 0, 0, rows),
    )
    found = by_kind(test)
    assert ("many_rows" in found) is expected
    if expected:
        assert found["many_rows"].facts == {"rows": rows, "gap": 0.0004, "group": {"sex": "B"}}
        assert "With 1,000,000 rows even a tiny gap is significant" in found["many_rows"].text


def test_the_number_of_tests_counts_where_something_is_significant() -> None:
    found = judged(named("A", significant=True), REFERENCE)
    assert by_kind(found, 10)["tests_in_run"].facts == {"tests": 10}
    assert "tests_in_run" not in by_kind(found, 1)
    assert "tests_in_run" not in by_kind(judged(named("A"), REFERENCE), 10)


def test_small_groups_are_named_with_their_rows_unless_those_are_hidden() -> None:
    small = named("A", sufficient=False, rows=12)
    hidden = named("B", sufficient=False, rows=None, suppressed=True)
    parameters = {**TEST.parameters, "min_reported_rows": 10}
    text = by_kind(judged(small, hidden, REFERENCE, parameters=parameters))["too_small"].text
    assert text == (
        "2 of 3 groups are too small to judge (fewer than 30 rows, or 2 % of those evaluated):"
        " A (12) and B (< 10)."
    )


def test_many_names_are_counted() -> None:
    groups = [named(f"g{place}", sufficient=False, rows=1) for place in range(8)]
    text = by_kind(judged(*groups, REFERENCE))["too_small"].text
    assert text.endswith("‘g0’ (1), ‘g1’ (1), ‘g2’ (1), ‘g3’ (1), ‘g4’ (1) and 3 more.")


def test_inputs_that_are_missing_unevenly_are_told() -> None:
    even = judged(named("A", missing_metric_inputs=4), REFERENCE)
    assert "unevenly_missing" not in by_kind(even)
    uneven = judged(named("A", missing_metric_inputs=20), REFERENCE)
    facts = by_kind(uneven)["unevenly_missing"].facts
    assert (facts["most"], facts["most_group"], facts["least"]) == (0.2, {"sex": "A"}, 0.0)


# --- what is not listed, not shown or not judged ------------------------------------------------

HIDDEN: dict[str, Any] = {
    **dict.fromkeys(("rows", "missing_metric_inputs", "share", "value", "denominator")),
    **dict.fromkeys(("statistics", "confidence_interval", "ratio", "difference")),
    **dict.fromkeys(("p_value", "p_value_adjusted")),
    "suppressed": True,
}
"""What a suppressed group has of its numbers: nothing."""


@pytest.mark.parametrize(
    "small", [{"value": 0.1, "difference": 0.275}, {**HIDDEN}], ids=["shown", "suppressed"]
)
def test_a_group_too_small_to_judge_may_be_worse_than_the_worst(small: dict[str, Any]) -> None:
    tiny = named("Tiny", sufficient=False, **small)
    nobody = judged(named("A", value=0.4, worse=False, difference=0.0), tiny, REFERENCE)
    assert by_kind(nobody)["none_worse"].text == (
        "Of the groups large enough to judge, none is worse than the reference M (0.375)."
    )
    somebody = judged(named("A", value=0.3), tiny, REFERENCE)
    assert by_kind(somebody)["worst_group"].text.startswith(
        "Of the groups large enough to judge, A has the lowest rate, 0.3, against"
    )


def test_a_group_too_small_to_judge_that_has_no_value_is_no_exception() -> None:
    tiny = named("Tiny", sufficient=False, value=None, difference=None, value_reason="no_rows")
    test = judged(named("A", value=0.4, worse=False, difference=0.0), tiny, REFERENCE)
    assert by_kind(test)["none_worse"].text.startswith("No group is worse than")


def test_a_group_too_small_to_judge_that_is_not_listed_may_be_worse_too() -> None:
    test = judged(named("A", value=0.4, worse=False, difference=0.0), REFERENCE)
    measurements = {**test.measurements, "insufficient_group_count": 150}
    test = replace(test, groups_total=152, measurements=measurements)
    assert by_kind(test)["none_worse"].text.startswith("Of the groups large enough to judge, none")


@pytest.mark.parametrize("way", ["all", "not listed", "suppressed"])
def test_the_smallest_gap_is_that_of_all_only_where_all_are_shown(way: str) -> None:
    groups = [named("A", significant=True, difference=0.001), REFERENCE]
    if way == "suppressed":
        groups.append(named("B", significant=True, **HIDDEN))
    test = judged(*groups, rows=Rows(2_000_000, 0, 0, 2_000_000))
    if way == "not listed":
        test = replace(test, groups_total=150)
    assert ("the smallest listed is 0.001 (A)" in by_kind(test)["many_rows"].text) is (way != "all")
    assert ("the smallest here is 0.001 (A)" in by_kind(test)["many_rows"].text) is (way == "all")


def test_small_groups_that_are_not_listed_are_counted_alone() -> None:
    test = judged(named("A"), REFERENCE)
    measurements = {**test.measurements, "insufficient_group_count": 350}
    test = replace(test, groups_total=500, measurements=measurements)
    assert by_kind(test)["too_small"].text == (
        "350 of 500 groups are too small to judge (fewer than 30 rows, or 2 % of those evaluated);"
        " none of them is listed."
    )


@pytest.mark.parametrize(
    ("size", "share", "told"),
    [(30, 0, "fewer than 30 rows"), (1, 0.02, "fewer than 2 % of the rows evaluated")],
)
def test_a_limit_that_no_group_is_below_is_not_told(size: int, share: float, told: str) -> None:
    parameters = {**TEST.parameters, "min_group_size": size, "min_group_share": share}
    test = judged(named("A", sufficient=False, rows=9), REFERENCE, parameters=parameters)
    assert (
        by_kind(test)["too_small"].text == f"1 of 2 groups is too small to judge ({told}): A (9)."
    )


def test_groups_of_a_skipped_test_are_not_told_to_have_no_value() -> None:
    undefined = {"value": None, "difference": None, "value_reason": "infinite_values"}
    test = judged(named("A", **undefined), named("B", **undefined))
    assert "undefined" in by_kind(test)
    skipped = replace(test, status="skipped", reason="infinite_values", message="1 row holds it.")
    assert "undefined" not in by_kind(skipped)


def test_a_p_value_that_no_double_can_hold_is_not_zero() -> None:
    test = judged(named("A", p_value=0.0, p_value_adjusted=0.0, significant=True), REFERENCE)
    assert by_kind(test)["significance"].text == (
        "This gap is significant: p < 1e-300, below alpha = 0.05."
    )


def comparisons_told(test: TestResult) -> str:
    return by_kind(test)["significance"].text.partition(" adjustment for ")[2].partition(",")[0]


def test_comparisons_that_are_not_shown_are_counted() -> None:
    holm = {**TEST.parameters, "p_value_adjustment": "holm", "min_reported_rows": 50}
    shown = judged(named("A"), named("B", difference=0.01), REFERENCE, parameters=holm)
    assert comparisons_told(shown) == "2 comparisons"
    hidden = judged(named("A"), named("B", **HIDDEN), REFERENCE, parameters=holm)
    assert comparisons_told(hidden) == "2 comparisons"
    # A group that is too small, or that has no value, was not compared, shown or not.
    for changes in ({"sufficient": False}, {"value_reason": "no_predicted_negatives"}):
        alone = judged(named("A"), named("B", **HIDDEN | changes), REFERENCE, parameters=holm)
        assert comparisons_told(alone) == "1 comparison"


def test_comparisons_that_are_not_listed_are_counted_where_that_is_exact() -> None:
    holm = {**TEST.parameters, "p_value_adjustment": "holm"}
    test = judged(named("A"), REFERENCE, parameters=holm)
    measurements = {**test.measurements, "insufficient_group_count": 20, "undefined_group_count": 9}
    many = replace(test, groups_total=150, measurements=measurements)
    assert comparisons_told(many) == "120 comparisons"  # 150 without 20, 9 and the reference
    # A group of few positives has an AUC and no p-value: how many of them, nobody can tell.
    ranks = {"positives": 5, "negatives": 9, "concordant": 30.0}
    groups = tuple(replace(group, statistics=ranks) for group in many.groups)
    assert comparisons_told(replace(many, groups=groups)) == "all comparisons"


def test_text_of_the_data_is_shown_harmless() -> None:
    test = judged(named("\u202eevil\x1b[0m" + "x" * 300), REFERENCE)
    text = by_kind(test)["worst_group"].text
    assert "\\u202e" in text
    assert "\x1b" not in text
    assert len(text) < 300
