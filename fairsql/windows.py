"""Windows of time: which moments a test looks at, from now or over and over from a first day.

A window is half open, ``[start, end)``, and a moment is in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from fairsql.compile import windowed
from fairsql.errors import ConfigurationError
from fairsql.plan import Request, Windows
from fairsql.results import Window

if TYPE_CHECKING:
    from fairsql.config import Test

Moment = str | date | datetime
"""What may say when: ISO 8601, a date for its midnight, or an object; without a zone it is UTC."""

Backfill = str | tuple[Moment, Moment]
"""From when until when: two moments, or the text ``FROM..TO``."""

MOST_WINDOWS = 1000
"""Windows that one backfill may hold."""

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


@dataclass(frozen=True)
class Tiles:
    """Windows of one length, each beginning where the last one ends.

    ``left`` is what is too short for one more, if anything is.
    """

    start: datetime
    seconds: int
    count: int
    left: Span | None

    @property
    def whole(self) -> Span:
        """All of them as one."""
        return Span(self.start, self.start + timedelta(seconds=self.seconds * self.count))

    def spans(self) -> Iterator[Span]:
        """Yield the windows, the first one first."""
        for number in range(self.count):
            start = self.start + timedelta(seconds=self.seconds * number)
            yield Span(start, start + timedelta(seconds=self.seconds))


def backfilled(value: Backfill) -> Span:
    """Return the time that a backfill fills.

    Parameters
    ----------
    value
        Two moments, or the text ``FROM..TO``. The first is a whole second.

    Raises
    ------
    ConfigurationError
        When it is something else, or the second moment is not after the first.
    """
    parts = value.split("..") if isinstance(value, str) else tuple(value)
    if len(parts) != 2:
        raise ConfigurationError(
            "backfill: must be two times, FROM..TO, such as 2024-01-01..2024-07-01, but is"
            f" {value!r}."
        )
    start, end = (moment(part, "backfill") for part in parts)
    if start >= end:
        raise ConfigurationError(
            f"backfill: must end after it begins, but is {_clock(start)} to {_clock(end)}."
        )
    if start.microsecond:
        raise ConfigurationError(
            f"backfill: must begin with a whole second, but begins with {_clock(start)}."
        )
    return Span(start, end)


def tiles(test: Test, span: Span) -> Tiles | None:
    """Return the windows of a test that tile a time; ``None`` when it looks at no window.

    Raises
    ------
    ConfigurationError
        When there would be none, or more than 1,000.
    """
    if test.evaluation_window is None:
        return None
    seconds = test.evaluation_window
    count = (span.end - span.start) // timedelta(seconds=seconds)
    if not 1 <= count <= MOST_WINDOWS:
        start, end = span.texts
        raise ConfigurationError(
            f"test {test.name!r}, backfill: must hold 1 to {MOST_WINDOWS:,} windows of {seconds:,}"
            f" seconds, but {start} to {end} holds {count:,}."
        )
    last = span.start + timedelta(seconds=seconds * count)
    return Tiles(span.start, seconds, count, Span(last, span.end) if last < span.end else None)


def now() -> datetime:
    """Return the present second in UTC."""
    return datetime.now(UTC).replace(microsecond=0)


def window_at(test: Test, as_of: datetime) -> Span | None:
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


@dataclass(frozen=True)
class View:
    """What a test sees: one request that is scanned, and from it one a window to be judged.

    ``note`` says what a backfill leaves out.
    """

    scanned: Request
    requests: tuple[Request, ...]
    note: str | None = None


def view_of(request: Request, look: Span | Tiles | None, dialect: str) -> View:
    """Return what a test sees through a window or several; all of its rows where there is none."""
    name = request.test.timestamp_column
    if look is None or name is None:
        return View(request, (request,))
    column = request.columns[name]

    def through(span: Span) -> Request:
        where = windowed(request.where, column, span.texts, dialect)
        return replace(request, where=where, window=span.of(name))

    if isinstance(look, Span):
        return View(through(look), (through(look),))
    windows = Windows(
        str(column.column),
        column.kind,
        int(look.start.timestamp()),
        _clock(look.start),
        look.seconds,
        look.count,
    )
    note = None
    if look.left:
        start, end = look.left.texts
        note = f"the backfill leaves out {start} to {end}, which is shorter than a window"
    scanned = replace(through(look.whole), windows=windows)
    return View(scanned, tuple(map(through, look.spans())), note)


def window_of(test: Test, look: Span | Tiles | None) -> Window | None:
    """Return the window of a test that cannot be judged, or all of its windows as one."""
    if look is None or test.timestamp_column is None:
        return None
    return (look if isinstance(look, Span) else look.whole).of(test.timestamp_column)


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
