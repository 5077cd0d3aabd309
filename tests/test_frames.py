"""Groups as tables of other packages, each with the numbers of the result."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from tests.report.every_type import result
from tests.report.runs import full_run
from tests.report.samples import GROUP, TEST

if TYPE_CHECKING:
    from fairsql.results import TestResult

TO_ROWS: dict[str, Callable[[Any], list[dict[str, Any]]]] = {
    "pandas": lambda groups: [
        {name: None if value is pandas_null() else value for name, value in row.items()}
        for row in groups.to_pandas().to_dict(orient="records")
    ],
    "polars": lambda groups: groups.to_polars().to_dicts(),
    "pyarrow": lambda groups: groups.to_arrow().to_pylist(),
}
METHODS = {"pandas": "to_pandas", "polars": "to_polars", "pyarrow": "to_arrow"}


def pandas_null() -> Any:
    import pandas

    return pandas.NA


def rows_of(test: TestResult, package: str) -> list[dict[str, Any]]:
    return TO_ROWS[package](test.groups)


@pytest.mark.parametrize("package", TO_ROWS)
def test_a_table_has_every_number_of_every_group(package: str) -> None:
    for test in full_run().tests:
        rows = rows_of(test, package)
        assert len(rows) == len(test.groups)
        for row, group in zip(rows, test.groups, strict=True):
            assert {name: row[name] for name in group.key} == group.key
            low, high = group.confidence_interval or (None, None)
            least, greatest = group.value_bounds or (None, None)
            expected = vars(group) | {"interval_low": low, "interval_high": high}
            expected |= {"value_least": least, "value_greatest": greatest}
            for name in set(row) - set(group.key):
                assert row[name] == expected[name], name
                assert (row[name] is None) == (expected[name] is None), name


@pytest.mark.parametrize("package", TO_ROWS)
def test_a_table_says_which_part_a_group_belongs_to(package: str) -> None:
    stratified = rows_of(result("Admissions by sex within departments"), package)
    assert {row["stratum"] for row in stratified} == {
        f'{{"department": "{name}"}}' for name in "ABCDEF"
    }
    by_metric = rows_of(result("Equalized odds by sex"), package)
    assert {row["metric"] for row in by_metric} == {
        "recall", "false_positive_rate", "precision", "f1"
    }  # fmt: skip
    by_class = rows_of(result("Recall of each grade by sex"), package)
    assert {row["positive_class"] for row in by_class} == {"low", "middle", "high"}
    (only, *_) = rows_of(result("Quality of the prediction"), package)
    assert (only["metric"], only["stratum"], only["positive_class"]) == ("recall", None, None)


@pytest.mark.parametrize("package", TO_ROWS)
def test_an_attribute_with_the_name_of_a_field_is_told_from_it(package: str) -> None:
    group = replace(GROUP, key={"rows": "many", "value": "high"})
    (row,) = rows_of(replace(TEST, groups=(group,)), package)
    assert (row["key_rows"], row["key_value"]) == ("many", "high")
    assert (row["rows"], row["value"]) == (80, 0.375)


@pytest.mark.parametrize("package", TO_ROWS)
@pytest.mark.parametrize(
    ("key", "columns"),
    [
        ({"rows": "a", "key_rows": "b"}, {"key_rows": "a", "key_key_rows": "b"}),
        ({"key_rows": "b", "rows": "a"}, {"key_rows": "b", "key_key_rows": "a"}),
        ({"rows": "a", "key_rows": "b", "key_key_rows": "c"},
         {"key_rows": "a", "key_key_rows": "b", "key_key_key_rows": "c"}),
    ],
)  # fmt: skip
def test_no_two_attributes_have_one_column(
    package: str, key: dict[str, str], columns: dict[str, str]
) -> None:
    (row,) = rows_of(replace(TEST, groups=(replace(GROUP, key=key),)), package)
    assert {name: value for name, value in row.items() if name.startswith("key_")} == columns
    assert row["rows"] == 80


@pytest.mark.parametrize("package", TO_ROWS)
def test_a_count_beyond_64_bits_is_there(package: str) -> None:
    groups = (replace(GROUP, rows=2**63, key={"sex": "\ud800"}), GROUP)
    first, second = rows_of(replace(TEST, groups=groups), package)
    assert (first["rows"], second["rows"], first["sex"]) == (2.0**63, 80, "\\ud800")
    assert first["missing_metric_inputs"] == 0


def test_some_of_the_groups_are_a_table_too() -> None:
    assert len(TEST.groups[:1].to_pandas()) == 1
    assert TEST.groups[::-1].to_polars()["value"].to_list() == [0.375, 0.3]
    assert TEST.groups[0] == next(iter(TEST.groups))


@pytest.mark.parametrize("package", TO_ROWS)
def test_a_result_without_groups_is_an_empty_table(package: str) -> None:
    test = replace(TEST, groups=())
    table = getattr(test.groups, METHODS[package])()
    assert rows_of(test, package) == []
    names = table.column_names if package == "pyarrow" else list(table.columns)
    assert {"rows", "value", "p_value"} <= set(names)


@pytest.mark.parametrize("package", METHODS)
def test_a_package_that_is_missing_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(fairsql.PackageMissingError, match=f"pip install {package}") as caught:
        getattr(TEST.groups, METHODS[package])()
    assert isinstance(caught.value, fairsql.FairsqlError)
    assert isinstance(caught.value, ImportError)


def test_groups_are_a_tuple_still() -> None:
    assert isinstance(TEST.groups, tuple)
    assert TEST.groups == tuple(TEST.groups)
    for again in (pickle.loads(pickle.dumps(TEST)), copy.deepcopy(TEST)):  # noqa: S301
        assert again == TEST
        assert again.groups.to_pandas().equals(TEST.groups.to_pandas())
    with pytest.raises(AttributeError):
        TEST.groups = ()  # type: ignore[misc]
