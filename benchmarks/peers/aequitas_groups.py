"""Aequitas: the crosstabs of its Group, which know labels alone.

It pins old versions of libraries and has an environment of its own, so this file runs there by its
path and imports nothing beside it.

    python benchmarks/peers/aequitas_groups.py TABLE.parquet NUMBERS.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pandas as pd
from aequitas.group import Group

NAMES = {
    "accuracy": "accuracy",
    "tpr": "recall",
    "fpr": "false_positive_rate",
    "pprev": "selection_rate",
}


def main(path: str, numbers: str) -> None:
    """Write the four metrics by region that Aequitas has of the seven."""
    table = pd.read_parquet(path, columns=["region", "truth", "prediction"])
    table = table.rename(columns={"truth": "label_value", "prediction": "score"})
    found, _ = Group().get_crosstabs(table, attr_cols=["region"])
    rows = [
        [NAMES[column], group, float(value)]
        for column in NAMES
        if column in found
        for group, value in zip(found["attribute_value"], found[column], strict=True)
    ]
    Path(numbers).write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
