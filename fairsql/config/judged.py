"""What is measured of what judges said: metrics of their scores, and counts of rows.

A judge NAME leaves NAME_score and NAME_errored beside the rows it judged, and NAME_scored, which
is 1 where there is a score and 0 where the judge failed; all are missing where it has not judged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairsql.config.combinations import listing

if TYPE_CHECKING:
    from fairsql.config.base import Faults
    from fairsql.config.judging import JudgeSpec

SCORE, SCORED, ERRORED = "score", "scored", "errored"


@dataclass(frozen=True)
class Judged:
    """A measurement: a metric of one of the columns that a judge of a template leaves."""

    judge: str
    metric: str
    column: str
    higher_is_better: bool

    @property
    def counts_rows(self) -> bool:
        """Whether it is a number of rows."""
        return self.column != SCORE

    def column_of(self, spec: JudgeSpec) -> str:
        """Return the column's name, where this judge judged."""
        return f"{spec.name}_{self.column}"


JUDGED_METRICS: Mapping[str, Judged] = {
    name: Judged(name, "mean", SCORE, higher)
    for name, higher in (
        ("answer_relevancy", True),
        ("answer_correctness", True),
        ("context_precision", True),
        ("context_recall", True),
        ("correctness", True),
        ("harmfulness", False),
        ("coherence", True),
        ("conciseness", True),
        ("maliciousness", False),
        ("faithfulness", True),
    )
}
"""Metrics of all rows that are means of a judge's scores; each is called as its judge is."""

BIAS_MEASUREMENTS: Mapping[str, Judged] = {
    "bias_mean_score": Judged("bias", "mean", SCORE, higher_is_better=False),
    "bias_std_score": Judged("bias", "std", SCORE, higher_is_better=False),
    "applied_row_count": Judged("bias", "sum", SCORED, higher_is_better=True),
    "errored_row_count": Judged("bias", "sum", ERRORED, higher_is_better=False),
}
"""What is measured of a judge of bias."""

JUDGED: Mapping[str, Judged] = {**JUDGED_METRICS, **BIAS_MEASUREMENTS}
"""Everything that is measured of what judges said."""


def judge_of(name: str, judges: Sequence[JudgeSpec]) -> JudgeSpec:
    """Return the judge that a measurement is of; there is one by :func:`judge_faults`."""
    return next(spec for spec in judges if spec.judge == JUDGED[name].judge)


def judge_faults(names: Collection[str], judges: Sequence[JudgeSpec]) -> Faults:
    """Yield which measurements lack a judge, or have several.

    >>> list(judge_faults(["faithfulness"], ()))
    [('judges', 'need a judge of faithfulness, which the threshold on faithfulness reads.')]
    """
    measured: dict[str, list[str]] = {}
    for name in names:
        if name in JUDGED:
            measured.setdefault(JUDGED[name].judge, []).append(name)
    for judge, own in measured.items():
        found = [spec.name for spec in judges if spec.judge == judge]
        plural = "thresholds on" if len(own) > 1 else "threshold on"
        reads = "read" if len(own) > 1 else "reads"
        if not found:
            yield (
                "judges",
                f"need a judge of {judge}, which the {plural} {listing(own)} {reads}.",
            )
        elif len(found) > 1:
            yield "judges", f"have {len(found)} judges of {judge}, {listing(found)}; one is needed."
