"""The published formulas that make a score of judged claims; pure functions on numbers.

Undefined is ``None``, never 0. The definitions are those of Es, James, Espinosa-Anke and
Schockaert, "Ragas: Automated Evaluation of Retrieval Augmented Generation" (EACL 2024, system
demonstrations), and of Ragas' documentation: https://docs.ragas.io/en/stable/concepts/metrics/.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def share(holds: Sequence[bool]) -> float | None:
    """Return the share of claims that hold: faithfulness, and context recall.

    >>> share([True, False, True, True]), share([])
    (0.75, None)
    """
    return sum(holds) / len(holds) if holds else None


def context_precision(useful: Sequence[bool]) -> float:
    """Return the mean, over the useful ranks k, of the share of useful contexts among the first k.

    0 where none is useful: this mean over no ranks is 0 by definition of the metric.

    >>> context_precision([True, False, True]) == (1 / 1 + 2 / 3) / 2
    True
    >>> context_precision([False, False])
    0.0
    """
    ranks = [rank for rank, is_useful in enumerate(useful, 1) if is_useful]
    if not ranks:
        return 0.0
    return math.fsum(found / rank for found, rank in enumerate(ranks, 1)) / len(ranks)


def factual_f1(both: int, output_only: int, reference_only: int) -> float | None:
    """Return F1 over claims: true positives, false positives and false negatives.

    >>> factual_f1(2, 1, 1) == 2 / 3
    True
    >>> factual_f1(0, 2, 0), factual_f1(0, 0, 0)
    (0.0, None)
    """
    total = 2 * both + output_only + reference_only
    return 2 * both / total if total else None


def answer_relevancy(asked: Sequence[float], generated: Sequence[Sequence[float]]) -> float | None:
    """Return the mean cosine of an embedding with others; ``None`` where one has no direction.

    >>> answer_relevancy([1.0, 0.0], [[2.0, 0.0], [0.0, 3.0]])
    0.5
    >>> answer_relevancy([1.0, 0.0], [[0.0, 0.0]]) is answer_relevancy([1.0], [[1.0, 2.0]]) is None
    True
    """
    cosines = [cosine(asked, other) for other in generated]
    known = [value for value in cosines if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(cosines) else None


def cosine(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the cosine of the angle between two vectors, or ``None`` where there is none.

    >>> cosine([3.0, 4.0], [6.0, 8.0])
    1.0
    """
    lengths = math.hypot(*first) * math.hypot(*second)
    if len(first) != len(second) or not lengths or not math.isfinite(lengths):
        return None
    product = math.fsum(one * other for one, other in zip(first, second, strict=True))
    return max(-1.0, min(1.0, product / lengths))
