"""fairlearn: two metric frames, since those of labels and those of scores take other columns."""

from __future__ import annotations

import pandas as pd
from fairlearn.metrics import MetricFrame, false_positive_rate, selection_rate
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    log_loss,
    recall_score,
    roc_auc_score,
)

from benchmarks.peers.writing import ByMetric, main

OF_LABELS = {
    "accuracy": accuracy_score,
    "recall": recall_score,
    "false_positive_rate": false_positive_rate,
    "selection_rate": selection_rate,
}
OF_SCORES = {"auc": roc_auc_score, "log_loss": log_loss, "brier": brier_score_loss}


def compute(path: str) -> ByMetric:
    """Return seven metrics by region."""
    table = pd.read_parquet(path, columns=["region", "truth", "prediction", "score"])
    found: dict[str, dict[str, float]] = {}
    for metrics, column in ((OF_LABELS, "prediction"), (OF_SCORES, "score")):
        frame = MetricFrame(
            metrics=metrics,
            y_true=table["truth"],
            y_pred=table[column],
            sensitive_features=table["region"],
        )
        found.update(frame.by_group.to_dict())
    return found


if __name__ == "__main__":
    main(compute)
