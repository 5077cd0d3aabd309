"""Tests that share a scan are judged as each would be alone."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite

LABELS = {"ground_truth_column": "truth", "positive_values": ["1"]}
TESTS: dict[str, dict[str, Any]] = {
    "npv": {**LABELS, "prediction_column": "predicted"},
    "false_omission_rate": {**LABELS, "prediction_column": "predicted"},
    "auc": {**LABELS, "score_column": "score"},
    "log_loss": {**LABELS, "probability_column": "score"},
    "rate": {"value_column": "truth", "positive_values": ["1"], "higher_is_better": True},
    "mean": {"value_column": "score", "higher_is_better": True},
    "r2": {"ground_truth_column": "truth", "prediction_column": "score", "max_difference": 1},
    "median": {"value_column": "score", "higher_is_better": True},
}


@pytest.mark.parametrize("missing", ["false", "i % 9 = 0", "true"])
def test_each_result_is_that_of_the_test_alone(missing: str) -> None:
    # Where rows lack an attribute, another cut's counts are 0 in a test's own row, not null.
    with duckdb.connect() as connection:
        connection.execute(
            f"create table loans as select case when {missing} then null"
            " else chr(65 + (i % 3)::int) end as who, (i * 7 % 5 < 2)::int as truth,"
            " (i * 11 % 7 < 3)::int as predicted, i * 37 % 100 / 100 as score"
            " from range(300) as numbers(i)"
        )
        tests = [
            build_test(
                name=metric,
                relation="loans",
                protected_attribute_columns=["who"],
                parity_metric=metric,
                **fields,
            )
            for metric, fields in TESTS.items()
        ]
        together = Suite(tuple(tests)).run(connection)
        assert together.scans == 1
        for test, result in zip(tests, together.tests, strict=True):
            (alone,) = Suite((test,)).run(connection).tests
            assert result.status != "error"
            assert shown(result) == shown(alone)


def test_every_way_to_look_at_the_order_of_rows_shares_a_scan() -> None:
    group: dict[str, Any] = {"relation": "loans", "protected_attribute_columns": ["who"]}
    value = {**group, "value_column": "score", "higher_is_better": True}
    auc = {**group, **LABELS, "parity_metric": "auc", "score_column": "score"}
    score = {**group, "type": "group_score_disparity", "score_column": "score"}
    column = {**group, "type": "group_column_statistic", "value_column": "score", "value": 1}
    fields = [
        {**value, "parity_metric": "median"},
        {**value, "parity_metric": "p95", "comparison": "overall"},
        {**value, "parity_metric": "median", "quantile_method": "approximate"},
        {**value, "parity_metric": "median", "weight_column": "weight"},
        auc,
        {**auc, "auc_method": "binned"},
        {**auc, "weight_column": "weight"},
        {**score, "statistic": "scoring_rate", "higher_is_better": True},
        {**column, "statistic": "distinct_count", "operator": ">="},
    ]
    with duckdb.connect() as connection:
        connection.execute(
            "create table loans as select chr(65 + (i % 3)::int) as who,"
            " (i * 7 % 5 < 2)::int as truth, 1 + i % 4 as weight,"
            " i * 37 % 1000 / 100 as score from range(2000) as numbers(i)"
        )
        tests = [
            build_test(**{"type": "group_metric_parity", "name": f"test {number}", **one})
            for number, one in enumerate(fields)
        ]
        together = Suite(tuple(tests)).run(connection)
        assert together.scans == 1
        for test, result in zip(tests, together.tests, strict=True):
            (alone,) = Suite((test,)).run(connection).tests
            assert result.status in ("passed", "failed")
            assert shown(result) == shown(alone)


def test_quantiles_with_and_without_a_p_value_share_a_scan() -> None:
    # Where the statement fails, tests run one by one and nobody sees it but by the count.
    group = {"relation": "loans", "protected_attribute_columns": ["who"]}
    median = {**group, "parity_metric": "median", "value_column": "score", "higher_is_better": True}
    limit = {"operator": ">", "value": 0}
    tests = (
        build_test(name="compared", **median),
        build_test(name="untested", significance_test="none", **median),
        build_test(
            "group_column_statistic",
            name="described",
            statistic="p95",
            value_column="score",
            **group,
            **limit,
        ),
        build_test(
            "metric_threshold",
            name="all rows",
            relation="loans",
            value_column="score",
            thresholds=[{"measurement": "median", **limit}],
        ),
    )
    with duckdb.connect() as connection:
        connection.execute(
            "create table loans as select chr(65 + (i % 3)::int) as who,"
            " i * 37 % 100 / 100 as score from range(300) as numbers(i)"
        )
        together = Suite(tests).run(connection)
        assert together.scans == 1
        for test, result in zip(tests, together.tests, strict=True):
            (alone,) = Suite((test,)).run(connection).tests
            assert shown(result) == shown(alone)


@pytest.mark.parametrize("is_backfilled", [False, True])
def test_quantiles_of_the_same_values_are_counted_once(is_backfilled: bool) -> None:
    window = {"timestamp_column": "at", "evaluation_window": 86_400} if is_backfilled else {}
    group = {"relation": "loans", "protected_attribute_columns": ["who"], **window}
    value = {**group, "value_column": "score", "higher_is_better": True}
    fields = [
        {**value, "parity_metric": "median"},
        {**value, "parity_metric": "p95"},
        {**value, "parity_metric": "median", "comparison": "overall"},
        {**value, "parity_metric": "p95", "missing_attribute_values": ["A"]},
        {**value, "parity_metric": "p95", "value_column": "wait"},
        {**value, "parity_metric": "median", "value_column": "wait"},
        {**value, "parity_metric": "median", "protected_attribute_columns": ["who", "other"]},
        {**value, "parity_metric": "mean"},
    ]
    tests = [build_test(name=f"test {number}", **one) for number, one in enumerate(fields)]
    backfill = "2024-03-01..2024-03-04" if is_backfilled else None
    with duckdb.connect() as connection:
        connection.execute(
            "create table loans as select chr(65 + (i % 4)::int) as who, i % 2 as other,"
            " i * 37 % 1000 / 100 as score, (i * i) % 4001 as wait,"
            " timestamp '2024-03-01' + interval (i % 72) hour as at from range(7200) as numbers(i)"
        )
        plan = Suite(tuple(tests)).plan(connection, backfill=backfill)
        (statement,) = plan.statements
        counted = [
            line for line in statement.sql.splitlines() if "belong to a group of cut" in line
        ]
        assert len(counted) == 4  # score by who, all and without A; wait by who; score by both
        together = Suite(tuple(tests)).run(connection, backfill=backfill)
        assert together.scans == 1
        alone = [
            result
            for test in tests
            for result in Suite((test,)).run(connection, backfill=backfill).tests
        ]
        assert len(together.tests) == len(alone) == len(tests) * (3 if is_backfilled else 1)
        for result, other in zip(together.tests, alone, strict=True):
            assert result.status in ("passed", "failed")
            assert shown(result) == shown(other)


def shown(result: Any) -> dict[str, Any]:
    told = to_dict(result)
    return {name: told[name] for name in told if name not in ("sql", "elapsed_seconds")}


def test_a_test_that_lost_its_shared_scan_says_so() -> None:
    connection = duckdb.connect()
    connection.execute(
        "create table answers as select * from (values ('a', 1, '1'), ('b', 0, 'x')) as t(g, x, t)"
    )
    connection.execute("create view parsed as select g, x, cast(t as integer) as bad from answers")
    tests = [
        build_test(
            "group_column_statistic",
            name=column,
            relation="parsed",
            protected_attribute_columns=["g"],
            statistic="mean",
            value_column=column,
            operator=">=",
            value=0,
        )
        for column in ("x", "bad")
    ]
    good, bad = Suite(tuple(tests)).run(connection).tests
    assert (good.status, bad.status) == ("passed", "error")
    (note,) = [note for note in good.notes if "a scan of its own" in note]
    assert "was to serve 2 tests failed" in note
    assert "Conversion Error" in note
    assert bad.notes == ()
