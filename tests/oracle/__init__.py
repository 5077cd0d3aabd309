"""A second reading of SPEC, by brute force on rows, to judge the package by.

Nothing here imports ``fairsql`` and nothing there imports this: where the two agree on a generated
case, they agree because both follow the same page, not because they share a mistake.
"""

from __future__ import annotations

from .canonical import Kind, canonical_text, clean_key
from .judge import judge
from .metrics import METRICS
from .verdict import MEASUREMENTS

__all__ = ["MEASUREMENTS", "METRICS", "Kind", "canonical_text", "clean_key", "judge"]
