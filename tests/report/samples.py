"""Results made by hand, with no more in them than a report reads."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.console import Console

from fairsql.report import UNICODE, Marks, run_table
from fairsql.results import Comparison, GroupResult, Rows, Run, TestResult, ThresholdResult

if TYPE_CHECKING:
    from collections.abc import Sequence

GROUP = GroupResult(
    key={"sex": "M"},
    rows=80,
    missing_metric_inputs=0,
    share=0.5,
    sufficient=True,
    value=0.375,
    value_reason=None,
    denominator=80,
    statistics={"positives": 30},
    suppressed=False,
    confidence_interval=(0.2768, 0.4844),
    ratio=0.8,
    difference=0.075,
    is_reference=False,
    worse=True,
    p_value=0.4008,
    p_value_adjusted=0.4008,
    significant=False,
    failed=False,
)
REFERENCE = replace(GROUP, is_reference=True, worse=False, ratio=1.0, difference=0.0, p_value=None)
TEST = TestResult(
    name="approvals by sex",
    type="group_metric_parity",
    relation="loans",
    status="passed",
    reason=None,
    message=None,
    notes=(),
    parameters={
        "where": None,
        "protected_attribute_columns": ["sex"],
        "parity_metric": "rate",
        "score_column": None,
        "value_column": "approved",
        "p_value_adjustment": "none",
        "min_reported_rows": 1,
    },
    rows=Rows(160, 0, 0, 160),
    overall_value=0.3375,
    comparison=Comparison("reference", {"sex": "M"}, 0.375),
    measurements={"failing_group_count": 0, "min_metric_ratio": 0.8},
    thresholds=(ThresholdResult("failing_group_count", "<=", 0.0, 0, True),),
    groups_total=2,
    groups=(replace(GROUP, key={"sex": "F"}, value=0.3), REFERENCE),
)
FAILED = replace(
    TEST,
    status="failed",
    thresholds=(ThresholdResult("failing_group_count", "<=", 0.0, 1, False),),
    groups=(
        replace(GROUP, key={"sex": "F"}, value=0.1375, ratio=0.1375 / 0.375, failed=True),
        REFERENCE,
    ),
)


def limit(measurement: str, operator: str, value: float, observed: float | None) -> Any:
    """A threshold that does not hold."""
    return ThresholdResult(measurement, operator, value, observed, False)


def run_of(*tests: TestResult) -> Run:
    """A run of tests that shared one scan."""
    moment = "2026-11-30T10:00:00Z"
    return Run(tests, "0.1.0", moment, moment, "duckdb", "memory", scans=1)


def page(
    tests: Sequence[TestResult],
    width: int = 120,
    marks: Marks = UNICODE,
    *,
    verbose: bool = False,
    color: bool = False,
) -> str:
    """What a terminal of that width shows, without blanks at the ends of lines."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=color, color_system="standard" if color else None,
        markup=False, emoji=False, highlight=False,
    )  # fmt: skip
    table = run_table(
        run_of(*tests), width=width, marks=marks, verbose=verbose, elapsed_seconds=0.44
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
