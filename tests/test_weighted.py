"""Metrics of weighted rows against libraries that take weights, and against repeated rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics as sk
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

import fairsql
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from fairsql.inference import hanley_mcneil_interval, hanley_mcneil_p_value
from fairsql.suite import Suite
from tests.further import question

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

RANKED = {"score_column": "score", "ground_truth_column": "truth", "positive_values": [1]}
PROBABLE = {"probability_column": "chance", "ground_truth_column": "truth", "positive_values": [1]}
CLASSIFIED = {"prediction_column": "guess", "ground_truth_column": "truth", "positive_values": [1]}
REGRESSED = {"prediction_column": "estimate", "ground_truth_column": "amount"}
AMOUNT = {"value_column": "amount", "higher_is_better": True}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "auc": RANKED,
    "log_loss": PROBABLE,
    "brier": PROBABLE,
    **dict.fromkeys(("npv", "false_omission_rate", "accuracy", "precision", "recall"), CLASSIFIED),
    **dict.fromkeys(("specificity", "f1", "balanced_accuracy", "geometric_mean"), CLASSIFIED),
    **dict.fromkeys(("mae", "rmse", "r2", "mse", "mape"), REGRESSED),
    **dict.fromkeys(("mean", "median", "p95", "p90", "sum", "min", "max", "variance"), AMOUNT),
    "rate": {"value_column": "guess", "positive_values": [1], "higher_is_better": True},
}
SHARES = ("npv", "false_omission_rate", "accuracy", "precision", "recall", "specificity", "rate")
MEANS = ("log_loss", "brier", "mae", "mse", "mape", "mean")
QUANTILES = {"median": Fraction(1, 2), "p90": Fraction(9, 10), "p95": Fraction(19, 20)}
WEIGHTS = ("far_apart", "inverse", "whole", "equal")


def table(rows: int = 600, seed: int = 3) -> pd.DataFrame:
    """Return rows of three groups, one of them in two spellings."""
    chance = np.random.default_rng(seed)
    group = chance.choice(["a", " a", "b", "c"], rows, p=[0.2, 0.2, 0.3, 0.3])
    truth = (chance.random(rows) < 0.4).astype(int)
    chances = np.clip(chance.normal(0.35 + 0.3 * truth, 0.2), 0.01, 0.99)
    return pd.DataFrame(
        {
            "who": group,
            "truth": truth,
            "score": np.round(chances, 1),
            "chance": chances,
            "guess": (chances > 0.5).astype(int),
            "amount": np.round(chance.normal(100, 15, rows), 1) + 10 * (group == "b"),
            "estimate": chance.normal(100, 15, rows),
            "far_apart": 10 ** chance.uniform(-9, 9, rows),
            "inverse": 1 / chance.uniform(0.05, 1, rows),
            "whole": chance.choice([0, 1, 2, 5], rows),
            "equal": np.full(rows, 0.1),
            "ones": np.ones(rows),
        }
    )


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return table()


@pytest.fixture(scope="module")
def warehouse(frame: pd.DataFrame) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.register("frame", frame)
        connection.execute("create table loans as from frame")
        yield connection


def asked(metric: str, weight: str | None, **fields: Any) -> Any:
    fields = {"min_group_share": 0, "min_group_size": 1, **ARGUMENTS[metric], **fields}
    return question(
        name=f"{metric} {weight} {fields.get('comparison')}",
        relation="loans",
        protected_attribute_columns=["who"],
        parity_metric=metric,
        weight_column=weight,
        **fields,
    )


def judged(warehouse: Any, metric: str, weight: str | None, **fields: Any) -> TestResult:
    (result,) = Suite((asked(metric, weight, **fields),)).run(warehouse).tests
    assert result.status in ("passed", "failed"), result.message
    return result


def by_key(result: TestResult) -> dict[str, GroupResult]:
    return {group.key["who"]: group for group in result.groups}


def rows_of(frame: pd.DataFrame, weight: str, key: str | None = None) -> pd.DataFrame:
    """Return a group's rows, or those of all other groups after a `-`, that have a weight."""
    who = frame["who"].str.strip()
    chosen = frame
    if key is not None:
        chosen = frame[who != key[1:]] if key.startswith("-") else frame[who == key]
    return chosen[chosen[weight] > 0]


# --- values ----------------------------------------------------------------------------------


def quantile_by_area(values: np.ndarray, weights: np.ndarray, q: Fraction) -> float:
    """Return Akinshin's weighted quantile as the area under the steps of the quantile function.

    n times the integral of the weighted empirical quantile function over the stretch of length 1/n
    that begins at q(n − 1)/n, in fractions.
    """
    order = np.argsort(values, kind="stable")
    exact = [Fraction(float(w)) for w in weights[order]]
    total = sum(exact, Fraction(0))
    n: Fraction = total * total / sum((w * w for w in exact), Fraction(0))
    begin: Fraction = q * (n - 1) / n
    end: Fraction = begin + 1 / n
    area, left = Fraction(0), Fraction(0)
    for value, weight in zip(values[order], exact, strict=True):
        right: Fraction = left + weight / total
        covered: Fraction = min(right, end) - max(left, begin)
        if covered > 0:
            area += Fraction(float(value)) * covered
        left = right
    return float(n * area)


def expected_value(metric: str, rows: pd.DataFrame, w: np.ndarray) -> float:
    truth, guess = rows["truth"], rows["guess"]
    amount, estimate = rows["amount"].to_numpy(), rows["estimate"].to_numpy()
    if metric in QUANTILES:
        return quantile_by_area(amount, w, QUANTILES[metric])
    values: Mapping[str, Any] = {
        "auc": lambda: sk.roc_auc_score(truth, rows["score"], sample_weight=w),
        "log_loss": lambda: sk.log_loss(truth, rows["chance"], sample_weight=w),
        "brier": lambda: sk.brier_score_loss(truth, rows["chance"], sample_weight=w),
        "npv": lambda: sk.precision_score(1 - truth, 1 - guess, sample_weight=w),
        "false_omission_rate": lambda: (
            1 - sk.precision_score(1 - truth, 1 - guess, sample_weight=w)
        ),
        "accuracy": lambda: sk.accuracy_score(truth, guess, sample_weight=w),
        "precision": lambda: sk.precision_score(truth, guess, sample_weight=w),
        "recall": lambda: sk.recall_score(truth, guess, sample_weight=w),
        "specificity": lambda: sk.recall_score(1 - truth, 1 - guess, sample_weight=w),
        "f1": lambda: sk.f1_score(truth, guess, sample_weight=w),
        "balanced_accuracy": lambda: sk.balanced_accuracy_score(truth, guess, sample_weight=w),
        "geometric_mean": lambda: math.sqrt(
            sk.precision_score(truth, guess, sample_weight=w)
            * sk.recall_score(truth, guess, sample_weight=w)
        ),
        "mae": lambda: sk.mean_absolute_error(amount, estimate, sample_weight=w),
        "mse": lambda: sk.mean_squared_error(amount, estimate, sample_weight=w),
        "rmse": lambda: math.sqrt(sk.mean_squared_error(amount, estimate, sample_weight=w)),
        "mape": lambda: sk.mean_absolute_percentage_error(amount, estimate, sample_weight=w),
        "r2": lambda: sk.r2_score(amount, estimate, sample_weight=w),
        "mean": lambda: np.average(amount, weights=w),
        "sum": lambda: float(np.dot(amount, w)),
        "min": amount.min,
        "max": amount.max,
        "variance": lambda: np.cov(amount, aweights=w),
        "rate": lambda: np.average(guess, weights=w),
    }
    return float(values[metric]())


@pytest.mark.parametrize("weight", WEIGHTS)
def test_values_are_those_of_libraries_that_take_weights(
    warehouse: Any, frame: pd.DataFrame, weight: str
) -> None:
    run = Suite(tuple(asked(metric, weight, max_difference=1) for metric in ARGUMENTS))
    for metric, result in zip(ARGUMENTS, run.run(warehouse).tests, strict=True):
        assert len(result.groups) == 3
        for key, group in by_key(result).items():
            rows = rows_of(frame, weight, key)
            w = rows[weight].to_numpy()
            expected = expected_value(metric, rows, w)
            # A few rows that outweigh all others leave 1 - n_eff, by which it is divided, little.
            assert group.value == pytest.approx(expected, rel=1e-9), (metric, key)
            assert group.rows == len(rows)


# Variances and quantiles rest on the effective size, and not on the sum of the weights.
@pytest.mark.parametrize("metric", [m for m in ARGUMENTS if m not in ("variance", *QUANTILES)])
def test_whole_weights_have_the_value_of_repeated_rows(
    warehouse: Any, frame: pd.DataFrame, metric: str
) -> None:
    result = judged(warehouse, metric, "whole", max_difference=1)
    repeated = frame.loc[frame.index.repeat(frame["whole"])]
    with duckdb.connect() as other:
        other.register("frame", repeated)
        other.execute("create table loans as from frame")
        expected = by_key(judged(other, metric, None, max_difference=1))
    for key, group in by_key(result).items():
        assert group.value == pytest.approx(expected[key].value, rel=1e-12)


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize("metric", list(ARGUMENTS))
def test_weights_of_one_change_nothing_but_the_test_of_counts(
    warehouse: Any, metric: str, comparison: str
) -> None:
    if comparison == "overall" and metric in ("auc", "r2", "sum", "min", "max", "variance"):
        comparison = "reference"
    settings = {"comparison": comparison, "max_difference": 1}
    weighted = by_key(judged(warehouse, metric, "ones", **settings))
    plain = by_key(judged(warehouse, metric, None, **settings))
    for key, group in weighted.items():
        other = plain[key]
        assert (group.rows, group.denominator) == (other.rows, other.denominator)
        for name in ("value", "ratio", "difference"):
            mine, theirs = getattr(group, name), getattr(other, name)
            assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-13)
        if metric in QUANTILES:
            assert (group.p_value, group.confidence_interval) == (None, None)
            continue
        if other.confidence_interval is not None:
            assert group.confidence_interval == pytest.approx(other.confidence_interval, rel=1e-10)
        if metric not in SHARES:
            assert group.p_value == pytest.approx(other.p_value, rel=1e-10)


# --- p-values and intervals ------------------------------------------------------------------


def size(w: np.ndarray) -> float:
    return float(w.sum() ** 2 / (w**2).sum())


def base(metric: str, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return what a proportion is of, and what of it counts."""
    truth, guess = rows["truth"] == 1, rows["guess"] == 1
    everything = truth | ~truth
    part, whole = {
        "npv": (~truth, ~guess),
        "false_omission_rate": (truth, ~guess),
        "accuracy": (truth == guess, everything),
        "precision": (truth, guess),
        "recall": (guess, truth),
        "specificity": (~guess, ~truth),
        "rate": (guess, everything),
    }[metric]
    return part[whole].to_numpy(), whole.to_numpy()


def losses(metric: str, rows: pd.DataFrame) -> np.ndarray:
    errors = (rows["estimate"] - rows["amount"]).to_numpy()
    chance, truth = rows["chance"].to_numpy(), rows["truth"].to_numpy()
    found: Mapping[str, Any] = {
        "log_loss": -np.log(np.where(truth == 1, chance, 1 - chance)),
        "brier": (chance - truth) ** 2,
        "mae": np.abs(errors),
        "mse": errors**2,
        "mape": np.abs(errors / rows["amount"].to_numpy()),
        "mean": rows["amount"].to_numpy(),
    }
    return np.asarray(found[metric])


def second_key(result: TestResult, key: str) -> str:
    if result.comparison and result.comparison.key:
        return result.comparison.key["who"]
    return f"-{key}"


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_proportions_have_the_z_test_and_wilsons_interval(
    warehouse: Any, frame: pd.DataFrame, weight: str, comparison: str
) -> None:
    for metric in SHARES:
        direction = {"comparison": comparison}
        result = judged(warehouse, metric, weight, **direction)
        tested = 0
        for key, group in by_key(result).items():
            samples = []
            for own in (key, second_key(result, key)):
                rows = rows_of(frame, weight, own)
                counts, whole = base(metric, rows)
                w = rows[weight].to_numpy()[whole]
                samples.append((float(np.average(counts, weights=w)), size(w)))
            (share, n), (other, m) = samples
            interval = proportion_confint(share * n, n, alpha=0.05, method="wilson")
            assert group.confidence_interval == pytest.approx(interval, rel=1e-7, abs=1e-12)
            if group.is_reference:
                assert group.p_value is None
                continue
            _, expected = proportions_ztest([share * n, other * m], [n, m])
            assert group.p_value == pytest.approx(expected, rel=1e-6), (metric, key)
            tested += 1
        assert tested == (2 if comparison == "reference" else 3)


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_means_have_welchs_test_and_the_t_interval_of_effective_sizes(
    warehouse: Any, frame: pd.DataFrame, weight: str, comparison: str
) -> None:
    for metric in MEANS:
        result = judged(warehouse, metric, weight, comparison=comparison)
        for key, group in by_key(result).items():
            samples = []
            for own in (key, second_key(result, key)):
                rows = rows_of(frame, weight, own)
                x, w = losses(metric, rows), rows[weight].to_numpy()
                # numpy's variance by "aweights": Σw(x − x̄)² / (Σw − Σw²/Σw).
                deviation = math.sqrt(float(np.cov(x, aweights=w)))
                samples.append((float(np.average(x, weights=w)), deviation, size(w)))
            (mean, deviation, n), second = samples
            if n < 2:
                assert (group.p_value, group.confidence_interval) == (None, None)
                continue
            half = float(stats.t.ppf(0.975, n - 1)) * deviation / math.sqrt(n)
            low = mean - half if metric == "mean" else max(mean - half, 0.0)
            assert group.confidence_interval == pytest.approx((low, mean + half), rel=1e-9)
            if group.is_reference or second[2] < 2:
                assert group.p_value is None
                continue
            welch: Any = stats.ttest_ind_from_stats  # its stubs ask for whole numbers of rows
            expected = welch(*samples[0], *second, equal_var=False).pvalue
            assert group.p_value == pytest.approx(expected, rel=1e-7), (metric, key)


@pytest.mark.parametrize("weight", ["inverse", "whole", "equal"])
def test_auc_rests_on_the_effective_sizes_of_its_classes(
    warehouse: Any, frame: pd.DataFrame, weight: str
) -> None:
    result = judged(warehouse, "auc", weight)
    sample = {}
    for key in by_key(result):
        rows = rows_of(frame, weight, key)
        w, truth = rows[weight].to_numpy(), rows["truth"].to_numpy() == 1
        auc = float(sk.roc_auc_score(truth, rows["score"], sample_weight=w))
        sample[key] = (auc, size(w[truth]), size(w[~truth]))
    for key, group in by_key(result).items():
        interval = hanley_mcneil_interval(*sample[key], 0.05)
        assert group.confidence_interval == pytest.approx(interval, rel=1e-9)
        if not group.is_reference:
            expected = hanley_mcneil_p_value(*sample[key], *sample[second_key(result, key)])
            assert group.p_value == pytest.approx(expected, rel=1e-9)


# --- what is kept, left out and refused ------------------------------------------------------


def test_weights_far_apart_keep_a_large_offset(warehouse: Any) -> None:
    warehouse.execute(
        "create or replace table offsets as select case when i % 2 = 0 then 'x' when i % 4 = 1"
        " then ' y' else 'y' end as who, 1e9 + i % 7 as amount, 10.0 ** (i % 19 - 9) as w"
        " from range(1000) as numbers(i)"
    )
    rows = warehouse.sql("select trim(who) as who, amount, w from offsets").df()
    result = fairsql.group_metric_parity(
        warehouse,
        "offsets",
        protected_attribute_columns=["who"],
        parity_metric="mean",
        weight_column="w",
        **AMOUNT,
    )
    for key, group in by_key(result).items():
        own = rows[rows["who"] == key]
        w = [Fraction(x) for x in own["w"]]
        x = [Fraction(x) for x in own["amount"]]
        mean = sum(a * b for a, b in zip(w, x, strict=True)) / sum(w)
        m2 = sum(a * (b - mean) ** 2 for a, b in zip(w, x, strict=True))
        assert group.value == pytest.approx(float(mean), rel=1e-15)
        assert (group.statistics or {})["m2"] == pytest.approx(float(m2), rel=1e-6)


def test_rows_of_weight_0_are_left_out_and_counted(warehouse: Any, frame: pd.DataFrame) -> None:
    result = judged(warehouse, "rate", "whole")
    zeros = int((frame["whole"] == 0).sum())
    assert result.approximate
    assert result.rows.total == len(frame)
    assert result.rows.evaluated == len(frame) - zeros
    assert result.rows.missing_metric_inputs == 0
    assert any(f"{zeros} rows have the weight 0 in column 'whole'" in x for x in result.notes)
    assert any("approximate" in note for note in result.notes)


def test_without_weights_nothing_is_approximate(warehouse: Any) -> None:
    result = judged(warehouse, "rate", None)
    assert not result.approximate
    assert not any("approximate" in note for note in result.notes)


@pytest.mark.parametrize("bad", ["null", "'nan'::double", "-1.0", "'inf'::double", "1e-60"])
def test_a_row_without_a_usable_weight_skips_the_test(warehouse: Any, bad: str) -> None:
    weights = f"case when rowid in (3, 5) then {bad} else 1.0 end"
    warehouse.execute(f"create or replace table bad as select *, {weights} as w from loans")
    for metric in ("rate", "auc", "mean", "median"):
        result = fairsql.group_metric_parity(
            warehouse,
            "bad",
            protected_attribute_columns=["who"],
            parity_metric=metric,
            weight_column="w",
            **ARGUMENTS[metric],
        )
        assert (result.status, result.reason) == ("skipped", "bad_weights")
        assert "2 rows hold no usable weight in column 'w'" in (result.message or "")
        assert {group.value for group in result.groups} == {None}


def test_a_weight_counts_only_where_the_inputs_are(warehouse: Any) -> None:
    warehouse.execute(
        "create or replace table gaps as select who, case when rowid < 9 then null else guess end"
        " as guess, case when rowid < 9 then -1 else 1 end as w from loans"
    )
    result = fairsql.group_metric_parity(
        warehouse,
        "gaps",
        protected_attribute_columns=["who"],
        parity_metric="rate",
        weight_column="w",
        **ARGUMENTS["rate"],
    )
    assert result.status in ("passed", "failed")
    assert result.rows.missing_metric_inputs == 9


def test_the_small_group_rule_counts_rows(warehouse: Any) -> None:
    warehouse.execute(
        "create or replace table small as select case when i < 10 then 'few' when i < 60 then"
        " 'many' else 'more' end as who, i % 2 as guess, case when i < 10 then 1e6 else 1e-6 end"
        " as w from range(120) as numbers(i)"
    )
    result = fairsql.group_metric_parity(
        warehouse,
        "small",
        protected_attribute_columns=["who"],
        parity_metric="rate",
        weight_column="w",
        **ARGUMENTS["rate"],
    )
    groups = by_key(result)
    assert not groups["few"].sufficient
    assert groups["many"].sufficient
    assert groups["few"].share == pytest.approx(10 / 120)


def test_a_weight_must_be_a_number(warehouse: Any) -> None:
    result = fairsql.group_metric_parity(
        warehouse,
        "loans",
        protected_attribute_columns=["truth"],
        parity_metric="rate",
        weight_column="who",
        **ARGUMENTS["rate"],
    )
    assert result.reason == "column_not_numeric"
    assert "a weight is a number, but column 'who' is VARCHAR" in (result.message or "")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"weight_column": "who"}, "which is also the weight_column"),
        ({"weight_column": "amount"}, "weight_column: must differ from value_column"),
        (
            {"weight_column": "w", "parity_metric": "median", "require_significance": True},
            "median has no significance test with a weight_column",
        ),
    ],
)
def test_a_weight_that_cannot_be_is_refused(fields: dict[str, Any], message: str) -> None:
    asked_for = {"parity_metric": "mean", **AMOUNT, **fields}
    with pytest.raises(ConfigurationError, match=message):
        build_test(relation="loans", protected_attribute_columns=["who"], **asked_for)
