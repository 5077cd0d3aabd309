"""A test over time: which runs of a history are shown, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fairsql.report import render_html
from fairsql.report.html.timeline import LISTED, Timeline, timeline
from fairsql.results import Run, ThresholdResult
from tests.report.pasts import NOW, past
from tests.report.samples import TEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairsql.records import Past

RATIO = ThresholdResult("min_metric_ratio", ">=", 0.8, 0.9, True)
TESTED = replace(TEST, name="a test", thresholds=(RATIO,))
STARTED = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
RUN = Run(
    tests=(TESTED,),
    fairsql_version="1",
    started_at=STARTED,
    finished_at=STARTED,
    dialect="duckdb",
    warehouse_name="w",
    scans=1,
    suite="fairsql.yml",
)


def shown(history: Sequence[Past], **changes: Any) -> Timeline:
    found = timeline(RUN, replace(TESTED, **changes), history)
    assert found is not None
    return found


def ratios(*values: float | None) -> list[Past]:
    days = range(len(values) - 1, -1, -1)
    return [past(day, min_metric_ratio=value) for day, value in zip(days, values, strict=True)]


def test_runs_of_this_test_in_this_suite_until_now() -> None:
    history = [
        past(9, suite="other.yml"),
        past(8, suite=None),
        past(7, test="another test"),
        past(2, min_metric_ratio=0.5),
        past(0, min_metric_ratio=0.7),
        past(-1, min_metric_ratio=0.9),
    ]
    entries = shown(history).entries
    assert [entry.when for entry in entries] == [
        "30 November 2026, 09:05 UTC",
        "28 November 2026, 09:05 UTC",
    ]
    assert [entry.cells for entry in entries] == [["0.7"], ["0.5"]]


def test_a_history_without_the_test_is_none() -> None:
    assert timeline(RUN, TESTED, [past(test="another test")]) is None
    assert timeline(RUN, TESTED, []) is None


@pytest.mark.parametrize(
    ("statuses", "sentence"),
    [
        (["failed"], "This is the first run in the history."),
        (["failed", "passed"], "2 runs since 29 November 2026, 09:05 UTC: passed 1, failed 1."),
        (
            ["passed", "skipped", "failed", "failed"],
            "4 runs since 27 November 2026, 09:05 UTC: passed 1, failed 2, skipped 1."
            " The last 2 all failed.",
        ),
        (["error", "error"], "2 runs since 29 November 2026, 09:05 UTC: error 2."),
    ],
)
def test_how_the_runs_ended(statuses: list[str], sentence: str) -> None:
    days = range(len(statuses) - 1, -1, -1)
    history = [past(day, status) for day, status in zip(days, statuses, strict=True)]
    assert shown(history).sentence == sentence


def test_a_measurement_with_a_threshold_is_drawn_from_its_second_value_on() -> None:
    assert [one.name for one in shown(ratios(0.5, 0.9)).pictures] == ["min_metric_ratio"]
    assert not shown(ratios(0.5)).pictures
    assert not shown(ratios(None, 0.5, None)).pictures
    assert not shown(ratios(0.5, 0.9), thresholds=()).pictures


def test_a_picture_says_where_it_begins_and_ends() -> None:
    (picture,) = shown(ratios(0.5, 0.25, 0.9)).pictures
    assert "0.5 at first, 0.9 at last." in picture.svg
    assert "≥ 0.8" in picture.svg


def test_two_thresholds_on_one_measurement_are_lines_in_one_picture() -> None:
    upper = ThresholdResult("min_metric_ratio", "<=", 1.25, 0.9, True)
    (picture,) = shown(ratios(0.5, 0.9), thresholds=(RATIO, upper)).pictures
    assert "≥ 0.8" in picture.svg
    assert "≤ 1.25" in picture.svg


def test_of_a_long_history_the_latest_runs_are_shown_and_all_are_counted() -> None:
    history = ratios(*[0.5] * (LISTED + 20))
    found = shown(history)
    assert len(found.entries) == LISTED
    assert found.sentence.startswith(f"{LISTED + 20} runs since")
    assert f"the last {LISTED} runs" in render_html(RUN, history)


def test_the_report_shows_it_where_there_is_a_history() -> None:
    assert "<h3>Over time" not in render_html(RUN)
    assert "<h3>Over time" in render_html(RUN, ratios(0.5, 0.9))
