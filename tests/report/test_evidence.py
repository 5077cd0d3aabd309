"""Which groups a broken threshold points at: the rules of the dbt tests' failing rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairsql.report import breaking_groups
from fairsql.results import ThresholdResult
from tests.report.samples import FAILED, GROUP, REFERENCE, limit

SEX = {
    "failed": replace(GROUP, key={"sex": "failed"}, value=0.1, ratio=0.2, difference=0.4,
                      significant=True, failed=True, share=0.3),
    "significant": replace(GROUP, key={"sex": "significant"}, value=0.4, ratio=0.9,
                           difference=0.05, significant=True, share=0.2),
    "tied": replace(GROUP, key={"sex": "tied"}, value=0.1, ratio=0.2, difference=0.4, share=0.2),
    "reference": replace(REFERENCE, key={"sex": "reference"}, value=0.5, share=0.28),
    "undefined": replace(GROUP, key={"sex": "undefined"}, value=None, ratio=None, difference=None,
                         value_reason="no_rows", share=0.2),
    "small": replace(GROUP, key={"sex": "small"}, value=0.01, ratio=0.02, difference=0.49,
                     sufficient=False, share=0.02),
}  # fmt: skip


@pytest.mark.parametrize(
    ("measurement", "observed", "expected"),
    [
        ("failing_group_count", 1, ["failed"]),
        ("failing_group_percentage", 0.2, ["failed"]),
        ("significant_disparity_count", 2, ["failed", "significant"]),
        ("insufficient_group_count", 1, ["small"]),
        ("undefined_group_count", 1, ["undefined"]),
        ("min_metric_ratio", 0.2, ["failed", "tied"]),  # never the small group's 0.02
        ("max_metric_difference", 0.4, ["failed", "tied"]),
        ("worst_group_value", 0.1, ["failed", "tied"]),
        ("min_group_share", 0.02, ["small"]),
        ("missing_attribute_rate", 0.2, []),
    ],
)
def test_a_broken_threshold_points_at_groups(
    measurement: str, observed: float, expected: list[str]
) -> None:
    broken = limit(measurement, "<=", -1, observed)
    test = replace(FAILED, groups=tuple(SEX.values()), thresholds=(broken,))
    assert [group.key["sex"] for group in breaking_groups(test)] == expected


def test_several_thresholds_name_a_group_once_and_kept_ones_none() -> None:
    thresholds = (
        limit("failing_group_count", "<=", 0, 1),
        limit("min_metric_ratio", ">=", 0.8, 0.2),
        ThresholdResult("insufficient_group_count", "<=", 5, 1, True),
    )
    test = replace(FAILED, groups=tuple(SEX.values()), thresholds=thresholds)
    assert [group.key["sex"] for group in breaking_groups(test)] == ["failed", "tied"]


def test_a_skipped_test_has_no_evidence() -> None:
    undefined = ThresholdResult("min_metric_ratio", ">=", 0.8, None, None)
    test = replace(FAILED, status="skipped", message="why", thresholds=(undefined,))
    assert breaking_groups(test) == ()
