"""Approximate methods in windows: each window has bins of its own, run at once or one by one."""

from __future__ import annotations

from typing import Any

import duckdb

from fairsql.config import build_test
from fairsql.results import to_dict
from fairsql.suite import Suite

WEEK = {"timestamp_column": "at", "evaluation_window": 604_800}
SHARED: dict[str, Any] = {"relation": "asked", "protected_attribute_columns": ["who"], **WEEK}
TESTS = (
    {
        **SHARED,
        "parity_metric": "auc",
        "score_column": "score",
        "ground_truth_column": "truth",
        "positive_values": [1],
        "auc_method": "binned",
    },
    {
        **SHARED,
        "parity_metric": "p95",
        "value_column": "score",
        "higher_is_better": True,
        "quantile_method": "approximate",
    },
)
TOLD = ("status", "overall", "groups", "measurements", "notes", "window")


def test_a_backfill_has_the_results_of_its_windows_alone() -> None:
    suite = Suite(tuple(build_test(name=str(n), **test) for n, test in enumerate(TESTS)))
    with duckdb.connect() as connection:
        # The second week's scores are of another size, which would spoil bins of both together.
        connection.execute("""
            create table asked as
            select
                timestamp '2024-03-01' + i * interval '3 minutes' as at,
                case when i % 3 = 0 then 'a' when i % 7 = 0 then ' b' else 'b' end as who,
                i % 2 as truth,
                (i * 7919 % 1009 + 200 * (i % 2)) * case when i < 3360 then 1 else 1e9 end as score
            from range(6720) as rows(i)
        """)
        at_once = suite.run(connection, backfill="2024-03-01..2024-03-15").tests
        alone = [
            result
            for end in ("2024-03-08", "2024-03-15")
            for result in suite.run(connection, as_of=end).tests
        ]
    found = {(r.name, r.window and r.window.end): to_dict(r) for r in at_once}
    assert len(found) == len(alone) == 4
    for result in alone:
        other = found[result.name, result.window and result.window.end]
        mine = to_dict(result)
        for name in TOLD:
            if name == "groups":
                for one in (*mine[name], *other[name]):
                    del one["rows_sql"]
            assert mine[name] == other[name], name
