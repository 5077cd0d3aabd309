"""A test's groups as a chart: values, intervals, the comparison point and where a group fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fairsql.report.html.charts import drawn_interval, fail_line, fails
from fairsql.report.kinds import attributes, condition, in_gaps, limits_metrics
from fairsql.report.phrases import metric_of
from fairsql.report.widths import shortened_to
from fairsql.report.words import key, number, operator_sign, reason, rows_of, shortened, shown

if TYPE_CHECKING:
    import altair

    from fairsql.results import GroupResult, TestResult

_FAILED, _HOLDS, _REFERENCE, _APART = "fails", "holds", "reference", "too few rows"
# Seen on white and on black, and told apart without red and green.
_COLORS = {_FAILED: "#d1495b", _HOLDS: "#4a7fb0", _REFERENCE: "#8a6d3b", _APART: "#9a9a9a"}
_GREY = "#808080"
_LONGEST_NAME = 60
_NAMES = 260  # pixels, as are the rest
_FONT_SIZE = 10  # Vega's own
_ROW = 26
_WIDTH = 420


def group_chart(test: TestResult) -> altair.LayerChart | altair.VConcatChart:
    """Return a chart of a test's groups, in the order of the result; one below the other for parts.

    A bar is a group's value, the line across its end the confidence interval. Groups with too few
    rows are grey and pale; a group without a value, or one that is suppressed, says so in words.
    A solid rule stands at the comparison point, a dashed one where a group begins to fail, or where
    a threshold of a metric is.
    """
    import altair as alt

    charts = [_layers(in_gaps(part)) for part in test.facets()]
    chart = charts[0] if len(charts) == 1 else alt.vconcat(*charts)
    colored: altair.LayerChart | altair.VConcatChart = (
        chart.configure(background="transparent")
        .configure_axis(labelColor=_GREY, titleColor=_GREY, tickColor=_GREY, domainColor=_GREY)
        .configure_legend(labelColor=_GREY)
        .configure_title(color=_GREY, subtitleColor=_GREY)
        .configure_view(stroke=None)
    )
    return colored


def _layers(test: TestResult) -> Any:
    import altair as alt

    rows = list(_rows(test))
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y(
            "group:N",
            sort=None,
            title=shortened(attributes(test), _LONGEST_NAME),
            axis=alt.Axis(labelLimit=0),
        ),
        # Vega-Lite's own description reads titles as code in which a backslash means something.
        description=alt.Description("told:N"),
    )
    metric = shortened(metric_of(test), _LONGEST_NAME)
    value = alt.X("value:Q", title=metric, axis=alt.Axis(grid=True, gridOpacity=0.3))
    kinds = list(_COLORS)
    bars = base.mark_bar(height={"band": 0.6}).encode(
        x=value,
        color=alt.Color(
            "state:N",
            title=None,
            scale=alt.Scale(domain=kinds, range=list(_COLORS.values())),
            legend=alt.Legend(orient="bottom"),
        ),
        opacity=alt.condition(f"datum.state === '{_APART}'", alt.value(0.45), alt.value(0.9)),
        tooltip=[alt.Tooltip(f"{name}:N", title=title) for title, name in _TOLD.items()],
    )
    intervals = base.mark_rule(strokeWidth=2, color=_GREY).encode(x="low:Q", x2="high:Q")
    words = base.mark_text(align="left", dx=4, color=_GREY).encode(x=alt.datum(0), text="instead:N")
    layers: list[Any] = [bars, intervals, words]
    for place, dash, said in _lines(test):
        line = alt.Chart(alt.Data(values=[{"at": place, "said": said}]))
        layers.append(
            line.mark_rule(strokeDash=dash, strokeWidth=1.5, color=_GREY).encode(
                x="at:Q", tooltip=alt.Tooltip("said:N", title="line")
            )
        )
    names = [test.name] if test.facet is None else [test.name, test.facet]
    title = alt.TitleParams(
        shortened(": ".join(map(shown, names)), 2 * _LONGEST_NAME),
        subtitle=[said for *_, said in _lines(test)],
        anchor="start",
    )
    layered: Any = alt.layer(*layers, title=title, width=_WIDTH, height=max(len(rows), 1) * _ROW)
    return layered


# Titles of what a tooltip tells, and the fields that hold it.
_TOLD = {
    "group": "whole",
    "rows": "rows",
    "value": "shown",
    "interval": "interval",
    "state": "state",
}


def _rows(test: TestResult) -> Iterator[dict[str, Any]]:
    seen: dict[str, int] = {}
    for group in test.groups:
        name = shortened_to(key(group.key), _NAMES, _FONT_SIZE)
        seen[name] = seen.get(name, 0) + 1
        low, high = group.confidence_interval or (None, None)
        ends = drawn_interval(group)
        yield {
            "group": name if seen[name] == 1 else f"{name} ({seen[name]})",
            "whole": key(group.key),
            "rows": rows_of(test, group),
            "value": group.value,
            "shown": number(group.value),
            "low": ends.get("low"),
            "high": ends.get("high"),
            "interval": f"{number(low)} to {number(high)}" if ends else number(None),
            "state": _state(group),
            "told": f"{key(group.key)}: {_instead(test, group) or number(group.value)}",
            "instead": _instead(test, group),
        }


def _state(group: GroupResult) -> str:
    if not group.sufficient:
        return _APART
    if group.is_reference:
        return _REFERENCE
    return _FAILED if group.failed else _HOLDS


def _instead(test: TestResult, group: GroupResult) -> str:
    if group.suppressed:
        return f"not shown, {rows_of(test, group)} rows"
    return reason(group)


def _lines(test: TestResult) -> Iterator[tuple[float, list[int], str]]:
    point = test.comparison
    if point is not None and point.value is not None:
        who = key(point.key) if point.key else "all rows"
        name = shortened(who, _LONGEST_NAME)
        yield point.value, [1, 0], f"solid: compared with {name}, {number(point.value)}"
    if limits_metrics(test):
        for one in test.thresholds:
            if test.metric is not None and one.measurement == test.metric.name:
                wanted = f"{operator_sign(one.operator)} {number(one.value)}"
                yield one.value, [5, 4], f"dashed: must be {wanted}"
        return
    limit = fail_line(test)
    if limit is None:
        return
    also = ", if significant" if test.parameters.get("require_significance") else ""
    said = f"{fails(test)} {number(limit)}" if condition(test) else f"fails beyond {number(limit)}"
    yield limit, [5, 4], f"dashed: {said}{also}"
