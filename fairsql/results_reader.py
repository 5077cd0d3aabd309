"""A results file, read back into the records it was written from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from fairsql.results import (
    SCHEMA_VERSION,
    Comparison,
    GroupResult,
    Rows,
    Run,
    TestResult,
    ThresholdResult,
)


def read_results(path: str | Path) -> Run:
    """Return the run of a results file.

    Raises
    ------
    ConfigurationError
        When it cannot be read, or is no results file of this version.
    """
    from fairsql.errors import ConfigurationError

    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"cannot read {str(path)!r}: {error.strerror}.") from None
    except ValueError as error:
        raise ConfigurationError(f"{str(path)!r} is not JSON: {error}.") from None
    try:
        return run_from_dict(found)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ConfigurationError(
            f"{str(path)!r} must be what `fairsql run --json` wrote, but is not: {error!r}."
        ) from None


def run_from_dict(found: Mapping[str, Any]) -> Run:
    """Return the run of a results file's content; keys that a later version added are left out.

    Raises
    ------
    KeyError, TypeError, ValueError
        When it is no results file of this version.
    """
    if found["schema_version"] != SCHEMA_VERSION:
        raise ValueError(f"schema_version is {found['schema_version']!r}, not {SCHEMA_VERSION}")
    return Run(
        tests=tuple(_test(test) for test in found["tests"]),
        fairsql_version=found["fairsql_version"],
        started_at=found["started_at"],
        finished_at=found["finished_at"],
        dialect=found["warehouse"]["dialect"],
        warehouse_name=found["warehouse"]["name"],
        scans=found["summary"]["scans"],
        suite=found.get("suite"),
    )


def _test(found: Mapping[str, Any]) -> TestResult:
    comparison = found["comparison"]
    given = {
        **_known(TestResult, found),
        "notes": tuple(found["notes"]),
        "rows": Rows(**_known(Rows, found["rows"])),
        "overall_value": found["overall"]["value"],
        "comparison": comparison and Comparison(**_known(Comparison, comparison)),
        "thresholds": tuple(
            ThresholdResult(**_known(ThresholdResult, limit)) for limit in found["thresholds"]
        ),
        "groups": tuple(_group(group) for group in found["groups"]),
        "sql": tuple(found["sql"]),
        "query_ids": tuple(found.get("query_ids", ())),
    }
    return TestResult(**given)


def _group(found: Mapping[str, Any]) -> GroupResult:
    interval = found["confidence_interval"]
    given = {**_known(GroupResult, found), "confidence_interval": interval and tuple(interval)}
    return GroupResult(**given)


def _known(record: Any, found: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(record)}
    return {name: value for name, value in found.items() if name in names}
