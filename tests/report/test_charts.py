"""The chart of a test's groups: what is drawn, and where."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import altair
import pytest
import vl_convert

from fairsql.report.charts import group_chart
from fairsql.report.html.charts import fail_line
from fairsql.results import Metric
from tests.report.hostile import BEYOND, beyond_run
from tests.report.runs import full_run
from tests.report.samples import FAILED, GROUP

if TYPE_CHECKING:
    from fairsql.results import TestResult


def data_of(test: TestResult) -> list[dict[str, Any]]:
    chart = group_chart(test).to_dict()
    parts = [part["data"]["values"] for part in [chart, *chart["layer"]] if "data" in part]
    return [row for rows in parts for row in rows]


def drawn(test: TestResult) -> dict[str, dict[str, Any]]:
    """The data of the bars, by group."""
    return {row["group"]: row for row in data_of(test) if "group" in row}


def lines(test: TestResult) -> list[float]:
    return [row["at"] for row in data_of(test) if "at" in row]


def test_a_bar_has_its_value_interval_and_state() -> None:
    chart = group_chart(FAILED)
    assert isinstance(chart, altair.LayerChart)
    rows = drawn(FAILED)
    assert list(rows) == ["F", "M"]
    f = rows["F"]
    assert (f["value"], f["low"], f["high"], f["state"]) == (0.1375, 0.2768, 0.4844, "fails")
    assert rows["M"]["state"] == "reference"


def test_the_comparison_point_and_the_fail_line_are_drawn() -> None:
    test = replace(
        FAILED,
        parameters={**FAILED.parameters, "min_ratio": 0.8},
        metric=Metric("rate", higher_is_better=True),
    )
    assert lines(test) == [0.375, pytest.approx(0.3)]


def test_the_fail_line_is_where_groups_begin_to_fail() -> None:
    for test in full_run().tests:
        limit = fail_line(test)
        compared = [group for group in test.groups if group.failed or group.ratio not in (None, 1)]
        if limit is None or test.comparison is None or test.comparison.value is None:
            continue
        below = limit < test.comparison.value
        for group in compared:
            if group.sufficient and group.value is not None and not group.is_reference:
                assert group.failed == (group.value < limit if below else group.value > limit)


def test_groups_with_too_few_rows_stand_apart() -> None:
    small = replace(GROUP, key={"sex": "X"}, sufficient=False)
    assert drawn(replace(FAILED, groups=(*FAILED.groups, small)))["X"]["state"] == "too few rows"


def test_a_suppressed_group_has_words_and_no_number() -> None:
    (test,) = [test for test in full_run().tests if test.name == "hides small groups"]
    few = drawn(test)["Few"]
    assert few["instead"] == "not shown, < 100 rows"
    assert [few[name] for name in ("value", "low", "high")] == [None] * 3
    assert few["rows"] == "< 100"


def test_a_group_without_a_value_says_why() -> None:
    undefined = replace(
        GROUP, value=None, value_reason="no_predicted_negatives", confidence_interval=None
    )
    assert drawn(replace(FAILED, groups=(undefined,)))["M"]["instead"] == "no predicted negatives"


def test_an_open_interval_ends_at_the_value() -> None:
    open_above = replace(GROUP, value=0.4, confidence_interval=(0.3, None))
    row = drawn(replace(FAILED, groups=(open_above,)))["M"]
    assert (row["low"], row["high"], row["interval"]) == (0.3, 0.4, "0.3 to –")
    nothing = replace(GROUP, confidence_interval=(None, None))
    assert drawn(replace(FAILED, groups=(nothing,)))["M"]["low"] is None


def test_groups_of_one_name_are_two_bars() -> None:
    twins = (
        replace(GROUP, key={"a": "x / y", "b": "z"}),
        replace(GROUP, key={"a": "x", "b": "y / z"}),
    )
    assert list(drawn(replace(FAILED, groups=twins))) == ["x / y / z", "x / y / z (2)"]


def test_every_result_can_be_drawn() -> None:
    for test in full_run().tests:
        svg = vl_convert.vegalite_to_svg(group_chart(test).to_json())
        assert svg.startswith("<svg")
        assert "<script" not in svg
        assert "NaN" not in svg


def test_long_names_beyond_the_first_plane_are_cut_between_characters() -> None:
    for name, test in zip(BEYOND, beyond_run().tests, strict=True):
        vl_convert.vegalite_to_svg(group_chart(test).to_json())  # half a character would end it
        ours = next(iter(drawn(test)))
        start, _, end = ours.partition("…")
        assert ours == name or (start and name.startswith(start) and name.endswith(end))
