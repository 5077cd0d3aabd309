"""What the report shows, as plain values that the templates put in their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fairsql.report.html.charts import Picture, bar_graph
from fairsql.report.html.table import Table, can_hold, group_table, metric_table, pooled_table
from fairsql.report.html.timeline import Timeline, timeline
from fairsql.report.insights import insights
from fairsql.report.kinds import group_facets, limits_metrics
from fairsql.report.listings import POOLED
from fairsql.report.marks import UNICODE
from fairsql.report.words import (
    PAIRED,
    asked,
    condition_of,
    counted,
    headline,
    key,
    moment,
    names_of,
    number,
    numbers_apart,
    operator_sign,
    sample_words,
    sentence,
    shown,
    size,
)
from fairsql.results import outcome
from fairsql.version import __version__

if TYPE_CHECKING:
    from fairsql.records import Past
    from fairsql.results import GroupResult, Outcome, Run, TestResult, ThresholdResult

_WORST_FIRST: tuple[Outcome, ...] = ("error", "failed", "illustrative", "skipped", "passed")
_BEST_FIRST: tuple[Outcome, ...] = ("passed", "failed", "illustrative", "skipped", "error")
_ALWAYS_COUNTED = ("passed", "failed", "skipped", "error")
_ENDS: Mapping[Outcome, str] = {
    "error": "ended in an error",
    "failed": "failed",
    "illustrative": "{} illustrative",
    "skipped": "could not be judged",
    "passed": "passed",
}
_UNANIMOUS: Mapping[Outcome, str] = {
    "error": "Every test ended in an error",
    "failed": "Every test failed",
    "illustrative": "Every test is illustrative: nothing is shown",
    "skipped": "No test could be judged",
    "passed": "Every test passed",
}

MEASUREMENTS = {
    "failing_group_count": "Groups that fail",
    "failing_group_percentage": "Share of groups that fail",
    "min_metric_ratio": "Smallest ratio",
    "max_metric_difference": "Largest gap",
    "worst_group_value": "Worst value",
    "significant_disparity_count": "Significantly worse",
    "insufficient_group_count": "Too small to judge",
    "missing_attribute_rate": "Attribute missing",
    "min_group_share": "Smallest group’s share",
    "undefined_group_count": "Without a value",
    "impact_ratio": "Impact ratio",
    "statistical_parity_difference": "Largest rate less smallest",
    "mantel_haenszel_odds_ratio": "Odds ratio within strata",
    "mantel_haenszel_p_value": "p of that odds ratio",
    "lowest_group_value": "Lowest value",
    "highest_group_value": "Highest value",
}
"""A name for each measurement that reads well above its number."""


@dataclass(frozen=True)
class Count:
    """How many tests ended with a status; ``sign`` and ``word`` are its mark."""

    status: Outcome
    sign: str
    word: str
    number: int


@dataclass(frozen=True)
class Limit:
    """A measurement in the strip; with a threshold also what that wants, and whether it holds.

    ``interval`` is between which values it lies, where that is known.
    """

    title: str
    name: str
    observed: str
    interval: str
    wanted: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Sql:
    """SQL as it is shown and, where that differs, as it is copied.

    ``is_whole`` is false where a page cannot hold it as it is.
    """

    shown: str
    copied: str | None = None
    is_whole: bool = True


@dataclass(frozen=True)
class Statement:
    """A statement that the run sent, and what it served."""

    anchor: str
    title: str
    sql: Sql
    tests: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Panel:
    """A picture and a table: of the test or, under a title, of a part of it.

    ``lines`` are where the rows of groups stand in the result, from 1, for the queries of a page.
    """

    title: str | None
    name: str
    said: str
    picture: Picture | None
    table: Table | None
    lines: Sequence[int]


@dataclass(frozen=True)
class Test:
    """One test's section."""

    __test__ = False  # pytest: a record, not a test case

    anchor: str
    status: Outcome
    sign: str
    name: str
    headline: str
    asked: str
    sample: str
    groups: str
    limits: Sequence[Limit]
    insights: Sequence[str]
    notes: Sequence[str]
    panels: Sequence[Panel]
    timeline: Timeline | None
    queries: Sequence[tuple[int, str, Sql]]
    parameters: Sequence[tuple[str, str]]
    evidence: Sequence[tuple[str, str]]
    statements: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Page:
    """The whole report."""

    title: str
    version: str
    verdict: str
    counts: Sequence[Count]
    facts: Sequence[tuple[str, Sequence[str]]]
    tests: Sequence[Test]
    evidence: Sequence[tuple[str, str]]
    statements: Sequence[Statement]


def page(run: Run, history: Sequence[Past] = ()) -> Page:
    """Return what the report of a run shows; tests without a pass come first."""
    places = sorted(
        range(len(run.tests)), key=lambda place: _WORST_FIRST.index(outcome(run.tests[place]))
    )
    found = run.outcomes()
    anchors = {place: f"test-{place + 1}" for place in places}
    statements = _statements(run, anchors)
    return Page(
        version=__version__,
        title=shown(run.suite) if run.suite else "Fairness tests",
        verdict=_verdict(run),
        counts=[
            Count(one, _sign(one), one, found.get(one, 0))
            for one in _BEST_FIRST
            if one in found or one in _ALWAYS_COUNTED
        ],
        facts=list(_facts(run)),
        tests=[_test(run, place, anchors[place], statements, history) for place in places],
        evidence=list(_evidence(run)),
        statements=statements,
    )


def _sign(status: Outcome) -> str:
    return UNICODE.statuses[status].split(" ", 1)[0]


def _verdict(run: Run) -> str:
    if not run.tests:
        return "No test was run"
    found = run.outcomes()
    if len(run.tests) == 1:
        return f"The test {_ENDS[outcome(run.tests[0])].format('is')}"
    if len(found) == 1:
        return _UNANIMOUS[outcome(run.tests[0])]
    parts = [
        f"{found[one]} {_ENDS[one].format('is' if found[one] == 1 else 'are')}"
        for one in _WORST_FIRST[:-1]
        if one in found
    ]
    return f"Of {counted(len(run.tests), 'test')}, {_listed(parts)}"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# --- the front ---------------------------------------------------------------------------------


def _facts(run: Run) -> Iterator[tuple[str, Sequence[str]]]:
    engine = f" ({run.warehouse_version})" if run.warehouse_version else f" ({run.dialect})"
    yield "Where", [shown(run.warehouse_name + engine)]
    yield "When", [moment(run.started_at) + _took(run)]
    rows: dict[str, str] = {}
    for test in run.tests:
        condition = condition_of(test)
        name = sentence(f"{test.relation} where {condition}" if condition else test.relation)
        if test.type in PAIRED:
            if test.rows.evaluated:
                rows.setdefault(name, counted(test.rows.evaluated, "pair"))
        elif test.rows.total is not None:
            rows[name] = counted(test.rows.total, "row")
        else:
            rows.setdefault(name, "not read")
    yield "Rows", [f"{name}: {text}" for name, text in rows.items()]


def _took(run: Run) -> str:
    try:
        started, finished = map(datetime.fromisoformat, (run.started_at, run.finished_at))
        seconds = round((finished - started).total_seconds())
    except (TypeError, ValueError):  # no times, or one with a time zone and one without
        return ""
    return f", in {counted(max(seconds, 1), 'second')}, with {counted(run.scans, 'scan')}"


# --- a test ------------------------------------------------------------------------------------


def _test(
    run: Run,
    place: int,
    anchor: str,
    statements: Sequence[Statement],
    history: Sequence[Past],
) -> Test:
    test = run.tests[place]
    name = shown(names_of(run.tests)[place])
    found = [insight.text for insight in insights(test, len(run.tests))]
    return Test(
        anchor=anchor,
        status=outcome(test),
        sign=_sign(outcome(test)),
        name=name,
        headline=found[0] if found and test.message is None else headline(test),
        asked=asked(test),
        sample=sample_words(test),
        groups=size(test),
        limits=[*(_limit(limit, test) for limit in test.thresholds), *_other_measurements(test)],
        insights=found,
        notes=[sentence(note) for note in test.notes],
        panels=list(_panels(test)),
        timeline=timeline(run, test, history),
        queries=[
            (line, _placed(group), _sql(group.rows_sql))
            for line, group in enumerate(test.groups, 1)
            if group.rows_sql is not None and _first_with(test, group.rows_sql) == line
        ],
        parameters=[
            (shown(parameter), _parameter(value)) for parameter, value in test.parameters.items()
        ],
        evidence=list(_test_evidence(test)),
        statements=[
            (statement.anchor, statement.title)
            for statement in statements
            if any(found == anchor for found, _ in statement.tests)
        ],
    )


def _panels(test: TestResult) -> Iterator[Panel]:
    """Yield a panel for each part that has groups, and one for all strata together."""
    name = shown(test.name)
    if limits_metrics(test):
        yield Panel(None, name, "", None, metric_table(test), ())
    lines = {id(group): _first_with(test, group.rows_sql) for group in test.groups}
    for part in group_facets(test):
        heading = shown(part.facet or "").capitalize()
        own = [lines[id(group)] for group in part.groups]
        text = _SAID.get(part.facet or "", "")
        yield Panel(heading, f"{name}: {heading}", text, None, group_table(part, test), own)
    if limits_metrics(test):
        return
    captions: set[str] = set()
    for part in test.facets():
        if not part.groups:
            continue
        title = None if part.facet is None else shown(part.facet)
        whole = name if title is None else f"{name}: {title}"
        picture = bar_graph(part, f"Bar graph: {whole}")
        if picture is not None:
            caption = "" if picture.caption in captions else picture.caption
            captions.add(picture.caption)
            picture = replace(picture, caption=caption)
        own = [lines[id(group)] for group in part.groups]
        yield Panel(title, whole, "", picture, group_table(part), own)
    if test.pooled:
        whole = f"{name}: {POOLED}"
        yield Panel(POOLED.capitalize(), whole, _POOLED, None, pooled_table(test), ())


_SAID = {
    "error rate": "On which share of the rows that it judged the judge failed. p compares a group"
    " with all others (Fisher), adjusted by Holm. It decides nothing; but rows without a score are"
    " left out of the mean.",
    "mean score": "The mean over the rows that have a score.",
    "divergence by dimension": "Intervals count groups of prompts, and not pairs.",
}
_POOLED = (
    "Rate and odds ratio are over all rows, whatever mix of strata a group has. The odds ratio"
    " within strata is Mantel and Haenszel’s, as is p: it compares like with like. Where the two"
    " are on different sides of 1, the strata turn the comparison round."
)


def _first_with(test: TestResult, sql: str | None) -> int:
    """Return the line of the first group with this query: parts share the rows of a group."""
    return next(line for line, one in enumerate(test.groups, 1) if one.rows_sql == sql)


def _placed(group: GroupResult) -> str:
    stratum = "" if group.stratum is None else f"{key(group.stratum)}: "
    return f"{stratum}{key(group.key)}"


def _limit(limit: ThresholdResult, test: TestResult) -> Limit:
    observed, wanted = numbers_apart(limit)
    verdicts = {True: "passed", False: "failed", None: "skipped"}
    return Limit(
        title=_title(limit.measurement, test),
        name=limit.measurement,
        observed=observed,
        interval=_interval(test, limit.measurement),
        wanted=f"{operator_sign(limit.operator)} {wanted}",
        verdict=verdicts[limit.passed],
    )


def _other_measurements(test: TestResult) -> Iterator[Limit]:
    limited = {limit.measurement for limit in test.thresholds}
    for name, value in test.measurements.items():
        if name not in limited and value is not None:
            yield Limit(_title(name, test), name, number(value), _interval(test, name))


def _interval(test: TestResult, name: str) -> str:
    bounds = test.intervals.get(name)
    return "" if bounds is None else f"{number(bounds[0])} to {number(bounds[1])}"


def _title(name: str, test: TestResult) -> str:
    """Return a measurement's name in words: its own, or that of the metric that it is."""
    if name in MEASUREMENTS:
        return MEASUREMENTS[name]
    label = name.replace("_", " ")
    if test.type == "metric_threshold":
        label = next((part.label for part in test.parts if part.metric == name), label)
        if test.metric is not None:
            label = test.metric.label
    return shown(label[:1].upper() + label[1:])


def _full(value: float | None) -> str:
    return number(None) if value is None else repr(value)


def _parameter(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{shown(str(name))}: {_parameter(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_parameter, value)) if value else "none"
    return shown(str(value))


def _test_evidence(test: TestResult) -> Iterator[tuple[str, str]]:
    yield "type", shown(test.type)
    if test.reason:
        yield "reason", shown(test.reason)
    rows: Mapping[str, int | None] = vars(test.rows)
    for name, count in rows.items():
        yield f"rows, {name.replace('_', ' ')}", number(count)
    yield "value over all rows", _full(test.overall_value)
    if test.comparison is not None:
        point = "all rows" if test.comparison.key is None else key(test.comparison.key)
        yield "compared with", f"{point}, {_full(test.comparison.value)}"
    if test.query_ids:
        yield "query ids", shown(", ".join(test.query_ids))
    yield "seconds in the warehouse", f"{test.elapsed_seconds:.3f}"


def _sql(text: str) -> Sql:
    """Return SQL as it may be shown: what is invisible or turns the direction is escaped."""
    text = text.strip()
    lines = ("\t".join(shown(part) for part in line.split("\t")) for line in text.split("\n"))
    visible = "\n".join(lines)
    if not can_hold(text):
        return Sql(visible, is_whole=False)
    return Sql(visible, None if visible == text else text)


# --- evidence ----------------------------------------------------------------------------------


def _statements(run: Run, anchors: Mapping[int, str]) -> list[Statement]:
    """Return each statement once, with the tests that it served in the order of the suite."""
    served: dict[str, list[tuple[str, str]]] = {}
    names = names_of(run.tests)
    for place, test in enumerate(run.tests):
        for sql in test.sql:
            served.setdefault(sql, []).append((anchors[place], shown(names[place])))
    return [
        Statement(f"statement-{place}", f"statement {place}", _sql(sql), tests)
        for place, (sql, tests) in enumerate(served.items(), 1)
    ]


def _evidence(run: Run) -> Iterator[tuple[str, str]]:
    yield "suite", shown(run.suite) if run.suite else "made in Python"
    yield "SHA-256 of the tests", run.suite_sha256
    yield "warehouse", shown(f"{run.warehouse_name} (dialect {run.dialect})")
    if run.warehouse_version:
        yield "engine", shown(run.warehouse_version)
    yield "started", shown(run.started_at)
    yield "finished", shown(run.finished_at)
    yield "scans", number(run.scans)
    software = {"fairsql": run.fairsql_version, **run.software}
    yield (
        "software",
        ", ".join(f"{shown(name)} {shown(version)}" for name, version in software.items()),
    )
