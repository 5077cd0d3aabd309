"""What every peer's program shares: its two arguments, and the shape of what it writes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ByMetric = Mapping[str, Mapping[Any, float]]
"""Metric -> group -> value."""


def main(compute: Callable[[str], ByMetric]) -> None:
    """Write what a peer computes from the file it is given."""
    table, numbers = sys.argv[1:]
    found = [
        [metric, str(group), float(value)]
        for metric, by_group in compute(table).items()
        for group, value in by_group.items()
    ]
    Path(numbers).write_text(json.dumps(found), encoding="utf-8")
