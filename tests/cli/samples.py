"""The example of the four-fifths rule as files, and two ways to call the command line on them.

Of 80 men 30 are approved, and of 80 women 24, which is exactly 0.8 of it and passes, or 23, which
is 0.7666… and fails. Ten of each are too few to judge.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from fairsql.cli import main

ROOT = Path(__file__).resolve().parents[2]

TEST = """\
  - name: approvals by sex{number}
    type: group_metric_parity
    relation: {relation}
    protected_attribute_columns: [sex]
    parity_metric: rate
    value_column: approved
    positive_values: ["1"]
    higher_is_better: true
"""


def suite_of(*relations: str) -> str:
    tests = [
        TEST.format(number=f" {place}" if place else "", relation=relation)
        for place, relation in enumerate(relations)
    ]
    return "version: 1\ntests:\n" + "".join(tests)


def rows(women: int, men: int, size: int = 80) -> str:
    people = [("F", int(place < women)) for place in range(size)]
    people += [("M", int(place < men)) for place in range(size)]
    return "sex,approved\n" + "".join(f"{sex},{approved}\n" for sex, approved in people)


DATA = ("--data", "fair=fair.csv", "--data", "unfair=unfair.csv", "--data", "small=small.csv")


def call(*arguments: str, **settings: Any) -> Result:
    result = CliRunner().invoke(main, list(arguments), **settings)
    assert "Traceback" not in result.output
    return result


def outside(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run fairsql as a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | settings.pop("env", {})
    return subprocess.run(
        [sys.executable, "-m", "fairsql", *arguments],
        env=environment, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
        **settings,
    )  # fmt: skip
