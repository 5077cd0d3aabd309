"""The oracle on audits that others published: Local Law 144, the four-fifths rule, Berkeley."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.oracle import judge
from tests.oracle.build import GUARDS_OFF, exactly, group_of, judge_rate

LL144_RACE = {
    "Hispanic": (408, 204),
    "White": (797, 412),
    "Black": (390, 170),
    "NHPI": (119, 52),
    "Asian": (616, 302),
    "Native American": (41, 18),
    "Two or more": (213, 96),
}


def test_local_law_144_by_sex() -> None:
    result = judge_rate({"Male": (1390, 667), "Female": (1181, 555)})
    female = group_of(result, "Female")
    assert female["ratio"] == pytest.approx(0.979337, abs=5e-7)
    assert female["p_value"] == exactly(0.6344861896601167)
    assert result["status"] == "passed"


def test_local_law_144_by_race() -> None:
    result = judge_rate(LL144_RACE, p_value_adjustment="holm", min_group_share=0.01)
    assert result["comparison"]["key"] == {"g": "White"}
    expected = {
        "Hispanic": (0.967233, 0.5842194666243815),
        "Black": (0.843229, 9.430110452292521e-03),
        "NHPI": (0.845313, 0.1158804854710326),
        "Asian": (0.948391, 0.3343365295024585),
        "Native American": (0.849278, 0.3416183470565171),
        "Two or more": (0.871872, 0.0900699841623115),
    }
    for race, (ratio, p) in expected.items():
        assert group_of(result, race)["ratio"] == pytest.approx(ratio, abs=5e-7)
        assert group_of(result, race)["p_value"] == exactly(p)
    assert group_of(result, "Black")["p_value_adjusted"] == pytest.approx(0.05658066, rel=1e-7)
    assert result["measurements"]["significant_disparity_count"] == 0
    # Six compared groups and the reference make 21 pairs.
    all_pairs = judge_rate(LL144_RACE, p_value_adjustment="holm_all_pairs", min_group_share=0.01)
    adjusted = group_of(all_pairs, "Black")["p_value_adjusted"]
    assert adjusted == exactly(21 * 9.430110452292521e-03)


def test_local_law_144_leaves_small_groups_out_of_the_family() -> None:
    result = judge_rate(LL144_RACE, p_value_adjustment="holm")
    assert not group_of(result, "Native American")["sufficient"]
    black = group_of(result, "Black")
    assert black["p_value_adjusted"] == pytest.approx(0.04715055, rel=1e-7)
    assert black["significant"]
    assert not black["failed"]


def test_local_law_144_intersections() -> None:
    counts = {
        ("Hispanic", "M"): (205, 90), ("Hispanic", "F"): (190, 82),
        ("White", "M"): (412, 215), ("White", "F"): (385, 197),
        ("Black", "M"): (226, 95), ("Black", "F"): (164, 75),
        ("NHPI", "M"): (87, 37), ("NHPI", "F"): (32, 15),
        ("Asian", "M"): (321, 167), ("Asian", "F"): (295, 135),
        ("Native American", "M"): (24, 11), ("Native American", "F"): (17, 7),
        ("Two or more", "M"): (115, 52), ("Two or more", "F"): (98, 44),
    }  # fmt: skip
    rows: list[tuple[str | None, str, int]] = [
        (race, sex, int(i < selected))
        for (race, sex), (n, selected) in counts.items()
        for i in range(n)
    ]
    rows += [(None, "M", 1)] * 250
    test = {
        "protected_attribute_columns": ["race", "sex"],
        "parity_metric": "rate",
        "value_column": "selected",
        "positive_values": [1],
        "higher_is_better": True,
    }
    kinds = {"race": "text", "sex": "text", "selected": "integer"}
    result = judge(pd.DataFrame(rows, columns=list(kinds)), kinds, test)
    small = group_of(result, "Native American", "F")
    assert small["ratio"] == pytest.approx(0.789, abs=5e-4)
    assert not small["failed"]
    assert result["rows"]["missing_attribute"] == 250
    assert result["groups_total"] == 14


def test_connecticut_v_teal() -> None:
    result = judge_rate({"black": (48, 26), "white": (259, 206)})
    assert group_of(result, "black")["ratio"] == exactly(0.6810275080906149)
    assert result["status"] == "failed"


def test_the_four_fifths_rule_passes_exactly_eighty_percent() -> None:
    counts = {"a": (100, 60), "b": (100, 45), "c": (100, 48), "d": (100, 51)}
    result = judge_rate(counts)
    assert [group_of(result, g)["ratio"] for g in "bcd"] == pytest.approx([0.75, 0.80, 0.85])
    assert [group_of(result, g)["failed"] for g in "bcd"] == [True, False, False]


def test_berkeley_pooled_and_in_department_a() -> None:
    men = [(512, 313), (353, 207), (120, 205), (138, 279), (53, 138), (22, 351)]
    women = [(89, 19), (17, 8), (202, 391), (131, 244), (94, 299), (24, 317)]
    pooled = {
        sex: (sum(a + r for a, r in departments), sum(a for a, _ in departments))
        for sex, departments in (("M", men), ("F", women))
    }
    result = judge_rate(pooled)
    assert group_of(result, "M")["value"] == pytest.approx(0.4452, abs=5e-5)
    assert group_of(result, "F")["value"] == pytest.approx(0.3035, abs=5e-5)
    assert group_of(result, "F")["p_value"] == exactly(4.835903179337284e-22)
    department = judge_rate({"M": (825, 512), "F": (108, 89)})
    assert department["comparison"]["key"] == {"g": "F"}
    assert group_of(department, "M")["p_value"] == pytest.approx(1.669189e-05, rel=1e-6)


def test_fairlearns_user_guide() -> None:
    truth = [
        int(x)
        for x in [
            "0",
            "1",
            "1",
            "1",
            "1",
            "0",
            "1",
            "0",
            "1",
            "0",
            "0",
            "0",
            "1",
            "1",
            "1",
            "1",
            "1",
            "1",
        ]
    ]
    prediction = [
        int(x)
        for x in [
            "0",
            "0",
            "1",
            "0",
            "1",
            "1",
            "1",
            "0",
            "0",
            "1",
            "1",
            "1",
            "1",
            "0",
            "0",
            "1",
            "1",
            "0",
        ]
    ]
    groups = [
        "b",
        "b",
        "a",
        "b",
        "b",
        "c",
        "c",
        "c",
        "a",
        "a",
        "c",
        "a",
        "b",
        "c",
        "c",
        "b",
        "c",
        "c",
    ]
    frame = pd.DataFrame({"g": groups, "truth": truth, "prediction": prediction})
    kinds = {"g": "text", "truth": "integer", "prediction": "integer"}
    test = {
        "protected_attribute_columns": ["g"],
        "parity_metric": "rate",
        "value_column": "prediction",
        "positive_values": ["1"],
        "higher_is_better": True,
    } | GUARDS_OFF
    recall = judge(frame[frame.truth == 1], kinds, test)
    assert [group_of(recall, g)["value"] for g in "abc"] == pytest.approx([0.5, 0.6, 0.4])
    assert recall["overall"]["value"] == 0.5
    false_positives = judge(frame[frame.truth == 0], kinds, test)
    assert [group_of(false_positives, g)["value"] for g in "abc"] == pytest.approx([1, 0, 2 / 3])
    selection = judge(frame, kinds, test)
    assert [group_of(selection, g)["value"] for g in "abc"] == pytest.approx([0.75, 0.5, 0.5])
