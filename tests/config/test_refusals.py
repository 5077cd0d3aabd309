"""What is refused, in which words, and where the message says it stands."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsql.config import build_test, parse_suite
from fairsql.errors import ConfigurationError
from fairsql.metrics import PARITY_METRICS
from tests.config.samples import refusal, sample, suite_of

SIGNIFICANT = {"measurement": "significantDisparityCount", "operator": "<=", "value": 0}
RATIO = {"measurement": "min_metric_ratio", "operator": ">=", "value": 0.8}
VALUE = "a text that is not blank, a finite number, true or false, a date or a timestamp"


def named(**changes: Any) -> dict[str, Any]:
    return {**sample("rate", reference_strategy="named", reference_value="F"), **changes}


def limit(**changes: Any) -> dict[str, Any]:
    return sample(thresholds=[{**RATIO, **changes}])


FIELDS: list[tuple[dict[str, Any], str]] = [
    # keys
    (sample(min_rato=0.8), "min_rato: is not a known key. Did you mean 'min_ratio'?"),
    (sample(colour=1), "colour: is not a known key. Known are name, type, relation, where, "),
    (sample(minRatio=0.8), "minRatio: is not a known key. Did you mean 'min_ratio'?"),
    (
        {**sample(), "min\nratio": 1},
        r"['min\nratio']: is not a known key. Did you mean 'min_ratio'?",
    ),
    (sample("auc", "score_column", scor_column="s"), "scor_column: is not a known key. Did you"),
    (sample("auc", "relation", relatoin="s"), "relatoin: is not a known key. Did you mean 'relat"),
    # what is required
    (sample("auc", "relation"), "relation: is required: the name of a table or view, or a select"),
    (
        sample("auc", "type"),
        "type: is required: one of group_metric_parity, group_outcome_disparity, ",
    ),
    (sample("auc", "parity_metric"), "parity_metric: is required: one of auc, log_loss, brier, "),
    (sample("auc", "protected_attribute_columns"), "protected_attribute_columns: is required: a l"),
    (sample("auc", "score_column"), "score_column: is required by parity_metric auc."),
    (sample("auc", score_column=None), "score_column: is required by parity_metric auc."),
    (sample("log_loss", "probability_column"), "probability_column: is required by parity_metric "),
    (sample("npv", "prediction_column"), "prediction_column: is required by parity_metric npv."),
    (sample("r2", "ground_truth_column"), "ground_truth_column: is required by parity_metric r2."),
    (sample("median", "value_column"), "value_column: is required by parity_metric median."),
    (sample("rate", "positive_values"), "positive_values: is required by parity_metric rate."),
    (sample("p95", "higher_is_better"), "higher_is_better: is required by parity_metric p95."),
    # what the metric does not use
    (sample("auc", value_column="v"), "value_column: is not used by parity_metric auc, which tak"),
    (sample("auc", higher_is_better=True), "higher_is_better: is not used by parity_metric auc,"),
    (sample("mae", positive_values=["1"]), "positive_values: is not used by parity_metric mae,"),
    (sample("rate", score_column="s"), "score_column: is not used by parity_metric rate, which"),
    # names and texts
    (sample(name=""), "name: must be a text on one line that is not blank, but is ''."),
    (sample(name="a\nb"), r"name: must be a text on one line that is not blank, but is 'a\nb'."),
    (
        sample(type="group_metric_party"),
        "type: must be one of group_metric_parity, group_outcome_disparity, ",
    ),
    (sample(relation=" "), "relation: must be the name of a table or view, or a select in paren"),
    (sample(relation=["a"]), "relation: must be the name of a table or view, or a select in pare"),
    (sample(where=""), "where: must be one SQL predicate, as text that is not blank, but is ''."),
    (sample(where=True), "where: must be one SQL predicate, as text that is not blank, but is tr"),
    (sample(score_column="\u3000"), "score_column: must be a column name, but is '\\u3000'."),
    (sample(score_column=3), "score_column: must be a column name, but is 3."),
    (sample(score_column="a\0"), "score_column: holds U+0000, which is not a character of text."),
    (sample(where="\ud800"), "where: holds U+D800, which is not a character of text."),
    # columns
    (
        sample(protected_attribute_columns="gender"),
        "protected_attribute_columns: must be a list of 1 to 3 column names, but is 'gender'. "
        "Write it as a list: ['gender'].",
    ),
    (sample(protected_attribute_columns=[]), "must be a list of 1 to 3 column names, but is an e"),
    (sample(protected_attribute_columns=list("abcd")), "1 to 3 column names, but is a list of 4."),
    (sample(protected_attribute_columns={"a": 1}), "but is a mapping. Write it as a list."),
    (sample(protected_attribute_columns=[1]), "columns[0]: must be a column name, but is 1."),
    (sample(protected_attribute_columns=["a", 1]), "columns[1]: must be a column name, but is 1."),
    (sample(protected_attribute_columns=["a", None]), "columns[1]: must be a column name, but is"),
    (
        sample(protected_attribute_columns=["a", "b", "a"]),
        "protected_attribute_columns: names 'a' twice.",
    ),
    (
        sample(protected_attribute_columns=["approved"]),
        "protected_attribute_columns: names 'approved', which is also the ground_truth_column.",
    ),
    (
        sample("npv", prediction_column="approved"),
        "ground_truth_column: must differ from prediction_column, but both are 'approved'.",
    ),
    (sample(score_column="approved"), "ground_truth_column: must differ from score_column, but"),
    # positive values
    (sample(positive_values="1"), "at least one value, but is '1'. Write it as a list: ['1']."),
    (sample(positive_values=True), "at least one value, but is true. Write it as a list: [true]."),
    (sample(positive_values=[]), "positive_values: must be a list of at least one value, but is "),
    (sample(positive_values=[None]), f"positive_values[0]: must be {VALUE}, but is null."),
    (sample(positive_values=["1", math.nan]), f"positive_values[1]: must be {VALUE}, but is nan."),
    (sample(positive_values=[math.inf]), f"positive_values[0]: must be {VALUE}, but is inf."),
    (sample(positive_values=[["1"]]), f"positive_values[0]: must be {VALUE}, but is a list of 1."),
    (sample(positive_values=[" "]), f"positive_values[0]: must be {VALUE}, but is ' '."),
    (sample(missing_attribute_values="x"), "must be a list of values, but is 'x'. Write it as a"),
    (sample(missing_attribute_values=[None]), f"missing_attribute_values[0]: must be {VALUE}, bu"),
    # choices
    (
        sample(parity_metric="AUC"),
        "parity_metric: must be one of auc, log_loss, brier, npv, false_omission_rate, mae, rmse, "
        "r2, mean, median, p95, rate, but is 'AUC'. Did you mean 'auc'?",
    ),
    (sample(parity_metric=["auc"]), "p95, rate, but is a list of 1."),
    (sample(comparison="averall"), "comparison: must be one of reference, overall, but is 'avera"),
    (sample(reference_strategy="best"), "reference_strategy: must be one of highest, named, but "),
    (sample(significance_test="fisher"), "significance_test: must be one of auto, none, but is "),
    (sample(p_value_adjustment="bonferroni"), "none, holm, benjamini_hochberg, holm_all_pairs, b"),
    (sample(p_value_adjustment="benjamini-hochberg"), "Did you mean 'benjamini_hochberg'?"),
    (sample("mean", higher_is_better="yes"), "but is 'yes'. Write true or false, without quotes."),
    (sample("mean", higher_is_better=1), "higher_is_better: must be true or false, but is 1."),
    (sample(require_significance="x"), "require_significance: must be true or false, but is 'x'."),
    # numbers
    (sample(min_ratio=0), "min_ratio: must be a number greater than 0 and at most 1, but is 0."),
    (sample(min_ratio=1.01), "min_ratio: must be a number greater than 0 and at most 1, but is 1."),
    (sample(min_ratio=math.nan), "min_ratio: must be a number greater than 0 and at most 1, but i"),
    (sample(min_ratio=None), "min_ratio: must be a number greater than 0 and at most 1, but is nu"),
    (sample(min_ratio=True), "min_ratio: must be a number greater than 0 and at most 1, but is tr"),
    (sample(min_ratio="0.8"), "but is '0.8'. Write the number without quotes."),
    (sample(min_ratio=10**400), "and at most 1, but is a number of more than 40 digits."),
    (sample(max_difference=-0.1), "max_difference: must be a finite number of at least 0, but is "),
    (sample(max_difference=math.inf), "max_difference: must be a finite number of at least 0, but"),
    (sample("rate", max_difference=1.5), "must be at most 1, because rate is a proportion, but is"),
    (sample("npv", max_difference=2), "must be at most 1, because npv is a proportion, but is 2."),
    (sample(alpha=0), "alpha: must be a number greater than 0 and less than 1, but is 0."),
    (sample(alpha=1), "alpha: must be a number greater than 0 and less than 1, but is 1."),
    (sample(min_group_size=0), "min_group_size: must be a whole number of at least 1 and below 2^"),
    (sample(min_group_size=True), "min_group_size: must be a whole number of at least 1 and below"),
    (sample(min_group_size=30.5), "min_group_size: must be a whole number of at least 1 and below"),
    (sample(min_group_size=2**63), "min_group_size: must be a whole number of at least 1 and belo"),
    (sample(min_group_share=-0.1), "min_group_share: must be a number from 0 to 1, but is -0.1."),
    (sample(min_group_share=2), "min_group_share: must be a number from 0 to 1, but is 2."),
    (sample(min_reported_rows=0), "min_reported_rows: must be a whole number of at least 1 and b"),
    # how fields go together
    (sample("auc", comparison="overall"), "comparison: overall is not available for auc, whose v"),
    (sample("r2", comparison="overall"), "comparison: overall is not available for r2, whose val"),
    (
        sample("rate", comparison="overall", reference_strategy="highest"),
        "reference_strategy: cannot be used with comparison: overall.",
    ),
    (
        sample("rate", comparison="overall", reference_value="F"),
        "reference_value: cannot be used with comparison: overall.",
    ),
    (
        sample("rate", reference_value="F"),
        "reference_value: is not used with reference_strategy highest; "
        "did you mean reference_strategy: named?",
    ),
    (named(reference_value=None), "reference_value: is required by reference_strategy: named."),
    (named(reference_value=["F"]), f"reference_value: must be {VALUE}, but is a list of 1."),
    (
        named(protected_attribute_columns=["a", "b"]),
        "reference_strategy: named needs exactly one protected attribute, but there are 2.",
    ),
    (
        named(p_value_adjustment="holm_all_pairs"),
        "p_value_adjustment: holm_all_pairs needs comparison: reference with reference_strategy",
    ),
    (
        sample("rate", comparison="overall", p_value_adjustment="holm_all_pairs"),
        "p_value_adjustment: holm_all_pairs needs comparison: reference with reference_strategy",
    ),
    (
        sample("r2", require_significance=True),
        "require_significance: cannot be true, because r2 has no significance test.",
    ),
    (
        sample(significance_test="none", require_significance=True),
        "require_significance: cannot be true, because significance_test is none.",
    ),
    (
        sample("r2", thresholds=[SIGNIFICANT]),
        "thresholds: cannot limit significant_disparity_count, because r2 has no significance",
    ),
    (
        sample(significance_test="none", thresholds=[SIGNIFICANT]),
        "thresholds: cannot limit significant_disparity_count, because significance_test is none",
    ),
    # thresholds
    (sample(thresholds=RATIO), "thresholds: must be a list of thresholds, but is a mapping. Writ"),
    (sample(thresholds="x"), "thresholds: must be a list of thresholds, but is 'x'. Write it as "),
    (sample(thresholds=["x"]), "thresholds[0]: must be a mapping of measurement, operator and va"),
    (limit(measurement="minRatio"), "Did you mean 'min_metric_ratio'?"),
    (limit(measurement=3), "thresholds[0].measurement: must be one of failing_group_count, faili"),
    (limit(operator="=="), "thresholds[0].operator: must be one of >, >=, <, <=, is, !=, but is "),
    (limit(operator="=="), """but is '=='. Did you mean "is", in quotes?"""),
    (limit(operator=""), """but is ''. Did you mean ">", in quotes?"""),
    (limit(value="0.8"), "thresholds[0].value: must be a finite number, but is '0.8'. Write the"),
    (limit(value=True), "thresholds[0].value: must be a finite number, but is true."),
    (limit(value=None), "thresholds[0].value: must be a finite number, but is null."),
    (limit(value=math.inf), "thresholds[0].value: must be a finite number, but is inf."),
    (limit(limit=1), "thresholds[0].limit: is not a known key. Known are measurement, operator, "),
    (
        sample(thresholds=[RATIO, {"measurment": "minMetricRatio", "operator": ">", "value": 1}]),
        "thresholds[1].measurment: is not a known key. Did you mean 'measurement'?",
    ),
    (
        sample(thresholds=[{"measurement": "min_metric_ratio", "operator": ">"}]),
        "thresholds[0].value: is required: a finite number.",
    ),
]


@pytest.mark.parametrize(("test", "fragment"), FIELDS)
def test_one_fault_is_one_line(test: dict[str, Any], fragment: str) -> None:
    (line,) = refusal(suite_of(test), "fairsql.yml")
    shown = repr(test["name"])
    assert line.startswith(f"fairsql.yml, test {shown}, ")
    assert fragment in line


SUITES: list[tuple[Any, str]] = [
    (
        [sample()],
        "fairsql.yml: a suite is a mapping with the keys version and tests, but this ",
    ),
    ([], "A tests.json is read by fairsql.load_suite, with relation=…."),
    ("x", "fairsql.yml: a suite is a mapping with the keys version and tests, but this is 'x'."),
    (None, "fairsql.yml: a suite is a mapping with the keys version and tests, but this is null."),
    ({"tests": [sample()]}, "fairsql.yml, version: is required; write version: 1."),
    (suite_of(sample(), version=2), "fairsql.yml, version: must be 1, but is 2."),
    (suite_of(sample(), version="1"), "fairsql.yml, version: must be 1, but is '1'."),
    (suite_of(sample(), version=True), "fairsql.yml, version: must be 1, but is true."),
    (suite_of(sample(), version=1.0), "fairsql.yml, version: must be 1, but is 1.0."),
    ({"versoin": 1, "tests": [sample()]}, "versoin: is not a known key. Did you mean 'version'?"),
    ({"version": 1, "test": [sample()]}, "test: is not a known key. Did you mean 'tests'?"),
    (
        suite_of(sample(), colour=1),
        "colour: is not a known key. Known are version, defaults, judgements, judges",
    ),
    (suite_of(), "fairsql.yml, tests: there are no tests; a suite lists at least one."),
    ({"version": 1}, "fairsql.yml, tests: there are no tests; a suite lists at least one."),
    ({"version": 1, "tests": None}, "fairsql.yml, tests: there are no tests; a suite lists at le"),
    ({"version": 1, "tests": sample()}, "tests: must be a list of tests, but is a mapping. A tes"),
    ({"version": 1, "tests": "x"}, "tests: must be a list of tests, but is 'x'. A test starts wi"),
    (suite_of("x"), "fairsql.yml, tests[0]: must be a mapping of test fields, but is 'x'."),
    (suite_of(None), "fairsql.yml, tests[0]: must be a mapping of test fields, but is null."),
    (suite_of(sample("auc", "name")), "fairsql.yml, tests[0], name: is required: a text on one l"),
    (suite_of(sample(name=3)), "fairsql.yml, tests[0], name: must be a text on one line that is n"),
    (
        suite_of(sample(), sample(name="Other"), sample()),
        "fairsql.yml, test 'Parity by gender', name: tests[0] has the same name.",
    ),
]


@pytest.mark.parametrize(("suite", "fragment"), SUITES)
def test_a_suite_that_is_none(suite: Any, fragment: str) -> None:
    (line,) = refusal(suite, "fairsql.yml")
    assert fragment in line


def test_all_faults_are_reported_at_once() -> None:
    first = sample(min_ratio=2, value_column="v", thresholds=[{**RATIO, "operator": "=>"}])
    lines = refusal(suite_of(first, sample("rate", "value_column", name="Second"), 3, version=2))
    assert [line.split(": ")[0] for line in lines] == [
        "version",
        "test 'Parity by gender', thresholds[0].operator",
        "test 'Parity by gender', min_ratio",
        "test 'Parity by gender', value_column",
        "test 'Second', value_column",
        "tests[2]",
    ]


@pytest.mark.parametrize("key", [1, None, True, ("a",)])
def test_a_key_that_is_no_text(key: Any) -> None:
    for suite in (
        {**suite_of(sample()), key: 1},
        suite_of({**sample(), key: 1}),
        suite_of(sample(), defaults={key: 1}),
        suite_of(sample(thresholds=[{**RATIO, key: 1}])),
    ):
        (line,) = refusal(suite)
        assert "is not a known key. Known are " in line


def test_a_long_value_is_shown_short() -> None:
    (line,) = refusal(suite_of(sample(comparison="x" * 5000, name="n")))
    assert len(line) < 300


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=5) | st.sampled_from(sorted(sample())), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@given(json_values)
def test_no_suite_ends_in_another_error(suite: Any) -> None:
    with pytest.raises(ConfigurationError):
        parse_suite(suite)


@given(
    st.sampled_from(list(PARITY_METRICS)),
    st.dictionaries(st.sampled_from(sorted({*sample(), *sample("rate")})), json_values, max_size=4),
)
def test_no_field_ends_in_another_error(metric: str, changes: dict[str, Any]) -> None:
    fields = {**sample(metric), **changes}
    with contextlib.suppress(ConfigurationError):
        assert build_test(**fields).parameters()
