"""The fields by which a test looks at a window of time, and the rules that join them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from fairsql.config.fields import Allowed, Column

LONGEST = 3_155_760_000
"""Seconds of a hundred years, the longest window and the longest delay."""

WINDOW_FIELDS = ("timestamp_column", "evaluation_window", "delay_window")
"""The fields that say which window a test looks at."""

TimestampColumn = Annotated[
    Column, Field(description="The column that says when a row happened: a timestamp or a date.")
]
EvaluationWindow = Annotated[
    Annotated[int, Field(ge=1, le=LONGEST)] | None,
    Allowed(f"a whole number of seconds from 1 to {LONGEST}"),
    Field(description="Seconds of the window: only rows that happened within it count."),
]
DelayWindow = Annotated[
    int,
    Allowed(f"a whole number of seconds from 0 to {LONGEST}"),
    Field(ge=0, le=LONGEST, description="Seconds by which the window ends before now."),
]


def window_faults(values: Mapping[str, Any], given: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each field of a window that lacks another, with what is wrong.

    The parameters are those of :func:`fairsql.config.combinations.combination_faults`.
    """
    if "timestamp_column" in given:
        if values.get("evaluation_window", 1) is None:
            yield "evaluation_window", "is required by timestamp_column."
    elif "timestamp_column" in values:
        for field in WINDOW_FIELDS[1:]:
            if field in given:
                yield field, "needs timestamp_column, the column that says when a row happened."


def unused_window_fields(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the window fields that are of no use to a test, were they defaults of its suite.

    >>> unused_window_fields({"timestamp_column": None, "evaluation_window": 3600})
    ('timestamp_column', 'evaluation_window', 'delay_window')
    """
    whole = all(fields.get(field) is not None for field in WINDOW_FIELDS[:2])
    return () if whole else WINDOW_FIELDS
