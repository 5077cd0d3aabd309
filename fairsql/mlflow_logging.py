"""A run's measurements as metrics of MLflow, and its results file beside them."""

from __future__ import annotations

import contextlib
import math
import re
from typing import TYPE_CHECKING, get_args

from fairsql.errors import PackageMissingError, install_extra
from fairsql.gate import gate
from fairsql.results import Status

if TYPE_CHECKING:
    from fairsql.results import Run

# What MLflow takes in the name of a metric, but for the slash, which parts our own.
_NOT_TAKEN = re.compile(r"[^\w. -]+", re.ASCII)
_LONGEST = 200  # of 250 that MLflow takes, so that a measurement fits behind


def log_to_mlflow(run: Run, *, prefix: str = "fairsql") -> str:
    """Log a run: to the MLflow run that is active, or else to one of its own.

    Parameters
    ----------
    run
        The results.
    prefix
        What names begin with.

    Returns
    -------
    str
        The id of the MLflow run.

    Raises
    ------
    PackageMissingError
        When MLflow is not installed: ``pip install '.[mlflow]'`` in a checkout.

    Notes
    -----
    Metrics are ``fairsql/<test>/<measurement>``, those that are defined, and ``fairsql/passed`` and
    its like, the number of tests that ended so. Tags are ``fairsql.gate`` (illustrative, undefined,
    failed or passed) and ``fairsql.version``. The results file is the artifact
    ``fairsql/results.json``. A suppressed group has no number in any of them.
    """
    try:
        import mlflow
    except ImportError as error:
        how = install_extra("mlflow")
        raise PackageMissingError("log_to_mlflow", "mlflow-skinny", error, how) from None
    active = mlflow.active_run()
    with contextlib.nullcontext(active) if active is not None else mlflow.start_run() as logged:
        mlflow.log_metrics(_metrics(run, prefix))
        tags = {f"{prefix}.gate": gate(run), f"{prefix}.version": run.fairsql_version}
        mlflow.set_tags(tags)
        mlflow.log_text(run.to_json(), f"{prefix}/results.json")
        return str(logged.info.run_id)


def _metrics(run: Run, prefix: str) -> dict[str, float]:
    metrics = {f"{prefix}/{status}": float(run.count(status)) for status in get_args(Status)}
    used: set[str] = set()
    for test in run.tests:
        name = plain = _NOT_TAKEN.sub("_", test.name)[:_LONGEST]
        if not plain.strip("."):  # MLflow takes names for paths, and these for folders
            name = plain = "_" * len(plain)
        number = 1
        while name in used:  # two names may be equal without what MLflow does not take
            number += 1
            name = f"{plain} {number}"
        used.add(name)
        for measurement, value in test.measurements.items():
            if value is not None and math.isfinite(value):
                metrics[f"{prefix}/{name}/{measurement}"] = float(value)
    return metrics
