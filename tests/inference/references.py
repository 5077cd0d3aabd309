"""Reference values in exact or ball arithmetic, by routes the package does not take."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from flint import arb, ctx

ctx.prec = 160
_SLACK = 1 + Fraction(1, 10**7)


def relative_error(got: float, expected: float) -> float:
    return abs(got - expected) / abs(expected) if expected else abs(got)


def normal_two_sided(z: float) -> float:
    return float((abs(arb(z)) / arb(2).sqrt()).erfc().mid())


def student_t_two_sided(t: float, degrees_of_freedom: float) -> float:
    """Regularised incomplete beta function I_{ν/(ν+t²)}(ν/2, 1/2) in 160-bit balls."""
    nu, t_ball = arb(degrees_of_freedom), arb(t)
    tail = (nu / (nu + t_ball * t_ball)).beta_lower(nu / 2, arb("0.5"), regularized=1)
    assert float(tail.rad()) <= 1e-20 * float(tail.mid())
    return float(tail.mid())


def fisher_exact(a: int, b: int, c: int, d: int) -> float:
    """R's rule in whole numbers: for tables whose smallest margin is a few thousand at most."""
    row, column, total = a + b, a + c, a + b + c + d
    first = max(0, row + column - total)
    # The number of tables with y in the first cell, C(column, y) C(total - column, row - y).
    tables = {first: comb(column, first) * comb(total - column, row - first)}
    for y in range(first, min(row, column)):
        without = total - column - row + y + 1
        tables[y + 1] = tables[y] * (column - y) * (row - y) // ((y + 1) * without)
    limit = tables[a] * _SLACK
    extreme = sum(number for number in tables.values() if number <= limit)
    return float(Fraction(extreme, comb(total, row)))


def fisher_exact_of_large_counts(a: int, b: int, c: int, d: int) -> float:
    """R's rule in 160-bit balls: the observed table by log-gamma, the others by walking from it."""
    margins = arb(0)
    for n in (a + b, c + d, a + c, b + d):
        margins += arb(n + 1).lgamma()
    for n in (a + b + c + d, a, b, c, d):
        margins -= arb(n + 1).lgamma()
    limit, negligible, relative_sum = arb(1) + arb("1e-7"), arb("1e-18"), arb(1)
    for growing, shrinking in (((a, d), (b, c)), ((b, c), (a, d))):
        (first, second), (third, fourth) = growing, shrinking
        probability, past_the_mode = arb(1), False
        while third and fourth and not (past_the_mode and probability < negligible):
            rise, fall = third * fourth, (first + 1) * (second + 1)
            past_the_mode = past_the_mode or rise <= fall
            probability *= arb(rise) / fall
            first, second, third, fourth = first + 1, second + 1, third - 1, fourth - 1
            assert probability < limit or probability > limit
            if probability < limit:
                relative_sum += probability
    return float((margins.exp() * relative_sum).mid())


def binomial_quantile(level: Fraction, n: int, q: Fraction) -> int:
    """Least number of successes whose cumulative probability reaches `level`, in fractions."""
    cumulative, successes = Fraction(0), -1
    while cumulative < level:
        successes += 1
        cumulative += comb(n, successes) * q**successes * (1 - q) ** (n - successes)
    return successes
