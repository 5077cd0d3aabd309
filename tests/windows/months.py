"""Calls of some months, more in some weeks than in others, and a test of each family of metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from fairsql.config import GroupMetricParity, build_test
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
