"""The fields of a window: what each may hold, and what they need of one another."""

from __future__ import annotations

from typing import Any

import pytest

from tests.config.samples import read, refusal, sample, suite_of

WINDOW: dict[str, Any] = {"timestamp_column": "at", "evaluation_window": 604_800}


def test_a_window_is_read() -> None:
    test = read(sample(**WINDOW))
    assert (test.timestamp_column, test.evaluation_window, test.delay_window) == ("at", 604_800, 0)
    assert read(sample(**WINDOW, delay_window=60)).delay_window == 60
    assert read(sample()).evaluation_window is None


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"timestamp_column": "at"}, "evaluation_window: is required by timestamp_column."),
        (
            {"evaluation_window": 60},
            "evaluation_window: needs timestamp_column, the column that says when a row happened.",
        ),
        ({"delay_window": 0}, "delay_window: needs timestamp_column, the column that says when"),
        ({**WINDOW, "evaluation_window": 0}, "a whole number of seconds from 1 to 3155760000, but"),
        ({**WINDOW, "evaluation_window": 1.5}, "a whole number of seconds from 1 to 3155760000"),
        ({**WINDOW, "evaluation_window": "7d"}, "from 1 to 3155760000, but is '7d'."),
        ({**WINDOW, "evaluation_window": True}, "from 1 to 3155760000, but is true."),
        ({**WINDOW, "evaluation_window": 3_155_760_001}, "from 1 to 3155760000, but is 315576000"),
        ({**WINDOW, "delay_window": -1}, "whole number of seconds from 0 to 3155760000, but is -1"),
        ({**WINDOW, "timestamp_column": 3}, "timestamp_column: must be a column name, but is 3."),
        ({**WINDOW, "evalution_window": 3}, "Did you mean 'evaluation_window'?"),
    ],
)
def test_what_is_wrong_is_said(fields: dict[str, Any], line: str) -> None:
    (told,) = refusal(suite_of(sample(**fields)))
    assert line in told


@pytest.mark.parametrize(
    ("own", "window"),
    [
        ({}, ("at", 604_800, 60)),
        ({"evaluation_window": 5}, ("at", 5, 60)),
        ({"delay_window": 0}, ("at", 604_800, 0)),
        ({"timestamp_column": None}, (None, None, 0)),
        ({"evaluation_window": None}, (None, None, 0)),
    ],
)
def test_a_window_may_stand_in_defaults(own: dict[str, Any], window: tuple[Any, ...]) -> None:
    test = read(sample(**own), defaults={**WINDOW, "delay_window": 60})
    assert (test.timestamp_column, test.evaluation_window, test.delay_window) == window


def test_half_a_window_in_defaults_is_completed_or_ignored() -> None:
    defaults = {"timestamp_column": "at"}
    assert read(sample(), defaults=defaults).timestamp_column is None
    assert read(sample(evaluation_window=5), defaults=defaults).timestamp_column == "at"
