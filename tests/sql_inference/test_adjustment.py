from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from fairsql.compile.loader import macros_for
from fairsql.inference import Adjustment, adjust_p_values
from tests.sql_inference.engines import p_values

if TYPE_CHECKING:
    from tests.sql_inference.engines import Engine

# Benjamini and Hochberg's example (1995); R: p.adjust.
PUBLISHED = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240),
    *(0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]
HOLM = [0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, *[1.0] * 6]
BENJAMINI_HOCHBERG = [
    *(0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.063857142857, 0.063857142857, 0.0645, 0.0765),
    *(0.486, 0.581181818182, 0.714875, 0.753230769231, 0.813214285714, 1),
]
TIED = [0.012, 0.0004, 0.3, 0.012, 0.7, 0.047, 1 / 3, 0.9999, 0.0, 0.0501, 0.6, 0.08]


def adjusted(
    engine: Engine, family: list[float | None], method: Adjustment, family_size: int = 0
) -> list[float | None]:
    rows = [(p, family_size) for p in family]
    columns = "p_value family_size"
    return p_values(engine, "adjustment_ctes", columns, rows, method, result="p_value_adjusted")


@pytest.mark.parametrize(
    ("method", "expected"), [("holm", HOLM), ("benjamini_hochberg", BENJAMINI_HOCHBERG)]
)
def test_published_family(engine: Engine, method: Adjustment, expected: list[float]) -> None:
    got = adjusted(engine, [*PUBLISHED], method)
    assert got == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.mark.parametrize(
    ("method", "family_size", "expected"),
    [  # R: p.adjust(p, "holm"), p.adjust(p, "BH") and p.adjust(p, "holm", n = 78), %.17g
        ("holm", 0, [0.12, 0.0044000000000000003, 1, 0.12, 1, 0.376, 1, 1, 0, 0.376, 1, 0.48]),
        (
            "benjamini_hochberg",
            0,
            [
                *(0.036000000000000004, 0.0024000000000000002, 0.44444444444444442),
                *(0.036000000000000004, 0.76363636363636356, 0.1002, 0.44444444444444442),
                *(0.9999, 0, 0.1002, 0.71999999999999997, 0.13714285714285715),
            ],
        ),
        (
            "holm_all_pairs",
            78,
            [0.91200000000000003, 0.030800000000000001, 1, 0.912, 1, 1, 1, 1, 0, 1, 1, 1],
        ),
    ],
)
def test_adjustment_equals_r_to_the_last_bit(
    engine: Engine, method: Adjustment, family_size: int, expected: list[float]
) -> None:
    assert adjusted(engine, [*TIED], method, family_size) == expected


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("none", [0.01, None, 0.04, 0.03]),
        ("holm", [0.03, None, 0.06, 0.06]),
        ("benjamini_hochberg", [0.03, None, 0.04, 0.04]),
        ("holm_all_pairs", [0.06, None, 0.16, 0.15]),
    ],
)
def test_a_missing_p_value_stays_missing_and_is_not_counted(
    engine: Engine, method: Adjustment, expected: list[float | None]
) -> None:
    assert adjusted(engine, [0.01, None, 0.04, 0.03], method, 6) == expected


@pytest.mark.parametrize("method", ["none", "holm", "benjamini_hochberg", "holm_all_pairs"])
def test_a_family_without_p_values(engine: Engine, method: Adjustment) -> None:
    assert adjusted(engine, [None, None], method, 3) == [None, None]
    assert adjusted(engine, [0.7], method, 1) == [0.7]


@pytest.mark.parametrize("method", ["holm", "benjamini_hochberg", "holm_all_pairs"])
def test_python_says_the_same_to_the_last_bit(engine: Engine, method: Adjustment) -> None:
    chance = np.random.default_rng(11)
    for size in (2, 17, 400):
        drawn: list[float | None] = (chance.random(size) ** 6).tolist()
        family = [p if i % 4 else [None, 0.05, 0.0, 1e-3][i // 4 % 4] for i, p in enumerate(drawn)]
        pairs = size * (size + 1) // 2
        wanted = adjust_p_values(family, method, pairs if method == "holm_all_pairs" else None)
        assert adjusted(engine, family, method, pairs) == wanted


def test_each_cut_is_a_family(engine: Engine) -> None:
    given = " union all ".join(
        f"select {cut} as cut, {number} as group_number, cast({p}e0 as double precision) as p_value"
        for cut, number, p in [(1, 1, 0.01), (1, 2, 0.04), (2, 1, 0.03), (2, 2, 0.9), (2, 3, 0.02)]
    )
    stages = macros_for(engine.dialect).call("adjustment_ctes", "given", "holm")
    text = ", ".join(f"{name} as ({body})" for name, body in [("given", given), *stages])
    found = engine.select(
        f"with {text} select p_value_adjusted from adjusted_p_values order by cut, group_number;"
    )
    assert [p for (p,) in found] == [0.02, 0.04, 0.06, 0.9, 0.06]
