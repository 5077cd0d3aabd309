"""AUC and quantiles by bins: the bounds hold what libraries compute of the rows, on any data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import fairsql
from fairsql.binned import binned
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from fairsql.inference import (
    fisher_exact,
    hanley_mcneil_interval,
    hanley_mcneil_p_value,
    order_statistic_ranks,
)
from fairsql.metrics import METRICS
from fairsql.report.results_file import parse_run
from fairsql.suite import Suite
from tests.binned_cases import METHODS
from tests.generator import cases, load

if TYPE_CHECKING:
    from fairsql.results import GroupResult, TestResult

SIZE = 6_000
QUANTILES = {"p5": 0.05, "median": 0.5, "p95": 0.95, "p99": 0.99}
LAST_DIGITS = 1e-14  # of the exact value's own rounding


def drawn(shape: str) -> np.ndarray:
    """Return numbers of a shape that is bad for bins, the same each time."""
    chance = np.random.default_rng(17)
    mixed = chance.random(SIZE)
    found: Mapping[str, Any] = {
        "even": lambda: mixed,
        "whole": lambda: chance.integers(0, 5, SIZE).astype(float),
        "all equal": lambda: np.full(SIZE, 0.25),
        "two values": lambda: chance.choice([0.1, 0.7], SIZE),
        "most at 0": lambda: np.where(mixed < 0.99, 0.0, mixed),
        "most at 1": lambda: np.where(mixed < 0.99, 1.0, mixed / 2),
        "most in the middle": lambda: np.where(mixed < 0.99, 0.437, chance.random(SIZE)),
        "rare": lambda: chance.beta(0.3, 300, SIZE),
        "log odds": lambda: chance.normal(0, 5, SIZE),
        "below 0": lambda: -chance.lognormal(3, 1, SIZE),
        "heavy tail": lambda: chance.standard_cauchy(SIZE) ** 3,
        "one far away": lambda: np.append(chance.normal(0, 1, SIZE - 1), 1e12),
        "far from 0": lambda: 1e9 + chance.normal(0, 1, SIZE),
        "next to each other": lambda: 1 + chance.integers(0, 9, SIZE) * 2.0**-52,
        "all sizes": lambda: 10 ** chance.uniform(-300, 300, SIZE) * chance.choice([-1, 1], SIZE),
        "ends of doubles": lambda: chance.choice(
            [-1.7976931348623157e308, -5e-324, 0.0, -0.0, 5e-324, 1.7976931348623157e308], SIZE
        ),
        "tiny": lambda: 5e-324 * chance.integers(0, 1000, SIZE),
    }
    return np.asarray(found[shape]())


SHAPES = (
    *("even", "whole", "all equal", "two values", "most at 0", "most at 1", "most in the middle"),
    *("rare", "log odds", "below 0", "heavy tail", "one far away", "far from 0"),
    *("next to each other", "all sizes", "ends of doubles", "tiny"),
)


def table(values: np.ndarray) -> pd.DataFrame:
    """Return rows of three groups of very different sizes; the largest values tend to be true."""
    chance = np.random.default_rng(5)
    ranks = np.argsort(np.argsort(values, kind="stable")) / len(values)
    who = chance.choice(["a", " a", "b", "few"], len(values), p=[0.6, 0.1, 0.295, 0.005])
    truth = chance.random(len(values)) < np.where(who == "b", 0.2 + 0.3 * ranks, ranks)
    frame = pd.DataFrame({"who": who, "truth": truth.astype(int), "value": values})
    # One row of a kind, of which there is no pair and no interval.
    return pd.concat([frame, pd.DataFrame({"who": ["one"], "truth": [1], "value": values[:1]})])


@pytest.fixture(scope="module", params=SHAPES)
def sample(request: pytest.FixtureRequest) -> Iterator[tuple[Any, pd.DataFrame]]:
    frame = table(drawn(request.param))
    with duckdb.connect() as connection:
        connection.register("frame", frame)
        connection.execute("create table loans as from frame")
        yield connection, frame.assign(who=frame["who"].str.strip())


def test_of(metric: str, **fields: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "name": metric,
        "relation": "loans",
        "protected_attribute_columns": ["who"],
        "min_group_share": 0.0,
        "min_group_size": 1,
        "max_difference": 1e308,
    }
    if metric == "auc":
        columns = {"score_column": "value", "ground_truth_column": "truth", "positive_values": [1]}
        return {**asked, **columns, "parity_metric": metric, "auc_method": "binned", **fields}
    method = {"quantile_method": "approximate"}
    if metric in METHODS:
        asked |= {"parity_metric": metric, "higher_is_better": True}
        return {**asked, "value_column": "value", **method, **fields}
    del asked["max_difference"]
    asked |= {"type": "group_column_statistic", "operator": "<", "value": 0.0, **method}
    return {**asked, "statistic": metric, "value_column": "value", **fields}


test_of.__test__ = False  # type: ignore[attr-defined]


def run(connection: Any, *asked: dict[str, Any]) -> tuple[TestResult, ...]:
    return Suite(tuple(build_test(**test) for test in asked)).run(connection).tests


def by_key(result: TestResult) -> dict[str, GroupResult]:
    return {group.key["who"]: group for group in result.groups}


def bounds(group: GroupResult) -> tuple[float, float]:
    assert group.value_bounds is not None
    return group.value_bounds


def holds(found: tuple[float, float] | None, exact: float) -> bool:
    assert found is not None
    low, high = found
    slack = LAST_DIGITS * max(abs(low), abs(high), abs(exact))
    return low - slack <= exact <= high + slack


# --- the exact value lies within the bounds ---------------------------------------------------


def test_an_exact_auc_lies_within_the_bounds(sample: tuple[Any, pd.DataFrame]) -> None:
    connection, frame = sample
    (result,) = run(connection, test_of("auc"))
    assert result.approximate
    ranks = frame["value"].rank(method="dense")  # scikit-learn subtracts scores, which overflows
    assert holds(result.overall_bounds, roc_auc_score(frame["truth"], ranks))
    exact = {}
    for key, group in by_key(result).items():
        own = frame["who"] == key
        if key == "one":
            assert (group.value, group.value_bounds) == (None, None)
            continue
        exact[key] = float(roc_auc_score(frame["truth"][own], ranks[own]))
        low, high = bounds(group)
        assert holds((low, high), exact[key]), key
        assert group.value is not None
        assert low <= group.value <= high
        assert group.value == pytest.approx((low + high) / 2, abs=1e-12)
    assert len(exact) == 3


def test_an_interval_of_an_auc_holds_the_exact_one_and_its_p_value_is_no_smaller(
    sample: tuple[Any, pd.DataFrame],
) -> None:
    connection, frame = sample
    (result,) = run(connection, test_of("auc"))
    ranks = frame["value"].rank(method="dense")
    parts: dict[str, tuple[float, int, int]] = {}
    for key in ("a", "b", "few"):
        own = frame["who"] == key
        truth = frame["truth"][own]
        parts[key] = (
            float(roc_auc_score(truth, ranks[own])),
            int(truth.sum()),
            int((1 - truth).sum()),
        )
    groups = by_key(result)
    reference = next(key for key, group in groups.items() if group.is_reference)
    for key, part in parts.items():
        interval = hanley_mcneil_interval(*part, alpha=0.05)
        found = groups[key].confidence_interval
        assert interval is not None
        assert found is not None
        assert found[0] is not None
        assert found[1] is not None
        assert found[0] <= interval[0] + LAST_DIGITS
        assert interval[1] <= found[1] + LAST_DIGITS
        if key != reference:
            exact = hanley_mcneil_p_value(*part, *parts[reference])
            p_value = groups[key].p_value
            assert exact is not None
            assert p_value is not None
            assert p_value >= exact * (1 - 1e-9)


@pytest.mark.parametrize("metric", list(QUANTILES))
def test_an_exact_quantile_lies_within_the_bounds(
    sample: tuple[Any, pd.DataFrame], metric: str
) -> None:
    connection, frame = sample
    (result,) = run(connection, test_of(metric))
    q = QUANTILES[metric]
    for key, group in by_key(result).items():
        own = np.sort(frame["value"][frame["who"] == key])
        exact = interpolated(own, Fraction(str(q)))
        low, high = bounds(group)
        assert holds((low, high), exact), key
        assert group.value is not None
        assert low <= group.value <= high
        ranks = order_statistic_ranks(len(own), Fraction(str(q)), 0.05)
        assert group.confidence_interval is not None
        lower, upper = group.confidence_interval
        assert (lower is None, upper is None) == (ranks[0] is None, ranks[1] is None)
        assert lower is None or lower <= own[(ranks[0] or 0) - 1]
        assert upper is None or upper >= own[(ranks[1] or 0) - 1]
    assert holds(result.overall_bounds, interpolated(np.sort(frame["value"]), Fraction(str(q))))


def interpolated(values: np.ndarray, q: Fraction) -> float:
    """Return numpy's default quantile, in fractions, which do not overflow."""
    position = q * (len(values) - 1)
    low = int(position)
    high = min(low + 1, len(values) - 1)
    exact = Fraction(float(values[low])) * (1 - (position - low))
    return float(exact + Fraction(float(values[high])) * (position - low))


def test_the_quantile_of_the_test_is_that_of_numpy() -> None:
    values = np.sort(drawn("log odds"))
    for q in QUANTILES.values():
        assert interpolated(values, Fraction(str(q))) == pytest.approx(np.quantile(values, q))


# --- what bins are good for -------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["even", "most at 0", "most at 1", "rare", "log odds"])
def test_bounds_of_usual_scores_are_narrow(shape: str) -> None:
    with duckdb.connect() as connection:
        frame = table(drawn(shape))
        connection.register("frame", frame)
        connection.execute("create table loans as from frame")
        (result,) = run(connection, test_of("auc"))
    low, high = bounds(by_key(result)["a"])
    assert high - low < 1e-3


@pytest.mark.parametrize("shape", ["whole", "all equal", "two values"])
def test_few_distinct_values_are_exact(shape: str) -> None:
    with duckdb.connect() as connection:
        connection.register("frame", table(drawn(shape)))
        connection.execute("create table loans as from frame")
        for metric in ("auc", "median", "p95"):
            (found,) = run(connection, test_of(metric))
            (exact,) = run(connection, {**test_of(metric), **EXACTLY[metric]})
            for key, group in by_key(found).items():
                other = by_key(exact)[key]
                assert group.value == other.value
                assert group.value_bounds == (None if group.value is None else (group.value,) * 2)
                assert group.p_value == pytest.approx(other.p_value, rel=1e-12)
                assert group.confidence_interval == pytest.approx(other.confidence_interval)


EXACTLY = {name: dict.fromkeys(method, "exact") for name, method in METHODS.items()}


def test_an_order_of_numbers_is_the_order_of_their_bins() -> None:
    """Any two scores, however near: one positive at the upper and one negative at the lower."""
    chance = np.random.default_rng(3)
    for size in (1e-300, 1e-9, 1.0, 3e7, 1e300):
        values = size * (1 + chance.integers(-50, 50, 400) * 2.0**-52)
        values = np.concatenate([values, -values, chance.normal(0, size, 400)])
        with duckdb.connect() as connection:
            frame = pd.DataFrame({"who": "a", "truth": values > np.median(values), "value": values})
            frame["truth"] = frame["truth"].astype(int)
            connection.register("frame", frame)
            connection.execute("create table loans as from frame")
            result = fairsql.metric_threshold(
                connection,
                "loans",
                score_column="value",
                ground_truth_column="truth",
                positive_values=[1],
                auc_method="binned",
                thresholds=[{"measurement": "auc", "operator": "<=", "value": 1}],
            )
        assert bounds(result.groups[0])[1] == 1.0


# --- the pooled test --------------------------------------------------------------------------


@pytest.mark.parametrize("comparison", ["reference", "overall"])
def test_the_pooled_test_splits_both_samples_at_one_edge(
    sample: tuple[Any, pd.DataFrame], comparison: str
) -> None:
    connection, frame = sample
    for metric, q in (("median", Fraction(1, 2)), ("p95", Fraction(19, 20))):
        (result,) = run(connection, test_of(metric, comparison=comparison))
        groups = by_key(result)
        reference = next((key for key, group in groups.items() if group.is_reference), None)
        for key, group in groups.items():
            if group.is_reference:
                continue
            own = np.sort(frame["value"][frame["who"] == key])
            is_other = frame["who"] != key if reference is None else frame["who"] == reference
            other = np.sort(frame["value"][is_other])
            statistics = group.statistics or {}
            assert statistics["other_rows"] == len(other)
            pooled = np.sort(np.concatenate([own, other]))
            centre = pooled[int(q * (len(pooled) - 1))]
            # Each count of rows above an edge is that of one number that splits both samples.
            for first, second in (("above_bin", "other_above_bin"), ("from_bin", "other_from_bin")):
                above = statistics[first] + statistics[second]
                edges = pooled[len(pooled) - above :]
                edge = edges[0] if len(edges) else np.inf
                assert (own >= edge).sum() == statistics[first]
                assert (other >= edge).sum() == statistics[second]
                assert edge > centre if first == "above_bin" else edge <= centre
            splits = [
                (statistics["above_bin"], statistics["other_above_bin"]),
                (statistics["from_bin"], statistics["other_from_bin"]),
            ]
            p_values = [fisher_exact(a, len(own) - a, b, len(other) - b) for a, b in splits]
            assert group.p_value in p_values


# --- what is refused and told ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"parity_metric": "mean", "auc_method": "binned"}, "auc_method: is not used by mean"),
        ({"parity_metric": "mean", "quantile_method": "exact"}, "quantile_method: is not used by"),
        ({"parity_metric": "median", "quantile_method": "binned"}, "one of exact, approximate"),
        (
            {"parity_metric": "median", "quantile_method": "approximate", "weight_column": "w"},
            "quantile_method: cannot be approximate with a weight_column",
        ),
    ],
)
def test_a_method_that_cannot_be_is_refused(fields: dict[str, Any], message: str) -> None:
    asked: dict[str, Any] = {"value_column": "value", "higher_is_better": True, **fields}
    with pytest.raises(ConfigurationError, match=message):
        build_test(relation="loans", protected_attribute_columns=["who"], **asked)


def test_a_mean_over_pairs_of_classes_is_exact() -> None:
    with pytest.raises(ConfigurationError, match="auc_method: cannot be binned with class_score"):
        build_test(
            type="metric_threshold",
            relation="loans",
            class_score_columns={"a": "x", "b": "y"},
            ground_truth_column="truth",
            auc_method="binned",
            thresholds=[{"measurement": "auc", "operator": ">", "value": 0.5}],
        )


def test_infinite_scores_skip_the_test_and_no_other() -> None:
    with duckdb.connect() as connection:
        values = np.append(drawn("even"), [np.inf, -np.inf])
        connection.register("frame", table(values))
        connection.execute("create table loans as from frame")
        found = run(
            connection, test_of("auc"), test_of("median"), test_of("p95", where="abs(value) < 1")
        )
    assert [result.reason for result in found] == ["infinite_values", "infinite_values", None]


def test_a_result_says_how_it_is_approximate(sample: tuple[Any, pd.DataFrame]) -> None:
    connection, _ = sample
    suite = Suite((build_test(**test_of("auc")), build_test(**test_of("median"))))
    ran = suite.run(connection)
    for result, field in zip(ran.tests, ("auc_method", "quantile_method"), strict=True):
        assert result.parameters[field] != "exact"
        assert "for certain" in result.notes[-1] or "for certain" in " ".join(result.notes)
    kept = parse_run(ran.to_json(), "a file")
    assert [test.groups for test in kept.tests] == [test.groups for test in ran.tests]
    assert [test.overall_bounds for test in kept.tests] == [t.overall_bounds for t in ran.tests]


def test_a_plan_says_which_tests_count_by_bins() -> None:
    with duckdb.connect() as connection:
        connection.register("frame", table(drawn("even")))
        connection.execute("create table loans as from frame")
        exact = {**test_of("auc", name="exact"), "auc_method": "exact"}
        suite = Suite(tuple(build_test(**test) for test in (test_of("auc"), exact)))
        (statement,) = suite.plan(connection).statements
    assert statement.scan.counted_by_bins == ("auc",)


def test_a_verdict_that_hangs_on_the_bounds_says_so() -> None:
    with duckdb.connect() as connection:
        connection.register("frame", table(drawn("even")))
        connection.execute("create table loans as from frame")
        (first,) = run(connection, test_of("auc", min_group_size=100))
        group = next(group for group in first.groups if not group.is_reference and group.sufficient)
        assert group.ratio is not None
        near = group.ratio * (1 + 1e-7)
        far = group.ratio * 0.9
        threshold = {"measurement": "min_metric_ratio", "operator": ">="}
        asked = [
            test_of("auc", min_group_size=100, min_ratio=ratio, max_difference=None,
                    thresholds=[{**threshold, "value": ratio}], name=f"{ratio}")
            for ratio in (near, far)
        ]  # fmt: skip
        open_, clear = run(connection, *asked)
    told = "on the other side"
    assert [told in note for note in open_.notes].count(True) == 2
    assert f"The exact value of group {group.key['who']!r}" in " ".join(open_.notes)
    assert "The exact min_metric_ratio is between" in " ".join(open_.notes)
    assert told not in " ".join(clear.notes)


@pytest.mark.parametrize("metric", list(METHODS))
def test_generated_tables_hold_the_exact_value_too(metric: str) -> None:
    valued = 0
    with duckdb.connect() as connection:
        for case in cases(29, 40, [metric]):
            load(connection, case, "sample")
            tests = [
                build_test(relation="sample", **{**case.test, "name": name, **method})
                for name, method in (("exact", {}), ("binned", METHODS[metric]))
            ]
            exact, found = Suite(tuple(tests)).run(connection).tests
            assert (found.status == "error", found.rows) == (exact.status == "error", exact.rows)
            others = {tuple(group.key.values()): group for group in exact.groups}
            for group in found.groups:
                other = others[tuple(group.key.values())]
                assert (group.value is None) == (other.value is None)
                if other.value is not None and group.value is not None:
                    assert holds(group.value_bounds, other.value)
                    valued += 1
            connection.execute("drop table sample")
    assert valued > 40


def test_only_auc_and_quantiles_have_another_method() -> None:
    changed = {name for name, metric in METRICS.items() if metric.quantile or name == "auc"}
    assert changed == {"auc", "median", "p5", "p10", "p25", "p75", "p90", "p95", "p99"}
    for name in changed:
        entry = binned(METRICS[name])
        assert (entry.name, entry.inputs) == (name, METRICS[name].inputs)
        assert entry.bounds is not None
