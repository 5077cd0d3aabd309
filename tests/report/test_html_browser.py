"""The HTML report in a real browser: Debian's Chromium opens the file from disk."""

from __future__ import annotations

import csv
import io
import os
import shutil
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import fairsql
from fairsql.demo.unpack import DATABASE, SUITE, unpack
from fairsql.report import number, words
from fairsql.report.separated import run_csv
from tests.report.answers import answers
from tests.report.every_type import every_type, result
from tests.report.hostile import HOSTILE, hostile_run, large_suite, nothing_judged, thousand_groups
from tests.report.pasts import history_of
from tests.report.samples import run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from fairsql.results import Run

pytestmark = pytest.mark.xdist_group("browser")

WIDE, NARROW = 1280, 375
UNHELD = {"\x00\x1b[31m", "\ud800"}
MAKERS: dict[str, Callable[[], Run]] = {
    "every_type": every_type,
    "hostile": hostile_run,
    "nothing_judged": nothing_judged,
    "thousand_groups": thousand_groups,
    "large_suite": large_suite,
    "answers": answers,
}
KINDS = ["demo", *MAKERS]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        reason = "there is no chromium on PATH"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("demo")
    unpack(folder)
    with closing(fairsql.connect(f"duckdb:///{folder / DATABASE}")) as warehouse:
        return fairsql.load_suite(folder / SUITE).run(warehouse)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, demo: Run) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    runs = {"demo": demo, **{name: make() for name, make in MAKERS.items()}}
    for name, run in runs.items():
        past = history_of(run, 120) if name in ("demo", "hostile", "every_type") else ()
        run.write_html(folder / f"{name}.html", past)
    return {name: folder / f"{name}.html" for name in runs}


@pytest.fixture
def opened(browser: Browser, files: dict[str, Path]) -> Iterator[Callable[..., Page]]:
    """Open a report; what it asks of the network, and what goes wrong in it, is a failure."""
    problems: list[str] = []
    contexts = []

    def open_report(
        name: str, *, width: int = WIDE, dark: bool = False, scripts: bool = True
    ) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            java_script_enabled=scripts,
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: check(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.goto(files[name].as_uri())
        return page

    def check(url: str) -> None:
        if not url.startswith(("file:", "blob:", "data:")):
            problems.append(url)

    yield open_report
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_nothing_overflows_and_nothing_of_the_data_runs(
    opened: Callable[..., Page], name: str, width: int
) -> None:
    page = opened(name, width=width)
    # Folded parts too.
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(50)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    stick_out = page.evaluate(
        """(width) => [...document.querySelectorAll('body *')].filter((one) => {
            if (one.closest('.scroll, pre.whole, .skip, .unseen')) return false;
            const box = one.getBoundingClientRect();
            return box.width > 0 && (box.right > width + 1 || box.left < -1);
        }).map((one) => one.outerHTML.slice(0, 200))""",
        width,
    )
    assert not stick_out
    assert page.evaluate("window.harmed ?? null") is None


@pytest.mark.parametrize("name", KINDS[:-1])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_axe_finds_nothing_serious(
    opened: Callable[..., Page], name: str, dark: bool, width: int
) -> None:
    page = opened(name, dark=dark, width=width)
    if name == "demo":
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found = Axe().run(page).response["violations"]
    serious = [
        f"{rule['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"][:3]
    ]
    assert not serious, "\n".join(serious)


def test_text_of_the_data_stands_as_it_is(opened: Callable[..., Page]) -> None:
    page = opened("hostile")
    headings = page.locator("h2").all_text_contents()
    for name in HOSTILE[:4]:
        assert name in headings
    assert page.locator("img, iframe, object, embed").count() == 0
    assert page.locator("script").count() == 1
    # A table cell has the name in full where it shows it escaped.
    row = page.locator("#test-1 tbody tr").nth(11)
    assert "\\u202e" in row.locator("th").first.inner_text()
    assert row.locator("th").first.get_attribute("data-v") == HOSTILE[11]


def test_everything_is_read_with_scripts_off(opened: Callable[..., Page], demo: Run) -> None:
    page = opened("demo", scripts=False)
    for test in demo.tests:
        assert page.get_by_role("heading", name=test.name, exact=True).is_visible()
    assert page.locator("button:visible").count() == 0
    section = page.locator("section.test").first
    for title in ("Group breakdown", "Key insights", "Bar graph", "Table"):
        assert section.get_by_role("heading", name=title, exact=True).is_visible()
    section.get_by_text("SQL that fetches the rows of a group").click()
    section.locator("details.sql summary").first.click()
    assert "select *" in section.locator("details.sql pre").first.inner_text()


def test_every_shown_number_is_the_results(opened: Callable[..., Page], demo: Run) -> None:
    page = opened("demo")
    for place, test in enumerate(demo.tests, 1):
        rows = page.locator(f"#test-{place} table[data-flags] tbody tr")
        assert rows.count() == len(test.groups)
        heads = page.locator(f"#test-{place} table[data-flags] thead th").evaluate_all(
            "(heads) => heads.map((head) => head.dataset.name)"
        )
        for row, group in zip(rows.all(), test.groups, strict=True):
            cells = dict(zip(heads, row.locator("th, td").all_inner_texts(), strict=True))
            low, high = group.confidence_interval or (None, None)
            expected: dict[str, Any] = {
                **{name: getattr(group, name) for name in ("rows", "value", "ratio", "p_value")},
                "interval_low": low,
                "interval_high": high,
                "difference": group.difference,
                "p_value_adjusted": group.p_value_adjusted,
                **{f"statistics_{name}": each for name, each in (group.statistics or {}).items()},
            }
            for name, value in expected.items():
                assert cells[name] == number(value, padded=isinstance(value, float)), name
            assert [cells[name] for name in group.key] == list(group.key.values())


def test_columns_sort_by_number_and_by_text(opened: Callable[..., Page]) -> None:
    page = opened("demo")
    table = page.locator("#test-10 table[data-flags]")

    def column(name: str) -> list[str]:
        texts: list[str] = table.evaluate(
            """(table, name) => {
                const heads = [...table.tHead.rows[0].cells].map((head) => head.dataset.name);
                return [...table.tBodies[0].rows].map((row) => {
                    const cell = row.cells[heads.indexOf(name)];
                    return cell.dataset.v ?? cell.textContent;
                });
            }""",
            name,
        )
        return texts

    def press(title: str) -> str | None:
        head = table.locator("thead th", has=page.get_by_role("button", name=title, exact=True))
        head.get_by_role("button").press("Enter")
        return head.get_attribute("aria-sort")

    assert press("Rows") == "ascending"
    rows = [int(text.replace(",", "")) for text in column("rows")]
    assert rows == sorted(rows)
    assert rows[-1] > 1000
    assert press("Rows") == "descending"
    rows = [int(text.replace(",", "")) for text in column("rows")]
    assert rows == sorted(rows, reverse=True)
    assert press("p") == "ascending"
    p_values = column("p_value")
    known = [float(text) for text in p_values if text]
    assert known == sorted(known)
    assert len(known) == 4
    assert p_values[4:] == [""] * 6  # what has no value comes last, in either direction
    assert press("p") == "descending"
    assert column("p_value")[4:] == [""] * 6
    assert press("race") == "ascending"
    assert column("race") == sorted(column("race"))
    assert table.locator("[aria-sort]").count() == 1


def downloaded(page: Page, anchor: str) -> tuple[str, list[dict[str, str]]]:
    with page.expect_download() as download:
        page.locator(f"#{anchor} button.download").click()
    data = download.value.path().read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")  # so that a spreadsheet reads it as UTF-8
    text = data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    return download.value.suggested_filename, rows


def test_the_download_has_every_number_in_full(opened: Callable[..., Page], demo: Run) -> None:
    page = opened("demo")
    test = demo.tests[9]
    name, rows = downloaded(page, "test-10")
    assert name == "Predicted-high-incomes-by-race-and-sex.csv"
    assert len(rows) == len(test.groups)
    for row, group in zip(rows, test.groups, strict=True):
        assert {attribute: row[attribute] for attribute in group.key} == dict(group.key)
        for field in ("rows", "missing_metric_inputs", "share", "value", "ratio", "difference",
                      "p_value", "p_value_adjusted", "denominator"):  # fmt: skip
            value = getattr(group, field)
            assert row[field] == ("" if value is None else repr(value)), field
        for statistic, value in (group.statistics or {}).items():
            assert row[f"statistics_{statistic}"] == repr(value)
        for flag in ("sufficient", "is_reference", "worse", "significant", "failed", "suppressed"):
            assert row[flag] == str(getattr(group, flag)).lower()


def test_each_part_of_a_test_has_a_download_of_its_own(opened: Callable[..., Page]) -> None:
    page = opened("every_type")
    place = [test.name for test in every_type().tests].index("Admissions by sex within departments")
    section = page.locator(f"#test-{place + 1}")
    buttons = section.locator("button.download")
    assert buttons.count() == 7
    files = []
    for line in range(7):
        with page.expect_download() as download:
            buttons.nth(line).click()
        files.append(download.value)
    assert len({file.suggested_filename for file in files}) == 7
    tables = [file.path().read_text(encoding="utf-8-sig").splitlines() for file in files]
    (pooled,) = csv.DictReader(tables[-1])
    (expected,) = result("Admissions by sex within departments").pooled
    assert (pooled["sex"], pooled["compared_with"], pooled["turned_round"]) == (
        "Female", "Male", "true",
    )  # fmt: skip
    assert float(pooled["value"]) == expected.value
    assert float(pooled["odds_ratio"]) == expected.odds_ratio


def test_metrics_are_downloaded_with_their_thresholds(opened: Callable[..., Page]) -> None:
    page = opened("every_type")
    place = [test.name for test in every_type().tests].index("Quality of the prediction")
    _, rows = downloaded(page, f"test-{place + 1}")
    measured = result("Quality of the prediction").measurements
    assert {row["metric"]: float(row["value"]) for row in rows} == measured
    assert [row["threshold"] for row in rows] == [
        ">= 0.5",
        ">= 0.9",
        ">= 0.5",
        ">= 0.5 and < 0.999",
    ]
    assert [row["failed"] for row in rows] == ["false", "true", "false", "false"]


def test_the_download_of_hostile_names_is_inert_and_reads_back(
    opened: Callable[..., Page],
) -> None:
    _, rows = downloaded(opened("hostile"), "test-1")
    names = [row["<b>"] for row in rows[:-1]]
    # HTML has no way to hold a lone surrogate or a NUL: they stay the escapes that are shown.
    held = [words.shown(name) if name in UNHELD else name for name in HOSTILE]
    formulas = {"=1+1", "@cmd", "-1e5", "+0x1F", "=", "\r=1"}
    assert names == [f"'{name}" if name in formulas else name for name in held]


def test_the_download_has_the_formula_rule_of_the_runs_csv(opened: Callable[..., Page]) -> None:
    _, rows = downloaded(opened("hostile"), "test-1")
    test = hostile_run().tests[0]
    held = [
        group
        for group in test.groups
        if not UNHELD & set(group.key.values()) and "\r" not in group.key["<b>"]
    ]
    text = run_csv(run_of(replace(test, groups=tuple(held))))
    ours = {row["key_2"] for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert len(ours) == len(held)
    assert ours <= {row["<b>"] for row in rows}


def test_sql_is_copied_with_every_character_or_not_at_all(opened: Callable[..., Page]) -> None:
    page = opened("hostile")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(50)
    for place, name in enumerate(HOSTILE, 1):
        pre = page.locator(f"#test-1-rows-{place}")
        sql = hostile_run().tests[0].groups[place - 1].rows_sql
        details = page.locator("details.sql", has=pre).last
        if name in UNHELD:
            assert details.get_by_role("button", name="Copy").count() == 0
            assert "copy it from the results file" in details.inner_text()
            continue
        assert details.get_by_role("button", name="Copy").count() == 1
        assert pre.evaluate("(pre) => pre.dataset.copy ?? pre.textContent") == sql


def test_half_an_escape_in_the_address_is_no_error(opened: Callable[..., Page]) -> None:
    page = opened("demo")
    page.goto(page.url + "#%E0%A4")
    page.reload()
    assert page.locator("h1").is_visible()  # and the fixture saw no error of the page


def test_sql_is_copied_as_it_is(opened: Callable[..., Page], demo: Run) -> None:
    page = opened("demo")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    section = page.locator("#test-3")
    section.get_by_text("SQL that fetches the rows of a group").click()
    section.locator("details.sql summary").first.click()
    section.get_by_role("button", name="Copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == demo.tests[2].groups[0].rows_sql
    assert page.locator("#said").inner_text() == "Copied"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_groups_rows_lead_to_their_sql(
    opened: Callable[..., Page], demo: Run, scripts: bool
) -> None:
    page = opened("demo", scripts=scripts)
    row = page.locator("#test-10 tbody tr").nth(2)
    row.get_by_role("link", name="492").click()
    group = demo.tests[9].groups[2]
    assert group.rows == 492
    shown = page.locator("#test-10 pre:visible")
    assert shown.count() == 1
    assert shown.inner_text() + "\n" == group.rows_sql


def test_a_link_opens_what_is_folded(opened: Callable[..., Page]) -> None:
    page = opened("demo")
    page.locator("#test-3").get_by_text("Parameters and evidence").click()
    page.locator("#test-3").get_by_role("link", name="statement").first.click()
    assert page.locator("section.evidence details[open] pre").first.is_visible()


def test_charts_suit_the_screen_and_are_named(opened: Callable[..., Page]) -> None:
    for width, shown, hidden in ((WIDE, ".wide", ".narrow"), (NARROW, ".narrow", ".wide")):
        page = opened("demo", width=width)
        chart = page.locator("#test-10 figure").first
        assert chart.locator(f"{shown} svg").is_visible()
        assert chart.locator(f"{hidden} svg").is_hidden()
        box = chart.locator(f"{shown} svg").bounding_box()
        assert box is not None
        assert box["width"] <= width
        name = "Bar graph: Predicted high incomes by race and sex"
        assert page.get_by_role("img", name=name).count() == 1
        # Text of a chart is text, and large enough to read.
        size = chart.locator(f"{shown} svg text", has_text="White / Female").bounding_box()
        assert size is not None
        assert size["height"] >= 11


def test_the_keyboard_reaches_everything(opened: Callable[..., Page]) -> None:
    page = opened("demo")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the tests"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#test-3"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_paper_has_the_evidence_and_no_buttons(opened: Callable[..., Page]) -> None:
    page = opened("demo")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("button.download:visible, button.copy:visible").count() == 0
    assert page.locator("#test-1 thead th").all_inner_texts()[:3] == ["race", "Verdict", "Rows"]
    assert page.locator("section.evidence pre").first.is_visible()
    assert page.locator("#test-1 .pairs").first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("section.evidence pre").first.is_hidden()
    assert len(page.pdf(format="A4")) > 10_000
