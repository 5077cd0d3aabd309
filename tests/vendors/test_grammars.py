"""Redshift and Databricks, which do not run here: a few golden files in two grammars."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from tests.golden_cases import golden
from tests.vendors.grammar import parts_by_case, unparsable

# The grammar, and the dialect of the golden files.
WRITTEN_AS = {"redshift": "redshift", "databricks": "spark"}
NAMES = (
    *("rate", "auc", "three_attributes"),
    *("judged_pairs", "counterfactual_pairs", "toxic_answers", "stereotypes"),
)
CASES = [(grammar, name) for grammar in WRITTEN_AS for name in NAMES]


@pytest.mark.xdist_group("grammar")
@pytest.mark.parametrize(("grammar", "name"), CASES)
def test_sqlfluff_parses_what_a_case_adds(grammar: str, name: str) -> None:
    parts = parts_by_case(WRITTEN_AS[grammar], NAMES)[name]
    assert not list(unparsable(parts, grammar))


@pytest.mark.parametrize(("grammar", "name"), CASES)
def test_sqlglot_parses_it(grammar: str, name: str) -> None:
    (statement,) = sqlglot.parse(golden(name, WRITTEN_AS[grammar]), read=grammar)
    assert isinstance(statement, exp.Query)
