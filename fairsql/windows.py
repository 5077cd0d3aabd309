"""Windows of time: which moments a test looks at, from now or over and over from a first day.

A window is half open, ``[start, end)``, and a moment is in UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from fairsql.errors import ConfigurationError
from fairsql.results import Window

if TYPE_CHECKING:
    from fairsql.config import GroupMetricParity

Moment = str | date | datetime
"""What may say when: ISO 8601, a date for its midnight, or an object; without a zone it is UTC."""

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class Span:
    """From one moment to another, which is no longer in it."""

    start: datetime
    end: datetime

    @property
    def texts(self) -> tuple[str, str]:
        """Start and end as the macros take them: ``2024-03-01 12:30:00``, in UTC."""
        return _clock(self.start), _clock(self.end)

    def of(self, column: str) -> Window:
        """Return the span as a result has it."""
        start, end = (f"{text.replace(' ', 'T')}Z" for text in self.texts)
        return Window(start, end, column)


def moment(value: Moment, place: str) -> datetime:
    """Return a moment in UTC.

    Parameters
    ----------
    value
        ISO 8601 text, with or without time and zone, or a date or a datetime.
    place
        What a message calls the value.

    Raises
    ------
    ConfigurationError
        When it is none.

    Examples
    --------
    >>> moment("2024-03-01T12:30:00+02:00", "as_of").isoformat()
    '2024-03-01T10:30:00+00:00'
    >>> moment("2024-03-01", "as_of").isoformat()
    '2024-03-01T00:00:00+00:00'
    """
    try:
        found = _read(value)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ConfigurationError(
            f"{place}: must be a time in ISO 8601, such as 2024-03-01 or 2024-03-01T12:30:00Z,"
            f" but is {value!r}."
        ) from None


def now() -> datetime:
    """Return the present second in UTC."""
    return datetime.now(UTC).replace(microsecond=0)


def window_at(test: GroupMetricParity, as_of: datetime) -> Span | None:
    """Return the window that a test looks at, seen from a moment; ``None`` when it looks at all.

    Raises
    ------
    ConfigurationError
        When it begins before the year 1.
    """
    if test.evaluation_window is None:
        return None
    try:
        end = as_of - timedelta(seconds=test.delay_window)
        return Span(end - timedelta(seconds=test.evaluation_window), end)
    except OverflowError:
        raise ConfigurationError(
            f"test {test.name!r}, evaluation_window: the window begins before the year 1, as of"
            f" {_clock(as_of)}."
        ) from None


def _read(value: Moment) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    text = value.strip().upper() if isinstance(value, str) else ""
    if not _ISO.fullmatch(text):
        raise ValueError(value)
    return datetime.fromisoformat(text)


def _clock(value: datetime) -> str:
    text = value.replace(tzinfo=None).isoformat(sep=" ")
    return text.rstrip("0") if "." in text else text
