"""Adjustment of p-values for multiple comparisons, as R's ``p.adjust`` does it to the last bit."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Adjustment = Literal["none", "holm", "benjamini_hochberg", "holm_all_pairs"]


def adjust_p_values(
    p_values: Sequence[float | None], method: Adjustment, family_size: int | None = None
) -> list[float | None]:
    """Return adjusted p-values, in the order of the given ones.

    Parameters
    ----------
    p_values : sequence of float or None
        None, or NaN, stands for a comparison without a p-value. It stays None and is no member of
        the family.
    method : {"none", "holm", "benjamini_hochberg", "holm_all_pairs"}
        ``holm`` bounds the chance of any false alarm in the family, ``benjamini_hochberg`` the
        expected share of false ones among the alarms. ``holm_all_pairs`` is ``holm`` over a family
        that includes comparisons nobody made, such as all k(k − 1)/2 pairs of k groups.
    family_size : int, optional
        R's argument ``n``, at least the number of p-values: by default that number. Required by
        ``holm_all_pairs``.

    Raises
    ------
    ValueError
        If the method is unknown, or `family_size` is missing or smaller than the number of
        p-values.

    Notes
    -----
    Holm (1979); Benjamini & Hochberg (1995). The order of operations is R's, so that equal inputs
    give equal bits.

    Examples
    --------
    >>> adjust_p_values([0.01, None, 0.04, 0.03], "holm")
    [0.03, None, 0.06, 0.06]
    >>> adjust_p_values([0.01, None, 0.04, 0.03], "benjamini_hochberg")
    [0.03, None, 0.04, 0.04]
    """
    present = [(i, p) for i, p in enumerate(p_values) if p is not None and not math.isnan(p)]
    present.sort(key=lambda item: item[1])
    ordered = [p for _, p in present]
    size = _family_size(len(ordered), method, family_size)
    if method == "none" or size <= 1:
        adjusted = ordered
    elif method == "benjamini_hochberg":
        adjusted = _benjamini_hochberg(ordered, size)
    else:
        adjusted = _holm(ordered, size)
    result: list[float | None] = [None] * len(p_values)
    for (i, _), p in zip(present, adjusted, strict=True):
        result[i] = p
    return result


def _family_size(count: int, method: Adjustment, family_size: int | None) -> int:
    if method not in ("none", "holm", "benjamini_hochberg", "holm_all_pairs"):
        raise ValueError(f"Unknown adjustment {method!r}.")
    if family_size is None:
        if method == "holm_all_pairs":
            raise ValueError("The adjustment 'holm_all_pairs' needs a family size.")
        return count
    if family_size < count:
        raise ValueError(f"A family of {family_size} cannot hold {count} p-values.")
    return family_size


def _holm(ordered: Sequence[float], size: int) -> list[float]:
    stepped = ((size - rank) * p for rank, p in enumerate(ordered))
    return [min(1.0, p) for p in accumulate(stepped, max)]


def _benjamini_hochberg(ordered: Sequence[float], size: int) -> list[float]:
    # R divides first: (n / i) * p and n * p / i differ in the last bit.
    stepped = (size / rank * ordered[rank - 1] for rank in range(len(ordered), 0, -1))
    return [min(1.0, p) for p in accumulate(stepped, min)][::-1]
