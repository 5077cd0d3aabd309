"""What ``defaults`` give to a test, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest

from fairsql.config.parse import parse_suite
from tests.config.samples import read, refusal, sample, suite_of


def test_a_test_s_own_field_wins() -> None:
    defaults = {"min_group_size": 5, "alpha": 0.1, "where": "year = 2024"}
    test = read(sample(alpha=0.01), defaults=defaults)
    assert (test.min_group_size, test.alpha, test.where) == (5, 0.01, "year = 2024")
    assert read(sample(where=None), defaults=defaults).where is None


def test_any_field_may_stand_in_defaults() -> None:
    everything = sample(
        "rate",
        "name",
        thresholds=[{"measurement": "minMetricRatio", "operator": ">=", "value": 0.9}],
    )
    assert read({"name": "Parity by gender"}, defaults=everything) == read(
        {**everything, "name": "Parity by gender"}
    )


@pytest.mark.parametrize(
    ("test", "defaults"),
    [
        (sample("mean"), {"positive_values": ["1"], "score_column": "score"}),
        (sample("auc"), {"higher_is_better": True, "value_column": "latency"}),
        (sample("mae"), {"positive_values": ["1"], "require_significance": True}),
        (sample("r2"), {"require_significance": True}),
        (sample("mean", significance_test="none"), {"require_significance": True}),
        (
            sample("mean", comparison="overall"),
            {"reference_strategy": "named", "reference_value": "F"},
        ),
        (
            sample("mean", reference_strategy="highest"),
            {"reference_strategy": "named", "reference_value": "F"},
        ),
    ],
)
def test_what_a_test_has_no_use_for_is_ignored(
    test: dict[str, Any], defaults: dict[str, Any]
) -> None:
    significance = test["parity_metric"] == "mae"
    assert read(test, defaults=defaults) == read(
        {**test, **({"require_significance": True} if significance else {})}
    )


@pytest.mark.parametrize(
    ("field", "value"), [("positive_values", ["1"]), ("score_column", "score")]
)
def test_the_same_in_the_test_itself_is_an_error(field: str, value: Any) -> None:
    assert refusal(suite_of(sample("mean", **{field: value}))) == [
        f"test 'Parity by gender', {field}: is not used by parity_metric mean, "
        "which takes value_column and higher_is_better."
    ]


@pytest.mark.parametrize(
    ("test", "defaults", "fragment"),
    [
        (sample("auc"), {"comparison": "overall"}, "comparison (from defaults): overall is not"),
        (
            sample("rate"),
            {"max_difference": 500},
            "max_difference (from defaults): must be at most 1, because rate is a proportion",
        ),
        (
            sample("rate", comparison="overall"),
            {"p_value_adjustment": "holm_all_pairs"},
            "p_value_adjustment (from defaults): holm_all_pairs needs",
        ),
        (
            sample("rate", "protected_attribute_columns"),
            {"protected_attribute_columns": ["approved"]},
            "protected_attribute_columns (from defaults): names 'approved', which is also",
        ),
    ],
)
def test_a_conflict_with_a_default_says_where_it_comes_from(
    test: dict[str, Any], defaults: dict[str, Any], fragment: str
) -> None:
    (line,) = refusal(suite_of(test, defaults=defaults))
    assert f"test 'Parity by gender', {fragment}" in line


@pytest.mark.parametrize(
    ("defaults", "line"),
    [
        ({"min_ratio": 2}, "defaults.min_ratio: must be a number greater than 0 and at most 1"),
        ({"min_rato": 0.8}, "defaults.min_rato: is not a known key. Did you mean 'min_ratio'?"),
        ({"colour": 1}, "defaults.colour: is not a known key. Known are name, type, relation, "),
        ({"thresholds": [{}]}, "defaults.thresholds[0].measurement: is required: one of fail"),
        ([1], "defaults: must be a mapping of test fields, but is a list of 1."),
        ("x", "defaults: must be a mapping of test fields, but is 'x'."),
    ],
)
def test_a_wrong_default_is_reported_once(defaults: Any, line: str) -> None:
    lines = refusal(suite_of(sample(), sample(name="Second"), defaults=defaults))
    assert lines[0].startswith(line)
    assert not any("Second" in other or "Parity" in other for other in lines)


@pytest.mark.parametrize("defaults", [{"relation": 3}, {"relatoin": "loans"}, 5])
def test_a_wrong_default_is_not_reported_as_missing_from_the_tests(defaults: Any) -> None:
    test = sample("auc", "relation")
    assert len(refusal(suite_of(test, defaults=defaults))) == 1


def test_no_defaults() -> None:
    assert read(sample(), defaults=None) == read(sample(), defaults={}) == read(sample())


# A value that one type takes and another does not, and requirements that only all types together
# leave open.
SHARED = {
    "relation": "loans",
    "protected_attribute_columns": ["gender"],
    "value_column": "amount",
    "score_column": "score",
    "higher_is_better": True,
    "statistic": "p95",
    "operator": "<",
    "value": 30,
}


def test_defaults_of_several_types_are_right_when_one_type_takes_them() -> None:
    described = {"name": "Described", "type": "group_column_statistic"}
    scored = {"name": "Scored", "type": "group_score_disparity", "statistic": "mean"}
    suite = parse_suite(suite_of(described, scored, defaults=SHARED))
    assert [getattr(test, "statistic", None) for test in suite.tests] == ["p95", "mean"]
    assert parse_suite(suite_of(described, defaults=SHARED)).tests == suite.tests[:1]


def test_a_default_that_a_type_does_not_take_is_said_of_the_test() -> None:
    described = {"name": "Described", "type": "group_column_statistic"}
    scored = {"name": "Scored", "type": "group_score_disparity"}
    (line,) = refusal(suite_of(described, scored, defaults=SHARED))
    assert "test 'Scored', statistic (from defaults): must be one of mean, median, scor" in line


def test_a_default_that_no_type_of_the_suite_takes_is_reported_once() -> None:
    described = {"name": "Described", "type": "group_column_statistic"}
    other = {"name": "Other", "type": "group_column_statistic"}
    (line,) = refusal(suite_of(described, other, defaults={**SHARED, "statistic": "scoring_rate"}))
    assert "defaults.statistic: must be one of sum, mean, median, min, max" in line
