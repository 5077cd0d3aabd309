"""Numbers, names and headlines as people read them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from fairsql.report.words import asked, headline, number, sentence, shortened, shown
from fairsql.results import ThresholdResult
from tests.report.samples import FAILED, TEST, limit


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (0.0, "0"),
        (1234567, "1,234,567"),
        (0.36, "0.36"),
        (0.91717277, "0.9172"),
        (1.0, "1"),
        (-0.25, "-0.25"),
        (9999.6, "10,000"),
        (123456.7, "123,457"),
        (0.0001, "0.0001"),
        (0.00009999, "9.999e-05"),
        (5.0684e-38, "5.068e-38"),
        (2e15, "2.000e+15"),
    ],
)
def test_a_number_has_four_digits_that_count(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "0.5000"), (1.0, "1.000"), (12.0, "12.00"), (1234.5, "1234")]
)
def test_numbers_below_each_other_keep_their_zeros(value: float, text: str) -> None:
    assert number(value, padded=True) == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("African-American", "African-American"),
        ("日本語 é", "日本語 é"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\u202eright to left", r"\u202eright to left"),
        ("no-break\u00a0space", r"no-break\xa0space"),
        ("line\u2028separator", r"line\u2028separator"),
    ],
)
def test_data_cannot_move_the_cursor_or_hide(data: str, text: str) -> None:
    assert shown(data) == text


def test_a_message_of_many_lines_is_one_line() -> None:
    assert sentence("no such table:\n\n  loans \x1b[0m") == r"no such table: loans \x1b[0m"


@pytest.mark.parametrize("width", [1, 2, 5, 12, 13, 20])
@pytest.mark.parametrize("name", ["a long name of a test", "日本語のとても長い名前です", "short"])
def test_a_cut_name_fits_and_keeps_both_ends(name: str, width: int) -> None:
    cut = shortened(name, width)
    assert cell_len(cut) <= width
    if cell_len(name) <= width:
        assert cut == name
    elif width > 5:
        start, end = cut.split("…")
        assert name.startswith(start)
        assert name.endswith(end)


def test_a_failed_test_names_the_threshold_that_broke() -> None:
    thresholds = (
        limit("min_metric_ratio", ">=", 0.8, 0.36),
        ThresholdResult("min_group_share", ">=", 0.02, 0.05, True),
    )
    test = replace(FAILED, thresholds=thresholds)
    assert headline(test) == "min_metric_ratio 0.36, wants >= 0.8"


@pytest.mark.parametrize(
    ("observed", "text"),
    [(0.79996, "0.79996"), (0.7999999999, "0.7999999999"), (0.79, "0.79")],
)
def test_rounding_never_makes_a_broken_threshold_look_kept(observed: float, text: str) -> None:
    test = replace(FAILED, thresholds=(limit("min_metric_ratio", ">=", 0.8, observed),))
    assert headline(test) == f"min_metric_ratio {text}, wants >= 0.8"


def test_every_broken_threshold_is_named() -> None:
    thresholds = (
        limit("min_metric_ratio", ">=", 0.8, 0.36),
        limit("insufficient_group_count", "is", 0, 2),
    )
    assert headline(replace(FAILED, thresholds=thresholds)) == (
        "min_metric_ratio 0.36, wants >= 0.8; insufficient_group_count 2, wants exactly 0"
    )


def test_a_passed_test_says_what_was_measured() -> None:
    thresholds = (ThresholdResult("max_metric_difference", "<=", 0.1, 0.0139751, True),)
    assert headline(replace(TEST, thresholds=thresholds)) == "max_metric_difference 0.01398"


def test_a_count_of_no_failures_comes_with_how_near_it_was() -> None:
    assert headline(TEST) == "failing_group_count 0, min_metric_ratio 0.8"
    unmeasured = replace(TEST, measurements={"min_metric_ratio": None})
    assert headline(unmeasured) == "failing_group_count 0"


def test_a_skipped_test_says_why() -> None:
    skipped = replace(TEST, status="skipped", message="column 'x'\nholds nothing.")
    assert headline(skipped) == "column 'x' holds nothing."


def test_what_was_asked_fits_a_line() -> None:
    assert asked(TEST) == "rate(approved) in loans"
    parameters = {**TEST.parameters, "score_column": "s", "where": "split =\n 'test'"}
    assert asked(replace(TEST, parameters=parameters)) == (
        "rate(s, approved) in loans where split = 'test'"
    )
