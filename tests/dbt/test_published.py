"""Published analyses of fairness, through `dbt test`: what its stored failures say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.dbt.shop import COMPARED
from tests.fixtures.relations import exactly, to_places
from tests.fixtures.test_compas import EXPECTED
from tests.fixtures.test_published import RACE_P_VALUES

if TYPE_CHECKING:
    from tests.dbt.conftest import Ran

pytestmark = pytest.mark.xdist_group("dbt-shop")


def worse(shop: Ran, test: str, column: str) -> dict[str, Any]:
    """Return a number of every group that is worse, by key."""
    return {row["key_1"]: row[column] for row in shop.stored(test)}


def test_local_law_144_by_sex(shop: Ran) -> None:
    assert worse(shop, "law_by_sex", "ratio") == {"Female": to_places(0.979337, 6)}
    assert worse(shop, "law_by_sex", "p_value") == {"Female": exactly(0.6344861896601167)}


def test_local_law_144_by_race(shop: Ran) -> None:
    ratios = {
        "Hispanic": to_places(0.967233, 6),
        "Black": to_places(0.843229, 6),
        "Native Hawaiian or Pacific Islander": to_places(0.845313, 6),
        "Asian": to_places(0.948391, 6),
        "Two or more": to_places(0.871872, 6),
    }
    p_values = {race: exactly(p) for race, p in RACE_P_VALUES.items()}
    everyone = {**ratios, "Native American": to_places(0.849278, 6)}
    assert worse(shop, "law_by_race_of_one_percent", "ratio") == everyone
    assert worse(shop, "law_by_race_of_one_percent", "p_value") == p_values
    # Native American applicants are 1.59 % of all: too few by default.
    del p_values["Native American"]
    assert worse(shop, "law_by_race", "ratio") == ratios
    assert worse(shop, "law_by_race", "p_value") == p_values


@pytest.mark.parametrize(
    ("test", "adjusted", "significant"),
    [
        ("law_by_race_of_one_percent", 0.05658066, False),
        ("law_by_race", 0.04715055, True),
    ],
)
def test_the_number_of_comparisons_decides_what_is_significant(
    shop: Ran, test: str, adjusted: float, significant: bool
) -> None:
    assert worse(shop, test, "p_value_adjusted")["Black"] == to_places(adjusted, 8)
    assert worse(shop, test, "significant")["Black"] is significant


def test_connecticut_v_teal(shop: Ran) -> None:
    assert worse(shop, "teal", "ratio") == {"Black": exactly(0.6810275080906149)}
    assert worse(shop, "teal", "p_value") == {"Black": exactly(0.0004041588085768439)}


def test_berkeley(shop: Ran) -> None:
    assert worse(shop, "berkeley", "value") == {"F": to_places(0.3035, 4)}
    assert worse(shop, "berkeley", "p_value") == {"F": exactly(4.835903179337284e-22)}


@pytest.mark.parametrize("name", COMPARED)
def test_compas_by_race(shop: Ran, name: str) -> None:
    rows = {row["key_1"]: row for row in shop.stored(f"compas_{name}")}
    expected = EXPECTED["compare_race"][name]["rows_[group,value,ratio,gap,p,holm,bh]"]
    assert set(rows) == {race for race, *_ in expected}
    for race, *numbers in expected:
        columns = ("value", "ratio", "difference", "p_value", "p_value_adjusted")
        for column, number in zip(columns, numbers, strict=False):
            assert rows[race][column] == exactly(number), (race, column)
