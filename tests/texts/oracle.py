"""What each metric is of one row, by code that shares nothing with the package."""

from __future__ import annotations

import json
import math
import re
import string
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.bleu import BLEU

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of these, and of ASCII's own, a quasi-exact match reads nothing.
PUNCTUATION = set(
    string.punctuation + "¡§«¶·»¿‐‑‒–—―‖‘’‚‛“”„‟†‡•…‰′″‴‹›※‼⁇⁈⁉"
    "、。〃〈〉《》「」『』【】〔〕〖〗〝〞〟！＂＃％＆＇（）＊，－．／：；？＠［＼］＿｛｝｡｢｣､･"
)
BLEUS = {
    order: BLEU(max_ngram_order=order, tokenize="none", smooth_method="exp", effective_order=True)
    for order in (1, 2, 3, 4)
}


def quasi(text: str) -> str:
    """Return the SQuAD form: lower case, no punctuation, no articles, white space collapsed."""
    lowered = text.lower().replace("ς", "σ")
    kept = "".join(character for character in lowered if character not in PUNCTUATION)
    return " ".join(word for word in kept.split() if word not in ("a", "an", "the"))


def is_json(text: str) -> bool:
    """Return whether a text is JSON by RFC 8259, which knows no NaN."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


def cosine(first: Sequence[float] | None, second: Sequence[float] | None) -> float | None:
    """Return the cosine; none of zeros, of different lengths and of what is no number."""
    if first is None or second is None or len(first) != len(second) or None in (*first, *second):
        return None
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    norm = float(np.linalg.norm(one) * np.linalg.norm(two))
    value = float(one @ two) / norm if norm else math.nan
    return None if math.isnan(value) else value


def expected(metric: str, *inputs: Any) -> float | None:
    """Return a metric of one row's inputs; none where one is missing."""
    if metric == "semantic_similarity":
        return cosine(*inputs)
    if None in inputs:
        return None
    if metric == "json_score":
        return float(is_json(inputs[0]))
    output, reference = inputs
    if metric == "exact_match":
        return float(output == reference)
    if metric == "quasi_exact_match":
        return float(quasi(output) == quasi(reference))
    if metric == "edit_distance":
        return float(Levenshtein.distance(output, reference))
    if metric == "normalized_edit_distance":
        return float(Levenshtein.normalized_distance(output, reference))
    order = int(metric.removeprefix("bleu_"))
    assert re.fullmatch("bleu_[1-4]", metric)
    return float(BLEUS[order].sentence_score(output, [reference]).score) / 100
