"""Every report of a run shows the numbers of its results file, cell by cell.

A reader takes a run, has it written, and reads back what stands there. To have another report
compared, write its reader and add it to ``READERS``.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

import fairsql
from fairsql.demo.unpack import DATABASE, SUITE, unpack
from fairsql.report import render_html
from tests.report.runs import full_run
from tests.report.samples import page

if TYPE_CHECKING:
    from pathlib import Path

    from fairsql.results import Run

Cell = tuple[str, str, str]
"""Test, group, field. The group of a test's own fields is the empty text."""

MEASUREMENTS = (
    "failing_group_count", "failing_group_percentage", "min_metric_ratio", "max_metric_difference",
    "worst_group_value", "significant_disparity_count", "insufficient_group_count",
    "missing_attribute_rate", "min_group_share", "undefined_group_count",
)  # fmt: skip
NUMBERS = ("rows", "share", "value", "low", "high", "ratio", "difference", "p")
TITLES = {"gap": "difference", "adjusted p": "p"}
STATUSES = {"✓": "passed", "✗": "failed", "–": "skipped", "!": "error"}


def in_json(run: Run) -> Iterator[tuple[Cell, Any]]:
    """The truth: what the results file says."""
    for test in json.loads(run.to_json())["tests"]:
        yield (test["name"], "", "status"), test["status"]
        for name in MEASUREMENTS:
            yield (test["name"], "", name), test["measurements"][name]
        adjusted = test["parameters"]["p_value_adjustment"] != "none"
        for group in test["groups"]:
            low, high = group["confidence_interval"] or (None, None)
            p_value = group["p_value_adjusted" if adjusted else "p_value"]
            of = {**group, "low": low, "high": high, "p": p_value}
            if group["suppressed"]:
                of["rows"] = f"< {test['parameters']['min_reported_rows']}"
            for name in NUMBERS:
                yield (test["name"], " / ".join(group["key"].values()), name), of[name]


# --- readers ---------------------------------------------------------------------------------


def in_csv(run: Run) -> Iterator[tuple[Cell, str]]:
    adjustments = {test.name: test.parameters["p_value_adjustment"] for test in run.tests}
    for row in csv.DictReader(io.StringIO(run.to_csv())):
        name = row["test"]
        yield (name, "", "status"), row["status"]
        yield from (((name, "", field), row[field]) for field in MEASUREMENTS)
        group = " / ".join(row[f"key_{n}"] for n in (1, 2, 3) if row[f"attribute_{n}"])
        if not group:
            continue
        p_value = row["p_value" if adjustments[name] == "none" else "p_value_adjusted"]
        of = {**row, "low": row["interval_low"], "high": row["interval_high"], "p": p_value}
        yield from (((name, group, field), of[field]) for field in NUMBERS)


def in_markdown(run: Run) -> Iterator[tuple[Cell, str]]:
    _, *parts = run.to_markdown().split("<details>")
    for part in parts:
        _, status, name = _text(part.partition("</summary>")[0]).split(" ", 2)
        yield (name, "", "status"), status
        facts = next((line for line in part.splitlines() if " · " in line), "")
        for fact in facts.split(" · "):
            measurement, _, value = _text(fact).rpartition(" ")
            if measurement in MEASUREMENTS:
                yield (name, "", measurement), value
        lines = [line for line in part.splitlines() if line.startswith("| <code>")]
        rows = [[_text(cell) for cell in line.strip("|").split(" | ")] for line in lines]
        titles = rows[0][1:] if rows else []
        for key, *cells in rows[1:]:
            yield from _group_cells(name, key, dict(zip(titles, cells, strict=True)))


def in_junit(run: Run) -> Iterator[tuple[Cell, str]]:
    tags = {"failure": "failed", "skipped": "skipped", "error": "error"}
    for case in ElementTree.fromstring(run.to_junit()).iter("testcase"):  # noqa: S314
        name = case.attrib["name"]
        outcomes = [tags[child.tag] for child in case if child.tag in tags]
        yield (name, "", "status"), outcomes[0] if outcomes else "passed"
        for line in (case.findtext("system-out") or "").splitlines()[1:]:
            subject, _, said = line.partition(": ")
            if subject in MEASUREMENTS:
                yield (name, "", subject), said
            elif said.startswith("rows "):
                facts = [re.fullmatch("([a-z ]+) ([^a-z].*)", fact) for fact in said.split(", ")]
                cells = {found[1]: found[2] for found in facts if found}
                yield from _group_cells(name, subject, cells)


def in_terminal(run: Run) -> Iterator[tuple[Cell, str]]:
    for test in run.tests:
        lines = page([test], width=250, verbose=True).splitlines()
        yield (test.name, "", "status"), STATUSES[lines[0][0]]
        if not test.groups:
            continue
        header = next(place for place, line in enumerate(lines) if re.search(r" rows  ", line))
        _, *titles = re.finditer(r"\S+(?: \S+)*", lines[header])
        for line in lines[header + 1 : lines.index("", header)]:
            cells, start = {}, 0
            for title in titles:  # numbers end where their title ends
                cells[title[0]] = line[start : title.end()].strip()
                start = title.end()
            key, _, rows = cells["rows"].rpartition("  ")
            yield from _group_cells(test.name, key.strip(), {**cells, "rows": rows.strip()})


def in_notebook(run: Run) -> Iterator[tuple[Cell, str]]:
    for test in run.tests:
        page = test._repr_html_()
        yield (test.name, "", "status"), _text(page.partition("<b>")[0]).split()[1]
        rows = [
            [_text(cell) for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row)]
            for row in re.findall("<tr>.*?</tr>", page)
        ]
        for key, *cells in rows[1:]:
            yield from _group_cells(test.name, key, dict(zip(rows[0][1:], cells, strict=True)))


def in_html(run: Run) -> Iterator[tuple[Cell, str]]:
    adjusted = {test.name: test.parameters["p_value_adjustment"] != "none" for test in run.tests}
    fields = {"interval_low": "low", "interval_high": "high"}
    for section in re.findall(r'(?s)<section class="test .*?</section>', render_html(run)):
        name = _text(re.findall("(?s)<h2[^>]*>(.*?)</h2>", section)[0])
        yield (name, "", "status"), re.findall('class="test ([a-z]+)"', section)[0]
        columns = re.findall('<th scope="col"[^>]* data-name="([^"]*)"', section)
        width = columns.index("remark") if columns else 0
        p_value = "p_value_adjusted" if adjusted[name] else "p_value"
        for row in re.findall(r"(?s)<tr data-flags=[^>]*>(.*?)</tr>", section):
            cells = [_text(cell) for cell in re.findall("(?s)<t[hd][^>]*>(.*?)</t[hd]>", row)]
            key = " / ".join(cells[:width])
            for column, text in zip(columns, cells, strict=True):
                field = "p" if column == p_value else fields.get(column, column)
                if field in NUMBERS:
                    yield (name, key, field), text


READERS: dict[str, Callable[[Run], Iterator[tuple[Cell, str]]]] = {
    "CSV": in_csv,
    "Markdown": in_markdown,
    "JUnit": in_junit,
    "terminal": in_terminal,
    "notebook": in_notebook,
    "HTML": in_html,
}
SHOWS_NO_MEASUREMENTS = {"terminal", "notebook", "HTML"}  # but those that a threshold is set on


def _text(markup: str) -> str:
    return html.unescape(re.sub("<[^>]*>", "", markup)).strip()


def _group_cells(test: str, key: str, cells: dict[str, str]) -> Iterator[tuple[Cell, str]]:
    if key == "all rows":  # what groups are compared with, and no group
        return
    low, _, high = cells.get("interval", "").partition(" to ")
    for title, text in {**cells, "low": low, "high": high}.items():
        field = TITLES.get(title, title)
        if field in NUMBERS:
            yield (test, key, field), text


# --- comparison ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder: Path = tmp_path_factory.mktemp("demo") / "demo"
    unpack(folder)
    warehouse = fairsql.connect(f"duckdb:///{folder / DATABASE}")
    run = fairsql.load_suite(folder / SUITE).run(warehouse)
    warehouse.close()
    return run


@pytest.fixture(params=["demo", "every shape"])
def run(request: pytest.FixtureRequest, demo_run: Run) -> Run:
    if request.param == "demo":
        return demo_run
    full = full_run()
    return replace(full, tests=tuple(t for t in full.tests if t.relation != "hostile"))


@pytest.mark.parametrize("reader", READERS)
def test_a_report_shows_the_numbers_of_the_results(run: Run, reader: str) -> None:
    truth = dict(in_json(run))
    shown = dict(READERS[reader](run))
    assert set(shown) <= set(truth)
    wrong = {
        cell: (text, truth[cell]) for cell, text in shown.items() if not agrees(text, truth[cell])
    }
    assert not wrong
    missing = {cell for cell, value in truth.items() if value is not None and cell not in shown}
    if reader in SHOWS_NO_MEASUREMENTS:
        missing = {cell for cell in missing if cell[2] not in MEASUREMENTS}
    assert not missing


def agrees(text: str, exact: float | str | None) -> bool:
    """Whether a text is a number, right to four digits and to as many as it shows."""
    if exact is None:
        return text in ("", "–")
    if isinstance(exact, str):
        return text == exact
    if not re.fullmatch(r"-?[0-9,]*\.?[0-9]+(e-?[0-9]+)?", text):
        return False
    shown = Decimal(text.replace(",", ""))
    if isinstance(exact, int) or exact == 0:
        return shown == Decimal(exact)
    last = min(int(shown.as_tuple().exponent), shown.adjusted() - 3)
    # A double's shortest text is the double, though not its every decimal digit.
    return float(shown) == float(exact) or abs(shown - Decimal(exact)) <= Decimal(5).scaleb(
        last - 1
    )


@pytest.mark.parametrize(
    ("text", "exact", "expected"),
    [
        ("0.5230", 0.52299, True),
        ("0.5230", 0.5231, False),
        ("0.523", 0.52299, True),
        ("0.523", 0.5231, False),
        ("0.52299", 0.522987, True),
        ("0.52299", 0.522983, False),
        ("0.523", 0.523, True),
        ("7,214", 7214, True),
        ("7,214", 7215, False),
        ("5.068e-38", 5.0678e-38, True),
        ("–", None, True),
        ("0", None, False),
        ("–", 0.0, False),
        ("< 10", "< 10", True),
        ("9", "< 10", False),
    ],
)
def test_agreement_is_of_every_digit(text: str, exact: Any, expected: bool) -> None:
    assert agrees(text, exact) == expected


@pytest.mark.parametrize("reader", READERS)
def test_a_wrong_number_would_be_found(reader: str) -> None:
    run = replace(full_run(), tests=full_run().tests[:1])
    (test,) = run.tests
    other = replace(test.groups[0], value=(test.groups[0].value or 0) + 0.001)
    changed = replace(run, tests=(replace(test, groups=(other, *test.groups[1:])),))
    truth = dict(in_json(run))
    found = [cell for cell, text in READERS[reader](changed) if not agrees(text, truth[cell])]
    assert [field for *_, field in found] == ["value"]
