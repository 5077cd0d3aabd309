"""One test in one call: a function a type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairsql import config
from fairsql.suite import Suite

if TYPE_CHECKING:
    from fairsql.results import TestResult


def group_metric_parity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare one metric across groups, and return the verdict.

    Parameters
    ----------
    warehouse
        What :func:`fairsql.connect` returns, or what it takes.
    relation
        A table or view, or a select in parentheses.
    as_of
        The moment from which an ``evaluation_window`` looks back; see :meth:`fairsql.Suite.run`.
    **parameters
        The fields of a test in a suite file: ``protected_attribute_columns``, ``parity_metric``,
        its columns, ``thresholds`` and the rest. ``name`` defaults to metric and attributes.

    Raises
    ------
    ConfigurationError
        When a parameter is wrong; the message names it.
    """
    return _run_one("group_metric_parity", warehouse, relation, as_of, parameters)


def group_outcome_disparity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare how often each group has a favourable outcome; see :func:`group_metric_parity`."""
    return _run_one("group_outcome_disparity", warehouse, relation, as_of, parameters)


def group_score_disparity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare a numeric score across groups; see :func:`group_metric_parity`."""
    return _run_one("group_score_disparity", warehouse, relation, as_of, parameters)


def group_performance_parity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare a classifier's metrics across groups; see :func:`group_metric_parity`."""
    return _run_one("group_performance_parity", warehouse, relation, as_of, parameters)


def group_column_statistic(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Hold a statistic of each group against a limit; see :func:`group_metric_parity`."""
    return _run_one("group_column_statistic", warehouse, relation, as_of, parameters)


def metric_threshold(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Hold metrics over all rows against limits; see :func:`group_metric_parity`."""
    return _run_one("metric_threshold", warehouse, relation, as_of, parameters)


def refusal_rate_disparity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare how often answers refuse across groups; see :func:`group_metric_parity`."""
    return _run_one("refusal_rate_disparity", warehouse, relation, as_of, parameters)


def toxicity_sentiment_disparity(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare how often answers are toxic or unkind; see :func:`group_metric_parity`."""
    return _run_one("toxicity_sentiment_disparity", warehouse, relation, as_of, parameters)


def stereotype_association_score(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Compare how often answers are the stereotyped ones; see :func:`group_metric_parity`."""
    return _run_one("stereotype_association_score", warehouse, relation, as_of, parameters)


def counterfactual_fairness_divergence(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Measure how far apart answers to variants are; see :func:`group_metric_parity`."""
    return _run_one("counterfactual_fairness_divergence", warehouse, relation, as_of, parameters)


def pairwise_divergence(
    warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any
) -> TestResult:
    """Hold a judge's scores of pairs of answers against limits; see :func:`group_metric_parity`."""
    return _run_one("pairwise_divergence", warehouse, relation, as_of, parameters)


def llm_bias(warehouse: Any, relation: str, *, as_of: Any = None, **parameters: Any) -> TestResult:
    """Hold a judge's scores of bias against limits; see :func:`group_metric_parity`."""
    return _run_one("llm_bias", warehouse, relation, as_of, parameters)


def _run_one(
    kind: str, warehouse: Any, relation: str, as_of: Any, parameters: Mapping[str, Any]
) -> TestResult:
    test = config.build_test(kind, relation=relation, **parameters)
    return Suite((test,)).run(warehouse, as_of=as_of).tests[0]
