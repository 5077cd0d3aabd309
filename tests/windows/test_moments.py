"""Moments and windows, in Python and in the macros that have no calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from random import Random
from typing import Any

import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from fairsql.windows import moment, window_at
from tests.windows.happened import FIELDS

MACROS = macros_for("duckdb")

MOMENTS: dict[Any, str] = {
    "2024-03-01": "2024-03-01 00:00:00",
    "2024-03-01T12:30": "2024-03-01 12:30:00",
    "2024-03-01 12:30:59": "2024-03-01 12:30:59",
    "2024-03-01T12:30:59.25Z": "2024-03-01 12:30:59.25",
    "2024-03-01t12:30:59.000000z": "2024-03-01 12:30:59",
    "2024-03-01T00:30:00+05:30": "2024-02-29 19:00:00",
    "2023-12-31T23:30:00.000001-0045": "2024-01-01 00:15:00.000001",
    "0001-01-01": "0001-01-01 00:00:00",
    "9999-12-31T23:59:59.999999": "9999-12-31 23:59:59.999999",
    date(2024, 2, 29): "2024-02-29 00:00:00",
    datetime(2024, 2, 29, 1): "2024-02-29 01:00:00",
    datetime(2024, 2, 29, 1, tzinfo=UTC): "2024-02-29 01:00:00",
    datetime(2024, 2, 29, 1, tzinfo=timezone(timedelta(hours=2))): "2024-02-28 23:00:00",
}
NO_MOMENTS = (
    *(
        "",
        "now",
        "2024",
        "2024-03",
        "20240301",
        "2024-W09-5",
        "2024-02-30",
        "2023-02-29",
        "0000-01-01",
    ),
    *("2024-03-01T24:00", "2024-03-01T12:60", "2024-03-01T12:30:60", "2024-03-01T12", "2024-3-1"),
    *("2024-03-01T12:30:59.", "2024-03-01T12:30:59.1234567", "2024-03-01T12:30+24:00"),
    *("2024-03-01T12:30+0", "2024-03-01T12:30+05:60", "2024-03-01Z", "2024-03-01T12:30 UTC"),
    *("0001-01-01T00:00+01:00", "9999-12-31T23:30-01:00", "٢٠٢٤-03-01", "2024-03-01T12:30:00,5"),
    *("2024-03-01T12:30:00.5.5", "2024-03-01T12:30:00+-1:00", "1709251200"),
)


@pytest.mark.parametrize("value", MOMENTS)
def test_a_moment_is_read(value: Any) -> None:
    found = moment(value, "as_of")
    assert found.tzinfo is UTC
    assert found == datetime.fromisoformat(MOMENTS[value]).replace(tzinfo=UTC)
    assert MACROS.call("moment_of", value) == MOMENTS[value]


@pytest.mark.parametrize("value", NO_MOMENTS)
def test_other_text_is_refused(value: str) -> None:
    with pytest.raises(ConfigurationError, match="as_of: must be a time in ISO 8601, such as 2024"):
        moment(value, "as_of")
    assert MACROS.call("moment_of", value) is None


@pytest.mark.parametrize("value", [1709251200, True, None, ["2024-03-01"]])
def test_other_things_are_refused(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="as_of: must be a time in ISO 8601"):
        moment(value, "as_of")


def test_the_macros_count_days_as_python_does() -> None:
    first = date(1970, 1, 1)
    days = [date(1, 1, 1), date(9999, 12, 31), date(2000, 2, 29), date(1900, 2, 28), first]
    rng = Random(3)  # noqa: S311
    days += [date.fromordinal(rng.randint(1, date.max.toordinal())) for _ in range(3000)]
    days += [date(2024, 1, 1) + timedelta(days=n) for n in range(800)]
    for day in days:
        number = day.toordinal() - first.toordinal()
        assert MACROS.call("day_number", day.year, day.month, day.day) == number
        assert MACROS.call("day_text", number) == day.isoformat()


def test_the_macros_count_windows_as_python_does() -> None:
    rng = Random(5)  # noqa: S311
    for _ in range(500):
        as_of = datetime(1600, 1, 1, tzinfo=UTC) + timedelta(microseconds=rng.randrange(10**16))
        length, delay = rng.randint(1, 10**9), rng.choice((0, rng.randint(0, 10**8)))
        test = build_test(relation="t", **FIELDS, timestamp_column="at", evaluation_window=length,
                          delay_window=delay)  # fmt: skip
        span = window_at(test, as_of)
        assert span is not None
        given = dict.fromkeys(
            MACROS.call("catalogue")["types"]["group_metric_parity"]["parameters"]
        )
        given |= FIELDS | {
            "timestamp_column": "at",
            "evaluation_window": length,
            "delay_window": delay,
        }
        checked = MACROS.call("checked_test", given, None, None)
        window = MACROS.call("seen_from", checked, as_of.isoformat())["window"]
        assert (window["start"], window["end"]) == span.texts


def test_a_window_before_the_year_1_is_refused() -> None:
    long = {"timestamp_column": "at", "evaluation_window": 3_155_760_000}
    test = build_test(name="old", relation="t", **FIELDS, **long)
    with pytest.raises(ConfigurationError) as refused:
        window_at(test, datetime(99, 1, 1, tzinfo=UTC))
    assert str(refused.value) == (
        "test 'old', evaluation_window: the window begins before the year 1, as of"
        " 0099-01-01 00:00:00."
    )
    given = (
        dict.fromkeys(MACROS.call("catalogue")["types"]["group_metric_parity"]["parameters"])
        | FIELDS
        | long
    )
    checked = MACROS.call("checked_test", given, None, None)
    with pytest.raises(ConfigurationError, match="evaluation_window begins before the year 1"):
        MACROS.call("seen_from", checked, "0099-01-01")
