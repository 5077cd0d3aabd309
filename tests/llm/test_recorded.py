"""Every recorded answer of fairpipe, against what its own functions say of it, row by row.

The studies that are held against figures only, since their texts stand in this repository, are in
``test_paired.py``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from fairness_pipeline_dev_toolkit.llm_evals import scoring
from fairness_pipeline_dev_toolkit.llm_evals.probes.counterfactual import (
    extract_response_features,
    pairwise_divergence,
)

import fairsql
from tests.packaged import folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FIXTURES = folder("fairness_pipeline_dev_toolkit") / "llm_evals" / "fixtures"
# Study -> prompts, and how many texts answer them.
STUDIES = {
    "recorded_counterfactual_expanded": (27, 27),
    "recorded_refusal": (15, 15),
    "recorded_humanitarian_contrast": (30, 28),
    "recorded_within_group_control": (9, 9),
    "recorded_bbq": (12, 6),
}
BY_GROUP: dict[str, Any] = {
    "protected_attribute_columns": ["role"],
    "output_column": "answer",
    "allow_small_samples": True,
}


def recorded(study: str) -> list[tuple[str, str, str, str]]:
    """Return dimension, prompt, whom it was about, and what the model answered.

    Prompts that differ in whom they are about have the same place among those of their group.
    """
    manifest = json.loads((FIXTURES / study / "manifest.json").read_text(encoding="utf-8"))
    places: dict[tuple[str, str], int] = defaultdict(int)
    rows = []
    for prompt in manifest["prompts"]:
        dimension, group = prompt.get("dimension", "all"), prompt["group"]
        text = (FIXTURES / study / "cache" / f"{prompt['cache_key']}.txt").read_text("utf-8")
        rows.append((dimension, str(places[dimension, group]), group, text))
        places[dimension, group] += 1
    return rows


def table(rows: Sequence[Sequence[str]]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "create table answers (dimension text, group_id text, role text, answer text)"
    )
    connection.executemany("insert into answers values (?, ?, ?, ?)", rows)
    return connection


def means(scores: dict[str, list[float]]) -> dict[str, float]:
    return {group: sum(own) / len(own) for group, own in scores.items()}


def told(rows: Iterable[Sequence[str]], score: str) -> dict[str, list[float]]:
    """Return what one of fairpipe's functions says of the answers of each group."""
    scores: dict[str, list[float]] = defaultdict(list)
    for _, _, group, answer in rows:
        scores[group].append(getattr(scoring, score)(answer))
    return scores


@pytest.mark.parametrize("study", STUDIES)
def test_the_package_holds_what_it_held(study: str) -> None:
    rows = recorded(study)
    assert (len(rows), len({answer for *_, answer in rows})) == STUDIES[study]


@pytest.mark.parametrize("study", STUDIES)
def test_refusals_are_those_that_fairpipe_finds(study: str) -> None:
    rows = recorded(study)
    scores = told(rows, "refusal_score")
    result = fairsql.refusal_rate_disparity(table(rows), "answers", **BY_GROUP)
    assert {group.key["role"]: group.value for group in result.groups} == pytest.approx(
        means(scores), rel=1e-12
    )
    gap = scoring.rate_disparity(scores)
    assert result.measurements["refusal_rate_disparity"] == pytest.approx(gap, rel=1e-12)
    bounds = scoring.binary_rate_gap_interval(scores)
    assert result.intervals["refusal_rate_disparity"] == pytest.approx(bounds, rel=1e-9)
    assert result.illustrative


def test_a_gap_of_names_alone_is_among_them() -> None:
    # Three women's names: this model refuses 5, 4 and 3 of 5. So few answers say nothing.
    result = fairsql.refusal_rate_disparity(
        table([row for row in recorded("recorded_humanitarian_contrast") if row[0] == "control"]),
        "answers",
        **{**BY_GROUP, "allow_small_samples": False},
    )
    assert result.measurements["refusal_rate_disparity"] == pytest.approx(0.4)
    low, high = result.intervals["refusal_rate_disparity"]
    assert low == 0
    assert high > 0.8


@pytest.mark.parametrize("study", STUDIES)
def test_no_answer_insults(study: str) -> None:
    # fairpipe's score is the share of words of blame, and so one answer counts that gives no
    # "unqualified yes"; a word of ours insults, and the rate is one of answers.
    rows = recorded(study)
    result = fairsql.toxicity_sentiment_disparity(table(rows), "answers", **BY_GROUP)
    assert {group.value for group in result.groups} == {0.0}
    assert any("is at its floor" in note for note in result.notes)
    theirs = [score for scores in told(rows, "toxicity_score").values() for score in scores]
    assert sum(score > 0 for score in theirs) <= 1
    assert max(theirs) < 0.01


@pytest.mark.parametrize("study", ["recorded_humanitarian_contrast", "recorded_refusal"])
def test_each_dimension_diverges_as_fairpipe_has_it(study: str) -> None:
    rows = recorded(study)
    divergences: dict[str, list[float]] = defaultdict(list)
    for one, other in combinations(rows, 2):
        if one[:2] == other[:2]:
            features = [
                extract_response_features(text, reference=reference)
                for text, reference in ((one[3], other[3]), (other[3], one[3]))
            ]
            divergences[one[0]].append(pairwise_divergence(*features))
    result = fairsql.counterfactual_fairness_divergence(
        table(rows),
        "answers",
        output_column="answer",
        dimension="dimension",
        max_divergence=0.25,
    )
    theirs = means(divergences)
    ours = {group.key["dimension"]: group.value for group in result.groups}
    assert ours == pytest.approx(theirs, abs=0.003)  # the lexicons of sentiment differ
    assert {group.key["dimension"]: group.rows for group in result.groups} == {
        dimension: len(own) for dimension, own in divergences.items()
    }
    assert result.measurements["counterfactual_fairness_divergence"] == pytest.approx(
        max(theirs.values()), abs=0.003
    )
