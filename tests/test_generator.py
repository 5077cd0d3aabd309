"""The generated cases are many-sided, repeatable, and what they say they are."""

from __future__ import annotations

from collections import Counter

import duckdb
import pytest

from tests.generator import METRICS, Case, cases, load
from tests.oracle import MEASUREMENTS, judge
from tests.oracle import METRICS as ORACLE_METRICS

COUNT = 1000

# All but too_many_groups, which 400 rows do not make, and not_available, which is an engine's.
REACHABLE = {
    "column_missing",
    "column_not_numeric",
    "no_rows",
    "column_all_missing",
    "infinite_values",
    "probability_out_of_range",
    "no_evaluated_rows",
    "positive_class_absent",
    "negative_class_absent",
    "fewer_than_two_sufficient_groups",
    "metric_undefined",
    "reference_not_usable",
    "nothing_to_compare",
    "ratio_undefined_set_max_difference",
    "measurement_undefined",
}


@pytest.fixture(scope="module")
def generated() -> list[Case]:
    return list(cases(seed=2026, count=COUNT))


def test_cases_depend_on_the_seed_alone(generated: list[Case]) -> None:
    # repr, because NaN differs from itself.
    assert [repr(case) for case in cases(2026, 50)] == [repr(case) for case in generated[:50]]
    assert [repr(case) for case in cases(2027, 50)] != [repr(case) for case in generated[:50]]


def test_cases_reach_every_verdict_and_reason(generated: list[Case]) -> None:
    results = [judge(case.table, case.columns, case.test) for case in generated]
    statuses = Counter(result["status"] for result in results)
    assert min(statuses[status] for status in ("passed", "failed", "skipped")) >= 0.15 * COUNT
    assert {result["reason"] for result in results} - {None} == REACHABLE
    by_metric = Counter(
        (case.test["parity_metric"], result["status"])
        for case, result in zip(generated, results, strict=True)
    )
    assert len(by_metric) == 3 * len(METRICS)
    judged = Counter(
        (threshold["measurement"], threshold["passed"])
        for result in results
        for threshold in result["thresholds"]
    )
    assert {(m, passed) for m in MEASUREMENTS for passed in (True, False)} <= set(judged)
    # Were most decisions near a limit, little would be compared.
    assert sum(result["near_limit"] for result in results) < 0.05 * COUNT
    assert any(result["groups_total"] > 100 for result in results if result["rows"])
    assert any(group["suppressed"] for result in results for group in result["groups"])


def test_tests_stay_within_the_rules(generated: list[Case]) -> None:
    for case in generated:
        test = case.test
        metric = ORACLE_METRICS[test["parity_metric"]]
        given = {key for key in test if key.endswith("_column")}
        assert given == {i.parameter for i in metric.inputs}
        names = [*test["protected_attribute_columns"], *(test[key] for key in given)]
        assert len({name.lower() for name in names}) == len(names)
        assert ("higher_is_better" in test) == (metric.higher_is_better is None)
        assert ("positive_values" in test) == (not metric.inputs[-1].numeric)
        overall = test.get("comparison") == "overall"
        assert not (overall and {"reference_strategy", "reference_value"} & set(test))
        assert not (overall and test["parity_metric"] in {"auc", "r2"})
        named = test.get("reference_strategy") == "named"
        assert named == ("reference_value" in test)
        assert not named or len(test["protected_attribute_columns"]) == 1
        if test.get("p_value_adjustment") == "holm_all_pairs":
            assert not overall
            assert not named
        significance = test["parity_metric"] != "r2" and test.get("significance_test") != "none"
        measured = {threshold["measurement"] for threshold in test.get("thresholds", [])}
        assert significance or not test.get("require_significance")
        assert significance or "significant_disparity_count" not in measured
    assert len({case.test["name"] for case in generated}) == len(generated)


def test_duckdb_holds_what_a_case_says(generated: list[Case]) -> None:
    with duckdb.connect() as connection:
        for number, case in enumerate(generated[:100]):
            load(connection, case, f'case "{number}"')
            result = connection.execute(f'SELECT * FROM "case ""{number}"""')
            assert [column[0] for column in result.description or []] == list(case.columns)
            # repr tells 0.0 from -0.0, 1 from True, and takes NaN for NaN.
            assert list(map(repr, result.fetchall())) == list(map(repr, case.rows))
