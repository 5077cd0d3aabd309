"""What to take from a test of several parts: who fails by what, and what strata change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairsql.report.insight import Insight
from fairsql.report.listings import is_turned, plain_odds_ratio
from fairsql.report.phrases import group_name, listed, names, quoted
from fairsql.report.words import counted, number, probability, shown

if TYPE_CHECKING:
    from fairsql.results import GroupResult, PooledResult, TestResult

MOST_PARTS = 4
"""Parts of a test that are put into words; the tables have all."""


def parts_in_words(
    test: TestResult, sentences: Iterable[Callable[[TestResult], Iterator[Insight]]]
) -> Iterator[Insight]:
    """Yield the sentences of the parts that matter most, each after its title.

    Those are the parts in which a group fails, then those with the largest gaps.
    """
    told = []
    for part in test.facets():
        # Its title says the stratum: names of groups need not.
        bare = tuple(replace(group, stratum=None) for group in part.groups)
        part = replace(part, groups=bare)
        if part.measurements.get("max_metric_difference"):
            told.append(part)
    told.sort(key=_weight, reverse=True)
    for part in told[:MOST_PARTS]:
        own = [found for sentence in sentences for found in sentence(part)]
        if own:
            text = f"{shown(part.facet or '')}: {' '.join(found.text for found in own)}"
            facts = {found.kind: dict(found.facts) for found in own}
            yield Insight("part", text, {"part": part.facet, **facts})
    if (left := len(told) - MOST_PARTS) > 0:
        which = "1 more part" if left == 1 else f"each of {left:,} more parts"
        text = f"In {which} some group is worse too: see the tables."
        yield Insight("more_parts", text, {"count": left})


def _weight(part: TestResult) -> tuple[float, float]:
    failing = part.measurements.get("failing_group_count") or 0
    return float(failing > 0), float(part.measurements.get("max_metric_difference") or 0)


def failing_of_parts(test: TestResult, rule: str) -> Iterator[Insight]:
    """Yield which groups fail and by which metrics, or that none fails in any part."""
    count = test.measurements.get("failing_group_count")
    if count is None:
        return
    labels = {(part.metric, part.positive_class): part.label for part in test.parts}
    who: dict[tuple[object, ...], list[GroupResult]] = {}
    for group in test.groups:
        if group.failed:
            who.setdefault(_place(group), []).append(group)
    if not count:
        judged = sum(part.reason is None for part in test.parts)
        yield Insight("none_fails", f"No group fails in any of {_parts(test, judged)}.", {})
        return
    by = {place: listed([_by(labels, group) for group in own]) for place, own in who.items()}
    several = len(labels) > 1

    def named(group: GroupResult) -> str:
        return f"{group_name(group)} ({by[_place(group)]})" if several else group_name(group)

    first = [own[0] for own in who.values()]
    verb = "fails" if count == 1 else "fail"
    which = f": {names(first, int(count), named)}" if first else "; none of them is listed"
    text = f"{counted(int(count), 'group')} {verb}{which}. {rule}"
    facts = {"count": count, "groups": [dict(group.key) for group in first]}
    yield Insight("failing", text, facts)


def _by(labels: Mapping[tuple[str, str | None], str], group: GroupResult) -> str:
    metric = group.metric or ""
    label = shown(labels.get((metric, group.positive_class), metric))
    if group.positive_class is None:
        return label
    return f"{label} of {quoted({'class': group.positive_class})}"


def _place(group: GroupResult) -> tuple[object, ...]:
    return tuple((group.stratum or {}).items()), tuple(group.key.items())


def _parts(test: TestResult, count: int) -> str:
    if any(part.stratum is not None for part in test.parts):
        return f"{count:,} strata" if count != 1 else "1 stratum"
    if any(part.positive_class is not None for part in test.parts):
        return "1 class" if count == 1 else f"{count:,} classes"
    return counted(count, "metric")


# --- strata together ---------------------------------------------------------------------------


def turned_round(test: TestResult) -> Iterator[Insight]:
    """Yield how each group fares over all rows and within strata, those turned round first."""
    columns = test.parameters.get("stratify_by_columns") or ("strata",)
    strata = listed([shown(str(name)) for name in columns])
    for pooled in sorted(test.pooled, key=lambda one: not is_turned(one))[:MOST_PARTS]:
        if pooled.odds_ratio is not None:
            yield Insight("strata", _pooled(pooled, strata), _facts(pooled))


def _pooled(pooled: PooledResult, strata: str) -> str:
    name = quoted(pooled.key)
    other = "all others" if pooled.reference is None else quoted(pooled.reference)
    plain, within = plain_odds_ratio(pooled), pooled.odds_ratio or 0.0
    side = "lower" if pooled.value < pooled.reference_value else "higher"
    p_value = ""
    if pooled.p_value_adjusted is not None:
        p_value = probability(pooled.p_value_adjusted)
        p_value = f", p {p_value}" if p_value.startswith("<") else f", p = {p_value}"
    whole = "" if plain is None else f" (odds ratio {number(plain)})"
    start = (
        f"Over all rows {name} has the {side} rate, {number(pooled.value)} against"
        f" {number(pooled.reference_value)} of {other}{whole}"
    )
    if pooled.value == pooled.reference_value:
        start = f"Over all rows {name} and {other} have the same rate, {number(pooled.value)}"
    how = "higher" if within > 1 else "lower" if within < 1 else "the same"
    within_words = f"within {strata} its odds are {how} (Mantel-Haenszel {number(within)}{p_value})"
    if is_turned(pooled):
        return f"{start}; but {within_words}. The strata turn the comparison round."
    return f"{start}; {within_words}."


def _facts(pooled: PooledResult) -> Mapping[str, Any]:
    return {
        "group": dict(pooled.key),
        "rate": pooled.value,
        "compared": pooled.reference_value,
        "plain_odds_ratio": plain_odds_ratio(pooled),
        "odds_ratio": pooled.odds_ratio,
        "p_value": pooled.p_value_adjusted,
        "turned": is_turned(pooled),
    }
