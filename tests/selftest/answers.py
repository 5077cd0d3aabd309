"""The right answers, by the oracle: ``python -m tests.selftest.answers`` writes the file."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import fairsql.selftest
from fairsql.selftest import CASES, FAR
from fairsql.selftest.outcomes import outcome_of
from fairsql.selftest.tables import PEOPLE, Table
from tests.oracle import judge

STORED = Path(fairsql.selftest.__file__).with_name("answers.json")


def columns(table: Table) -> dict[str, list[Any]]:
    """Return a table's values by column."""
    values = zip(*table.rows, strict=True)
    return {name: list(column) for name, column in zip(table.kinds, values, strict=True)}


def computed() -> dict[str, Any]:
    """Return every answer, from the rows themselves."""
    outcomes = {
        case.name: outcome_of(judge(columns(case.table), case.table.kinds, case.test))
        for case in CASES
    }
    return {"variances": variances(), "outcomes": outcomes}


def variances() -> dict[str, float]:
    """Return the sample variance of each group's numbers at 1e9, in exact arithmetic."""
    assert any(case.name == FAR and case.fields["value_column"] == "far" for case in CASES)
    people = columns(PEOPLE)
    found = {}
    for group in ("P", "Q"):
        numbers = [
            Fraction(number)
            for key, number in zip(people["grp"], people["far"], strict=True)
            if key == group and number is not None
        ]
        mean = sum(numbers) / len(numbers)
        squares = sum((number - mean) ** 2 for number in numbers)
        found[group] = float(squares / (len(numbers) - 1))
    return found


def written(answers: dict[str, Any]) -> str:
    """Return the answers as the file holds them: a line for each group."""
    text = json.dumps(answers, indent=1)
    one_line = re.compile(r"\{[^{}]*\}")
    return one_line.sub(lambda found: " ".join(found[0].split()), text) + "\n"


if __name__ == "__main__":
    STORED.write_text(written(computed()), encoding="utf-8")
    print(STORED)
