"""Histories that a run may have had."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from fairsql.records import MEASUREMENTS, Past

if TYPE_CHECKING:
    from fairsql.results import Run

NOW = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)


def past(days_ago: float = 0, /, status: str = "passed", **fields: Any) -> Past:
    """Return what a run some days before ``NOW`` found; a measurement that is not given is null."""
    given = {name: fields.pop(name) for name in MEASUREMENTS if name in fields}
    at = (NOW - timedelta(days=days_ago)).strftime("%Y-%m-%dT%H:%M:%SZ")
    told: dict[str, Any] = {
        "run_id": at,
        "started_at": at,
        "suite": "fairsql.yml",
        "test": "a test",
        "thresholds": None,
        **fields,
    }
    return Past(**told, status=status, measurements=dict.fromkeys(MEASUREMENTS) | given)


def history_of(run: Run, runs: int) -> tuple[Past, ...]:
    """Return a history in which every test measured other numbers in each run before the last."""
    found = []
    for place in range(runs):
        at = datetime.fromisoformat(run.started_at) - timedelta(days=2 * (runs - 1 - place))
        for test in run.tests:
            measured = {
                name: value if value is None else value * (1 + place % 7) / 7
                for name, value in test.measurements.items()
            }
            found.append(
                Past(
                    run_id=str(place),
                    started_at=at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                    suite=run.suite,
                    test=test.name,
                    status=("passed", "failed")[place % 2],
                    thresholds=None,
                    measurements=dict.fromkeys(MEASUREMENTS) | measured,
                )
            )
    return tuple(found)
