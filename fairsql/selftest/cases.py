"""The tests that are run on the tables: each proves something of a dialect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairsql.selftest.tables import PEOPLE, POSITIVE_LABELS, TEXTS, VALUES, Table

# A statement that ranks rows for many tests besides is one that Spark takes minutes to plan.
_RANKED = ("auc", "median", "p95")


@dataclass(frozen=True)
class Case:
    """A test on one of the tables.

    ``name`` says what it proves; ``p_value_tolerance`` is how far, relatively, a p-value may be
    off: where a mean is far above its spread, a double holds little of the spread.
    """

    name: str
    table: Table
    fields: Mapping[str, Any] = field(repr=False)
    p_value_tolerance: float = 1e-9

    @property
    def scan(self) -> tuple[str, bool]:
        """Which cases share a scan: those of a table that rank rows, and those that do not."""
        return self.table.name, self.fields["parity_metric"] in _RANKED

    @property
    def test(self) -> dict[str, Any]:
        """The test's fields, without its relation and name."""
        guards = {"min_group_size": 5 if self.table is PEOPLE else 1, "min_group_share": 0}
        return {"protected_attribute_columns": ["grp"], **guards, **self.fields}


def _case(name: str, metric: str, table: Table = PEOPLE, **fields: Any) -> Case:
    return Case(name, table, {"parity_metric": metric, **fields})


_TRUTH: dict[str, Any] = {"ground_truth_column": "approved", "positive_values": ["true"]}
_CLASSES: dict[str, Any] = {
    "prediction_column": "predicted",
    "ground_truth_column": "approved",
    "positive_values": ["1", "true"],
}
_NUMBERS: dict[str, Any] = {"prediction_column": "estimate", "ground_truth_column": "amount"}
_CHOSEN: dict[str, Any] = {
    "value_column": "chosen",
    "positive_values": ["1"],
    "higher_is_better": True,
}
_WAITING: dict[str, Any] = {"value_column": "waiting", "higher_is_better": False}
_HIGH: dict[str, Any] = {"higher_is_better": True}


def _keys(column: str) -> Case:
    return _case(
        f"keys from {column}",
        "rate",
        VALUES,
        protected_attribute_columns=[column],
        value_column="half",
        positive_values=["first"],
        higher_is_better=True,
        significance_test="none",
    )


def _positives(column: str, *values: Any) -> Case:
    return _case(
        f"positive {column}",
        "rate",
        VALUES,
        protected_attribute_columns=["half"],
        value_column=column,
        positive_values=list(values),
        higher_is_better=True,
    )


CASES = (
    _case("rate, Fisher", "rate", **_CHOSEN),
    _case("npv, no denominator", "npv", **_CLASSES, max_difference=0.1),
    _case("auc, ties, Hanley-McNeil", "auc", score_column="rating", **_TRUTH),
    _case("log_loss, 0 and 1", "log_loss", probability_column="probability", **_TRUTH),
    _case("brier, Welch", "brier", probability_column="probability", **_TRUTH),
    _case("mae, NaN is missing", "mae", **_NUMBERS),
    _case("rmse", "rmse", **_NUMBERS),
    _case("r2", "r2", **_NUMBERS, max_difference=0.001),
    _case("mean of decimals, Welch", "mean", value_column="extra", **_HIGH),
    Case(
        "mean and spread at 1e9",
        PEOPLE,
        {"parity_metric": "mean", "value_column": "far", **_HIGH, "max_difference": 0.5},
        p_value_tolerance=1e-3,
    ),
    _case("mean near 2^62", "mean", value_column="large", **_HIGH),
    _case("median, pooled quantile", "median", **_WAITING),
    _case("p95, pooled quantile", "p95", **_WAITING),
    _case("median of decimals", "median", value_column="fee", **_HIGH),
    _case("mean against all others", "mean", **_WAITING, comparison="overall"),
    _case(
        "two attributes, Holm",
        "mean",
        protected_attribute_columns=["grp", "team"],
        **_WAITING,
        min_group_size=4,
        p_value_adjustment="holm",
        require_significance=True,
    ),
    _case(
        "named group, Benjamini-Hochberg",
        "rate",
        protected_attribute_columns=["team"],
        **_CHOSEN,
        reference_strategy="named",
        reference_value="x",
        p_value_adjustment="benjamini_hochberg",
    ),
    _case("infinite values", "mean", value_column="huge", **_HIGH, min_group_size=1),
    _case(
        "white space, keys as text",
        "rate",
        TEXTS,
        protected_attribute_columns=["word"],
        **_CHOSEN,
        significance_test="none",
    ),
    _case(
        "texts that count as missing",
        "rate",
        TEXTS,
        protected_attribute_columns=["word"],
        **_CHOSEN,
        significance_test="none",
        missing_attribute_values=["Unknown", "it's missing", "back\\slash"],
    ),
    _case(
        "hostile labels",
        "rate",
        TEXTS,
        protected_attribute_columns=["letter"],
        value_column="label",
        positive_values=list(POSITIVE_LABELS),
        higher_is_better=True,
    ),
    _case("code points", "rate", TEXTS, protected_attribute_columns=["letter"], **_CHOSEN),
    _case(
        "code points past 2^16", "rate", TEXTS, protected_attribute_columns=["symbol"], **_CHOSEN
    ),
    *map(_keys, [name for name in VALUES.kinds if name != "half"]),
    _positives("integers", 1, str(2**62)),
    _positives("floats", "-1.50", "0"),
    _positives("decimals", "1.50", 10),
    _positives("dates", "2024-01-31", "1969-07-20"),
    _positives("clocks", "2024-01-31T09:05:00.25", "2024-01-31T00:00:00"),
    _positives("instants", "2024-01-31T07:05:00.25Z"),
)
