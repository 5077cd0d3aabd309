"""Markdown: it fits a comment, and data stays text in it."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from fairsql.report.markdown import MAX_CHARACTERS, in_code, in_text, run_markdown
from fairsql.report.presets.nyc_ll144 import local_law_144
from tests.report.hostile import hostile_facts
from tests.report.runs import HOSTILE, full_run
from tests.report.samples import FAILED, GROUP, REFERENCE, TEST, run_of

GITHUB = MarkdownIt("gfm-like", {"linkify": False})
ALLOWED = {"details", "summary", "code", "h3", "p", "table", "thead", "tbody", "tr", "th", "td",
           "ul", "li", "strong"}  # fmt: skip


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_the_summary_comes_first_and_the_failed_first_in_it() -> None:
    skipped = replace(TEST, name="skips", status="skipped", message="no rows.", groups=())
    lines = run_of(TEST, skipped, replace(FAILED, name="fails")).to_markdown().splitlines()
    assert lines[0] == "### fairsql: 1 failed, 1 skipped, 1 passed"
    assert lines[4:9] == [
        "| | test | result | groups |",
        "| --- | --- | --- | ---: |",
        "| ✗ failed | <code>fails</code> | failing_group_count 1, wants &#60;= 0 | 2 |",
        "| – skipped | <code>skips</code> | no rows. | 2 |",
        "| ✓ passed | <code>approvals by sex</code> | failing_group_count 0,"
        " min_metric_ratio 0.8 | 2 |",
    ]
    assert lines[10] == "<details><summary>✗ failed <code>fails</code></summary>"


def test_details_have_thresholds_groups_and_notes() -> None:
    text = run_of(replace(FAILED, notes=("mind this.",))).to_markdown()
    assert "| failing_group_count &#60;= 0 | 1 | **broken** |" in text
    head = "| <code>sex</code> | rows | share | value | interval | ratio | gap | p |  |"
    row = (
        "| <code>F</code> | 80 | 0.5000 | 0.1375 | 0.2768 to 0.4844 | 0.3667 | 0.07500 | 0.4008"
        " | failed |"
    )
    assert head in text
    assert row in text
    assert "- mind this.\n" in text


def test_nothing_of_the_data_becomes_markup() -> None:
    page = Tags(GITHUB.render(full_run().to_markdown()))
    assert page.tags <= ALLOWED
    assert page.attributes <= {"style"}  # of a table's alignment
    # What a name holds is there to be read, all of it.
    for name in HOSTILE:
        if name.isprintable() and len(name) < 100:
            assert name in page.text, name


def test_facts_of_a_results_file_are_text_too() -> None:
    for text in (hostile_facts().to_markdown(), local_law_144(hostile_facts())):
        page = Tags(GITHUB.render(text))
        assert page.tags <= ALLOWED | {"h1", "h2"}
        assert "\n# H1" not in text
        rendered = re.sub(r"<code>.*?</code>", "", text)
        assert "@" not in rendered
        assert "&#64;o" not in rendered  # GitHub would read it as a mention
        for table in re.findall(r"(?m)(?:^\|.*\|\n)+", text):
            assert len({line.count("|") for line in table.splitlines()}) == 1
    assert "2026-11-30T10:00:00Z" in run_of(TEST).to_markdown()


def test_a_row_has_as_many_cells_as_its_table() -> None:
    for table in re.findall(r"(?m)(?:^\|.*\|\n)+", full_run().to_markdown()):
        assert len({line.count("|") for line in table.splitlines()}) == 1


@pytest.mark.parametrize("text", [in_code, in_text])
def test_nobody_is_mentioned_and_nothing_linked(text: object) -> None:
    assert callable(text)
    written = text(HOSTILE[5])
    # GitHub links what it finds in rendered text, though not in code.
    rendered = re.sub(r"<code>.*?</code>", "", GITHUB.renderInline(written))
    assert not re.search(r"@\w|#\d", Tags(rendered).text)
    assert not re.search(r"[@#$:]", re.sub("&#[0-9]+;", "", written))
    assert "https://" not in written
    assert "www.evil" not in written


@pytest.mark.parametrize("tests", [1, 30, 200, 3000])
def test_it_fits_a_comment_and_says_what_was_left_out(tests: int) -> None:
    wide = replace(
        FAILED,
        groups=(
            *(replace(GROUP, key={"sex": f"😀 {n} " + "x" * 50}) for n in range(99)),
            REFERENCE,
        ),
        groups_total=812,
    )
    made = [replace(wide, name=f"test {n}") for n in range(tests)]
    made += [replace(TEST, name=f"passed {n}") for n in range(tests)]
    text = run_of(*made).to_markdown()
    assert length(text) <= MAX_CHARACTERS
    assert text.count("<details>") == text.count("</details>")
    folded = text.count("<details>")
    if folded < 2 * tests:
        assert f"The details of {2 * tests - folded:,} tests had no room here" in text
    listed = len(re.findall(r"(?m)^\| [✗✓] ", text))
    if listed < 2 * tests:
        assert f"… and {2 * tests - listed:,} more tests without a row here" in text
        assert text.index("✗ failed") < text.index("more tests without a row")
    assert "… and 712 more groups: the results file." in text or tests == 3000
    # No group is cut in two: every row ends.
    assert all(line.endswith("|") for line in text.splitlines() if line.startswith("|"))


def test_what_is_left_out_is_counted_by_status() -> None:
    made = [FAILED] * 3 + [TEST] * 100
    text = run_markdown(run_of(*made), limit=2000)
    assert length(text) <= 2000
    listed = len(re.findall(r"(?m)^\| [✗✓] ", text))
    assert 3 < listed < 103
    assert f"… and {103 - listed} more tests without a row here: {103 - listed} passed." in text


def test_a_suppressed_group_is_a_bound() -> None:
    text = full_run().to_markdown()
    assert "| <code>Few</code> | &#60; 100 | – | – | – | – | – | – | " in text
