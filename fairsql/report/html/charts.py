"""The bar graph of a test: each group with its interval, the comparison point and the fail line.

Altair describes it, vl-convert draws it, and the style sheet colours it: each colour here is one
that ``report.css`` gives a value to, for light and for dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from fairsql.report.kinds import condition, in_gaps, is_standardized
from fairsql.report.phrases import metric_name
from fairsql.report.widths import shortened_to
from fairsql.report.words import counted, key, number, operator_sign, remark, rows_of

if TYPE_CHECKING:
    import altair

    from fairsql.results import GroupResult, TestResult

COLORS = {
    "group": "#7d93ab",
    "failed": "#c4523f",
    "reference": "#3d4c5c",
    "small": "#f3f3f1",
    "edge": "#8d949c",
    "ink": "#1c1f23",
    "paper": "#fcfcfb",
    "quiet": "#5b626b",
    "line": "#e3e3e0",
    "limit": "#b0301f",
}
"""What is drawn in a colour of its own; the style sheet knows them by these values."""

_SVG = "http://www.w3.org/2000/svg"
_BAR = 12
_SLACK = 32  # a browser's font may be wider than the one that was measured
_GROUPS, _LINES = "groups", "lines"
_FONT_SIZE = 12.5
_ROOM = 0.65  # of a narrow chart's width, for the name of a line


@dataclass(frozen=True)
class Layout:
    """Sizes in pixels; without room for ``names`` beside the bars, they stand above them."""

    width: int
    step: int
    names: int
    remarks: int


WIDE = Layout(width=380, step=26, names=182, remarks=165)
NARROW = Layout(width=200, step=44, names=0, remarks=140)


@dataclass(frozen=True)
class Picture:
    """A chart as SVG elements for wide and narrow screens, and how it is read."""

    wide: str
    narrow: str
    caption: str


def bar_graph(test: TestResult, title: str) -> Picture | None:
    """Return a test's groups as bars, or ``None`` where none has a value to show.

    Parameters
    ----------
    test
        The result.
    title
        What the picture is called, for those who do not see it.
    """
    test = in_gaps(test)
    if not any(group.value is not None for group in test.groups):
        return None
    caption = _caption(test)
    described = f"{_summary(test)} {caption}"
    wide, narrow = (svg(chart(test, layout), title, described) for layout in (WIDE, NARROW))
    return Picture(wide, narrow, caption)


def chart(test: TestResult, layout: Layout = WIDE) -> altair.LayerChart:
    """Return a test's groups as a chart of Altair's."""
    drawn: altair.LayerChart = _blank(layout).copy()
    rows, lines = list(_rows(test, layout)), list(_lines(test, layout))
    drawn.datasets = {_GROUPS: rows, _LINES: lines}
    drawn.height = rows[-1]["middle"] + layout.step / 2
    for line in lines:
        line["bottom"] = drawn.height
    drawn.padding = {
        "left": layout.names + _SLACK if layout.names else 10,
        "right": layout.remarks,
        "top": 42 if lines else 4,
        "bottom": 24,
    }
    return drawn


@cache
def _blank(layout: Layout) -> altair.LayerChart:
    """Return the chart of no data: Altair takes a while to make one, so all tests share it.

    The rows say in pixels how high they stand.
    """
    import altair

    def quantity(channel: Any, name: str) -> Any:
        return channel(name, type="quantitative", scale=None, axis=None)

    groups, lines = (altair.Chart(altair.NamedData(name)) for name in (_GROUPS, _LINES))
    axis = altair.Axis(
        title=None,
        tickCount=4,
        ticks=False,
        domain=False,
        gridColor=COLORS["line"],
        labelColor=COLORS["quiet"],
        labelPadding=6,
        labelFlush=False,
    )
    middle = quantity(altair.Y, "middle")
    bars = (
        groups.transform_filter("isValid(datum.value)")
        .mark_rect(strokeWidth=1)
        .encode(
            x=altair.X("from:Q", axis=axis, scale=altair.Scale(nice=True, zero=False)),
            x2="value:Q",
            y=quantity(altair.Y, "top"),
            y2="bottom:Q",
            fill=altair.Fill("fill:N", scale=None),
            stroke=altair.Stroke("stroke:N", scale=None),
        )
    )
    # On the reference's dark bar a line is seen on a wider one in the colour of the page.
    intervals = [
        groups.transform_filter(f"isValid(datum.low) && {condition}")
        .mark_rule(strokeWidth=stroke, color=COLORS[color])
        .encode(x="low:Q", x2="high:Q", y=middle)
        for condition, stroke, color in (("datum.is_dark", 4, "paper"), ("true", 1.5, "ink"))
    ]
    names = groups.mark_text(align="right" if layout.names else "left", color=COLORS["ink"]).encode(
        x=altair.value(-12 if layout.names else 0), y=quantity(altair.Y, "named"), text="name:N"
    )
    remarks = groups.mark_text(align="left").encode(
        x=altair.value(layout.width + 12),
        y=middle,
        text="remark:N",
        color=altair.Color("said:N", scale=None),
    )
    color = altair.Color("color:N", scale=None)
    rules = [
        lines.transform_filter(condition)
        .mark_rule(strokeDash=dash)
        .encode(x="value:Q", y=quantity(altair.Y, "top"), y2="bottom:Q", color=color)
        for condition, dash in (("!datum.is_dashed", [1, 0]), ("datum.is_dashed", [4, 3]))
    ]
    # Names stand apart where there is room: that of the lower line to its left.
    line_names = [
        lines.transform_filter(condition)
        .mark_text(align="right" if dx < 0 else "left", dx=dx)
        .encode(x="value:Q", y=quantity(altair.Y, "named"), text="name:N", color=color)
        for condition, dx in (("!datum.is_left", 5), ("datum.is_left", -5))
    ]
    blank: altair.LayerChart = (
        altair.layer(bars, *rules, *line_names, *intervals, names, remarks)
        .properties(width=layout.width, autosize=altair.AutoSizeParams(type="none"))
        .configure(font="sans-serif", aria=False, background="transparent")
        .configure_view(stroke=None)
        .configure_text(fontSize=_FONT_SIZE, baseline="middle")
        .configure_axis(labelFontSize=_FONT_SIZE - 1)
    )
    return blank


# --- what is drawn -----------------------------------------------------------------------------


def _rows(test: TestResult, layout: Layout) -> Iterator[dict[str, Any]]:
    """Yield a row a group, and a heading above those that are too small to judge."""
    below = 0.0 if layout.names else layout.step / 4
    room = layout.names or 0.8 * (layout.width + layout.remarks)
    start = 0.0
    is_below_heading = False
    for group in test.groups:
        if not group.sufficient and not is_below_heading:
            is_below_heading = True
            if any(one.sufficient for one in test.groups):
                middle = start + layout.step * 0.6
                heading = {"name": "too small to judge:", "remark": "", "said": COLORS["quiet"]}
                yield {**heading, "named": middle, "middle": middle}
                start += layout.step
        middle = start + layout.step / 2 + below
        yield {
            "name": shortened_to(key(group.key), room, _FONT_SIZE),
            "named": middle - 17 if below else middle,
            "middle": middle,
            "top": middle - _BAR / 2,
            "bottom": middle + _BAR / 2,
            "from": 0.0,
            "value": group.value,
            **drawn_interval(group),
            "fill": COLORS[_color(group)],
            "stroke": None if group.sufficient else COLORS["edge"],
            "is_dark": group.is_reference,
            "remark": _remark(test, group),
            "said": COLORS["limit" if group.failed else "quiet"],
        }
        start += layout.step


def _color(group: GroupResult) -> str:
    if not group.sufficient:
        return "small"
    if group.is_reference:
        return "reference"
    return "failed" if group.failed else "group"


def _remark(test: TestResult, group: GroupResult) -> str:
    if group.suppressed:
        return f"{rows_of(test, group)} rows"
    if group.value is None:
        return remark(group)
    said = "" if not group.sufficient else remark(group)
    return f"{number(group.value)} {said}".rstrip()


def drawn_interval(group: GroupResult) -> dict[str, float]:
    """Return the ends of the interval's line; an open side ends at the value."""
    low, high = group.confidence_interval or (None, None)
    if group.value is None or (low is None and high is None):
        return {}
    return {
        "low": group.value if low is None else low,
        "high": group.value if high is None else high,
    }


def fail_line(test: TestResult) -> float | None:
    """Return the value beyond which a group fails: of a worse one's two limits the nearer.

    Where every group must meet a condition, it is the condition's value.
    """
    if asked := condition(test):
        return asked[1]
    point = test.comparison.value if test.comparison else None
    if point is None or test.metric is None:
        return None
    higher = test.metric.higher_is_better
    least, most = test.parameters.get("min_ratio"), test.parameters.get("max_difference")
    limits = []
    if least and point > 0:
        limits.append(point * least if higher else point / least)
    if most is not None:
        limits.append(point - most if higher else point + most)
    return (max if higher else min)(limits) if limits else None


def _lines(test: TestResult, layout: Layout) -> Iterator[dict[str, Any]]:
    """Yield the lines across all groups, each with a name above the bars."""
    limit, point = fail_line(test), test.comparison
    if point is not None and point.value is not None:
        name = "all rows" if point.kind == "overall" else "reference"
        is_above = limit is not None and limit > point.value
        yield {
            "name": f"{name} {number(point.value)}",
            "value": point.value,
            "color": COLORS["ink"],
            "is_dashed": False,
            "is_left": is_above and limit is not None and _has_room(test, layout, limit),
            "named": -31,
            "top": -36,
        }
    if limit is None:
        return
    is_below = point is not None and point.value is not None and limit <= point.value
    yield {
        "name": f"{fails(test)} {number(limit)}",
        "value": limit,
        "color": COLORS["limit"],
        "is_dashed": True,
        "is_left": is_below and _has_room(test, layout, limit),
        "named": -14,
        "top": -19,
    }


def fails(test: TestResult) -> str:
    """Return the words before the value of the line beyond which a group fails."""
    if asked := condition(test):
        return f"must be {operator_sign(asked[0])}"
    return f"fails {'below' if test.metric and test.metric.higher_is_better else 'above'}"


def _has_room(test: TestResult, layout: Layout, value: float) -> bool:
    """Return whether a name has room to the left of its line; to the right there always is."""
    values = [0.0, value]
    for group in test.groups:
        if group.value is not None:
            values += [group.value, *drawn_interval(group).values()]
    low, high = min(values), max(values)
    return layout.names > 0 or value - low > _ROOM * (high - low)


# --- words -------------------------------------------------------------------------------------


def _summary(test: TestResult) -> str:
    what = "gap to the comparison point, as a" if is_standardized(test) else ""
    name = f"{what} {metric_name(test)}".strip()
    return f"A bar for each of {counted(len(test.groups), 'group')}: its {name}."


def _caption(test: TestResult) -> str:
    parts = []
    if any(drawn_interval(group) for group in test.groups):
        level = number(100 * (1 - test.parameters.get("alpha", 0.05)))
        parts.append(
            f"The thin lines are {level} % confidence intervals, each for its group alone: they are"
            " not adjusted for the number of groups."
        )
    has_small = any(not group.sufficient for group in test.groups)
    if is_standardized(test):
        parts.append("A bar is a group's gap, in standard deviations; 0 where it is not worse.")
    if asked := condition(test):
        whose = "Of the groups large enough to judge, one" if has_small else "A group"
        sign = operator_sign(asked[0])
        parts.append(f"{whose} whose value is not {sign} {number(asked[1])} fails.")
    elif fail_line(test) is not None:
        gate = ", if the gap is significant" if test.parameters.get("require_significance") else ""
        fails = "A group beyond the dashed line fails"
        if has_small:
            fails = "Of the groups large enough to judge, those beyond the dashed line fail"
        parts.append(f"{fails}{gate}.")
    if has_small:
        parts.append("Pale bars are groups too small to judge.")
    return " ".join(parts)


# --- SVG ---------------------------------------------------------------------------------------

_USELESS = {"class", "role", "pointer-events", "font-family", "aria-hidden"}
_INHERITED = {"fill", "font-size", "stroke", "stroke-dasharray", "stroke-width", "text-anchor"}
_DIGITS = re.compile(r"-?\d+\.\d{2,}")
_DEFAULTS = {"opacity": "1", "stroke-width": "1", "stroke-miterlimit": "10", "version": "1.1"}


def svg(drawn: altair.LayerChart, title: str, description: str) -> str:
    """Return a chart as an SVG element for a page, named and described, its text as text."""
    import vl_convert

    text = vl_convert.vegalite_to_svg(drawn.to_dict(validate=False))
    root = ElementTree.fromstring(text)  # noqa: S314 - it was written a line above
    _slim(root)
    for name in ("width", "height"):
        root.attrib.pop(name)
    root.set("role", "img")
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{_SVG}}}{tag}")
        element.text = words
        root.insert(place, element)
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _slim(parent: ElementTree.Element) -> None:
    """Take away what draws nothing, and say once what all parts of a group share.

    Without this the charts would be most of a report's bytes.
    """
    for name, value in list(parent.attrib.items()):
        if name == "d" or name == "transform":
            parent.set(name, _DIGITS.sub(lambda found: f"{float(found[0]):.1f}", value))
        elif name in _USELESS or _DEFAULTS.get(name) == value or name.startswith("aria-"):
            del parent.attrib[name]
    for child in list(parent):
        useless = _draws_nothing(child)  # before it loses its class
        _slim(child)
        tag = child.tag.removeprefix(f"{{{_SVG}}}")
        if useless or (tag == "g" and not len(child)):
            parent.remove(child)
        elif tag == "g" and len(child) == 1 and not child.attrib:
            parent[list(parent).index(child)] = child[0]
    if len(parent) > 1 and parent.tag.endswith("}g"):
        for name in _INHERITED - set(parent.attrib):
            values = {child.get(name) for child in parent}
            if len(values) == 1 and None not in values:
                parent.set(name, str(values.pop()))
                for child in parent:
                    del child.attrib[name]


def _draws_nothing(element: ElementTree.Element) -> bool:
    is_path = element.tag.endswith("}path")
    return is_path and (not element.get("d") or "background" in element.get("class", ""))
