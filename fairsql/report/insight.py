"""A key insight: what it says, and what a test can hold it against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Insight:
    """A sentence or two, what it is about, and the facts that it states."""

    kind: str
    text: str
    facts: Mapping[str, Any]
