"""The page of a run: what stands on it, and that every terminal can show it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from fairsql.report import ASCII, UNICODE, verdict_line
from fairsql.results import Comparison, Window
from tests.report.samples import FAILED, GROUP, REFERENCE, TEST, limit, page

SKIPPED = replace(
    TEST,
    name="incomes by region",
    status="skipped",
    reason="no_rows",
    message="the relation has no rows after where.",
    comparison=None,
    groups=(),
    groups_total=None,
)
ERROR = replace(SKIPPED, name="gone", status="error", reason="error", message="no such table.")
MANY = replace(
    FAILED,
    groups_total=14,
    groups=(
        *(replace(GROUP, key={"sex": f"g{n:02}"}, failed=True) for n in range(13)),
        REFERENCE,
    ),
)


def test_the_page_of_a_wide_terminal() -> None:
    assert page([TEST, FAILED, SKIPPED, ERROR]) == (
        "✓ passed   approvals by sex   failing_group_count 0, min_metric_ratio 0.8  2 groups\n"
        "✗ failed   approvals by sex   failing_group_count 1, wants <= 0            2 groups\n"
        "– skipped  incomes by region  the relation has no rows after where.\n"
        "! error    gone               no such table.\n"
        "\n"
        "approvals by sex\n"
        "  rate(approved) in loans\n"
        "  sex  rows   value   ratio      gap       p\n"
        "  F      80  0.1375  0.3667  0.07500  0.4008  failed\n"
        "  M      80  0.3750   1.000        0       –  reference\n"
        "\n"
        "1 passed · 1 failed · 1 skipped · 1 error · 1 scan · 0.4 s"
    )


def test_tests_stand_in_the_order_of_the_suite() -> None:
    names = [f"test {number}" for number in (3, 1, 2)]
    statuses = ("passed", "failed", "skipped")
    tests = [replace(TEST, name=n, status=s) for n, s in zip(names, statuses, strict=True)]  # type: ignore[arg-type]
    text = page(tests)
    assert sorted(names, key=text.index) == names


def test_a_skip_never_looks_like_a_pass() -> None:
    text = page([SKIPPED], color=True)
    assert "passed" not in text
    assert "\x1b[33m– skipped\x1b[0m" in text  # yellow; a pass is green
    assert "1 skipped" in text


def test_the_narrow_page_puts_results_below_names() -> None:
    assert page([TEST, SKIPPED], width=50).splitlines()[:5] == [
        "✓ passed   approvals by sex · 2 groups",
        "           failing_group_count 0, min_metric_ratio",
        "           0.8",
        "– skipped  incomes by region",
        "           the relation has no rows after where.",
    ]


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("marks", [UNICODE, ASCII])
@pytest.mark.parametrize("width", [20, 40, 60, 80, 109, 110, 200])
def test_nothing_is_wider_than_the_terminal(width: int, marks: object, verbose: bool) -> None:
    long = replace(
        FAILED,
        name="東京 " + "a very long name " * 20,
        notes=("a note that is rather long " * 10,),
        groups=(replace(FAILED.groups[0], key={"sex": "x" * 300}), REFERENCE),
    )
    chosen = ASCII if marks is ASCII else UNICODE
    text = page([long, SKIPPED, MANY], width, chosen, verbose=verbose)
    assert max(map(cell_len, text.splitlines())) <= width


def test_where_columns_have_no_room_groups_are_told_in_words() -> None:
    lines = page([FAILED], width=40).splitlines()
    start = lines.index("approvals by sex")
    assert lines[start : start + 6] == [
        "approvals by sex",
        "  rate(approved) in loans",
        "  F · failed",
        "    value 0.1375 · ratio 0.3667 · p",
        "  0.4008",
        "  M · reference",
    ]


def test_ten_groups_are_listed_unless_all_are_asked_for() -> None:
    few, every = page([MANY]), page([MANY], verbose=True)
    assert [f"g{number:02}" in few for number in range(13)] == [True] * 10 + [False] * 3
    assert "… and 3 more groups: -v lists all" in few
    assert all(f"g{number:02}" in every for number in range(13))


def test_verbose_lists_groups_of_passed_tests_with_interval_and_share() -> None:
    assert "share" not in page([TEST])
    lines = page([TEST], verbose=True).splitlines()
    (row,) = [line for line in lines if line.startswith("  F ")]
    assert row.split() == (
        "F 80 0.5000 0.3000 0.2768 to 0.4844 0.8000 0.07500 0.4008".split()  # noqa: SIM905
    )


def test_all_rows_are_shown_when_they_are_what_groups_are_compared_with() -> None:
    test = replace(FAILED, comparison=Comparison("overall", None, 0.3375))
    assert "  all rows   160  0.3375                           overall" in page([test])


def test_an_adjusted_p_value_is_called_so() -> None:
    parameters = {**FAILED.parameters, "p_value_adjustment": "holm"}
    group = replace(FAILED.groups[0], p_value=0.01, p_value_adjusted=0.03)
    text = page([replace(FAILED, parameters=parameters, groups=(group, REFERENCE))])
    assert "adjusted p" in text
    assert "0.03000" in text
    assert "0.01000" not in text


def test_a_suppressed_group_shows_a_bound_and_no_number() -> None:
    parameters = {**FAILED.parameters, "min_reported_rows": 10}
    group = replace(
        FAILED.groups[0], rows=None, share=None, value=None, ratio=None, difference=None,
        p_value=None, p_value_adjusted=None, statistics=None, suppressed=True,
    )  # fmt: skip
    text = page([replace(FAILED, parameters=parameters, groups=(group, REFERENCE))])
    (row,) = [line for line in text.splitlines() if line.startswith("  F ")]
    assert row.split() == ["F", "<", "10", "–", "–", "–", "failed"]


def test_data_is_never_markup() -> None:
    group = replace(FAILED.groups[0], key={"sex": "[bold]F[/bold]\x1b[31m"})
    text = page([replace(FAILED, name="[red]name[/red]", groups=(group, REFERENCE))])
    assert "[red]name[/red]" in text
    assert r"[bold]F[/bold]\x1b[31m" in text


def test_a_note_stands_once_with_its_tests() -> None:
    tests = [replace(TEST, name=f"test {number}", notes=("mind this.",)) for number in range(3)]
    assert page(tests[:2]).count("mind this. (test 0; test 1)") == 1
    assert page(tests).count("mind this. (3 tests)") == 1


def test_a_threshold_on_a_ratio_shows_the_group_that_has_it() -> None:
    broken = (limit("min_metric_ratio", ">=", 0.9, 0.8),)
    text = page([replace(TEST, status="failed", thresholds=broken)])
    assert "min_metric_ratio 0.8, wants >= 0.9" in text
    assert "  F      80  0.3000  0.8000" in text


def test_ascii_is_ascii() -> None:
    text = page([TEST, FAILED, SKIPPED, ERROR, MANY], marks=ASCII)
    assert text.isascii()
    assert [line.split()[0] for line in text.splitlines()[:4]] == ["PASS", "FAIL", "SKIP", "ERROR"]


@pytest.mark.parametrize("width", [1, 5, 12, 20, 40, 200])
def test_the_line_of_a_verdict_fits(width: int) -> None:
    long = replace(TEST, name="東京 " + "a very long name " * 20, elapsed_seconds=12.34)
    assert verdict_line(long, width=width).cell_len <= width


def test_the_line_of_a_verdict_has_its_status_name_and_time() -> None:
    test = replace(FAILED, elapsed_seconds=12.34)
    assert verdict_line(test, width=80).plain == "✗ failed   approvals by sex  12.3 s"
    assert verdict_line(SKIPPED, width=80).plain == "– skipped  incomes by region"
    assert verdict_line(ERROR, width=80, marks=ASCII).plain == "ERROR      gone"


def test_of_several_windows_each_names_its_end_and_a_note_names_the_test_once() -> None:
    name = "Approval rates of women and men are alike in every region and product"
    days = [
        replace(
            TEST,
            name=name,
            notes=("One note.",),
            window=Window(f"2024-03-0{day}T00:00:00Z", f"2024-03-0{day + 1}T00:00:00Z", "at"),
        )
        for day in range(1, 4)
    ]
    shown = page(days)
    for day in range(2, 5):
        assert f" (until 2024-03-0{day}T00:00:00Z)" in shown
    notes = shown.partition("Notes\n")[2]
    assert notes.count("Approval rates") == 1
    assert "3 tests" not in notes
