"""Generated answers and what a judge said of them, in one table that is both."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tests.generated_columns import Column

if TYPE_CHECKING:
    from random import Random

SCORES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
TEXTS = ("it's fine", "naïve", "", "line\nbreak", "a:b", "1:a", "語")
OF_BIAS = ("bias_mean_score", "bias_std_score", "applied_row_count", "errored_row_count")
JUDGED = (
    *("answer_relevancy", "answer_correctness", "context_precision", "context_recall"),
    *("correctness", "harmfulness", "coherence", "conciseness", "maliciousness", "faithfulness"),
)


def hashed(*texts: str | None) -> str:
    """Return what the input_hash of texts is by its definition."""
    written = "".join("-" if text is None else f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(written.encode()).hexdigest()


def judged_rows(rng: Random, rows: int) -> dict[str, Column]:
    """Return texts with, for each, the hash, and the score of a judge that may have failed."""
    errors, unjudged = rng.choice((0, 0.1, 1)), rng.choice((0, 0.2, 1))
    replies = [
        None if rng.random() < 0.03 else f"{rng.choice(TEXTS)}{rng.randrange(2 * rows)}"
        for _ in range(rows)
    ]
    scores = {reply: None if rng.random() < errors else rng.choice(SCORES) for reply in replies}
    judged = {reply: int(rng.random() >= unjudged) for reply in replies}
    return {
        "reply": Column("text", replies),
        "judged_hash": Column("text", [hashed(reply) for reply in replies]),
        "judged_score": Column("float", [scores[reply] for reply in replies]),
        "is_judged": Column("integer", [judged[reply] for reply in replies]),
    }


def judge(name: str, template: str) -> dict[str, Any]:
    """Return a judge whose judgements stand in the table of the rows, here called ``t``."""
    return {
        "name": name,
        "judge": template,
        "model": "m1",
        "prompt_version": "v1",
        "output_column": "reply",
        "table": f"(select '{template}' as judge, 'v1' as prompt_version, 'm1' as model,"
        " judged_hash as input_hash, judged_score as score, judged_hash as label,"
        " '2026-01-01T00:00:00Z' as judged_at from t where is_judged = 1)",
    }
