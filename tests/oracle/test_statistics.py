"""The oracle's values, p-values and intervals against R 4.2, scipy and scikit-learn."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sklearn_metrics

from tests.oracle import intervals, significance
from tests.oracle.build import exactly, group_of, judge_pairs
from tests.oracle.metrics import METRICS, Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.mark.parametrize(
    ("table", "p"),
    [
        ([[3, 1], [1, 3]], 0.4857142857142858),
        ([[2, 15], [10, 3]], 5.367241191434364e-04),
        ([[345, 455], [260, 345]], 0.9566778639926435),
        ([[50, 1], [257, 375]], 1.222047036352588e-17),
        ([[0, 10], [0, 12]], 1.0),
        ([[10, 0], [12, 0]], 1.0),
        ([[0, 5], [5, 0]], 0.007936507936507936),
        ([[26, 22], [206, 53]], 0.0004041588085768439),
    ],
)
def test_fisher(table: list[list[int]], p: float) -> None:
    (a, b), (c, d) = table
    assert significance.fisher(a, a + b, c, c + d) == exactly(p)


@pytest.mark.parametrize(
    ("table", "p"), [([[72, 215], [84, 302]], 0.3557479), ([[140, 84], [283, 102]], 0.0061087)]
)
def test_fisher_counts_tables_that_are_as_likely_to_one_in_ten_million(
    table: list[list[int]], p: float
) -> None:
    (a, b), (c, d) = table
    assert significance.fisher(a, a + b, c, c + d) == pytest.approx(p, rel=1e-5)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        ((10, 0.75, 3.200555555555556), (10, 2.33, 4.009), 0.07939414018735817),
        (
            (30, 20.66333333333333, 43.63343678160919),
            (30, 16.96333333333333, 68.32722988505746),
            0.06063450788093407,
        ),
        (
            (19, 17.14736842105263, 14.69929824561403),
            (13, 24.39230769230769, 38.02576923076922),
            0.001373638333071028,
        ),
    ],
)
def test_welch(first: tuple[int, float, float], second: tuple[int, float, float], p: float) -> None:
    assert significance.welch(first, second) == exactly(p)


def test_welch_of_ten_million_rows() -> None:
    p = significance.welch((10**7, 0.5, 0.25), (10**7, 0.5003, 0.25))
    assert p == pytest.approx(0.1797125, rel=1e-6)


def test_welch_of_constants_and_of_single_rows() -> None:
    assert significance.welch((5, 1.0, 0.0), (9, 1.0, 0.0)) == 1.0
    assert significance.welch((5, 1.0, 0.0), (9, 2.0, 0.0)) == 0.0
    assert significance.welch((1, 1.0, 0.0), (9, 2.0, 1.0)) is None


def test_variance_survives_a_large_offset() -> None:
    sample = METRICS["mean"].sample([(1e9 + i,) for i in (1, 2, 3)])
    low, high = sample.interval(0.05) or (None, None)
    # The t quantile 4.302652729911275 at two degrees, times a standard error of 1/√3.
    assert low is not None
    assert high is not None
    assert high - low == pytest.approx(2 * 4.302652729911275 / math.sqrt(3), rel=1e-6)


def test_pooled_quantile() -> None:
    first = [10, 14, 14, 18, 20, 22, 24, 25, 31, 31, 32, 39, 43, 43, 48, 49]
    second = [28, 30, 31, 33, 34, 35, 36, 40, 44, 55, 57, 61, 91, 92, 99]
    p = significance.pooled_quantile(first, second, Fraction(1, 2))
    assert p == exactly(0.07559747873325233)


def test_pooled_quantile_of_ties() -> None:
    # Two of twenty at the top, one above them wanted: equally far, nothing above, so >= splits.
    top = significance.pooled_quantile([9.0, 9, *range(8)], [*range(8), 0.5, 1.5], Fraction(19, 20))
    assert top == exactly(2 * math.comb(10, 2) / math.comb(20, 2))
    # Ten above, ten too few, or thirty at or above, ten too many: equally far, so > splits.
    first, second = [3.0] * 10 + [2.0] * 5, [1.0] * 10 + [2.0] * 15
    middle = significance.pooled_quantile(first, second, Fraction(1, 2))
    assert middle == exactly(math.comb(15, 10) / math.comb(40, 10))


def test_adjustments() -> None:
    p: list[float | None] = [.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240,
                             .4262, .5719, .6528, .7590, 1]  # fmt: skip
    holm = [.0015, .0056, .0247, .114, .2211, .278, .278, .278, .3213, *[1] * 6]  # fmt: skip
    bh = [.0015, .003, .0095, .035625, .0603, .063857142857, .063857142857, .0645, .0765, .486,
          .581181818, .714875, .753230769, .813214286, 1]  # fmt: skip
    assert significance.adjust(p, "holm", 16) == pytest.approx(holm, rel=1e-8)
    assert significance.adjust(p, "benjamini_hochberg", 16) == pytest.approx(bh, rel=1e-8)
    # R: p.adjust(c(.01, .02, .03), "holm", n = 6)
    pairs = significance.adjust([0.01, 0.02, 0.03], "holm_all_pairs", 4)
    assert pairs == pytest.approx([0.06, 0.10, 0.12])


@pytest.mark.parametrize(
    ("hits", "rows", "low", "high"),
    [
        (81, 263, 0.2552885, 0.3662096),
        (15, 148, 0.0623864, 0.1604872),
        (0, 20, 0, 0.1611252),
        (1, 29, 0.0061132, 0.1717552),
        (10, 10, 0.7224672, 1),
    ],
)
def test_wilson(hits: int, rows: int, low: float, high: float) -> None:
    assert intervals.wilson(hits, rows, 0.05) == pytest.approx((low, high), abs=6e-8)


def test_auc_of_hanley_and_mcneil() -> None:
    normal, abnormal = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
    sample = Ranking(
        [float(i) for i, n in enumerate(abnormal) for _ in range(n)],
        [float(i) for i, n in enumerate(normal) for _ in range(n)],
    )
    assert sample.value == exactly(0.8931710615280595)
    assert sample.standard_error == exactly(0.03248657960734214)


@pytest.mark.parametrize(
    ("truths", "scores", "auc"),
    [
        ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 0.75),
        ([0, 0, 1, 1], [7.0, 7.0, 7.0, 7.0], 0.5),
        ([0, 0, 1, 1, 1], [0.2, 0.5, 0.5, 0.5, 0.9], 5 / 6),
        ([1, 1], [0.1, 0.2], None),
    ],
)
def test_auc(truths: list[int], scores: list[float], auc: float | None) -> None:
    rows = [(s, y == 1) for s, y in zip(scores, truths, strict=True)]
    assert METRICS["auc"].sample(rows).value == auc


def test_auc_of_perfect_groups_and_of_single_positives() -> None:
    perfect = {
        "A": [(1.0, 1.0)] * 20 + [(0.0, 0.0)] * 20,
        "B": [(1.0, 1.0)] * 10 + [(0.0, 0.0)] * 30,
    }
    result = judge_pairs("auc", perfect)
    assert group_of(result, "A")["confidence_interval"] == pytest.approx([0.98877, 1], abs=5e-6)
    assert group_of(result, "B")["confidence_interval"] == pytest.approx([0.98183, 1], abs=5e-6)
    assert group_of(result, "B")["p_value"] == 1.0
    lonely = {
        "A": [(1.0, 1.0)] + [(0.0, 0.0)] * 39,
        "B": [(0.0, 1.0)] + [(1.0, 0.0)] * 39,
    }
    result = judge_pairs("auc", lonely)
    assert [group_of(result, g)["value"] for g in "AB"] == [1.0, 0.0]
    assert group_of(result, "B")["p_value"] is None
    assert group_of(result, "B")["confidence_interval"] is None


@pytest.mark.parametrize(
    ("metric", "values", "expected"),
    [
        ("p95", [1, 2, 3, 4], 3.85),
        ("p95", range(1, 101), 95.05),
        ("median", range(1, 101), 50.5),
        ("p95", [10, 20], 19.5),
        ("p95", [7], 7),
    ],
)
def test_quantiles(metric: str, values: Sequence[int], expected: float) -> None:
    assert METRICS[metric].sample([(float(x),) for x in values]).value == exactly(expected)


def test_a_constant_keeps_its_value() -> None:
    assert math.fsum([0.1] * 3) / 3 != 0.1
    assert METRICS["mean"].sample([(0.1,)] * 3).value == 0.1


def test_student_interval() -> None:
    # R: t.test(extra[group == 1]) of the sleep data.
    sample = METRICS["mean"].sample(
        [(x,) for x in (0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2)]
    )
    assert sample.interval(0.05) == pytest.approx((-0.5297804, 2.0297804), abs=5e-8)


def test_order_statistic_intervals() -> None:
    twenty = METRICS["median"].sample([(float(i),) for i in range(1, 21)])
    assert twenty.interval(0.05) == (6, 15)
    # R: qbinom(c(.025, .975), 10, .95) is 8 and 10, and there is no eleventh value.
    ten = METRICS["p95"].sample([(float(i),) for i in range(1, 11)])
    assert ten.interval(0.05) == (8, None)
    one = METRICS["median"].sample([(1.0,)])
    assert one.interval(0.05) == (None, None)


def test_values_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(7)
    truth = rng.random(200) < 0.4
    score = np.round(truth + rng.normal(size=200), 1)
    probability = 1 / (1 + np.exp(-score))
    scored = list(zip(score.tolist(), truth.tolist(), strict=True))
    probable = list(zip(probability.tolist(), truth.tolist(), strict=True))
    values = {name: METRICS[name].sample(scored).value for name in ("auc", "mae", "rmse", "r2")}
    values |= {name: METRICS[name].sample(probable).value for name in ("log_loss", "brier")}
    number = truth.astype(float)
    assert values == pytest.approx(
        {
            "auc": sklearn_metrics.roc_auc_score(truth, score),
            "mae": sklearn_metrics.mean_absolute_error(number, score),
            "rmse": sklearn_metrics.root_mean_squared_error(number, score),
            "r2": sklearn_metrics.r2_score(number, score),
            "log_loss": sklearn_metrics.log_loss(truth, probability),
            "brier": sklearn_metrics.brier_score_loss(truth, probability),
        },
        rel=1e-12,
    )
    predicted = score > 0.5
    labelled = list(zip(predicted.tolist(), truth.tolist(), strict=True))
    npv = sklearn_metrics.precision_score(truth, predicted, pos_label=False)
    assert METRICS["npv"].sample(labelled).value == pytest.approx(npv, rel=1e-12)
    omitted = METRICS["false_omission_rate"].sample(labelled).value
    assert omitted == pytest.approx(1 - npv, rel=1e-12)


@pytest.mark.parametrize("metric", ["mae", "rmse", "brier", "mean"])
def test_welch_agrees_with_scipy(metric: str) -> None:
    rng = np.random.default_rng(11)
    first, second = rng.random(40), rng.random(70) * 1.2
    power = {"mean": 1, "mae": 1, "rmse": 2, "brier": 2}[metric]
    samples = [
        METRICS[metric].sample([(x,) if metric == "mean" else (x, 0.0) for x in side.tolist()])
        for side in (first, second)
    ]
    expected = stats.ttest_ind(first**power, second**power, equal_var=False).pvalue
    assert samples[0].p_value(samples[1]) == exactly(float(expected))
