"""COMPAS by race: p-values that an independent analysis of its rows found."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from fairsql.inference import (
    Adjustment,
    adjust_p_values,
    fisher_exact,
    hanley_mcneil_p_value,
    hanley_mcneil_standard_error,
    welch,
)


class Race(NamedTuple):
    tp: int
    fp: int
    fn: int
    tn: int
    auc: float
    auc_standard_error: float
    decile: tuple[float, float]  # mean, variance
    priors: tuple[float, float]

    @property
    def n(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def classes(self) -> tuple[int, int]:
        return self.tp + self.fn, self.fp + self.tn


BLACK = Race(
    *(1369, 805, 532, 990),
    *(0.6918343812595336, 0.008594385107919702),
    (5.3687770562770565, 8.015252198185214),
    (4.438852813852814, 31.134555002958248),
)
WHITE = Race(
    *(505, 349, 461, 1139),
    *(0.6931462744050402, 0.011124466917398376),
    (3.735126324368378, 6.749218145470626),
    (2.58679706601467, 14.430905921295915),
)
HISPANIC = Race(
    *(103, 87, 129, 318),
    *(0.6379257130693913, 0.02324229983713092),
    (3.463108320251177, 6.755319253971546),
    (2.2527472527472527, 13.305515239477506),
)
OTHER = Race(
    *(43, 36, 90, 208),
    *(0.6955349439171699, 0.029292490710059734),
    (2.949602122015915, 5.5267086178678255),
    (1.8753315649867375, 11.593458998814834),
)


def rate(group: Race) -> tuple[int, int]:
    return group.tp + group.fp, group.fn + group.tn


def npv(group: Race) -> tuple[int, int]:
    return group.tn, group.fn


def false_positive_rate(group: Race) -> tuple[int, int]:
    return group.fp, group.tn


def recall(group: Race) -> tuple[int, int]:
    return group.tp, group.fn


FISHER = [
    (rate, BLACK, OTHER, 3.012097310137523e-46),
    (rate, WHITE, OTHER, 5.211064896355112e-08),
    (rate, HISPANIC, OTHER, 0.0019871444214231496),
    (npv, BLACK, WHITE, 0.00025852445947191635),
    (npv, HISPANIC, WHITE, 1.0),
    (npv, OTHER, WHITE, 0.6271026539181382),
    (false_positive_rate, BLACK, OTHER, 3.3843485712839813e-21),
    (false_positive_rate, WHITE, OTHER, 0.0020665923657340935),
    (false_positive_rate, HISPANIC, OTHER, 0.038533451887308307),
    (recall, WHITE, BLACK, 2.5617756207752525e-25),
    (recall, HISPANIC, BLACK, 1.7548617643177967e-16),
    (recall, OTHER, BLACK, 8.220341534143587e-20),
    # The gap that another tool calls not significant, with p 0.0504.
    (false_positive_rate, BLACK, WHITE, 5.07e-38),
]


def test_fisher() -> None:
    for proportion, group, reference, p in FISHER:
        got = fisher_exact(*proportion(group), *proportion(reference))
        digits = 2e-3 if p == 5.07e-38 else 1e-12
        assert got == pytest.approx(p, rel=digits, abs=0), (proportion.__name__, p)


@pytest.mark.parametrize(
    ("group", "p"),
    [(BLACK, 0.9035155256471998), (WHITE, 0.9392336302068457), (HISPANIC, 0.12340633394782681)],
)
def test_auc(group: Race, p: float) -> None:
    for race in (group, OTHER):
        error = hanley_mcneil_standard_error(race.auc, *race.classes)
        assert error == pytest.approx(race.auc_standard_error, rel=1e-12)
    got = hanley_mcneil_p_value(group.auc, *group.classes, OTHER.auc, *OTHER.classes)
    assert got == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize(
    ("group", "decile_p", "priors_p"),
    [
        (BLACK, 3.6599826522354884e-59, 4.853510017954088e-34),
        (WHITE, 4.797407191221978e-09, 0.00022281291583855633),
        (HISPANIC, 0.0012824196380377855, 0.09712151874337617),
    ],
)
def test_welch(group: Race, decile_p: float, priors_p: float) -> None:
    decile = welch(group.n, *group.decile, OTHER.n, *OTHER.decile)
    assert decile == pytest.approx(decile_p, rel=1e-11, abs=0)
    priors = welch(group.n, *group.priors, OTHER.n, *OTHER.priors)
    assert priors == pytest.approx(priors_p, rel=1e-11, abs=0)


@pytest.mark.parametrize(
    ("p_values", "method", "adjusted"),
    [
        (
            [3.012097310137523e-46, 5.211064896355112e-08, 0.0019871444214231496],
            "holm",
            [9.03629193041257e-46, 1.0422129792710224e-07, 0.0019871444214231496],
        ),
        (
            [3.3843485712839813e-21, 0.0020665923657340935, 0.038533451887308307],
            "benjamini_hochberg",
            [1.0153045713851944e-20, 0.0030998885486011405, 0.038533451887308307],
        ),
        (
            [0.9035155256471998, 0.9392336302068457, 0.12340633394782681],
            "holm",
            [1.0, 1.0, 0.37021900184348044],
        ),
        (
            [0.9035155256471998, 0.9392336302068457, 0.12340633394782681],
            "benjamini_hochberg",
            [0.9392336302068457, 0.9392336302068457, 0.37021900184348044],
        ),
    ],
)
def test_adjustment(p_values: list[float], method: Adjustment, adjusted: list[float]) -> None:
    assert adjust_p_values(p_values, method) == pytest.approx(adjusted, rel=1e-15, abs=0)
