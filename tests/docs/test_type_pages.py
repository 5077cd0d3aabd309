"""Each kind of test has a page; what its tables say is what the models hold."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any, get_args

import pytest

from fairsql import families
from fairsql.config import base
from fairsql.config.column_statistic import ColumnStatistic
from fairsql.config.metric_threshold import MEASURED, needed_fields
from fairsql.config.models import TESTS
from fairsql.config.performance import CRITERIA, PERFORMANCE_METRICS
from fairsql.config.score import Statistic
from fairsql.metrics import METRICS, PARITY_METRICS
from tests.docs.pages import table_rows, text

COMMON = "docs/suite-file.md"
P_VALUES = {
    families.fisher: "Fisher",
    families.welch: "Welch",
    families.pooled_quantile: "pooled quantile",
    families.hanley_mcneil: "Hanley–McNeil",
    None: "–",
}
INTERVALS = {
    families.wilson: "Wilson",
    families.mean_interval: "t",
    families.root_mean_interval: "root of the t interval",
    families.order_statistics: "order statistics",
    families.hanley_mcneil_interval: "Hanley–McNeil",
    None: "–",
}
COMPARED = {
    "group_metric_parity": tuple(PARITY_METRICS),
    "group_outcome_disparity": ("rate",),
    "group_score_disparity": get_args(Statistic),
    "group_performance_parity": PERFORMANCE_METRICS,
    "group_column_statistic": get_args(ColumnStatistic),
}
kinds = pytest.mark.parametrize("kind", TESTS)


def page(kind: str) -> str:
    return f"docs/tests/{kind.replace('_', '-')}.md"


def told(kind: str, name: str) -> tuple[str, str]:
    """Return a field's default as a page writes it, and its description."""
    field = TESTS[kind].model_fields[name]
    description = field.description or ""
    default = field.get_default()
    if name == "type":
        return "required", description
    if name == "thresholds":
        return "required" if field.is_required() else "no failing group", description
    if field.is_required():
        return "required", description
    if default in (None, ()):
        return "–", description
    return default if isinstance(default, str) else json.dumps(default), description


def listed(document: str) -> dict[str, tuple[str, str]]:
    return {name: (default, meaning) for name, default, meaning in table_rows(document, "field")}


def test_the_suite_page_lists_the_fields_of_every_test() -> None:
    common = listed(COMMON)
    assert list(common) == list(base.Test.model_fields)
    for name, (default, meaning) in common.items():
        assert (default, meaning) == told("group_metric_parity", name)


@kinds
def test_every_field_of_a_kind_is_listed_as_it_is(kind: str) -> None:
    common, own = listed(COMMON), listed(page(kind))
    fields = {name: told(kind, name) for name in TESTS[kind].model_fields}
    expected = {name: field for name, field in fields.items() if common.get(name) != field}
    assert set(own) == set(expected)
    for name, (default, meaning) in own.items():
        assert default == expected[name][0], name
        assert meaning.startswith(expected[name][1]), name


@kinds
def test_every_measurement_of_a_kind_is_listed(kind: str) -> None:
    names = [name for row in table_rows(page(kind), "measurement") for name in names_in(row[0])]
    assert names == list(TESTS[kind].measurement_names)


def names_in(cell: str) -> list[str]:
    return re.split("`?, `?", cell)


@pytest.mark.parametrize("kind", COMPARED)
def test_every_metric_of_a_kind_is_listed_as_it_is(kind: str) -> None:
    rows = table_rows(page(kind), "metric | value")
    names = [name for row in rows for name in names_in(row[0])]
    assert sorted(names) == sorted(COMPARED[kind])
    for cell, _, better, p_value, interval in rows:
        for metric in (METRICS[name] for name in names_in(cell)):
            directions = {"group_outcome_disparity": "higher", "group_column_statistic": "–"}
            assert better == directions.get(kind, metric.direction or "given"), cell
            if kind != "group_column_statistic":
                assert p_value == P_VALUES[function(metric.p_value)], cell
            assert interval == INTERVALS[function(metric.interval)], cell


def function(of: Any) -> Any:
    return of.func if isinstance(of, partial) else of


def test_the_criteria_are_listed_with_their_metrics() -> None:
    rows = table_rows(page("group_performance_parity"), "criterion")
    assert {row[0]: tuple(names_in(row[1])) for row in rows} == CRITERIA


def test_the_columns_of_every_measured_metric_are_listed() -> None:
    seen: list[str] = []
    for cell, columns, *_ in table_rows(page("metric_threshold"), "measurement"):
        for name in names_in(cell):
            seen.append(name)
            needed = {f for f in needed_fields(name, {"positive_values"}) if f}
            assert set(names_in(columns)) - {"–"} == needed, name
    assert seen == list(MEASURED)


@kinds
def test_the_overviews_lead_to_the_page(kind: str) -> None:
    name = page(kind).rpartition("/")[2]
    assert f"(docs/tests/{name})" in text("README.md")
    assert f"({name})" in text("docs/tests/README.md")
    assert f"(tests/{name})" in text(COMMON)
