"""Words and numbers of reports and refusals that say what they mean."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import fairsql
from fairsql.report import render_html
from fairsql.report.html.page import page
from fairsql.report.words import sample_words
from tests.report.samples import run_of

if TYPE_CHECKING:
    from fairsql.results import TestResult

ROWS = [("a", 1, 1, 2.0)] * 60 + [("a", 1, 0, 1.5)] * 41 + [("b", 0, 1, 2.0)] * 100
LABELS = {
    "prediction_column": "predicted",
    "ground_truth_column": "truth",
    "positive_values": ["1"],
}


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    opened = duckdb.connect()
    opened.execute(
        "create table t (g varchar, predicted int, truth int, w double, asked_at timestamp)"
    )
    opened.executemany("insert into t values (?, ?, ?, ?, '2024-03-01 12:00:00')", ROWS)
    return opened


def counts(connection: duckdb.DuckDBPyConnection, **others: Any) -> TestResult:
    given = {"statistic": "count", "operator": ">", "value": 1000, **others}
    return fairsql.group_column_statistic(
        connection, "t", protected_attribute_columns=["g"], **given
    )


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({}, "101"),
        ({"statistic": "distinct_count", "value_column": "w"}, "2"),
        ({"statistic": "mean", "value_column": "w"}, "1.797"),
    ],
)
def test_a_count_is_shown_whole(
    connection: duckdb.DuckDBPyConnection, given: dict[str, Any], shown: str
) -> None:
    text = run_of(counts(connection, **given)).to_markdown()
    (row,) = [line for line in text.splitlines() if line.startswith("| <code>a</code>")]
    assert f"| {shown} |" in row


def test_metrics_that_are_listed_leave_no_groups(connection: duckdb.DuckDBPyConnection) -> None:
    result = fairsql.metric_threshold(
        connection,
        "t",
        **LABELS,
        thresholds=[
            {"measurement": name, "operator": ">=", "value": 0.99}
            for name in ("precision", "recall", "accuracy")
        ],
    )
    assert len(result.parts) == 3
    run = run_of(replace(result, groups=result.groups[:1]))
    for text in (run.to_markdown(), run.to_junit()):
        assert "more group" not in text


@pytest.mark.parametrize(
    ("type_", "given", "offers_rate"),
    [
        ("group_metric_parity", {"parity_metric": "mean", "higher_is_better": True}, True),
        ("group_column_statistic", {"statistic": "mean", "operator": "<", "value": 1}, False),
    ],
)
def test_rate_is_advised_where_it_can_be_chosen(
    connection: duckdb.DuckDBPyConnection, type_: str, given: dict[str, Any], offers_rate: bool
) -> None:
    result = getattr(fairsql, type_)(
        connection, "t", protected_attribute_columns=["w"], value_column="g", **given
    )
    assert result.reason == "column_not_numeric"
    assert ("use the metric rate" in result.message) is offers_rate
    assert result.message.endswith("cast it to a number.")


def test_a_missing_core_driver_is_installed_by_its_own_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fairsql.warehouses.duckdb", None)
    with pytest.raises(fairsql.ConfigurationError, match="pip install duckdb "):
        fairsql.connect("duckdb://")


def test_a_part_is_called_by_what_tells_it_from_the_others(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    def facets(**given: Any) -> list[str | None]:
        result = fairsql.group_performance_parity(
            connection,
            "t",
            protected_attribute_columns=["g"],
            prediction_column="predicted",
            ground_truth_column="truth",
            **given,
        )
        return [part.facet for part in result.facets()]

    assert facets(performance_metrics=["recall"], per_class=True) == ["class 0", "class 1"]
    assert facets(performance_metrics=["recall", "f1"], positive_values=["1"]) == ["recall", "F1"]
    both = facets(performance_metrics=["recall", "f1"], per_class=True)
    assert both[0] == "recall, class 0"
    assert len(set(both)) == 4


def test_a_criterion_of_computed_metrics_may_be_limited(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    result = fairsql.group_performance_parity(
        connection,
        "t",
        **LABELS,
        protected_attribute_columns=["g"],
        performance_metrics=["equalized_odds", "recall"],
        thresholds=[
            {"measurement": "equal_opportunity_difference", "operator": "<=", "value": 0.5}
        ],
    )
    (limit,) = result.thresholds
    # All of group a's positives are found, and none of group b's.
    assert (limit.observed, limit.passed) == (1.0, False)


def test_the_page_says_which_rows_and_weights(connection: duckdb.DuckDBPyConnection) -> None:
    seen = fairsql.group_column_statistic(
        connection,
        "t",
        as_of="2024-03-02",
        protected_attribute_columns=["g"],
        statistic="mean",
        value_column="predicted",
        operator="<",
        value=2,
        weight_column="w",
        timestamp_column="asked_at",
        evaluation_window=86_400,
    )
    words = (
        "Rows of asked_at from 2024-03-01T00:00:00Z until 2024-03-02T00:00:00Z, weighted by w:"
        " p-values and intervals are approximate."
    )
    assert sample_words(seen) == words
    assert words in render_html(run_of(seen))
    assert page(run_of(counts(connection))).tests[0].sample == ""
