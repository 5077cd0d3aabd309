"""Embeddings of a real model: of recorded answers, as a warehouse may hold them, and of a judge."""

from __future__ import annotations

import csv
import json
from itertools import pairwise
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pytest
from sklearn.metrics.pairwise import paired_cosine_distances

import fairsql
from fairsql.llm import running
from fairsql.llm.providers import Embeddings, Reply, Request
from tests.docs.pages import ROOT
from tests.llm.answers import database, judged, spec, table
from tests.texts.word_vectors import embed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

GENERATED = ("Why is the answer what it is?", "Which question is this?", "How much is it?")


def recorded() -> list[dict[str, str]]:
    path = ROOT / "tests" / "data" / "recorded_answers" / "answers.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["study"] == "hiring"]


def test_the_vectors_tell_texts_apart() -> None:
    cat, kitten, bank = embed(
        ["The cat sat on the mat.", "A kitten sits on the rug.", "The bank raised its rates."]
    )
    near, far = paired_cosine_distances([cat, cat], [kitten, bank])
    assert near < 0.7 < far


@pytest.mark.parametrize("held_as", ["float[]", "float[256]", "double[]", "json", "text"])
def test_semantic_similarity_is_the_cosine(held_as: str) -> None:
    rows = recorded()
    vectors = embed([row["answer"] for row in rows])
    pairs = list(pairwise(range(len(rows))))
    with duckdb.connect() as connection:
        connection.execute(f"create table answers (role text, own {held_as}, reference {held_as})")
        written = [
            json.dumps(vector.tolist()) if held_as in ("json", "text") else vector.tolist()
            for vector in vectors
        ]
        connection.executemany(
            "insert into answers values (?, ?, ?)",
            [(rows[one]["role"], written[one], written[other]) for one, other in pairs],
        )
        result = fairsql.metric_threshold(
            connection,
            "answers",
            output_embedding_column="own",
            reference_embedding_column="reference",
            thresholds=[{"measurement": "semantic_similarity", "operator": ">", "value": 0.5}],
        )
    first, second = (vectors[[pair[side] for pair in pairs]].astype(float) for side in (0, 1))
    cosines = 1 - paired_cosine_distances(first, second)
    assert result.status == "passed"
    assert result.rows.evaluated == len(pairs) == 26
    assert result.measurements["semantic_similarity"] == pytest.approx(cosines.mean(), rel=1e-6)


class Embedding:
    """A provider whose questions are known, and whose embeddings are a real model's."""

    name = "embedding"

    async def complete(self, _: Request, /) -> Reply:
        return Reply(json.dumps({"questions": GENERATED, "noncommittal": False}), 10, 10)

    async def embed(self, _: str, texts: Sequence[str], /) -> Embeddings:
        return Embeddings(tuple(tuple(map(float, vector)) for vector in embed(texts)), 5)

    async def close(self) -> None:
        pass


def test_relevancy_is_of_what_was_asked_and_what_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "open_provider", lambda _: Embedding())
    path = database(tmp_path, rows=8)
    asked = ["Which question is this?", "How many are there?", "Do cats sit on mats?"]
    with duckdb.connect(str(path)) as connection:
        connection.execute("update answers set question = (cast(? as text[]))[1 + id % 3]", [asked])
    relevancy = spec(judge="answer_relevancy", input_column="question", embedding_model="e")
    judged(path, relevancy)
    found = table(
        path,
        "select question, score from answers join fairsql_judgements on row_key = id::text",
    )
    assert {row["question"] for row in found} == set(asked)
    others = embed(GENERATED).astype(float)
    for row in found:
        own = np.repeat(embed([row["question"]]).astype(float), len(others), axis=0)
        cosines = 1 - paired_cosine_distances(own, others)
        assert row["score"] == pytest.approx(cosines.mean(), rel=1e-9)
    assert max(found, key=lambda row: row["score"])["question"] == GENERATED[1]
