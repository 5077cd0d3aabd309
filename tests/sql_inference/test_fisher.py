from __future__ import annotations

import time
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from fairsql.inference import fisher_exact
from tests.inference import references
from tests.sql_inference.engines import DuckDB, p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.sql_inference.engines import Engine, Row

Table = tuple[int, int, int, int]


def fisher(engine: Engine, tables: Sequence[Row]) -> list[float | None]:
    return p_values(engine, "fisher_ctes", "a b c d", tables)


PUBLISHED = {  # R: fisher.test(matrix(c(a, b, c, d), 2, byrow = TRUE))$p.value
    (3, 1, 1, 3): 0.4857142857142858,
    (2, 15, 10, 3): 5.367241191434364e-04,
    (345, 455, 260, 345): 0.95667786399264354,
    (50, 1, 257, 375): 1.222047036352588e-17,
    (5829225, 5692693, 5760959, 5760959): 6.1262127126238397e-178,
    (333, 381, 801722, 7664285): 2.802043468953599e-145,
    (500000, 500000, 500500, 499500): 0.4803792983230997,
    (72, 215, 84, 302): 0.35574790149356156,  # 0.3117 with a slack of 1e-14
    (140, 84, 283, 102): 0.0061087495156528192,  # 0.0048 with a slack of 1e-14
    (0, 5, 5, 0): 0.007936507936507936,
    (5, 11, 10, 5): 0.07559747873325233,  # Mood's median test of 16 and 15 rows
    (26, 22, 206, 53): 0.0004041588085768439,  # Connecticut v. Teal
    (1198, 1493, 557, 1278): 4.835903179337284e-22,  # Berkeley, pooled
    (24, 56, 30, 50): 0.4033092180943446,
    # NYC Local Law 144's selection example, against men and against White
    (555, 626, 667, 723): 0.6344861896601167,
    (170, 220, 412, 385): 9.430110452292521e-03,
    (52, 67, 412, 385): 0.1158804854710326,
    (302, 314, 412, 385): 0.3343365295024585,
    (18, 23, 412, 385): 0.3416183470565171,
    (96, 117, 412, 385): 0.0900699841623115,
    (204, 204, 412, 385): 0.5842194666243815,
    # Whole-number arithmetic: R refuses the size.
    (1, 78, 1406551982, 2642326796): 1.875183657268088e-13,
}

LARGE = {  # 160-bit balls: tests.inference.references.fisher_exact_of_large_counts
    # Near the peak many neighbours are within R's slack of the observed table, on both sides.
    (10**9, 10**9 - 30, 10**9, 10**9): 0.9998486120490225,
    (10**9, 10**9 - 36, 10**9, 10**9): 0.9997224554269317,
    (900_000_011, 600_000_000, 900_000_000, 600_000_013): 0.9999107937947825,
    (10**9, 10**9 - 300, 10**9, 10**9): 0.9962405463118996,
    (10**9, 10**9 - 60_000, 10**9, 10**9): 0.34277809123907693,
    # Rows of one size: each table has a mirror exactly as probable.
    (500_010_000, 499_990_000, 500_000_000, 500_000_000): 0.654753133181231,
    (156_055_675, 484_025_243, 156_047_560, 484_033_358): 0.5973866224264385,
    # Some 30 standard deviations out.
    (805_299_628, 1_027_149_236, 524_083_686, 666_959_893): 9.884036692080008e-198,
    (875_996, 318_073, 936_162, 328_517): 5.359789354955758e-32,
    (5_987_363, 1_424, 5_986_293, 2_494): 3.175678808320451e-66,
    (370, 96_812, 12, 578_165): 4.380428148557152e-291,
    # Skewed: what is as probable on the far side of the peak is 200 tables from where it seems.
    (75_473_953, 1_013_515, 113_264, 3_093): 5.865776079899243e-268,
    (3_007, 580_500, 2_550_003, 993_381_203): 2.113114152030532e-259,
    (645_608, 1_969_805_301, 0, 1_962_699): 1.5117382382349386e-279,
    (191_018, 0, 168_425_050, 568_862): 5.192564339797722e-280,
    (1_309, 753_826, 538, 1_648_307): 5.259876044356025e-265,
    # Poisson-like: one count is small, or two.
    (1000, 20, 10**9, 10**9): 9.194889365366368e-266,
    (0, 300, 10**9, 10**9): 9.817966770129815e-91,
    (10**9, 3_000, 999_900_000, 2_500): 1.6619534447646947e-11,
    (50_000, 10**9, 51_000, 10**9): 0.0016691779538764231,
}


def test_published_tables(engine: Engine) -> None:
    got = dict(zip(PUBLISHED, fisher(engine, list(PUBLISHED)), strict=True))
    assert got == pytest.approx(PUBLISHED, rel=1e-12, abs=0)


def test_large_tables_hold_in_ball_arithmetic(engine: Engine) -> None:
    got = dict(zip(LARGE, fisher(engine, list(LARGE)), strict=True))
    assert got == pytest.approx(LARGE, rel=2e-12, abs=0)


@cache
def small_tables() -> dict[Table, float]:
    """Every table of counts to 4, by whole-number arithmetic."""
    return {(a, b, c, d): _exact(a, b, c, d) for a, b, c, d in product(range(5), repeat=4)}


def _exact(a: int, b: int, c: int, d: int) -> float:
    alone = 0 in (a + b, c + d, a + c, b + d)
    return 1.0 if alone else references.fisher_exact(a, b, c, d)


def test_every_small_table(engine: Engine) -> None:
    got = dict(zip(small_tables(), fisher(engine, list(small_tables())), strict=True))
    assert got == pytest.approx(small_tables(), rel=2e-13, abs=0)
    # Not nearly 1: where no table is likelier, the p-value is 1.
    assert {table for table, p in got.items() if p == 1} == {
        table for table, p in small_tables().items() if p == 1
    }


def test_null_counts_and_empty_margins(engine: Engine) -> None:
    rows: list[Row] = [
        *((None, 1, 2, 3), (3, None, 2, 1), (3, 2, None, 1), (1, 2, 3, None)),
        *((0, 10, 0, 12), (10, 0, 12, 0), (0, 0, 3, 4), (3, 4, 0, 0), (0, 0, 0, 0)),
        (0, 5, 5, 0),
    ]
    expected = [None] * 4 + [1] * 5 + [pytest.approx(0.007936507936507936, rel=1e-13, abs=0)]
    assert fisher(engine, rows) == expected


def test_what_doubles_cannot_hold_is_0(engine: Engine) -> None:
    far = 10**9 - 2 * 10**6
    rows: list[Row] = [(10**6, 0, 0, 10**6), (10**9, far, far, 10**9), (0, 10**9, 10**9, 0)]
    assert fisher(engine, rows) == [0, 0, 0]


def test_extreme_counts_side_by_side(engine: Engine) -> None:
    counts = (0, 1, 100, 10**5, 10**9)
    tables = [(a, b, c, d) for a, b, c, d in product(counts, repeat=4)]
    expected = [fisher_exact(*table) for table in tables]
    assert fisher(engine, tables) == pytest.approx(expected, rel=1e-11, abs=1e-300)


def drawn_tables(largest: float, number: int) -> list[Table]:
    """Tables near independence, up to 30 standard deviations off, in all four layouts."""
    chance = np.random.default_rng([number, int(largest)])
    tables: list[Table] = []
    for _ in range(number):
        row_1, row_2 = (largest ** chance.random(2)).round()
        share = min(0.5, 10 ** chance.uniform(-6, 0))
        spread = (row_1 * row_2 / (row_1 + row_2) * share * (1 - share)) ** 0.5
        away = spread * chance.choice([0.001, 0.01, 0.1, 1, 3, 30]) * chance.normal()
        a = int(min(max(row_1 * share + away, 0), row_1))
        c = int(row_2 * share)
        # Rows of one size make ties, and rows that differ by 1 what is nearly one.
        row_2 = row_2 if chance.random() < 0.7 else row_1 + chance.integers(2)
        b, d = int(row_1) - a, max(int(row_2) - c, 0)
        tables.append([(a, b, c, d), (b, a, d, c), (c, d, a, b), (a, c, b, d)][chance.integers(4)])
    return tables


@pytest.mark.parametrize(
    ("largest", "number"), [(60, 1000), (2e3, 1000), (1e5, 600), (1e7, 300), (1e9, 60)]
)
def test_python_says_the_same(engine: Engine, largest: float, number: int) -> None:
    tables = drawn_tables(largest, number)
    expected = [fisher_exact(*table) for table in tables]
    assert fisher(engine, tables) == pytest.approx(expected, rel=1e-11, abs=1e-300)


@cache
def lopsided_tables() -> dict[Table, float]:
    """Tables whose smallest margin is a few hundred, by whole-number arithmetic."""
    tables = [
        *((2174, 1522, 854, 1600), (4, 2996, 900, 2100), (370, 939, 103, 3), (284, 1, 7, 764)),
        *((700, 700, 701, 699), (3, 1_000, 10**9, 10**9), (40, 200, 10**6, 10**7)),
        *((230, 230, 10**9, 10**9), (231, 229, 10**9, 10**9), (460, 0, 10**4, 10**4)),
    ]
    return {table: references.fisher_exact(*table) for table in tables}


def test_lopsided_tables_in_whole_numbers(engine: Engine) -> None:
    got = dict(zip(lopsided_tables(), fisher(engine, list(lopsided_tables())), strict=True))
    assert got == pytest.approx(lopsided_tables(), rel=1e-12, abs=0)


def test_a_thousand_groups_are_no_burden(in_process: DuckDB) -> None:
    tables = drawn_tables(1e6, 1000)
    started = time.perf_counter()
    assert None not in fisher(in_process, tables)
    assert time.perf_counter() - started < 5
