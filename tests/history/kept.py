"""What a history must hold after runs were kept in it, on any warehouse."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fairsql
from fairsql.records import MEASUREMENTS, records
from tests.report.samples import GROUP, TEST, run_of

if TYPE_CHECKING:
    from fairsql.results import Run, TestResult

MANY = 40 * 100
"""The records of :func:`long_run`."""


def long_run() -> Run:
    """A run of 40 tests of 100 groups."""
    groups = tuple(replace(GROUP, key={"sex": f"g{n}"}) for n in range(100))
    return run_of(*(replace(TEST, name=f"test {n}", groups=groups) for n in range(40)))


def hold_two_runs(warehouse: Any, run: Run, target: str) -> None:
    """Keep a run twice, and compare the table with its records and with what is read back."""
    ids = [fairsql.keep_history(run, target, warehouse) for _ in range(2)]
    table = target.removeprefix("warehouse:")
    rows = warehouse.run(f"select * from {table}").rows
    assert Counter(row["run_id"] for row in rows) == Counter(dict.fromkeys(ids, len(rows) // 2))
    expected = sorted(map(_shown, [{**record, "run_id": ""} for record in records(run)] * 2))
    assert sorted(_shown({**row, "run_id": ""}) for row in rows) == expected

    past = fairsql.read_history(target, warehouse)
    assert {one.run_id for one in past} == set(ids)
    measured = {one.test: one.measurements for one in past}
    assert measured == {test.name: _measured(test) for test in run.tests}


def runs_of(warehouse: Any, table: str) -> Counter[str]:
    """How many rows each run has in a table."""
    rows = warehouse.run(f"select run_id, count(*) as n from {table} group by run_id").rows
    return Counter({row["run_id"]: row["n"] for row in rows})


def _measured(test: TestResult) -> dict[str, Any]:
    (record, *_) = records(run_of(test))
    return {name: record[name] for name in MEASUREMENTS}


def _shown(row: dict[str, Any]) -> str:
    # 1 and 1.0 are one number, but True is no 1.
    plain = {
        name: float(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in row.items()
    }
    return repr(sorted(plain.items()))
