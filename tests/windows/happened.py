"""A table of rows that happened around the bounds of windows, and what pandas finds in a window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pandas as pd

from tests.generator import Case

if TYPE_CHECKING:
    from fairsql.results import TestResult

# As of what, how long a window and how long a delay. The nights of 10 March and 3 November 2024 are
# those in which New York's clocks change, and 31 March that of Berlin's.
SEEN: Mapping[str, tuple[str, int, int]] = {
    "a week": ("2024-03-08T00:00:00Z", 604_800, 0),
    "a day with a delay": ("2024-11-04T05:00:00Z", 86_400, 18_000),
    "an hour when clocks spring forward": ("2024-03-10T07:30:00Z", 3_600, 0),
    "an hour when clocks fall back": ("2024-11-03T06:30:00Z", 3_600, 0),
    "Berlin's lost hour": ("2024-03-31T02:00:00Z", 3_600, 0),
    "bounds within a second": ("2024-03-08T00:00:00.250001Z", 60, 7),
    "a zone of its own": ("2024-03-08T00:00:00+05:30", 3_600, 60),
    "before 1970": ("1969-12-31T23:59:59Z", 5_000, 3),
    "a year": ("2024-12-31", 31_536_000, 0),
}
KINDS = {"at": "timestamp", "at_zone": "timestamptz", "on_day": "date"}
MICROSECOND = timedelta(microseconds=1)

FIELDS: dict[str, Any] = {
    "protected_attribute_columns": ["gender"],
    "parity_metric": "rate",
    "value_column": "approved",
    "positive_values": ["1"],
    "higher_is_better": True,
    "min_group_size": 1,
    "min_group_share": 0,
}


def as_of(seen: str) -> datetime:
    """Return the moment from which a window is seen."""
    moment = pd.Timestamp(SEEN[seen][0])
    utc = moment.tz_localize("UTC") if moment.tzinfo is None else moment.tz_convert("UTC")
    return utc.to_pydatetime()


def bounds(seen: str) -> tuple[datetime, datetime]:
    """Return start and end of a window, by arithmetic of our own on ISO text."""
    _, length, delay = SEEN[seen]
    end = as_of(seen) - timedelta(seconds=delay)
    return end - timedelta(seconds=length), end


def table() -> Case:
    """Return rows on every bound, a microsecond beside it, hours around it, and without a time."""
    rng = Random(11)  # noqa: S311
    moments = {
        moment
        for seen in SEEN
        for bound in bounds(seen)
        for moment in (
            *(bound + step * MICROSECOND for step in (-1, 0, 1)),
            *(bound + timedelta(hours=step) for step in (-5, -4, -1, 1, 4, 5)),
            *(bound + timedelta(seconds=rng.uniform(-90_000, 90_000)) for _ in range(12)),
            bound.replace(hour=0, minute=0, second=0, microsecond=0),
        )
    }
    rows: list[tuple[Any, ...]] = []
    for moment in [*sorted(moments), *[None] * 9]:
        for gender in rng.sample("FFFMMMX", rng.randint(1, 4)):
            clock, day = (moment.replace(tzinfo=None), moment.date()) if moment else (None, None)
            rows += [(gender, int(rng.random() < 0.5), clock, moment, day)]
    rng.shuffle(rows)
    columns: Any = {"gender": "text", "approved": "integer", **KINDS}
    return Case("happened", columns, rows, {})


def expected(case: Case, column: str, seen: str) -> dict[str, tuple[int, int]]:
    """Return rows and positives of each group in a window, by pandas."""
    start, end = (pd.Timestamp(bound) for bound in bounds(seen))
    frame = pd.DataFrame(case.table)
    times = pd.to_datetime(frame[column], utc=True)
    inside = frame[(times >= start) & (times < end)]
    found = inside.groupby("gender")["approved"].agg(["size", "sum"])
    return {str(key): (int(row["size"]), int(row["sum"])) for key, row in found.iterrows()}


def found(result: TestResult) -> dict[str, tuple[int, int]]:
    """Return rows and positives of each group of a result."""
    return {
        group.key["gender"]: (group.rows or 0, (group.statistics or {})["positives"])
        for group in result.groups
    }


def fields(column: str, seen: str) -> dict[str, Any]:
    """Return a test of a window."""
    _, length, delay = SEEN[seen]
    return {
        **FIELDS,
        "timestamp_column": column,
        "evaluation_window": length,
        "delay_window": delay,
    }


def all_of() -> Iterator[tuple[str, str]]:
    """Yield each column with each window."""
    for column in KINDS:
        for seen in SEEN:
            yield column, seen
