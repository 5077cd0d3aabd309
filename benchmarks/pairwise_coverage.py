"""How often intervals over judged pairs hold the truth: ``python -m benchmarks.pairwise_coverage``.

A simulated judge has a known divergence, noise, and a liking for the first answer; each group of
prompts has an effect of its own, which its two pairs and its control pair share. All that is
measured runs in DuckDB, as a user's test does.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np

import fairsql

RUNS = 300
GROUPS = (15, 40)
DIVERGENCE, FLOOR, LIKING = 0.30, 0.12, 0.08
EFFECT, NOISE = 0.08, 0.1
JUDGE = {
    "name": "simulated",
    "judge": "pairwise_bias",
    "model": "m",
    "prompt_version": "v",
    "input_column": "prompt",
    "output_column": "answer",
    "table": "judged",
}
ANSWERS = """
create or replace table answers as
select 'g' || g as group_id, role, 'p' as prompt, role || g || copy as answer
from range({groups}) as numbers (g)
cross join (values ('reference', 'a'), ('reference', 'b'), ('other', 'a')) as made (role, copy)
"""


def simulated(
    groups: int, divergence: float, rng: np.random.Generator
) -> Iterator[tuple[str, str, float]]:
    """Yield both answers of each ordered pair, and its score."""
    for group in range(groups):
        effect = rng.normal(0, EFFECT)
        first, second, other = f"reference{group}a", f"reference{group}b", f"other{group}a"
        for one, two, mean in (
            (first, other, divergence),
            (second, other, divergence),
            (first, second, FLOOR),
        ):
            scores = mean + effect + rng.normal(0, NOISE, 2)
            yield one, two, float(scores[0] + LIKING / 2)
            yield two, one, float(scores[1] - LIKING / 2)


def result(
    connection: duckdb.DuckDBPyConnection, groups: int, divergence: float, rng: np.random.Generator
) -> fairsql.TestResult:
    """Return what a test finds of one simulated run."""
    ones, others, scores = zip(*simulated(groups, divergence, rng), strict=True)
    connection.execute(ANSWERS.format(groups=groups))
    connection.execute(
        "create or replace table judged as select 'pairwise_bias' as judge, 'v' as prompt_version,"
        " 'm' as model, sha256('1:p' || length(one) || ':' || one || length(other) || ':' || other)"
        " as input_hash, score, null as label, '2026' as judged_at from (select"
        " unnest(?::text[]) as one, unnest(?::text[]) as other, unnest(?::double[]) as score)",
        [list(ones), list(others), list(scores)],
    )
    return fairsql.pairwise_divergence(
        connection, "answers", judges=[JUDGE], max_mean_divergence=1.0
    )


def coverage(groups: int, runs: int = RUNS, seed: int = 1) -> dict[str, float]:
    """Return, for each number, the share of intervals that held the truth.

    The last is the share of runs of a judge of pure noise in which the floor was told.
    """
    rng = np.random.default_rng(seed)
    truth = {
        "mean_divergence": DIVERGENCE,
        "position_bias": LIKING,
        "divergence_above_floor": DIVERGENCE - FLOOR,
    }
    held = dict.fromkeys([*truth, "at the floor"], 0)
    with duckdb.connect() as connection:
        for _ in range(runs):
            found = result(connection, groups, DIVERGENCE, rng)
            for name, value in truth.items():
                low, high = found.intervals[name]
                held[name] += low <= value <= high
            noise = result(connection, groups, FLOOR, rng)
            held["at the floor"] += not any("is above it by" in note for note in noise.notes)
    return {name: count / runs for name, count in held.items()}


def main() -> None:
    """Print the table of the documentation."""
    print("| groups | mean divergence | position bias | above the floor | noise told as noise |")
    print("| --- | --- | --- | --- | --- |")
    for groups in GROUPS:
        shares = coverage(groups)
        print(f"| {groups} | " + " | ".join(f"{share:.1%}" for share in shares.values()) + " |")


if __name__ == "__main__":
    main()
