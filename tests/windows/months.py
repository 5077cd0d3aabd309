"""Calls of some months, more in some weeks than in others, and a test of each family of metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from fairsql.config import GroupMetricParity, Test, build_test
from tests.generator import Case, load

if TYPE_CHECKING:
    import duckdb

DAY = 86_400

METRICS: dict[str, dict[str, Any]] = {
    "rate": {"value_column": "refused", "positive_values": ["1"], "higher_is_better": False},
    "mean": {"value_column": "latency", "higher_is_better": False},
    "median": {"value_column": "latency", "higher_is_better": False},
    "p95": {"value_column": "latency", "higher_is_better": False, "comparison": "overall"},
    "auc": {"score_column": "score", "ground_truth_column": "refused", "positive_values": ["1"]},
    "log_loss": {
        "probability_column": "score",
        "ground_truth_column": "refused",
        "positive_values": ["1"],
        "missing_attribute_values": ["zz"],
    },
    "npv": {
        "prediction_column": "predicted",
        "ground_truth_column": "refused",
        "positive_values": ["1"],
    },
    "r2": {"prediction_column": "score", "ground_truth_column": "latency", "max_difference": 1},
}


def _calls() -> Case:
    rng = Random(29)  # noqa: S311
    first = datetime(2024, 2, 26, tzinfo=UTC)
    moments = [datetime(2019, 12, 31, tzinfo=UTC) + timedelta(minutes=n) for n in range(60)]
    for day in range(40):
        start = first + timedelta(days=day)
        # Midnight itself, and the last microsecond before it, are where windows meet.
        moments += [start, start - timedelta(microseconds=1)] * 3
        moments += [
            start + timedelta(seconds=rng.uniform(0, DAY)) for _ in range(rng.choice((5, 60)))
        ]
    rows = [
        (
            rng.choice(("en", "en", " en", "nl", "zz", None)),
            rng.choice("nsew"),
            rng.choice((0, 1, 1, None)),
            rng.choice((0, 1)),
            round(rng.random(), 2),
            round(rng.expovariate(0.01), 1),
            rng.choice((0.5, 1.0, 2.5, 0.0)),
            moment and moment.replace(tzinfo=None),
            moment,
            moment and moment.date(),
        )
        for moment in [*moments, *[None] * 25]
    ]
    rng.shuffle(rows)
    columns: Any = {
        "language": "text",
        "region": "text",
        "refused": "integer",
        "predicted": "integer",
        "score": "float",
        "latency": "float",
        "weight": "float",
        "at": "timestamp",
        "at_zone": "timestamptz",
        "on_day": "date",
    }
    return Case("calls", columns, rows, {})


CALLS = _calls()


def load_calls(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table of calls."""
    load(connection, CALLS, "calls")


def family_of(
    column: str | None, length: int | None, name: str | None = None, **more: Any
) -> Iterator[GroupMetricParity]:
    """Yield a test of each metric; two attributes in one, so that keys differ in width."""
    for metric, fields in METRICS.items():
        yield build_test(
            name=name or metric,
            relation="calls",
            protected_attribute_columns=["language", "region"][: 1 + (metric == "mean")],
            parity_metric=metric,
            min_group_size=5,
            min_group_share=0,
            timestamp_column=column,
            evaluation_window=length,
            **fields,
            **more,
        )


_LABELS = {"ground_truth_column": "refused", "positive_values": ["1"]}
_LOW = {"measurement": "accuracy", "operator": ">=", "value": 0.1}

TYPES: dict[str, dict[str, Any]] = {
    "group_outcome_disparity": {
        "outcome_column": "predicted",
        "favorable_values": [1],
        "stratify_by_columns": ["region"],
    },
    "group_score_disparity": {"score_column": "score", "statistic": "scoring_rate"},
    "group_performance_parity": {
        "prediction_column": "predicted",
        "performance_metrics": ["equalized_odds", "f1"],
        **_LABELS,
    },
    "group_column_statistic": {
        "value_column": "score",
        "statistic": "distinct_count",
        "operator": ">=",
        "value": 3,
    },
    "metric_threshold": {
        "prediction_column": "predicted",
        "score_column": "score",
        "value_column": "latency",
        **_LABELS,
        "thresholds": [_LOW, {**_LOW, "measurement": "auc"}, {**_LOW, "measurement": "p90"}],
    },
}


def kinds_of(column: str, length: int) -> Iterator[Test]:
    """Yield a test of each other type, and weighted tests."""
    window = {"relation": "calls", "timestamp_column": column, "evaluation_window": length}
    for kind, fields in TYPES.items():
        grouped = {"protected_attribute_columns": ["language"], "min_group_size": 5}
        groups = {} if kind == "metric_threshold" else grouped
        direction = {"higher_is_better": True} if kind == "group_score_disparity" else {}
        yield build_test(kind, name=kind, **window, **groups, **direction, **fields)
    for metric in ("rate", "mean", "median", "auc", "npv"):
        yield build_test(
            name=f"weighted {metric}",
            parity_metric=metric,
            protected_attribute_columns=["language"],
            min_group_size=5,
            weight_column="weight",
            **window,
            **METRICS[metric],
        )
