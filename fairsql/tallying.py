"""How many rows judges have judged, told beside a result that rests on their scores.

A row that is not judged yet, or on which a judge failed, has no score and is left out of what is
measured: that is said, since what is left may not stand for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fairsql.families import mean, rows

if TYPE_CHECKING:
    from fairsql.config import Test
    from fairsql.results import TestResult, TestStatistics

JUDGE_FIRST = "run fairsql judge"


@dataclass(frozen=True)
class Tally:
    """Rows after the filter, those of them that a judge has judged, and those on which it failed.

    ``sample_size`` is how many texts it is to judge, where not all.
    """

    judge: str
    table: str
    total: int
    judged: int
    errored: int
    sample_size: int | None = None


def told(test: Test, result: TestResult, answers: Sequence[TestStatistics]) -> TestResult:
    """Return the result with what its judges have judged; a skip for want of scores says so.

    Parameters
    ----------
    test
        What was asked.
    result
        The verdict.
    answers
        The answers to the test's tallies.
    """
    tallies = tuple(_tallies(test, answers))
    if result.reason == "column_all_missing":
        messages = filter(None, (_without_scores(tally, result) for tally in tallies))
        if (message := next(messages, None)) is not None:
            return replace(result, message=message)
    notes = [note for tally in tallies for note in _notes(tally)]
    return replace(result, notes=(*result.notes, *notes))


def _tallies(test: Test, answers: Sequence[TestStatistics]) -> Iterator[Tally]:
    specs = [spec for spec in test.judges if spec.pairing is None]
    for spec, answer in zip(specs, answers, strict=True):
        errored = 0
        for group in answer.groups:
            statistics = {**group.values, "rows": group.values["evaluated"]}
            errored += round(rows(statistics) * (mean(statistics) or 0.0))
        yield Tally(
            spec.name,
            spec.table,
            answer.whole["rows_total"],
            answer.whole["evaluated"],
            errored,
            spec.sample_size,
        )


def _notes(tally: Tally) -> Iterator[str]:
    unjudged = tally.total - tally.judged
    if unjudged and tally.sample_size is not None and tally.judged:
        yield (
            f"Judge {tally.judge} has judged {tally.judged:,} of {_rows(tally.total)}: a sample, by"
            f" sample_size: {tally.sample_size:,}."
        )
    elif unjudged:
        verb = "is" if unjudged == 1 else "are"
        yield (
            f"{unjudged:,} of {_rows(tally.total)} {verb} not judged yet by {tally.judge}:"
            f" {JUDGE_FIRST}."
        )
    if tally.errored:
        have = "has" if tally.errored == 1 else "have"
        yield (
            f"Judge {tally.judge} failed on {tally.errored:,} of {_rows(tally.judged)} that it"
            f" judged; {'it' if tally.errored == 1 else 'they'} {have} no score."
        )


def _without_scores(tally: Tally, result: TestResult) -> str | None:
    """Return why a column of the judge is empty, where that is what the skip is for."""
    if f"'{tally.judge}_" not in (result.message or ""):
        return None
    if not tally.judged:
        return f"none of {_rows(tally.total)} is judged yet by {tally.judge}: {JUDGE_FIRST}."
    if tally.errored == tally.judged:
        return (
            f"judge {tally.judge} failed on all of {_rows(tally.judged)} that it judged; the column"
            f" error of {tally.table} says why."
        )
    return None


def _rows(count: int) -> str:
    return f"{count:,} {'row' if count == 1 else 'rows'}"
