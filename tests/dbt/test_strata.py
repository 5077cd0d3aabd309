"""Outcomes within strata in SQL, and pooled over them by Mantel and Haenszel."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import fisher_exact
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.multitest import multipletests

from tests.dbt.verdicts import limit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.dbt.verdicts import Place, Row

# Graduate admissions of 1973 in Berkeley: department, then men and women admitted and rejected.
BERKELEY = {
    "A": ((512, 313), (89, 19)),
    "B": ((353, 207), (17, 8)),
    "C": ((120, 205), (202, 391)),
    "D": ((138, 279), (131, 244)),
    "E": ((53, 138), (94, 299)),
    "F": ((22, 351), (24, 317)),
}
TYPE = "group_outcome_disparity"
ASKED = {
    "protected_attribute_columns": ["sex"],
    "outcome_column": "outcome",
    "favorable_values": ["admitted"],
}
STRATIFIED = {**ASKED, "stratify_by_columns": ["department"]}


def load(place: Place, counts: Mapping[str, Mapping[str, tuple[int, int]]]) -> str:
    """Make a table of each stratum's groups: favourable and other outcomes."""
    rows = [
        (stratum, group, outcome)
        for stratum, groups in counts.items()
        for group, numbers in groups.items()
        for outcome, number in zip(("admitted", "rejected"), numbers, strict=True)
        for _ in range(number)
    ]
    columns = {"department": "text", "sex": "text", "outcome": "text"}
    return place.load("admissions", columns, rows)


def berkeley(place: Place) -> str:
    return load(place, {d: dict(zip("MF", of, strict=True)) for d, of in BERKELEY.items()})


def of(rows: Sequence[Row], stratum: str, group: str) -> Row:
    (row,) = (row for row in rows if (row["stratum_1"], row["key_1"]) == (stratum, group))
    return row


def test_berkeley_pooled_and_within_departments(place: Place) -> None:
    table = berkeley(place)
    crude = {row["key_1"]: row for row in place.groups(TYPE, table, **ASKED)}
    # 44.52 % of the men and 30.35 % of the women were admitted.
    assert crude["M"]["value"] == pytest.approx(0.4452, abs=5e-5)
    assert crude["F"]["value"] == pytest.approx(0.3035, abs=5e-5)
    assert crude["F"]["p_value"] == pytest.approx(4.835903179337284e-22, rel=1e-9)
    assert crude["F"]["failed"]
    rows = place.groups(TYPE, table, **STRATIFIED)
    first = of(rows, "A", "M")
    assert first["p_value"] == pytest.approx(1.669189e-05, rel=1e-6)
    assert of(rows, "A", "F")["is_reference"]
    # Over all departments women do no worse: chi-square without continuity correction.
    assert first["mantel_haenszel_p_value"] == pytest.approx(0.2169, abs=5e-5)
    # Men have the highest rate over all, so that women are compared with them.
    assert first["mantel_haenszel_odds_ratio"] == pytest.approx(1 / 0.9047, abs=5e-4)
    women = {row["pooled_odds_ratio"] for row in rows if row["key_1"] == "F"}
    assert women == {first["mantel_haenszel_odds_ratio"]}
    assert {row["pooled_odds_ratio"] for row in rows if row["key_1"] == "M"} == {None}


def test_a_limit_on_the_pooled_test_is_broken_by_its_group(place: Place) -> None:
    table = berkeley(place)
    significant = [limit("mantel_haenszel_p_value", ">=", 0.3)]
    (row,) = place.failures(TYPE, table, **STRATIFIED, thresholds=significant)
    assert row["key_1"] == "F"
    assert not place.failures(
        TYPE, table, **STRATIFIED, thresholds=[limit("mantel_haenszel_p_value", ">=", 0.05)]
    )


def generated(seed: int) -> dict[str, dict[str, tuple[int, int]]]:
    rng = Random(seed)  # noqa: S311
    return {
        stratum: {
            group: (rng.randint(15, 60), rng.randint(15, 60)) for group in ("a", "B", "c", "ä")
        }
        for stratum in ("x", "y", "Z")
    }


@pytest.mark.parametrize("adjustment", ["none", "holm", "benjamini_hochberg", "holm_all_pairs"])
@pytest.mark.parametrize("seed", [1, 2])
def test_generated_strata(place: Place, seed: int, adjustment: str) -> None:
    counts = generated(seed)
    rows = place.groups(
        TYPE,
        load(place, counts),
        **STRATIFIED,
        p_value_adjustment=adjustment,
        thresholds=[limit("mantel_haenszel_p_value", ">", 0)],
    )
    totals = {
        group: tuple(sum(counts[s][group][i] for s in counts) for i in (0, 1))
        for group in counts["x"]
    }
    best = max(totals, key=lambda group: totals[group][0] / sum(totals[group]))
    p_values, odds = [], []
    for group in totals:
        found = {(row["pooled_odds_ratio"], row["pooled_p_value"]) for row in rows
                 if row["key_1"] == group}  # fmt: skip
        ((ratio, p_value),) = found
        if group == best:
            assert ratio is None
            assert p_value is None
            continue
        pooled = StratifiedTable([[counts[s][group], counts[s][best]] for s in counts])
        assert ratio == pytest.approx(pooled.oddsratio_pooled, rel=1e-9)
        expected = pooled.test_null_odds(correction=False).pvalue
        assert p_value == pytest.approx(expected, rel=1e-9)
        p_values.append(expected)
        odds.append(ratio)
    first = rows[0]
    assert first["mantel_haenszel_odds_ratio"] == pytest.approx(min(odds))
    least = {
        "none": min(p_values),
        "holm": min(multipletests(p_values, method="holm")[1]),
        "benjamini_hochberg": min(multipletests(p_values, method="fdr_bh")[1]),
        "holm_all_pairs": min(1, 6 * min(p_values)),
    }[adjustment]
    assert first["mantel_haenszel_p_value"] == pytest.approx(least, rel=1e-9)
    for stratum, groups in counts.items():
        of_stratum = [row for row in rows if row["stratum_1"] == stratum]
        (reference,) = (row for row in of_stratum if row["is_reference"])
        assert sum(row["share"] for row in of_stratum) == pytest.approx(1)
        for row in of_stratum:
            hits, misses = groups[row["key_1"]]
            assert row["value"] == pytest.approx(hits / (hits + misses))
            if not row["is_reference"]:
                both = [groups[row["key_1"]], groups[reference["key_1"]]]
                assert row["p_value"] == pytest.approx(
                    fisher_exact(np.array(both)).pvalue, rel=1e-9
                )
    assert first["failing_group_count"] == sum(row["failed"] for row in rows)
    assert first["impact_ratio"] == min(row["ratio"] for row in rows)


def test_pooled_against_all_other_rows(place: Place) -> None:
    counts = generated(3)
    rows = place.groups(TYPE, load(place, counts), **STRATIFIED, comparison="overall")
    for group in counts["x"]:
        tables = []
        for of_stratum in counts.values():
            others = [of_stratum[other] for other in of_stratum if other != group]
            tables.append([of_stratum[group], tuple(map(sum, zip(*others, strict=True)))])
        pooled = StratifiedTable(tables)
        (found,) = {row["pooled_p_value"] for row in rows if row["key_1"] == group}
        expected = pooled.test_null_odds(correction=False).pvalue
        assert found == pytest.approx(expected, rel=1e-9)


def test_the_named_group_is_the_reference_everywhere(place: Place) -> None:
    counts = generated(4)
    named = {"reference_strategy": "named", "reference_value": "B"}
    rows = place.groups(TYPE, load(place, counts), **STRATIFIED, **named)
    assert {row["key_1"] for row in rows if row["is_reference"]} == {"B"}
    assert {row["key_1"] for row in rows if row["pooled_odds_ratio"] is None} == {"B"}


def test_a_stratum_without_a_verdict_is_left_out(place: Place) -> None:
    counts = {"A": {"M": (50, 50), "F": (48, 52)}, "B": {"M": (40, 60)}, "C": {"F": (10, 2)}}
    table = load(place, counts)
    rows = place.groups(TYPE, table, **STRATIFIED)
    assert {row["status"] for row in rows} == {"passed"}
    assert not place.failures(TYPE, table, **STRATIFIED)
    assert {row["sufficient"] for row in rows if row["stratum_1"] == "C"} == {False}
    alone = {"B": counts["B"], "C": counts["C"]}
    (row,) = place.failures(TYPE, load(place, alone), **STRATIFIED)
    assert (row["status"], row["reason"]) == ("skipped", "fewer_than_two_sufficient_groups")
    assert row["message"].startswith("within no value of department can groups be compared")
    assert row["stratum_1"] is None


def test_a_group_counts_once_a_stratum(place: Place) -> None:
    counts: dict[str, Any] = {s: {"M": (80, 20), "F": (40, 60)} for s in "AB"}
    counts["C"] = {"M": (80, 20), "F": (79, 21)}
    rows = place.failures(TYPE, load(place, counts), **STRATIFIED)
    assert sorted((row["stratum_1"], row["key_1"]) for row in rows) == [("A", "F"), ("B", "F")]
    assert {row["failing_group_count"] for row in rows} == {2}
    assert {row["failing_group_percentage"] for row in rows} == {2 / 6}
