"""The package against the row-level oracle, on generated tables and tests."""

from __future__ import annotations

import duckdb
import pytest

from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite
from tests.differential import differences, oracle_table
from tests.generator import cases, load
from tests.oracle import judge
from tests.variants import variants

BLOCKS = 8
CASES_A_BLOCK = 25


@pytest.mark.parametrize("seed", range(BLOCKS))
def test_every_field_agrees_with_the_oracle(seed: int) -> None:
    connection = duckdb.connect()
    found = []
    for case in cases(seed, CASES_A_BLOCK):
        load(connection, case, "sample")
        tests = list(variants(case.test))
        suite = Suite(tuple(build_test(relation="sample", **test) for test in tests))
        run = suite.run(connection)
        assert run.scans <= 1
        table = oracle_table(case)
        for test, result in zip(tests, run.tests, strict=True):
            expected = judge(table, case.columns, test)
            found += [f"{test['name']}: {line}" for line in differences(to_dict(result), expected)]
        connection.execute("drop table sample")
    assert not found, "\n".join(found[:20])
