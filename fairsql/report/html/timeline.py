"""A test over time: what the runs of a history measured, up to the run that is shown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from fairsql.records import MEASUREMENTS
from fairsql.report.html.charts import COLORS, svg
from fairsql.report.words import counted, moment, number, operator_sign

if TYPE_CHECKING:
    import altair

    from fairsql.records import Past
    from fairsql.results import Run, Status, TestResult, ThresholdResult

DRAWN, LISTED = 30, 10
"""Runs that are drawn and listed, the latest: a history may be long, and a report is not."""

_RUNS, _LIMITS = "runs", "limits"
_WIDTH, _HEIGHT = 290, 110  # pixels: the text is to be read on narrow screens too
_PADDING = {"left": 50, "right": 76, "top": 10, "bottom": 28}


@dataclass(frozen=True)
class Drawn:
    """One measurement as an SVG element."""

    name: str
    svg: str


@dataclass(frozen=True)
class Entry:
    """What one run found: when it began, its status, and a text for each measurement."""

    started_at: str
    when: str
    status: str
    cells: Sequence[str]


@dataclass(frozen=True)
class Timeline:
    """A sentence, a picture of each measurement with a threshold, and all of them as a table.

    ``entries`` begin with the latest run; ``is_cut`` says that there were more.
    """

    sentence: str
    pictures: Sequence[Drawn]
    names: Sequence[str]
    entries: Sequence[Entry]
    is_cut: bool


def timeline(run: Run, test: TestResult, history: Sequence[Past]) -> Timeline | None:
    """Return a test over time, or ``None`` where the history has no run of it.

    Parameters
    ----------
    run, test
        What is shown. Runs that began after it are left out, and windows that ended later.
    history
        What runs found, the earliest first. Those of this test in this suite are taken.
    """
    until = test.window.end if test.window else run.started_at
    past = [
        one
        for one in history
        if (one.suite, one.test) == (run.suite, test.name) and one.started_at <= until
    ]
    if not past:
        return None
    latest = past[-LISTED:]
    measured = dict.fromkeys(
        [*MEASUREMENTS, *(name for one in latest for name in one.measurements)]
    )
    names = [name for name in measured if any(_known(one, name) for one in latest)]
    return Timeline(
        sentence=_sentence(past),
        pictures=list(_pictures(test, past[-DRAWN:])),
        names=names,
        entries=[
            Entry(
                one.started_at,
                moment(one.started_at),
                one.status,
                [number(one.measurements.get(name)) for name in names],
            )
            for one in reversed(latest)
        ],
        is_cut=len(past) > len(latest),
    )


def _known(past: Past, name: str) -> bool:
    return past.measurements.get(name) is not None


def _sentence(past: Sequence[Past]) -> str:
    if len(past) == 1:
        return "This is the first run in the history."
    statuses: tuple[Status, ...] = ("passed", "failed", "skipped", "error")
    counts = {status: sum(one.status == status for one in past) for status in statuses}
    told = ", ".join(f"{status} {count}" for status, count in counts.items() if count)
    last = past[-1].status
    in_a_row = sum(1 for _ in itertools.takewhile(lambda one: one.status == last, past[::-1]))
    now = f" The last {in_a_row} all {_ENDED[last]}." if 1 < in_a_row < len(past) else ""
    return f"{counted(len(past), 'run')} since {moment(past[0].started_at)}: {told}.{now}"


_ENDED = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "were skipped",
    "error": "ended in an error",
}


# --- pictures ----------------------------------------------------------------------------------


def _pictures(test: TestResult, past: Sequence[Past]) -> Iterator[Drawn]:
    limits: dict[str, list[ThresholdResult]] = {}
    for limit in test.thresholds:
        limits.setdefault(limit.measurement, []).append(limit)
    for name, of_name in limits.items():
        found = [one for one in past if _known(one, name)]
        if len(found) > 1:
            title = f"{name} over time"
            told = (
                f"{number(found[0].measurements[name])} at first,"
                f" {number(found[-1].measurements[name])} at last."
            )
            yield Drawn(name, svg(_chart(name, found, of_name), title, told))


def _chart(name: str, past: Sequence[Past], limits: Sequence[ThresholdResult]) -> altair.LayerChart:
    drawn = _blank().copy()
    drawn.datasets = {
        _RUNS: [
            {
                "at": one.started_at,
                "value": one.measurements[name],
                "failed": one.status == "failed",
            }
            for one in past
        ],
        _LIMITS: [
            {"value": limit.value, "name": f"{operator_sign(limit.operator)} {number(limit.value)}"}
            for limit in limits
        ],
    }
    return drawn


@cache
def _blank() -> altair.LayerChart:
    """Return the chart of no data, which takes Altair a while to make."""
    import altair

    def axis(**more: Any) -> Any:
        return altair.Axis(
            title=None,
            ticks=False,
            domain=False,
            labelColor=COLORS["quiet"],
            gridColor=COLORS["line"],
            labelPadding=6,
            **more,
        )

    runs, limits = (altair.Chart(altair.NamedData(name)) for name in (_RUNS, _LIMITS))
    value = altair.Y(
        "value:Q", axis=axis(tickCount=3), scale=altair.Scale(nice=True, zero=False, padding=6)
    )
    at = altair.X(
        "at:T",
        axis=axis(grid=False, tickCount=3, labelOverlap="greedy", labelSeparation=12),
        scale=altair.Scale(type="utc", padding=8),
    )
    line = runs.mark_line(color=COLORS["quiet"], strokeWidth=1.5).encode(x=at, y=value)
    points = (
        runs.transform_filter("datum.failed")
        .mark_square(size=36, opacity=1, color=COLORS["failed"])
        .encode(x=at, y=value)
    )
    rule = limits.mark_rule(strokeDash=[4, 3], color=COLORS["limit"]).encode(y=value)
    named = limits.mark_text(align="left", dx=6, color=COLORS["limit"]).encode(
        x=altair.value(_WIDTH), y=value, text="name:N"
    )
    blank: altair.LayerChart = (
        altair.layer(line, rule, points, named)
        .properties(
            width=_WIDTH,
            height=_HEIGHT,
            padding=_PADDING,
            autosize=altair.AutoSizeParams(type="none"),
        )
        .configure(font="sans-serif", aria=False, background="transparent")
        .configure_view(stroke=None)
        .configure_text(fontSize=12.5, baseline="middle")
        .configure_axis(labelFontSize=11.5)
    )
    return blank
