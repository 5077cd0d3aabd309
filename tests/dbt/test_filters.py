"""Filters in dbt tests: the rows that count are those that the Python path counts."""

from __future__ import annotations

from datetime import date, datetime
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.compile.loader import macros_for
from fairsql.config import build_test
from fairsql.errors import ConfigurationError
from tests.dbt.generated import python_results
from tests.dbt.verdicts import in_duckdb, limit

if TYPE_CHECKING:
    from tests.dbt.verdicts import Place

COLUMNS = {"g": "text", "x": "float", "n": "integer", "label": "text"}
ROWS = [
    (g, x, n, label)
    for n, (g, x, label) in enumerate(
        (g, x, label)
        for g in ("a", "B", "it's", None)
        for x in (None, 0.5, 1.0, 20.0)
        for label in ("yes", "no", "1.0", None)
    )
]
COUNTED: list[tuple[dict[str, Any], Any]] = [
    ({"column": "g", "operator": "is", "value": "it's"}, lambda row: row[0] == "it's"),
    ({"column": "g", "operator": "!=", "value": "a"}, lambda row: row[0] != "a"),
    ({"column": "label", "operator": "is", "value": 1}, lambda row: row[3] == "1.0"),
    (
        {"column": "label", "operator": "one_of", "value": ["yes", "no"]},
        lambda row: row[3] in ("yes", "no"),
    ),
    ({"column": "x", "operator": "none_of", "value": [1, 20]}, lambda row: row[1] not in (1, 20)),
    ({"column": "x", "operator": ">", "value": 1}, lambda row: (row[1] or 0) > 1),
    ({"column": "n", "operator": "<=", "value": 12}, lambda row: row[2] <= 12),
    (
        {"column": "g", "operator": "contains_any", "value": ["t'", "B"]},
        lambda row: row[0] in ("it's", "B"),
    ),
    (
        {"column": "label", "operator": "contains_none", "value": ["e", "o"]},
        lambda row: row[3] not in ("yes", "no"),
    ),
]
MACROS = macros_for("duckdb")


@pytest.mark.parametrize("number", range(len(COUNTED)))
def test_the_rows_that_count(place: Place, number: int) -> None:
    one, keeps = COUNTED[number]
    table = place.load("filtered", COLUMNS, ROWS)
    kept = sum(map(keeps, ROWS))
    assert 0 < kept < len(ROWS)
    (row,) = place.groups(
        "metric_threshold", table, filters=[one], thresholds=[limit("count", ">", 0)]
    )
    assert row["value"] == kept


def test_all_filters_hold_together(place: Place) -> None:
    table = place.load("filtered", COLUMNS, ROWS)
    chosen, keeps = [COUNTED[n][0] for n in (3, 5)], [COUNTED[n][1] for n in (3, 5)]
    asked = {"filters": chosen, "thresholds": [limit("count", "<", 0)]}
    (row,) = place.failures("metric_threshold", table, **asked)
    assert row["value"] == sum(all(keep(row) for keep in keeps) for row in ROWS)


def test_times_are_ordered(place: Place) -> None:
    table = place.load("filtered", COLUMNS, ROWS)
    timed = f"(select *, timestamp '2024-03-01 00:00:00' + n * interval '1 hour' as t from {table})"
    values = ("2024-03-01T12:00:00Z", "2024-03-01 12:00", datetime(2024, 3, 1, 12), "2024-03-02")
    for value, kept in zip(values, (52, 52, 52, 40), strict=True):
        (row,) = place.groups(
            "metric_threshold",
            f"{timed} as timed",
            filters=[{"column": "t", "operator": ">=", "value": value}],
            thresholds=[limit("count", ">", 0)],
        )
        assert row["value"] == kept, value


def test_no_row_meets_them(place: Place) -> None:
    table = place.load("filtered", COLUMNS, ROWS)
    (row,) = place.failures(
        "group_metric_parity",
        table,
        protected_attribute_columns=["g"],
        parity_metric="mean",
        value_column="x",
        higher_is_better=True,
        filters=[{"column": "n", "operator": ">", "value": 1000}],
    )
    assert (row["status"], row["reason"]) == ("skipped", "no_rows")


def test_a_model_of_statistics_has_filters_of_its_own(place: Place) -> None:
    table = place.load("filtered", COLUMNS, ROWS)
    one, keeps = COUNTED[3]
    asked = {"thresholds": [limit("count", ">", 0)]}
    listed = [{"name": "rows", "type": "metric_threshold", **asked}]
    macros = macros_for(place.dialect)
    statement = macros.call("default__fairsql_statistics", table, listed, [one])
    place.execute("drop table if exists counted")
    place.execute(f"create table counted as {statement}")
    (row,) = place.groups("metric_threshold", "counted", **asked, statistics_of="rows")
    assert row["value"] == sum(map(keeps, ROWS))
    with pytest.raises(ConfigurationError, match="filters cannot be used with statistics_of"):
        place.groups("metric_threshold", "counted", **asked, filters=[one], statistics_of="rows")
    with pytest.raises(ConfigurationError, match="a test has no argument filters"):
        macros.call("default__fairsql_statistics", table, [{**listed[0], "filters": [one]}])


@pytest.mark.parametrize(
    ("filters", "says"),
    [
        ({"column": "x"}, "must be a list"),
        ("x > 1", "must be a list"),
        (["x > 1"], "each has column, operator and value"),
        ([{"column": "x", "operator": ">"}], "each has column, operator and value"),
        ([{"column": 1, "operator": ">", "value": 1}], "names the column 1"),
        ([{"column": " ", "operator": ">", "value": 1}], "blank"),
        ([{"column": "x", "operator": "=", "value": 1}], "use the operator ="),
        ([{"column": "x", "operator": "is", "value": [1]}], "one value"),
        ([{"column": "x", "operator": "one_of", "value": 1}], "a list of at least one value"),
        ([{"column": "x", "operator": "one_of", "value": []}], "a list of at least one value"),
        ([{"column": "x", "operator": "one_of", "value": [None]}], "no plain value"),
        ([{"column": "x", "operator": "is", "value": None}], "no plain value"),
        ([{"column": "x", "operator": "<", "value": "soon"}], "a number, a date"),
        ([{"column": "x", "operator": "<", "value": True}], "a number, a date"),
        ([{"column": "x", "operator": "<", "value": "2024-02-30"}], "a number, a date"),
        ([{"column": "x", "operator": "<", "value": "2024-03-01T25:00"}], "a number, a date"),
    ],
)
def test_what_is_no_filter_is_refused_as_in_a_suite_file(filters: Any, says: str) -> None:
    asked = {
        "thresholds": [limit("count", ">", 0)],
    }
    with pytest.raises(ConfigurationError):
        build_test(name="t", relation="r", type="metric_threshold", filters=filters, **asked)
    parameters = MACROS.call("catalogue")["types"]["metric_threshold"]["parameters"]
    given = dict.fromkeys(parameters) | {"filters": filters}
    with pytest.raises(ConfigurationError, match=f"filters .*{says}"):
        MACROS.call("checked_test", given, asked["thresholds"], None, "metric_threshold")


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2024-02-29", "2024-02-29 00:00:00"),
        (date(2024, 2, 29), "2024-02-29 00:00:00"),
        ("2024-03-01T12", "2024-03-01 12:00:00"),
        ("2024-03-01 12:30", "2024-03-01 12:30:00"),
        ("2024-03-01T12:30:15Z", "2024-03-01 12:30:15"),
        ("2024-03-01T12:30:15.123+00:00", "2024-03-01 12:30:15.123"),
        ("2024-03-01T12:30:15.123456", "2024-03-01 12:30:15.123456"),
        ("2023-02-29", None),
        ("2024-13-01", None),
        ("2024-03-01Z", None),
        ("2024-03-01T12:30:15+02:00", None),  # a macro has no arithmetic of times
    ],
)
def test_moments(value: Any, moment: str | None) -> None:
    assert MACROS.call("moment_in_utc", value) == moment
    test = {"type": "metric_threshold", "thresholds": [limit("count", ">", 0)]}
    one = {"column": "x", "operator": ">", "value": value}
    if moment is not None:
        (found,) = build_test(name="t", relation="r", filters=[one], **test).filters
        assert found.moment == moment


def test_sql_and_python_agree() -> None:
    rng = Random("filters")  # noqa: S311
    with duckdb.connect() as connection:
        place = in_duckdb(connection)
        place.load("t", COLUMNS, ROWS)
        for number in range(40):
            chosen = [
                {
                    "column": rng.choice(list(COLUMNS)),
                    "operator": operator,
                    "value": [value] if operator[-3:] == "_of" or operator[:3] == "con" else value,
                }
                for _ in range(rng.randint(1, 2))
                for operator in [rng.choice(("is", "!=", "one_of", "none_of", "contains_any"))]
                for value in [rng.choice(("a", "B", 1, 0.5, "20", "no", "1.0", True, "'"))]
            ]
            test = {"filters": chosen, "thresholds": [limit("count", ">", 0)]}
            named = {"name": f"{number}", "type": "metric_threshold", **test}
            (result,) = python_results(connection, "t", [named])
            (row,) = place.groups("metric_threshold", "t", **test)
            assert (row["status"], row["reason"]) == (result["status"], result["reason"]), chosen
            assert row["value"] == result["measurements"]["count"], chosen
