"""The smallest detectable gap is found in four of five samples: by simulation, and by books."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from fairsql.report import detectable, insights
from fairsql.report.detectable import detectable_gaps
from fairsql.results import Comparison, Metric
from tests.report.samples import GROUP, REFERENCE, TEST

SAMPLES = 4000


def pair(
    first: dict[str, Any], second: dict[str, Any], *, higher: bool = True, **parameters: Any
) -> float | None:
    """The gap of a group against a reference of these fields."""
    groups = (replace(GROUP, **first), replace(REFERENCE, **second))
    test = replace(
        TEST,
        groups=groups,
        metric=Metric("metric", higher),
        comparison=Comparison("reference", {"sex": "M"}, second["value"]),
        parameters={"alpha": 0.05, **parameters},
    )
    [gap] = detectable_gaps(test).values()
    return gap


def share(value: float, n: int) -> dict[str, Any]:
    return {"value": value, "denominator": n, "rows": n, "statistics": {"positives": value * n}}


def mean(value: float, deviation: float, n: int) -> dict[str, Any]:
    statistics = {"mean": value, "m2": deviation**2 * (n - 1), "minimum": 0.0, "maximum": 9.0}
    return {"value": value, "denominator": n, "rows": n, "statistics": statistics}


@pytest.mark.parametrize(
    ("first", "second", "reference", "higher"),
    [(200, 200, 0.5, True), (100, 1000, 0.3, True), (800, 300, 0.1, False), (60, 5000, 0.9, True)],
)
def test_a_gap_of_two_shares_is_found_four_times_in_five(
    first: int, second: int, reference: float, higher: bool
) -> None:
    gap = pair(share(reference, first), share(reference, second), higher=higher)
    assert gap is not None
    generator = np.random.default_rng(5)
    ours = generator.binomial(first, reference - gap if higher else reference + gap, SAMPLES)
    theirs = generator.binomial(second, reference, SAMPLES)
    pooled = (ours + theirs) / (first + second)
    error = np.sqrt(pooled * (1 - pooled) * (1 / first + 1 / second))
    z = np.abs(ours / first - theirs / second) / error
    assert np.mean(z > stats.norm.ppf(0.975)) == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize(("first", "second"), [(50, 400), (300, 300)])
def test_a_gap_of_two_means_is_found_four_times_in_five(first: int, second: int) -> None:
    gap = pair(mean(10, 2, first), mean(10, 3, second))
    assert gap is not None
    generator = np.random.default_rng(6)
    ours = generator.normal(10 - gap, 2, (SAMPLES, first))
    theirs = generator.normal(10, 3, (SAMPLES, second))
    p_values = stats.ttest_ind(ours, theirs, axis=1, equal_var=False).pvalue
    assert np.mean(p_values < 0.05) == pytest.approx(0.8, abs=0.03)


def test_a_gap_of_two_aucs_is_the_sum_of_hanley_and_mcneils_errors() -> None:
    # Hanley and McNeil (1982), their equations 1 to 3 written with Q1 and Q2.
    area, positives, negatives = 0.75, 50.0, 80.0
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    squared = (
        area * (1 - area)
        + (positives - 1) * (q1 - area**2)
        + (negatives - 1) * (q2 - area**2)
    ) / (positives * negatives)  # fmt: skip
    side = {
        "value": area,
        "denominator": 4000,
        "statistics": {"positives": 50, "negatives": 80, "concordant": 3000.0},
    }
    expected = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * np.sqrt(2 * squared)
    assert pair(side, side) == pytest.approx(expected, rel=1e-9)


def test_the_gap_of_a_root_is_one_of_roots() -> None:
    squares = mean(9, 4, 100), mean(9, 4, 100)
    of_squares = pair(*squares, higher=False)
    roots = [{**side, "value": 3.0} for side in squares]
    of_roots = pair(*roots, higher=False, parity_metric="rmse")
    assert of_squares is not None
    assert of_roots == pytest.approx(np.sqrt(9 + of_squares) - 3, rel=1e-12)


def test_against_everyone_the_second_sample_is_everyone_else() -> None:
    # With the same spread everywhere: the group's gap to all rows is its gap to the others, times
    # the others' part of the rows.
    sizes = {"a": 50, "b": 70, "c": 80}
    groups = tuple(replace(GROUP, key={"sex": name}, **mean(10, 2, n)) for name, n in sizes.items())
    test = replace(
        TEST,
        groups=groups,
        groups_total=3,
        metric=Metric("mean", higher_is_better=True),
        comparison=Comparison("overall", None, 10.0),
        parameters={"alpha": 0.05},
    )
    apart = pair(mean(10, 2, 50), mean(10, np.sqrt(4 * (69 + 79) / 149), 150))
    assert apart is not None
    assert detectable_gaps(test)[0] == pytest.approx(apart * 150 / 200, rel=1e-12)
    # Of groups that are not all listed nothing can be said.
    assert detectable_gaps(replace(test, groups_total=4)) == {}


@pytest.mark.parametrize(
    ("adjustment", "divisor"), [("none", 1), ("holm", 2), ("benjamini_hochberg", 2),
                                ("holm_all_pairs", 3)]
)  # fmt: skip
def test_an_adjustment_makes_it_harder(adjustment: str, divisor: int) -> None:
    groups = (
        replace(GROUP, key={"sex": "a"}, **mean(10, 2, 50)),
        replace(GROUP, key={"sex": "b"}, **mean(10, 2, 50)),
        replace(REFERENCE, **mean(10, 2, 50)),
    )
    test = replace(
        TEST,
        groups=groups,
        groups_total=3,
        metric=Metric("mean", higher_is_better=True),
        parameters={"alpha": 0.05, "p_value_adjustment": adjustment},
    )
    expected = (stats.norm.ppf(1 - 0.025 / divisor) + stats.norm.ppf(0.8)) * np.sqrt(8 / 50)
    assert detectable_gaps(test) == {
        0: pytest.approx(expected, rel=1e-9),
        1: pytest.approx(expected, rel=1e-9),
    }


def test_few_rows_cannot_show_even_the_largest_gap() -> None:
    assert pair(share(0.1, 20), share(0.1, 40)) is None  # 0.1 against 0


@pytest.mark.parametrize(("point", "higher"), [(0.0, True), (1.0, False)])
def test_nothing_can_be_worse_than_the_worst_possible_value(point: float, higher: bool) -> None:
    side = share(point, 1_000_000)
    groups = (replace(GROUP, **side), replace(REFERENCE, **side))
    test = replace(
        TEST,
        groups=groups,
        metric=Metric("rate", higher),
        comparison=Comparison("reference", {"sex": "M"}, point),
        parameters={"alpha": 0.05},
    )
    assert detectable_gaps(test) == {}
    assert not [one for one in insights(test) if "detectable" in one.kind]


def test_constant_groups_have_no_gap_of_zero() -> None:
    # A rounded sum of squares may be a little above 0: constant is what has one value alone.
    for m2 in (0.0, 1e-30):
        side = {**mean(5, 0, 100), "statistics": {"mean": 5.0, "m2": m2, "minimum": 5.0,
                                                  "maximum": 5.0}}  # fmt: skip
        test = replace(
            TEST,
            groups=(replace(GROUP, **side), replace(REFERENCE, **side)),
            metric=Metric("mean", higher_is_better=True),
            comparison=Comparison("reference", {"sex": "M"}, 5.0),
            parameters={"alpha": 0.05},
        )
        assert detectable_gaps(test) == {}
        against_all = replace(
            test,
            groups=tuple(replace(GROUP, key={"sex": name}, **side) for name in "ABC"),
            groups_total=3,
            comparison=Comparison("overall", None, 5.0),
        )
        assert detectable_gaps(against_all) == {}


def test_a_comparison_that_is_not_shown_makes_it_harder_all_the_same() -> None:
    shown = mean(10, 2, 50)
    hidden: dict[str, Any] = dict.fromkeys(("statistics", "value", "rows", "p_value"))
    test = replace(
        TEST,
        groups=(
            replace(GROUP, **shown),
            replace(GROUP, suppressed=True, **hidden),
            replace(REFERENCE, **shown),
        ),
        groups_total=3,
        metric=Metric("mean", higher_is_better=True),
        parameters={"alpha": 0.05, "p_value_adjustment": "holm"},
    )
    assert detectable.tested_alpha(test) == 0.025
    # Not all listed, and the counts of the rest unknown: no gap rather than a wrong one.
    assert detectable.tested_alpha(replace(test, groups_total=150)) is None
    assert detectable_gaps(replace(test, groups_total=150)) == {}


def test_gaps_of_some_groups_are_not_told_of_all() -> None:
    shown = mean(10, 2, 50)
    test = replace(
        TEST,
        groups=(replace(GROUP, **shown), replace(REFERENCE, **shown)),
        groups_total=2,
        metric=Metric("mean", higher_is_better=True),
        parameters={"alpha": 0.05},
    )
    found = {one.kind: one.text for one in insights(test)}
    assert found["detectable_gap"].startswith("A true gap of ")
    cut = {one.kind: one.text for one in insights(replace(test, groups_total=150))}
    assert cut["detectable_gap"].startswith("For the groups whose numbers are listed, a true gap ")


def test_a_group_of_a_file_that_tells_too_little_is_left_out() -> None:
    for changes in ({"denominator": None}, {"denominator": 0}, {"statistics": None}):
        groups = (replace(GROUP, **changes), REFERENCE)
        test = replace(TEST, groups=groups, metric=Metric("rate", higher_is_better=True))
        assert detectable_gaps(test) == {}


def test_what_has_no_formula_is_left_out() -> None:
    quantiles = {"quantile": 1.0, "lower": None, "upper": None}
    test = replace(
        TEST,
        groups=(replace(GROUP, statistics=quantiles), replace(REFERENCE, statistics=quantiles)),
        metric=Metric("median", higher_is_better=True),
    )
    assert detectable_gaps(test) == {}
