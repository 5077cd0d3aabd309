"""CSV: a row for each test and group that any reader takes in, and no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import duckdb
import pandas
import pytest

from fairsql.metrics import MEASUREMENTS
from fairsql.records import COLUMNS
from fairsql.records import MEASUREMENTS as COLUMNS_OF_MEASUREMENTS
from tests.report.every_type import every_type
from tests.report.runs import HOSTILE, full_run
from tests.report.samples import TEST, run_of

if TYPE_CHECKING:
    from pathlib import Path

    from fairsql.results import Run


def rows_of(run: Run) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run.to_csv(), newline="")))


def test_every_measurement_is_a_column() -> None:
    assert COLUMNS_OF_MEASUREMENTS == MEASUREMENTS


def test_a_row_for_each_test_and_group() -> None:
    run = full_run()
    expected = [
        (test.name, tuple(group.key.values())) for test in run.tests for group in test.groups
    ]
    without = [test.name for test in run.tests if not test.groups]
    assert {"has no column", "errs"} <= set(without)
    rows = rows_of(run)
    found = [
        (row["test"], tuple(row[f"key_{place}"] for place in (1, 2) if row[f"attribute_{place}"]))
        for row in rows
        if row["attribute_1"]
    ]
    unescaped = [(test, tuple(key.removeprefix("'") for key in keys)) for test, keys in found]
    assert unescaped == expected
    assert [row["test"] for row in rows if not row["attribute_1"]] == without


def test_a_row_of_a_test_of_several_parts_has_its_part_s_own() -> None:
    rows = rows_of(every_type())
    for test in every_type().tests:
        own = [row for row in rows if row["test"] == test.name]
        assert len(own) == max(len(test.groups), 1)
        assert {row["parity_metric"] for row in own} == {
            *(part.metric for part in test.parts),
            *([] if test.parts or test.metric is None else [test.metric.name]),
        }
        for row, group in zip(own, test.groups, strict=False):
            assert row["positive_class"] == (group.positive_class or "")
            stratum = json.loads(row["stratum"]) if row["stratum"] else None
            assert stratum == group.stratum
            part = next(
                (part for part in test.parts if (part.metric, part.stratum, part.positive_class)
                 == (group.metric, group.stratum, group.positive_class)),
                None,
            )  # fmt: skip
            comparison = part.comparison if part else test.comparison
            value = None if comparison is None else comparison.value
            assert row["comparison_value"] == ("" if value is None else repr(value))


def test_measurements_without_a_column_are_json() -> None:
    for row in rows_of(every_type()):
        test = next(test for test in every_type().tests if test.name == row["test"])
        others = json.loads(row["other_measurements"] or "{}")
        columns = {name: row[name] for name in MEASUREMENTS if row[name]}
        known = {name: value for name, value in test.measurements.items() if value is not None}
        read = {name: float(text) for name, text in columns.items()}
        assert read | {n: v for n, v in others.items() if v is not None} == known
    assert {row["other_measurements"] for row in rows_of(run_of(TEST))} == {""}


def test_numbers_have_every_digit_and_undefined_is_empty() -> None:
    (row, _) = rows_of(run_of(TEST))
    assert row["value"] == "0.3"
    assert row["interval_high"] == "0.4844"
    assert row["p_value"] == "0.4008"
    assert row["failing_group_percentage"] == ""
    assert row["sufficient"] == "true"


def test_a_suppressed_group_is_a_bound() -> None:
    rows = [row for row in rows_of(full_run()) if row["test"] == "hides small groups"]
    (hidden,) = [row for row in rows if row["suppressed"] == "true"]
    assert hidden["key_1"] == "Few"
    assert hidden["rows"] == "< 100"
    kinds = {name for name, kind in COLUMNS.items() if kind in ("integer", "number")}
    of_the_group = list(COLUMNS)[list(COLUMNS).index("missing_metric_inputs") :]
    assert {hidden[name] for name in of_the_group if name in kinds} == {""}


def test_no_cell_is_a_formula() -> None:
    cells = [cell for row in csv.reader(io.StringIO(full_run().to_csv())) for cell in row]
    assert not [cell for cell in cells if cell[:1] in ("=", "@", "\t", "\r")]
    assert "'=HYPERLINK(1)" in cells
    for name in HOSTILE:
        assert name.replace("\x00", "\x01") in [cell.removeprefix("'") for cell in cells]


def test_another_reader_reads_the_same(tmp_path: object) -> None:
    path = f"{tmp_path}/run.csv"
    run = full_run()
    run.write_csv(path)
    query = f"select value from read_csv('{path}') where value is not null"
    table = duckdb.connect().execute(query).fetchall()
    values = [group.value for test in run.tests for group in test.groups if group.value is not None]
    assert [value for (value,) in table] == values


@pytest.mark.parametrize("text", ["a\rb", "a\r\nb", "a\nb", "\r", "b\r", 'a"\r"b', "a,\rb"])
def test_every_end_of_a_line_within_a_cell_is_quoted(text: str, tmp_path: Path) -> None:
    # RFC 4180, section 2: fields containing line breaks (CRLF) [...] are enclosed in quotes.
    key = f"x{text}"
    run = run_of(replace(TEST, message=text, groups=(replace(TEST.groups[0], key={"sex": key}),)))
    (row,) = rows_of(run)
    assert row["key_1"] == key
    assert row["message"].removeprefix("'") == text
    outside = "".join(run.to_csv().split('"')[::2])
    assert outside.count("\n") == 2
    assert "\r" not in outside
    run.write_csv(tmp_path / "run.csv")
    frame = pandas.read_csv(tmp_path / "run.csv", dtype=str, lineterminator=None, engine="python")
    assert len(frame) == 1
    query = f"select key_1 from read_csv('{tmp_path / 'run.csv'}', all_varchar = true)"
    assert duckdb.connect().execute(query).fetchall() == [(key,)]
