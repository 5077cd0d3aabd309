"""Whole-process time and memory of `fairsql run` beside a hand-written query for the same counts.

For confusion counts and moments the query by hand returns every number that fairsql's statement
returns, in the plainest SQL; for AUC and quantiles it returns their values alone.

    python -m benchmarks.run [ROWS …]

Generates its data under `benchmarks/data/` (not committed), runs each command several times in turn
and prints a Markdown table of medians. Ratios are of two medians of one run on one machine.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb

import fairsql

HERE = Path(__file__).parent
DATA = HERE / "data"
ROOT = HERE.parent
REPEATS = 5
STATEMENT_REPEATS = 15  # a statement takes a twentieth of a second: more runs for a steady median

GENERATE = """
copy (
    select
        'group_' || (hash(i) % 10) as segment,
        cast(hash(i * 7) % 100 < 45 as integer) as truth,
        cast(hash(i * 11) % 100 < 40 as integer) as prediction,
        hash(i * 17) / 18446744073709551615.0::double as score
    from range({rows}) as numbers(i)
) to '{path}' (format parquet)
"""

CELLS = """
select segment, count(*), count(prediction), count(truth), min(truth), max(truth),
    count(*) filter (truth = 1 and prediction = 1), count(*) filter (truth = 0 and prediction = 1),
    count(*) filter (truth = 1 and prediction = 0), count(*) filter (truth = 0 and prediction = 0)
from '{path}' group by segment
"""

MOMENTS = """
select segment, count(*), count(score), count(truth), min(truth), max(truth),
    count(*) filter (truth = 1 and score is not null),
    count(*) filter (truth is not null and score is not null),
    count(*) filter (truth is not null and (score < 0 or score > 1)),
    count(*) filter (isinf(score)),
    avg(score), var_samp(score), min(score), max(score),
    avg(loss), var_samp(loss), min(loss), max(loss)
from (
    select *, -ln(greatest(case when truth = 1 then score else 1 - score end, 1e-15)) as loss
    from '{path}'
) group by segment
"""

AUC = """
select segment, sum(positives * (below - negatives / 2.0)) from (
    select *, sum(negatives) over (
        partition by segment order by score rows unbounded preceding
    ) as below
    from (
        select segment, score,
            count(*) filter (truth = 1) as positives, count(*) filter (truth = 0) as negatives
        from '{path}' group by segment, score
    )
) group by segment
"""

TEST = """
  - name: {metric}
    type: group_metric_parity
    relation: sample
    protected_attribute_columns: [segment]
    parity_metric: {metric}
    {columns}
"""
LABELS = "prediction_column: prediction\n    ground_truth_column: truth\n    positive_values: ['1']"
PROBABILITY = (
    "probability_column: score\n    ground_truth_column: truth\n    positive_values: ['1']"
)
SCORE = "score_column: score\n    ground_truth_column: truth\n    positive_values: ['1']"
VALUE = "value_column: score\n    higher_is_better: true"

SUITES = {
    "cells": [("npv", LABELS)],
    "moments": [("mean", VALUE), ("log_loss", PROBABILITY)],
    "auc": [("auc", SCORE)],
    "quantiles": [("p95", VALUE)],
}
BY_HAND = {
    "cells": CELLS,
    "moments": MOMENTS,
    "auc": AUC,
    "quantiles": "select segment, quantile_cont(score, 0.95) from '{path}' group by segment",
}


@dataclass(frozen=True)
class Cost:
    """Median wall seconds and largest resident memory in MB of several runs."""

    seconds: float
    megabytes: float


def _run_once(command: list[str]) -> tuple[float, float]:
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) not in (0, 1, 3):  # passed, failed, skipped
        raise SystemExit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    scale = 1024**2 if platform.system() == "Darwin" else 1024
    return seconds, usage.ru_maxrss / scale


def measure(*commands: list[str], repeats: int = REPEATS) -> list[Cost]:
    """Return the cost of each command, run in turn so that a slow spell hits them all alike."""
    runs: list[list[tuple[float, float]]] = [[] for _ in commands]
    for _ in range(repeats):
        for own, command in zip(runs, commands, strict=True):
            own.append(_run_once(command))
    return [
        Cost(statistics.median(seconds for seconds, _ in own), max(size for _, size in own))
        for own in runs
    ]


def statements(name: str, path: Path) -> tuple[float, float]:
    """Return median seconds of fairsql's statement and of the query by hand, run in turn."""
    connection = duckdb.connect()
    connection.execute(f"create view sample as select * from '{path}'")
    (statement,) = fairsql.load_suite(_suite(name)).plan(connection).statements
    queries = (statement.sql, BY_HAND[name].format(path=path))
    runs: tuple[list[float], list[float]] = ([], [])
    for repeat in range(STATEMENT_REPEATS + 1):
        for own, query in zip(runs, queries, strict=True):
            started = time.perf_counter()
            connection.execute(query).fetchall()
            if repeat:  # the first is a warm-up
                own.append(time.perf_counter() - started)
    return statistics.median(runs[0]), statistics.median(runs[1])


def _measured(rows: int) -> list[str]:
    """Return what is measured at a size: what ranks rows takes minutes beyond two million."""
    return [name for name in BY_HAND if rows <= 2_000_000 or name not in ("auc", "quantiles")]


def _data(rows: int) -> Path:
    DATA.mkdir(exist_ok=True)
    path = DATA / f"sample_{rows}.parquet"
    if not path.exists():
        generate = GENERATE.format(rows=rows, path=path)
        script = f"import duckdb; duckdb.connect().execute({generate!r})"
        subprocess.run([sys.executable, "-c", script], check=True)
    return path


def _suite(name: str) -> Path:
    path = DATA / f"{name}.yml"
    tests = "".join(TEST.format(metric=metric, columns=columns) for metric, columns in SUITES[name])
    path.write_text(f"version: 1\ntests:{tests}")
    return path


def _fairsql(suite: Path, *data: str) -> list[str]:
    command = [sys.executable, "-m", "fairsql", "run", str(suite), "--connection", "duckdb://"]
    return command + [part for item in data for part in ("--data", item)]


def _by_hand(query: str) -> list[str]:
    return [sys.executable, "-c", f"import duckdb; duckdb.sql({query!r}).fetchall()"]


def main(arguments: list[str]) -> None:
    """Print the tables."""
    print(
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {platform.system()}"
        f" {platform.machine()}, Python {platform.python_version()}, DuckDB {duckdb.__version__}\n"
    )
    sizes = [int(argument) for argument in arguments or ["1000000", "10000000"]]
    # Processes first: a child's peak is at least the size of the process that starts it.
    print("| rows | statistics | fairsql run | by hand | memory | by hand |")
    print("| ---: | --- | ---: | ---: | ---: | ---: |")
    for rows in sizes:
        path = _data(rows)
        for name in _measured(rows):
            run, query = measure(
                _fairsql(_suite(name), f"sample={path}"),
                _by_hand(BY_HAND[name].format(path=path)),
            )
            print(
                f"| {rows:,} | {name} | {run.seconds:.2f} s | {query.seconds:.2f} s |"
                f" {run.megabytes:.0f} MB | {query.megabytes:.0f} MB |",
                flush=True,
            )
    demo = ROOT / "fairsql" / "demo"
    small, imported = measure(
        _fairsql(HERE / "compas_ten.yml", f"compas={demo / 'compas.csv'}"),
        [sys.executable, "-c", "import fairsql"],
    )
    (bare,) = measure([sys.executable, "-c", "pass"])
    print(f"\nTen tests of COMPAS, whole process: {small.seconds:.2f} s, {small.megabytes:.0f} MB.")
    print(f"`import fairsql`: {imported.seconds - bare.seconds:.3f} s over a bare interpreter.")
    print("\n| rows | statistics | statement | by hand | ratio |")
    print("| ---: | --- | ---: | ---: | ---: |")
    for rows in sizes:
        for name in _measured(rows):
            own, hand = statements(name, _data(rows))
            row = f"| {rows:,} | {name} | {own:.2f} s | {hand:.2f} s | {own / hand:.2f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
