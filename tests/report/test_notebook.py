"""Results in a notebook: shown by IPython itself, self-contained, and without the data's markup."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.report.runs import HOSTILE, full_run
from tests.report.samples import FAILED, GROUP, REFERENCE, run_of

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = {"div", "span", "b", "br", "table", "thead", "tbody", "tr", "th", "td"}
NOTEBOOK = """
import sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

shell = InteractiveShell.instance()
with capture_output():
    shell.run_cell("import fairsql, duckdb")
    shell.run_cell(
        "connection = duckdb.connect()\\n"
        "connection.execute('''create table loans as select case when i < 80 then 'F' else 'M' end"
        " as sex, (i < 23 or i >= 130)::int as approved from range(160) as rows(i)''')"
    )
    test = shell.run_cell(
        "fairsql.group_metric_parity(connection, 'loans', protected_attribute_columns=['sex'],"
        " parity_metric='rate', value_column='approved', positive_values=['1'],"
        " higher_is_better=True)"
    ).result
    run = shell.run_cell("fairsql.load_suite('suite.yml').run(connection)").result
    chart = shell.run_cell("_.tests[0].plot()").result
formatter = shell.display_formatter
for shown in (test, run, chart):
    data, _ = formatter.format(shown)
    html = data.get("text/html", "")
    print(sorted(data), "failed" in html, "0.2875" in html, file=sys.stderr)
"""


class Tags(HTMLParser):
    """What a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_notebook_shows_results_runs_and_charts(tmp_path: Path) -> None:
    (tmp_path / "suite.yml").write_text(
        "version: 1\ntests:\n  - {name: a, type: group_metric_parity, relation: loans,"
        " protected_attribute_columns: [sex], parity_metric: rate, value_column: approved,"
        ' positive_values: ["1"], higher_is_better: true}\n'
    )
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK], cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": ""}, timeout=120, check=False,
    )  # fmt: skip
    test, run, chart = done.stderr.splitlines()[-3:]
    assert test == "['text/html', 'text/plain'] True True"
    assert run == "['text/html', 'text/plain'] True False"
    assert chart == "['text/html', 'text/plain'] False True"  # altair's own


def test_the_html_is_self_contained_and_has_nothing_of_the_data() -> None:
    run = full_run()
    for page in (run._repr_html_(), *(test._repr_html_() for test in run.tests)):
        tags = Tags(page)
        assert set(tags.tags) <= ALLOWED
        assert tags.attributes <= {"style", "scope"}
        assert "url(" not in page
    text = Tags("".join(test._repr_html_() for test in run.tests)).text
    for name in HOSTILE:
        if name.isprintable() and len(name) < 100:
            assert name in text


def test_no_color_is_of_a_light_or_a_dark_page_alone() -> None:
    page = full_run()._repr_html_() + full_run().tests[1]._repr_html_()
    for color in set(re.findall("#[0-9a-f]{6}", page)):
        red, green, blue = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
        luminance = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
        # WCAG's contrast with white and with black, as large text has it.
        assert 1.05 / (luminance + 0.05) > 3, color
        assert (luminance + 0.05) / 0.05 > 3, color
    assert set(re.findall("background:[a-z#0-9]+", page)) == {"background:transparent"}


def test_many_groups_are_cut_and_counted() -> None:
    groups = (*(replace(GROUP, key={"sex": f"g{n}"}) for n in range(99)), REFERENCE)
    page = replace(FAILED, groups=groups, groups_total=500)._repr_html_()
    assert "… and 480 more groups" in page
    assert ">g19<" in page
    assert ">g20<" not in page
    assert len(page) < 20_000


def test_a_suppressed_group_is_a_bound() -> None:
    (test,) = [test for test in full_run().tests if test.name == "hides small groups"]
    (row,) = re.findall("<tr><td[^>]*>Few</td>.*?</tr>", test._repr_html_())
    assert Tags(row).text.startswith("Few< 100––––––")


@pytest.mark.parametrize("tests", [0, 1])
def test_a_run_of_any_size_is_shown(tests: int) -> None:
    assert "1 scan" in run_of(*[FAILED] * tests)._repr_html_()
