"""A table of users, 3,000 rows with 1,500 identifiers in every kind of column, and its tests."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from fairsql.config import Test, build_test
from tests.generator import Case

IDENTIFIERS = 1500
COLUMNS = {
    "name": "text",
    "number": "integer",
    "real": "float",
    "amount": "decimal",
    "day": "date",
    "moment": "timestamp",
    "instant": "timestamptz",
    "half": "text",
    "gender": "text",
    "truth": "integer",
    "predicted": "integer",
    "score": "float",
    "weight": "float",
}


def _users() -> Case:
    rng = Random(11)  # noqa: S311
    rows: list[tuple[Any, ...]] = []
    start = datetime(2024, 1, 1, tzinfo=UTC)
    for row in range(2 * IDENTIFIERS):
        user = row % IDENTIFIERS
        moment = start + timedelta(minutes=user)
        rows.append(
            (
                # 1, 1.0 and ' 1' are one user, and so are 1.50 and 1.5; the blank are none.
                rng.choice((f"{user}", f"{user}.0", f" {user}", f"{user}\u3000", f"{user}.00 ")),
                user,
                user / 8,
                Decimal(user) / 8,
                date(2020, 1, 1) + timedelta(days=user),
                moment.replace(tzinfo=None),
                moment,
                f"{user % 40}",
                rng.choice(("F", "M", " M", None)),
                rng.choice((0, 1, 1, None)),
                rng.choice((0, 1)),
                round(rng.random(), 2),
                rng.choice((0.5, 1.0, 2.5, 0.0)),
            )
        )
    rows[:4] = [
        ("", None, float("nan"), None, None, None, None, " \t", *row[8:]) for row in rows[:4]
    ]
    rows[4] = ("Unknown", 4, -0.0, Decimal("0.000"), *rows[4][4:])
    return Case("users", COLUMNS, rows, {})  # type: ignore[arg-type]


USERS = _users()

LABELS: dict[str, Any] = {
    "prediction_column": "predicted",
    "ground_truth_column": "truth",
    "positive_values": ["1"],
}
MEAN: dict[str, Any] = {"value_column": "score", "higher_is_better": True}
METRICS: dict[str, dict[str, Any]] = {
    "npv": LABELS,
    "auc": {"score_column": "score", "ground_truth_column": "truth", "positive_values": ["1"]},
    "median": MEAN,
    "mean": MEAN,
    "log_loss": {
        "probability_column": "score",
        "ground_truth_column": "truth",
        "positive_values": ["1"],
    },
}
IDENTIFYING = tuple(COLUMNS)[:7]


def asked_of(relation: str, columns: tuple[str, ...] = IDENTIFYING) -> tuple[Test, ...]:
    """Return a test of each column by each of some metrics, and of what else a cut may be."""
    found = [
        _parity(relation, [column], metric)
        for column in columns
        for metric in (METRICS if column == columns[0] else ("npv",))
    ]
    listed = {"missing_attribute_values": ["Unknown", "7", "1.5", "2020-01-05"]}
    found += [_parity(relation, [column], "npv", **listed) for column in columns]
    found += [
        _parity(relation, ["gender"], "npv"),
        _parity(relation, ["gender"], "median"),
        _parity(relation, ["gender", "half"], "mean"),
        _parity(relation, ["gender", "number"], "mean"),
        _parity(relation, ["name"], "npv", weight_column="weight"),
        build_test(
            type="group_outcome_disparity",
            name="in strata",
            relation=relation,
            protected_attribute_columns=["gender"],
            stratify_by_columns=["name"],
            outcome_column="predicted",
            favorable_values=["1"],
        ),
        build_test(
            type="group_performance_parity",
            name="of each class",
            relation=relation,
            protected_attribute_columns=["number"],
            performance_metrics=["recall"],
            prediction_column="predicted",
            ground_truth_column="truth",
            per_class=True,
        ),
        build_test(
            type="group_score_disparity",
            name="scoring rate",
            relation=relation,
            protected_attribute_columns=["name"],
            score_column="score",
            statistic="scoring_rate",
            higher_is_better=True,
        ),
    ]
    return tuple(found)


def few_of(relation: str) -> tuple[Test, ...]:
    """Return some of these tests, for engines that take minutes for all of them."""
    chosen = (
        "npv by name missing_attribute_values",
        "npv by real",
        "npv by gender",
    )
    return tuple(test for test in asked_of(relation) if test.name in chosen)


def _parity(relation: str, columns: list[str], metric: str, **more: Any) -> Test:
    fields = {**METRICS[metric], **more}
    return build_test(
        type="group_metric_parity",
        name=f"{metric} by {' and '.join(columns)} {' '.join(more)}".strip(),
        relation=relation,
        protected_attribute_columns=columns,
        parity_metric=metric,
        **fields,
    )
