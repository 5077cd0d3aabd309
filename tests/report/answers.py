"""A run of tests of what language models answer, on the tables of the pages in docs/tests."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import duckdb
from ruamel.yaml import YAML

import fairsql
from fairsql.config.parse import parse_suite
from fairsql.suite import Suite
from tests.docs.pages import examples, text
from tests.report.samples import run_of

if TYPE_CHECKING:
    from fairsql.results import Run, TestResult

PAGES = (
    "llm-bias",
    "refusal-rate-disparity",
    "toxicity-sentiment-disparity",
    "stereotype-association-score",
    "counterfactual-fairness-divergence",
    "pairwise-divergence",
)


@cache
def answers() -> Run:
    """Every example of the pages, then two tests of samples too small to be evidence."""
    with duckdb.connect() as connection:
        connection.execute(text("docs/tests/examples.sql"))
        tests: list[TestResult] = []
        for page in PAGES:
            suite = next(examples(f"docs/tests/{page}.md")).files["fairsql.yml"]
            parsed = parse_suite(YAML(typ="safe").load(suite))
            tests += Suite(parsed.tests).run(connection).tests
        connection.execute("create table few as select * from advice limit 6")
        connection.execute("create table few_letters as select * from letters order by all limit 8")
        small = {"output_column": "answer", "allow_small_samples": True}
        tests.append(
            fairsql.refusal_rate_disparity(
                connection, "few", protected_attribute_columns=["asker"], name="A few", **small
            )
        )
        tests.append(
            fairsql.counterfactual_fairness_divergence(
                connection, "few_letters", max_divergence=0.9, name="Few letters", **small
            )
        )
    return run_of(*tests)
