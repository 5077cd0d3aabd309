"""Reports in the form that a rule asks for: pure functions from a run to Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from fairsql.report.presets.nyc_ll144 import local_law_144

if TYPE_CHECKING:
    from fairsql.results import Run

PRESETS: Mapping[str, Callable[[Run], str]] = {"nyc-ll144": local_law_144}
"""Preset by the name it has on the command line."""
