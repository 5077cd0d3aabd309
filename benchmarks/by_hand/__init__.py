"""The same numbers in SQL as a person would write it, and the metrics that they make.

The queries stand beside this file; the formulas are textbook ones and share nothing with fairsql's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

ATTRIBUTES = ("gender", "region", "age_band")
INFINITY = {
    "duckdb": "cast('infinity' as double)",
    "postgres": "cast('infinity' as double precision)",
    "spark": "cast('infinity' as double)",
}

_Row = Mapping[str, Any]


def query(name: str, **parts: str) -> str:
    """Return a query of this folder, with its parts in their places."""
    text = Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8")
    return text.format(**parts)


def sums(dialect: str = "duckdb", *, by_sets: bool) -> str:
    """Return the query of all counts and sums.

    ``by_sets`` asks for each attribute, all three crossed and all rows, as fairsql does;
    without it the three crossed alone are asked for, which is the least that can be.
    """
    crossed = ", ".join(ATTRIBUTES)
    each = ", ".join(f"({name})" for name in ATTRIBUTES)
    groups = f"grouping sets ({each}, ({crossed}), ())" if by_sets else crossed
    return query("sums", attributes=crossed, groups=groups, infinity=INFINITY[dialect])


def _ratio(part: Iterable[str], whole: Iterable[str]) -> Callable[[_Row], float]:
    parts, wholes = tuple(part), tuple(whole)
    return lambda row: sum(row[name] for name in parts) / sum(row[name] for name in wholes)


_ALL = ("tp", "fp", "fn", "tn")
RATES: Mapping[str, Callable[[_Row], float]] = {
    "npv": _ratio(["tn"], ["tn", "fn"]),
    "false_omission_rate": _ratio(["fn"], ["tn", "fn"]),
    "rate": _ratio(["tp", "fp"], _ALL),
    "selection_rate": _ratio(["tp", "fp"], _ALL),
    "accuracy": _ratio(["tp", "tn"], _ALL),
    "precision": _ratio(["tp"], ["tp", "fp"]),
    "recall": _ratio(["tp"], ["tp", "fn"]),
    "specificity": _ratio(["tn"], ["tn", "fp"]),
    "false_positive_rate": _ratio(["fp"], ["fp", "tn"]),
    "false_negative_rate": _ratio(["fn"], ["fn", "tp"]),
    "false_discovery_rate": _ratio(["fp"], ["fp", "tp"]),
    "f1": _ratio(["tp", "tp"], ["tp", "tp", "fp", "fn"]),
}
"""Metrics of confusion counts."""

SUMS: Mapping[str, Callable[[_Row], float]] = {
    **RATES,
    "balanced_accuracy": lambda row: (RATES["recall"](row) + RATES["specificity"](row)) / 2,
    "geometric_mean": lambda row: math.sqrt(RATES["precision"](row) * RATES["recall"](row)),
    "log_loss": lambda row: row["log_loss_mean"],
    "brier": lambda row: row["brier_mean"],
    "mae": lambda row: row["absolute_error_mean"],
    "rmse": lambda row: math.sqrt(row["squared_error_mean"]),
    "r2": lambda row: 1 - row["squared_error_mean"] * row["rows_total"] / _squares(row, "amount"),
    "mse": lambda row: row["squared_error_mean"],
    "mape": lambda row: row["relative_error_mean"],
    "mean": lambda row: row["amount_mean"],
    "mean score": lambda row: row["score_mean"],
    "sum": lambda row: row["amount_mean"] * row["amount_rows"],
    "min": lambda row: row["amount_minimum"],
    "max": lambda row: row["amount_maximum"],
    "std": lambda row: math.sqrt(row["amount_variance"]),
    "missing_rate": lambda row: 1 - row["amount_rows"] / row["rows_total"],
}
"""Every metric that the query of counts and sums decides."""


def _squares(row: _Row, column: str) -> float:
    return float(row[f"{column}_variance"] * (row[f"{column}_rows"] - 1))


def metrics(rows: Iterable[_Row]) -> dict[tuple[Any, ...], float | None]:
    """Return the metrics of each row of the query, by metric, attribute columns and values."""
    found: dict[tuple[Any, ...], float | None] = {}
    for row in rows:
        names = tuple(name for name in ATTRIBUTES if row[name] is not None)
        key = tuple(row[name] for name in names)
        for metric, formula in SUMS.items():
            try:
                found[metric, names, key] = formula(row)
            except ZeroDivisionError:  # no row in the denominator
                found[metric, names, key] = None
    return found


def rows(connection: Any, text: str) -> list[dict[str, Any]]:
    """Return a query's rows as dictionaries, from DuckDB or whatever speaks Python's DB-API."""
    asked = connection.execute(text)
    names = [column[0] for column in asked.description]
    return [dict(zip(names, row, strict=True)) for row in asked.fetchall()]


def by_group(found: Iterable[_Row], *groups: str) -> dict[tuple[Any, ...], float | None]:
    """Return each further column of rows as a metric, as :func:`metrics` does."""
    return {
        (name, groups, tuple(row[group] for group in groups)): value
        for row in found
        for name, value in row.items()
        if name not in groups
    }
