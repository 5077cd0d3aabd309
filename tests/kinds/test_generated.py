"""Every kind of test that compares groups, on generated tables, against what the rows say."""

from __future__ import annotations

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.suite import Suite
from tests.generator import load
from tests.kinds.comparing import kind_differences
from tests.kinds.generator import kind_cases

BLOCKS = 8
CASES_A_BLOCK = 30


@pytest.mark.parametrize("seed", range(BLOCKS))
def test_every_part_agrees_with_the_rows(seed: int) -> None:
    found = []
    with duckdb.connect() as connection:
        for case in kind_cases(seed, CASES_A_BLOCK):
            load(connection, case, "sample")
            test = build_test(relation="sample", **case.test)
            (result,) = Suite((test,)).run(connection).tests
            found += [
                f"{case.name}: {line}"
                for line in kind_differences(result, case.table, case.columns, case.test)
            ]
            connection.execute("drop table sample")
    assert not found, "\n".join(found[:20])
