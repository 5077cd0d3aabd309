"""polars: the seven metrics in one lazy query."""

from __future__ import annotations

import polars as pl

from benchmarks.peers.writing import ByMetric, main


def compute(path: str) -> ByMetric:
    """Return seven metrics by region."""
    truth, prediction, score = pl.col("truth"), pl.col("prediction"), pl.col("score")
    happened = pl.when(truth == 1).then(score).otherwise(1 - score)
    rank = score.rank().over("region")
    positives = truth.sum().cast(pl.Float64)
    negatives = pl.len() - positives
    found = (
        pl.scan_parquet(path)
        .select("region", "truth", "prediction", "score", rank=rank)
        .group_by("region")
        .agg(
            accuracy=(truth == prediction).mean(),
            recall=((truth == 1) & (prediction == 1)).sum() / positives,
            false_positive_rate=((truth == 0) & (prediction == 1)).sum() / negatives,
            selection_rate=prediction.mean(),
            auc=(pl.col("rank").filter(truth == 1).sum() - positives * (positives + 1) / 2)
            / (positives * negatives),
            log_loss=(-happened.clip(lower_bound=1e-15).log()).mean(),
            brier=((score - truth) ** 2).mean(),
        )
        .collect()
    )
    groups = found["region"].to_list()
    return {
        metric: dict(zip(groups, found[metric].to_list(), strict=True))
        for metric in found.columns
        if metric != "region"
    }


if __name__ == "__main__":
    main(compute)
