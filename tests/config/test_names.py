"""Column names compared by a warehouse's rule for names."""

from __future__ import annotations

import pytest

from fairsql.config import check_names, parse_suite
from fairsql.errors import ConfigurationError
from tests.config.samples import sample, suite_of

TWICE = sample("rate", protected_attribute_columns=["gender", "Gender"])
INPUT = sample("rate", name="Input", protected_attribute_columns=["APPROVED"])
ONE_COLUMN = sample("npv", name="One", prediction_column="Approved")


@pytest.mark.parametrize(
    ("test", "fragment"),
    [
        (TWICE, "test 'Parity by gender', protected_attribute_columns: names 'gender' (spelled "),
        (INPUT, "names 'APPROVED' (spelled 'approved' too, which is one name in this warehouse)"),
        (INPUT, ", which is also the value_column."),
        (ONE_COLUMN, "test 'One', ground_truth_column: must differ from prediction_column"),
    ],
)
def test_spellings_of_one_name(test: dict[str, object], fragment: str) -> None:
    suite = parse_suite(suite_of(test), source="fairsql.yml")
    with pytest.raises(ConfigurationError, match=r"^fairsql\.yml, ") as caught:
        check_names(suite)
    assert fragment in str(caught.value)
    check_names(suite, fold=str)  # where case tells names apart, nothing is wrong


def test_every_test_is_looked_at() -> None:
    suite = parse_suite(suite_of(TWICE, INPUT, ONE_COLUMN, sample(name="Right")))
    with pytest.raises(ConfigurationError) as caught:
        check_names(suite)
    assert len(str(caught.value).splitlines()) == 3


def test_a_right_suite() -> None:
    check_names(parse_suite(suite_of(sample("npv"))))
