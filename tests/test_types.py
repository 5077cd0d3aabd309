"""Columns of every type that DuckDB has, and numbers at the edge of what a double holds."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pytest

import fairsql
from fairsql.results import TestResult, to_dict

SETTINGS: dict[str, Any] = {"min_group_size": 1, "min_group_share": 0, "higher_is_better": True}


def rate(
    values: list[Any], type_name: str, positive: list[Any], attribute: str = "g"
) -> TestResult:
    """Return the rate by group; the values belong to A, then all of them again to B."""
    connection = duckdb.connect()
    connection.execute(f"create table t (g varchar, v {type_name})")
    connection.executemany(
        f"insert into t values (?, cast(? as {type_name}))",
        [[group, value] for group in "AB" for value in values],
    )
    return fairsql.group_metric_parity(
        connection,
        "t",
        protected_attribute_columns=[attribute],
        parity_metric="rate",
        value_column="v" if attribute == "g" else "g",
        positive_values=positive,
        **SETTINGS,
    )


@pytest.mark.parametrize(
    ("type_name", "values", "positive", "share"),
    [
        ("bigint", ["1234567890123456789", "1234567890123456790"], [1234567890123456789], 0.5),
        ("bigint", ["1234567890123456789", "1"], ["1234567890123456789", 1], 1.0),
        ("ubigint", ["18446744073709551615", "0"], ["18446744073709551615"], 0.5),
        ("hugeint", [str(2**127 - 1), str(2**127 - 2)], [2**127 - 1], 0.5),
        ("hugeint", [str(-(2**127) + 1), "0"], [-(2**127) + 1], 0.5),
        ("bigint", ["1", "2"], [1, 10**50], 0.5),
        ("varchar", ["12345678901234567890.0", "0"], ["12345678901234567890"], 0.5),
        ("decimal(38, 20)", ["1.5", "1.50000000000000000001"], ["1.50"], 0.5),
        ("timestamptz", ["infinity", "2024-03-01 12:00:00+02"], ["infinity"], 0.5),
        ("timestamptz", ["infinity", "2024-03-01 12:00:00+02"], ["2024-03-01T10:00:00Z"], 0.5),
        ("enum('a', 'b')", ["a", "b"], ["b"], 0.5),
        ("uuid", [f"{n:032x}" for n in (1, 2)], ["00000000-0000-0000-0000-000000000001"], 0.5),
    ],
)
def test_a_positive_value_is_found_whatever_its_type(
    type_name: str, values: list[str], positive: list[Any], share: float
) -> None:
    result = rate(values, type_name, positive)
    assert [group.value for group in result.groups] == [share, share], result.message


def test_an_infinite_instant_is_a_group() -> None:
    result = rate(["infinity", "-infinity", "2024-03-01"], "timestamptz", ["A"], attribute="v")
    keys = {group.key["v"] for group in result.groups}
    assert keys == {"infinity", "-infinity", "2024-03-01T00:00:00Z"}
    assert result.rows.missing_attribute == 0


@pytest.mark.parametrize(
    ("type_name", "positive", "status"),
    [
        ("varchar", "TRUE", "skipped"),  # text is matched exactly: TRUE is misspelt
        ("varchar", "true", "passed"),  # true can occur and does not: the rate is 0
        ("varchar", True, "passed"),
        ("boolean", "TRUE", "passed"),
        ("boolean", "1", "skipped"),
    ],
)
def test_a_rate_of_0_is_a_fact_only_where_the_value_could_occur(
    type_name: str, positive: Any, status: str
) -> None:
    result = rate(["false", "false"], type_name, [positive])
    assert result.status == status
    assert result.reason == ("positive_class_absent" if status == "skipped" else None)


@pytest.mark.parametrize("metric", ["median", "p95", "mean"])
@pytest.mark.parametrize("value", ["inf", "-inf"])
def test_a_skip_for_infinite_values_is_standard_json(metric: str, value: str) -> None:
    connection = duckdb.connect()
    connection.execute("create table t as select 'A' as g, 1e0 as x union all select 'B', 2e0")
    connection.execute(f"insert into t values ('A', '{value}'), ('B', '{value}'), ('B', 'nan')")
    result = fairsql.group_metric_parity(
        connection,
        "t",
        protected_attribute_columns=["g"],
        parity_metric=metric,
        value_column="x",
        **SETTINGS,
    )
    assert (result.status, result.reason) == ("skipped", "infinite_values")
    assert json.loads(json.dumps(to_dict(result), allow_nan=False))["groups_total"] == 2
