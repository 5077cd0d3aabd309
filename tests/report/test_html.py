"""The HTML report without a browser: it is whole, small, asks for nothing, and escapes the data."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import altair
import pytest
import vl_convert

import fairsql
from fairsql.report import number, render_html
from fairsql.report.html.charts import COLORS, NARROW, WIDE, bar_graph, chart, fail_line
from fairsql.results import Comparison, Metric
from tests.report.hostile import (
    BEYOND,
    HOSTILE,
    beyond_run,
    hostile_facts,
    hostile_run,
    large_suite,
    nothing_judged,
    thousand_groups,
)
from tests.report.pasts import history_of
from tests.report.samples import FAILED, GROUP, REFERENCE, TEST, run_of

if TYPE_CHECKING:
    from fairsql.results import TestResult

VOID = {"meta", "br", "hr", "img", "link", "input"}


class _Page(HTMLParser):
    """Text by element, and every attribute; complains of tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: dict[str, int] = {}
        self.attributes: list[tuple[str, str, str | None]] = []
        self.text: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.text.setdefault(self.open[-1], []).append(data)


@pytest.fixture(scope="module")
def hostile() -> _Page:
    return _Page(render_html(hostile_run()))


def test_text_of_the_data_makes_no_element_and_no_attribute(hostile: _Page) -> None:
    assert hostile.tags["script"] == hostile.tags["style"] == 1
    assert "img" not in hostile.tags
    assert not [found for found in hostile.attributes if found[1].startswith("on")]
    links = {value for tag, name, value in hostile.attributes if name in ("href", "src")}
    assert links
    assert all(link and link.startswith("#") for link in links)


def test_text_of_the_data_is_all_there(hostile: _Page) -> None:
    headings = "".join(hostile.text["h2"])
    for name in HOSTILE[:12]:
        if name.isprintable():
            assert name.strip() in headings
    everything = "".join(text for texts in hostile.text.values() for text in texts)
    assert "\u202e" not in everything.replace("".join(hostile.text["script"]), "")
    assert "\\u202e" in everything


def test_facts_of_a_results_file_are_text_too() -> None:
    text = render_html(hostile_facts())
    page = _Page(text)
    assert not {"img"} & set(page.tags)
    assert "\x00" not in text
    for test in hostile_facts().tests:
        svg = vl_convert.vegalite_to_svg(test.plot().to_json())
        ElementTree.fromstring(svg)  # noqa: S314 - of ours
        assert "<img" not in test._repr_html_()
    assert "<img" not in hostile_facts()._repr_html_()


def test_times_that_cannot_be_compared_tell_no_duration() -> None:
    for ends in (("2026-11-30T10:00:00", "2026-11-30T10:00:07Z"), ("early", "late")):
        run = replace(run_of(TEST), started_at=ends[0], finished_at=ends[1])
        assert "second" not in render_html(run).partition("<dt>When</dt>")[2].partition("</dd>")[0]
    run = replace(run_of(TEST), finished_at="2026-11-30T10:00:07Z")
    assert "in 7 seconds" in render_html(run)


def test_the_file_asks_for_nothing() -> None:
    text = render_html(run_of(TEST, FAILED))
    page = _Page(text)
    assert not {"link", "iframe", "img", "object", "embed", "base", "form"} & set(page.tags)
    names = {name for _, name, _ in page.attributes}
    assert not {"src", "srcset", "action", "background"} & names
    assert "url(" not in text
    assert "@import" not in text
    addresses = {word for word in text.replace('"', " ").split() if "://" in word}
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "default-src 'none'" in text


def test_thirty_tests_of_twenty_groups_are_small_enough() -> None:
    run = large_suite()
    assert [len(test.groups) for test in run.tests] == [20] * 30
    size = len(render_html(run, history_of(run, 60)).encode())
    assert size < 1_500_000, f"{size:,} bytes"


@pytest.mark.parametrize("make", [thousand_groups, nothing_judged])
def test_odd_runs_are_whole_pages(make: object) -> None:
    assert callable(make)
    run = make()
    page = _Page(render_html(run))
    assert page.tags["section"] == len(run.tests) + 1


def test_a_run_of_no_tests_says_so() -> None:
    assert "No test was run" in "".join(_Page(render_html(run_of())).text["h1"])


def test_what_did_not_pass_comes_first_and_nothing_is_hidden() -> None:
    tests = [
        replace(TEST, name="passes"),
        replace(TEST, name="skips", status="skipped", reason="no_rows", message="no rows."),
        replace(FAILED, name="fails"),
        replace(TEST, name="breaks", status="error", reason="error", message="no such table"),
    ]
    page = _Page(render_html(run_of(*tests)))
    assert "".join(page.text["h1"]) == (
        "Of 4 tests, 1 ended in an error, 1 failed and 1 could not be judged"
    )
    assert [text for text in page.text["h2"] if text.strip()][:4] == [
        "breaks",
        "fails",
        "skips",
        "passes",
    ]
    everything = "".join(page.text["li"])
    assert "The test could not be judged, which is not a pass: no rows." in everything
    assert "The test ended in an error, which is not a pass: no such table" in everything


def test_a_suppressed_group_shows_no_number() -> None:
    hidden = replace(
        GROUP, key={"sex": "few"}, rows=None, missing_metric_inputs=None, share=None, value=None,
        denominator=None, statistics=None, suppressed=True, confidence_interval=None, ratio=None,
        difference=None, p_value=None, p_value_adjusted=None,
    )  # fmt: skip
    parameters = {**TEST.parameters, "min_reported_rows": 10}
    text = render_html(run_of(replace(TEST, groups=(hidden, REFERENCE), parameters=parameters)))
    row = text.split(">few</th>")[1].split("</tr>")[0]
    assert row.count("<td") == row.count('data-v=""') + 1  # all but the verdict
    assert "&lt; 10" in row
    assert not [character for character in row.replace("&lt; 10", "") if character.isdigit()]


def test_numbers_near_a_threshold_are_told_apart() -> None:
    near = replace(FAILED.thresholds[0], measurement="min_metric_ratio", operator=">=", value=0.8,
                   observed=0.799996)  # fmt: skip
    text = render_html(run_of(replace(FAILED, thresholds=(near,))))
    assert "<b>0.799996</b>" in text
    assert "wants ≥ 0.8: broken" in text


def test_the_evidence_is_there() -> None:
    run = replace(
        run_of(replace(TEST, sql=("select 1 as shared",), query_ids=("01b2-77",)),
               replace(FAILED, sql=("select 1 as shared",))),
        suite="loans.yml", warehouse_version="DuckDB 2.0.1", software={"python": "3.13.1"},
    )  # fmt: skip
    text = render_html(run)
    assert text.count("select 1 as shared") == 1  # both tests link to it
    assert text.count('href="#statement-1"') == 2
    for fact in (run.suite_sha256, "01b2-77", "DuckDB 2.0.1", "python 3.13.1", "loans.yml"):
        assert fact in text


# --- charts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("higher", "point", "least", "most", "expected"),
    [
        (True, 0.5, 0.8, None, 0.4),
        (True, 0.5, 0.8, 0.05, 0.45),  # the nearer of the two
        (True, 0.5, 0.8, 0.2, 0.4),
        (False, 0.4, 0.8, None, 0.5),
        (False, 0.4, 0.8, 0.05, 0.45),
        (True, 0.0, 0.8, None, None),  # no ratio, no line
        (True, -1.0, 0.8, 0.5, -1.5),
    ],
)
def test_the_fail_line_is_where_a_group_begins_to_fail(
    higher: bool, point: float, least: float, most: float | None, expected: float | None
) -> None:
    test = replace(
        TEST,
        metric=Metric("rate", higher),
        comparison=Comparison("reference", {"sex": "M"}, point),
        parameters={"min_ratio": least, "max_difference": most},
    )
    assert fail_line(test) == (None if expected is None else pytest.approx(expected))


def valued(*values: float | None) -> TestResult:
    groups = tuple(
        replace(GROUP, key={"sex": f"g{place}"}, value=value, sufficient=place < 2)
        for place, value in enumerate(values)
    )
    return replace(TEST, groups=groups, metric=Metric("rate", higher_is_better=True))


@pytest.mark.parametrize("layout", [WIDE, NARROW])
def test_the_chart_is_one_that_vega_lite_knows(layout: object) -> None:
    drawn = chart(valued(0.1, -3, None, 1e9), layout)  # type: ignore[arg-type]
    assert isinstance(drawn, altair.LayerChart)
    assert drawn.to_dict(validate=True)["width"]


def test_a_chart_has_every_group_and_tells_small_ones_apart() -> None:
    picture = bar_graph(valued(0.1, 0.2, 0.3), "Bar graph: a test")
    assert picture is not None
    for svg in (picture.wide, picture.narrow):
        for text in ("g0", "g1", "g2", "too small to judge:", "Bar graph: a test"):
            assert f">{text}<" in svg
        assert svg.count(f'fill="{COLORS["small"]}"') == 1
        assert f">{number(0.2)}" in svg
    assert "Pale bars" in picture.caption


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        (2, "A group beyond the dashed line fails."),
        (
            3,
            "Of the groups large enough to judge, those beyond the dashed line fail. Pale bars are",
        ),
    ],
)
def test_the_caption_does_not_say_that_groups_too_small_to_judge_fail(
    groups: int, told: str
) -> None:
    test = valued(*(0.1, 0.2, 0.01)[:groups])
    picture = bar_graph(replace(test, parameters={**test.parameters, "min_ratio": 0.8}), "title")
    assert picture is not None
    assert told in picture.caption


def test_every_colour_of_a_chart_has_a_rule() -> None:
    style = (Path(fairsql.__file__).parent / "report" / "html" / "report.css").read_text()
    for test in (valued(0.1, 0.2, 0.3), FAILED):
        picture = bar_graph(test, "title")
        assert picture is not None
        for svg in (picture.wide, picture.narrow):
            used = {part[:7] for part in svg.split('"') if part.startswith("#")}
            assert used <= set(COLORS.values())
            for kind in ("fill", "stroke"):
                for color in used:
                    if f'{kind}="{color}"' in svg:
                        assert f'svg [{kind}="{color}"]' in style, (kind, color)


def test_nothing_to_draw_is_no_chart() -> None:
    assert bar_graph(valued(None, None), "title") is None


def test_long_names_beyond_the_first_plane_are_drawn_and_cut_between_characters() -> None:
    run = beyond_run()
    text = render_html(run, history_of(run, 3))
    assert text.count("<svg") == 3 * len(BEYOND)  # groups, wide and narrow, and history
    for test in run.tests:
        picture = bar_graph(test, "title")
        assert picture is not None
        for svg in (picture.wide, picture.narrow):
            name = next(iter(test.groups[0].key.values()))
            drawn = [one.text or "" for one in ElementTree.fromstring(svg).iter() if one.text]  # noqa: S314
            [ours] = [one for one in drawn if one[0] == name[0] and name.startswith(one[:3])]
            start, _, end = ours.partition("…")
            assert ours == name or (name.startswith(start) and name.endswith(end) and start and end)
        assert f">{name}</th>" in text  # the table has all of it


def test_a_name_that_has_room_is_not_cut() -> None:
    for name in ("Native American / Female", "Two or more races", "日本語の名前", "Österreich"):
        test = replace(FAILED, groups=(replace(GROUP, key={"a": name}), REFERENCE))
        picture = bar_graph(test, "title")
        assert picture is not None
        assert f">{name}<" in picture.wide
        assert f">{name}<" in picture.narrow


# --- files ---------------------------------------------------------------------------------------


def test_a_report_is_written_from_python(tmp_path: Path) -> None:
    run = run_of(TEST)
    run.write_html(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == render_html(run)
    with pytest.raises(OSError, match="directory"):
        run.write_html(tmp_path)


WRITER = """
import sys, time
from fairsql.files import whole_file
text = "<html>" + "x" * 5_000_000 + "</html>"
print("ready", flush=True)
while True:
    with whole_file(sys.argv[1]) as file:
        for place in range(0, len(text), 100_000):
            file.write(text[place:place + 100_000])
            file.flush()
"""


def test_a_writer_that_is_killed_leaves_a_whole_file_or_none(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    random.seed(11)
    sizes = []
    for _ in range(12):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(random.uniform(0, 0.05))  # noqa: S311 - no secret
            os.kill(writer.pid, signal.SIGKILL)
        if target.exists():
            text = target.read_text()
            assert text.startswith("<html>")
            assert text.endswith("</html>")
            sizes.append(len(text))
    assert set(sizes) == {5_000_013}
    # What was left half-written stands in nobody's way.
    run_of(TEST).write_html(target)
    assert target.read_text().startswith("<!doctype html>")
