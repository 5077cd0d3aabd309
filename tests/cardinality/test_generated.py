"""Of generated tests, whatever their types and columns, every cut is counted as its scan counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.suite import Suite
from fairsql.warehouses import connect
from tests.cardinality.counting import counting_differences
from tests.generator import Case, cases, load
from tests.kinds.generator import kind_cases
from tests.weighted_cases import weighted_cases
from tests.windows.months import DAY, family_of, kinds_of, load_calls


def generated(seed: int) -> Iterator[Case]:
    return chain(cases(seed, 15), kind_cases(seed, 15), weighted_cases(seed, 10))


@pytest.mark.parametrize("seed", range(40, 42))
def test_generated_tables(seed: int) -> None:
    found = []
    for case in generated(seed):
        with duckdb.connect() as connection:
            load(connection, case, "sample")
            suite = Suite((build_test(relation="sample", **case.test),))
            lines = counting_differences(suite, connect(connection))
            found += [f"{case.name}: {line}" for line in lines]
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("column", ["at", "on_day"])
def test_the_windows_of_a_backfill(column: str) -> None:
    with duckdb.connect() as connection:
        load_calls(connection)
        suite = Suite((*family_of(column, 7 * DAY), *kinds_of(column, 7 * DAY)))
        backfill = ("2024-02-12", "2024-04-01")  # no call was made in the first week
        assert list(counting_differences(suite, connect(connection), backfill)) == []
