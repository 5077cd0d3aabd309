"""Generated cases that are computed by bins: the generator's own of AUC and quantiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.generator import Case, cases

METHODS = {
    "auc": {"auc_method": "binned"},
    "median": {"quantile_method": "approximate"},
    "p95": {"quantile_method": "approximate"},
}
"""Metric -> what has it computed by bins."""


def binned_cases(seed: int, count: int) -> Iterator[Case]:
    """Generate cases; the n-th depends on the seed and on n alone."""
    for case in cases(seed, count, list(METHODS)):
        yield binned(case)


def binned(case: Case) -> Case:
    """Return a case with its metric computed by bins."""
    return replace(case, test={**case.test, **METHODS[case.test["parity_metric"]]})
