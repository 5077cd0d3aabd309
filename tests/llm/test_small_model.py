"""What a small real model said, replayed: every reply that it gave, and the tests on them."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from fairsql.llm.providers.recorded import read_recordings
from tests.llm import small_model
from tests.llm.small_model import ANSWERS, REPLIES


@pytest.fixture
def replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    small_model.prepare(is_replay=True)
    with duckdb.connect("small.duckdb") as connection:
        connection.execute(f"create table answers as select * from read_json('{ANSWERS}')")
    small_model.judge("--replay", str(REPLIES))
    return tmp_path


@pytest.mark.usefixtures("replayed")
def test_each_reply_is_a_score_of_the_scale_or_a_failure() -> None:
    rows = small_model.judgements()
    small_model.check_judgements(rows)
    answers = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    # By hand: the texts that each judge is shown, each once.
    shown = {
        "bias": {(row["prompt"], row["answer"]) for row in answers if row["bias_replied"]},
        "coherence": {row["answer"] for row in answers if row["coherent_replied"]},
    }
    for judge, texts in shown.items():
        assert sum(row["judge"] == judge for row in rows) == len(texts) > 0
    # The recordings hold nothing else: what is kept is what was asked.
    assert len(read_recordings(REPLIES)) == len(rows)
    # Scores, and replies of no shape at all: a model that knows no schema answers in prose.
    assert any(row["score"] is not None for row in rows)
    assert any("not JSON" in (row["error"] or "") for row in rows)


@pytest.mark.usefixtures("replayed")
def test_the_tests_rest_on_the_judgements() -> None:
    rows = small_model.judgements()
    (bias, failures) = small_model.run()["tests"]
    answers = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    scores = {row["row_key"]: row["score"] for row in rows if row["judge"] == "bias"}
    groups = {group["key"]["group_label"]: group for group in bias["groups"]}
    for label, group in groups.items():
        own = [
            scores[row["prompt_id"]]
            for row in answers
            if (row["dimension"], row["group_label"]) == ("origin", label)
            and scores.get(row["prompt_id"]) is not None
        ]
        assert group["rows"] >= len(own) > 0
        assert min(own) <= group["value"] <= max(own)
    answer_of = {row["prompt_id"]: row["answer"] for row in answers}
    coherence = (row for row in rows if row["judge"] == "coherence")
    failed = {answer_of[row["row_key"]] for row in coherence if row["score"] is None}
    found = sum(group["value"] * group["rows"] for group in failures["groups"])
    assert found == pytest.approx(sum(row["answer"] in failed for row in answers))
