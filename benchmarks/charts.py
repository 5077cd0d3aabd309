"""The charts of the page: targets as bars up to their limit, and the peers' times."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import altair as alt

if TYPE_CHECKING:
    from benchmarks.sections import Section

_MET, _MISSED, _OURS, _OTHERS = "#2a7f62", "#c8553d", "#2a7f62", "#8d99ae"
_WIDTH = 560


def draw(folder: Path, sections: Iterable[Section]) -> None:
    """Write `targets.svg` and, where the peers were measured, `peers.svg`."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {section.name: section for section in sections}
    if any(section.targets for section in found.values()):
        _save(_targets(found.values()), folder / "targets.svg")
    if "peers" in found:
        _save(_peers(found["peers"]), folder / "peers.svg")


def _targets(sections: Iterable[Section]) -> Any:
    """Draw each target's number as a share of its limit, which is the line at 1."""
    rows = [
        {
            "target": f"{section.name}: {target.what}",
            "share": target.measured / target.limit,
            "state": target.state,
        }
        for section in sections
        for target in section.targets
        if target.measured and target.limit
    ]
    colour = alt.Color("state:N").scale(domain=["met", "missed"], range=[_MET, _MISSED]).title(None)
    bars = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("share:Q").scale(type="log").title("measured / limit (1 is the limit)"),
            x2=alt.datum(1),
            y=alt.Y("target:N").sort(None).title(None).axis(labelLimit=420),
            color=colour,
        )
        .properties(width=_WIDTH)
    )
    limit = alt.Chart(alt.Data(values=[{"share": 1}])).mark_rule(color="#333").encode(x="share:Q")
    return bars + limit


def _peers(section: Section) -> Any:
    """Draw the seconds of each tool on the largest table that it was run on."""
    place = list(section.columns).index
    largest = max(float(row[place("rows")] or 0) for row in section.rows)
    rows = [
        {
            "tool": row[place("tool")],
            "seconds": row[place("whole process")],
            "whose": "fairsql" if "fairsql" in str(row[place("tool")]) else "others",
        }
        for row in section.rows
        if row[place("rows")] == largest and row[place("whole process")]
    ]
    colour = alt.Color("whose:N").scale(domain=["fairsql", "others"], range=[_OURS, _OTHERS])
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("seconds:Q").title(f"seconds, whole process, {largest:,.0f} rows"),
            y=alt.Y("tool:N").sort("x").title(None).axis(labelLimit=320),
            color=colour.legend(None),
        )
        .properties(width=_WIDTH)
    )


def _save(chart: Any, path: Path) -> None:
    whole = chart.configure(background="white", font="sans-serif", padding=12)
    whole.configure_view(stroke=None).save(str(path), format="svg")
