"""Published analyses as tests of the kind that a reader would choose for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fairsql
from tests.fixtures.relations import GUARDS_OFF, exactly, load, load_counts, to_places
from tests.fixtures.test_published import BERKELEY, GUIDE, RACE, RACE_AND_SEX, RACE_P_VALUES, SEX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairsql.results import GroupResult, TestResult

import duckdb

ROOT = Path(__file__).resolve().parents[2]
COMPAS = ROOT / "fairsql" / "demo" / "compas.csv"
EXPECTED = json.loads((ROOT / "tests" / "data" / "compas_expected.json").read_text("utf-8"))
FAVORABLE: Mapping[str, Any] = {"outcome_column": "x", "favorable_values": ["1"]}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


def outcomes(
    connection: duckdb.DuckDBPyConnection,
    counts: Mapping[Any, tuple[int, int]],
    *attributes: str,
    **test: Any,
) -> TestResult:
    """Judge outcomes from each group's rows and favourable rows."""
    relation = load_counts(connection, counts, attributes)
    defaults: dict[str, Any] = {"protected_attribute_columns": list(attributes), **FAVORABLE}
    return fairsql.group_outcome_disparity(connection, relation, **{**defaults, **test})


def group_of(result: TestResult, *key: str) -> GroupResult:
    (found,) = [group for group in result.groups if tuple(group.key.values()) == key]
    return found


# --- New York City's Local Law 144, Connecticut v. Teal --------------------------------------


def test_local_law_144(connection: duckdb.DuckDBPyConnection) -> None:
    sex = outcomes(connection, SEX, "sex")
    assert (sex.status, sex.measurements["impact_ratio"]) == ("passed", to_places(0.979337, 6))
    race = outcomes(connection, RACE, "race", min_group_share=0.01)
    assert race.measurements["impact_ratio"] == to_places(0.843229, 6)
    for key, p_value in RACE_P_VALUES.items():
        assert group_of(race, key).p_value == exactly(p_value)
    both = outcomes(connection, RACE_AND_SEX, "race", "sex")
    native = group_of(both, "Native American", "Female")
    assert (native.sufficient, native.failed) == (False, False)
    assert native.ratio == to_places(0.789, 3)


def test_connecticut_v_teal(connection: duckdb.DuckDBPyConnection) -> None:
    result = outcomes(connection, {"Black": (48, 26), "White": (259, 206)}, "race")
    assert result.status == "failed"
    assert result.measurements["impact_ratio"] == exactly(0.6810275080906149)
    assert result.measurements["statistical_parity_difference"] == exactly(206 / 259 - 26 / 48)
    assert group_of(result, "Black").p_value == exactly(0.0004041588085768439)


# --- Berkeley 1973, both ways ------------------------------------------------------------------


def test_berkeley_as_a_whole_fails(connection: duckdb.DuckDBPyConnection) -> None:
    relation = load_counts(connection, BERKELEY, ("department", "gender"))
    test = {"protected_attribute_columns": ["gender"], **FAVORABLE}
    result = fairsql.group_outcome_disparity(connection, relation, **test)
    assert result.status == "failed"
    assert result.measurements["impact_ratio"] == to_places(0.68183, 5)
    assert result.measurements["mantel_haenszel_p_value"] is None


def test_berkeley_by_department(connection: duckdb.DuckDBPyConnection) -> None:
    relation = load_counts(connection, BERKELEY, ("department", "gender"))
    result = fairsql.group_outcome_disparity(
        connection,
        relation,
        protected_attribute_columns=["gender"],
        stratify_by_columns=["department"],
        thresholds=[{"measurement": "mantelHaenszelPValue", "operator": ">", "value": 0.05}],
        **FAVORABLE,
    )
    assert result.status == "passed"
    assert result.measurements["mantel_haenszel_p_value"] == to_places(0.2169, 4)
    (women,) = result.pooled
    # R: mantelhaen.test(UCBAdmissions, correct = FALSE) has the odds of men to women, 0.9046968.
    assert women.odds_ratio == pytest.approx(1 / 0.9046968, rel=1e-6)
    assert (women.key, women.reference) == ({"gender": "F"}, {"gender": "M"})
    assert (women.value, women.reference_value) == (to_places(0.3035, 4), to_places(0.4452, 4))
    (first, *_) = result.parts
    assert first.stratum == {"department": "A"}
    assert first.comparison is not None
    assert first.comparison.key == {"gender": "F"}
    (men,) = [
        group
        for group in result.groups
        if group.stratum == first.stratum and group.key == {"gender": "M"}
    ]
    assert men.p_value == pytest.approx(1.669189e-05, rel=1e-6, abs=0)


# --- COMPAS ------------------------------------------------------------------------------------


def test_compas_errors_by_race(connection: duckdb.DuckDBPyConnection) -> None:
    result = fairsql.group_performance_parity(
        connection,
        f"(select * from '{COMPAS}')",
        protected_attribute_columns=["race"],
        performance_metrics=["false_positive_rate", "false_negative_rate", "npv"],
        prediction_column="predicted_recid",
        ground_truth_column="two_year_recid",
        positive_values=["1"],
    )
    assert result.status == "failed"
    expected = EXPECTED["groups"]["race"]
    for group in result.groups:
        race = expected[group.key["race"]]
        value = {
            "false_positive_rate": race["fpr"],
            "false_negative_rate": 1 - race["tpr"],
            "npv": race["npv"],
        }[str(group.metric)]
        assert group.value == exactly(value)
        assert group.sufficient == race["sufficient"]
    insufficient = {group.key["race"] for group in result.groups if not group.sufficient}
    assert insufficient == {"Asian", "Native American"}
    sufficient = [race["fpr"] for race in expected.values() if race["sufficient"]]
    largest = max(sufficient) - min(sufficient)
    assert result.measurements["false_positive_rate_difference"] == exactly(largest)


# --- fairlearn's user guide --------------------------------------------------------------------


def test_fairlearn_user_guide(connection: duckdb.DuckDBPyConnection) -> None:
    result = fairsql.group_performance_parity(
        connection,
        load(connection, GUIDE),
        protected_attribute_columns=["g"],
        performance_metrics=["recall", "false_positive_rate", "selection_rate"],
        prediction_column="prediction",
        ground_truth_column="truth",
        positive_values=["1"],
        higher_is_better=True,
        max_difference=1,
        **GUARDS_OFF,
    )
    tables = {
        "recall": {"a": 0.5, "b": 0.6, "c": 0.4},
        "false_positive_rate": {"a": 1, "b": 0, "c": to_places(0.666667, 6)},
        "selection_rate": {"a": 0.75, "b": 0.5, "c": 0.5},
    }
    for facet in result.facets():
        assert facet.metric is not None
        values = {group.key["g"]: group.value for group in facet.groups}
        assert values == tables[facet.metric.name]
    assert result.measurements["recall_difference"] == pytest.approx(0.2)
    assert result.measurements["selection_rate_ratio"] == exactly(0.5 / 0.75)
