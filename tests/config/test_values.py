"""Values as text. The expected texts are those of the specification's table, written out."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsql.config import canonical_key, canonical_text
from fairsql.config.values import WHITE_SPACE
from tests.oracle import canonical as oracle


class Label(StrEnum):
    APPROVED = "1.0"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (-7, "-7"),
        (10**30, "1" + "0" * 30),
        (1.0, "1"),
        (-0.0, "0"),
        (-5.0, "-5"),
        (999_999_999_999_999.0, "999999999999999"),
        (0.1, "0.1"),
        (0.0001, "0.0001"),
        (1.5e-7, "1.5e-07"),
        (np.float64(2.5), "2.5"),
        (Decimal("1.50"), "1.5"),
        (Decimal("100"), "100"),
        (Decimal("1E+3"), "1000"),
        (Decimal("0.00000001"), "0.00000001"),
        (Decimal("-0.00"), "0"),
        (True, "true"),
        (False, "false"),
        (date(2024, 3, 1), "2024-03-01"),
        (date(33, 4, 3), "0033-04-03"),
        (datetime(2024, 3, 1), "2024-03-01T00:00:00"),
        (datetime(2024, 3, 1, 12, 30, 0, 120_000), "2024-03-01T12:30:00.12"),
        (datetime(2024, 3, 1, 12, 30, 10, tzinfo=UTC), "2024-03-01T12:30:10Z"),
        (
            datetime(2024, 3, 1, 1, 0, 0, 500, tzinfo=timezone(timedelta(hours=5, minutes=30))),
            "2024-02-29T19:30:00.0005Z",
        ),
        ("1.0", "1"),
        ("1.50", "1.5"),
        ("-0.0", "0"),
        ("10.00", "10"),
        ("100", "100"),
        ("01", "01"),
        ("01.0", "01"),
        ("+1", "+1"),
        (".5", ".5"),
        ("5.", "5."),
        ("1e3", "1e3"),
        ("1.0\n", "1.0\n"),
        (" 1.0", " 1.0"),
        ("\u0661.\u0660", "\u0661.\u0660"),  # digits, but not ASCII ones
        ("True", "True"),
        ("", ""),
        (Label.APPROVED, "1"),
    ],
)
def test_the_specification_s_table(value: Any, text: str) -> None:
    assert canonical_text(value) == text
    assert type(canonical_text(value)) is str


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), pd.NaT],
)
def test_what_is_no_finite_value(value: Any) -> None:
    with pytest.raises(ValueError, match="is not a"):
        canonical_text(value)


def test_a_timestamp_that_utc_cannot_hold() -> None:
    with pytest.raises(ValueError, match="out of range in UTC"):
        canonical_text(datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))))


@pytest.mark.parametrize("value", [None, [1], b"1", 1j])
def test_what_is_no_value(value: Any) -> None:
    with pytest.raises(TypeError, match="has no canonical text"):
        canonical_text(value)


scalars = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30),
    st.dates(),
    st.datetimes(),
    st.datetimes(timezones=st.just(UTC)),
    st.text(),
    st.from_regex(r"-?[0-9]+\.[0-9]+", fullmatch=True),
)


@given(scalars)
def test_the_form_is_its_own_form(value: Any) -> None:
    text = canonical_text(value)
    assert canonical_text(text) == text


@given(scalars)
def test_an_independent_reading_agrees(value: Any) -> None:
    if isinstance(value, float) and abs(value) >= 1e15:
        return  # the specification promises nothing there
    assert canonical_text(value) == oracle.canonical_text(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_float_is_lost(value: float) -> None:
    assert float(canonical_text(value)) == value


@given(st.integers(-(10**14), 10**14))
def test_one_number_is_one_text(value: int) -> None:
    forms: list[Any] = [
        value,
        float(value),
        Decimal(value),
        str(value),
        f"{value}.0",
        f"{value}.00",
    ]
    assert {canonical_text(form) for form in forms} == {str(value)}


@pytest.mark.parametrize(
    ("value", "key"),
    [(" F\t", "F"), ("\u3000 1.0\u00a0", "1"), ("\x1cF", "\x1cF"), (2, "2"), ("a b", "a b")],
)
def test_keys_are_trimmed_first(value: Any, key: str) -> None:
    assert canonical_key(value) == key


def test_white_space_is_the_specification_s() -> None:
    assert set(WHITE_SPACE) == set(oracle.WHITE_SPACE)
    assert len(WHITE_SPACE) == 25
    assert {c for c in map(chr, range(0x110000)) if c.isspace()} - set(WHITE_SPACE) == set(
        "\x1c\x1d\x1e\x1f"
    )
