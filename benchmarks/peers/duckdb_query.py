"""DuckDB: the seven metrics in SQL by hand, the AUC by the usual window over collapsed scores."""

from __future__ import annotations

import duckdb

from benchmarks.peers.writing import ByMetric, main

METRICS = (
    "accuracy",
    "recall",
    "false_positive_rate",
    "selection_rate",
    "auc",
    "log_loss",
    "brier",
)
QUERY = """
with counted as (
    select
        region,
        score,
        count(*) as n,
        count(*) filter (truth = 1) as positives,
        count(*) filter (truth = 0) as negatives,
        count(*) filter (truth = prediction) as correct,
        count(*) filter (prediction = 1) as selected,
        count(*) filter (truth = 1 and prediction = 1) as hits,
        count(*) filter (truth = 0 and prediction = 1) as alarms
    from sample
    group by region, score
),

ranked as (
    select
        *,
        sum(negatives) over (
            partition by region order by score rows unbounded preceding
        ) - negatives / 2.0 as below
    from counted
)

select
    region,
    sum(correct) / sum(n) as accuracy,
    sum(hits) / sum(positives) as recall,
    sum(alarms) / sum(negatives) as false_positive_rate,
    sum(selected) / sum(n) as selection_rate,
    sum(positives * below) / (sum(positives)::double * sum(negatives)) as auc,
    sum(
        - positives * ln(greatest(score, 1e-15)) - negatives * ln(greatest(1 - score, 1e-15))
    ) / sum(n) as log_loss,
    sum(positives * (1 - score) ** 2 + negatives * score ** 2) / sum(n) as brier
from ranked
group by region
"""


def compute(path: str) -> ByMetric:
    """Return seven metrics by region."""
    connection = duckdb.connect()
    connection.execute("set enable_progress_bar = false")
    connection.execute(f"create view sample as select * from '{path}'")
    rows = connection.execute(QUERY).fetchall()
    return {
        metric: {row[0]: row[place] for row in rows}
        for place, metric in enumerate(METRICS, start=1)
    }


if __name__ == "__main__":
    main(compute)
