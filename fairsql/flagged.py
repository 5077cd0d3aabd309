"""What a test of flagged answers tells besides its verdict: the gap's interval, and its caveats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairsql.conditions import valued

if TYPE_CHECKING:
    from fairsql.comparison import Group
    from fairsql.config.flagged import FlaggedTest
    from fairsql.results import TestResult, TestStatistics

Kinds = Mapping[str, str | None]


def completed_flags(
    test: FlaggedTest, result: TestResult, further: Sequence[TestStatistics], kinds: Kinds
) -> TestResult:
    """Return the result with the interval of the gap, and what it is no evidence of."""
    from fairsql.inference import largest_gap

    question = test.further_questions()[0]
    judgement = valued(question, further[0], kinds)
    groups = [group for group in judgement.groups if group.sufficient and group.value is not None]
    notes = [*result.notes, *_saturated(groups)]
    intervals = dict(result.intervals)
    if test.weight_column is None and judgement.skip is None:
        counts = [(group.statistics["positives"], group.statistics["rows"]) for group in groups]
        gap = largest_gap(counts, test.alpha)
        if gap is not None and result.measurements.get(test.gap_name) is not None:
            intervals[test.gap_name] = (gap.lower, gap.upper)
            notes.append(
                f"{test.gap_name} lies between {gap.lower:.4f} and {gap.upper:.4f} at"
                f" {1 - test.alpha:.0%}, whichever groups turned out highest and lowest."
            )
    if test.allow_small_samples:
        notes.append("Small groups are allowed, so the result is illustrative and no evidence.")
    return replace(
        result,
        notes=tuple(notes),
        intervals=intervals,
        illustrative=test.allow_small_samples,
    )


def _saturated(groups: Sequence[Group]) -> Iterator[str]:
    """Yield that all answers are alike: a gap of 0 then says nothing of how groups are treated."""
    for value, words, end in ((1.0, "every", "ceiling"), (0.0, "no", "floor")):
        if len(groups) > 1 and all(group.value == value for group in groups):
            rows = sum(group.rows for group in groups)
            yield (
                f"By this measure {words} answer of any group counts ({rows:,} answers): it is at"
                f" its {end}, and a gap of 0 there is no evidence of equal treatment."
            )
