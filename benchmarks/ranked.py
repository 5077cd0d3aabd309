"""What ranks rows: the exact AUC and the quantiles, on distributions that are hard for either."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom

from benchmarks import by_hand, checking, data, measuring
from benchmarks.measuring import Cost, Program
from benchmarks.scans import (
    COLUMNS,
    by_hand_process,
    fairsql_process,
    row,
    running,
    statement_of,
)
from benchmarks.sections import Section, Target, ratio
from benchmarks.setting import Setting, over, suite

_ALPHA = 0.05
_ALL_ROWS = "the usual query, over all rows"
_LIMITED = """
import duckdb
import fairsql
connection = duckdb.connect(config={{"memory_limit": "1GB"}})
connection.execute("set enable_progress_bar = false")
connection.execute("create view sample as select * from '{path}'")
run = fairsql.load_suite('{suite}').run(connection)
with open('{results}', 'w') as file:
    file.write(run.to_json())
for test in run.tests:
    if test.status == "error":
        raise SystemExit(test.message)
"""


def auc(setting: Setting) -> Section:
    """Measure the exact AUC by ten groups, on scores that are hard to rank."""
    rows = setting.size(10_000_000)
    query = by_hand.query("auc", group="region")
    table, targets, checked = [], [], 0
    for place, score in enumerate(data.SCORES):
        path = setting.table(f"scores_{place}", rows, data.scored(rows, score))
        results = setting.results("auc")
        costs = measuring.processes(
            {
                "fairsql": fairsql_process("auc", path, results),
                "usual": by_hand_process(path, query),
            },
            repeats=1,
        )
        with over(path) as connection:
            queries = {"fairsql": statement_of("auc", connection), "usual": query}
            if score == "distinct":
                queries[_ALL_ROWS] = by_hand.query("auc", group="cast('all' as varchar)")
            seconds = measuring.calls(running(connection, queries), repeats=setting.repeats(2))
            theirs = by_hand.by_group(by_hand.rows(connection, query), "region")
        checked += checking.same(score, checking.values(checking.read(results)), theirs)
        table += [
            row(f"{score}: fairsql", rows, seconds["fairsql"], costs["fairsql"]),
            row(f"{score}: the usual query", rows, seconds["usual"], costs["usual"]),
        ]
        if score == "distinct":
            table.append([f"{score}: {_ALL_ROWS}", rows, seconds[_ALL_ROWS], None, None])
            by_group = ratio(seconds["fairsql"], seconds["usual"])
            both = ratio(seconds["fairsql"], seconds["usual"] + seconds[_ALL_ROWS])
            targets += [
                Target("distinct scores / the usual query by group", by_group, 0.35, "×"),
                Target("distinct scores / both usual queries", both, None, "×"),
            ]
        peak = Target(f"{score}: peak of the process", costs["fairsql"].megabytes, 1500, "MB")
        targets.append(peak)
    return Section("auc", COLUMNS, table, targets, checked)


def quantiles(setting: Setting) -> Section:
    """Measure medians and 95th percentiles with intervals and tests beside the bare quantiles."""
    query = by_hand.query("quantiles", group="region")
    table, targets, checked = [], [], 0
    for place, share in enumerate(data.SHARES):
        large = share == "3 groups"
        rows = setting.size(30_000_000 if large else 10_000_000)
        path = setting.table(f"shares_{place}", rows, data.divided(rows, share))
        results = setting.results("quantiles")
        program = fairsql_process("quantiles", path, results)
        if large:
            text = _LIMITED.format(path=path, suite=suite("quantiles"), results=results)
            program = measuring.script(text)
        costs = {
            "fairsql": _cost(program),
            **measuring.processes({"bare": by_hand_process(path, query)}, repeats=1),
        }
        with over(path) as connection:
            queries = {"bare": query}
            if not large:
                queries["fairsql"] = statement_of("quantiles", connection)
            seconds = measuring.calls(running(connection, queries), repeats=setting.repeats(2))
            if costs["fairsql"].seconds:
                checked += _checked(connection, share, results)
        named = f"{share}, memory_limit='1GB'" if large else share
        table += [
            row(f"{named}: fairsql", rows, seconds.get("fairsql"), costs["fairsql"]),
            row(f"{share}: bare quantile_cont", rows, seconds["bare"], costs["bare"]),
        ]
        if large:
            ended = Target(f"{named}: ends, and right", costs["fairsql"].seconds, 300, "s")
            targets.append(ended)
        else:
            beside = ratio(seconds["fairsql"], seconds["bare"])
            targets.append(Target(f"{share} / bare quantile_cont", beside, 3, "×"))
    return Section("quantiles", COLUMNS, table, targets, checked)


def _cost(program: Program) -> Cost:
    """Return what a run costs that may be too late, or stopped by its limit of memory."""
    try:
        return measuring.processes({"fairsql": program}, repeats=1, limit=300)["fairsql"]
    except measuring.DidNotRunError as failed:
        print(failed, file=sys.stderr)
        return Cost(None, None)


def _checked(connection: Any, share: str, results: Path) -> int:
    """Return how many quantiles and ends of intervals agree with the sorted values themselves."""
    found = checking.read(results)
    theirs: dict[tuple[Any, ...], float | None] = {}
    bounds: dict[tuple[Any, ...], float | None] = {}
    groups = connection.execute("select distinct region from sample").fetchall()
    for (group,) in groups:
        chosen = connection.execute("select amount from sample where region = ?", [group])
        amounts = np.sort(chosen.fetchnumpy()["amount"])
        for metric, q in (("median", 0.5), ("p95", 0.95)):
            theirs[metric, ("region",), (group,)] = float(np.quantile(amounts, q))
            for end, rank in zip(("lower", "upper"), _ranks(len(amounts), q), strict=True):
                inside = 1 <= rank <= len(amounts)
                bounds[metric, (group,), end] = float(amounts[rank - 1]) if inside else None
    values = checking.same(share, checking.values(found), theirs)
    return values + checking.same(f"{share}, intervals", checking.intervals(found), bounds)


def _ranks(rows: int, q: float) -> tuple[int, int]:
    """Return the ranks at which the interval of a quantile ends, by Conover's binomial bounds."""
    place = q * (rows - 1)
    lower = min(int(binom.ppf(_ALPHA / 2, rows, q)), int(np.floor(round(place, 6))) + 1)
    upper = max(int(binom.ppf(1 - _ALPHA / 2, rows, q)) + 1, int(np.ceil(round(place, 6))) + 1)
    return lower, upper
