"""Generated answers, flagged or paired, with what a judge says of pairs in the same table."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from tests.dbt.judged_cases import hashed
from tests.generated_columns import WHITE_SPACE, Column, attribute, lose_values
from tests.generator import ATTRIBUTE_NAMES, OPERATORS
from tests.llm.texts import ANSWERS, INSULTS, REFUSALS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

FLAGGED = (
    *("refusal_rate_disparity", "toxicity_sentiment_disparity", "stereotype_association_score"),
)
PAIRED = ("counterfactual_fairness_divergence", "pairwise_divergence")
DERIVED = (*FLAGGED, *PAIRED)
# What a limit may be on in dbt too.
OF_FLAGS = (
    *("failing_group_count", "failing_group_percentage", "highest_group_rate"),
    *("insufficient_group_count", "missing_attribute_rate", "undefined_group_count"),
    "significant_disparity_count",
)
OF_DIVERGENCE = (
    *("counterfactual_fairness_divergence", "lowest_dimension_divergence"),
    "failing_group_count",
)
OF_PAIRS = ("equivalence_rate", "divergence_rate", "mean_divergence")

TEXTS = (
    *REFUSALS,
    *ANSWERS,
    *INSULTS,
    *("'; drop table t; --", "{{ ref('m') }} isn't {% no %} bad", "back\\slash and \\n", "%s \t"),
    *("ein schlechtes Ergebnis, naïve", "語 語 bad", "I can`t help\nwith that!", " \u2003\u00a0 "),
    *("CANNOT", "I'm not unable to help", "+ < # |", "1:-2:ab"),
)
SCORES = (0.0, 0.1, 0.3, 0.5, 0.7, 1.0)
LIMITS = (0, 0.05, 0.1, 0.25, 0.5, 0.75, 1)

Made = tuple[dict[str, Column], dict[str, Any]]
"""Columns, and a test over them."""


def made(type_: str, rng: Random) -> Made:
    """Return a table of answers and a test of a type over it."""
    if type_ in FLAGGED:
        return _flagged(type_, rng)
    return _divergence(rng) if type_ == PAIRED[0] else _judged_pairs(rng)


def _limits(rng: Random, names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"measurement": name, "operator": rng.choice(OPERATORS), "value": rng.choice(LIMITS)}
        for name in rng.sample(names, rng.choice((1, 2)))
    ]


# --- rows that have a feature ------------------------------------------------------------------


def _flagged(type_: str, rng: Random) -> Made:
    rows = rng.randint(*rng.choice(((1, 30), (30, 150))))
    names = rng.sample(ATTRIBUTE_NAMES, rng.choice((1, 1, 2)))
    columns = {name: attribute(rng, rows) for name in names}
    if rng.random() < 0.1:  # one group
        columns[names[0]] = Column("text", ["woman"] * rows)
    test: dict[str, Any] = {"protected_attribute_columns": names}
    texts = Column("text", rng.choices(rng.sample(TEXTS, rng.randint(1, len(TEXTS))), k=rows))
    lose_values(rng, texts, rng.choice((0, 0, 0.05, 0.1, 1)))
    columns["the answer"] = texts
    if type_ == "stereotype_association_score":
        columns['stereo"type'] = Column("text", [_written(rng, text) for text in texts.values])
        lose_values(rng, columns['stereo"type'], rng.choice((0, 0.1)))
        test |= {"answer_column": "the answer", "stereotyped_answer_column": 'stereo"type'}
    elif rng.random() < 0.3:
        columns["score"] = Column("float", rng.choices(SCORES, k=rows))
        lose_values(rng, columns["score"], rng.choice((0, 0.1)))
        test |= {"scorer_column": "score", "score_threshold": rng.choice(SCORES)}
    else:
        test["output_column"] = "the answer"
        phrases = "refusal_phrases" if type_ == FLAGGED[0] else "toxic_phrases"
        if rng.random() < 0.2:
            test[phrases] = rng.choice((["can't", "isn\u2019t"], ["bad"], ["'; drop table t"]))
        elif type_ == FLAGGED[1] and rng.random() < 0.5:
            test["lexicon"] = "negative_sentiment"
    size = rng.choice(({}, {"allow_small_samples": True}, {"min_group_size": rng.choice((1, 20))}))
    test |= {"max_difference": rng.choice(LIMITS), **size}
    if rng.random() < 0.5:
        test["thresholds"] = _limits(rng, (type_, *OF_FLAGS))
    return columns, test


def _written(rng: Random, text: str | None) -> str | None:
    """Return a text in another spelling, or another text."""
    if text is None or rng.random() < 0.5:
        return rng.choice(TEXTS)
    return rng.choice((text, text.upper(), f" {text}\t"))


# --- pairs -------------------------------------------------------------------------------------


def _answers(rng: Random, roles: Sequence[str]) -> list[tuple[str | None, ...]]:
    """Return group, role, dimension, prompt and answer of answers to variants of prompts."""
    pool = rng.sample(TEXTS, rng.randint(1, len(TEXTS)))  # of one text all pairs are ties
    dimensions: tuple[str | None, ...] = rng.choice((("age",), ("age", "who's", None, " ")))
    found: list[tuple[str | None, ...]] = []
    for group in range(rng.choice((0, 1, 2, 6, 6, 9))):
        dimension = rng.choice(dimensions)
        for role in roles:
            for _ in range(rng.choice((0, 1, 1, 2, 2))):
                text = " ".join(rng.choices(pool, k=rng.choice((1, 1, 2))))
                key = rng.choice(("g{}", " g{}", "g{}\t")).format(group)
                own = None if rng.random() < 0.05 else role
                prompt = rng.choice((f"Prompt {group}", f"Prompt {group}", "it's\\", None))
                found.append((key, own, dimension, prompt, None if rng.random() < 0.05 else text))
    rng.shuffle(found)
    return found


def _divergence(rng: Random) -> Made:
    rows = _answers(rng, rng.choice((*(("a", "b", "O'Brien"),) * 4, ("a", "b"), ("a",))))
    names = ("group_id", "role", "dimension", "prompt", "the answer")
    columns = {name: Column("text", [row[n] for row in rows]) for n, name in enumerate(names)}
    test: dict[str, Any] = {"output_column": "the answer", "max_divergence": rng.choice(LIMITS)}
    if rng.random() < 0.7:
        test["dimension"] = "dimension"
    test |= rng.choice(({"allow_small_samples": True}, {"min_group_size": rng.choice((1, 2))}, {}))
    if rng.random() < 0.2:
        test["refusal_phrases"] = ["swim", "can\u2019t"]
    if rng.random() < 0.5:
        test["thresholds"] = _limits(rng, OF_DIVERGENCE)
    return columns, test


def _judged_pairs(rng: Random) -> Made:
    """Return answers, and below them rows that say what was judged of which texts."""
    white = rng.choice(WHITE_SPACE)
    all_roles = ("reference", "old", f"young{white}")
    roles = rng.choice((*(all_roles,) * 6, ("old", "young"), ("reference",)))
    rows = _answers(rng, roles)
    errors, unjudged = rng.choice((0, 0, 0.1, 0.1, 1)), rng.choice((0, 0, 0.1, 0.1, 1))
    scores = rng.choice((SCORES, (0.0,), (0.0, 0.0, 0.5)))
    judged: dict[str, float | None] = {}
    for one, other in product(rows, rows):
        for prompt in (one[3], other[3]):
            if one[0].strip() == other[0].strip() and rng.random() >= unjudged:  # type: ignore[union-attr]
                score = None if rng.random() < errors else rng.choice(scores)
                judged[hashed(prompt, one[4], other[4])] = score
    table = [
        *((*row, None, None) for row in rows),
        *((None, None, None, None, None, key, score) for key, score in judged.items()),
    ]
    names = ("group_id", "role", "dimension", "prompt", "the answer", "judged_hash")
    columns = {name: Column("text", [row[n] for row in table]) for n, name in enumerate(names)}
    columns["judged_score"] = Column("float", [row[6] for row in table])
    test: dict[str, Any] = {"judges": [PAIR_JUDGE]}
    if rng.random() < 0.5:
        test["dimension"] = "dimension"
    if rng.random() < 0.4:
        test |= {"mode": "contrastive", "poles": ["old", "young"]}
    if rng.random() < 0.4:
        test["equivalent_up_to"] = rng.choice(LIMITS)
    if rng.random() < 0.6:
        test["max_mean_divergence"] = rng.choice(LIMITS)
        test |= rng.choice(({}, {"min_equivalence_rate": 0.5}, {"max_divergence_rate": 0.5}))
    else:
        test["thresholds"] = _limits(rng, OF_PAIRS)
    return columns, test


PAIR_JUDGE: dict[str, Any] = {
    "name": "alike",
    "judge": "pairwise_bias",
    "model": "m1",
    "prompt_version": "v1",
    "input_column": "prompt",
    "output_column": "the answer",
    "table": "(select 'pairwise_bias' as judge, 'v1' as prompt_version, 'm1' as model,"
    " judged_hash as input_hash, judged_score as score, judged_hash as label,"
    " '2026-01-01T00:00:00Z' as judged_at from t where judged_hash is not null)",
}
