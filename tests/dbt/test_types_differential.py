"""The verdict in SQL of every type of test against the Python path's, on generated tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from fairsql.config import TESTS
from tests.dbt.derived_cases import DERIVED, PAIRED
from tests.dbt.generated import UNRUNNABLE, python_results
from tests.dbt.rows import ROW_COUNTS, group_differences, near
from tests.dbt.type_cases import type_cases
from tests.generator import load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.dbt.verdicts import Place, Row
    from tests.generator import Case

# By hand, with other seeds and more of them: FAIRSQL_TYPE_SEEDS=100:140 FAIRSQL_TYPE_CASES=50.
FIRST, LAST = map(int, os.environ.get("FAIRSQL_TYPE_SEEDS", "0:1").split(":"))
COUNT = int(os.environ.get("FAIRSQL_TYPE_CASES", "0"))
CASES_A_BLOCK = {"duckdb": 20, "postgres": 4}
SHARED_EVERY = 5  # every fifth case is also read from a table of statistics
NOT_SHOWN = ("name", "type")


def differences(
    rows: Sequence[Row], failures: Sequence[Row], result: Mapping[str, Any]
) -> Iterator[str]:
    """Yield each way in which the two statements of a test differ from a result."""
    first = rows[0]
    if (first["status"], first["reason"]) != (result["status"], result["reason"]):
        yield f"{first['status']} {first['reason']}, not {result['status']} {result['reason']}"
        return
    yield from _failure_differences(failures, result)
    is_measured = result["type"] in ("metric_threshold", "llm_bias", "pairwise_divergence")
    for theirs, ours in {} if is_measured else ROW_COUNTS.items():
        if result["reason"] != "no_rows" and first[theirs] != result["rows"][ours]:
            yield f"{theirs}: {first[theirs]}, not {result['rows'][ours]}"
    if result["status"] == "skipped" and result["reason"] != "measurement_undefined":
        return
    if is_measured:
        for row in rows:
            if not near(row["value"], result["measurements"][row["parity_metric"]]):
                yield f"{row['parity_metric']}: {row['value']}, not {result['measurements']}"
        return
    inner = getattr(TESTS[result["type"]], "inner_measurements", {})
    for name, value in result["measurements"].items():
        if result["type"] in PAIRED and name not in inner:  # Python's alone
            continue
        found_value = first.get(inner.get(name, name))
        if not near(found_value, value):
            yield f"{name}: {found_value}, not {value}"
    found = {_place(row): row for row in rows if row["sufficient"] is not None}
    for group in result["groups"]:
        stratum = tuple((group.get("stratum") or {}).values())
        metric = group.get("metric") or first["parity_metric"]
        where = (metric, stratum, group.get("positive_class"), tuple(group["key"].values()))
        yield from (f"{where} {line}" for line in group_differences(found.get(where), group))


def _failure_differences(rows: Sequence[Row], result: Mapping[str, Any]) -> Iterator[str]:
    """Yield how the rows of a dbt test are not those of its status: none, one, or the broken."""
    if result["status"] != "failed":
        if len(rows) != (result["status"] == "skipped"):
            yield f"{len(rows)} rows of a test that {result['status']}"
        return
    broken = {
        (limit["measurement"], limit["operator"], float(limit["value"]))
        for limit in result["thresholds"]
        if limit["passed"] is False
    }
    texts = [text for row in rows for text in row["broken_thresholds"].split("; ")]
    shown = [text.split(" ") for text in texts]
    listed = {(name, operator, float(value)) for name, operator, value in shown}
    if listed != broken:
        yield f"{listed} are broken, not {broken}"


def _place(row: Row) -> tuple[Any, ...]:
    stratum = tuple(row[f"stratum_{n}"] for n in (1, 2, 3) if row.get(f"stratum_{n}") is not None)
    key = tuple(row[f"key_{n}"] for n in (1, 2, 3) if row[f"key_{n}"] is not None)
    return row["parity_metric"], stratum, row.get("positive_class"), key


def _lines(place: Place, case: Case, number: int, result: Mapping[str, Any]) -> Iterator[str]:
    type_ = case.test["type"]
    given = {name: value for name, value in case.test.items() if name not in NOT_SHOWN}
    place.load("t", case.columns, case.rows)
    rows = place.groups(type_, "t", **given)
    yield from differences(rows, place.failures(type_, "t", **given), result)
    if number % SHARED_EVERY == 0 and type_ not in DERIVED:  # those take scans of their own
        other = {**given, "name": "other", "type": type_}
        statistics = place.statistics("t", [other, {**other, "name": "this"}])
        place.execute("drop table if exists shared")
        place.execute(f"create table shared as {statistics}")
        read = place.groups(type_, "shared", statistics_of="this", **given)
        failures = place.failures(type_, "shared", statistics_of="this", **given)
        yield from (f"shared: {line}" for line in differences(read, failures, result))


@pytest.mark.parametrize("seed", range(FIRST, LAST))
@pytest.mark.parametrize("type_", TESTS)
def test_sql_and_python_agree(place: Place, type_: str, seed: int) -> None:
    differing, statuses = [], []
    for number, case in enumerate(type_cases(type_, seed, COUNT or CASES_A_BLOCK[place.dialect])):
        with duckdb.connect() as connection:
            load(connection, case, "t")
            (result,) = python_results(connection, "t", [case.test])
        if result["reason"] in UNRUNNABLE:
            continue
        statuses.append((result["status"], result["reason"]))
        lines = list(_lines(place, case, number, result))
        differing += [f"{seed} {number} {case.test}\n  {line}" for line in lines[:4]]
    assert not differing, f"{len(differing)}\n" + "\n".join(differing[:12])
    # So few cases as PostgreSQL has may end alike by chance.
    assert len(statuses) < 10 or len(set(statuses)) > 1
