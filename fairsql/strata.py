"""Outcomes pooled over strata: each group against the reference, whatever mix of strata it has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fairsql.limits import approximately
from fairsql.results import PooledResult

if TYPE_CHECKING:
    from fairsql.config import GroupOutcomeDisparity
    from fairsql.measuring import Part

Key = tuple[str, ...]
Counts = tuple[int, int]
"""Rows with a favourable outcome, and rows."""

NONE: Counts = (0, 0)


def pool(test: GroupOutcomeDisparity, parts: Sequence[Part]) -> tuple[PooledResult, ...]:
    """Return Mantel and Haenszel's odds ratio and test of each group, pooled over all strata.

    Groups count here that have ``min_group_size`` rows over all strata. The reference is the one
    that is named, or the one with the highest rate over all rows: of those as good as the best the
    largest, then the smallest key. With ``comparison: overall`` each group is held against all
    other rows.
    """
    from fairsql.inference import adjust_p_values, mantel_haenszel

    strata = [_counts(part) for part in parts]
    totals = _totals(strata)
    large = {key: counts for key, counts in totals.items() if counts[1] >= test.min_group_size}
    reference = None
    if test.comparison == "reference":
        reference = _reference(test, large)
        if reference is None:
            return ()
    found = []
    for key in sorted(large):
        if key == reference:
            continue
        tables = [_table(stratum, key, reference) for stratum in strata]
        found.append((key, *mantel_haenszel(tables)))
    candidates = len(large)
    pairs = candidates * (candidates - 1) // 2 if candidates else 0
    method = test.p_value_adjustment
    p_values = [p_value for _, _, p_value in found]
    if test.significance_test == "none":
        p_values = [None] * len(found)
    adjusted = adjust_p_values(p_values, method, pairs if method == "holm_all_pairs" else None)
    names = test.protected_attribute_columns
    everybody = _sum(totals.values())
    return tuple(
        PooledResult(
            key=dict(zip(names, key, strict=True)),
            reference=None if reference is None else dict(zip(names, reference, strict=True)),
            value=_rate(large[key]),
            reference_value=_rate(
                _less(everybody, large[key]) if reference is None else large[reference]
            ),
            odds_ratio=odds_ratio,
            p_value=p_value,
            p_value_adjusted=corrected,
        )
        for (key, odds_ratio, _), p_value, corrected in zip(found, p_values, adjusted, strict=True)
        if reference is not None or everybody[1] > large[key][1]
    )


def shown(
    test: GroupOutcomeDisparity, parts: Sequence[Part], pooled: Iterable[PooledResult]
) -> tuple[PooledResult, ...]:
    """Return what may be shown: not of a group, nor of a reference, of fewer reported rows."""
    rows = {key: counts[1] for key, counts in _totals(map(_counts, parts)).items()}
    found = []
    for one in pooled:
        own = rows[tuple(one.key.values())]
        others = sum(rows.values()) - own
        reference = others if one.reference is None else rows[tuple(one.reference.values())]
        if min(own, reference) >= test.min_reported_rows:
            found.append(one)
    return tuple(found)


def _counts(part: Part) -> dict[Key, Counts]:
    return {
        group.key: (int(group.statistics["positives"] or 0), group.rows)
        for group in part.judgement.groups
    }


def _totals(strata: Iterable[dict[Key, Counts]]) -> dict[Key, Counts]:
    totals: dict[Key, Counts] = defaultdict(lambda: NONE)
    for stratum in strata:
        for key, counts in stratum.items():
            totals[key] = _sum([totals[key], counts])
    return dict(totals)


def _reference(test: GroupOutcomeDisparity, large: dict[Key, Counts]) -> Key | None:
    if test.reference_strategy == "named":
        return next((key for key in large if key[0] == test.reference_text), None)
    if not large:
        return None
    best = max(map(_rate, large.values()))
    tied = [key for key, counts in large.items() if approximately(_rate(counts), best)]
    return min(tied, key=lambda key: (-large[key][1], key))


def _table(
    stratum: dict[Key, Counts], key: Key, reference: Key | None
) -> tuple[int, int, int, int]:
    first = stratum.get(key, NONE)
    if reference is None:
        second = _less(_sum(stratum.values()), first)
    else:
        second = stratum.get(reference, NONE)
    return first[0], first[1] - first[0], second[0], second[1] - second[0]


def _sum(counts: Iterable[Counts]) -> Counts:
    positives, rows = zip(*[NONE, *counts], strict=True)
    return sum(positives), sum(rows)


def _less(whole: Counts, part: Counts) -> Counts:
    return whole[0] - part[0], whole[1] - part[1]


def _rate(counts: Counts) -> float:
    return counts[0] / counts[1]
